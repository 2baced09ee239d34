//! Writes games and positions together.

use crate::GAMES;
use crate::columns::Output;
use crate::error::{At, ExportError};
use crate::games::{self, GROUP_BYTES};
use crate::positions::{Positions, SORTED_ROWS};
use crate::rows::{GameRow, GameRows};
use std::fs;
use std::path::{Path, PathBuf};

/// Writes games and their positions to files in a folder. [`Exporter::finish`] gives the files their names. Memory use
/// is bounded, because rows are sorted on disk, in the same folder.
#[derive(Debug)]
pub struct Exporter {
    games: Output<GameRow>,
    /// The approximate size of the games in the current row group, in bytes.
    bytes: usize,
    positions: Positions,
    count: u64,
    folder: PathBuf,
}

/// The result of an export.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Exported {
    /// The number of games.
    pub games: u64,
    /// The number of positions.
    pub positions: u64,
    /// The sizes in bytes of the file of games and the file of positions.
    pub bytes: [u64; 2],
}

impl Exporter {
    /// Begins an export. Creates the folder if it does not exist.
    ///
    /// ```
    /// use tridex_export::{Exporter, GameRows, Tables};
    /// use tridex_index::{GameEntry, read_moves};
    /// use tridex_rules::{Position, RuleSystem};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let game = GameEntry::new(1, RuleSystem::Meder, read_moves(RuleSystem::Meder, "b4N b5B")?);
    /// let mut exporter = Exporter::new(folder.path())?;
    /// exporter.take(GameRows::new(1, "games.pgn", None, &game)?)?;
    /// assert_eq!(exporter.finish()?.positions, 3);
    /// let table = Tables::open(folder.path())?.openings(&Position::start(RuleSystem::Meder))?;
    /// assert_eq!((table.total.games, table.moves.len()), (1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the folder or a file in it cannot be created.
    pub fn new(folder: &Path) -> Result<Self, ExportError> {
        Self::sorting(folder, SORTED_ROWS)
    }

    /// Like [`new`](Self::new), but sorts this number of positions in memory.
    pub(crate) fn sorting(folder: &Path, rows: usize) -> Result<Self, ExportError> {
        fs::create_dir_all(folder).at(folder)?;
        let games = folder.join(GAMES);
        Ok(Self {
            games: Output::new(folder, GAMES, games::columns(), None).at(&games)?,
            bytes: 0,
            positions: Positions::new(folder, rows),
            count: 0,
            folder: folder.to_owned(),
        })
    }

    /// Adds a game. The files depend only on the games and their order.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written. All games added so far are then lost.
    pub fn take(&mut self, rows: GameRows) -> Result<(), ExportError> {
        let game = self.positions.push(rows).at(&self.folder)?;
        self.count += 1;
        self.bytes += 100 + game.source.len() + game.moves.len() + 2 * game.tags.len();
        self.games.push(game);
        if self.bytes >= GROUP_BYTES {
            self.bytes = 0;
            self.games.end_group().at(&self.folder.join(GAMES))?;
        }
        Ok(())
    }

    /// The number of games added so far.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.count
    }

    /// Completes the files and gives them their names.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written.
    pub fn finish(self) -> Result<Exported, ExportError> {
        let positions = self.positions.rows;
        let games = self.games.finish().at(&self.folder.join(GAMES))?;
        let bytes = [games, self.positions.finish()?];
        Ok(Exported {
            games: self.count,
            positions,
            bytes,
        })
    }
}
