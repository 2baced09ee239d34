//! An index of games of three-dimensional chess: any game is found by its players, its events, a position, part of a
//! position, material or opening.
//!
//! A [`Writer`] adds [`GameEntry`]s, source by source, to the index of a folder. A [`GameIndex`] is one or several
//! indices open for questions: a [`Query`] finds games ([`GameIndex::search`]), a position gives the table of the moves
//! played from it ([`GameIndex::openings`]). Queries are built from parts or read from text: [`Query::parse`] in the
//! language of `grammars/query.ebnf`, [`Pattern::parse`] and [`Material::parse`] in those of `grammars/pattern.ebnf`.
//!
//! Where is what?
//! - `game`: what a game is here. Its moves are packed into about ten bits each and replayed on a board that knows
//!   where the pieces are and nothing else, at some 20 ns a move; so a query about every position of every game takes
//!   a fraction of a second for some hundred thousand games. Only checks, rights and counters need the rules.
//! - `store`: the index on the disk, one of tantivy's. Names, events, comments and columns of numbers are its own;
//!   moves, positions and what many games share are our files in each of its segments, which take part in its
//!   commits, deletes and merges. Positions are in lists of our own: keys are cut so short that a few positions share a
//!   list, and every game of a list is replayed before it is believed. With tantivy's terms for them an index would be
//!   built several times slower and be a third bigger.
//! - `questions`: what can be searched ([`FIELDS`], [`SearchRequest`]) and how, answers as rows ([`HitRow`],
//!   [`OpeningRow`]), a game as a record ([`IndexedGame::record`]); `texts`: words in names and comments.
//!
//! No type of tantivy is seen from outside.
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
mod error;
mod game;
mod questions;
mod store;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod texts;

pub use error::{IndexError, MAX_REPLAYS, Result, Upgrade};
pub use game::book::{BookError, OpeningBook};
pub use game::entry::{GameEntry, Variation, content_hash};
pub use game::line::{MAX_PLIES, MAX_VARIATIONS};
pub use game::moves::read_moves;
pub use game::notes::Annotation;
pub use game::packed::{PACKED_MOVES_FORMAT, pack_moves, unpack_moves};
pub use game::scribe::Scribe;
pub use game::systems::RULES_VERSION;
pub use questions::common::{MAX_LENGTH, MAX_NESTING};
pub use questions::date::DateRange;
pub use questions::fields::{FIELDS, Field, FieldGroup, FieldKind};
pub use questions::material::Material;
pub use questions::openings::{BoardTables, FirstBoardRow, MoveRow, MoveTable, ReachedRow};
pub use questions::pattern::Pattern;
pub use questions::query::{PositionQuery, Query, Sameness};
pub use questions::query_error::QueryError;
pub use questions::record::STEERING;
pub use questions::request::{
    SearchRequest, find_game, position_after, position_for, position_of, setup_of,
};
pub use questions::results::ResultCounts;
pub use questions::rows::{HitRow, OpeningRow};
pub use questions::search::{Hit, Hits, SearchOptions, SortKey};
pub use questions::sequence::{MAX_NAMES, MAX_STEPS, Sequence};
pub use questions::stop::Stop;
pub use questions::survey::Survey;
pub use questions::symmetry::Symmetry;
pub use store::merge_source::MergeSource;
pub use store::open::INDEX_MARK;
pub use store::prepare::{Prepared, Preparer, Rejection};
pub use store::reader::{GameId, GameIndex, GameSummary, IndexedGame};
pub use store::schema::INDEX_VERSION;
pub use store::verify::{Verification, verify};
pub use store::writer::{IndexOptions, SourceChange, Summary, Writer};
pub use texts::fields::TextField;
pub use texts::words::{WordQuery, Words};
pub use tridex_archive::GameResult;
pub use tridex_archive::date::{Date, DateFault};
pub use tridex_archive::file_name;

// The example of the README is compiled and run with those of the docs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod read_me {}
