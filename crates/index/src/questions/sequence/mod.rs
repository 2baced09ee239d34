//! Sequences: moves and positions in an order.
//!
//! `white board then white 0-0-0` finds games in which White moves an attack board and later castles on the queen's side;
//! `board carries piece as x then within 3 plies x takes` those in which an attack board carries a piece that captures
//! soon after. The grammar is `grammars/sequence.ebnf`.
//!
//! # When a sequence matches
//! A line of a game has the plies 0, 1, 2, ...: ply 0 is its start, ply `n` its `n`th move and the position after it.
//! A *test* holds at a ply or not:
//! - a move (`N takes Q`, `white`, `Nxc6B`) if the move of the ply is one of those described; at ply 0 never;
//! - `pattern(...)` and `material(...)` if the position of the ply matches;
//! - `and`, `or`, `not` of tests as in logic.
//!
//! A sequence matches a list of plies, one for each of its tests that are joined by links:
//! - a test matches each ply at which it holds;
//! - `A then B` matches where `A` matches and `B` matches after it: the first ply of `B` is greater than the last of `A`;
//! - `A next B` the same, with the first ply of `B` one greater than the last of `A`;
//! - `A then within N plies B` the same, with the first ply of `B` at most `N` greater than the last of `A`;
//! - `T until B` matches where `B` does, if the test `T` holds at every ply between what is before it in the sequence (ply 0
//!   if nothing is) and the first ply of `B`, both excluded;
//! - `not T before B` is `(not T) until B`;
//! - `A N times` is `A then A then ...`, `A N times in a row` is `A next A next ...`;
//! - `A or B` matches where either does.
//!
//! `piece as x` names the piece that moves, is captured or is carried; `x` then is this piece, on every square and
//! after a promotion. A name has its meaning to the end of the sequence, or until it is given again. Where
//! several pieces fit, as on a board that carries two, a match may name any of them.
//!
//! The main line is searched first; then, if wanted, the variations in their order, each with the moves that lead to it, in
//! which a match may begin. A balance of material that lasts follows the same rule. In the first line that has a match, the match *completed first* is reported, that is, the one with the smallest last
//! ply; of several, the *closest*: the one whose last ply but one is greatest, then the one before, and so on; if all
//! plies of one match are the last of another, the shorter.
//!
//! # How it is found
//! [`program`] makes steps of a sequence, [`check`] makes its tests ready for a rule system, and [`run`] goes through a line:
//! first with all that costs much taken to hold, which few lines match, and only these again. For each step and each choice
//! of named pieces it stores only the last ply at which what is before the step was completed: an earlier one allows no match
//! that this does not allow, and no closer one. The state is bounded by the sequence, regardless of the game
//! ([`MAX_STEPS`], [`MAX_NAMES`]).

pub(crate) mod check;
pub(crate) mod parser;
pub(crate) mod program;
pub(crate) mod run;
#[cfg(test)]
mod tests;

use crate::questions::logic::Logic;
use crate::questions::material::Material;
use crate::questions::pattern::{Pattern, Place};
use crate::questions::query_error::QueryError;
use crate::questions::symmetry::Symmetry;
use tridex_geometry::stair::AttackBoard;
use tridex_rules::{CastlingSide, Color, Role};

/// How many tests a sequence may link, repetitions counted.
pub const MAX_STEPS: usize = 32;

/// How many pieces of a sequence may have names.
pub const MAX_NAMES: usize = 2;

/// How many tests a sequence may link that names [`MAX_NAMES`] pieces.
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
    /// Reads a sequence.
    ///
    /// # Errors
    /// With the place of the first word that is not understood; also for texts of more than
    /// [`MAX_LENGTH`](crate::MAX_LENGTH) bytes, nested deeper than [`MAX_NESTING`](crate::MAX_NESTING), with more than
    /// [`MAX_STEPS`] tests in a row or more than [`MAX_NAMES`] names.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        let read = parser::parse(text).map_err(|error| error.of("the sequence"));
        read.map(Self)
    }

    /// The sequence on a board that is seen in a mirror, or from the other player's chair.
    #[must_use]
    pub fn seen(&self, symmetry: Symmetry) -> Self {
        Self(seen(&self.0, symmetry))
    }

    /// A sequence that matches where any of these does: at most four, of [`MAX_STEPS`] tests each.
    pub(crate) fn any_of(sequences: Vec<Self>) -> Self {
        let sequences = sequences.into_iter().map(|sequence| sequence.0);
        Self(Node::joined(sequences.collect(), Node::Or))
    }
}

/// A sequence: tests and what is made of them.
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
    /// How many plies after what is before it the part has to begin at most; the first part of a chain has no limit.
    pub(crate) limit: Option<u32>,
    /// What has to hold at all plies in between.
    pub(crate) guard: Option<Node>,
    pub(crate) node: Node,
}

/// A description of moves. What is not set does not matter.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct MoveTest {
    pub(crate) by: Option<Color>,
    pub(crate) subject: Subject,
    /// The piece that moves on its own.
    pub(crate) moves: Load,
    /// What a piece leaves; of a board the pin.
    pub(crate) from: Option<Place>,
    /// Where it arrives.
    pub(crate) to: Option<Place>,
    pub(crate) takes: Load,
    pub(crate) carries: Load,
    /// A pawn is promoted: to which piece, if given.
    pub(crate) promotes: Option<Option<Role>>,
    /// Where the pawn is that a board move promotes.
    pub(crate) promoted_on: Option<Place>,
    pub(crate) en_passant: bool,
    pub(crate) check: bool,
    pub(crate) mate: bool,
    pub(crate) turned: Option<bool>,
}

/// What moves.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) enum Subject {
    /// Any move, or one of a piece.
    #[default]
    Any,
    Castling(Option<CastlingSide>),
    Board(Option<AttackBoard>),
}

/// What moves on its own, is captured or carried.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) enum Load {
    /// It does not matter.
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
    /// The name by which it is known.
    pub(crate) known: Option<Name>,
    /// The name it gets.
    pub(crate) named: Option<Name>,
}

/// The name of a piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Name {
    /// How many bytes of the whole text follow its beginning.
    pub(crate) left: usize,
    /// Its place among the names of the sequence.
    pub(crate) id: usize,
}

impl Node {
    /// Whether it is a test, which holds or does not at each ply.
    pub(crate) fn is_test(&self) -> bool {
        match self {
            Self::Leaf(leaf) => !matches!(leaf, Leaf::Chain(_)),
            Self::Not(_) | Self::And(_) => true,
            Self::Or(parts) => parts.iter().all(Self::is_test),
        }
    }

    /// How many tests it links, repetitions counted.
    pub(crate) fn steps(&self) -> usize {
        match self {
            _ if self.is_test() => 1,
            Self::Or(parts) => parts.iter().map(Self::steps).sum(),
            Self::Leaf(Leaf::Chain(parts)) => parts.iter().map(|part| part.node.steps()).sum(),
            _ => 1,
        }
    }
}

/// Goes as deep as the sequence is nested, which the parser bounds.
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
    /// The pieces it is about, in their order in the text.
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
