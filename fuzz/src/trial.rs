//! One input tried: whether it fails, in which way, and what is left of it when all is taken out that does not matter.

use crate::Target;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Tries to make a failing input smaller.
const SHRINKING: Duration = Duration::from_secs(20);

thread_local! {
    /// Where the last panic of this thread was, and what it said.
    static LAST: RefCell<(String, String)> = const { RefCell::new((String::new(), String::new())) };
}

/// A way to fail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Where the panic was.
    pub place: String,
    /// What it said.
    pub what: String,
}

impl Fault {
    /// Failures of one kind are told once: the place of the panic, and the law.
    #[must_use]
    pub fn kind(&self) -> String {
        let letters = self.what.chars();
        let law: String = letters
            .take_while(|c| !matches!(c, '`' | '{' | '"' | '('))
            .filter(|c| !c.is_ascii_digit())
            .take(60)
            .collect();
        format!("{} {law}", self.place)
    }
}

/// From now on panics are kept for [`fails`] and not printed.
pub fn hush() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        let what = info.payload();
        let what = what
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| what.downcast_ref::<&str>().map(|text| (*text).to_owned()))
            .unwrap_or_default();
        LAST.with(|last| *last.borrow_mut() = (place, what));
    }));
}

/// How a target fails on an input, if it does.
#[must_use]
pub fn fails(target: Target, data: &[u8]) -> Option<Fault> {
    catch_unwind(AssertUnwindSafe(|| target(data))).err()?;
    let (place, what) = LAST.with(|last| last.borrow().clone());
    Some(Fault { place, what })
}

/// Takes pieces out of an input as long as it fails in the same way.
#[must_use]
pub fn shrunk(target: Target, mut data: Vec<u8>, kind: &str) -> Vec<u8> {
    let started = Instant::now();
    let mut piece = data.len() / 2;
    while piece > 0 && started.elapsed() < SHRINKING {
        let mut at = 0;
        while at < data.len() && started.elapsed() < SHRINKING {
            let mut fewer = data.clone();
            fewer.drain(at..(at + piece).min(data.len()));
            if fails(target, &fewer).is_some_and(|fault| fault.kind() == kind) {
                data = fewer;
            } else {
                at += piece;
            }
        }
        piece /= 2;
    }
    data
}
