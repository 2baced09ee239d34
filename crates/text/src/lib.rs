//! Text for people, without knowledge of chess: names compared regardless of their spelling, names that a misspelt one may be
//! meant for, lists in sentences, and text that is safe for a terminal.
#![forbid(unsafe_code)]

pub mod json;
pub mod names;
mod near;
mod printable;
mod sentence;
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
