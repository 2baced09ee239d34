//! Meder's algebraic notation (seed 000, Appendix E), with our extensions for rules that Meder's have no word for.
//!
//! The normative text is `grammars/meder.ebnf`.

mod parser;
mod printer;
#[cfg(test)]
mod tests;

use crate::text::{Locale, MoveText, Notation};

/// [`crate::readings`] of a token of this notation.
pub fn readings(
    token: &[u8],
    sheet: Option<Locale>,
) -> impl Iterator<Item = (Locale, MoveText)> + use<> {
    crate::readings(Notation::Meder, token, sheet)
}

/// A square and a pin as they should be written, in English letters: for the dialects of programs.
pub(crate) use parser::{exact_pin, exact_square};

pub(crate) use parser::by_grammar;
pub use parser::parse;
pub(crate) use printer::write;
