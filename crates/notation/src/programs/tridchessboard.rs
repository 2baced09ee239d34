//! Moves and positions of tridchessboard.js, a board for web pages.
//!
//! The program does not check rules. A square has a file `a` to `f`, a rank `1` to `10` and a level `1` to `6`. From
//! White's side, the main boards are levels 1, 3 and 5, and the attack boards above them are levels 2, 4 and 6. The
//! program calls attack boards towers. Towers have no owners and are named by their pins, `T1` to `T12` from White's
//! side, the queen's wing first. A move is two squares or two towers: `c3_1-c4_2`, `T1-T5`. Castling is written as the
//! king's move only. The program has no sign for a promotion; we read and write our `=Q` after the move.
//!
//! A position lists the towers, one hexadecimal digit each, and then the pieces: six levels from the highest down,
//! separated by `|`, each with four ranks from the farthest, separated by `/`. The newest version of the program reads
//! this order, and [`write()`] writes it. [`parse`] also reads two older orders: rows without levels, in which ranks
//! without squares are omitted, and columns. [`write_columns`] writes columns.
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

use super::column;
use crate::moves::common::{Hand, promotion, tail};
use crate::position_string::parser::{fields, piece, setup_of};
use crate::position_string::printer::write_fields;
use crate::position_string::ranks::{FITTING, rank, write_rank};
use crate::text::{Coordinates, Level, Locale, MoveText, TokenNotes, board_between, piece_between};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_till};
use nom::character::complete::{char, digit1, one_of, satisfy, space0, space1};
use nom::combinator::{eof, flat_map, map_opt, opt, peek, value};
use nom::multi::count;
use nom::sequence::{delimited, preceded};
use tridex_geometry::stair::{Board, Column, Corner, Layout, MainBoard, Pin, board as board_of};
use tridex_geometry::{Square, Wing};
use tridex_grammar::{
    Parsed, SyntaxError, Text, as_one, between, bytes, each, expected, meaning, whole,
};
use tridex_rules::{Move, Piece, Position, Role, Setup};

/// Reads one move.
///
/// ```
/// use tridex_notation::programs::tridchessboard;
/// assert!(tridchessboard::parse_move(b"c3_1-c4_3").is_ok());
/// assert_eq!(tridchessboard::parse_move(b"c3_1-c3_2").unwrap_err().offset, 5);
/// ```
///
/// # Errors
/// If the token is not a move of this program, or names a square that no board can have.
pub fn parse_move(token: &[u8]) -> Result<MoveText, SyntaxError> {
    whole(token, "the end of the move", alt((tower_move, piece_move)))
}

/// `piece_move`: a square, a hyphen, a square.
pub(super) fn piece_move(input: &[u8]) -> Parsed<&[u8], MoveText> {
    (square, hyphen, square, new_role, tail)
        .map(|(from, (), to, promotion, tail)| {
            let kind = piece_between(None, from, to, promotion);
            tail.on(kind, false, TokenNotes::NONE)
        })
        .parse(input)
}

/// `tower_move`: a tower, a hyphen, a tower.
pub(super) fn tower_move(input: &[u8]) -> Parsed<&[u8], MoveText> {
    (tower, hyphen, tower, new_role, tail)
        .map(|(from, (), to, role, tail)| {
            tail.on(
                board_between(from, to, false, role),
                false,
                TokenNotes::NONE,
            )
        })
        .parse(input)
}

/// `hyphen`: the hyphen, with the blanks around it that the program skips.
pub(super) fn hyphen(input: &[u8]) -> Parsed<&[u8], ()> {
    value((), (space0, expected("a hyphen", tag("-")), space0)).parse(input)
}

/// `new_role`: our sign for a promotion, or nothing.
pub(super) fn new_role(input: &[u8]) -> Parsed<&[u8], Option<Role>> {
    let sign = nom::combinator::peek(tag("="));
    opt(preceded(sign, promotion(Hand::of(Locale::English)))).parse(input)
}

