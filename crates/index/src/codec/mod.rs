//! Numbers, texts and moves as bytes: `bits`, `varint` and `packed_moves`.

pub(crate) mod bits;
pub(crate) mod packed_moves;
pub(crate) mod varint;
