//! Reads patterns. Every rule of `grammars/pattern.ebnf` has a function of its name here.

use super::{Compare, Node, PinName, Place, What};
use crate::questions::parsing::{
    LanguageError, MAX_NESTING, Parsed, TOO_DEEP, blanks, fail, keyword, number, range, stop, told,
    whole,
};
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::character::complete::{char, one_of, satisfy};
use nom::combinator::{map, opt, value};
use nom::{Parser, sequence::preceded};
use tridex_geometry::stair::{AttackBoard, Column, Corner, MainBoard, Pin, Surface};
use tridex_geometry::{Wing, cube};
use tridex_rules::{Color, Piece, Role};

pub(super) fn parse(text: &str) -> Result<Node, LanguageError> {
    whole(text, pattern, "and, or, or the end of the pattern")
}

pub(super) fn pattern(input: &str) -> Parsed<'_, Node> {
    any_of(input, 0)
}

fn any_of(input: &str, depth: usize) -> Parsed<'_, Node> {
    let (mut rest, first) = all_of(input, depth)?;
    let mut parts = vec![first];
    while let Some(after) = keyword("or", blanks(rest)) {
        let (next, part) = all_of(blanks(after), depth)?;
        parts.push(part);
        rest = next;
    }
    Ok((rest, join(parts, Node::Or)))
}

fn all_of(input: &str, depth: usize) -> Parsed<'_, Node> {
    let (mut rest, first) = factor(input, depth)?;
    let mut parts = vec![first];
    while let Some(after) = keyword("and", blanks(rest)) {
        let (next, part) = factor(blanks(after), depth)?;
        parts.push(part);
        rest = next;
    }
    Ok((rest, join(parts, Node::And)))
}

fn join(mut parts: Vec<Node>, all: fn(Vec<Node>) -> Node) -> Node {
    match (parts.len(), parts.pop()) {
        (1, Some(only)) => only,
        (_, last) => {
            parts.extend(last);
            all(parts)
        }
    }
}

fn factor(input: &str, depth: usize) -> Parsed<'_, Node> {
    if depth > MAX_NESTING {
        return fail(input, TOO_DEEP);
    }
    if let Some(rest) = keyword("not", input) {
        let (rest, part) = factor(blanks(rest), depth + 1)?;
        return Ok((rest, Node::Not(Box::new(part))));
    }
    if let Some(rest) = input.strip_prefix('(') {
        let (rest, inner) = any_of(blanks(rest), depth + 1)?;
        let rest = blanks(rest);
        return match rest.strip_prefix(')') {
            Some(rest) => Ok((rest, inner)),
            None => fail(rest, "and, or, or a closing bracket"),
        };
    }
    test(input)
}

pub(super) fn test(input: &str) -> Parsed<'_, Node> {
    told(
        "a test such as N@c6, Q=0, ql@Q4, check, white to move or ply 10..40",
        |input| alt((state, turn, ply, board_on, count)).parse(input),
    )(input)
}

pub(super) fn state(input: &str) -> Parsed<'_, Node> {
    for (word, node) in [("check", Node::Check), ("mate", Node::Mate)] {
        if let Some(rest) = keyword(word, input) {
            return Ok((rest, node));
        }
    }
    stop(input, "check or mate")
}

pub(super) fn turn(input: &str) -> Parsed<'_, Node> {
    for (word, color) in [("white", Color::White), ("black", Color::Black)] {
        if let Some(rest) = keyword(word, input) {
            let rest = blanks(rest);
            let Some(rest) = keyword("to", rest) else {
                return fail(rest, "to move");
            };
            let rest = blanks(rest);
            return match keyword("move", rest) {
                Some(rest) => Ok((rest, Node::Turn(color))),
                None => fail(rest, "move"),
            };
        }
    }
    stop(input, "white to move or black to move")
}

pub(super) fn ply(input: &str) -> Parsed<'_, Node> {
    let Some(rest) = keyword("ply", input) else {
        return stop(input, "ply and a range");
    };
    let (rest, (from, to)) = range(blanks(rest))?;
    Ok((rest, Node::Ply { from, to }))
}

pub(super) fn board_on(input: &str) -> Parsed<'_, Node> {
    let (rest, board) = attack_board(input)?;
    let Some(rest) = rest.strip_prefix('@') else {
        return stop(input, "@ and a pin");
    };
    match pin(rest) {
        Ok((rest, pin)) if ends(rest) => Ok((rest, Node::BoardOn { board, pin })),
        _ => fail(rest, "a pin such as Q4, QL4 or QP8"),
    }
}

pub(super) fn count(input: &str) -> Parsed<'_, Node> {
    let (rest, what) = what(input)?;
    let (rest, place) = match rest.strip_prefix('@') {
        Some(rest) => match place(rest) {
            Ok((rest, place)) => (rest, Some(place)),
            Err(nom::Err::Error(stop)) => return Err(nom::Err::Failure(stop)),
            Err(other) => return Err(other),
        },
        None => (rest, None),
    };
    let compared = comparison(blanks(rest));
    let (rest, (compare, number)) = match compared {
        Ok(found) => found,
        Err(error @ nom::Err::Failure(_)) => return Err(error),
        Err(_) if place.is_none() => {
            return stop(rest, "@ and a place, or a comparison such as >= 2");
        }
        Err(_) => (rest, (Compare::GreaterOrEqual, 1)),
    };
    Ok((
        rest,
        Node::Count {
            what,
            place: place.unwrap_or(Place::Anywhere),
            compare,
            number,
        },
    ))
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
    let (rest, compare) = told("a comparison", |input| {
        alt((
            value(Compare::NotEqual, tag("!=")),
            value(Compare::LessOrEqual, tag("<=")),
            value(Compare::GreaterOrEqual, tag(">=")),
            value(Compare::Equal, tag("=")),
            value(Compare::Less, tag("<")),
            value(Compare::Greater, tag(">")),
        ))
        .parse(input)
    })(input)?;
    let rest = blanks(rest);
    match number(rest) {
        Ok((rest, number)) => Ok((rest, (compare, number))),
        Err(_) => fail(rest, "a number up to 65535"),
    }
}

