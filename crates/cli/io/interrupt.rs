//! Ctrl-C and SIGTERM.
//!
//! A command that reads games checks [`STOP`] between them. After a signal it ends by itself, reports how many games it
//! read, and leaves complete files. It cannot check while it waits for input or output. The program therefore ends
//! within a second in any case, or within twenty seconds during work such as a commit. Its exit code is the one that
//! shells give to the signal, 130 or 143. Other commands end at once.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::{Duration, Instant};
use tridex_archive::Cancel;

/// Cancelled by a signal to end.
pub(crate) static STOP: LazyLock<Cancel> = LazyLock::new(Cancel::default);

/// The signal that was received, or 0.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// Whether the command checks [`STOP`].
static LOOKS: AtomicBool = AtomicBool::new(false);

/// How many pieces of work are running that should not be cut short.
static HELD: AtomicUsize = AtomicUsize::new(0);

/// Whether a signal to end was received.
pub(crate) fn interrupted() -> bool {
    STOP.is_cancelled()
}

/// Notes that the command checks [`STOP`] from now on, and ends by itself.
pub(crate) fn catch_interrupts() {
    LOOKS.store(true, Ordering::SeqCst);
}

/// Does work that should not be cut short, such as a commit: after a signal it gets up to twenty seconds. Nothing is
/// lost if that is not enough.
pub(crate) fn held<T>(work: impl FnOnce() -> T) -> T {
    HELD.fetch_add(1, Ordering::SeqCst);
    let done = work();
    HELD.fetch_sub(1, Ordering::SeqCst);
    done
}

/// The exit code after a signal, or `None` if none was received.
pub(crate) fn exit_code() -> Option<u8> {
    match SIGNAL.load(Ordering::SeqCst) {
        0 => None,
        signal => u8::try_from(128 + signal).ok(),
    }
}

/// Starts a thread that waits for signals.
#[cfg(not(windows))]
pub(crate) fn watch() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::flag::register_conditional_default;
    const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];
    // Without a handler, signals end the program at once, as they do by default.
    let Ok(mut signals) = signal_hook::iterator::Signals::new(SIGNALS) else {
        return;
    };
    let watcher = thread::Builder::new().name("signals".to_owned());
    if watcher
        .spawn(move || signals.forever().for_each(asked_by))
        .is_err()
    {
        let always = Arc::new(AtomicBool::new(true));
        for signal in SIGNALS {
            let _ = register_conditional_default(signal, Arc::clone(&always));
        }
    }
}

/// Starts a thread that waits for signals. `signal-hook` has no iterator for Windows, so the thread polls the number
/// that the handler stores.
#[cfg(windows)]
pub(crate) fn watch() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    const INTERVAL: Duration = Duration::from_millis(50);
    let received = Arc::new(AtomicUsize::new(0));
    let watched = Arc::clone(&received);
    let watcher = thread::Builder::new().name("signals".to_owned());
    let watcher = watcher.spawn(move || {
        loop {
            thread::sleep(INTERVAL);
            match watched.swap(0, Ordering::SeqCst) {
                0 => {}
                signal => asked_by(signal as i32),
            }
        }
    });
    if watcher.is_ok() {
        for signal in [SIGINT, SIGTERM] {
            // Without a handler the signal ends the program at once.
            let _ =
                signal_hook::flag::register_usize(signal, Arc::clone(&received), signal as usize);
        }
    }
}

/// Handles a signal. If the command does not end by itself in time, the program ends anyway. It prints nothing then,
/// because another thread may hold the lock of standard error.
fn asked_by(signal: i32) {
    const GRACE: Duration = Duration::from_millis(850);
    /// The time for a command with work that should not be cut short.
    const LONGEST: Duration = Duration::from_secs(20);
    const LOOK: Duration = Duration::from_millis(20);
    SIGNAL.store(signal, Ordering::SeqCst);
    let since = Instant::now();
    let end = move || std::process::exit(128 + signal);
    // A second signal ends the program at once. So does the first, if the command does not check for it.
    if STOP.cancel() || !LOOKS.load(Ordering::SeqCst) {
        end();
    }
    let most = || match HELD.load(Ordering::SeqCst) {
        0 => GRACE,
        _ => LONGEST,
    };
    drop(thread::spawn(move || {
        while since.elapsed() < most() {
            thread::sleep(LOOK);
        }
        end()
    }));
}
