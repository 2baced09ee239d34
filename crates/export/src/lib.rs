//! Games and positions of three-dimensional chess as Parquet, for DuckDB, Spark and other query engines.
//!
//! `source` and `number` together identify a game's rows in both files. Nothing else is unique, since several files may
//! contain the same game. The metadata of each file has the version of its schema, [`SCHEMA_VERSION`], under
//! [`SCHEMA_KEY`].
//!
//! An [`Exporter`] writes [`GameRows`] to two files in a folder. [`Tables`] reads the file of positions, or an
//! aggregate of it that a query engine wrote, and tabulates the moves played from a position.
//!
//! # `games.parquet`
//!
//! One row for each game, in the order in which the games were added.
//!
//! | column | type | meaning |
//! |---|---|---|
//! | `game` | INT64 | the game's id, as a signed number; `search` shows the same 64 bits as 16 hexadecimal digits. Games that agree in moves, tags, comments and result have one id, wherever they are from, so it is not unique |
//! | `source`, `number` | STRING, INT64 | its file, and its number there from 1: the key of the table |
//! | `rules` | STRING | the rule system |
//! | `white`, `black`, `event`, `site`, `date`, `round` | STRING or null | the tags of these names as they are written, null for `?` |
//! | `year` | INT32 or null | of the date |
//! | `white_elo`, `black_elo` | INT32 or null | the ratings |
//! | `result` | STRING | `1-0`, `0-1`, `1/2-1/2`, `*`, or what an arbiter gave: `0:0`, `1/2-0`, `0-1/2` |
//! | `plies` | INT32 | plies of the main line |
//! | `opening` | STRING or null | the name of its opening |
//! | `start` | STRING or null | the position string it starts from, if that is not the start of its rules |
//! | `moves` | STRING | the moves of the main line in the system's own notation, between blanks |
//! | `tags` | STRING | all tags in their order: a JSON array of `[name, value]` |
//! | `id` | STRING | `game` as `search` prints it: 16 hexadecimal digits |
//! | `played_on` | DATE or null | the date, if its day is known and can be |
//!
//! # `positions.parquet`
//!
//! One row for each position of each main line, including the final position. The rows are sorted by `key`, `rules`,
//! `game` and `ply`.
//!
//! | column | type | meaning |
//! |---|---|---|
//! | `key` | INT64 | the position's key ([`tridex_rules::Position::key`]), as a signed number: equal for positions that count as repetitions (ruling same-position) |
//! | `rules` | STRING | the rule system, which is not part of the key |
//! | `move` | STRING or null | the move played from here, in the system's own notation without marks; null at the end of a game |
//! | `game` | INT64 | the game's id |
//! | `ply` | INT32 | plies before the position, 0 at the start |
//! | `fresh` | BOOLEAN | whether the game plays this move here for the first time: such rows are counted |
//! | `again` | BOOLEAN | whether the game was here before |
//! | `result` | STRING | the game's |
//! | `year` | INT32 or null | the game's |
//! | `elo` | INT32 or null | the rating of the side to move |
//! | `source`, `number` | STRING, INT64 | the game's: with `ply` the key of the table |
//! | `key_hex` | STRING | `key` as `validate` prints it: 16 hexadecimal digits |
//! | `turn` | STRING | the side to move: `white`, `black` |
//! | `position` | STRING | the position string, with its counters |
//!
//! If a game reaches a position more than once, it counts once for the position and once for each different move it
//! plays there. So the games that played a move from a position are its rows with `fresh`, and the games that reached
//! the position are its rows without `again`.
//!
//! # Aggregated positions
//!
//! Rows that a query engine grouped and sorted by key, rules and move. [`Tables`] reads this file too.
//!
//! | column | type | meaning |
//! |---|---|---|
//! | `key`, `rules`, `move` | as above | |
//! | `games`, `white`, `draws`, `black` | INT64 | over the rows with `fresh`: the number of rows, and the number with each result |
//! | `ratings`, `rated` | INT64 | sum and number of the `elo` that are known |
//! | `last_year` | INT32 or null | the greatest `year` |
//! | `again`, `again_white`, `again_draws`, `again_black`, `again_ratings`, `again_rated` | INT64 | the same over the rows with both `fresh` and `again`; subtracting them counts each game once for the position |
//!
//! # Damage
//!
//! Both files of an [`Exporter`] have checksums in their footers. [`Tables`] verifies the checksums of everything it
//! reads, so a changed file causes an error, never a wrong result. In a file that a query engine wrote, it verifies the
//! checksums of pages, if the pages have any.
#![forbid(unsafe_code)]

mod columns;
mod error;
mod footer_checksum;
mod games;
mod positions;
mod rows;
mod sort;
mod tables;
#[cfg(test)]
mod tests;
mod writer;

pub use error::{ExportError, ExportFault};
pub use rows::GameRows;
pub use tables::Tables;
pub use writer::{Exported, Exporter};

/// The schema version of both files. It is raised when a column is added or the meaning of a column changes. Columns
/// are never renamed or dropped. Files of version 1 do not state their version.
pub const SCHEMA_VERSION: u32 = 2;
/// The key of [`SCHEMA_VERSION`] in the metadata of a file.
pub const SCHEMA_KEY: &str = "tridex.schema";
/// The name of the file or folder of games.
pub const GAMES: &str = "games.parquet";
/// The name of the file or folder of positions.
pub const POSITIONS: &str = "positions.parquet";
