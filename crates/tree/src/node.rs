//! A move of a tree, and everything written around it.

use tridex_archive::Item;
use tridex_rules::{Move, Position};

/// Identifies a node of a tree. It stays valid when the tree changes, until its node is removed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub(crate) usize);

impl NodeId {
    /// Returns a number that is unique in the tree; 0 for the root.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0
    }
}

/// Something written before or after a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TreeItem {
    /// A comment, NAG, draw offer or text. [`Item::Move`] is a token that could not be read; [`Item::VariationStart`]
    /// and [`Item::VariationEnd`] are the parentheses of a variation in which no move could be read.
    Item(Item<String>),
    /// The first node of a variation, which is an alternative to the move before it in the text.
    Variation(NodeId),
}

/// A move and the position after it. The root has the start position and no move.
#[derive(Clone, Debug)]
pub struct Node {
    pub(crate) parent: Option<NodeId>,
    pub(crate) played: Option<Move>,
    pub(crate) position: Position,
    pub(crate) token: String,
    pub(crate) judgement: String,
    pub(crate) ply: usize,
    pub(crate) next: Option<NodeId>,
    pub(crate) variations: Vec<NodeId>,
    pub(crate) before: Vec<TreeItem>,
    pub(crate) after: Vec<TreeItem>,
}

impl Node {
    pub(crate) fn new(parent: Option<NodeId>, played: Option<Move>, position: Position) -> Self {
        Self {
            parent,
            played,
            position,
            token: String::new(),
            judgement: String::new(),
            ply: 0,
            next: None,
            variations: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
        }
    }

    /// The node before this one; `None` for the root.
    #[must_use]
    pub const fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// The move that leads here; `None` for the root.
    #[must_use]
    pub const fn played(&self) -> Option<Move> {
        self.played
    }

    /// The position here.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The token of the move in its record; empty for a move that was added to the tree.
    #[must_use]
    pub fn token(&self) -> &str {
        &self.token
    }

    /// The number of moves from the root to this node.
    #[must_use]
    pub const fn ply(&self) -> usize {
        self.ply
    }

    /// The next move of this node's line.
    #[must_use]
    pub const fn next(&self) -> Option<NodeId> {
        self.next
    }

    /// The moves that are played from here: first the next move of this line, then those that begin variations, in
    /// order.
    pub fn children(&self) -> impl Iterator<Item = NodeId> {
        self.next.into_iter().chain(self.variations.iter().copied())
    }

    /// What is written between the opening parenthesis of a variation and this move, if it is the first move of the
    /// variation.
    #[must_use]
    pub fn before(&self) -> &[TreeItem] {
        &self.before
    }

    /// What is written between this move and the next one, in text order.
    #[must_use]
    pub fn after(&self) -> &[TreeItem] {
        &self.after
    }

    /// The comments after the move.
    pub fn comments(&self) -> impl Iterator<Item = &str> {
        self.after.iter().filter_map(|annotation| match annotation {
            TreeItem::Item(Item::Comment(text) | Item::LineComment(text)) => Some(text.as_str()),
            _ => None,
        })
    }

    /// The evaluation marks that are part of the move's token: `!?`.
    #[must_use]
    pub fn judgement(&self) -> &str {
        &self.judgement
    }

    /// The NAGs of the move; `!`, `?`, `!!`, `??`, `!?` and `?!` count as 1 to 6 (PGN standard, 8.2.4 and 10).
    #[must_use]
    pub fn nags(&self) -> Vec<u8> {
        let marks = ["!", "?", "!!", "??", "!?", "?!"];
        let mark = marks.iter().position(|mark| *mark == self.judgement);
        let mark = mark.map(|place| place as u8 + 1);
        let written = self.after.iter().filter_map(|annotation| match annotation {
            TreeItem::Item(Item::Nag(code)) => Some(*code),
            _ => None,
        });
        mark.into_iter().chain(written).collect()
    }
}
