//! The ranks of a placement, in all position strings alike: letters of pieces, and counts of empty squares.

use crate::rule::{Parsed, expected, refuse};
use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{char, one_of};
use tridex_geometry::stair::Board;
use tridex_geometry::{Square, cube};

/// The ranks of a board of the stair from the far one, each from the left.
pub(crate) fn board_ranks(board: Board) -> impl Iterator<Item = impl Iterator<Item = Square>> {
    match board {
        Board::Main(main) => ranks(main.squares().first(), 4),
        Board::Attack(attack) => ranks(attack.squares().first(), 2),
    }
}

/// The ranks of a level of the cube from the far one, each from the left.
pub(crate) fn level_ranks(level: u8) -> impl Iterator<Item = impl Iterator<Item = Square>> {
    ranks(cube::try_square(level, 0, 0), 8)
}

/// The ranks of a square board, whose squares are numbered from the near left one, rank by rank.
fn ranks(first: Option<Square>, size: u8) -> impl Iterator<Item = impl Iterator<Item = Square>> {
    let first = first.map_or(u8::MAX, |square| square.index() as u8);
    let starts = (0..size)
        .rev()
        .map(move |rank| first.saturating_add(size * rank));
    starts.map(move |start| (start..start.saturating_add(size)).filter_map(Square::try_new))
}

/// What the programs of others expect in a rank, or in a column.
pub(crate) const FITTING: &str = "a piece letter or a count of empty squares that fits the rank";

/// What is written of a rank: what a square holds, or a count of empty ones.
pub(crate) enum Cell<T> {
    Held(T),
    Empty(u8),
}

pub(crate) fn cell<'a, T>(
    input: &'a str,
    held: impl Fn(&'a str) -> Parsed<&'a str, T>,
) -> Parsed<&'a str, Cell<T>> {
    alt((held.map(Cell::Held), empties.map(Cell::Empty))).parse(input)
}

pub(crate) fn empties(input: &str) -> Parsed<&str, u8> {
    one_of("12345678")
        .map(|digit| digit as u8 - b'0')
        .parse(input)
}

/// Reads the cells of a rank, which is no longer and no shorter than its squares; what is held is put on them.
pub(crate) fn read_rank<'a, T>(
    mut rest: &'a str,
    mut squares: impl Iterator<Item = Square>,
    what: &'static str,
    held: impl Fn(&'a str) -> Parsed<&'a str, T>,
    put: &mut impl FnMut(Square, T),
) -> Parsed<&'a str, ()> {
    while let Some(square) = squares.next() {
        let (after, found) = expected(what, |input| cell(input, &held)).parse(rest)?;
        match found {
            Cell::Held(found) => put(square, found),
            Cell::Empty(count) if (1..count).all(|_| squares.next().is_some()) => {}
            Cell::Empty(_) => return refuse(rest, what),
        }
        rest = after;
    }
    Ok((rest, ()))
}

/// Reads ranks with `/` between.
pub(crate) fn read_ranks<'a, T>(
    mut rest: &'a str,
    ranks: impl Iterator<Item = impl Iterator<Item = Square>>,
    what: &'static str,
    held: impl Fn(&'a str) -> Parsed<&'a str, T>,
    mut put: impl FnMut(Square, T),
) -> Parsed<&'a str, ()> {
    for (number, squares) in ranks.enumerate() {
        if number > 0 {
            (rest, _) = expected("`/` and the next rank", char('/')).parse(rest)?;
        }
        (rest, ()) = read_rank(rest, squares, what, &held, &mut put)?;
    }
    Ok((rest, ()))
}

/// Writes a rank by the letters of what its squares hold.
pub(crate) fn write_rank(
    squares: impl IntoIterator<Item = Square>,
    letter: impl Fn(Square) -> Option<char>,
    out: &mut String,
) {
    let mut empty = 0;
    let push_empty = |empty: &mut u8, out: &mut String| {
        if *empty > 0 {
            out.push(char::from(b'0' + std::mem::take(empty)));
        }
    };
    for square in squares {
        match letter(square) {
            Some(letter) => {
                push_empty(&mut empty, out);
                out.push(letter);
            }
            None => empty += 1,
        }
    }
    push_empty(&mut empty, out);
}

/// Writes ranks with `/` between.
pub(crate) fn write_ranks(
    ranks: impl Iterator<Item = impl Iterator<Item = Square>>,
    letter: impl Fn(Square) -> Option<char>,
    out: &mut String,
) {
    for (number, squares) in ranks.enumerate() {
        if number > 0 {
            out.push('/');
        }
        write_rank(squares, &letter, out);
    }
}
