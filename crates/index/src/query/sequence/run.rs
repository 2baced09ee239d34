//! Searches games for sequences.

use super::Sequence;
use super::check::{Event, Named, Ply, Test, Tracks};
use super::program::{Program, Step};
use crate::model::game_bytes::{self, GameBytes, Later, LinePly, line_at};
use crate::model::signature::Signature;
use std::collections::BTreeMap;
use tridex_rules::RuleSystem;

/// A sequence compiled for each rule system.
#[derive(Debug)]
pub(crate) struct SequenceMatcher {
    program: Program,
    tests: BTreeMap<RuleSystem, Vec<Test>>,
}

/// Whether a match is closer than another: at the last ply in which they differ its ply is later, or its plies are the
/// last plies of the other.
pub(super) fn is_closer(plies: &[u32], than: &[u32]) -> bool {
    let both = plies.iter().rev().zip(than.iter().rev());
    match both.into_iter().find(|(a, b)| a != b) {
        Some((a, b)) => a > b,
        None => plies.len() < than.len(),
    }
}

/// A partial match.
#[derive(Clone, Default)]
struct Thread {
    named: Named,
    /// The ply after its last one; 0 if it has none.
    since: u32,
    /// Its plies; empty if the run is not exact.
    plies: Vec<u32>,
}

/// The state of a run through a line.
struct Machine<'s> {
    steps: &'s [Step],
    tests: &'s [Test],
    /// The plies of the closest complete match.
    complete: Option<Vec<u32>>,
    /// Whether tests that need positions or names are evaluated. Otherwise they are assumed to hold.
    is_exact: bool,
    /// Whether any test was assumed to hold.
    is_guess: bool,
    /// The partial matches that wait for each step.
    threads: Vec<Vec<Thread>>,
    /// A cache of each test's result at a ply, since many steps may share a test. `None` if the result depends on
    /// names.
    answers: Vec<(u32, Option<bool>)>,
}

impl SequenceMatcher {
    pub(crate) fn new(sequence: &Sequence) -> Self {
        let program = Program::of(&sequence.0);
        let ready = |rules: &RuleSystem| {
            let tests = program.tests.iter().map(|test| Test::new(test, *rules));
            (*rules, tests.collect())
        };
        let tests = RuleSystem::ALL.iter().map(ready).collect();
        Self { program, tests }
    }

    /// Whether a game with this signature may match. Never wrongly false.
    pub(crate) fn may_match(&self, rules: RuleSystem, signature: &Signature) -> bool {
        let tests = &self.tests[&rules];
        let leads = |may: u128, steps: &[usize]| steps.iter().any(|step| may >> step & 1 != 0);
        let mut may = 0_u128;
        for (i, step) in self.program.steps.iter().enumerate() {
            let is_end = step.next.is_empty() || leads(may, &step.next);
            if is_end && tests[step.test].may_match(signature) {
                may |= 1 << i;
            }
        }
        leads(may, &self.program.starts)
    }

    /// The line of the first match in a game, and its last ply; `None` if the game is damaged.
    pub(crate) fn find(&self, game: &GameBytes<'_>, variations: bool) -> Option<Option<LinePly>> {
        let found = self.first(game, variations, false)?;
        Some(found.map(|(place, _)| place))
    }

    /// The plies of the first match, each with its variation; empty if there is none. `None` if the game is damaged.
    pub(crate) fn plies(&self, game: &GameBytes<'_>, variations: bool) -> Option<Vec<LinePly>> {
        // Called for games that match, so an inexact run first would be wasted.
        let Some(((line, _), plies)) = self.first(game, variations, true)? else {
            return Some(Vec::new());
        };
        let (_, variations) = game.moves()?;
        let place = |ply| (line_at(&variations, line, ply), ply);
        Some(plies.into_iter().map(place).collect())
    }

    /// The first match: its line, its last ply, and all its plies if `is_exact` is set.
    fn first(
        &self,
        game: &GameBytes<'_>,
        variations: bool,
        is_exact: bool,
    ) -> Option<Option<(LinePly, Vec<u32>)>> {
        game.lines(variations, |line, variation, _| {
            let found = self.run(line, is_exact)?;
            Some(found.map(|(ply, plies)| ((variation, ply), plies)))
        })
    }

