//! Parses patterns. Every rule of `grammars/pattern.ebnf` has a function of the same name here.

use super::{Atom, Node, PawnKind, Place, What};
use crate::query::parsing::{blanks, both, bracketed, either, keyword, number, range, shallow};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take, take_while1};
use nom::character::complete::{anychar, char, digit1};
use nom::combinator::{cut, eof, map_opt, opt, peek, success, value, verify};
use nom::sequence::{delimited, preceded, terminated};
use std::ops::RangeInclusive;
use tridex_geometry::stair::{AttackBoard, Column, Corner, MainBoard, Pin, Surface};
use tridex_geometry::{Family, Shade, Wing};
use tridex_grammar::{Parsed, Text, as_one, expected, inside, require};
use tridex_notation::{Locale, names};
use tridex_rules::{Color, Departure, Level, Piece, Role};

/// What is expected instead of something that is not a place.
pub(crate) const PLACE: &str = "a place that exists: a square (c6B, b7,BB, 1e4), a column (c6), a board (W, ql), a pin (QL4) or a level (1)";

/// What is expected instead of something that is not a level.
const LEVEL: &str = "a board (W, ql), a pin (QL4) or a level (1)";

/// What is expected instead of a file or rank that a level does not have.
const SAME_BOARD: &str = "a file or rank, and a level of the same kind of board";

/// What is expected instead of something that is not a pin.
pub(crate) const PIN: &str = "a pin such as Q4, QL4 or QP8";

pub(crate) fn pattern<'a>(depth: usize) -> impl Text<'a, Node> {
    either(keyword("or"), move || all_of(depth))
}

pub(super) fn all_of<'a>(depth: usize) -> impl Text<'a, Node> {
    both(keyword("and"), move || factor(depth))
}

pub(super) fn factor<'a>(depth: usize) -> impl Text<'a, Node> {
    move |input| {
        let negated = preceded((keyword("not"), blanks), cut(factor(depth + 1)));
        let inner = bracketed(pattern(depth + 1), "and, or, or a closing bracket");
        let (input, ()) = shallow(depth).parse(input)?;
        alt((negated.map(Node::negated), inner, test)).parse(input)
    }
}

pub(super) fn test(input: &str) -> Parsed<&str, Node> {
    expected(
        "a test such as N@c6, Q=0, ql@Q4, check, white to move or ply 10..40",
        alt((
            state, turn, ply, bishops, balance, pinned, pawns, board_on, attackers, attacks, count,
        )),
    )
    .parse(input)
}

pub(super) fn state(input: &str) -> Parsed<&str, Node> {
    let state = alt((
        value(Atom::Check, keyword("check")),
        value(Atom::Mate, keyword("mate")),
        value(Atom::Stalemate, keyword("stalemate")),
        value(Atom::End, keyword("end")),
        preceded(
            (keyword("double"), blanks),
            cut(expected(
                "check",
                value(Atom::DoubleCheck, keyword("check")),
            )),
        ),
    ));
    state.map(Node::Leaf).parse(input)
}

pub(super) fn turn(input: &str) -> Parsed<&str, Node> {
    let color = alt((
        value(Color::White, keyword("white")),
        value(Color::Black, keyword("black")),
    ));
    let to = preceded(blanks, expected("to move", keyword("to")));
    let to_move = (to, preceded(blanks, expected("move", keyword("move"))));
    terminated(color, cut(to_move))
        .map(|color| Node::Leaf(Atom::Turn(color)))
        .parse(input)
}

pub(super) fn ply(input: &str) -> Parsed<&str, Node> {
    let range = as_one("a number or a range such as 10..40", range);
    preceded((keyword("ply"), blanks), cut(range))
        .map(|(from, to)| Node::Leaf(Atom::Ply(from.unwrap_or(0), to.unwrap_or(u32::MAX))))
        .parse(input)
}

pub(super) fn board_on(input: &str) -> Parsed<&str, Node> {
    let on = expected("@ and a pin such as Q4, QL4 or QP8", char('@'));
    (attack_board, cut(preceded(on, name(PIN, pin))))
        .map(|(board, pin)| Node::Leaf(Atom::BoardOn(board, pin)))
        .parse(input)
}

