//! The texts of games: words, and queries about them.

pub(crate) mod fields;
pub(crate) mod words;
