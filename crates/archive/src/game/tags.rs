//! The tags of a game.

use std::borrow::Cow;

use super::Game;
use super::memory::{Span, in_a_line, plain};
use crate::lex::{escape, fold, unescape};

/// A tag whose texts are `T`.
#[derive(Clone, Copy, Debug)]
pub struct Tag<T> {
    /// Its name.
    pub name: T,
    /// Its raw value, as between the quotes of a tag.
    pub value: T,
    /// Its offset in the source.
    pub at: u64,
}

/// A raw tag.
///
/// ```
/// use tridex_archive::{Limits, game, pgn};
///
/// let text = br#"[Event "the \"cube\""]"#;
/// let games = game::collect(|v| pgn::read_games(text, 0, &Limits::default(), v));
/// let tag = games[0].written_tags().next().unwrap();
/// assert_eq!(tag.value, br#"the \"cube\""#);
/// assert_eq!(tag.text(), "the \"cube\"");
/// ```
pub type WrittenTag<'g> = Tag<&'g [u8]>;

impl<'g> WrittenTag<'g> {
    /// The value, decoded.
    pub fn text(&self) -> Cow<'g, str> {
        match plain(self.value) {
            Some(text) => Cow::Borrowed(text),
            None => fold(unescape(self.value)),
        }
    }
}

/// The names of the tags that programs use: those of the PGN standard, 8.1.1 and 9, and our own.
const STANDARD_NAMES: [&str; 28] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "Variant",
    "Notation",
    "Locale",
    "FEN",
    "SetUp",
    "WhiteElo",
    "BlackElo",
    "WhiteTitle",
    "BlackTitle",
    "WhiteTeam",
    "BlackTeam",
    "EventDate",
    "ECO",
    "Opening",
    "Time",
    "TimeControl",
    "Termination",
    "Annotator",
    "Mode",
    "PlyCount",
    "Section",
];

/// Returns the standard form of a name that differs from it only in the case of letters or in a colon at its end:
/// `[white: "Anna"]`.
fn standard_name(name: &[u8]) -> &[u8] {
    // The tags of nearly every game need no search.
    if let b"Event" | b"Site" | b"Date" | b"Round" | b"White" | b"Black" | b"Result" | b"Variant"
    | b"Notation" = name
    {
        return name;
    }
    let plain = name.strip_suffix(b":").unwrap_or(name);
    let mut known = STANDARD_NAMES.iter().map(|known| known.as_bytes());
    known
        .find(|known| known.eq_ignore_ascii_case(plain))
        .unwrap_or(name)
}

impl Game<'_> {
    /// Adds a tag. A name may occur twice. A standard name in another case is corrected: `event` becomes `Event`.
    pub fn push_tag(&mut self, name: &str, value: &str) {
        self.push_raw_tag(name.as_bytes(), &escape(value.as_bytes()), self.at);
    }

    /// Adds a tag with its raw value, as between the quotes of a tag, at an offset in the source.
    pub fn push_raw_tag(&mut self, name: &[u8], raw_value: &[u8], at: u64) {
        let name = standard_name(name);
        let (name, value) = (self.memory.store(name), self.memory.store(raw_value));
        self.tags.push(Tag { name, value, at });
    }

    /// Sets the first tag of this name, or adds one.
    ///
    /// ```
    /// use tridex_archive::Game;
    ///
    /// let mut game = Game::new();
    /// game.set_tag("White", "Anna");
    /// game.set_tag("White", "Bert");
    /// assert_eq!(game.tag("White").as_deref(), Some("Bert"));
    /// assert_eq!(game.tags().len(), 1);
    /// ```
    pub fn set_tag(&mut self, name: &str, value: &str) {
        let is_named = |tag: &Tag<Span>| in_a_line(self.memory.slice(tag.name)) == name;
        let Some(known) = self.tags.iter().position(is_named) else {
            return self.push_tag(name, value);
        };
        let value = self.memory.store(&escape(value.as_bytes()));
        if let Some(tag) = self.tags.get_mut(known) {
            tag.value = value;
        }
    }

    /// Renames the tags for which a function returns another name, and removes those for which it returns `None`.
    ///
    /// ```
    /// use tridex_archive::Game;
    ///
    /// let mut game = Game::new();
    /// game.push_tag("White", "Anna");
    /// game.push_tag("Place", "Berlin");
    /// game.rename_tags(&mut |name| (name != "White").then(|| "Site".to_owned()));
    /// assert_eq!((game.tag("White"), game.tag("Site").as_deref()), (None, Some("Berlin")));
    /// ```
    pub fn rename_tags(&mut self, name_of: &mut dyn FnMut(&str) -> Option<String>) {
        let tags = std::mem::take(&mut self.tags);
        for mut tag in tags {
            let old = in_a_line(self.memory.slice(tag.name));
            let Some(new) = name_of(&old) else {
                continue;
            };
            if new != old {
                tag.name = self.memory.copy(new.as_bytes());
            }
            self.tags.push(tag);
        }
    }

    /// Replaces the values for which a function returns another one.
    pub(crate) fn change_tags(&mut self, change: &mut dyn FnMut(&str) -> Option<String>) {
        for index in 0..self.tags.len() {
            let value = self.memory.slice(self.tags[index].value);
            if let Some(new) = change(&unescape(value)) {
                self.tags[index].value = self.memory.copy(&escape(new.as_bytes()));
            }
        }
    }

    /// The value of the first tag of this name.
    pub fn tag(&self, name: &str) -> Option<Cow<'_, str>> {
        let mut tags = self.written_tags();
        let tag = tags.find(|tag| in_a_line(tag.name) == name)?;
        Some(tag.text())
    }

    /// Names and values, in the order of the record; a name may occur twice.
    pub fn tags(
        &self,
    ) -> impl DoubleEndedIterator<Item = (Cow<'_, str>, Cow<'_, str>)> + ExactSizeIterator {
        self.written_tags()
            .map(|tag| (in_a_line(tag.name), tag.text()))
    }

    /// The raw tags.
    #[inline]
    pub fn written_tags(
        &self,
    ) -> impl DoubleEndedIterator<Item = WrittenTag<'_>> + ExactSizeIterator + Clone {
        self.tags.iter().map(|tag| Tag {
            name: self.memory.slice(tag.name),
            value: self.memory.slice(tag.value),
            at: tag.at,
        })
    }
}
