//! An index as of a commit.

use crate::error::{At, IndexError, Result, damaged};
use crate::model::annotation::Annotation;
use crate::model::ending::GameEnding;
use crate::model::entry::GameEntry;
use crate::model::game_bytes::GameBytes;
use crate::model::indexed_game::{GameSummary, IndexedGame};
use crate::storage::columns::{Column, result_of};
use crate::storage::file_names::META;
use crate::storage::segment::Segment;
use crate::storage::store::Store;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;
use tantivy::directory::{Directory, META_LOCK};
use tantivy::index::SegmentComponent;
use tantivy::{SegmentMeta, SegmentReader};

/// An index as of a commit.
pub(crate) struct Snapshot {
    pub(crate) store: Store,
    pub(crate) state: State,
    /// The segments in the order of their games.
    pub(crate) segments: Vec<Arc<Segment>>,
    damage: Mutex<BTreeSet<(PathBuf, String)>>,
    /// The stamp of the commit's file, taken before the file was read.
    seen: Option<Stamp>,
}

/// The length, modification time and inode of a file. Each commit replaces the file, so it changes them.
type Stamp = (u64, Option<SystemTime>, u64);

/// The stamp of the last commit in a folder; `None` if it cannot be read.
fn stamp_of(root: &Path) -> Option<Stamp> {
    let found = std::fs::metadata(root.join(META)).ok()?;
    #[cfg(unix)]
    let inode = std::os::unix::fs::MetadataExt::ino(&found);
    #[cfg(not(unix))]
    let inode = 0;
    Some((found.len(), found.modified().ok(), inode))
}

/// The payload of a tantivy commit: our data besides the segments.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq, Default, Debug)]
pub(crate) struct State {
    /// The number of the next game. Numbers are never reused.
    pub(crate) next_game: u32,
    /// The caller's stamps, by source. A source that was left without a stamp has none.
    pub(crate) stamps: BTreeMap<String, u64>,
}

/// The number of attempts to open an index that changes meanwhile.
const TRIES: usize = 20;

impl Snapshot {
    /// Opens the index as of the last commit.
    ///
    /// # Errors
    /// Returns an error if it cannot be opened. Damage of its segments is not an error: see [`Snapshot::damage`].
    pub(crate) fn of(store: Store) -> Result<Self> {
        for _ in 0..TRIES {
            let snapshot = Self::open(&store)?;
            // In a read-only folder no lock can exclude a writer, which may remove files meanwhile. Then damage may
            // only mean that the index has changed.
            if snapshot.damage().is_empty() || stamp_of(&store.root) == snapshot.seen {
                return Ok(snapshot);
            }
        }
        Err(IndexError::Changing(store.root))
    }

    /// Opens the index as of the last commit for writing.
    ///
    /// # Errors
    /// Returns an error if it cannot be opened, or is damaged.
    pub(crate) fn undamaged(store: Store) -> Result<Self> {
        let snapshot = Self::of(store)?;
        match snapshot.damage().into_iter().next() {
            Some((path, what)) => Err(IndexError::Damaged { path, what }),
            None => Ok(snapshot),
        }
    }

    /// Opens the index once.
    fn open(store: &Store) -> Result<Self> {
        let seen = stamp_of(&store.root);
        // No writer removes a file while this process holds the lock.
        let lock = store.index.directory().acquire_lock(&META_LOCK);
        let _lock = lock.at(&store.root)?;
        let metas = store.index.load_metas();
        let metas = metas.at(&store.root)?;
        let unknown = "the commit was not written by this program";
        let state = match metas.payload.as_deref() {
            None => State::default(),
            Some(payload) => serde_json::from_str(payload)
                .map_err(|_| damaged(&store.root.join(META), unknown))?,
        };
        // Opening segments takes most of the time of a short query, and big indices have more of them.
        let opened = metas.segments.par_iter();
        let opened: Vec<_> = opened.map(|meta| open_segment(store, meta)).collect();
        let (mut segments, mut damage) = (Vec::new(), BTreeSet::new());
        for opened in opened {
            match opened {
                Ok(segment) => segments.push(Arc::new(segment)),
                Err(IndexError::Damaged { path, what }) => {
                    damage.insert((path, what));
                }
                Err(other) => return Err(other),
            }
        }
        segments.sort_by_key(|segment| segment.first);
        Ok(Self {
            store: store.clone(),
            state,
            segments,
            damage: Mutex::new(damage),
            seen,
        })
    }

    /// Whether a writer has committed since, judged by the metadata of one file.
    pub(crate) fn is_behind(&self) -> bool {
        stamp_of(&self.store.root) != self.seen
    }

