//! Moves of Commence Software's Tri-Dimensional Chess, as its transcripts list them.
//!
//! Each entry is a move, such as `W N b1W c3W`: `W` or `B` for the side, the letter of the piece (none for a board),
//! the square it leaves and the square it goes to. Each square is file, rank and board. A remark that begins with `(x`
//! follows a capture. The program plays Meder's rules.
//!
//! How the program separates these parts is not known. The parser accepts blanks, a hyphen between the squares, or no
//! separator. When a board moves, it accepts the two pins, or a square of the board at each pin. It accepts castling as
//! `O-O` and as a king's move. The side is not stored, because only the side to move can move. The normative grammar is
//! `grammars/commence.ebnf`; its rules are named after the functions of this file.

use crate::moves::common::{Hand, blanks, castling, hyphen, piece_letter, promotion, tail};
use crate::moves::meder;
use crate::text::{
    Coordinates, Level, Locale, MovePattern, MoveText, TokenNotes, board_between, piece_between,
};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_till};
use nom::character::complete::one_of;
use nom::combinator::{opt, value};
use nom::sequence::{delimited, preceded, terminated};
use tridex_geometry::stair::{Column, Pin};
use tridex_grammar::{Parsed, SyntaxError, expected, meaning, whole};
use tridex_rules::Role;

/// The English letters: the program has no others.
const EN: Hand = Hand::of(Locale::English);

/// Reads one entry.
///
/// ```
/// use tridex_notation::programs::commence;
/// assert!(commence::parse_move(b"W N b1W c3W").is_ok());
/// assert!(commence::parse_move(b"B B c8B a6B (x pawn)").unwrap().captures());
/// ```
///
/// # Errors
/// If the token is not an entry of such a transcript.
pub fn parse_move(token: &[u8]) -> Result<MoveText, SyntaxError> {
    whole(token, "the end of the entry", entry)
}

/// `entry`: the side and its move.
pub(super) fn entry(input: &[u8]) -> Parsed<&[u8], MoveText> {
    preceded(side, alt((castled, man_moved, board_moved))).parse(input)
}

/// `side`: W or B.
pub(super) fn side(input: &[u8]) -> Parsed<&[u8], char> {
    terminated(expected("W or B for the side", one_of("WB")), blanks).parse(input)
}

/// `castled`.
pub(super) fn castled(input: &[u8]) -> Parsed<&[u8], MoveText> {
    (castling, tail)
        .map(|(side, tail)| tail.on(MovePattern::Castle(side.it), false, TokenNotes::NONE))
        .parse(input)
}

/// `man_moved`: the piece, the square it leaves and the square it goes to.
pub(super) fn man_moved(input: &[u8]) -> Parsed<&[u8], MoveText> {
    let letter = alt((piece_letter(EN), value(Role::Pawn, tag("P"))));
    let piece = terminated(
        expected("the letter of a piece, or nothing for a board", letter),
        blanks,
    );
    (
        piece,
        square,
        between,
        square,
        opt(promotion(EN)),
        taken,
        tail,
    )
        .map(|(role, from, (), to, promotion, captures, tail)| {
            let kind = piece_between(Some(role), from, to, promotion);
            tail.on(kind, captures, TokenNotes::NONE)
        })
        .parse(input)
}

/// `board_moved`: the pin that the board leaves and the pin it goes to.
pub(super) fn board_moved(input: &[u8]) -> Parsed<&[u8], MoveText> {
    (pin, between, pin, opt(promotion(EN)), tail)
        .map(|(from, (), to, role, tail)| {
            let kind = board_between(from, to, false, role);
            tail.on(kind, false, TokenNotes::NONE)
        })
        .parse(input)
}

/// `between`: what separates two squares: a hyphen, blanks or nothing.
fn between(input: &[u8]) -> Parsed<&[u8], ()> {
    alt((hyphen, blanks)).parse(input)
}

/// `taken`: the remark after a capture.
pub(super) fn taken(input: &[u8]) -> Parsed<&[u8], bool> {
    let inside = take_till(|b| b == b')');
    let remark = delimited(
        (blanks, tag("(x")),
        inside,
        expected("a closing bracket", tag(")")),
    );
    opt(remark).map(|remark| remark.is_some()).parse(input)
}

/// `square`: file, rank and board, as in Meder's notation.
pub(super) fn square(input: &[u8]) -> Parsed<&[u8], Coordinates> {
    let what = "a square with its board, such as a1W";
    meaning(meder::exact_square, what, |place| {
        Column::try_new(place.file, place.rank)?;
        place.level.is_some().then_some(place)
    })
    .parse(input)
}

/// `pin`: a pin, alone or as the board of a square.
pub(super) fn pin(input: &[u8]) -> Parsed<&[u8], Pin> {
    let of_square = meaning(square, "a square of an attack board", |place| {
        match place.level {
            Some(Level::Pin(pin)) => pin
                .covers(Column::try_new(place.file, place.rank)?)
                .then_some(pin),
            _ => None,
        }
    });
    alt((meder::exact_pin, of_square)).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names;
    use crate::programs::{Program, castling_way, testing::a_thousand_games};
    use crate::text::Notation;
    use tridex_grammar::examples::{self, takes};
    use tridex_rules::{Color, Move};

    #[test]
    fn the_grammar_and_the_functions_agree() {
        examples::check::<[u8]>(
            include_str!("../../../../grammars/commence.ebnf"),
            &[
                ("move", |t| parse_move(t).is_ok()),
                ("entry", |t| takes(t, entry)),
                ("side", |t| takes(t, side)),
                ("castled", |t| takes(t, castled)),
                ("man_moved", |t| takes(t, man_moved)),
                ("board_moved", |t| takes(t, board_moved)),
                ("taken", |t| takes(t, taken)),
                ("square", |t| takes(t, square)),
                ("pin", |t| takes(t, pin)),
            ],
        );
    }

    #[test]
    fn a_thousand_games_come_back() {
        for (blank, joint) in [(" ", " "), ("", ""), (" ", "-")] {
            a_thousand_games(Program::Commence, |before, mv, _| {
                let side = if before.turn() == Color::White {
                    'W'
                } else {
                    'B'
                };
                let layout = before.layout()?;
                let name = |square| names::square(Notation::Meder, Some(layout), square);
                let man = |from, to| {
                    let piece = before.piece_at(from)?.role.letter();
                    Some(format!("{piece}{blank}{}{joint}{}", name(from), name(to)))
                };
                let way = match mv {
                    Move::Pass => return None,
                    Move::Castle(_) => {
                        let (from, to) = castling_way(before, mv)?;
                        man(from, to)?
                    }
                    Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. } => {
                        man(from, to)?
                    }
                    Move::Board { board, to, .. } => {
                        let pin = |pin| names::pin(Notation::Meder, pin);
                        format!("{}{joint}{}", pin(layout.pin(board)), pin(to))
                    }
                };
                let promotion = mv
                    .promotion()
                    .map_or_else(String::new, |role| format!("={}", role.letter()));
                let taken = if before.is_capture(mv) {
                    " (x a man)"
                } else {
                    ""
                };
                Some(format!("{side}{blank}{way}{promotion}{taken}"))
            });
        }
    }
}
