//! Reads position strings.

use super::ranks::{board_ranks, level_ranks, read_ranks};
use super::{CASTLING_LETTERS, PositionField, PositionStringError};
use crate::names;
use crate::rule::{Parsed, Stop, Text, expected, fault, meaning, refuse};
use crate::text::{Coordinates, Level, Locale};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while1};
use nom::character::complete::{char, one_of, space1};
use nom::combinator::{eof, map_opt, not, opt, value, verify};
use nom::sequence::preceded;
use tridex_geometry::stair::{AttackBoard, Board, Corner, Layout, MainBoard, Pin, Surface};
use tridex_geometry::{Family, Square, SquareSet, Wing, cube};
use tridex_rules::{Castling, Color, Piece, Setup};

/// Reads a position string of either family.
///
/// Forgiven, and put right when written again: spaces around the whole and more than one between fields, attack boards
/// and castling letters in any order, pins written `QL1` for `Q1`, neighbouring counts of empty squares, the list of
/// moved pawns in any order, both counters omitted (0 and 1 are then meant).
///
/// ```
/// use tridex_notation::position_string;
/// use tridex_rules::RuleSystem;
/// let start = RuleSystem::Meder.start();
/// let line = position_string::to_string(&start);
/// assert_eq!(position_string::parse(&line)?, start);
/// assert!(position_string::parse("8/8 w").is_err());
/// # Ok::<(), position_string::PositionStringError>(())
/// ```
///
/// # Errors
/// [`PositionStringError`] with the byte offset of the first thing that was not understood. Whether the position can be
/// played is checked by [`Position::from_setup`](tridex_rules::Position::from_setup).
pub fn parse(text: &str) -> Result<Setup, PositionStringError> {
    let line = Line(text);
    let rest = text.trim_start();
    let (rest, mut setup) = line.field(PositionField::Placement, placement, rest)?;
    let layout = setup.layout;
    let layout = layout.as_ref();
    let mut rest = rest;
    (rest, setup.turn) = line.next(PositionField::Turn, turn, rest)?;
    (rest, setup.castling) = line.next(PositionField::Castling, castling, rest)?;
    (rest, setup.en_passant) = line.next(PositionField::EnPassant, en_passant(layout), rest)?;
    (rest, setup.moved) = line.next(PositionField::Moved, moved(layout), rest)?;
    if !rest.trim_start().is_empty() {
        (rest, setup.halfmoves) = line.next(PositionField::Halfmoves, counter, rest)?;
        (rest, setup.fullmoves) = line.next(PositionField::Fullmoves, counter, rest)?;
    }
    let end = expected(
        "the end of the position string",
        verify(nom::combinator::rest, |rest: &str| rest.is_empty()),
    );
    line.field(PositionField::Fullmoves, end, rest.trim_start())?;
    Ok(setup)
}

/// The text, to say where in it reading stopped.
#[derive(Clone, Copy)]
struct Line<'a>(&'a str);

impl<'a> Line<'a> {
    /// A field, and what is left after it.
    fn field<T>(
        self,
        field: PositionField,
        mut rule: impl Text<'a, T>,
        input: &'a str,
    ) -> Result<(&'a str, T), PositionStringError> {
        rule.parse(input).map_err(|error| {
            let fault = fault(self.0.len(), error);
            PositionStringError {
                offset: fault.offset,
                field,
                expected: fault.expected,
            }
        })
    }

    /// The space before a field, and the field.
    fn next<T>(
        self,
        field: PositionField,
        rule: impl Text<'a, T>,
        input: &'a str,
    ) -> Result<(&'a str, T), PositionStringError> {
        self.field(field, after_space(field, rule), input)
    }
}

/// A field after its space.
fn after_space<'a, T>(field: PositionField, rule: impl Text<'a, T>) -> impl Text<'a, T> {
    let missing = field.expected();
    let space = (expected(missing, space1), expected(missing, not(eof)));
    preceded(space, rule)
}

