//! The progress of a run, on standard error: a bar for people, or lines for programs.

use crate::options::common::ProgressForm;
use crate::term::counts::Tally;
use crate::term::settings;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::cell::Cell;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The time between two lines.
const PAUSE: Duration = Duration::from_millis(500);

/// A line for programs. Fields are added, never renamed or dropped.
#[derive(Clone, Copy, Serialize)]
struct Line {
    kind: &'static str,
    /// Bytes read of the files; for commands that read none the number of games that are done.
    bytes: u64,
    /// All of them, if that is known.
    total: Option<u64>,
    games: u64,
    plies: u64,
    seconds: f64,
    /// Whether the run is over.
    done: bool,
}

/// A bar that counts bytes of the files, or lines with the same numbers.
pub(crate) struct Progress {
    bar: ProgressBar,
    consumed: Arc<AtomicU64>,
    since: Instant,
    /// The last line and its time; none if there are no lines.
    line: Option<Cell<(Line, Instant)>>,
}

impl Progress {
    /// For a run over files with a number of bytes.
    pub(crate) fn start(total: Option<u64>, consumed: &Arc<AtomicU64>) -> Self {
        let known = "{bar:30} {bytes}/{total_bytes} {msg}, {eta} left";
        let unknown = "{spinner} {bytes} {msg}";
        Self::drawn(total, consumed, known, unknown)
    }

    /// For a run that makes a number of games.
    pub(crate) fn of_games(total: u64) -> Self {
        let known = "{bar:30} {pos}/{len} games, {eta} left";
        Self::drawn(Some(total), &Arc::default(), known, known)
    }

    fn drawn(total: Option<u64>, consumed: &Arc<AtomicU64>, known: &str, unknown: &str) -> Self {
        let bar = if settings::has_bar() {
            let bar = total.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
            let template = if total.is_some() { known } else { unknown };
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        } else {
            ProgressBar::hidden()
        };
        let since = Instant::now();
        let first = Line {
            kind: "progress",
            bytes: 0,
            total,
            games: 0,
            plies: 0,
            seconds: 0.0,
            done: false,
        };
        let says = settings::progress() == ProgressForm::Json;
        Self {
            bar,
            consumed: Arc::clone(consumed),
            since,
            line: says.then(|| Cell::new((first, since))),
        }
    }

    /// So much was read.
    pub(crate) fn show(&self, tally: &Tally) {
        if self.bar.is_hidden() && self.line.is_none() {
            return;
        }
        let bytes = self.consumed.load(Ordering::Relaxed);
        self.say(bytes, tally.counts.games, tally.counts.plies);
        let rate = tally.counts.plies as f64 / self.since.elapsed().as_secs_f64().max(0.001);
        self.bar.set_position(bytes);
        self.bar.set_message(format!(
            "{} games, {:.1} M plies/s",
            tally.counts.games,
            rate / 1e6
        ));
    }

    /// Shows the number of games that were made.
    pub(crate) fn show_games(&self, games: u64) {
        self.bar.set_position(games);
        self.say(games, games, 0);
    }

    fn say(&self, bytes: u64, games: u64, plies: u64) {
        let Some(line) = &self.line else {
            return;
        };
        let (mut last, mut when) = line.get();
        (last.bytes, last.games, last.plies) = (bytes, games, plies);
        if when.elapsed() >= PAUSE {
            when = Instant::now();
            self.write(last);
        }
        line.set((last, when));
    }

    fn write(&self, mut line: Line) {
        line.seconds = (self.since.elapsed().as_secs_f64() * 1e3).round() / 1e3;
        // When standard error is closed there is no one to inform.
        if let Ok(text) = serde_json::to_string(&line) {
            let _ = writeln!(io::stderr(), "{text}");
        }
    }

    /// Does something with the bar out of the way.
    pub(crate) fn suspend<T>(&self, f: impl FnOnce() -> T) -> T {
        self.bar.suspend(f)
    }

    /// The run is over.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
        if let Some(line) = &self.line {
            let (last, _) = line.get();
            self.write(Line { done: true, ..last });
        }
    }
}

/// A count of something on standard error, if there is to be a bar.
pub(crate) fn counter(what: &'static str) -> ProgressBar {
    if !settings::has_bar() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {pos} {msg}") {
        bar.set_style(style);
    }
    bar.set_message(what);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