pub(super) fn bishops(input: &str) -> Parsed<&str, Node> {
    let alike = alt((
        value(true, keyword("same")),
        value(false, keyword("opposite")),
    ));
    let word = cut(preceded(blanks, expected("bishops", keyword("bishops"))));
    let count = |color, place, bounds| {
        let what = What::Piece(Some(color), Some(Role::Bishop));
        Node::Leaf(Atom::Count(what, place, bounds))
    };
    let one = move |color| count(color, Place::anywhere(), (1, 1));
    let on = move |color, shade| count(color, Place::shaded(shade), (1, u32::MAX));
    terminated(alike, word)
        .map(|alike| {
            let pair =
                |shade, other| Node::And(vec![on(Color::White, shade), on(Color::Black, other)]);
            let [light, dark] = [Shade::Light, Shade::Dark];
            let pairs = match alike {
                true => vec![pair(light, light), pair(dark, dark)],
                false => vec![pair(light, dark), pair(dark, light)],
            };
            Node::And(vec![one(Color::White), one(Color::Black), Node::Or(pairs)])
        })
        .parse(input)
}

pub(super) fn balance(input: &str) -> Parsed<&str, Node> {
    let number = (opt(char('-')), number).map(|(minus, number)| match minus {
        Some(_) => -(number as i32),
        None => number as i32,
    });
    let number = as_one("a number of pawns, such as 3 or -3", number);
    let compared = (comparison_sign, cut(preceded(blanks, number))).map(|(sign, number)| {
        let all = match sign {
            "!=" => vec![(-i32::MAX, number - 1), (number + 1, i32::MAX)],
            "<=" => vec![(-i32::MAX, number)],
            ">=" => vec![(number, i32::MAX)],
            "=" => vec![(number, number)],
            "<" => vec![(-i32::MAX, number - 1)],
            _ => vec![(number + 1, i32::MAX)],
        };
        let one = |(least, most)| Node::Leaf(Atom::Balance(least, most));
        Node::joined(all.into_iter().map(one).collect(), Node::Or)
    });
    let compared = expected("a comparison such as >= 3", compared);
    preceded((keyword("balance"), blanks), cut(compared)).parse(input)
}

pub(super) fn pinned(input: &str) -> Parsed<&str, Node> {
    let not_king = |what: &What| !matches!(what, What::Piece(_, Some(Role::King)));
    let piece = expected(
        "a piece of one side but the king, such as N or a",
        verify(piece, not_king),
    );
    preceded(
        (keyword("pinned"), blanks),
        cut((in_brackets(piece), times)),
    )
    .map(|(what, bounds)| any_bounds(bounds, |bounds| Atom::Pinned(what, bounds)))
    .parse(input)
}

pub(super) fn pawns(input: &str) -> Parsed<&str, Node> {
    let kind = alt((
        value(PawnKind::Passed, keyword("passed")),
        value(PawnKind::Doubled, keyword("doubled")),
        value(PawnKind::Isolated, keyword("isolated")),
    ));
    let color = alt((
        value(Color::White, char('P')),
        value(Color::Black, char('p')),
    ));
    let color = in_brackets(expected("P or p", color));
    (terminated(kind, blanks), cut((color, times)))
        .map(|(kind, (color, bounds))| {
            any_bounds(bounds, |bounds| Atom::Pawns(kind, color, bounds))
        })
        .parse(input)
}

/// An argument.
fn in_brackets<'a, T>(inner: impl Text<'a, T>) -> impl Text<'a, T> {
    let opening = expected("an opening bracket", char('('));
    let closing = expected("a closing bracket", char(')'));
    delimited((opening, blanks), inner, (blanks, closing))
}

/// An optional comparison; without one, one at least.
fn times(input: &str) -> Parsed<&str, Vec<(u32, u32)>> {
    let bounds = opt(preceded(blanks, comparison));
    bounds
        .map(|bounds| bounds.unwrap_or_else(|| vec![(1, u32::MAX)]))
        .parse(input)
}

