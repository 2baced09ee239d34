//! Adds games to an index.

mod bulk;

use crate::error::{At, IndexError, Result};
use crate::model::entry::GameEntry;
use crate::model::game_set::GameSet;
use crate::storage::columns::Column;
use crate::storage::document::{GameDoc, LEAST_WEIGHT};
use crate::storage::prepare::{Prepared, Preparer, Rejection};
use crate::storage::schema::SCHEMA_FIELDS;
use crate::storage::segment::Segment;
use crate::storage::snapshot::{Snapshot, State};
use crate::storage::store::{NewIndex, Store};
use crate::write::merge_policy::{self, Size};
use crate::write::options::IndexOptions;
use crate::write::segment_builder::{MOST_POSITIONS, SegmentBuilder, sweep};
use crate::write::summary::{SourceChange, Summary};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use tantivy::indexer::{IndexWriter, IndexWriterOptions, NoMergePolicy};
use tantivy::query::doc_predicate_query::{DocPredicateQuery, FunctionPredicate};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, SegmentMeta, SegmentReader, TERMINATED, TantivyError, Term};

/// The number of games that are prepared at a time, which limits memory.
const PORTION: usize = 2_048;
/// Memory for tantivy's own threads, which do nothing here: the smallest amount it allows.
const IDLE_MEMORY: usize = 15_000_000;

/// Adds games to an index. There is one writer at a time.
///
/// Games come from *sources* (files), one source after the other, and are numbered in each. After a commit, added games
/// are safe and readers see them. A writer that is dropped without [`Writer::finish`] or [`Writer::commit`] leaves the
/// index as of the last commit. If it has created the index and there was no commit, it removes the index.
///
/// The files of an index depend only on the games and their order, not on the number of threads or on timing.
pub struct Writer {
    options: IndexOptions,
    /// The index as of the last commit.
    committed: Snapshot,
    index: IndexWriter<GameDoc>,
    /// The state for the next commit.
    state: State,
    /// Committed games to be deleted.
    deleted: FxHashSet<u32>,
    building: Option<SegmentBuilder>,
    /// The previous commit, whose segment is being written to disk.
    finishing: Option<Finishing>,
    /// The name of the source that is being read.
    source: Option<Arc<str>>,
    /// The games of this source that are already in the index.
    existing: Vec<Existing>,
    /// Sources with games that are not committed yet.
    waiting: HashSet<Arc<str>>,
    summary: Summary,
    changed: bool,
    /// After a failed commit the writer accepts nothing more.
    broken: bool,
    /// The index, if this writer has created it and committed nothing yet.
    created: Option<NewIndex>,
}

/// A commit in progress: the thread that writes the segment of its games, if there are any; its state; and the games it
/// deletes.
type Finishing = (
    JoinHandle<tantivy::Result<Option<SegmentMeta>>>,
    State,
    FxHashSet<u32>,
);

/// A game of a source that is already in the index: its number in the source, its number in the index, its id, and
/// whether the source still has it.
type Existing = (u32, u32, u64, bool);

impl Writer {
    /// Opens the index of a folder for writing, or creates one if the folder is empty or does not exist.
    ///
    /// # Errors
    /// Returns an error if the folder has other files or an index of another version, if the index is damaged, if
    /// another writer has it open, or if the system reports an error.
    pub fn open(root: &Path, mut options: IndexOptions) -> Result<Self> {
        let (store, mut created) = Store::write(root, options.variations)?;
        options.variations = store.identity.variations;
        let threads = rayon::current_num_threads();
        let settings = IndexWriterOptions::builder()
            .num_worker_threads(1)
            .memory_budget_per_thread(IDLE_MEMORY)
            .num_merge_threads(threads)
            .build();
        let index = store.index.writer_with_options(settings);
        if let Err(TantivyError::LockFailure(..)) = index
            && let Some(created) = created.take()
        {
            // Another writer was faster.
            created.keep();
        }
        let index: IndexWriter<GameDoc> = index.at(root)?;
        // Merging is planned here, because it must keep games in order.
        index.set_merge_policy(Box::new(NoMergePolicy));
        let committed = Snapshot::undamaged(store)?;
        sweep(root)?;
        // Removes files that killed writers left. tantivy lists them as its own, but no commit refers to them.
        index.garbage_collect_files().wait().at(root)?;
        Ok(Self {
            options,
            state: committed.state.clone(),
            committed,
            index,
            deleted: FxHashSet::default(),
            building: None,
            finishing: None,
            source: None,
            existing: Vec::new(),
            waiting: HashSet::new(),
            summary: Summary::default(),
            changed: false,
            broken: false,
            created,
        })
    }

