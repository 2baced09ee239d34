//! The rows of a game of a sheet, kept until it is whole.

use super::rows::{Row, Rows};
use crate::formula::defusing;
use crate::visit::Damage;

/// The rows of one game, in little room: a sheet may have a row for every four bytes. Places are counted from its first
/// row, and a game is never so long that 32 bits do not hold them.
pub(super) struct Held<'b> {
    /// The sheet.
    bytes: &'b [u8],
    /// Where the first row begins in `bytes`, and its offset in the source.
    first: usize,
    base: u64,
    /// The cells of rows that are not plain.
    text: Vec<u8>,
    /// Place and text of each cell.
    cells: Vec<(u32, u32, u32)>,
    pub(super) rows: Vec<HeldRow>,
    /// One row at least is sound.
    pub(super) is_game: bool,
}

pub(super) struct HeldRow {
    pub(super) at: u32,
    /// Its cells.
    from: u32,
    to: u32,
    /// Whether their texts stand in the sheet as they are.
    is_plain: bool,
    pub(super) damage: Option<(Damage, u32)>,
}

impl HeldRow {
    /// How many cells it has.
    pub(super) fn len(&self) -> usize {
        (self.to - self.from) as usize
    }
}

/// A place within a game.
fn near(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

impl<'b> Held<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self {
            bytes,
            first: 0,
            base: 0,
            text: Vec::new(),
            cells: Vec::new(),
            rows: Vec::new(),
            is_game: false,
        }
    }

    /// Offset in the source of a place in the game.
    pub(super) fn offset(&self, at: u32) -> u64 {
        self.base + u64::from(at)
    }

    /// What holds the texts of a row's cells.
    fn memory(&self, row: &HeldRow) -> &[u8] {
        if row.is_plain {
            self.bytes.get(self.first..).unwrap_or_default()
        } else {
            &self.text
        }
    }

    /// A cell of a row and its offset.
    pub(super) fn cell(&self, row: &HeldRow, column: usize) -> (u64, &[u8]) {
        let cells = self.cells.get(row.from as usize..row.to as usize);
        match cells.unwrap_or_default().get(column) {
            Some(&(at, from, to)) => {
                let text = self.memory(row).get(from as usize..to as usize);
                (self.offset(at), text.unwrap_or_default())
            }
            None => (self.offset(row.at), &[]),
        }
    }

    pub(super) fn push(&mut self, rows: &Rows<'_>, row: &Row, base: u64) {
        if self.rows.is_empty() {
            self.first = row.start;
            self.base = base + row.start as u64;
        }
        let first = self.first;
        let from_cell = near(self.cells.len());
        if row.damage.is_none() {
            if rows.is_bare {
                self.cells.extend(rows.cells.iter().map(|&(at, from, to)| {
                    let aside = match rows.bytes.get(from) {
                        Some(b'\'') => defusing(rows.bytes.get(from..to).unwrap_or_default()),
                        _ => 0,
                    };
                    (
                        near(at + aside - first),
                        near(from + aside - first),
                        near(to - first),
                    )
                }));
                self.rows.push(HeldRow {
                    at: near(row.start - first),
                    from: from_cell,
                    to: near(self.cells.len()),
                    is_plain: true,
                    damage: None,
                });
                return;
            }
            // Texts of plain rows are counted from the first row too.
            let text = self.text.len();
            let place = |at: usize| near(if rows.is_plain { at - first } else { text + at });
            if !rows.is_plain {
                self.text.extend_from_slice(&rows.text);
            }
            let cells = rows.cells.iter().enumerate();
            self.cells.extend(cells.map(|(i, &(cell, from, to))| {
                let quote = usize::from(rows.bytes.get(cell) == Some(&b'"'));
                // An apostrophe before what looks like a formula is no part of the text.
                let aside = defusing(rows.cell(i));
                (
                    near(cell + quote + aside - first),
                    place(from + aside),
                    place(to),
                )
            }));
        }
        self.rows.push(HeldRow {
            at: near(row.start - first),
            from: from_cell,
            to: near(self.cells.len()),
            is_plain: rows.is_plain,
            damage: row.damage.map(|damage| (damage, near(row.end - row.start))),
        });
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.cells.clear();
        self.rows.clear();
        self.is_game = false;
    }
}
