//! Sequences searched in games.

use super::check::{Event, Named, Ply, Test, Tracks};
use super::positions::Positions;
use super::program::Program;
use super::{Node, Sequence};
use crate::game::entry::Variation;
use crate::game::line::{Found, GameBytes, Place, Running, prefix};
use crate::game::packed::Packing;
use crate::game::signature::Signature;
use tridex_rules::{Move, RuleSystem};

/// A sequence made ready for each of the rules.
#[derive(Debug)]
pub(crate) struct Search {
    program: Program,
    tests: Vec<(RuleSystem, Vec<Test>)>,
    /// By test.
    has_names: Vec<bool>,
    /// Whether all tests are of check and mate, of which nothing is known without positions.
    needs_positions: bool,
}

/// A line of a game: its moves, if they are not those of the main line.
#[derive(Clone, Copy)]
struct Line<'a> {
    game: &'a GameBytes<'a>,
    moves: Option<&'a [Move]>,
}

/// The plies of a match, as far as they matter.
trait Trail: Clone {
    fn begin() -> Self;
    fn after(&self, ply: u32) -> Self;
    /// Whether a match of these plies is closer to its last than another with the same last ply.
    fn is_closer(&self, other: &Self) -> bool;
}

/// Only whether there is a match.
impl Trail for () {
    fn begin() -> Self {}

    fn after(&self, _: u32) -> Self {}

    fn is_closer(&self, (): &Self) -> bool {
        false
    }
}

impl Trail for Vec<u32> {
    fn begin() -> Self {
        Self::new()
    }

    fn after(&self, ply: u32) -> Self {
        let mut plies = self.clone();
        plies.push(ply);
        plies
    }

    fn is_closer(&self, other: &Self) -> bool {
        is_closer(self, other)
    }
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
struct Thread<T> {
    named: Named,
    /// The ply after that at which it was; 0 for the start of the line.
    since: u32,
    trail: T,
}

/// What is known of a test at a ply.
#[derive(Clone, Copy)]
struct Answer {
    ply: u32,
    /// See [`Test::holds`].
    held: Option<bool>,
    /// Whether it holds, of a test without names, if it was needed.
    exact: Option<bool>,
}

/// A run through a line.
struct Machine<'s, T> {
    search: &'s Search,
    tests: &'s [Test],
    /// By link.
    threads: Vec<Vec<Thread<T>>>,
    arrivals: Vec<(usize, Named, T)>,
    ways: Vec<Named>,
    /// By test: what is known of it at a ply, which many links may ask.
    answers: Vec<Answer>,
    /// Which pieces are where; `None` if what needs names and positions is taken to hold.
    tracks: Option<Tracks>,
    /// Whether something was taken to hold.
    is_guess: bool,
}

impl Search {
    pub(crate) fn new(sequence: &Sequence) -> Self {
        let program = sequence.program();
        let ready = |rules: &RuleSystem| {
            let tests = program.tests.iter().map(|test| Test::new(test, *rules));
            (*rules, tests.collect())
        };
        let tests: Vec<(RuleSystem, Vec<Test>)> = RuleSystem::ALL.iter().map(ready).collect();
        let has_names = program.tests.iter().map(Node::has_names).collect();
        let needs_positions = program.tests.iter().all(Node::is_only_check);
        Self {
            program,
            tests,
            has_names,
            needs_positions,
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
                .is_some_and(|test| test.may_hold(signature));
            if test && (step.links.is_empty() || leads(may, &step.links)) {
                may |= 1 << i;
            }
        }
        leads(may, &self.program.starts)
    }

    /// The line of a game in which the first match is, and its last ply; `None` if the game is damaged.
    pub(crate) fn find(&self, game: &GameBytes<'_>, variations: bool) -> Option<Found> {
        Some(match self.first::<()>(game, variations)? {
            None => Found::Nowhere,
            Some((None, ply, ())) => Found::Main(ply),
            Some((Some(line), ply, ())) => Found::Variation(line, ply),
        })
    }

