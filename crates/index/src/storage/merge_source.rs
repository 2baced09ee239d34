//! Indices whose games are added to another index.

use crate::error::{IndexError, Result, Upgrade};
use crate::model::entry::GameEntry;
use crate::read::index::{GameId, GameIndex};
use crate::storage::previous_version::PreviousIndex;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// An index whose games [`Writer::merge_from`](crate::Writer::merge_from) adds to another. It has the current or the
/// previous version. Merging is the only use of an index of the previous version.
///
/// ```
/// # use tridex_index::{GameEntry, IndexOptions, Writer, read_moves};
/// # use tridex_rules::RuleSystem;
/// # let folder = tempfile::tempdir()?;
/// # let mut writer = Writer::open(folder.path(), IndexOptions::default())?;
/// # writer.begin_source("games.pgn")?;
/// # writer.add_all(&[GameEntry::new(1, RuleSystem::Meder, read_moves(RuleSystem::Meder, "b4N b5B")?)])?;
/// # writer.end_source(None);
/// # writer.finish()?;
/// use tridex_index::MergeSource;
/// let old = MergeSource::open(folder.path())?;
/// assert_eq!((old.games(), old.damage()), (1, vec![]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MergeSource(Games);

enum Games {
    Current(GameIndex),
    Previous(Box<PreviousIndex>),
}

impl From<GameIndex> for MergeSource {
    fn from(index: GameIndex) -> Self {
        Self(Games::Current(index))
    }
}

impl MergeSource {
    /// Opens an index of the current or the previous version.
    ///
    /// # Errors
    /// As [`GameIndex::open`], and for versions whose games cannot be read.
    pub fn open(root: &Path) -> Result<Self> {
        match GameIndex::open(root) {
            Err(IndexError::Version {
                upgrade: Upgrade::Merge,
                ..
            }) => PreviousIndex::open(root).map(|index| Self(Games::Previous(index.into()))),
            opened => opened.map(Self::from),
        }
    }

    /// The number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        match &self.0 {
            Games::Current(index) => index.games(),
            Games::Previous(index) => index.part.games(),
        }
    }

    /// The damage found so far, by file.
    #[must_use]
    pub fn damage(&self) -> Vec<(PathBuf, String)> {
        match &self.0 {
            Games::Current(index) => index.damage(),
            Games::Previous(index) => index.part.damage(),
        }
    }

    /// The sources in alphabetical order, with their games.
    ///
    /// # Errors
    /// If the index is damaged.
    pub(crate) fn sources(&self) -> Result<BTreeMap<String, Vec<GameId>>> {
        let mut sources: BTreeMap<String, Vec<GameId>> = BTreeMap::new();
        match &self.0 {
            Games::Current(index) => {
                for id in index.ids() {
                    sources.entry(index.source(id)?).or_default().push(id);
                }
            }
            Games::Previous(index) => {
                for segment in &index.part.segments {
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
            Games::Current(index) => Ok(index.game(id)?.entry),
            Games::Previous(index) => {
                let (segment, doc) = index.part.find(id.game)?;
                index.game(segment, doc)
            }
        }
    }
}
