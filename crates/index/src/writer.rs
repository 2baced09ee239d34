//! Adding games to an index.

use crate::book::OpeningBook;
use crate::entry::GameEntry;
use crate::error::{IndexError, io};
use crate::fields::{self, Fields};
use crate::line::{GameBytes, Step};
use crate::manifest::{self, Manifest, SegmentEntry, fields_path, games_path, segment_name};
use crate::prepare::{Prepared, Preparer, Rejection};
use crate::reader::{GameId, GameIndex};
use crate::segment::{Run, Segment, SegmentBuilder};
use crate::systems::HOLE;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tantivy::directory::MmapDirectory;
use tantivy::schema::TantivyDocument;
use tantivy::{Index, IndexWriter};

/// How an index is written.
#[derive(Clone, Debug)]
pub struct IndexOptions {
    /// Whether positions of variations are found too. Only asked when an index is made; later it is what it was.
    pub variations: bool,
    /// After how many positions what was added is committed. Memory grows with it, 16 bytes a position.
    pub commit_positions: u64,
    /// How many bytes the texts of games may take in memory before they are written, 15 million at least.
    pub text_memory: usize,
    /// Names of openings.
    pub book: Option<Arc<OpeningBook>>,
}

impl Default for IndexOptions {
    fn default() -> Self {
        Self {
            variations: false,
            commit_positions: 4_000_000,
            text_memory: 64_000_000,
            book: None,
        }
    }
}

/// What became of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// It is new.
    Added,
    /// It took the place of another of the same source and number.
    Updated,
    /// It was there.
    Unchanged,
}

/// What a writer has done.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Summary {
    /// Games that are new.
    pub added: u64,
    /// Games that took the place of others.
    pub updated: u64,
    /// Games that were there.
    pub unchanged: u64,
    /// Games that are no longer in their source, or whose source was dropped.
    pub removed: u64,
    /// Games in the index now.
    pub games: u64,
    /// Positions of these games. Where variations are in the index, those of the variations of games deleted since
    /// the last merge are counted too.
    pub positions: u64,
}

/// How many segments of about a size make one bigger one.
const MERGE_FACTOR: usize = 8;
/// The greatest segment merging makes, in positions; making one takes 16 bytes of memory for each.
const MERGE_LIMIT: u64 = 1 << 24;
/// From how many segments on big ones are merged too. Until then a question costs less than the merging.
const MANY_SEGMENTS: usize = 24;

/// Adds games to an index. There is one writer at a time.
///
/// Games come from *sources* (files), one after the other, numbered. What was added is there for readers, and safe,
/// after a commit; a writer that is dropped without [`Writer::finish`] or [`Writer::commit`] leaves the index as the
/// last commit left it.
pub struct Writer {
    root: PathBuf,
    options: IndexOptions,
    fields: Fields,
    texts: IndexWriter,
    committed: Manifest,
    /// The state to be committed.
    next: Manifest,
    segments: Vec<Arc<Segment>>,
    /// Where the games of each source are, while the segments stay as they are: there may be very many sources.
    runs: Option<Runs>,
    builder: SegmentBuilder,
    source: Option<SourceState>,
    /// Sources of which games wait for the next commit.
    waiting: HashSet<String>,
    summary: Summary,
    changed: bool,
    /// After a failed commit nothing more is taken.
    broken: bool,
}

/// By source, the places of segments and the runs of games there.
type Runs = HashMap<String, Vec<(usize, Run)>>;

fn runs_of(segments: &[Arc<Segment>]) -> Runs {
    let mut runs = Runs::new();
    for (place, segment) in segments.iter().enumerate() {
        for run in &segment.runs {
            if let Some(name) = segment.sources.get(run.source as usize) {
                runs.entry(name.clone()).or_default().push((place, *run));
            }
        }
    }
    runs
}

/// The source that is being read.
struct SourceState {
    name: String,
    /// Number in the source and in the index of the games that are there, in the order of the former.
    existing: Vec<(u32, u32)>,
    seen: Vec<bool>,
}

