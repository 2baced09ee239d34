//! What every command depends on besides its arguments: the options of all commands, the terminal, signals, and what the
//! run has met so far.

use crate::failure::Trouble;
use crate::io::interrupt::Interrupt;
use crate::term::settings::Common;
use crate::term::terminal::{self, Paint};
use clap::ArgMatches;
use clap::parser::ValueSource;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tridex_archive::Cancel;

/// One run of a command. Threads share it.
pub(crate) struct Session {
    common: Common,
    /// The options on the command line.
    given: ArgMatches,
    interrupt: Arc<Interrupt>,
    /// The worst exit code that was noted.
    worst: AtomicU8,
    /// Whether files are to be read, but nothing has been read yet.
    lacks_input: AtomicBool,
    /// The files that this run writes. They must not be read as input.
    written: Mutex<Vec<PathBuf>>,
}

impl Session {
    /// The session of a command with these options.
    pub(crate) fn new(common: &Common, given: ArgMatches, interrupt: Arc<Interrupt>) -> Self {
        Self {
            common: common.clone(),
            given,
            interrupt,
            worst: AtomicU8::new(0),
            lacks_input: AtomicBool::new(false),
            written: Mutex::default(),
        }
    }

    /// The options of all commands.
    pub(crate) const fn common(&self) -> &Common {
        &self.common
    }

    /// Whether an option, by its id, is on the command line. In debug builds this panics if the command has no option of
    /// that id.
    pub(crate) fn is_given(&self, id: &str) -> bool {
        self.given.value_source(id) == Some(ValueSource::CommandLine)
    }

    /// Whether only results are wanted.
    pub(crate) const fn is_quiet(&self) -> bool {
        self.common.quiet
    }

    /// Colours for standard output, if it is a terminal that shows them.
    pub(crate) fn stdout_paint(&self) -> Paint {
        Paint::new(self.common.color, io::stdout().is_terminal())
    }

    /// Colours for standard error, if it is a terminal that shows them.
    pub(crate) fn stderr_paint(&self) -> Paint {
        Paint::new(self.common.color, io::stderr().is_terminal())
    }

    /// Reports an error on standard error. Control characters from files or arguments are escaped.
    pub(crate) fn complain(&self, message: &str) {
        terminal::complain(self.stderr_paint(), message);
    }

    /// Writes a remark to standard error, unless only results are wanted.
    pub(crate) fn remark(&self, message: &str) {
        if !self.is_quiet() {
            self.complain(message);
        }
    }

    /// Notes a problem for the exit code. The code that reports a problem also notes it, and the run ends with the worst
    /// exit code noted.
    pub(crate) fn note(&self, trouble: Trouble) {
        self.worst.fetch_max(trouble as u8, Ordering::SeqCst);
    }

    /// Notes a problem, if there was one.
    pub(crate) fn note_if(&self, trouble: Trouble, is_there: bool) {
        if is_there {
            self.note(trouble);
        }
    }

    /// The exit code so far: 0 if no problem was noted.
    pub(crate) fn exit_code(&self) -> u8 {
        self.worst.load(Ordering::SeqCst)
    }

    /// Cancelled by a signal to end.
    pub(crate) fn cancel(&self) -> &Cancel {
        self.interrupt.cancel()
    }

    /// Whether a signal to end was received.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel().is_cancelled()
    }

    /// Notes that the command checks [`Session::cancel`] from now on, and ends by itself.
    pub(crate) fn catch_interrupts(&self) {
        self.interrupt.catch();
    }

    /// Waits for a signal to end. Only one task may wait.
    pub(crate) fn received(&self) -> impl Future<Output = ()> + Send + use<> {
        Arc::clone(&self.interrupt).received()
    }

    /// Does work that should not be cut short, such as a commit: after a signal it gets up to twenty seconds. Nothing is
    /// lost if that is not enough.
    pub(crate) fn hold<T>(&self, work: impl FnOnce() -> T) -> T {
        self.interrupt.hold(work)
    }

    /// Notes that files are to be read (`true`), or that something was read (`false`).
    pub(crate) fn expect_input(&self, is_expected: bool) {
        self.lacks_input.store(is_expected, Ordering::Relaxed);
    }

    /// Whether files were to be read, but nothing was.
    pub(crate) fn lacks_input(&self) -> bool {
        self.lacks_input.load(Ordering::Relaxed)
    }

    /// Notes that results will go to a file.
    pub(crate) fn will_write(&self, path: &Path) {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.push(path.to_owned());
    }

    /// The files that this run writes, as far as they have been begun or announced.
    pub(crate) fn written(&self) -> Vec<PathBuf> {
        let written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.clone()
    }
}
