//! The reader of the manual's notation. Every function is the grammar's rule of the same name.

use crate::moves::common::{
    Parsed, blanks, byte, capture, castling_move, figurine, hyphen, maybe, note_if, piece_letter,
    promotion, stop, tail, whole,
};
use crate::text::{
    BoardText, Level, Locale, MoveKind, MoveText, Notation, Note, Notes, Origin, PieceText, Place,
    SyntaxError,
};
use tridex_geometry::Wing;
use tridex_geometry::stair::{AttackBoard, MainBoard, Pin};
use tridex_rules::Role;

/// Reads one token. The language matters only for the letters of pieces, in front of a move and behind a promotion;
/// without one they are English.
///
/// # Errors
/// If the token is not a word of the notation; the error says where and what was expected.
///
/// ```
/// use tridex_notation::{MoveKind, moves::manual};
///
/// assert!(manual::parse(b"b3,WBxc4,NB", None)?.capture);
/// assert!(matches!(manual::parse(b"QP1r", None)?.kind, MoveKind::Board(board) if board.turned));
/// # Ok::<(), tridex_notation::SyntaxError>(())
/// ```
pub fn parse(token: &[u8], locale: Option<Locale>) -> Result<MoveText, SyntaxError> {
    crate::parse(Notation::Manual, token, locale)
}

/// Reads any token by the grammar.
pub(crate) fn by_grammar(token: &[u8], locale: Locale) -> Result<MoveText, SyntaxError> {
    whole(token, |input| moved(input, locale))
}

/// `move`.
pub(super) fn moved(input: &[u8], locale: Locale) -> Parsed<'_, MoveText> {
    match input {
        [b'0' | b'O' | b'o', ..] => castling_move(input),
        [b'Q' | b'K' | b'q' | b'k', b'P' | b'p', ..] => board_move(input, locale),
        _ => piece_move(input, locale),
    }
}

/// `board_move`: `QP1-QP3` and `QP1r` (Section 2.4 (c), (d)), and our `QP2-QP6r` and `QP12-QP8/b9,BB=Q`.
pub(super) fn board_move(input: &[u8], locale: Locale) -> Parsed<'_, MoveText> {
    let (input, (first, mut notes)) = pin(input)?;
    let (input, second) = match hyphen(input) {
        Ok((rest, ())) => {
            let (rest, (second, more)) = pin(rest)?;
            notes = notes.and(more);
            (rest, Some(second))
        }
        Err(_) => (input, None),
    };
    let (input, turned) = match (input, second) {
        ([b'r', rest @ ..], _) => (rest, true),
        (_, Some(_)) => (input, false),
        // The manual always names both pins of a move.
        (_, None) => return stop(input, "a hyphen and a pin, or r for a turn"),
    };
    let (input, promotion) = match input {
        [b'/', ..] => {
            let (rest, (place, role, more)) = board_promotion(input, locale)?;
            notes = notes.and(more);
            (rest, Some((place, role)))
        }
        _ => (input, None),
    };
    let (input, tail) = tail(input)?;
    let kind = MoveKind::Board(BoardText {
        from: Some(first),
        to: second.unwrap_or(first),
        either_surface: true,
        turned,
        promotion,
    });
    Ok((input, tail.on(kind, false, notes)))
}

/// `board_promotion`: the pawn's square once the board has moved, and the new piece.
pub(super) fn board_promotion(input: &[u8], locale: Locale) -> Parsed<'_, (Place, Role, Notes)> {
    let (input, ()) = byte(input, "a slash", |b| (b == b'/').then_some(()))?;
    let (input, (place, notes)) = square(input)?;
    let (input, role) = promotion(input, locale)?;
    Ok((input, (place, role, notes)))
}

/// `piece_move`: `b3,WB-b5,NB`, `b3,WBxc4,NB` (Section 2.4 (a), (b)), and our `b8,BB-b9,BB=Q` and `e.p.`.
pub(super) fn piece_move(input: &[u8], locale: Locale) -> Parsed<'_, MoveText> {
    let (input, role) = maybe(input, |input| piece(input, locale));
    let (input, (from, before)) = square(input)?;
    let (input, captured) = match maybe(input, capture) {
        (rest, Some(())) => (rest, true),
        (input, None) => match hyphen(input) {
            Ok((rest, ())) => (rest, false),
            Err(_) => return stop(input, "a hyphen or a capture mark"),
        },
    };
    let (input, (to, behind)) = square(input)?;
    let (input, promotion) = maybe(input, |input| promotion(input, locale));
    let (input, tail) = tail(input)?;
    let missing = from.level.is_none() || to.level.is_none();
    let notes = note_if(before.and(behind), missing, Note::MissingLevel);
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
    Ok((input, tail.on(kind, captured, notes)))
}

