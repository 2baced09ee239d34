//! A game kept in memory: what conversion reads and writes.
//!
//! Text is decoded, and where it was broken into lines it is one line again. Everything the game
//! says is kept: an item is a move, or one of the things that stand between moves, in the order
//! in which they stand. Move numbers are not, since they follow from the moves.

use std::borrow::Cow;
use std::ops::Deref;

use crate::lex;
use crate::visit::{Damage, Flow, GameResult, Visitor};

/// One game. Emptied with [`clear`](Self::clear) it keeps its memory for the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Game {
    /// Names and values, in the order in which they stand; a name may come twice.
    pub tags: Vec<(String, String)>,
    /// The result that ends the movetext, whatever the tag says.
    pub result: Option<GameResult>,
    /// Offsets of the tags in the source, in the same order; none for tags that were added.
    pub tags_at: Vec<u64>,
    /// Offset of the result in the source.
    pub result_at: u64,
    /// Offset of the game in its source.
    pub at: u64,
    /// What was wrong with the record, where, and how many bytes of it.
    pub damage: Vec<(Damage, u64, usize)>,
    pieces: Vec<Piece>,
    /// The text of all pieces.
    text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    kind: Kind,
    from: usize,
    to: usize,
    at: u64,
}

/// A move, or something that stands between moves, with its text as a `T`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item<T> {
    /// A move as it is written, marks and all.
    Move(T),
    /// `{text}`
    Comment(T),
    /// `;text`, to the end of the line.
    LineComment(T),
    /// `%text`, a line of its own.
    Escape(T),
    /// A word that is no move: `etc.`
    Word(T),
    /// `$n`
    Nag(u8),
    /// `(=)`
    DrawOffer,
    /// `(`: what follows replaces the move before it.
    VariationStart,
    /// `)`
    VariationEnd,
}

/// What an item is, apart from its text.
type Kind = Item<()>;

impl<T: Deref> Item<T> {
    /// The same with its text borrowed.
    #[must_use]
    pub fn as_deref(&self) -> Item<&T::Target> {
        match self {
            Self::Move(text) => Item::Move(text),
            Self::Comment(text) => Item::Comment(text),
            Self::LineComment(text) => Item::LineComment(text),
            Self::Escape(text) => Item::Escape(text),
            Self::Word(text) => Item::Word(text),
            Self::Nag(nag) => Item::Nag(*nag),
            Self::DrawOffer => Item::DrawOffer,
            Self::VariationStart => Item::VariationStart,
            Self::VariationEnd => Item::VariationEnd,
        }
    }
}

impl<T> Item<T> {
    /// The same with another text, if it has one.
    #[inline]
    pub fn map<U>(self, text: impl FnOnce(T) -> U) -> Item<U> {
        match self {
            Self::Move(old) => Item::Move(text(old)),
            Self::Comment(old) => Item::Comment(text(old)),
            Self::LineComment(old) => Item::LineComment(text(old)),
            Self::Escape(old) => Item::Escape(text(old)),
            Self::Word(old) => Item::Word(text(old)),
            Self::Nag(nag) => Item::Nag(nag),
            Self::DrawOffer => Item::DrawOffer,
            Self::VariationStart => Item::VariationStart,
            Self::VariationEnd => Item::VariationEnd,
        }
    }
}

impl Game {
    /// A game without anything.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes everything out.
    pub fn clear(&mut self) {
        self.tags.clear();
        self.tags_at.clear();
        self.result = None;
        self.result_at = 0;
        self.at = 0;
        self.damage.clear();
        self.pieces.clear();
        self.text.clear();
    }

