//! A game in memory: the content of its record, in the order of the record.
//!
//! A game is read once. Its text stays in the bytes it was read from: an [`Event`] has sixteen bytes and contains the
//! range of its text. Only text that is not in these bytes is copied, into one buffer: a cell with doubled quotes, a
//! JSON string with escapes, a mark separated from its move, and all text of a game that was built instead of read. So
//! tokens need no allocation, and a game can be examined again without reading it again.
//!
//! Text is raw, and decoded on demand, with line breaks replaced by blanks. Move numbers are not events, since they
//! follow from the moves; unexpected ones are in [`Game::numbers`].

use std::borrow::Cow;

use crate::interner::TokenId;
pub use crate::item::Item;
use crate::lex::{self, c1_control, escape};
use crate::visit::{Damage, Ending, GameResult, Unusual};
use crate::words;

mod builder;
mod columns;
mod memory;
mod numbers;
mod rows;
mod tags;

pub use builder::{GameBuilder, collect};
pub(crate) use memory::in_a_line;
use memory::{Memory, Span, in_paragraphs};
pub use numbers::{Misnumbered, Numbering, Numbers};
use rows::MoveLine;
pub use tags::{Tag, WrittenTag};
use tridex_words::moves::without_evaluations;

/// The maximum number of findings of one kind that are listed for a game. Others are only counted.
pub const MOST_FINDINGS: usize = 1_000;

/// The faults of a record: the kind, the offset, and the length in bytes.
pub type Damages = Vec<(Damage, u64, usize)>;

/// The kind of an event. In place of its text it has a flag: whether a variation replaces the move. It is only set for
/// moves.
pub type EventKind = Item<bool>;

/// An item of the movetext of a game: a move, or an item between moves.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// Its kind.
    pub kind: EventKind,
    /// The number of a move's token among the known words of its batch, if the token is a single known word.
    pub word: TokenId,
    text: Span,
    /// Offset from the base.
    at: u32,
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The main line or a variation, up to the next event.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    /// Its last move.
    last_move: Option<u32>,
    /// Its moves, with those of the outer lines before it.
    plies: i64,
    /// There is a number after the last move.
    is_numbered: bool,
}

/// One game. Its text is borrowed from the bytes it was read from, where possible. [`clear`](Self::clear) empties it
/// and reuses its memory for the next game.
///
/// Two games are equal if they have the same tags, items and result, at any offsets.
///
/// ```
/// use tridex_archive::{Game, GameResult, Item, write};
///
/// let mut game = Game::new();
/// game.push_tag("White", "Anna");
/// game.push(Item::Move("b4N"));
/// game.push(Item::Comment("a good move"));
/// game.push(Item::Move("b5B"));
/// game.result = Some(GameResult::Draw);
/// assert_eq!(write::movetext(&game), "1. b4N {a good move} 1... b5B");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Game<'b> {
    memory: Memory<'b>,
    /// The base of the offsets of events.
    base: u64,
    /// Offset of the first of `memory.bytes` in the source.
    origin: u64,
    /// Offset of the game in its source.
    pub at: u64,
    /// Offset after its end.
    end: u64,
    tags: Vec<Tag<Span>>,
    events: Vec<Event>,
    /// The result at the end of the movetext, which may differ from the tag.
    pub result: Option<GameResult>,
    /// Offset of the result in the source.
    pub result_at: u64,
    /// The faults of the record, with places and lengths.
    pub damage: Damages,
    /// Whether moves are missing from the main line, by its numbers.
    pub numbers: Numbers,
    /// The first unusual form of each kind: the kind, the text, the offset, and how often the kind occurs.
    ///
    /// ```
    /// use tridex_archive::{Limits, Unusual, game, pgn};
    ///
    /// let games = game::collect(|v| pgn::read_games(b"1. b4N ch b5B ch *", 0, &Limits::default(), v));
    /// assert_eq!(games[0].unusual, [(Unusual::Mark, b"ch".to_vec(), 7, 2)]);
    /// ```
    pub unusual: Vec<(Unusual, Vec<u8>, u64, u32)>,
    /// The words that state how the game ended: their meaning, text and offset.
    ///
    /// ```
    /// use tridex_archive::{GameResult, Limits, game, pgn};
    ///
    /// let games = game::collect(|v| {
    ///     pgn::read_games(b"1. b4N b5B 2. Black resigns", 0, &Limits::default(), v);
    /// });
    /// let (ending, words, _) = games[0].ending.as_ref().unwrap();
    /// assert_eq!((ending.result, ending.is_unnamed), (Some(GameResult::White), false));
    /// assert_eq!(words, b"Black resigns");
    /// ```
    pub ending: Option<(Ending, Vec<u8>, u64)>,
    line: Line,
    /// The lines around it.
    outer: Vec<Line>,
}

