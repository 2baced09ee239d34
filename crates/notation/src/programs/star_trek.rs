//! Positions and moves as the desktop game "Star Trek Tri-Dimensional" writes them (`.fen` and `.pgn` files).
//!
//! The program plays Meder's rules, and writes moves in Meder's notation with small differences: `O-O`, `d8B=Q`,
//! `KL5-KL6Q`, `Q/KL5-KL6`. Every game has a `FEN` tag with a position of seven fields: the pins and owners of the
//! attack boards, the placement, and five fields as in FEN. Pawns that may still advance two squares have their own
//! letter, `D`.
//!
//! The normative grammar is `grammars/star_trek.ebnf`; its rules are named after the functions of this file and of
//! `star_trek/moves.rs`. The program also has attack boards that no one owns. Meder's rules do not, so such a position
//! is refused with an error that names them.
//!
//! ```
//! use tridex_notation::programs::star_trek;
//! use tridex_rules::RuleSystem;
//!
//! let start = RuleSystem::Meder.start();
//! let fen = star_trek::write(&start).unwrap();
//! assert_eq!(
//!     fen,
//!     "b6B6w1W1 nbbn/dddd/4/4|4/4/4/4|4/4/DDDD/NBBN|rq/dd|kr/dd|DD/RQ|DD/KR w KQkq - 0 1"
//! );
//! assert_eq!(star_trek::parse(&fen), Ok(start));
//! ```

mod moves;

pub use moves::{NO_CLAIM, parse_move, write_move};

use crate::names;
use crate::position_string::parser::{en_passant, fields, piece};
use crate::position_string::printer::write_fields;
use crate::position_string::ranks::{FITTING, board_ranks, rank, ranks, write_ranks};
use crate::text::Notation;
use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{char, one_of, space0, space1};
use nom::combinator::{map_opt, value};
use nom::multi::many1;
use nom::sequence::{delimited, preceded};
use tridex_geometry::stair::{AttackBoard, Board, Corner, Layout, MainBoard, Pin, Surface};
use tridex_geometry::{Square, Wing};
use tridex_grammar::{Parsed, SyntaxError, Text, each, expected, meaning, whole};
use tridex_rules::{Color, Piece, Role, RuleSystem, Setup};

/// Reads a position of this program.
///
/// The text does not distinguish a side's two attack boards. A board on a home pin becomes the board of that pin. If
/// neither is on a home pin, the board on the queen's wing becomes the queen's. (Exchanging the two does not change the
/// position: ruling same-position.)
///
/// # Errors
/// Where and why the text cannot be read. Whether the position can be played is checked by
/// [`Position::from_setup`](tridex_rules::Position::from_setup).
pub fn parse(text: &str) -> Result<Setup, SyntaxError> {
    let end = "the end of the position";
    whole(text, end, delimited(space0, position, space0)).map_err(|fault| match ownerless(text) {
        Some(offset) => SyntaxError::new(
            offset,
            "an attack board with an owner, W or B (Meder's rules know no neutral boards)",
        ),
        None => fault,
    })
}

/// Whether a field is the list of attack boards before such a position: `b6B6w1W1`, or `-` for none.
pub(super) fn looks_like_boards(field: &str) -> bool {
    let is_board = |board: &[u8]| {
        matches!(
            board,
            [b'W' | b'B' | b'N' | b'w' | b'b' | b'n', b'1'..=b'6']
        )
    };
    field == "-" || !field.is_empty() && field.as_bytes().chunks(2).all(is_board)
}

/// The offset of the first board that no one owns.
fn ownerless(text: &str) -> Option<usize> {
    let start = text.len() - text.trim_start().len();
    let field = text.split_ascii_whitespace().next()?;
    looks_like_boards(field).then_some(())?;
    Some(start + field.find(['N', 'n'])?)
}

/// `position`.
fn position(input: &str) -> Parsed<&str, Setup> {
    let (rest, layout) = boards(input)?;
    let blank = expected("a space and the placement", space1);
    let (rest, placed) = preceded(blank, placement(layout)).parse(rest)?;
    fields(placed, en_passant(Some(&layout))).parse(rest)
}

