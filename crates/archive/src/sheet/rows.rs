//! The rows of a sheet and their cells.

use super::plain::{PlainForm, PlainRow};
use crate::formula::formula_escape_len;
use crate::interner::Interner;
use crate::lex;
use crate::pgn::BYTE_ORDER_MARK;
use crate::visit::Damage;

/// The maximum length of a cell with line breaks. A longer one lacks its closing quote.
const MAX_QUOTED: usize = 64 << 10;

/// The maximum length of a row.
const MAX_ROW: usize = 1 << 20;

/// A row: the ranges of its bytes and cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) damage: Option<Damage>,
    /// Its first cell, and the one after its last.
    cells: (u32, u32),
    /// The start of the unescaped texts of its cells.
    texts: u32,
}

impl Row {
    /// The number of its cells.
    pub(super) const fn len(&self) -> usize {
        (self.cells.1 - self.cells.0) as usize
    }
}

/// A row that was read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stored {
    Row(Row),
    Plain(PlainRow),
}

/// A cell. Places are counted from the beginning of its row; the limit of a row fits into 32 bits.
#[derive(Clone, Copy, Debug)]
struct Cell {
    /// Its first letter in the sheet.
    at: u32,
    from: u32,
    to: u32,
    /// Whether its text is among the unescaped texts of the row; if not, it is in the sheet.
    is_copied: bool,
}

/// The cells of one row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells<'r> {
    start: usize,
    cells: &'r [Cell],
    /// The bytes of the row.
    row: &'r [u8],
    texts: &'r [u8],
}

impl<'r> Cells<'r> {
    /// The number of cells.
    #[inline]
    pub(super) const fn len(&self) -> usize {
        self.cells.len()
    }

    /// The text of a cell; empty if there is no such cell.
    #[inline]
    pub(super) fn get(&self, i: usize) -> &'r [u8] {
        self.cells.get(i).map_or(&[], |cell| self.text(cell))
    }

    #[inline]
    fn text(&self, cell: &Cell) -> &'r [u8] {
        let place = if cell.is_copied { self.texts } else { self.row };
        let text = place.get(cell.from as usize..cell.to as usize);
        text.unwrap_or_default()
    }

    /// A cell with its place, without the apostrophe that escapes a formula.
    #[inline]
    pub(super) fn unescaped(&self, i: usize) -> (usize, &'r [u8]) {
        let Some(cell) = self.cells.get(i) else {
            return (self.start, &[]);
        };
        let (at, text) = (self.start + cell.at as usize, self.text(cell));
        if !text.starts_with(b"'") {
            return (at, text);
        }
        let aside = formula_escape_len(text);
        (at + aside, text.get(aside..).unwrap_or_default())
    }
}

/// The rows of a sheet, one after the other. Rows that were read are stored until they are dropped.
pub(super) struct Rows<'b> {
    bytes: &'b [u8],
    /// Where the next row begins.
    pub(super) pos: usize,
    delimiter: u8,
    /// Whether empty cells at the end of a row are omitted. Only the search for a layout needs them, and a sheet with many
    /// columns about the game has a dozen in nearly every row.
    trims: bool,
    pub(super) stored: Vec<Stored>,
    cells: Vec<Cell>,
    texts: Vec<u8>,
    /// Whether a row depended on text after the last byte.
    pub(super) seen_end: bool,
}

impl<'b> Rows<'b> {
    /// Rows with all their cells.
    pub(super) fn whole(bytes: &'b [u8], delimiter: u8) -> Self {
        Self {
            trims: false,
            ..Self::new(bytes, delimiter)
        }
    }

    /// Rows without trailing empty cells, if they have no quotes.
    pub(super) fn new(bytes: &'b [u8], delimiter: u8) -> Self {
        Self {
            bytes,
            pos: 0,
            delimiter,
            trims: true,
            stored: Vec::new(),
            cells: Vec::new(),
            texts: Vec::new(),
            seen_end: false,
        }
    }

