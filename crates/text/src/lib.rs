//! Text functions that do not depend on chess: comparing names regardless of spelling, suggesting names for a misspelt
//! one, lists in sentences, and output that is safe for a terminal.
#![forbid(unsafe_code)]

pub mod json;
pub mod names;
mod near;
mod printable;
mod sentence;
mod setters;
mod table;
mod unknown;

pub use near::near;
pub use printable::{is_hidden, printable};
pub use sentence::enumeration;
pub use unknown::UnknownName;

// The example of the README is compiled and run with those of the docs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod read_me {}
