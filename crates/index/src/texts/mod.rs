//! The texts of games: words, and questions about them.

pub(crate) mod fields;
pub(crate) mod words;
