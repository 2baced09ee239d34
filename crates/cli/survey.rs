//! Going through a whole collection, for commands that count games or compare them.

use crate::args::Reading;
use crate::diagnose;
use crate::failure::{Exit, Failure};
use crate::input::{self, Job, STOP};
use crate::output::{self, Paint};
use crate::tally::{Progress, Tally};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use tridex_archive::diagnostic::Status;
use tridex_archive::pipeline;
use tridex_archive::record::Game;
use tridex_archive::replay::{Report, damage};
use tridex_archive::split::Batch;

/// What was seen of some games.
#[derive(Default)]
pub(crate) struct Seen {
    tally: Tally,
    invalid: u64,
    /// Damage that belongs to no game, for standard error.
    aside: String,
}

impl Seen {
    /// Counts a game.
    pub(crate) fn game(&mut self, report: &Report) {
        self.tally.count(report);
        self.invalid += u64::from(report.status == Status::Invalid);
    }

    /// Tells of damage behind the last game of a source.
    pub(crate) fn stray(&mut self, source: &str, rest: &Game, batch: &Batch) {
        let mut places = batch.places();
        for (what, at, len) in &rest.damage {
            let place = places.place(*at);
            let mut found = damage(*what, *at, *len);
            (found.line, found.column) = (place.line, place.column);
            self.tally.stray(&found);
            diagnose::draw(&mut self.aside, Paint::stderr(), source, 0, &found, &places);
        }
    }
}

/// Reads every batch on some thread and hands what was read to `sink`, in order. Says on standard error what fell
/// short; if it was interrupted the exit is [`Exit::Failed`].
pub(crate) fn run<T: Send>(
    reading: &Reading,
    read: impl Fn(&str, &Batch, &mut Seen) -> T + Sync,
    mut sink: impl FnMut(&Arc<str>, T) -> io::Result<()>,
) -> Result<Exit, Failure> {
    input::catch_interrupts();
    let consumed = Arc::new(AtomicU64::new(0));
    let progress = Progress::start(input::total_bytes(reading), &consumed);
    let mut total = Seen::default();
    let mut exit = Exit::Good;
    let done = pipeline::run(
        input::jobs(reading, &consumed),
        input::threads(reading),
        &STOP,
        |job| match job {
            Job::Failed(fault) => Err(fault),
            Job::Games(source, batch) => {
                let mut seen = Seen::default();
                let answer = read(&source, &batch, &mut seen);
                Ok((source, answer, seen))
            }
        },
        |answer| {
            let (source, answer, seen) = match answer {
                Ok(answer) => answer,
                Err(fault) => {
                    exit = Exit::Failed;
                    progress.suspend(|| output::complain(&fault));
                    return Ok(());
                }
            };
            if !seen.aside.is_empty() {
                progress.suspend(|| io::stderr().write_all(seen.aside.as_bytes()))?;
            }
            total.tally.add(&seen.tally);
            total.invalid += seen.invalid;
            progress.show(&total.tally);
            sink(&source, answer)
        },
    );
    progress.finish();
    done?;
    if input::interrupted() {
        output::complain(&format!("interrupted after {} games", total.tally.games));
        return Ok(Exit::Failed);
    }
    if total.invalid > 0 {
        output::complain(&format!(
            "{} of {} games are invalid; `tridex validate` says why",
            total.invalid, total.tally.games
        ));
    }
    if total.tally.fell_short() {
        exit = exit.max(Exit::FellShort);
    }
    Ok(exit)
}
