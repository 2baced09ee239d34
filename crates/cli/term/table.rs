//! Tables for people, fitted to the width of the terminal.
//!
//! Written here because, on a narrow terminal, columns are cut at either end or dropped by rank. `comfy-table` and
//! `tabled` wrap or cut cells instead.

use crate::term::report::{head, tail};
use crate::term::terminal::Paint;
use tridex_text::printable;
use unicode_width::UnicodeWidthStr;

/// The number of blanks between two cells.
const GAP: usize = 2;

/// A column of a table, and how to narrow or drop it if there is too little room.
pub(crate) struct Column {
    pub(crate) heading: &'static str,
    /// The heading and the cells.
    cells: Vec<String>,
    /// The least width to which cells may be cut; `None` if they are never cut.
    least: Option<usize>,
    /// Whether cells are cut at the beginning instead of the end.
    keeps_end: bool,
    /// When the column is dropped: the one with the lowest number first; `None` if never.
    goes: Option<u8>,
    /// Whether all cells are numbers, which are aligned to the right.
    is_number: bool,
}

/// A column with a cell for each row, in printable form. It is neither cut nor dropped.
pub(crate) fn column<R>(heading: &'static str, rows: &[R], cell: impl Fn(&R) -> String) -> Column {
    let cells = rows.iter().map(|row| printable(&cell(row)).into_owned());
    let mut cells: Vec<String> = cells.collect();
    let is_number = cells.iter().all(|cell| is_number(cell));
    cells.insert(0, heading.to_owned());
    Column {
        heading,
        cells,
        is_number,
        least: None,
        keeps_end: false,
        goes: None,
    }
}

impl Column {
    /// Allows its cells to be cut at the end, down to a width.
    pub(crate) fn cut(mut self, least: usize) -> Self {
        self.least = Some(least);
        self
    }

    /// Allows its cells to be cut at the beginning, down to a width.
    pub(crate) fn cut_before(mut self, least: usize) -> Self {
        self.keeps_end = true;
        self.cut(least)
    }

    /// Allows the column to be dropped in its turn, if cutting is not enough.
    pub(crate) fn goes(mut self, turn: u8) -> Self {
        self.goes = Some(turn);
        self
    }

    /// A cell, cut or padded to a width.
    fn shown(&self, line: usize, width: usize) -> String {
        let cell = self.cells.get(line).map_or("", String::as_str);
        let cell = match cell.width() <= width {
            true => cell.to_owned(),
            false if self.keeps_end => format!("…{}", tail(cell, width.saturating_sub(1))),
            false => format!("{}…", head(cell, width.saturating_sub(1))),
        };
        let gap = " ".repeat(width.saturating_sub(cell.width()));
        match self.is_number {
            true => gap + &cell,
            false => cell + &gap,
        }
    }

    /// The width of its widest cell.
    fn width(&self) -> usize {
        let widths = self.cells.iter().map(|cell| cell.width());
        widths.max().unwrap_or(0)
    }
}

/// Draws a table at the end of a text, and returns the headings of the columns that were dropped. Without a width,
/// nothing is cut or dropped.
pub(crate) fn draw(
    mut columns: Vec<Column>,
    width: Option<usize>,
    paint: Paint,
    text: &mut String,
) -> Vec<&'static str> {
    let mut gone = Vec::new();
    let widths = loop {
        let turns = columns.iter().enumerate();
        let turns = turns.filter_map(|(at, column)| Some((column.goes?, at)));
        match (cut(&columns, width.unwrap_or(usize::MAX)), turns.min()) {
            (Some(widths), _) => break widths,
            (None, Some((_, at))) => gone.push(columns.remove(at).heading),
            (None, None) => break columns.iter().map(Column::width).collect(),
        }
    };
    let lines = columns.iter().map(|column| column.cells.len()).max();
    for line in 0..lines.unwrap_or(0) {
        let cells = columns.iter().zip(&widths);
        let cells = cells.map(|(column, width)| column.shown(line, *width));
        let cells: Vec<String> = cells.collect();
        let shown = cells.join(&" ".repeat(GAP));
        let shown = shown.trim_end();
        match line {
            0 => text.push_str(&paint.bold(shown)),
            _ => text.push_str(shown),
        }
        text.push('\n');
    }
    gone
}

/// Formats a share between 0 and 1 as a percentage, or `-` if there is none.
pub(crate) fn percent(share: Option<f64>) -> String {
    let percent = share.map(|share| format!("{:.1}%", share * 100.0));
    percent.unwrap_or_else(|| "-".to_owned())
}

fn is_number(cell: &str) -> bool {
    let number = cell.trim_end_matches(['v', '%', '-']);
    number.split('.').count() < 3 && number.chars().all(|c| c.is_ascii_digit() || c == '.')
}

/// The widths of columns after the widest have been cut until the table fits; `None` if that is impossible.
fn cut(columns: &[Column], room: usize) -> Option<Vec<usize>> {
    let mut widths: Vec<usize> = columns.iter().map(Column::width).collect();
    let gaps = GAP * columns.len().saturating_sub(1);
    while widths.iter().sum::<usize>() + gaps > room {
        let ways = widths.iter_mut().zip(columns);
        let ways = ways.filter(|(width, column)| column.least.is_some_and(|least| **width > least));
        *ways.map(|(width, _)| width).max_by_key(|width| **width)? -= 1;
    }
    Some(widths)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(width: Option<usize>) -> (Vec<&'static str>, String) {
        let rows = [
            ["Čapkovič, Žofie", "12345", "corpus/games/meder.pgn:14"],
            ["Bo", "7", "a.pgn:1"],
        ];
        let columns = vec![
            column("name", &rows, |row| row[0].to_owned()).cut(6),
            column("plies", &rows, |row| row[1].to_owned()).goes(1),
            column("file", &rows, |row| row[2].to_owned()).cut_before(6),
        ];
        let mut text = String::new();
        let gone = draw(columns, width, Paint::none(), &mut text);
        (gone, text)
    }

    #[test]
    fn a_table_gives_way_to_the_width_and_no_further() {
        let (gone, whole) = drawn(None);
        assert!(gone.is_empty());
        let full = whole.lines().map(UnicodeWidthStr::width).max().unwrap();
        assert_eq!(full, 15 + 2 + 5 + 2 + 25);
        for width in 21..=60 {
            let (gone, text) = drawn(Some(width));
            let widest = text.lines().map(UnicodeWidthStr::width).max().unwrap();
            assert!(widest <= width.max(14), "{width}: {text}");
            assert!(widest >= width.min(full) - 1, "{width}: {text}");
            assert_eq!(gone.is_empty(), text.contains("plies"));
            assert_eq!(text == whole, width >= full);
        }
        let (gone, text) = drawn(Some(21));
        assert!(gone.is_empty());
        let expected = "name    plies  file\nČapko…  12345  …gn:14\nBo          7  …pgn:1\n";
        assert_eq!(text, expected);
        // Too narrow for anything: all columns that may be dropped are gone, and no cell is cut.
        let (gone, text) = drawn(Some(3));
        assert_eq!(gone, ["plies"]);
        assert_eq!(text.lines().next(), Some("name             file"));
    }
}
