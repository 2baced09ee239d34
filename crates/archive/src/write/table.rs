//! CSV tables whose cells are escaped, so that no spreadsheet runs them as formulas.
//!
//! A spreadsheet runs a cell that begins with `=`, `+`, `-`, `@`, one of these in full width (`＝＋－＠`, in some
//! programs), a tab or a carriage return, and the names and comments of a game come from strangers. Such a cell is
//! written with an apostrophe before it, which means text in spreadsheets and which the reader of score sheets removes.
//! Numbers and single signs are not changed.

use crate::formula::escape_formula;
use std::borrow::Cow;
use std::io::{self, Write};

/// The style of a CSV table.
///
/// ```
/// use tridex_archive::write::{Table, TableStyle};
///
/// let style = TableStyle { delimiter: b';', bom: true, ..TableStyle::default() };
/// let table = Table::headed(Vec::new(), style, ["white", "black"])?;
/// assert_eq!(table.finish()?, "\u{feff}white;black\n".as_bytes());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableStyle {
    /// The delimiter between cells.
    pub delimiter: u8,
    /// Whether a table with a header begins with the byte order mark, by which spreadsheets recognise UTF-8.
    pub bom: bool,
    /// Whether cells like formulas are not escaped.
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

/// Writes rows of CSV.
///
/// ```
/// use tridex_archive::write::Table;
///
/// let mut table = Table::new(Vec::new());
/// table.row(["name", "comment"])?;
/// table.row(["Anna", "=HYPERLINK(1)"])?;
/// assert_eq!(table.finish()?, b"name,comment\nAnna,'=HYPERLINK(1)\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Table<W: Write> {
    out: W,
    style: TableStyle,
    /// The number of cells of the rows, once there is one.
    width: Option<usize>,
    /// The row that is written.
    line: Vec<u8>,
}

/// What is a row of a table, or a group of rows.
pub trait TableRow {
    /// The names of the columns.
    const COLUMNS: &'static [&'static str];

    /// The cells of each row: of one, unless it is a group.
    fn cells(&self) -> Vec<Vec<String>>;
}

/// Declares the columns of a [`TableRow`], each with its cell; cells after `..` are there only in some tables.
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

impl<W: Write> Table<W> {
    /// An empty table in the default style.
    pub fn new(out: W) -> Self {
        Self::styled(out, TableStyle::default())
    }

    /// An empty table in a style. Only [`Table::headed`] writes the byte order mark.
    pub fn styled(out: W, style: TableStyle) -> Self {
        Self {
            out,
            style,
            width: None,
            line: Vec::new(),
        }
    }

    /// A table with its header, and the byte order mark before it if the style has one.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn headed<I>(mut out: W, style: TableStyle, heading: I) -> io::Result<Self>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        if style.bom {
            out.write_all("\u{feff}".as_bytes())?;
        }
        let mut table = Self::styled(out, style);
        table.row(heading)?;
        Ok(table)
    }

    /// Adds a row, or the rows of a group.
    ///
    /// # Errors
    ///
    /// As [`Table::row`].
    pub fn add(&mut self, row: &impl TableRow) -> io::Result<()> {
        let mut rows = row.cells().into_iter();
        rows.try_for_each(|cells| self.row(cells))
    }

    /// Adds a row. All rows have the same number of cells.
    ///
    /// # Errors
    ///
    /// Those of `out`, or that this row has another number of cells.
    pub fn row<I>(&mut self, cells: I) -> io::Result<()>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        self.line.clear();
        let mut width = 0;
        for cell in cells {
            if width > 0 {
                self.line.push(self.style.delimiter);
            }
            width += 1;
            let cell = cell.as_ref();
            self.cell(&match self.style.keeps_formulas {
                true => Cow::Borrowed(cell),
                false => escape_formula(cell),
            });
        }
        if *self.width.get_or_insert(width) != width {
            return Err(io::Error::other("rows of different lengths in one table"));
        }
        if self.line.is_empty() {
            // An empty line is no row.
            self.line.extend(b"\"\"");
        }
        self.line.push(b'\n');
        self.out.write_all(&self.line)
    }

    /// Adds a cell, in quotation marks if it has a delimiter, a quotation mark or the end of a line (RFC 4180).
    fn cell(&mut self, cell: &str) {
        let is_special =
            |byte| matches!(byte, b'"' | b'\r' | b'\n') || byte == self.style.delimiter;
        if !cell.bytes().any(is_special) {
            self.line.extend(cell.as_bytes());
            return;
        }
        let inner = cell.replace('"', "\"\"");
        self.line.extend([b"\"", inner.as_bytes(), b"\""].concat());
    }

    /// Flushes the table, and returns the writer.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
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
        let mut table = Table::headed(Vec::new(), style, ["a", "b;c"]).unwrap();
        table.row(["=1", "2,5"]).unwrap();
        let text = String::from_utf8(table.finish().unwrap()).unwrap();
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
        let fault = Table::new(Closed).row(["x"]).unwrap_err();
        assert_eq!(fault.kind(), io::ErrorKind::BrokenPipe);
    }

    /// The writer of the crate `csv`, which reads its own rows.
    #[test]
    fn rows_are_quoted_as_by_a_library_of_csv() {
        let cells = [
            "", "a", "a b", "a,b", "a;b", "\"", "a\"b", "a\nb", "a\rb", " ", "'", "ä,", "\t",
        ];
        for delimiter in [b',', b';', b'\t'] {
            let style = TableStyle {
                delimiter,
                keeps_formulas: true,
                ..TableStyle::default()
            };
            let mut expected = csv::WriterBuilder::new()
                .delimiter(delimiter)
                .from_writer(Vec::new());
            let mut table = Table::styled(Vec::new(), style);
            for first in cells {
                for second in cells {
                    table.row([first, second]).unwrap();
                    expected.write_record([first, second]).unwrap();
                }
            }
            assert_eq!(table.finish().unwrap(), expected.into_inner().unwrap());
            for cell in cells {
                let mut expected = csv::WriterBuilder::new()
                    .delimiter(delimiter)
                    .from_writer(Vec::new());
                expected.write_record([cell]).unwrap();
                let mut table = Table::styled(Vec::new(), style);
                table.row([cell]).unwrap();
                assert_eq!(table.finish().unwrap(), expected.into_inner().unwrap());
            }
        }
        let mut table = Table::new(Vec::new());
        table.row(["a", "b"]).unwrap();
        assert!(table.row(["a"]).is_err());
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
