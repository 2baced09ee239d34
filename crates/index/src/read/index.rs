//! Reads an index as of a commit.

use crate::error::{At, IndexError, Result, damaged};
use crate::model::annotation::Annotation;
use crate::model::entry::{GameEntry, find_tag};
use crate::model::game_bytes::{GameBytes, prefix};
use crate::model::stop::Stop;
use crate::model::systems;
use crate::storage::columns::{Column, result_of};
use crate::storage::folder::{META, SUMS, part_of};
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
use tridex_archive::GameResult;
use tridex_rules::{Move, RuleSystem};
use tridex_text::names::game_title;

/// One or more indices, open for queries.
///
/// It shows the indices as of the moment they were opened, even if writers change them. Open them again to see new
/// games.
///
/// Files are mapped into memory, and each block is compared with its checksum when it is first read.
/// [`GameIndex::damage`] reports damage, and answers omit the games of damaged files.
pub struct GameIndex {
    pub(crate) parts: Vec<Arc<Part>>,
    /// Cancels its searches.
    pub(crate) stop: Stop,
}

/// One of the indices.
pub(crate) struct Part {
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

/// Identifies a game in a [`GameIndex`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GameId {
    /// Which of the indices opened together has the game.
    pub index: u32,
    /// Its number in that index. A game that is updated gets a new number.
    pub game: u32,
}

/// A game read from an index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IndexedGame {
    /// Its id, the same in every index; written as 16 hexadecimal digits.
    pub id: u64,
    /// The name of its source, usually its file.
    pub source: String,
    /// The name of its opening, if it has one.
    pub opening: Option<String>,
    /// The game.
    pub entry: GameEntry,
}

impl IndexedGame {
    /// Returns the first `ply` moves of a line: the main line, or one of the variations. `None` if the line is shorter.
    #[must_use]
    pub fn line_to(&self, variation: Option<u32>, ply: u32) -> Option<Vec<Move>> {
        prefix(&self.entry.moves, &self.entry.variations, variation, ply)
    }

    /// Returns the title of the game: see [`HitRow::title`](crate::HitRow::title).
    #[must_use]
    pub fn title(&self) -> String {
        let [white, black, event] =
            ["White", "Black", "Event"].map(|name| self.entry.tag(name).unwrap_or_default());
        let title = game_title(white, black, event);
        title.unwrap_or_else(|| format!("{}:{}", self.source, self.entry.number))
    }
}

/// The data of a game that a list of hits shows. Reading it is faster than reading an [`IndexedGame`], because no moves
/// are read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameSummary {
    /// Its id.
    pub id: u64,
    /// The name of its source, usually its file.
    pub source: String,
    /// Its number in the source, from 1.
    pub number: u32,
    /// The rules it was played under.
    pub rules: RuleSystem,
    /// The number of plies.
    pub plies: u32,
    /// The result.
    pub result: GameResult,
    /// The name of its opening, if it has one.
    pub opening: Option<String>,
    /// Its tags.
    pub tags: Vec<(String, String)>,
}

impl GameSummary {
    /// Returns the value of a tag, whose name is matched without regard to case. Returns `None` also for `?`.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        find_tag(&self.tags, name)
    }
}

impl GameIndex {
    /// Opens an index.
    ///
    /// ```
    /// # use tridex_index::{GameEntry, GameIndex, IndexOptions, Writer, read_moves};
    /// # use tridex_rules::RuleSystem;
    /// # let folder = tempfile::tempdir()?;
    /// # let mut writer = Writer::open(folder.path(), IndexOptions::default())?;
    /// # writer.begin_source("games.pgn")?;
    /// # let mut game = GameEntry::new(1, RuleSystem::Meder, read_moves(RuleSystem::Meder, "b4N b5B c3W a6N")?);
    /// # game.tags.push(("White".into(), "Kirk, James".into()));
    /// # writer.add_all(&[game])?;
    /// # writer.end_source(None);
    /// # writer.finish()?;
    /// let index = GameIndex::open(folder.path())?;
    /// assert_eq!((index.games(), index.positions()), (1, 5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the folder has no index, if the index has another version, or if opening it finds damage.
    /// Damage in single segments is not an error: see [`GameIndex::damage`].
    pub fn open(root: &Path) -> Result<Self> {
        Self::open_all(&[root])
    }