impl Writer {
    /// Opens the index of a folder for writing, or makes one if the folder is empty or not there.
    ///
    /// # Errors
    /// If the folder holds something else or an index of another version, another writer is at work, or the system
    /// refuses.
    pub fn open(root: &Path, mut options: IndexOptions) -> Result<Self, IndexError> {
        match manifest::describe(root)? {
            Some(variations) => options.variations = variations,
            None => manifest::create(root, options.variations)?,
        }
        let folder = games_path(root);
        std::fs::create_dir_all(&folder).map_err(io(&folder))?;
        let (index, fields) = fields::open(&fields_path(root))?;
        let texts: IndexWriter = index
            .writer_with_num_threads(1, options.text_memory.max(15_000_000))
            .map_err(|error| match error {
                tantivy::TantivyError::LockFailure(..) => IndexError::Locked(root.to_owned()),
                other => other.into(),
            })?;
        let committed = Manifest::of_payload(root, index.load_metas()?.payload.as_deref())?;
        sweep_games(root, &committed)?;
        sweep_texts(root, &index)?;
        let segments = open_segments(root, &committed)?;
        Ok(Self {
            root: root.to_owned(),
            options,
            fields,
            texts,
            next: committed.clone(),
            committed,
            segments,
            runs: None,
            builder: SegmentBuilder::default(),
            source: None,
            waiting: HashSet::new(),
            summary: Summary::default(),
            changed: false,
            broken: false,
        })
    }

    /// What makes games ready for this index.
    #[must_use]
    pub fn preparer(&self) -> Preparer {
        Preparer {
            fields: self.fields,
            variations: self.options.variations,
            book: self.options.book.clone(),
        }
    }

    /// The sources of which the index has games, in alphabetical order.
    #[must_use]
    pub fn sources(&self) -> Vec<String> {
        let mut names: BTreeSet<String> = self.waiting.iter().cloned().collect();
        for (entry, segment) in self.next.segments.iter().zip(&self.segments) {
            for run in &segment.runs {
                let name = segment.sources.get(run.source as usize);
                let alive =
                    || (run.first..run.first + run.count).any(|game| !entry.is_deleted(game));
                if let Some(name) = name
                    && !names.contains(name)
                    && alive()
                {
                    names.insert(name.clone());
                }
            }
        }
        names.into_iter().collect()
    }

    /// The stamp a source was left with when it was last read to its end; a source with the same stamp need not be
    /// read again.
    #[must_use]
    pub fn stamp(&self, source: &str) -> Option<u64> {
        self.next.stamps.get(source).copied()
    }

    /// Whether positions of variations are put into the index too. It is what it was when the index was made.
    #[must_use]
    pub fn has_variations(&self) -> bool {
        self.options.variations
    }

    /// Passes over a source that is known to be as it was, see [`Writer::stamp`]: its games count as unchanged. Tells
    /// how many there are.
    pub fn keep_source(&mut self, name: &str) -> u64 {
        let games = self.existing(name).len() as u64;
        self.summary.unchanged += games;
        games
    }

    /// Numbers in the source and in the index of the games of a source.
    fn existing(&mut self, name: &str) -> Vec<(u32, u32)> {
        let runs = self.runs.get_or_insert_with(|| runs_of(&self.segments));
        let mut existing = Vec::new();
        for (place, run) in runs.get(name).into_iter().flatten() {
            let (Some(entry), Some(segment)) =
                (self.next.segments.get(*place), self.segments.get(*place))
            else {
                continue;
            };
            for i in 0..run.count {
                let game = run.first + i;
                if !entry.is_deleted(game) && segment.code(game) != HOLE {
                    existing.push((run.number.saturating_add(i), segment.base + game));
                }
            }
        }
        existing.sort_unstable();
        existing
    }

    /// Begins to read a source. The games that are given until [`Writer::end_source`] take the place of those the index
    /// has of it, number by number.
    ///
    /// # Errors
    /// As [`Writer::commit`]; a source that is begun again before its games were committed makes a commit needed.
    pub fn begin_source(&mut self, name: &str) -> Result<(), IndexError> {
        self.check()?;
        if self.waiting.contains(name) {
            self.commit()?;
        }
        let existing = self.existing(name);
        self.changed |= self.next.stamps.remove(name).is_some();
        self.source = Some(SourceState {
            name: name.to_owned(),
            seen: vec![false; existing.len()],
            existing,
        });
        Ok(())
    }

