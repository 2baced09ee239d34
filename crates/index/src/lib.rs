//! An index of games of three-dimensional chess: any game is found by its players, its events, a position, part of a
//! position, material or opening.
//!
//! A [`Writer`] adds [`GameEntry`]s, source by source, to the index of a folder. A [`GameIndex`] is one or several
//! indices open for questions: a [`Query`] finds games ([`GameIndex::search`]), a position gives the table of the moves
//! played from it ([`GameIndex::openings`]). Questions are built from parts or read from text: [`Query::parse`] in the
//! language of `grammars/query.ebnf`, [`Pattern::parse`] and [`Material::parse`] in those of `grammars/pattern.ebnf`.
//!
//! Where is what?
//! - Texts (names, events, comments) are in tantivy, one document a game. No type of its is seen from outside.
//! - Positions are in lists of our own, `postings`: keys are cut so short that a few positions share a list, and every
//!   game of a list is replayed before it is believed. With tantivy's terms for them an index would be built several
//!   times slower and be a third bigger.
//! - Moves are packed into about ten bits each, `packed`, and replayed on a `board`, which knows where the pieces are
//!   and nothing else, at some 20 ns a move; so a question about every position of every game takes a fraction of a
//!   second for some hundred thousand games. Only checks, rights and counters need the rules.
//! - `manifest` says which files make an index at a commit, and how a commit is one.
//!
//! ```
//! use tridex_index::{GameEntry, GameIndex, IndexOptions, Query, SearchOptions, Writer, read_moves};
//! use tridex_rules::RuleSystem;
//!
//! let folder = tempfile::tempdir()?;
//! let mut writer = Writer::open(folder.path(), IndexOptions::default())?;
//! writer.begin_source("games.pgn")?;
//! let moves = read_moves(RuleSystem::Meder, "b4N b5B c3W a6N Nc2W c6B")?;
//! let mut game = GameEntry::new(1, RuleSystem::Meder, moves);
//! game.tags.push(("White".into(), "Kirk, James".into()));
//! writer.add_all(&[game])?;
//! writer.end_source(None);
//! writer.finish()?;
//!
//! let index = GameIndex::open(folder.path())?;
//! let query = Query::parse("player:kirk pattern:\"N@c2W and p@c6B\"")?;
//! let found = index.search(&query, &SearchOptions::default())?;
//! assert_eq!(found.hits[0].ply, Some(6));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod bits;
mod board;
mod book;
mod date;
mod entry;
mod error;
mod fields;
mod game_set;
mod line;
mod manifest;
mod material;
mod moves;
mod openings;
mod packed;
mod parsing;
mod pattern;
mod placement;
mod plan;
mod postings;
mod prepare;
mod query;
mod reader;
mod search;
mod segment;
mod signature;
mod systems;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod verify;
mod words;
mod writer;

pub use book::{BookError, OpeningBook};
pub use date::{Date, DateRange};
pub use entry::{ContentHash, GameEntry, GameResult, Variation, comment_place, place_of_comment};
pub use error::IndexError;
pub use fields::TextField;
pub use line::MAX_VARIATIONS;
pub use manifest::INDEX_VERSION;
pub use material::Material;
pub use moves::read_moves;
pub use openings::{BoardRow, LayoutRow, MoveRow, MoveTable, Score};
pub use packed::{PACKED_MOVES_FORMAT, pack_moves, unpack_moves};
pub use parsing::{LanguageError, MAX_LENGTH, MAX_NESTING};
pub use pattern::Pattern;
pub use prepare::{MAX_PLIES, Prepared, Preparer, Rejection};
pub use query::{PositionQuery, Query, Sameness};
pub use reader::{GameId, GameIndex, GameSummary, IndexedGame};
pub use search::{Hit, Hits, SearchOptions};
pub use systems::RULES_VERSION;
pub use verify::{Verification, verify};
pub use words::{Word, Words};
pub use writer::{Change, IndexOptions, Summary, Writer};
