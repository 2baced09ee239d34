//! Commits: how what was added comes to the disk, whole or not at all.

use super::document::{GameDoc, LEAST_WEIGHT};
use super::folder::HALF_WRITTEN;
use super::merge::{self, Size};
use super::reader::{Part, State};
use super::segment::Segment as Opened;
use super::writer::{Summary, Writer};
use crate::error::{IndexError, io, told};
use crate::questions::condition::Numbers;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use tantivy::indexer::{AddOperation, SegmentWriter};
use tantivy::{Segment, SegmentMeta};

/// The most positions a segment is written with: offsets inside one have 32 bits.
const MOST_POSITIONS: u64 = 1 << 27;
/// What tantivy is told that a segment may take in memory while it grows; it sizes its tables by that.
const SEGMENT_MEMORY: usize = 30_000_000;

/// A segment that grows.
pub(super) struct Growing {
    segment: Segment,
    writer: SegmentWriter,
    /// What its games take in memory, in positions.
    weight: u64,
}

/// What a commit consists of.
pub(super) struct Finishing {
    /// The segment of its games, if there are any.
    segment: Option<JoinHandle<tantivy::Result<SegmentMeta>>>,
    state: State,
    deleted: BTreeSet<u32>,
}

impl Finishing {
    fn wait(&mut self, root: &Path) -> Result<Option<SegmentMeta>, IndexError> {
        let Some(thread) = self.segment.take() else {
            return Ok(None);
        };
        match thread.join() {
            Ok(written) => written.map(Some).map_err(told(root)),
            Err(_) => Err(IndexError::Failed {
                path: root.to_owned(),
                what: "a segment could not be written".to_owned(),
            }),
        }
    }
}

impl Writer {
    /// Puts a game into the segment that grows; tells whether that is full.
    pub(super) fn put(&mut self, game: GameDoc) -> Result<bool, IndexError> {
        let told = told(&self.committed.store.root);
        let growing = match &mut self.growing {
            Some(growing) => growing,
            place => {
                let segment = self.committed.store.index.new_segment();
                let writer = SegmentWriter::for_segment(SEGMENT_MEMORY, segment.clone());
                place.insert(Growing {
                    segment,
                    writer: writer.map_err(&told)?,
                    weight: 0,
                })
            }
        };
        growing.weight += game.weight;
        let operation = AddOperation {
            opstamp: 0,
            document: game,
        };
        growing.writer.add_document(operation).map_err(&told)?;
        self.state.next_game += 1;
        Ok(growing.weight >= self.options.commit_positions.min(MOST_POSITIONS))
    }

    /// Makes what was added and deleted safe and seen by readers that open the index from now on.
    ///
    /// # Errors
    /// If the system refuses (no space, say). The index stays as the last commit left it, and this writer takes nothing
    /// more.
    pub fn commit(&mut self) -> Result<(), IndexError> {
        self.check()?;
        if !self.changed {
            return Ok(());
        }
        self.commit_with(Self::merge)
    }

    fn commit_with(
        &mut self,
        merge: impl FnOnce(&mut Self) -> Result<(), IndexError>,
    ) -> Result<(), IndexError> {
        self.guarded(|writer| {
            writer.rotate()?;
            writer.settle()?;
            merge(writer)
        })?;
        self.changed = false;
        self.waiting.clear();
        Ok(())
    }

    /// Does something after which, if it fails, nothing more can be done.
    pub(super) fn guarded(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<(), IndexError>,
    ) -> Result<(), IndexError> {
        self.broken = true;
        let done = work(self);
        match done {
            Ok(()) => self.broken = false,
            Err(_) => {
                // Give the space back at once; readers and the next writer do not mind.
                self.abandon();
                if let Some(index) = &self.index {
                    let _ = index.garbage_collect_files().wait();
                }
            }
        }
        done
    }

    /// Sends the segment that grows to the disk, on a thread of its own, and commits the one before.
    pub(super) fn rotate(&mut self) -> Result<(), IndexError> {
        let segment = self.growing.take().map(|growing| {
            std::thread::spawn(move || {
                let games = growing.writer.max_doc();
                growing.writer.finalize()?;
                let meta = growing.segment.with_max_doc(games).meta().clone();
                meta.untrack_temp_docstore();
                Ok(meta)
            })
        });
        let next = Finishing {
            segment,
            state: self.state.clone(),
            deleted: std::mem::take(&mut self.deleted),
        };
        match self.finishing.replace(next) {
            Some(before) => self.commit_one(before),
            None => Ok(()),
        }
    }

