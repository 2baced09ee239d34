//! Index of games.
#![forbid(unsafe_code)]
#![allow(dead_code, missing_docs)]
mod bits;
mod date;
mod entry;
mod packed;
mod parsing;
mod pattern;
mod placement;
mod postings;
mod signature;
#[cfg(test)]
mod testing;
pub use date::{Date, DateRange};
pub use entry::{GameEntry, GameResult, Variation};
pub use packed::{PACKED_MOVES_FORMAT, pack_moves, unpack_moves};
pub use parsing::{LanguageError, MAX_LENGTH, MAX_NESTING};
pub use pattern::Pattern;
