//! Finds the files in folders.
//!
//! Written here because a folder is read in the order of its names, a walk can be stopped, a file that is reached twice
//! through links is read once, and skipped files are reported. `walkdir` would only replace the recursion.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::{Source, SourceError};
use crate::{Cancel, container, file_name};

/// Extensions of the files that are read from folders. The extension of a compression may follow.
pub const EXTENSIONS: [&str; 7] = ["pgn", "txt", "csv", "tsv", "ndjson", "jsonl", "tri"];

/// Names of texts about a folder, which contain no games although they end in `.txt`. In a folder they are skipped, in
/// any case of letters. If they are named themselves, they are read.
pub const ABOUT: [&str; 5] = [
    "source.txt",
    "readme.txt",
    "license.txt",
    "copying.txt",
    "contents.txt",
];

/// Whether a file of this name is read when it is found in a folder.
fn is_wanted(name: &Path) -> bool {
    container::extension(name).is_some_and(|extension| EXTENSIONS.contains(&extension.as_str()))
        && !is_about(&name.to_string_lossy())
}

fn is_about(name: &str) -> bool {
    ABOUT.iter().any(|about| name.eq_ignore_ascii_case(about))
}

/// Finds the sources that `names` mean: `-`, files, and folders. In a folder and those below it, regular files with one
/// of [`EXTENSIONS`] are read, in bytewise order of names, without hidden files and those in [`ABOUT`]. A file that is
/// named itself is read with any extension and of any kind. Pipes and devices are read only if they are named, since
/// they may have no end. A folder or a file that is found twice, under the same name or another, is read once: `a.pgn`,
/// `./a.pgn`, its absolute path and a link to it are one source, with the first of the names.
///
/// A folder that cannot be listed gives an error in its place. The walk does not check whether files can be opened.
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
pub fn walk(names: impl IntoIterator<Item: AsRef<OsStr>>) -> Walk {
    let named = names.into_iter();
    let named = named.map(|name| (Source::new(name.as_ref()), true));
    let mut ahead: Vec<_> = named.collect();
    ahead.reverse();
    Walk {
        ahead,
        ..Walk::default()
    }
}

/// A summary of a named folder and those below it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FolderNote {
    /// The folder as it was named, raw.
    pub name: String,
    /// The number of sources found in it.
    pub sources: u64,
    /// The number of files skipped because of their extensions, without hidden files and those in [`ABOUT`].
    pub passed_over: u64,
    /// The names of the first of these, raw.
    pub examples: Vec<String>,
    /// Whether it, or a folder below it, contains the marker file of another program: see [`Walk::marked_by`].
    pub is_marked: bool,
}

impl FolderNote {
    /// The number of names stored.
    const EXAMPLES: usize = 3;

    /// Counts a skipped file.
    fn pass_over(&mut self, name: &OsStr) {
        if is_about(&name.to_string_lossy()) {
            return;
        }
        self.passed_over += 1;
        if self.examples.len() < Self::EXAMPLES {
            self.examples.push(file_name::to_text(name));
        }
    }
}

/// The sources of names. See [`walk`].
#[derive(Debug, Default)]
pub struct Walk {
    /// Names and entries of open folders that are not examined yet, the next one last. The flag is true for names.
    ahead: Vec<(Source, bool)>,
    /// The folders and files found so far. `None` is standard input.
    met: HashSet<Option<Identity>>,
    /// Files that are skipped in folders.
    excepted: HashSet<Identity>,
    /// The names of the excepted files found in folders so far, raw: see [`Walk::except`].
    pub skipped: Vec<String>,
    cancel: Cancel,
    /// See [`Walk::marked_by`].
    mark: Option<&'static str>,
    /// The number of sources found so far, in folders and named.
    pub sources: u64,
    /// The folders that were named so far.
    folders: Vec<FolderNote>,
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
    /// Ends the walk when `cancel` is cancelled.
    #[must_use]
    pub fn until(mut self, cancel: &Cancel) -> Self {
        self.cancel = cancel.clone();
        self
    }

    /// Recognises the folders of another program, such as an index, by a file in them. Other files in such a folder are
    /// not counted as skipped.
    #[must_use]
    pub fn marked_by(mut self, name: &'static str) -> Self {
        self.mark = Some(name);
        self
    }