    /// The value of the first tag of this name.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        let (_, value) = self.tags.iter().find(|(tag, _)| tag == name)?;
        Some(value)
    }

    /// Sets the first tag of this name, or adds one.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        match self.tags.iter_mut().find(|(tag, _)| tag == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.tags.push((name.to_owned(), value.to_owned())),
        }
    }

    /// The items in order.
    pub fn items(&self) -> impl DoubleEndedIterator<Item = Item<&str>> + ExactSizeIterator {
        self.placed().map(|(item, _)| item)
    }

    /// The same with their offsets in the source: those of moves, and of others that were given one.
    pub fn placed(&self) -> impl DoubleEndedIterator<Item = (Item<&str>, u64)> + ExactSizeIterator {
        let item = |piece: &Piece| (piece.kind.map(|()| self.text_of(piece)), piece.at);
        self.pieces.iter().map(item)
    }

    fn text_of(&self, piece: &Piece) -> &str {
        self.text.get(piece.from..piece.to).unwrap_or_default()
    }

    /// The moves outside of variations.
    pub fn main_line(&self) -> impl Iterator<Item = (&str, u64)> {
        let mut depth = 0_usize;
        self.pieces.iter().filter_map(move |piece| {
            match piece.kind {
                Item::VariationStart => depth += 1,
                Item::VariationEnd => depth = depth.saturating_sub(1),
                Item::Move(()) if depth == 0 => return Some((self.text_of(piece), piece.at)),
                _ => {}
            }
            None
        })
    }

    /// Whether there is anything but moves of the main line.
    #[must_use]
    pub fn is_annotated(&self) -> bool {
        self.pieces.iter().any(|piece| piece.kind != Item::Move(()))
    }

    /// Adds an item at the end.
    pub fn push(&mut self, item: Item<&str>) {
        self.push_at(item, 0);
    }

    /// The same of one that stands at an offset.
    pub fn push_at(&mut self, item: Item<&str>, at: u64) {
        let from = self.text.len();
        let kind = item.map(|text| self.text.push_str(&fold(Cow::Borrowed(text))));
        self.pieces.push(Piece {
            kind,
            from,
            to: self.text.len(),
            at,
        });
    }

    /// Writes another text in the place of the move at an offset; false if there is none.
    pub fn replace_move(&mut self, at: u64, text: &str) -> bool {
        let from = self.text.len();
        let mut moves = self.pieces.iter_mut();
        let Some(piece) = moves.find(|piece| piece.kind == Item::Move(()) && piece.at == at) else {
            return false;
        };
        self.text.push_str(text);
        (piece.from, piece.to) = (from, self.text.len());
        true
    }

    /// Puts a move in before the move at an offset; false if there is none. It is found at the same offset, before that
    /// move.
    pub fn insert_move(&mut self, before: u64, text: &str) -> bool {
        let from = self.text.len();
        let Some(index) = self.move_at(before) else {
            return false;
        };
        self.text.push_str(text);
        let piece = Piece {
            kind: Item::Move(()),
            from,
            to: self.text.len(),
            at: before,
        };
        self.pieces.insert(index, piece);
        true
    }

    /// Puts a comment in behind the move at an offset; false if there is none.
    pub fn insert_comment(&mut self, behind: u64, text: &str) -> bool {
        let Some(index) = self.move_at(behind) else {
            return false;
        };
        self.push(Item::Comment(text));
        if let Some(comment) = self.pieces.pop() {
            self.pieces.insert(index + 1, comment);
        }
        true
    }

    /// Takes the move at an offset out; false if there is none. What is said of it stays.
    pub fn remove_move(&mut self, at: u64) -> bool {
        let Some(index) = self.move_at(at) else {
            return false;
        };
        self.pieces.remove(index);
        true
    }

    fn move_at(&self, at: u64) -> Option<usize> {
        let mut pieces = self.pieces.iter();
        pieces.position(|piece| piece.kind == Item::Move(()) && piece.at == at)
    }

    /// The same game as if it had been made, not read: without places and damage.
    #[must_use]
    pub fn without_places(mut self) -> Self {
        self.at = 0;
        self.result_at = 0;
        self.tags_at.clear();
        self.damage.clear();
        for piece in &mut self.pieces {
            piece.at = 0;
        }
        self
    }

    /// Appends a mark to the move that came last, or before a draw offer; false if something else did, or what stands there
    /// is no word, so that the two would become another mark.
    fn push_mark(&mut self, mark: &str) -> bool {
        // `Nc2W(=)+`: a mark may stand behind the offer, which has no text of its own.
        let Some(last) = self
            .pieces
            .iter_mut()
            .rfind(|last| last.kind != Item::DrawOffer)
            .filter(|last| last.kind == Item::Move(()) && mark.is_ascii())
        else {
            return false;
        };
        if mark.starts_with(|c: char| c.is_ascii_alphabetic()) {
            self.text.push(' ');
        } else {
            let word = self.text.get(last.from..last.to).unwrap_or_default();
            if word.starts_with(|c: char| c.is_ascii_punctuation()) {
                return false;
            }
        }
        self.text.push_str(mark);
        last.to = self.text.len();
        true
    }
}

