//! The style of a record: its notation, its language, and its program.

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

/// The style in which a record is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// The notation.
    pub notation: Notation,
    /// The language of the letters.
    pub locale: Locale,
    /// The program that wrote it, if that has a format of its own. Then `notation` is the one in which messages name
    /// its moves.
    pub program: Option<Program>,
}

impl Style {
    /// Returns the style of a notation with the letters of a language.
    #[must_use]
    pub const fn of(notation: Notation, locale: Locale) -> Self {
        Self {
            notation,
            locale,
            program: None,
        }
    }

    /// Returns the style of a program.
    #[must_use]
    pub const fn by(program: Program) -> Self {
        Self {
            program: Some(program),
            ..Self::of(program.notation(), Locale::English)
        }
    }

    /// Parses a token. If that fails, letters of other alphabets are replaced by the Latin letters they look like.
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

    /// Parses a token, without an error.
    pub(crate) fn word(self, token: &[u8]) -> Option<MoveText> {
        self.parse(token).ok()
    }

    /// The legal moves that a parsed token can mean, in order.
    pub(crate) fn candidates(self, text: &MoveText, position: &Position) -> MoveList {
        match self.program {
            None => candidates(text, position),
            Some(program) => program.candidates(text, position),
        }
    }

    /// The spelling of a legal move, without marks. With `is_full`, a pawn's capture is written in full, as in the
    /// canonical spelling. `None` if the notation is for the other board.
    pub(crate) fn spelled(self, position: &Position, mv: Move, is_full: bool) -> Option<String> {
        let options = WriteOptions::default()
            .locale(self.locale)
            .full_pawn_captures(is_full);
        let text = write_unmarked(self.notation, position, mv, &options).ok()?;
        Some(text.as_str().to_owned())
    }

    /// Whether moves are written in one of our notations, or nearly so, and not in a program's own.
    #[inline]
    pub(crate) fn is_ours(self) -> bool {
        self.program.is_none_or(Program::writes_meder)
    }

    /// A number that identifies the style.
    #[inline]
    pub(crate) const fn number(self) -> u8 {
        let program = match self.program {
            Some(program) => program as u8 + 1,
            None => 0,
        };
        self.notation as u8 | (self.locale as u8) << 2 | program << 5
    }

    /// The mismatches to report. If the program writes no marks of captures, missing marks are not reported.
    pub(crate) fn reported(self, mismatches: Mismatches) -> Mismatches {
        match self.program {
            Some(program) if !program.marks_captures() => mismatches.written(),
            _ => mismatches,
        }
    }
}
