//! The progress of a run, on standard error: a bar for people, or lines for programs.

use crate::session::Session;
use crate::term::counts::Tally;
use crate::term::settings::ProgressForm;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::cell::Cell;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The least time between two lines of JSON.
const PAUSE: Duration = Duration::from_millis(500);

/// A bar that counts bytes of the files, or JSON lines with the same numbers.
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Bytes of the files that were read, or games that were generated.
    consumed: Arc<AtomicU64>,
    /// The games and plies that were shown last.
    last: Cell<[u64; 2]>,
    /// When the last line was written; `None` if no lines are wanted.
    written: Option<Cell<Instant>>,
}

impl Progress {
    /// Starts the progress of a run over files. `total` is their size in bytes, if it is known.
    pub(crate) fn start(session: &Session, total: Option<u64>, consumed: &Arc<AtomicU64>) -> Self {
        let template = match total {
            Some(_) => "{bar:30} {bytes}/{total_bytes} {msg}, {eta} left",
            None => "{spinner} {bytes} {msg}",
        };
        Self::drawn(session, template, total, consumed)
    }

    /// Starts the progress of a run that counts anything else.
    pub(crate) fn drawn(
        session: &Session,
        template: &str,
        total: Option<u64>,
        consumed: &Arc<AtomicU64>,
    ) -> Self {
        Self {
            bar: bar(session, template, total),
            consumed: Arc::clone(consumed),
            last: Cell::default(),
            written: session
                .common()
                .shows(ProgressForm::Json)
                .then(|| Cell::new(Instant::now())),
        }
    }

    /// Updates the bar, and writes a line if it is time for one.
    pub(crate) fn show(&self, tally: &Tally) {
        if self.bar.is_hidden() && self.written.is_none() {
            return;
        }
        let (games, plies) = (tally.counts.games, tally.counts.plies);
        self.last.set([games, plies]);
        self.bar.set_position(self.consumed.load(Ordering::Relaxed));
        let rate = plies as f64 / self.bar.elapsed().as_secs_f64().max(0.001);
        let rate = rate / 1e6;
        self.bar
            .set_message(format!("{games} games, {rate:.1} M plies/s"));
        if let Some(written) = &self.written
            && written.get().elapsed() >= PAUSE
        {
            written.set(Instant::now());
            self.write(false);
        }
    }

    /// Writes a line for programs. Fields are added, never renamed or dropped.
    fn write(&self, done: bool) {
        let (bytes, [games, plies]) = (self.bar.position(), self.last.get());
        let total = self.bar.length();
        let total = total.map_or_else(|| "null".to_owned(), |total| total.to_string());
        let seconds = (self.bar.elapsed().as_secs_f64() * 1e3).round() / 1e3;
        // When standard error is closed there is no one to inform.
        let _ = writeln!(
            io::stderr(),
            "{{\"kind\":\"progress\",\"bytes\":{bytes},\"total\":{total},\"games\":{games},\"plies\":{plies},\"seconds\":{seconds:?},\"done\":{done}}}"
        );
    }

    /// Does something while the bar is hidden.
    pub(crate) fn suspend<T>(&self, f: impl FnOnce() -> T) -> T {
        self.bar.suspend(f)
    }

    /// Ends the progress at the end of the run.
    pub(crate) fn finish(&self) {
        // Must come before the bar is finished, which moves its position to the end.
        if self.written.is_some() {
            self.write(true);
        }
        self.bar.finish_and_clear();
    }
}

/// A bar on standard error. If none is to be shown, it is hidden and only stores its numbers.
fn bar(session: &Session, template: &str, total: Option<u64>) -> ProgressBar {
    if !session.common().shows(ProgressForm::Auto) {
        return ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
    }
    let bar = total.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// A counter on standard error, with the name of what it counts.
pub(crate) fn counter(session: &Session, what: &'static str) -> ProgressBar {
    let bar = bar(session, "{spinner} {pos} {msg}", None);
    bar.set_message(what);
    bar
}
