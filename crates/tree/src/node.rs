//! A move of a tree, and everything written around it.

use tridex_archive::Item;
use tridex_rules::{Move, Position};

/// Identifies a node of a tree. Other changes of the tree do not affect it; it is invalid once the node is removed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub(crate) usize);

impl NodeId {
    /// A number that no other node of the tree has, from 0 for the root.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0
    }
}

/// Something written before or after a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TreeItem {
    /// A comment, a NAG, a draw offer, or text. [`Item::Move`] is a token that could not be read; [`Item::VariationStart`]
    /// and [`Item::VariationEnd`] are the parentheses of a variation in which no move could be read.
    Item(Item<String>),
    /// A variation begins with this node, which is an alternative to the move that it follows in the text.
    Variation(NodeId),
}

/// A move with the position after it; the root has the start position and no move.
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

    /// The move as its record writes it; empty for a move that was added to the tree.
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

    /// The moves that continue from here: the next move of this line first, then the variations, in their order.
    pub fn children(&self) -> impl Iterator<Item = NodeId> {
        self.next.into_iter().chain(self.variations.iter().copied())
    }

    /// What is written between the parenthesis and the first move of a variation.
    #[must_use]
    pub fn before(&self) -> &[TreeItem] {
        &self.before
    }

    /// What is written between this move and the next one, in the order of the text.
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