    /// Adds a game of the source that was begun, or finds it unchanged. May commit.
    ///
    /// # Errors
    /// As [`Writer::commit`].
    pub fn add(&mut self, mut game: Prepared) -> Result<Change, IndexError> {
        self.check()?;
        let source = self.source.as_mut();
        let (name, found) = match source {
            Some(source) => {
                let place = source.existing.binary_search_by_key(&game.number, |e| e.0);
                let found = place.ok().map(|i| {
                    if let Some(seen) = source.seen.get_mut(i) {
                        *seen = true;
                    }
                    source.existing.get(i).map_or(0, |e| e.1)
                });
                (source.name.clone(), found)
            }
            None => (String::new(), None),
        };
        let change = match found {
            Some(old) if self.content(old) == Some(game.row.content) => {
                self.summary.unchanged += 1;
                return Ok(Change::Unchanged);
            }
            Some(old) => {
                self.delete(old);
                self.summary.updated += 1;
                Change::Updated
            }
            None => {
                self.summary.added += 1;
                Change::Added
            }
        };
        let number = self.next.next_game + self.builder.games();
        self.fields.number(&mut game.document, number);
        let document: TantivyDocument = game.document;
        self.texts.add_document(document)?;
        self.builder
            .push(&name, game.number, &game.row, &game.game, &game.keys);
        self.changed = true;
        if !self.waiting.contains(&name) {
            self.waiting.insert(name);
        }
        if self.builder.positions() >= self.options.commit_positions || self.builder.is_full() {
            self.commit()?;
        }
        Ok(change)
    }

    /// Prepares games on several threads and adds them in their order; tells for each what became of it.
    ///
    /// # Errors
    /// As [`Writer::commit`].
    pub fn add_all(
        &mut self,
        games: &[GameEntry],
    ) -> Result<Vec<Result<Change, Rejection>>, IndexError> {
        let preparer = self.preparer();
        let mut changes = Vec::with_capacity(games.len());
        // In portions, so that little is held in memory at a time.
        for games in games.chunks(2_048) {
            let prepared: Vec<_> = games
                .par_iter()
                .map(|game| preparer.prepare(game))
                .collect();
            for game in prepared {
                changes.push(match game {
                    Ok(game) => Ok(self.add(game)?),
                    Err(rejection) => Err(rejection),
                });
            }
        }
        Ok(changes)
    }

    /// Ends a source that was read to its end: games the index had of it and that were not there are deleted. The stamp
    /// is kept for [`Writer::stamp`]. See [`Writer::leave_source`].
    pub fn end_source(&mut self, stamp: Option<u64>) {
        let Some(source) = self.source.take() else {
            return;
        };
        for ((_, game), seen) in source.existing.iter().zip(&source.seen) {
            if !seen {
                self.delete(*game);
                self.summary.removed += 1;
            }
        }
        if let Some(stamp) = stamp {
            self.next.stamps.insert(source.name, stamp);
            self.changed = true;
        }
    }

    /// Ends a source that could not be read to its end, or of which only some games were given: what the index had of
    /// it besides stays.
    pub fn leave_source(&mut self) {
        self.source = None;
    }

    /// Adds the games of other indices; those of sources of the same name take the place of games of the same number.
    /// `progress` is told how many are done.
    ///
    /// # Errors
    /// As [`Writer::commit`], or if the other index is damaged.
    pub fn merge_from(
        &mut self,
        other: &GameIndex,
        mut progress: impl FnMut(u64),
    ) -> Result<(), IndexError> {
        let mut sources: BTreeMap<String, Vec<GameId>> = BTreeMap::new();
        for id in other.ids() {
            sources.entry(other.source(id)?).or_default().push(id);
        }
        let mut done = 0;
        for (source, ids) in sources {
            self.begin_source(&source)?;
            for ids in ids.chunks(2_048) {
                let games: Result<Vec<_>, IndexError> =
                    ids.iter().map(|id| Ok(other.game(*id)?.entry)).collect();
                // What one index could hold another can.
                self.add_all(&games?)?;
                done += ids.len() as u64;
                progress(done);
            }
            self.leave_source();
        }
        Ok(())
    }

