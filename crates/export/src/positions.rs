//! The file of positions: rows sorted on disk.

use crate::POSITIONS;
use crate::columns::{Output, Texts, Values, hex};
use crate::error::ExportError;
use crate::rows::GameRows;
use crate::sort::{Record, Sorter};
use parquet::data_type::ByteArray;
use std::collections::HashMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use tridex_index::GameResult;
use tridex_rules::{Color, RuleSystem};

const SCHEMA: &str = "message positions {
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
}";

/// Rows of a row group: a query reads some columns of it, which are about a megabyte in the file.
const GROUP_ROWS: usize = 1 << 16;

/// Rows that are sorted in memory, some 160 bytes each.
const SORTED_ROWS: usize = 400_000;

/// A position of a game, with the data of the game.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
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

impl Record for Row {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.key.to_le_bytes());
        out.extend_from_slice(&self.game.to_le_bytes());
        for number in [self.ply, self.source, self.number, self.word] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        // The length of every position string fits into 16 bits.
        let length = self.position.len() as u16;
        for number in [self.year, self.elo, length] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out.extend_from_slice(&[self.rules, self.flags]);
        out.extend_from_slice(self.position.as_bytes());
    }

    fn read(file: &mut impl Read) -> io::Result<Self> {
        let [key, game] = [long(file)?, long(file)?];
        let [ply, source, number, word] = [word(file)?, word(file)?, word(file)?, word(file)?];
        let [year, elo, length] = [short(file)?, short(file)?, short(file)?];
        let [rules, flags] = bytes(file)?;
        let mut position = vec![0; length.into()];
        file.read_exact(&mut position)?;
        let position = String::from_utf8(position).map_err(io::Error::other)?;
        Ok(Self {
            key,
            rules,
            game,
            ply,
            source,
            number,
            word,
            year,
            elo,
            flags,
            position: position.into(),
        })
    }
}

fn bytes<const N: usize>(file: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn long(file: &mut impl Read) -> io::Result<i64> {
    bytes(file).map(i64::from_le_bytes)
}

fn word(file: &mut impl Read) -> io::Result<u32> {
    bytes(file).map(u32::from_le_bytes)
}

fn short(file: &mut impl Read) -> io::Result<u16> {
    bytes(file).map(u16::from_le_bytes)
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
        let mut output = Output::new(
            &self.folder,
            POSITIONS,
            SCHEMA,
            1,
            &["game", "key_hex", "position"],
            &["key"],
        )?;
        let mut columns = Columns::new();
        let rules = RuleSystem::ALL.iter();
        let rules: Vec<ByteArray> = rules.map(|rules| ByteArray::from(rules.name())).collect();
        let results = GameResult::ALL.map(|result| ByteArray::from(result.as_str()));
        let turns = ["white", "black"].map(ByteArray::from);
        for row in sorted {
            let row = row.map_err(io)?;
            columns.key.push(row.key);
            columns
                .rules
                .push_option(rules.get(usize::from(row.rules)).cloned());
            columns.word.push_option(self.words.text(row.word));
            columns.game.push(row.game);
            columns.ply.push(row.ply as i32);
            columns.fresh.push(row.flags & FRESH != 0);
            columns.again.push(row.flags & AGAIN != 0);
            columns
                .result
                .push_option(results.get(usize::from(row.flags & RESULT)).cloned());
            let known = |n: u16| Some(i32::from(n)).filter(|n| *n != 0);
            columns.year.push_option(known(row.year));
            columns.elo.push_option(known(row.elo));
            columns.source.push_option(self.words.text(row.source));
            columns.number.push(row.number.into());
            columns.key_hex.push(&hex(row.key));
            let turn = turns[usize::from(row.flags & BLACK != 0)].clone();
            columns.turn.push(turn);
            columns.position.push(row.position.as_bytes());
            columns.rows += 1;
            if columns.rows >= GROUP_ROWS {
                columns.write(&mut output)?;
            }
        }
        columns.write(&mut output)?;
        output.finish()
    }
}

struct Columns {
    rows: usize,
    key: Values<i64>,
    rules: Values<ByteArray>,
    word: Values<ByteArray>,
    game: Values<i64>,
    ply: Values<i32>,
    fresh: Values<bool>,
    again: Values<bool>,
    result: Values<ByteArray>,
    year: Values<i32>,
    elo: Values<i32>,
    source: Values<ByteArray>,
    number: Values<i64>,
    key_hex: Texts,
    turn: Values<ByteArray>,
    position: Texts,
}

impl Columns {
    fn new() -> Self {
        Self {
            rows: 0,
            key: Values::required(),
            rules: Values::required(),
            word: Values::optional(),
            game: Values::required(),
            ply: Values::required(),
            fresh: Values::required(),
            again: Values::required(),
            result: Values::required(),
            year: Values::optional(),
            elo: Values::optional(),
            source: Values::required(),
            number: Values::required(),
            key_hex: Texts::default(),
            turn: Values::required(),
            position: Texts::default(),
        }
    }

    fn write(&mut self, output: &mut Output) -> Result<(), ExportError> {
        if std::mem::take(&mut self.rows) == 0 {
            return Ok(());
        }
        output.group(|group| {
            group.longs(&mut self.key)?;
            group.texts(&mut self.rules)?;
            group.texts(&mut self.word)?;
            group.longs(&mut self.game)?;
            group.ints(&mut self.ply)?;
            group.flags(&mut self.fresh)?;
            group.flags(&mut self.again)?;
            group.texts(&mut self.result)?;
            group.ints(&mut self.year)?;
            group.ints(&mut self.elo)?;
            group.texts(&mut self.source)?;
            group.longs(&mut self.number)?;
            group.different_texts(&mut self.key_hex)?;
            group.texts(&mut self.turn)?;
            group.different_texts(&mut self.position)
        })
    }
}
