//! Positions and moves as the desktop game "Star Trek Tri-Dimensional" writes them (`.fen` and `.pgn` files).
//!
//! The game plays Meder's rules, and its moves are Meder's notation with small differences: `O-O`, `d8B=Q`, `KL5-KL6Q`,
//! `Q/KL5-KL6`. A position, which is in the `FEN` tag of every game, has seven fields: where the attack boards are
//! and whose they are, the placement, and five as in FEN. Pawns that may still advance two have a letter of their own,
//! `D`.
//!
//! The normative grammar is `grammars/star_trek.ebnf`; its rules are named after the functions of this file and of
//! `star_trek/moves.rs`. A position with boards that no one owns, which that game knows and Meder's rules do not, is
//! refused by name.
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

use super::push_empty;
use crate::names;
use crate::position_string::parser::{Cell, castling, counter, existing_square, rank, turn};
use crate::position_string::printer::write_castling;
use crate::rule::{Parsed, Text, expected, meaning, whole};
use crate::text::{Notation, SyntaxError};
use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{char, one_of, space0, space1};
use nom::combinator::{map_opt, value};
use nom::multi::many1;
use nom::sequence::{delimited, preceded};
use tridex_geometry::stair::{AttackBoard, Board, Column, Corner, Layout, MainBoard, Pin, Surface};
use tridex_geometry::{Square, Wing};
use tridex_rules::{Color, Piece, Role, RuleSystem, Setup};

