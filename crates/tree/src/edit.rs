//! Functions that change a tree.

use crate::node::{Node, NodeId, TreeItem};
use crate::tree::GameTree;
use tridex_archive::Item;
use tridex_rules::{Move, Position};

impl GameTree {
    /// Adds a node for a legal move at `parent` that leads to `position`.
    pub(crate) fn add(&mut self, parent: NodeId, played: Move, position: Position) -> NodeId {
        let id = NodeId(self.nodes.len());
        let ply = self.at(parent).ply + 1;
        let main = self.at(parent).next;
        let node = Node::new(Some(parent), Some(played), position);
        self.nodes.push(Some(Node { ply, ..node }));
        match main {
            None => self.change(parent, |parent| parent.next = Some(id)),
            Some(main) => {
                self.change(parent, |parent| parent.variations.push(id));
                self.change(main, |main| main.after.push(TreeItem::Variation(id)));
            }
        }
        id
    }

    pub(crate) fn change(&mut self, id: NodeId, change: impl FnOnce(&mut Node)) {
        if let Some(node) = self.at_mut(id) {
            change(node);
        }
    }

    /// Replaces the comments after a move by one comment. An empty text removes them.
    pub fn set_comment(&mut self, id: NodeId, text: &str) {
        let is_comment = |annotation: &TreeItem| {
            matches!(
                annotation,
                TreeItem::Item(Item::Comment(_) | Item::LineComment(_))
            )
        };
        self.change(id, |node| {
            let marks = |annotation: &&TreeItem| {
                matches!(annotation, TreeItem::Item(Item::Nag(_) | Item::DrawOffer))
            };
            let place = node.after.iter().position(is_comment);
            // NAGs and the draw offer come before the comment.
            let place = place.unwrap_or_else(|| node.after.iter().take_while(marks).count());
            node.after.retain(|annotation| !is_comment(annotation));
            if !text.is_empty() {
                let comment = TreeItem::Item(Item::Comment(text.to_owned()));
                node.after.insert(place.min(node.after.len()), comment);
            }
        });
    }

    /// Replaces the NAGs of a move, including marks such as `!?` in its token.
    pub fn set_nags(&mut self, id: NodeId, nags: &[u8]) {
        self.change(id, |node| {
            node.judgement.clear();
            let is_nag = |item: &TreeItem| matches!(item, TreeItem::Item(Item::Nag(_)));
            node.after.retain(|item| !is_nag(item));
            let nags = nags.iter().map(|code| TreeItem::Item(Item::Nag(*code)));
            node.after.splice(0..0, nags);
        });
    }

    /// Sets the first tag with a name, without regard to case, or adds a tag if there is none.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        let mut tags = self.tags.iter_mut();
        match tags.find(|(tag, _)| tag.eq_ignore_ascii_case(name)) {
            Some((_, old)) => value.clone_into(old),
            None => self.tags.push((name.to_owned(), value.to_owned())),
        }
    }

    /// The value of the first tag with a name, without regard to case.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        let found = tags.find(|(tag, _)| tag.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// Makes a move the continuation of its parent's line; the previous continuation becomes a variation. If the move
    /// is in a variation inside a variation, the outer variation stays one. [`GameTree::promote_to_main`] makes it the
    /// main line. Nothing changes if a player would then pass in the main line.
    pub fn promote(&mut self, id: NodeId) {
        let Some(parent) = self.at(id).parent else {
            return;
        };
        if self.is_main(parent) && self.passes_from(id) {
            return;
        }
        let mut order: Vec<_> = self.at(parent).children().collect();
        if let Some(place) = order.iter().position(|child| *child == id) {
            order[..=place].rotate_right(1);
            self.arrange(parent, &order);
        }
    }

    /// Makes the line that leads to a node the main line of the game. Nothing changes if a player passes in one of the
    /// lines on the way, because that is possible only in variations.
    pub fn promote_to_main(&mut self, id: NodeId) {
        let path = self.path(id);
        if path.iter().any(|step| self.passes_from(*step)) {
            return;
        }
        for step in path {
            self.promote(step);
        }
    }

    /// Whether a player passes at a node, or later in its line.
    fn passes_from(&self, id: NodeId) -> bool {
        let mut line = std::iter::successors(Some(id), |id| self.at(*id).next);
        line.any(|id| self.at(id).played == Some(Move::Pass))
    }

    /// Removes a move with everything that follows it. If the move continued its parent's line, the first variation
    /// takes its place. The root is never removed.
    ///
    /// ```
    /// use tridex_notation::Notation;
    /// use tridex_rules::RuleSystem;
    /// use tridex_tree::GameTree;
    ///
    /// let mut tree = GameTree::new(RuleSystem::Meder);
    /// let first = tree.read(tree.root(), "b4N b5B")?[0];
    /// tree.read(tree.root(), "c3W")?;
    /// tree.remove(first);
    /// assert_eq!(tree.movetext(Notation::Meder)?, "1. c3W");
    /// assert!(tree.node(first).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove(&mut self, id: NodeId) {
        let Some(parent) = self.node(id).and_then(Node::parent) else {
            return;
        };
        let order: Vec<_> = self
            .at(parent)
            .children()
            .filter(|child| *child != id)
            .collect();
        self.arrange(parent, &order);
        let mut removed = vec![id];
        while let Some(id) = removed.pop() {
            if let Some(node) = self.nodes.get_mut(id.0).and_then(Option::take) {
                removed.extend(node.children());
            }
        }
    }

    /// Orders the children of a node: the first continues its line, and the others become variations that are written
    /// after the first, after its other annotations.
    fn arrange(&mut self, parent: NodeId, order: &[NodeId]) {
        let children: Vec<_> = self.at(parent).children().collect();
        let is_other = |annotation: &TreeItem| !matches!(annotation, TreeItem::Variation(_));
        // First, remove the annotations that refer to the children. They may be after another child, before the first
        // move of one or, in a damaged record, after the parent.
        self.change(parent, |parent| {
            parent
                .after
                .retain(|item| !matches!(item, TreeItem::Variation(id) if children.contains(id)));
        });
        for child in &children {
            self.change(*child, |child| {
                child.before.retain(is_other);
                child.after.retain(is_other);
            });
        }
        self.change(parent, |parent| {
            parent.next = order.first().copied();
            parent.variations = order.get(1..).unwrap_or_default().to_vec();
        });
        if let Some((main, others)) = order.split_first() {
            let named = others.iter().map(|id| TreeItem::Variation(*id));
            self.change(*main, |main| main.after.extend(named));
        }
    }
}