/// Text with every line end, and the blanks around it, made one space: on one line, as a record keeps it.
#[must_use]
pub fn fold(text: Cow<'_, str>) -> Cow<'_, str> {
    if memchr::memchr2(b'\n', b'\r', text.as_bytes()).is_none() {
        return text;
    }
    let blank = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r');
    let mut out = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some(at) = rest.find(['\n', '\r']) {
        let (before, after) = rest.split_at(at);
        out.push_str(before.trim_end_matches(blank));
        out.push(' ');
        rest = after.trim_start_matches(blank);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Whether a token is a move that was not recorded: `--`.
#[must_use]
pub fn is_unrecorded(token: &[u8]) -> bool {
    // Most words begin otherwise, and may be very long.
    matches!(token, [b'-' | 0xe2, _, ..])
        && std::str::from_utf8(token).is_ok_and(|text| {
            text.chars()
                .all(|c| matches!(c, '-' | '\u{2013}' | '\u{2014}'))
        })
}

/// Tokens that could not be read, gathered until the line ends in which they are: then one comment holds them, as they
/// were written.
#[derive(Clone, Debug, Default)]
pub struct Unread {
    /// Those of the lines that the current one branches off from.
    outer: Vec<String>,
    here: String,
}

impl Unread {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.outer.clear();
        self.here.clear();
    }

    /// Adds a token of the current line. The item is to be written at once: a move that was not recorded keeps its place
    /// unless something unread precedes it, since readers of every notation know it.
    pub fn add(&mut self, token: &str) -> Option<Item<&'static str>> {
        if self.here.is_empty() && is_unrecorded(token.as_bytes()) {
            return Some(Item::Move("--"));
        }
        if !self.here.is_empty() {
            self.here.push(' ');
        }
        self.here.push_str(token);
        None
    }

    /// The comment with the tokens of the current line, if there are any: before a variation, and at the end of the line.
    pub fn take(&mut self) -> Option<String> {
        if self.here.is_empty() {
            return None;
        }
        let comment = format!("not read: {}", self.here.replace('}', ")"));
        self.here.clear();
        Some(comment)
    }

    /// A variation begins.
    pub fn open(&mut self) {
        self.outer.push(std::mem::take(&mut self.here));
    }

    /// It ends.
    pub fn close(&mut self) {
        self.here = self.outer.pop().unwrap_or_default();
    }
}

/// A visitor that keeps each game and hands it to a function when it is over. The game is used again
/// for the next: take what you need, or swap it out.
pub struct Recorder<F> {
    game: Game,
    sink: F,
}

impl<F: FnMut(&mut Game)> Recorder<F> {
    /// Hands each game to `sink`.
    pub fn new(sink: F) -> Self {
        Self {
            game: Game::new(),
            sink,
        }
    }
}

impl<F> std::fmt::Debug for Recorder<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recorder")
            .field("game", &self.game)
            .finish_non_exhaustive()
    }
}

/// All games of a batch, or of anything else that calls its visitor in `read`.
pub fn collect(read: impl FnOnce(&mut dyn Visitor)) -> Vec<Game> {
    let mut games = Vec::new();
    read(&mut Recorder::new(|game: &mut Game| {
        games.push(std::mem::take(game));
    }));
    games
}

impl<F: FnMut(&mut Game)> Visitor for Recorder<F> {
    fn begin_game(&mut self, at: u64) {
        // Comments that came before it are there already.
        self.game.at = at;
    }

