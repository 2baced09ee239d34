//! One or more indices, open for queries.

use crate::error::{IndexError, Result};
use crate::model::indexed_game::{GameId, GameSummary, IndexedGame};
use crate::model::stop::Stop;
use crate::model::systems;
use crate::storage::columns::Column;
use crate::storage::file_names::{CHECKSUMS, part_of};
use crate::storage::merge_source::MergeSource;
use crate::storage::segment::Segment;
use crate::storage::snapshot::Snapshot;
use crate::storage::store::Store;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tridex_archive::Cancel;
use tridex_rules::RuleSystem;

/// One or more indices, open for queries.
///
/// It shows the indices as of the moment they were opened, even if writers change them. Open them again to see new
/// games.
///
/// Files are mapped into memory, and each block is compared with its checksum when it is first read.
/// [`GameIndex::damage`] reports damage, and answers omit the games of damaged files.
pub struct GameIndex {
    pub(crate) snapshots: Vec<Arc<Snapshot>>,
    /// Cancels its searches.
    pub(crate) stop: Stop,
}
impl GameIndex {
    /// Opens an index.
    ///
    /// ```
    /// # use tridex_index::GameIndex;
    /// # let folder = tempfile::tempdir()?;
    /// # tridex_index::example::write(folder.path())?;
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
    /// # use tridex_index::GameIndex;
    /// # let folder = tempfile::tempdir()?;
    /// # tridex_index::example::write(folder.path())?;
    /// use tridex_index::{Cancel, Query, SearchOptions};
    /// let index = GameIndex::open_all(&[folder.path()])?;
    /// assert!(!index.is_behind() && !index.is_damaged() && index.damage().is_empty());
    /// assert!(!index.has_variations() && !index.sizes().is_empty());
    /// let cancel = Cancel::default();
    /// cancel.cancel();
    /// assert!(index.stopped_by(&cancel).search(&Query::All, &SearchOptions::default()).is_err());
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
        let snapshots =
            roots.map(|root| -> Result<_> { Snapshot::of(Store::read(root)?).map(Arc::new) });
        Ok(Self {
            snapshots: snapshots.collect::<Result<_, _>>()?,
            stop: Stop::default(),
        })
    }

    /// Returns the same indices for searches that can be cancelled. Soon after `cancel` is cancelled, every
    /// search, table and count of the returned value ends with [`IndexError::Stopped`]. Files are not opened again, and both values
    /// share the damage found.
    #[must_use]
    pub fn stopped_by(&self, cancel: &Cancel) -> Self {
        Self {
            snapshots: self.snapshots.clone(),
            stop: Stop::by(cancel),
        }
    }

    /// Whether a writer has committed since the indices were opened, judged by the metadata of one file per index.
    #[must_use]
    pub fn is_behind(&self) -> bool {
        let mut snapshots = self.snapshots.iter();
        snapshots.any(|snapshot| snapshot.is_behind())
    }

    /// Whether all of the indices also contain the positions of variations.
    #[must_use]
    pub fn has_variations(&self) -> bool {
        let mut snapshots = self.snapshots.iter();
        snapshots.all(|snapshot| snapshot.store.identity.variations)
    }

    /// The number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.snapshots.iter().map(|snapshot| snapshot.games()).sum()
    }

    /// The number of positions. If variations are indexed, it includes the positions of variations in games that were
    /// deleted since the last merge.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.snapshots
            .iter()
            .map(|snapshot| snapshot.positions())
            .sum()
    }

    /// The damage found so far, by file, while opening and searching the indices. Answers omit the games of these
    /// files.
    #[must_use]
    pub fn damage(&self) -> Vec<(PathBuf, String)> {
        self.snapshots
            .iter()
            .flat_map(|snapshot| snapshot.damage())
            .collect()
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
        for segment in self
            .snapshots
            .iter()
            .flat_map(|snapshot| &snapshot.segments)
        {
            let kinds = segment.kinds().into_iter().chain([CHECKSUMS.to_owned()]);
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
        (0..).zip(&self.snapshots).flat_map(|(index, snapshot)| {
            snapshot.numbers().map(move |game| GameId { index, game })
        })
    }

    /// Reads the data of a game that a list shows.
    ///
    /// ```
    /// # use tridex_index::GameIndex;
    /// # let folder = tempfile::tempdir()?;
    /// # tridex_index::example::write(folder.path())?;
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
        self.read(id, |snapshot, segment, doc| {
            snapshot.stored(segment, doc).map(|(summary, ..)| summary)
        })
    }

    /// Reads a game with everything the index stores about it.
    ///
    /// ```
    /// # use tridex_index::GameIndex;
    /// # let folder = tempfile::tempdir()?;
    /// # tridex_index::example::write(folder.path())?;
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
        self.read(id, Snapshot::game)
    }

    /// Reads the rules a game was played under.
    ///
    /// # Errors
    /// Returns an error if there is no such game, or if it is damaged.
    pub fn rules(&self, id: GameId) -> Result<RuleSystem> {
        self.read(id, |_, segment, doc| {
            let code = segment.value(Column::Rules, doc)?;
            let start = systems::start(u8::try_from(code).unwrap_or(systems::MOST_SYSTEMS));
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
        read: impl FnOnce(&Snapshot, &Segment, u32) -> Result<T>,
    ) -> Result<T> {
        let snapshot = self.snapshots.get(id.index as usize);
        let snapshot = snapshot.ok_or(IndexError::NoSuchGame(id.game))?;
        snapshot.read(id.game, read)
    }
}

impl From<GameIndex> for MergeSource {
    fn from(index: GameIndex) -> Self {
        Self::of(index.snapshots)
    }
}
