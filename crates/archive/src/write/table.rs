//! Tables in CSV whose cells no spreadsheet takes for formulas.
//!
//! A spreadsheet runs a cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return, and the names and comments
//! of a game come from strangers. Such a cell is written with an apostrophe before it, which spreadsheets take for "this
//! is text" and which our own reader of scoresheets takes away again. Numbers stay as they are, and so does a sign that
//! stands alone.

use std::borrow::Cow;
use std::io::{self, Write};

/// Writes rows of CSV.
#[derive(Debug)]
pub struct Table<W: Write> {
    out: csv::Writer<W>,
}

impl<W: Write> Table<W> {
    /// A table without any row.
    pub fn new(out: W) -> Self {
        Self {
            out: csv::Writer::from_writer(out),
        }
    }

    /// Adds a row. Rows have as many cells as the first one.
    ///
    /// # Errors
    ///
    /// Those of `out`, or that this row has another number of cells.
    pub fn row<I>(&mut self, cells: I) -> io::Result<()>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        for cell in cells {
            self.out.write_field(defused(cell.as_ref()).as_bytes())?;
        }
        self.out.write_record(None::<&[u8]>)?;
        Ok(())
    }

    /// Writes what is left, and gives the writer back.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn finish(self) -> io::Result<W> {
        self.out.into_inner().map_err(|error| error.into_error())
    }
}

/// A cell as it is written: with one more apostrophe where it begins like a formula, also behind apostrophes.
pub(crate) fn defused(cell: &str) -> Cow<'_, str> {
    let inner = cell.trim_start_matches('\'');
    let harmless = cell.len() == inner.len() && is_number(inner);
    if !begins_formula(inner.as_bytes()) || harmless {
        return Cow::Borrowed(cell);
    }
    Cow::Owned(format!("'{cell}"))
}

/// How many bytes at the start of a cell only keep a spreadsheet from taking it for a formula.
pub(crate) fn defusing(cell: &[u8]) -> usize {
    let inner = cell.iter().position(|&b| b != b'\'').unwrap_or(cell.len());
    usize::from(inner > 0 && begins_formula(cell.get(inner..).unwrap_or_default()))
}

fn begins_formula(cell: &[u8]) -> bool {
    matches!(
        cell.first(),
        Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r')
    )
}

/// A number, or a sign that stands alone, as in a table where nothing is to be said.
fn is_number(cell: &str) -> bool {
    let digits = cell.strip_prefix(['-', '+']).unwrap_or(cell);
    digits.len() < cell.len() && digits.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_like_a_formula_gets_an_apostrophe_and_loses_it_again() {
        for (cell, written) in [
            ("=1+1", "'=1+1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
            ("-2+3", "'-2+3"),
            ("\t=1", "'\t=1"),
            ("\r=1", "'\r=1"),
            ("'=1", "''=1"),
            ("'-5", "''-5"),
            ("-5", "-5"),
            ("-5.25", "-5.25"),
            ("+", "+"),
            ("-", "-"),
            ("1-0", "1-0"),
            ("0-0", "0-0"),
            ("'t Hart", "'t Hart"),
            ("", ""),
            ("'", "'"),
            ("N=Q", "N=Q"),
        ] {
            assert_eq!(defused(cell), written);
            let read = written.as_bytes().get(defusing(written.as_bytes())..);
            assert_eq!(read, Some(cell.as_bytes()), "{written:?}");
        }
    }

    #[test]
    fn rows_are_those_of_csv() {
        let mut table = Table::new(Vec::new());
        table.row(["a", "b"]).unwrap();
        table.row(["=1,2", "\"x\""]).unwrap();
        let text = table.finish().unwrap();
        assert_eq!(text, b"a,b\n\"'=1,2\",\"\"\"x\"\"\"\n");
    }
}
