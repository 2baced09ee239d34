use crate::questions::stop::Stop;
use tantivy::query::{EnableScoring, Explanation, Query, Scorer, Weight};
use tantivy::{DocId, Score, SegmentReader, TantivyError};

fn check(stop: &Stop) -> tantivy::Result<()> {
    stop.check()
        .map_err(|error| TantivyError::InternalError(error.to_string()))
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
        check(&self.stop)?;
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
        check(&self.stop)?;
        self.weight.scorer(reader, boost)
    }

    fn explain(&self, reader: &SegmentReader, doc: DocId) -> tantivy::Result<Explanation> {
        self.weight.explain(reader, doc)
    }
}
