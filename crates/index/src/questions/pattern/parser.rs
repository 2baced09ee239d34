//! Reads patterns. Every rule of `grammars/pattern.ebnf` has a function of its name here.

use super::{Atom, Node, Place, What};
use crate::questions::parsing::{Boolean, Read, Reader};
use tridex_geometry::stair::{AttackBoard, Column, MainBoard, Pin};
use tridex_geometry::{Family, Wing};
use tridex_notation::{Locale, Notation, names};
use tridex_rules::{Color, Departure, Level, Piece};

/// What is expected where a place is.
pub(crate) const PLACE: &str = "a place that exists: a square (c6B, b7,BB, 1e4), a column (c6), a board (W, ql), a pin (QL4) or a level (1)";

/// What is expected where a pin is.
pub(crate) const PIN: &str = "a pin such as Q4, QL4 or QP8";

struct Patterns;

impl Boolean for Patterns {
    type Test = Atom<Place>;

    const CLOSING: &'static str = "and, or, or a closing bracket";

    fn test(&self, text: &mut Reader<'_>) -> Read<Node> {
        test(text)
    }
}

pub(crate) fn pattern(text: &mut Reader<'_>) -> Read<Node> {
    Patterns.any_of(text)
}

pub(super) fn test(text: &mut Reader<'_>) -> Read<Node> {
    for read in [state, turn, ply, board_on, count] {
        if let Some(test) = read(text)? {
            return Ok(test);
        }
    }
    Err(text.fault("a test such as N@c6, Q=0, ql@Q4, check, white to move or ply 10..40"))
}

pub(super) fn state(text: &mut Reader<'_>) -> Read<Option<Node>> {
    let states = [("check", Atom::Check), ("mate", Atom::Mate)];
    let found = states.into_iter().find(|(word, _)| text.keyword(word));
    Ok(found.map(|(_, state)| Node::Leaf(state)))
}

pub(super) fn turn(text: &mut Reader<'_>) -> Read<Option<Node>> {
    let colors = [("white", Color::White), ("black", Color::Black)];
    let Some((_, color)) = colors.into_iter().find(|(word, _)| text.keyword(word)) else {
        return Ok(None);
    };
    for (word, expected) in [("to", "to move"), ("move", "move")] {
        text.blanks();
        if !text.keyword(word) {
            return Err(text.fault(expected));
        }
    }
    Ok(Some(Node::Leaf(Atom::Turn(color))))
}

pub(super) fn ply(text: &mut Reader<'_>) -> Read<Option<Node>> {
    if !text.keyword("ply") {
        return Ok(None);
    }
    text.blanks();
    let range = text.range()?;
    let (from, to) = range.ok_or(text.fault("a number or a range such as 10..40"))?;
    let plies = Atom::Ply(from.unwrap_or(0), to.unwrap_or(u32::MAX));
    Ok(Some(Node::Leaf(plies)))
}

pub(super) fn board_on(text: &mut Reader<'_>) -> Read<Option<Node>> {
    let mut boards = AttackBoard::ALL.into_iter();
    let Some(board) = boards.find(|board| text.tag(names::manual_board(*board))) else {
        return Ok(None);
    };
    if !text.tag("@") {
        return Err(text.fault("@ and a pin such as Q4, QL4 or QP8"));
    }
    let pin = named(text, |name| pin(name).ok_or(PIN))?;
    Ok(Some(Node::Leaf(Atom::BoardOn(board, pin))))
}

pub(super) fn count(text: &mut Reader<'_>) -> Read<Option<Node>> {
    let Some(what) = what(text) else {
        return Ok(None);
    };
    let after = *text;
    let place = match text.tag("@") {
        true => Some(named(text, place)?),
        false => None,
    };
    text.blanks();
    let bounds = match (place, comparison(text)?) {
        (None, None) => return Err(after.fault("@ and a place, or a comparison such as >= 2")),
        (_, bounds) => bounds.unwrap_or_else(|| vec![(1, u32::MAX)]),
    };
    let place = place.unwrap_or_else(Place::anywhere);
    let count = |bounds| Node::Leaf(Atom::Count(what, place, bounds));
    let counts = bounds.into_iter().map(count).collect();
    Ok(Some(Node::joined(counts, Node::Or)))
}

