//! The notation of Chess3: both squares in full, level, file and rank (seed 003, "The 3D Playing Field"). The seed names
//! squares and gives no notation of moves; how squares are joined is ours, after the coordinate notations of chess.
//!
//! The normative grammar is `grammars/chess3.ebnf`; its rules are named after the functions of this file.

use super::common::{
    Parsed, byte, capture, castling_move, figurine, hyphen, maybe, note_if, piece_letter,
    promotion, stop, tail, whole, write_mark,
};
use crate::letters::Letters;
use crate::names::{self, letter_of_role};
use crate::text::{
    Level, Locale, MoveKind, MoveText, Notation, Note, Notes, Origin, PieceText, Place,
    SyntaxError, WriteOptions,
};
use tridex_geometry::Square;
use tridex_rules::{CastlingSide, Move, Position, Role};

/// Reads one token: `1B2-1B4`, `1B2x1C3`, `1A7-1A8=Q`, `0-0`.
///
/// Also read: small letters (noted as [`Note::Case`]); a piece letter or figurine in front, which the piece must then
/// match; a level left out ([`Note::MissingLevel`]); promotion as `Q` or `(Q)`; `:` for `x`; a written `e.p.`; and all that
/// may follow a move in any notation. Piece letters are those of `locale`, English without one.
///
/// # Errors
/// [`SyntaxError`] if the token is not a word of the notation.
pub fn parse(token: &[u8], locale: Option<Locale>) -> Result<MoveText, SyntaxError> {
    crate::parse(Notation::Chess3, token, locale)
}

/// Reads any token by the grammar.
pub(crate) fn by_grammar(token: &[u8], locale: Locale) -> Result<MoveText, SyntaxError> {
    match token.first() {
        Some(b'0' | b'O' | b'o') => whole(token, castling_move),
        _ => whole(token, |input| man_move(input, locale)),
    }
}

/// `man_move`: from a square to a square.
fn man_move(input: &[u8], locale: Locale) -> Parsed<'_, MoveText> {
    let (input, role) = maybe(input, |input| man(input, locale));
    let (input, (from, small)) = square(input)?;
    let (input, capture) = joint(input)?;
    let (input, (to, also_small)) = square(input)?;
    let (input, promotion) = maybe(input, |input| promotion(input, locale));
    let (input, tail) = tail(input)?;
    let levelled = from.level.is_some() && to.level.is_some();
    let notes = note_if(Notes::NONE, !levelled, Note::MissingLevel);
    let notes = note_if(notes, small || also_small, Note::Case);
    let kind = MoveKind::Piece(PieceText {
        role,
        from: Origin {
            file: Some(from.file),
            rank: Some(from.rank),
            level: from.level,
        },
        to,
        promotion,
    });
    Ok((input, tail.on(kind, capture, notes)))
}

/// `man`: the letter or figurine of a piece, `P` for a pawn. A square must follow, which tells the bishop's letter from a
/// file: `BB2-B4`, but `B2-B4`.
fn man(input: &[u8], locale: Locale) -> Parsed<'_, Role> {
    let (rest, role) = match input.first() {
        Some(b'1'..=b'3') => return stop(input, "the letter of a piece"),
        Some(0xE2) => figurine(input)?,
        _ => match piece_letter(input, locale) {
            Ok(found) => found,
            Err(_) => byte(input, SQUARE, |b| (b == b'P').then_some(Role::Pawn))?,
        },
    };
    square(rest)?;
    Ok((rest, role))
}

const SQUARE: &str = "a square, such as 1B2";

/// `joint`: a hyphen, or a capture mark.
#[inline]
fn joint(input: &[u8]) -> Parsed<'_, bool> {
    if let Ok((rest, ())) = hyphen(input) {
        return Ok((rest, false));
    }
    match capture(input) {
        Ok((rest, ())) => Ok((rest, true)),
        Err(_) => stop(input, "a hyphen or x"),
    }
}

/// `square`: level, file and rank, and whether the file is a small letter; the level may be missing.
#[inline]
fn square(input: &[u8]) -> Parsed<'_, (Place, bool)> {
    let (input, level) = match input.first() {
        Some(b'1'..=b'9') => level(input).map(|(input, level)| (input, Some(level)))?,
        Some(b'a'..=b'h' | b'A'..=b'H') => (input, None),
        _ => return stop(input, SQUARE),
    };
    let (input, (file, small)) = file(input)?;
    let (input, rank) = rank(input)?;
    Ok((input, (Place { file, rank, level }, small)))
}

/// `level`: 1, 2 or 3 from the lowest.
#[inline]
fn level(input: &[u8]) -> Parsed<'_, Level> {
    byte(input, "a level 1 to 3", |b| match b {
        b'1'..=b'3' => Some(Level::Cube(b - b'1')),
        _ => None,
    })
}

/// `file`: A to H from White's left, and whether it is a small letter.
#[inline]
fn file(input: &[u8]) -> Parsed<'_, (u8, bool)> {
    byte(input, "a file A to H", |b| match b {
        b'A'..=b'H' => Some((b - b'A', false)),
        b'a'..=b'h' => Some((b - b'a', true)),
        _ => None,
    })
}

/// `rank`: 1 to 8 from White's side.
#[inline]
fn rank(input: &[u8]) -> Parsed<'_, u8> {
    byte(input, "a rank 1 to 8", |b| match b {
        b'1'..=b'8' => Some(b - b'1'),
        _ => None,
    })
}

/// Appends the canonical spelling of a move that is legal in a position of the cube board: both squares, `x` between them
/// for a capture (en passant too), `=Q` for a promotion. Check and mate marks are written only if the options ask.
pub fn write(position: &Position, mv: Move, options: &WriteOptions, out: &mut String) {
    match mv {
        Move::Castle(CastlingSide::King) => out.push_str("0-0"),
        Move::Castle(CastlingSide::Queen) => out.push_str("0-0-0"),
        Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. } => {
            out.push_str(squares(from, to, position.is_capture(mv)).as_str());
            if let Some(letter) = mv
                .promotion()
                .and_then(|role| letter_of_role(options.locale, role))
            {
                out.push('=');
                out.push(letter);
            }
        }
        // No legal move of the cube board.
        Move::Board { .. } => return,
    }
    if options.marks.unwrap_or(false) {
        write_mark(position, mv, out);
    }
}

/// The squares of a move of a piece, with the sign between them.
#[inline]
pub(crate) fn squares(from: Square, to: Square, captures: bool) -> Letters {
    let mut word = Letters::new();
    word.push(names::chess3_square(from), 3);
    word.push([if captures { b'x' } else { b'-' }], 1);
    word.push(names::chess3_square(to), 3);
    word
}

#[cfg(test)]
mod tests;
