//! What reading notices of the way a game is written.

use super::memory::Span;
use super::{Game, Misnumbered, Numbering};
use crate::visit::{Ending, Unusual};

/// A kind of thing that people write and PGN has no form for, as it first stands in a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Oddity {
    what: Unusual,
    text: Span,
    at: u64,
    /// How many there are.
    count: u32,
}

/// Words that say how a game ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct EndingWords {
    ending: Ending,
    text: Span,
    at: u64,
}

impl Game<'_> {
    /// Takes note of a number before a move of the main line.
    #[inline]
    pub(super) fn add_number(&mut self, text: &[u8], at: u64) {
        self.line.is_numbered = true;
        if self.line.outer.is_empty() {
            self.numbers.take(text, at, self.line.plies);
        }
    }

    /// The same of a number that is known, in half moves.
    #[inline(always)]
    pub(super) fn add_known_number(&mut self, text: &[u8], at: u64, half: u32) {
        self.line.is_numbered = true;
        if self.line.outer.is_empty() {
            self.numbers
                .take_half(half, text.len(), at, self.line.plies);
        }
    }

    /// Takes note of something that is read though it is not written as it should be; the first of each kind is kept.
    pub(super) fn add_unusual(&mut self, what: Unusual, text: &[u8], at: u64) {
        if let Some(known) = self.unusual.iter_mut().find(|known| known.what == what) {
            known.count += 1;
            return;
        }
        let text = self.memory.keep(text);
        self.unusual.push(Oddity {
            what,
            text,
            at,
            count: 1,
        });
    }

    /// Takes note of words that say how the game ended. The last ones count.
    pub(super) fn add_ending(&mut self, text: &[u8], ending: Ending, at: u64) {
        let text = self.memory.keep(text);
        self.ending = Some(EndingWords { ending, text, at });
    }

    /// What the numbers say of moves that are missing from the main line.
    #[must_use]
    pub fn numbering(&self) -> Numbering {
        self.numbers.say()
    }

    /// The numbers that do not follow.
    #[must_use]
    pub fn misnumbered(&self) -> &[Misnumbered] {
        &self.numbers.wrong
    }

    /// Forgets what the numbers said.
    pub fn forget_numbers(&mut self) {
        self.numbers.clear();
    }

    /// What is read though it is not written as it should be, the first of each kind: what, its text and place, and how
    /// many there are.
    pub fn unusual(&self) -> impl Iterator<Item = (Unusual, &[u8], u64, u32)> {
        self.unusual
            .iter()
            .map(|odd| (odd.what, self.memory.slice(odd.text), odd.at, odd.count))
    }

    /// The words that say how the game ended: what they say, their text and place.
    #[must_use]
    pub fn ending(&self) -> Option<(Ending, &[u8], u64)> {
        let EndingWords { ending, text, at } = self.ending?;
        Some((ending, self.memory.slice(text), at))
    }
}
