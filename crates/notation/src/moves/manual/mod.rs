//! The notation of the manual's rules (Starfleet manual, Section 2), with our extensions for castling, promotion, en
//! passant and board moves that turn or promote.
//!
//! The normative text is `grammars/manual.ebnf`.

mod parser;
mod printer;
#[cfg(test)]
mod tests;

pub(crate) use parser::moved;
pub(crate) use printer::write;