    /// The cells of a row.
    #[inline]
    pub(super) fn cells(&self, row: &Row) -> Cells<'_> {
        let (from, to) = row.cells;
        let cells = self.cells.get(from as usize..to as usize);
        Cells {
            start: row.start,
            cells: cells.unwrap_or_default(),
            row: self.bytes.get(row.start..row.end).unwrap_or_default(),
            texts: self.texts.get(row.texts as usize..).unwrap_or_default(),
        }
    }

    /// Drops the rows before the last.
    pub(super) fn keep_last(&mut self) {
        let before = self.stored.len().saturating_sub(1);
        self.stored.drain(..before);
        if let Some(Stored::Row(last)) = self.stored.first_mut() {
            self.cells.drain(..last.cells.0 as usize);
            self.texts.drain(..last.texts as usize);
            (last.cells, last.texts) = ((0, last.cells.1 - last.cells.0), 0);
        }
    }

    /// Drops the last row.
    pub(super) fn give_up_last(&mut self) {
        if let Some(Stored::Row(last)) = self.stored.pop() {
            self.cells.truncate(last.cells.0 as usize);
            self.texts.truncate(last.texts as usize);
        }
    }

    /// The next row. Empty lines are skipped; if there are as many of them as a row may have bytes, they are an empty
    /// row.
    pub(super) fn next_row(&mut self) -> Option<Row> {
        let mut start = self.pos;
        let is_newline = |at| self.bytes.get(at).is_some_and(|&b| lex::is_newline(b));
        while start - self.pos < MAX_ROW && is_newline(start) {
            start += 1;
        }
        let first_cell = self.cells.len();
        let texts = self.texts.len();
        let mut damage = None;
        if start - self.pos == MAX_ROW {
            start = std::mem::replace(&mut self.pos, start);
        } else if start >= self.bytes.len() {
            self.seen_end = true;
            return None;
        } else {
            damage = self.read_cells(start).err();
            if damage.is_some() {
                // Only the first line of the row is dropped: the next may be undamaged.
                self.cells.truncate(first_cell);
                self.texts.truncate(texts);
                let reach = self.bytes.len().min(start + MAX_ROW);
                let line = self.bytes.get(..reach).unwrap_or(self.bytes);
                self.pos = lex::line_end(line, start);
                self.seen_end |= self.pos == self.bytes.len();
            }
        }
        let row = Row {
            start,
            end: self.pos,
            damage,
            cells: (first_cell as u32, self.cells.len() as u32),
            texts: texts as u32,
        };
        self.stored.push(Stored::Row(row));
        Some(row)
    }

    /// Reads the plain rows that follow, up to the offset `until`. Returns their number.
    pub(super) fn plain_rows(&mut self, form: &PlainForm, words: &Interner, until: usize) -> u64 {
        let before = self.stored.len();
        while let Some((row, end)) = form.read(self.bytes, self.pos, words)
            && end <= until
        {
            self.stored.push(Stored::Plain(row));
            self.pos = end;
        }
        (self.stored.len() - before) as u64
    }

    /// A text of the sheet.
    #[inline]
    pub(super) fn text(&self, at: usize, length: u8) -> &'b [u8] {
        let text = self.bytes.get(at..at + usize::from(length));
        text.unwrap_or_default()
    }

    /// Reads a row cell by cell, as CSV readers do: quotes have a meaning at the start of a cell and inside a quoted
    /// cell; two of them there are one, and other text after a closing quote is read as it is.
    fn read_cells(&mut self, start: usize) -> Result<(), Damage> {
        // Bytes beyond the maximum length are not read.
        let bytes = self.bytes;
        let bytes = bytes.get(..bytes.len().min(start + MAX_ROW + 1));
        let bytes = bytes.unwrap_or_default();
        let row = bytes.get(start..).unwrap_or_default();
        let texts = self.texts.len();
        let mut cell = start;
        if let Some([] | [b'"', ..]) = row.strip_prefix(BYTE_ORDER_MARK) {
            cell += BYTE_ORDER_MARK.len();
        }
        loop {
            let is_quoted = bytes.get(cell) == Some(&b'"');
            let end = if is_quoted {
                self.read_quoted((start, texts), cell, bytes)
            } else {
                self.read_bare(start, cell, bytes)
            };
            let mark = bytes.get(end);
            self.seen_end |= end >= self.bytes.len();
            let next = end + usize::from(mark.is_some());
            if next - start > MAX_ROW {
                return Err(Damage::SheetRow);
            }
            if is_quoted {
                let raw = bytes.get(cell..next).unwrap_or_default();
                check_quoted(raw, self.delimiter, mark.is_none())?;
            }
            if mark != Some(&self.delimiter) {
                self.pos = next;
                return Ok(());
            }
            cell = next;
        }
    }

    /// Finds the unquoted cells from `first` on. Returns the end of the last of them.
    fn read_bare(&mut self, start: usize, first: usize, bytes: &[u8]) -> usize {
        let rest = bytes.get(first..).unwrap_or_default();
        let all = rest.len();
        let mut end = memchr::memchr3(b'\n', b'\r', b'"', rest).unwrap_or(all);
        let mut is_last = true;
        if let Some([before, b'"']) = rest.get(end.saturating_sub(1)..=end) {
            is_last = false;
            if *before == self.delimiter {
                end -= 1;
            } else {
                let mut after = rest.iter().skip(end);
                let ends = |&b: &u8| b == self.delimiter || lex::is_newline(b);
                end = after.position(ends).map_or(all, |more| end + more);
            }
        }
        let mut line = rest.get(..end).unwrap_or_default();
        if self.trims && is_last {
            let empty = [self.delimiter; 8];
            while let Some(before) = line.strip_suffix(&empty) {
                line = before;
            }
            while let [before @ .., last] = line
                && *last == self.delimiter
            {
                line = before;
            }
        }
        let first = first - start;
        let mut from = first as u32;
        let mut push = |to: usize| {
            let to = (first + to) as u32;
            self.cells.push(Cell {
                at: from,
                from,
                to,
                is_copied: false,
            });
            from = to + 1;
        };
        // Cells are short: eight bytes are searched at once, and then each delimiter among them is handled.
        let (chunks, rest) = line.as_chunks::<8>();
        for (i, chunk) in chunks.iter().enumerate() {
            let mut marks = lex::marks_of(u64::from_le_bytes(*chunk), self.delimiter);
            while marks != 0 {
                push(8 * i + (marks.trailing_zeros() / 8) as usize);
                marks &= marks - 1;
            }
        }
        for (to, &byte) in (8 * chunks.len()..).zip(rest) {
            if byte == self.delimiter {
                push(to);
            }
        }
        push(line.len());
        start + first + end
    }

    /// Reads a cell that begins with a quote. Returns its end.
    fn read_quoted(&mut self, (start, texts): (usize, usize), cell: usize, bytes: &[u8]) -> usize {
        let copied = self.texts.len();
        let first = cell + 1;
        let (mut from, mut to) = (first, first);
        let mut in_quotes = true;
        let end = loop {
            let rest = bytes.get(to..).unwrap_or_default();
            let found = if in_quotes {
                memchr::memchr(b'"', rest)
            } else {
                memchr::memchr3(self.delimiter, b'\n', b'\r', rest)
            };
            to += found.unwrap_or(rest.len());
            if !in_quotes || found.is_none() {
                break to;
            }
            match bytes.get(to + 1) {
                Some(b'"') => to += 1,
                Some(&b) if b != self.delimiter && !lex::is_newline(b) => in_quotes = false,
                _ => break to + 1,
            }
            let piece = bytes.get(from..to).unwrap_or_default();
            self.texts.extend_from_slice(piece);
            to += 1;
            from = to;
        };
        let is_copied = from != first;
        let mut origin = start;
        if is_copied {
            let piece = bytes.get(from..to).unwrap_or_default();
            self.texts.extend_from_slice(piece);
            origin = texts;
            (from, to) = (copied, self.texts.len());
        }
        self.cells.push(Cell {
            at: (first - start) as u32,
            from: (from - origin) as u32,
            to: (to - origin) as u32,
            is_copied,
        });
        end
    }

    /// Skips the following rows that begin with this text and a delimiter, up to the last of them, which is read next.
    /// They are single lines without quotes, and end before `until`.
    pub(super) fn skip_rows_of(&mut self, text: &[u8], until: usize) {
        let name = [text, &[self.delimiter]].concat();
        let reach = self.bytes.get(..until.min(self.bytes.len()));
        let reach = reach.unwrap_or_default();
        let mut next = self.pos;
        while let Some(row) = reach.get(next..).filter(|row| row.starts_with(&name)) {
            self.pos = next;
            match memchr::memchr2(b'\n', b'"', row) {
                Some(end) if row.get(end) == Some(&b'\n') => next += end + 1,
                _ => return,
            }
        }
    }
}

/// Whether a quoted cell is closed correctly: not by the end of the sheet (`at_end`), and not by the opening quote of a
/// later row.
fn check_quoted(raw: &[u8], delimiter: u8, at_end: bool) -> Result<(), Damage> {
    let inner = raw.trim_ascii_end();
    let is_unbalanced = || !memchr::memchr_iter(b'"', raw).count().is_multiple_of(2);
    if memchr::memchr2(b'\n', b'\r', inner).is_none() {
        let unclosed = at_end && is_unbalanced();
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
    if row_inside || raw.len() > MAX_QUOTED || is_unbalanced() {
        Err(Damage::SheetQuote)
    } else {
        Ok(())
    }
}
