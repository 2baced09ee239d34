//! The file of positions, whose rows are sorted on disk.

use crate::POSITIONS;
use crate::columns::{
    Column, Output,
    Storage::{Deltas, Plain, Shared},
    Value::{Flag, Hex, Int, Long, MaybeInt, MaybeText, Text},
};
use crate::error::{At, ExportError};
use crate::rows::{GameRow, GameRows, PlyRow};
use crate::sort::Sorter;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

/// The columns. A sorted row stores its texts as numbers, which [`Words`] resolves.
fn columns<'a>() -> Vec<Column<(PlyRow, &'a Words)>> {
    vec![
        Column("key", Deltas, Long(|(row, _)| row.key)),
        Column("rules", Shared, Text(|(row, _)| row.rules().name())),
        Column("move", Shared, MaybeText(|(row, of)| of.word(row.word))),
        Column("game", Plain, Long(|(row, _)| row.game)),
        Column("ply", Shared, Int(|(row, _)| row.ply as i32)),
        Column("fresh", Shared, Flag(|(row, _)| row.fresh)),
        Column("again", Shared, Flag(|(row, _)| row.again)),
        Column("result", Shared, Text(|(row, _)| row.result())),
        Column(
            "year",
            Shared,
            MaybeInt(|(row, _)| row.year.map(Into::into)),
        ),
        Column("elo", Shared, MaybeInt(|(row, _)| row.elo.map(Into::into))),
        Column("source", Shared, Text(|(row, of)| of.text(row.source))),
        Column("number", Shared, Long(|(row, _)| row.number.into())),
        Column("key_hex", Plain, Hex(|(row, _)| row.key)),
        Column("turn", Shared, Text(|(row, _)| row.turn())),
        Column("position", Plain, Text(|(row, _)| &row.position)),
    ]
}

/// Rows in a row group. A query reads a few columns of a group, about a megabyte of the file.
const GROUP_ROWS: usize = 1 << 16;

/// Rows that are sorted in memory, at some 160 bytes each.
pub(crate) const SORTED_ROWS: usize = 400_000;

/// Written moves and names of sources, each stored once. All rule systems together have some ten thousand different
/// moves.
#[derive(Debug, Default)]
struct Words {
    known: HashMap<Box<str>, u32>,
    texts: Vec<Box<str>>,
}

impl Words {
    /// The number of a word, from 1.
    fn number(&mut self, word: &str) -> u32 {
        if let Some(number) = self.known.get(word) {
            return *number;
        }
        self.texts.push(word.into());
        let number = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        self.known.insert(word.into(), number);
        number
    }

    fn word(&self, number: u32) -> Option<&str> {
        let place = (number as usize).checked_sub(1)?;
        self.texts.get(place).map(|word| &**word)
    }

    fn text(&self, number: u32) -> &str {
        self.word(number).unwrap_or_default()
    }
}

/// Sorts and writes positions.
#[derive(Debug)]
pub(crate) struct Positions {
    sorter: Sorter<PlyRow>,
    folder: PathBuf,
    words: Words,
    /// The number of positions.
    pub(crate) rows: u64,
}

impl Positions {
    /// A writer that sorts up to `rows` rows in memory.
    pub(crate) fn new(folder: &Path, rows: usize) -> Self {
        Self {
            sorter: Sorter::new(folder.to_owned(), rows),
            folder: folder.to_owned(),
            words: Words::default(),
            rows: 0,
        }
    }

    /// Adds the positions of a game and returns the row of the game itself.
    pub(crate) fn push(&mut self, rows: GameRows) -> io::Result<GameRow> {
        let GameRows { game, plies } = rows;
        self.rows += plies.len() as u64;
        let source = self.words.number(&game.source);
        for (mut row, word) in plies {
            row.source = source;
            if !word.is_empty() {
                row.word = self.words.number(&game.moves[word]);
            }
            self.sorter.push(row)?;
        }
        Ok(game)
    }

    /// Sorts the positions and writes the file. Returns its length in bytes.
    pub(crate) fn finish(self) -> Result<u64, ExportError> {
        let path = self.folder.join(POSITIONS);
        let sorted = self.sorter.sorted().at(&self.folder)?;
        let mut output = Output::new(&self.folder, POSITIONS, columns(), Some(0)).at(&path)?;
        for row in sorted {
            if output.push((row.at(&self.folder)?, &self.words)) == GROUP_ROWS {
                output.end_group().at(&path)?;
            }
        }
        output.finish().at(&path)
    }
}
