//! Parses tokens and writes moves in any notation.

use crate::letters::Letters;
use crate::moves;
use crate::moves::common::read;
use crate::text::WrongFamily;
use crate::{Locale, MoveText, Notation, SyntaxError, WriteOptions};
use tridex_rules::{Move, Position};

/// Parses one token, including a following `e.p.` or `(=)`. Piece letters are those of `locale`, or English if it is
/// `None`.
///
/// ```
/// use tridex_notation::{Notation, parse};
/// assert!(parse(Notation::Meder, b"Nxc6B", None).is_ok());
/// assert_eq!(parse(Notation::Manual, b"b3,WB", None).unwrap_err().offset, 5);
/// ```
///
/// # Errors
/// If the token is not a move in the notation.
pub fn parse(
    notation: Notation,
    token: &[u8],
    locale: Option<Locale>,
) -> Result<MoveText, SyntaxError> {
    let locale = locale.unwrap_or(Locale::English);
    match notation {
        Notation::Meder => read(token, locale, moves::meder::moved),
        Notation::Manual => read(token, locale, moves::manual::moved),
        Notation::Millennium => read(token, locale, moves::millennium::moved),
        Notation::Chess3 => read(token, locale, moves::chess3::moved),
    }
}

/// Appends a legal move to `out` in the canonical form of a notation.
///
/// `position` is the position before the move. If the move is not legal in it, the text is meaningless.
///
/// ```
/// use tridex_notation::{Locale, Notation, WriteOptions, parse, resolve::resolve, write};
/// use tridex_rules::{Position, RuleSystem};
/// let start = Position::start(RuleSystem::Meder);
/// let knight = resolve(&parse(Notation::Meder, b"Nb3W", None)?, &start)?;
/// let mut german = String::new();
/// let options = WriteOptions::default().locale(Locale::German);
/// write(Notation::Meder, &start, knight, &options, &mut german)?;
/// assert_eq!(german, "Sb3W");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the notation cannot describe the board of the position. Nothing is written then.
#[inline]
pub fn write(
    notation: Notation,
    position: &Position,
    mv: Move,
    options: &WriteOptions,
    out: &mut String,
) -> Result<(), WrongFamily> {
    let mut letters = write_unmarked(notation, position, mv, options)?;
    if options.marks.unwrap_or(notation.has_marks()) {
        let mut after = position.clone();
        after.play_unchecked(mv);
        letters.push_mark(&after);
    }
    out.push_str(letters.as_str());
    Ok(())
}

/// Same as [`write()`], but never writes a check or mate mark. A caller that plays the move anyway can add the mark
/// with [`Letters::push_mark`].
///
/// ```
/// use tridex_notation::{Notation, WriteOptions, write_unmarked};
/// use tridex_rules::{Position, RuleSystem};
/// let start = Position::start(RuleSystem::Chess3);
/// let first = start.legal_moves()[0];
/// let text = write_unmarked(Notation::Chess3, &start, first, &WriteOptions::default())?;
/// assert!(text.as_str().contains('-'));
/// # Ok::<(), tridex_notation::WrongFamily>(())
/// ```
///
/// # Errors
/// As [`write()`].
#[inline]
pub fn write_unmarked(
    notation: Notation,
    position: &Position,
    mv: Move,
    options: &WriteOptions,
) -> Result<Letters, WrongFamily> {
    let mut out = Letters::new();
    out.spell(notation, position, mv, options)?;
    Ok(out)
}

/// Same as [`write()`], for a caller that has already played the move. The mark is determined from the position
/// `after`, so the move is not played again.
///
/// ```
/// use tridex_notation::{Notation, WriteOptions, write, write_played};
/// use tridex_rules::{Position, RuleSystem};
/// let before = Position::start(RuleSystem::Millennium);
/// let first = before.legal_moves()[0];
/// let mut after = before.clone();
/// after.play_unchecked(first);
/// let (mut one, mut other, options) = (String::new(), String::new(), WriteOptions::default());
/// write(Notation::Millennium, &before, first, &options, &mut one)?;
/// write_played(Notation::Millennium, &before, first, &after, &options, &mut other)?;
/// assert_eq!(one, other);
/// # Ok::<(), tridex_notation::WrongFamily>(())
/// ```
///
/// # Errors
/// As [`write()`].
#[inline]
pub fn write_played(
    notation: Notation,
    before: &Position,
    mv: Move,
    after: &Position,
    options: &WriteOptions,
    out: &mut String,
) -> Result<(), WrongFamily> {
    let mut letters = write_unmarked(notation, before, mv, options)?;
    if options.marks.unwrap_or(notation.has_marks()) {
        letters.push_mark(after);
    }
    out.push_str(letters.as_str());
    Ok(())
}
