//! The stamps of files in an index. An update compares them and skips files that have not changed.

use crate::file_fault::FileFault;
use crate::run::{Archives, Open, Step, Steps, only, parts};
use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tridex_archive::file_name;
use tridex_archive::source::{Source, SourceError};
use tridex_index::{Writer, content_hash};

/// An event between games. Sources do not overlap.
pub(super) enum Mark {
    /// A source begins.
    Begin(Arc<str>),
    /// The source has ended; its stamp, if it is a file.
    End(Option<u64>),
    /// The source has not changed since it was last read.
    Same(Arc<str>),
}

/// Finds the sources of a run that have not changed. Pieces of a plan have no marks: their source begins with its first game and is
/// never ended. Its other games therefore stay in the index, because they may come from other pieces.
pub(super) struct Unchanged<'a> {
    archives: &'a Archives,
    /// The name of standard input.
    stdin: &'a str,
    /// Used only to look up sources and their stamps.
    writer: &'a RefCell<&'a mut Writer>,
    /// How the games are read.
    manner: String,
    /// The names of the sources so far.
    seen: HashSet<Arc<str>>,
    /// The names of the files in the index, by their last component. Collected when first needed.
    known: OnceCell<HashMap<OsString, Vec<Arc<str>>>>,
}

impl<'a> Unchanged<'a> {
    pub(super) fn new(
        archives: &'a Archives,
        stdin: &'a str,
        writer: &'a RefCell<&'a mut Writer>,
    ) -> Self {
        Self {
            archives,
            stdin,
            writer,
            // Other options may find other games in the same file, and another version may store more about the same
            // games.
            manner: format!(
                "{} with marks, {:?}, {:?} or guessed",
                env!("CARGO_PKG_VERSION"),
                archives.options,
                archives.open.encoding
            ),
            seen: HashSet::new(),
            known: OnceCell::new(),
        }
    }

    /// Returns the steps of a source: its games, or a mark that it has not changed. There are none if this run has
    /// already met the source.
    pub(super) fn source(
        &mut self,
        source: &Source,
        open: &Open<'_>,
    ) -> Result<Steps<Mark>, SourceError> {
        let name: Arc<str> = match source {
            Source::Stdin => self.stdin.into(),
            Source::File(_) => source.name().into(),
        };
        // The index may have the file under another name.
        let known = source.path().and_then(|path| self.name_of(path, &name));
        let (name, place) = known.unwrap_or_else(|| (name, source.path().and_then(place_of)));
        if !self.seen.insert(Arc::clone(&name)) {
            return Ok(Box::new(std::iter::empty()));
        }
        let stamp = source.path().zip(place);
        let stamp = stamp.and_then(|(path, place)| stamp_of(path, place, &self.manner));
        if stamp.is_some() && self.writer.borrow().stamp(&name) == stamp {
            let bytes = source.size().unwrap_or(0);
            let consumed = &self.archives.open.consumed;
            consumed.fetch_add(bytes, Ordering::Relaxed);
            return Ok(only(Step::Mark(Mark::Same(name))));
        }
        let input = open()?;
        let begin = only(Step::Mark(Mark::Begin(Arc::clone(&name))));
        let games = parts(&name, input, FileFault::of_source);
        let end = only(Step::Mark(Mark::End(stamp)));
        Ok(Box::new(begin.chain(games).chain(end)))
    }

    /// Returns the name under which the index has the file at a path, if that is not `name`, and the hash of its place.
    fn name_of(&self, path: &Path, name: &str) -> Option<(Arc<str>, Option<u64>)> {
        let writer = self.writer.borrow();
        if writer.stamp(name).is_some() {
            return None;
        }
        let known = self.known.get_or_init(|| {
            let mut known = HashMap::<OsString, Vec<Arc<str>>>::new();
            // A damaged index is reported elsewhere.
            for name in writer.sources().unwrap_or_default() {
                if let Some(file) = file_name::to_path(&name).file_name() {
                    known.entry(file.to_owned()).or_default().push(name.into());
                }
            }
            known
        });
        let absolute = std::path::absolute(path).ok()?;
        let real = path.canonicalize().ok()?;
        let candidates = known.get(path.file_name()?)?;
        candidates.iter().find_map(|other| {
            let there = writer.stamp(other)? >> CONTENT_BITS;
            let other_path = file_name::to_path(other);
            let other_path = other_path.as_path();
            // The name was given from this folder. Or it is the end of this path, and the file was at this path.
            let from_here = || {
                place_of(other_path) == Some(there)
                    && other_path.canonicalize().is_ok_and(|other| other == real)
            };
            let end = other_path.strip_prefix(".").unwrap_or(other_path);
            let is_end = |path: &Path| path.ends_with(end) && place(path) == Some(there);
            let same = is_end(&absolute) || is_end(&real) || from_here();
            same.then(|| (Arc::clone(other), Some(there)))
        })
    }
}

/// The low bits of a stamp are a hash of the content, the high bits a hash of the absolute path of the file.
const CONTENT_BITS: u32 = 44;
const CONTENT: u64 = (1 << CONTENT_BITS) - 1;

/// Returns a stamp that no content has, with the place of the file.
pub(super) const fn never_the_same(stamp: u64) -> u64 {
    stamp & !CONTENT
}

/// Returns a stamp that changes with the file: a hash of its bytes, of how it is read, and of its absolute path. A
/// relative name alone does not identify a file.
fn stamp_of(path: &Path, place: u64, manner: &str) -> Option<u64> {
    let file = File::open(path).ok()?;
    // Anything but a regular file can perhaps be read only once.
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let content = content_hash(manner.as_bytes().chain(file)).ok()?;
    // Zero is reserved for `never_the_same`.
    let content = (content & CONTENT).max(1);
    Some(place << CONTENT_BITS | content)
}

/// Returns a hash of the absolute path to which a name leads from the current folder.
fn place_of(path: &Path) -> Option<u64> {
    place(&std::path::absolute(path).ok()?)
}

/// Returns a hash of a whole path.
fn place(absolute: &Path) -> Option<u64> {
    let hash = content_hash(absolute.as_os_str().as_encoded_bytes());
    hash.ok().map(|hash| hash >> CONTENT_BITS)
}

/// Whether a name leads to the file it was stored for: it is absolute, or it was given from this folder.
pub(super) fn is_from_here(path: &Path, stamp: Option<u64>) -> bool {
    let is_here = |stamp| place_of(path) == Some(stamp >> CONTENT_BITS);
    path.is_absolute() || stamp.is_some_and(is_here)
}
