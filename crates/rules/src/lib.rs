//! The rules of five three-dimensional chess systems.
//!
//! A [`Setup`] is anything that can be written down; a [`Position`] can be played on under a [`RuleSystem`] and is
//! reached from a setup only through a check. A [`Move`] is what a player does in one turn; the position lists the
//! legal ones, finds those that are meant by what is written ([`MovePattern`]), plays them, and reports how the game has ended
//! ([`Outcome`]).
//!
//! Each system is one file in `systems/` that names its source and states only what differs; what the systems of a
//! board family share is in `stair` and `cube`, what all share in `engine`. Where a rule text leaves a question open,
//! comments and messages cite a ruling of `RULINGS.md` by its name. The module `oracle`, compiled with the feature
//! of that name only, is a second, slow and obvious statement of the same rules, to which tests hold the fast one.
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

// The example of the README is compiled and run with those of the docs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod read_me {}
