//! Modifiers to many games at once: merging indices, renaming openings, removing a source.

use super::{PORTION, Writer};
use crate::error::Result;
use crate::storage::merge_source::MergeSource;
use rayon::prelude::*;

impl Writer {
    /// Adds the games of another index, which may have the previous version. A game replaces a game with the same
    /// source and number. `progress` is called with the number of games added so far, and returns whether to continue.
    ///
    /// ```
    /// # use tridex_index::{IndexOptions, MergeSource, Writer};
    /// # let folder = tempfile::tempdir()?;
    /// # tridex_index::example::write(folder.path())?;
    /// let all = tempfile::tempdir()?;
    /// let mut writer = Writer::open(all.path(), IndexOptions::default())?;
    /// writer.merge_from(&MergeSource::open(folder.path())?, |_games| true)?;
    /// assert_eq!(writer.finish()?.added, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Writer::commit`], or if the other index is damaged.
    pub fn merge_from(
        &mut self,
        other: &MergeSource,
        mut progress: impl FnMut(u64) -> bool,
    ) -> Result<()> {
        let mut done = 0;
        for (source, ids) in other.sources()? {
            self.begin_source(&source)?;
            for ids in ids.chunks(PORTION) {
                let games: Result<Vec<_>> = ids.iter().map(|id| other.game(*id)).collect();
                // Every index accepts the same games, so none is rejected.
                self.add_all(&games?)?;
                done += ids.len() as u64;
                if !progress(done) {
                    self.leave_source(None);
                    return Ok(());
                }
            }
            self.leave_source(None);
        }
        Ok(())
    }

    /// Updates the opening names of all games in the index to those of
    /// [`IndexOptions::book`](crate::IndexOptions::book). Games whose name changes
    /// count as updated. `progress` is called with the number of games read, and returns whether to continue.
    ///
    /// # Errors
    /// As [`Writer::commit`], or if the index is damaged.
    pub fn name_openings(&mut self, mut progress: impl FnMut(u64) -> bool) -> Result<()> {
        self.check()?;
        self.commit()?;
        let preparer = self.preparer();
        let mut looked_at = 0;
        // The old games stay readable while new ones replace them.
        for segment in self.committed.segments.clone() {
            let alive: Vec<u32> = segment.alive.iter().collect();
            for docs in alive.chunks(PORTION) {
                let renamed = |doc: &u32| -> Result<Option<_>> {
                    let game = self.committed.game(&segment, *doc)?;
                    if preparer.opening(&game.entry) == game.opening.as_deref() {
                        return Ok(None);
                    }
                    // It was in the index, so preparing it again succeeds.
                    let again = preparer.prepare(&game.entry);
                    let again = again.map_err(|_| segment.unreadable())?;
                    Ok(Some((segment.number(*doc)?, game.source.into(), again)))
                };
                let renamed = docs.par_iter().filter_map(|doc| renamed(doc).transpose());
                for (number, source, game) in renamed.collect::<Result<Vec<_>, _>>()? {
                    self.deleted.insert(number);
                    self.summary.updated += 1;
                    self.take(&source, game)?;
                }
                looked_at += docs.len() as u64;
                if !progress(looked_at) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Deletes all games of a source and returns their number.
    ///
    /// ```
    /// # use tridex_index::{GameIndex, IndexOptions, Writer};
    /// # let folder = tempfile::tempdir()?;
    /// # tridex_index::example::write(folder.path())?;
    /// let mut writer = Writer::open(folder.path(), IndexOptions::default())?;
    /// assert_eq!(writer.sources()?, ["games.pgn"]);
    /// assert_eq!(writer.remove_source("games.pgn")?, 1);
    /// writer.finish()?;
    /// assert_eq!(GameIndex::open(folder.path())?.games(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Writer::begin_source`].
    pub fn remove_source(&mut self, name: &str) -> Result<u64> {
        let before = self.summary.removed;
        self.begin_source(name)?;
        self.end_source(None);
        Ok(self.summary.removed - before)
    }
}
