//! Reads position strings.

use super::{CASTLING_LETTERS, PositionField, PositionStringError};
use crate::text::{Level, Place};
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while1};
use nom::character::complete::{char, one_of};
use nom::combinator::{opt, value};
use nom::{IResult, Parser};
use tridex_geometry::stair::{AttackBoard, Board, Column, Corner, Layout, MainBoard, Pin, Surface};
use tridex_geometry::{Family, Square, SquareSet, Wing, cube};
use tridex_rules::{Castling, Color, Piece, Setup};

/// Reads a position string of either family.
///
/// Forgiven, and put right when written again: spaces around the whole and more than one between fields, attack boards
/// and castling letters in any order, pins written `QL1` for `Q1`, neighbouring counts of empty squares, the list of
/// moved pawns in any order, both counters left out (0 and 1 are then meant).
///
/// # Errors
/// [`PositionStringError`] with the byte offset of the first thing that was not understood. Whether the position can be
/// played is not asked here but by [`Position::from_setup`](tridex_rules::Position::from_setup).
pub fn parse(text: &str) -> Result<Setup, PositionStringError> {
    let mut reader = Reader {
        text,
        rest: text.trim_start(),
    };
    let mut setup = reader.first(placement)?;
    let layout = setup.layout;
    let layout = layout.as_ref();
    setup.turn = reader.next(PositionField::Turn, turn)?;
    setup.castling = reader.next(PositionField::Castling, castling)?;
    setup.en_passant = reader.next(PositionField::EnPassant, |input| en_passant(input, layout))?;
    setup.moved = reader.next(PositionField::Moved, |input| moved(input, layout))?;
    if !reader.at_end() {
        setup.halfmoves = reader.next(PositionField::Halfmoves, counter)?;
        setup.fullmoves = reader.next(PositionField::Fullmoves, counter)?;
    }
    reader.end()?;
    Ok(setup)
}

/// Walks through the fields and knows where in the text they are.
struct Reader<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn fault(&self, field: PositionField, stop: Stop<'_>) -> PositionStringError {
        PositionStringError {
            offset: self.text.len() - stop.at.len(),
            field,
            expected: stop.expected,
        }
    }

    fn first<T>(
        &mut self,
        parser: impl FnOnce(&'a str) -> Parsed<'a, T>,
    ) -> Result<T, PositionStringError> {
        self.read(PositionField::Placement, parser)
    }

    /// The space before a field, and the field.
    fn next<T>(
        &mut self,
        field: PositionField,
        parser: impl FnOnce(&'a str) -> Parsed<'a, T>,
    ) -> Result<T, PositionStringError> {
        let rest = self.rest.trim_start_matches(SPACES);
        if rest.is_empty() || rest.len() == self.rest.len() {
            let stop = Stop {
                at: rest,
                expected: field.expected(),
            };
            return Err(self.fault(field, stop));
        }
        self.rest = rest;
        self.read(field, parser)
    }

    fn read<T>(
        &mut self,
        field: PositionField,
        parser: impl FnOnce(&'a str) -> Parsed<'a, T>,
    ) -> Result<T, PositionStringError> {
        match parser(self.rest) {
            Ok((rest, parsed)) => {
                self.rest = rest;
                Ok(parsed)
            }
            Err(nom::Err::Error(stop) | nom::Err::Failure(stop)) => Err(self.fault(field, stop)),
            // Complete parsers never ask for more.
            Err(nom::Err::Incomplete(_)) => {
                let stop = Stop {
                    at: "",
                    expected: "more text",
                };
                Err(self.fault(field, stop))
            }
        }
    }

    fn at_end(&self) -> bool {
        self.rest.trim_start().is_empty()
    }

    fn end(&self) -> Result<(), PositionStringError> {
        if self.at_end() {
            return Ok(());
        }
        let stop = Stop {
            at: self.rest,
            expected: "the end of the position string",
        };
        Err(self.fault(PositionField::Fullmoves, stop))
    }
}

/// What separates fields.
const SPACES: [char; 2] = [' ', '\t'];
/// Where reading stopped (the rest of the text from there) and what was expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stop<'a> {
    at: &'a str,
    expected: &'static str,
}

impl<'a> nom::error::ParseError<&'a str> for Stop<'a> {
    fn from_error_kind(at: &'a str, _: nom::error::ErrorKind) -> Self {
        Self {
            at,
            expected: "something else",
        }
    }

    fn append(_: &'a str, _: nom::error::ErrorKind, other: Self) -> Self {
        other
    }

    /// Of two alternatives the one that came further has the better message.
    fn or(self, other: Self) -> Self {
        if other.at.len() < self.at.len() {
            other
        } else {
            self
        }
    }
}

