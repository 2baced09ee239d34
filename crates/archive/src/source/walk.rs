//! Files in folders.

use std::collections::{BTreeSet, VecDeque};
use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Source, SourceError, SourceErrorKind};
use crate::container;

/// Extensions of files that are read from folders, before that of a compression.
pub const EXTENSIONS: [&str; 7] = ["pgn", "txt", "csv", "tsv", "ndjson", "jsonl", "tri"];

/// Names of texts about a folder, which hold no games though they end in `.txt`: left out of folders, in any case of
/// letters, and read where they are named.
pub const ABOUT: [&str; 5] = [
    "source.txt",
    "readme.txt",
    "license.txt",
    "copying.txt",
    "contents.txt",
];

/// Whether a file of this name is read where it is found in a folder.
fn is_wanted(name: &Path) -> bool {
    let about = name.to_string_lossy();
    container::extension(name).is_some_and(|extension| EXTENSIONS.contains(&extension.as_str()))
        && !ABOUT.iter().any(|text| about.eq_ignore_ascii_case(text))
}

/// Finds the sources that names stand for: `-`, files, and folders with all regular files that are in them and
/// bear one of [`EXTENSIONS`], names in bytewise order, those that begin with a dot and those in [`ABOUT`] left out. A file
/// that is named is taken whatever its extension and whatever it is; pipes and devices are taken where they are named
/// only, since they may have no end. A folder that is met twice by way of links is entered once.
///
/// What cannot be listed comes as an error in its place; whether a file opens is seen on opening.
pub fn walk<I, S>(names: I) -> Walk
where
    I: IntoIterator<Item = S>,
    S: AsRef<OsStr>,
{
    Walk {
        named: names
            .into_iter()
            .map(|name| name.as_ref().to_owned())
            .collect(),
        open: Vec::new(),
        path: PathBuf::new(),
        seen: BTreeSet::new(),
        stop: None,
    }
}

/// The sources that names stand for. See [`walk`].
#[derive(Debug)]
pub struct Walk {
    named: VecDeque<OsString>,
    /// What is left of the folders that are open, the innermost last: names only, for folders may hold millions.
    open: Vec<VecDeque<OsString>>,
    /// The innermost folder.
    path: PathBuf,
    seen: BTreeSet<Identity>,
    stop: Option<&'static AtomicBool>,
}

/// What a folder is, whatever the way to it.
#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = PathBuf;

/// To ask the system for the whole way takes a question for each folder of it, and so much time that deep folders are
/// never done; number and device take one.
#[cfg(unix)]
fn identity(_folder: &Path, meta: &Metadata) -> io::Result<Identity> {
    use std::os::unix::fs::MetadataExt;
    Ok((meta.dev(), meta.ino()))
}

#[cfg(not(unix))]
fn identity(folder: &Path, _meta: &Metadata) -> io::Result<Identity> {
    folder.canonicalize()
}

impl Walk {
    /// Ends, wherever it is, when `stop` is set.
    #[must_use]
    pub fn until(self, stop: &'static AtomicBool) -> Self {
        Self {
            stop: Some(stop),
            ..self
        }
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Enters the folder at `path`, if it is a new one.
    fn enter(&mut self, path: PathBuf, meta: &Metadata) -> Result<(), SourceError> {
        match self.listed(&path, meta) {
            Ok(Some(names)) => {
                self.open.push(names);
                self.path = path;
                Ok(())
            }
            Ok(None) => Ok(()),
            Err(error) => Err(SourceError {
                name: path.to_string_lossy().into_owned(),
                kind: SourceErrorKind::List(error),
            }),
        }
    }

    /// The names in a folder; `None` if it was listed before.
    fn listed(&mut self, path: &Path, meta: &Metadata) -> io::Result<Option<VecDeque<OsString>>> {
        if !self.seen.insert(identity(path, meta)?) {
            return Ok(None);
        }
        let mut names = Vec::new();
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            let name = entry.file_name();
            if self.is_stopped() {
                break;
            }
            // What can be neither a folder nor wanted is forgotten at once. Links may be anything.
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            let hidden = name.as_encoded_bytes().starts_with(b".");
            if !hidden && (!is_file || is_wanted(Path::new(&name))) {
                names.push(name);
            }
        }
        names.sort_by(|a, b| a.as_encoded_bytes().cmp(b.as_encoded_bytes()));
        Ok(Some(names.into()))
    }
}

impl Iterator for Walk {
    type Item = Result<Source, SourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.is_stopped() {
                return None;
            }
            let Some(folder) = self.open.last_mut() else {
                let source = Source::new(&self.named.pop_front()?);
                let Some(path) = source.path() else {
                    return Some(Ok(source));
                };
                match fs::metadata(path).ok().filter(Metadata::is_dir) {
                    Some(meta) => match self.enter(path.to_owned(), &meta) {
                        Ok(()) => continue,
                        Err(error) => return Some(Err(error)),
                    },
                    None => return Some(Ok(source)),
                }
            };
            let Some(name) = folder.pop_front() else {
                self.open.pop();
                self.path.pop();
                continue;
            };
            let path = self.path.join(&name);
            match fs::metadata(&path) {
                Ok(meta) if meta.is_dir() => {
                    if let Err(error) = self.enter(path, &meta) {
                        return Some(Err(error));
                    }
                }
                // That a link leads nowhere, or a file has gone, is said when it is opened.
                Ok(meta) if !meta.is_file() => {}
                _ if is_wanted(Path::new(&name)) => return Some(Ok(Source::File(path))),
                _ => {}
            }
        }
    }
}