    /// Runs through a line. Returns the last ply of the match completed first, and all its plies. `None` if the game is
    /// damaged.
    fn run(&self, line: &GameBytes<'_>, is_exact: bool) -> Option<Option<(u32, Vec<u32>)>> {
        let rules = line.start.rules;
        let tests = &self.tests[&rules];
        let mut machine = Machine {
            steps: &self.program.steps,
            tests,
            complete: None,
            is_exact,
            is_guess: false,
            answers: vec![(u32::MAX, None); tests.len()],
            threads: vec![Vec::new(); self.program.steps.len()],
        };
        for step in &self.program.starts {
            machine.threads[*step].push(Thread::default());
        }
        let has_names = is_exact && tests.iter().any(|test| test.has_names);
        let mut tracks: Tracks = std::array::from_fn(|square| square as u8);
        let mut event: Option<Event> = None;
        let found = line.walk(|at, later, number, next| {
            let ply = Ply {
                number,
                is_last: later.is_last(number),
                at,
                event: event.as_ref(),
                tracks: &tracks,
            };
            machine.see(&ply, later);
            if machine.complete.is_some() {
                return game_bytes::Step::Here;
            }
            if has_names && let Some(event) = &event {
                event.follow(rules, &mut tracks);
            }
            event = next.map(|m| Event::of(at, m));
            game_bytes::Step::Go
        })?;
        match machine.complete.is_some() && machine.is_guess {
            // Few lines match even if every expensive test is assumed to hold, so this second run is rare.
            true => self.run(line, true),
            false => Some(found.zip(machine.complete)),
        }
    }
}

impl Machine<'_> {
    /// Processes a ply.
    #[inline]
    fn see(&mut self, ply: &Ply<'_>, later: &mut Later<'_>) {
        // The steps that follow a step have smaller indices, so a partial match that starts to wait here is tested at
        // the next ply, not at this one.
        for (i, step) in self.steps.iter().enumerate() {
            if self.threads[i].is_empty() {
                continue;
            }
            if let Some(limit) = step.limit {
                self.threads[i].retain(|thread| ply.number + 1 - thread.since <= limit);
            }
            if self.holds(step.test, ply, later) != Some(false) {
                let threads = std::mem::take(&mut self.threads[i]);
                for thread in &threads {
                    for named in self.ways(step.test, ply, later, thread.named) {
                        let mut thread = Thread {
                            named,
                            since: ply.number + 1,
                            plies: thread.plies.clone(),
                        };
                        thread.plies.extend(self.is_exact.then_some(ply.number));
                        for next in &step.next {
                            self.wait(*next, &thread);
                        }
                        let is_best = |best: &Vec<u32>| is_closer(&thread.plies, best);
                        if step.next.is_empty() && self.complete.as_ref().is_none_or(is_best) {
                            self.complete = Some(thread.plies);
                        }
                    }
                }
                self.threads[i] = threads;
            }
            // Ply 0 has no move, so guards apply from ply 1 on.
            if let Some(guard) = step.guard.filter(|_| ply.number > 0)
                && self.holds(guard, ply, later) != Some(true)
            {
                let mut threads = std::mem::take(&mut self.threads[i]);
                threads
                    .retain(|thread| self.ways(guard, ply, later, thread.named).next().is_some());
                self.threads[i] = threads;
            }
        }
    }

    /// Lets a partial match wait for a step, unless a closer one with the same names already does.
    fn wait(&mut self, step: usize, thread: &Thread) {
        let threads = &mut self.threads[step];
        match threads.iter_mut().find(|known| known.named == thread.named) {
            None => threads.push(thread.clone()),
            Some(known) if known.since < thread.since || is_closer(&thread.plies, &known.plies) => {
                known.clone_from(thread);
            }
            Some(_) => {}
        }
    }

    /// Whether a test holds at a ply; `None` if that depends on names.
    #[inline]
    fn holds(&mut self, test: usize, ply: &Ply<'_>, later: &mut Later<'_>) -> Option<bool> {
        if self.answers[test].0 != ply.number {
            let known = &self.tests[test];
            let held = match known.holds(ply, None) {
                Some(false) => Some(false),
                held if !self.is_exact => {
                    self.is_guess |= held.is_none();
                    Some(true)
                }
                _ if known.has_names => None,
                None => {
                    let position = later.position(ply.number);
                    Some(known.holds(ply, position) == Some(true))
                }
                held => held,
            };
            self.answers[test] = (ply.number, held);
        }
        self.answers[test].1
    }

    /// The possible names after a test holds at a ply; empty if it does not hold.
    fn ways(
        &mut self,
        test: usize,
        ply: &Ply<'_>,
        later: &mut Later<'_>,
        named: Named,
    ) -> impl Iterator<Item = Named> + use<> {
        let (one, more) = match self.holds(test, ply, later) {
            Some(held) => (held.then_some(named), Vec::new()),
            None => (None, self.tests[test].ways(ply, later, named)),
        };
        one.into_iter().chain(more)
    }
}
