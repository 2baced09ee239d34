//! One module for each move notation, each with one reader and one writer.
//!
//! A reader takes one token (with the `e.p.` or `(=)` that follows it, if any) and parses it; it needs no
//! position. A writer gives the canonical spelling of a legal move.
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
    /// Becomes the text of a move: [`write_unmarked`](crate::write_unmarked) in place.
    ///
    /// # Errors
    /// As [`write()`](crate::write()); there is no letter then.
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