/// The five fields of FEN after a placement, put into a setup with that placement.
pub(crate) fn fields<'a>(
    placed: Setup,
    en_passant: impl Text<'a, Option<Square>>,
) -> impl Text<'a, Setup> {
    let fields = (
        after_space(PositionField::Turn, turn),
        after_space(PositionField::Castling, castling),
        after_space(PositionField::EnPassant, en_passant),
        after_space(PositionField::Halfmoves, counter),
        after_space(PositionField::Fullmoves, counter),
    );
    fields.map(move |(turn, castling, en_passant, halfmoves, fullmoves)| {
        let mut setup = placed.clone();
        (setup.turn, setup.castling, setup.en_passant) = (turn, castling, en_passant);
        (setup.halfmoves, setup.fullmoves) = (halfmoves, fullmoves);
        setup
    })
}

/// The board that a text shows by its shape, whether it can be read or not; `None` if it does not look like a position.
///
/// ```
/// use tridex_geometry::Family;
/// use tridex_notation::position_string::board_of;
///
/// assert_eq!(board_of("nbbnn/pppp/4/4|4/"), Some(Family::Stair));
/// assert_eq!(board_of("rnbqkbnrr/pppppppp/8/8"), Some(Family::Cube));
/// assert_eq!(board_of("b4N b5B"), None);
/// ```
#[must_use]
pub fn board_of(text: &str) -> Option<Family> {
    let placement = text.split_ascii_whitespace().next()?;
    let (first, rest) = placement.split_once('/')?;
    let squares = |rank: &str| -> u32 { rank.chars().map(|c| c.to_digit(10).unwrap_or(1)).sum() };
    // Nearer to four squares in a rank, or to eight.
    let is_narrow = |rank: &str| squares(rank) < 6;
    let second = rest.split(['/', '|']).next().unwrap_or_default();
    match placement.contains('@') || is_narrow(first) && is_narrow(second) {
        true => Some(Family::Stair),
        false => Some(Family::Cube),
    }
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

pub(super) fn placement(input: &str) -> Parsed<&str, Setup> {
    match family(input) {
        Family::Stair => stair_placement(input),
        Family::Cube => cube_placement(input),
    }
}

pub(super) fn stair_placement(input: &str) -> Parsed<&str, Setup> {
    let mut setup = Setup::empty(None);
    let mut rest = input;
    for main in MainBoard::ALL.into_iter().rev() {
        (rest, ()) = main_board(rest, main, &mut setup)?;
        (rest, _) = expected("`|` and the next board", char('|')).parse(rest)?;
    }
    let mut pins = [None; 4];
    for i in 0..4 {
        if i > 0 {
            (rest, _) = expected("`|` and the next attack board", char('|')).parse(rest)?;
        }
        let (after, (attack, pin)) = attack_board(rest, &mut setup)?;
        if pins[attack as usize].is_some() {
            return refuse(rest, "an attack board that is not yet placed");
        }
        if pins.contains(&Some(pin)) {
            let at = rest.get(3..).unwrap_or(rest);
            return refuse(at, "a pin without another attack board");
        }
        pins[attack as usize] = Some(pin);
        rest = after;
    }
    let [Some(a), Some(b), Some(c), Some(d)] = pins else {
        return refuse(rest, "the four attack boards QL, KL, ql and kl");
    };
    let Ok(layout) = Layout::try_new([a, b, c, d]) else {
        return refuse(input, "attack boards on four pins");
    };
    setup.layout = Some(layout);
    Ok((rest, setup))
}

pub(super) fn cube_placement(input: &str) -> Parsed<&str, Setup> {
    let mut setup = Setup::empty(None);
    let mut rest = input;
    for level in (0..cube::LEVELS).rev() {
        (rest, ()) = cube_level(rest, level, &mut setup)?;
        if level > 0 {
            (rest, _) = expected("`|` and the next level", char('|')).parse(rest)?;
        }
    }
    Ok((rest, setup))
}

pub(super) fn main_board<'a>(
    input: &'a str,
    board: MainBoard,
    setup: &mut Setup,
) -> Parsed<&'a str, ()> {
    let put = |square, held| setup.set_piece(square, Some(held));
    read_ranks(input, board_ranks(Board::Main(board)), FOUR, piece, put)
}

