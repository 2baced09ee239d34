//! Answering questions.
//!
//! Every question about the board is answered from the replayed game; the lists of positions and the signatures of
//! games only say which games need not be replayed.

use crate::board::{Board, Castlings};
use crate::error::IndexError;
use crate::game_set::GameSet;
use crate::line::{Beginning, Found, GameBytes, Later, Step};
use crate::material::Material;
use crate::pattern::Pattern;
use crate::pattern::compile::Matcher;
use crate::plan::Plan;
use crate::query::{PositionQuery, Query, Sameness};
use crate::reader::{GameId, GameIndex, Part};
use crate::segment::Segment;
use crate::systems::{self, Start};
use rayon::prelude::*;
use tridex_rules::RuleSystem;

/// A game that answers a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hit {
    /// The game.
    pub id: GameId,
    /// After how many plies from the start the position, pattern or material was first met; `None` if nothing on the
    /// board was asked for. Where several were asked for, the first of the question.
    pub ply: Option<u32>,
    /// Whether that was in a variation.
    pub in_variation: bool,
}

/// How many games to leave out and to give.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchOptions {
    /// How many games to leave out.
    pub offset: usize,
    /// How many games to give at most.
    pub limit: usize,
    /// Whether patterns and material are looked for in variations too. Positions are if they are in the index.
    pub variations: bool,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            offset: 0,
            limit: usize::MAX,
            variations: false,
        }
    }
}

/// The answer to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hits {
    /// How many games answer the question.
    pub total: u64,
    /// Those that were asked for, in the order of the index.
    pub hits: Vec<Hit>,
}

/// Where games were found on the board, for each part of a question.
#[derive(Default)]
pub(crate) struct Places(Vec<Place>);

enum Place {
    /// Each game at its ply, in the order of the games.
    Each(Vec<(u32, Found)>),
    /// All games before their first move.
    Start(GameSet),
}

impl Places {
    /// Where a game was found, by the first part of the question that found it.
    fn get(&self, game: u32) -> Option<Found> {
        self.0.iter().find_map(|place| match place {
            Place::Each(list) => {
                let place = list.binary_search_by_key(&game, |found| found.0).ok()?;
                list.get(place).map(|found| found.1)
            }
            Place::Start(set) => set.contains(game).then_some(Found::Main(0)),
        })
    }
}

impl GameIndex {
    /// The games that answer a question.
    ///
    /// # Errors
    /// If the index is damaged so that it shows.
    pub fn search(&self, query: &Query, options: &SearchOptions) -> Result<Hits, IndexError> {
        let mut answer = Hits {
            total: 0,
            hits: Vec::new(),
        };
        let mut skip = options.offset;
        for (index, part) in (0..).zip(&self.parts) {
            let mut places = Places::default();
            let found = part.answer(query, &part.alive, options.variations, &mut places)?;
            answer.total += found.count();
            for game in found.iter() {
                if skip > 0 {
                    skip -= 1;
                    continue;
                }
                if answer.hits.len() >= options.limit {
                    break;
                }
                let (ply, in_variation) = match places.get(game) {
                    Some(Found::Main(ply)) => (Some(ply), false),
                    Some(Found::Variation(ply)) => (Some(ply), true),
                    Some(Found::Nowhere) | None => (None, false),
                };
                answer.hits.push(Hit {
                    id: GameId { index, game },
                    ply,
                    in_variation,
                });
            }
        }
        Ok(answer)
    }
}