    /// Commits what is on its way to the disk.
    fn settle(&mut self) -> Result<(), IndexError> {
        match self.finishing.take() {
            Some(last) => self.commit_one(last),
            None => Ok(()),
        }
    }

    fn commit_one(&mut self, mut one: Finishing) -> Result<(), IndexError> {
        let root = self.committed.store.root.clone();
        let told = told(&root);
        let segment = one.wait(&root)?;
        let Some(index) = &mut self.index else {
            return Err(IndexError::CommitFailed(root.clone()));
        };
        if !one.deleted.is_empty() {
            let numbers = Numbers::new(one.deleted);
            index.delete_query(Box::new(numbers)).map_err(&told)?;
        }
        if let Some(segment) = segment {
            index.add_segment(segment).map_err(&told)?;
        }
        let payload = serde_json::to_string(&one.state).unwrap_or_default();
        let mut commit = index.prepare_commit().map_err(&told)?;
        commit.set_payload(&payload);
        commit.commit().map_err(&told)?;
        self.reopen()
    }

    fn reopen(&mut self) -> Result<(), IndexError> {
        self.committed = Part::of(self.committed.store.clone())?;
        match self.committed.damage().into_iter().next() {
            Some((path, what)) => Err(IndexError::Damaged { path, what }),
            None => Ok(()),
        }
    }

    /// Makes few segments of many.
    fn merge(&mut self) -> Result<(), IndexError> {
        loop {
            let size = |segment: &Arc<Opened>| Size {
                games: segment.games(),
                deleted: segment.reader.num_deleted_docs(),
                positions: u64::max(
                    segment.lists().positions(),
                    u64::from(segment.games()) * LEAST_WEIGHT,
                ),
            };
            let sizes: Vec<Size> = self.committed.segments.iter().map(size).collect();
            let Some(range) = merge::plan(&sizes) else {
                return Ok(());
            };
            let segments = self.committed.segments.get(range).unwrap_or_default();
            let ids: Vec<_> = segments.iter().map(|segment| segment.id()).collect();
            let Some(index) = &mut self.index else {
                return Ok(());
            };
            let merged = index.merge(&ids).wait();
            merged.map_err(told(&self.committed.store.root))?;
            self.reopen()?;
        }
    }

    /// Commits, waits until everything in the background is done, and tells what was done.
    ///
    /// # Errors
    /// As [`Writer::commit`].
    pub fn finish(mut self) -> Result<Summary, IndexError> {
        self.commit()?;
        self.end()
    }

    /// The same as soon as possible: segments are not merged, which the next commit does.
    ///
    /// # Errors
    /// As [`Writer::commit`].
    pub fn stop(mut self) -> Result<Summary, IndexError> {
        self.check()?;
        if self.changed {
            self.commit_with(|_| Ok(()))?;
        }
        self.end()
    }

    fn end(mut self) -> Result<Summary, IndexError> {
        let summary = self.summary();
        if let Some(index) = self.index.take() {
            index.wait_merging_threads().map_err(told(self.root()))?;
        }
        Ok(summary)
    }

    pub(super) fn check(&self) -> Result<(), IndexError> {
        match self.broken {
            true => Err(IndexError::CommitFailed(self.root().to_owned())),
            false => Ok(()),
        }
    }

    /// Forgets what was not committed. No thread of this writer writes any more afterwards.
    fn abandon(&mut self) {
        self.growing = None;
        if let Some(mut last) = self.finishing.take() {
            let _ = last.wait(&self.committed.store.root);
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // Before the lock is given back.
        self.abandon();
    }
}

/// Removes files that a killed writer left half written. Only to be called by the writer, before it adds anything.
pub(super) fn sweep(root: &Path) -> Result<(), IndexError> {
    for entry in std::fs::read_dir(root).map_err(io(root))? {
        let entry = entry.map_err(io(root))?;
        if entry
            .file_name()
            .to_string_lossy()
            .starts_with(HALF_WRITTEN)
        {
            // On systems where an open file cannot be removed, a later writer will.
            let _ = std::fs::remove_file(entry.path());
        }
    }
    Ok(())
}
