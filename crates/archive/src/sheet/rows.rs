//! The rows of a sheet and their cells.

use std::cell::Cell;

use crate::lex;
use crate::visit::Damage;

/// Bytes of a cell that goes on over line ends. What is longer lacks its closing quote.
const MAX_QUOTED: usize = 64 << 10;

/// Bytes of a row.
const MAX_ROW: usize = 1 << 20;

/// A row, as far as its bytes go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) damage: Option<Damage>,
}

thread_local! {
    /// A reader that nobody uses now, with its delimiter. To make one takes as long as to read some hundred rows, and a
    /// copy of one reads wrongly (csv-core 0.1.13 copies a part of its tables only), so each thread keeps its last.
    static KEPT: Cell<Option<(u8, csv_core::Reader)>> = const { Cell::new(None) };
}

/// A reader of rows at the start of one.
fn reader(delimiter: u8) -> csv_core::Reader {
    match KEPT.try_with(Cell::take).ok().flatten() {
        Some((of, mut reader)) if of == delimiter => {
            reader.reset();
            reader
        }
        _ => csv_core::ReaderBuilder::new().delimiter(delimiter).build(),
    }
}

/// The rows of a sheet, one after the other.
pub(super) struct Rows<'b> {
    pub(super) bytes: &'b [u8],
    /// Where the next row begins.
    pub(super) pos: usize,
    delimiter: u8,
    /// Reads rows with quotes, as soon as there is one.
    core: Option<csv_core::Reader>,
    /// Whether empty cells at the end of a row are left out. Nobody but who looks for a layout asks whether they are there,
    /// and a sheet that says much of a game in its first row has a dozen in every other.
    trims: bool,
    /// Whether the texts of the row's cells stand in `bytes` as they are; if not, they are in `text`, quotes undone.
    pub(super) is_plain: bool,
    /// Whether there is no quote in the row at all.
    pub(super) is_bare: bool,
    pub(super) text: Vec<u8>,
    /// Where each begins in `bytes`, and its text.
    pub(super) cells: Vec<(usize, usize, usize)>,
    /// A row hung on what may follow the last byte.
    pub(super) seen_end: bool,
}

impl<'b> Rows<'b> {
    /// Rows with all their cells.
    pub(super) fn whole(bytes: &'b [u8], delimiter: u8) -> Self {
        Self::made(bytes, delimiter, 0, false)
    }

    /// Rows without the empty cells at their ends, from the one on that begins at `pos`.
    pub(super) fn from(bytes: &'b [u8], delimiter: u8, pos: usize) -> Self {
        Self::made(bytes, delimiter, pos, true)
    }

    fn made(bytes: &'b [u8], delimiter: u8, pos: usize, trims: bool) -> Self {
        Self {
            bytes,
            pos,
            delimiter,
            core: None,
            trims,
            is_plain: true,
            is_bare: true,
            text: Vec::new(),
            cells: Vec::new(),
            seen_end: false,
        }
    }

    /// The text of a cell; nothing if there is no such cell.
    #[inline]
    pub(super) fn cell(&self, i: usize) -> &[u8] {
        let range = self.cells.get(i).map_or(0..0, |&(_, from, to)| from..to);
        let memory = if self.is_plain {
            self.bytes
        } else {
            &self.text
        };
        memory.get(range).unwrap_or_default()
    }

    /// The next row. Its cells are there until the next call. Empty lines are passed over, but so
    /// many that they would make a long row make an empty one.
    pub(super) fn next_row(&mut self) -> Option<Row> {
        self.is_bare = false;
        let blank = self.pos;
        while self
            .bytes
            .get(self.pos)
            .is_some_and(|&b| lex::is_newline(b))
        {
            self.pos += 1;
            if self.pos - blank == MAX_ROW {
                self.cells.clear();
                return Some(Row {
                    start: blank,
                    end: self.pos,
                    damage: None,
                });
            }
        }
        let start = self.pos;
        if start >= self.bytes.len() {
            self.seen_end = true;
            return None;
        }
        self.cells.clear();
        self.is_plain = self.read_plain(start);
        if self.is_plain {
            return Some(Row {
                start,
                end: self.pos,
                damage: None,
            });
        }
        self.cells.clear();
        self.text.clear();
        let damage = self.read_cells(start).err();
        if damage.is_some() {
            // The row's first line is given up, no more: the next may be sound.
            self.cells.clear();
            let reach = self.bytes.len().min(start + MAX_ROW);
            let line = self.bytes.get(..reach).unwrap_or(self.bytes);
            self.pos = lex::line_end(line, start);
            if self.pos == self.bytes.len() {
                self.seen_end = true;
            }
        }
        Some(Row {
            start,
            end: self.pos,
            damage,
        })
    }

    /// Finds the cells of a row that ends with its line and has no quotes but around whole cells, as nearly all are; false if
    /// it is none such.
    fn read_plain(&mut self, start: usize) -> bool {
        let reach = self.bytes.len().min(start + MAX_ROW);
        let rest = self.bytes.get(start..reach).unwrap_or_default();
        let Some(line) = memchr::memchr2(b'\n', b'\r', rest).and_then(|end| rest.get(..end)) else {
            return false;
        };
        self.pos = start + line.len() + 1;
        let mut there = line;
        if self.trims {
            let empty = [self.delimiter; 8];
            while let Some(before) = there.strip_suffix(&empty) {
                there = before;
            }
            while let [before @ .., last] = there
                && *last == self.delimiter
            {
                there = before;
            }
        }
        let end = start + there.len();
        let mut from = start;
        // Cells are a few bytes or none: eight bytes are looked at side by side, and then at each that counts.
        let (chunks, rest) = there.as_chunks::<8>();
        let mut at = start;
        for chunk in chunks {
            let word = u64::from_le_bytes(*chunk);
            if lex::has_byte(word, b'"') {
                return self.read_quoted(from, end);
            }
            let mut marks = lex::marks_of(word, self.delimiter);
            while marks != 0 {
                let to = at + (marks.trailing_zeros() / 8) as usize;
                self.cells.push((from, from, to));
                from = to + 1;
                marks &= marks - 1;
            }
            at += 8;
        }
        for (to, &byte) in (at..).zip(rest) {
            if byte == self.delimiter {
                self.cells.push((from, from, to));
                from = to + 1;
            } else if byte == b'"' {
                return self.read_quoted(from, end);
            }
        }
        self.cells.push((from, from, end));
        self.is_bare = true;
        true
    }