pub(super) type Parsed<'a, T> = IResult<&'a str, T, Stop<'a>>;

/// A parser whose failure at its very start is told as `expected`.
fn told<'a, T>(
    expected: &'static str,
    mut parser: impl Parser<&'a str, Output = T, Error = Stop<'a>>,
) -> impl FnMut(&'a str) -> Parsed<'a, T> {
    move |input| {
        parser.parse(input).map_err(|error| {
            error.map(|stop| {
                if stop.at.len() == input.len() {
                    Stop {
                        at: input,
                        expected,
                    }
                } else {
                    stop
                }
            })
        })
    }
}

fn stop<'a, T>(at: &'a str, expected: &'static str) -> Parsed<'a, T> {
    Err(nom::Err::Error(Stop { at, expected }))
}

/// Which family a text means: only a stair board has pins, or first ranks of at most four squares.
fn family(text: &str) -> Family {
    let placement = text.split_ascii_whitespace().next().unwrap_or("");
    if placement.contains('@') {
        return Family::Stair;
    }
    let first_board = placement.split('|').next().unwrap_or("");
    let first_rank = first_board.split('/').next().unwrap_or("");
    let width: u32 = first_rank
        .chars()
        .map(|c| c.to_digit(10).unwrap_or(1))
        .sum();
    if width <= 4 && first_board.split('/').count() <= 4 {
        Family::Stair
    } else {
        Family::Cube
    }
}

pub(super) fn placement(input: &str) -> Parsed<'_, Setup> {
    match family(input) {
        Family::Stair => stair_placement(input),
        Family::Cube => cube_placement(input),
    }
}

/// Pieces by file and rank from the near left corner.
pub(super) type Cells<const W: usize, const H: usize> = [[Option<Piece>; W]; H];

pub(super) fn stair_placement(input: &str) -> Parsed<'_, Setup> {
    let mut mains: [Cells<4, 4>; 3] = [[[None; 4]; 4]; 3];
    let mut rest = input;
    for cells in mains.iter_mut().rev() {
        (rest, *cells) = main_board(rest)?;
        (rest, _) = told("`|` and the next board", char('|')).parse(rest)?;
    }
    let mut attacks: [Option<(Pin, Cells<2, 2>)>; 4] = [None; 4];
    for i in 0..4 {
        if i > 0 {
            (rest, _) = told("`|` and the next attack board", char('|')).parse(rest)?;
        }
        let at = rest;
        let (after, (attack, pin, cells)) = attack_board(rest)?;
        if attacks[attack as usize].is_some() {
            return stop(at, "an attack board that is not yet placed");
        }
        if attacks.iter().flatten().any(|(taken, _)| *taken == pin) {
            return stop(
                at.get(3..).unwrap_or(at),
                "a pin on which no other attack board stands",
            );
        }
        attacks[attack as usize] = Some((pin, cells));
        rest = after;
    }
    let [Some(a), Some(b), Some(c), Some(d)] = attacks else {
        return stop(rest, "the four attack boards QL, KL, ql and kl");
    };
    let Ok(layout) = Layout::try_new([a.0, b.0, c.0, d.0]) else {
        return stop(input, "attack boards on four pins");
    };
    let mut setup = Setup::empty(Some(layout));
    for (main, cells) in MainBoard::ALL.into_iter().zip(&mains) {
        put(&mut setup, cells, |file, rank| {
            main.square(Column::try_new(file + 1, main.near_rank() + rank)?)
        });
    }
    for (attack, (_, cells)) in AttackBoard::ALL.into_iter().zip([a, b, c, d]) {
        put(&mut setup, &cells, |dx, dy| Some(attack.square(dx, dy)));
    }
    Ok((rest, setup))
}

