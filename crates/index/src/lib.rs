//! An index of games of three-dimensional chess. It finds games by players, event, position, part of a position,
//! material or opening.
//!
//! A [`Writer`] adds [`GameEntry`]s to the index in a folder, one source after another. A [`GameIndex`] is one or more
//! indices opened for queries. A [`Query`] finds games ([`GameIndex::search`]), and [`GameIndex::openings`] tabulates
//! the moves played from a position. Queries are built from parts or parsed from text: [`Query::parse`] reads the
//! language of `grammars/query.ebnf`, [`Pattern::parse`] and [`Material::parse`] read the languages of
//! `grammars/pattern.ebnf`.
//!
//! Where is what?
//! - `game`: the form of a game in the index. Its moves are packed into about ten bits each. They are replayed on a
//!   board that has only the placement of the pieces, at some 20 ns a move, so a query about every position of every
//!   game takes a fraction of a second for some hundred thousand games. Only checks, castling rights and counters need
//!   the full rules.
//! - `store`: the index on disk, which is a tantivy index. tantivy stores names, events, comments and columns of
//!   numbers. Moves, positions and precomputed tables are files of our own in each tantivy segment, so they take part
//!   in its commits, deletions and merges. For positions we use lists of games instead of tantivy's terms: keys are cut
//!   so short that a few positions share a list, and a replay checks every game of a list. With terms, building an
//!   index would take several times longer and its size would grow by a third.
//! - `questions`: what can be searched ([`FIELDS`], [`SearchRequest`]) and how, answers as rows ([`HitRow`],
//!   [`OpeningRow`]), a game as a record ([`IndexedGame::record`]). `texts`: words in names and comments.
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