/// `square`: file, rank, and the level after an underscore. Some board must be able to have the square.
pub(super) fn square(input: &[u8]) -> Parsed<&[u8], Coordinates> {
    let name = (
        column,
        expected("a low line and a level", tag("_")),
        expected("a level 1 to 6", between(b'1', b'6')),
    );
    let what = "a square that a board can have, such as c3_1";
    meaning(name, what, |(column, _, level)| {
        Some(Coordinates {
            file: column.file(),
            rank: column.rank(),
            level: Some(level_in(level, column)?),
        })
    })
    .parse(input)
}

/// The main board, or the pin of an attack board, that can have a square of a level in a column. Levels count from 0.
fn level_in(level: u8, column: Column) -> Option<Level> {
    let main = MainBoard::ALL.get(usize::from(level / 2)).copied()?;
    if level.is_multiple_of(2) {
        return main.square(column).map(|_| Level::Main(main));
    }
    let pin = pins().find(|pin| pin.corner().main_board() == main && pin.covers(column));
    pin.map(Level::Pin)
}

/// The pins of towers in the order of their numbers: those above the boards from White's side, the queen's wing first.
fn pins() -> impl Iterator<Item = Pin> {
    (1..=6).filter_map(Corner::try_new).flat_map(|corner| {
        [Wing::Queen, Wing::King]
            .into_iter()
            .map(move |wing| Pin::over(wing, corner))
    })
}

/// `tower`: T1 to T12.
pub(super) fn tower(input: &[u8]) -> Parsed<&[u8], Pin> {
    let number = map_opt(digit1, |digits: &[u8]| {
        let digits = str::from_utf8(digits).ok()?;
        let number = digits
            .parse::<usize>()
            .ok()
            .filter(|_| !digits.starts_with('0'));
        pins().nth(number?.checked_sub(1)?)
    });
    let number = expected("the number of a tower, 1 to 12", number);
    preceded(
        expected("a square such as c3_1, or a tower such as T1", tag("T")),
        number,
    )
    .parse(input)
}

/// Reads a position, by levels or in one of the older orders: see [`is_older`].
///
/// The text does not name the owners of the towers; the two closer to White's side become White's. The program itself
/// omits the fields after the pieces. Then White is to move, and there are no castling rights and no en passant square.
///
/// # Errors
/// Where and why the text cannot be read. Whether the position can be played is checked by
/// [`Position::from_setup`](tridex_rules::Position::from_setup).
pub fn parse(text: &str) -> Result<Setup, SyntaxError> {
    let end = "the end of the position";
    whole(text, end, delimited(space0, position, space0))
}

/// Whether two fields look like the first two of such a position: the digits of towers, and pieces between slashes.
pub(super) fn looks_like_position(towers: &str, placement: &str) -> bool {
    let is_tower = |c: char| matches!(c, '1'..='9' | 'a'..='c');
    let is_cell = |c: char| matches!(c, '1'..='6' | '/' | '|') || Piece::from_letter(c).is_some();
    towers.chars().all(is_tower) && placement.contains('/') && placement.chars().all(is_cell)
}

/// `position`.
pub(super) fn position(input: &str) -> Parsed<&str, Setup> {
    let placed = flat_map(towers, |layout| {
        let blank = expected("a space and the pieces", space1);
        preceded(blank, placement(layout)).map(move |placed| (layout, placed))
    });
    flat_map(placed, |(layout, placed)| {
        let is_all = as_one("the end of the position", peek((space0, eof)));
        let fields = fields(placed.clone(), en_passant(layout));
        alt((fields, value(placed, is_all)))
    })
    .parse(input)
}

/// `towers`: four different towers. The first two in the order of [`pins`] become White's.
pub(super) fn towers(input: &str) -> Parsed<&str, Layout> {
    let what = "four towers, each of the digits 1 to 9 and a to c";
    let digits = as_one(what, count(tower_digit, 4));
    meaning(digits, what, |mut numbers| {
        numbers.sort_unstable();
        let found: Option<Vec<Pin>> = numbers.into_iter().map(|n| pins().nth(n)).collect();
        let [a, b, c, d]: [Pin; 4] = found?.try_into().ok()?;
        let ([a, b], [c, d]) = (by_wing(a, b), by_wing(d, c));
        Layout::try_new([a, b, c, d]).ok()
    })
    .parse(input)
}

