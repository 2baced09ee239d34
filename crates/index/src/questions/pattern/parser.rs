//! Reads patterns. Every rule of `grammars/pattern.ebnf` has a function of its name here.

use super::{Atom, Compare, Node, PinName, Place, What};
use crate::questions::parsing::{
    Boolean, Parsed, blanks, expecting, fail, keyword, named, number, range, stop, whole,
};
use crate::questions::query_error::QueryError;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::character::complete::{char, one_of, satisfy};
use nom::combinator::{cut, map, map_opt, not, opt, value};
use nom::multi::fold_many1;
use nom::sequence::{preceded, terminated};
use tridex_geometry::stair::{AttackBoard, Column, Corner, MainBoard, Pin, Surface};
use tridex_geometry::{Wing, cube};
use tridex_notation::{Locale, names};
use tridex_rules::{Color, Piece, Role};

/// What is expected where a place is.
pub(crate) const PLACE: &str = "a place that exists: a square (c6B, b7,BB, 1e4), a column (c6), a board (W, ql), a pin (QL4) or a level (1)";

/// What is expected where a pin is.
pub(crate) const PIN: &str = "a pin such as Q4, QL4 or QP8";

pub(super) fn parse(text: &str) -> Result<Node, QueryError> {
    whole(text, pattern, "and, or, or the end of the pattern")
        .map_err(|error| error.of("the pattern"))
}

/// Attack boards on pins, one after the other: the value of the field `layout` of a query.
pub(super) fn layout(text: &str) -> Result<Node, QueryError> {
    const BOARD: &str = "an attack board and its pin, such as ql@Q4";
    let board = terminated(board_on, blanks);
    let boards = fold_many1(board, Vec::new, |mut boards, board| {
        boards.push(board);
        boards
    });
    whole(text, expecting(BOARD, boards), BOARD)
        .map(Node::And)
        .map_err(|error| error.of("the layout"))
}

const PATTERN: Boolean<Atom<Place, PinName>> = Boolean {
    negation,
    is_terse: false,
    test,
    closing: "and, or, or a closing bracket",
};

fn negation(input: &str) -> Parsed<'_, &str> {
    keyword("not")(input)
}

pub(crate) fn pattern(input: &str) -> Parsed<'_, Node> {
    PATTERN.any_of(input, 0)
}

pub(super) fn test(input: &str) -> Parsed<'_, Node> {
    expecting(
        "a test such as N@c6, Q=0, ql@Q4, check, white to move or ply 10..40",
        alt((state, turn, ply, board_on, count)),
    )(input)
}

pub(super) fn state(input: &str) -> Parsed<'_, Node> {
    alt((
        value(Node::Leaf(Atom::Check), keyword("check")),
        value(Node::Leaf(Atom::Mate), keyword("mate")),
    ))
    .parse(input)
}

pub(super) fn turn(input: &str) -> Parsed<'_, Node> {
    let color = alt((
        value(Color::White, keyword("white")),
        value(Color::Black, keyword("black")),
    ));
    let to = cut(expecting("to move", keyword("to")));
    let word = cut(expecting("move", keyword("move")));
    map((color, blanks, to, blanks, word), |(color, ..)| {
        Node::Leaf(Atom::Turn(color))
    })
    .parse(input)
}

pub(super) fn ply(input: &str) -> Parsed<'_, Node> {
    let range = preceded((keyword("ply"), blanks), cut(range));
    map(range, |(from, to)| {
        let (from, to): (Option<u32>, Option<u32>) = (from, to);
        Node::Leaf(Atom::Ply(from.unwrap_or(0), to.unwrap_or(u32::MAX)))
    })
    .parse(input)
}

pub(super) fn board_on(input: &str) -> Parsed<'_, Node> {
    let at = cut(expecting("@ and a pin such as Q4, QL4 or QP8", tag("@")));
    let pin = cut(named(PIN, terminated(pin, ends)));
    map((attack_board, at, pin), |(board, _, pin)| {
        Node::Leaf(Atom::BoardOn { board, pin })
    })
    .parse(input)
}

pub(super) fn count(input: &str) -> Parsed<'_, Node> {
    let place = opt(preceded(tag("@"), cut(place)));
    let comparison = opt(preceded(blanks, comparison));
    let (rest, (what, (place, comparison))) = (what, (place, comparison)).parse(input)?;
    let (compare, number) = match (place, comparison) {
        (None, None) => return stop(rest, "@ and a place, or a comparison such as >= 2"),
        (_, comparison) => comparison.unwrap_or((Compare::GreaterOrEqual, 1)),
    };
    let count = Atom::Count {
        what,
        place: place.unwrap_or(Place::Anywhere),
        compare,
        number,
    };
    Ok((rest, Node::Leaf(count)))
}

