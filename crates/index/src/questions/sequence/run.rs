//! Sequences searched in games.

use super::check::{Event, Named, Ply, Test, Tracks};
use super::program::Program;
use super::{Node, Sequence};
use crate::game::entry::Variation;
use crate::game::line::{GameBytes, Later, Place, Step};
use crate::game::signature::Signature;
use tridex_rules::RuleSystem;

/// A sequence made ready for each of the rules.
#[derive(Debug)]
pub(crate) struct Search {
    program: Program,
    tests: Vec<(RuleSystem, Vec<Test>)>,
    /// By test.
    has_names: Vec<bool>,
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

/// What is before a link was completed.
struct Thread {
    named: Named,
    /// The ply after that at which it was; 0 for the start of the line.
    since: u32,
    plies: Vec<u32>,
}

/// A run through a line.
struct Machine<'s> {
    search: &'s Search,
    tests: &'s [Test],
    /// Whether the plies of a match matter, not only its end; without them there are none in threads.
    with_plies: bool,
    /// By link.
    threads: Vec<Vec<Thread>>,
    arrivals: Vec<(usize, Named, Vec<u32>)>,
    ways: Vec<Named>,
    /// By test: whether it holds at a ply, which many links may ask; `None` if that depends on names.
    answers: Vec<(u32, Option<bool>)>,
    tracks: Tracks,
}

impl Search {
    pub(crate) fn new(sequence: &Sequence) -> Self {
        let program = Program::of(&sequence.0);
        let ready = |rules: &RuleSystem| {
            let tests = program.tests.iter().map(|test| Test::new(test, *rules));
            (*rules, tests.collect())
        };
        let tests: Vec<(RuleSystem, Vec<Test>)> = RuleSystem::ALL.iter().map(ready).collect();
        let has_names = program.tests.iter().map(Node::has_names).collect();
        Self {
            program,
            tests,
            has_names,
        }
    }

    fn tests(&self, rules: RuleSystem) -> &[Test] {
        let found = self.tests.iter().find(|(known, _)| *known == rules);
        found.map_or(&[], |(_, tests)| tests)
    }

    /// Whether a game of which only the signature is known may match. Never wrongly false.
    pub(crate) fn may_match(&self, rules: RuleSystem, signature: &Signature) -> bool {
        let tests = self.tests(rules);
        let mut may = 0_u128;
        let leads = |may: u128, links: &[usize]| {
            let mut links = links
                .iter()
                .filter_map(|link| self.program.links.get(*link));
            links.any(|link| link.steps.iter().any(|step| may >> step & 1 != 0))
        };
        // A step links to steps before it.
        for (i, step) in self.program.steps.iter().enumerate() {
            let test = tests
                .get(step.test)
                .is_some_and(|test| test.may_match(signature));
            if test && (step.links.is_empty() || leads(may, &step.links)) {
                may |= 1 << i;
            }
        }
        leads(may, &self.program.starts)
    }

    /// The line of a game in which the first match is, and its last ply; `None` if the game is damaged.
    pub(crate) fn find(&self, game: &GameBytes<'_>, variations: bool) -> Option<Option<Place>> {
        let found = self.first(game, variations, false)?;
        Some(found.map(|(last, _)| last))
    }

    /// The plies of the first match, each with the variation it is in; none if there is no match. `None` if the game is
    /// damaged.
    pub(crate) fn plies(&self, game: &GameBytes<'_>, variations: bool) -> Option<Vec<Place>> {
        let Some(((line, _), plies)) = self.first(game, variations, true)? else {
            return Some(Vec::new());
        };
        let (_, variations) = game.moves()?;
        let place = |ply| (line_at(&variations, line, ply), ply);
        Some(plies.into_iter().map(place).collect())
    }

    /// The first match: its line, its last ply, and if they are wanted its plies.
    fn first(
        &self,
        game: &GameBytes<'_>,
        variations: bool,
        with_plies: bool,
    ) -> Option<Option<(Place, Vec<u32>)>> {
        game.lines(variations, |line, variation, _| {
            let found = self.run(line, with_plies)?;
            Some(found.map(|(ply, plies)| ((variation, ply), plies)))
        })
    }