/// A test that holds within any of some bounds.
fn any_bounds(bounds: Vec<(u32, u32)>, atom: impl Fn((u32, u32)) -> Atom<Place>) -> Node {
    let all = bounds.into_iter().map(|bounds| Node::Leaf(atom(bounds)));
    Node::joined(all.collect(), Node::Or)
}

/// A piece or any piece of one side.
fn piece(input: &str) -> Parsed<&str, What> {
    let known = |what: What| what.color().is_some().then_some(what);
    expected("a piece of one side, such as R or q", map_opt(what, known)).parse(input)
}

pub(super) fn attacks(input: &str) -> Parsed<&str, Node> {
    let word = delimited(blanks, keyword("attacks"), blanks);
    let (rest, attacker) = terminated(piece, word).parse(input)?;
    let other = |target: What| (target.color() != attacker.color()).then_some(target);
    let target = expected("a piece of the other side", map_opt(piece, other));
    let mut attacks = cut(target).map(|target| Node::Leaf(Atom::Attacks(attacker, target)));
    attacks.parse(rest)
}

pub(super) fn attackers(input: &str) -> Parsed<&str, Node> {
    let of = in_brackets(piece);
    let bounds = preceded(blanks, expected("a comparison such as >= 2", comparison));
    preceded((keyword("attackers"), blanks), cut((of, bounds)))
        .map(|(what, bounds)| any_bounds(bounds, |bounds| Atom::Attackers(what, bounds)))
        .parse(input)
}

pub(super) fn line(input: &str) -> Parsed<&str, Place> {
    let line = alt((
        preceded((keyword("file"), blanks), cut(whole_file)),
        preceded((keyword("rank"), blanks), cut(whole_rank)),
    ));
    let level = name(LEVEL, alt((terminated(pin, eof), terminated(board, eof))));
    let level = opt(preceded((blanks, keyword("on"), blanks), cut(level)));
    require((line, level), SAME_BOARD, |(line, level)| match level {
        None => Some(line),
        Some(level) => line.on(level),
    })
    .parse(input)
}

pub(super) fn shade(input: &str) -> Parsed<&str, Place> {
    let shade = alt((
        value(Shade::Light, keyword("light")),
        value(Shade::Dark, keyword("dark")),
    ));
    shade.map(Place::shaded).parse(input)
}

/// All squares of a file.
pub(crate) fn whole_file(input: &str) -> Parsed<&str, Place> {
    let file = |files: &str, name: &str| {
        let file = files.find(name).filter(|_| name.len() == 1)? as u8;
        Some(Departure {
            file: Some(file),
            ..Departure::default()
        })
    };
    let known = |name: &str| {
        let cube = file(CUBE_FILES, &name.to_ascii_lowercase());
        Place::either(file(STAIR_FILES, name), cube)
    };
    let what = "a file: z, a to e on the stair board, a to h on the cube";
    let name = take_while1(|c: char| c.is_alphanumeric() || c == '_');
    expected(what, map_opt(name, known)).parse(input)
}

/// All squares of a rank.
pub(crate) fn whole_rank(input: &str) -> Parsed<&str, Place> {
    let known = |number: u32| {
        let rank = |first: u32, last: u32| {
            let is_there = (first..=last).contains(&number);
            is_there.then(|| Departure {
                rank: Some((number - first) as u8),
                ..Departure::default()
            })
        };
        Place::either(rank(0, 9), rank(1, 8))
    };
    let what = "a rank: 0 to 9 on the stair board, 1 to 8 on the cube";
    expected(what, map_opt(number, known)).parse(input)
}

pub(super) fn count(input: &str) -> Parsed<&str, Node> {
    let place = alt((line, shade, name(PLACE, place)));
    let place = opt(preceded(char('@'), cut(place)));
    let comparison = opt(preceded(blanks, comparison));
    let bounds = require(
        (place, comparison),
        "@ and a place, or a comparison such as >= 2",
        |(place, bounds)| {
            let is_test = place.is_some() || bounds.is_some();
            let bounds = bounds.unwrap_or_else(|| vec![(1, u32::MAX)]);
            is_test.then(|| (place.unwrap_or_else(Place::anywhere), bounds))
        },
    );
    (what, bounds)
        .map(|(what, (place, bounds))| {
            any_bounds(bounds, |bounds| Atom::Count(what, place, bounds))
        })
        .parse(input)
}

