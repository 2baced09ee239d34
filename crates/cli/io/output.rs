//! Where results go, and rows of results in every format.

use crate::failure::Failure;
use crate::io::interrupt;
use crate::options::values::Format;
use crate::options::writing::{OutputFile, Results};
use crate::term::terminal::Paint;
use crate::term::{settings, terminal};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tridex_archive::json;
use tridex_archive::write::{CompressedFile, TableStyle};

/// Writes the counts of a command to standard output: a table for people, unless only results are wanted, or a line of
/// JSON.
pub(crate) fn write_summary<S: Serialize>(
    format: Format,
    done: &S,
    table: impl FnOnce(&S, Paint) -> String,
) -> io::Result<()> {
    let is_text = format == Format::Text;
    terminal::print(is_text, |out| match is_text {
        true if settings::is_quiet() => Ok(()),
        true => out.write_all(table(done, Paint::stdout()).as_bytes()),
        false => json::write_line(out, done),
    })
}

impl OutputFile {
    /// Has results written to the file, which appears only when everything is written and the run was not interrupted, or
    /// to standard output. Text is drawn here, other formats are data.
    pub(crate) fn write<T>(
        &self,
        format: Format,
        write: impl FnOnce(&mut dyn Write) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        match self.path() {
            Some(_) => to_file(self.path(), self.no_clobber, write),
            None => terminal::print(format == Format::Text, write),
        }
    }

    /// Notes that results will go to the file, where that is begun only when everything has been read.
    pub(crate) fn announce(&self) {
        will_write(self.path());
    }

    /// Colours of what is written there: none in a file.
    pub(crate) fn paint(&self) -> Paint {
        match self.path() {
            Some(_) => Paint::none(),
            None => Paint::stdout(),
        }
    }

    /// How many columns there are where results are written: as many as they take in a file.
    pub(crate) fn width(&self) -> Option<usize> {
        terminal::stdout_width().filter(|_| self.path().is_none())
    }
}

/// Has a file written, or nothing if none is named. It appears only when everything is written and the run was not interrupted.
pub(crate) fn to_file<T>(
    path: Option<&Path>,
    no_clobber: bool,
    write: impl FnOnce(&mut dyn Write) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let Some(path) = path else {
        return write(&mut io::sink());
    };
    will_write(Some(path));
    let begun = CompressedFile::create(path, !no_clobber);
    let mut begun = begun.map_err(|fault| Failure::at(path, fault))?;
    let done = write(&mut begun)?;
    if !interrupt::interrupted() {
        begun.commit().map_err(|fault| Failure::at(path, fault))?;
    }
    Ok(done)
}

/// Files that this run writes. What is there before is not what they will hold.
static WRITTEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn will_write(path: Option<&Path>) {
    let mut written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
    written.extend(path.map(Path::to_owned));
}

/// The files that this run writes, as far as they have been begun or announced.
pub(crate) fn written() -> Vec<PathBuf> {
    let written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
    written.clone()
}

/// Where a file is or would be, under any name.
pub(crate) fn place(path: &Path) -> PathBuf {
    // If it is not there yet, its folder may be.
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let in_folder = || Some(folder.canonicalize().ok()?.join(path.file_name()?));
    let place = path.canonicalize().ok().or_else(in_folder);
    place.unwrap_or_else(|| path.to_owned())
}

/// Rows that are lines of JSON by their fields, and rows of CSV by their cells.
pub(crate) trait Row: Serialize {
    /// The header of CSV.
    const COLUMNS: &'static [&'static str];

    /// The rows of CSV: one, but for groups.
    fn cells(&self) -> Vec<Vec<String>>;
}

/// Declares rows whose `COLUMNS` and `cells` are their own.
macro_rules! rows {
    ($($row:ty: |$of:ident| $cells:expr;)*) => {$(
        impl $crate::io::output::Row for $row {
            const COLUMNS: &'static [&'static str] = &<$row>::COLUMNS;

            fn cells(&self) -> Vec<Vec<String>> {
                let $of = self;
                $cells
            }
        }
    )*};
}
pub(crate) use rows;

rows! {
    tridex_index::HitRow: |row| vec![row.cells().to_vec()];
    tridex_index::OpeningRow: |row| vec![row.cells().to_vec()];
    tridex_replay::report::Problem<'_>: |row| vec![row.cells().to_vec()];
    tridex_replay::stats::StatsRow: |row| vec![row.cells().to_vec()];
    tridex_replay::dedupe::Spellings: |group| group.rows().map(Vec::from).collect();
    tridex_replay::dedupe::DuplicateGroup: |group| group.rows().map(Vec::from).collect();
    // The systems under which a game is legal are a column only if all were tried.
    tridex_replay::report::GameRow<'_>: |row| {
        let legal = row.legal.as_ref().map(|legal| legal.join(" "));
        vec![row.cells().into_iter().chain(legal).collect()]
    };
}

/// Rows for programs: CSV, or lines of JSON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    pub(crate) is_csv: bool,
    pub(crate) style: TableStyle,
}

impl Rows {
    /// Those of a file, by its name: all are CSV but for `.ndjson` and `.jsonl`.
    pub(crate) fn of_file(file: &Path, style: TableStyle) -> Self {
        let end = file.extension().and_then(|end| end.to_str());
        let is_csv = !matches!(end, Some("ndjson" | "jsonl"));
        Self { is_csv, style }
    }

    /// What is before the first row.
    pub(crate) fn heading(
        self,
        columns: impl IntoIterator<Item = &'static str>,
    ) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        if self.is_csv {
            self.style.heading(columns, &mut text)?;
        }
        Ok(text)
    }

    /// A row as text.
    pub(crate) fn row<R: Row>(self, row: &R) -> Vec<u8> {
        let mut text = Vec::new();
        let written = if self.is_csv {
            let mut rows = row.cells().into_iter();
            rows.try_for_each(|cells| self.style.row(cells, &mut text))
        } else {
            json::write_line(&mut text, row)
        };
        // Writing to memory does not fail.
        drop(written);
        text
    }
}

impl Results {
    /// Rows in a format for programs.
    pub(crate) fn rows(&self, format: Format) -> Rows {
        Rows {
            is_csv: format == Format::Csv,
            style: self.style(),
        }
    }

    /// Writes rows in a format; `text` makes the table for people.
    pub(crate) fn emit<R: Row>(
        &self,
        format: Format,
        out: &mut dyn Write,
        rows: impl IntoIterator<Item = Result<R, Failure>>,
        text: impl FnOnce(Vec<R>) -> Result<String, Failure>,
    ) -> Result<(), Failure> {
        let mut rows = rows.into_iter();
        if format == Format::Text {
            let rows = rows.collect::<Result<_, _>>()?;
            return Ok(out.write_all(text(rows)?.as_bytes())?);
        }
        let form = self.rows(format);
        out.write_all(&form.heading(R::COLUMNS.iter().copied())?)?;
        rows.try_for_each(|row| Ok(out.write_all(&form.row(&row?))?))
    }
}
