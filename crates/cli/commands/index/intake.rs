//! The games of the paths for the index: source by source, those that have not changed are skipped.

use crate::commands::index::IndexArgs;
use crate::io::entries::{Games, games};
use crate::io::fault::Fault;
use crate::io::{pieces, sources};
use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tridex_archive::batch::Batch;
use tridex_archive::source::{Notes, OpenOptions, Source};
use tridex_index::{ContentHash, Prepared, Preparer, Writer};
use tridex_replay::diagnostic::Severity;
use tridex_replay::{Options, Part, Parts};

/// What happens to the index next. Sources do not overlap.
pub(super) enum Job {
    /// A source begins.
    Begin(Arc<str>),
    /// Games of the source.
    Games(Arc<str>, Batch),
    /// The source was read to its end; its stamp, if it is a file.
    End(Option<u64>),
    /// The source is as it was when it was read last.
    Same(Arc<str>),
    /// The source is over, but so damaged that games may be missing; its stamp, if it is a file.
    Leave(Option<u64>),
    /// The source, or the rest of a piece, could not be read.
    Failed(Fault),
    /// There is something to know about a source.
    Noted(Fault),
}

/// All that the paths lead to, in order. Of the writer only stamps are needed.
pub(super) fn jobs<'a>(
    args: &'a IndexArgs,
    options: &Options,
    writer: &'a RefCell<Writer>,
    consumed: &Arc<AtomicU64>,
    notes: &Arc<Notes>,
) -> impl Iterator<Item = Job> + 'a {
    let open = sources::open_options(&args.reading, options.locale, consumed);
    // Read otherwise, the same file may hold other games; and of the same games more may be stored than before.
    let manner = format!(
        "{} with marks, {options:?}, {:?} or guessed",
        env!("CARGO_PKG_VERSION"),
        open.encoding
    );
    let mut seen = HashSet::new();
    let aliases = Aliases::of(writer);
    let planned = planned(args, open.clone());
    let sources = sources::sources(&args.reading).noting(notes).flat_map(
        move |source| -> Box<dyn Iterator<Item = Job>> {
            let source = match source {
                Ok(source) => source,
                Err(fault) => {
                    return Box::new(std::iter::once(Job::Failed(Fault::of_source(&fault))));
                }
            };
            let name: Arc<str> = match source {
                Source::Stdin => args.name.as_str().into(),
                Source::File(_) => source.name().into(),
            };
            // Met again by another path.
            let mut place = source.path().and_then(place_of);
            let name = match source.path().and_then(|path| aliases.name_of(path, &name)) {
                Some((known, there)) => {
                    place = Some(there);
                    known
                }
                None => name,
            };
            if !seen.insert(Arc::clone(&name)) {
                return Box::new(std::iter::empty());
            }
            let stamp = source
                .path()
                .zip(place)
                .and_then(|(path, place)| stamp(path, place, &manner));
            if stamp.is_some() && writer.borrow().stamp(&name) == stamp {
                open.consumed
                    .fetch_add(source.size().unwrap_or(0), Ordering::Relaxed);
                return Box::new(std::iter::once(Job::Same(name)));
            }
            let input = match source.open(&open) {
                Ok(input) => input,
                Err(fault) => {
                    return Box::new(std::iter::once(Job::Failed(Fault::of_source(&fault))));
                }
            };
            let mut is_damaged = false;
            let begin = Job::Begin(Arc::clone(&name));
            let games = Parts::new(input).map({
                let name = Arc::clone(&name);
                move |part| match part {
                    Part::Games(batch) => Job::Games(Arc::clone(&name), batch),
                    Part::Noted(found) => Job::Noted(Fault::of_text(&name, found)),
                    Part::Failed(error) => Job::Noted(Fault::of_source(&error)),
                }
            });
            // Of a source that ended too early, or lost a part, nothing may be dropped: what is missing might come back.
            let end = std::iter::once(Job::End(stamp));
            let whole = games.chain(end).map(move |job| match job {
                Job::End(stamp) if is_damaged => Job::Leave(stamp),
                job => {
                    is_damaged |=
                        matches!(&job, Job::Noted(fault) if fault.severity() == Severity::Error);
                    job
                }
            });
            Box::new(std::iter::once(begin).chain(whole))
        },
    );
    planned.chain(sources)
}

