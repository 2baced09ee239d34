//! The engine before this one, to compare answers with.

pub(crate) mod condition;
pub(crate) mod making;
pub(crate) mod position;
pub(crate) mod replay;
pub(crate) mod search;
pub(crate) mod stopping;
pub(crate) mod words;
