//! Hypotheses that are tried again, with other slips assumed.
//!
//! Before the first token that an assumption changes the sheet is read as it is written. A hypothesis about a token
//! before it is therefore replayed up to there once, however many assumptions it is combined with: a token that did not
//! fit before it does not fit again, and what did fit has led to the same position. The tokens that are not read again are
//! counted as if they were, so that a search ends at its limit where it would have ended.

use super::Search;
use crate::repair::sheet::Way;
use std::collections::HashMap;

/// A hypothesis about some tokens, from one of the positions that are possible before them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Trial {
    /// The first of the tokens.
    pub(super) token: usize,
    /// How many there are.
    pub(super) tokens: usize,
    /// The number of the position.
    pub(super) way: usize,
    /// The number of what is supposed of them.
    pub(super) supposed: usize,
}

/// What is known of hypotheses from before.
#[derive(Debug)]
pub(super) struct Shared {
    /// The first token that is assumed to be another; beyond the last if none is.
    pub(super) first: usize,
    known: HashMap<Trial, Known>,
    /// Room for the positions of a replay.
    ways: Vec<Way>,
}

impl Default for Shared {
    fn default() -> Self {
        Self {
            first: usize::MAX,
            known: HashMap::new(),
            ways: Vec::new(),
        }
    }
}

/// How far a hypothesis was replayed.
#[derive(Debug)]
struct Known {
    /// The token at which it ended, or the next one.
    token: usize,
    /// How many tokens were read.
    steps: u64,
    /// The one position before that token, with what speaks against the way to it; none if it ended.
    way: Option<Way>,
}

impl Search<'_> {
    /// What speaks against a hypothesis of a certain cost, if its game can be replayed to the end at no more than the limit, and
    /// the token it ends at otherwise.
    ///
    /// `start` adds the positions after the tokens of the hypothesis, with what speaks against each, within a limit; if there are none it
    /// gives the token that does not fit.
    pub(super) fn replay(
        &mut self,
        trial: Trial,
        cost: u32,
        start: impl FnOnce(&mut Self, &mut Vec<Way>, u32) -> Result<(), usize>,
    ) -> (Option<u32>, usize) {
        let Some(limit) = self.limit().checked_sub(cost) else {
            return (None, trial.token);
        };
        let mut ways = std::mem::take(&mut self.shared.ways);
        ways.clear();
        let played = self.play(trial, &mut ways, limit, start);
        let least = ways.iter().map(|way| way.cost).min();
        self.shared.ways = ways;
        match played {
            Ok(()) => (least.map(|least| cost + least), self.sheet.len()),
            Err(token) => (None, token),
        }
    }

    /// Replays a hypothesis from where that was not done before.
    fn play(
        &mut self,
        trial: Trial,
        ways: &mut Vec<Way>,
        limit: u32,
        start: impl FnOnce(&mut Self, &mut Vec<Way>, u32) -> Result<(), usize>,
    ) -> Result<(), usize> {
        let last = self.sheet.len();
        // As long as nothing is found, no cost is too high: what is known does not depend on the limit.
        if !self.found.is_empty() || trial.token + trial.tokens > self.shared.first {
            start(self, ways, limit)?;
            return self.play_on(ways, limit, trial.token + trial.tokens, last);
        }
        let until = self.shared.first.min(last);
        let known = self.shared.known.get(&trial);
        // What ended at the first change or after it may have ended because of what is written there.
        let known = known.filter(|known| match known.way {
            None => known.token < self.shared.first,
            Some(_) => known.token <= self.shared.first,
        });
        let (from, steps) = match known {
            None => (trial.token + trial.tokens, 0),
            Some(known) => {
                ways.extend(known.way.clone());
                (known.token, known.steps)
            }
        };
        let is_new = known.is_none();
        let before = self.sheet.steps();
        if !is_new && (!self.sheet.spend(steps) || ways.is_empty()) {
            return Err(from);
        }
        let played = if is_new {
            start(self, ways, limit)
        } else {
            Ok(())
        };
        let played = played.and_then(|()| self.play_on(ways, limit, from, until));
        let (token, way) = match (played, ways.as_slice()) {
            (Err(token), _) => (token, None),
            (Ok(()), [way]) => (until, Some(way.clone())),
            (Ok(()), _) => return self.play_on(ways, limit, until, last),
        };
        let steps = before - self.sheet.steps();
        if !self.sheet.is_exhausted() {
            self.shared.known.insert(trial, Known { token, steps, way });
        }
        played?;
        self.play_on(ways, limit, until, last)
    }

    /// Follows the tokens from one up to another; the error is the one that does not fit.
    pub(super) fn play_on(
        &mut self,
        ways: &mut Vec<Way>,
        limit: u32,
        from: usize,
        until: usize,
    ) -> Result<(), usize> {
        ways.retain(|way| way.cost <= limit);
        if ways.is_empty() {
            return Err(from);
        }
        let played = self.sheet.through(ways, limit, from..until);
        played.map_err(|count| from + count)
    }
}