impl Part {
    /// The games among some that answer a question. Goes as deep as the question is nested.
    pub(crate) fn answer(
        &self,
        query: &Query,
        within: &GameSet,
        variations: bool,
        places: &mut Places,
    ) -> Result<GameSet, IndexError> {
        if within.is_empty() {
            return Ok(within.clone());
        }
        let mut found = GameSet::empty(self.bound());
        match query {
            Query::All => found = within.clone(),
            Query::Text(field, words) => {
                let query = self.fields.query(*field, words);
                for game in self.fields.find(&self.searcher, &*query, &self.root)? {
                    found.insert(game);
                }
                found.keep(within);
            }
            Query::Date(range) => self.select(within, &mut found, |s, g| range.holds(s.date(g))),
            Query::Result(result) => {
                self.select(within, &mut found, |s, g| s.result(g) == *result);
            }
            Query::Rules(rules) => {
                let code = systems::code(*rules);
                self.select(within, &mut found, |s, g| s.code(g) == code);
            }
            Query::Plies(from, to) => self.select(within, &mut found, |s, g| {
                let plies = s.plies(g);
                from.is_none_or(|from| plies >= from) && to.is_none_or(|to| plies <= to)
            }),
            Query::Ratings(from, to) => self.select(within, &mut found, |s, g| {
                s.ratings(g).into_iter().all(|rating| {
                    let rating = u32::from(rating);
                    rating != 0
                        && from.is_none_or(|from| rating >= from)
                        && to.is_none_or(|to| rating <= to)
                })
            }),
            Query::Id(id) => self.select(within, &mut found, |s, g| s.content(g) == *id),
            Query::Source(name) => {
                let name = name.to_lowercase();
                self.select(within, &mut found, |s, g| {
                    s.place(g)
                        .is_some_and(|(source, _)| source.to_lowercase().contains(&name))
                });
            }
            Query::Position(position) => self.positions(position, within, &mut found, places)?,
            Query::Pattern(pattern) => {
                self.patterns(pattern, within, variations, &mut found, places)?;
            }
            Query::Material(balances) => {
                self.materials(balances, within, variations, &mut found, places)?;
            }
            Query::Not(part) => {
                let refused = self.answer(part, within, variations, &mut Places::default())?;
                found = within.minus(&refused);
            }
            Query::And(parts) => {
                found = within.clone();
                // Fields first, for they cost next to nothing; then lists of positions, then replays.
                for cost in 0..3 {
                    for part in parts.iter().filter(|part| cost_of(part) == cost) {
                        found = self.answer(part, &found, variations, places)?;
                    }
                }
            }
            Query::Or(parts) => {
                for part in parts {
                    let rest = within.minus(&found);
                    found.add(&self.answer(part, &rest, variations, places)?);
                }
            }
        }
        Ok(found)
    }

    /// Games by what is in the columns.
    fn select(&self, within: &GameSet, found: &mut GameSet, holds: impl Fn(&Segment, u32) -> bool) {
        for segment in &self.segments {
            let end = segment.base + segment.games;
            found.add_where(within, segment.base, end, |game| holds(segment, game));
        }
    }

