//! A position as a condition on games: the lists propose games, and a replay of each decides.

use super::condition::{Condition, Proposal, Test, Trouble};
use crate::error::IndexError;
use crate::game::line::{Beginning, Found, GameBytes, Later, Step};
use crate::game::systems::{self, Start};
use crate::questions::plan::Plan;
use crate::questions::query::{PositionQuery, Sameness};
use crate::store::folder::KEYS;
use crate::store::segment::Segment;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tridex_rules::Placement;

/// A position that is looked for, made ready. Clones share what games have taught.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    query: PositionQuery,
    board: Placement,
    plan: Plan,
    /// By number of the rules: whether it is the position their games start from.
    start: Vec<bool>,
    /// Whether positions of variations count.
    variations: bool,
    /// How games of the segments looked at so far begin that reach it.
    known: Arc<Mutex<Vec<Beginning>>>,
}

impl Target {
    pub(crate) fn new(query: &PositionQuery, variations: bool) -> Self {
        let board = systems::placement(&query.setup);
        let is_start = |start: &Start| {
            let key = query.key(start.rules);
            match query.sameness {
                Sameness::Exact => key == Some(start.position.key()) && start.board.is_same(&board),
                Sameness::Loose => {
                    (key.is_some() || !query.of_one_system) && start.board.is_same(&board)
                }
                Sameness::Plan => false,
            }
        };
        Self {
            start: (0..).map_while(systems::start).map(is_start).collect(),
            plan: Plan::of(&query.setup),
            query: query.clone(),
            board,
            variations,
            known: Arc::default(),
        }
    }

    /// Where a game reaches the position first; `None` if the game is damaged.
    #[inline]
    pub(crate) fn find(&self, game: &GameBytes<'_>) -> Option<Found> {
        if let Some(code) = game.standard_start()
            && self.start.get(usize::from(code)) == Some(&true)
        {
            return Some(Found::Main(0));
        }
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
        if !fits {
            return Some(Found::Nowhere);
        }
        let exact = key.unwrap_or(0);
        game.find(self.variations, |at, later, ply| {
            self.look(at, later, ply, exact)
        })
    }

    #[inline]
    fn look(&self, at: &Placement, later: &mut Later<'_>, ply: u32, exact: u64) -> Step {
        let same = match self.query.sameness {
            Sameness::Plan => self.plan.is_seen(at),
            _ if at.key() != self.board.key() => false,
            Sameness::Loose => at.is_same(&self.board),
            Sameness::Exact => {
                at.is_same(&self.board) && later.position(ply).is_some_and(|p| p.key() == exact)
            }
        };
        if same {
            Step::Here
        } else if at.total() < self.board.total() {
            // Pieces never come back.
            Step::Over
        } else {
            Step::Go
        }
    }

    fn known(&self) -> MutexGuard<'_, Vec<Beginning>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many games of a segment reach exactly the position in their main lines, as far as its tables tell: those of
    /// positions that few reach are not counted there. `None` if a table cannot be read.
    fn reached(&self, segment: &Segment) -> Option<u64> {
        let mut games = 0;
        for (rules, key) in &self.query.keys {
            let total = segment
                .tables()
                .total(systems::code(*rules), *key, &self.board)?;
            games += total.map_or(0, |total| total.games);
        }
        Some(games)
    }
}

/// How many games are replayed before it is looked which begin alike.
const FIRST: usize = 64;
/// How many beginnings are known at most.
const BEGINNINGS: usize = 8;

impl Condition for Target {
    fn propose(&self, segment: &Arc<Segment>, trouble: &Trouble) -> Result<Proposal, IndexError> {
        let reached = self
            .reached(segment)
            .ok_or_else(|| segment.fault("tables", "a table cannot be read"))?;
        if reached == u64::from(segment.games()) {
            return Ok(Proposal {
                games: None,
                test: None,
                cost: 1,
            });
        }
        let games = segment.lists().list(self.board.key());
        let games =
            games.ok_or_else(|| segment.fault(KEYS, "a list of positions cannot be read"))?;
        // Who reaches the position itself also reaches what is like it: if these are as many as are proposed, it is all
        // of them.
        if reached == games.len() as u64 {
            return Ok(Proposal {
                games: Some(games),
                test: None,
                cost: 1,
            });
        }
        // The query lives as long as its scorers.
        let target = self.clone();
        let (segment, trouble) = (Arc::clone(segment), trouble.clone());
        // Many games that reach a position early begin alike: what the first of them teach spares replaying the others.
        let mut beginnings = self.known().clone();
        let mut tested = 0;
        let test: Test = Box::new(move |doc| {
            let Some(game) = segment.game(doc) else {
                trouble.keep(segment.unreadable());
                return false;
            };
            if beginnings.iter().any(|known| known.is_of(&game)) {
                return true;
            }
            let found = target.find(&game);
            tested += 1;
            match found {
                Some(Found::Nowhere) => false,
                Some(Found::Main(ply)) => {
                    if tested < FIRST && beginnings.len() < BEGINNINGS {
                        let new = Beginning::of(&game, ply);
                        beginnings.extend(new.clone());
                        target.known().extend(new);
                    }
                    true
                }
                Some(Found::Variation(..)) => true,
                None => {
                    trouble.keep(segment.unreadable());
                    false
                }
            }
        });
        Ok(Proposal {
            games: Some(games),
            test: Some(test),
            cost: 100,
        })
    }
}
