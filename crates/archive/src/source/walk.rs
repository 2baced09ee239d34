//! Files in folders.

use std::collections::{HashSet, VecDeque};
use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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

/// A file that stands in every index. Nobody takes the others there for games.
const INDEX_MARK: &str = ".tridex-create.lock";

/// Whether a file of this name is read where it is found in a folder.
fn is_wanted(name: &Path) -> bool {
    container::extension(name).is_some_and(|extension| EXTENSIONS.contains(&extension.as_str()))
        && !is_about(&name.to_string_lossy())
}

fn is_about(name: &str) -> bool {
    ABOUT.iter().any(|about| name.eq_ignore_ascii_case(about))
}

/// Finds the sources that names stand for: `-`, files, and folders with all regular files that are in them and
/// bear one of [`EXTENSIONS`], names in bytewise order, those that begin with a dot and those in [`ABOUT`] left out.
/// A file that is named is taken whatever its extension and whatever it is; pipes and devices are taken where they
/// are named only, since they may have no end. A folder or a file that is met twice, under the same name or another,
/// is taken once: `a.pgn`, `./a.pgn`, its whole path and a link to it are one source, called as it was first.
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
        met: HashSet::new(),
        excepted: HashSet::new(),
        stop: None,
        notes: Arc::default(),
        here: None,
    }
}

/// What a walk met and did not take, folder by folder as they were named.
#[derive(Debug, Default)]
pub struct Notes(Mutex<Noted>);

#[derive(Debug, Default)]
struct Noted {
    sources: u64,
    folders: Vec<FolderNote>,
    excepted: Vec<String>,
}

/// What is in a folder that was named and in those below it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FolderNote {
    /// The folder as it was named, raw.
    pub name: String,
    /// How many sources were found in it.
    pub sources: u64,
    /// How many files were passed over for their names; hidden files and those in [`ABOUT`] do not count.
    pub passed_over: u64,
    /// Names of the first of these, raw.
    pub examples: Vec<String>,
    /// Whether it is an index, or one is below it.
    pub has_index: bool,
}

impl FolderNote {
    /// How many names are kept.
    const EXAMPLES: usize = 3;

    /// A file was passed over.
    fn pass_over(&mut self, name: &OsStr) {
        let name = name.to_string_lossy();
        if is_about(&name) {
            return;
        }
        self.passed_over += 1;
        // Whatever the order of the system, which says nothing.
        let at = self.examples.partition_point(|other| **other < *name);
        self.examples.insert(at, name.into_owned());
        self.examples.truncate(Self::EXAMPLES);
    }

    /// Adds what is in a folder below.
    fn join(&mut self, below: Self) {
        self.has_index |= below.has_index;
        self.passed_over += below.passed_over;
        self.examples.extend(below.examples);
        self.examples.truncate(Self::EXAMPLES);
    }
}

impl Notes {
    fn noted(&self) -> MutexGuard<'_, Noted> {
        // Counts are whole whoever else panicked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many sources were found so far, in folders and named.
    #[must_use]
    pub fn sources(&self) -> u64 {
        self.noted().sources
    }

    /// Names of the files found in folders so far that were excepted, raw: see [`Walk::except`].
    #[must_use]
    pub fn excepted(&self) -> Vec<String> {
        self.noted().excepted.clone()
    }

