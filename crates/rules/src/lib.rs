//! The rules of five three-dimensional chess systems.
//!
//! A [`Setup`] can describe any position, playable or not. A [`Position`] can be played under a [`RuleSystem`], and is
//! made from a setup only after a check. A [`Move`] is what a player does in one turn. A position lists its legal
//! moves, finds those that a written move ([`MovePattern`]) can mean, plays moves, and reports how the game has ended
//! ([`Outcome`]).
//!
//! Each system is one file in `systems/` that names its source and contains only what is special about it. What the
//! systems of a board family share is in `stair` and `cube`; what all systems share is in `engine`. Where a rule text
//! leaves a question open, comments and messages cite a ruling of `RULINGS.md` by its name. The module `oracle`,
//! compiled for tests and with the feature of that name, implements the same rules a second time, slowly and simply.
//! Tests compare the fast implementation with it.
//!
//! ```
//! use tridex_rules::{Position, RuleSystem};
//! let mut position = Position::start(RuleSystem::Meder);
//! let moves = position.legal_moves();
//! assert_eq!(moves.len(), 20);
//! position.play(moves[0])?;
//! assert_eq!(position.perft(1), 20);
//! # Ok::<(), tridex_rules::IllegalMove>(())
//! ```
#![forbid(unsafe_code)]

mod articles;
mod castling;
mod cube;
mod engine;
mod facts;
mod fault;
mod key;
mod material;
mod moves;
#[cfg(any(test, feature = "oracle"))]
pub mod oracle;
mod outcome;
mod pattern;
mod picker;
mod piece;
mod pieces;
mod placement;
mod position;
pub mod random;
mod rules;
mod setup;
mod stair;
mod state;
mod system;
mod systems;

#[cfg(test)]
mod tests;

pub use castling::{Castling, CastlingSide, CastlingSquares};
pub use engine::find::FoundMove;
pub use facts::SystemFacts;
pub use fault::{CastlingFault, Explanation, MoveFault};
pub use key::KEY_VERSION;
pub use moves::{BoardPromotion, IllegalMove, Move, MoveList, PlayedMove};
pub use outcome::Outcome;
pub use pattern::{
    BoardPattern, Coordinates, Departure, Level, MovePattern, PiecePattern, WrittenMove,
};
pub use piece::{Color, Piece, Role};
pub use placement::{MoveEffect, Placement};
pub use position::Position;
pub use setup::{Setup, SetupError};
pub use system::RuleSystem;

// Compiles and runs the README's example along with the doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod read_me {}