/// `tower_digit`: the index of a tower in [`pins`].
pub(super) fn tower_digit(input: &str) -> Parsed<&str, usize> {
    let number = |digit: char| digit.to_digit(13)?.checked_sub(1);
    map_opt(one_of("123456789abc"), number)
        .map(|number| number as usize)
        .parse(input)
}

/// Assigns two pins of one side to its queen's board and its king's board, returned in this order. The board on the
/// queen's wing is the queen's. If both are on the same wing, the one nearer to its side is the queen's.
fn by_wing(near: Pin, far: Pin) -> [Pin; 2] {
    if near.wing() == Wing::King && far.wing() == Wing::Queen {
        [far, near]
    } else {
        [near, far]
    }
}

/// The order in which the pieces are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    /// By levels and their ranks.
    Levels,
    /// By ranks, without those that have no squares.
    Rows,
    /// By columns.
    Columns,
}

/// The number of ranks of a level.
const RANKS: usize = 4;
/// The number of `/` between sixty columns.
const STROKES: usize = 59;
/// The maximum number of `/` in rows that have `|` between all levels: four towers have eight ranks and the main boards
/// twelve, so there are 19 dividers, of which five are `|`.
const STROKES_OF_ROWS: usize = 14;

impl Order {
    /// Detects the order of a placement from its dividers.
    fn of(placement: &str) -> Self {
        let count = |divider| placement.matches(divider).count();
        match (count('/'), count('|')) {
            (STROKES, _) => Self::Columns,
            (strokes, 5..) if strokes > STROKES_OF_ROWS => Self::Levels,
            _ => Self::Rows,
        }
    }

    /// The squares in the groups between the dividers.
    fn groups(self, layout: &Layout) -> Vec<Vec<Square>> {
        let mut groups = match self {
            Self::Columns => columns_of(layout),
            Self::Levels | Self::Rows => ranks_of(layout),
        };
        groups.retain(|squares| self != Self::Rows || !squares.is_empty());
        groups
    }

    /// The divider before a group, except the first.
    fn divider(self, group: usize) -> char {
        match self {
            Self::Levels if group.is_multiple_of(RANKS) => '|',
            _ => '/',
        }
    }
}

/// Whether a position, which must be readable, is in an older order that the newest version of the program refuses.
///
/// ```
/// use tridex_notation::programs::tridchessboard::is_older;
/// assert!(is_older("12bc rqkr/pppp/nbbn/pppp/4/4/4/4/4/4/PPPP/RQKR/4/4/PPPP/NBBN"));
/// assert!(!is_older("12bc rqkr/pppp//|nbbn/pppp/4/4|///|4/4/4/4|//PPPP/RQKR|4/4/PPPP/NBBN"));
/// ```
pub fn is_older(text: &str) -> bool {
    let placement = text.split_ascii_whitespace().nth(1);
    placement.is_some_and(|placement| Order::of(placement) != Order::Levels)
}

/// `placement`: the pieces, by levels or in an older order. The dividers show which.
pub(super) fn placement<'a>(layout: Layout) -> impl Text<'a, Setup> {
    let order = peek(take_till(|c: char| c.is_ascii_whitespace())).map(Order::of);
    flat_map(order, move |order| {
        let groups = order.groups(&layout).into_iter().enumerate();
        let divider = move |input, (group, _): &(usize, _)| divider(order, *group).parse(input);
        each(groups, divider, |input, (_, squares), _| {
            rank(squares.into_iter(), FITTING, piece).parse(input)
        })
    })
    .map(move |pieces| setup_of(Some(layout), pieces))
}

/// Parses the divider before a group, except the first. Rows may have `|` where a level ends.
fn divider<'a>(order: Order, group: usize) -> impl Text<'a, char> {
    let what = match order.divider(group) {
        '|' => "`|` and the next level",
        _ => "`/` and the next rank or column",
    };
    let is_it = move |c: char| c == order.divider(group) || (order == Order::Rows && c == '|');
    expected(what, satisfy(is_it))
}

/// `en_passant`: the square of the pawn that has just advanced two.
pub(super) fn en_passant<'a>(layout: Layout) -> impl Text<'a, Option<Square>> {
    let what = "- or a square that exists, such as c4_1";
    let place = expected(what, bytes(square));
    let found = meaning(place, what, move |place| place.square(Some(&layout)));
    alt((value(None, char('-')), found.map(Some)))
}