    fn positions(
        &self,
        query: &PositionQuery,
        within: &GameSet,
        found: &mut GameSet,
        places: &mut Places,
    ) -> Result<(), IndexError> {
        let target = Target::new(query);
        // The position before the first move is in every game that starts there; their lists need not be read.
        if target.start.iter().any(|starts| *starts) {
            let mut started = GameSet::empty(self.bound());
            self.select(within, &mut started, |segment, game| {
                segment.standard_start(game).is_some_and(|code| {
                    target
                        .start
                        .get(usize::from(code))
                        .copied()
                        .unwrap_or(false)
                })
            });
            found.add(&started);
            places.0.push(Place::Start(started));
        }
        let within = &within.minus(found);
        if within.is_empty() {
            return Ok(());
        }
        for segment in &self.segments {
            let candidates = match query.sameness {
                Sameness::Exact | Sameness::Loose => {
                    self.candidates(segment, target.board.key(), within)?
                }
                Sameness::Plan => within.range(segment.base, segment.base + segment.games),
            };
            let look = |game: &GameBytes<'_>| match target.of(game) {
                Some(same) => {
                    game.find(self.variations, |at, later, ply| same.look(at, later, ply))
                }
                None => Some(Found::Nowhere),
            };
            replay(segment, &candidates, true, found, places, look)?;
        }
        Ok(())
    }

    /// The games among some whose lists say that they may reach a position.
    pub(crate) fn candidates(
        &self,
        segment: &Segment,
        key: u64,
        within: &GameSet,
    ) -> Result<Vec<u32>, IndexError> {
        let mut games = segment.lists().games(key).ok_or_else(|| {
            crate::error::damaged(&segment.path, "a list of positions cannot be read")
        })?;
        games.retain(|game| within.contains(segment.base + game));
        Ok(games)
    }

    fn patterns(
        &self,
        pattern: &Pattern,
        within: &GameSet,
        variations: bool,
        found: &mut GameSet,
        places: &mut Places,
    ) -> Result<(), IndexError> {
        let matchers: Vec<(RuleSystem, Matcher)> = RuleSystem::ALL
            .iter()
            .map(|rules| (*rules, Matcher::new(pattern, *rules)))
            .collect();
        let matcher = |rules| matchers.iter().find(|(r, _)| *r == rules).map(|(_, m)| m);
        for segment in &self.segments {
            let mut games = within.range(segment.base, segment.base + segment.games);
            games.retain(|game| {
                let bytes = segment.game(*game);
                let matcher = bytes.rules().and_then(matcher);
                // What a signature says of the main line it does not say of variations.
                matcher.is_some_and(|matcher| {
                    !matcher.is_never()
                        && (variations && bytes.has_variations
                            || matcher.may_match(&segment.signature(*game)))
                })
            });
            let look = |game: &GameBytes<'_>| {
                let Some(matcher) = game.rules().and_then(matcher) else {
                    return Some(Found::Nowhere);
                };
                let (first, last) = matcher.plies();
                game.find(variations, |at, later, ply| {
                    let matches = ply >= first
                        && matcher.matches_board(at, ply).unwrap_or_else(|| {
                            later
                                .position(ply)
                                .is_some_and(|p| matcher.matches(at, p, ply))
                        });
                    if matches {
                        Step::Here
                    } else if ply >= last {
                        Step::Over
                    } else {
                        Step::Go
                    }
                })
            };
            replay(segment, &games, true, found, places, look)?;
        }
        Ok(())
    }

    fn materials(
        &self,
        balances: &[Material],
        within: &GameSet,
        variations: bool,
        found: &mut GameSet,
        places: &mut Places,
    ) -> Result<(), IndexError> {
        for segment in &self.segments {
            let mut games = within.range(segment.base, segment.base + segment.games);
            games.retain(|game| {
                variations && segment.game(*game).has_variations || {
                    let signature = segment.signature(*game);
                    balances.iter().any(|balance| balance.may_hold(&signature))
                }
            });
            // The balance is told from where it began, and known only later.
            let look = |game: &GameBytes<'_>| first_to_last(game, balances, variations);
            replay(segment, &games, false, found, places, look)?;
        }
        Ok(())
    }
}

/// Where the first of some balances to last as long as it should began.
fn first_to_last(game: &GameBytes<'_>, balances: &[Material], variations: bool) -> Option<Found> {
    let mut lasted = vec![0; balances.len()];
    let mut before = None;
    let mut since = 0;
    let place = game.find(variations, |at, _, ply| {
        // A variation begins anew: what lasts, lasts inside one line.
        let follows = before.is_none_or(|before| ply == before + 1);
        before = Some(ply);
        for (balance, lasted) in balances.iter().zip(&mut lasted) {
            *lasted = match (balance.holds(at), follows) {
                (true, true) => *lasted + 1,
                (true, false) => 1,
                (false, _) => 0,
            };
            if *lasted >= balance.plies() {
                since = balance.plies() - 1;
                return Step::Here;
            }
        }
        Step::Go
    })?;
    Some(match place {
        Found::Main(ply) => Found::Main(ply - since.min(ply)),
        Found::Variation(ply) => Found::Variation(ply - since.min(ply)),
        Found::Nowhere => Found::Nowhere,
    })
}

fn cost_of(query: &Query) -> u8 {
    match query {
        Query::Position(position) if position.sameness != Sameness::Plan => 1,
        query if query.is_about_fields() => 0,
        Query::Or(parts) | Query::And(parts) => {
            // A few positions at most: those of one line of moves under several rules.
            2 - u8::from(parts.iter().all(|part| cost_of(part) <= 1))
        }
        _ => 2,
    }
}