    /// The named folders gone through so far in which nothing was found or something was passed over.
    #[must_use]
    pub fn folders(&self) -> Vec<FolderNote> {
        self.noted().folders.clone()
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
    /// Folders and files that were met, and standard input, which is none of them.
    met: HashSet<Option<Identity>>,
    /// Files that are not taken from folders.
    excepted: HashSet<Identity>,
    stop: Option<&'static AtomicBool>,
    notes: Arc<Notes>,
    /// What was found so far in the folder that was named last.
    here: Option<FolderNote>,
}

/// What a file or folder is, under any name.
#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = PathBuf;

/// To ask the system for the whole way takes a question for each folder of it, and so much time that deep folders are
/// never done; number and device take one.
#[cfg(unix)]
fn identity(_path: &Path, meta: &Metadata) -> io::Result<Identity> {
    use std::os::unix::fs::MetadataExt;
    Ok((meta.dev(), meta.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path, _meta: &Metadata) -> io::Result<Identity> {
    path.canonicalize()
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

    /// Tells what it meets and does not take.
    #[must_use]
    pub fn noting(self, notes: &Arc<Notes>) -> Self {
        Self {
            notes: Arc::clone(notes),
            ..self
        }
    }

    /// Leaves out a file, under any name, where it is found in a folder: one that the results go to. Where it is named
    /// it is meant.
    #[must_use]
    pub fn except(mut self, path: &PathBuf) -> Self {
        let known = fs::metadata(path).and_then(|meta| identity(path, &meta));
        self.excepted.extend(known);
        self
    }

    /// Whether a file is one of those left out.
    fn is_excepted(&self, path: &Path, meta: &Metadata) -> bool {
        identity(path, meta).is_ok_and(|known| self.excepted.contains(&known))
    }

    /// Whether a file or folder was not met before. What cannot be identified is not known to have been; pipes and
    /// devices, which may give something else each time, are not compared.
    fn is_new(&mut self, path: &Path, meta: &Metadata) -> bool {
        let is_compared = meta.is_file() || meta.is_dir();
        let known = is_compared.then(|| identity(path, meta).ok()).flatten();
        known.is_none_or(|known| self.met.insert(Some(known)))
    }

    /// A source is taken.
    fn take(&mut self, source: Source) -> Option<Result<Source, SourceError>> {
        if let Some(here) = &mut self.here {
            here.sources += 1;
        }
        self.notes.noted().sources += 1;
        Some(Ok(source))
    }

    /// The folder that was named last has been gone through.
    fn leave(&mut self) {
        let here = self.here.take();
        let noted = here.filter(|here| here.sources == 0 || here.passed_over > 0);
        self.notes.noted().folders.extend(noted);
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Enters the folder at `path`, if it is a new one.
    fn enter(&mut self, path: PathBuf, meta: &Metadata) -> Result<(), SourceError> {
        if !self.is_new(&path, meta) {
            return Ok(());
        }
        let fault = |error| Source::File(path.clone()).fault(SourceErrorKind::List(error));
        let (names, note) = self.list(&path).map_err(fault)?;
        let named = || FolderNote {
            name: path.to_string_lossy().into_owned(),
            ..FolderNote::default()
        };
        self.here.get_or_insert_with(named).join(note);
        self.open.push(names);
        self.path = path;
        Ok(())
    }

    /// The names in a folder that may be taken, and what is to be noted of it.
    fn list(&self, path: &Path) -> io::Result<(VecDeque<OsString>, FolderNote)> {
        let mut names = Vec::new();
        let mut note = FolderNote::default();
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            let name = entry.file_name();
            if self.is_stopped() {
                break;
            }
            // What can be neither a folder nor wanted is forgotten at once. Links may be anything.
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            if name.as_encoded_bytes().starts_with(b".") {
                note.has_index |= name == INDEX_MARK;
            } else if !is_file || is_wanted(Path::new(&name)) {
                names.push(name);
            } else {
                note.pass_over(&name);
            }
        }
        if note.has_index {
            note.passed_over = 0;
            note.examples.clear();
        }
        names.sort_by(|a, b| a.as_encoded_bytes().cmp(b.as_encoded_bytes()));
        Ok((names.into(), note))
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
                self.leave();
                let source = Source::new(&self.named.pop_front()?);
                let is_new = match source.path().map(|path| (path, fs::metadata(path))) {
                    // What has been read from standard input does not come again.
                    None => self.met.insert(None),
                    Some((path, Ok(meta))) if meta.is_dir() => {
                        match self.enter(path.to_owned(), &meta) {
                            Ok(()) => false,
                            Err(error) => return Some(Err(error)),
                        }
                    }
                    Some((path, found)) => found.map_or(true, |meta| self.is_new(path, &meta)),
                };
                if is_new {
                    return self.take(source);
                }
                continue;
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
                // That a link leads nowhere, or a file has gone, is reported when it is opened.
                Ok(meta) if !meta.is_file() => {}
                Ok(meta) if is_wanted(Path::new(&name)) && self.is_excepted(&path, &meta) => {
                    let excepted = path.to_string_lossy().into_owned();
                    self.notes.noted().excepted.push(excepted);
                }
                found if is_wanted(Path::new(&name)) => {
                    if found.is_ok_and(|meta| !self.is_new(&path, &meta)) {
                        let here = self.here.iter_mut();
                        here.for_each(|here| here.sources += 1);
                    } else {
                        return self.take(Source::File(path));
                    }
                }
                _ => {
                    let mut link = FolderNote::default();
                    link.pass_over(&name);
                    if let Some(here) = &mut self.here {
                        here.join(link);
                    }
                }
            }
        }
    }
}
