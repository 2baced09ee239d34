//! Answers: tables, rows and records.
//!
//! `openings` counts the moves played from a position, `opening_tree` also those played after them, and `statistics` counts whole games, both for the games that a
//! search finds. `games` reads these games. `rows` has the machine-readable forms of answers, and `record_writer` converts a game to a record.

pub(crate) mod games;
pub(crate) mod opening_tree;
pub(crate) mod openings;
pub(crate) mod record_writer;
pub(crate) mod rows;
#[cfg(feature = "schemas")]
pub mod schemas;
pub(crate) mod statistics;