    /// Opens several indices, which are searched as one. An index that is named twice is opened once.
    ///
    /// ```
    /// # use tridex_index::{GameEntry, GameIndex, IndexOptions, Writer, read_moves};
    /// # use tridex_rules::RuleSystem;
    /// # let folder = tempfile::tempdir()?;
    /// # let mut writer = Writer::open(folder.path(), IndexOptions::default())?;
    /// # writer.begin_source("games.pgn")?;
    /// # let mut game = GameEntry::new(1, RuleSystem::Meder, read_moves(RuleSystem::Meder, "b4N b5B c3W a6N")?);
    /// # game.tags.push(("White".into(), "Kirk, James".into()));
    /// # writer.add_all(&[game])?;
    /// # writer.end_source(None);
    /// # writer.finish()?;
    /// use tridex_index::{Query, SearchOptions, Stop};
    /// let index = GameIndex::open_all(&[folder.path()])?;
    /// assert!(!index.is_behind() && !index.is_damaged() && index.damage().is_empty());
    /// assert!(!index.has_variations() && !index.sizes().is_empty());
    /// let stop = Stop::default();
    /// stop.raise();
    /// assert!(index.stopped_by(&stop).search(&Query::All, &SearchOptions::default()).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`GameIndex::open`], for the first index that fails.
    pub fn open_all(roots: &[&Path]) -> Result<Self> {
        let mut known = Vec::new();
        let roots = roots.iter().filter(|root| {
            // A folder that does not exist is reported when it is opened.
            let place = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
            let is_new = !known.contains(&place);
            known.push(place);
            is_new
        });
        let parts = roots.map(|root| -> Result<_> { Part::of(Store::read(root)?).map(Arc::new) });
        Ok(Self {
            parts: parts.collect::<Result<_, _>>()?,
            stop: Stop::default(),
        })
    }

    /// Returns the same indices for searches that can be cancelled. Soon after `stop` is raised, every search, table
    /// and count of the returned value ends with [`IndexError::Stopped`]. Files are not opened again, and both values
    /// share the damage found.
    #[must_use]
    pub fn stopped_by(&self, stop: &Stop) -> Self {
        Self {
            parts: self.parts.clone(),
            stop: stop.clone(),
        }
    }

    /// Whether a writer has committed since the indices were opened, judged by the metadata of one file per index.
    #[must_use]
    pub fn is_behind(&self) -> bool {
        let mut parts = self.parts.iter();
        parts.any(|part| stamp_of(&part.store.root) != part.seen)
    }

    /// Whether all of the indices also contain the positions of variations.
    #[must_use]
    pub fn has_variations(&self) -> bool {
        let mut parts = self.parts.iter();
        parts.all(|part| part.store.identity.variations)
    }

    /// The number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.parts.iter().map(|part| part.games()).sum()
    }

    /// The number of positions. If variations are indexed, it includes the positions of variations in games that were
    /// deleted since the last merge.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.parts.iter().map(|part| part.positions()).sum()
    }

    /// The damage found so far, by file, while opening and searching the indices. Answers omit the games of these
    /// files.
    #[must_use]
    pub fn damage(&self) -> Vec<(PathBuf, String)> {
        self.parts.iter().flat_map(|part| part.damage()).collect()
    }

    /// Whether any damage was found so far: see [`GameIndex::damage`].
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        !self.damage().is_empty()
    }

    /// The size in bytes of each part of the indices, by name.
    #[must_use]
    pub fn sizes(&self) -> Vec<(&'static str, u64)> {
        let mut sizes: Vec<(&'static str, u64)> = Vec::new();
        for segment in self.parts.iter().flat_map(|part| &part.segments) {
            let kinds = segment.kinds().into_iter().chain([SUMS.to_owned()]);
            for kind in kinds {
                let name = part_of(&kind);
                let bytes = std::fs::metadata(segment.path(&kind)).map_or(0, |file| file.len());
                match sizes.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, sum)) => *sum += bytes,
                    None => sizes.push((name, bytes)),
                }
            }
        }
        sizes
    }

    /// The ids of all games, in order.
    pub fn ids(&self) -> impl Iterator<Item = GameId> + '_ {
        (0..).zip(&self.parts).flat_map(|(index, part)| {
            let numbers = part.segments.iter().flat_map(move |segment| {
                let number = move |doc| segment.number(doc).map_err(|e| part.note(&e)).ok();
                segment.alive.iter().filter_map(number)
            });
            numbers.map(move |game| GameId { index, game })
        })
    }

    /// Reads the data of a game that a list shows.
    ///
    /// ```
    /// # use tridex_index::{GameEntry, GameIndex, IndexOptions, Writer, read_moves};
    /// # use tridex_rules::RuleSystem;
    /// # let folder = tempfile::tempdir()?;
    /// # let mut writer = Writer::open(folder.path(), IndexOptions::default())?;
    /// # writer.begin_source("games.pgn")?;
    /// # let mut game = GameEntry::new(1, RuleSystem::Meder, read_moves(RuleSystem::Meder, "b4N b5B c3W a6N")?);
    /// # game.tags.push(("White".into(), "Kirk, James".into()));
    /// # writer.add_all(&[game])?;
    /// # writer.end_source(None);
    /// # writer.finish()?;
    /// let index = GameIndex::open(folder.path())?;
    /// for id in index.ids() {
    ///     let game = index.summary(id)?;
    ///     assert_eq!((game.tag("White"), game.plies), (Some("Kirk, James"), 4));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if there is no such game, or if it is damaged.
    pub fn summary(&self, id: GameId) -> Result<GameSummary> {
        self.read(id, |part, segment, doc| {
            part.stored(segment, doc).map(|(summary, ..)| summary)
        })
    }

    /// Reads a game with everything the index stores about it.
    ///
    /// ```
    /// # use tridex_index::{GameEntry, GameIndex, IndexOptions, Writer, read_moves};
    /// # use tridex_rules::RuleSystem;
    /// # let folder = tempfile::tempdir()?;
    /// # let mut writer = Writer::open(folder.path(), IndexOptions::default())?;
    /// # writer.begin_source("games.pgn")?;
    /// # let mut game = GameEntry::new(1, RuleSystem::Meder, read_moves(RuleSystem::Meder, "b4N b5B c3W a6N")?);
    /// # game.tags.push(("White".into(), "Kirk, James".into()));
    /// # writer.add_all(&[game])?;
    /// # writer.end_source(None);
    /// # writer.finish()?;
    /// let index = GameIndex::open(folder.path())?;
    /// let id = tridex_index::find_game(&index, "games.pgn:1")?;
    /// let game = index.game(id)?;
    /// assert_eq!(game.line_to(None, 2).map(|moves| moves.len()), Some(2));
    /// assert_eq!(index.source(id)?, "games.pgn");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if there is no such game, or if it is damaged.
    pub fn game(&self, id: GameId) -> Result<IndexedGame> {
        self.read(id, Part::game)
    }

    /// Reads the rules a game was played under.
    ///
    /// # Errors
    /// Returns an error if there is no such game, or if it is damaged.
    pub fn rules(&self, id: GameId) -> Result<RuleSystem> {
        self.read(id, |_, segment, doc| {
            let code = segment.value(Column::Rules, doc)?;
            let start = systems::start(u8::try_from(code).unwrap_or(systems::HOLE));
            Ok(start.ok_or_else(|| segment.unreadable())?.rules)
        })
    }

    /// Reads the name of a game's source, usually its file.
    ///
    /// # Errors
    /// Returns an error if there is no such game, or if it is damaged.
    pub fn source(&self, id: GameId) -> Result<String> {
        self.read(id, |_, segment, doc| segment.source(doc))
    }

    /// Reads something of a game, and records damage.
    pub(crate) fn read<T>(
        &self,
        id: GameId,
        read: impl FnOnce(&Part, &Segment, u32) -> Result<T>,
    ) -> Result<T> {
        let part = self.parts.get(id.index as usize);
        let part = part.ok_or(IndexError::NoSuchGame(id.game))?;
        let found = part.find(id.game);
        let found = found.and_then(|(segment, doc)| read(part, segment, doc));
        if let Err(error @ IndexError::Damaged { .. }) = &found {
            part.note(error);
        }
        found
    }
}

