//! A sequence as steps and links: an automaton whose states are the links.

use super::{Leaf, Node};

/// The steps and links of a sequence.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// The tests of steps and links, each once.
    pub(crate) tests: Vec<Node>,
    /// A step links only to steps before it.
    pub(crate) steps: Vec<Step>,
    pub(crate) links: Vec<Link>,
    /// The links that begin at the start of a line.
    pub(crate) starts: Vec<usize>,
}

/// A test that a match gives a ply.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) test: usize,
    /// The links after it; without one the sequence is complete.
    pub(crate) links: Vec<usize>,
}

/// What leads from a step to others.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    /// How many plies later at most.
    pub(crate) limit: Option<u32>,
    /// The test of all plies in between.
    pub(crate) guard: Option<usize>,
    pub(crate) steps: Vec<usize>,
}

/// A step with which a part begins, and the tests of the plies before it.
type Entry<'n> = (Vec<&'n Node>, usize);

impl Program {
    pub(super) fn of(root: &Node) -> Self {
        let mut program = Self {
            tests: Vec::new(),
            steps: Vec::new(),
            links: Vec::new(),
            starts: Vec::new(),
        };
        let entries = program.entries(root, &[]);
        program.starts = program.link(None, entries);
        program
    }

    /// Makes the steps of a part that other links follow. Goes as deep as the sequence is nested, which the parser bounds.
    fn entries<'n>(&mut self, node: &'n Node, links: &[usize]) -> Vec<Entry<'n>> {
        match node {
            Node::Leaf(Leaf::Chain(parts)) => {
                let mut links = links.to_vec();
                let mut first = Vec::new();
                for (i, part) in parts.iter().enumerate().rev() {
                    let mut entries = self.entries(&part.node, &links);
                    for (guards, _) in &mut entries {
                        guards.extend(&part.guard);
                    }
                    match i {
                        0 => first = entries,
                        _ => links = self.link(part.limit, entries),
                    }
                }
                first
            }
            Node::Or(parts) if !node.is_test() => {
                let parts = parts.iter().map(|part| self.entries(part, links));
                parts.collect::<Vec<_>>().concat()
            }
            test => {
                let test = self.test(test);
                self.steps.push(Step {
                    test,
                    links: links.to_vec(),
                });
                vec![(Vec::new(), self.steps.len() - 1)]
            }
        }
    }

    /// Makes the links to some steps: one for those with the same guards.
    fn link(&mut self, limit: Option<u32>, entries: Vec<Entry<'_>>) -> Vec<usize> {
        let mut groups: Vec<(Vec<&Node>, Vec<usize>)> = Vec::new();
        for (guards, step) in entries {
            match groups.iter_mut().find(|(known, _)| *known == guards) {
                Some((_, steps)) => steps.push(step),
                None => groups.push((guards, vec![step])),
            }
        }
        let link = |(guards, steps): (Vec<&Node>, Vec<usize>)| {
            let guard = match guards.as_slice() {
                [] => None,
                [guard] => Some(self.test(guard)),
                several => {
                    let several = several.iter().map(|guard| (*guard).clone());
                    Some(self.test(&Node::And(several.collect())))
                }
            };
            self.links.push(Link {
                limit,
                guard,
                steps,
            });
            self.links.len() - 1
        };
        groups.into_iter().map(link).collect()
    }

    fn test(&mut self, test: &Node) -> usize {
        let found = self.tests.iter().position(|known| known == test);
        found.unwrap_or_else(|| {
            self.tests.push(test.clone());
            self.tests.len() - 1
        })
    }
}
