//! Sequences searched in games.

use super::Sequence;
use super::check::{Event, Named, Ply, Test, Tracks};
use super::program::{Program, Step};
use crate::game::line::{self, GameBytes, Later, Place, line_at};
use crate::game::signature::Signature;
use std::collections::BTreeMap;
use tridex_rules::RuleSystem;

/// A sequence made ready for each of the rules.
#[derive(Debug)]
pub(crate) struct Search {
    program: Program,
    tests: BTreeMap<RuleSystem, Vec<Test>>,
}

/// Whether a match of some plies is closer than another: at the last ply that is not the same it is later, or it is the
/// end of the other.
pub(super) fn is_closer(plies: &[u32], than: &[u32]) -> bool {
    let both = plies.iter().rev().zip(than.iter().rev());
    match both.into_iter().find(|(a, b)| a != b) {
        Some((a, b)) => a > b,
        None => plies.len() < than.len(),
    }
}

/// The beginning of a match.
#[derive(Clone, Default)]
struct Thread {
    named: Named,
    /// The ply after its last; 0 for the start of the line.
    since: u32,
    /// Its plies; none in a guess.
    plies: Vec<u32>,
}

/// A run through a line.
struct Machine<'s> {
    steps: &'s [Step],
    tests: &'s [Test],
    /// The plies of the closest match that is complete.
    complete: Option<Vec<u32>>,
    /// Whether positions and names are found out; otherwise what needs them is taken to hold.
    is_exact: bool,
    /// Whether something was taken to hold.
    is_guess: bool,
    /// By step: what waits for it.
    threads: Vec<Vec<Thread>>,
    /// By test: whether it holds at a ply, which many steps may ask; `None` if that depends on names.
    answers: Vec<(u32, Option<bool>)>,
}

impl Search {
    pub(crate) fn new(sequence: &Sequence) -> Self {
        let program = Program::of(&sequence.0);
        let ready = |rules: &RuleSystem| {
            let tests = program.tests.iter().map(|test| Test::new(test, *rules));
            (*rules, tests.collect())
        };
        let tests = RuleSystem::ALL.iter().map(ready).collect();
        Self { program, tests }
    }

    /// Whether a game of which only the signature is known may match. Never wrongly false.
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

    /// The line of a game in which the first match is, and its last ply; `None` if the game is damaged.
    pub(crate) fn find(&self, game: &GameBytes<'_>, variations: bool) -> Option<Option<Place>> {
        let found = self.first(game, variations, false)?;
        Some(found.map(|(place, _)| place))
    }

    /// The plies of the first match, each with the variation it is in; none if there is no match. `None` if the game is
    /// damaged.
    pub(crate) fn plies(&self, game: &GameBytes<'_>, variations: bool) -> Option<Vec<Place>> {
        // The plies are needed of games that match: a guess would be one walk more.
        let Some(((line, _), plies)) = self.first(game, variations, true)? else {
            return Some(Vec::new());
        };
        let (_, variations) = game.moves()?;
        let place = |ply| (line_at(&variations, line, ply), ply);
        Some(plies.into_iter().map(place).collect())
    }

    /// The first match: its line, its last ply, and all of them if it was to be exact.
    fn first(
        &self,
        game: &GameBytes<'_>,
        variations: bool,
        is_exact: bool,
    ) -> Option<Option<(Place, Vec<u32>)>> {
        game.lines(variations, |line, variation, _| {
            let found = self.run(line, is_exact)?;
            Some(found.map(|(ply, plies)| ((variation, ply), plies)))
        })
    }

    /// Goes through a line: the last ply of the match completed first, and all its plies. `None` if the game is damaged.
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
                at,
                event: event.as_ref(),
                tracks: &tracks,
            };
            machine.see(&ply, later);
            if machine.complete.is_some() {
                return line::Step::Here;
            }
            if has_names && let Some(event) = &event {
                event.follow(rules, &mut tracks);
            }
            event = next.map(|m| Event::of(at, m));
            line::Step::Go
        })?;
        match machine.complete.is_some() && machine.is_guess {
            // Few lines match even if all that costs much is taken to hold.
            true => self.run(line, true),
            false => Some(found.zip(machine.complete)),
        }
    }
}

impl Machine<'_> {
    /// Takes a ply.
    #[inline]
    fn see(&mut self, ply: &Ply<'_>, later: &mut Later<'_>) {
        // What may follow a step is before it, so that what waits for that is there at the next ply.
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
            // The plies before the first step begin with the first move.
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

    /// Stores what waits for a step, unless what does so already is closer.
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

    /// The names there may be after a ply at which a test holds.
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
