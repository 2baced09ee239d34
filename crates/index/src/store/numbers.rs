//! Games by their numbers, as a query of tantivy.

use super::columns::Column;
use std::collections::BTreeSet;
use std::sync::Arc;
use tantivy::query::{
    BitSetDocSet, ConstScorer, EnableScoring, Explanation, Query, Scorer, Weight,
};
use tantivy::{BitSet, DocId, Score, SegmentReader};

/// Games by their numbers in the index: those that are to be deleted.
#[derive(Clone, Debug)]
pub(crate) struct Numbers(Arc<BTreeSet<u32>>);

impl Numbers {
    pub(crate) fn new(numbers: BTreeSet<u32>) -> Self {
        Self(Arc::new(numbers))
    }
}

impl Query for Numbers {
    fn weight(&self, _: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(self.clone()))
    }
}

impl Weight for Numbers {
    fn scorer(&self, reader: &SegmentReader, _: Score) -> tantivy::Result<Box<dyn Scorer>> {
        let column = reader.fast_fields().u64(Column::Game.name())?;
        let values = column.first_or_default_col(u64::MAX);
        let bound = reader.max_doc();
        let (first, last) = (values.get_val(0) as u32, values.get_val(bound - 1) as u32);
        let mut found = BitSet::with_max_value(bound);
        if first <= last {
            let mut doc = 0;
            // Both are in order.
            for number in self.0.range(first..=last) {
                while doc < bound && values.get_val(doc) < u64::from(*number) {
                    doc += 1;
                }
                if doc < bound && values.get_val(doc) == u64::from(*number) {
                    found.insert(doc);
                }
            }
        }
        let found = BitSetDocSet::from(found);
        Ok(Box::new(ConstScorer::new(found, 1.0)))
    }

    fn explain(&self, _: &SegmentReader, _: DocId) -> tantivy::Result<Explanation> {
        Ok(Explanation::new("a number", 1.0))
    }
}
