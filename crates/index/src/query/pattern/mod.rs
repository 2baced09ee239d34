//! Patterns: queries about part of a position.
//!
//! `N@c6B` matches a white knight on Meder's square c6B, `N@c6` one in that column on any level, `k@ql` Black's king on
//! that attack board, `Q=0` a position without a white queen, `ql@Q4` an attack board on a pin. `check`, `white to
//! move` and `ply 10..40` are also tests. `and`, `or`, `not` and brackets join tests. The grammar is
//! `grammars/pattern.ebnf`.
//!
//! A [`Pattern`] is the parsed text. It can be [seen](Pattern::seen) in a mirror, or from the other player's side. A
//! [`Matcher`](compile::Matcher) is a pattern compiled for one rule system, which determines whether a column or a pin
//! exists.

pub(crate) mod compile;
mod features;
pub(crate) mod parser;
#[cfg(test)]
mod tests;

use crate::query::logic::Logic;
use crate::query::parsing::{blanks, whole};
use crate::query::symmetry::Symmetry;
use crate::query_error::QueryError;
use nom::Parser;
use nom::multi::many1;
use nom::sequence::terminated;
use tridex_geometry::stair::{AttackBoard, FILES, Pin, RANKS};
use tridex_geometry::{Family, Shade, Square, cube};
use tridex_grammar::expected;
use tridex_rules::{Color, Departure, Level, Piece, Position, Role, Setup};

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
    /// Parses a pattern.
    ///
    /// # Errors
    /// Returns the place of the first thing that is not understood. Also fails for texts that are longer than
    /// [`MAX_LENGTH`](crate::MAX_LENGTH) bytes or nested deeper than [`MAX_NESTING`](crate::MAX_NESTING).
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        let read = whole(
            text,
            parser::pattern(0),
            "and, or, or the end of the pattern",
        );
        read.map_err(|error| error.of("the pattern")).map(Self)
    }

    /// Parses a layout: attack boards on pins, all at the same time, such as `ql@Q4 kl@K6`.
    ///
    /// # Errors
    /// As [`Pattern::parse`].
    pub(crate) fn layout(text: &str) -> Result<Self, QueryError> {
        const BOARD: &str = "an attack board and its pin, such as ql@Q4";
        let boards = many1(terminated(parser::board_on, blanks));
        let layout = expected(BOARD, boards).map(|boards| Self(Node::And(boards)));
        whole(text, layout, BOARD).map_err(|error| error.of("the layout"))
    }

    /// The pattern for the board in a mirror, or from the other player's side.
    #[must_use]
    pub fn seen(&self, symmetry: Symmetry) -> Self {
        Self(self.0.map(&|atom| match *atom {
            Atom::Count(what, place, bounds) => {
                Atom::Count(what.seen(symmetry), place.seen(symmetry), bounds)
            }
            Atom::BoardOn(board, pin) => Atom::BoardOn(symmetry.board(board), pin.seen(symmetry)),
            Atom::Turn(color) => Atom::Turn(symmetry.color(color)),
            Atom::Attacks(what, target) => {
                Atom::Attacks(what.seen(symmetry), target.seen(symmetry))
            }
            Atom::Attackers(what, bounds) => Atom::Attackers(what.seen(symmetry), bounds),
            Atom::Pinned(what, bounds) => Atom::Pinned(what.seen(symmetry), bounds),
            Atom::Pawns(kind, color, bounds) => Atom::Pawns(kind, symmetry.color(color), bounds),
            Atom::Balance(least, most) if symmetry == Symmetry::Swap => {
                Atom::Balance(most.saturating_neg(), least.saturating_neg())
            }
            same => same,
        }))
    }

    /// A pattern for the view of a position from the top: the pieces in each column, on any level, and the side to
    /// move.
    pub(crate) fn from_top(setup: &Setup) -> Self {
        let family = setup.family();
        let column = |square: Square| {
            let column = match &setup.layout {
                Some(layout) => (layout.column(square).file(), layout.column(square).rank()),
                None => (cube::file(square), cube::rank(square)),
            };
            Place::of(family, parser::square(column, None))
        };
        // It also counts all pieces of each kind, so that signatures rule out most games without a replay.
        let counted = |(square, piece): (Square, Piece)| {
            let kind = What::Piece(Some(piece.color), Some(piece.role));
            let any = What::Piece(None, None);
            [
                (Place::anywhere(), any),
                (Place::anywhere(), kind),
                (column(square), kind),
            ]
        };
        let mut counts: Vec<((Place, What), u32)> = Vec::new();
        for key in setup.pieces().flat_map(counted) {
            match counts.iter_mut().find(|(known, _)| *known == key) {
                Some((_, count)) => *count += 1,
                None => counts.push((key, 1)),
            }
        }
        let count =
            |((place, what), number)| Node::Leaf(Atom::Count(what, place, (number, number)));
        let turn = Node::Leaf(Atom::Turn(setup.turn));
        let counts = counts.into_iter().map(count);
        Self(Node::And([turn].into_iter().chain(counts).collect()))
    }

    /// A pattern that matches if any of these patterns does.
    #[must_use]
    pub fn any_of(patterns: Vec<Self>) -> Self {
        let patterns = patterns.into_iter().map(|pattern| pattern.0);
        Self(Node::joined(patterns.collect(), Node::Or))
    }

    /// Whether a position reached after `ply` plies matches. Slow: it compiles the pattern for each call. `end` is false,
    /// because a position does not know whether it is the last of a game.
    #[must_use]
    pub fn matches(&self, position: &Position, ply: u32) -> bool {
        let matcher = compile::Matcher::new(self, position.rules());
        let board = position.placement();
        let ply = PlyNumber {
            number: ply,
            is_last: false,
        };
        matcher.matches(&board, position, ply)
    }
}

