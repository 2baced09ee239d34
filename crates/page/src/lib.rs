//! Games of three-dimensional chess as one HTML file. It opens from disk in any browser, without a network, and readers
//! play through the games in it.
//!
//! A [`PageGame`] is a replayed game prepared for display: the tree of its moves in the notations of its board, with
//! comments, judgements, clocks and marks (`[%csl]`, `[%cal]`). A [`PageWriter`] writes games, one after another, into
//! one page. The page has four views of the board from both sides, supports keyboard and touch, fits narrow screens and
//! can be printed. A site that has its own pages shows a game with [`player`], [`SCRIPT`] and [`style`]. Without script
//! the games can still be read, the first ones on a page with a picture of the last position.
//!
//! All text of a game stays text: it is escaped in the markup, and the script sets it as text. A strict
//! Content-Security-Policy allows only the one script and the one style sheet of a page, by their hashes, and images
//! that the script makes (`blob:`).
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

/// The script of [`player`], and of the pages of [`PageWriter`]. It loads nothing else and makes no markup from text,
/// so it runs under `script-src 'self'` and `require-trusted-types-for 'script'`.
pub const SCRIPT: &str = include_str!(concat!(env!("OUT_DIR"), "/viewer.js"));

/// The script of the pages of `tridex serve`. It is here because all scripts have their sources in one folder.
#[doc(hidden)]
pub const SITE_SCRIPT: &str = include_str!(concat!(env!("OUT_DIR"), "/site.js"));

/// The script of the pages of `tridex serve` with a game, in place of [`SITE_SCRIPT`]. It follows [`SCRIPT`].
#[doc(hidden)]
pub const GAME_SCRIPT: &str = include_str!(concat!(env!("OUT_DIR"), "/game.js"));

// Compiles and runs the example of the README with the doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod read_me {}
