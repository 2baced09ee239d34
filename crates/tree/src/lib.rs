//! A game as a tree of positions: main line, variations, comments and numeric annotation glyphs (NAGs).
//!
//! [`GameTree::of`] builds the tree of a replayed record, [`GameTree::new`] an empty one. Each move is a [`Node`] with
//! the position after it. A [`NodeId`] identifies a node without borrowing the tree, so the tree can be changed while
//! the program holds such ids.
//!
//! ```
//! use tridex_notation::Notation;
//! use tridex_rules::RuleSystem;
//! use tridex_tree::GameTree;
//!
//! let mut tree = GameTree::new(RuleSystem::Meder);
//! let moves = tree.read(tree.root(), "1. b4N b5B 2. c3W a6N")?;
//! let variation = tree.read(moves[1], "2. Nb3W")?[0];
//! tree.set_comment(variation, "develops");
//! tree.set_nags(moves[2], &[1]);
//! assert_eq!(tree.movetext(Notation::Meder)?, "1. b4N b5B 2. c3W $1 (2. Nb3W {develops}) 2... a6N");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod edit;
mod node;
mod of_record;
mod record;
mod steps;
#[cfg(test)]
mod tests;
mod tree;

pub use node::{Node, NodeId, TreeItem};
pub use steps::{Step, Steps};
pub use tree::GameTree;

/// The code of the README, compiled and run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
