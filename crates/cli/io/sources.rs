//! Where games come from.

use crate::failure::Trouble;
use crate::io::fault::Fault;
use crate::io::interrupt::STOP;
use crate::io::{interrupt, output, pieces};
use crate::options::reading::Reading;
use crate::term::terminal;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use tridex_archive::batch::Batch;
use tridex_archive::source::{EXTENSIONS, Input, OpenOptions, Source, SourceError, Walk, walk};
use tridex_index::INDEX_MARK;
use tridex_notation::Locale;
use tridex_replay::{Part, Parts};
use tridex_text::printable;

/// The next item from the sources.
pub(crate) enum Job<M, T = Arc<Batch>> {
    /// Whole games, or the result of reading them, with the name of their source.
    Games(Arc<str>, T),
    /// A source, or the rest of it, could not be read, or there is a remark about it.
    Fault(Fault),
    /// Something else that the run needs to know at this point.
    Mark(M),
}

/// Some jobs, in order.
pub(crate) type Jobs<M> = Box<dyn Iterator<Item = Job<M>>>;

/// The pieces of a plan or all sources of a walk, in order. `open` makes the jobs of a source.
pub(crate) fn jobs<M: 'static>(
    reading: &Reading,
    options: &OpenOptions,
    walk: &mut Walk,
    mut open: impl FnMut(&Source, &OpenOptions) -> Result<Jobs<M>, SourceError>,
) -> impl Iterator<Item = Job<M>> {
    let pieces = reading.plan.as_deref().into_iter().flat_map(pieces::pieces);
    let pieces = pieces.flat_map(move |piece| {
        let opened = piece.and_then(|piece| {
            let input = piece.open(options);
            let input = input.map_err(|error| Fault::of_piece(&error))?;
            Ok(parts(&piece.path.into(), input, Fault::of_piece))
        });
        opened.unwrap_or_else(|fault| only(Job::Fault(fault)))
    });
    let sources = walk.flat_map(move |source| {
        let opened = source.and_then(|source| open(&source, options));
        opened.unwrap_or_else(|error| only(Job::Fault(Fault::of_source(&error))))
    });
    pieces.chain(sources)
}

/// The games of a source.
pub(crate) fn games(source: &Source, options: &OpenOptions) -> Result<Jobs<()>, SourceError> {
    let input = source.open(options)?;
    Ok(parts(&source.name().into(), input, Fault::of_source))
}

/// One job.
pub(crate) fn only<M: 'static>(job: Job<M>) -> Jobs<M> {
    Box::new(std::iter::once(job))
}

/// The parts of a source that was opened, or of a piece of it.
pub(crate) fn parts<M: 'static>(
    name: &Arc<str>,
    input: Input,
    fault: fn(&SourceError) -> Fault,
) -> Jobs<M> {
    let name = Arc::clone(name);
    Box::new(Parts::new(input).map(move |part| match part {
        Part::Games(batch) => Job::Games(Arc::clone(&name), batch),
        Part::Noted(found) => Job::Fault(Fault::of_text(&name, found)),
        Part::Failed(error) => Job::Fault(fault(&error)),
    }))
}

/// Reports files that were skipped, and folders without games. If there was nothing to read at all, that is noted for
/// the exit code.
pub(crate) fn report_notes(walk: &Walk) {
    for name in &walk.skipped {
        let name = printable(name);
        terminal::remark(&format!(
            "{name}: skipped, because the results are written to this file"
        ));
    }
    let nothing = walk.sources == 0 && !interrupt::interrupted();
    let extensions = EXTENSIONS
        .map(|extension| format!(".{extension}"))
        .join(" ");
    for folder in walk.folders() {
        let examples = folder.examples.iter().map(|name| printable(name));
        let mut names = examples.collect::<Vec<_>>().join(", ");
        if folder.passed_over > folder.examples.len() as u64 {
            names.push_str(", ...");
        }
        let plural = if folder.passed_over == 1 { "" } else { "s" };
        let skipped = format!(
            "skipped {} file{plural} with an extension other than {extensions} ({names}); name a file to read it",
            folder.passed_over,
        );
        let message = match (folder.sources, folder.passed_over) {
            (0, 0) if folder.is_marked => {
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
    Trouble::InFiles.note_if(nothing);
}

/// All sources at the given paths, in order, until the user interrupts. Files that this run writes are skipped.
pub(crate) fn sources(reading: &Reading) -> Walk {
    let sources = walk(&reading.paths).until(&STOP).marked_by(INDEX_MARK);
    output::written().iter().fold(sources, Walk::except)
}

/// How to open the sources. After a signal no reader waits.
pub(crate) fn open_options(reading: &Reading, consumed: &Arc<AtomicU64>) -> OpenOptions {
    let mut options = OpenOptions::default();
    options.encoding = reading.encoding;
    options.language = reading.from_locale.map(Locale::code);
    options.consumed = Arc::clone(consumed);
    options.cancel = STOP.clone();
    options.max_decompressed = reading.max_decompressed;
    options
}

/// The total size of all input files in bytes, or `None` if some sizes are not known beforehand.
pub(crate) fn total_bytes(reading: &Reading) -> Option<u64> {
    match &reading.plan {
        Some(plan) => pieces::total_bytes(plan),
        None => sources(reading).map(|source| source.ok()?.size()).sum(),
    }
}
