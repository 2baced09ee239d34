//! How a search ends that no one waits for.

use crate::error::IndexError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tantivy::query::{EnableScoring, Explanation, Query, Scorer, Weight};
use tantivy::{DocId, Score, SegmentReader, TantivyError};

/// Ends searches: see [`GameIndex::stopped_by`](crate::GameIndex::stopped_by). Clones are one and the same.
#[derive(Clone, Default, Debug)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Ends every search that checks it, for good.
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
    pub(crate) fn check(&self) -> Result<(), IndexError> {
        match self.is_raised() {
            true => Err(IndexError::Stopped),
            false => Ok(()),
        }
    }

    /// The same in tantivy's words, which no one reads: the stop is checked before they are.
    fn check_in_tantivy(&self) -> tantivy::Result<()> {
        let stopped = |error: IndexError| TantivyError::InternalError(error.to_string());
        self.check().map_err(stopped)
    }
}

/// A query of tantivy that reads all the words of a segment: a question may hold hundreds, and each checks the stop before
/// it begins.
#[derive(Debug)]
pub(crate) struct Stoppable {
    pub(crate) query: Box<dyn Query>,
    pub(crate) stop: Stop,
}

impl Clone for Stoppable {
    fn clone(&self) -> Self {
        Self {
            query: self.query.box_clone(),
            stop: self.stop.clone(),
        }
    }
}

impl Query for Stoppable {
    fn weight(&self, scoring: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        self.stop.check_in_tantivy()?;
        Ok(Box::new(Stopping {
            weight: self.query.weight(scoring)?,
            stop: self.stop.clone(),
        }))
    }
}

struct Stopping {
    weight: Box<dyn Weight>,
    stop: Stop,
}

impl Weight for Stopping {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        self.stop.check_in_tantivy()?;
        self.weight.scorer(reader, boost)
    }

    fn explain(&self, reader: &SegmentReader, doc: DocId) -> tantivy::Result<Explanation> {
        self.weight.explain(reader, doc)
    }
}