impl PartialEq for Game<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.result == other.result
            && self.tags().eq(other.tags())
            && self.items().eq(other.items())
    }
}

impl Eq for Game<'_> {}

impl<'b> Game<'b> {
    /// An empty game.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty game whose text will mostly be in `bytes`, which begin at the offset `at`.
    fn within(bytes: &'b [u8], at: u64) -> Self {
        let mut game = Self::default();
        game.memory.bytes = bytes;
        game.origin = at;
        game.begin(at);
        game
    }

    /// Removes everything.
    pub fn clear(&mut self) {
        self.begin(0);
    }

    /// Removes everything; the next game is after `base`.
    fn begin(&mut self, base: u64) {
        self.memory.copied.clear();
        self.tags.clear();
        self.events.clear();
        *self = Self {
            memory: std::mem::take(&mut self.memory),
            base,
            origin: self.origin,
            at: base,
            tags: std::mem::take(&mut self.tags),
            events: std::mem::take(&mut self.events),
            ..Self::default()
        };
    }

    /// The bytes of the game and their offset: from the end of the previous game (`after_last`), or from its own
    /// beginning. Empty for a game that owns its text.
    pub fn bytes(&self, after_last: bool) -> (u64, &'b [u8]) {
        let from = if after_last { self.base } else { self.at };
        let place = |at: u64| usize::try_from(at.saturating_sub(self.origin)).ok();
        let range = place(from).zip(place(self.end));
        let bytes = range.and_then(|(from, to)| self.memory.bytes.get(from..to));
        let bytes = bytes.unwrap_or_default();
        let text = bytes.trim_ascii_start();
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let text = text.trim_ascii_start();
        let before = bytes.len() - text.len();
        (from + before as u64, text.trim_ascii_end())
    }

    /// Whether the raw text of the game contains `bytes`.
    pub fn holds(&self, bytes: &[u8]) -> bool {
        let mut texts = self.raw_texts().into_iter();
        texts.any(|text| memchr::memmem::find(text, bytes).is_some())
    }

    /// The bytes of the game, and what was copied from them because it is written differently there.
    pub(crate) fn raw_texts(&self) -> [&[u8]; 2] {
        [self.bytes(true).1, &self.memory.copied]
    }

    /// The first control character from U+0080 to U+009F in the game, which is decoded as another character, and its
    /// offset. If it is written as an escape, the offset is that of the game.
    pub fn c1_control(&self) -> Option<(char, u64)> {
        let (at, text) = self.bytes(true);
        let found = c1_control(text).map(|(place, c)| (c, at + place as u64));
        found.or_else(|| c1_control(&self.memory.copied).map(|(_, c)| (c, self.at)))
    }

