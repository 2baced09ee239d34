//! Several slips in one game.
//!
//! A game may break, and when what broke it is set right break again. Of each slip that lets a game go on beyond the
//! place where it breaks it is asked which slip would explain the rest: a slip anywhere before the next break. What is
//! assumed adds up. That is done only if no slip alone explains the game, and a third slip is supposed only if no two do,
//! so that no slip is ever supposed beside another which explains as much alone.

use super::{Edit, MARGIN, Search, Sheet};
use std::rc::Rc;
use tridex_notation::slips::{CorrectedMove, corrections};
use tridex_rules::Position;

/// At most so many slips are supposed in a game.
const MOST_SLIPS: usize = 3;
/// There must be so many tokens for each of them: what follows a slip is what tells that it is right.
const TOKENS_A_SLIP: usize = 8;
/// Two lines of the sheet.
const TOKENS_BEHIND: usize = 4;
/// As many tokens are looked at, at most, for more than one slip.
const STEPS: u64 = 200_000;
/// That is what listing the corrections of one token takes.
const STEPS_OF_A_TOKEN: u64 = 60;
/// At most so many beginnings of an explanation are followed.
const MOST_PARTIALS: usize = 48;

/// Slips that let a game go on beyond the place where it breaks, and not to its end.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Partial {
    /// What is assumed.
    pub(super) cost: u32,
    /// How many tokens cannot be played.
    rest: usize,
    /// The number of slips.
    slips: usize,
    /// What they change, in the order of the tokens.
    edits: Vec<Edit>,
}

impl Partial {
    /// How many tokens must stand behind moves that are supposed to be exchanged. Beside another slip it takes numbers
    /// behind them to tell that none was left out instead.
    pub(super) const fn vouched(&self) -> usize {
        if self.slips == 0 { 0 } else { TOKENS_BEHIND }
    }

    /// Whether a token is changed.
    pub(super) fn holds(&self, index: usize) -> bool {
        self.edits.iter().any(|edit| edit.token == index)
    }

    /// Puts these changes to the ones of another slip, and says what they are together if they are several.
    pub(super) fn with(&self, edits: &mut Vec<Edit>) -> Option<&'static str> {
        edits.extend(self.edits.iter().cloned());
        // Two that are put in at one place stay in their order.
        edits.sort_by_key(|edit| edit.token);
        match self.slips {
            0 => None,
            1 => Some("two slips"),
            _ => Some("three slips"),
        }
    }
}

/// The corrections of the written tokens in the positions in which they were asked for.
#[derive(Debug, Default)]
pub(super) struct Near(Vec<Vec<(Position, Rc<[CorrectedMove]>)>>);

impl Near {
    /// The legal moves which are one slip away from a token; `None` if there are no steps left to look.
    pub(super) fn of(
        &mut self,
        sheet: &mut Sheet<'_>,
        index: usize,
        position: &Position,
    ) -> Option<Rc<[CorrectedMove]>> {
        if self.0.len() <= index {
            self.0.resize_with(index + 1, Vec::new);
        }
        let known = self.0.get_mut(index)?;
        if let Some((_, near)) = known.iter().find(|(known, _)| known == position) {
            return Some(Rc::clone(near));
        }
        if !sheet.spend(STEPS_OF_A_TOKEN) {
            return None;
        }
        let writing = sheet.reading().hands.of(position.turn());
        let token = sheet.written(index);
        let near = corrections(position, writing.notation, writing.locale, token);
        let near: Rc<[CorrectedMove]> = near.into();
        known.push((position.clone(), Rc::clone(&near)));
        Some(near)
    }
}

impl Search<'_> {
    /// Whether what was read up to a token is more than could be read before, and what is not the whole.
    pub(super) fn goes_on(&self, reached: usize) -> bool {
        self.wants_several
            && self.found.is_empty()
            && self.supposed.slips + 1 < MOST_SLIPS
            && reached >= self.ways.len()
    }

    /// Keeps a slip that lets the game go on to a token.
    pub(super) fn put_aside(&mut self, cost: u32, reached: usize, mut edits: Vec<Edit>) {
        self.supposed.with(&mut edits);
        self.partials.push(Partial {
            cost: self.supposed.cost + cost,
            rest: self.sheet.len().saturating_sub(reached),
            slips: self.supposed.slips + 1,
            edits,
        });
    }

    /// If no slip explains the game, looks for two that do, and then for three.
    pub(super) fn several(&mut self, start: &Position) {
        if self.sheet.is_exhausted() {
            return;
        }
        self.sheet.allow(STEPS);
        for _ in 2..=MOST_SLIPS.min(self.sheet.len() / TOKENS_A_SLIP) {
            if !self.found.is_empty() {
                return;
            }
            let mut partials = std::mem::take(&mut self.partials);
            partials.sort();
            partials.dedup_by(|a, b| a.edits == b.edits);
            for (count, partial) in partials.into_iter().enumerate() {
                // Whatever is assumed beside it, it is not as likely as what is known.
                if partial.cost + 1 >= self.best.saturating_add(MARGIN) {
                    break;
                }
                if count == MOST_PARTIALS {
                    self.sheet.allow(0);
                }
                if self.sheet.is_exhausted() {
                    break;
                }
                self.beyond(start, partial);
            }
        }
    }

    /// Looks for one more slip in a game in which some are supposed.
    fn beyond(&mut self, start: &Position, partial: Partial) {
        let texts = partial.edits.iter();
        self.sheet
            .suppose(texts.map(|edit| (edit.token, edit.text.as_str())));
        let last = self.sheet.len().saturating_sub(1);
        self.ways = self.sheet.ways(start, last);
        let broken = self.ways.len().saturating_sub(1);
        self.sheet.spend(broken as u64);
        self.culprit = self.sheet.never_fits(broken).then_some(broken);
        self.supposed = partial;
        self.tokens();
        if self.culprit.is_none() {
            self.exchanges();
        }
    }
}
