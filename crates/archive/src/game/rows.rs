//! Rows of moves one above the other, as some printed score sheets have them: a row of White's moves, and below it a row of
//! Black's. Labels (`White: a4W 0-0`) or a row of numbers above the two show the layout.

use super::columns::Numbered;
use crate::lex;
use crate::words;

/// A line of a record that has moves of the main line.
pub(super) struct MoveLine<'b> {
    /// The text before its first move.
    pub(super) label: &'b [u8],
    /// The text from its first move on.
    pub(super) text: &'b [u8],
    /// The offset of its first move.
    pub(super) at: u64,
    /// The number of its moves.
    pub(super) moves: usize,
}

/// The fewest numbers in a row above moves that show the layout. Two numbers may also be a column of numbers that was
/// copied before the moves.
const FEWEST: usize = 3;

/// The order of the moves of the main line, as indices, if the numbers of White's moves are followed by the same numbers
/// with Black's, as in `White: 1. a4W 2. 0-0` above `Black: 1. d6N 2. 0-0`.
pub(super) fn by_numbers(numbers: &[Numbered], plies: i64) -> Option<Vec<usize>> {
    let plies = usize::try_from(plies).ok()?;
    let white = plies.div_ceil(2);
    if plies < 2 * FEWEST || numbers.len() != plies {
        return None;
    }
    let is_expected = |(index, number): (usize, &Numbered)| {
        let (row, is_black) = match index.checked_sub(white) {
            Some(row) => (row, true),
            None => (index, false),
        };
        let first = 2 * (row as u32 + 1);
        number.plies == index as i64
            && (number.half == first || is_black && number.half == first + 1)
    };
    let is_whole = numbers.iter().enumerate().all(is_expected);
    let order = (0..white).flat_map(|row| [row, white + row]);
    is_whole.then(|| order.filter(|index| *index < plies).collect())
}

