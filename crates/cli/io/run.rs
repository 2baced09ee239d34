//! The run of every command that reads games: batches are read on some threads, their results are used in order, and
//! problems are reported on standard error.

use crate::failure::{Failure, Trouble};
use crate::io::interrupt::STOP;
use crate::io::sources::{Job, Jobs};
use crate::io::{interrupt, output, pieces, sources};
use crate::options::reading::Reading;
use crate::term::counts::Tally;
use crate::term::progress::Progress;
use crate::term::terminal::Paint;
use crate::term::{report, settings, terminal};
use std::io::{self, Write};
use std::sync::Arc;
use tridex_archive::batch::Batch;
use tridex_archive::game::Damages;
use tridex_archive::source::{OpenOptions, Source, SourceError};
use tridex_archive::{Ordinal, pipeline};
use tridex_core::index_entry;
use tridex_index::GameEntry;
use tridex_replay::finding::{Code, Finding, Severity};
use tridex_replay::{Options, Played, each};
use tridex_text::printable;

/// Runs work on several threads and passes the results to `sink` in order, until the sink fails or a signal is
/// received.
pub(crate) fn in_order<B: Send, T: Send>(
    items: impl IntoIterator<Item = B>,
    bytes: impl Fn(&B) -> usize,
    threads: Option<u16>,
    work: impl Fn(B) -> T + Sync,
    mut sink: impl FnMut(T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.map_or_else(cores, usize::from);
    let mut failure = None;
    let done = pipeline::run(items, bytes, threads, &STOP, work, |result| {
        // This error only ends the pipeline; the reason is in `failure`.
        let end = |why| {
            failure = Some(why);
            io::Error::from(io::ErrorKind::Interrupted)
        };
        sink(result).map_err(end)
    });
    failure.map_or_else(|| Ok(done?), Err)
}

/// Counts and messages of some games.
pub(crate) struct Seen {
    /// Games of this run before the first of these, in this source and in those before it.
    pub(crate) before: Ordinal,
    pub(crate) tally: Tally,
    /// Messages for standard error.
    pub(crate) aside: String,
    /// Whether there are problems besides errors of games.
    pub(crate) has_problems: bool,
}

impl Seen {
    /// Reports damage that belongs to no game, and returns the findings about it.
    pub(crate) fn stray(&mut self, source: &str, damages: &Damages, batch: &Batch) -> Vec<Finding> {
        let (paint, places) = (Paint::stderr(), batch.places());
        let found = self.strays(damages, batch);
        for finding in &found {
            report::draw(&mut self.aside, paint, source, None, finding, &places);
        }
        found
    }

    /// Counts damage that belongs to no game, and returns the findings about it.
    pub(crate) fn strays(&mut self, damages: &Damages, batch: &Batch) -> Vec<Finding> {
        let found = tridex_replay::strays(damages, batch);
        let errors = found.iter().filter(|found| {
            // A finding `Omitted` represents many findings, which `unlisted` counts.
            found.severity == Severity::Error && found.code != Code::Omitted
        });
        self.tally.counts.damage += tridex_replay::unlisted(damages) + errors.count() as u64;
        found
    }

    /// Writes the messages to standard error and clears them.
    pub(crate) fn report(&mut self, progress: &Progress) -> io::Result<()> {
        let aside = std::mem::take(&mut self.aside);
        if aside.is_empty() || settings::is_quiet() {
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
        mut make: impl FnMut(&GameEntry, &Played<'_>) -> Result<T, String>,
    ) -> Vec<T> {
        let (mut ready, mut places) = (Vec::new(), batch.places());
        let paint = Paint::stderr();
        let rest = each(batch, options, |game| {
            let fault = game.first_error();
            self.tally.count(game, fault.as_slice());
            let mut made = || {
                let number = u32::try_from(game.number());
                let number = number.map_err(|_| "too many games in one file".to_owned())?;
                make(&index_entry(number, game), game)
            };
            let (at, why) = match fault {
                Some(fault) => (fault.at, fault.message.to_string()),
                None => match made() {
                    Ok(made) => return ready.push(made),
                    Err(why) => (game.at(), why),
                },
            };
            self.tally.rejected += 1;
            let place = format!("{}:{}:", printable(source), places.place(at));
            self.aside.push_str(&format!(
                "{} {}: skipped game {}: {}\n",
                paint.bold(&place),
                paint.severe(Severity::Error, "error"),
                game.number(),
                printable(&why)
            ));
        });
        let strays = self.stray(source, &rest, batch);
        self.has_problems = self.tally.rejected > 0 || !strays.is_empty();
        ready
    }
}

/// Runs jobs to their end. Batches are read on several threads. The results, the faults of files and the marks are
/// passed to `sink` in order, until it fails; [`Failure::Stopped`] is not a failure of the run. The counts of a batch
/// are added after its sink, which may correct them for games that it did not use. Returns the counts. `resume` is the
/// advice after an interruption.
pub(crate) fn follow_jobs<M: Send + 'static, T: Send>(
    reading: &Reading,
    resume: &str,
    open: impl FnMut(&Source, &OpenOptions) -> Result<Jobs<M>, SourceError>,
    read: impl Fn(&str, &Batch, &mut Seen) -> T + Sync,
    mut sink: impl FnMut(Job<M, T>, &mut Seen, &Progress) -> Result<(), Failure>,
) -> Result<Tally, Failure> {
    interrupt::catch_interrupts();
    let consumed = Arc::default();
    let progress = Progress::start(sources::total_bytes(reading), &consumed);
    let mut total = Tally::default();
    let mut walk = sources::sources(reading);
    let mut games = Ordinal::known(0);
    let options = sources::open_options(reading, &consumed);
    output::expect_input(true);
    let jobs = sources::jobs(reading, &options, &mut walk, open).map(|job| {
        let before = games.clone();
        if let Job::Games(_, batch) = &job {
            games = batch.number_after(before.clone());
        }
        (before, job)
    });
    let work = |(before, job): (Ordinal, Job<M>)| {
        let mut seen = Seen {
            before,
            tally: Tally::default(),
            aside: String::new(),
            has_problems: false,
        };
        let done = match job {
            Job::Games(source, batch) => {
                let made = read(&source, &batch, &mut seen);
                Job::Games(source, made)
            }
            Job::Fault(fault) => Job::Fault(fault),
            Job::Mark(mark) => Job::Mark(mark),
        };
        (done, seen)
    };
    let bytes = |(_, job): &(Ordinal, Job<M>)| match job {
        Job::Games(_, batch) => batch.bytes.len(),
        Job::Fault(_) | Job::Mark(_) => 0,
    };
    let done = in_order(jobs, bytes, reading.threads, work, |(done, mut seen)| {
        match &done {
            Job::Games(..) => output::expect_input(false),
            Job::Fault(fault) => progress.suspend(|| fault.report()),
            Job::Mark(_) => {}
        }
        let step = sink(done, &mut seen, &progress);
        if let Ok(()) | Err(Failure::Stopped) = step {
            seen.report(&progress)?;
            Trouble::InData.note_if(seen.has_problems);
            total.add(&seen.tally);
            progress.show(&total);
        }
        step
    });
    progress.finish();
    match done {
        // A plan has no folders to report, and it may have no pieces.
        Ok(()) if reading.plan.is_none() => sources::report_notes(&walk),
        Ok(()) | Err(Failure::Stopped) => {}
        Err(failure) => return Err(failure),
    }
    if interrupt::interrupted() {
        let games = total.counts.games;
        terminal::complain(&format!("interrupted after {games} games{resume}"));
    }
    total.pieces = pieces::taken(reading);
    Trouble::InData.note_if(total.counts.damage + total.counts.invalid > 0);
    Ok(total)
}

/// Reads all games of the input.
pub(crate) fn follow<T: Send>(
    reading: &Reading,
    read: impl Fn(&str, &Batch, &mut Seen) -> T + Sync,
    sink: impl FnMut(Job<(), T>, &mut Seen, &Progress) -> Result<(), Failure>,
) -> Result<Tally, Failure> {
    follow_jobs(reading, "", sources::games, read, sink)
}

/// [`follow`] for commands that need only games. Invalid games that were not reported one by one are counted in one
/// line at the end.
pub(crate) fn games<T: Send>(
    reading: &Reading,
    read: impl Fn(&str, &Batch, &mut Seen) -> T + Sync,
    mut sink: impl FnMut(&Arc<str>, T) -> Result<(), Failure>,
) -> Result<Tally, Failure> {
    let total = follow(reading, read, |done, _, _| match done {
        Job::Games(source, made) => sink(&source, made),
        _ => Ok(()),
    })?;
    let invalid = total.counts.invalid;
    if invalid > 0 && total.rejected == 0 && !interrupt::interrupted() {
        terminal::remark(&format!(
            "{invalid} of {} games are invalid; `tridex validate` lists their errors",
            total.counts.games
        ));
    }
    Ok(total)
}
