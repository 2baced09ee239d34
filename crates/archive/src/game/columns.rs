//! Columns of moves side by side, as most printed score sheets have them, when they were copied row by row:
//! `1 a4W d6N 4 Ba2W a5N`, `2 0-0 0-0 5 Bc4N a7B`. The move numbers show the order.

/// A move number of the main line, and where its moves begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbered {
    /// The number in half moves: two for each move, and one more for Black's.
    pub(super) half: u32,
    /// How many plies of the main line are before it.
    pub(super) plies: i64,
    /// How many events are before it.
    pub(super) events: usize,
    /// Its offset in the source.
    pub(super) at: u64,
}

/// The most columns of a sheet.
const MOST_COLUMNS: usize = 8;

/// At most one number in seven may have a single move.
const ENOUGH: usize = 7;

/// The order of the numbers, as indices, if they are those of columns side by side that were read row by row; `end` is the
/// number of plies of the main line. A sheet may have several pages with columns.
///
/// The evidence has to be complete: on each page each row has the number of the row before plus one in every column, read
/// column by column the numbers have no gap, and every number has two moves, up to the last ones that were played. On a sheet
/// with many numbers, a move may be missing here and there.
pub(super) fn by_column(numbers: &[Numbered], end: i64) -> Option<Vec<usize>> {
    let first = numbers.first()?.half;
    let mut order = Vec::with_capacity(numbers.len());
    let mut expected = first;
    while let Some(rest) = numbers.get(order.len()..).filter(|rest| !rest.is_empty()) {
        let page = page(rest, expected)?;
        let from = order.len();
        expected += 2 * page.len() as u32;
        order.extend(page.into_iter().map(|index| from + index));
    }
    let plies = |index: usize| {
        let next = numbers.get(index + 1).map_or(end, |next| next.plies);
        next - numbers[index].plies
    };
    let played: Vec<i64> = order.iter().map(|index| plies(*index)).collect();
    let last = played.iter().rposition(|plies| *plies > 0)?;
    let (last, before) = played.get(..=last)?.split_last()?;
    let missing = before.iter().filter(|plies| **plies == 1).count();
    let is_whole = *last <= 2
        && before.iter().all(|plies| (1..=2).contains(plies))
        && missing * ENOUGH <= before.len();
    let is_in_order = order.windows(2).all(|pair| pair[0] < pair[1]);
    (is_whole && !is_in_order).then_some(order)
}

/// The order of the numbers of the first page, which begins with the number `first`. Only the last page may have columns
/// that are not full.
fn page(numbers: &[Numbered], first: u32) -> Option<Vec<usize>> {
    let half = |index: usize| numbers.get(index).map(|number| number.half);
    if half(0) != Some(first) || !first.is_multiple_of(2) {
        return None;
    }
    let rows = match half(1) {
        Some(second) => second.checked_sub(first)? as usize / 2,
        None => 1,
    };
    // The second row begins with the second number.
    let columns = (1..=MOST_COLUMNS).find(|column| half(*column) == Some(first + 2));
    let columns = match (rows, columns) {
        (1, _) => 1,
        (2.., Some(columns @ 2..)) => columns,
        _ => return None,
    };
    // The first column is full.
    let count = match rows <= numbers.len() {
        true => numbers.len().min(rows * columns),
        false => return None,
    };
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| column * rows + row));
    let cells = cells.filter(|cell| *cell < count);
    let mut order = vec![usize::MAX; count];
    for (index, (number, cell)) in numbers.iter().zip(cells).enumerate() {
        if u64::from(number.half) != u64::from(first) + 2 * cell as u64 {
            return None;
        }
        *order.get_mut(cell)? = index;
    }
    Some(order)
}

#[cfg(test)]
mod tests {
    use crate::game::{Numbering, collect};
    use crate::{Limits, Unusual, pgn};

    fn moves(text: &str) -> (String, bool) {
        let games = collect(|v| pgn::read_games(text.as_bytes(), 0, &Limits::default(), v));
        let [game] = games.as_slice() else {
            panic!("{} games", games.len());
        };
        let moves: Vec<_> = game
            .main_line()
            .map(|(text, _)| text.into_owned())
            .collect();
        let mut unusual = game.unusual.iter();
        let is_reported = unusual.any(|(what, ..)| *what == Unusual::Columns);
        assert!(
            !is_reported
                || game.numbers.numbering() == Numbering::Sound && game.numbers.wrong.is_empty()
        );
        (moves.join(" "), is_reported)
    }

