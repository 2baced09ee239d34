//! Words in names and comments.

pub(crate) mod words;
