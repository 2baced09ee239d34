//! Rows of results, in every format.

use crate::failure::{Exit, Failure};
use crate::io::output;
use crate::options::writing::{OutputFile, TableFormat};
use serde::Serialize;
use std::io::Write;
use tridex_archive::json;
use tridex_archive::write::{Table, TableStyle};

/// Rows that are lines of JSON by their fields, and rows of CSV by their cells.
pub(crate) trait Row: Serialize {
    /// The header of CSV.
    const COLUMNS: &'static [&'static str];

    /// The rows of CSV: one, but for groups.
    fn cells(&self) -> Vec<Vec<String>>;
}

/// Declares rows whose `COLUMNS` and `cells` are their own.
macro_rules! rows {
    ($($row:ty),* $(,)?) => {$(
        impl $crate::io::emit::Row for $row {
            const COLUMNS: &'static [&'static str] = &<$row>::COLUMNS;

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
    tridex_replay::stats::StatsRow,
);

impl Row for tridex_replay::dedupe::DuplicateGroup {
    const COLUMNS: &'static [&'static str] = &Self::COLUMNS;

    fn cells(&self) -> Vec<Vec<String>> {
        self.rows().map(Vec::from).collect()
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
    match format {
        TableFormat::Text => {
            let rows = rows.collect::<Result<_, _>>()?;
            out.write_all(text(rows)?.as_bytes())?;
        }
        TableFormat::Ndjson => rows.try_for_each(|row| line(&row?, out))?,
        TableFormat::Csv => {
            let mut table = Table::headed(out, style, R::COLUMNS)?;
            for row in rows {
                for cells in row?.cells() {
                    table.row(cells)?;
                }
            }
            table.finish()?;
        }
    }
    Ok(())
}

/// Writes a line of JSON.
pub(crate) fn line(row: &impl Serialize, out: &mut dyn Write) -> Result<(), Failure> {
    json::to_writer(&mut *out, row)?;
    Ok(out.write_all(b"\n")?)
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
