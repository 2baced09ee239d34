//! The games of the paths for the index: source by source, those that have not changed are skipped.

use crate::commands::index::IndexArgs;
use crate::io::fault::Fault;
use crate::io::sources::{Job, Jobs, only, parts};
use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tridex_archive::file_name;
use tridex_archive::source::{OpenOptions, Source, SourceError};
use tridex_index::{Writer, content_hash};

/// What happens to the index between games. Sources do not overlap.
pub(super) enum Mark {
    /// A source begins.
    Begin(Arc<str>),
    /// The source is over; its stamp, if it is a file.
    End(Option<u64>),
    /// The source is as it was when it was read last.
    Same(Arc<str>),
}

/// What is known while sources are taken in. What the index has of a source besides the games of its pieces stays, for other
/// pieces may have been given before: a source of pieces begins with its first game, and is never ended.
pub(super) struct Intake<'a> {
    args: &'a IndexArgs,
    /// Of the writer only stamps are needed.
    writer: &'a RefCell<Writer>,
    manner: String,
    /// The names of the sources so far.
    seen: HashSet<Arc<str>>,
    /// The names under which the index knows files, by the last part of them. Looked up when they are needed first.
    known: OnceCell<HashMap<OsString, Vec<Arc<str>>>>,
}

impl<'a> Intake<'a> {
    pub(super) fn new(args: &'a IndexArgs, writer: &'a RefCell<Writer>) -> Self {
        Self {
            args,
            writer,
            // Read otherwise, the same file may hold other games; and of the same games more may be stored than before.
            manner: format!(
                "{} with marks, {:?}, {:?} or guessed",
                env!("CARGO_PKG_VERSION"),
                args.reading.options(),
                args.reading.encoding
            ),
            seen: HashSet::new(),
            known: OnceCell::new(),
        }
    }

    /// The games of a source, or that it has not changed; nothing if it was met before.
    pub(super) fn source(
        &mut self,
        source: &Source,
        options: &OpenOptions,
    ) -> Result<Jobs<Mark>, SourceError> {
        let name: Arc<str> = match source {
            Source::Stdin => self.args.name.as_str().into(),
            Source::File(_) => source.name().into(),
        };
        // Met again by another path.
        let known = source.path().and_then(|path| self.name_of(path, &name));
        let (name, place) = known.unwrap_or_else(|| (name, source.path().and_then(place_of)));
        if !self.seen.insert(Arc::clone(&name)) {
            return Ok(Box::new(std::iter::empty()));
        }
        let stamp = source.path().zip(place);
        let stamp = stamp.and_then(|(path, place)| stamp_of(path, place, &self.manner));
        if stamp.is_some() && self.writer.borrow().stamp(&name) == stamp {
            let bytes = source.size().unwrap_or(0);
            options.consumed.fetch_add(bytes, Ordering::Relaxed);
            return Ok(only(Job::Mark(Mark::Same(name))));
        }
        let input = source.open(options)?;
        let begin = only(Job::Mark(Mark::Begin(Arc::clone(&name))));
        let games = parts(&name, input, Fault::of_source);
        let end = only(Job::Mark(Mark::End(stamp)));
        Ok(Box::new(begin.chain(games).chain(end)))
    }

    /// The name under which the index has the file at a path, and the hash of its place, if that name is another one.
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
            // The name was given from here, or it is the end of this path and that path is where it was.
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

/// The low bits of a stamp are the content's, the high ones the folder's in which names are looked up.
const CONTENT_BITS: u32 = 44;
const CONTENT: u64 = (1 << CONTENT_BITS) - 1;

/// A stamp that no file has, but with the place of the file.
pub(super) const fn never_the_same(stamp: u64) -> u64 {
    stamp & !CONTENT
}

/// A stamp by which a changed file is recognised: a hash of its bytes, of how it is read, and of its place, without which
/// a relative name is of no use.
fn stamp_of(path: &Path, place: u64, manner: &str) -> Option<u64> {
    let file = File::open(path).ok()?;
    // What is no plain file might be read only once.
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let content = content_hash(manner.as_bytes().chain(file)).ok()?;
    // Never that of `never_the_same`.
    let content = (content & CONTENT).max(1);
    Some(place << CONTENT_BITS | content)
}

/// A hash of where a name leads to.
fn place_of(path: &Path) -> Option<u64> {
    place(&std::path::absolute(path).ok()?)
}

/// A hash of a whole path.
fn place(absolute: &Path) -> Option<u64> {
    let hash = content_hash(absolute.as_os_str().as_encoded_bytes());
    hash.ok().map(|hash| hash >> CONTENT_BITS)
}

/// Whether a folder is missing, or empty as that of a disk which is not mounted.
pub(super) fn is_missing(folder: &Path) -> bool {
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    match std::fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        // A file that was named.
        Err(_) => !folder.is_file(),
    }
}

/// Whether a name with a stamp was given from this folder, or from any.
pub(super) fn is_from_here(path: &Path, stamp: Option<u64>) -> bool {
    let is_here = |stamp| place_of(path) == Some(stamp >> CONTENT_BITS);
    path.is_absolute() || stamp.is_some_and(is_here)
}
