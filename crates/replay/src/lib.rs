//! Games of three-dimensional chess replayed from their records.
//!
//! [`read`] reads the games of a [`Batch`](tridex_archive::batch::Batch), from any container, and passes each to a
//! [`Sink`] as a [`Played`] game: its moves, its style, how it ended, and its findings. [`Played::to_replay`] makes an
//! owned [`Replay`] of it. Every game is processed in the same steps: it is [stored](tridex_archive::Game), its tags
//! are read (`declared`), and its moves are followed one by one (`follow`). Plain tokens are played at once. A token in
//! doubt is followed in all its readings until one is left (`frontier`). Findings are collected along the way, but the
//! slip that may explain a break is searched for only on request (`explain`).
//!
//! Built on that are [`Converter`], which writes games in another notation while they are followed, [`repair_game`],
//! and three modules for collections of games: [`stats`], [`dedupe`] and [`generate`].
//!
//! ```
//! use tridex_archive::{Limits, game, pgn};
//! use tridex_replay::{Options, finding::Status, replay};
//!
//! let text = b"[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6S *\n";
//! let games = game::collect(|reader| pgn::read_games(text, 0, &Limits::default(), reader));
//! let report = replay(&games[0], &Options::default());
//! assert_eq!(report.status(), Status::Warned);
//! assert_eq!(report.findings()[0].message, "`a6S` is read as a6B in German letters");
//! ```
#![forbid(unsafe_code)]

mod batch;
mod collection;
mod convert;
mod declared;
mod explain;
pub mod finding;
mod follow;
mod frontier;
mod options;
mod outcome;
mod reading;
pub mod reconcile;
mod repair;
mod replay;
mod sink;
mod stored;
mod style;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use batch::parts::{Part, Parts};
pub use batch::{Converts, each, read, read_converting};
pub use collection::{dedupe, generate, stats};
pub use convert::dialect::{NotInDialect, write_dialect};
pub use convert::{Converter, OutputStyle, figurines};
pub use declared::{UNREADABLE, near_system};
pub use finding::source::Fault;
pub use finding::trace::{Cause, Trace};
pub use finding::wording::{damage, strays, unlisted};
pub use options::{Options, RulesChoice};
pub use repair::repair_game;
pub use replay::{GameRow, Played, Replay, Under};
pub use sink::Sink;
pub use stored::{Replayer, replay, replay_with};
pub use style::Style;

// Compiles and runs the example of the README together with those of the docs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod read_me {}