pub(super) fn cube_placement(input: &str) -> Parsed<'_, Setup> {
    let mut setup = Setup::empty(None);
    let mut rest = input;
    for level in (0..cube::LEVELS).rev() {
        let cells;
        (rest, cells) = cube_level(rest)?;
        put(&mut setup, &cells, |file, rank| {
            cube::try_square(level, file, rank)
        });
        if level > 0 {
            (rest, _) = told("`|` and the next level", char('|')).parse(rest)?;
        }
    }
    Ok((rest, setup))
}

fn put<const W: usize, const H: usize>(
    setup: &mut Setup,
    cells: &Cells<W, H>,
    square: impl Fn(u8, u8) -> Option<Square>,
) {
    for (rank, row) in (0..).zip(cells) {
        for (file, piece) in (0..).zip(row) {
            if let Some(square) = square(file, rank) {
                setup.set_piece(square, *piece);
            }
        }
    }
}

pub(super) fn main_board(input: &str) -> Parsed<'_, Cells<4, 4>> {
    ranks(input, stair_rank)
}

pub(super) fn cube_level(input: &str) -> Parsed<'_, Cells<8, 8>> {
    ranks(input, cube_rank)
}

pub(super) fn attack_board(input: &str) -> Parsed<'_, (AttackBoard, Pin, Cells<2, 2>)> {
    let (rest, attack) = told("an attack board: QL, KL, ql or kl", board_name).parse(input)?;
    let (rest, _) = told("`@` and a pin", char('@')).parse(rest)?;
    let (rest, pin) = pin(rest)?;
    let (rest, _) = told("`:` and the two ranks of the attack board", char(':')).parse(rest)?;
    let (rest, cells) = ranks(rest, attack_rank)?;
    Ok((rest, (attack, pin, cells)))
}

pub(super) fn board_name(input: &str) -> Parsed<'_, AttackBoard> {
    alt((
        value(AttackBoard::WhiteQueen, tag("QL")),
        value(AttackBoard::WhiteKing, tag("KL")),
        value(AttackBoard::BlackQueen, tag("ql")),
        value(AttackBoard::BlackKing, tag("kl")),
    ))
    .parse(input)
}

pub(super) fn pin(input: &str) -> Parsed<'_, Pin> {
    let (rest, wing) = told("a pin: Q or K and a number 1 to 6", wing).parse(input)?;
    let (rest, _) = opt(char('L')).parse(rest)?;
    pin_tail(rest, wing)
}

pub(super) fn wing(input: &str) -> Parsed<'_, Wing> {
    alt((value(Wing::Queen, char('Q')), value(Wing::King, char('K')))).parse(input)
}

/// The number of a pin, and `v` where it is under the board.
pub(super) fn pin_tail(input: &str, wing: Wing) -> Parsed<'_, Pin> {
    let (rest, digit) = told("a pin number 1 to 6", one_of("123456")).parse(input)?;
    let Some(corner) = Corner::try_new(digit as u8 - b'0') else {
        return stop(input, "a pin number 1 to 6");
    };
    let (rest, under) = opt(char('v')).parse(rest)?;
    let surface = match under {
        Some(_) => Surface::Under,
        None => Surface::Over,
    };
    Ok((rest, Pin::new(wing, corner, surface)))
}