pub(super) fn what(text: &mut Reader<'_>) -> Option<What> {
    text.letter(|letter| match letter {
        'A' => Some(What::Piece(Some(Color::White), None)),
        'a' => Some(What::Piece(Some(Color::Black), None)),
        '*' => Some(What::Piece(None, None)),
        '_' => Some(What::Empty),
        letter => {
            let Piece { color, role } = Piece::from_letter(letter)?;
            Some(What::Piece(Some(color), Some(role)))
        }
    })
}

/// The least and the greatest count, in each of the ways in which the comparison holds.
pub(super) fn comparison(text: &mut Reader<'_>) -> Read<Option<Vec<(u32, u32)>>> {
    let mut signs = ["!=", "<=", ">=", "=", "<", ">"].into_iter();
    let Some(sign) = signs.find(|sign| text.tag(sign)) else {
        return Ok(None);
    };
    text.blanks();
    let number = text.number().ok_or(text.fault("a number up to 65535"))?;
    // Nothing is less than none: then the least is above the greatest.
    let less = number.checked_sub(1).map_or((1, 0), |most| (0, most));
    let more = (number + 1, u32::MAX);
    Ok(Some(match sign {
        "!=" => vec![less, more],
        "<=" => vec![(0, number)],
        ">=" => vec![(number, u32::MAX)],
        "=" => vec![(number, number)],
        "<" => vec![less],
        _ => vec![more],
    }))
}

/// Reads a name as a whole.
fn named<T>(text: &mut Reader<'_>, read: impl Fn(&str) -> Result<T, &'static str>) -> Read<T> {
    let start = *text;
    let name = text.take(|c| c.is_alphanumeric() || matches!(c, ',' | '@' | '*'));
    read(name).map_err(|expected| start.fault(expected))
}

/// The place of a name.
///
/// # Errors
/// What is expected instead of it.
pub(crate) fn place(name: &str) -> Result<Place, &'static str> {
    let other = || cube_square(name).or(column(name));
    let whole = || pin(name).or(board(name));
    match manual_square(name).or(meder_square(name)) {
        Some(square) => square,
        None => other().or_else(whole).ok_or(PLACE),
    }
}

pub(super) fn manual_square(name: &str) -> Option<Result<Place, &'static str>> {
    let (column, board) = name.split_once(',')?;
    let level = match board {
        "*" => None,
        board => Some(manual_board(board)?),
    };
    let column = coordinates(column, "abcdef", 1..11)?;
    Some(stair_square(column, level).ok_or("a column the board can cover"))
}

pub(super) fn meder_square(name: &str) -> Option<Result<Place, &'static str>> {
    let (column, board) = name.split_at_checked(2)?;
    let pin = || meder_pin(board).map(Level::Pin);
    let level = meder_board(board).or_else(pin)?;
    let square = stair_square(stair_column(column)?, Some(level));
    Some(square.ok_or("a column the board covers"))
}

/// The square in a column, if there may be one; on any level, if none is named.
fn stair_square((file, rank): (u8, u8), level: Option<Level>) -> Option<Place> {
    let column = Column::new(file, rank);
    let is_there = match level {
        Some(Level::Main(main)) => main.square(column).is_some(),
        Some(Level::Pin(pin)) => pin.covers(column),
        Some(Level::Attack(_)) => Pin::all().any(|pin| pin.covers(column)),
        Some(Level::Cube(_)) | None => true,
    };
    is_there.then(|| Place::of(Family::Stair, square((file, rank), level)))
}

