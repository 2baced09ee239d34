//! A game as its events came, kept in two buffers that are used again for the next game.

use crate::{Damage, Flow, GameResult, Visitor};
use std::ops::Range;

/// One event of the movetext. Texts are ranges of the script's buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A move number with its dots.
    Number(Range<usize>),
    /// What stands in the place of a move.
    Move(Range<usize>),
    /// `{...}`
    Comment(Range<usize>),
    /// `; ...`
    LineComment(Range<usize>),
    /// `% ...`
    Escape(Range<usize>),
    /// `$n` or a mark that stands alone.
    Nag(u8),
    /// A mark of check or mate, or `e.p.`, apart from its move.
    SuffixMark(Range<usize>),
    /// `(=)`
    DrawOffer,
    /// `(`
    VariationStart,
    /// `)`
    VariationEnd,
    /// `etc.` and the like.
    TrailingWord(Range<usize>),
}

/// A game as its events came.
#[derive(Clone, Debug, Default)]
pub struct Script {
    text: Vec<u8>,
    /// Offset of the first byte.
    pub at: u64,
    /// Offset behind the last byte.
    pub end: u64,
    /// Names and raw values of the tags, with offsets.
    pub tags: Vec<(Range<usize>, Range<usize>, u64)>,
    /// The events of the movetext, with offsets.
    pub events: Vec<(Event, u64)>,
    /// How many of the first events come before the tags are over.
    pub before_moves: usize,
    /// The result behind the moves.
    pub result: Option<(GameResult, u64)>,
    /// What is wrong with the container, with offsets and lengths.
    pub damage: Vec<(Damage, u64, usize)>,
}

impl Script {
    /// Forgets the game and keeps the memory.
    pub fn clear(&mut self) {
        self.text.clear();
        self.tags.clear();
        self.events.clear();
        self.damage.clear();
        (self.at, self.end, self.before_moves, self.result) = (0, 0, 0, None);
    }

    /// The bytes of a range.
    #[must_use]
    pub fn bytes(&self, range: &Range<usize>) -> &[u8] {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// The decoded value of the first tag of a name, without regard to case, with its offset.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<(String, u64)> {
        self.tags.iter().find_map(|(n, value, at)| {
            self.bytes(n)
                .eq_ignore_ascii_case(name.as_bytes())
                .then(|| (crate::unescape(self.bytes(value)).into_owned(), *at))
        })
    }

    fn keep(&mut self, bytes: &[u8]) -> Range<usize> {
        let start = self.text.len();
        self.text.extend_from_slice(bytes);
        start..self.text.len()
    }

    fn event(&mut self, event: Event, at: u64) {
        self.events.push((event, at));
    }
}

/// Fills a [`Script`] for each game and hands it on when the game is over.
pub struct Scribe<F> {
    script: Script,
    done: F,
}

impl<F: FnMut(&Script)> Scribe<F> {
    /// Calls `done` with every game.
    pub fn new(done: F) -> Self {
        Self {
            script: Script::default(),
            done,
        }
    }

    /// What came after the last game and belongs to none.
    pub fn rest(&self) -> &Script {
        &self.script
    }
}

impl<F: FnMut(&Script)> Visitor for Scribe<F> {
    fn begin_game(&mut self, at: u64) {
        self.script.at = at;
    }

    fn tag(&mut self, name: &[u8], raw_value: &[u8], at: u64) {
        let name = self.script.keep(name);
        let value = self.script.keep(raw_value);
        self.script.tags.push((name, value, at));
    }

    fn begin_moves(&mut self, _at: u64) -> Flow {
        self.script.before_moves = self.script.events.len();
        Flow::Go
    }

    fn move_number(&mut self, text: &[u8], at: u64) {
        let range = self.script.keep(text);
        self.script.event(Event::Number(range), at);
    }

    fn move_token(&mut self, token: &[u8], at: u64) -> Flow {
        let range = self.script.keep(token);
        self.script.event(Event::Move(range), at);
        Flow::Go
    }

    fn comment(&mut self, text: &[u8], at: u64) {
        let range = self.script.keep(text);
        self.script.event(Event::Comment(range), at);
    }

    fn line_comment(&mut self, text: &[u8], at: u64) {
        let range = self.script.keep(text);
        self.script.event(Event::LineComment(range), at);
    }

    fn escape_line(&mut self, text: &[u8], at: u64) {
        let range = self.script.keep(text);
        self.script.event(Event::Escape(range), at);
    }

    fn nag(&mut self, nag: u8, at: u64) {
        self.script.event(Event::Nag(nag), at);
    }

    fn suffix_mark(&mut self, text: &[u8], at: u64) {
        let range = self.script.keep(text);
        self.script.event(Event::SuffixMark(range), at);
    }

    fn draw_offer(&mut self, at: u64) {
        self.script.event(Event::DrawOffer, at);
    }

    fn begin_variation(&mut self, at: u64) -> Flow {
        self.script.event(Event::VariationStart, at);
        Flow::Go
    }

    fn end_variation(&mut self, at: u64) {
        self.script.event(Event::VariationEnd, at);
    }

    fn trailing_word(&mut self, text: &[u8], at: u64) {
        let range = self.script.keep(text);
        self.script.event(Event::TrailingWord(range), at);
    }

    fn result(&mut self, result: GameResult, at: u64) {
        self.script.result = Some((result, at));
    }

    fn damage(&mut self, damage: Damage, at: u64, len: usize) {
        self.script.damage.push((damage, at, len));
    }

    fn end_game(&mut self, at: u64) {
        self.script.end = at;
        (self.done)(&self.script);
        self.script.clear();
    }
}