    /// Deletes all games of a source; tells how many there were.
    ///
    /// # Errors
    /// As [`Writer::begin_source`].
    pub fn remove_source(&mut self, name: &str) -> Result<u64, IndexError> {
        let before = self.summary.removed;
        self.begin_source(name)?;
        self.end_source(None);
        Ok(self.summary.removed - before)
    }

    /// What was done so far. The counts of games and positions are those of the last commit.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let mut summary = self.summary;
        for (entry, segment) in self.committed.segments.iter().zip(&self.segments) {
            summary.games += u64::from(entry.games - entry.deleted_count() - segment.holes());
            summary.positions += segment.positions_left(entry);
        }
        summary
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
        self.broken = true;
        if let Err(error) = self.commit_state() {
            // Give the space back at once; readers and the next writer do not mind.
            let _ = sweep_games(&self.root, &self.committed);
            return Err(error);
        }
        self.broken = false;
        self.changed = false;
        self.waiting.clear();
        Ok(())
    }

    fn commit_state(&mut self) -> Result<(), IndexError> {
        if self.builder.games() > 0 {
            let builder = std::mem::take(&mut self.builder);
            let base = self.next.next_game;
            self.next.next_game += builder.games();
            self.write_segment(
                builder,
                base,
                self.next.segments.len()..self.next.segments.len(),
            )?;
        }
        self.drop_empty();
        while let Some(range) = plan_merge(&self.next.segments) {
            self.merge(range)?;
        }
        self.next.number += 1;
        self.next.write(&self.root)?;
        let mut prepared = self.texts.prepare_commit()?;
        prepared.set_payload(&self.next.payload());
        prepared.commit()?;
        self.committed = self.next.clone();
        sweep_games(&self.root, &self.committed)
    }

    /// Writes a segment and puts it in the place of others.
    fn write_segment(
        &mut self,
        builder: SegmentBuilder,
        base: u32,
        replaced: std::ops::Range<usize>,
    ) -> Result<(), IndexError> {
        self.next.number += 1;
        let entry = SegmentEntry {
            file: self.next.number,
            base,
            games: builder.games(),
            positions: builder.positions(),
            deleted: Vec::new(),
        };
        let folder = games_path(&self.root);
        let name = segment_name(entry.file);
        builder.write(&folder.join(&name), base)?;
        let segment = Segment::open(&open_folder(&folder)?, &folder, &name)?;
        self.runs = None;
        self.segments.splice(replaced.clone(), [Arc::new(segment)]);
        self.next.segments.splice(replaced, [entry]);
        Ok(())
    }

    /// Leaves out segments of which every game was deleted.
    fn drop_empty(&mut self) {
        self.runs = None;
        let empty: Vec<bool> = self
            .next
            .segments
            .iter()
            .zip(&self.segments)
            .map(|(entry, segment)| entry.deleted_count() + segment.holes() >= entry.games)
            .collect();
        let keep = |i: &mut usize| {
            *i += 1;
            !empty.get(*i - 1).copied().unwrap_or(false)
        };
        let mut i = 0;
        self.next.segments.retain(|_| keep(&mut i));
        let mut i = 0;
        self.segments.retain(|_| keep(&mut i));
    }

    /// Makes one segment of several that follow each other, without the games that were deleted.
    fn merge(&mut self, range: std::ops::Range<usize>) -> Result<(), IndexError> {
        let mut builder = SegmentBuilder::default();
        let mut base = None;
        let mut last = 0;
        let parts: Vec<_> = self
            .next
            .segments
            .get(range.clone())
            .unwrap_or_default()
            .iter()
            .cloned()
            .zip(
                self.segments
                    .get(range.clone())
                    .unwrap_or_default()
                    .to_vec(),
            )
            .collect();
        for (entry, segment) in &parts {
            let alive: Vec<u32> = (0..segment.games)
                .filter(|game| !entry.is_deleted(*game) && segment.code(*game) != HOLE)
                .collect();
            for games in alive.chunks(4_096) {
                let keys: Vec<Option<Vec<u32>>> = games
                    .par_iter()
                    .map(|game| position_keys(&segment.game(*game), self.options.variations))
                    .collect();
                for (game, keys) in games.iter().zip(keys) {
                    let number = segment.base + game;
                    let damaged = || crate::error::damaged(&segment.path, "a game cannot be read");
                    match base {
                        None => base = Some(number),
                        Some(_) => (last + 1..number).for_each(|_| builder.push_hole()),
                    }
                    last = number;
                    let (source, place) = segment.place(*game).ok_or_else(damaged)?;
                    builder.push(
                        source,
                        place,
                        &segment.row(*game),
                        segment.game(*game).bytes,
                        &keys.ok_or_else(damaged)?,
                    );
                }
            }
        }
        self.write_segment(builder, base.unwrap_or(0), range)
    }

    /// Commits, waits until everything in the background is done, and tells what was done.
    ///
    /// # Errors
    /// As [`Writer::commit`].
    pub fn finish(mut self) -> Result<Summary, IndexError> {
        self.commit()?;
        let summary = self.summary();
        self.texts.wait_merging_threads()?;
        Ok(summary)
    }

    fn check(&self) -> Result<(), IndexError> {
        if self.broken {
            return Err(IndexError::Fields(
                "a commit failed before; nothing more can be added".to_owned(),
            ));
        }
        Ok(())
    }

    fn place(&self, game: u32) -> Option<usize> {
        let after = self.segments.partition_point(|s| s.base <= game);
        let place = after.checked_sub(1)?;
        let segment = self.segments.get(place)?;
        (game - segment.base < segment.games).then_some(place)
    }

    fn content(&self, game: u32) -> Option<u64> {
        let segment = self.segments.get(self.place(game)?)?;
        Some(segment.content(game - segment.base))
    }

    fn delete(&mut self, game: u32) {
        let Some(place) = self.place(game) else {
            return;
        };
        if let Some(entry) = self.next.segments.get_mut(place)
            && entry.delete(game - entry.base)
        {
            self.texts.delete_term(self.fields.term(game));
            self.changed = true;
        }
    }
}