/// A pattern whose places are named, not yet compiled.
pub(crate) type Node = Logic<Atom<Place>>;

/// A test of a pattern. `P` is a named place, or a place compiled for one rule system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Atom<P> {
    /// The number of squares in a place that have the requested contents is within these bounds.
    Count(What, P, (u32, u32)),
    /// An attack board is on a pin.
    BoardOn(AttackBoard, P),
    /// The king of the side to move is attacked.
    Check,
    /// The side to move is mated.
    Mate,
    /// The king of the side to move is attacked by two pieces at least.
    DoubleCheck,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// A piece of the first kind attacks one of the second, which belongs to the other side.
    Attacks(What, What),
    /// The number of enemy pieces that attack one of these pieces is within these bounds.
    Attackers(What, (u32, u32)),
    /// A side is to move.
    Turn(Color),
    /// The number of plies played before is within these bounds.
    Ply(u32, u32),
    /// The position is the last of its line.
    End,
    /// The number of these pieces that are pinned is within these bounds.
    Pinned(What, (u32, u32)),
    /// The number of pawns of a side that are of this kind is within these bounds.
    Pawns(PawnKind, Color, (u32, u32)),
    /// The value of White's pieces, less that of Black's, is within these bounds.
    Balance(i32, i32),
}

/// Where a position is in its line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PlyNumber {
    /// How many plies were played before.
    pub(crate) number: u32,
    /// Whether it is the last position of its line.
    pub(crate) is_last: bool,
}

/// What a pawn is called for the other pawns around it. Levels do not matter: pawns are compared by their columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PawnKind {
    /// No enemy pawn is on its file or a file next to it, on a rank ahead.
    Passed,
    /// Another pawn of its side is on its file.
    Doubled,
    /// No other pawn of its side is on a file next to it.
    Isolated,
}

/// The contents of a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum What {
    /// Nothing.
    Empty,
    /// A piece. A colour or kind that is `None` can be any.
    Piece(Option<Color>, Option<Role>),
}

impl What {
    /// The colour of a piece that has one.
    pub(crate) const fn color(self) -> Option<Color> {
        match self {
            Self::Empty => None,
            Self::Piece(color, _) => color,
        }
    }

