//! Moves and positions of tridchessboard.js, a board for web pages.
//!
//! The board knows no rules. A square is named by file `a` to `f`, rank `1` to `10` and level `1` to `6`: the main boards
//! are levels 1, 3 and 5 from White's, the attack boards above them 2, 4 and 6. An attack board, a tower there, has no
//! owner, and is named by its place, `T1` to `T12` from White's side, the queen's wing first. A move is two squares or two
//! places of towers: `c3_1-c4_2`, `T1-T5`. Of castling only the king's way is written, and of a promotion nothing; our `=Q`
//! is read after a move.
//!
//! A position is the towers that exist, one hexadecimal digit each, and the pieces: six levels from the highest down, divided
//! by bars, in each four ranks from the far one, divided by strokes. This is what its newest version takes, and what is
//! written. Two older orders are read: rows without levels, in which ranks without squares are omitted, and columns, which
//! are written too.
//!
//! The normative grammar is `grammars/tridchessboard.ebnf`; its rules are named after the functions of this file.
//!
//! ```
//! use tridex_notation::programs::tridchessboard;
//! use tridex_rules::RuleSystem;
//!
//! let start = RuleSystem::Meder.start();
//! let levels = tridchessboard::write(&start).unwrap();
//! let columns = tridchessboard::write_columns(&start).unwrap();
//! assert_eq!(
//!     levels,
//!     "12bc rqkr/pppp//|nbbn/pppp/4/4|///|4/4/4/4|//PPPP/RQKR|4/4/PPPP/NBBN w KQkq - 0 1"
//! );
//! assert_eq!(tridchessboard::parse(&levels), Ok(start.clone()));
//! assert_eq!(tridchessboard::parse(&columns), Ok(start));
//! ```

use super::{place_in, push_empty};
use crate::moves::common::{Hand, promotion, tail};
use crate::position_string::parser::{castling, counter, turn};
use crate::position_string::printer::write_castling;
use crate::rule::{Parsed, Stop, Text, expected, letter, meaning, whole};
use crate::text::{
    BoardPattern, Coordinates, Departure, Level, Locale, MovePattern, MoveText, PiecePattern,
    SyntaxError, TokenNotes,
};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_till1};
use nom::character::complete::{char, one_of, satisfy, space0, space1};
use nom::combinator::{map_opt, opt, value};
use nom::sequence::{delimited, preceded};
use tridex_geometry::stair::{
    AttackBoard, Board, Column, Corner, Layout, MainBoard, Pin, board as board_of,
};
use tridex_geometry::{Square, Wing};
use tridex_rules::{Color, Move, Piece, Position, Role, Setup};

/// Reads one move.
///
/// ```
/// use tridex_notation::programs::tridchessboard;
/// assert!(tridchessboard::parse_move(b"c3_1-c4_3").is_ok());
/// assert_eq!(tridchessboard::parse_move(b"c3_1-c3_2").unwrap_err().offset, 5);
/// ```
///
/// # Errors
/// If the token is no move of that board, or names a square that no board can have.
pub fn parse_move(token: &[u8]) -> Result<MoveText, SyntaxError> {
    let end = "the end of the move";
    whole(token, end, alt((tower_move, piece_move))).map_err(|stop| SyntaxError {
        offset: token.len().saturating_sub(stop.left),
        expected: stop.expected,
    })
}

/// `piece_move`: a square, a hyphen, a square.
pub(super) fn piece_move(input: &[u8]) -> Parsed<&[u8], MoveText> {
    (square, hyphen, square, new_role, tail)
        .map(|(from, (), to, promotion, tail)| {
            let kind = MovePattern::Piece(PiecePattern {
                role: None,
                from: Departure {
                    file: Some(from.file),
                    rank: Some(from.rank),
                    level: from.level,
                },
                to,
                promotion,
            });
            tail.on(kind, false, TokenNotes::NONE)
        })
        .parse(input)
}

/// `tower_move`: a tower, a hyphen, a tower.
pub(super) fn tower_move(input: &[u8]) -> Parsed<&[u8], MoveText> {
    (tower, hyphen, tower, new_role, tail)
        .map(|(from, (), to, role, tail)| {
            let kind = MovePattern::Board(BoardPattern {
                from: Some(from),
                to,
                either_surface: false,
                turned: false,
                promotion: role.map(|role| (None, role)),
            });
            tail.on(kind, false, TokenNotes::NONE)
        })
        .parse(input)
}

