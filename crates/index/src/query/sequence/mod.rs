//! Sequences: moves and positions in an order.
//!
//! `white board then white 0-0-0` finds games in which White moves an attack board and later castles on the queen's
//! side. `board carries piece as x then within 3 plies x takes` finds games in which an attack board carries a piece
//! that captures soon after. The grammar is `grammars/sequence.ebnf`.
//!
//! # When a sequence matches
//! A line of a game has the plies 0, 1, 2, ...: ply 0 is its start, ply `n` its `n`th move and the position after it. A
//! *test* holds at a ply or does not:
//! - a move (`N takes Q`, `white`, `Nxc6B`) holds if it describes the move of the ply; never at ply 0;
//! - `pattern(...)` and `material(...)` hold if the position of the ply matches;
//! - `and`, `or` and `not` combine tests as in logic.
//!
//! A sequence matches a list of plies, one for each of its tests that are joined by links:
//! - a test matches each ply at which it holds;
//! - `A then B` matches if `A` matches and `B` matches after it: the first ply of `B` is greater than the last of `A`;
//! - `A next B` is the same, but the first ply of `B` is one greater than the last of `A`;
//! - `A then within N plies B` is the same, but the first ply of `B` is at most `N` greater than the last of `A`;
//! - `T until B` matches where `B` does, if the test `T` holds at every ply between the part before it in the sequence
//!   (ply 0 if there is none) and the first ply of `B`, both excluded;
//! - `not T before B` is `(not T) until B`;
//! - `A N times` is `A then A then ...`, `A N times in a row` is `A next A next ...`;
//! - `A or B` matches where either does.
//!
//! `piece as x` names the piece that moves, is captured or is carried. From then on `x` is this piece, on every square
//! and after a promotion, until the end of the sequence or until the name is given again. If several pieces fit, as on
//! a board that carries two, a match may name any of them.
//!
//! The main line is searched first, then, if requested, the variations in order. The moves that lead to a variation
//! belong to its line, so a match may begin in them. The same applies to a balance of material that lasts. In the first
//! line that has a match, the match *completed first* is reported: the one with the smallest last ply. Among several
//! such matches, the *closest* is reported: the one whose last ply but one is greatest, then the one before, and so on.
//! If the plies of one match are the last plies of another, the shorter match is reported.
//!
//! # How it is found
//! [`program`] converts a sequence to steps, [`check`] compiles its tests for a rule system, and [`run`] visits the
//! plies of a line. The first run assumes that every expensive test holds. Few lines match even then, and only these
//! are run again with exact tests. For each step and each choice of named pieces, only the latest ply is stored at
//! which the part before the step was completed: an earlier ply would allow no other match, and no closer one. So the
//! state is bounded by the sequence, regardless of the game ([`MAX_STEPS`], [`MAX_NAMES`]).

pub(crate) mod check;
pub(crate) mod parser;
pub(crate) mod program;
pub(crate) mod run;
#[cfg(test)]
mod tests;
mod tokens;

use crate::query::logic::Logic;
use crate::query::material::Material;
use crate::query::pattern::{Pattern, Place};
use crate::query::symmetry::Symmetry;
use crate::query_error::QueryError;
use tridex_geometry::stair::AttackBoard;
use tridex_rules::{CastlingSide, Color, Role};

/// The greatest number of tests that a sequence may link, including repetitions.
pub const MAX_STEPS: usize = 32;

/// The greatest number of named pieces in a sequence.
pub const MAX_NAMES: usize = 2;

/// The greatest number of tests that a sequence may link if it names [`MAX_NAMES`] pieces.
pub(crate) const MAX_NAMED_STEPS: usize = 12;

/// Moves and positions in an order.
///
/// ```
/// use tridex_index::{Sequence, Symmetry};
/// let sequence = Sequence::parse("white QL then within 20 plies white 0-0-0")?;
/// let black = Sequence::parse("black ql then within 20 plies black 0-0-0")?;
/// assert_eq!(sequence.seen(Symmetry::Swap), black);
/// assert_eq!(Sequence::parse("white QL than 0-0").unwrap_err().span.start, 9);
/// # Ok::<(), tridex_index::QueryError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sequence(pub(crate) Node);

impl Sequence {
    /// Parses a sequence.
    ///
    /// # Errors
    /// Returns the place of the first word that is not understood. Also fails for texts that are longer than
    /// [`MAX_LENGTH`](crate::MAX_LENGTH) bytes, nested deeper than [`MAX_NESTING`](crate::MAX_NESTING), link more than
    /// [`MAX_STEPS`] tests or have more than [`MAX_NAMES`] names.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        let read = parser::parse(text).map_err(|error| error.of("the sequence"));
        read.map(Self)
    }

    /// The sequence for the board in a mirror, or from the other player's side.
    #[must_use]
    pub fn seen(&self, symmetry: Symmetry) -> Self {
        Self(seen(&self.0, symmetry))
    }

    /// A sequence that matches where any of these does. There are at most four, of [`MAX_STEPS`] tests each.
    pub(crate) fn any_of(sequences: Vec<Self>) -> Self {
        let sequences = sequences.into_iter().map(|sequence| sequence.0);
        Self(Node::joined(sequences.collect(), Node::Or))
    }
}

