//! Ctrl-C, and signals to end.
//!
//! A command that reads games checks [`STOP`] between them: it ends by itself, reports how many games it read, and its
//! files are complete. A command that waits for input or output cannot check it: the program ends within a second in any
//! case, with the exit code that shells give to the signal, 130 or 143. Other commands end at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};
use std::thread;
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

/// Waits for signals from now on, on a thread of its own.
#[cfg(not(windows))]
pub(crate) fn watch() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::flag::register_conditional_default;
    const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];
    // Without a handler signals end the program at once, which is what they do by default.
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

/// Waits for signals from now on, on a thread of its own. `signal-hook` has no iterator for Windows, so the thread looks
/// at the number that the handler stores.
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
    drop(thread::spawn(move || {
        while since.elapsed() < most() {
            thread::sleep(LOOK);
        }
        end()
    }));
}
