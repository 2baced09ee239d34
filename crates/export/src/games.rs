//! The file of games.

use crate::GAMES;
use crate::columns::{Cell, Layout, Output, hex};
use crate::error::ExportError;
use crate::rows::GameRow;
use std::path::Path;

/// Ids look random, and moves and tags hardly ever repeat.
const LAYOUT: Layout = Layout {
    schema: "message games {
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
    }",
    plain: &["game", "moves", "tags", "id"],
    deltas: &[],
    sorted_by: 0,
};

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
            output: Output::new(folder, GAMES, &LAYOUT)?,
            bytes: 0,
        })
    }

    pub(crate) fn push(&mut self, row: &GameRow) -> Result<(), ExportError> {
        let [white, black, event, site, date, round] =
            row.texts.each_ref().map(|text| text.as_deref().into());
        let [white_elo, black_elo] = row.ratings.map(Into::into);
        self.output.push([
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
