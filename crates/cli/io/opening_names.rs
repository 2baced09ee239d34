//! Names of openings: the bundled ones and a user's.

use crate::failure::{Exit, Failure};
use crate::term::terminal;
use std::fs::File;
use std::path::Path;
use tridex_archive::printable;
use tridex_index::OpeningBook;

/// The bundled names, and those of a file over them. Lines of it that cannot be used are reported, and let the exit fall
/// short.
pub(crate) fn read(names: Option<&Path>) -> Result<(OpeningBook, Exit), Failure> {
    let mut book = OpeningBook::bundled();
    let Some(path) = names else {
        return Ok((book, Exit::Good));
    };
    let shown = path.to_string_lossy();
    let shown = printable(&shown);
    let file = File::open(path).map_err(|fault| Failure::message(format!("{shown}: {fault}")))?;
    let (theirs, faults) = OpeningBook::from_csv(file);
    for fault in &faults {
        let what = printable(&fault.what).into_owned();
        terminal::complain(&format!("{shown}:{}: {what}", fault.line));
    }
    book.extend(theirs);
    let exit = if faults.is_empty() {
        Exit::Good
    } else {
        Exit::HasProblems
    };
    Ok((book, exit))
}