/// Reads a position of that game.
///
/// The names of a side's two boards are not written; a board on its home pin is read as the one whose home it is,
/// otherwise the one on the queen's side for the queen's. (The two are alike for the game: ruling C7.)
///
/// # Errors
/// Where and why the text is no such position. Whether it can be played is checked by
/// [`Position::from_setup`](tridex_rules::Position::from_setup).
pub fn parse(text: &str) -> Result<Setup, SyntaxError> {
    let end = "the end of the position";
    whole(text, end, delimited(space0, position, space0)).map_err(|stop| match ownerless(text) {
        Some(offset) => SyntaxError {
            offset,
            expected: "an attack board with an owner, W or B (Meder's rules know no neutral boards)",
        },
        None => SyntaxError {
            offset: text.len().saturating_sub(stop.left),
            expected: stop.expected,
        },
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
    let blank = |what| expected(what, space1);
    let (rest, layout) = boards(input)?;
    let (rest, mut setup) =
        preceded(blank("a space and the placement"), placement(layout)).parse(rest)?;
    let layout = Some(&layout);
    let fields = (
        preceded(blank("a space and the side to move"), turn),
        preceded(blank("a space and the castling rights"), castling),
        preceded(
            blank("a space and the en passant square"),
            en_passant(layout),
        ),
        preceded(blank("a space and the half-move count"), counter),
        preceded(blank("a space and the move number"), counter),
    );
    let mut fields = fields;
    let rest = {
        let (rest, (turn, castling, en_passant, halfmoves, fullmoves)) = fields.parse(rest)?;
        (setup.turn, setup.castling, setup.en_passant) = (turn, castling, en_passant);
        (setup.halfmoves, setup.fullmoves) = (halfmoves, fullmoves);
        rest
    };
    Ok((rest, setup))
}

/// `boards`: two boards of each side.
fn boards(input: &str) -> Parsed<&str, Layout> {
    let what = "two attack boards of each side, on four pins";
    meaning(many1(board), what, |boards| {
        let of = |color| {
            let mut pins = boards.iter().filter(move |board| board.0 == color);
            match (pins.next(), pins.next(), pins.next()) {
                (Some(a), Some(b), None) => Some([a.1, b.1]),
                _ => None,
            }
        };
        let (white, black) = (of(Color::White)?, of(Color::Black)?);
        let home = Layout::start(Surface::Over);
        let [wq, wk] = by_home(
            white,
            AttackBoard::WhiteQueen,
            AttackBoard::WhiteKing,
            &home,
        );
        let [bq, bk] = by_home(
            black,
            AttackBoard::BlackQueen,
            AttackBoard::BlackKing,
            &home,
        );
        // In the order of `AttackBoard::ALL`.
        let mut pins = [wq; 4];
        for (board, pin) in [
            (AttackBoard::WhiteQueen, wq),
            (AttackBoard::WhiteKing, wk),
            (AttackBoard::BlackQueen, bq),
            (AttackBoard::BlackKing, bk),
        ] {
            if let Some(slot) = pins.get_mut(board as usize) {
                *slot = pin;
            }
        }
        Layout::try_new(pins).ok()
    })
    .parse(input)
}

/// Two pins, that of the queen's board first.
fn by_home(pins: [Pin; 2], queen: AttackBoard, king: AttackBoard, home: &Layout) -> [Pin; 2] {
    let [a, b] = pins;
    let turned = if a == home.pin(queen) || b == home.pin(king) {
        false
    } else if b == home.pin(queen) || a == home.pin(king) {
        true
    } else {
        a.wing() == Wing::King && b.wing() == Wing::Queen
    };
    if turned { [b, a] } else { [a, b] }
}

/// `board`: whose it is, in capitals on the king's side, and the number of its pin.
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

/// `placement`: the boards of Black, Neutral and White, then the attack boards by their pins from the far end, the
/// queen's side first.
fn placement<'a>(layout: Layout) -> impl Text<'a, Setup> {
    move |input| {
        let mut setup = Setup::empty(Some(layout));
        let mut rest = input;
        for (number, board) in listed(&layout).into_iter().enumerate() {
            if number > 0 {
                (rest, _) = expected("`|` and the next board", char('|')).parse(rest)?;
            }
            let size = match board {
                Board::Main(_) => 4,
                Board::Attack(_) => 2,
            };
            for y in (0..size).rev() {
                if y + 1 < size {
                    (rest, _) = expected("`/` and the next rank", char('/')).parse(rest)?;
                }
                let what = "a piece letter or a count of empty squares that fits the rank";
                let held;
                (rest, held) = rank(rest, size.into(), what, cell)?;
                for (x, (piece, may_double)) in held {
                    if let Some(square) = square_of(board, x as u8, y) {
                        setup.set_piece(square, Some(piece));
                        if !may_double && is_start(&layout, square, piece) {
                            setup.moved.insert(square);
                        }
                    }
                }
            }
        }
        Ok((rest, setup))
    }
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

/// The square of a board by its place from the near left corner.
fn square_of(board: Board, x: u8, y: u8) -> Option<Square> {
    match board {
        Board::Main(main) => main.square(Column::try_new(x + 1, main.near_rank() + y)?),
        Board::Attack(attack) => Some(attack.square(x, y)),
    }
}

/// Whether a pawn is on a square where one of its colour starts (ruling C2).
fn is_start(layout: &Layout, square: Square, piece: Piece) -> bool {
    let start = RuleSystem::Meder.start();
    let home = match (tridex_geometry::stair::attack_board(square), &start.layout) {
        (Some(board), Some(home)) => layout.pin(board) == home.pin(board),
        _ => true,
    };
    home && piece.role == Role::Pawn && start.piece(square) == Some(piece)
}

/// `cell`: empty squares, a piece, or a pawn that may advance two, with a flag for that.
fn cell(input: &str) -> Parsed<&str, Cell<(Piece, bool)>> {
    let empties = one_of("1234").map(|digit| Cell::Empty(digit as usize - b'0' as usize));
    let man = map_opt(one_of("PNBRQKpnbrqk"), |letter| {
        Some(Cell::Held((Piece::from_letter(letter)?, false)))
    });
    let fresh = |color| Cell::Held((Piece::new(color, Role::Pawn), true));
    let white = char('D').map(move |_| fresh(Color::White));
    let black = char('d').map(move |_| fresh(Color::Black));
    alt((empties, man, white, black)).parse(input)
}

/// `en_passant`: the square of the pawn.
fn en_passant<'a>(layout: Option<&Layout>) -> impl Text<'a, Option<Square>> {
    alt((value(None, char('-')), existing_square(layout).map(Some)))
}

/// Writes a position of the stair board as that game does; `None` for the cube, and for boards below the main boards, which
/// it does not know.
#[must_use]
pub fn write(setup: &Setup) -> Option<String> {
    use std::fmt::Write as _;
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
    for (number, board) in boards.into_iter().enumerate() {
        out.push(if number == 0 { ' ' } else { '|' });
        let size = match board {
            Board::Main(_) => 4,
            Board::Attack(_) => 2,
        };
        for y in (0..size).rev() {
            if y + 1 < size {
                out.push('/');
            }
            write_rank(setup, layout, size, |x| square_of(board, x, y), &mut out);
        }
    }
    out.push_str(if setup.turn == Color::White {
        " w "
    } else {
        " b "
    });
    write_castling(setup.castling, &mut out);
    out.push(' ');
    match setup.en_passant {
        Some(pawn) => out.push_str(&names::square(Notation::Meder, Some(layout), pawn)),
        None => out.push('-'),
    }
    // Writing to a `String` cannot fail.
    let _ = write!(out, " {} {}", setup.halfmoves, setup.fullmoves);
    Some(out)
}

fn write_rank(
    setup: &Setup,
    layout: &Layout,
    size: u8,
    square: impl Fn(u8) -> Option<Square>,
    out: &mut String,
) {
    let mut empty = 0_u8;
    for x in 0..size {
        let man = square(x).and_then(|square| Some((square, setup.piece(square)?)));
        let Some((square, piece)) = man else {
            empty += 1;
            continue;
        };
        push_empty(&mut empty, out);
        let may_double = is_start(layout, square, piece) && !setup.moved.contains(square);
        out.push(match (may_double, piece.color) {
            (true, Color::White) => 'D',
            (true, Color::Black) => 'd',
            (false, _) => piece.letter(),
        });
    }
    push_empty(&mut empty, out);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves::grammar;
    use crate::position_string;
    use crate::testing::random_games;
    use tridex_rules::Position;

    #[test]
    fn the_grammar_and_the_functions_agree() {
        fn takes<'a, T>(token: &'a [u8], rule: impl Text<'a, T>) -> bool {
            std::str::from_utf8(token).is_ok_and(|text| grammar::takes(text, rule))
        }
        const START: Layout = Layout::start(Surface::Over);
        grammar::check(
            include_str!("../../../../grammars/star_trek.ebnf"),
            &[
                ("position", |t| takes(t, position)),
                ("boards", |t| takes(t, boards)),
                ("board", |t| takes(t, board)),
                ("placement", |t| takes(t, placement(START))),
                ("cell", |t| takes(t, cell)),
                ("en_passant", |t| takes(t, en_passant(Some(&START)))),
                ("move", |t| parse_move(t).is_ok()),
                ("turn", |t| moves::turn(t).is_some()),
                ("offered", |t| moves::offered(t).is_some()),
                ("claim", |t| moves::claim(t).is_some()),
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