/// The ranks of a board from the far one, with `/` between.
fn ranks<'a, const W: usize, const H: usize>(
    input: &'a str,
    rank: impl Fn(&'a str) -> Parsed<'a, [Option<Piece>; W]>,
) -> Parsed<'a, Cells<W, H>> {
    let mut cells = [[None; W]; H];
    let mut rest = input;
    for (i, row) in cells.iter_mut().rev().enumerate() {
        if i > 0 {
            (rest, _) = told("`/` and the next rank", char('/')).parse(rest)?;
        }
        (rest, *row) = rank(rest)?;
    }
    Ok((rest, cells))
}

pub(super) fn stair_rank(input: &str) -> Parsed<'_, [Option<Piece>; 4]> {
    squares(
        input,
        "a piece letter or a count of empty squares, four squares in all",
    )
}

pub(super) fn attack_rank(input: &str) -> Parsed<'_, [Option<Piece>; 2]> {
    squares(
        input,
        "a piece letter or a count of empty squares, two squares in all",
    )
}

pub(super) fn cube_rank(input: &str) -> Parsed<'_, [Option<Piece>; 8]> {
    squares(
        input,
        "a piece letter or a count of empty squares, eight squares in all",
    )
}

fn squares<'a, const W: usize>(
    input: &'a str,
    expected: &'static str,
) -> Parsed<'a, [Option<Piece>; W]> {
    let mut cells = [None; W];
    let (mut rest, mut filled) = (input, 0);
    while filled < W {
        let at = rest;
        let cell;
        (rest, cell) = told(
            expected,
            alt((piece.map(Cell::Piece), empties.map(Cell::Empty))),
        )(rest)?;
        match cell {
            Cell::Piece(piece) => {
                if let Some(cell) = cells.get_mut(filled) {
                    *cell = Some(piece);
                }
                filled += 1;
            }
            Cell::Empty(count) => filled += count,
        }
        if filled > W {
            return stop(at, expected);
        }
    }
    Ok((rest, cells))
}

#[derive(Clone, Copy)]
enum Cell {
    Piece(Piece),
    Empty(usize),
}

pub(super) fn piece(input: &str) -> Parsed<'_, Piece> {
    let (rest, letter) = one_of("PNBRQKpnbrqk").parse(input)?;
    match Piece::from_letter(letter) {
        Some(piece) => Ok((rest, piece)),
        None => stop(input, "a piece letter"),
    }
}

pub(super) fn empties(input: &str) -> Parsed<'_, usize> {
    one_of("12345678")
        .map(|digit| usize::from(digit as u8 - b'0'))
        .parse(input)
}

pub(super) fn turn(input: &str) -> Parsed<'_, Color> {
    told(
        "the side to move, w or b",
        alt((
            value(Color::White, char('w')),
            value(Color::Black, char('b')),
        )),
    )(input)
}

pub(super) fn castling(input: &str) -> Parsed<'_, Castling> {
    if let Some(rest) = input.strip_prefix('-') {
        return Ok((rest, Castling::NONE));
    }
    let expected = "castling rights out of K, Q, k, q, each at most once, or -";
    let (mut rest, letters) = told(expected, take_while1(|c| "KQkq".contains(c)))(input)?;
    let mut rights = Castling::NONE;
    for (i, letter) in letters.char_indices() {
        for (_, color, side) in CASTLING_LETTERS.iter().filter(|(own, ..)| *own == letter) {
            if rights.has(*color, *side) {
                rest = input.get(i..).unwrap_or(input);
                return stop(rest, expected);
            }
            rights = rights.with(*color, *side);
        }
    }
    Ok((rest, rights))
}

pub(super) fn en_passant<'a>(
    input: &'a str,
    layout: Option<&Layout>,
) -> Parsed<'a, Option<Square>> {
    match input.strip_prefix('-') {
        Some(rest) => Ok((rest, None)),
        None => {
            let (rest, square) = existing_square(input, layout)?;
            Ok((rest, Some(square)))
        }
    }
}

