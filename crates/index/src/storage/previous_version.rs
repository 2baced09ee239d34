//! Indices of the previous version, whose games can be added to an index of this version.
//!
//! Version 4 has the same files and the same columns, but no words of other tags, no labels, and no columns of endings,
//! clocks and evaluations. Adding a game computes them from the game.

use crate::error::{At, Result};
use crate::model::entry::GameEntry;
use crate::storage::columns::{Column, result_of};
use crate::storage::segment::Segment;
use crate::storage::snapshot::Snapshot;
use crate::storage::store::Store;
use std::path::Path;
use tantivy::schema::Field;

/// An index of the previous version.
pub(crate) struct PreviousIndex {
    pub(crate) snapshot: Snapshot,
    /// The field of the records.
    record: Field,
}

impl PreviousIndex {
    /// Opens an index of the previous version.
    ///
    /// # Errors
    /// Returns an error if there is none, or if opening it finds damage.
    pub(crate) fn open(root: &Path) -> Result<Self> {
        let store = Store::read_previous(root)?;
        let record = store.index.schema().get_field("record").at(root)?;
        let snapshot = Snapshot::of(store)?;
        Ok(Self { snapshot, record })
    }

    /// Reads a game.
    ///
    /// # Errors
    /// Returns an error if the game is damaged.
    pub(crate) fn game(&self, segment: &Segment, doc: u32) -> Result<GameEntry> {
        let record = segment.record_in(self.record, doc)?;
        let game = segment.game(doc).ok_or_else(|| segment.unreadable())?;
        let (moves, variations) = game.moves().ok_or_else(|| segment.unreadable())?;
        let mut entry = GameEntry {
            number: segment.value(Column::Number, doc)? as u32,
            rules: game.start.rules,
            start: game.setup(),
            tags: record.tags,
            moves,
            variations,
            notes: record.notes,
            result: result_of(segment.value(Column::Result, doc)?),
            ending: None,
        };
        entry.ending = entry.replayed_ending();
        Ok(entry)
    }
}
