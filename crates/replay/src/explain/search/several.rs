//! Several slips in one game.
//!
//! A game may break again once its first slip is corrected. For each slip with which the game continues beyond the
//! break, a second slip that would explain the rest is searched for, anywhere before the next break. The costs add up.
//! Two slips are assumed only if no single slip explains the game, and three only if no two do, so that no unnecessary
//! slip is ever assumed.

use super::{Edit, MARGIN, Search, cost};
use crate::frontier::Way;
use std::cmp::Reverse;
use std::rc::Rc;
use tridex_notation::slips::NearMove;
use tridex_rules::Position;

/// The maximum number of slips that are assumed in a game.
const MOST_SLIPS: usize = 3;
/// The number of tokens that a game must have for each slip, since the tokens after a slip are the evidence for it.
const TOKENS_A_SLIP: usize = 8;
/// Two lines of the score sheet; see [`Partial::vouched`].
const TOKENS_BEHIND: usize = 4;
/// The number of steps that listing the corrections of one token takes.
const STEPS_OF_A_TOKEN: u64 = 60;
/// The maximum number of omitted moves that are combined with a second one.
const MOST_FIRSTS: usize = 64;
/// The slip of a move that was not written down.
pub(super) const OMITTED: &str = "a missing move";
/// The maximum number of partial explanations that are tried for each number of slips.
const MOST_PARTIALS: usize = 48;

/// Slips with which a game continues beyond the place where it breaks, but not to its end.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Partial {
    /// The cost of what is assumed.
    pub(super) cost: u32,
    /// The number of tokens that still cannot be played.
    rest: usize,
    /// The number of slips.
    slips: usize,
    /// The changes, in the order of the tokens.
    edits: Vec<Edit>,
}

impl Partial {
    /// The number of tokens that must follow moves which are assumed to be exchanged. If another slip is assumed too,
    /// the move numbers after them must show that no move is missing instead.
    pub(super) const fn vouched(&self) -> usize {
        if self.slips == 0 { 0 } else { TOKENS_BEHIND }
    }

    /// The index of the first changed token, or `last` if that is lower.
    pub(super) fn first(&self, last: usize) -> usize {
        let changed = self.edits.iter().map(|edit| edit.token);
        changed.chain([last]).min().unwrap_or(last)
    }

    /// Whether the token at an index is changed.
    pub(super) fn holds(&self, index: usize) -> bool {
        self.edits.iter().any(|edit| edit.token == index)
    }

    /// Adds these changes to those of another slip, and returns the name of all slips together.
    pub(super) fn with(&self, edits: &mut Vec<Edit>) -> &'static str {
        let own = edits.first().map_or("", |edit| edit.slip);
        edits.extend(self.edits.iter().cloned());
        // The sort is stable, so two moves that are inserted before the same token stay in order.
        edits.sort_by_key(|edit| edit.token);
        [own, "two slips", "three slips"][self.slips]
    }
}

impl Search<'_> {
    /// The legal moves that are one slip away from a token. `None` if no steps are left.
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

    /// Whether a hypothesis that fails at a token is worth storing as a partial explanation: the token is beyond the
    /// break, no explanation has been found, and one more slip may be assumed.
    pub(super) fn goes_on(&self, reached: usize) -> bool {
        self.wants_several
            && self.found.is_empty()
            && self.assumed.slips + 1 < MOST_SLIPS
            && reached >= self.ways.len()
    }

    /// Stores a slip with which the game continues to the token `reached`.
    pub(super) fn store_partial(&mut self, cost: u32, reached: usize, mut edits: Vec<Edit>) {
        self.assumed.with(&mut edits);
        self.partials.push(Partial {
            cost: self.assumed.cost + cost,
            rest: self.sheet.tokens.len().saturating_sub(reached),
            slips: self.assumed.slips + 1,
            edits,
        });
    }

    /// If no single slip explains the game, searches for two slips, and then for three.
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
                // With any additional slip, this one would cost too much more than the best explanation to be likely.
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

    /// If nothing else explains the game, assumes that two moves are omitted. On a form with printed numbers, the moves
    /// between them are in the other player's column, and the numbers show neither.
    pub(super) fn omitted_twice(&mut self) {
        if !self.found.is_empty() {
            return;
        }
        self.sheet.assume(std::iter::empty());
        self.sheet.steps = self.steps_of_several;
        self.ways = self.written.clone();
        (self.culprit, self.assumed) = (None, Partial::default());
        let last = self.sheet.tokens.len();
        let enough = self.ways.len() + TOKENS_BEHIND;
        let mut firsts = Vec::new();
        for index in (0..self.ways.len()).rev() {
            for way in Rc::clone(&self.ways[index]).iter() {
                for mv in way.position.legal_moves() {
                    let mut after = way.position.clone();
                    after.play_unchecked(mv);
                    let mut line = self.ways[..index].to_vec();
                    line.push(Rc::from([Way::new(after, way.cost)]));
                    let line = self.sheet.read(line, last);
                    if !self.sheet.spend((line.len() - index) as u64) {
                        return;
                    }
                    if line.len() >= enough
                        && let Some(text) = self.spelled(&way.position, mv)
                    {
                        firsts.push((Reverse(line.len()), index, text, line));
                    }
                }
            }
        }
        firsts.sort_by(|a, b| (a.0, Reverse(a.1), &a.2).cmp(&(b.0, Reverse(b.1), &b.2)));
        firsts.truncate(MOST_FIRSTS);
        for (_, index, text, line) in firsts {
            self.assumed = Partial {
                slips: 1,
                edits: vec![Edit::new(index, true, text, OMITTED)],
                ..Partial::default()
            };
            // The moves after the second one are the evidence for both.
            let end = line.len().min(last.saturating_sub(TOKENS_BEHIND));
            for second in (index + 1..end).rev() {
                for way in line[second].iter() {
                    let cost = way.cost + 2 * cost::UNNUMBERED;
                    self.insert(second, &way.position, 1, cost, &[]);
                }
            }
        }
        self.assumed = Partial::default();
    }

    /// Searches for one more slip in a game in which some are already assumed.
    fn beyond(&mut self, partial: Partial) {
        let texts = partial.edits.iter();
        self.sheet
            .assume(texts.map(|edit| (edit.token, edit.text.as_str())));
        let last = self.sheet.tokens.len().saturating_sub(1);
        // Up to the first change, the positions are those of the game as written.
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