/// `piece`: the letter of a piece or a figurine, which the manual does not write. `P` is a pawn where it is not the
/// letter of another piece.
pub(super) fn piece(input: &[u8], locale: Locale) -> Parsed<'_, Role> {
    match input {
        [b'P', rest @ ..] => match piece_letter(input, locale) {
            Ok(found) => Ok(found),
            Err(_) => Ok((rest, Role::Pawn)),
        },
        [b'A'..=b'Z', ..] => piece_letter(input, locale),
        [0xE2, ..] => figurine(input),
        _ => stop(input, "the letter of a piece"),
    }
}

/// `square`: file, rank, comma and board (Section 2.2). The comma may be followed by blanks or left out, and so may the
/// whole name of the board.
pub(super) fn square(input: &[u8]) -> Parsed<'_, (Place, Notes)> {
    let (input, file) = file(input)?;
    let (input, rank) = rank(input)?;
    let (input, board) = match input {
        [b',', rest @ ..] => {
            let (rest, ()) = blanks(rest)?;
            let (rest, board) = board(rest)?;
            (rest, Some(board))
        }
        _ => maybe(input, board),
    };
    let (level, notes) = match board {
        Some((level, notes)) => (Some(level), notes),
        None => (None, Notes::NONE),
    };
    Ok((input, (Place { file, rank, level }, notes)))
}

/// `file`: `a` to `f`.
#[inline]
pub(super) fn file(input: &[u8]) -> Parsed<'_, u8> {
    byte(input, "a file from a to f", |b| {
        matches!(b, b'a'..=b'f').then(|| b - b'a')
    })
}

/// `rank`: `1` to `10`, given as `0..10`.
#[inline]
pub(super) fn rank(input: &[u8]) -> Parsed<'_, u8> {
    match input {
        [b'1', b'0', rest @ ..] => Ok((rest, 9)),
        [digit @ b'1'..=b'9', rest @ ..] => Ok((rest, digit - b'1')),
        _ => stop(input, "a rank from 1 to 10"),
    }
}

/// `board`: `WB NB BB` and `QL KL ql kl` (Section 2.1). The case of an attack board's name tells whose it is; that of a
/// fixed board's is forgiven.
#[inline]
pub(super) fn board(input: &[u8]) -> Parsed<'_, (Level, Notes)> {
    let expected = "a board: WB, NB, BB, QL, KL, ql or kl";
    let [first, second, rest @ ..] = input else {
        return stop(input, expected);
    };
    let level = match (first, second) {
        (b'Q', b'L') => Level::Attack(AttackBoard::WhiteQueen),
        (b'K', b'L') => Level::Attack(AttackBoard::WhiteKing),
        (b'q', b'l') => Level::Attack(AttackBoard::BlackQueen),
        (b'k', b'l') => Level::Attack(AttackBoard::BlackKing),
        (_, b'B' | b'b') => Level::Main(match first {
            b'W' | b'w' => MainBoard::White,
            b'N' | b'n' => MainBoard::Neutral,
            b'B' | b'b' => MainBoard::Black,
            _ => return stop(input, expected),
        }),
        _ => return stop(input, expected),
    };
    let other_case = matches!(level, Level::Main(_))
        && (first.is_ascii_lowercase() || second.is_ascii_lowercase());
    Ok((rest, (level, note_if(Notes::NONE, other_case, Note::Case))))
}

/// `pin`: `QP1` to `KP12` (Section 2.3).
#[inline]
pub(super) fn pin(input: &[u8]) -> Parsed<'_, (Pin, Notes)> {
    let expected = "a pin such as QP1";
    let [side, kind, rest @ ..] = input else {
        return stop(input, expected);
    };
    let wing = match side {
        b'Q' | b'q' => Wing::Queen,
        b'K' | b'k' => Wing::King,
        _ => return stop(input, expected),
    };
    if !kind.eq_ignore_ascii_case(&b'P') {
        return stop(input, expected);
    }
    let (number, behind) = match rest {
        [b'1', digit @ b'0'..=b'2', behind @ ..] => (10 + digit - b'0', behind),
        [digit @ b'1'..=b'9', behind @ ..] => (digit - b'0', behind),
        _ => return stop(rest, "the number of a pin, 1 to 12"),
    };
    let Some(pin) = Pin::from_manual(wing, number) else {
        return stop(rest, "the number of a pin, 1 to 12");
    };
    let other_case = side.is_ascii_lowercase() || kind.is_ascii_lowercase();
    Ok((behind, (pin, note_if(Notes::NONE, other_case, Note::Case))))
}
