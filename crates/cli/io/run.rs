//! The run of every command that reads games: batches are read on some threads, their results are used in order, and
//! problems are reported on standard error.

use crate::failure::{Exit, Failure};
use crate::io::fault::Fault;
use crate::io::interrupt::STOP;
use crate::io::sources::Job;
use crate::io::{interrupt, sources};
use crate::options::reading::Reading;
use crate::term::counts::Tally;
use crate::term::progress::Progress;
use crate::term::style::Paint;
use crate::term::{report, settings, terminal};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use tridex_archive::batch::Batch;
use tridex_archive::game::Damages;
use tridex_archive::source::Notes;
use tridex_archive::{Ordinal, pipeline};
use tridex_replay::Options;

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
    /// Nothing yet, after `before` games.
    pub(crate) fn after(before: Ordinal) -> Self {
        Self {
            before,
            tally: Tally::default(),
            aside: String::new(),
            has_problems: false,
        }
    }

    /// Reports damage that belongs to no game.
    pub(crate) fn stray(&mut self, source: &str, damages: &Damages, batch: &Batch) {
        let paint = Paint::stderr();
        let errors = report::draw_stray(&mut self.aside, paint, source, batch, damages);
        self.tally.counts.damage += errors;
    }

    /// Writes the messages, once.
    pub(crate) fn report(&mut self, progress: &Progress) -> io::Result<()> {
        let aside = std::mem::take(&mut self.aside);
        if aside.is_empty() || settings::is_quiet() {
            return Ok(());
        }
        progress.suspend(|| io::stderr().write_all(aside.as_bytes()))
    }
}

/// Whether a run continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Going {
    On,
    /// Enough was seen: nothing more is read.
    Enough,
}

/// Reads every batch on some thread and hands what was read to `sink`, in order. Returns the counts, and
/// [`Exit::Failed`] if a source could not be read, there was none, or the run was interrupted.
pub(crate) fn run<T: Send>(
    reading: &Reading,
    options: &Options,
    read: impl Fn(&str, &Batch, &mut Seen) -> T + Sync,
    mut sink: impl FnMut(&Arc<str>, T, &Progress) -> io::Result<()>,
) -> Result<(Tally, Exit), Failure> {
    let of_fault = |_: &Fault| None;
    run_until(
        reading,
        options,
        read,
        of_fault,
        |source, part, seen, progress| {
            // Messages on games are before their results.
            seen.report(progress)?;
            sink(source, part, progress).map(|()| Going::On)
        },
    )
}

/// The same until `sink` has seen enough. A batch is counted after its sink, which may remove what
/// it has not used. The fault of a file is reported on standard error, and the result of `of_fault` goes to `sink` too.
pub(crate) fn run_until<T: Send>(
    reading: &Reading,
    options: &Options,
    read: impl Fn(&str, &Batch, &mut Seen) -> T + Sync,
    of_fault: impl Fn(&Fault) -> Option<T>,
    mut sink: impl FnMut(&Arc<str>, T, &mut Seen, &Progress) -> io::Result<Going>,
) -> Result<(Tally, Exit), Failure> {
    interrupt::catch_interrupts();
    let consumed = Arc::new(AtomicU64::new(0));
    let progress = Progress::start(sources::total_bytes(reading), &consumed);
    let mut total = Tally::default();
    let mut exit = Exit::Good;
    let mut enough = false;
    let notes = Arc::new(Notes::default());
    let mut games = Ordinal::known(0);
    let jobs = sources::jobs(reading, options.locale, &consumed, &notes).map(|job| {
        let before = games.clone();
        if let Job::Games(_, batch) = &job {
            games = batch.number_after(before.clone());
        }
        (before, job)
    });
    let done = pipeline::run(
        jobs,
        sources::threads(reading),
        &STOP,
        |(before, job)| match job {
            Job::Failed(fault) => Err(fault),
            Job::Games(source, batch) => {
                let mut seen = Seen::after(before);
                let answer = read(&source, &batch, &mut seen);
                Ok((source, answer, seen))
            }
        },
        |answer| {
            let (source, answer, mut seen) = match answer {
                Ok(answer) => answer,
                Err(fault) => {
                    exit = exit.max(fault.exit);
                    progress.suspend(|| fault.report());
                    if let Some(part) = of_fault(&fault) {
                        let mut seen = Seen::after(Ordinal::known(0));
                        sink(&fault.file, part, &mut seen, &progress)?;
                    }
                    return Ok(());
                }
            };
            let going = sink(&source, answer, &mut seen, &progress)?;
            seen.report(&progress)?;
            if seen.has_problems {
                exit = exit.max(Exit::HasProblems);
            }
            total.add(&seen.tally);
            progress.show(&total);
            if going == Going::Enough {
                enough = true;
                // Ends the pipeline; it is not reported.
                return Err(io::Error::from(io::ErrorKind::Interrupted));
            }
            Ok(())
        },
    );
    progress.finish();
    if !enough {
        done?;
        exit = exit.max(sources::report_notes_of(reading, &notes));
    }
    if interrupt::interrupted() {
        terminal::complain(&format!("interrupted after {} games", total.counts.games));
        exit = Exit::Failed;
    } else if total.has_errors() {
        exit = exit.max(Exit::HasProblems);
    }
    Ok((total, exit))
}

/// [`run`] for commands that count games or compare them: invalid ones are reported in one line at the end.
pub(crate) fn count<T: Send>(
    reading: &Reading,
    options: &Options,
    read: impl Fn(&str, &Batch, &mut Seen) -> T + Sync,
    mut sink: impl FnMut(&Arc<str>, T) -> io::Result<()>,
) -> Result<Exit, Failure> {
    let (total, exit) = run(reading, options, read, |source, part, _| sink(source, part))?;
    let invalid = total.counts.invalid;
    if invalid > 0 && !interrupt::interrupted() {
        terminal::remark(&format!(
            "{invalid} of {} games are invalid; `tridex validate` lists their errors",
            total.counts.games
        ));
    }
    Ok(exit)
}
