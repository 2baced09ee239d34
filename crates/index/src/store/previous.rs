//! Indices of the version before, of which games are read to be added to an index of this version.
//!
//! Version 3 has the same files. Its columns are others: rules, result and flags of a game are one number, and so are both
//! ratings; dates have other codes, and texts are no columns. Of all this only the result is needed here, because an index that
//! games are added to makes its columns from the games.

use super::columns::{Column, result_of};
use super::open::Store;
use super::reader::Part;
use super::segment::Segment;
use crate::error::{At, Result, damaged};
use crate::game::entry::GameEntry;
use std::path::Path;
use tantivy::schema::Field;

/// The column with rules (3 bits), result (3 bits) and flags.
const FLAGS: &str = "flags";

/// An index of the version before.
pub(super) struct PreviousIndex {
    pub(super) part: Part,
    /// The field of what is shown of a game.
    record: Field,
}

impl PreviousIndex {
    /// Opens an index of the version before.
    ///
    /// # Errors
    /// If there is none, or it is damaged so that it shows.
    pub(super) fn open(root: &Path) -> Result<Self> {
        let store = Store::read_previous(root)?;
        let record = store.index.schema().get_field("record").at(root)?;
        let part = Part::of(store)?;
        Ok(Self { part, record })
    }

    /// A game.
    ///
    /// # Errors
    /// If it is damaged.
    pub(super) fn game(&self, segment: &Segment, doc: u32) -> Result<GameEntry> {
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