/// The levels from the highest down, each with the ranks that its main board has or that its towers can have. Both are
/// counted from 0.
const LEVELS: [(u8, [u8; RANKS]); 6] = [
    (5, [9, 8, 5, 4]),
    (4, [8, 7, 6, 5]),
    (3, [7, 6, 3, 2]),
    (2, [6, 5, 4, 3]),
    (1, [5, 4, 1, 0]),
    (0, [4, 3, 2, 1]),
];

/// The square of a level in a column, if it exists in the layout.
fn level_square(layout: &Layout, level: u8, file: u8, rank: u8) -> Option<Square> {
    let level = Some(level_in(level, Column::try_new(file, rank)?)?);
    Coordinates { file, rank, level }.square(Some(layout))
}

/// The squares by ranks: levels from the highest, ranks from the farthest, squares from the left. A rank of a level of
/// towers is empty if no tower is there.
fn ranks_of(layout: &Layout) -> Vec<Vec<Square>> {
    let ranks = LEVELS
        .into_iter()
        .flat_map(|(level, ranks)| ranks.map(|rank| (level, rank)));
    ranks
        .map(|(level, rank)| {
            let squares = (0..6).filter_map(|file| level_square(layout, level, file, rank));
            squares.collect()
        })
        .collect()
}

/// The squares by columns: file by file, then rank by rank from White's side, then from the lowest level up.
fn columns_of(layout: &Layout) -> Vec<Vec<Square>> {
    let columns = (0..6).flat_map(|file| (0..10).map(move |rank| (file, rank)));
    columns
        .map(|(file, rank)| {
            let squares = (0..6).filter_map(|level| level_square(layout, level, file, rank));
            squares.collect()
        })
        .collect()
}

/// Writes a position by levels, as the newest version of the program reads it. Returns `None` for the cube, and if an
/// attack board is below a main board, which the program does not support.
pub fn write(setup: &Setup) -> Option<String> {
    written(setup, Order::Levels)
}

/// Writes a position by columns; `None` in the same cases as [`write()`].
pub fn write_columns(setup: &Setup) -> Option<String> {
    written(setup, Order::Columns)
}

fn written(setup: &Setup, order: Order) -> Option<String> {
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
        let letter = |square| Some(setup.piece(square)?.letter());
        write_rank(squares, letter, &mut out);
    }
    write_fields(setup, |pawn| square_name(layout, pawn), "", &mut out);
    Some(out)
}

/// The name of a square; all attack boards must be above their main boards.
fn square_name(layout: &Layout, square: Square) -> String {
    let column = layout.column(square);
    let level = match board_of(square) {
        Board::Main(main) => 2 * main.tier() + 1,
        Board::Attack(board) => 2 * layout.pin(board).corner().main_board().tier() + 2,
    };
    let file = char::from(b'a' + column.file());
    format!("{file}{}_{level}", column.rank() + 1)
}

/// The name of a tower on a pin.
fn tower_name(pin: Pin) -> String {
    let number = 2 * pin.corner().number() - u8::from(pin.wing() == Wing::Queen);
    format!("T{number}")
}

/// Writes a legal move, with our sign for a promotion. Castling is written as the king's move, because the program
/// moves one piece at a time. Returns `None` for what the program does not support: attack boards below main boards, a
/// tower that turns, and the cube.
pub fn write_move(position: &Position, mv: Move) -> Option<String> {
    let layout = position.layout()?;
    super::has_over_pins_only(layout).then_some(())?;
    let (from, to) = match mv {
        Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. } => (from, to),
        Move::Castle(_) => super::castling_way(position, mv)?,
        Move::Board { turned: true, .. } | Move::Pass => return None,
        Move::Board { board, to, .. } => {
            let (from, to) = (tower_name(layout.pin(board)), tower_name(to));
            return Some(format!("{from}-{to}{}", super::promoted(mv.promotion())));
        }
    };
    let (from, to) = (square_name(layout, from), square_name(layout, to));
    Some(format!("{from}-{to}{}", super::promoted(mv.promotion())))
}

#[cfg(test)]
mod tests;
