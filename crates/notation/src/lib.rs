//! How moves and positions of three-dimensional chess are written and read.
//!
//! A *notation* spells moves and contains no rules of play. Reading a token takes three separate steps, each of which
//! can fail in its own way. First, the token is parsed into a [`MoveText`]: it may be *no move in this notation*.
//! Second, the [`MoveText`] is looked up in a position: it may fit *no move*, or *several*. Third, the rules check the
//! move: it may be *illegal*. Writing takes one step and produces one canonical form.
#![forbid(unsafe_code)]

#[cfg(any(test, feature = "laws"))]
pub mod laws;
mod letters;
mod line;
pub mod meaning;
pub mod messages;
mod moves;
pub mod names;
pub mod position_string;
pub mod programs;
mod readings;
pub mod resolve;
pub mod slips;
#[cfg(test)]
mod testing;
mod text;
mod tokens;

pub use letters::Letters;
pub use line::{UnreadMove, WhyUnread, read_moves};
pub use position_string::Fen;
pub use programs::Program;
pub use readings::{readings, typed_ones};
pub use text::{
    BoardPattern, CheckMark, Coordinates, Departure, Level, Locale, MovePattern, MoveText,
    Notation, PiecePattern, TokenNote, TokenNotes, WriteOptions, WrongFamily, judgement, split_end,
};

pub use tokens::{parse, write, write_played, write_unmarked};
pub use tridex_grammar::{SyntaxError, TextPart};

// The example of the README is compiled and run with those of the docs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod read_me {}