/// The number of attempts to open an index that changes meanwhile.
const TRIES: usize = 20;

impl Part {
    /// Opens the index as of the last commit.
    ///
    /// # Errors
    /// Returns an error if it cannot be opened. Damage of its segments is not an error: see [`Part::damage`].
    pub(crate) fn of(store: Store) -> Result<Self> {
        for _ in 0..TRIES {
            let part = Self::open(&store)?;
            // In a read-only folder no lock can exclude a writer, which may remove files meanwhile. Then damage may
            // only mean that the index has changed.
            if part.damage().is_empty() || stamp_of(&store.root) == part.seen {
                return Ok(part);
            }
        }
        Err(IndexError::Changing(store.root))
    }

    /// Opens the index as of the last commit for writing.
    ///
    /// # Errors
    /// Returns an error if it cannot be opened, or is damaged.
    pub(crate) fn undamaged(store: Store) -> Result<Self> {
        let part = Self::of(store)?;
        match part.damage().into_iter().next() {
            Some((path, what)) => Err(IndexError::Damaged { path, what }),
            None => Ok(part),
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
    fn stored<'s>(
        &self,
        segment: &'s Segment,
        doc: u32,
    ) -> Result<(GameSummary, GameBytes<'s>, Vec<Annotation>)> {
        let record = segment.record(doc)?;
        let row = segment.row(doc)?;
        let game = segment.game(doc).ok_or_else(|| segment.unreadable())?;
        let summary = GameSummary {
            id: row[Column::Content as usize],
            source: segment.source(doc)?,
            number: row[Column::Number as usize] as u32,
            rules: game.start.rules,
            plies: row[Column::Plies as usize] as u32,
            result: result_of(row[Column::Result as usize]),
            opening: Some(record.opening).filter(|name| !name.is_empty()),
            tags: record.tags,
        };
        Ok((summary, game, record.notes))
    }

    /// Reads a game with everything that is stored about it.
    pub(crate) fn game(&self, segment: &Segment, doc: u32) -> Result<IndexedGame> {
        let (summary, game, notes) = self.stored(segment, doc)?;
        let (moves, variations) = game.moves().ok_or_else(|| segment.unreadable())?;
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
    let sums = folder.sums(&id).at(&store.root)?;
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