/// `boards`: two boards of each side.
fn boards(input: &str) -> Parsed<&str, Layout> {
    let what = "two attack boards of each side, on four pins";
    meaning(many1(board), what, |boards| {
        let of = |color, queen, king| {
            let mut pins = boards.iter().filter(|board| board.0 == color);
            match (pins.next(), pins.next(), pins.next()) {
                (Some(a), Some(b), None) => Some(by_home([a.1, b.1], queen, king)),
                _ => None,
            }
        };
        let [a, b, c, d] = AttackBoard::ALL;
        let ([a, b], [c, d]) = (of(Color::White, a, b)?, of(Color::Black, c, d)?);
        Layout::try_new([a, b, c, d]).ok()
    })
    .parse(input)
}

/// Orders a side's two pins, that of the queen's board first.
fn by_home([a, b]: [Pin; 2], queen: AttackBoard, king: AttackBoard) -> [Pin; 2] {
    let home = Layout::start(Surface::Over);
    let turned = if a == home.pin(queen) || b == home.pin(king) {
        false
    } else if b == home.pin(queen) || a == home.pin(king) {
        true
    } else {
        a.wing() == Wing::King && b.wing() == Wing::Queen
    };
    if turned { [b, a] } else { [a, b] }
}

/// `board`: the letter of the owner, a capital on the king's wing and a small letter on the queen's, and the number of
/// the pin.
fn board(input: &str) -> Parsed<&str, (Color, Pin)> {
    let owner = map_opt(one_of("WBwb"), |letter| {
        let color = match letter.to_ascii_uppercase() {
            'W' => Color::White,
            _ => Color::Black,
        };
        let wing = if letter.is_ascii_uppercase() {
            Wing::King
        } else {
            Wing::Queen
        };
        Some((color, wing))
    });
    let number = map_opt(one_of("123456"), |digit| {
        Corner::try_new(digit as u8 - b'0')
    });
    (
        expected(
            "an attack board: W or B for its owner, and the number of its pin",
            owner,
        ),
        expected("the number of a pin, 1 to 6", number),
    )
        .map(|((color, wing), corner)| (color, Pin::over(wing, corner)))
        .parse(input)
}

/// `placement`: Black's, the Neutral and White's main board, then the attack boards by their pins from Black's end, the
/// queen's wing first.
fn placement<'a>(layout: Layout) -> impl Text<'a, Setup> {
    let bar = |input, _: &_| expected("`|` and the next board", char('|')).parse(input);
    let rank = |squares| rank(squares, FITTING, man);
    let boards = each(listed(&layout), bar, move |input, board, _| {
        ranks(board_ranks(board), rank).parse(input)
    });
    boards.map(move |boards| {
        let mut setup = Setup::empty(Some(layout));
        for (square, (piece, may_double)) in boards.into_iter().flatten() {
            setup.set_piece(square, Some(piece));
            if !may_double && is_start(&layout, square, piece) {
                setup.moved.insert(square);
            }
        }
        setup
    })
}

/// The boards in the order in which their pieces are written.
fn listed(layout: &Layout) -> Vec<Board> {
    let mains = MainBoard::ALL.into_iter().rev().map(Board::Main);
    let mut attacks = AttackBoard::ALL;
    attacks.sort_by_key(|board| {
        let pin = layout.pin(*board);
        (
            std::cmp::Reverse(pin.corner().number()),
            pin.wing() == Wing::King,
        )
    });
    mains.chain(attacks.map(Board::Attack)).collect()
}

/// Whether a pawn is on a square where one of its colour starts (ruling moved-pawn).
fn is_start(layout: &Layout, square: Square, piece: Piece) -> bool {
    let start = RuleSystem::Meder.start();
    let home = match (tridex_geometry::stair::attack_board(square), &start.layout) {
        (Some(board), Some(home)) => layout.pin(board) == home.pin(board),
        _ => true,
    };
    home && piece.role == Role::Pawn && start.piece(square) == Some(piece)
}

/// A piece, and whether it is a pawn that may advance two squares.
fn man(input: &str) -> Parsed<&str, (Piece, bool)> {
    let fresh = |letter, color| value((Piece::new(color, Role::Pawn), true), char(letter));
    let man = piece.map(|piece| (piece, false));
    alt((man, fresh('D', Color::White), fresh('d', Color::Black))).parse(input)
}