    /// The plies of the first match, each with the variation it is in; none if there is no match. `None` if the game is
    /// damaged.
    pub(crate) fn plies(&self, game: &GameBytes<'_>, variations: bool) -> Option<Vec<Place>> {
        let Some((line, _, plies)) = self.first::<Vec<u32>>(game, variations)? else {
            return Some(Vec::new());
        };
        let Some(line) = line else {
            return Some(plies.into_iter().map(|ply| (None, ply)).collect());
        };
        let variations = game.variations()?;
        let place = |ply| (line_at(&variations, line, ply), ply);
        Some(plies.into_iter().map(place).collect())
    }

    /// The first match: its line, its last ply, and its plies.
    fn first<T: Trail>(
        &self,
        game: &GameBytes<'_>,
        variations: bool,
    ) -> Option<Option<(Option<u32>, u32, T)>> {
        let main = Line { game, moves: None };
        if let Some((ply, trail)) = self.in_line(main)? {
            return Some(Some((None, ply, trail)));
        }
        if !variations || !game.has_variations {
            return Some(None);
        }
        let main = game.moves()?;
        let variations = game.variations()?;
        for (line, variation) in (0..).zip(&variations) {
            let mut moves = prefix(&main, &variations, variation.parent, variation.ply)?;
            moves.extend_from_slice(&variation.moves);
            let moves = Some(moves.as_slice());
            if let Some((ply, trail)) = self.in_line(Line { game, moves })? {
                return Some(Some((Some(line), ply, trail)));
            }
        }
        Some(None)
    }

    /// The first match in a line.
    fn in_line<T: Trail>(&self, line: Line<'_>) -> Option<Option<(u32, T)>> {
        // Few lines match even if all that costs much is taken to hold.
        if !self.needs_positions {
            let mut quick = Machine::<T>::new(self, line.game.rules()?, false);
            let found = quick.run(line)?;
            if found.is_none() || !quick.is_guess {
                return Some(found);
            }
        }
        Machine::new(self, line.game.rules()?, true).run(line)
    }
}

/// The line that has a ply of a variation: itself, or one it comes from.
fn line_at(variations: &[Variation], mut line: u32, ply: u32) -> Option<u32> {
    while let Some(variation) = variations.get(line as usize) {
        if ply > variation.ply {
            return Some(line);
        }
        line = variation.parent?;
    }
    None
}

impl<'a> Line<'a> {
    fn plies(&self) -> u32 {
        self.moves
            .map_or(self.game.plies, |moves| moves.len() as u32)
    }

    /// The move after that of some ply; `None` if the bytes are damaged.
    #[inline]
    fn next(&self, running: &mut Running<'a>, ply: u32) -> Option<Move> {
        match self.moves {
            None => running.board.read(&mut running.bits),
            Some(moves) => moves.get(ply as usize).copied(),
        }
    }
}

impl<'s, T: Trail> Machine<'s, T> {
    fn new(search: &'s Search, rules: RuleSystem, is_exact: bool) -> Self {
        let tests = search.tests(rules);
        let unknown = Answer {
            ply: u32::MAX,
            held: None,
            exact: None,
        };
        let mut machine = Self {
            search,
            tests,
            answers: vec![unknown; tests.len()],
            threads: search.program.links.iter().map(|_| Vec::new()).collect(),
            arrivals: Vec::new(),
            ways: Vec::new(),
            tracks: is_exact.then(|| Tracks::new(rules)),
            is_guess: false,
        };
        for link in &search.program.starts {
            machine.threads[*link].push(Thread {
                named: Named::default(),
                since: 0,
                trail: T::begin(),
            });
        }
        machine
    }

    /// Goes through a line: the match completed first, with its last ply. `None` if the game is damaged.
    fn run(&mut self, line: Line<'_>) -> Option<Option<(u32, T)>> {
        let mut running = line.game.begin()?;
        let mut positions = Positions::new(line.game);
        let mut event = None;
        for number in 0..=line.plies() {
            if let Some(before) = number.checked_sub(1) {
                let m = line.next(&mut running, before)?;
                let now = Event::of(&running.board, m);
                if let Some(tracks) = &mut self.tracks {
                    positions.moves.push(m);
                    if self.search.has_names.contains(&true) {
                        tracks.follow(&running.board, &now);
                    }
                }
                running.board.play(m);
                event = Some(now);
            }
            let ply = Ply {
                number,
                at: &running.board,
                event: event.as_ref(),
            };
            if let Some(trail) = self.see(&ply, &mut positions) {
                return Some(Some((number, trail)));
            }
            if positions.is_damaged {
                return None;
            }
        }
        (!running.bits.is_overrun()).then_some(None)
    }

