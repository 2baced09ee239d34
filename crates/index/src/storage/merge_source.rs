//! Indices whose games are added to another index.

use crate::error::{IndexError, Result, Upgrade};
use crate::model::entry::GameEntry;
use crate::model::indexed_game::GameId;
use crate::storage::previous_version::PreviousIndex;
use crate::storage::snapshot::Snapshot;
use crate::storage::store::Store;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An index whose games [`Writer::merge_from`](crate::Writer::merge_from) adds to another. It has the current or the
/// previous version. Merging is the only use of an index of the previous version.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # tridex_index::example::write(folder.path())?;
/// use tridex_index::MergeSource;
/// let old = MergeSource::open(folder.path())?;
/// assert_eq!((old.games(), old.damage()), (1, vec![]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MergeSource(Games);

enum Games {
    Current(Vec<Arc<Snapshot>>),
    Previous(Box<PreviousIndex>),
}

impl MergeSource {
    /// Opens an index of the current or the previous version.
    ///
    /// # Errors
    /// As [`GameIndex::open`](crate::GameIndex::open), and for versions whose games cannot be read.
    pub fn open(root: &Path) -> Result<Self> {
        match Store::read(root) {
            Err(IndexError::Version {
                upgrade: Upgrade::Merge,
                ..
            }) => PreviousIndex::open(root).map(|index| Self(Games::Previous(index.into()))),
            opened => Ok(Self::of(vec![Arc::new(Snapshot::of(opened?)?)])),
        }
    }

    /// The games of indices of the current version.
    pub(crate) const fn of(snapshots: Vec<Arc<Snapshot>>) -> Self {
        Self(Games::Current(snapshots))
    }

    /// The number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        match &self.0 {
            Games::Current(snapshots) => snapshots.iter().map(|snapshot| snapshot.games()).sum(),
            Games::Previous(index) => index.snapshot.games(),
        }
    }

    /// The damage found so far, by file.
    #[must_use]
    pub fn damage(&self) -> Vec<(PathBuf, String)> {
        match &self.0 {
            Games::Current(snapshots) => snapshots
                .iter()
                .flat_map(|snapshot| snapshot.damage())
                .collect(),
            Games::Previous(index) => index.snapshot.damage(),
        }
    }

    /// The sources in alphabetical order, with their games.
    ///
    /// # Errors
    /// If the index is damaged.
    pub(crate) fn sources(&self) -> Result<BTreeMap<String, Vec<GameId>>> {
        let mut sources: BTreeMap<String, Vec<GameId>> = BTreeMap::new();
        match &self.0 {
            Games::Current(snapshots) => {
                for (index, snapshot) in (0..).zip(snapshots) {
                    for game in snapshot.numbers() {
                        let source = snapshot.read(game, |_, segment, doc| segment.source(doc))?;
                        let id = GameId { index, game };
                        sources.entry(source).or_default().push(id);
                    }
                }
            }
            Games::Previous(index) => {
                for segment in &index.snapshot.segments {
                    for doc in segment.alive.iter() {
                        let game = segment.number(doc)?;
                        let id = GameId { index: 0, game };
                        sources.entry(segment.source(doc)?).or_default().push(id);
                    }
                }
            }
        }
        Ok(sources)
    }

    /// A game.
    ///
    /// # Errors
    /// If it is damaged.
    pub(crate) fn game(&self, id: GameId) -> Result<GameEntry> {
        match &self.0 {
            Games::Current(snapshots) => {
                let snapshot = snapshots.get(id.index as usize);
                let snapshot = snapshot.ok_or(IndexError::NoSuchGame(id.game))?;
                Ok(snapshot.read(id.game, Snapshot::game)?.entry)
            }
            Games::Previous(index) => {
                let (segment, doc) = index.snapshot.find(id.game)?;
                index.game(segment, doc)
            }
        }
    }
}
