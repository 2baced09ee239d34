//! Indices of the previous version, whose games can be added to an index of this version.
//!
//! Version 3 has the same files but other columns: one number has the rules, result and flags of a game, another has
//! both ratings, dates have other codes, and texts have no columns. Of these columns, only the result is needed here,
//! because adding a game computes its columns from the game.

use crate::error::{At, Result, damaged};
use crate::model::entry::GameEntry;
use crate::storage::columns::{Column, result_of};
use crate::storage::segment::Segment;
use crate::storage::snapshot::Snapshot;
use crate::storage::store::Store;
use std::path::Path;
use tantivy::schema::Field;

/// The column that has rules (3 bits), result (3 bits) and flags.
const FLAGS: &str = "flags";

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
        let root = segment.root();
        let record = segment.record_in(self.record, doc)?;
        let flags = segment.reader.fast_fields().u64(FLAGS).at(root)?.first(doc);
        let missing = || damaged(&segment.path("fast"), "the flags of a game are missing");
        let flags = flags.ok_or_else(missing)?;
        let game = segment.game(doc).ok_or_else(|| segment.unreadable())?;
        let (moves, variations) = game.moves().ok_or_else(|| segment.unreadable())?;
        Ok(GameEntry {
            number: segment.value(Column::Number, doc)? as u32,
            rules: game.start.rules,
            start: game.setup(),
            tags: record.tags,
            moves,
            variations,
            notes: record.notes,
            result: result_of(flags >> 3 & 7),
        })
    }
}