/// A parsed sequence.
pub(crate) type Node = Logic<Leaf>;

/// A part of a sequence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Leaf {
    Move(Box<MoveTest>),
    Pattern(Pattern),
    Material(Material),
    /// Parts one after the other.
    Chain(Vec<Part>),
}

/// A part of a chain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    /// The greatest number of plies after the part before it at which this part may begin; `None` for no limit, as for
    /// the first part.
    pub(crate) limit: Option<u32>,
    /// A test that must hold at all plies in between.
    pub(crate) guard: Option<Node>,
    pub(crate) node: Node,
}

/// A description of moves. A field that is not set matches any move.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct MoveTest {
    pub(crate) by: Option<Color>,
    pub(crate) subject: Subject,
    /// The piece that moves on its own.
    pub(crate) moves: Load,
    /// The place that a piece leaves, or the pin that a board leaves.
    pub(crate) from: Option<Place>,
    /// The place where it arrives.
    pub(crate) to: Option<Place>,
    pub(crate) takes: Load,
    pub(crate) carries: Load,
    /// A pawn is promoted. The inner value is the new piece, if given.
    pub(crate) promotes: Option<Option<Role>>,
    /// The square of the pawn that a board move promotes.
    pub(crate) promoted_on: Option<Place>,
    pub(crate) en_passant: bool,
    pub(crate) check: bool,
    /// Two pieces at least give check.
    pub(crate) double_check: bool,
    /// A piece that did not move gives check.
    pub(crate) discovered_check: bool,
    pub(crate) mate: bool,
    pub(crate) turned: Option<bool>,
}

/// The kind of move.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) enum Subject {
    /// Any kind. If the description has details of a piece, the move of a piece.
    #[default]
    Any,
    Castling(Option<CastlingSide>),
    Board(Option<AttackBoard>),
}

/// A requirement on the piece that moves, is captured or is carried.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) enum Load {
    /// No requirement.
    #[default]
    Any,
    Nothing,
    Piece(Who),
}

/// A piece.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Who {
    pub(crate) color: Option<Color>,
    pub(crate) role: Option<Role>,
    /// The name that refers to an earlier piece.
    pub(crate) known: Option<Name>,
    /// The name that this piece gets.
    pub(crate) named: Option<Name>,
}

/// The name of a piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Name {
    /// The number of bytes from the beginning of the name to the end of the text.
    pub(crate) left: usize,
    /// Its index among the names of the sequence.
    pub(crate) id: usize,
}

impl Node {
    /// Whether it is a test, which holds or does not hold at each ply.
    pub(crate) fn is_test(&self) -> bool {
        match self {
            Self::Leaf(leaf) => !matches!(leaf, Leaf::Chain(_)),
            Self::Not(_) | Self::And(_) => true,
            Self::Or(parts) => parts.iter().all(Self::is_test),
        }
    }

    /// The number of tests that it links, including repetitions.
    pub(crate) fn steps(&self) -> usize {
        match self {
            _ if self.is_test() => 1,
            Self::Or(parts) => parts.iter().map(Self::steps).sum(),
            Self::Leaf(Leaf::Chain(parts)) => parts.iter().map(|part| part.node.steps()).sum(),
            _ => 1,
        }
    }
}

/// Recurses as deep as the sequence is nested, which the parser limits.
fn seen(node: &Node, symmetry: Symmetry) -> Node {
    node.map(&|leaf| match leaf {
        Leaf::Move(test) => Leaf::Move(Box::new(test.seen(symmetry))),
        Leaf::Pattern(pattern) => Leaf::Pattern(pattern.seen(symmetry)),
        Leaf::Material(material) => Leaf::Material(material.seen(symmetry)),
        Leaf::Chain(parts) => {
            let part = |part: &Part| Part {
                limit: part.limit,
                guard: part.guard.as_ref().map(|guard| seen(guard, symmetry)),
                node: seen(&part.node, symmetry),
            };
            Leaf::Chain(parts.iter().map(part).collect())
        }
    })
}

impl MoveTest {
    /// The pieces in the description, in the order of the text.
    fn pieces(&self) -> impl Iterator<Item = &Who> {
        let loads = [&self.moves, &self.takes, &self.carries].into_iter();
        loads.filter_map(|load| match load {
            Load::Piece(who) => Some(who),
            Load::Any | Load::Nothing => None,
        })
    }

    fn seen(&self, symmetry: Symmetry) -> Self {
        let mut there = self.clone();
        let color = |color| symmetry.color(color);
        there.by = there.by.map(color);
        for load in [&mut there.moves, &mut there.takes, &mut there.carries] {
            if let Load::Piece(who) = load {
                who.color = who.color.map(color);
            }
        }
        match &mut there.subject {
            Subject::Castling(side) => *side = side.map(|side| symmetry.castling(side)),
            Subject::Board(board) => *board = board.map(|board| symmetry.board(board)),
            Subject::Any => {}
        }
        for place in [&mut there.from, &mut there.to, &mut there.promoted_on] {
            *place = place.map(|place| place.seen(symmetry));
        }
        there
    }
}