/// Replays games, on several threads if there are many, and notes those in which something is found.
///
/// `early`: whether a game that is found at a ply was found by what it did until then, so that games that begin alike
/// need not be looked at again.
fn replay(
    segment: &Segment,
    games: &[u32],
    early: bool,
    found: &mut GameSet,
    places: &mut Places,
    look: impl Fn(&GameBytes<'_>) -> Option<Found> + Sync,
) -> Result<(), IndexError> {
    let look = |game: &u32| match look(&segment.game(*game)) {
        Some(Found::Nowhere) => None,
        Some(place) => Some(Ok((*game, place))),
        None => Some(Err(crate::error::damaged(
            &segment.path,
            "a game cannot be read",
        ))),
    };
    // Many games that reach a position early begin alike: what the first of them teach spares replaying the others.
    let (first, rest) = games.split_at(games.len().min(64));
    let mut hits = Vec::new();
    for game in first {
        hits.extend(look(game).transpose()?);
    }
    let mut beginnings: Vec<Beginning> = Vec::new();
    if early && !rest.is_empty() {
        for (game, place) in &hits {
            let game = segment.game(*game);
            if let Found::Main(ply) = place
                && beginnings.len() < 8
                && !beginnings.iter().any(|b| b.is_of(&game))
            {
                beginnings.extend(Beginning::of(&game, *ply));
            }
        }
    }
    let look = |game: &u32| {
        let bytes = segment.game(*game);
        match beginnings.iter().find(|b| b.is_of(&bytes)) {
            Some(known) => Some(Ok((*game, Found::Main(known.ply)))),
            None => look(game),
        }
    };
    let more: Result<Vec<(u32, Found)>, IndexError> =
        rest.par_iter().with_min_len(64).filter_map(look).collect();
    hits.extend(more?);
    for (game, _) in &hits {
        found.insert(segment.base + game);
    }
    let hits = hits
        .into_iter()
        .map(|(game, place)| (segment.base + game, place));
    places.0.push(Place::Each(hits.collect()));
    Ok(())
}

/// A position that is looked for, made ready.
struct Target<'a> {
    query: &'a PositionQuery,
    board: Board,
    plan: Plan,
    /// By number of the rules: whether it is the position their games start from.
    start: Vec<bool>,
}

impl<'a> Target<'a> {
    fn new(query: &'a PositionQuery) -> Self {
        let board = Board::of(&query.setup, &Castlings::NONE);
        let is_start = |start: &Start| {
            let key = query.key(start.rules);
            match query.sameness {
                Sameness::Exact => {
                    key == Some(start.position.key()) && start.board.is_placed_as(&board)
                }
                Sameness::Loose => {
                    (key.is_some() || !query.of_one_system) && start.board.is_placed_as(&board)
                }
                Sameness::Plan => false,
            }
        };
        Self {
            query,
            start: (0..).map_while(systems::start).map(is_start).collect(),
            plan: Plan::of(&query.setup),
            board,
        }
    }

    /// What to look for in a game, if it is of a rule system in question.
    fn of(&self, game: &GameBytes<'_>) -> Option<TargetOf<'_>> {
        let rules = game.rules()?;
        let key = self.query.key(rules);
        let fits = match self.query.sameness {
            Sameness::Exact => key.is_some(),
            // A placement that cannot be played under any rules may be asked for in games of all; one that was reached
            // under some rules is asked for in their games.
            Sameness::Loose | Sameness::Plan => {
                rules.family() == self.query.setup.family()
                    && (key.is_some() || !self.query.of_one_system)
            }
        };
        fits.then(|| TargetOf {
            target: self,
            exact: key.unwrap_or(0),
        })
    }
}

struct TargetOf<'a> {
    target: &'a Target<'a>,
    /// The key under the rules of the game.
    exact: u64,
}

impl TargetOf<'_> {
    #[inline]
    fn look(&self, at: &Board, later: &mut Later<'_>, ply: u32) -> Step {
        let target = self.target;
        let same = match target.query.sameness {
            Sameness::Plan => target.plan.is_seen(at),
            _ if at.key() != target.board.key() => false,
            Sameness::Loose => at.is_placed_as(&target.board),
            Sameness::Exact => {
                at.is_placed_as(&target.board)
                    && later.position(ply).is_some_and(|p| p.key() == self.exact)
            }
        };
        if same {
            Step::Here
        } else if at.total() < target.board.total() {
            // Pieces never come back.
            Step::Over
        } else {
            Step::Go
        }
    }
}
