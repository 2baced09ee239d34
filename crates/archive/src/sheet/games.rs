//! Where the games of a sheet begin.

use super::layout::{Column, SheetLayout, Side, number};
use super::rows::{Cell, PlainRow, Row, Rows, after, before, begins_row, line_start};
use crate::cut::Cut;
use crate::interner::Interner;
use crate::lex;
use crate::visit::{BATCH_GAMES, Damage, Limits};

/// A row of a game.
#[derive(Debug)]
pub(super) enum GameRow {
    Plain(PlainRow),
    /// With all cells, or damaged.
    Cells(Row),
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
pub(super) struct Games<'b> {
    layout: &'b SheetLayout,
    max_game: usize,
    pub(super) rows: Rows<'b>,
    /// See [`SheetLayout::plain`].
    plain: Option<(bool, Vec<u8>)>,
    /// The first row of the next game.
    first: Option<Row>,
    /// Where the next game begins.
    pub(super) end: usize,
    /// The rows of the current game, without empty ones.
    pub(super) game: Vec<GameRow>,
    /// One of the rows is undamaged.
    pub(super) is_game: bool,
}

impl<'b> Games<'b> {
    /// The games of a part of a sheet, whose first byte has the offset `base`.
    pub(super) fn new(
        bytes: &'b [u8],
        base: u64,
        layout: &'b SheetLayout,
        limits: &Limits,
    ) -> Self {
        let mut rows = Rows::new(bytes, layout.delimiter);
        while base + (rows.pos as u64) < layout.header_end && rows.next_row().is_some() {}
        Self {
            layout,
            max_game: limits.max_game,
            rows,
            plain: layout.plain(),
            first: None,
            end: 0,
            game: Vec::new(),
            is_game: false,
        }
    }

    /// Reads the rows of the next game.
    pub(super) fn next(&mut self, words: &Interner) -> End {
        self.game.clear();
        self.is_game = false;
        let mut first = self.rows.keep_last(self.first.take());
        let start = first.as_ref().map_or(self.rows.pos, |row| row.start);
        let until = start.saturating_add(self.max_game);
        let mut grouping = Grouping::default();
        let mut name = Vec::new();
        while let Some(row) = first.take().or_else(|| self.rows.next_row()) {
            let is_game = row.damage.is_none() && !row.is_blank();
            let begins = is_game && grouping.take(self.layout, self.rows.cells(&row));
            if begins || row.start > start && row.end > until {
                self.end = row.start;
                self.first = Some(row);
                return if begins { End::NextGame } else { End::TooLong };
            }
            if !is_game && row.damage.is_none() {
                continue;
            }
            self.game.push(GameRow::Cells(row));
            let Some((is_named, tail)) = self.plain.as_ref().filter(|_| is_game) else {
                self.is_game |= is_game;
                continue;
            };
            if *is_named && !self.is_game {
                name = [&grouping.game[..], &[self.layout.delimiter]].concat();
            }
            self.is_game = true;
            while let Some(row) = self.rows.next_plain((&name, tail), until, words) {
                self.game.push(GameRow::Plain(row));
                grouping.take_plain();
            }
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

    /// Adds a plain row of the game.
    const fn take_plain(&mut self) {
        self.is_later = true;
        self.has_white = true;
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
    let number = [b'1', delimiter];
    let begins_cell = |at: &usize| matches!(before(text, *at).last(), Some(b) if *b == delimiter || lex::is_newline(*b));
    let ones = memchr::memmem::find_iter(text, &number).filter(begins_cell);
    let mut last = 0;
    ones.map(|at| line_start(text, at))
        .filter(|line| std::mem::replace(&mut last, *line) != *line)
        .filter(|line| begins_row(after(text, *line), delimiter))
        .take(BATCH_GAMES as usize)
        .collect()
}

/// The number of candidates tried, the last first. Nearly always the first try succeeds.
const TRIES: usize = 8;

/// The last of the candidates where a game certainly begins, in a text that begins with a game.
pub(crate) fn last(
    candidates: &[usize],
    text: &[u8],
    base: u64,
    layout: &SheetLayout,
    limits: &Limits,
) -> Option<usize> {
    let mut tried = candidates.iter().copied().rev().take(TRIES);
    tried.find(|line| begins_game(text, base, layout, limits, *line))
}

/// Whether a game certainly begins at a line: it is a row, so is the line before it, and these two are enough to see it,
/// because a game that is named at all is named in each of them.
fn begins_game(text: &[u8], base: u64, layout: &SheetLayout, limits: &Limits, line: usize) -> bool {
    let start = line_start(text, before(text, line).trim_ascii_end().len());
    let rest = after(text, start);
    let base = base + start as u64;
    if base < layout.header_end || !begins_row(rest, layout.delimiter) {
        return false;
    }
    let mut games = Games::new(rest, base, layout, limits);
    let next = games.next(&Interner::default());
    let begins = next == End::NextGame && games.end == line - start;
    begins && games.plain.is_some() && !games.rows.seen_end
}

/// Finds a place before which all games are whole, the first after `target` bytes, by reading them. `eof`: no text
/// follows.
pub(crate) fn cut_by_reading(
    text: &[u8],
    base: u64,
    layout: &SheetLayout,
    limits: &Limits,
    (target, eof): (usize, bool),
) -> Option<Cut> {
    let mut games = Games::new(text, base, layout, limits);
    let mut end = 0;
    for _ in 0..BATCH_GAMES {
        let next = games.next(&Interner::default());
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
