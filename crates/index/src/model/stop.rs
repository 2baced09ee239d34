//! Ends searches whose answer is no longer needed.

use crate::error::{IndexError, Result};
use tridex_archive::Cancel;

/// What a search checks: see [`GameIndex::stopped_by`](crate::GameIndex::stopped_by).
#[derive(Clone, Default, Debug)]
pub(crate) struct Stop(Cancel);

impl Stop {
    pub(crate) fn by(cancel: &Cancel) -> Self {
        Self(cancel.clone())
    }

    #[inline]
    pub(crate) fn is_raised(&self) -> bool {
        self.0.is_cancelled()
    }

    /// # Errors
    /// [`IndexError::Stopped`] once it was cancelled.
    #[inline]
    pub(crate) fn check(&self) -> Result<()> {
        match self.is_raised() {
            true => Err(IndexError::Stopped),
            false => Ok(()),
        }
    }
}
