//! Hypotheses that are tried again, with other slips assumed.
//!
//! Before the first token that an assumption changes the sheet is read as it is written. A hypothesis about a token
//! before it is therefore replayed up to there once, however many assumptions it is combined with: a token that did not
//! fit before it does not fit again, and what did fit has led to the same position. The tokens that are not read again are
//! counted as if they were, so that a search ends at its limit where it would have ended.

use super::Search;
use crate::repair::sheet::Way;

/// A hypothesis about some tokens, from one of the positions that are possible before them.
#[derive(Clone, Copy, Debug)]
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

/// How far a hypothesis was replayed.
#[derive(Debug)]
pub(super) struct Known {
    /// The token at which it ended, or the next one.
    token: usize,
    /// How many tokens were read.
    steps: u64,
    /// The one position before that token, with what speaks against the way to it; none if it ended.
    way: Option<Box<Way>>,
}

impl Search<'_> {
    /// What is known of a hypothesis, if that holds with what is assumed now.
    fn known(&self, trial: Trial) -> Option<&Known> {
        let known = self.learned[trial.token].known.get(trial.supposed)?;
        // What ended at the first change or after it may have ended because of what is assumed there.
        known.as_ref().filter(|known| match known.way {
            None => known.token < self.first,
            Some(_) => known.token <= self.first,
        })
    }

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
        let mut ways = std::mem::take(&mut self.room);
        ways.clear();
        let played = self.play(trial, &mut ways, limit, start);
        let least = ways.iter().map(|way| way.cost).min();
        self.room = ways;
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
        let (next, last) = (trial.token + trial.tokens, self.sheet.len());
        // As long as nothing is found, no cost is too high: what is known does not depend on the limit.
        let is_shared = self.found.is_empty() && next <= self.first && trial.way == 0;
        if !(is_shared && self.sheet.shortcuts) {
            start(self, ways, limit)?;
            return self.play_on(ways, limit, next, last);
        }
        let (until, before) = (self.first.min(last), self.sheet.steps);
        let played = if let Some(known) = self.known(trial) {
            let (from, steps) = (known.token, known.steps);
            ways.extend(known.way.as_deref().cloned());
            if !self.sheet.spend(steps) || ways.is_empty() {
                return Err(from);
            }
            self.play_on(ways, limit, from, until)
        } else {
            let started = start(self, ways, limit);
            started.and_then(|()| self.play_on(ways, limit, next, until))
        };
        let end = match (played, ways.as_slice()) {
            (Err(token), _) => Some((token, None)),
            (Ok(()), [way]) => Some((until, Some(Box::new(way.clone())))),
            (Ok(()), _) => None,
        };
        if let Some((token, way)) = end
            && !self.sheet.is_exhausted()
        {
            let steps = before - self.sheet.steps;
            let known = &mut self.learned[trial.token].known;
            if known.len() <= trial.supposed {
                known.resize_with(trial.supposed + 1, || None);
            }
            known[trial.supposed] = Some(Known { token, steps, way });
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
        self.sheet.through(ways, limit, from..until)
    }
}
