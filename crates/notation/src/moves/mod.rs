//! One module for each move notation, each with one reader and one writer.
//!
//! A reader takes one token (with the `e.p.` or `(=)` that follows it, if any) and says what its words are; it asks no
//! position. A writer gives the canonical spelling of a legal move.
//!
//! Each module has the same two functions: `parse(token: &[u8], locale: Option<Locale>) -> Result<MoveText,
//! SyntaxError>` and `write(position: &Position, mv: Move, options: &WriteOptions, out: &mut String)`.

pub(crate) mod common;
mod cube;
#[cfg(test)]
pub(crate) mod grammar;

pub mod chess3;
pub mod manual;
pub mod meder;
pub mod millennium;
