//! How moves and positions of three-dimensional chess are written and read.
//!
//! A *notation* spells moves; it knows nothing of what may be played. Reading a token has three steps that are never
//! mixed: the text is parsed into a [`MoveText`] (or is *not a word* of the notation), the words are looked up in a
//! position (they may *mean nothing here*, or *two things*), and the move found is checked by the rules (it *may not be
//! played*). Writing goes the other way in one step and has one canonical form.
#![forbid(unsafe_code)]

#[cfg(any(test, feature = "laws"))]
pub mod laws;
mod letters;
mod line;
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
