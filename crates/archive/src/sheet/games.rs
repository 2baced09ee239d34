//! Finds the games of a sheet.

use super::layout::{Column, SheetLayout, Side, number};
use super::rows::{Cell, Row, Rows, after, before, begins_row, line_start};
use crate::cut::Cut;
use crate::lex;
use crate::visit::{BATCH_GAMES, Damage, Limits};

/// A sheet, or a part of one that was cut between games.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'b> {
    pub(crate) bytes: &'b [u8],
    /// Offset of the first byte in its source.
    pub(crate) base: u64,
    pub(crate) layout: &'b SheetLayout,
    pub(crate) limits: &'b Limits,
}

impl SheetLayout {
    /// A part of a sheet with this layout.
    pub(crate) const fn part<'b>(
        &'b self,
        bytes: &'b [u8],
        base: u64,
        limits: &'b Limits,
    ) -> Part<'b> {
        Part {
            bytes,
            base,
            layout: self,
            limits,
        }
    }
}

/// What follows the rows of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    NextGame,
    /// More of the same game, which exceeds the limit.
    TooLong,
    Text,
}

/// The games of a sheet, one after the other.
#[derive(Debug)]
pub(crate) struct Games<'b> {
    pub(super) part: Part<'b>,
    pub(super) rows: Rows<'b>,
    /// Whether the columns are in the order in which their cells are reported.
    is_in_order: bool,
    /// The first row of the next game.
    first: Option<Row>,
    /// Where the next game begins.
    pub(super) end: usize,
    /// The rows of the current game, without empty ones.
    pub(super) game: Vec<Row>,
    /// One of the rows is undamaged.
    pub(super) is_game: bool,
}

impl<'b> Games<'b> {
    pub(crate) fn new(part: Part<'b>) -> Self {
        let mut rows = Rows::new(part.bytes, part.layout.delimiter);
        let header = part.layout.header_end.saturating_sub(part.base);
        rows.pos =
            usize::try_from(header).map_or(part.bytes.len(), |end| end.min(part.bytes.len()));
        Self {
            part,
            rows,
            is_in_order: part.layout.has_blocks()
                || part.layout.columns.is_sorted_by_key(Column::order),
            first: None,
            end: 0,
            game: Vec::new(),
            is_game: false,
        }
    }

    /// Reads the rows of the next game.
    pub(super) fn next(&mut self) -> End {
        self.game.clear();
        self.is_game = false;
        let mut first = self.first.take();
        let cells = first.as_ref().map_or(0, |row| row.cells.len());
        self.rows.cells.drain(..self.rows.cells.len() - cells);
        if let Some(row) = &mut first {
            row.cells = 0..cells;
        }
        let start = first.as_ref().map_or(self.rows.pos, |row| row.start);
        let until = start.saturating_add(self.part.limits.max_game);
        let mut grouping = Grouping::default();
        while let Some(row) = first.take().or_else(|| self.rows.next_row()) {
            let is_repeated =
                row.damage.is_none() && self.part.layout.is_header(self.rows.cells(&row));
            let is_game = row.damage.is_none() && !row.cells.is_empty() && !is_repeated;
            let begins = is_game && grouping.take(self.part.layout, self.rows.cells(&row));
            if begins || row.start > start && row.end > until {
                self.end = row.start;
                self.first = Some(row);
                return if begins { End::NextGame } else { End::TooLong };
            }
            if !is_game && row.damage.is_none() {
                continue;
            }
            self.is_game |= is_game;
            if !self.is_in_order {
                let order = |column: usize| self.part.layout.columns.get(column).map(Column::order);
                let cells = self.rows.cells.get_mut(row.cells.clone());
                cells
                    .unwrap_or_default()
                    .sort_by_key(|cell| order(cell.column));
            }
            self.game.push(row);
        }
        self.end = self.rows.pos;
        End::Text
    }
}

/// Finds the beginnings of games.
#[derive(Debug, Default)]
struct Grouping {
    has_rows: bool,
    game: Vec<u8>,
    /// Whether the last number was greater than that of the first move.
    is_later: bool,
    /// The number of the first half-move: 0 or 1.
    first_ply: Option<u64>,
    has_white: bool,
}

