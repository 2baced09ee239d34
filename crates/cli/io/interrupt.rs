//! Ctrl-C, and signals to end.
//!
//! A command that reads games checks [`STOP`] between them: it ends by itself, reports how many games it read, and its
//! files are complete. A command that waits for input or output cannot check it: the program ends within a second in any
//! case, with the exit code that shells give to the signal, 130 or 143. Other commands end at once.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Whether a signal to end was received.
pub(crate) static STOP: AtomicBool = AtomicBool::new(false);

/// The signal that was received, or 0.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// Whether the command looks at [`STOP`].
static LOOKS: AtomicBool = AtomicBool::new(false);

/// How many things are under way that are better brought to their end.
static HELD: AtomicUsize = AtomicUsize::new(0);

/// Whether a signal to end was received.
pub(crate) fn interrupted() -> bool {
    STOP.load(Ordering::SeqCst)
}

/// From now on the command looks at [`STOP`], and ends by itself.
pub(crate) fn catch_interrupts() {
    LOOKS.store(true, Ordering::SeqCst);
}

/// Does something that is better brought to its end, such as a commit: some seconds more are given to it. Nothing is lost
/// if they are not enough.
pub(crate) fn held<T>(work: impl FnOnce() -> T) -> T {
    HELD.fetch_add(1, Ordering::SeqCst);
    let done = work();
    HELD.fetch_sub(1, Ordering::SeqCst);
    done
}

/// The exit code after a signal.
pub(crate) fn exit_code() -> Option<u8> {
    match SIGNAL.load(Ordering::SeqCst) {
        0 => None,
        signal => u8::try_from(128 + signal).ok(),
    }
}

/// Waits for signals from now on, on a thread of its own. To be called before there are other threads.
#[cfg(unix)]
pub(crate) fn watch() {
    use nix::sys::signal::{SigSet, Signal};
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGINT);
    signals.add(Signal::SIGTERM);
    // Held back from this thread and those that it starts, they come to who waits for them. If that cannot be, signals
    // end the program as they always have.
    if signals.thread_block().is_err() {
        return;
    }
    let watcher = std::thread::Builder::new().name("signals".to_owned());
    let watched = watcher.spawn(move || {
        while let Ok(signal) = signals.wait() {
            asked_by(signal as i32);
        }
    });
    if watched.is_err() {
        // Then they end the program as before.
        let _ = signals.thread_unblock();
    }
}

/// Waits for Ctrl-C from now on, on a thread of its own.
#[cfg(not(unix))]
pub(crate) fn watch() {
    const CTRL_C: i32 = 2;
    // Without it Ctrl-C ends the program as it always has.
    drop(ctrlc::set_handler(|| asked_by(CTRL_C)));
}

/// A signal to end was received. The program ends in any case when the time is over that a command has to end by itself;
/// nothing is reported then, for another thread may hold standard error.
fn asked_by(signal: i32) {
    const GRACE: Duration = Duration::from_millis(850);
    /// The same where something is held.
    const LONGEST: Duration = Duration::from_secs(20);
    const LOOK: Duration = Duration::from_millis(20);
    SIGNAL.store(signal, Ordering::SeqCst);
    let since = Instant::now();
    let end = move || std::process::exit(128 + signal);
    // A second signal is meant.
    if STOP.swap(true, Ordering::SeqCst) || !LOOKS.load(Ordering::SeqCst) {
        end();
    }
    let most = || match HELD.load(Ordering::SeqCst) {
        0 => GRACE,
        _ => LONGEST,
    };
    drop(std::thread::spawn(move || {
        while since.elapsed() < most() {
            std::thread::sleep(LOOK);
        }
        end()
    }));
}
