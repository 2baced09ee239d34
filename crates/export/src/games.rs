//! The file of games.

use crate::columns::{
    Column,
    Storage::{Plain, Shared},
    Value::{Hex, Int, Long, MaybeDate, MaybeInt, MaybeText, Text},
};
use crate::rows::GameRow;

/// A row group is written as soon as its games take about this many bytes.
pub(crate) const GROUP_BYTES: usize = 32 << 20;

/// The columns of a row. Ids, moves and tags hardly ever repeat, so a dictionary would only cost space.
pub(crate) fn columns() -> Vec<Column<GameRow>> {
    vec![
        Column("game", Plain, Long(|row| row.id)),
        Column("source", Shared, Text(|row| &row.source)),
        Column("number", Shared, Long(|row| row.number.into())),
        Column("rules", Shared, Text(|row| row.rules.name())),
        Column("white", Shared, MaybeText(|row| row.tag(0))),
        Column("black", Shared, MaybeText(|row| row.tag(1))),
        Column("event", Shared, MaybeText(|row| row.tag(2))),
        Column("site", Shared, MaybeText(|row| row.tag(3))),
        Column("date", Shared, MaybeText(|row| row.tag(4))),
        Column("round", Shared, MaybeText(|row| row.tag(5))),
        Column("year", Shared, MaybeInt(|row| row.year)),
        Column("white_elo", Shared, MaybeInt(|row| row.ratings[0])),
        Column("black_elo", Shared, MaybeInt(|row| row.ratings[1])),
        Column("result", Shared, Text(|row| row.result.as_str())),
        Column("plies", Shared, Int(|row| row.plies)),
        Column("opening", Shared, MaybeText(|row| row.opening.as_deref())),
        Column("start", Shared, MaybeText(|row| row.start.as_deref())),
        Column("moves", Plain, Text(|row| &row.moves)),
        Column("tags", Plain, Text(|row| &row.tags)),
        Column("id", Plain, Hex(|row| row.id)),
        Column("played_on", Shared, MaybeDate(|row| row.played_on)),
    ]
}