impl Grouping {
    /// Adds a row; true if it begins the next game.
    fn take(&mut self, layout: &SheetLayout, cells: &[Cell<'_>]) -> bool {
        let mut game: &[u8] = &[];
        let mut first = None;
        let mut white = false;
        for cell in cells {
            match layout.columns.get(cell.column) {
                Some(Column::Game) => game = cell.trimmed(),
                // Of blocks side by side, the first has the first number.
                Some(Column::Number) => first = first.or_else(|| is_first(cell.trimmed())),
                Some(Column::Ply) => {
                    let ply = number(cell.trimmed());
                    first = ply.map(|ply| ply <= *self.first_ply.get_or_insert(ply.min(1)));
                }
                Some(Column::Moves(Side::White)) => white = !is_empty(cell.trimmed()),
                _ => {}
            }
        }
        let is_other = !game.is_empty() && game != self.game.as_slice();
        let is_first = game.is_empty() && first == Some(true);
        let is_next = is_first && (self.is_later || (white && self.has_white));
        let begins = self.has_rows && (is_other || is_next || layout.has_game_in_row);
        if begins {
            *self = Self::default();
        }
        self.has_rows = true;
        if is_other {
            self.game = game.to_vec();
        }
        self.is_later = first.map_or(self.is_later, |first| !first);
        self.has_white |= white;
        begins
    }
}

/// Whether the number of a row is 1, if it has one.
fn is_first(cell: &[u8]) -> Option<bool> {
    let number = number(cell).filter(|number| *number > 0);
    number.map(|number| number == 1)
}

/// Whether a cell, trimmed of blanks, has no move.
pub(super) fn is_empty(cell: &[u8]) -> bool {
    let is_blank = |b: &u8| *b == b'.' || lex::is_blank(*b);
    matches!(cell, b"-" | b"\xe2\x80\x93") || cell.iter().all(is_blank)
}

/// The lines of a text that seem to begin a game: rows with the number 1. There are at most as many as a batch may have
/// games. The first line of the text is not among them.
pub(crate) fn candidates(text: &[u8], layout: &SheetLayout) -> Vec<usize> {
    let delimiter = layout.delimiter;
    let Some(is_named) = layout.begins_with_number() else {
        return Vec::new();
    };
    let before = if is_named { delimiter } else { b'\n' };
    let number = [before, b'1', delimiter];
    let ones = memchr::memmem::find_iter(text, &number);
    let mut last = 0;
    ones.map(|at| line_start(text, at + 1))
        .filter(|line| std::mem::replace(&mut last, *line) != *line)
        .filter(|line| begins_row(after(text, *line), delimiter))
        .take(BATCH_GAMES as usize)
        .collect()
}

/// Whether a game certainly begins at the last of the candidates, in a text that begins with a game. That line and the
/// line before it must both be rows. These two rows are enough to decide it: if a column names the games, both of them
/// have the name.
pub(crate) fn is_boundary(part: Part<'_>, candidates: &[usize]) -> bool {
    let Some(line) = candidates.last() else {
        return false;
    };
    let start = line_start(part.bytes, before(part.bytes, *line).trim_ascii_end().len());
    let (rest, base) = (after(part.bytes, start), part.base + start as u64);
    // Nothing after the second line affects the decision, so no more is read.
    let limits = Limits {
        max_game: line - start,
        ..part.limits.clone()
    };
    let rest = part.layout.part(rest, base, &limits);
    if rest.base < part.layout.header_end || !begins_row(rest.bytes, part.layout.delimiter) {
        return false;
    }
    let mut games = Games::new(rest);
    let next = games.next();
    let begins = next == End::NextGame && games.end == line - start;
    begins && !games.rows.seen_end
}

/// Finds the first offset after `target` bytes before which all games are whole, by reading the games. `eof`: no text
/// follows.
pub(crate) fn cut_by_reading(part: Part<'_>, target: usize, eof: bool) -> Option<Cut> {
    let mut games = Games::new(part);
    let mut end = 0;
    for _ in 0..BATCH_GAMES {
        let next = games.next();
        if games.rows.seen_end && !eof {
            break;
        }
        end = games.end;
        if next == End::TooLong {
            let damage = games.is_game.then_some(Damage::TooLong);
            return Some(Cut {
                damage,
                ..Cut::at(end)
            });
        }
        if next == End::Text || end >= target {
            break;
        }
    }
    (end > 0).then_some(Cut::at(end))
}
