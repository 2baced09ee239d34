//! The rows of a sheet and their cells, which csv-core reads.

use std::borrow::Cow;
use std::ops::Range;

use csv_core::ReadFieldResult;

use crate::formula::formula_escape_len;
use crate::lex;
use crate::pgn::BYTE_ORDER_MARK;
use crate::visit::Damage;

/// The maximum length of a cell with line breaks. A longer one lacks its closing quote.
const MAX_QUOTED: usize = 64 << 10;

/// The maximum length of a row.
const MAX_ROW: usize = 1 << 20;

/// A row of a sheet.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) damage: Option<Damage>,
    /// The number of its cells, including empty ones.
    pub(super) columns: usize,
    /// The indices of its cells that are not empty, among those of [`Rows`].
    pub(super) cells: Range<usize>,
}

/// A cell that is not empty, without quotes and the apostrophe that escapes a formula.
#[derive(Debug)]
pub(super) struct Cell<'b> {
    pub(super) column: usize,
    /// Offset of its first letter in the sheet.
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

/// The rows of a sheet, one after the other.
#[derive(Debug)]
pub(super) struct Rows<'b> {
    bytes: &'b [u8],
    /// Where the next row begins.
    pub(super) pos: usize,
    /// The delimiter, and the reader that splits rows at it.
    reader: (u8, csv_core::Reader),
    /// The text of the last cell.
    text: Vec<u8>,
    /// The cells of the rows read so far.
    pub(super) cells: Vec<Cell<'b>>,
    /// Whether a row depended on text after the last byte.
    pub(super) seen_end: bool,
}

impl<'b> Rows<'b> {
    pub(super) fn new(bytes: &'b [u8], delimiter: u8) -> Self {
        Self {
            bytes,
            pos: 0,
            reader: reader(delimiter),
            text: vec![0; 64],
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
        let mut read = self.read_cells(start);
        let row = after(self.bytes, start);
        if let (Ok((1, _)), Some(other)) = (read, other_delimiter(row)) {
            self.cells.truncate(first);
            let usual = std::mem::replace(&mut self.reader, reader(other));
            read = self.read_cells(start);
            self.reader = usual;
        }
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
        })
    }

    /// The cells of a row that are not empty.
    pub(super) fn cells(&self, row: &Row) -> &[Cell<'b>] {
        self.cells.get(row.cells.clone()).unwrap_or_default()
    }

    /// Reads a row cell by cell. Returns the number of cells and the end of the row.
    fn read_cells(&mut self, start: usize) -> Result<(usize, usize), Damage> {
        // Longer rows are not read to their end.
        let reach = self.bytes.get(..start + MAX_ROW + 1);
        let bytes = reach.unwrap_or(self.bytes);
        let mut at = start;
        if after(bytes, start).starts_with(BYTE_ORDER_MARK) {
            at += BYTE_ORDER_MARK.len();
        }
        // csv-core skips empty lines.
        match bytes.get(at) {
            Some(b) if lex::is_newline(*b) => return Ok((1, at + 1)),
            Some(_) => self.reader.1.reset(),
            None => return Ok((1, at)),
        }
        let delimiter = self.reader.0;
        for column in 0.. {
            // Most cells of a row are empty. csv-core would take as long for them as for all others together.
            if column > 0 && bytes.get(at) == Some(&delimiter) {
                at += 1;
                continue;
            }
            let is_quoted = bytes.get(at) == Some(&b'"');
            let (text, next, end) = self.read_cell(bytes, at);
            let is_over = end == CellEnd::Text;
            self.seen_end |= is_over && next >= self.bytes.len();
            if next - start > MAX_ROW {
                return Err(Damage::SheetRow);
            }
            if is_quoted && !is_closed(slice(bytes, at, next), delimiter, is_over) {
                return Err(Damage::SheetQuote);
            }
            if !text.iter().all(u8::is_ascii_whitespace) {
                let at = at + usize::from(is_quoted);
                self.cells.push(cell(column, at, text));
            }
            if end != CellEnd::Delimiter {
                return Ok((column + 1, next));
            }
            at = next;
        }
        Err(Damage::SheetRow)
    }

    /// Reads the cell at an offset. Returns its text, the start of the next cell, and what ended this one.
    fn read_cell(&mut self, bytes: &'b [u8], at: usize) -> (Cow<'b, [u8]>, usize, CellEnd) {
        let (mut next, mut length) = (at, 0);
        let mut is_over;
        let is_last = loop {
            is_over = next >= bytes.len();
            let text = self.text.get_mut(length..).unwrap_or_default();
            let (result, read, written) = self.reader.1.read_field(after(bytes, next), text);
            (next, length) = (next + read, length + written);
            match result {
                // The next call reads the end of the text.
                ReadFieldResult::InputEmpty => {}
                ReadFieldResult::OutputFull => self.text.resize(2 * self.text.len(), 0),
                ReadFieldResult::Field { record_end } => break record_end,
                ReadFieldResult::End => break true,
            }
        };
        let end = match is_last {
            _ if is_over => CellEnd::Text,
            true => CellEnd::Row,
            false => CellEnd::Delimiter,
        };
        // A cell without quotes is borrowed from the sheet, and so are most others.
        let text = match after(bytes, at) {
            [b'"', inner @ ..] => {
                let text = self.text.get(..length).unwrap_or_default();
                match inner.get(..length) {
                    Some(same) if same == text => Cow::Borrowed(same),
                    _ => Cow::Owned(text.to_vec()),
                }
            }
            bare => Cow::Borrowed(bare.get(..length).unwrap_or_default()),
        };
        (text, next, end)
    }
}

/// A delimiter, and a reader that splits rows at it.
fn reader(delimiter: u8) -> (u8, csv_core::Reader) {
    let reader = csv_core::ReaderBuilder::new().delimiter(delimiter).build();
    (delimiter, reader)
}

/// The delimiter of a row that does not use that of the sheet: the row begins with a number and another delimiter.
fn other_delimiter(row: &[u8]) -> Option<u8> {
    let mut others = [b'\t', b';', b','].into_iter();
    others.find(|other| begins_row(row, *other))
}

/// What ends a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CellEnd {
    Delimiter,
    Row,
    /// The end of the text.
    Text,
}

pub(super) fn after(bytes: &[u8], from: usize) -> &[u8] {
    bytes.get(from..).unwrap_or_default()
}

pub(super) fn before(bytes: &[u8], to: usize) -> &[u8] {
    bytes.get(..to).unwrap_or_default()
}

/// The start of the line with the byte at an offset.
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

/// Whether a quoted cell is closed correctly. The end of the sheet (`at_end`) does not close it, nor does the opening
/// quote of a later row.
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

/// Whether a line certainly is a row: a line inside a cell never begins with a number and a delimiter.
pub(super) fn begins_row(line: &[u8], delimiter: u8) -> bool {
    let digits = line.iter().take_while(|b| b.is_ascii_digit()).count();
    let rest = after(line, digits);
    let rest = rest.strip_prefix(b".").unwrap_or(rest);
    digits > 0 && rest.first() == Some(&delimiter)
}