pub(super) fn what(input: &str) -> Parsed<'_, What> {
    let piece = |color, role| What::Piece { color, role };
    alt((
        map(one_of("KQRBNPkqrbnp"), move |letter| {
            let found = Piece::from_letter(letter);
            piece(found.map(|p| p.color), found.map(|p| p.role))
        }),
        value(piece(Some(Color::White), None), char('A')),
        value(piece(Some(Color::Black), None), char('a')),
        value(piece(None, None), char('*')),
        value(What::Empty, char('_')),
    ))
    .parse(input)
}

pub(super) fn comparison(input: &str) -> Parsed<'_, (Compare, u32)> {
    let compare = alt((
        value(Compare::NotEqual, tag("!=")),
        value(Compare::LessOrEqual, tag("<=")),
        value(Compare::GreaterOrEqual, tag(">=")),
        value(Compare::Equal, tag("=")),
        value(Compare::Less, tag("<")),
        value(Compare::Greater, tag(">")),
    ));
    (compare, preceded(blanks, cut(number))).parse(input)
}

/// Nothing follows that would make a name longer.
fn ends(input: &str) -> Parsed<'_, ()> {
    not(satisfy(|c| c.is_alphanumeric() || c == ',' || c == '@')).parse(input)
}

pub(crate) fn place(input: &str) -> Parsed<'_, Place> {
    // The first that takes the whole name; no name is of two kinds.
    named(
        PLACE,
        alt((
            terminated(manual_square, ends),
            terminated(meder_square, ends),
            terminated(cube_square, ends),
            terminated(column, ends),
            terminated(pin_place, ends),
            terminated(board, ends),
        )),
    )(input)
}

pub(super) fn manual_square(input: &str) -> Parsed<'_, Place> {
    let (rest, file) = letter(input, 'a', 6)?;
    let (rest, rank) = number(rest)?;
    let rank = match rank {
        1..=10 => rank as u8 - 1,
        _ => return stop(input, "a rank 1 to 10"),
    };
    let (rest, _) = char(',').parse(rest)?;
    let Some(column) = Column::try_new(file, rank) else {
        return stop(input, "a square of the stair board");
    };
    if let Some(rest) = rest.strip_prefix('*') {
        return Ok((
            rest,
            Place::Column {
                stair: Some(column),
                cube: None,
            },
        ));
    }
    let (rest, found) = alt((
        map(manual_main_board, |board| {
            board.square(column).map(Place::MainSquare)
        }),
        map(attack_board, |board| {
            covers_somewhere(column).then_some(Place::AttackSquare(board, column))
        }),
    ))
    .parse(rest)?;
    match found {
        Some(place) => Ok((rest, place)),
        None => fail(input, "a column the board can cover"),
    }
}

pub(super) fn meder_square(input: &str) -> Parsed<'_, Place> {
    let (rest, column) = stair_column(input)?;
    let (rest, found) = alt((
        map(pin_of("QL", "KL"), |name: PinName| {
            name.pin
                .covers(column)
                .then_some(Place::PinSquare(name, column))
        }),
        map(meder_main_board, |board| {
            board.square(column).map(Place::MainSquare)
        }),
    ))
    .parse(rest)?;
    match found {
        Some(place) => Ok((rest, place)),
        None if ends(rest).is_ok() => fail(input, "a column the board covers"),
        None => stop(input, "a square"),
    }
}

pub(super) fn cube_square(input: &str) -> Parsed<'_, Place> {
    let level = map(one_of("123"), |level| level as u8 - b'1');
    map_opt((level, cube_column), |(level, (file, rank))| {
        cube::try_square(level, file, rank).map(Place::CubeSquare)
    })
    .parse(input)
}

pub(super) fn column(input: &str) -> Parsed<'_, Place> {
    let stair = stair_column(input).ok();
    let cube = cube_column(input).ok();
    // Either name is two letters long.
    let Some(rest) = stair.map(|(rest, _)| rest).or(cube.map(|(rest, _)| rest)) else {
        return stop(input, "a column");
    };
    let place = Place::Column {
        stair: stair.map(|(_, column)| column),
        cube: cube.map(|(_, column)| column),
    };
    Ok((rest, place))
}

