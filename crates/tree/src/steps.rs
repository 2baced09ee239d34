//! Iterates over a tree in the order of its text.

use crate::node::{NodeId, TreeItem};
use crate::tree::GameTree;
use tridex_archive::Item;

/// One element of the text of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step<'t> {
    /// The move of a node.
    Move(NodeId),
    /// An annotation between moves. See [`TreeItem::Item`].
    Item(&'t Item<String>),
    /// The start of a variation; the node is its first move.
    VariationStart(NodeId),
    /// The end of a variation.
    VariationEnd,
}

/// The steps of a tree: see [`GameTree::steps`].
#[derive(Clone, Debug)]
pub struct Steps<'t> {
    tree: &'t GameTree,
    /// The lines that are open, the main line first.
    open: Vec<Line>,
}

/// A line, and how much of it has been returned.
#[derive(Clone, Copy, Debug)]
struct Line {
    node: NodeId,
    at: Place,
}

/// What a line continues with.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// The annotation with this index before the move of the node.
    Before(usize),
    /// The annotation with this index after the move of the node.
    After(usize),
}

impl GameTree {
    /// Iterates over the moves, variations and annotations of the game in the order of its text.
    ///
    /// ```
    /// use tridex_rules::RuleSystem;
    /// use tridex_tree::{GameTree, Step};
    ///
    /// let mut tree = GameTree::new(RuleSystem::Meder);
    /// let main = tree.read(tree.root(), "b4N b5B")?;
    /// let other = tree.read(tree.root(), "c3W")?[0];
    /// let steps = [
    ///     Step::Move(main[0]),
    ///     Step::VariationStart(other),
    ///     Step::Move(other),
    ///     Step::VariationEnd,
    ///     Step::Move(main[1]),
    /// ];
    /// assert!(tree.steps().eq(steps));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn steps(&self) -> Steps<'_> {
        Steps {
            tree: self,
            open: vec![Line {
                node: self.root(),
                at: Place::After(0),
            }],
        }
    }
}

impl<'t> Iterator for Steps<'t> {
    type Item = Step<'t>;

    fn next(&mut self) -> Option<Step<'t>> {
        let tree = self.tree;
        let line = self.open.last_mut()?;
        let node = tree.at(line.node);
        let annotation = match line.at {
            Place::Before(index) => match node.before.get(index) {
                Some(annotation) => {
                    line.at = Place::Before(index + 1);
                    annotation
                }
                None => {
                    line.at = Place::After(0);
                    return Some(Step::Move(line.node));
                }
            },
            Place::After(index) => match (node.after.get(index), node.next) {
                (Some(annotation), _) => {
                    line.at = Place::After(index + 1);
                    annotation
                }
                (None, Some(next)) => {
                    *line = Line {
                        node: next,
                        at: Place::Before(0),
                    };
                    return self.next();
                }
                (None, None) => {
                    self.open.pop();
                    return (!self.open.is_empty()).then_some(Step::VariationEnd);
                }
            },
        };
        Some(match annotation {
            TreeItem::Item(item) => Step::Item(item),
            TreeItem::Variation(first) => {
                self.open.push(Line {
                    node: *first,
                    at: Place::Before(0),
                });
                Step::VariationStart(*first)
            }
        })
    }
}