/// The first 32 bits of the keys of a game's positions; `None` if the game is damaged.
pub(crate) fn position_keys(game: &GameBytes<'_>, variations: bool) -> Option<Vec<u32>> {
    let mut keys = Vec::with_capacity(game.plies as usize + 1);
    game.find(variations, |at, _, _| {
        keys.push((at.key() >> 32) as u32);
        Step::Go
    })?;
    Some(keys)
}

/// Segments that follow each other and should become one: one of which most was deleted; eight or more of a size class
/// or smaller ones; and, where there are many, as many as may be in one segment, if none of them makes up most of it.
fn plan_merge(segments: &[SegmentEntry]) -> Option<std::ops::Range<usize>> {
    let wasted = |s: &SegmentEntry| u64::from(s.deleted_count()) * 2 > u64::from(s.games);
    if let Some(i) = segments.iter().position(wasted) {
        return Some(i..i + 1);
    }
    let class = |s: &SegmentEntry| (s.positions / 4_096).max(1).ilog(MERGE_FACTOR as u64);
    // The segments from one on that fit together.
    let stretch = |start: usize, limit: u32| {
        let mut total = 0;
        let rest = segments.get(start..).unwrap_or_default();
        let fit = rest.iter().take_while(|s| {
            total += s.positions;
            class(s) <= limit && total <= MERGE_LIMIT
        });
        fit.count()
    };
    for limit in 0..8 {
        let mut start = 0;
        while start < segments.len() {
            let count = stretch(start, limit);
            if count >= MERGE_FACTOR {
                return Some(start..start + count);
            }
            start += count.max(1);
        }
    }
    if segments.len() <= MANY_SEGMENTS {
        return None;
    }
    let worth = |range: &std::ops::Range<usize>| {
        let part = segments.get(range.clone()).unwrap_or_default();
        let total: u64 = part.iter().map(|s| s.positions).sum();
        let greatest = part.iter().map(|s| s.positions).max().unwrap_or(0);
        part.len() > 1 && greatest * 2 <= total
    };
    (0..segments.len())
        .map(|start| start..start + stretch(start, u32::MAX))
        .filter(worth)
        .min_by_key(|range| std::cmp::Reverse(range.len()))
}

pub(crate) fn open_folder(path: &Path) -> Result<MmapDirectory, IndexError> {
    MmapDirectory::open(path).map_err(|error| IndexError::Fields(error.to_string()))
}

