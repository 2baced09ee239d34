//! Segments in memory that are not yet written to disk.

use crate::error::{At, Result};
use crate::storage::document::GameDoc;
use crate::storage::file_names::HALF_WRITTEN;
use std::path::Path;
use tantivy::indexer::{AddOperation, SegmentWriter};
use tantivy::{Index, Segment, SegmentMeta};

/// The greatest number of positions a segment is written with. Offsets in a segment have 32 bits.
pub(crate) const MOST_POSITIONS: u64 = 1 << 27;
/// The memory that a growing segment may take. tantivy sizes its tables accordingly.
const SEGMENT_MEMORY: usize = 30_000_000;

/// A segment that is still in memory.
pub(crate) struct SegmentBuilder {
    segment: Segment,
    writer: SegmentWriter,
    /// The memory its games take, measured in positions.
    weight: u64,
}

impl SegmentBuilder {
    /// An empty segment of an index.
    pub(crate) fn new(index: &Index) -> tantivy::Result<Self> {
        let segment = index.new_segment();
        let writer = SegmentWriter::for_segment(SEGMENT_MEMORY, segment.clone())?;
        Ok(Self {
            segment,
            writer,
            weight: 0,
        })
    }

    /// Adds a game and returns the weight of all games in positions.
    pub(crate) fn add(&mut self, game: GameDoc) -> tantivy::Result<u64> {
        self.weight += game.weight;
        self.writer.add_document(AddOperation {
            opstamp: 0,
            document: game,
        })?;
        Ok(self.weight)
    }

    /// Writes the segment to disk.
    pub(crate) fn finish(self) -> tantivy::Result<SegmentMeta> {
        let games = self.writer.max_doc();
        self.writer.finalize()?;
        let meta = self.segment.with_max_doc(games).meta().clone();
        meta.untrack_temp_docstore();
        Ok(meta)
    }
}

/// Removes incomplete files that a killed writer left. Only the writer may call this, before it adds anything.
pub(crate) fn sweep(root: &Path) -> Result<()> {
    for entry in std::fs::read_dir(root).at(root)? {
        let entry = entry.at(root)?;
        let name = entry.file_name();
        if name.to_string_lossy().starts_with(HALF_WRITTEN) {
            // Some systems cannot remove an open file. A later writer will remove it.
            let _ = std::fs::remove_file(entry.path());
        }
    }
    Ok(())
}
