//! The table of problems: a row for each finding.

use std::io;
use std::path::Path;
use tridex_archive::write::{Table, TableStyle};
use tridex_replay::report::Problem;

/// How the table is written: CSV, or JSON lines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProblemTable {
    pub(crate) is_csv: bool,
    pub(crate) style: TableStyle,
}

impl ProblemTable {
    /// The form of a file, by its name.
    pub(crate) fn of_file(file: &Path, style: TableStyle) -> Self {
        Self {
            is_csv: Self::is_csv_file(file),
            style,
        }
    }

    /// Whether the table of a file of this name is CSV: all are but those of JSON lines.
    pub(crate) fn is_csv_file(file: &Path) -> bool {
        !file
            .extension()
            .is_some_and(|found| found == "ndjson" || found == "jsonl")
    }

    /// What is before the first row.
    pub(crate) fn heading(&self) -> io::Result<Vec<u8>> {
        match self.is_csv {
            true => Table::headed(Vec::new(), self.style, Problem::COLUMNS)?.finish(),
            false => Ok(Vec::new()),
        }
    }

    /// Adds a row.
    pub(crate) fn push(&self, problem: &Problem<'_>, out: &mut Vec<u8>) {
        // Writing to memory does not fail.
        match self.is_csv {
            true => out.extend(row(self.style, problem.cells())),
            false => drop(problem.write_json(out)),
        }
    }
}

/// A row of CSV.
pub(crate) fn row<I>(style: TableStyle, cells: I) -> Vec<u8>
where
    I: IntoIterator<Item = String>,
{
    let mut table = Table::styled(Vec::new(), style);
    let written = table.row(cells).and_then(|()| table.finish());
    // Writing to memory does not fail.
    written.unwrap_or_default()
}