pub(crate) fn open_segments(
    root: &Path,
    manifest: &Manifest,
) -> Result<Vec<Arc<Segment>>, IndexError> {
    let folder = games_path(root);
    if manifest.segments.is_empty() {
        return Ok(Vec::new());
    }
    let directory = open_folder(&folder)?;
    let open = |entry: &SegmentEntry| {
        let segment = Segment::open(&directory, &folder, &entry.name())?;
        if (segment.base, segment.games) == (entry.base, entry.games) {
            Ok(Arc::new(segment))
        } else {
            Err(crate::error::damaged(
                &segment.path,
                "it is another segment",
            ))
        }
    };
    manifest.segments.iter().map(open).collect()
}

/// Removes what no commit owns from the folder of segments and manifests. Only to be called by the writer.
fn sweep_games(root: &Path, manifest: &Manifest) -> Result<(), IndexError> {
    let folder = games_path(root);
    for entry in std::fs::read_dir(&folder).map_err(io(&folder))? {
        let entry = entry.map_err(io(&folder))?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let ours = name.ends_with(".segment") || name.ends_with(".manifest");
        if ours && !manifest.owns(&name) {
            // On systems where an open file cannot be removed, a later writer will.
            let _ = std::fs::remove_file(entry.path());
        }
    }
    Ok(())
}

/// Removes what killed writers leave in the folder of the texts: its own collector knows neither half-written files nor
/// segments that were never committed. Only to be called by the writer, before it adds anything.
fn sweep_texts(root: &Path, index: &Index) -> Result<(), IndexError> {
    let folder = fields_path(root);
    let living: HashSet<String> = index
        .searchable_segment_ids()?
        .iter()
        .map(|id| id.uuid_string())
        .collect();
    for entry in std::fs::read_dir(&folder).map_err(io(&folder))? {
        let entry = entry.map_err(io(&folder))?;
        let name = entry.file_name();
        let text = name.to_string_lossy();
        // Segments are named by 32 hexadecimal digits.
        let orphan = text.split(['.', '-']).next().is_some_and(|stem| {
            stem.len() == 32
                && stem.bytes().all(|b| b.is_ascii_hexdigit())
                && !living.contains(stem)
        });
        if orphan || text.starts_with(".tmp") {
            let _ = std::fs::remove_file(entry.path());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segments(positions: &[u64]) -> Vec<SegmentEntry> {
        let entry = |(file, positions): (u64, &u64)| SegmentEntry {
            file,
            base: file as u32 * 1_000,
            games: 1_000,
            positions: *positions,
            deleted: Vec::new(),
        };
        (0..).zip(positions).map(entry).collect()
    }

    #[test]
    fn segments_are_merged_when_there_are_eight_of_a_size_or_too_many() {
        assert_eq!(plan_merge(&segments(&[100; 7])), None);
        assert_eq!(plan_merge(&segments(&[100; 8])), Some(0..8));
        let mut mixed = vec![4_000_000];
        mixed.extend([100; 8]);
        assert_eq!(plan_merge(&segments(&mixed)), Some(1..9));
        // Too big to become one.
        assert_eq!(plan_merge(&segments(&[4_000_000; 20])), None);
        assert_eq!(plan_merge(&segments(&[4_000_000; 25])), Some(0..4));
        assert_eq!(plan_merge(&segments(&[16_000_000; 50])), None);
        let mut deleted = segments(&[4_000_000; 3]);
        (0..501).for_each(|game| assert!(deleted[1].delete(game)));
        assert_eq!(plan_merge(&deleted), Some(1..2));
    }

    #[test]
    fn merging_comes_to_an_end_and_leaves_few_segments() {
        let mut sizes: Vec<u64> = Vec::new();
        let mut written = 0;
        for size in [4_000_000; 400] {
            sizes.push(size);
            while let Some(range) = plan_merge(&segments(&sizes)) {
                let total: u64 = sizes[range.clone()].iter().sum();
                written += total;
                sizes.splice(range, [total]);
            }
        }
        assert!(sizes.len() <= 400 / 4 + 24, "{}", sizes.len());
        assert!(written <= 400 * 4_000_000 * 2, "{written}");
    }
}
