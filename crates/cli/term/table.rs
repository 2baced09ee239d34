//! Tables for people: cells below each other, in as many columns as a terminal has.

use crate::term::report::{head, tail};
use crate::term::style::Paint;
use unicode_width::UnicodeWidthStr;

/// Between two cells.
const GAP: usize = 2;

/// How a column gives way where there is too little room. Columns that are not named do not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Yields {
    /// The heading.
    pub(crate) column: &'static str,
    /// The narrowest it may be; none if its cells are not cut.
    pub(crate) least: Option<usize>,
    /// Its cells are cut at the beginning, not at the end.
    pub(crate) keeps_end: bool,
    /// When it goes altogether: the column with the least number first; none if never.
    pub(crate) goes: Option<u8>,
}

/// Makes a table fit: cells are cut, and where that is not enough columns go. The first line is the heading. Returns
/// the headings of the columns that went. Without a width everything stays.
pub(crate) fn fit(
    lines: &mut [Vec<String>],
    width: Option<usize>,
    yields: &[Yields],
) -> Vec<&'static str> {
    let Some(width) = width else {
        return Vec::new();
    };
    let mut order: Vec<&Yields> = yields.iter().filter(|way| way.goes.is_some()).collect();
    order.sort_by_key(|way| way.goes);
    let mut order = order.into_iter();
    let mut gone = Vec::new();
    while !cut(lines, width, yields) {
        let Some(next) = order.next() else {
            break;
        };
        let Some(at) = place(lines, next.column) else {
            continue;
        };
        for line in lines.iter_mut().filter(|line| at < line.len()) {
            line.remove(at);
        }
        gone.push(next.column);
    }
    gone
}

fn place(lines: &[Vec<String>], column: &str) -> Option<usize> {
    let heading = lines.first()?;
    heading.iter().position(|name| name == column)
}

fn widths(lines: &[Vec<String>]) -> Vec<usize> {
    let columns = lines.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| cell.width()).max().unwrap_or(0)
    };
    (0..columns).map(width).collect()
}

/// Cuts cells, the widest columns first, until the table fits. Returns false, with nothing cut, if that is impossible.
fn cut(lines: &mut [Vec<String>], width: usize, yields: &[Yields]) -> bool {
    let mut widths = widths(lines);
    let total =
        |widths: &[usize]| widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
    let ways: Vec<(usize, usize, bool)> = yields
        .iter()
        .filter_map(|way| Some((place(lines, way.column)?, way.least?, way.keeps_end)))
        .collect();
    while total(&widths) > width {
        let widest = ways
            .iter()
            .filter_map(|(at, least, _)| widths.get(*at).map(|now| (*now, *at, *least)))
            .filter(|(now, _, least)| now > least)
            .max();
        match widest.and_then(|(_, at, _)| widths.get_mut(at)) {
            Some(width) => *width -= 1,
            None => return false,
        }
    }
    for (at, _, keeps_end) in ways {
        let Some(most) = widths.get(at).copied() else {
            continue;
        };
        for cell in lines.iter_mut().filter_map(|line| line.get_mut(at)) {
            if cell.width() > most {
                *cell = match keeps_end {
                    true => format!("…{}", tail(cell, most.saturating_sub(1))),
                    false => format!("{}…", head(cell, most.saturating_sub(1))),
                };
            }
        }
    }
    true
}

/// Puts cells below each other, the first line being the heading.
pub(crate) fn align(lines: &[Vec<String>], paint: Paint, text: &mut String) {
    let widths = widths(lines);
    // Columns of numbers are aligned to the right.
    let is_number = |column: usize| {
        let mut cells = lines.iter().skip(1).filter_map(|line| line.get(column));
        cells.all(|cell| {
            let number = cell.trim_end_matches(['v', '%', '-']);
            number.split('.').count() < 3 && number.chars().all(|c| c.is_ascii_digit() || c == '.')
        })
    };
    let right: Vec<bool> = (0..widths.len()).map(is_number).collect();
    for (i, line) in lines.iter().enumerate() {
        let mut shown = String::new();
        for ((cell, width), right) in line.iter().zip(&widths).zip(&right) {
            let gap = " ".repeat(width - cell.width());
            if !shown.is_empty() {
                shown.push_str(&" ".repeat(GAP));
            }
            if *right {
                shown.push_str(&gap);
                shown.push_str(cell);
            } else {
                shown.push_str(cell);
                shown.push_str(&gap);
            }
        }
        let shown = shown.trim_end();
        text.push_str(&if i == 0 {
            paint.bold(shown)
        } else {
            shown.to_owned()
        });
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WAYS: [Yields; 3] = [
        Yields {
            column: "name",
            least: Some(6),
            keeps_end: false,
            goes: None,
        },
        Yields {
            column: "file",
            least: Some(6),
            keeps_end: true,
            goes: None,
        },
        Yields {
            column: "plies",
            least: None,
            keeps_end: false,
            goes: Some(1),
        },
    ];

    fn table() -> Vec<Vec<String>> {
        let line = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        vec![
            line(["name", "plies", "file"]),
            line(["Čapkovič, Žofie", "12345", "corpus/games/meder.pgn:14"]),
            line(["Bo", "7", "a.pgn:1"]),
        ]
    }

    fn drawn(width: Option<usize>) -> (Vec<&'static str>, String) {
        let mut lines = table();
        let gone = fit(&mut lines, width, &WAYS);
        let mut text = String::new();
        align(&lines, Paint::none(), &mut text);
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
        // Too narrow for anything: all that may go has gone, and nothing is cut in half.
        let (gone, text) = drawn(Some(3));
        assert_eq!(gone, ["plies"]);
        assert_eq!(text.lines().next(), Some("name             file"));
    }
}