    #[test]
    fn columns_are_read_one_after_the_other() {
        for (text, expected) in [
            (
                "1 a4W d6N 3 d4W b6B\n2 0-0 0-0 4 Ba2W a5N\n",
                "a4W d6N 0-0 0-0 d4W b6B Ba2W a5N",
            ),
            // Three columns, full stops, the last column shorter and its last move White's.
            (
                "1. a4W d6N 3. d4W b6B 5. Bc4N\n2. 0-0 0-0 4. Ba2W a5N\n",
                "a4W d6N 0-0 0-0 d4W b6B Ba2W a5N Bc4N",
            ),
            // Printed numbers without moves.
            ("1. a4W d6N 3. d4W\n2. 0-0 0-0 4.\n", "a4W d6N 0-0 0-0 d4W"),
            // Two pages.
            (
                "1 a4W d6N 3 d4W b6B\n2 0-0 0-0 4 Ba2W a5N\n\n5 Bc4N a7B 7 a4N a5B\n6 a3N a4N 8 b4N\n",
                "a4W d6N 0-0 0-0 d4W b6B Ba2W a5N Bc4N a7B a3N a4N a4N a5B b4N",
            ),
            // The second page has one column.
            (
                "1 a4W d6N 3 d4W b6B\n2 0-0 0-0 4 Ba2W a5N\n\n5 Bc4N a7B\n6 a3N a4N\n",
                "a4W d6N 0-0 0-0 d4W b6B Ba2W a5N Bc4N a7B a3N a4N",
            ),
            // Only the second page.
            (
                "11 a4W d6N 13 d4W b6B\n12 0-0 0-0 14 Ba2W a5N\n",
                "a4W d6N 0-0 0-0 d4W b6B Ba2W a5N",
            ),
        ] {
            assert_eq!(moves(text), (expected.to_owned(), true), "{text}");
        }
    }

    #[test]
    fn a_missing_move_does_not_hide_the_columns() {
        let row =
            |number: u32, second: &str| format!("{number}. a4W d6N {}. {second}\n", number + 8);
        for missing in 1..8 {
            let second = |number| if number == missing { "d4W" } else { "d4W b6B" };
            let text: String = (1..=8).map(|number| row(number, second(number))).collect();
            let games = collect(|v| pgn::read_games(text.as_bytes(), 0, &Limits::default(), v));
            let numbers = &games[0].numbers;
            let Numbering::Gap(gap) = numbers.numbering() else {
                panic!("{text}: {numbers:?}");
            };
            // The number after it comes too early.
            let (plies, found) = (16 + 2 * i64::from(missing) - 1, 2 * i64::from(missing + 9));
            assert_eq!((gap.plies, gap.found), (plies, found), "{text}");
            assert_eq!(numbers.wrong.len(), 1, "{text}");
        }
    }

    #[test]
    fn other_numbers_are_read_as_they_come() {
        for text in [
            // Only one row; a number twice; a gap; a move missing; Black's number.
            "1 a4W d6N 2 0-0 0-0\n",
            "1 a4W d6N 3 d4W b6B\n",
            "1 a4W d6N 3 d4W b6B\n2 0-0 0-0 3 Ba2W a5N\n",
            "1 a4W d6N 3 d4W b6B\n2 0-0 0-0 5 Ba2W a5N\n",
            "1 a4W d6N 3 d4W\n2 0-0 0-0 4 Ba2W a5N\n",
            "1 a4W d6N 3... d4W b6B\n2 0-0 0-0 4 Ba2W a5N\n",
            "1. a4W d6N 1. d4W b6B\n",
        ] {
            assert!(!moves(text).1, "{text}");
        }
    }

    #[test]
    fn what_belongs_to_a_move_goes_with_it() {
        let text = "1. a4W {first} d6N 3. d4W b6B (3... a5N)\n2. 0-0 0-0! 4. Ba2W a5N {last} 1-0\n";
        let games = collect(|v| pgn::read_games(text.as_bytes(), 0, &Limits::default(), v));
        assert_eq!(
            crate::write::movetext(&games[0]),
            "1. a4W {first} 1... d6N 2. 0-0 0-0! 3. d4W b6B (3... a5N) 4. Ba2W a5N {last}"
        );
    }
}