pub(super) fn moved<'a>(input: &'a str, layout: Option<&Layout>) -> Parsed<'a, SquareSet<3>> {
    let mut set = SquareSet::EMPTY;
    if let Some(rest) = input.strip_prefix('-') {
        return Ok((rest, set));
    }
    let mut rest = input;
    loop {
        let (after, square) = existing_square(rest, layout)?;
        if set.contains(square) {
            return stop(rest, "a square that is not yet in the list");
        }
        set.insert(square);
        match after.strip_prefix(',') {
            Some(next) => rest = next,
            None => return Ok((after, set)),
        }
    }
}

/// A square of the fields behind the placement, looked up in the layout read there.
pub(super) fn existing_square<'a>(input: &'a str, layout: Option<&Layout>) -> Parsed<'a, Square> {
    let (rest, place) = match layout {
        Some(_) => stair_square(input)?,
        None => cube_square(input)?,
    };
    match square_of(place, layout) {
        Some(square) => Ok((rest, square)),
        None => stop(input, "a square that exists in this placement"),
    }
}

fn square_of(place: Place, layout: Option<&Layout>) -> Option<Square> {
    let board = match (place.level?, layout) {
        (Level::Main(main), Some(_)) => Board::Main(main),
        (Level::Attack(attack), Some(_)) => Board::Attack(attack),
        (Level::Pin(pin), Some(layout)) => Board::Attack(layout.board_on(pin)?),
        (Level::Cube(level), None) => return cube::try_square(level, place.file, place.rank),
        _ => return None,
    };
    layout?.square(board, Column::try_new(place.file, place.rank)?)
}

pub(super) fn stair_square(input: &str) -> Parsed<'_, Place> {
    let (rest, file) = told(
        "- or a square, beginning with a file z, a to e",
        one_of("zabcde"),
    )
    .parse(input)?;
    let file = if file == 'z' {
        0
    } else {
        file as u8 - b'a' + 1
    };
    let (rest, rank) = told("a rank 0 to 9", one_of("0123456789")).parse(rest)?;
    let (rest, level) = told("a level W, N, B or a pin like QL1", stair_level).parse(rest)?;
    let place = Place {
        file,
        rank: rank as u8 - b'0',
        level: Some(level),
    };
    Ok((rest, place))
}

pub(super) fn stair_level(input: &str) -> Parsed<'_, Level> {
    alt((
        value(Level::Main(MainBoard::White), char('W')),
        value(Level::Main(MainBoard::Neutral), char('N')),
        value(Level::Main(MainBoard::Black), char('B')),
        pin_level.map(Level::Pin),
    ))
    .parse(input)
}

pub(super) fn pin_level(input: &str) -> Parsed<'_, Pin> {
    let (rest, wing) = wing(input)?;
    let (rest, _) = told("L and a pin number 1 to 6", char('L')).parse(rest)?;
    pin_tail(rest, wing)
}

pub(super) fn cube_square(input: &str) -> Parsed<'_, Place> {
    let (rest, level) = told(
        "- or a square, beginning with a level 1 to 3",
        one_of("123"),
    )
    .parse(input)?;
    let (rest, file) = told("a file a to h", one_of("abcdefghABCDEFGH")).parse(rest)?;
    let (rest, rank) = told("a rank 1 to 8", one_of("12345678")).parse(rest)?;
    let place = Place {
        file: file.to_ascii_lowercase() as u8 - b'a',
        rank: rank as u8 - b'1',
        level: Some(Level::Cube(level as u8 - b'1')),
    };
    Ok((rest, place))
}

pub(super) fn counter(input: &str) -> Parsed<'_, u32> {
    let expected = "a number up to 4294967295";
    let (rest, digits) = told(expected, take_while1(|c: char| c.is_ascii_digit()))(input)?;
    match digits.parse() {
        Ok(number) => Ok((rest, number)),
        Err(_) => stop(input, expected),
    }
}