/// `hyphen`: with the blanks that the board passes over.
pub(super) fn hyphen(input: &[u8]) -> Parsed<&[u8], ()> {
    value((), (space0, expected("a hyphen", tag("-")), space0)).parse(input)
}

/// `new_role`: our sign for a promotion, or nothing.
pub(super) fn new_role(input: &[u8]) -> Parsed<&[u8], Option<Role>> {
    let sign = nom::combinator::peek(tag("="));
    opt(preceded(sign, promotion(Hand::of(Locale::English)))).parse(input)
}

/// `square`: file, rank, and the level after an underscore; a square that some board can have.
pub(super) fn square(input: &[u8]) -> Parsed<&[u8], Coordinates> {
    let file = expected("a file a to f", letter(|b| place_in(b, b'a', 6)));
    let ten = value(9, tag("10"));
    let digit = letter(|b| place_in(b, b'1', 9));
    let rank = expected("a rank 1 to 10", alt((ten, digit)));
    let level = expected("a level 1 to 6", letter(|b| place_in(b, b'1', 6)));
    let name = (
        file,
        rank,
        expected("a low line and a level", tag("_")),
        level,
    );
    let what = "a square that a board can have, such as c3_1";
    meaning(name, what, |(file, rank, _, level)| {
        let column = Column::try_new(file, rank)?;
        let level = match (level_of(level)?, level % 2) {
            (main, 0) => main.square(column).map(|_| Level::Main(main))?,
            (main, _) => Level::Pin(pin_over(main, column)?),
        };
        Some(Coordinates {
            file,
            rank,
            level: Some(level),
        })
    })
    .parse(input)
}

/// The main board of a level, or that below it; levels from 0.
fn level_of(level: u8) -> Option<MainBoard> {
    MainBoard::ALL.get(usize::from(level / 2)).copied()
}

/// The pin above a main board on which an attack board covers a column.
fn pin_over(main: MainBoard, column: Column) -> Option<Pin> {
    pins().find(|pin| pin.corner().main_board() == main && pin.covers(column))
}

/// The places of towers in their order: the pins above the boards from White's side, the queen's wing first.
fn pins() -> impl Iterator<Item = Pin> {
    (1..=6).filter_map(Corner::try_new).flat_map(|corner| {
        [Wing::Queen, Wing::King]
            .into_iter()
            .map(move |wing| Pin::over(wing, corner))
    })
}

/// `tower`: T1 to T12.
pub(super) fn tower(input: &[u8]) -> Parsed<&[u8], Pin> {
    let two = preceded(
        tag("1"),
        letter(|b| place_in(b, b'0', 3).map(|digit| 9 + digit)),
    );
    let one = letter(|b| place_in(b, b'1', 9));
    let number = map_opt(alt((two, one)), |number| pins().nth(usize::from(number)));
    let number = expected("the number of a tower, 1 to 12", number);
    preceded(
        expected("a square such as c3_1, or a tower such as T1", tag("T")),
        number,
    )
    .parse(input)
}

/// Reads a position, by levels or in one of the older orders: see [`is_older`].
///
/// The text does not say whose the towers are; the two nearer to White's side are read as White's. Fields that are
/// missing, as that board writes it, are White's turn and nothing else.
///
/// # Errors
/// Where and why the text is no such position. Whether it can be played is checked by
/// [`Position::from_setup`](tridex_rules::Position::from_setup).
pub fn parse(text: &str) -> Result<Setup, SyntaxError> {
    let end = "the end of the position";
    whole(text, end, delimited(space0, position, space0)).map_err(|stop| SyntaxError {
        offset: text.len().saturating_sub(stop.left),
        expected: stop.expected,
    })
}

/// Whether two fields are in front of such a position: digits of towers, and pieces between slashes.
pub(super) fn looks_like_position(towers: &str, placement: &str) -> bool {
    let is_tower = |c: char| matches!(c, '1'..='9' | 'a'..='c');
    let is_cell = |c: char| matches!(c, '1'..='6' | '/' | '|') || Piece::from_letter(c).is_some();
    towers.chars().all(is_tower) && placement.contains('/') && placement.chars().all(is_cell)
}

