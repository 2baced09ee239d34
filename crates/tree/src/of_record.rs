//! Builds the tree of a replayed record.

use crate::node::{Node, NodeId, TreeItem};
use crate::tree::GameTree;
use tridex_archive::Item;
use tridex_notation::judgement;
use tridex_replay::{Played, UNREADABLE};
use tridex_rules::Move;

/// A line of the record that has not ended yet.
struct Line {
    /// The node at which its first move is played.
    from: NodeId,
    /// Its last move, if one could be read.
    last: Option<NodeId>,
    /// What is written before the first move of a variation.
    before: Vec<TreeItem>,
    /// Whether a token could not be read, so that the rest of the line remains text.
    is_broken: bool,
}

struct Builder {
    tree: GameTree,
    line: Line,
    /// The lines that contain the current one, the main line first.
    outer: Vec<Line>,
}

impl GameTree {
    /// Builds the tree of a replayed game, with everything in its record.
    ///
    /// If a token cannot be read, no further move of its line is played. This token and all later tokens of the line
    /// stay in the tree as [`Item::Move`] annotations, and the tree has the tag [`UNREADABLE`]. A comment with a
    /// [`Trace`](tridex_replay::Trace) follows each guessed move.
    ///
    /// ```
    /// use tridex_archive::{Game, Item};
    /// use tridex_replay::{Options, replay_with};
    /// use tridex_tree::GameTree;
    ///
    /// let mut game = Game::new();
    /// game.push_tag("Variant", "meder");
    /// for item in [Item::Move("b4N"), Item::VariationStart, Item::Move("c3W"), Item::VariationEnd, Item::Move("b5B")] {
    ///     game.push(item);
    /// }
    /// let tree = replay_with(&game, &Options::default(), |played| GameTree::of(played));
    /// assert_eq!(tree.main_line().count(), 2);
    /// assert_eq!(tree.node(tree.root()).map(|root| root.children().count()), Some(2));
    /// ```
    #[must_use]
    pub fn of(played: &Played<'_>) -> Self {
        let mut tree = Self::from_position(played.start().clone());
        tree.is_set_up = played.is_set_up();
        tree.result = played.result();
        played.each_written_tag(|name, value| tree.tags.push((name.to_owned(), value.to_owned())));
        if let Some(why) = played.unreadable() {
            tree.set_tag(UNREADABLE, &why);
        }
        let from = tree.root();
        let mut builder = Builder {
            tree,
            line: Line::new(from, false),
            outer: Vec::new(),
        };
        played.each_traced_item(|item, read| builder.take(item, read));
        while !builder.outer.is_empty() {
            builder.close();
        }
        builder.tree
    }
}

impl Line {
    const fn new(from: NodeId, is_broken: bool) -> Self {
        Self {
            from,
            last: None,
            before: Vec::new(),
            is_broken,
        }
    }

    /// Adds an annotation at the current end of the line.
    fn push(&mut self, tree: &mut GameTree, is_main: bool, annotation: TreeItem) {
        match self.last {
            Some(last) => tree.change(last, |node| node.after.push(annotation)),
            None if is_main => tree.change(self.from, |node| node.after.push(annotation)),
            None => self.before.push(annotation),
        }
    }
}

impl Builder {
    fn take(&mut self, item: Item<&str>, read: Option<Move>) {
        match (item, read) {
            (Item::Move(token), Some(read)) if !self.line.is_broken => self.play(token, read),
            (Item::VariationStart, _) => {
                let line = &self.line;
                let from = match line.last {
                    Some(last) => self.tree.at(last).parent.unwrap_or(line.from),
                    None => line.from,
                };
                let inner = Line::new(from, line.is_broken);
                self.outer.push(std::mem::replace(&mut self.line, inner));
            }
            (Item::VariationEnd, _) => self.close(),
            (item, _) => {
                self.line.is_broken |= matches!(item, Item::Move(_));
                self.push(item.map(|text| (*text).to_owned()));
            }
        }
    }

    fn push(&mut self, item: Item<String>) {
        let is_main = self.outer.is_empty();
        let annotation = TreeItem::Item(item);
        self.line.push(&mut self.tree, is_main, annotation);
    }

    fn play(&mut self, token: &str, read: Move) {
        let (tree, line) = (&mut self.tree, &mut self.line);
        let parent = line.last.unwrap_or(line.from);
        let mut position = tree.position(parent).clone();
        position.play_unchecked(read);
        let id = NodeId(tree.nodes.len());
        let judgement = judgement(token.as_bytes());
        let mut node = Node::new(Some(parent), Some(read), position);
        node.token = token.to_owned();
        node.judgement = String::from_utf8_lossy(judgement).into_owned();
        node.ply = tree.at(parent).ply + 1;
        node.before = std::mem::take(&mut line.before);
        tree.nodes.push(Some(node));
        match (line.last.is_none(), self.outer.len()) {
            (true, depth @ 1..) => {
                tree.change(parent, |parent| parent.variations.push(id));
                if let Some(outer) = self.outer.last_mut() {
                    outer.push(tree, depth == 1, TreeItem::Variation(id));
                }
            }
            _ => tree.change(parent, |parent| parent.next = Some(id)),
        }
        line.last = Some(id);
    }

    /// Ends a variation. If it has no moves, its parentheses and their contents become annotations of the enclosing
    /// line.
    fn close(&mut self) {
        let Some(outer) = self.outer.pop() else {
            return;
        };
        let inner = std::mem::replace(&mut self.line, outer);
        if inner.last.is_none() {
            self.push(Item::VariationStart);
            let is_main = self.outer.is_empty();
            for annotation in inner.before {
                self.line.push(&mut self.tree, is_main, annotation);
            }
            self.push(Item::VariationEnd);
        }
    }
}
