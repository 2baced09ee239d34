//! Cancels work whose results are no longer needed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Cancels work on other threads: reading files, a [`pipeline`](crate::pipeline), a search. Clones share their state. The
/// work ends soon after, with what it has done so far or an error, as the function that takes it states.
///
/// ```
/// use tridex_archive::Cancel;
///
/// let cancel = Cancel::default();
/// let watched = cancel.clone();
/// assert!(!watched.is_cancelled());
/// cancel.cancel();
/// assert!(watched.is_cancelled());
/// ```
#[derive(Clone, Default, Debug)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Cancels all work that uses it, now and in the future. Returns whether it was cancelled before.
    pub fn cancel(&self) -> bool {
        self.0.swap(true, Ordering::SeqCst)
    }

    /// Whether it was cancelled.
    #[inline]
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
