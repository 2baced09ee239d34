//! Reads and writes files with records of three-dimensional chess games.
//!
//! A [`Source`](source::Source) is opened and decompressed as an [`Input`](source::Input). A
//! [`Splitter`](split::Splitter) reads it and yields [`Batch`](batch::Batch)es: whole games, with their place in the
//! file. A batch pushes its games to a [`Visitor`], which sees the same events for every [`Container`]: PGN, bare
//! movetext, a CSV score sheet or NDJSON. [`pipeline::run`] reads many batches at once and returns the results in
//! order. [`line_index::LineIndex`] converts an offset to line and column.
//!
//! Readers see UTF-8; text in another [`encoding`] is decoded first.
//!
//! A [`GameBuilder`](game::GameBuilder) is a visitor that builds a [`Game`] in memory; [`write`](mod@write) writes it
//! to a file.
//!
//! The crate knows nothing about rules or notations. A move is an opaque token with an offset, and
//! `tridex_words::moves` decides where it ends and which tokens cannot be moves. Input is never trusted: every fault in
//! it is reported as [`Damage`] with an offset, and the reader continues with the next game.
//!
//! ```
//! use tridex_archive::{Limits, TokenId, Visitor, pgn};
//!
//! #[derive(Default)]
//! struct Count(usize);
//! impl Visitor for Count {
//!     fn move_token(&mut self, _token: &[u8], _at: u64, _id: TokenId) {
//!         self.0 += 1;
//!     }
//! }
//!
//! let mut count = Count::default();
//! pgn::read_games(b"[Event \"x\"]\n\n1. b4N b5B 2. c3W (=) *\n", 0, &Limits::default(), &mut count);
//! assert_eq!(count.0, 3);
//! ```
#![forbid(unsafe_code)]

pub mod batch;
mod cancel;
pub mod container;
mod cut;
pub mod date;
pub mod encoding;
mod fault;
pub mod file_name;
mod formula;
pub mod game;
#[cfg(feature = "encodings")]
mod html;
mod interner;
mod item;
mod lex;
pub mod line_index;
mod mojibake;
pub mod ndjson;
pub mod pgn;
pub mod pipeline;
pub mod sheet;
pub mod source;
pub mod split;
#[cfg(test)]
mod testing;
mod unread;
mod visit;
mod words;
pub mod write;

pub use batch::Ordinal;
pub use cancel::Cancel;
pub use container::Container;
pub use game::Game;
pub use interner::{Interner, TokenId};
pub use item::Item;
pub use lex::{c1_control, decode, fold, paragraphs, unescape};
pub use mojibake::mojibake;
pub use unread::{Unread, is_pass, is_unrecorded};
pub use visit::{Damage, Ending, GameResult, Limits, Unusual, Visitor};
pub use words::{is_standard_result, result_text};

// The example of the README is compiled and run with those of the docs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod read_me {}