    /// Whether this writer has created the index and not committed anything yet. If it is dropped now, the index is
    /// removed.
    #[must_use]
    pub const fn is_new(&self) -> bool {
        self.created.is_some()
    }

    fn root(&self) -> &Path {
        &self.committed.store.root
    }

    /// Returns a preparer of games for this index, which works on any thread.
    #[must_use]
    pub fn preparer(&self) -> Preparer {
        Preparer {
            variations: self.options.variations,
            book: self.options.book.clone(),
        }
    }

    /// Returns the sources whose games are in the index, in alphabetical order.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn sources(&self) -> Result<Vec<String>> {
        let mut names: BTreeSet<String> =
            self.waiting.iter().map(|name| name.to_string()).collect();
        for segment in &self.committed.segments {
            let numbers = segment.column(Column::Game)?;
            let is_deleted = |doc: &u32| self.deleted.contains(&(numbers.get_val(*doc) as u32));
            let alive = segment.alive.iter().filter(|doc| !is_deleted(doc));
            let sources = segment.sources(alive)?.into_iter();
            names.extend(sources.map(|(name, _)| name));
        }
        Ok(names.into_iter().collect())
    }

    /// Returns the stamp that was stored when the source was last read. A source with the same stamp need not be read
    /// again.
    #[must_use]
    pub fn stamp(&self, source: &str) -> Option<u64> {
        self.state.stamps.get(source).copied()
    }

    /// Whether positions of variations are indexed too, as chosen when the index was created.
    #[must_use]
    pub fn has_variations(&self) -> bool {
        self.options.variations
    }

    /// Skips a source that is known to be unchanged (see [`Writer::stamp`]). Its games count as unchanged. Returns
    /// their number.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn keep_source(&mut self, name: &str) -> Result<u64> {
        let games = self.existing(name)?.len() as u64;
        self.summary.unchanged += games;
        Ok(games)
    }

    /// The games of a source that are in the index, ordered by their numbers in the source.
    fn existing(&self, name: &str) -> Result<Vec<Existing>> {
        let term = Term::from_field_text(SCHEMA_FIELDS.source, name);
        let mut existing = Vec::new();
        for segment in &self.committed.segments {
            let terms = segment.reader.inverted_index(term.field());
            let terms = terms.at(self.root())?;
            let found = terms.read_postings(&term, IndexRecordOption::Basic);
            let Some(mut found) = found.at(self.root())? else {
                continue;
            };
            let contents = segment.column(Column::Content)?;
            let numbers = segment.column(Column::Number)?;
            while found.doc() != TERMINATED {
                let doc = found.doc();
                let game = segment.number(doc)?;
                if segment.alive.contains(doc) && !self.deleted.contains(&game) {
                    let number = numbers.get_val(doc) as u32;
                    existing.push((number, game, contents.get_val(doc), false));
                }
                found.advance();
            }
        }
        existing.sort_unstable();
        Ok(existing)
    }

    /// Begins a source. The games added until [`Writer::end_source`] replace those of the source that are in the index,
    /// number by number.
    ///
    /// # Errors
    /// As [`Writer::commit`]: a source that is begun again before its games were committed causes a commit.
    pub fn begin_source(&mut self, name: &str) -> Result<()> {
        self.check()?;
        if self.waiting.contains(name) {
            self.commit()?;
        }
        self.existing = self.existing(name)?;
        self.changed |= self.state.stamps.remove(name).is_some();
        self.source = Some(name.into());
        Ok(())
    }

    /// Adds a game of the current source, unless the index already has it. May commit.
    ///
    /// # Errors
    /// As [`Writer::commit`].
    pub fn add(&mut self, game: Prepared) -> Result<SourceChange> {
        self.check()?;
        let number = *game.doc.row.get(Column::Number) as u32;
        let place = self.existing.binary_search_by_key(&number, |e| e.0);
        let found = place.ok().and_then(|place| self.existing.get_mut(place));
        let change = match found {
            Some((_, old, content, seen)) => {
                *seen = true;
                if *content == game.id() {
                    self.summary.unchanged += 1;
                    return Ok(SourceChange::Unchanged);
                }
                self.deleted.insert(*old);
                self.summary.updated += 1;
                SourceChange::Updated
            }
            None => {
                self.summary.added += 1;
                SourceChange::Added
            }
        };
        let name = self.source.clone().unwrap_or_default();
        self.take(&name, game)?;
        Ok(change)
    }

    /// Adds a game of a source to the index. May commit.
    fn take(&mut self, source: &Arc<str>, mut game: Prepared) -> Result<()> {
        game.doc.place(self.state.next_game, source);
        self.waiting.insert(Arc::clone(source));
        self.changed = true;
        self.guarded(|writer| {
            let index = &writer.committed.store.index;
            let weight = match &mut writer.building {
                Some(building) => building.add(game.doc),
                place => SegmentBuilder::new(index).and_then(|new| place.insert(new).add(game.doc)),
            };
            writer.state.next_game += 1;
            let full = writer.options.commit_positions.min(MOST_POSITIONS);
            match weight.at(writer.root())? >= full {
                true => writer.rotate(),
                false => Ok(()),
            }
        })
    }

    /// Prepares games on several threads and adds them in order. Returns the change for each game.
    ///
    /// # Errors
    /// As [`Writer::commit`].
    pub fn add_all(&mut self, games: &[GameEntry]) -> Result<Vec<Result<SourceChange, Rejection>>> {
        let preparer = self.preparer();
        let mut changes = Vec::with_capacity(games.len());
        for games in games.chunks(PORTION) {
            let prepared = games.par_iter().map(|game| preparer.prepare(game));
            for game in prepared.collect::<Vec<_>>() {
                changes.push(match game {
                    Ok(game) => Ok(self.add(game)?),
                    Err(rejection) => Err(rejection),
                });
            }
        }
        Ok(changes)
    }

    /// Ends a source that was read completely. Its games in the index that were not added again are deleted. The stamp
    /// is stored for [`Writer::stamp`]. See also [`Writer::leave_source`].
    pub fn end_source(&mut self, stamp: Option<u64>) {
        for (_, game, _, seen) in &self.existing {
            if !seen {
                self.deleted.insert(*game);
                self.changed = true;
                self.summary.removed += 1;
            }
        }
        self.leave_source(stamp);
    }

    /// Ends a source that could not be read completely, or from which only some games were added. Its other games stay
    /// in the index. A stamp is stored for [`Writer::stamp`].
    ///
    /// ```
    /// # use tridex_index::{GameEntry, IndexOptions, Writer, read_moves};
    /// # use tridex_rules::RuleSystem;
    /// # let folder = tempfile::tempdir()?;
    /// # tridex_index::example::write(folder.path())?;
    /// let mut writer = Writer::open(folder.path(), IndexOptions::default())?;
    /// assert_eq!((writer.stamp("games.pgn"), writer.has_variations()), (None, false));
    /// assert_eq!(writer.keep_source("games.pgn")?, 1);
    /// writer.begin_source("more.pgn")?;
    /// let game = GameEntry::new(1, RuleSystem::Meder, read_moves(RuleSystem::Meder, "c3W")?);
    /// let prepared = writer.preparer().prepare(&game)?;
    /// writer.add(prepared)?;
    /// writer.leave_source(Some(7));
    /// assert_eq!(writer.stamp("more.pgn"), Some(7));
    /// writer.stop()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn leave_source(&mut self, stamp: Option<u64>) {
        self.existing.clear();
        if let (Some(name), Some(stamp)) = (self.source.take(), stamp) {
            self.state.stamps.insert(name.to_string(), stamp);
            self.changed = true;
        }
    }

    /// Returns what was done so far. The counts of games and positions are as of the last commit.
    #[must_use]
    pub fn summary(&self) -> Summary {
        Summary {
            games: self.committed.games(),
            positions: self.committed.positions(),
            ..self.summary
        }
    }

    /// Makes all additions and deletions durable, and visible to readers that open the index from now on.
    ///
    /// # Errors
    /// Returns an error if the system reports one, such as a full disk. The index stays as of the last commit, and this
    /// writer accepts nothing more.
    pub fn commit(&mut self) -> Result<()> {
        self.commit_and(true)
    }

    fn commit_and(&mut self, merges: bool) -> Result<()> {
        self.check()?;
        if !self.changed {
            return Ok(());
        }
        self.guarded(|writer| {
            writer.rotate()?;
            if let Some(last) = writer.finishing.take() {
                writer.commit_one(last)?;
            }
            match merges {
                true => writer.merge(),
                false => Ok(()),
            }
        })?;
        self.changed = false;
        self.waiting.clear();
        Ok(())
    }

    /// Runs work that makes the writer unusable if it fails.
    fn guarded(&mut self, work: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        self.broken = true;
        let done = work(self);
        match done {
            Ok(()) => self.broken = false,
            Err(_) => {
                // Frees disk space immediately. This does not affect readers or the next writer.
                self.abandon();
                let _ = self.index.garbage_collect_files().wait();
            }
        }
        done
    }

    /// Starts a thread that writes the current segment to disk, and commits the previous segment.
    fn rotate(&mut self) -> Result<()> {
        let building = self.building.take();
        let thread = std::thread::spawn(|| building.map(SegmentBuilder::finish).transpose());
        let deleted = std::mem::take(&mut self.deleted);
        let next = (thread, self.state.clone(), deleted);
        match self.finishing.replace(next) {
            Some(before) => self.commit_one(before),
            None => Ok(()),
        }
    }

    fn commit_one(&mut self, (thread, state, deleted): Finishing) -> Result<()> {
        let segment = thread.join().map_err(|_| IndexError::Failed {
            path: self.root().to_owned(),
            what: "a segment could not be written".to_owned(),
        })?;
        let segment = segment.at(self.root())?;
        let index = &mut self.index;
        let commit = || -> tantivy::Result<_> {
            if !deleted.is_empty() {
                index.delete_query(Box::new(games_of(&deleted)))?;
            }
            if let Some(segment) = segment {
                index.add_segment(segment)?;
            }
            let payload = serde_json::to_string(&state).unwrap_or_default();
            let mut commit = index.prepare_commit()?;
            commit.set_payload(&payload);
            commit.commit()
        };
        commit().at(&self.committed.store.root)?;
        self.keep();
        self.reopen()
    }

    /// Prevents the removal of the index, if this writer has created it.
    fn keep(&mut self) {
        if let Some(created) = self.created.take() {
            created.keep();
        }
    }

    fn reopen(&mut self) -> Result<()> {
        self.committed = Snapshot::undamaged(self.committed.store.clone())?;
        Ok(())
    }

    /// Merges segments.
    fn merge(&mut self) -> Result<()> {
        loop {
            let size = |segment: &Arc<Segment>| Size {
                games: segment.games(),
                deleted: segment.reader.num_deleted_docs(),
                positions: u64::max(
                    segment.lists.positions,
                    u64::from(segment.games()) * LEAST_WEIGHT,
                ),
            };
            let sizes: Vec<Size> = self.committed.segments.iter().map(size).collect();
            let Some(range) = merge_policy::plan(&sizes) else {
                return Ok(());
            };
            let segments = self.committed.segments.get(range).unwrap_or_default();
            let ids: Vec<_> = segments.iter().map(|s| s.reader.segment_id()).collect();
            let merged = self.index.merge(&ids).wait();
            merged.at(&self.committed.store.root)?;
            self.reopen()?;
        }
    }

    /// Commits, waits for all background work, and returns the summary.
    ///
    /// # Errors
    /// As [`Writer::commit`].
    pub fn finish(mut self) -> Result<Summary> {
        self.commit()?;
        // Also an index without games.
        self.keep();
        Ok(self.summary())
    }

    /// Like [`Writer::finish`], but as fast as possible: segments are not merged until the next commit. If this writer
    /// has created the index and added nothing, the index is removed.
    ///
    /// # Errors
    /// As [`Writer::commit`].
    pub fn stop(mut self) -> Result<Summary> {
        self.commit_and(false)?;
        Ok(self.summary())
    }

    fn check(&self) -> Result<()> {
        match self.broken {
            true => Err(IndexError::CommitFailed(self.root().to_owned())),
            false => Ok(()),
        }
    }

    /// Discards what was not committed. Afterwards no thread of this writer writes.
    fn abandon(&mut self) {
        self.building = None;
        if let Some((last, ..)) = self.finishing.take() {
            let _ = last.join();
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // This must end before the lock is released.
        self.abandon();
        self.created = None;
    }
}

/// A tantivy query for games by their numbers in the index.
fn games_of(numbers: &FxHashSet<u32>) -> DocPredicateQuery {
    let games: Arc<GameSet> = Arc::new(numbers.iter().copied().collect());
    let of_segment = move |reader: &SegmentReader| {
        let numbers = reader.fast_fields().u64(Column::Game.name())?;
        let games = Arc::clone(&games);
        Ok(move |doc| {
            let number = numbers.first(doc);
            number.is_some_and(|number| games.contains(number as u32))
        })
    };
    FunctionPredicate::from(of_segment).into()
}
