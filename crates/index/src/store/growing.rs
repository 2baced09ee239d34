//! Segments on their way to the disk.

use super::document::GameDoc;
use super::folder::HALF_WRITTEN;
use crate::error::{At, Result};
use std::path::Path;
use tantivy::indexer::{AddOperation, SegmentWriter};
use tantivy::{Index, Segment, SegmentMeta};

/// The most positions a segment is written with: offsets inside one have 32 bits.
pub(super) const MOST_POSITIONS: u64 = 1 << 27;
/// The memory a segment may take while it grows, for tantivy, which sizes its tables by that.
const SEGMENT_MEMORY: usize = 30_000_000;

/// A segment that grows.
pub(super) struct Growing {
    segment: Segment,
    writer: SegmentWriter,
    /// What its games take in memory, in positions.
    weight: u64,
}

impl Growing {
    /// An empty segment of an index.
    pub(super) fn new(index: &Index) -> tantivy::Result<Self> {
        let segment = index.new_segment();
        let writer = SegmentWriter::for_segment(SEGMENT_MEMORY, segment.clone())?;
        Ok(Self {
            segment,
            writer,
            weight: 0,
        })
    }

    /// Adds a game; returns the positions that the games weigh now.
    pub(super) fn add(&mut self, game: GameDoc) -> tantivy::Result<u64> {
        self.weight += game.weight;
        self.writer.add_document(AddOperation {
            opstamp: 0,
            document: game,
        })?;
        Ok(self.weight)
    }

    /// Writes it to the disk.
    pub(super) fn finish(self) -> tantivy::Result<SegmentMeta> {
        let games = self.writer.max_doc();
        self.writer.finalize()?;
        let meta = self.segment.with_max_doc(games).meta().clone();
        meta.untrack_temp_docstore();
        Ok(meta)
    }
}

/// Removes files that a killed writer left half written. Only to be called by the writer, before it adds anything.
pub(super) fn sweep(root: &Path) -> Result<()> {
    for entry in std::fs::read_dir(root).at(root)? {
        let entry = entry.at(root)?;
        let name = entry.file_name();
        if name.to_string_lossy().starts_with(HALF_WRITTEN) {
            // On systems where an open file cannot be removed, a later writer will.
            let _ = std::fs::remove_file(entry.path());
        }
    }
    Ok(())
}
