//! One module for each move notation, each with a parser and a writer.
//!
//! A parser reads one token, with the `e.p.` or `(=)` that may follow it, and needs no position. A writer returns the
//! canonical spelling of a legal move.
//!
//! Each module has the same two functions: `moved`, the rule `move` of its grammar, and `write`.

pub(crate) mod common;
mod cube;

pub(crate) mod chess3;
pub(crate) mod manual;
pub(crate) mod meder;
pub(crate) mod millennium;

use crate::letters::Letters;
use crate::text::WrongFamily;
use crate::text::{Notation, WriteOptions};
use tridex_rules::{Move, Position};

impl Letters {
    /// Replaces the letters by the text of a move, as [`write_unmarked`](crate::write_unmarked) returns it.
    ///
    /// # Errors
    /// As [`write()`](crate::write()); the buffer is empty then.
    #[inline]
    pub fn spell(
        &mut self,
        notation: Notation,
        position: &Position,
        mv: Move,
        options: &WriteOptions,
    ) -> Result<(), WrongFamily> {
        self.clear();
        if notation.family() != position.family() {
            return Err(WrongFamily { notation });
        }
        match notation {
            Notation::Meder => meder::write(position, mv, options, self),
            Notation::Manual => manual::write(position, mv, options, self),
            Notation::Millennium => millennium::write(position, mv, options, self),
            Notation::Chess3 => chess3::write(position, mv, options, self),
        }
        Ok(())
    }
}
