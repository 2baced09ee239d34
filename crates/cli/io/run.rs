//! The run of every command that reads games: batches are read on some threads, their results are used in order, and
//! problems are reported on standard error.

use crate::failure::{Failure, Trouble};
use crate::io::{fault, sources};
use crate::options::reading::Reading;
use crate::session::Session;
use crate::term::counts::Tally;
use crate::term::progress::Progress;
use crate::term::report;
use crate::term::terminal::Paint;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use tridex_archive::batch::Batch;
use tridex_archive::game::Damages;
use tridex_archive::source::Walk;
use tridex_archive::{Ordinal, pipeline};
use tridex_core::{Archives, BatchCounts, Entries, RunEvent};
use tridex_index::{GameEntry, Prepared, Writer};
use tridex_replay::dedupe::Collector;
use tridex_replay::finding::{Finding, Severity};
use tridex_replay::{Options, Played};
use tridex_text::printable;

/// Runs work on several threads and passes the results to `sink` in order, until the sink fails or a signal is
/// received.
pub(crate) fn in_order<B: Send, T: Send>(
    session: &Session,
    items: impl IntoIterator<Item = B>,
    bytes: impl Fn(&B) -> usize,
    threads: Option<u16>,
    work: impl Fn(B) -> T + Sync,
    sink: impl FnMut(T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let threads = threads.map_or_else(pipeline::cores, usize::from);
    pipeline::run(items, bytes, threads, session.cancel(), work, sink)
}

/// Counts and messages of some games.
pub(crate) struct Seen {
    /// The colours of the messages.
    paint: Paint,
    pub(crate) tally: Tally,
    /// Messages for standard error.
    pub(crate) aside: String,
    /// Whether there are problems besides errors of games.
    pub(crate) has_problems: bool,
}

impl Seen {
    fn new(paint: Paint) -> Self {
        Self {
            paint,
            tally: Tally::default(),
            aside: String::new(),
            has_problems: false,
        }
    }

    /// Reports damage that belongs to no game, and returns the findings about it.
    pub(crate) fn stray(&mut self, source: &str, damages: &Damages, batch: &Batch) -> Vec<Finding> {
        let found = self.strays(damages, batch);
        self.draw(source, &found, batch);
        found
    }

    /// Counts damage that belongs to no game, and returns the findings about it.
    pub(crate) fn strays(&mut self, damages: &Damages, batch: &Batch) -> Vec<Finding> {
        self.tally.counts.add_damage(damages, batch)
    }

    fn draw(&mut self, source: &str, found: &[Finding], batch: &Batch) {
        let (paint, line_index) = (self.paint, batch.line_index());
        for finding in found {
            report::draw(&mut self.aside, paint, source, None, finding, &line_index);
        }
    }

    /// Writes the messages to standard error and clears them.
    pub(crate) fn report(&mut self, session: &Session, progress: &Progress) -> io::Result<()> {
        let aside = std::mem::take(&mut self.aside);
        if aside.is_empty() || session.is_quiet() {
            return Ok(());
        }
        progress.suspend(|| io::stderr().write_all(aside.as_bytes()))
    }

    /// Calls `make` for each valid game of a batch, with its entry for an index, and returns the results. Other games,
    /// and those for which `make` fails, are skipped and reported.
    pub(crate) fn entries<T>(
        &mut self,
        source: &str,
        batch: &Batch,
        options: &Options,
        make: impl FnMut(&GameEntry, &Played<'_>) -> Result<T, String>,
    ) -> Vec<T> {
        let entries = Entries::read(batch, options, make);
        self.note(source, batch, &entries);
        entries.games
    }

    /// Counts the games of a batch, and reports those that were skipped and damage that belongs to no game.
    fn note<T>(&mut self, source: &str, batch: &Batch, entries: &Entries<T>) {
        let paint = self.paint;
        self.tally.counts = entries.counts.clone();
        self.tally.rejected = entries.skipped.len() as u64;
        for game in &entries.skipped {
            let place = format!("{}:{}:", printable(source), game.place);
            self.aside.push_str(&format!(
                "{} {}: skipped game {}: {}\n",
                paint.bold(&place),
                paint.severe(Severity::Error, "error"),
                game.number,
                printable(&game.why)
            ));
        }
        self.draw(source, &entries.strays, batch);
        self.has_problems = entries.has_problems();
    }
}

/// Observes a run over archives: shows its progress, reports findings about files, and adds up the counts.
struct Observer<'r> {
    session: &'r Session,
    reading: &'r Reading,
    archives: Archives,
    progress: Progress,
    total: Tally,
}

impl<'r> Observer<'r> {
    fn start(session: &'r Session, reading: &'r Reading) -> Self {
        session.catch_interrupts();
        let archives = sources::archives(session, reading);
        let total = archives.total_bytes(session.cancel());
        let progress = Progress::start(session, total, &archives.open.consumed);
        session.expect_input(true);
        Self {
            session,
            reading,
            archives,
            progress,
            total: Tally::default(),
        }
    }

    /// Takes what a run passes on, and uses it with `sink`. The counts of a batch are added after its sink, which may
    /// correct them for games that it did not use.
    fn event<T>(
        session: &Session,
        progress: &Progress,
        total: &mut Tally,
        event: RunEvent<(T, Seen)>,
        sink: impl FnOnce(RunEvent<T>, &mut Seen) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut seen = Seen::new(session.stderr_paint());
        let mut part = None;
        let event = match event {
            RunEvent::Games(source, (made, with)) => {
                session.expect_input(false);
                seen = with;
                part = Some(Arc::clone(&source));
                RunEvent::Games(source, made)
            }
            RunEvent::Fault(found) => {
                progress.suspend(|| fault::report(session, &found));
                RunEvent::Fault(found)
            }
        };
        let step = sink(event, &mut seen);
        if let Ok(()) | Err(Failure::Stopped) = step {
            seen.report(session, progress)?;
            session.note_if(Trouble::InData, seen.has_problems);
            if let Some(source) = part {
                total.add_part(&source, &seen.tally);
            }
            progress.show(total);
        }
        step
    }

    /// Ends the run and returns the counts. `done` is the result of the walk, where [`Failure::Stopped`] is no failure.
    /// `resume` is the advice that is printed after an interruption.
    fn end(mut self, done: Result<Walk, Failure>, resume: &str) -> Result<Tally, Failure> {
        let session = self.session;
        self.progress.finish();
        match done {
            // A plan has no folders to report, and it may have no pieces.
            Ok(walk) if self.reading.plan.is_none() => sources::report_notes(session, &walk),
            Ok(_) | Err(Failure::Stopped) => {}
            Err(failure) => return Err(failure),
        }
        let counts = &self.total.counts;
        if session.is_cancelled() {
            let games = counts.games;
            session.complain(&format!("interrupted after {games} games{resume}"));
        }
        if let Some(note) = self.total.note_on_dates() {
            session.remark(&note);
        }
        session.note_if(Trouble::InData, counts.damage + counts.invalid > 0);
        let plan = self.reading.plan.as_ref();
        self.total.pieces = plan.map(|_| self.archives.pieces.load(Relaxed));
        Ok(self.total)
    }
}

/// Reads all games of the input. Batches are read on several threads. The results and the faults of files are passed to
/// `sink` in order, until it fails; [`Failure::Stopped`] is not a failure of the run. `read` also takes the number of
/// games before the batch. Returns the counts.
pub(crate) fn follow<T: Send>(
    session: &Session,
    reading: &Reading,
    read: impl Fn(&str, &Batch, &Ordinal, &mut Seen) -> T + Sync,
    mut sink: impl FnMut(RunEvent<T>, &mut Seen, &Progress) -> Result<(), Failure>,
) -> Result<Tally, Failure> {
    let paint = session.stderr_paint();
    let mut run = Observer::start(session, reading);
    let work = |source: &Arc<str>, batch: &Batch, before: &Ordinal| {
        let mut seen = Seen::new(paint);
        let made = read(source, batch, before, &mut seen);
        (made, seen)
    };
    let (progress, total) = (&run.progress, &mut run.total);
    let done = run.archives.run(session.cancel(), work, |event| {
        Observer::event(session, progress, total, event, |event, seen| {
            sink(event, seen, progress)
        })
    });
    run.end(done, "")
}

/// Counts all games of the input with `add`, batch by batch, and passes the counts to `join`.
pub(crate) fn count_games<T: Default + Send>(
    session: &Session,
    reading: &Reading,
    add: impl Fn(&mut T, &Played<'_>) + Sync,
    join: impl FnMut(T),
) -> Result<(), Failure> {
    with_reports(session, reading, |archives, report, observer| {
        archives.count_games(session.cancel(), add, join, report, observer)
    })
}

/// Adds all games of the input to a collector of duplicates.
pub(crate) fn collect(
    session: &Session,
    reading: &Reading,
    collector: &mut Collector,
) -> Result<(), Failure> {
    with_reports(session, reading, |archives, report, observer| {
        archives.collect(collector, session.cancel(), report, observer)
    })
}

/// Runs a job over the input. It receives what prepares the messages about each batch, and the observer of the run.
fn with_reports(
    session: &Session,
    reading: &Reading,
    job: impl FnOnce(
        &Archives,
        &(dyn Fn(&Arc<str>, &Batch, BatchCounts) -> ((), Seen) + Sync),
        &mut dyn FnMut(RunEvent<((), Seen)>) -> Result<(), Failure>,
    ) -> Result<Walk, Failure>,
) -> Result<(), Failure> {
    let paint = session.stderr_paint();
    let mut run = Observer::start(session, reading);
    let report = |source: &Arc<str>, batch: &Batch, found: BatchCounts| {
        let mut seen = Seen::new(paint);
        seen.tally.counts = found.counts;
        seen.stray(source, &found.damages, batch);
        ((), seen)
    };
    let (progress, total) = (&run.progress, &mut run.total);
    let done = job(&run.archives, &report, &mut |event| {
        Observer::event(session, progress, total, event, |_, _| Ok(()))
    });
    let total = run.end(done, "")?;
    remark_invalid(session, &total);
    Ok(())
}

/// Adds all games of the input to an index. `stdin` is the name of standard input there. Returns the counts,
/// and how many games of an earlier standard input were replaced or removed.
pub(crate) fn update_index(
    session: &Session,
    reading: &Reading,
    writer: &mut Writer,
    stdin: &str,
) -> Result<(Tally, u64), Failure> {
    let paint = session.stderr_paint();
    let mut run = Observer::start(session, reading);
    let see = |source: &Arc<str>, batch: &Batch, entries: &Entries<Prepared>| {
        let mut seen = Seen::new(paint);
        seen.note(source, batch, entries);
        ((), seen)
    };
    let (progress, total) = (&run.progress, &mut run.total);
    let done = run
        .archives
        .update_index(writer, stdin, session.cancel(), see, |event| {
            Observer::event(session, progress, total, event, |_, _| Ok(()))
        });
    let (walk, piped_over) = match done {
        Ok(update) => (Ok(update.walk), update.piped_over),
        Err(failure) => (Err(failure), 0),
    };
    let resume = "; they are in the index; run the same command to resume";
    Ok((run.end(walk, resume)?, piped_over))
}

/// [`follow`] for commands that need only games. Invalid games that were not reported one by one are counted in one
/// line at the end.
pub(crate) fn games<T: Send>(
    session: &Session,
    reading: &Reading,
    read: impl Fn(&str, &Batch, &mut Seen) -> T + Sync,
    mut sink: impl FnMut(&Arc<str>, T) -> Result<(), Failure>,
) -> Result<Tally, Failure> {
    let read =
        |source: &str, batch: &Batch, _: &Ordinal, seen: &mut Seen| read(source, batch, seen);
    let total = follow(session, reading, read, |done, _, _| match done {
        RunEvent::Games(source, made) => sink(&source, made),
        RunEvent::Fault(_) => Ok(()),
    })?;
    remark_invalid(session, &total);
    Ok(total)
}

/// Counts invalid games that were not reported one by one in one line.
fn remark_invalid(session: &Session, total: &Tally) {
    let invalid = total.counts.invalid;
    if invalid > 0 && total.rejected == 0 && !session.is_cancelled() {
        session.remark(&format!(
            "{invalid} of {} games are invalid; `tridex validate` lists their errors",
            total.counts.games
        ));
    }
}