    /// Takes a ply: the closest match that it completes.
    #[inline]
    fn see(&mut self, ply: &Ply<'_>, positions: &mut Positions<'_>) -> Option<T> {
        for link in 0..self.threads.len() {
            if !self.threads[link].is_empty() {
                self.advance(link, ply, positions);
            }
        }
        if self.arrivals.is_empty() {
            return None;
        }
        self.arrive(ply)
    }

    /// Tests the steps after a link, and whether its threads live on.
    fn advance(&mut self, link: usize, ply: &Ply<'_>, positions: &mut Positions<'_>) {
        let program = &self.search.program;
        let known = &program.links[link];
        let mut fails = |step: &usize| {
            let test = program.steps[*step].test;
            self.held(test, ply) == Some(false) || self.answers[test].exact == Some(false)
        };
        if known.limit.is_none() && known.guard.is_none() && known.steps.iter().all(&mut fails) {
            return;
        }
        let mut threads = std::mem::take(&mut self.threads[link]);
        if let Some(limit) = known.limit {
            threads.retain(|thread| ply.number + 1 - thread.since <= limit);
        }
        for step in &known.steps {
            let test = program.steps[*step].test;
            if self.held(test, ply) == Some(false) {
                continue;
            }
            for thread in &threads {
                self.ways(test, ply, positions, thread.named);
                for named in self.ways.drain(..) {
                    let trail = thread.trail.after(ply.number);
                    self.arrivals.push((*step, named, trail));
                }
            }
        }
        // The plies of a link from the start begin with the first move.
        if let Some(guard) = known.guard
            && ply.number > 0
        {
            threads.retain(|thread| {
                self.ways(guard, ply, positions, thread.named);
                let lives = !self.ways.is_empty();
                self.ways.clear();
                lives
            });
        }
        self.threads[link] = threads;
    }

    /// [`Test::holds`], once a ply.
    #[inline]
    fn held(&mut self, test: usize, ply: &Ply<'_>) -> Option<bool> {
        let answer = &mut self.answers[test];
        if answer.ply != ply.number {
            *answer = Answer {
                ply: ply.number,
                held: self.tests[test].holds(ply),
                exact: None,
            };
        }
        answer.held
    }

    /// Puts the ways in which a test holds into `ways`.
    fn ways(&mut self, test: usize, ply: &Ply<'_>, positions: &mut Positions<'_>, named: Named) {
        let held = self.held(test, ply);
        let Some(tracks) = &self.tracks else {
            self.is_guess |= held.is_none();
            if held != Some(false) {
                self.ways.push(named);
            }
            return;
        };
        if self.search.has_names[test] {
            self.tests[test].ways(ply, tracks, positions, named, &mut self.ways);
            return;
        }
        let holds = match held.or(self.answers[test].exact) {
            Some(known) => known,
            None => {
                let mut ways = Vec::new();
                self.tests[test].ways(ply, tracks, positions, named, &mut ways);
                let holds = !ways.is_empty();
                self.answers[test].exact = Some(holds);
                holds
            }
        };
        if holds {
            self.ways.push(named);
        }
    }

    /// Stores what the ply completed: the closest match, or threads of the links after it.
    fn arrive(&mut self, ply: &Ply<'_>) -> Option<T> {
        let mut complete: Option<T> = None;
        for (step, named, trail) in self.arrivals.drain(..) {
            let links = &self.search.program.steps[step].links;
            if links.is_empty() && complete.as_ref().is_none_or(|best| trail.is_closer(best)) {
                complete = Some(trail.clone());
            }
            for link in links {
                let threads = &mut self.threads[*link];
                let thread = Thread {
                    named,
                    since: ply.number + 1,
                    trail: trail.clone(),
                };
                match threads.iter_mut().find(|known| known.named == named) {
                    None => threads.push(thread),
                    Some(known) => {
                        if known.since <= ply.number || thread.trail.is_closer(&known.trail) {
                            *known = thread;
                        }
                    }
                }
            }
        }
        complete
    }
}
