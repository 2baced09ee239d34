//! Segments in memory that are not yet written to disk.
//!
//! tantivy's own writer distributes games over threads in no particular order. Here a segment is built while the previous
//! one is written, and games stay in order. The functions that allow this are public but hidden in tantivy's documentation:
//! `SegmentWriter::for_segment`, `IndexWriter::add_segment` and, for deletions, `IndexWriter::delete_query`. A test compares
//! the segments with those of tantivy's writer, so that a release that changes these functions does not go unnoticed.

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::prepare::Preparer;
    use crate::storage::store::Store;
    use crate::tests::entries;
    use std::collections::BTreeMap;
    use tantivy::IndexWriter;
    use tantivy::indexer::NoMergePolicy;
    use tridex_rules::RuleSystem;

    /// The files of an index with one segment, by their extensions.
    fn files(is_ours: bool) -> BTreeMap<String, Vec<u8>> {
        let folder = tempfile::tempdir().unwrap();
        let (store, created) = Store::write(folder.path(), false).unwrap();
        let mut writer: IndexWriter<GameDoc> = store
            .index
            .writer_with_num_threads(1, SEGMENT_MEMORY)
            .unwrap();
        writer.set_merge_policy(Box::new(NoMergePolicy));
        let mut builder = is_ours.then(|| SegmentBuilder::new(&store.index).unwrap());
        let preparer = Preparer::without_index(None);
        for (number, entry) in (0..).zip(entries(RuleSystem::Meder, 40, 30, 3)) {
            let mut doc = preparer.prepare(&entry).unwrap().doc;
            doc.place(number, "a.pgn");
            let _ = match &mut builder {
                Some(builder) => builder.add(doc).unwrap(),
                None => writer.add_document(doc).unwrap(),
            };
        }
        if let Some(builder) = builder {
            writer.add_segment(builder.finish().unwrap()).unwrap();
        }
        writer.commit().unwrap();
        if let Some(created) = created {
            created.keep();
        }
        let found = std::fs::read_dir(folder.path()).unwrap();
        let found = found.filter_map(|file| {
            let path = file.unwrap().path();
            let (id, kind) = path.file_name()?.to_str()?.split_once('.')?;
            // The checksums begin with the names of the files.
            let is_compared = id.len() == 32 && kind != "sums";
            is_compared.then(|| (kind.to_owned(), std::fs::read(&path).unwrap()))
        });
        found.collect()
    }

    /// Segments are built here with functions of tantivy that its documentation hides (`SegmentWriter::for_segment`,
    /// `IndexWriter::add_segment`). If another release changes what they do, this test fails.
    #[test]
    fn a_segment_is_the_same_as_one_that_tantivy_builds() {
        let (ours, theirs) = (files(true), files(false));
        assert!(ours.len() > 8, "{:?}", ours.keys());
        assert!(ours.keys().eq(theirs.keys()));
        for (kind, bytes) in &ours {
            assert_eq!(Some(bytes), theirs.get(kind), "{kind}");
        }
    }
}