    fn seen(self, symmetry: Symmetry) -> Self {
        match self {
            Self::Empty => Self::Empty,
            Self::Piece(color, role) => Self::Piece(color.map(|c| symmetry.color(c)), role),
        }
    }
}

/// A set of squares by name: file, rank and level, as far as they are given. Which squares it contains may depend on
/// the pins of the attack boards. The same file, rank or column may exist on both families of boards, so a place has a
/// meaning for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    /// Its meaning on the stair board, if it has one.
    pub(crate) stair: Option<Departure>,
    /// Its meaning on the cube, if it has one.
    pub(crate) cube: Option<Departure>,
    /// The shade of its squares, if only those of one shade are meant.
    pub(crate) shade: Option<Shade>,
    /// Set for a pin that was written with a number of the manual. The manual numbers both pins of a corner. Under
    /// rules that have only the upper pins, either number means the upper pin.
    pub(crate) either_surface: bool,
    /// Set for a pin that is seen from the other side. Under rules that [turn
    /// surfaces](crate::query::symmetry::turns_surfaces) it means the other pin of its corner.
    pub(crate) is_turned: bool,
}

impl Place {
    /// The whole board.
    pub(crate) fn anywhere() -> Self {
        let all = Some(Departure::default());
        Self {
            stair: all,
            cube: all,
            shade: None,
            either_surface: false,
            is_turned: false,
        }
    }

    /// A place on the boards of one family.
    pub(crate) fn of(family: Family, spot: Departure) -> Self {
        let of = |own| (own == family).then_some(spot);
        Self {
            stair: of(Family::Stair),
            cube: of(Family::Cube),
            shade: None,
            either_surface: false,
            is_turned: false,
        }
    }

    /// A board of the stair family, or a level of the cube.
    pub(crate) fn level(family: Family, level: Level) -> Self {
        let spot = Departure {
            level: Some(level),
            ..Departure::default()
        };
        Self::of(family, spot)
    }

    /// A pin, which also means the board on it.
    pub(crate) fn pin(pin: Pin, either_surface: bool) -> Self {
        Self {
            either_surface,
            ..Self::level(Family::Stair, Level::Pin(pin))
        }
    }

    /// All squares of a shade.
    pub(crate) fn shaded(shade: Shade) -> Self {
        Self {
            shade: Some(shade),
            ..Self::anywhere()
        }
    }

    /// The squares of this place that are on a level, a board, or the board on a pin; `None` if there are none.
    pub(crate) fn on(self, other: Self) -> Option<Self> {
        let both = |spot: Option<Departure>, level: Option<Departure>| {
            let level = level?.level;
            spot.map(|spot| Departure { level, ..spot })
        };
        Self::either(both(self.stair, other.stair), both(self.cube, other.cube)).map(|place| Self {
            either_surface: other.either_surface,
            ..place
        })
    }

    /// The place that a name means on each family; `None` if it means nothing on either.
    pub(crate) fn either(stair: Option<Departure>, cube: Option<Departure>) -> Option<Self> {
        stair.or(cube).map(|_| Self {
            stair,
            cube,
            shade: None,
            either_surface: false,
            is_turned: false,
        })
    }

    pub(crate) fn seen(self, symmetry: Symmetry) -> Self {
        let seen = |files, ranks| {
            move |spot: Departure| Departure {
                file: spot.file.map(|file| symmetry.file(files, file)),
                rank: spot.rank.map(|rank| symmetry.rank(ranks, rank)),
                level: spot.level.map(|level| symmetry.level(level)),
            }
        };
        let is_pin = |spot: Departure| matches!(spot.level, Some(Level::Pin(_)));
        let turns = symmetry == Symmetry::Swap && self.stair.is_some_and(is_pin);
        Self {
            stair: self.stair.map(seen(FILES, RANKS)),
            cube: self.cube.map(seen(8, 8)),
            // Both symmetries exchange the shades, because each board has an even number of files and ranks.
            shade: self.shade.map(|shade| match shade {
                Shade::Light => Shade::Dark,
                Shade::Dark => Shade::Light,
            }),
            is_turned: self.is_turned != turns,
            ..self
        }
    }
}