    fn tag(&mut self, name: &[u8], raw_value: &[u8], at: u64) {
        let name = lex::decode(name).into_owned();
        self.game.tags_at.push(at);
        self.game
            .tags
            .push((name, fold(lex::unescape(raw_value)).into_owned()));
    }

    fn move_token(&mut self, token: &[u8], at: u64) -> Flow {
        let text = lex::decode(token);
        self.game.push_at(Item::Move(&text), at);
        Flow::Go
    }

    fn comment(&mut self, text: &[u8], _at: u64) {
        self.game.push(Item::Comment(&lex::decode(text)));
    }

    fn line_comment(&mut self, text: &[u8], _at: u64) {
        self.game.push(Item::LineComment(&lex::decode(text)));
    }

    fn escape_line(&mut self, text: &[u8], _at: u64) {
        self.game.push(Item::Escape(&lex::decode(text)));
    }

    fn nag(&mut self, nag: u8, _at: u64) {
        self.game.push(Item::Nag(nag));
    }

    fn suffix_mark(&mut self, text: &[u8], _at: u64) {
        let text = lex::decode(text);
        if !self.game.push_mark(&text) {
            self.game.push(Item::Word(&text));
        }
    }

    fn draw_offer(&mut self, _at: u64) {
        self.game.push(Item::DrawOffer);
    }

    fn begin_variation(&mut self, _at: u64) -> Flow {
        self.game.push(Item::VariationStart);
        Flow::Go
    }

    fn end_variation(&mut self, _at: u64) {
        self.game.push(Item::VariationEnd);
    }

    fn trailing_word(&mut self, text: &[u8], _at: u64) {
        self.game.push(Item::Word(&lex::decode(text)));
    }

    fn result(&mut self, result: GameResult, at: u64) {
        self.game.result = Some(result);
        self.game.result_at = at;
    }

    fn damage(&mut self, damage: Damage, at: u64, len: usize) {
        self.game.damage.push((damage, at, len));
    }

    fn end_game(&mut self, _at: u64) {
        (self.sink)(&mut self.game);
        self.game.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, pgn};

    fn read(text: &str) -> Vec<Game> {
        collect(|v| pgn::read_games(text.as_bytes(), 0, &Limits::default(), v))
    }

    #[test]
    fn everything_between_the_moves_is_kept_in_its_place() {
        let games = read(
            "{before}\n[Event \"a \\\"b\\\"\"]\n% escaped\n1. b4N! {good\n  move} b5B $3 (1... c5B ; why\n\
             2. Nc2W) (=) 2. axb6N\ne.p. + etc. 1-0 {after}",
        );
        let [game] = games.as_slice() else {
            panic!("one game, not {}", games.len())
        };
        assert_eq!(game.tag("Event"), Some("a \"b\""));
        assert_eq!(game.result, Some(GameResult::White));
        let items: Vec<String> = game.items().map(|item| format!("{item:?}")).collect();
        let expected = [
            "Comment(\"before\")",
            "Escape(\" escaped\")",
            "Move(\"b4N!\")",
            "Comment(\"good move\")",
            "Move(\"b5B\")",
            "Nag(3)",
            "VariationStart",
            "Move(\"c5B\")",
            "LineComment(\" why\")",
            "Move(\"Nc2W\")",
            "VariationEnd",
            "DrawOffer",
            "Move(\"axb6N e.p.+\")",
            "Word(\"etc.\")",
            "Comment(\"after\")",
        ];
        assert_eq!(items, expected);
        let main: Vec<&str> = game.main_line().map(|(text, _)| text).collect();
        assert_eq!(main, ["b4N!", "b5B", "axb6N e.p.+"]);
    }

    #[test]
    fn nothing_of_a_game_is_left_in_the_next() {
        let games = read("[Event \"a\"]\n1. e4 ) {x} 1-0\n\n[Event \"b\"]\n\n1. d4\n");
        let second = games.get(1).unwrap();
        assert_eq!(second.tags, [("Event".to_owned(), "b".to_owned())]);
        assert_eq!(second.items().len(), 1);
        assert_eq!((second.result, second.damage.len()), (None, 0));
    }
}
