//! The file of positions: rows sorted on disk.

use crate::POSITIONS;
use crate::columns::{
    Column, Output,
    Storage::{Deltas, Plain, Shared},
    Value::{Flag, Hex, Int, Long, MaybeInt, MaybeText, Text},
};
use crate::error::{At, ExportError};
use crate::rows::GameRows;
use crate::sort::Sorter;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use tridex_index::GameResult;
use tridex_rules::{Color, RuleSystem};

/// The columns of the sorted rows, whose words are numbers.
fn columns<'a>() -> Vec<Column<(Row, &'a Words)>> {
    vec![
        Column("key", Deltas, Long(|(row, _)| row.key)),
        Column("rules", Shared, Text(|(row, _)| row.rules().name())),
        Column("move", Shared, MaybeText(|(row, of)| of.word(row.word))),
        Column("game", Plain, Long(|(row, _)| row.game)),
        Column("ply", Shared, Int(|(row, _)| row.ply as i32)),
        Column("fresh", Shared, Flag(|(row, _)| row.is(FRESH))),
        Column("again", Shared, Flag(|(row, _)| row.is(AGAIN))),
        Column("result", Shared, Text(|(row, _)| row.result())),
        Column("year", Shared, MaybeInt(|(row, _)| known(row.year))),
        Column("elo", Shared, MaybeInt(|(row, _)| known(row.elo))),
        Column("source", Shared, Text(|(row, of)| of.text(row.source))),
        Column("number", Shared, Long(|(row, _)| row.number.into())),
        Column("key_hex", Plain, Hex(|(row, _)| row.key)),
        Column("turn", Shared, Text(|(row, _)| row.turn())),
        Column("position", Plain, Text(|(row, _)| &row.position)),
    ]
}

/// Rows of a row group: a query reads some columns of it, which are about a megabyte in the file.
const GROUP_ROWS: usize = 1 << 16;

/// Rows that are sorted in memory, some 160 bytes each.
pub(crate) const SORTED_ROWS: usize = 400_000;

/// A position of a game, with the data of the game.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
struct Row {
    // Rows are sorted by the fields in this order.
    key: i64,
    rules: u8,
    game: i64,
    ply: u32,
    /// The number of the source among all words.
    source: u32,
    number: u32,
    /// The number of the move among all words; 0 for none.
    word: u32,
    year: u16,
    elo: u16,
    /// Result, fresh, again, Black to move.
    flags: u8,
    position: Box<str>,
}

const RESULT: u8 = 7;
const FRESH: u8 = 8;
const AGAIN: u8 = 16;
const BLACK: u8 = 32;

impl Row {
    fn rules(&self) -> RuleSystem {
        RuleSystem::ALL[usize::from(self.rules)]
    }

    fn result(&self) -> &'static str {
        GameResult::ALL[usize::from(self.flags & RESULT)].as_str()
    }

    const fn is(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    const fn turn(&self) -> &'static str {
        if self.is(BLACK) { "black" } else { "white" }
    }
}

/// A number that is 0 if it is not known.
fn known(number: u16) -> Option<i32> {
    Some(number.into()).filter(|number| *number != 0)
}

/// Moves as words and names of sources, each stored once: all systems together have some ten thousand moves.
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
    sorter: Sorter<Row>,
    folder: PathBuf,
    words: Words,
    rows: u64,
}

impl Positions {
    /// A writer with this number of rows in memory.
    pub(crate) fn new(folder: &Path, rows: usize) -> Self {
        Self {
            sorter: Sorter::new(folder.to_owned(), rows),
            folder: folder.to_owned(),
            words: Words::default(),
            rows: 0,
        }
    }

    /// Adds the positions of a game.
    pub(crate) fn push(&mut self, rows: &GameRows) -> io::Result<()> {
        let (game, mut position_from) = (&rows.game, 0);
        let rules = RuleSystem::ALL.iter().position(|r| *r == game.rules);
        let result = GameResult::ALL.iter().position(|r| *r == game.result);
        let source = self.words.number(&game.source);
        for (number, ply) in (0..).zip(&rows.plies) {
            let position = rows.positions.get(position_from..ply.position_end as usize);
            position_from = ply.position_end as usize;
            let word = game.moves.get(ply.word.0 as usize..ply.word.1 as usize);
            let word = word.filter(|word| !word.is_empty());
            let elo = game.ratings.get(ply.turn as usize).copied().flatten();
            let narrow = |n: Option<i32>| n.and_then(|n| u16::try_from(n).ok()).unwrap_or(0);
            let row = Row {
                key: ply.key,
                rules: rules.unwrap_or(0) as u8,
                game: game.id,
                ply: number,
                source,
                number: game.number,
                word: word.map_or(0, |word| self.words.number(word)),
                year: narrow(game.year),
                elo: narrow(elo),
                flags: result.unwrap_or(0) as u8
                    | if ply.fresh { FRESH } else { 0 }
                    | if ply.again { AGAIN } else { 0 }
                    | if ply.turn == Color::Black { BLACK } else { 0 },
                position: position.unwrap_or_default().into(),
            };
            self.sorter.push(row)?;
            self.rows += 1;
        }
        Ok(())
    }

    /// The number of positions.
    pub(crate) const fn rows(&self) -> u64 {
        self.rows
    }

    /// Sorts and writes them. Returns the length of the file in bytes.
    pub(crate) fn finish(self) -> Result<u64, ExportError> {
        let path = self.folder.join(POSITIONS);
        let sorted = self.sorter.sorted().at(&self.folder)?;
        let mut output = Output::new(&self.folder, POSITIONS, columns(), 1).at(&path)?;
        for row in sorted {
            if output.push((row.at(&self.folder)?, &self.words)) == GROUP_ROWS {
                output.end_group().at(&path)?;
            }
        }
        output.finish().at(&path)
    }
}
