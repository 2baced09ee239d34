//! The notation of Millennium 3D Chess: short algebraic notation with the level in front of every square (seed 002,
//! Section 1.2 and 3.1).
//!
//! The normative grammar is `grammars/millennium.ebnf`; its rules are named after the functions of this file.

use super::common::{
    Parsed, byte, capture, castling_move, figurine, hyphen, maybe, note_if, piece_letter,
    promotion, stop, tail, whole, write_mark,
};
use crate::names::{self, letter_of_role};
use crate::text::{
    Level, Locale, MoveKind, MoveText, Notation, Note, Notes, Origin, PieceText, Place,
    SyntaxError, WriteOptions,
};
use tridex_geometry::{Square, SquareSet, cube};
use tridex_rules::{CastlingSide, Move, MoveList, Position, Role};

/// Reads one token: `1e4`, `N2b3`, `Nx2b3`, `ex2d5`, `3e8=Q`, `N1b1-2b3`, `0-0`.
///
/// Also read: any part of the square of departure, with or without a hyphen; a level left out (noted as
/// [`Note::MissingLevel`]); promotion as `Q` or `(Q)`; `:` for `x`; figurines; the letter `P`; a written `e.p.`; and all
/// that may follow a move in any notation. Capitals are pieces and small letters files, so `Bx2d5` is a bishop's move and
/// `bx2d5` a pawn's. Piece letters are those of `locale`, English without one.
///
/// # Errors
/// [`SyntaxError`] if the token is not a word of the notation.
pub fn parse(token: &[u8], locale: Option<Locale>) -> Result<MoveText, SyntaxError> {
    crate::parse(Notation::Millennium, token, locale)
}

/// Reads any token by the grammar.
pub(crate) fn by_grammar(token: &[u8], locale: Locale) -> Result<MoveText, SyntaxError> {
    match token.first() {
        Some(b'0' | b'O' | b'o') => whole(token, castling_move),
        _ => whole(token, |input| man_move(input, locale)),
    }
}

/// `man_move`: a piece or a pawn goes somewhere.
fn man_move(input: &[u8], locale: Locale) -> Parsed<'_, MoveText> {
    let (input, role) = man(input, locale)?;
    let (input, way) = way(input)?;
    let (input, promotion) = maybe(input, |input| promotion(input, locale));
    let (input, tail) = tail(input)?;
    let notes = note_if(Notes::NONE, way.to.level.is_none(), Note::MissingLevel);
    let kind = MoveKind::Piece(PieceText {
        role: Some(role),
        from: way.from,
        to: way.to,
        promotion,
    });
    Ok((input, tail.on(kind, way.capture, notes)))
}

/// `man`: the letter or figurine of a piece; a pawn has none, or `P`.
#[inline]
fn man(input: &[u8], locale: Locale) -> Parsed<'_, Role> {
    match input.first() {
        // The square of a pawn's move begins here, or the mark of its capture.
        Some(b'1'..=b'9' | b'a'..=b'h') => Ok((input, Role::Pawn)),
        Some(b'A'..=b'Z') => match piece_letter(input, locale) {
            Ok(found) => Ok(found),
            Err(_) => byte(input, MAN, |b| (b == b'P').then_some(Role::Pawn)),
        },
        Some(0xE2) => figurine(input),
        _ => stop(input, MAN),
    }
}

const MAN: &str = "the letter of a piece, a level 1 to 3 or a file a to h";

/// From where, whether capturing, and to where.
struct Way {
    from: Origin,
    capture: bool,
    to: Place,
}

/// `way`: the square of arrival, and before it what is said of the square of departure, with a capture mark, a hyphen
/// or nothing between.
#[inline]
fn way(input: &[u8]) -> Parsed<'_, Way> {
    if let Ok((input, ())) = capture(input) {
        return arrive(input, Origin::default(), true);
    }
    let (rest, from) = departure(input)?;
    match rest.first() {
        Some(b'1'..=b'3') => arrive(rest, from, false),
        // The file of a square, not the first letter of `e.p.`
        Some(b'a'..=b'h') if matches!(rest.get(1), Some(b'1'..=b'8')) => arrive(rest, from, false),
        _ => {
            if let Ok((rest, ())) = capture(rest) {
                return arrive(rest, from, true);
            }
            if let Ok((rest, ())) = hyphen(rest) {
                return arrive(rest, from, false);
            }
            // Nothing follows: what was read is the square of arrival.
            let (rest, to) = square(input)?;
            let way = Way {
                from: Origin::default(),
                capture: false,
                to,
            };
            Ok((rest, way))
        }
    }
}

#[inline]
fn arrive(input: &[u8], from: Origin, capture: bool) -> Parsed<'_, Way> {
    let (input, to) = square(input)?;
    Ok((input, Way { from, capture, to }))
}

