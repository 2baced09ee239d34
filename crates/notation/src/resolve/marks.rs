//! Compares the marks of a token with its move.

use crate::moves::common::takes_en_passant;
use crate::text::{CheckMark, MoveText};
use tridex_geometry::Family;
use tridex_rules::{Move, Position};

/// A mark, or a missing mark, that disagrees with the move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Mismatch {
    /// A capture is written, but the move captures nothing.
    CaptureWritten,
    /// The move captures a piece, but no capture is written.
    CaptureMissing,
    /// `e.p.` is written, but the move does not capture en passant.
    EnPassantWritten,
    /// The move captures en passant, but `e.p.` is not written (stair board only; the cube's notations have no such
    /// mark).
    EnPassantMissing,
    /// Check is written, but the king is not attacked.
    CheckWritten,
    /// Mate is written, but it is not mate.
    MateWritten,
}

impl Mismatch {
    /// All kinds.
    pub const ALL: [Self; 6] = [
        Self::CaptureWritten,
        Self::CaptureMissing,
        Self::EnPassantWritten,
        Self::EnPassantMissing,
        Self::CheckWritten,
        Self::MateWritten,
    ];
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::CaptureWritten => "a capture is written, but nothing is captured",
            Self::CaptureMissing => "a piece is captured, but no capture is written",
            Self::EnPassantWritten => "e.p. is written, but nothing is captured en passant",
            Self::EnPassantMissing => "a pawn is captured en passant, but e.p. is not written",
            Self::CheckWritten => "check is written, but the king is not attacked",
            Self::MateWritten => "mate is written, but it is not mate",
        })
    }
}

/// A set of [`Mismatch`]es.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Mismatches(u8);

impl Mismatches {
    /// Adds a mismatch if a condition holds.
    const fn with_if(self, condition: bool, mismatch: Mismatch) -> Self {
        Self(self.0 | (condition as u8) << mismatch as u8)
    }

    /// The mismatch of a check or mate mark that is wrong; empty for no mark.
    ///
    /// ```
    /// use tridex_notation::{CheckMark, resolve::{Mismatch, Mismatches}};
    ///
    /// let wrong = Mismatches::of_mark(CheckMark::Mate);
    /// assert!(!wrong.is_empty() && wrong.has(Mismatch::MateWritten));
    /// assert_eq!(wrong.written().iter().count(), 1);
    /// ```
    pub fn of_mark(mark: CheckMark) -> Self {
        Self::default()
            .with_if(mark == CheckMark::Check, Mismatch::CheckWritten)
            .with_if(mark == CheckMark::Mate, Mismatch::MateWritten)
    }

    /// Whether there is no mismatch.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set contains the mismatch.
    pub const fn has(self, mismatch: Mismatch) -> bool {
        self.0 >> mismatch as u8 & 1 != 0
    }

    /// Only the mismatches of marks that are written, not those of missing marks.
    pub const fn written(self) -> Self {
        let missing = 1 << Mismatch::CaptureMissing as u8 | 1 << Mismatch::EnPassantMissing as u8;
        Self(self.0 & !missing)
    }

    /// The mismatches in the set.
    pub fn iter(self) -> impl Iterator<Item = Mismatch> {
        Mismatch::ALL
            .into_iter()
            .filter(move |mismatch| self.has(*mismatch))
    }
}

/// Compares the marks of a token with its legal move. `before` and `after` are the positions before and after the move.
///
/// A missing check or mate mark is never a mismatch; nor is a `+` for mate.
///
/// ```
/// use tridex_notation::{Notation, parse, resolve::{Mismatch, marks, resolve}};
/// use tridex_rules::{Position, RuleSystem};
/// let before = Position::start(RuleSystem::Meder);
/// let text = parse(Notation::Meder, b"b4N+", None)?;
/// let m = resolve(&text, &before)?;
/// let mut after = before.clone();
/// after.play(m)?;
/// let wrong: Vec<Mismatch> = marks(&text, &before, m, &after).iter().collect();
/// assert_eq!(wrong, [Mismatch::CheckWritten]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn marks(text: &MoveText, before: &Position, mv: Move, after: &Position) -> Mismatches {
    marks_of(text, mv, before.is_capture(mv), after)
}

/// Same as [`marks`], for a caller that already knows whether the move captures.
///
/// ```
/// use tridex_notation::{Notation, parse, resolve::{Mismatch, marks_of, resolve}};
/// use tridex_rules::{Position, RuleSystem};
///
/// let start = Position::start(RuleSystem::Meder);
/// let text = parse(Notation::Meder, b"b4N+", None)?;
/// let mv = resolve(&text, &start)?;
/// let mut position = start.clone();
/// position.play_unchecked(mv);
/// assert!(marks_of(&text, mv, false, &position).has(Mismatch::CheckWritten));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn marks_of(text: &MoveText, mv: Move, takes: bool, after: &Position) -> Mismatches {
    let passing = takes_en_passant(mv);
    let mut set = Mismatches::default()
        .with_if(text.captures() && !takes, Mismatch::CaptureWritten)
        .with_if(!text.captures() && takes, Mismatch::CaptureMissing)
        .with_if(text.en_passant && !passing, Mismatch::EnPassantWritten);
    if passing && !text.en_passant {
        set = set.with_if(after.family() == Family::Stair, Mismatch::EnPassantMissing);
    }
    match text.mark {
        CheckMark::None => {}
        CheckMark::Check => set = set.with_if(!after.is_check(), Mismatch::CheckWritten),
        CheckMark::Mate => {
            set = set.with_if(!after.is_checkmate(), Mismatch::MateWritten);
        }
    }
    set
}