    /// Goes through a line: the match completed first, with its last ply. `None` if the game is damaged.
    fn run(&self, line: &GameBytes<'_>, with_plies: bool) -> Option<Option<(u32, Vec<u32>)>> {
        let rules = line.start.rules;
        let tests = self.tests(rules);
        let mut machine = Machine {
            search: self,
            tests,
            with_plies,
            answers: vec![(u32::MAX, None); tests.len()],
            threads: self.program.links.iter().map(|_| Vec::new()).collect(),
            arrivals: Vec::new(),
            ways: Vec::new(),
            tracks: Tracks::new(rules),
        };
        for link in &self.program.starts {
            machine.threads[*link].push(Thread {
                named: Named::default(),
                since: 0,
                plies: Vec::new(),
            });
        }
        let has_names = self.has_names.contains(&true);
        let mut event = None;
        let mut completed = None;
        let found = line.walk(|at, later, number, next| {
            let ply = Ply {
                number,
                at,
                event: event.as_ref(),
            };
            completed = machine.see(&ply, later);
            if completed.is_some() {
                return Step::Here;
            }
            if let Some(event) = event.as_ref().filter(|_| has_names) {
                machine.tracks.follow(event);
            }
            event = next.map(|m| Event::of(at, m));
            Step::Go
        })?;
        Some(found.zip(completed))
    }
}

/// The line that has a ply: itself, or one it comes from.
fn line_at(variations: &[Variation], mut line: Option<u32>, ply: u32) -> Option<u32> {
    while let Some(variation) = variations.get(line? as usize) {
        if ply > variation.ply {
            break;
        }
        line = variation.parent;
    }
    line
}

impl Machine<'_> {
    /// Takes a ply: the closest match that it completes.
    #[inline]
    fn see(&mut self, ply: &Ply<'_>, later: &mut Later<'_>) -> Option<Vec<u32>> {
        for link in 0..self.threads.len() {
            if !self.threads[link].is_empty() {
                self.advance(link, ply, later);
            }
        }
        self.arrive(ply)
    }

    /// Tests the steps after a link, and whether its threads live on.
    fn advance(&mut self, link: usize, ply: &Ply<'_>, later: &mut Later<'_>) {
        let program = &self.search.program;
        let known = &program.links[link];
        let mut threads = std::mem::take(&mut self.threads[link]);
        if let Some(limit) = known.limit {
            threads.retain(|thread| ply.number + 1 - thread.since <= limit);
        }
        for step in &known.steps {
            for thread in &threads {
                self.ways(program.steps[*step].test, ply, later, thread.named);
                for named in self.ways.drain(..) {
                    let mut plies = thread.plies.clone();
                    if self.with_plies {
                        plies.push(ply.number);
                    }
                    self.arrivals.push((*step, named, plies));
                }
            }
        }
        // The plies of a link from the start begin with the first move.
        if let Some(guard) = known.guard
            && ply.number > 0
        {
            threads.retain(|thread| {
                self.ways(guard, ply, later, thread.named);
                let lives = !self.ways.is_empty();
                self.ways.clear();
                lives
            });
        }
        self.threads[link] = threads;
    }

    /// Puts the ways in which a test holds into `ways`.
    fn ways(&mut self, test: usize, ply: &Ply<'_>, later: &mut Later<'_>, named: Named) {
        let known = &self.tests[test];
        if self.answers[test].0 != ply.number {
            let held = match known.holds_at(ply) {
                Some(true) | None if self.search.has_names[test] => None,
                None => {
                    let mut ways = Vec::new();
                    known.ways(ply, &self.tracks, later, named, &mut ways);
                    Some(!ways.is_empty())
                }
                held => held,
            };
            self.answers[test] = (ply.number, held);
        }
        match self.answers[test].1 {
            Some(false) => {}
            Some(true) => self.ways.push(named),
            None => known.ways(ply, &self.tracks, later, named, &mut self.ways),
        }
    }

    /// Stores what the ply completed: the closest match, or threads of the links after it.
    fn arrive(&mut self, ply: &Ply<'_>) -> Option<Vec<u32>> {
        let mut complete: Option<Vec<u32>> = None;
        for (step, named, plies) in self.arrivals.drain(..) {
            let links = &self.search.program.steps[step].links;
            if links.is_empty() && complete.as_ref().is_none_or(|best| is_closer(&plies, best)) {
                complete = Some(plies.clone());
            }
            for link in links {
                let threads = &mut self.threads[*link];
                let thread = Thread {
                    named,
                    since: ply.number + 1,
                    plies: plies.clone(),
                };
                match threads.iter_mut().find(|known| known.named == named) {
                    None => threads.push(thread),
                    Some(known) => {
                        if known.since <= ply.number || is_closer(&thread.plies, &known.plies) {
                            *known = thread;
                        }
                    }
                }
            }
        }
        complete
    }
}
