//! The progress of a run, on standard error: a bar for people, or lines for programs.

use crate::term::counts::Tally;
use crate::term::settings::{self, ProgressForm};
use indicatif::{ProgressBar, ProgressStyle};
use std::cell::Cell;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The time between two lines.
const PAUSE: Duration = Duration::from_millis(500);

/// A bar that counts bytes of the files, or lines with the same numbers.
pub(crate) struct Progress {
    bar: ProgressBar,
    consumed: Arc<AtomicU64>,
    since: Instant,
    /// All bytes of the files, or all games, if that is known.
    total: Option<u64>,
    /// What was read last: bytes of the files, or games that were made, then games and plies.
    last: Cell<[u64; 3]>,
    /// When a line was written; none if there are no lines.
    written: Option<Cell<Instant>>,
}

impl Progress {
    /// For a run over files with a number of bytes.
    pub(crate) fn start(total: Option<u64>, consumed: &Arc<AtomicU64>) -> Self {
        Self::drawn(
            match total {
                Some(_) => "{bar:30} {bytes}/{total_bytes} {msg}, {eta} left",
                None => "{spinner} {bytes} {msg}",
            },
            total,
            consumed,
        )
    }

    /// For a run that makes a number of games.
    pub(crate) fn of_games(total: u64) -> Self {
        let template = "{bar:30} {pos}/{len} games, {eta} left";
        Self::drawn(template, Some(total), &Arc::default())
    }

    fn drawn(template: &str, total: Option<u64>, consumed: &Arc<AtomicU64>) -> Self {
        let since = Instant::now();
        Self {
            bar: bar(template, total),
            consumed: Arc::clone(consumed),
            since,
            total,
            last: Cell::default(),
            written: settings::shows(ProgressForm::Json).then(|| Cell::new(since)),
        }
    }

    /// So much was read.
    pub(crate) fn show(&self, tally: &Tally) {
        if self.bar.is_hidden() && self.written.is_none() {
            return;
        }
        let (games, plies) = (tally.counts.games, tally.counts.plies);
        let bytes = self.consumed.load(Ordering::Relaxed);
        self.say([bytes, games, plies]);
        let rate = plies as f64 / self.since.elapsed().as_secs_f64().max(0.001);
        let rate = rate / 1e6;
        self.bar
            .set_message(format!("{games} games, {rate:.1} M plies/s"));
    }

    /// Shows the number of games that were made.
    pub(crate) fn show_games(&self, games: u64) {
        self.say([games, games, 0]);
    }

    fn say(&self, last: [u64; 3]) {
        self.last.set(last);
        self.bar.set_position(last[0]);
        if let Some(written) = &self.written
            && written.get().elapsed() >= PAUSE
        {
            written.set(Instant::now());
            self.write(false);
        }
    }

    /// Writes a line for programs. Fields are added, never renamed or dropped.
    fn write(&self, done: bool) {
        let [bytes, games, plies] = self.last.get();
        let total = self
            .total
            .map_or_else(|| "null".to_owned(), |total| total.to_string());
        let seconds = (self.since.elapsed().as_secs_f64() * 1e3).round() / 1e3;
        // When standard error is closed there is no one to inform.
        let _ = writeln!(
            io::stderr(),
            "{{\"kind\":\"progress\",\"bytes\":{bytes},\"total\":{total},\"games\":{games},\"plies\":{plies},\"seconds\":{seconds:?},\"done\":{done}}}"
        );
    }

    /// Does something with the bar out of the way.
    pub(crate) fn suspend<T>(&self, f: impl FnOnce() -> T) -> T {
        self.bar.suspend(f)
    }

    /// The run is over.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
        if self.written.is_some() {
            self.write(true);
        }
    }
}

/// A bar on standard error, if there is to be one.
fn bar(template: &str, total: Option<u64>) -> ProgressBar {
    if !settings::shows(ProgressForm::Auto) {
        return ProgressBar::hidden();
    }
    let bar = total.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// A count of something.
pub(crate) fn counter(what: &'static str) -> ProgressBar {
    let bar = bar("{spinner} {pos} {msg}", None);
    bar.set_message(what);
    bar
}