/// The order of the moves of the main line, as indices, if the lines are in turns White's and Black's. `groups` are the
/// rows of numbers: how many numbers each has, and how many plies are before it.
///
/// The evidence has to be complete: White's row and Black's have the same number of moves, except that Black's last one
/// may be missing at the end of the game.
pub(super) fn by_side(
    lines: &[MoveLine<'_>],
    groups: Option<Vec<(usize, i64)>>,
    plies: i64,
) -> Option<Vec<usize>> {
    let groups = groups?;
    let pairs = match groups.as_slice() {
        [] => labelled(lines)?,
        groups => numbered(lines, groups, usize::try_from(plies).ok()?)?,
    };
    let mut order = Vec::new();
    let mut from = 0;
    for (index, (white, black)) in pairs.iter().enumerate() {
        let is_last = index + 1 == pairs.len();
        if white != black && !(is_last && *white == black + 1) {
            return None;
        }
        for column in 0..*white {
            order.push(from + column);
            order.extend(Some(from + white + column).filter(|_| column < *black));
        }
        from += white + black;
    }
    let is_in_order = order.windows(2).all(|pair| pair[0] < pair[1]);
    (!is_in_order && order.len() as i64 == plies).then_some(order)
}

/// The numbers of White's and Black's moves in each pair of rows, by the labels before them. A line without a label
/// continues the row before.
fn labelled(lines: &[MoveLine<'_>]) -> Option<Vec<(usize, usize)>> {
    let mut rows: Vec<(&str, usize)> = Vec::new();
    for line in lines {
        let is_loose = |b: &u8| b.is_ascii_whitespace() || b":|-.=>*#,;\"".contains(b);
        let from = line.label.iter().position(|b| !is_loose(b));
        let to = line.label.iter().rposition(|b| !is_loose(b));
        let word = from
            .zip(to)
            .and_then(|(from, to)| line.label.get(from..=to));
        match (word, rows.last_mut()) {
            (None, Some((_, moves))) => *moves += line.moves,
            (word, last) => {
                let (side, _) = words::labelled_side(&lex::decode(word?))?;
                let is_expected = match last {
                    Some((before, _)) => *before != side,
                    None => side == "White",
                };
                rows.push(is_expected.then_some((side, line.moves))?);
            }
        }
    }
    let pairs = rows.chunks(2).map(|pair| {
        let black = pair.get(1).map_or(0, |(_, moves)| *moves);
        (pair[0].1, black)
    });
    (rows.len() >= 2).then(|| pairs.collect())
}

/// The same by the rows of numbers above each pair of rows. The moves may also be in a column each, one move a line.
fn numbered(
    lines: &[MoveLine<'_>],
    groups: &[(usize, i64)],
    plies: usize,
) -> Option<Vec<(usize, usize)>> {
    let mut lines = lines.iter().map(|line| line.moves).peekable();
    let mut pairs = Vec::new();
    for (index, (count, from)) in groups.iter().enumerate() {
        let next = groups.get(index + 1);
        let to = next.map_or(Some(plies), |(_, from)| usize::try_from(*from).ok())?;
        let moves = to.checked_sub(usize::try_from(*from).ok()?)?;
        let (white, black) = (moves.div_ceil(2), moves / 2);
        let is_last = next.is_none();
        if white > *count || !is_last && moves != 2 * count || white < FEWEST && index == 0 {
            return None;
        }
        let mut row = |expected: usize| {
            let first = lines.next()?;
            let mut found = first;
            while first == 1 && found < expected {
                found += lines.next_if_eq(&1)?;
            }
            (found == expected).then_some(())
        };
        row(white)?;
        if black > 0 {
            row(black)?;
        }
        pairs.push((white, black));
    }
    lines.peek().is_none().then_some(pairs)
}

#[cfg(test)]
mod tests {
    use crate::game::{Game, GameBuilder};
    use crate::{Limits, Unusual, pgn};

    fn read(text: &str) -> Vec<Game<'_>> {
        let mut builder = GameBuilder::new(text.as_bytes(), 0, |_, _, _| false);
        pgn::read_games(text.as_bytes(), 0, &Limits::default(), &mut builder);
        builder.finish().0
    }

    fn moves(text: &str) -> (String, bool) {
        let games = read(text);
        let [game] = games.as_slice() else {
            panic!("{} games", games.len());
        };
        let moves: Vec<_> = game
            .main_line()
            .map(|(text, _)| text.into_owned())
            .collect();
        let mut unusual = game.unusual.iter();
        let is_reported = unusual.any(|(what, ..)| *what == Unusual::Rows);
        assert!(!is_reported || game.numbers.wrong.is_empty());
        (moves.join(" "), is_reported)
    }

    #[test]
    fn rows_are_read_in_turns() {
        for text in [
            "White: a4W 0-0 d4W\nBlack: d6N 0-0 b6B\n",
            "W: a4W 0-0 d4W\nB: d6N 0-0 b6B\n",
            "White | a4W | 0-0 | d4W\nBlack | d6N | 0-0 | b6B\n",
            "White a4W 0-0 d4W\nBlack d6N 0-0 b6B\n",
            "White: a4W 0-0\nBlack: d6N 0-0\n\nWhite: d4W\nBlack: b6B\n",
            "White: a4W 0-0\n d4W\nBlack: d6N 0-0\n b6B\n",
            "1 2 3\na4W 0-0 d4W\nd6N 0-0 b6B\n",
            "1. 2. 3.\na4W 0-0 d4W\nd6N 0-0 b6B\n",
            "1 2 3 4 5\na4W 0-0 d4W\nd6N 0-0 b6B\n",
            "1\n2\n3\na4W\n0-0\nd4W\nd6N\n0-0\nb6B\n",
            "      1   2   3\nWhite a4W 0-0 d4W\nBlack d6N 0-0 b6B\n",
            "White (Ann): a4W 0-0 d4W\nBlack (Bob): d6N 0-0 b6B\n",
            "W - Ann Berger: a4W, 0-0, d4W\nB - Bob: d6N, 0-0, b6B\n",
            "Weiß Ann: a4W 0-0 d4W\nSchwarz Bob: d6N 0-0 b6B\n",
            "Ann (White): a4W 0-0 d4W\nBob (Black): d6N 0-0 b6B\n",
            "White (Ann):\na4W 0-0 d4W\nBlack (Bob):\nd6N 0-0 b6B\n",
            "White: Ann\na4W 0-0 d4W\nBlack: Bob\nd6N 0-0 b6B\n",
            "White: 1. a4W 2. 0-0 3. d4W\nBlack: 1. d6N 2. 0-0 3. b6B\n",
            "White (Ann): 1. a4W 2. 0-0 3. d4W\nBlack (Bob): 1... d6N 2... 0-0 3... b6B\n",
        ] {
            assert_eq!(
                moves(text),
                ("a4W d6N 0-0 0-0 d4W b6B".to_owned(), true),
                "{text}"
            );
        }
        let text = "1 2 3\na4W 0-0 d4W\nd6N 0-0 b6B\n4 5\nBa2W Bc4N\na5N\n";
        let all = "a4W d6N 0-0 0-0 d4W b6B Ba2W a5N Bc4N";
        assert_eq!(moves(text), (all.to_owned(), true));
    }

    #[test]
    fn other_lines_are_read_as_they_come() {
        for text in [
            "1\n2\n3\na4W d6N\n0-0 0-0\nd4W b6B\n",
            "1 2\na4W d6N\n0-0 0-0\n",
            "a4W d6N 0-0\n0-0 d4W b6B\n",
            "White: a4W\nBlack: d6N\nWhite: 0-0\nBlack: 0-0\n",
            "White: a4W d6N 0-0 0-0 d4W b6B\n",
            "1 2 3 a4W d6N 0-0 0-0 d4W b6B\n",
        ] {
            assert!(!moves(text).1, "{text}");
        }
    }

    #[test]
    fn labels_name_the_players() {
        for (text, names) in [
            (
                "White (Ann): a4W 0-0\nBlack (Bob): d6N 0-0\n",
                ["Ann", "Bob"],
            ),
            (
                "W - Ann Berger: a4W 0-0\nB - Bob: d6N 0-0\n",
                ["Ann Berger", "Bob"],
            ),
            (
                "White (Ann Berger, 1850): a4W 0-0\nBlack (Bob): d6N 0-0\n",
                ["Ann Berger", "Bob"],
            ),
            (
                "Ann (White):\na4W 0-0\nBob (Black):\nd6N 0-0\n",
                ["Ann", "Bob"],
            ),
            ("White: Ann\na4W 0-0\nBlack: Bob\nd6N 0-0\n", ["Ann", "Bob"]),
        ] {
            let games = read(text);
            let tags = ["White", "Black"].map(|name| games[0].tag(name).unwrap_or_default());
            assert_eq!(tags, names, "{text}");
            assert_eq!(games[0].main_line().count(), 4, "{text}");
        }
        // These are no names.
        for text in ["White to move: a4W\n", "White: a4W 0-0\nBlack: d6N 0-0\n"] {
            assert_eq!(read(text)[0].tag("White"), None, "{text}");
        }
    }

    #[test]
    fn what_belongs_to_a_move_goes_with_it() {
        let text = "White: a4W {first} 0-0 (0-0-0)\nBlack: d6N! 0-0 {last}\n";
        let games = read(text);
        assert_eq!(
            crate::write::movetext(&games[0]),
            "1. a4W {first} 1... d6N! 2. 0-0 (2. 0-0-0) 2... 0-0 {last}"
        );
    }
}
