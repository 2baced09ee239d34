//! Index of games.
#![forbid(unsafe_code)]
#![allow(dead_code, missing_docs)]
mod bits;
mod packed;
mod placement;
#[cfg(test)]
mod testing;
pub use packed::{PACKED_MOVES_FORMAT, pack_moves, unpack_moves};
