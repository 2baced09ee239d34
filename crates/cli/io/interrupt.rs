//! Ctrl-C, SIGTERM and SIGHUP.
//!
//! A command that reads games checks [`Interrupt::cancel`] between them. After a signal it ends by itself, reports how
//! many games it read, and leaves complete files. It cannot check while it waits for input or output. The program
//! therefore ends within a second in any case, or within twenty seconds during work such as a commit. Its exit code is the one that
//! shells give to the signal: 130, 143 or 129. Other commands end at once.
//!
//! A terminal sends SIGHUP when it is closed. `nohup` makes a program ignore it, so it is then not caught.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use tridex_archive::Cancel;

/// What the thread that waits for signals shares with the command.
#[derive(Default)]
pub(crate) struct Interrupt {
    /// Cancelled by a signal to end.
    cancel: Cancel,
    /// Wakes the command that waits for a signal to end.
    received: Notify,
    /// The signal that was received, or 0.
    signal: AtomicI32,
    /// Whether the command checks `cancel`.
    is_caught: AtomicBool,
    /// How many pieces of work are running that should not be cut short.
    held: AtomicUsize,
}

impl Interrupt {
    /// Cancelled by a signal to end.
    pub(crate) const fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Waits for a signal to end. Only one task may wait.
    pub(crate) async fn received(self: Arc<Self>) {
        self.received.notified().await;
    }

    /// Notes that the command checks [`Interrupt::cancel`] from now on, and ends by itself.
    pub(crate) fn catch(&self) {
        self.is_caught.store(true, Ordering::SeqCst);
    }

    /// Does work that should not be cut short: after a signal it gets up to twenty seconds.
    pub(crate) fn hold<T>(&self, work: impl FnOnce() -> T) -> T {
        self.held.fetch_add(1, Ordering::SeqCst);
        let done = work();
        self.held.fetch_sub(1, Ordering::SeqCst);
        done
    }

    /// The exit code after a signal, or `None` if none was received.
    pub(crate) fn exit_code(&self) -> Option<u8> {
        match self.signal.load(Ordering::SeqCst) {
            0 => None,
            signal => u8::try_from(128 + signal).ok(),
        }
    }
}

/// Starts a thread that waits for signals.
#[cfg(not(windows))]
pub(crate) fn watch() -> Arc<Interrupt> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::flag::register_conditional_default;
    let interrupt = Arc::<Interrupt>::default();
    let hangup = (!is_hangup_ignored()).then_some(SIGHUP);
    let caught = [SIGINT, SIGTERM].into_iter().chain(hangup);
    // Without a handler, signals end the program at once, as they do by default.
    let Ok(mut signals) = signal_hook::iterator::Signals::new(caught.clone()) else {
        return interrupt;
    };
    let asked = Arc::clone(&interrupt);
    let watcher = thread::Builder::new().name("signals".to_owned());
    if watcher
        .spawn(move || {
            signals
                .forever()
                .for_each(|signal| asked_by(&asked, signal))
        })
        .is_err()
    {
        let always = Arc::new(AtomicBool::new(true));
        for signal in caught {
            let _ = register_conditional_default(signal, Arc::clone(&always));
        }
    }
    interrupt
}

/// Whether the program was started so that it ignores SIGHUP, as `nohup` does.
#[cfg(not(windows))]
fn is_hangup_ignored() -> bool {
    use std::io::IsTerminal;
    // Linux lists the signals that a process ignores, in hexadecimal digits. SIGHUP is signal 1, the lowest bit.
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        return ignored.is_some_and(|mask| mask & 1 == 1);
    }
    // Elsewhere the standard library cannot ask. `nohup` leaves no stream connected to a terminal.
    !std::io::stdin().is_terminal()
        && !std::io::stdout().is_terminal()
        && !std::io::stderr().is_terminal()
}

/// Starts a thread that waits for signals. `signal-hook` has no iterator for Windows, so the thread polls the number
/// that the handler stores.
#[cfg(windows)]
pub(crate) fn watch() -> Arc<Interrupt> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    const INTERVAL: Duration = Duration::from_millis(50);
    let interrupt = Arc::<Interrupt>::default();
    let asked = Arc::clone(&interrupt);
    let received = Arc::new(AtomicUsize::new(0));
    let watched = Arc::clone(&received);
    let watcher = thread::Builder::new().name("signals".to_owned());
    let watcher = watcher.spawn(move || {
        loop {
            thread::sleep(INTERVAL);
            match watched.swap(0, Ordering::SeqCst) {
                0 => {}
                signal => asked_by(&asked, signal as i32),
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
    interrupt
}

/// Handles a signal. If the command does not end by itself in time, the program ends anyway. It prints nothing then,
/// because another thread may hold the lock of standard error.
fn asked_by(interrupt: &Arc<Interrupt>, signal: i32) {
    const GRACE: Duration = Duration::from_millis(850);
    /// The time for a command with work that should not be cut short.
    const LONGEST: Duration = Duration::from_secs(20);
    const POLL_INTERVAL: Duration = Duration::from_millis(20);
    interrupt.signal.store(signal, Ordering::SeqCst);
    interrupt.received.notify_one();
    let since = Instant::now();
    let end = move || std::process::exit(128 + signal);
    // A second signal ends the program at once. So does the first, if the command does not check for it.
    if interrupt.cancel.cancel() || !interrupt.is_caught.load(Ordering::SeqCst) {
        end();
    }
    let interrupt = Arc::clone(interrupt);
    let most = move || match interrupt.held.load(Ordering::SeqCst) {
        0 => GRACE,
        _ => LONGEST,
    };
    drop(thread::spawn(move || {
        while since.elapsed() < most() {
            thread::sleep(POLL_INTERVAL);
        }
        end()
    }));
}