pub(super) fn cube_level<'a>(input: &'a str, level: u8, setup: &mut Setup) -> Parsed<&'a str, ()> {
    let put = |square, held| setup.set_piece(square, Some(held));
    read_ranks(input, level_ranks(level), EIGHT, piece, put)
}

pub(super) fn attack_board<'a>(
    input: &'a str,
    setup: &mut Setup,
) -> Parsed<&'a str, (AttackBoard, Pin)> {
    let (rest, attack) = expected("an attack board: QL, KL, ql or kl", board_name).parse(input)?;
    let (rest, _) = expected("`@` and a pin", char('@')).parse(rest)?;
    let (rest, pin) = pin(rest)?;
    let (rest, _) = expected("`:` and the two ranks of the attack board", char(':')).parse(rest)?;
    let put = |square, held| setup.set_piece(square, Some(held));
    let (rest, ()) = read_ranks(rest, board_ranks(Board::Attack(attack)), TWO, piece, put)?;
    Ok((rest, (attack, pin)))
}

pub(super) const FOUR: &str = "a piece letter or a count of empty squares, four squares in all";
pub(super) const TWO: &str = "a piece letter or a count of empty squares, two squares in all";
pub(super) const EIGHT: &str = "a piece letter or a count of empty squares, eight squares in all";

pub(super) fn board_name(input: &str) -> Parsed<&str, AttackBoard> {
    let name = |board| value(board, tag(names::manual_board(board)));
    alt(AttackBoard::ALL.map(name)).parse(input)
}

pub(super) fn pin(input: &str) -> Parsed<&str, Pin> {
    let wing = expected("a pin: Q or K and a number 1 to 6", wing);
    (wing, opt(char('L')), pin_tail)
        .map(|(wing, _, (corner, surface))| Pin::new(wing, corner, surface))
        .parse(input)
}

pub(super) fn wing(input: &str) -> Parsed<&str, Wing> {
    alt((value(Wing::Queen, char('Q')), value(Wing::King, char('K')))).parse(input)
}

/// The number of a pin, and `v` where it is under the board.
pub(super) fn pin_tail(input: &str) -> Parsed<&str, (Corner, Surface)> {
    let corner = map_opt(one_of("123456"), |digit| {
        Corner::try_new(digit as u8 - b'0')
    });
    let under = value(Surface::Under, char('v'));
    (
        expected("a pin number 1 to 6", corner),
        opt(under).map(|under| under.unwrap_or(Surface::Over)),
    )
        .parse(input)
}

pub(crate) fn piece(input: &str) -> Parsed<&str, Piece> {
    meaning(one_of("PNBRQKpnbrqk"), "a piece letter", Piece::from_letter).parse(input)
}

pub(super) fn turn(input: &str) -> Parsed<&str, Color> {
    let letter = alt((
        value(Color::White, char('w')),
        value(Color::Black, char('b')),
    ));
    expected("the side to move, w or b", letter).parse(input)
}

pub(super) fn castling(input: &str) -> Parsed<&str, Castling> {
    alt((value(Castling::NONE, char('-')), rights)).parse(input)
}

/// Letters of rights, each at most once.
fn rights(input: &str) -> Parsed<&str, Castling> {
    let what = "castling rights out of K, Q, k, q, each at most once, or -";
    let (end, letters) = expected(what, take_while1(|c| "KQkq".contains(c))).parse(input)?;
    let (mut rest, mut rights) = (input, Castling::NONE);
    for _ in letters.chars() {
        let known = |letter| {
            let (_, color, side) = *CASTLING_LETTERS.iter().find(|(own, ..)| *own == letter)?;
            (!rights.has(color, side)).then(|| rights.with(color, side))
        };
        (rest, rights) = meaning(one_of("KQkq"), what, known).parse(rest)?;
    }
    Ok((end, rights))
}

