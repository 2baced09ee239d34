//! Cancels searches whose answer is no longer needed.

use crate::error::{IndexError, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Cancels searches: see [`GameIndex::stopped_by`](crate::GameIndex::stopped_by). Clones share their state.
#[derive(Clone, Default, Debug)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Cancels every search that uses it, now and in the future.
    ///
    /// ```
    /// let stop = tridex_index::Stop::default();
    /// stop.raise();
    /// assert!(stop.is_raised());
    /// ```
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was raised.
    #[inline]
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// # Errors
    /// [`IndexError::Stopped`] once it was raised.
    #[inline]
    pub(crate) fn check(&self) -> Result<()> {
        match self.is_raised() {
            true => Err(IndexError::Stopped),
            false => Ok(()),
        }
    }
}
