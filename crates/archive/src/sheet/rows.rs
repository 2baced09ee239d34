//! The rows of a sheet and their cells.

use std::borrow::Cow;
use std::ops::Range;

use crate::formula::formula_escape_len;
use crate::interner::{Key, cell_before};
use crate::lex;
use crate::pgn::BYTE_ORDER_MARK;
use crate::visit::Damage;

/// The maximum length of a cell with line breaks. A longer one lacks its closing quote.
const MAX_QUOTED: usize = 64 << 10;

/// The maximum length of a row.
const MAX_ROW: usize = 1 << 20;

/// A row that was read cell by cell.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) damage: Option<Damage>,
    /// The number of its cells, with the empty ones.
    pub(super) columns: usize,
    /// The indices of those that are not empty.
    pub(super) cells: Range<usize>,
    /// The number of plain rows after it.
    pub(super) plain: usize,
}

/// A cell that is not empty, without quotes and the apostrophe that escapes a formula.
#[derive(Debug)]
pub(super) struct Cell<'b> {
    pub(super) column: usize,
    /// Its first letter in the sheet.
    pub(super) at: usize,
    pub(super) text: Cow<'b, [u8]>,
}

impl Cell<'_> {
    /// The text without blanks around it. Nearly every cell has none.
    #[inline]
    pub(super) fn trimmed(&self) -> &[u8] {
        match &*self.text {
            text @ ([b'!'..=b'~', .., b'!'..=b'~'] | [b'!'..=b'~']) => text,
            text => text.trim_ascii(),
        }
    }
}

/// A row of a game that has begun: its number, a short cell for each player, and no other text. Nearly all rows are. They
/// give the same events as if they were read cell by cell; a test compares the two.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlainRow<'b> {
    /// Offset of the number, which the moves follow.
    pub(super) at: usize,
    pub(super) number: &'b [u8],
    pub(super) half_moves: u32,
    pub(super) moves: [Word<'b>; 2],
}

/// A text, and its key if it is short.
pub(super) type Word<'b> = (&'b [u8], Key);

/// The rows of a sheet, one after the other.
#[derive(Debug)]
pub(super) struct Rows<'b> {
    bytes: &'b [u8],
    /// Where the next row begins.
    pub(super) pos: usize,
    delimiter: u8,
    /// The cells of the rows read so far.
    pub(super) cells: Vec<Cell<'b>>,
    /// Whether a row depended on text after the last byte.
    pub(super) seen_end: bool,
}

impl<'b> Rows<'b> {
    pub(super) const fn new(bytes: &'b [u8], delimiter: u8) -> Self {
        Self {
            bytes,
            pos: 0,
            delimiter,
            cells: Vec::new(),
            seen_end: false,
        }
    }

    /// The next row. An empty line is a row too.
    pub(super) fn next_row(&mut self) -> Option<Row> {
        let (start, first) = (self.pos, self.cells.len());
        if start >= self.bytes.len() {
            self.seen_end = true;
            return None;
        }
        let read = self.read_cells(start);
        let (columns, end) = read.unwrap_or_else(|_| {
            // Only the first line of the row is dropped: the next may be undamaged.
            self.cells.truncate(first);
            let reach = self.bytes.get(..start + MAX_ROW).unwrap_or(self.bytes);
            (0, lex::line_end(reach, start))
        });
        self.seen_end |= end >= self.bytes.len() && read.is_err();
        self.pos = end;
        Some(Row {
            start,
            end,
            damage: read.err(),
            columns,
            cells: first..self.cells.len(),
            plain: 0,
        })
    }

    /// The cells of a row that are not empty.
    pub(super) fn cells(&self, row: &Row) -> &[Cell<'b>] {
        self.cells.get(row.cells.clone()).unwrap_or_default()
    }

    /// Reads a row cell by cell, as CSV readers do: quotes have a meaning at the start of a cell and inside a quoted
    /// cell; two of them there are one, and other text after a closing quote is read as it is. Returns the number of
    /// cells and the end of the row.
    fn read_cells(&mut self, start: usize) -> Result<(usize, usize), Damage> {
        // Bytes beyond the maximum length are not read.
        let reach = self.bytes.get(..start + MAX_ROW + 1);
        let bytes = reach.unwrap_or(self.bytes);
        let mut at = start;
        if let Some([] | [b'"', ..]) = after(bytes, start).strip_prefix(BYTE_ORDER_MARK) {
            at += BYTE_ORDER_MARK.len();
        }
        for column in 0.. {
            // Most cells of a row are empty.
            if bytes.get(at) == Some(&self.delimiter) {
                at += 1;
                continue;
            }
            let is_quoted = bytes.get(at) == Some(&b'"');
            let (text, end) = if is_quoted {
                quoted(bytes, at, self.delimiter)
            } else {
                let end = bare_end(bytes, at, self.delimiter);
                (Cow::Borrowed(slice(bytes, at, end)), end)
            };
            let mark = bytes.get(end);
            self.seen_end |= end >= self.bytes.len();
            let next = end + usize::from(mark.is_some());
            if next - start > MAX_ROW {
                return Err(Damage::SheetRow);
            }
            if is_quoted && !is_closed(slice(bytes, at, next), self.delimiter, mark.is_none()) {
                return Err(Damage::SheetQuote);
            }
            if !text.iter().all(u8::is_ascii_whitespace) {
                let at = at + usize::from(is_quoted);
                self.cells.push(cell(column, at, text));
            }
            if mark != Some(&self.delimiter) {
                return Ok((column + 1, next));
            }
            at = next;
        }
        Err(Damage::SheetRow)
    }

