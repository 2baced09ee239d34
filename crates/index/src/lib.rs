//! An index of games of three-dimensional chess. It finds games by players, event, position, part of a position,
//! material or opening.
//!
//! A [`Writer`] adds [`GameEntry`]s to the index in a folder, one source after another. A [`GameIndex`] is one or more
//! indices opened for queries. A [`Query`] finds games ([`GameIndex::search`]), and [`GameIndex::openings`] tabulates
//! the moves played from a position. Queries are built from parts or parsed from text: [`Query::parse`] reads the
//! language of `grammars/query.ebnf`, [`Pattern::parse`] and [`Material::parse`] read the languages of
//! `grammars/pattern.ebnf`.
//!
//! The folders are layers. Each imports only those before it:
//! - `codec`: numbers and texts as bytes, and moves packed into about ten bits each.
//! - `model`: a game in the index. It is replayed on a board that has only the placement of the pieces, at some 20 ns a
//!   move, so a query about every position of every game takes a fraction of a second for some hundred thousand games.
//!   Only checks, castling rights and counters need the full rules.
//! - `text`: words in names and comments.
//! - `storage`: the index on disk, which is a tantivy index. tantivy stores names, events, comments and columns of
//!   numbers. Moves, positions and precomputed tables are files of our own in each tantivy segment, so they take part
//!   in its commits, deletions and merges. For positions we use lists of games instead of tantivy's terms: keys are cut
//!   so short that a few positions share a list, and a replay checks every game of a list. With terms, building an
//!   index would take several times longer and its size would grow by a third.
//! - `write` and `read`: adding games, and opening an index. Neither imports the other.
//! - `query`: what can be searched ([`FIELDS`], [`SearchRequest`]), and the languages of queries.
//! - `search`: finding the games that match.
//! - `report`: answers as tables and rows ([`HitRow`], [`OpeningRow`]), a game as a record ([`IndexedGame::record`]).
//!
//! The public interface has no types of tantivy.
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

mod codec;
mod error;
#[doc(hidden)]
pub mod example;
mod model;
mod query;
mod query_error;
mod read;
mod report;
mod search;
mod storage;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod text;
mod write;

pub use codec::packed_moves::{PACKED_MOVES_FORMAT, pack_moves, unpack_moves};
pub use error::{IndexError, MAX_REPLAYS, Result, Upgrade};
pub use model::annotation::Annotation;
pub use model::contents::Content;
pub use model::ending::GameEnding;
pub use model::entry::{GameEntry, Variation, content_hash};
pub use model::entry_builder::GameEntryBuilder;
pub use model::game_bytes::{MAX_PLIES, MAX_VARIATIONS};
pub use model::indexed_game::{GameId, GameSummary, IndexedGame};
pub use model::move_text::read_moves;
pub use model::opening_book::{BookError, OpeningBook};
pub use model::results::ResultCounts;
pub use model::systems::RULES_VERSION;
pub use query::date_range::DateRange;
pub use query::expression::{PositionMatch, PositionQuery, Query};
pub use query::field_table::FIELDS;
pub use query::fields::{Field, FieldGroup, FieldKind};
pub use query::material::Material;
pub use query::options::{SearchOptions, SortKey};
pub use query::parsing::{MAX_LENGTH, MAX_NESTING};
pub use query::pattern::Pattern;
pub use query::positions::{position_after, position_for, position_of, setup_of};
pub use query::query_language::query_parts;
pub use query::request::SearchRequest;
pub use query::sequence::{MAX_NAMES, MAX_STEPS, Sequence};
pub use query::symmetry::Symmetry;
pub use query_error::QueryError;
pub use read::index::GameIndex;
pub use read::verify::{Verification, verify};
pub use report::opening_tree::{OpeningNode, OpeningOrder, OpeningTree, TreeOptions, TreeRow};
pub use report::openings::{BoardTables, FirstBoardRow, MoveRow, MoveTable, ReachedRow};
pub use report::record_writer::NOTATION_TAGS;
pub use report::rows::{HitRow, OpeningRow};
#[cfg(feature = "schemas")]
pub use report::schemas;
pub use report::statistics::Statistics;
pub use search::collect::{Hit, Hits};
pub use search::filter::Filter;
pub use search::requests::find_game;
pub use storage::merge_source::MergeSource;
pub use storage::prepare::{Prepared, Preparer, Rejection};
pub use storage::schema::INDEX_VERSION;
pub use storage::store::INDEX_MARK;
pub use text::text_field::TextField;
pub use text::words::{WordQuery, Words};
pub use tridex_archive::date::{Date, DateFault};
pub use tridex_archive::file_name;
pub use tridex_archive::{Cancel, GameResult};
pub use write::options::IndexOptions;
pub use write::summary::{SourceChange, Summary};
pub use write::writer::Writer;

// The example of the README is compiled and run with those of the docs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod read_me {}
