//! Several slips in one game.
//!
//! A game may break again once its first slip is corrected. For each slip with which a game continues beyond the place
//! where it breaks, the slips that would explain the rest are searched for: a slip anywhere before the next break. The
//! costs add up. This is done only if no slip alone explains the game, and a third is assumed only if no two explain
//! it, so that no slip is ever assumed besides another which explains as much alone.

use super::{Edit, MARGIN, Search};
use std::rc::Rc;
use tridex_notation::slips::NearMove;
use tridex_rules::Position;

/// How many slips are assumed in a game, at most.
const MOST_SLIPS: usize = 3;
/// How many tokens a game must have for each of them: what follows a slip is the evidence for it.
const TOKENS_A_SLIP: usize = 8;
/// Two lines of the sheet.
const TOKENS_BEHIND: usize = 4;
/// The steps of listing the corrections of one token.
const STEPS_OF_A_TOKEN: u64 = 60;
/// How many beginnings of an explanation are followed, at most.
const MOST_PARTIALS: usize = 48;

/// Slips with which a game continues beyond the place where it breaks, and not to its end.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Partial {
    /// The cost of what is assumed.
    pub(super) cost: u32,
    /// How many tokens cannot be played.
    rest: usize,
    /// The number of slips.
    slips: usize,
    /// What they change, in the order of the tokens.
    edits: Vec<Edit>,
}

impl Partial {
    /// How many tokens must follow moves that are assumed to be exchanged. Besides another slip it takes numbers
    /// after them to show that no move is missing instead.
    pub(super) const fn vouched(&self) -> usize {
        if self.slips == 0 { 0 } else { TOKENS_BEHIND }
    }

    /// The first token that is changed, if it is one before `last`.
    pub(super) fn first(&self, last: usize) -> usize {
        let changed = self.edits.iter().map(|edit| edit.token);
        changed.chain([last]).min().unwrap_or(last)
    }

    /// Whether a token is changed.
    pub(super) fn holds(&self, index: usize) -> bool {
        self.edits.iter().any(|edit| edit.token == index)
    }

    /// Adds these changes to the ones of another slip, and names what went wrong in all.
    pub(super) fn with(&self, edits: &mut Vec<Edit>) -> &'static str {
        let own = edits.first().map_or("", |edit| edit.slip);
        edits.extend(self.edits.iter().cloned());
        // Two that are inserted at one place keep their order.
        edits.sort_by_key(|edit| edit.token);
        [own, "two slips", "three slips"][self.slips]
    }
}

impl Search<'_> {
    /// The legal moves which are one slip away from a token; `None` if no steps are left.
    pub(super) fn near(&mut self, index: usize, position: &Position) -> Option<Rc<[NearMove]>> {
        let mut known = self.corrections[index].iter();
        if let Some((_, near)) = known.find(|(known, _)| known == position) {
            return Some(Rc::clone(near));
        }
        if !self.sheet.spend(STEPS_OF_A_TOKEN) {
            return None;
        }
        let (token, turn) = (self.sheet.written(index), position.turn());
        let text = self.sheet.word(index, turn);
        let near = self.finders[turn as usize].find(position, token, text);
        let near: Rc<[NearMove]> = near.into();
        self.corrections[index].push((position.clone(), Rc::clone(&near)));
        Some(near)
    }

    /// Whether what was read up to a token is more than could be read before, and what is not the whole.
    pub(super) fn goes_on(&self, reached: usize) -> bool {
        self.wants_several
            && self.found.is_empty()
            && self.assumed.slips + 1 < MOST_SLIPS
            && reached >= self.ways.len()
    }

    /// Stores a slip with which the game continues to a token.
    pub(super) fn store_partial(&mut self, cost: u32, reached: usize, mut edits: Vec<Edit>) {
        self.assumed.with(&mut edits);
        self.partials.push(Partial {
            cost: self.assumed.cost + cost,
            rest: self.sheet.tokens.len().saturating_sub(reached),
            slips: self.assumed.slips + 1,
            edits,
        });
    }

    /// If no slip explains the game, looks for two that do, and then for three.
    pub(super) fn several(&mut self) {
        if self.sheet.steps == 0 {
            return;
        }
        self.sheet.steps = self.steps_of_several;
        for _ in 2..=MOST_SLIPS.min(self.sheet.tokens.len() / TOKENS_A_SLIP) {
            if !self.found.is_empty() {
                return;
            }
            let mut partials = std::mem::take(&mut self.partials);
            partials.sort();
            partials.dedup_by(|a, b| a.edits == b.edits);
            for (count, partial) in partials.into_iter().enumerate() {
                // Regardless of what is assumed in addition, it is not as likely as what is known.
                if partial.cost + 1 >= self.best.saturating_add(MARGIN) {
                    break;
                }
                if count == MOST_PARTIALS {
                    self.sheet.steps = 0;
                }
                if self.sheet.steps == 0 {
                    break;
                }
                self.beyond(partial);
            }
        }
    }

    /// Looks for one more slip in a game in which some are assumed.
    fn beyond(&mut self, partial: Partial) {
        let texts = partial.edits.iter();
        self.sheet
            .assume(texts.map(|edit| (edit.token, edit.text.as_str())));
        let last = self.sheet.tokens.len().saturating_sub(1);
        // Up to the first change nothing is other than it is written.
        let first = partial.first(self.written.len() - 1);
        self.ways = self.sheet.read(self.written[..=first].to_vec(), last);
        let broken = self.ways.len() - 1;
        self.sheet.spend(broken as u64);
        self.culprit = self.sheet.never_fits(broken).then_some(broken);
        self.assumed = partial;
        self.tokens();
        if self.culprit.is_none() {
            self.exchanges();
        }
    }
}