pub(super) fn what(input: &str) -> Parsed<&str, What> {
    let known = |letter| match letter {
        'A' => Some(What::Piece(Some(Color::White), None)),
        'a' => Some(What::Piece(Some(Color::Black), None)),
        '*' => Some(What::Piece(None, None)),
        '_' => Some(What::Empty),
        letter => {
            let Piece { color, role } = Piece::from_letter(letter)?;
            Some(What::Piece(Some(color), Some(role)))
        }
    };
    map_opt(anychar, known).parse(input)
}

pub(super) fn comparison_sign(input: &str) -> Parsed<&str, &str> {
    alt((
        tag("!="),
        tag("<="),
        tag(">="),
        tag("="),
        tag("<"),
        tag(">"),
    ))
    .parse(input)
}

/// `comparison`: one or two pairs of bounds for the count. One of them must hold.
pub(super) fn comparison(input: &str) -> Parsed<&str, Vec<(u32, u32)>> {
    let number = expected("a number up to 65535", number);
    (comparison_sign, cut(preceded(blanks, number)))
        .map(|(sign, number): (&str, u32)| {
            // `< 0` never holds: its lower bound is above its upper bound.
            let less = number.checked_sub(1).map_or((1, 0), |most| (0, most));
            let more = (number + 1, u32::MAX);
            match sign {
                "!=" => vec![less, more],
                "<=" => vec![(0, number)],
                ">=" => vec![(number, u32::MAX)],
                "=" => vec![(number, number)],
                "<" => vec![less],
                _ => vec![more],
            }
        })
        .parse(input)
}

/// A name, all of which must match a rule.
fn name<'a, T>(what: &'static str, rule: impl Text<'a, T>) -> impl Text<'a, T> {
    let name = take_while1(|c: char| c.is_alphanumeric() || matches!(c, ',' | '@' | '*'));
    as_one(what, inside(name, rule))
}

/// `place`: the first kind of place that matches the whole name.
pub(crate) fn place(input: &str) -> Parsed<&str, Place> {
    alt((
        terminated(manual_square, eof),
        terminated(meder_square, eof),
        terminated(cube_square, eof),
        terminated(column, eof),
        terminated(pin, eof),
        terminated(board, eof),
    ))
    .parse(input)
}

pub(super) fn manual_square(input: &str) -> Parsed<&str, Place> {
    let level = alt((value(None, char('*')), manual_board.map(Some)));
    let square = (manual_column, char(','), level, eof);
    require(
        square,
        "a column the board can cover",
        |(column, _, level, _)| stair_square(column, level),
    )
    .parse(input)
}

/// A file and a rank in the manual's notation.
fn manual_column(input: &str) -> Parsed<&str, (u8, u8)> {
    let rank = map_opt(digit1, |digits: &str| {
        let rank: u8 = digits.parse().ok()?;
        (1..=10).contains(&rank).then(|| rank - 1)
    });
    (file("abcdef"), rank).parse(input)
}

pub(super) fn meder_square(input: &str) -> Parsed<&str, Place> {
    let level = alt((meder_board, meder_pin.map(Level::Pin)));
    let square = (stair_column, level, eof);
    require(square, "a column the board covers", |(column, level, _)| {
        stair_square(column, Some(level))
    })
    .parse(input)
}

/// The square in a column, if there can be one on the level; without a level, the whole column.
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

pub(super) fn cube_square(input: &str) -> Parsed<&str, Place> {
    (cube_level, cube_column)
        .map(|(level, column)| Place::of(Family::Cube, square(column, Some(level))))
        .parse(input)
}

pub(super) fn column(input: &str) -> Parsed<&str, Place> {
    let on_both = (
        peek(opt(stair_column)),
        peek(opt(cube_column)),
        take(2_usize),
    );
    let spot = |column: Option<_>| column.map(|column| square(column, None));
    map_opt(on_both, |(stair, cube, _)| {
        Place::either(spot(stair), spot(cube))
    })
    .parse(input)
}