/// `position`.
pub(super) fn position(input: &str) -> Parsed<&str, Setup> {
    let blank = |what| expected(what, space1);
    let (rest, layout) = towers(input)?;
    let (rest, setup) = preceded(blank("a space and the pieces"), placement(layout)).parse(rest)?;
    let fields = (
        preceded(space1, turn),
        preceded(blank("a space and the castling rights"), castling),
        preceded(
            blank("a space and the en passant square"),
            en_passant(layout),
        ),
        preceded(blank("a space and the half-move count"), counter),
        preceded(blank("a space and the move number"), counter),
    );
    let (rest, fields) = opt(fields).parse(rest)?;
    let mut setup = setup;
    if let Some((turn, castling, en_passant, halfmoves, fullmoves)) = fields {
        (setup.turn, setup.castling, setup.en_passant) = (turn, castling, en_passant);
        (setup.halfmoves, setup.fullmoves) = (halfmoves, fullmoves);
    }
    Ok((rest, setup))
}

/// `towers`: four places of towers, each once.
pub(super) fn towers(input: &str) -> Parsed<&str, Layout> {
    let field = take_till1(|c: char| c.is_ascii_whitespace());
    meaning(
        field,
        "four towers, each of the digits 1 to 9 and a to c",
        |field: &str| {
            let mut found = Vec::new();
            for digit in field.chars() {
                let number = digit.to_digit(13)?.checked_sub(1)?;
                found.push(pins().nth(number as usize)?);
            }
            // In the order of `pins`, so that the nearer ones are White's.
            found.sort_by_key(|pin| pins().position(|known| known == *pin));
            let pins: [Pin; 4] = found.try_into().ok()?;
            let layout = Layout::try_new(by_wing(pins)).ok()?;
            Some(layout)
        },
    )
    .parse(input)
}

/// Pins from White's side, as those of the boards in the order of [`AttackBoard::ALL`]: of each side's two the one on the
/// queen's wing is the queen's; if both are on one wing the nearer to its owner.
fn by_wing([a, b, c, d]: [Pin; 4]) -> [Pin; 4] {
    let sorted = |near: Pin, far: Pin| {
        if near.wing() == Wing::King && far.wing() == Wing::Queen {
            [far, near]
        } else {
            [near, far]
        }
    };
    let ([white_queen, white_king], [black_queen, black_king]) = (sorted(a, b), sorted(d, c));
    let mut pins = [white_queen; 4];
    for (board, pin) in [
        (AttackBoard::WhiteQueen, white_queen),
        (AttackBoard::WhiteKing, white_king),
        (AttackBoard::BlackQueen, black_queen),
        (AttackBoard::BlackKing, black_king),
    ] {
        if let Some(slot) = pins.get_mut(board as usize) {
            *slot = pin;
        }
    }
    pins
}

/// In which order the pieces are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    /// By levels and their ranks.
    Levels,
    /// By ranks that have squares.
    Rows,
    /// By columns.
    Columns,
}

/// How many ranks a level has.
const RANKS: usize = 4;
/// The strokes between sixty columns.
const STROKES: usize = 59;
/// The most strokes of rows that have bars between all levels: four towers have eight ranks, the main boards twelve.
const STROKES_OF_ROWS: usize = 14;

impl Order {
    /// That of the pieces in front of a blank, by what divides them.
    fn of(placement: &str) -> Self {
        let count = |divider| placement.matches(divider).count();
        match (count('/'), count('|')) {
            (STROKES, _) => Self::Columns,
            (strokes, 5..) if strokes > STROKES_OF_ROWS => Self::Levels,
            _ => Self::Rows,
        }
    }

    /// The squares, in groups that are divided.
    fn groups(self, layout: &Layout) -> Vec<Vec<Square>> {
        let mut groups = match self {
            Self::Columns => columns_of(layout),
            Self::Levels | Self::Rows => ranks_of(layout),
        };
        groups.retain(|squares| self != Self::Rows || !squares.is_empty());
        groups
    }

    /// What is written in front of a group after the first.
    fn divider(self, group: usize) -> char {
        match self {
            Self::Levels if group.is_multiple_of(RANKS) => '|',
            _ => '/',
        }
    }
}