pub(super) fn cube_square(name: &str) -> Option<Place> {
    let (level, column) = name.split_at_checked(1)?;
    let level = cube_level(level)?;
    Some(Place::of(
        Family::Cube,
        square(cube_column(column)?, Some(level)),
    ))
}

pub(super) fn column(name: &str) -> Option<Place> {
    let [stair, cube] = [stair_column(name), cube_column(name)];
    let spot = |column: Option<_>| column.map(|column| square(column, None));
    Place::either(spot(stair), spot(cube))
}

/// The square in a column, or all of the column.
pub(crate) fn square((file, rank): (u8, u8), level: Option<Level>) -> Departure {
    Departure {
        file: Some(file),
        rank: Some(rank),
        level,
    }
}

/// A file and a rank of Meder's.
fn stair_column(name: &str) -> Option<(u8, u8)> {
    coordinates(name, STAIR_FILES, 0..10).filter(|_| name.len() == 2)
}

/// A file in either case and a rank of the cube.
fn cube_column(name: &str) -> Option<(u8, u8)> {
    coordinates(&name.to_ascii_lowercase(), CUBE_FILES, 1..9).filter(|_| name.len() == 2)
}

/// Meder's letters of files.
pub(crate) const STAIR_FILES: &str = "zabcde";
/// The letters of the cube's files; capitals mean the same.
pub(crate) const CUBE_FILES: &str = "abcdefgh";

/// A letter and a number, each as its place among those there are.
fn coordinates(name: &str, files: &str, ranks: std::ops::Range<u8>) -> Option<(u8, u8)> {
    let (file, rank) = name.split_at_checked(1)?;
    let (file, rank) = (files.find(file)?, number(rank)?);
    ranks
        .contains(&rank)
        .then(|| (file as u8, rank - ranks.start))
}

fn number(digits: &str) -> Option<u8> {
    let is_number = digits.bytes().all(|digit| digit.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

pub(crate) fn pin(name: &str) -> Option<Place> {
    let in_strings = || Pin::all().find(|pin| names::pin_in_strings(*pin) == name);
    if let Some(pin) = meder_pin(name).or_else(in_strings) {
        return Some(Place::pin(pin, false));
    }
    let (wing, number) = match name.split_at_checked(2)? {
        ("QP", number) => (Wing::Queen, number),
        ("KP", number) => (Wing::King, number),
        _ => return None,
    };
    let pin = Pin::from_manual(wing, self::number(number)?)?;
    Some(Place::pin(pin, true))
}

fn meder_pin(name: &str) -> Option<Pin> {
    Pin::all().find(|pin| names::pin(Notation::Meder, *pin) == name)
}

pub(super) fn board(name: &str) -> Option<Place> {
    let stair = manual_board(name).or(meder_board(name));
    let stair = stair.map(|level| Place::level(Family::Stair, level));
    stair.or(cube_level(name).map(|level| Place::level(Family::Cube, level)))
}

pub(crate) fn attack_board(name: &str) -> Option<AttackBoard> {
    let mut boards = AttackBoard::ALL.into_iter();
    boards.find(|board| names::manual_board(*board) == name)
}

/// A board by the manual's name.
fn manual_board(name: &str) -> Option<Level> {
    let main = MainBoard::ALL.into_iter();
    let mut main = main.filter(|board| names::manual_main_board(*board) == name);
    let main = main.next().map(Level::Main);
    main.or(attack_board(name).map(Level::Attack))
}

/// A fixed board by Meder's letter.
fn meder_board(name: &str) -> Option<Level> {
    let letter = |board| names::meder_board(Locale::English, board);
    let mut boards = MainBoard::ALL.into_iter();
    let board = boards.find(|board| name.as_bytes() == [letter(*board)]);
    board.map(Level::Main)
}

fn cube_level(name: &str) -> Option<Level> {
    let level = ["1", "2", "3"].iter().position(|level| *level == name);
    level.map(|level| Level::Cube(level as u8))
}