    /// The named folders finished so far in which no source was found or a file was skipped.
    pub fn folders(&self) -> impl Iterator<Item = &FolderNote> {
        // The last folder is not finished while its entries are not all examined.
        let finished = self
            .folders
            .iter()
            .rev()
            .skip(usize::from(!self.ahead.is_empty()));
        let is_noted = |folder: &&FolderNote| folder.sources == 0 || folder.passed_over > 0;
        finished.rev().filter(is_noted)
    }

    /// Skips a file if it is found in a folder, under any name: for example the file for the results. If it is named
    /// itself, it is read.
    ///
    /// ```
    /// use tridex_archive::source::walk;
    ///
    /// let folder = std::env::temp_dir().join(format!("tridex-except-{}", std::process::id()));
    /// std::fs::create_dir_all(&folder)?;
    /// for name in ["in.pgn", "out.pgn"] {
    ///     std::fs::write(folder.join(name), "")?;
    /// }
    /// let mut walk = walk([&folder]).except(&folder.join("out.pgn"));
    /// let found = walk.by_ref().count();
    /// assert_eq!((found, walk.skipped.len(), walk.folders().count()), (1, 1, 0));
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn except(mut self, path: &PathBuf) -> Self {
        let known = fs::metadata(path).and_then(|meta| identity(path, &meta));
        self.excepted.extend(known);
        self
    }

    /// Whether a source or folder was not found before. What cannot be identified counts as new.
    fn is_new(&mut self, known: Option<Option<Identity>>) -> bool {
        known.is_none_or(|known| self.met.insert(known))
    }

    fn is_stopped(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// The note of the folder that is being read.
    fn here(&mut self, is_named: bool) -> Option<&mut FolderNote> {
        self.folders.last_mut().filter(|_| !is_named)
    }

    /// Lists a folder, and puts its entries ahead.
    fn enter(&mut self, path: &Path, is_named: bool) -> io::Result<()> {
        let entries = fs::read_dir(path)?.take_while(|_| !self.is_stopped());
        let names = entries.map(|entry| Ok(entry?.file_name()));
        let mut names = names.collect::<io::Result<Vec<_>>>()?;
        names.sort_unstable();
        if is_named {
            self.folders.push(FolderNote {
                name: file_name::to_text(path),
                ..FolderNote::default()
            });
        }
        if let Some(mark) = self.mark
            && let Some(here) = self.here(false)
        {
            here.is_marked |= names.iter().any(|name| name == mark);
        }
        let names = names.into_iter().rev();
        let shown = names.filter(|name| !name.as_encoded_bytes().starts_with(b"."));
        self.ahead
            .extend(shown.map(|name| (Source::File(path.join(name)), false)));
        Ok(())
    }
}

impl Iterator for Walk {
    type Item = Result<Source, SourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_stopped() {
            let (source, is_named) = self.ahead.pop()?;
            let path = source.path().unwrap_or(Path::new(""));
            let meta = fs::metadata(path).ok();
            // Pipes and devices are not compared, since they may have different content each time.
            let known = match &meta {
                Some(meta) if meta.is_file() || meta.is_dir() => {
                    identity(path, meta).ok().map(Some)
                }
                _ => (source == Source::Stdin).then_some(None),
            };
            if meta.as_ref().is_some_and(Metadata::is_dir) {
                if self.is_new(known)
                    && let Err(error) = self.enter(path, is_named)
                {
                    let message = format!("the folder cannot be listed: {error}");
                    return Some(Err(source.fault("cannot-list", message)));
                }
                continue;
            }
            let name = path.file_name().unwrap_or_default();
            let is_other = meta.is_some_and(|meta| !meta.is_file());
            if !is_named && (is_other || !is_wanted(Path::new(name))) {
                let is_marked = |mark| path.with_file_name(mark).exists();
                if !is_other
                    && !self.mark.is_some_and(is_marked)
                    && let Some(here) = self.here(false)
                {
                    here.pass_over(name);
                }
                continue;
            }
            if !is_named
                && let Some(Some(known)) = &known
                && self.excepted.contains(known)
            {
                self.skipped.push(file_name::to_text(path));
                continue;
            }
            if let Some(here) = self.here(is_named) {
                here.sources += 1;
            }
            // A dangling link or a missing file is reported when it is opened.
            if self.is_new(known) {
                self.sources += 1;
                return Some(Ok(source));
            }
        }
        None
    }
}
