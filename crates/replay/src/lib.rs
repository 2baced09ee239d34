//! Games of three-dimensional chess replayed from their records.
//!
//! [`read`] reads the games of a [`Batch`](tridex_archive::batch::Batch), from any container, and passes
//! each to a [`Sink`] as a [`Played`]: its moves, how it is written, how it ended, and its findings. There is
//! one way for every game. It is [stored](tridex_archive::Game) while it is read, and followed move by move (`follow`):
//! clean tokens the short way, those in doubt with all readings (`line`), until one is left. Findings are noted on the way;
//! what slip may explain a break is searched for only on request: [`Played::diagnostics`].
//!
//! Built on that: [`Converter`], which writes games in another notation while they are followed; [`repair_game`]; the
//! collections: [`stats`] and [`dedupe`]. [`generate`] makes games.
//!
//! ```
//! use tridex_archive::{Limits, game, pgn};
//! use tridex_replay::{Options, diagnostic::Status, replay};
//!
//! let text = b"[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6S *\n";
//! let games = game::collect(|reader| pgn::read_games(text, 0, &Limits::default(), reader));
//! let report = replay(&games[0], &Options::default());
//! assert_eq!(report.status, Status::Warned);
//! assert_eq!(report.diagnostics[0].message, "`a6S` is read as a6B in German letters");
//! ```
#![forbid(unsafe_code)]

mod alternatives;
mod convert;
mod course;
pub mod dedupe;
pub mod diagnostic;
mod dialect;
mod fault;
mod findings;
mod follow;
pub mod generate;
mod guess;
mod joining;
mod line;
mod memo;
mod memory;
mod parts;
mod played;
mod reader;
mod repair;
mod repaired;
pub mod report;
mod review;
mod setting;
mod sink;
pub mod stats;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod token;
mod trace;
mod under;
mod verdict;
mod writing;

pub use convert::{Converter, Wording, figurines};
pub use dialect::{NotInDialect, write_dialect};
pub use fault::Fault;
pub use findings::{damage, strays, unlisted};
pub use memory::{replay, replay_with};
pub use parts::{Part, Parts};
pub use played::{Played, Report};
pub use reader::{Converts, each, read, read_converting};
pub use repaired::repair_game;
pub use setting::{UNREADABLE, near_system};
pub use sink::Sink;
pub use trace::{Cause, Trace};
pub use under::Under;
pub use writing::Writing;

use tridex_notation::{Locale, Notation};
use tridex_rules::RuleSystem;

/// Which rule systems a game is replayed under.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RulesChoice {
    /// The one the tags name; without a name the likeliest under which the game is legal.
    #[default]
    AsTagged,
    /// This one, regardless of the tags.
    Only(RuleSystem),
    /// Every one of the notation's board family, reporting where each breaks.
    Any,
}

/// How games are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The rule systems.
    pub rules: RulesChoice,
    /// The notation, regardless of the tags.
    pub notation: Option<Notation>,
    /// The language, regardless of the tags.
    pub locale: Option<Locale>,
    /// Whether ambiguous and foreign tokens are errors.
    pub strict: bool,
}

// The example of the README is compiled and run with those of the docs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod read_me {}