/// Whether a position that can be read is written as older versions of that board do, which the newest refuses.
///
/// ```
/// use tridex_notation::programs::tridchessboard::is_older;
/// assert!(is_older("12bc rqkr/pppp/nbbn/pppp/4/4/4/4/4/4/PPPP/RQKR/4/4/PPPP/NBBN"));
/// assert!(!is_older("12bc rqkr/pppp//|nbbn/pppp/4/4|///|4/4/4/4|//PPPP/RQKR|4/4/PPPP/NBBN"));
/// ```
#[must_use]
pub fn is_older(text: &str) -> bool {
    let placement = text.split_ascii_whitespace().nth(1);
    placement.is_some_and(|placement| Order::of(placement) != Order::Levels)
}

/// `placement`: the pieces by levels or in an older order.
pub(super) fn placement<'a>(layout: Layout) -> impl Text<'a, Setup> {
    move |input: &'a str| {
        let field = input
            .split(|c: char| c.is_ascii_whitespace())
            .next()
            .unwrap_or("");
        let order = Order::of(field);
        let groups = order.groups(&layout);
        let mut setup = Setup::empty(Some(layout));
        let mut rest = input;
        let mut count = 0;
        for (number, squares) in groups.iter().enumerate() {
            if number > 0 {
                (rest, _) = divider(order, number).parse(rest)?;
            }
            for square in squares {
                if count == 0 {
                    let (after, found) = cell(rest)?;
                    rest = after;
                    match found {
                        Cell::Man(piece) => {
                            setup.set_piece(*square, Some(piece));
                            continue;
                        }
                        Cell::Empty(empty) => count = empty,
                    }
                }
                count -= 1;
            }
            if count > 0 {
                return Err(nom::Err::Error(Stop {
                    left: rest.len(),
                    expected: "no more empty squares than the rank or column has",
                }));
            }
        }
        Ok((rest, setup))
    }
}

/// In front of a group after the first: what divides it from the one before. Rows may have bars where a level ends.
fn divider<'a>(order: Order, group: usize) -> impl Text<'a, char> {
    let what = match order.divider(group) {
        '|' => "`|` and the next level",
        _ => "`/` and the next rank or column",
    };
    let is_it = move |c: char| c == order.divider(group) || (order == Order::Rows && c == '|');
    expected(what, satisfy(is_it))
}

#[derive(Clone, Copy)]
pub(super) enum Cell {
    Empty(u8),
    Man(Piece),
}

/// `cell`: empty squares or a piece.
pub(super) fn cell(input: &str) -> Parsed<&str, Cell> {
    let empties = one_of("1234").map(|digit| Cell::Empty(digit as u8 - b'0'));
    let man = map_opt(one_of("PNBRQKpnbrqk"), |letter| {
        Some(Cell::Man(Piece::from_letter(letter)?))
    });
    expected(
        "a piece letter or a count of empty squares",
        alt((empties, man)),
    )
    .parse(input)
}

/// `en_passant`: the square of the pawn that has just advanced two.
pub(super) fn en_passant<'a>(layout: Layout) -> impl Text<'a, Option<Square>> {
    let name = take_till1(|c: char| c.is_ascii_whitespace());
    let what = "- or a square that exists, such as c4_1";
    let found = meaning(name, what, move |name: &str| {
        let (rest, place) = square(name.as_bytes()).ok()?;
        rest.is_empty().then_some(())?;
        let board = match place.level? {
            Level::Main(main) => Board::Main(main),
            Level::Pin(pin) => Board::Attack(layout.board_on(pin)?),
            Level::Attack(_) | Level::Cube(_) => return None,
        };
        layout.square(board, Column::try_new(place.file, place.rank)?)
    });
    alt((value(None, char('-')), found.map(Some)))
}

/// The square of a column on a level, from 0: that of the level's main board, or of a tower above it.
fn level_square(layout: &Layout, level: u8, column: Column) -> Option<Square> {
    let main = level_of(level)?;
    if level.is_multiple_of(2) {
        return main.square(column);
    }
    let board = layout.board_on(pin_over(main, column)?)?;
    layout.square(Board::Attack(board), column)
}

/// The squares by ranks: from the highest level, the farthest rank, the left. A level has the ranks that its main board has,
/// or that towers may have above it; without a tower there they have no squares.
fn ranks_of(layout: &Layout) -> Vec<Vec<Square>> {
    let columns = |rank| (0..6).filter_map(move |file| Column::try_new(file, rank));
    let mut ranks = Vec::with_capacity(6 * RANKS);
    for (level, rank) in (0..6)
        .rev()
        .flat_map(|level| (0..10).rev().map(move |rank| (level, rank)))
    {
        let may_be = |column: Column| {
            let main = level_of(level)?;
            match level % 2 {
                0 => main.square(column).map(|_| ()),
                _ => pin_over(main, column).map(|_| ()),
            }
        };
        if columns(rank).any(|column| may_be(column).is_some()) {
            let squares = columns(rank).filter_map(|column| level_square(layout, level, column));
            ranks.push(squares.collect());
        }
    }
    ranks
}

