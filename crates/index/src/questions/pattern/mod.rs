//! Patterns: queries about part of a position.
//!
//! `N@c6B` asks for a white knight on Meder's square c6B, `N@c6` for one in that column at any level, `k@ql` for
//! Black's king on that attack board, `Q=0` for no white queen, `ql@Q4` for an attack board on a pin; `check`,
//! `white to move` and `ply 10..40` are what they say; `and`, `or`, `not` and brackets join them. The grammar is
//! `grammars/pattern.ebnf`.
//!
//! A [`Pattern`] is what was written; it can be [mirrored](Pattern::mirrored) and have its
//! [colours swapped](Pattern::swapped). A [`Matcher`](compile::Matcher) is the same made ready for the rules of one
//! system, where a column or a pin is known to mean something or nothing.

pub(crate) mod compile;
pub(crate) mod flip;
pub(crate) mod parser;
#[cfg(test)]
mod tests;

use crate::questions::query_error::QueryError;
use tridex_geometry::Square;
use tridex_geometry::stair::{AttackBoard, Column, MainBoard, Pin};
use tridex_rules::{Color, Position, Role};

/// A query about part of a position.
///
/// ```
/// use tridex_index::Pattern;
/// use tridex_rules::{Position, RuleSystem};
///
/// let pattern = Pattern::parse("R@z0QL1 and k@kl and ql@Q6 and not check")?;
/// assert!(pattern.matches(&Position::start(RuleSystem::Meder), 0));
/// assert!(!pattern.matches(&Position::start(RuleSystem::Millennium), 0));
/// # Ok::<(), tridex_index::QueryError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern(pub(crate) Node);

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// With the place of the first thing that is not understood; also for texts of more than
    /// [`MAX_LENGTH`](crate::MAX_LENGTH) bytes or nested deeper than [`MAX_NESTING`](crate::MAX_NESTING).
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        parser::parse(text).map(Self)
    }

    /// Reads a layout: attack boards on pins, all at the same time, such as `ql@Q4 kl@K6`.
    ///
    /// # Errors
    /// As [`Pattern::parse`].
    pub(crate) fn layout(text: &str) -> Result<Self, QueryError> {
        parser::layout(text).map(Self)
    }

    /// The pattern with the king's side and the queen's side exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        flip::MIRROR.pattern(self)
    }

    /// The pattern seen from the other player's chair: colours, ranks, boards and levels exchanged.
    #[must_use]
    pub fn swapped(&self) -> Self {
        flip::SWAP.pattern(self)
    }

    /// A pattern that matches where any of these does.
    #[must_use]
    pub fn any_of(patterns: Vec<Self>) -> Self {
        Self(Node::Or(patterns.into_iter().map(|p| p.0).collect()))
    }

    /// Whether a position reached after that many plies matches. Slow; made for single positions.
    #[must_use]
    pub fn matches(&self, position: &Position, ply: u32) -> bool {
        let matcher = compile::Matcher::new(self, position.rules());
        let board = position.placement();
        matcher.matches(&board, position, ply)
    }
}

/// A part of a pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Node {
    /// How many squares of a place hold the requested piece.
    Count {
        what: What,
        place: Place,
        compare: Compare,
        number: u32,
    },
    /// An attack board is on a pin.
    BoardOn { board: AttackBoard, pin: PinName },
    /// The king of the side to move is attacked.
    Check,
    /// The side to move is mated.
    Mate,
    /// A side is to move.
    Turn(Color),
    /// How many plies were played before.
    Ply { from: Option<u32>, to: Option<u32> },
    /// The part does not match.
    Not(Box<Node>),
    /// All parts match.
    And(Vec<Node>),
    /// A part matches.
    Or(Vec<Node>),
}

/// The piece on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum What {
    /// Nothing.
    Empty,
    /// A piece; a side or kind that is not named can be any.
    Piece {
        color: Option<Color>,
        role: Option<Role>,
    },
}

/// A comparison of a count with a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Compare {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Compare {
    #[inline]
    pub(crate) fn holds(self, count: u32, number: u32) -> bool {
        match self {
            Self::Equal => count == number,
            Self::NotEqual => count != number,
            Self::Less => count < number,
            Self::LessOrEqual => count <= number,
            Self::Greater => count > number,
            Self::GreaterOrEqual => count >= number,
        }
    }
}

/// A pin as it was named. The manual numbers both pins of a corner; under rules that know only the upper pins either
/// number means that one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PinName {
    pub(crate) pin: Pin,
    pub(crate) either_surface: bool,
}

/// A set of squares by name; which squares it has may depend on the pins of the attack boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// The whole board.
    Anywhere,
    /// A column at any level. The two families have columns of the same names; each takes its own.
    Column {
        stair: Option<Column>,
        cube: Option<(u8, u8)>,
    },
    /// A fixed board.
    Main(MainBoard),
    /// An attack board by its identity.
    Attack(AttackBoard),
    /// The attack board on a pin.
    Pin(PinName),
    /// A square of a fixed board.
    MainSquare(Square),
    /// The square of an attack board in a column.
    AttackSquare(AttackBoard, Column),
    /// The square in a column of the attack board on a pin.
    PinSquare(PinName, Column),
    /// A level of the cube.
    Level(u8),
    /// A square of the cube.
    CubeSquare(Square),
}
