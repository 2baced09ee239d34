//! Moves of Web TriD, a page with a Java applet.
//!
//! A move is the piece, the square it leaves and the square it goes to: `Q-b1B-b6F`. Files and ranks are the manual's.
//! The level is a letter from `A`, the lowest, to `G`, the highest: the main boards are `B`, `D` and `F`, and an attack
//! board is one level above its main board or, as under the manual's rules, one below. An attack board moves as the
//! piece `A`. Its squares are the corners to which it is fixed, with the level of its own surface: `A-e9G-b9G`.
//! Castling is `O-O`.
//!
//! Its rules for the moves of attack boards differ from Meder's. A move is accepted if it is legal under the rules with
//! which the game is replayed. The normative grammar is `grammars/web_trid.ebnf`; its rules are named after the
//! functions of this file. Whether it marks captures or promotions is not known, so the marks of other notations are
//! accepted.

use super::column;
use crate::moves::common::{Hand, capture, castling_move, hyphen, piece_letter, promotion, tail};
use crate::text::{
    Coordinates, Level, Locale, MoveText, TokenNote, TokenNotes, board_between, piece_between,
};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::combinator::{opt, value};
use nom::sequence::{delimited, terminated};
use tridex_geometry::stair::{Column, MainBoard, Pin, Surface};
use tridex_grammar::{Parsed, SyntaxError, between, expected, meaning, whole};
use tridex_rules::Role;

/// Reads one move.
///
/// ```
/// use tridex_notation::programs::web_trid;
/// assert!(web_trid::parse_move(b"Q-b2B-b6F").is_ok());
/// assert!(web_trid::parse_move(b"A-e9G-b9G").is_ok());
/// ```
///
/// # Errors
/// If the token is not a move of this program, or names a square that no board can have.
pub fn parse_move(token: &[u8]) -> Result<MoveText, SyntaxError> {
    let rule = alt((castling_move, board_move, piece_move));
    let text = whole(token, "the end of the move", rule)?;
    Ok(MoveText {
        notes: text.notes.without(TokenNote::Spelling),
        ..text
    })
}

/// `piece_move`: the piece, the square it leaves and the square it goes to.
pub(super) fn piece_move(input: &[u8]) -> Parsed<&[u8], MoveText> {
    (
        piece,
        square,
        joint,
        square,
        opt(promotion(Hand::of(Locale::English))),
        tail,
    )
        .map(|(role, from, captures, to, promotion, tail)| {
            let kind = piece_between(Some(role), from, to, promotion);
            tail.on(kind, captures, TokenNotes::NONE)
        })
        .parse(input)
}

/// `piece`: the letter of the piece, perhaps in brackets, and a hyphen. A pawn has `P`, only the hyphen, or nothing.
pub(super) fn piece(input: &[u8]) -> Parsed<&[u8], Role> {
    let bare = || {
        alt((
            piece_letter(Hand::of(Locale::English)),
            value(Role::Pawn, tag("P")),
        ))
    };
    let named = terminated(
        alt((bare(), delimited(tag("("), bare(), tag(")")))),
        tag("-"),
    );
    let unnamed = value(Role::Pawn, opt(tag("-")));
    alt((named, unnamed)).parse(input)
}

/// `joint`: a hyphen. A capture mark is accepted too.
pub(super) fn joint(input: &[u8]) -> Parsed<&[u8], bool> {
    expected(
        "a hyphen",
        alt((value(false, hyphen), value(true, capture))),
    )
    .parse(input)
}

/// `square`: file, rank and level. Some board must be able to have the square.
pub(super) fn square(input: &[u8]) -> Parsed<&[u8], Coordinates> {
    let what = "a square that a board can have, such as b2B";
    meaning(name, what, |(column, height)| {
        let level = match main_level(column, height) {
            Some(level) => level,
            None => {
                Level::Pin(Pin::all().find(|pin| height_of(*pin) == height && pin.covers(column))?)
            }
        };
        Some(Coordinates {
            file: column.file(),
            rank: column.rank(),
            level: Some(level),
        })
    })
    .parse(input)
}

/// The column and the height that a name consists of. Heights count from 0.
fn name(input: &[u8]) -> Parsed<&[u8], (Column, u8)> {
    let height = expected("a level A to G", between(b'A', b'G'));
    (column, height).parse(input)
}

/// The main board at a height, if it has a square in the column.
fn main_level(column: Column, height: u8) -> Option<Level> {
    let main = MainBoard::ALL.get(usize::from(height / 2)).copied()?;
    (height % 2 == 1 && main.square(column).is_some()).then_some(Level::Main(main))
}

/// The height of the surface of an attack board on a pin.
const fn height_of(pin: Pin) -> u8 {
    let main = 2 * pin.corner().main_board().tier() + 1;
    match pin.surface() {
        Surface::Over => main + 1,
        Surface::Under => main - 1,
    }
}

