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

/// The order of the numbers, as indices, if they are those of columns side by side that were read row by row; `end` is the
/// number of plies of the main line.
///
/// The evidence has to be complete: each row has the number of the row before plus one in every column, read column by
/// column the numbers have no gap, and every number has two moves, up to the last ones that were played.
pub(super) fn by_column(numbers: &[Numbered], end: i64) -> Option<Vec<usize>> {
    let first = numbers.first()?.half;
    let rows = numbers.get(1)?.half.checked_sub(first)? as usize / 2;
    let columns = numbers.len().div_ceil(rows.max(1));
    if rows < 2 || !(2..=MOST_COLUMNS).contains(&columns) {
        return None;
    }
    let mut order = vec![usize::MAX; numbers.len()];
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| column * rows + row));
    let cells = cells.filter(|cell| *cell < numbers.len());
    for (index, (cell, number)) in cells.zip(numbers).enumerate() {
        if u64::from(number.half) != u64::from(first) + 2 * cell as u64 || number.half % 2 > 0 {
            return None;
        }
        order[cell] = index;
    }
    let plies = |index: usize| {
        let next = numbers.get(index + 1).map_or(end, |next| next.plies);
        next - numbers[index].plies
    };
    let mut played = order.iter().map(|index| plies(*index));
    let last = played.by_ref().find(|plies| *plies != 2);
    let is_whole = last.is_none_or(|last| last < 2) && played.all(|plies| plies == 0);
    is_whole.then_some(order)
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
            // The second page.
            (
                "11 a4W d6N 13 d4W b6B\n12 0-0 0-0 14 Ba2W a5N\n",
                "a4W d6N 0-0 0-0 d4W b6B Ba2W a5N",
            ),
        ] {
            assert_eq!(moves(text), (expected.to_owned(), true), "{text}");
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
