//! Files in folders.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Source, SourceError, SourceErrorKind};
use crate::container;

/// Extensions of files that are read from folders, before that of a compression.
pub const EXTENSIONS: [&str; 7] = ["pgn", "txt", "csv", "tsv", "ndjson", "jsonl", "tri"];

/// Names of texts about a folder, which contain no games although they end in `.txt`. In a folder they are skipped, in
/// either case of letters; named on their own they are read.
pub const ABOUT: [&str; 5] = [
    "source.txt",
    "readme.txt",
    "license.txt",
    "copying.txt",
    "contents.txt",
];

/// A file of every index. The other files there are not games.
const INDEX_MARK: &str = ".tridex-create.lock";

/// Whether a file of this name is read when it is found in a folder.
fn is_wanted(name: &Path) -> bool {
    container::extension(name).is_some_and(|extension| EXTENSIONS.contains(&extension.as_str()))
        && !is_about(&name.to_string_lossy())
}

fn is_about(name: &str) -> bool {
    ABOUT.iter().any(|about| name.eq_ignore_ascii_case(about))
}

/// Finds the sources of names: `-`, files, and folders. In a folder and those below it, regular files with one of
/// [`EXTENSIONS`] are read, names in bytewise order, without hidden files and those in [`ABOUT`]. A file that is named
/// is read with any extension and of any kind; pipes and devices are read only if they are named, since they may have
/// no end. A folder or a file that is found twice, under the same name or another, is read once: `a.pgn`, `./a.pgn`,
/// its absolute path and a link to it are one source, with the first of the names.
///
/// A folder that cannot be listed is an error in its place. Whether a file can be opened is not checked here.
///
/// ```
/// use tridex_archive::source::{Source, walk};
///
/// let folder = std::env::temp_dir().join(format!("tridex-walk-{}", std::process::id()));
/// std::fs::create_dir_all(&folder)?;
/// for name in ["b.pgn", "a.csv", "notes.doc", "README.txt"] {
///     std::fs::write(folder.join(name), "")?;
/// }
/// let sources: Vec<Source> = walk([&folder]).collect::<Result<_, _>>()?;
/// let expected = ["a.csv", "b.pgn"].map(|name| Source::File(folder.join(name)));
/// assert_eq!(sources, expected);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn walk<I, S>(names: I) -> Walk
where
    I: IntoIterator<Item = S>,
    S: AsRef<OsStr>,
{
    let named = names.into_iter().map(|name| Source::new(name.as_ref()));
    let mut ahead: Vec<_> = named.map(|source| (source, true)).collect();
    ahead.reverse();
    Walk {
        ahead,
        ..Walk::default()
    }
}

/// What a walk found and skipped, for each named folder.
#[derive(Debug, Default)]
pub struct Notes(Mutex<Noted>);

#[derive(Debug, Default)]
struct Noted {
    sources: u64,
    folders: Vec<FolderNote>,
    excepted: Vec<String>,
}

/// A summary of a named folder and those below it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FolderNote {
    /// The folder as it was named, raw.
    pub name: String,
    /// The number of sources found in it.
    pub sources: u64,
    /// The number of files skipped for their extensions; hidden files and those in [`ABOUT`] do not count.
    pub passed_over: u64,
    /// The first names of these, raw.
    pub examples: Vec<String>,
    /// Whether it is an index, or one is below it.
    pub has_index: bool,
}

impl FolderNote {
    /// The number of names stored.
    const EXAMPLES: usize = 3;

    /// Counts a skipped file.
    fn pass_over(&mut self, name: &OsStr) {
        let name = name.to_string_lossy();
        if is_about(&name) {
            return;
        }
        self.passed_over += 1;
        if self.examples.len() < Self::EXAMPLES {
            self.examples.push(name.into_owned());
        }
    }
}

impl Notes {
    fn noted(&self) -> MutexGuard<'_, Noted> {
        // Another thread's panic cannot leave a count half written.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of sources found so far, in folders and named.
    pub fn sources(&self) -> u64 {
        self.noted().sources
    }

    /// The names of the excepted files found in folders so far, raw: see [`Walk::except`].
    pub fn excepted(&self) -> Vec<String> {
        self.noted().excepted.clone()
    }

    /// The named folders finished so far in which nothing was found or something was skipped.
    pub fn folders(&self) -> Vec<FolderNote> {
        self.noted().folders.clone()
    }
}

/// The sources of names. See [`walk`].
#[derive(Debug, Default)]
pub struct Walk {
    /// What is not examined yet, the next one last: what is named, and what is in open folders.
    ahead: Vec<(Source, bool)>,
    /// Folders and files found so far; `None` is standard input.
    met: HashSet<Option<Identity>>,
    /// Files that are skipped in folders.
    excepted: HashSet<Identity>,
    stop: Option<&'static AtomicBool>,
    notes: Arc<Notes>,
    /// The note of the folder that was named last.
    here: Option<FolderNote>,
}

/// Identifies a file or folder under any name.
#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = PathBuf;

