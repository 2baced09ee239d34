//! Lists of the games that reach a position.

pub(crate) mod builder;
pub(crate) mod reader;