/// The squares by columns: file by file, in a file rank by rank from White's side, in a column from below.
fn columns_of(layout: &Layout) -> Vec<Vec<Square>> {
    let files = 0..6_u8;
    let columns =
        files.flat_map(|file| (0..10).filter_map(move |rank| Column::try_new(file, rank)));
    columns
        .map(|column| {
            (0..6)
                .filter_map(|level| level_square(layout, level, column))
                .collect()
        })
        .collect()
}

/// Writes a position by levels, as the newest version of that board takes it; nothing for the cube, and for boards below the
/// main boards, which it does not know.
#[must_use]
pub fn write(setup: &Setup) -> Option<String> {
    written(setup, Order::Levels)
}

/// Writes a position by columns; nothing where [`write()`] has nothing.
#[must_use]
pub fn write_columns(setup: &Setup) -> Option<String> {
    written(setup, Order::Columns)
}

fn written(setup: &Setup, order: Order) -> Option<String> {
    use std::fmt::Write as _;
    let layout = setup.layout.as_ref()?;
    super::has_over_pins_only(layout).then_some(())?;
    let mut out = String::with_capacity(160);
    for (number, pin) in (1_u32..).zip(pins()) {
        if layout.board_on(pin).is_some() {
            out.extend(char::from_digit(number, 13));
        }
    }
    for (number, squares) in order.groups(layout).into_iter().enumerate() {
        out.push(if number == 0 {
            ' '
        } else {
            order.divider(number)
        });
        let mut empty = 0_u8;
        for square in squares {
            match setup.piece(square) {
                None => empty += 1,
                Some(piece) => {
                    push_empty(&mut empty, &mut out);
                    out.push(piece.letter());
                }
            }
        }
        push_empty(&mut empty, &mut out);
    }
    out.push_str(if setup.turn == Color::White {
        " w "
    } else {
        " b "
    });
    write_castling(setup.castling, &mut out);
    out.push(' ');
    match setup.en_passant {
        Some(pawn) => out.push_str(&square_name(layout, pawn)),
        None => out.push('-'),
    }
    // Writing to a `String` cannot fail.
    let _ = write!(out, " {} {}", setup.halfmoves, setup.fullmoves);
    Some(out)
}

/// The name of a square on a board that has only pins above the main boards.
fn square_name(layout: &Layout, square: Square) -> String {
    let column = layout.column(square);
    let level = match board_of(square) {
        Board::Main(main) => 2 * main.tier() + 1,
        Board::Attack(board) => 2 * layout.pin(board).corner().main_board().tier() + 2,
    };
    let file = char::from(b'a' + column.file());
    format!("{file}{}_{level}", column.rank() + 1)
}

/// The name of the place of a tower.
fn tower_name(pin: Pin) -> String {
    let number = 2 * pin.corner().number() - u8::from(pin.wing() == Wing::Queen);
    format!("T{number}")
}

/// Writes a legal move: where something goes, and our sign for a promotion. Of castling it is the king's way, because a board without rules moves one piece at a time. Nothing for what the board does not know: pins below main boards, a
/// tower that turns, the cube.
#[must_use]
pub fn write_move(position: &Position, mv: Move) -> Option<String> {
    let layout = position.layout()?;
    super::has_over_pins_only(layout).then_some(())?;
    let way = match mv {
        Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. } => {
            format!("{}-{}", square_name(layout, from), square_name(layout, to))
        }
        Move::Castle(_) => {
            let (from, to) = super::castling_way(position, mv)?;
            format!("{}-{}", square_name(layout, from), square_name(layout, to))
        }
        Move::Board { turned: true, .. } => return None,
        Move::Board { board, to, .. } => {
            format!("{}-{}", tower_name(layout.pin(board)), tower_name(to))
        }
    };
    let sign = mv
        .promotion()
        .map_or_else(String::new, |role| format!("={}", role.letter()));
    Some(way + &sign)
}

#[cfg(test)]
mod tests;
