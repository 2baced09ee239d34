//! Searches for a position: a list names the games that may reach it, and a replay of each decides.

use crate::codec::varint::Bytes;
use crate::error::Result;
use crate::model::game_bytes::{GameBytes, Later, LinePly, Step};
use crate::model::game_set::GameSet;
use crate::model::results::ResultCounts;
use crate::model::systems;
use crate::query::expression::{PositionMatch, PositionQuery};
use crate::storage::file_names::{KEYS, TABLES};
use crate::storage::segment::Segment;
use tantivy::DocId;
use tridex_rules::{Placement, RuleSystem};

/// A position to search for, prepared once for all games.
#[derive(Debug)]
pub(crate) struct WantedPosition {
    query: PositionQuery,
    pub(crate) board: Placement,
}

impl WantedPosition {
    pub(crate) fn new(query: &PositionQuery) -> Self {
        let board = systems::placement(&query.setup);
        let query = query.clone();
        Self { query, board }
    }

    /// Whether games of a rule system may reach the position.
    pub(crate) fn fits(&self, rules: RuleSystem) -> bool {
        self.query.fits(rules)
    }

    /// The key of the position under a rule system.
    #[inline]
    pub(crate) fn key(&self, rules: RuleSystem) -> u64 {
        self.query.key(rules).unwrap_or(0)
    }

    /// Where a game first reaches the position, in variations too if `variations` is set; `None` if the game is
    /// damaged.
    #[inline]
    pub(crate) fn find(&self, game: &GameBytes<'_>, variations: bool) -> Option<Option<LinePly>> {
        let rules = game.start.rules;
        if !self.fits(rules) {
            return Some(None);
        }
        let key = self.key(rules);
        game.find(variations, |at, later, ply| {
            self.compare(at, later, ply, key)
        })
    }

    /// Whether a placement of a game is this position, whose key under the game's rules is `key`.
    #[inline]
    pub(crate) fn compare(
        &self,
        at: &Placement,
        later: &mut Later<'_>,
        ply: u32,
        key: u64,
    ) -> Step {
        let same = match self.query.position_match {
            _ if at.key() != self.board.key() => false,
            PositionMatch::Loose | PositionMatch::FromTop => at.is_same(&self.board),
            PositionMatch::Exact => at.is_same(&self.board) && later.key(ply) == Some(key),
        };
        if same {
            Step::Here
        } else if at.total() < self.board.total() {
            // The number of pieces never increases.
            Step::Over
        } else {
            Step::Go
        }
    }

    /// Lists the games of a segment that may reach the position, including deleted ones.
    ///
    /// # Errors
    /// Returns an error if the lists are damaged.
    pub(crate) fn list(&self, segment: &Segment) -> Result<Vec<DocId>> {
        let listed = segment.lists.list(self.board.key());
        listed.ok_or_else(|| segment.fault(KEYS, "a list of positions cannot be read"))
    }

    /// Reads the counts that were stored for the position when the segment was written. There are none if the position
    /// is searched under more than one rule system, or if a game of the segment was deleted since.
    ///
    /// # Errors
    /// Returns an error if the tables are damaged.
    pub(crate) fn table<T>(
        &self,
        segment: &Segment,
        read: impl FnOnce(&mut Bytes<'_>, &Placement) -> Option<T>,
    ) -> Result<Option<T>> {
        let [(rules, key)] = self.query.keys.as_slice() else {
            return Ok(None);
        };
        if self.query.position_match != PositionMatch::Exact || segment.reader.has_deletes() {
            return Ok(None);
        }
        let code = systems::code(*rules);
        let table = segment.tables.get(code, *key, &self.board, read);
        table.ok_or_else(|| segment.fault(TABLES, "a table cannot be read"))
    }

    /// Returns the games of `within` that may reach the position, and whether all of them do.
    ///
    /// # Errors
    /// Returns an error if the lists or tables are damaged.
    pub(crate) fn candidates(
        &self,
        segment: &Segment,
        within: &GameSet,
    ) -> Result<(GameSet, bool)> {
        // The number of games whose main lines reach exactly the position, as far as tables count them. Positions that
        // few games reach have no table.
        let mut reached = 0;
        for (rules, key) in &self.query.keys {
            let code = systems::code(*rules);
            let read = |bytes: &mut Bytes<'_>, _: &Placement| ResultCounts::read(bytes);
            let total = segment.tables.get(code, *key, &self.board, read);
            let total = total.ok_or_else(|| segment.fault(TABLES, "a table cannot be read"))?;
            reached += total.map_or(0, |total| total.games);
        }
        if reached == u64::from(segment.games()) {
            return Ok((within.clone(), true));
        }
        let listed = self.list(segment)?;
        // The list contains every game that reaches the position, and games that reach similar ones. If the counts are
        // equal, there are no others in the list.
        let is_exact = reached == listed.len() as u64;
        let inside = listed.into_iter().filter(|doc| within.contains(*doc));
        Ok((inside.collect(), is_exact))
    }
}