    /// The items in order.
    pub fn items(&self) -> impl DoubleEndedIterator<Item = Item<Cow<'_, str>>> + ExactSizeIterator {
        self.events.iter().map(|event| self.item(event))
    }

    /// The moves outside of variations, and their offsets.
    ///
    /// ```
    /// use tridex_archive::{Limits, game, pgn};
    ///
    /// let text = b"1. b4N (1. c3W) b5B *";
    /// let games = game::collect(|v| pgn::read_games(text, 0, &Limits::default(), v));
    /// let moves: Vec<_> = games[0].main_line().map(|(text, at)| (text.into_owned(), at)).collect();
    /// assert_eq!(moves, [("b4N".to_owned(), 3), ("b5B".to_owned(), 16)]);
    /// ```
    pub fn main_line(&self) -> impl Iterator<Item = (Cow<'_, str>, u64)> {
        let events = self.main_events();
        events.map(|(_, event)| (in_a_line(self.memory.slice(event.text)), self.place(event)))
    }

    /// Whether there are items other than moves of the main line.
    pub fn is_annotated(&self) -> bool {
        self.main_events().count() < self.events.len()
    }

    /// The number of comments, evaluations, draw offers and moves of variations.
    ///
    /// ```
    /// use tridex_archive::{Game, Item};
    ///
    /// let mut game = Game::new();
    /// game.push(Item::Move("b4N"));
    /// game.push_raw(Item::Comment(b"quiet"), 7);
    /// assert_eq!((game.annotations(), game.is_annotated()), (1, true));
    /// assert_eq!((game.events().len(), game.main_events().count()), (2, 1));
    /// let comment = game.events()[1];
    /// assert_eq!((game.place(&comment), game.item(&comment).as_deref()), (7, Item::Comment("quiet")));
    /// assert!(game.stated().is_none());
    /// game.rebuild(|game, event| {
    ///     if matches!(event.kind, Item::Move(_)) {
    ///         game.put(event);
    ///     }
    /// });
    /// assert_eq!(game.annotations(), 0);
    /// game.clear();
    /// assert!(game.events().is_empty());
    /// ```
    pub fn annotations(&self) -> u32 {
        let remarks = self.events.iter().filter(|event| match event.kind {
            Item::Move(_) | Item::Comment(_) | Item::LineComment(_) => true,
            Item::Nag(_) | Item::DrawOffer => true,
            Item::Escape(_) | Item::Word(_) | Item::VariationStart | Item::VariationEnd => false,
        });
        (remarks.count() - self.main_events().count()) as u32
    }

    /// The events in order.
    #[inline]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The events of moves outside of variations, with their indices.
    pub fn main_events(&self) -> impl Iterator<Item = (usize, &Event)> {
        let mut depth = 0_usize;
        self.events.iter().enumerate().filter(move |(_, event)| {
            match event.kind {
                Item::VariationStart => depth += 1,
                Item::VariationEnd => depth = depth.saturating_sub(1),
                Item::Move(_) => return depth == 0,
                _ => {}
            }
            false
        })
    }

    /// An event as an item, its text decoded and on one line. Only in a comment in braces an empty line remains, as two
    /// line feeds between paragraphs.
    pub fn item(&self, event: &Event) -> Item<Cow<'_, str>> {
        let text = self.memory.slice(event.text);
        match event.kind {
            Item::Comment(_) => Item::Comment(in_paragraphs(text)),
            kind => kind.map(|_| in_a_line(text)),
        }
    }

    /// The raw text of an event.
    #[inline]
    pub fn text(&self, event: &Event) -> &[u8] {
        self.memory.slice(event.text)
    }

    /// Offset of an event in the source.
    #[inline]
    pub fn place(&self, event: &Event) -> u64 {
        self.base + u64::from(event.at)
    }

    /// The end of the text of an event in the source, if it was not copied.
    pub fn end_of(&self, event: &Event) -> Option<u64> {
        let text = event.text;
        text.is_there()
            .then(|| self.place(event) + u64::from(text.len))
    }

    /// Returns the last move of the line, and the number of plies up to it, if the next token may be a part of that
    /// move. At most a draw offer may be between them, and no move number.
    pub fn open_move(&self) -> Option<(&[u8], i64)> {
        let last = self.joining().filter(|_| !self.line.is_numbered)?;
        Some((self.text(last), self.line.plies))
    }

    /// The last move, if a mark that follows belongs to it: `Nc2W(=)+`.
    fn joining(&self) -> Option<&Event> {
        let is_offer = |event: &Event| matches!(event.kind, Item::DrawOffer);
        let mut last = self.events.iter().rev();
        let event = last.next()?;
        let event = if is_offer(event) { last.next()? } else { event };
        matches!(event.kind, Item::Move(_)).then_some(event)
    }

    /// Puts the events of each number in another order; `plies` is the length of the main line. Returns the numbers of the first
    /// row and the place of the first of them.
    fn read_by_column(&mut self, order: &[usize], plies: i64) -> (String, u64) {
        let numbers = self.numbers.reorder(order, plies);
        self.reorder(numbers.iter().map(|number| number.events), order);
        let row = numbers
            .windows(2)
            .take_while(|pair| pair[0].half < pair[1].half);
        let row = 1 + row.count();
        let row = numbers
            .iter()
            .take(row)
            .map(|number| (number.half / 2).to_string());
        let at = numbers.first().map_or(self.at, |number| number.at);
        (row.collect::<Vec<_>>().join(" "), at)
    }

    /// Puts the events in another order: those from each of `starts` up to the next one move together.
    fn reorder(&mut self, starts: impl Iterator<Item = usize>, order: &[usize]) {
        let events = std::mem::take(&mut self.events);
        // What follows the last move that was written is not of this move alone: a result in words, a remark.
        let end = events.iter().rposition(|event| {
            matches!(
                event.kind,
                Item::Move(_) | Item::VariationEnd | Item::Nag(_) | Item::Word(_)
            )
        });
        let end = end.map_or(0, |end| end + 1);
        let starts: Vec<usize> = starts.map(|start| start.min(end)).collect();
        let start = |index: usize| starts.get(index).copied().unwrap_or(end);
        self.events.extend_from_slice(&events[..start(0)]);
        for index in order {
            self.events
                .extend_from_slice(&events[start(*index)..start(index + 1)]);
        }
        self.events.extend_from_slice(&events[end..]);
    }

    /// Puts the moves in the order in which they were played, if the record has a row of White's moves above a row of
    /// Black's. Returns the first row and its offset.
    #[cold]
    fn read_by_side(&mut self, plies: i64) -> Option<(Vec<u8>, u64)> {
        let lines = self.lines_of_moves();
        let order = match self.numbers.sides(plies) {
            Some(order) => order,
            None => rows::by_side(&lines, self.numbers.groups(), plies)?,
        };
        let row = lines.first().map(|line| (line.text.to_vec(), line.at));
        let starts: Vec<usize> = self.main_events().map(|(index, _)| index).collect();
        self.numbers.reorder(&[0], plies);
        self.reorder(starts.into_iter(), &order);
        row
    }

    /// The lines of the record that have moves of the main line. There are none if the game owns its text.
    fn lines_of_moves(&self) -> Vec<MoveLine<'b>> {
        let bytes = self.memory.bytes;
        if bytes.is_empty() {
            return Vec::new();
        }
        let mut lines: Vec<MoveLine<'b>> = Vec::new();
        let mut line_end = 0;
        for (_, event) in self.main_events() {
            let at = self.place(event);
            let place = usize::try_from(at.saturating_sub(self.origin)).unwrap_or(usize::MAX);
            match lines.last_mut() {
                Some(line) if place < line_end => line.moves += 1,
                _ => {
                    let from = usize::try_from(self.base.saturating_sub(self.origin)).unwrap_or(0);
                    let before = bytes.get(from..place).unwrap_or_default();
                    let start = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |end| end + 1);
                    let mut label = before.get(start..).unwrap_or_default();
                    if label.trim_ascii().is_empty() {
                        // The label may be on the line above.
                        let above = before.get(line_end..start).unwrap_or_default();
                        let above = above.trim_ascii_end();
                        let from = memchr::memrchr2(b'\n', b'\r', above).map_or(0, |end| end + 1);
                        let above = above.get(from..).unwrap_or_default();
                        if words::labelled_side(&lex::decode(above)).is_some() {
                            label = above;
                        }
                    }
                    let rest = bytes.get(place..).unwrap_or_default();
                    line_end = place + memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
                    let text = bytes.get(place..line_end).unwrap_or_default();
                    let moves = 1;
                    lines.push(MoveLine {
                        label,
                        text,
                        at,
                        moves,
                    });
                }
            }
        }
        lines
    }

    /// Adds an item at the end.
    pub fn push(&mut self, item: Item<&str>) {
        self.push_raw(item.map(|text| text.as_bytes()), self.base);
    }

    /// [`push`](Self::push) with raw text and an offset.
    pub fn push_raw(&mut self, item: Item<&[u8]>, at: u64) {
        let mut text: &[u8] = &[];
        let kind = item.map(|own| {
            text = own;
            false
        });
        self.add(kind, text, TokenId::NONE, at);
    }

    #[inline(always)]
    fn add(&mut self, kind: EventKind, text: &[u8], word: TokenId, at: u64) {
        let text = self.memory.store(text);
        let at = u32::try_from(at.saturating_sub(self.base)).unwrap_or(u32::MAX);
        self.put(Event {
            kind,
            word,
            text,
            at,
        });
    }

    /// Appends an event of this game: see [`rebuild`](Self::rebuild).
    #[inline(always)]
    pub fn put(&mut self, event: Event) {
        match event.kind {
            Item::Move(_) => {
                self.line = Line {
                    last_move: Some(self.events.len() as u32),
                    plies: self.line.plies + 1,
                    is_numbered: false,
                };
            }
            Item::VariationStart => {
                let last = self.line.last_move;
                if let Some(event) = last.and_then(|last| self.events.get_mut(last as usize)) {
                    event.kind = Item::Move(true);
                }
                self.outer.push(self.line);
                self.line = Line {
                    last_move: None,
                    plies: (self.line.plies - 1).max(0),
                    is_numbered: false,
                };
            }
            Item::VariationEnd => {
                self.line.last_move = None;
                self.line = self.outer.pop().unwrap_or(self.line);
            }
            _ => {}
        }
        self.events.push(event);
    }

    /// Appends a token to the last move, after a gap.
    pub fn join(&mut self, gap: &str, token: &[u8]) {
        let last = self.line.last_move;
        if let Some(event) = last.and_then(|last| self.events.get_mut(last as usize)) {
            let joined = [self.memory.slice(event.text), gap.as_bytes(), token].concat();
            (event.word, event.text) = (TokenId::NONE, self.memory.copy(&joined));
        }
    }

    /// Adds a mark of check or mate, or `e.p.`, to the move before it. If the last item is not a move, or the two would
    /// form another mark, the mark is a separate word.
    fn add_mark(&mut self, mark: &[u8], at: u64) {
        let last = self.joining().filter(|_| mark.is_ascii());
        // `=` and `+` together would be an evaluation.
        let last = last.filter(|last| {
            let joined = [self.text(last), mark].concat();
            mark.first().is_some_and(u8::is_ascii_alphabetic)
                || without_evaluations(&joined) == joined.len()
        });
        let first = last.map(|last| self.text(last).first());
        match (first, mark) {
            (Some(_), [b'A'..=b'Z' | b'a'..=b'z', ..]) => self.join(" ", mark),
            (Some(first), _) if !first.is_some_and(u8::is_ascii_punctuation) => self.join("", mark),
            _ => self.push_raw(Item::Word(mark), at),
        }
    }

    /// Removes all events and passes each one to a function. The function [puts](Self::put) back those to preserve, and
    /// replacements for others.
    pub fn rebuild(&mut self, mut take: impl FnMut(&mut Self, Event)) {
        let events = std::mem::take(&mut self.events);
        self.line = Line::default();
        self.outer.clear();
        for mut event in events {
            event.kind = event.kind.map(|_| false);
            take(self, event);
        }
    }

    /// Replaces the move at an offset by some items or, if the move `stays`, inserts them before it. Returns false if
    /// there is no such move. The new items have the offset of the move.
    ///
    /// ```
    /// use tridex_archive::{Item, Limits, game, pgn, write};
    ///
    /// let text = b"1. b4N b5B 3. c3W *";
    /// let games = game::collect(|v| pgn::read_games(text, 0, &Limits::default(), v));
    /// let mut game = games[0].to_owned_game();
    /// assert!(game.change_move(3, &[Item::Move("a4N"), Item::Comment("corrected")], false));
    /// assert!(game.change_move(14, &[Item::Move("c3W")], true));
    /// assert_eq!(write::movetext(&game), "1. a4N {corrected} 1... b5B 2. c3W c3W");
    /// ```
    pub fn change_move(&mut self, at: u64, items: &[Item<&str>], stays: bool) -> bool {
        let mut found = false;
        self.rebuild(|game, event| {
            let is_move = matches!(event.kind, Item::Move(_));
            let is_changed = !found && is_move && game.place(&event) == at;
            if is_changed {
                found = true;
                let items = items.iter();
                items.for_each(|item| game.push_raw(item.map(|text| text.as_bytes()), at));
            }
            if !is_changed || stays {
                game.put(event);
            }
        });
        found
    }

    /// Replaces the text of comments for which a function returns another one.
    pub(crate) fn change_comments(&mut self, change: &mut dyn FnMut(&str) -> Option<String>) {
        for index in 0..self.events.len() {
            let event = self.events[index];
            if let Item::Comment(text) | Item::LineComment(text) = self.item(&event)
                && let Some(new) = change(&text)
            {
                self.events[index].text = self.memory.copy(new.as_bytes());
            }
        }
    }

    /// Inserts a comment before everything else, at the offset of the game.
    pub fn insert_first_comment(&mut self, text: &str) {
        let at = u32::try_from(self.at.saturating_sub(self.base)).unwrap_or(u32::MAX);
        let text = self.memory.copy(text.as_bytes());
        let kind = Item::Comment(false);
        let word = TokenId::NONE;
        self.events.insert(
            0,
            Event {
                kind,
                word,
                text,
                at,
            },
        );
    }

    /// Returns a copy that owns its text, decoded. The copy is meant to be changed and is then another record, so
    /// observations about the original - numbers, unusual forms, words about its end - are omitted.
    pub fn to_owned_game(&self) -> Game<'static> {
        let mut copy = Game {
            base: self.base,
            at: self.at,
            result: self.result,
            result_at: self.result_at,
            damage: self.damage.clone(),
            ..Game::default()
        };
        for tag in self.written_tags() {
            let name = in_a_line(tag.name);
            copy.push_raw_tag(name.as_bytes(), &escape(tag.text().as_bytes()), tag.at);
        }
        for event in &self.events {
            let item = self.item(event);
            copy.push_raw(item.map(|text| text.as_bytes()), self.place(event));
        }
        copy
    }

    /// Returns a copy that owns its text, decoded, and is the same record: unlike that of
    /// [`to_owned_game`](Self::to_owned_game), it has the observations about the original, such as its move numbers.
    ///
    /// ```
    /// use tridex_archive::{Limits, game, pgn};
    ///
    /// let games = game::collect(|v| pgn::read_games(b"1. b4N b5B 3. c3W *", 0, &Limits::default(), v));
    /// assert_eq!(games[0].to_owned_record().numbers.wrong.len(), 1);
    /// assert!(games[0].to_owned_game().numbers.wrong.is_empty());
    /// ```
    pub fn to_owned_record(&self) -> Game<'static> {
        Game {
            numbers: self.numbers.clone(),
            unusual: self.unusual.clone(),
            ending: self.ending.clone(),
            ..self.to_owned_game()
        }
    }

    /// The result at the end of the movetext, and its offset.
    pub fn stated(&self) -> Option<(GameResult, u64)> {
        Some((self.result?, self.result_at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, pgn};

    fn read(text: &str) -> Vec<Game<'static>> {
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
        assert_eq!(game.tag("Event").as_deref(), Some("a \"b\""));
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
        let main: Vec<Cow<'_, str>> = game.main_line().map(|(text, _)| text).collect();
        assert_eq!(main, ["b4N!", "b5B", "axb6N e.p.+"]);
    }

    #[test]
    fn nothing_of_a_game_is_left_in_the_next() {
        let games = read("[Event \"a\"]\n1. e4 ) {x} 1-0\n\n[Event \"b\"]\n\n1. d4\n");
        let second = games.get(1).unwrap();
        assert_eq!(second.tags().len(), 1);
        assert_eq!(second.tag("Event").as_deref(), Some("b"));
        assert_eq!(second.items().len(), 1);
        assert_eq!((second.result, second.damage.clone()), (None, vec![]));
    }

    #[test]
    fn too_many_tags_are_reported_once_for_each_game() {
        let text = [
            "[Event \"a\"]\n",
            &"[A \"b\"]\n".repeat(1_500),
            "\n1. e4 *\n\n[Event \"b\"]\n[A \"c\"]\n\n*\n",
        ];
        let games = read(&text.concat());
        let [first, second] = games.as_slice() else {
            panic!("two games, not {}", games.len())
        };
        assert_eq!((first.tags().len(), second.tags().len()), (1_000, 2));
        assert_eq!(first.damage, [(Damage::TooManyTags, 8_004, 7)]);
        assert_eq!((first.items().len(), &second.damage), (1, &vec![]));
    }
}
