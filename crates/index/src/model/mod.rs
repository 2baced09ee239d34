//! A game as the index stores it, and sets and counts of games.
//!
//! An `entry` is a game to be added, with its `annotation`s and its `ending`; `contents` are what its record has besides
//! moves; `entry_builder` makes one of a record. `game_bytes` is its
//! packed form, which can be replayed. A `signature` and a `board_trail` are facts of a whole game. An
//! `indexed_game` is a game that was read from an index.

pub(crate) mod annotation;
pub(crate) mod board_trail;
pub(crate) mod contents;
pub(crate) mod ending;
pub(crate) mod entry;
pub(crate) mod entry_builder;
pub(crate) mod game_bytes;
pub(crate) mod game_set;
pub(crate) mod indexed_game;
pub(crate) mod move_text;
pub(crate) mod opening_book;
pub(crate) mod results;
pub(crate) mod signature;
pub(crate) mod stop;
pub(crate) mod systems;
