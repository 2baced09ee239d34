//! Numbers, texts and moves as bytes.

pub(crate) mod bits;
pub(crate) mod packed_moves;
