//! Rows of results, in every format.

use crate::failure::{Exit, Failure};
use crate::io::output;
use crate::options::writing::{OutputFile, TableFormat};
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;
use tridex_archive::json;
use tridex_archive::write::{Table, TableStyle};

/// Rows that are lines of JSON by their fields, and rows of CSV by their cells.
pub(crate) trait Row: Serialize {
    /// The header of CSV.
    fn columns() -> Vec<&'static str>;

    /// The rows of CSV: one, but for groups.
    fn cells(&self) -> Vec<Vec<String>>;
}

/// Declares rows whose `COLUMNS` and `cells` are their own.
macro_rules! rows {
    ($($row:ty),* $(,)?) => {$(
        impl $crate::io::emit::Row for $row {
            fn columns() -> Vec<&'static str> {
                Self::COLUMNS.to_vec()
            }

            fn cells(&self) -> Vec<Vec<String>> {
                vec![Self::cells(self).to_vec()]
            }
        }
    )*};
}
pub(crate) use rows;

rows!(
    tridex_index::HitRow,
    tridex_index::OpeningRow,
    tridex_replay::report::GameRow<'_>,
    tridex_replay::report::Problem<'_>,
    tridex_replay::stats::StatsRow,
);

impl Row for tridex_replay::dedupe::DuplicateGroup {
    fn columns() -> Vec<&'static str> {
        Self::COLUMNS.to_vec()
    }

    fn cells(&self) -> Vec<Vec<String>> {
        self.rows().map(Vec::from).collect()
    }
}

/// Rows for programs: CSV, or lines of JSON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowFormat {
    pub(crate) is_csv: bool,
    pub(crate) style: TableStyle,
}

impl RowFormat {
    /// The form of a file, by its name.
    pub(crate) fn of_file(file: &Path, style: TableStyle) -> Self {
        Self {
            is_csv: Self::is_csv_file(file),
            style,
        }
    }

    /// Whether the rows in a file of this name are CSV: all are but those of JSON lines.
    pub(crate) fn is_csv_file(file: &Path) -> bool {
        !file
            .extension()
            .is_some_and(|found| found == "ndjson" || found == "jsonl")
    }

    /// What is before the first row.
    pub(crate) fn heading<R: Row>(self) -> io::Result<Vec<u8>> {
        match self.is_csv {
            true => Table::headed(Vec::new(), self.style, R::columns())?.finish(),
            false => Ok(Vec::new()),
        }
    }

    /// Adds a row to a text.
    pub(crate) fn push<R: Row>(self, row: &R, out: &mut Vec<u8>) {
        let written = if self.is_csv {
            let mut table = Table::styled(out, self.style);
            row.cells()
                .into_iter()
                .try_for_each(|cells| table.row(cells))
        } else {
            json::write_line(out, row)
        };
        // Writing to memory does not fail.
        drop(written);
    }
}

/// Writes rows in a format; `text` makes the table for people.
pub(crate) fn emit<R: Row>(
    format: TableFormat,
    style: TableStyle,
    out: &mut dyn Write,
    rows: impl IntoIterator<Item = Result<R, Failure>>,
    text: impl FnOnce(Vec<R>) -> Result<String, Failure>,
) -> Result<(), Failure> {
    let mut rows = rows.into_iter();
    if format == TableFormat::Text {
        let rows = rows.collect::<Result<_, _>>()?;
        return Ok(out.write_all(text(rows)?.as_bytes())?);
    }
    let is_csv = format == TableFormat::Csv;
    let form = RowFormat { is_csv, style };
    out.write_all(&form.heading::<R>()?)?;
    let mut line = Vec::new();
    rows.try_for_each(|row| {
        line.clear();
        form.push(&row?, &mut line);
        Ok(out.write_all(&line)?)
    })
}

/// Opens the output for a format: text for people may have colours.
pub(crate) fn to_output(
    format: TableFormat,
    file: &OutputFile,
    write: impl FnOnce(&mut dyn Write) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    match format {
        TableFormat::Text => output::to_file_or_drawn(file, write),
        TableFormat::Ndjson | TableFormat::Csv => output::to_file_or_stdout(file, write),
    }
}
