//! Adding games to an index.
//!
//! A `writer` adds games to segments in memory (`segment_builder`) and commits. `merge_policy` plans merges.

pub(crate) mod merge_policy;
pub(crate) mod options;
pub(crate) mod segment_builder;
pub(crate) mod summary;
pub(crate) mod writer;
