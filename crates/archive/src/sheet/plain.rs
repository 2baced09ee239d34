//! Rows of a number and two known moves: nearly all rows of a sheet.
//!
//! They give the same events as if they were read cell by cell; a test compares the two.

use super::{Column, SheetLayout};
use crate::interner::{Interner, KEY_BYTES, TokenId, text_before};
use crate::lex;

/// A row of a game that has begun: its number, a known move of each player, and no other text.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlainRow {
    /// Offset of its number.
    pub(super) number: usize,
    /// The digits of the number.
    pub(super) digits: u8,
    /// The number in half moves.
    pub(super) half_moves: u32,
    /// The lengths of the moves.
    pub(super) lengths: [u8; 2],
    pub(super) moves: [TokenId; 2],
}

/// The form of the plain rows of one game.
#[derive(Debug)]
pub(super) struct PlainForm {
    delimiter: u8,
    /// The first bytes of each row: the name of the game and a delimiter, if there is a column for it.
    start: Vec<u8>,
    is_named: bool,
    /// The delimiters after the last move.
    tail: Vec<u8>,
}

impl PlainForm {
    /// `None` if the columns have another order than game, number, White, Black, where the first may be missing.
    pub(super) fn of(layout: &SheetLayout) -> Option<Self> {
        const ORDER: &[Column] = &[Column::Game, Column::Number, Column::White, Column::Black];
        let is_named = layout.columns.first() == Some(&Column::Game);
        let order = ORDER.get(usize::from(!is_named)..)?;
        let rest = layout.columns.strip_prefix(order)?;
        if rest.iter().any(|column| ORDER.contains(column)) {
            return None;
        }
        Some(Self {
            delimiter: layout.delimiter,
            start: Vec::new(),
            is_named,
            tail: vec![layout.delimiter; rest.len()],
        })
    }

    /// Sets the name of the game.
    pub(super) fn begin(&mut self, name: &[u8]) {
        if self.is_named {
            self.start.clear();
            self.start.extend_from_slice(name);
            self.start.push(self.delimiter);
        }
    }

    /// The plain row at an offset, and its end. `None` if it is not plain, or the first of a game.
    #[inline(always)]
    pub(super) fn read(
        &self,
        bytes: &[u8],
        at: usize,
        words: &Interner,
    ) -> Option<(PlainRow, usize)> {
        let rest = bytes.get(at..)?.strip_prefix(self.start.as_slice())?;
        let cell = |from: usize| {
            let near = rest.get(from..)?.first_chunk::<KEY_BYTES>()?;
            text_before(near, self.delimiter)
        };
        let find = |from: usize| {
            let (key, length) = cell(from)?;
            Some((words.known_move(key)?, length))
        };
        let ([number, _], digits) = cell(0)?;
        let half_moves = 2 * lex::decimal(number, digits).filter(|number| *number > 1)?;
        let (white, white_length) = find(digits + 1)?;
        let black_at = digits + 1 + white_length + 1;
        let (black, black_length) = find(black_at)?;
        let tail = rest.get(black_at + black_length..)?;
        let end = match tail.strip_prefix(self.tail.as_slice())? {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            _ => return None,
        };
        let row = PlainRow {
            number: at + self.start.len(),
            digits: digits as u8,
            half_moves,
            lengths: [white_length as u8, black_length as u8],
            moves: [white, black],
        };
        let length = black_at + black_length + self.tail.len() + end;
        Some((row, row.number + length))
    }
}
