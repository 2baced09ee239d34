//! Games of three-dimensional chess as one page: a file of its own that opens from disk in any browser, without network,
//! and plays the games through.
//!
//! A [`PageGame`] is a replayed game made ready to be shown: the tree of its moves in the notations of its board, with
//! comments, judgements, clocks and marks (`[%csl]`, `[%cal]`). A [`PageWriter`] writes games, one after another, into one
//! page with both views of the board from both sides, keyboard, touch, narrow screens and print. A site that has pages of
//! its own shows a game with [`player`], [`SCRIPT`] and [`style`]. Without script the games can still be read, with a
//! picture of the last position.
//!
//! All text of a game stays text: it is escaped in the markup, and the script sets it as text. A strict
//! Content-Security-Policy names the one script and the one style sheet of a page by their hashes and allows nothing else.
#![forbid(unsafe_code)]

mod boards;
mod data;
mod engine;
mod game;
mod html;
mod marks;
mod packing;
mod scenery;
#[cfg(test)]
mod tests;

pub use data::PlayerOptions;
pub use engine::{LegalMove, Spot, legal_moves};
pub use game::PageGame;
pub use html::{GAMES, PageWriter, linked_moves, player, style, viewer_data};
pub use tridex_replay::OutputStyle;

/// The script of [`player`], and of the pages of [`PageWriter`]. It asks for nothing but the page it runs in, and makes no
/// markup out of text, so that it runs under `script-src 'self'` and `require-trusted-types-for 'script'`.
pub const SCRIPT: &str = include_str!("viewer.js");

// The example of the README is compiled and run with those of the docs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod read_me {}