/// `departure`: the file of the square of departure, with its level before it and its rank behind it if they are said.
///
/// In `b2d3` the digit belongs to the square of arrival: a digit that can be a level is one where a file and a rank
/// follow.
#[inline]
fn departure(input: &[u8]) -> Parsed<'_, Origin> {
    let (input, level) = written_level(input)?;
    let (input, file) = file(input)?;
    let (input, rank) = match input {
        [b'1'..=b'3', b'a'..=b'h', b'1'..=b'8', ..] => (input, None),
        _ => maybe(input, rank),
    };
    Ok((
        input,
        Origin {
            file: Some(file),
            rank,
            level,
        },
    ))
}

/// `square`: level, file and rank; the level may be missing.
#[inline]
fn square(input: &[u8]) -> Parsed<'_, Place> {
    let (input, level) = written_level(input)?;
    let (input, file) = file(input)?;
    let (input, rank) = rank(input)?;
    Ok((input, Place { file, rank, level }))
}

/// A level, unless there is no digit.
#[inline]
fn written_level(input: &[u8]) -> Parsed<'_, Option<Level>> {
    match input.first() {
        Some(b'0'..=b'9') => level(input).map(|(input, level)| (input, Some(level))),
        _ => Ok((input, None)),
    }
}

/// `level`: 1, 2 or 3 from the lowest.
#[inline]
fn level(input: &[u8]) -> Parsed<'_, Level> {
    byte(input, "a level 1 to 3", |b| match b {
        b'1'..=b'3' => Some(Level::Cube(b - b'1')),
        _ => None,
    })
}

/// `file`: a to h from White's left.
#[inline]
fn file(input: &[u8]) -> Parsed<'_, u8> {
    byte(input, "a file a to h", |b| match b {
        b'a'..=b'h' => Some(b - b'a'),
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

/// Appends the canonical spelling of a move that is legal in a position of the cube board.
///
/// Where other pieces of the kind can legally go to the same square the file of departure is written if it tells them
/// apart (`Nb2d3`, `Nbx2d3`), else the full square of departure with `-` or `x` (`N1b1-2b3`). A pawn's capture always
/// has the file (`ex2d5`); pushes and captures are judged apart. En passant has no mark of its own. Check and mate marks
/// are written unless the options forbid them.
pub fn write(position: &Position, mv: Move, options: &WriteOptions, out: &mut String) {
    match mv {
        Move::Castle(CastlingSide::King) => out.push_str("0-0"),
        Move::Castle(CastlingSide::Queen) => out.push_str("0-0-0"),
        Move::Piece {
            from,
            to,
            promotion,
        } => {
            write_man(position, mv, from, to, options, out);
            if let Some(letter) = promotion.and_then(|role| letter_of_role(options.locale, role)) {
                out.push('=');
                out.push(letter);
            }
        }
        Move::EnPassant { from, to, .. } => write_man(position, mv, from, to, options, out),
        // No legal move of the cube board.
        Move::Board { .. } => return,
    }
    if options.marks.unwrap_or(true) {
        write_mark(position, mv, out);
    }
}

fn write_man(
    position: &Position,
    mv: Move,
    from: Square,
    to: Square,
    options: &WriteOptions,
    out: &mut String,
) {
    let role = position.piece_at(from).map_or(Role::Pawn, |man| man.role);
    let capture = position.is_capture(mv);
    if let Some(letter) = letter_of_role(options.locale, role) {
        out.push(letter);
    }
    let (others, on_file) = rivals(position, role, from, to, capture);
    if on_file {
        write_square(from, out);
        out.push(if capture { 'x' } else { '-' });
    } else {
        if others || (capture && role == Role::Pawn) {
            out.push(file_letter(from));
        }
        if capture {
            out.push('x');
        }
    }
    write_square(to, out);
}

/// Whether other men of the kind can legally come to the square, and whether one of them stands on the file of `from`.
/// Pawns that push and pawns that capture are no rivals of each other, and pawns on other files never are: their file is
/// written with a capture, and a push does not leave it.
fn rivals(
    position: &Position,
    role: Role,
    from: Square,
    to: Square,
    capture: bool,
) -> (bool, bool) {
    let mut origins = position.pieces(position.turn(), role).without(from);
    if role == Role::Pawn {
        origins &= file_set(from);
    }
    if origins.is_empty() {
        return (false, false);
    }
    let mut moves = MoveList::new();
    position.moves_to(role, to, origins, &mut moves);
    let mut found = (false, false);
    for mv in moves {
        let (Move::Piece { from: other, .. } | Move::EnPassant { from: other, .. }) = mv else {
            continue;
        };
        if role == Role::Pawn && position.is_capture(mv) != capture {
            continue;
        }
        found.0 = true;
        found.1 |= cube::file(other) == cube::file(from);
    }
    found
}

/// The 24 squares of a square's file.
const fn file_set(square: Square) -> SquareSet<3> {
    SquareSet([0x0101_0101_0101_0101 << cube::file(square); 3])
}

const fn file_letter(square: Square) -> char {
    (b'a' + cube::file(square)) as char
}

fn write_square(square: Square, out: &mut String) {
    names::push_square(Notation::Millennium, Locale::English, None, square, out);
}

#[cfg(test)]
mod tests;
