//! The rules of five three-dimensional chess systems.
//!
//! A [`Setup`] is anything that can be written down; a [`Position`] can be played on under a [`RuleSystem`] and is
//! reached from a setup only through a check. A [`Move`] is what a player does in one turn; the position lists the
//! legal ones, finds those that arrive on a square, plays them, and says how the game has ended ([`Outcome`]).
//!
//! Each system is one file in `systems/` that names its source and states only what differs; what the systems of a
//! board family share is in `stair` and `cube`, what all share in `engine`. The [`oracle`] is a second, slow and
//! obvious statement of the same rules, to which tests hold the fast one.
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

mod color;
mod cube;
mod engine;
mod explain;
mod key;
mod moves;
pub mod oracle;
mod outcome;
mod plain;
mod position;
pub mod random;
mod setup;
mod stair;
mod state;
mod systems;

#[cfg(test)]
mod tests;

pub use color::{Castling, CastlingSide, Color, Piece, Role};
pub use explain::{Explanation, Fault};
pub use moves::{BoardPromotion, Move, MoveList};
pub use outcome::Outcome;
pub use plain::{Departure, PlainMove, Target};
pub use position::{Advance, IllegalMove, Position, RuleSystem};
pub use setup::{Setup, SetupError};
pub use state::CastlingFault;
