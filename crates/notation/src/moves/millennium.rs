//! The notation of Millennium 3D Chess: short algebraic notation with the level before every square (Millennium 1.2 and
//! 3.1).
//!
//! The normative grammar is `grammars/millennium.ebnf`; its rules are named after the functions of this file.

use super::common::{
    Hand, PASS, Way, capture, castling_move, evaluation, file_letter, hyphen, lettered,
    piece_words, promotion, push_castling, push_promotion, rivals, tail, way_of,
};
use super::cube::{place, rank, said_level};
use crate::letters::Letters;
use crate::names::{letter_of_role, push_cube_square};
use crate::text::Noted;
use crate::text::{Coordinates, Departure, MoveText, Notation, PiecePattern, WriteOptions};
use nom::Parser;
use nom::branch::alt;
use nom::combinator::{cut, not, opt, value};
use nom::sequence::preceded;
use tridex_geometry::cube;
use tridex_grammar::{Rule, ahead, expected};
use tridex_rules::{Move, MoveList, Position, Role};

/// `move`.
pub(crate) fn moved<'a>(hand: Hand) -> impl Rule<'a, MoveText> {
    alt((castling_move, man_move(hand)))
}

/// `man_move`: the move of a piece or a pawn.
fn man_move<'a>(hand: Hand) -> impl Rule<'a, MoveText> {
    (man(hand), way(hand), opt(promotion(hand)), tail)
        .map(|(man, way, promotion, tail)| piece_words(Some(man), way, promotion, tail))
}

/// `man`: the letter or figurine of a piece; a pawn has none, or `P`.
fn man<'a>(hand: Hand) -> impl Rule<'a, Noted<Role>> {
    // A pawn's move begins with a level or a file.
    let pawn = ahead(move |input| match input.first() {
        Some(b'1'..=b'9' | b'a'..=b'h') => true,
        Some(b'A'..=b'H') => hand.any_case,
        _ => false,
    });
    let pawn = value(Noted::usual(Role::Pawn), pawn);
    expected(MAN, alt((lettered(hand, b"abcdefghx"), pawn)))
}

/// What is expected at the start of a piece.
const MAN: &str = "the letter of a piece, a level 1 to 3 or a file a to h";

/// `way`: the square of arrival. Parts of the square of departure may precede it, with a capture mark, a hyphen or
/// nothing in between.
fn way<'a>(hand: Hand) -> impl Rule<'a, Noted<Way>> {
    let unsaid = Noted::usual(Departure::default());
    let taken = (value((unsaid, true), capture), cut(square(hand)));
    let joint = alt((
        value(true, capture),
        value(false, preceded(not(evaluation), hyphen)),
    ));
    let joined = ((departure(hand), joint), cut(square(hand)));
    let bare = (departure(hand).map(|from| (from, false)), square(hand));
    let alone = square(hand).map(move |to| ((unsaid, false), to));
    alt((taken, joined, bare, alone)).map(|((from, capture), to)| Way::new(from, capture, to))
}

/// `departure`: the file of the square of departure, optionally with its level before it and its rank after it.
///
/// In `b2d3`, the `2` is the level of the square of arrival: a digit 1 to 3 is a level if a file and a rank follow it.
fn departure<'a>(hand: Hand) -> impl Rule<'a, Noted<Departure>> {
    let full_square = ahead(
        |input| matches!(input, [b'1'..=b'3', file, b'1'..=b'8', ..] if (b'a'..=b'h').contains(&file.to_ascii_lowercase())),
    );
    (
        said_level,
        file(hand),
        opt(preceded(not(full_square), rank)),
    )
        .map(|(level, file, rank)| {
            file.map(|file| Departure {
                file: Some(file),
                rank,
                level,
            })
        })
}

/// `square`: level, file and rank; the level may be missing, or follow in brackets or after a slash.
fn square<'a>(hand: Hand) -> impl Rule<'a, Noted<Coordinates>> {
    place(file(hand))
}

/// `file`: a to h from White's left.
fn file<'a>(hand: Hand) -> impl Rule<'a, Noted<u8>> {
    expected("a file a to h", file_letter(hand, b"abcdefgh"))
}

/// Appends the canonical spelling of a legal move on the cube board, without check or mate mark.
///
/// If other pieces of the same kind can legally go to the same square, the file of departure is written (`Nb2d3`,
/// `Nbx2d3`) or, if it is not unique, the full square of departure with `-` or `x` (`N1b1-2b3`). A pawn's capture
/// always has the file (`ex2d5`). Captures are not ambiguous with moves that capture nothing. En passant has no mark.
pub(crate) fn write(position: &Position, mv: Move, options: &WriteOptions, out: &mut Letters) {
    match mv {
        Move::Castle(side) => push_castling(side, out),
        Move::Pass => out.push_str(PASS),
        _ => {}
    }
    // Board moves are never legal on the cube.
    let Some((from, to)) = way_of(mv) else {
        return;
    };
    let role = position.piece_at(from).map_or(Role::Pawn, |man| man.role);
    let capture = position.is_capture(mv);
    if let Some(letter) = letter_of_role(options.locale, role) {
        out.push_letter(letter);
    }
    // Pawns on other files are never ambiguous: a capture names the file, and an advance stays on it.
    let origin = Departure {
        file: (role == Role::Pawn).then(|| cube::file(from)),
        ..Departure::default()
    };
    let others = position.pieces(position.turn(), role).without(from);
    let mut alike_moves = MoveList::new();
    if others.meets(origin.squares(None)) {
        let alike = PiecePattern {
            role: Some(role),
            from: origin,
            to: Coordinates::of(to, None),
            promotion: None,
        };
        alike_moves = rivals(position, alike, from, capture);
    }
    let mut files = alike_moves
        .iter()
        .filter_map(|rival| Some(cube::file(way_of(*rival)?.0)));
    if files.any(|file| file == cube::file(from)) {
        push_cube_square(Notation::Millennium, from, out);
        out.push_letter(if capture { b'x' } else { b'-' });
    } else {
        if !alike_moves.is_empty() || (capture && role == Role::Pawn) {
            out.push_letter(b'a' + cube::file(from));
        }
        if capture {
            out.push_letter(b'x');
        }
    }
    push_cube_square(Notation::Millennium, to, out);
    push_promotion("=", mv.promotion(), options.locale, out);
}

#[cfg(test)]
mod tests;
