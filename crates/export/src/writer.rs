//! Games and positions written together.

use crate::error::ExportError;
use crate::games::Games;
use crate::positions::Positions;
use crate::rows::GameRows;
use std::fs;
use std::path::Path;

/// Writes games and their positions into a folder. Nothing has its name there before [`Exporter::finish`]; memory is
/// bounded, whatever the games: rows wait on the disk, in the folder.
#[derive(Debug)]
pub struct Exporter {
    games: Games,
    positions: Positions,
    count: u64,
}

/// What was written.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Exported {
    /// How many games.
    pub games: u64,
    /// How many positions.
    pub positions: u64,
    /// Bytes of the file of games, and of that of positions.
    pub bytes: [u64; 2],
}

impl Exporter {
    /// Makes the folder, if it is not there, and begins.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn new(folder: &Path) -> Result<Self, ExportError> {
        Self::with(folder, Positions::new)
    }

    /// The same with so many rows of positions in memory.
    #[cfg(test)]
    pub(crate) fn sorting(folder: &Path, rows: usize) -> Result<Self, ExportError> {
        Self::with(folder, |folder| Positions::sorting(folder, rows))
    }

    fn with(
        folder: &Path,
        positions: impl FnOnce(&Path) -> Positions,
    ) -> Result<Self, ExportError> {
        fs::create_dir_all(folder).map_err(ExportError::io(folder))?;
        Ok(Self {
            games: Games::new(folder)?,
            positions: positions(folder),
            count: 0,
        })
    }

    /// Takes a game. The files depend on the games and their order only.
    ///
    /// # Errors
    /// If the system refuses; what was taken is lost then.
    pub fn take(&mut self, rows: GameRows) -> Result<(), ExportError> {
        self.positions.push(&rows)?;
        self.count += 1;
        self.games.push(rows.game)
    }

    /// Writes what is left, and gives the files their names.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn finish(self) -> Result<Exported, ExportError> {
        let positions = self.positions.rows();
        let games = self.games.finish()?;
        let bytes = [games, self.positions.finish()?];
        Ok(Exported {
            games: self.count,
            positions,
            bytes,
        })
    }
}