    /// The numbers of all games, in order. Damage is recorded.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        self.segments.iter().flat_map(move |segment| {
            let number = move |doc| segment.number(doc).map_err(|error| self.note(&error)).ok();
            segment.alive.iter().filter_map(number)
        })
    }

    /// Reads something of a game, and records damage.
    pub(crate) fn read<T>(
        &self,
        game: u32,
        read: impl FnOnce(&Self, &Segment, u32) -> Result<T>,
    ) -> Result<T> {
        let found = self.find(game);
        let found = found.and_then(|(segment, doc)| read(self, segment, doc));
        if let Err(error @ IndexError::Damaged { .. }) = &found {
            self.note(error);
        }
        found
    }

    pub(crate) fn games(&self) -> u64 {
        let games = |segment: &Arc<Segment>| u64::from(segment.reader.num_docs());
        self.segments.iter().map(games).sum()
    }

    pub(crate) fn positions(&self) -> u64 {
        let positions = |segment: &Arc<Segment>| {
            let counted = segment.positions().map_err(|error| self.note(&error));
            counted.unwrap_or(0)
        };
        self.segments.iter().map(positions).sum()
    }

    /// The segment of a game, and its number there.
    pub(crate) fn find(&self, game: u32) -> Result<(&Segment, u32)> {
        let none = || IndexError::NoSuchGame(game);
        let after = self.segments.partition_point(|s| s.first <= game);
        let segment = after.checked_sub(1).and_then(|at| self.segments.get(at));
        let segment = segment.ok_or_else(none)?;
        let doc = segment.find(game)?.ok_or_else(none)?;
        Ok((segment, doc))
    }

    /// Reads the data of a game that a list shows, its packed moves, and its notes.
    pub(crate) fn stored<'s>(
        &self,
        segment: &'s Segment,
        doc: u32,
    ) -> Result<(GameSummary, GameBytes<'s>, Vec<Annotation>)> {
        let record = segment.record(doc)?;
        let row = segment.row(doc)?;
        let game = segment.game(doc).ok_or_else(|| segment.unreadable())?;
        let summary = GameSummary {
            id: *row.get(Column::Content),
            source: segment.source(doc)?,
            number: *row.get(Column::Number) as u32,
            rules: game.start.rules,
            plies: *row.get(Column::Plies) as u32,
            result: result_of(*row.get(Column::Result)),
            opening: Some(record.opening).filter(|name| !name.is_empty()),
            tags: record.tags,
        };
        Ok((summary, game, record.notes))
    }

    /// Reads a game with everything that is stored about it.
    pub(crate) fn game(&self, segment: &Segment, doc: u32) -> Result<IndexedGame> {
        let (summary, game, notes) = self.stored(segment, doc)?;
        let (moves, variations) = game.moves().ok_or_else(|| segment.unreadable())?;
        let ending = GameEnding::of_code(segment.value(Column::Ending, doc)?);
        Ok(IndexedGame {
            id: summary.id,
            source: summary.source,
            opening: summary.opening,
            entry: GameEntry {
                number: summary.number,
                rules: summary.rules,
                start: game.setup(),
                tags: summary.tags,
                moves,
                variations,
                notes,
                result: summary.result,
                ending: ending.filter(|ending| ending.is_by_rules()),
            },
        })
    }

    /// Records damage.
    pub(crate) fn note(&self, error: &IndexError) {
        let mut damage = self.damage.lock().unwrap_or_else(PoisonError::into_inner);
        damage.insert(match error {
            IndexError::Damaged { path, what } => (path.clone(), what.clone()),
            other => (self.store.root.clone(), other.to_string()),
        });
    }

    /// Returns the answer of a segment. If the segment is damaged, records the damage and returns `None`, so that
    /// answers lack its games.
    ///
    /// # Errors
    /// Returns an error if the search was stopped.
    pub(crate) fn answered<T>(&self, answer: Result<T>) -> Result<Option<T>> {
        match answer {
            Ok(answer) => Ok(Some(answer)),
            Err(IndexError::Stopped) => Err(IndexError::Stopped),
            Err(error) => {
                self.note(&error);
                Ok(None)
            }
        }
    }

    pub(crate) fn damage(&self) -> Vec<(PathBuf, String)> {
        let damage = self.damage.lock().unwrap_or_else(PoisonError::into_inner);
        damage.iter().cloned().collect()
    }
}

fn open_segment(store: &Store, meta: &SegmentMeta) -> Result<Segment> {
    let folder = &store.folder;
    // Only files with a checksum may be read, and tantivy opens an index even if some of its files are missing.
    let id = meta.id().uuid_string();
    let sums = folder.checksums(&id).at(&store.root)?;
    let files = sums.kinds().map(|kind| folder.file(&id, kind));
    let _files: Vec<_> = files.collect::<Result<_, _>>().at(&store.root)?;
    if meta.has_deletes() {
        let path = meta.relative_path(SegmentComponent::Delete);
        let fits = store.index.directory().validate_checksum(&path);
        if !fits.at(&store.root)? {
            let path = store.root.join(path);
            return Err(damaged(&path, "a checksum does not fit"));
        }
    }
    let reader = SegmentReader::open(&store.index.segment(meta.clone()));
    Segment::open(reader.at(&store.root)?, folder)
}
