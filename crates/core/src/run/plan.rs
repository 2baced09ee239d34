//! Pieces of files, as a plan lists them.

use crate::file_fault::FileFault;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tridex_archive::file_name;
use tridex_archive::source::FileRange;
use tridex_text::printable;

/// The longest line of a plan in bytes: more than the longest name of a file needs.
const MAX_LINE: u64 = 1 << 20;

/// The pieces of a plan, in its order. A line that cannot be used gives a fault in its place. `taken` counts the lines.
pub(super) fn pieces(
    plan: &Path,
    taken: &Arc<AtomicU64>,
) -> impl Iterator<Item = Result<FileRange, FileFault>> + use<> {
    let name = file_name::to_text(plan);
    let opened: io::Result<Box<dyn BufRead>> = match name.as_str() {
        "-" => Ok(Box::new(io::stdin().lock())),
        _ => File::open(plan).map(|file| Box::new(BufReader::new(file)) as _),
    };
    let mut lines = Some(opened);
    let mut number = 0_u64;
    let taken = Arc::clone(taken);
    std::iter::from_fn(move || {
        loop {
            let mut line = Vec::new();
            let read = match lines.as_mut()? {
                Ok(reader) => {
                    let read = reader.take(MAX_LINE).read_until(b'\n', &mut line);
                    read.map_err(|error| format!("cannot be read: {error}"))
                }
                Err(error) => Err(format!("cannot be opened: {error}")),
            };
            number += 1;
            let said = |what: &str| {
                let message =
                    format!("not a line of a plan: {what}; create plans with `tridex plan PATHS`");
                FileFault::of_plan(&name, Some(number), message)
            };
            match read {
                Ok(0) => return None,
                Ok(_) if line.trim_ascii().is_empty() => {}
                Ok(length) if length as u64 == MAX_LINE && !line.ends_with(b"\n") => {
                    lines = None;
                    return Some(Err(said("the line is too long; the rest was not read")));
                }
                Ok(_) => {
                    taken.fetch_add(1, Ordering::Relaxed);
                    let piece = FileRange::from_line(&line);
                    return Some(piece.map_err(|fault| said(&printable(&fault.to_string()))));
                }
                Err(what) => {
                    lines = None;
                    return Some(Err(FileFault::of_plan(&name, None, what)));
                }
            }
        }
    })
}

/// The total size of all pieces in bytes, if it is known beforehand.
pub(super) fn total_bytes(plan: &Path) -> Option<u64> {
    if plan.as_os_str() == "-" {
        return None;
    }
    pieces(plan, &Arc::default())
        .map(|piece| Some(piece.ok()?.length))
        .sum()
}
