//! How a sheet is written: its notation, its language, its program.

pub(crate) mod cache;
pub(crate) mod interpret;
pub(crate) mod joining;
pub(crate) mod token;

use tridex_notation::resolve::{Mismatches, candidates};
use tridex_notation::{
    Locale, MoveText, Notation, Program, SyntaxError, WriteOptions, write_unmarked,
};
use tridex_rules::{Move, MoveList, Position};
use tridex_words::plain_letters;

/// How a sheet is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// The notation.
    pub notation: Notation,
    /// Whose letters.
    pub locale: Locale,
    /// The program that wrote it, if that has a dialect of its own. The notation is then the one in which its moves are
    /// spoken of.
    pub program: Option<Program>,
}

impl Style {
    /// A notation in the letters of a language.
    #[must_use]
    pub const fn of(notation: Notation, locale: Locale) -> Self {
        Self {
            notation,
            locale,
            program: None,
        }
    }

    /// What a program writes.
    #[must_use]
    pub const fn by(program: Program) -> Self {
        Self {
            program: Some(program),
            ..Self::of(program.notation(), Locale::English)
        }
    }

    /// Parses a token. One that has letters of another alphabet is parsed as what it looks like.
    pub(crate) fn parse(self, token: &[u8]) -> Result<MoveText, SyntaxError> {
        let parse = |token: &[u8]| match self.program {
            None => tridex_notation::parse(self.notation, token, Some(self.locale)),
            Some(program) => program.parse(token),
        };
        parse(token).or_else(|fault| {
            let plain = plain_letters(token).ok_or(fault)?;
            parse(&plain).map_err(|_| fault)
        })
    }

    /// The same, if it has words.
    pub(crate) fn word(self, token: &[u8]) -> Option<MoveText> {
        self.parse(token).ok()
    }

    /// The legal moves that words can mean, in order.
    pub(crate) fn candidates(self, text: &MoveText, position: &Position) -> MoveList {
        match self.program {
            None => candidates(text, position),
            Some(program) => program.candidates(text, position),
        }
    }

    /// The spelling of a legal move, without marks; the canonical one has a pawn's capture in full. A notation of the other
    /// board has no words for the move.
    pub(crate) fn spelled(self, position: &Position, mv: Move, is_full: bool) -> Option<String> {
        let options = WriteOptions {
            locale: self.locale,
            full_pawn_captures: is_full,
            ..WriteOptions::default()
        };
        let text = write_unmarked(self.notation, position, mv, &options).ok()?;
        Some(text.as_str().to_owned())
    }

    /// Whether it is one of our notations, or nearly so.
    #[inline]
    pub(crate) fn is_ours(self) -> bool {
        self.program.is_none_or(Program::writes_meder)
    }

    /// A number of its own for each style.
    #[inline]
    pub(crate) const fn number(self) -> u8 {
        let program = match self.program {
            Some(program) => program as u8 + 1,
            None => 0,
        };
        self.notation as u8 | (self.locale as u8) << 2 | program << 5
    }

    /// Reported is what is written and does not agree with a move: a program that writes no marks has not
    /// forgotten them.
    pub(crate) fn reported(self, mismatches: Mismatches) -> Mismatches {
        match self.program {
            Some(program) if !program.marks_captures() => mismatches.written(),
            _ => mismatches,
        }
    }
}
