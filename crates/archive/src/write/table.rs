//! CSV tables whose cells are escaped, so that no spreadsheet runs them as formulas.
//!
//! The names and comments of a game come from strangers, and a spreadsheet runs a cell that begins with `=`, `+`, `-`,
//! `@`, a tab, a carriage return, or, in some programs, one of the signs in full width (`＝＋－＠`). Such a cell is written
//! with an apostrophe before it. Spreadsheets then treat it as text, and the reader of score sheets removes the
//! apostrophe. Numbers and single signs are not changed.

use crate::formula::escape_formula;
use std::borrow::Cow;
use std::io::{self, Write};

/// The style of a CSV table.
///
/// ```
/// use tridex_archive::write::TableStyle;
///
/// let style = TableStyle { delimiter: b';', bom: true, ..TableStyle::default() };
/// let mut table = Vec::new();
/// style.heading(["white", "black"], &mut table)?;
/// style.row(["Anna", "=HYPERLINK(1)"], &mut table)?;
/// assert_eq!(table, "\u{feff}white;black\nAnna;'=HYPERLINK(1)\n".as_bytes());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableStyle {
    /// The delimiter between cells.
    pub delimiter: u8,
    /// Whether a table with a header begins with the byte order mark, by which spreadsheets recognise UTF-8.
    pub bom: bool,
    /// Whether cells that begin like formulas are not escaped.
    pub keeps_formulas: bool,
}

/// Commas, no byte order mark, formulas escaped.
impl Default for TableStyle {
    fn default() -> Self {
        Self {
            delimiter: b',',
            bom: false,
            keeps_formulas: false,
        }
    }
}

/// The size of the buffers of a writer, in bytes: a game or a few rows.
const BUFFER: usize = 1 << 12;

/// A value that is written as a row of a table, or as several rows.
pub trait TableRow {
    /// The names of the columns.
    const COLUMNS: &'static [&'static str];

    /// The cells of each row.
    fn cells(&self) -> Vec<Vec<String>>;
}

/// Declares the columns of a [`TableRow`], each with its cell. Only some tables have the cells after `..`.
#[doc(hidden)]
#[macro_export]
macro_rules! columns {
    ($type:ty, $row:ident: $($name:literal => $cell:expr,)* $(.. $more:expr)?) => {
        impl $crate::write::TableRow for $type {
            const COLUMNS: &'static [&'static str] = &[$($name),*];

            fn cells(&self) -> Vec<Vec<String>> {
                let $row = self;
                let cells = [$($cell.to_string()),*].into_iter();
                vec![cells$(.chain($more))?.collect()]
            }
        }
    };
}

impl TableStyle {
    /// Writes the header of a table, and the byte order mark before it if the style has one.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn heading<I>(self, columns: I, out: &mut dyn Write) -> io::Result<()>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        if self.bom {
            out.write_all("\u{feff}".as_bytes())?;
        }
        self.row(columns, out)
    }

    /// Writes the row or rows of a value.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn rows(self, row: &impl TableRow, out: &mut dyn Write) -> io::Result<()> {
        self.all(row.cells(), out)
    }

    /// Writes a row. A cell is in quotation marks if it has a delimiter, a quotation mark or a line end (RFC 4180).
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn row<I>(self, cells: I, out: &mut dyn Write) -> io::Result<()>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        self.all([cells], out)
    }

    /// Writes rows. One writer for all of them takes less time than one for each.
    pub(super) fn all<R>(
        self,
        rows: impl IntoIterator<Item = R>,
        out: &mut dyn Write,
    ) -> io::Result<()>
    where
        R: IntoIterator,
        R::Item: AsRef<str>,
    {
        let mut text = Vec::with_capacity(BUFFER);
        let mut writer = csv::WriterBuilder::new()
            .delimiter(self.delimiter)
            .flexible(true)
            .buffer_capacity(BUFFER)
            .from_writer(&mut text);
        for cells in rows {
            for cell in cells {
                let cell = cell.as_ref();
                let cell = match self.keeps_formulas {
                    true => Cow::Borrowed(cell),
                    false => escape_formula(cell),
                };
                writer.write_field(cell.as_bytes())?;
            }
            writer.write_record(None::<&[u8]>)?;
        }
        writer.flush()?;
        drop(writer);
        // Errors of `out` are returned unchanged.
        out.write_all(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::formula_escape_len;

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
            ("＝1+1", "'＝1+1"),
            ("＋1", "'＋1"),
            ("－1", "'－1"),
            ("＠SUM(A1)", "'＠SUM(A1)"),
            ("'＝1", "''＝1"),
            ("Ａ＝Ｂ", "Ａ＝Ｂ"),
            ("１＋１", "１＋１"),
        ] {
            assert_eq!(escape_formula(cell), written);
            let read = written
                .as_bytes()
                .get(formula_escape_len(written.as_bytes())..);
            assert_eq!(read, Some(cell.as_bytes()), "{written:?}");
        }
    }

    #[test]
    fn a_style_says_what_stands_between_cells_and_what_becomes_of_formulas() {
        let style = TableStyle {
            delimiter: b';',
            bom: true,
            keeps_formulas: true,
        };
        let mut table = Vec::new();
        style.heading(["a", "b;c"], &mut table).unwrap();
        style.row(["=1", "2,5"], &mut table).unwrap();
        let text = String::from_utf8(table).unwrap();
        assert_eq!(text, "\u{feff}a;\"b;c\"\n=1;2,5\n");
    }

    /// A writer whose reader is gone.
    struct Closed;

    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_fault_of_the_writer_keeps_its_kind() {
        let fault = TableStyle::default().row(["x"], &mut Closed).unwrap_err();
        assert_eq!(fault.kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    fn cells_are_quoted_if_they_need_it() {
        let row = |delimiter, cells: &[&str]| {
            let style = TableStyle {
                delimiter,
                ..TableStyle::default()
            };
            let mut table = Vec::new();
            style.row(cells, &mut table).unwrap();
            String::from_utf8(table).unwrap()
        };
        for (cells, expected) in [
            (&["a", "", "b c"][..], "a,,b c\n"),
            (&["a,b", "a;b", "\""], "\"a,b\",a;b,\"\"\"\"\n"),
            (&["a\nb", "a\rb", "ä"], "\"a\nb\",\"a\rb\",ä\n"),
            // An empty line is no row.
            (&[""], "\"\"\n"),
            (&[], "\"\"\n"),
            (&["", ""], ",\n"),
            (&["1.5", "'"], "1.5,'\n"),
        ] {
            assert_eq!(row(b',', cells), expected, "{cells:?}");
        }
        assert_eq!(row(b';', &["a,b", "a;b"]), "a,b;\"a;b\"\n");
        assert_eq!(row(b'\t', &["a\tb", "a;b"]), "\"a\tb\"\ta;b\n");
    }
}