/// Writes a position of the stair board as the program does. Returns `None` for the cube, and if an attack board is
/// below a main board, which the program does not support.
pub fn write(setup: &Setup) -> Option<String> {
    let layout = setup.layout.as_ref()?;
    super::has_over_pins_only(layout).then_some(())?;
    let mut out = String::with_capacity(120);
    let boards = listed(layout);
    for board in &boards {
        if let Board::Attack(attack) = board {
            let pin = layout.pin(*attack);
            let owner = if attack.is_white() { 'W' } else { 'B' };
            out.push(match pin.wing() {
                Wing::King => owner,
                Wing::Queen => owner.to_ascii_lowercase(),
            });
            out.push(char::from(b'0' + pin.corner().number()));
        }
    }
    let letter = |square| {
        let piece = setup.piece(square)?;
        let may_double = is_start(layout, square, piece) && !setup.moved.contains(square);
        Some(match (may_double, piece.color) {
            (true, Color::White) => 'D',
            (true, Color::Black) => 'd',
            (false, _) => piece.letter(),
        })
    };
    for (number, board) in boards.into_iter().enumerate() {
        out.push(if number == 0 { ' ' } else { '|' });
        write_ranks(board_ranks(board), letter, &mut out);
    }
    let name = |square| names::square(Notation::Meder, Some(layout), square);
    write_fields(setup, name, "", &mut out);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position_string;
    use crate::position_string::ranks::cell;
    use crate::testing::random_games;
    use tridex_grammar::examples::{self, takes};
    use tridex_rules::Position;

    #[test]
    fn the_grammar_and_the_functions_agree() {
        const START: Layout = Layout::start(Surface::Over);
        examples::check::<str>(
            include_str!("../../../../grammars/star_trek.ebnf"),
            &[
                ("position", |t| takes(t, position)),
                ("boards", |t| takes(t, boards)),
                ("board", |t| takes(t, board)),
                ("placement", |t| takes(t, placement(START))),
                ("cell", |t| takes(t, cell(man))),
                ("en_passant", |t| takes(t, en_passant(Some(&START)))),
                ("move", |t| parse_move(t.as_bytes()).is_ok()),
                ("turn", |t| takes(t.as_bytes(), moves::turn)),
                ("offered", |t| {
                    takes(t.as_bytes(), moves::offered(moves::EN))
                }),
                ("claim", |t| takes(t.as_bytes(), moves::claim)),
            ],
        );
    }

    #[test]
    fn positions_of_games_come_back() {
        let (mut all, mut alike) = (0, 0);
        random_games(RuleSystem::Meder, 40, 120, |position, _| {
            let ours = position.to_setup();
            let theirs = write(&ours).unwrap();
            let back = parse(&theirs).unwrap_or_else(|e| panic!("{theirs}: {e}"));
            assert_eq!(write(&back).as_ref(), Some(&theirs));
            let played = Position::from_setup(RuleSystem::Meder, &back)
                .unwrap_or_else(|e| panic!("{theirs}: {e}"));
            assert_eq!(
                played.legal_moves().len(),
                position.legal_moves().len(),
                "{theirs}"
            );
            all += 1;
            if back.layout == ours.layout {
                alike += 1;
                assert_eq!(
                    position_string::to_string(&back),
                    position_string::to_string(&ours)
                );
            }
        });
        // Else a side's boards have changed places, which their text does not say.
        assert!(alike * 10 > all * 7, "{alike} of {all}");
    }

    #[test]
    fn what_it_cannot_mean_is_refused_by_name() {
        let start =
            "b6B6w1W1 nbbn/dddd/4/4|4/4/4/4|4/4/DDDD/NBBN|rq/dd|kr/dd|DD/RQ|DD/KR w KQkq - 0 1";
        assert_eq!(parse(start), Ok(RuleSystem::Meder.start()));
        for (neutral, offset) in [("n1W1", 4), ("w1N4", 6), ("w1W1N3", 8)] {
            let error = parse(&start.replacen("w1W1", neutral, 1)).unwrap_err();
            assert_eq!(error.offset, offset, "{neutral}");
            assert!(error.expected.contains("no neutral boards"), "{error}");
        }
        let few = parse(&start.replacen("w1W1", "w1", 1)).unwrap_err();
        assert_eq!(few.offset, 0);
        assert!(few.expected.contains("two attack boards"), "{few}");
        let cut = parse("b6B6w1W1 nbbn/dddd/4/4").unwrap_err();
        assert_eq!((cut.offset, cut.expected), (22, "`|` and the next board"));
        assert_eq!(write(&RuleSystem::Manual.start()), None);
        assert_eq!(write(&RuleSystem::Chess3.start()), None);
    }
}
