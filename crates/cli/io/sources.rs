//! Where games come from.

use crate::failure::Exit;
use crate::io::fault::Fault;
use crate::io::interrupt::STOP;
use crate::io::{interrupt, output, pieces};
use crate::options::reading::Reading;
use crate::term::terminal;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use tridex_archive::batch::Batch;
use tridex_archive::printable;
use tridex_archive::source::{
    Budget, EXTENSIONS, FilePiece, Input, Notes, OpenOptions, Source, SourceError, Walk, walk,
};
use tridex_notation::Locale;
use tridex_replay::{Part, Parts};

/// Bytes of games that may be under way at once, on all threads together.
const UNDER_WAY: usize = 2 << 20;

/// Some games of one source, or why there are none.
pub(crate) enum Job {
    /// Whole games with the name of their source.
    Games(Arc<str>, Batch),
    /// The source, or the rest of it, could not be read, or there is something else to know about it.
    Failed(Fault),
}

/// How many threads to use.
pub(crate) fn threads(reading: &Reading) -> usize {
    thread_count(reading.threads)
}

/// The number of threads that was given, or that of the machine's cores.
pub(crate) fn thread_count(wish: Option<u16>) -> usize {
    wish.map_or_else(
        || std::thread::available_parallelism().map_or(1, usize::from),
        usize::from,
    )
}

/// All games that the paths lead to, in order. What is met on the way and not taken is noted.
pub(crate) fn jobs(
    reading: &Reading,
    locale: Option<Locale>,
    consumed: &Arc<AtomicU64>,
    notes: &Arc<Notes>,
) -> impl Iterator<Item = Job> {
    let options = open_options(reading, locale, consumed);
    let pieces = reading.plan.as_deref().into_iter().flat_map(pieces::pieces);
    let planned = options.clone();
    let pieces = pieces.flat_map(move |piece| open_piece(piece, &planned));
    let sources = sources(reading).noting(notes);
    pieces.chain(sources.flat_map(move |source| open(source, &options)))
}

/// [`report_notes`], unless what is read is a plan, which may well have no pieces.
pub(crate) fn report_notes_of(reading: &Reading, notes: &Notes) -> Exit {
    match reading.plan {
        Some(_) => Exit::Good,
        None => report_notes(notes),
    }
}

/// Reports which folders have no games, and where files were skipped for their names. The exit is that of a failure if
/// there was nothing to be read at all.
pub(crate) fn report_notes(notes: &Notes) -> Exit {
    for name in notes.excepted() {
        let name = printable(&name);
        terminal::remark(&format!(
            "{name}: skipped, because the results are written to this file"
        ));
    }
    let nothing = notes.sources() == 0 && !interrupt::interrupted();
    for folder in notes.folders() {
        let examples: Vec<_> = folder.examples.iter().map(|name| printable(name)).collect();
        let mut names = examples.join(", ");
        if folder.passed_over > examples.len() as u64 {
            names.push_str(", ...");
        }
        let files = if folder.passed_over == 1 {
            "file"
        } else {
            "files"
        };
        let skipped = format!(
            "skipped {} {files} with other extensions than {} ({names}); name a file to read it",
            folder.passed_over,
            EXTENSIONS
                .map(|extension| format!(".{extension}"))
                .join(" "),
        );
        let message = match (folder.sources, folder.passed_over) {
            (0, 0) if folder.has_index => {
                "this folder is an index; name it with --index".to_owned()
            }
            (0, 0) => "no files in this folder".to_owned(),
            (0, _) => format!("no games in this folder: {skipped}"),
            _ => skipped,
        };
        let message = format!("{}: {message}", printable(&folder.name));
        match nothing {
            true => terminal::complain(&message),
            false => terminal::remark(&message),
        }
    }
    match nothing {
        true => Exit::Failed,
        false => Exit::Good,
    }
}

/// All sources that the paths lead to, in order, until somebody interrupts. Files that this run writes are none.
pub(crate) fn sources(reading: &Reading) -> Walk {
    let sources = walk(&reading.paths).until(&STOP);
    output::written().iter().fold(sources, Walk::except)
}

/// How they are opened: so that no reader waits for ever, and memory is bounded.
pub(crate) fn open_options(
    reading: &Reading,
    locale: Option<Locale>,
    consumed: &Arc<AtomicU64>,
) -> OpenOptions {
    let mut options = OpenOptions::default();
    options.encoding = reading.encoding;
    options.language = locale.map(Locale::code);
    options.consumed = Arc::clone(consumed);
    options.stop = Some(&STOP);
    options.budget = Some(Budget::new(UNDER_WAY));
    options.max_decompressed = reading.max_decompressed;
    options
}

fn open(
    source: Result<Source, SourceError>,
    options: &OpenOptions,
) -> Box<dyn Iterator<Item = Job>> {
    let opened = source.and_then(|source| Ok((source.name(), source.open(options)?)));
    parts(opened, Fault::of_source)
}

fn open_piece(
    piece: Result<(Source, FilePiece), Fault>,
    options: &OpenOptions,
) -> Box<dyn Iterator<Item = Job>> {
    match piece {
        Ok((source, piece)) => {
            let opened = source.open_piece(&piece, options);
            parts(opened.map(|input| (source.name(), input)), Fault::of_piece)
        }
        Err(fault) => Box::new(std::iter::once(Job::Failed(fault))),
    }
}

/// The parts of a source that was opened, or of a piece of it.
fn parts(
    opened: Result<(String, Input), SourceError>,
    fault: fn(&SourceError) -> Fault,
) -> Box<dyn Iterator<Item = Job>> {
    match opened {
        Ok((name, input)) => {
            let name: Arc<str> = name.into();
            Box::new(Parts::new(input).map(move |part| match part {
                Part::Games(batch) => Job::Games(Arc::clone(&name), batch),
                Part::Noted(found) => Job::Failed(Fault::of_text(&name, found)),
                Part::Failed(error) => Job::Failed(fault(&error)),
            }))
        }
        Err(error) => Box::new(std::iter::once(Job::Failed(fault(&error)))),
    }
}

/// The bytes of all files the paths lead to, or `None` if some are not known beforehand.
pub(crate) fn total_bytes(reading: &Reading) -> Option<u64> {
    if reading.plan.is_some() {
        return pieces::total_bytes(reading);
    }
    sources(reading).map(|source| source.ok()?.size()).sum()
}
