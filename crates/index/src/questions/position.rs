//! A position that is searched: a list has the games that may reach it, and a replay of each decides.

use super::game_set::GameSet;
use super::plan::Plan;
use super::query::{PositionQuery, Sameness};
use crate::error::IndexError;
use crate::game::line::{Found, GameBytes, Later, Step};
use crate::game::systems::{self, Start};
use crate::store::folder::{KEYS, TABLES};
use crate::store::segment::Segment;
use tridex_rules::Placement;

/// A position that is searched, ready for all games.
#[derive(Debug)]
pub(crate) struct Target {
    query: PositionQuery,
    board: Placement,
    plan: Plan,
    /// By number of the rules: whether it is the position their games start from.
    start: Vec<bool>,
    /// Whether positions of variations count.
    variations: bool,
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
        }
    }

    /// Whether lists have the games that may reach it, as they do unless only the view from the top is known.
    pub(crate) fn is_listed(&self) -> bool {
        self.query.sameness != Sameness::Plan
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
            // A placement that cannot be played under any rules may be searched in games of all; one that was reached
            // under some rules is searched in their games.
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

    /// The games among some that may reach the position, and whether they all do.
    ///
    /// # Errors
    /// If the lists or tables are damaged.
    pub(crate) fn candidates(
        &self,
        segment: &Segment,
        within: &GameSet,
    ) -> Result<(GameSet, bool), IndexError> {
        let reached = self
            .reached(segment)
            .ok_or_else(|| segment.fault(TABLES, "a table cannot be read"))?;
        if reached == u64::from(segment.games()) {
            return Ok((within.clone(), true));
        }
        let listed = segment.lists().list(self.board.key());
        let listed =
            listed.ok_or_else(|| segment.fault(KEYS, "a list of positions cannot be read"))?;
        // A game that reaches the position itself also reaches what is like it: if these are as many as the list has, it
        // is all of them.
        let is_exact = reached == listed.len() as u64;
        let mut games = within.none();
        let inside = listed.into_iter().filter(|doc| within.contains(*doc));
        inside.for_each(|doc| games.insert(doc));
        Ok((games, is_exact))
    }

    /// How many games of a segment reach exactly the position in their main lines, according to its tables: those of
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
