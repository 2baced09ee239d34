//! The tree type, and functions that navigate it.

use crate::node::{Node, NodeId};
use tridex_archive::GameResult;
use tridex_notation::{Notation, UnreadMove, WriteOptions, WrongFamily, read_moves, write_played};
use tridex_rules::{IllegalMove, Move, Position, RuleSystem};

/// A game as a tree of positions.
///
/// If the node of a [`NodeId`] was removed, functions that take the id do nothing, or return the same as for the root.
#[derive(Clone, Debug)]
pub struct GameTree {
    /// The tags of the game, in order. When the game is written, the tags for the rule system, the notation, its
    /// language and the start position are replaced by new ones.
    pub tags: Vec<(String, String)>,
    /// The result of the game.
    pub result: GameResult,
    pub(crate) nodes: Vec<Option<Node>>,
    /// Whether written records contain the start position.
    pub(crate) is_set_up: bool,
}

impl GameTree {
    const ROOT: NodeId = NodeId(0);

    /// Creates a game without moves from the start position of a rule system.
    #[must_use]
    pub fn new(rules: RuleSystem) -> Self {
        Self {
            is_set_up: false,
            ..Self::from_position(Position::start(rules))
        }
    }

    /// Creates a game without moves from a position.
    ///
    /// ```
    /// use tridex_rules::{Position, RuleSystem};
    /// use tridex_tree::GameTree;
    ///
    /// let mut start = Position::start(RuleSystem::Chess3);
    /// start.play(start.legal_moves()[0])?;
    /// let tree = GameTree::from_position(start);
    /// assert!(tree.to_pgn(tree.notation())?.contains("[FEN \""));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn from_position(start: Position) -> Self {
        Self {
            tags: Vec::new(),
            result: GameResult::Unknown,
            nodes: vec![Some(Node::new(None, None, start))],
            is_set_up: true,
        }
    }

    /// The rule system of the game.
    #[must_use]
    pub fn rules(&self) -> RuleSystem {
        self.position(Self::ROOT).rules()
    }

    /// The notation of the game's rule system.
    #[must_use]
    pub fn notation(&self) -> Notation {
        Notation::of(self.rules())
    }

    /// The root, which has the start position.
    #[must_use]
    pub const fn root(&self) -> NodeId {
        Self::ROOT
    }

    /// A node; `None` if it was removed.
    #[must_use]
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.0).and_then(Option::as_ref)
    }

    /// A node, or the root if the node was removed. The root always exists.
    pub(crate) fn at(&self, id: NodeId) -> &Node {
        let root = || self.nodes.first().and_then(Option::as_ref);
        self.node(id).or_else(root).expect("a tree has a root")
    }

    pub(crate) fn at_mut(&mut self, id: NodeId) -> Option<&mut Node> {
        self.nodes.get_mut(id.0).and_then(Option::as_mut)
    }

    /// The position at a node.
    #[must_use]
    pub fn position(&self, id: NodeId) -> &Position {
        &self.at(id).position
    }

    /// The nodes of the main line, without the root.
    ///
    /// ```
    /// use tridex_rules::RuleSystem;
    /// use tridex_tree::GameTree;
    ///
    /// let mut tree = GameTree::new(RuleSystem::Millennium);
    /// let moves = tree.read(tree.root(), "1e4 3e5")?;
    /// tree.read(tree.root(), "1d4")?;
    /// assert_eq!(tree.main_line().collect::<Vec<_>>(), moves);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> {
        self.line_from(Self::ROOT)
    }

    /// The nodes that follow a node in its line.
    pub fn line_from(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.at(id).next, |id| self.at(*id).next)
    }

    /// The last node of the main line.
    #[must_use]
    pub fn end(&self) -> NodeId {
        self.main_line().last().unwrap_or(Self::ROOT)
    }

    /// The nodes from the first move of the game to a node.
    #[must_use]
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let up = std::iter::successors(Some(id), |id| self.at(*id).parent);
        let mut path: Vec<_> = up.filter(|id| self.at(*id).parent.is_some()).collect();
        path.reverse();
        path
    }

    /// Whether a node belongs to the main line.
    #[must_use]
    pub fn is_main(&self, id: NodeId) -> bool {
        let path = self.path(id);
        let parents = path.iter().filter_map(|id| self.at(*id).parent);
        parents
            .zip(&path)
            .all(|(parent, id)| self.at(parent).next == Some(*id))
    }

    /// Returns a move of the tree in a notation, with the check and mate marks that are customary there; empty for the
    /// root.
    ///
    /// # Errors
    /// If the notation is for another board.
    pub fn write(&self, id: NodeId, notation: Notation) -> Result<String, WrongFamily> {
        self.write_with(id, notation, &WriteOptions::default())
    }

    /// Same as [`GameTree::write`], with options.
    pub(crate) fn write_with(
        &self,
        id: NodeId,
        notation: Notation,
        options: &WriteOptions,
    ) -> Result<String, WrongFamily> {
        let node = self.at(id);
        let mut text = String::new();
        if let (Some(parent), Some(played)) = (node.parent, node.played) {
            let before = self.position(parent);
            write_played(notation, before, played, &node.position, options, &mut text)?;
        }
        Ok(text)
    }

    /// Plays a move at a node and returns the resulting node. If the node already has this move, nothing is added. The
    /// first move at a node continues its line; every other move begins a variation.
    ///
    /// # Errors
    /// If the move is not legal there, or the node was removed. The tree is not changed.
    pub fn play(&mut self, id: NodeId, played: Move) -> Result<NodeId, IllegalMove> {
        let Some(node) = self.node(id) else {
            return Err(IllegalMove(played));
        };
        let known = node
            .children()
            .find(|child| self.at(*child).played == Some(played));
        if let Some(child) = known {
            return Ok(child);
        }
        let mut position = node.position.clone();
        position.play(played)?;
        Ok(self.add(id, played, position))
    }

    /// Reads moves in any notation of the board, with or without move numbers, and plays them one after the other from
    /// a node.
    ///
    /// # Errors
    /// The first token that is not a legal move. The tree is not changed.
    pub fn read(&mut self, id: NodeId, moves: &str) -> Result<Vec<NodeId>, UnreadMove> {
        let moves = read_moves(self.position(id), moves)?;
        let mut at = id;
        let mut nodes = Vec::new();
        for played in moves {
            // All of these moves are legal, unless the node was removed.
            let Ok(next) = self.play(at, played) else {
                break;
            };
            nodes.push(next);
            at = next;
        }
        Ok(nodes)
    }
}