    /// The next row if it is plain, has this beginning and end, and ends before `until`. `None` also for the first row of
    /// a game, which has another number.
    #[inline(always)]
    pub(super) fn next_plain(
        &mut self,
        (beginning, tail): (&[u8], &[u8]),
        until: usize,
    ) -> Option<PlainRow<'b>> {
        let at = self.pos + beginning.len();
        let row = after(self.bytes, self.pos).strip_prefix(beginning)?;
        let near = row.first_chunk::<64>()?;
        // A cell that has no quotes, and is empty only if it has no text.
        let cell = |from: usize| {
            let (key, length) = cell_before(after(near, from).first_chunk()?, self.delimiter)?;
            let is_plain = length == 0 || key[0] as u8 > b'.' && key[0] as u16 != 0x80e2;
            is_plain.then_some((row.get(from..from + length)?, key))
        };
        let (number, key) = cell(0)?;
        let white = cell(number.len() + 1)?;
        let white_end = number.len() + 1 + white.0.len();
        let black = cell(white_end + 1)?;
        let end = white_end + 1 + black.0.len();
        let half_moves = 2 * lex::decimal(key[0], number.len()).filter(|number| *number > 1)?;
        let line_end = match row.get(end..)?.strip_prefix(tail)? {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            _ => return None,
        };
        let next = at + end + tail.len() + line_end;
        let is_delimiter = |at| near.get(at) == Some(&self.delimiter);
        if next > until || !is_delimiter(number.len()) || !is_delimiter(white_end) {
            return None;
        }
        self.pos = next;
        Some(PlainRow {
            at,
            number,
            half_moves,
            moves: [white, black],
        })
    }
}

pub(super) fn after(bytes: &[u8], from: usize) -> &[u8] {
    bytes.get(from..).unwrap_or_default()
}

pub(super) fn before(bytes: &[u8], to: usize) -> &[u8] {
    bytes.get(..to).unwrap_or_default()
}

/// The start of the line that has the byte at a place.
pub(super) fn line_start(bytes: &[u8], at: usize) -> usize {
    memchr::memrchr2(b'\n', b'\r', before(bytes, at)).map_or(0, |end| end + 1)
}

fn slice(bytes: &[u8], from: usize, to: usize) -> &[u8] {
    bytes.get(from..to).unwrap_or_default()
}

fn cell(column: usize, at: usize, text: Cow<'_, [u8]>) -> Cell<'_> {
    let aside = match *text {
        [b'\'', ..] => formula_escape_len(&text),
        _ => 0,
    };
    let text = match text {
        Cow::Borrowed(text) => Cow::from(after(text, aside)),
        Cow::Owned(mut text) => Cow::from(text.split_off(aside)),
    };
    let at = at + aside;
    Cell { column, at, text }
}

/// The end of a text without quotes.
fn bare_end(bytes: &[u8], at: usize, delimiter: u8) -> usize {
    let rest = after(bytes, at);
    let ends = |length: &usize| matches!(rest.get(*length), Some(b) if *b == delimiter || lex::is_newline(*b));
    let near = rest
        .first_chunk()
        .and_then(|near| cell_before(near, delimiter));
    let near = near.map(|(_, length)| length).filter(ends);
    let end = near.or_else(|| memchr::memchr3(delimiter, b'\n', b'\r', rest));
    at + end.unwrap_or(rest.len())
}

/// The text and the end of a cell that begins with a quote.
fn quoted(bytes: &[u8], open: usize, delimiter: u8) -> (Cow<'_, [u8]>, usize) {
    let mut before = Vec::new();
    let mut from = open + 1;
    let (last, end) = loop {
        let rest = after(bytes, from);
        let Some(length) = memchr::memchr(b'"', rest) else {
            break (rest, bytes.len());
        };
        let quote = from + length;
        match bytes.get(quote + 1) {
            Some(b'"') => {
                if before.is_empty() {
                    before.reserve(256);
                }
                before.extend_from_slice(slice(bytes, from, quote + 1));
                from = quote + 2;
            }
            Some(&b) if b != delimiter && !lex::is_newline(b) => {
                before.extend_from_slice(slice(bytes, from, quote));
                let end = bare_end(bytes, quote + 1, delimiter);
                break (slice(bytes, quote + 1, end), end);
            }
            _ => break (slice(bytes, from, quote), quote + 1),
        }
    };
    if before.is_empty() {
        return (Cow::Borrowed(last), end);
    }
    before.extend_from_slice(last);
    (Cow::Owned(before), end)
}

/// Whether a quoted cell is closed correctly: not by the end of the sheet (`at_end`), and not by the opening quote of a
/// later row.
fn is_closed(raw: &[u8], delimiter: u8, at_end: bool) -> bool {
    let inner = raw.trim_ascii_end();
    let is_balanced = || memchr::memchr_iter(b'"', raw).count().is_multiple_of(2);
    let mut lines = memchr::memchr2_iter(b'\n', b'\r', inner).peekable();
    if lines.peek().is_none() {
        return !at_end || is_balanced();
    }
    let mut lines = lines.map(|before| after(inner, before + 1));
    raw.len() <= MAX_QUOTED && is_balanced() && !lines.any(|line| begins_row(line, delimiter))
}

/// Whether a line certainly is a row: no cell has a line that begins with a number and a delimiter.
pub(super) fn begins_row(line: &[u8], delimiter: u8) -> bool {
    let digits = line.iter().take_while(|b| b.is_ascii_digit()).count();
    let rest = after(line, digits);
    let rest = rest.strip_prefix(b".").unwrap_or(rest);
    digits > 0 && rest.first() == Some(&delimiter)
}
