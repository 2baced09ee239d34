//! The file of games.

use crate::GAMES;
use crate::columns::{Cell, Column, Output, hex};
use crate::error::ExportError;
use crate::rows::GameRow;
use std::path::Path;

/// Ids look random, and moves and tags hardly ever repeat.
const COLUMNS: [Column; 21] = [
    Column::long("game").plain(),
    Column::text("source"),
    Column::long("number"),
    Column::text("rules"),
    Column::text("white").optional(),
    Column::text("black").optional(),
    Column::text("event").optional(),
    Column::text("site").optional(),
    Column::text("date").optional(),
    Column::text("round").optional(),
    Column::int("year").optional(),
    Column::int("white_elo").optional(),
    Column::int("black_elo").optional(),
    Column::text("result"),
    Column::int("plies"),
    Column::text("opening").optional(),
    Column::text("start").optional(),
    Column::text("moves").plain(),
    Column::text("tags").plain(),
    Column::text("id").plain(),
    Column::date("played_on").optional(),
];

/// A row group is written after this number of bytes of texts.
const GROUP_BYTES: usize = 32 << 20;

/// Writes games in the order of the calls.
#[derive(Debug)]
pub(crate) struct Games {
    output: Output,
    bytes: usize,
}

impl Games {
    pub(crate) fn new(folder: &Path) -> Result<Self, ExportError> {
        Ok(Self {
            output: Output::new(folder, GAMES, "games", &COLUMNS, 0)?,
            bytes: 0,
        })
    }

    pub(crate) fn push(&mut self, row: &GameRow) -> Result<(), ExportError> {
        let [white, black, event, site, date, round] =
            row.texts.each_ref().map(|text| text.as_deref().into());
        let [white_elo, black_elo] = row.ratings.map(Into::into);
        self.output.push::<{ COLUMNS.len() }>([
            Cell::Long(row.id),
            row.source.as_str().into(),
            Cell::Long(row.number.into()),
            row.rules.name().into(),
            white,
            black,
            event,
            site,
            date,
            round,
            row.year.into(),
            white_elo,
            black_elo,
            row.result.as_str().into(),
            Cell::Int(row.plies),
            row.opening.as_deref().into(),
            row.start.as_deref().into(),
            row.moves.as_str().into(),
            row.tags.as_str().into(),
            Cell::Text(&hex(row.id)),
            row.played_on.into(),
        ]);
        self.bytes += 100 + row.source.len() + row.moves.len() + 2 * row.tags.len();
        if self.bytes >= GROUP_BYTES {
            self.bytes = 0;
            self.output.end_group()?;
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<u64, ExportError> {
        self.output.finish()
    }
}
