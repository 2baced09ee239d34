//! Notes about the way a game is written.

use super::{Game, Misnumbered, Numbering, Numbers};
use crate::visit::{Ending, Unusual};

impl Game<'_> {
    /// Notes a number before a move of the main line.
    #[inline]
    pub(super) fn add_number(&mut self, text: &[u8], at: u64) {
        self.line.is_numbered = true;
        if self.line.outer.is_empty() {
            self.numbers.take(text, at, self.line.plies);
        }
    }

    /// Notes a known number, in half moves.
    #[inline(always)]
    pub(super) fn add_known_number(&mut self, text: &[u8], at: u64, half: u32) {
        self.line.is_numbered = true;
        if self.line.outer.is_empty() {
            self.numbers
                .take_half(half, text.len(), at, self.line.plies);
        }
    }

    /// Notes an unusual form; the first of each kind is stored.
    pub(super) fn add_unusual(&mut self, what: Unusual, text: &[u8], at: u64) {
        match self.unusual.iter_mut().find(|(known, ..)| *known == what) {
            Some((.., count)) => *count += 1,
            None => {
                let text = self.memory.store(text);
                self.unusual.push((what, text, at, 1));
            }
        }
    }

    /// Notes words that state how the game ended. The last ones are used.
    pub(super) fn add_ending(&mut self, text: &[u8], ending: Ending, at: u64) {
        let text = self.memory.store(text);
        self.ending = Some((ending, text, at));
    }

    /// Whether moves are missing from the main line, by its numbers.
    #[must_use]
    pub fn numbering(&self) -> Numbering {
        self.numbers.numbering()
    }

    /// The numbers that are not the expected ones.
    #[must_use]
    pub fn misnumbered(&self) -> &[Misnumbered] {
        &self.numbers.wrong
    }

    /// Removes the notes about numbers.
    pub fn forget_numbers(&mut self) {
        self.numbers = Numbers::default();
    }

    /// The unusual forms, the first of each kind: the kind, its text, its offset, and the number of its places.
    ///
    /// ```
    /// use tridex_archive::{Limits, Unusual, game, pgn};
    ///
    /// let games = game::collect(|v| pgn::read_games(b"1. b4N ch b5B ch *", 0, &Limits::default(), v));
    /// let found: Vec<_> = games[0].unusual().collect();
    /// assert_eq!(found, [(Unusual::Mark, &b"ch"[..], 7, 2)]);
    /// ```
    pub fn unusual(&self) -> impl Iterator<Item = (Unusual, &[u8], u64, u32)> {
        let forms = self.unusual.iter();
        forms.map(|(what, text, at, count)| (*what, self.memory.slice(*text), *at, *count))
    }

    /// The words that state how the game ended: their meaning, text and offset.
    ///
    /// ```
    /// use tridex_archive::{Ending, GameResult, Limits, game, pgn};
    ///
    /// let games = game::collect(|v| {
    ///     pgn::read_games(b"1. b4N b5B 2. Black resigns", 0, &Limits::default(), v);
    /// });
    /// let (ending, words, _) = games[0].ending().unwrap();
    /// assert_eq!(ending, Ending::Resigned(GameResult::White));
    /// assert_eq!(words, b"Black resigns");
    /// ```
    #[must_use]
    pub fn ending(&self) -> Option<(Ending, &[u8], u64)> {
        let (ending, text, at) = self.ending?;
        Some((ending, self.memory.slice(text), at))
    }
}