/// The square in a column; without a level, the whole column.
pub(crate) fn square((file, rank): (u8, u8), level: Option<Level>) -> Departure {
    Departure {
        file: Some(file),
        rank: Some(rank),
        level,
    }
}

/// A file and a rank in Meder's notation.
fn stair_column(input: &str) -> Parsed<&str, (u8, u8)> {
    (file(STAIR_FILES), rank('0'..='9')).parse(input)
}

/// A file, in either case, and a rank of the cube.
fn cube_column(input: &str) -> Parsed<&str, (u8, u8)> {
    let file = map_opt(anychar, |file| {
        let files = CUBE_FILES.chars();
        position(files, file.to_ascii_lowercase())
    });
    (file, rank('1'..='8')).parse(input)
}

/// The letters of Meder's files.
pub(crate) const STAIR_FILES: &str = "zabcde";
/// The letters of the cube's files. Capitals mean the same.
pub(crate) const CUBE_FILES: &str = "abcdefgh";

/// A letter, converted to its index in `files`.
fn file<'a>(files: &'static str) -> impl Text<'a, u8> {
    map_opt(anychar, |file| position(files.chars(), file))
}

/// A digit, converted to its index in `ranks`.
fn rank<'a>(ranks: RangeInclusive<char>) -> impl Text<'a, u8> {
    map_opt(anychar, move |rank| position(ranks.clone(), rank))
}

fn position(mut all: impl Iterator<Item = char>, one: char) -> Option<u8> {
    all.position(|known| known == one).map(|place| place as u8)
}

pub(crate) fn pin(input: &str) -> Parsed<&str, Place> {
    let by_number = map_opt(
        (wing, char('P'), digit1),
        |(wing, _, digits): (_, _, &str)| Pin::from_manual(wing, digits.parse().ok()?),
    );
    let by_corner = (wing, opt(char('L')), pin_tail);
    alt((
        by_number.map(|pin| Place::pin(pin, true)),
        by_corner
            .map(|(wing, _, (corner, surface))| Place::pin(Pin::new(wing, corner, surface), false)),
    ))
    .parse(input)
}

pub(super) fn meder_pin(input: &str) -> Parsed<&str, Pin> {
    (wing, char('L'), pin_tail)
        .map(|(wing, _, (corner, surface))| Pin::new(wing, corner, surface))
        .parse(input)
}

fn wing(input: &str) -> Parsed<&str, Wing> {
    alt((value(Wing::Queen, char('Q')), value(Wing::King, char('K')))).parse(input)
}

/// Meder's number of a pin, followed by `v` if the pin is below the board.
fn pin_tail(input: &str) -> Parsed<&str, (Corner, Surface)> {
    let corner = map_opt(rank('1'..='6'), |number| Corner::try_new(number + 1));
    let under = value(Surface::Under, char('v'));
    (corner, alt((under, success(Surface::Over)))).parse(input)
}

pub(super) fn board(input: &str) -> Parsed<&str, Place> {
    let stair = alt((manual_board, meder_board));
    alt((
        stair.map(|level| Place::level(Family::Stair, level)),
        cube_level.map(|level| Place::level(Family::Cube, level)),
    ))
    .parse(input)
}

pub(crate) fn attack_board(input: &str) -> Parsed<&str, AttackBoard> {
    let name = |board| value(board, tag(names::manual_board(board)));
    alt(AttackBoard::ALL.map(name)).parse(input)
}

/// A board by its name in the manual.
fn manual_board(input: &str) -> Parsed<&str, Level> {
    let main = |board| value(Level::Main(board), tag(names::manual_main_board(board)));
    alt((
        attack_board.map(Level::Attack),
        alt(MainBoard::ALL.map(main)),
    ))
    .parse(input)
}

/// A fixed board by its letter in Meder's notation.
fn meder_board(input: &str) -> Parsed<&str, Level> {
    let letter = |board| char(char::from(names::meder_board(Locale::English, board)));
    alt(MainBoard::ALL.map(|board| value(Level::Main(board), letter(board)))).parse(input)
}

fn cube_level(input: &str) -> Parsed<&str, Level> {
    rank('1'..='3').map(Level::Cube).parse(input)
}
