//! Meder's algebraic notation (Meder, Appendix E), with our extensions for moves that Meder's rules do not have.
//!
//! The normative text is `grammars/meder.ebnf`.

mod parser;
mod printer;
#[cfg(test)]
mod tests;

/// A square and a pin in English letters and exact spelling, for the dialects of programs.
pub(crate) use parser::{exact_pin, exact_square};

pub(crate) use parser::{moved, piece_move, square};
pub(crate) use printer::write;
