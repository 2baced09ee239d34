//! Where results go, and how complaints look.

use crate::failure::{Exit, Failure};
use crate::options::writing::{OutputFile, SummaryFormat};
use crate::term::style::Paint;
use crate::term::{settings, terminal};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tridex_archive::write::CompressedFile;
use tridex_archive::{json, printable};

/// Writes the counts of a command to standard output: a table for people, unless only results are wanted, or a line of
/// JSON.
pub(crate) fn write_summary<S: Serialize>(
    format: SummaryFormat,
    done: &S,
    table: impl FnOnce(&S, Paint) -> String,
) -> io::Result<()> {
    match format {
        SummaryFormat::Text if settings::is_quiet() => Ok(()),
        SummaryFormat::Text => {
            let mut out = terminal::drawn();
            out.write_all(table(done, Paint::stdout()).as_bytes())?;
            out.flush()
        }
        SummaryFormat::Ndjson => {
            let mut out = terminal::stdout();
            json::to_writer(&mut out, done)?;
            out.write_all(b"\n")?;
            out.flush()
        }
    }
}

/// Has results written to a file, which appears only when everything is written and the run was not interrupted, or to
/// standard output if there is none or it is `-`.
pub(crate) fn to_file_or_stdout(
    file: &OutputFile,
    write: impl FnOnce(&mut dyn Write) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    to_file_or(file, terminal::stdout, write)
}

/// The same for text that is [drawn](terminal::drawn()) here.
pub(crate) fn to_file_or_drawn(
    file: &OutputFile,
    write: impl FnOnce(&mut dyn Write) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    to_file_or(file, terminal::drawn, write)
}

fn to_file_or<W: Write>(
    file: &OutputFile,
    out: impl FnOnce() -> W,
    write: impl FnOnce(&mut dyn Write) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    let Some(path) = file.path() else {
        let mut out = out();
        let exit = write(&mut out)?;
        out.flush()?;
        return Ok(exit);
    };
    begin(path, file.no_clobber, write)
}

/// The same for a second file next to the results.
pub(crate) fn to_file(
    path: &Path,
    no_clobber: bool,
    write: impl FnOnce(&mut dyn Write) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    begin(path, no_clobber, write)
}

fn begin(
    path: &Path,
    no_clobber: bool,
    write: impl FnOnce(&mut dyn Write) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    let fault = |fault: io::Error| {
        Failure::message(format!("{}: {fault}", printable(&path.to_string_lossy())))
    };
    WRITTEN
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(path.to_owned());
    let mut begun = match no_clobber {
        true => CompressedFile::create_new(path),
        false => CompressedFile::create(path),
    }
    .map_err(fault)?;
    let exit = write(&mut begun)?;
    if !crate::interrupt::interrupted() {
        begun.commit().map_err(fault)?;
    }
    Ok(exit)
}

/// Files that this run writes. What is there before is not what they will hold.
static WRITTEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The files that this run writes, as far as they have been begun or announced.
pub(crate) fn written() -> Vec<PathBuf> {
    WRITTEN
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone()
}

/// Notes that results will go to a file, where that is begun only when everything has been read.
pub(crate) fn announce(file: &OutputFile) {
    let path = file.path().map(Path::to_owned);
    WRITTEN
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .extend(path);
}

/// Where a file is or would be, under any name.
pub(crate) fn place(path: &Path) -> PathBuf {
    if let Ok(place) = path.canonicalize() {
        return place;
    }
    // It is not there yet, but its folder may be.
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    match (folder.canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

/// Colours of what is written there: none in a file.
pub(crate) fn paint(file: &OutputFile) -> Paint {
    match file.path() {
        Some(_) => Paint::none(),
        None => Paint::stdout(),
    }
}

/// How many columns there are where results are written: as many as they take in a file.
pub(crate) fn width(file: &OutputFile) -> Option<usize> {
    terminal::stdout_width().filter(|_| file.path().is_none())
}
