//! The notation of Chess3: both squares in full, each as level, file and rank (Chess3, The 3D Playing Field). The rule
//! text defines names of squares but no notation of moves. We join squares as the coordinate notations of chess do.
//!
//! The normative grammar is `grammars/chess3.ebnf`; its rules are named after the functions of this file.

use super::common::{
    Hand, PASS, Way, capture, castling_move, figurine, hyphen, piece_letter, piece_words,
    promotion, push_castling, push_promotion, small_piece_letter, tail,
};
use super::cube::place;
use crate::letters::Letters;
use crate::names::push_cube_square;
use crate::text::Noted;
use crate::text::{Coordinates, MoveText, Notation, TokenNote, WriteOptions};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::combinator::{opt, peek, value};
use nom::sequence::{preceded, terminated};
use tridex_grammar::{Parsed, Rule, ahead, between, expected};
use tridex_rules::{Move, Position, Role};

/// `move`.
pub(crate) fn moved<'a>(hand: Hand) -> impl Rule<'a, MoveText> {
    alt((castling_move, man_move(hand)))
}

/// `man_move`: from a square to a square.
fn man_move<'a>(hand: Hand) -> impl Rule<'a, MoveText> {
    (
        opt(man(hand)),
        square,
        joint,
        square,
        opt(promotion(hand)),
        tail,
    )
        .map(|(man, from, capture, to, promotion, tail)| {
            piece_words(man, Way::between(from, capture, to), promotion, tail)
        })
}

/// `man`: the letter or figurine of a piece, `P` for a pawn. A square must follow, so that the first `B` is a bishop in
/// `BB2-B4` and a file in `B2-B4`.
fn man<'a>(hand: Hand) -> impl Rule<'a, Noted<Role>> {
    let named = alt((figurine, piece_letter(hand), value(Role::Pawn, tag("P"))));
    let small = small_piece_letter(hand, b"abcdefghx");
    let letter = alt((
        named.map(Noted::usual),
        small.map(|role| Noted::unusual(role, TokenNote::Case)),
    ));
    terminated(letter, peek(square))
}

/// `joint`: a hyphen or a capture mark.
fn joint(input: &[u8]) -> Parsed<&[u8], bool> {
    let sign = alt((value(false, hyphen), value(true, capture)));
    expected("a hyphen or x", sign).parse(input)
}

/// What is expected at the start of a square.
const SQUARE: &str = "a square, such as 1B2";

/// `square`: level, file and rank. The level may be missing, or follow in brackets or after a slash.
fn square(input: &[u8]) -> Parsed<&[u8], Noted<Coordinates>> {
    let begins =
        ahead(|input| matches!(input.first(), Some(b'1'..=b'9' | b'a'..=b'h' | b'A'..=b'H')));
    preceded(expected(SQUARE, begins), place(file)).parse(input)
}

/// `file`: A to H from White's left. Small letters are read with a note.
fn file(input: &[u8]) -> Parsed<&[u8], Noted<u8>> {
    let capital = between(b'A', b'H').map(Noted::usual);
    let small = between(b'a', b'h').map(|file| Noted::unusual(file, TokenNote::Case));
    expected("a file A to H", alt((capital, small))).parse(input)
}

/// Appends the canonical spelling of a legal move on the cube board, without check or mate mark: both squares with `-`
/// or, for a capture (also en passant), `x` between them, and `=Q` for a promotion.
pub(crate) fn write(position: &Position, mv: Move, options: &WriteOptions, out: &mut Letters) {
    match mv {
        Move::Castle(side) => push_castling(side, out),
        Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. } => {
            push_cube_square(Notation::Chess3, from, out);
            out.push_letter(if position.is_capture(mv) { b'x' } else { b'-' });
            push_cube_square(Notation::Chess3, to, out);
            push_promotion("=", mv.promotion(), options.locale, out);
        }
        // Never legal on the cube board.
        Move::Board { .. } => {}
        Move::Pass => out.push_str(PASS),
    }
}

#[cfg(test)]
mod tests;
