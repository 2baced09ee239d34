//! A position that is searched: a list has the games that may reach it, and a replay of each decides.

use super::game_set::GameSet;
use super::query::{PositionQuery, Sameness};
use super::results::ResultCounts;
use crate::bits::Bytes;
use crate::error::Result;
use crate::game::line::{GameBytes, Later, Place, Step};
use crate::game::systems;
use crate::store::folder::{KEYS, TABLES};
use crate::store::segment::Segment;
use tantivy::DocId;
use tridex_rules::{Placement, RuleSystem};

/// A position that is searched, ready for all games.
#[derive(Debug)]
pub(crate) struct Target {
    query: PositionQuery,
    pub(crate) board: Placement,
}

impl Target {
    pub(crate) fn new(query: &PositionQuery) -> Self {
        let board = systems::placement(&query.setup);
        let query = query.clone();
        Self { query, board }
    }

    /// Whether games of a rule system may reach the position.
    pub(crate) fn fits(&self, rules: RuleSystem) -> bool {
        self.query.fits(rules)
    }

    /// The key that the position has under a rule system.
    #[inline]
    pub(crate) fn key(&self, rules: RuleSystem) -> u64 {
        self.query.key(rules).unwrap_or(0)
    }

    /// Where a game reaches the position first, in variations too if they count; `None` if the game is damaged.
    #[inline]
    pub(crate) fn find(&self, game: &GameBytes<'_>, variations: bool) -> Option<Option<Place>> {
        let rules = game.start.rules;
        if !self.fits(rules) {
            return Some(None);
        }
        let key = self.key(rules);
        game.find(variations, |at, later, ply| self.look(at, later, ply, key))
    }

    /// Whether this is the position, of which the key is known.
    #[inline]
    pub(crate) fn look(&self, at: &Placement, later: &mut Later<'_>, ply: u32, key: u64) -> Step {
        let same = match self.query.sameness {
            _ if at.key() != self.board.key() => false,
            Sameness::Loose | Sameness::Plan => at.is_same(&self.board),
            Sameness::Exact => at.is_same(&self.board) && later.key(ply) == Some(key),
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

    /// The games of a segment that may reach the position, deleted ones too.
    ///
    /// # Errors
    /// If the lists are damaged.
    pub(crate) fn list(&self, segment: &Segment) -> Result<Vec<DocId>> {
        let listed = segment.lists.list(self.board.key());
        listed.ok_or_else(|| segment.fault(KEYS, "a list of positions cannot be read"))
    }

    /// What was counted of the position when a segment was written, if it is one of one rule system and no game was
    /// deleted since.
    ///
    /// # Errors
    /// If the tables are damaged.
    pub(crate) fn table<T>(
        &self,
        segment: &Segment,
        read: impl FnOnce(&mut Bytes<'_>, &Placement) -> Option<T>,
    ) -> Result<Option<T>> {
        let [(rules, key)] = self.query.keys.as_slice() else {
            return Ok(None);
        };
        if self.query.sameness != Sameness::Exact || segment.reader.has_deletes() {
            return Ok(None);
        }
        let code = systems::code(*rules);
        let table = segment.tables.get(code, *key, &self.board, read);
        table.ok_or_else(|| segment.fault(TABLES, "a table cannot be read"))
    }

    /// The games among some that may reach the position, and whether they all do.
    ///
    /// # Errors
    /// If the lists or tables are damaged.
    pub(crate) fn candidates(
        &self,
        segment: &Segment,
        within: &GameSet,
    ) -> Result<(GameSet, bool)> {
        // How many games reach exactly the position in their main lines, according to tables: those of positions that few
        // reach are not counted there.
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
        // A game that reaches the position itself also reaches what is like it: if these are as many as the list has, it
        // is all of them.
        let is_exact = reached == listed.len() as u64;
        let inside = listed.into_iter().filter(|doc| within.contains(*doc));
        Ok((inside.collect(), is_exact))
    }
}
