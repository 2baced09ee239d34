//! Where results go, and rows of results in every format.

use crate::failure::{Failure, worded};
use crate::options::values::Format;
use crate::options::writing::{OutputFile, Results, check_ending};
use crate::session::Session;
use crate::term::counts::{counted, timing};
use crate::term::terminal;
use crate::term::terminal::{Paint, named};
use serde::Serialize;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tridex_archive::container::extension;
use tridex_archive::write::{AtomicFile, TableRow, TableStyle};
use tridex_text::json;

/// Writes the counts of a run to standard output. JSON is one line with `counts`, the time, how many
/// pieces of a plan were read, and
/// `more`; fields are added, never renamed or dropped. Text is a table of `shown`, which `--quiet` omits.
pub(crate) fn write_summary(
    session: &Session,
    format: Format,
    since: Instant,
    counts: &[(&'static str, u64)],
    shown: &[(&str, u64)],
    pieces: Option<u64>,
    more: impl IntoIterator<Item = (&'static str, Value)>,
) -> Result<(), Failure> {
    let seconds = since.elapsed().as_secs_f64();
    let is_text = format == Format::Text;
    terminal::print(is_text, |out| {
        if is_text && session.is_quiet() {
            return Ok(());
        } else if is_text {
            let text = counted(shown) + &timing(seconds, session.stdout_paint());
            return Ok(out.write_all(text.as_bytes())?);
        }
        let counts = counts.iter().map(|(name, count)| (*name, json!(count)));
        let seconds = ("seconds", json!((seconds * 1e3).round() / 1e3));
        let pieces = pieces.map(|pieces| ("pieces", json!(pieces)));
        let mut sign = '{';
        for (name, value) in counts.chain([seconds]).chain(pieces).chain(more) {
            write!(out, "{sign}\"{name}\":")?;
            json::to_writer(out, &value)?;
            sign = ',';
        }
        Ok(writeln!(out, "}}")?)
    })
}

impl OutputFile {
    /// Writes results to the file, or to standard output. The file appears only if everything was written and the run
    /// was not interrupted. On a terminal, control characters are escaped in every format but text, which is already
    /// printable.
    pub(crate) fn write<T>(
        &self,
        session: &Session,
        format: Format,
        write: impl FnOnce(&mut dyn Write) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        match self.path() {
            Some(_) => results_to_file(session, self.path(), self.no_clobber, write),
            None => terminal::print(format == Format::Text, write),
        }
    }

    /// Notes that results will go to the file, for a command that creates it only after it has read everything.
    pub(crate) fn announce(&self, session: &Session) {
        if let Some(path) = self.path() {
            session.will_write(path);
        }
    }

    /// The colours of the output: none in a file.
    pub(crate) fn paint(&self, session: &Session) -> Paint {
        match self.path() {
            Some(_) => Paint::none(),
            None => session.stdout_paint(),
        }
    }

    /// The width of the output in columns, or `None` if it is not limited, as in a file.
    pub(crate) fn width(&self) -> Option<usize> {
        terminal::stdout_width().filter(|_| self.path().is_none())
    }
}

/// Writes a file, or discards the output if no file is named. The file appears only if everything was written and the
/// run was not interrupted.
pub(crate) fn to_file<T>(
    session: &Session,
    path: Option<&Path>,
    no_clobber: bool,
    write: impl FnOnce(&mut dyn Write) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let Some(path) = path else {
        return write(&mut io::sink());
    };
    session.will_write(path);
    let begun = AtomicFile::create(path, !no_clobber);
    let failure = |fault: io::Error| Failure::at(path, worded(&fault));
    let out = begun.map_err(failure)?;
    let mut begun = Named { out, path };
    let done = write(&mut begun)?;
    if !session.is_cancelled() {
        begun.out.commit().map_err(failure)?;
    }
    Ok(done)
}

/// Adds the name of a file to errors of its disk.
struct Named<'a, W> {
    out: W,
    path: &'a Path,
}

impl<W> Named<'_, W> {
    fn named<T>(&self, written: io::Result<T>) -> io::Result<T> {
        written.map_err(|fault| match fault.kind() {
            io::ErrorKind::BrokenPipe | io::ErrorKind::Interrupted => fault,
            _ => io::Error::other(format!("{}: {}", named(self.path), worded(&fault))),
        })
    }
}

impl<W: Write> Write for Named<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes);
        self.named(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.out.flush();
        self.named(flushed)
    }
}

/// Like [`to_file`], for results: an existing file is not replaced if nothing could be read.
pub(crate) fn results_to_file<T>(
    session: &Session,
    path: Option<&Path>,
    no_clobber: bool,
    write: impl FnOnce(&mut dyn Write) -> Result<T, Failure>,
) -> Result<T, Failure> {
    to_file(session, path, no_clobber, |out| {
        let done = write(out)?;
        if path.is_some() && session.exit_code() > 0 && session.lacks_input() {
            session.complain("nothing was read, so no file of results is written");
            return Err(Failure::Stopped);
        }
        Ok(done)
    })
}

/// The canonical path of a file, even if the file does not exist yet.
pub(crate) fn place(path: &Path) -> PathBuf {
    // If the file does not exist yet, its folder may.
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let in_folder = || Some(folder.canonicalize().ok()?.join(path.file_name()?));
    let place = path.canonicalize().ok().or_else(in_folder);
    place.unwrap_or_else(|| path.to_owned())
}

/// Rows for programs: CSV in a style, or lines of JSON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows(pub(crate) Option<TableStyle>);

impl Rows {
    /// The rows for a file, by its extension: JSON lines for `.ndjson` and `.jsonl`, CSV for `.csv`, `.txt` and none.
    ///
    /// # Errors
    /// If the file has another extension.
    pub(crate) fn of_file(file: &Path, style: TableStyle) -> Result<Self, Failure> {
        check_ending(file, &["csv", "txt", "ndjson", "jsonl"], "")?;
        let is_json = matches!(extension(file).as_deref(), Some("ndjson" | "jsonl"));
        Ok(Self((!is_json).then_some(style)))
    }

    /// The text before the first row.
    pub(crate) fn heading(self, columns: &[&str]) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        if let Some(style) = self.0 {
            style.heading(columns, &mut text)?;
        }
        Ok(text)
    }

    /// A row as text.
    pub(crate) fn row<R: TableRow + Serialize>(self, row: &R) -> Vec<u8> {
        let mut text = Vec::new();
        // Writing to memory does not fail.
        let _ = match self.0 {
            Some(style) => style.rows(row, &mut text),
            None => json::write_line(&mut text, row),
        };
        text
    }
}

impl Results {
    /// Rows in a format for programs.
    pub(crate) fn rows(&self, format: Format) -> Rows {
        Rows((format == Format::Csv).then(|| self.style()))
    }

    /// Writes rows in a format; `text` makes the table for people.
    pub(crate) fn emit<R: TableRow + Serialize>(
        &self,
        format: Format,
        out: &mut dyn Write,
        rows: impl IntoIterator<Item = Result<R, Failure>>,
        text: impl FnOnce(Vec<R>) -> String,
    ) -> Result<(), Failure> {
        let mut rows = rows.into_iter();
        if format == Format::Text {
            let rows = rows.collect::<Result<_, _>>()?;
            return Ok(out.write_all(text(rows).as_bytes())?);
        }
        let form = self.rows(format);
        out.write_all(&form.heading(R::COLUMNS)?)?;
        rows.try_for_each(|row| Ok(out.write_all(&form.row(&row?))?))
    }
}