/// Nothing follows that would make a name longer.
fn ends(rest: &str) -> bool {
    !rest.starts_with(|c: char| c.is_alphanumeric() || c == ',' || c == '@')
}

pub(super) fn place(input: &str) -> Parsed<'_, Place> {
    // The first that takes the whole name; no name is of two kinds.
    for parser in [
        manual_square,
        meder_square,
        cube_square,
        column,
        pin_place,
        board,
    ] {
        match parser(input) {
            Ok((rest, place)) if ends(rest) => return Ok((rest, place)),
            Err(error @ nom::Err::Failure(_)) => return Err(error),
            _ => {}
        }
    }
    stop(
        input,
        "a place that exists: a square (c6B, b7,BB, 1e4), a column (c6), a board (W, ql), a pin (QL4) or a level (1)",
    )
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
            covers(name.pin, column).then_some(Place::PinSquare(name, column))
        }),
        map(meder_main_board, |board| {
            board.square(column).map(Place::MainSquare)
        }),
    ))
    .parse(rest)?;
    match found {
        Some(place) => Ok((rest, place)),
        None if ends(rest) => fail(input, "a column the board covers"),
        None => stop(input, "a square"),
    }
}

pub(super) fn cube_square(input: &str) -> Parsed<'_, Place> {
    let (rest, level) = one_of("123").parse(input)?;
    let (rest, (file, rank)) = cube_column(rest)?;
    let level = level as u8 - b'1';
    match cube::try_square(level, file, rank) {
        Some(square) => Ok((rest, Place::CubeSquare(square))),
        None => stop(input, "a square of the cube"),
    }
}

pub(super) fn column(input: &str) -> Parsed<'_, Place> {
    let stair = stair_column(input).ok();
    let cube = cube_column(input).ok();
    match (stair, cube) {
        (Some((rest, stair)), Some((_, cube))) => Ok((
            rest,
            Place::Column {
                stair: Some(stair),
                cube: Some(cube),
            },
        )),
        (Some((rest, stair)), None) => Ok((
            rest,
            Place::Column {
                stair: Some(stair),
                cube: None,
            },
        )),
        (None, Some((rest, cube))) => Ok((
            rest,
            Place::Column {
                stair: None,
                cube: Some(cube),
            },
        )),
        (None, None) => stop(input, "a column"),
    }
}

/// A file `z a b c d e` and a rank `0` to `9`.
fn stair_column(input: &str) -> Parsed<'_, Column> {
    let (rest, file) = one_of("zabcde").parse(input)?;
    let (rest, rank) = satisfy(|c| c.is_ascii_digit()).parse(rest)?;
    let file = match file {
        'z' => 0,
        file => file as u8 - b'a' + 1,
    };
    match Column::try_new(file, rank as u8 - b'0') {
        Some(column) => Ok((rest, column)),
        None => stop(input, "a column of the stair board"),
    }
}

/// A file `a` to `h` in either case and a rank `1` to `8`.
fn cube_column(input: &str) -> Parsed<'_, (u8, u8)> {
    let (rest, file) =
        alt((|input| letter(input, 'a', 8), |input| letter(input, 'A', 8))).parse(input)?;
    let (rest, rank) = one_of("12345678").parse(rest)?;
    Ok((rest, (file, rank as u8 - b'1')))
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

pub(super) fn pin(input: &str) -> Parsed<'_, PinName> {
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
    let (rest, wing) = alt(wings).parse(input)?;
    let (rest, n) = number(rest)?;
    match u8::try_from(n).ok().and_then(|n| Pin::from_manual(wing, n)) {
        Some(pin) => Ok((
            rest,
            PinName {
                pin,
                either_surface: true,
            },
        )),
        None => stop(input, "a pin 1 to 12"),
    }
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

pub(super) fn attack_board(input: &str) -> Parsed<'_, AttackBoard> {
    alt((
        value(AttackBoard::WhiteQueen, tag("QL")),
        value(AttackBoard::WhiteKing, tag("KL")),
        value(AttackBoard::BlackQueen, tag("ql")),
        value(AttackBoard::BlackKing, tag("kl")),
    ))
    .parse(input)
}

fn manual_main_board(input: &str) -> Parsed<'_, MainBoard> {
    alt((
        value(MainBoard::White, tag("WB")),
        value(MainBoard::Neutral, tag("NB")),
        value(MainBoard::Black, tag("BB")),
    ))
    .parse(input)
}

fn meder_main_board(input: &str) -> Parsed<'_, MainBoard> {
    alt((
        value(MainBoard::White, char('W')),
        value(MainBoard::Neutral, char('N')),
        value(MainBoard::Black, char('B')),
    ))
    .parse(input)
}

/// Whether a board on the pin covers the column.
fn covers(pin: Pin, column: Column) -> bool {
    let origin = pin.origin();
    column.file().wrapping_sub(origin.file()) < 2 && column.rank().wrapping_sub(origin.rank()) < 2
}

fn covers_somewhere(column: Column) -> bool {
    Pin::all().any(|pin| covers(pin, column))
}

/// The letter of a kind of piece, for the material language.
pub(crate) fn role(input: &str) -> Parsed<'_, Role> {
    preceded(
        nom::combinator::success(()),
        map(one_of("KQRBNPkqrbnp"), |letter| {
            Role::from_letter(letter).unwrap_or(Role::Pawn)
        }),
    )
    .parse(input)
}
