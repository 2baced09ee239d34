//! The file of games.

use crate::GAMES;
use crate::columns::{Output, Values, hex};
use crate::error::ExportError;
use crate::rows::GameRow;
use parquet::data_type::ByteArray;
use std::path::Path;

const SCHEMA: &str = "message games {
    REQUIRED INT64 game;
    REQUIRED BYTE_ARRAY source (STRING);
    REQUIRED INT64 number;
    REQUIRED BYTE_ARRAY rules (STRING);
    OPTIONAL BYTE_ARRAY white (STRING);
    OPTIONAL BYTE_ARRAY black (STRING);
    OPTIONAL BYTE_ARRAY event (STRING);
    OPTIONAL BYTE_ARRAY site (STRING);
    OPTIONAL BYTE_ARRAY date (STRING);
    OPTIONAL BYTE_ARRAY round (STRING);
    OPTIONAL INT32 year;
    OPTIONAL INT32 white_elo;
    OPTIONAL INT32 black_elo;
    REQUIRED BYTE_ARRAY result (STRING);
    REQUIRED INT32 plies;
    OPTIONAL BYTE_ARRAY opening (STRING);
    OPTIONAL BYTE_ARRAY start (STRING);
    REQUIRED BYTE_ARRAY moves (STRING);
    REQUIRED BYTE_ARRAY tags (STRING);
    REQUIRED BYTE_ARRAY id (STRING);
    OPTIONAL INT32 played_on (DATE);
}";

/// A row group is written after this number of bytes of texts.
const GROUP_BYTES: usize = 32 << 20;

/// Writes games in the order of the calls.
#[derive(Debug)]
pub(crate) struct Games {
    output: Output,
    columns: Columns,
    bytes: usize,
}

#[derive(Debug)]
struct Columns {
    game: Values<i64>,
    source: Values<ByteArray>,
    number: Values<i64>,
    rules: Values<ByteArray>,
    texts: [Values<ByteArray>; 6],
    year: Values<i32>,
    ratings: [Values<i32>; 2],
    result: Values<ByteArray>,
    plies: Values<i32>,
    opening: Values<ByteArray>,
    start: Values<ByteArray>,
    moves: Values<ByteArray>,
    tags: Values<ByteArray>,
    id: Values<ByteArray>,
    played_on: Values<i32>,
}

impl Games {
    pub(crate) fn new(folder: &Path) -> Result<Self, ExportError> {
        Ok(Self {
            // Ids look random, and moves and tags hardly ever repeat.
            output: Output::new(
                folder,
                GAMES,
                SCHEMA,
                0,
                &["game", "moves", "tags", "id"],
                &[],
            )?,
            columns: Columns {
                game: Values::required(),
                source: Values::required(),
                number: Values::required(),
                rules: Values::required(),
                texts: [const { Values::optional() }; 6],
                year: Values::optional(),
                ratings: [const { Values::optional() }; 2],
                result: Values::required(),
                plies: Values::required(),
                opening: Values::optional(),
                start: Values::optional(),
                moves: Values::required(),
                tags: Values::required(),
                id: Values::required(),
                played_on: Values::optional(),
            },
            bytes: 0,
        })
    }

    pub(crate) fn push(&mut self, row: GameRow) -> Result<(), ExportError> {
        let text = |text: &str| ByteArray::from(text);
        let columns = &mut self.columns;
        self.bytes += 100 + row.source.len() + row.moves.len() + 2 * row.tags.len();
        columns.game.push(row.id);
        columns.source.push(text(&row.source));
        columns.number.push(row.number.into());
        columns.rules.push(text(row.rules.name()));
        for (column, value) in columns.texts.iter_mut().zip(&row.texts) {
            column.push_option(value.as_deref().map(text));
        }
        columns.year.push_option(row.year);
        for (column, rating) in columns.ratings.iter_mut().zip(row.ratings) {
            column.push_option(rating);
        }
        columns.result.push(text(row.result.as_str()));
        columns.plies.push(row.plies);
        columns
            .opening
            .push_option(row.opening.as_deref().map(text));
        columns.start.push_option(row.start.as_deref().map(text));
        columns.moves.push(row.moves.into_bytes().into());
        columns.tags.push(row.tags.into_bytes().into());
        columns.id.push(hex(row.id).to_vec().into());
        columns.played_on.push_option(row.played_on);
        if self.bytes >= GROUP_BYTES {
            self.write()?;
        }
        Ok(())
    }

    fn write(&mut self) -> Result<(), ExportError> {
        if self.bytes == 0 {
            return Ok(());
        }
        self.bytes = 0;
        let columns = &mut self.columns;
        self.output.group(|group| {
            group.longs(&mut columns.game)?;
            group.texts(&mut columns.source)?;
            group.longs(&mut columns.number)?;
            group.texts(&mut columns.rules)?;
            for column in &mut columns.texts {
                group.texts(column)?;
            }
            group.ints(&mut columns.year)?;
            for column in &mut columns.ratings {
                group.ints(column)?;
            }
            group.texts(&mut columns.result)?;
            group.ints(&mut columns.plies)?;
            group.texts(&mut columns.opening)?;
            group.texts(&mut columns.start)?;
            group.texts(&mut columns.moves)?;
            group.texts(&mut columns.tags)?;
            group.texts(&mut columns.id)?;
            group.ints(&mut columns.played_on)
        })
    }

    pub(crate) fn finish(mut self) -> Result<u64, ExportError> {
        self.write()?;
        self.output.finish()
    }
}
