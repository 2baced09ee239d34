//! Where the games of a sheet begin.

use super::layout::{Column, SheetLayout, Side, number};
use super::rows::{Cell, PlainRow, Row, Rows, after, before, begins_row, line_start};
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
    /// See [`SheetLayout::plain`].
    pub(super) plain: Option<(bool, Vec<u8>)>,
    /// The first row of the next game.
    first: Option<Row>,
    /// Where the next game begins.
    pub(super) end: usize,
    /// The rows of the current game that were read cell by cell, without empty ones, and the others, which follow them.
    pub(super) game: Vec<Row>,
    pub(super) plain_rows: Vec<PlainRow<'b>>,
    /// One of the rows is undamaged.
    pub(super) is_game: bool,
}

impl<'b> Games<'b> {
    pub(crate) fn new(part: Part<'b>) -> Self {
        let mut rows = Rows::new(part.bytes, part.layout.delimiter);
        let header_end = part.layout.header_end;
        while part.base + (rows.pos as u64) < header_end && rows.next_row().is_some() {}
        Self {
            part,
            rows,
            plain: part.layout.plain(),
            first: None,
            end: 0,
            game: Vec::new(),
            plain_rows: Vec::new(),
            is_game: false,
        }
    }

    /// Reads the rows of the next game.
    pub(super) fn next(&mut self) -> End {
        self.game.clear();
        self.plain_rows.clear();
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
        let mut name = Vec::new();
        while let Some(mut row) = first.take().or_else(|| self.rows.next_row()) {
            let is_game = row.damage.is_none() && !row.cells.is_empty();
            let begins = is_game && grouping.take(self.part.layout, self.rows.cells(&row));
            if begins || row.start > start && row.end > until {
                self.end = row.start;
                self.first = Some(row);
                return if begins { End::NextGame } else { End::TooLong };
            }
            if !is_game && row.damage.is_none() {
                continue;
            }
            if let Some((is_named, tail)) = self.plain.as_ref().filter(|_| is_game) {
                if *is_named && !self.is_game {
                    name = [&grouping.game[..], &[self.part.layout.delimiter]].concat();
                }
                while let Some(plain) = self.rows.next_plain((&name, tail), until) {
                    grouping.is_later = true;
                    grouping.has_white |= !plain.moves[0].0.is_empty();
                    self.plain_rows.push(plain);
                    row.plain += 1;
                }
            }
            self.is_game |= is_game;
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
    /// Whether the last number was greater than 1.
    is_later: bool,
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
                Some(Column::Number) => first = is_first(cell.trimmed()),
                Some(Column::Moves(Side::White)) => white = !is_empty(cell.trimmed()),
                _ => {}
            }
        }
        let is_other = !game.is_empty() && game != self.game.as_slice();
        let is_first = game.is_empty() && first == Some(true);
        let begins =
            self.has_rows && (is_other || is_first && (self.is_later || (white && self.has_white)));
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

/// Whether a cell without blanks around it has no move.
pub(super) fn is_empty(cell: &[u8]) -> bool {
    let is_blank = |b: &u8| *b == b'.' || lex::is_blank(*b);
    matches!(cell, b"-" | b"\xe2\x80\x93") || cell.iter().all(is_blank)
}

/// The lines of a text that seem to begin a game: rows with the number 1. There are at most as many as a batch may have
/// games, and the first line of the text is not among them.
pub(crate) fn candidates(text: &[u8], layout: &SheetLayout) -> Vec<usize> {
    let delimiter = layout.delimiter;
    let Some((is_named, _)) = layout.plain() else {
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

/// Whether a game certainly begins at the last of the candidates, in a text that begins with a game: it is a row, so is
/// the line before it, and these two are enough to see it, because a game that is named at all is named in each of them.
pub(crate) fn is_seam(part: Part<'_>, candidates: &[usize]) -> bool {
    let Some(line) = candidates.last() else {
        return false;
    };
    let start = line_start(part.bytes, before(part.bytes, *line).trim_ascii_end().len());
    let (rest, base) = (after(part.bytes, start), part.base + start as u64);
    // Nothing after the second line decides it, so no more is read.
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
    begins && games.plain.is_some() && !games.rows.seen_end
}

/// Finds a place before which all games are whole, the first after `target` bytes, by reading them. `eof`: no text
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