/// A file `z a b c d e` and a rank `0` to `9`.
fn stair_column(input: &str) -> Parsed<'_, Column> {
    let rank = map(one_of("0123456789"), |rank| rank as u8 - b'0');
    map_opt((stair_file, rank), |(file, rank)| {
        Column::try_new(file, rank)
    })
    .parse(input)
}

/// A file `z a b c d e`.
pub(crate) fn stair_file(input: &str) -> Parsed<'_, u8> {
    map(one_of("zabcde"), |file| match file {
        'z' => 0,
        file => file as u8 - b'a' + 1,
    })
    .parse(input)
}

/// A file `a` to `h` in either case and a rank `1` to `8`.
fn cube_column(input: &str) -> Parsed<'_, (u8, u8)> {
    let (rest, file) = cube_file(input)?;
    let (rest, rank) = one_of("12345678").parse(rest)?;
    Ok((rest, (file, rank as u8 - b'1')))
}

/// A file `a` to `h` in either case.
pub(crate) fn cube_file(input: &str) -> Parsed<'_, u8> {
    alt((|input| letter(input, 'a', 8), |input| letter(input, 'A', 8))).parse(input)
}

/// One of the `count` letters from `first`, as its place among them.
fn letter(input: &str, first: char, count: u8) -> Parsed<'_, u8> {
    let last = first as u8 + count;
    map(
        satisfy(move |c| (first as u32..u32::from(last)).contains(&(c as u32))),
        move |c| c as u8 - first as u8,
    )
    .parse(input)
}

pub(super) fn pin_place(input: &str) -> Parsed<'_, Place> {
    map(pin, Place::Pin).parse(input)
}

pub(crate) fn pin(input: &str) -> Parsed<'_, PinName> {
    alt((manual_pin, pin_of("QL", "KL"), pin_of("Q", "K"))).parse(input)
}

fn pin_of<'a>(
    queen: &'static str,
    king: &'static str,
) -> impl Parser<&'a str, Output = PinName, Error = crate::questions::parsing::Stop<'a>> {
    move |input| {
        let wings = (value(Wing::Queen, tag(queen)), value(Wing::King, tag(king)));
        let (rest, wing) = alt(wings).parse(input)?;
        let (rest, digit) = one_of("123456").parse(rest)?;
        let (rest, under) = opt(char('v')).parse(rest)?;
        let surface = match under {
            Some(_) => Surface::Under,
            None => Surface::Over,
        };
        match Corner::try_new(digit as u8 - b'0') {
            Some(corner) => Ok((
                rest,
                PinName {
                    pin: Pin::new(wing, corner, surface),
                    either_surface: false,
                },
            )),
            None => stop(input, "a pin"),
        }
    }
}

fn manual_pin(input: &str) -> Parsed<'_, PinName> {
    let wings = (value(Wing::Queen, tag("QP")), value(Wing::King, tag("KP")));
    map_opt((alt(wings), number), |(wing, n)| {
        let pin = Pin::from_manual(wing, u8::try_from(n).ok()?)?;
        Some(PinName {
            pin,
            either_surface: true,
        })
    })
    .parse(input)
}

pub(super) fn board(input: &str) -> Parsed<'_, Place> {
    alt((
        map(attack_board, Place::Attack),
        map(manual_main_board, Place::Main),
        map(meder_main_board, Place::Main),
        map(one_of("123"), |level| Place::Level(level as u8 - b'1')),
    ))
    .parse(input)
}

pub(crate) fn attack_board(input: &str) -> Parsed<'_, AttackBoard> {
    let name = |board| value(board, tag(names::manual_board(board)));
    let [a, b, c, d] = AttackBoard::ALL;
    alt((name(a), name(b), name(c), name(d))).parse(input)
}

fn manual_main_board(input: &str) -> Parsed<'_, MainBoard> {
    let name = |board| value(board, tag(names::manual_main_board(board)));
    let [a, b, c] = MainBoard::ALL;
    alt((name(a), name(b), name(c))).parse(input)
}

fn meder_main_board(input: &str) -> Parsed<'_, MainBoard> {
    let letter = |board| char(char::from(names::meder_board(Locale::English, board)));
    let name = |board| value(board, letter(board));
    let [a, b, c] = MainBoard::ALL;
    alt((name(a), name(b), name(c))).parse(input)
}

fn covers_somewhere(column: Column) -> bool {
    Pin::all().any(|pin| pin.covers(column))
}

/// The letter of a kind of piece, for the material language.
pub(crate) fn role(input: &str) -> Parsed<'_, Role> {
    map_opt(one_of("KQRBNPkqrbnp"), Role::from_letter).parse(input)
}
