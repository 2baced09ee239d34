//! The file of positions: rows sorted on disk.

use crate::POSITIONS;
use crate::columns::{Cell, Layout, Output, hex};
use crate::error::ExportError;
use crate::rows::GameRows;
use crate::sort::Sorter;
use parquet::data_type::ByteArray;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use tridex_index::GameResult;
use tridex_rules::{Color, RuleSystem};

const LAYOUT: Layout = Layout {
    schema: "message positions {
        REQUIRED INT64 key;
        REQUIRED BYTE_ARRAY rules (STRING);
        OPTIONAL BYTE_ARRAY move (STRING);
        REQUIRED INT64 game;
        REQUIRED INT32 ply;
        REQUIRED BOOLEAN fresh;
        REQUIRED BOOLEAN again;
        REQUIRED BYTE_ARRAY result (STRING);
        OPTIONAL INT32 year;
        OPTIONAL INT32 elo;
        REQUIRED BYTE_ARRAY source (STRING);
        REQUIRED INT64 number;
        REQUIRED BYTE_ARRAY key_hex (STRING);
        REQUIRED BYTE_ARRAY turn (STRING);
        REQUIRED BYTE_ARRAY position (STRING);
    }",
    plain: &["game", "key_hex", "position"],
    deltas: &["key"],
    sorted_by: 1,
};

/// Rows of a row group: a query reads some columns of it, which are about a megabyte in the file.
const GROUP_ROWS: usize = 1 << 16;

/// Rows that are sorted in memory, some 160 bytes each.
const SORTED_ROWS: usize = 400_000;

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

/// Moves as words and names of sources, each stored once: all systems together have some ten thousand moves.
#[derive(Debug, Default)]
struct Words {
    known: HashMap<Box<str>, u32>,
    texts: Vec<ByteArray>,
}

impl Words {
    /// The number of a word, from 1.
    fn number(&mut self, word: &str) -> u32 {
        if let Some(number) = self.known.get(word) {
            return *number;
        }
        self.texts.push(ByteArray::from(word));
        let number = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        self.known.insert(word.into(), number);
        number
    }

    fn text(&self, number: u32) -> Option<ByteArray> {
        let place = (number as usize).checked_sub(1)?;
        self.texts.get(place).cloned()
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
    pub(crate) fn new(folder: &Path) -> Self {
        Self::sorting(folder, SORTED_ROWS)
    }

    /// A writer with this number of rows in memory.
    pub(crate) fn sorting(folder: &Path, rows: usize) -> Self {
        Self {
            sorter: Sorter::new(folder.to_owned(), rows),
            folder: folder.to_owned(),
            words: Words::default(),
            rows: 0,
        }
    }

    /// Adds the positions of a game.
    pub(crate) fn push(&mut self, rows: &GameRows) -> Result<(), ExportError> {
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
            let pushed = self.sorter.push(row);
            pushed.map_err(ExportError::io(&self.folder))?;
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
        let io = ExportError::io(&self.folder);
        let sorted = self.sorter.sorted().map_err(io)?;
        let mut output = Output::new(&self.folder, POSITIONS, &LAYOUT)?;
        let rules = RuleSystem::ALL.iter();
        let rules: Vec<ByteArray> = rules.map(|rules| ByteArray::from(rules.name())).collect();
        let results = GameResult::ALL.map(|result| ByteArray::from(result.as_str()));
        let turns = ["white", "black"].map(ByteArray::from);
        for (row, number) in sorted.zip(1_usize..) {
            let row = row.map_err(io)?;
            let known = |n: u16| Cell::from(Some(i32::from(n)).filter(|n| *n != 0));
            output.push([
                Cell::Long(row.key),
                rules.get(usize::from(row.rules)).cloned().into(),
                self.words.text(row.word).into(),
                Cell::Long(row.game),
                Cell::Int(row.ply as i32),
                Cell::Flag(row.flags & FRESH != 0),
                Cell::Flag(row.flags & AGAIN != 0),
                results.get(usize::from(row.flags & RESULT)).cloned().into(),
                known(row.year),
                known(row.elo),
                self.words.text(row.source).into(),
                Cell::Long(row.number.into()),
                Cell::Text(&hex(row.key)),
                turns[usize::from(row.flags & BLACK != 0)].clone().into(),
                Cell::Text(row.position.as_bytes()),
            ]);
            if number.is_multiple_of(GROUP_ROWS) {
                output.end_group()?;
            }
        }
        output.finish()
    }
}
