//! The positions that are possible after the tokens read so far, each with the cost of the moves that lead to it.
//!
//! A game is read one ply at a time. [`Evidence`] gives the moves that a token can mean in a position, each with a
//! cost: the less likely the move, the higher its cost. [`expand`] plays these moves from every possible position and
//! joins ways that lead to the same position. The evidence may come from one token, or from the tokens of several
//! records of one game. For several records, [`Way::progress`] counts how far each of them was read.
//!
//! [`line`](mod@line) logs the moves in order to list the readings of a line. The search for slips
//! ([`explain`](crate::explain)) tries thousands of lines and needs only their costs.

pub(crate) mod line;

use crate::style::Style;
use tridex_notation::resolve::{Mismatches, marks_of, preference};
use tridex_notation::{CheckMark, MoveText};
use tridex_rules::{Move, PlayedMove, Position};

/// A possible position, and the cost of the cheapest way to it.
#[derive(Clone, Debug)]
pub(crate) struct Way<P = ()> {
    pub(crate) position: Position,
    /// The cost of the moves up to here.
    pub(crate) cost: u32,
    /// How far each record was read. A single record is read token by token, so nothing needs to be counted.
    pub(crate) progress: P,
}

impl Way {
    /// A way through a single record.
    pub(crate) const fn new(position: Position, cost: u32) -> Self {
        Self {
            position,
            cost,
            progress: (),
        }
    }
}

/// A move that may be meant.
#[derive(Clone, Debug)]
pub(crate) struct Meant<P = ()> {
    pub(crate) mv: Move,
    /// The index of the reading that gives this move.
    pub(crate) reading: usize,
    /// The cost of this reading, regardless of the position.
    pub(crate) cost: u32,
    pub(crate) progress: P,
}

/// What the record contains about the next move.
pub(crate) trait Evidence<P = ()> {
    /// The moves that may be meant in a position, in order of preference.
    fn moves(&mut self, way: &Way<P>) -> Vec<Meant<P>>;

    /// The marks that do not agree with the move that was played, and their cost.
    fn disagreement(
        &self,
        meant: &Meant<P>,
        played: &PlayedMove,
        after: &Position,
    ) -> (Mismatches, u32);
}

/// A move in the log of a frontier.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    mv: Move,
    /// The index of the reading of the token.
    reading: usize,
    mismatches: Mismatches,
    /// The nodes of the previous ply from which this one is reached at the least cost.
    parents: Vec<usize>,
}

/// There are more ways than can be followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooMany;

/// Plays every move that may be meant from every way, and stores the resulting ways in `next`. Returns whether any
/// position allowed several moves.
///
/// Ways to the same position are joined and get the lower cost. With a log they are joined only if their last moves are
/// the same, since different moves are different readings.
///
/// # Errors
/// With a log, if there are more ways than `most`, because a reading would be lost. Without a log, the ways beyond
/// `most` are dropped.
pub(crate) fn expand<P: Clone + PartialEq>(
    ways: &[Way<P>],
    evidence: &mut impl Evidence<P>,
    most: usize,
    next: &mut Vec<Way<P>>,
    mut log: Option<&mut Vec<Node>>,
) -> Result<bool, TooMany> {
    next.clear();
    let mut several = false;
    for (parent, way) in ways.iter().enumerate() {
        let moves = evidence.moves(way);
        several |= moves.len() > 1;
        for meant in moves {
            let mut position = way.position.clone();
            let played = position.play_unchecked(meant.mv);
            let (mismatches, disagreement) = evidence.disagreement(&meant, &played, &position);
            let cost = way.cost + meant.cost + disagreement;
            let is_same =
                |other: &Way<P>| other.position == position && other.progress == meant.progress;
            let same = next.iter().position(is_same);
            let same = same.filter(|same| {
                let node = log.as_ref().and_then(|log| log.get(*same));
                node.is_none_or(|node| node.mv == meant.mv)
            });
            let node = Node {
                mv: meant.mv,
                reading: meant.reading,
                mismatches,
                parents: vec![],
            };
            match same {
                Some(same) => {
                    let (known, node_of) =
                        (&mut next[same], log.as_mut().map(|log| &mut log[same]));
                    if let Some(known_node) = node_of {
                        if cost < known.cost {
                            *known_node = node;
                        }
                        if cost <= known.cost {
                            known_node.parents.push(parent);
                        }
                    }
                    known.cost = known.cost.min(cost);
                }
                None if next.len() >= most && log.is_some() => return Err(TooMany),
                None if next.len() >= most => {}
                None => {
                    next.push(Way {
                        position,
                        cost,
                        progress: meant.progress,
                    });
                    if let Some(log) = &mut log {
                        log.push(Node {
                            parents: vec![parent],
                            ..node
                        });
                    }
                }
            }
        }
    }
    Ok(several)
}

/// The costs of reading a token, in a unit that the caller chooses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights {
    /// Something in the token does not agree with the move. Counted once per token.
    pub(crate) token: u32,
    /// A false mark: of a capture, check or mate, or `e.p.`. Counted for each mark.
    pub(crate) mark: u32,
    /// A check without a mark, in a record that marks checks.
    pub(crate) unmarked_check: u32,
    /// The token fits several moves.
    pub(crate) several: u32,
}

impl Weights {
    /// The cost of a token's mismatches.
    pub(crate) fn of(&self, mismatches: Mismatches) -> u32 {
        match mismatches.iter().count() as u32 {
            0 => 0,
            count => self.token + count * self.mark,
        }
    }

    /// The cost of a mark of check or mate, given the move that was played.
    pub(crate) fn of_check(&self, mark: CheckMark, played: &PlayedMove, after: &Position) -> u32 {
        match mark {
            CheckMark::None => u32::from(played.check) * self.unmarked_check,
            mark if mark.is_true(played, after) => 0,
            _ => self.token + self.mark,
        }
    }
}

/// The equally likely readings of a token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words<'w> {
    pub(crate) texts: &'w [(MoveText, Style)],
    pub(crate) weights: Weights,
    /// The cost of reading the token in one of these ways.
    pub(crate) cost: u32,
}

impl Evidence for Words<'_> {
    fn moves(&mut self, way: &Way) -> Vec<Meant> {
        let mut moves: Vec<Meant> = Vec::new();
        for (reading, (text, style)) in self.texts.iter().enumerate() {
            let found = style.candidates(text, &way.position);
            let several = if found.len() > 1 {
                self.weights.several
            } else {
                0
            };
            for mv in found {
                if !moves.iter().any(|other| other.mv == mv) {
                    moves.push(Meant {
                        mv,
                        reading,
                        cost: self.cost + several,
                        progress: (),
                    });
                }
            }
        }
        moves.sort_by_key(|meant| preference(meant.mv));
        moves
    }

    fn disagreement(
        &self,
        meant: &Meant,
        played: &PlayedMove,
        after: &Position,
    ) -> (Mismatches, u32) {
        let (text, style) = &self.texts[meant.reading];
        let mismatches = marks_of(text, meant.mv, played.captures, after);
        let mismatches = style.reported(mismatches);
        let unmarked = text.mark == CheckMark::None && played.check;
        let unmarked = u32::from(unmarked) * self.weights.unmarked_check;
        (mismatches, self.weights.of(mismatches) + unmarked)
    }
}

#[cfg(test)]
mod tests;