    /// Goes on to the last of the rows that come next, have no quotes and begin with this text and a separator, and leaves
    /// that one to be read. None of them ends behind `until`.
    pub(super) fn skip_rows_of(&mut self, text: &[u8], until: usize) {
        if memchr::memchr3(self.delimiter, b'"', b'\n', text).is_some() {
            return;
        }
        let mut last = self.pos;
        let mut pos = self.pos;
        while let Some(line) = self.bytes.get(pos..)
            && line.get(text.len()) == Some(&self.delimiter)
            && line.starts_with(text)
        {
            last = pos;
            match memchr::memchr3(b'\n', b'\r', b'"', line) {
                Some(end) if end < MAX_ROW && pos + end < until && line.get(end) != Some(&b'"') => {
                    pos += end + 1;
                }
                _ => break,
            }
        }
        self.pos = last;
    }

    /// Goes on with the cells from `from` to `end`, one of which begins with a quote.
    fn read_quoted(&mut self, mut from: usize, end: usize) -> bool {
        while let Some(rest) = self.bytes.get(from..end) {
            let (skipped, length) = match rest.strip_prefix(b"\"") {
                Some(inside) => match memchr::memchr(b'"', inside) {
                    Some(length) => (1, length),
                    None => return false,
                },
                None => {
                    let mut inside = rest.iter();
                    let found = inside.position(|b| *b == self.delimiter || *b == b'"');
                    (0, found.unwrap_or(rest.len()))
                }
            };
            let text = from + skipped;
            self.cells.push((from, text, text + length));
            match rest.get(length + 2 * skipped) {
                None => return true,
                // A quote that is doubled, or stands within a cell, or text behind a quoted one.
                Some(byte) if *byte != self.delimiter => return false,
                Some(_) => from = text + length + skipped + 1,
            }
        }
        true
    }

    fn read_cells(&mut self, start: usize) -> Result<(), Damage> {
        use csv_core::ReadFieldResult::{End, Field, InputEmpty, OutputFull};
        let core = self.core.get_or_insert_with(|| reader(self.delimiter));
        core.reset();
        let mut pos = start;
        let mut filled = 0;
        loop {
            let cell = pos;
            let from = filled;
            let (record_end, at_end) = loop {
                if filled + 256 > self.text.len() {
                    self.text.resize(filled + 1024, 0);
                }
                // Beyond the longest row nothing is looked at; an empty input ends the cell.
                let reach = self.bytes.len().min(start + MAX_ROW + 1);
                let input = self.bytes.get(pos..reach).unwrap_or_default();
                let output = self.text.get_mut(filled..).unwrap_or_default();
                let (result, read, wrote) = core.read_field(input, output);
                pos += read;
                filled += wrote;
                match result {
                    Field { record_end } => break (record_end, input.is_empty()),
                    End => break (true, true),
                    InputEmpty if pos >= self.bytes.len() => self.seen_end = true,
                    InputEmpty | OutputFull => {}
                }
            };
            if pos - start > MAX_ROW {
                return Err(Damage::SheetRow);
            }
            let raw = self.bytes.get(cell..pos).unwrap_or_default();
            if raw.first() == Some(&b'"') {
                check_quoted(raw, self.delimiter, at_end)?;
            }
            self.cells.push((cell, from, filled));
            if record_end {
                self.text.truncate(filled);
                self.pos = pos;
                return Ok(());
            }
        }
    }
}

impl Drop for Rows<'_> {
    fn drop(&mut self) {
        if let Some(core) = self.core.take() {
            // A thread that ends keeps none.
            let _ = KEPT.try_with(|kept| kept.set(Some((self.delimiter, core))));
        }
    }
}

/// Whether a quoted cell is closed where it should be: not by the end of the sheet, which `at_end` says, and not at
/// the opening quote of a later row.
fn check_quoted(raw: &[u8], delimiter: u8, at_end: bool) -> Result<(), Damage> {
    let inner = raw.trim_ascii_end();
    if !inner.iter().any(|&b| lex::is_newline(b)) {
        let unclosed = at_end && memchr::memchr_iter(b'"', raw).count() % 2 == 1;
        return if unclosed {
            Err(Damage::SheetQuote)
        } else {
            Ok(())
        };
    }
    let row_inside = memchr::memchr2_iter(b'\n', b'\r', inner).any(|n| {
        let line = inner.get(n + 1..).unwrap_or_default();
        let digits = line.iter().take_while(|b| b.is_ascii_digit()).count();
        let rest = line.get(digits..).unwrap_or_default();
        let rest = rest.strip_prefix(b".").unwrap_or(rest);
        digits > 0 && rest.first() == Some(&delimiter)
    });
    let unclosed = memchr::memchr_iter(b'"', raw).count() % 2 == 1;
    if row_inside || unclosed || raw.len() > MAX_QUOTED {
        Err(Damage::SheetQuote)
    } else {
        Ok(())
    }
}