pub(crate) fn en_passant<'a>(layout: Option<&Layout>) -> impl Text<'a, Option<Square>> {
    alt((value(None, char('-')), existing_square(layout).map(Some)))
}

pub(super) fn moved<'a>(layout: Option<&Layout>) -> impl Text<'a, SquareSet<3>> {
    alt((value(SquareSet::EMPTY, char('-')), move |input| {
        squares_once(input, layout)
    }))
}

/// Squares with commas between, each once.
fn squares_once<'a>(input: &'a str, layout: Option<&Layout>) -> Parsed<&'a str, SquareSet<3>> {
    let mut set = SquareSet::EMPTY;
    let mut rest = input;
    loop {
        let what = "a square that is not yet in the list";
        let fresh = |square| (!set.contains(square)).then_some(square);
        let (after, square) = meaning(existing_square(layout), what, fresh).parse(rest)?;
        set.insert(square);
        match char::<_, Stop>(',').parse(after) {
            Ok((next, _)) => rest = next,
            Err(_) => return Ok((after, set)),
        }
    }
}

/// A square of the fields after the placement, looked up in the layout read there.
pub(super) fn existing_square<'a>(layout: Option<&Layout>) -> impl Text<'a, Square> {
    let place = move |input| match layout {
        Some(_) => stair_square(input),
        None => cube_square(input),
    };
    let what = "a square that exists in this placement";
    meaning(place, what, move |place| place.square(layout))
}

pub(super) fn stair_square(input: &str) -> Parsed<&str, Coordinates> {
    let file = one_of("zabcde").map(|file| match file {
        'z' => 0,
        file => file as u8 - b'a' + 1,
    });
    let rank = one_of("0123456789").map(|digit| digit as u8 - b'0');
    (
        expected("- or a square, beginning with a file z, a to e", file),
        expected("a rank 0 to 9", rank),
        expected("a level W, N, B or a pin like QL1", stair_level),
    )
        .map(|(file, rank, level)| Coordinates {
            file,
            rank,
            level: Some(level),
        })
        .parse(input)
}

pub(super) fn stair_level(input: &str) -> Parsed<&str, Level> {
    let main = map_opt(one_of("WNB"), |letter| {
        names::main_board(Locale::English, u8::try_from(letter).ok()?)
    });
    alt((main.map(Level::Main), pin_level.map(Level::Pin))).parse(input)
}

pub(super) fn pin_level(input: &str) -> Parsed<&str, Pin> {
    (
        wing,
        expected("L and a pin number 1 to 6", char('L')),
        pin_tail,
    )
        .map(|(wing, _, (corner, surface))| Pin::new(wing, corner, surface))
        .parse(input)
}

pub(super) fn cube_square(input: &str) -> Parsed<&str, Coordinates> {
    let level = one_of("123").map(|level| level as u8 - b'1');
    let file = one_of("abcdefghABCDEFGH").map(|file| file.to_ascii_lowercase() as u8 - b'a');
    let rank = one_of("12345678").map(|rank| rank as u8 - b'1');
    (
        expected("- or a square, beginning with a level 1 to 3", level),
        expected("a file a to h", file),
        expected("a rank 1 to 8", rank),
    )
        .map(|(level, file, rank)| Coordinates {
            file,
            rank,
            level: Some(Level::Cube(level)),
        })
        .parse(input)
}

pub(super) fn counter(input: &str) -> Parsed<&str, u32> {
    let what = "a number up to 4294967295";
    let digits = expected(what, take_while1(|c: char| c.is_ascii_digit()));
    meaning(digits, what, |digits: &str| digits.parse().ok()).parse(input)
}
