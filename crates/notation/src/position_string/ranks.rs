//! The ranks of a placement: piece letters and counts of empty squares. All position strings write them alike.

use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{char, one_of};
use tridex_geometry::stair::Board;
use tridex_geometry::{Square, cube};
use tridex_grammar::{Parsed, Text, each, expected, refuse};
use tridex_rules::Piece;

/// The ranks of a board of the stair, the farthest first, each from left to right.
pub(crate) fn board_ranks(
    board: Board,
) -> impl Iterator<Item = impl Iterator<Item = Square> + Clone> + Clone {
    match board {
        Board::Main(main) => from_far(main.squares().first(), 4),
        Board::Attack(attack) => from_far(attack.squares().first(), 2),
    }
}

/// The ranks of a level of the cube, the farthest first, each from left to right.
pub(crate) fn level_ranks(
    level: u8,
) -> impl Iterator<Item = impl Iterator<Item = Square> + Clone> + Clone {
    from_far(cube::try_square(level, 0, 0), 8)
}

/// The ranks of a square board, the farthest first. Its squares are numbered rank by rank from the near left corner.
fn from_far(
    first: Option<Square>,
    size: u8,
) -> impl Iterator<Item = impl Iterator<Item = Square> + Clone> + Clone {
    let first = first.map_or(u8::MAX, |square| square.index() as u8);
    let starts = (0..size)
        .rev()
        .map(move |rank| first.saturating_add(size * rank));
    starts.map(move |start| (start..start.saturating_add(size)).filter_map(Square::try_new))
}

/// What is expected in a rank, or in a column, of another program's position.
pub(crate) const FITTING: &str = "a piece letter or a count of empty squares that fits the rank";

/// One entry of a rank: the content of a square, or a count of empty squares.
pub(crate) enum Cell<T> {
    Held(T),
    Empty(u8),
}

pub(crate) fn cell<'a, T>(held: impl Text<'a, T>) -> impl Text<'a, Cell<T>> {
    alt((held.map(Cell::Held), empties.map(Cell::Empty)))
}

pub(crate) fn empties(input: &str) -> Parsed<&str, u8> {
    one_of("12345678")
        .map(|digit| digit as u8 - b'0')
        .parse(input)
}

/// The occupied squares and their contents.
pub(crate) type Pieces<T = Piece> = Vec<(Square, T)>;

/// Parses the cells of a rank. Together they must cover exactly the given squares.
pub(crate) fn rank<'a, T>(
    squares: impl Iterator<Item = Square> + Clone,
    what: &'static str,
    held: impl Text<'a, T>,
) -> impl Text<'a, Pieces<T>> {
    let mut cell = expected(what, cell(held));
    move |mut input: &'a str| {
        let (mut squares, mut pieces) = (squares.clone(), Vec::new());
        while let Some(square) = squares.next() {
            let (rest, found) = cell.parse(input)?;
            match found {
                Cell::Held(found) => pieces.push((square, found)),
                Cell::Empty(count) if (1..count).all(|_| squares.next().is_some()) => {}
                Cell::Empty(_) => return refuse(input, what),
            }
            input = rest;
        }
        Ok((input, pieces))
    }
}

/// Parses ranks separated by `/`.
pub(crate) fn ranks<'a, T, S, R: Text<'a, Pieces<T>>>(
    squares: impl Iterator<Item = S> + Clone,
    rank: impl Fn(S) -> R,
) -> impl Text<'a, Pieces<T>> {
    let slash = |input, _: &_| expected("`/` and the next rank", char('/')).parse(input);
    each(squares, slash, move |input, squares, _| {
        rank(squares).parse(input)
    })
    .map(|ranks| ranks.into_iter().flatten().collect())
}

/// Writes a rank; `letter` returns the letter for an occupied square.
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

/// Writes ranks separated by `/`.
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
