//! Options for writing an index.

use crate::model::opening_book::OpeningBook;
use std::sync::Arc;

/// Options for writing an index.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct IndexOptions {
    /// Whether positions of variations are indexed too. Only used when an index is created; it never changes later.
    pub variations: bool,
    /// The number of new positions after which a segment is written. After as many again, it is committed. A segment
    /// takes up to 40 bytes of memory per position, including the texts of the games, and most of that again while the
    /// previous segment is written. A game with few positions counts as 8, and long texts count as one position for
    /// every 40 bytes.
    pub commit_positions: u64,
    /// Names of openings.
    pub book: Option<Arc<OpeningBook>>,
}

tridex_text::setters! {
    impl[] IndexOptions {
        variations: bool,
        commit_positions: u64,
        book: Option<Arc<OpeningBook>>,
    }
}

impl Default for IndexOptions {
    fn default() -> Self {
        Self {
            variations: false,
            commit_positions: 3_000_000,
            book: None,
        }
    }
}