/// The pieces of a plan. What the index has of a source besides the games of its pieces stays, for other pieces may
/// have been given before; so a source is begun, and never ended.
fn planned(args: &IndexArgs, open: OpenOptions) -> impl Iterator<Item = Job> + use<> {
    let pieces = args.reading.plan.as_deref().into_iter();
    let pieces: Vec<_> = pieces.map(pieces::pieces).collect();
    // The source that is open. A fault closes it: see `Adding::take`.
    let here: Rc<RefCell<Option<Arc<str>>>> = Rc::default();
    pieces
        .into_iter()
        .flatten()
        .flat_map(move |piece| -> Box<dyn Iterator<Item = Job>> {
            let opened = piece.and_then(|(source, piece)| {
                let input = source.open_piece(&piece, &open);
                let input = input.map_err(|fault| Fault::of_piece(&fault))?;
                Ok((Arc::<str>::from(source.name()), input))
            });
            let (name, input) = match opened {
                Ok(opened) => opened,
                Err(fault) => {
                    here.take();
                    return Box::new(std::iter::once(Job::Failed(fault)));
                }
            };
            let goes_on = here.replace(Some(Arc::clone(&name))) == Some(Arc::clone(&name));
            let begin = (!goes_on).then(|| Job::Begin(Arc::clone(&name)));
            let here = Rc::clone(&here);
            let games = Parts::new(input).map({
                let name = Arc::clone(&name);
                move |part| match part {
                    Part::Games(batch) => Job::Games(Arc::clone(&name), batch),
                    Part::Noted(found) => Job::Noted(Fault::of_text(&name, found)),
                    Part::Failed(error) => {
                        here.take();
                        Job::Failed(Fault::of_piece(&error))
                    }
                }
            });
            Box::new(begin.into_iter().chain(games))
        })
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
fn stamp(path: &Path, place: u64, manner: &str) -> Option<u64> {
    let mut hash = ContentHash::new();
    hash.add(manner.as_bytes());
    let mut file = File::open(path).ok()?;
    // What is no plain file might be read only once.
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer).ok()? {
            0 => break,
            count => hash.add(buffer.get(..count)?),
        }
    }
    // Never that of `never_the_same`.
    let content = (hash.finish() & CONTENT).max(1);
    Some(place << CONTENT_BITS | content)
}

/// A hash of where a name leads to.
fn place_of(path: &Path) -> Option<u64> {
    std::path::absolute(path).ok().map(|path| place(&path))
}

/// A hash of a whole path.
fn place(absolute: &Path) -> u64 {
    let mut hash = ContentHash::new();
    hash.add(absolute.as_os_str().as_encoded_bytes());
    hash.finish() >> CONTENT_BITS
}

/// The names under which an index knows files, to find one again that is now called otherwise.
struct Aliases<'a> {
    writer: &'a RefCell<Writer>,
    /// Looked up when it is needed first: names by the last part of them.
    known: OnceCell<HashMap<OsString, Vec<Arc<str>>>>,
}

impl<'a> Aliases<'a> {
    const fn of(writer: &'a RefCell<Writer>) -> Self {
        Self {
            writer,
            known: OnceCell::new(),
        }
    }

    /// The name under which the index has the file at a path, and the hash of its place, if that name is another one.
    fn name_of(&self, path: &Path, name: &str) -> Option<(Arc<str>, u64)> {
        let writer = self.writer.borrow();
        if writer.stamp(name).is_some() {
            return None;
        }
        let known = self.known.get_or_init(|| {
            let mut known = HashMap::<OsString, Vec<Arc<str>>>::new();
            // A damaged index is reported elsewhere.
            for name in writer.sources().unwrap_or_default() {
                if let Some(file) = Path::new(&name).file_name() {
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
            let other_path = Path::new(&**other);
            // The name was given from here, or it is the end of this path and that path is where it was.
            let from_here = || {
                place_of(other_path) == Some(there)
                    && other_path.canonicalize().is_ok_and(|other| other == real)
            };
            let end = other_path.strip_prefix(".").unwrap_or(other_path);
            let is_end = |path: &Path| path.ends_with(end) && place(path) == there;
            let same = is_end(&absolute) || is_end(&real) || from_here();
            same.then(|| (Arc::clone(other), there))
        })
    }
}

/// What is known of the file of a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Whereabouts {
    /// It is there, or it is no file.
    There,
    /// It is gone.
    Gone,
    /// There is no such file, but the name may have been given from another folder.
    Elsewhere,
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

/// Looks whether the file of a source is still there.
pub(super) fn whereabouts(name: &str, stamp: Option<u64>) -> Whereabouts {
    let path = Path::new(name);
    // A path that cannot be read may exist.
    if name == "-" || !matches!(path.try_exists(), Ok(false)) {
        return Whereabouts::There;
    }
    let same_place = stamp.is_some_and(|stamp| place_of(path) == Some(stamp >> CONTENT_BITS));
    if same_place || path.is_absolute() {
        Whereabouts::Gone
    } else {
        Whereabouts::Elsewhere
    }
}

/// What became of a job on some thread.
pub(super) enum Answer {
    Begin(Arc<str>),
    Games(Games<Prepared>),
    End(Option<u64>),
    Same(Arc<str>),
    Leave(Option<u64>),
    Failed(Fault),
    Noted(Fault),
}

pub(super) fn work(job: Job, options: &Options, preparer: &Preparer) -> Answer {
    match job {
        Job::Begin(name) => Answer::Begin(name),
        Job::End(stamp) => Answer::End(stamp),
        Job::Same(name) => Answer::Same(name),
        Job::Leave(stamp) => Answer::Leave(stamp),
        Job::Failed(fault) => Answer::Failed(fault),
        Job::Noted(fault) => Answer::Noted(fault),
        Job::Games(source, batch) => Answer::Games(games(&source, &batch, options, |entry, _| {
            let prepared = preparer.prepare(entry);
            prepared.map_err(|rejection| rejection.to_string())
        })),
    }
}
