//! Meder's algebraic notation (seed 000, Appendix E), with our extensions for rules that Meder's have no word for.
//!
//! The normative text is `grammars/meder.ebnf`.

mod parser;
mod printer;
#[cfg(test)]
mod tests;

pub(crate) use parser::by_grammar;
pub use parser::{parse, readings};
pub(crate) use printer::write;
