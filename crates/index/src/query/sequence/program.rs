//! Sequences compiled to steps, which are the states of an automaton.

use super::{Leaf, Node};

/// The steps of a sequence.
#[derive(Default, Debug)]
pub(crate) struct Program {
    /// The distinct tests of steps and guards.
    pub(crate) tests: Vec<Node>,
    /// The steps. The steps that follow a step have smaller indices.
    pub(crate) steps: Vec<Step>,
    /// The steps at which a match may begin.
    pub(crate) starts: Vec<usize>,
}

/// A test that must hold at a ply of the match.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) test: usize,
    /// The greatest number of plies after the step before it; `None` for no limit.
    pub(crate) limit: Option<u32>,
    /// The test that must hold at all plies in between.
    pub(crate) guard: Option<usize>,
    /// The steps that may follow. If there are none, the sequence is complete.
    pub(crate) next: Vec<usize>,
}

impl Program {
    pub(super) fn of(root: &Node) -> Self {
        let mut program = Self::default();
        program.starts = program.add(root, None, &[], &[]);
        program
    }

    /// Adds the steps of a part, which the steps in `next` follow, and returns those with which the part begins.
    /// Recurses as deep as the sequence is nested, which the parser limits.
    fn add(
        &mut self,
        node: &Node,
        limit: Option<u32>,
        guards: &[Node],
        next: &[usize],
    ) -> Vec<usize> {
        match node {
            Node::Leaf(Leaf::Chain(parts)) => {
                let mut next = next.to_vec();
                for (i, part) in parts.iter().enumerate().rev() {
                    // The limit and guards before the chain apply to its first part.
                    let (limit, before) = match i {
                        0 => (limit, guards),
                        _ => (part.limit, &[][..]),
                    };
                    let guards: Vec<Node> = before.iter().chain(&part.guard).cloned().collect();
                    next = self.add(&part.node, limit, &guards, &next);
                }
                next
            }
            Node::Or(parts) if !node.is_test() => {
                let parts = parts.iter();
                let steps = parts.flat_map(|part| self.add(part, limit, guards, next));
                steps.collect()
            }
            test => {
                let guard = Node::joined(guards.to_vec(), Node::And);
                let step = Step {
                    test: self.test(test),
                    limit,
                    guard: (!guards.is_empty()).then(|| self.test(&guard)),
                    next: next.to_vec(),
                };
                self.steps.push(step);
                vec![self.steps.len() - 1]
            }
        }
    }

    fn test(&mut self, test: &Node) -> usize {
        let found = self.tests.iter().position(|known| known == test);
        found.unwrap_or_else(|| {
            self.tests.push(test.clone());
            self.tests.len() - 1
        })
    }
}