/// `canonicalize` takes a system call for each parent, which is quadratic for deep trees; device and inode take one
/// call.
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
    /// Ends the walk when `stop` is set.
    #[must_use]
    pub fn until(mut self, stop: &'static AtomicBool) -> Self {
        self.stop = Some(stop);
        self
    }

    /// Notes what is found and skipped.
    #[must_use]
    pub fn noting(mut self, notes: &Arc<Notes>) -> Self {
        self.notes = Arc::clone(notes);
        self
    }

    /// Skips a file, under any name, if it is found in a folder, such as the file for the results. If it is named
    /// itself, it is read.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use tridex_archive::source::{Notes, walk};
    ///
    /// let folder = std::env::temp_dir().join(format!("tridex-except-{}", std::process::id()));
    /// std::fs::create_dir_all(&folder)?;
    /// for name in ["in.pgn", "out.pgn"] {
    ///     std::fs::write(folder.join(name), "")?;
    /// }
    /// let notes = Arc::new(Notes::default());
    /// let found = walk([&folder]).noting(&notes).except(&folder.join("out.pgn")).count();
    /// assert_eq!((found, notes.excepted().len(), notes.folders().len()), (1, 1, 0));
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn except(mut self, path: &PathBuf) -> Self {
        let known = fs::metadata(path).and_then(|meta| identity(path, &meta));
        self.excepted.extend(known);
        self
    }

    /// Whether a file or folder was not found before. Files that cannot be identified count as new; pipes and devices
    /// are not compared, since they may have other content each time.
    fn is_new(&mut self, path: &Path, meta: &Metadata) -> bool {
        let is_compared = meta.is_file() || meta.is_dir();
        let known = is_compared.then(|| identity(path, meta).ok()).flatten();
        known.is_none_or(|known| self.met.insert(Some(known)))
    }

    /// Returns a source, and counts it.
    fn take(&mut self, source: Source) -> Option<Result<Source, SourceError>> {
        if let Some(here) = &mut self.here {
            here.sources += 1;
        }
        self.notes.noted().sources += 1;
        Some(Ok(source))
    }

    /// Ends the folder that was named last.
    fn leave(&mut self) {
        let here = self.here.take();
        let noted = here.filter(|here| here.sources == 0 || here.passed_over > 0);
        self.notes.noted().folders.extend(noted);
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Enters the folder at `path`, if it is a new one.
    fn enter(&mut self, path: &Path, meta: &Metadata) -> Result<(), SourceError> {
        if !self.is_new(path, meta) {
            return Ok(());
        }
        let named = |entry: io::Result<fs::DirEntry>| {
            let entry = entry?;
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            Ok((entry.file_name(), is_file))
        };
        let names = fs::read_dir(path).and_then(|entries| {
            let entries = entries.take_while(|_| !self.is_stopped());
            entries.map(named).collect::<io::Result<Vec<_>>>()
        });
        let fault = |error| Source::File(path.to_owned()).fault(SourceErrorKind::List(error));
        let mut names = names.map_err(fault)?;
        names.sort_unstable();
        let is_index = names.iter().any(|(name, _)| name == INDEX_MARK);
        let here = self.here.get_or_insert_with(|| FolderNote {
            name: path.to_string_lossy().into_owned(),
            ..FolderNote::default()
        });
        here.has_index |= is_index;
        let from = self.ahead.len();
        for (name, is_file) in names {
            if name.as_encoded_bytes().starts_with(b".") {
                continue;
            }
            // A link may be a folder or a file.
            if !is_file || is_wanted(Path::new(&name)) {
                self.ahead.push((Source::File(path.join(name)), false));
            } else if !is_index {
                here.pass_over(&name);
            }
        }
        self.ahead.get_mut(from..).unwrap_or_default().reverse();
        Ok(())
    }
}

impl Iterator for Walk {
    type Item = Result<Source, SourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_stopped() {
            let Some((source, is_named)) = self.ahead.pop() else {
                self.leave();
                return None;
            };
            if is_named {
                self.leave();
            }
            let Some(path) = source.path() else {
                // Standard input cannot be read twice.
                if self.met.insert(None) {
                    return self.take(source);
                }
                continue;
            };
            let name = path.file_name().unwrap_or_default();
            match fs::metadata(path) {
                Ok(meta) if meta.is_dir() => {
                    if let Err(error) = self.enter(path, &meta) {
                        return Some(Err(error));
                    }
                }
                Ok(meta) if !is_named && !meta.is_file() => {}
                found if is_named || is_wanted(Path::new(name)) => {
                    // A dangling link or a missing file is reported when it is opened.
                    let known = found.as_ref().map(|meta| identity(path, meta));
                    let excepted = matches!(&known, Ok(Ok(known)) if self.excepted.contains(known));
                    if excepted && !is_named {
                        let excepted = path.to_string_lossy().into_owned();
                        self.notes.noted().excepted.push(excepted);
                    } else if found.map_or(true, |meta| self.is_new(path, &meta)) {
                        return self.take(source);
                    } else if let Some(here) = &mut self.here {
                        here.sources += 1;
                    }
                }
                _ => self.here.iter_mut().for_each(|here| here.pass_over(name)),
            }
        }
        None
    }
}