/// `board_move`: the letter A, then, before and after the move, the square to which the board is fixed and the level of
/// its surface.
pub(super) fn board_move(input: &[u8]) -> Parsed<&[u8], MoveText> {
    let hand = Hand::of(Locale::English);
    let letter = alt((tag("A-"), tag("(A)-")));
    (letter, fixed, hyphen, fixed, opt(promotion(hand)), tail)
        .map(|(_, from, (), to, role, tail)| {
            let kind = board_between(from, to, from == to, role);
            tail.on(kind, false, TokenNotes::NONE)
        })
        .parse(input)
}

/// `fixed`: the corner of a main board to which a board is fixed, and the level of the board's surface.
pub(super) fn fixed(input: &[u8]) -> Parsed<&[u8], Pin> {
    let what = "the corner of a main board, with the level above or below it, such as b9G";
    meaning(name, what, |(column, height)| {
        Pin::all()
            .find(|pin| pin.corner().column(pin.wing()) == column && height_of(*pin) == height)
    })
    .parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::{Program, testing::a_thousand_games};
    use crate::text::MovePattern;
    use tridex_geometry::Square;
    use tridex_geometry::stair::{Board, Layout, board as board_of};
    use tridex_grammar::examples::{self, takes};
    use tridex_rules::{CastlingSide, Move};

    #[test]
    fn the_grammar_and_the_functions_agree() {
        examples::check::<[u8]>(
            include_str!("../../../../grammars/web_trid.ebnf"),
            &[
                ("move", |t| parse_move(t).is_ok()),
                ("piece_move", |t| takes(t, piece_move)),
                ("piece", |t| takes(t, piece)),
                ("joint", |t| takes(t, joint)),
                ("square", |t| takes(t, square)),
                ("board_move", |t| takes(t, board_move)),
                ("fixed", |t| takes(t, fixed)),
            ],
        );
    }

    /// A square as that page names it.
    fn named(layout: &Layout, square: Square) -> String {
        let column = layout.column(square);
        let height = match board_of(square) {
            Board::Main(main) => 2 * main.tier() + 1,
            Board::Attack(board) => height_of(layout.pin(board)),
        };
        name_of(column, height)
    }

    fn name_of(column: Column, height: u8) -> String {
        let (file, level) = (char::from(b'a' + column.file()), char::from(b'A' + height));
        format!("{file}{}{level}", column.rank() + 1)
    }

    #[test]
    fn a_thousand_games_come_back() {
        a_thousand_games(Program::WebTriD, |before, mv, _| {
            let layout = before.layout()?;
            let promotion = mv
                .promotion()
                .map_or_else(String::new, |role| format!("={}", role.letter()));
            Some(match mv {
                Move::Pass => return None,
                Move::Castle(CastlingSide::King) => "O-O".to_owned(),
                Move::Castle(CastlingSide::Queen) => "O-O-O".to_owned(),
                Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. } => {
                    let piece = before.piece_at(from)?.role.letter();
                    format!(
                        "{piece}-{}-{}{promotion}",
                        named(layout, from),
                        named(layout, to)
                    )
                }
                Move::Board { board, to, .. } => {
                    let fixed = |pin: Pin| name_of(pin.corner().column(pin.wing()), height_of(pin));
                    format!("A-{}-{}{promotion}", fixed(layout.pin(board)), fixed(to))
                }
            })
        });
    }

    #[test]
    fn levels_are_told_by_height_and_place() {
        let level = |name: &str| square(name.as_bytes()).unwrap().1.level.unwrap();
        let pin = |name: &str| match crate::parse(crate::Notation::Meder, name.as_bytes(), None)
            .unwrap()
            .pattern()
        {
            MovePattern::Board(board) => Level::Pin(board.to),
            kind => panic!("{name}: {kind:?}"),
        };
        for (name, expected) in [
            ("b2B", Level::Main(MainBoard::White)),
            ("b6D", Level::Main(MainBoard::Neutral)),
            ("b6F", Level::Main(MainBoard::Black)),
            ("b1A", pin("QL1v")),
            ("b1C", pin("QL1")),
            ("f6C", pin("KL2")),
            // Above White's board, or below the Neutral one: no column has both.
            ("a3C", pin("QL3v")),
            ("a3E", pin("QL3")),
            ("e6G", pin("KL5")),
            ("e6E", pin("KL5v")),
            ("b10G", pin("QL6")),
        ] {
            assert_eq!(level(name), expected, "{name}");
        }
        for nowhere in ["c1A", "b6B", "b2D", "a9F", "a3A", "c5G"] {
            assert!(square(nowhere.as_bytes()).is_err(), "{nowhere}");
        }
        let home = fixed(b"e9G").unwrap().1;
        assert_eq!(Level::Pin(home), pin("KL6"));
        assert_eq!(Level::Pin(fixed(b"e9E").unwrap().1), pin("KL6v"));
    }
}
