//! Patterns made ready for the rules of one system.

use super::{Compare, Node, Pattern, PinName, Place, What};
use crate::game::signature::Signature;
use tridex_geometry::stair::{AttackBoard, ColumnSet, Layout, Pin, Surface};
use tridex_geometry::{Family, SquareSet, cube};
use tridex_rules::{Color, Placement, Position, RuleSystem};

type Set = SquareSet<3>;

/// A pattern under the rules of one system.
#[derive(Clone, Debug)]
pub(crate) struct Matcher {
    root: Test,
    /// The first and the last ply at which anything can match.
    plies: (u32, u32),
}

/// A part of a matcher. `Constant` is what remains of tests that mean nothing under the rules.
#[derive(Clone, Debug)]
enum Test {
    Constant(bool),
    Count {
        what: What,
        place: Squares,
        compare: Compare,
        number: u32,
    },
    BoardOn(AttackBoard, Pins),
    Check,
    Mate,
    Turn(Color),
    Ply(u32, u32),
    Not(Box<Test>),
    And(Vec<Test>),
    Or(Vec<Test>),
}

/// Pins as a set of 24 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pins(pub(crate) u32);

/// Squares, some of which depend on the pins of the attack boards.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Squares {
    Everywhere,
    Fixed(Set),
    Stack(tridex_geometry::stair::Column),
    /// The squares in some columns, at any level.
    Columns(ColumnSet),
    OnPin(Pins),
    AttackColumn(AttackBoard, tridex_geometry::stair::Column),
    PinColumn(Pins, tridex_geometry::stair::Column),
}

impl Matcher {
    pub(crate) fn new(pattern: &Pattern, rules: RuleSystem) -> Self {
        let root = compile(&pattern.0, rules);
        Self {
            plies: plies(&root),
            root,
        }
    }

    /// Whether no game of the rules can match.
    pub(crate) fn is_never(&self) -> bool {
        matches!(self.root, Test::Constant(false))
    }

    /// The first and the last ply at which the pattern can match.
    pub(crate) fn plies(&self) -> (u32, u32) {
        self.plies
    }

    /// Whether a position matches, if pieces, boards and turn are enough to know: `None` if the position is needed.
    #[inline]
    pub(crate) fn matches_board(&self, at: &Placement, ply: u32) -> Option<bool> {
        holds(&self.root, at, None, ply)
    }

    /// Whether a position matches.
    #[inline]
    pub(crate) fn matches(&self, at: &Placement, position: &Position, ply: u32) -> bool {
        holds(&self.root, at, Some(position), ply) == Some(true)
    }

    /// Whether a game of which only the signature is known may match somewhere. Never wrongly false.
    pub(crate) fn may_match(&self, signature: &Signature) -> bool {
        may_hold(&self.root, signature)
    }
}

fn compile(node: &Node, rules: RuleSystem) -> Test {
    match node {
        Node::Count {
            what,
            place,
            compare,
            number,
        } => match squares(*place, rules) {
            Some(place) => Test::Count {
                what: *what,
                place,
                compare: *compare,
                number: *number,
            },
            // A place these rules do not know holds nothing, but neither is it there to be counted on.
            None => Test::Constant(false),
        },
        Node::BoardOn { board, pin } => match rules.family() {
            Family::Stair => Test::BoardOn(*board, pins(*pin, rules)),
            Family::Cube => Test::Constant(false),
        },
        Node::Check => Test::Check,
        Node::Mate => Test::Mate,
        Node::Turn(color) => Test::Turn(*color),
        Node::Ply { from, to } => Test::Ply(from.unwrap_or(0), to.unwrap_or(u32::MAX)),
        Node::Not(part) => match compile(part, rules) {
            Test::Constant(known) => Test::Constant(!known),
            part => Test::Not(Box::new(part)),
        },
        Node::And(parts) => {
            let parts: Vec<_> = parts.iter().map(|part| compile(part, rules)).collect();
            if parts.iter().any(|p| matches!(p, Test::Constant(false))) {
                return Test::Constant(false);
            }
            Test::And(parts)
        }
        Node::Or(parts) => {
            let mut parts: Vec<_> = parts.iter().map(|part| compile(part, rules)).collect();
            if parts.iter().any(|p| matches!(p, Test::Constant(true))) {
                return Test::Constant(true);
            }
            parts.retain(|p| !matches!(p, Test::Constant(false)));
            if parts.is_empty() {
                Test::Constant(false)
            } else {
                Test::Or(parts)
            }
        }
    }
}

pub(crate) fn squares(place: Place, rules: RuleSystem) -> Option<Squares> {
    let of = |words: u64| Squares::Fixed(SquareSet([words, 0, 0]));
    Some(match (rules.family(), place) {
        (_, Place::Anywhere) => Squares::Everywhere,
        (Family::Stair, Place::Column { stair, .. }) => Squares::Stack(stair?),
        (Family::Stair, Place::Main(main)) => of(main.squares().0[0]),
        (Family::Stair, Place::Attack(board)) => of(board.squares().0[0]),
        (Family::Stair, Place::Pin(name)) => Squares::OnPin(pins(name, rules)),
        (Family::Stair, Place::MainSquare(square)) => Squares::Fixed(Set::of(square)),
        (Family::Stair, Place::AttackSquare(board, column)) => Squares::AttackColumn(board, column),
        (Family::Stair, Place::PinSquare(name, column)) => {
            Squares::PinColumn(pins(name, rules), column)
        }
        (Family::Cube, Place::Column { cube, .. }) => {
            let (file, rank) = cube?;
            let levels = (0..cube::LEVELS).filter_map(|level| cube::try_square(level, file, rank));
            Squares::Fixed(levels.collect())
        }
        (Family::Cube, Place::Level(level)) => {
            let mut set = Set::EMPTY;
            *set.0.get_mut(usize::from(level))? = u64::MAX;
            Squares::Fixed(set)
        }
        (Family::Cube, Place::CubeSquare(square)) => Squares::Fixed(Set::of(square)),
        _ => return None,
    })
}

pub(crate) fn pins(name: PinName, rules: RuleSystem) -> Pins {
    let bit = |pin: Pin| 1 << pin.index();
    let both = name.either_surface && !uses_under_pins(rules);
    Pins(if both {
        bit(name.pin) | bit(name.pin.other_surface())
    } else {
        bit(name.pin)
    })
}

/// Whether the rules know pins below the boards: those whose games start on them.
pub(crate) fn uses_under_pins(rules: RuleSystem) -> bool {
    rules.start().layout.is_some_and(|layout| {
        layout
            .pins()
            .iter()
            .any(|pin| pin.surface() == Surface::Under)
    })
}

impl Pins {
    #[inline]
    pub(crate) fn holds(self, pin: Pin) -> bool {
        self.0 >> pin.index() & 1 != 0
    }

    /// The attack board on one of the pins.
    #[inline]
    fn board(self, layout: &Layout) -> Option<AttackBoard> {
        AttackBoard::ALL
            .into_iter()
            .find(|board| self.holds(layout.pin(*board)))
    }
}

impl Squares {
    #[inline]
    pub(crate) fn set(self, at: &Placement) -> Set {
        let fixed = |word: u64| SquareSet([word, 0, 0]);
        let Some(layout) = at.layout() else {
            return match self {
                Self::Everywhere => SquareSet([u64::MAX; 3]),
                Self::Fixed(set) => set,
                _ => Set::EMPTY,
            };
        };
        match self {
            Self::Everywhere => fixed(u64::MAX),
            Self::Fixed(set) => set,
            Self::Stack(column) => fixed(layout.stack(column).0[0]),
            Self::Columns(columns) => fixed(layout.squares_of(columns).0[0]),
            Self::OnPin(pins) => match pins.board(layout) {
                Some(board) => fixed(board.squares().0[0]),
                None => Set::EMPTY,
            },
            Self::AttackColumn(board, column) => {
                fixed((layout.stack(column) & board.squares()).0[0])
            }
            Self::PinColumn(pins, column) => match pins.board(layout) {
                Some(board) => fixed((layout.stack(column) & board.squares()).0[0]),
                None => Set::EMPTY,
            },
        }
    }
}

/// The squares that hold the requested piece.
#[inline]
fn holders(what: What, at: &Placement) -> Set {
    match what {
        What::Empty => !at.occupied(),
        What::Piece {
            color: Some(color),
            role: Some(role),
        } => at.pieces(color, role),
        What::Piece {
            color: Some(color),
            role: None,
        } => at.side(color),
        What::Piece {
            color: None,
            role: Some(role),
        } => at.pieces(Color::White, role) | at.pieces(Color::Black, role),
        What::Piece {
            color: None,
            role: None,
        } => at.occupied(),
    }
}

/// Whether a test holds; without the position, `None` if that cannot be known. Goes as deep as the pattern is nested,
/// which the parser bounds.
fn holds(test: &Test, at: &Placement, position: Option<&Position>, ply: u32) -> Option<bool> {
    Some(match test {
        Test::Constant(known) => *known,
        Test::Count {
            what,
            place,
            compare,
            number,
        } => {
            let found = holders(*what, at) & place.set(at);
            match (compare, number) {
                (Compare::GreaterOrEqual, 1) | (Compare::Greater, 0) => !found.is_empty(),
                (Compare::Equal, 0) => found.is_empty(),
                _ => compare.holds(found.count(), *number),
            }
        }
        Test::BoardOn(board, pins) => at
            .layout()
            .is_some_and(|layout| pins.holds(layout.pin(*board))),
        Test::Check => position?.is_check(),
        Test::Mate => position?.is_checkmate(),
        Test::Turn(color) => at.turn() == *color,
        Test::Ply(from, to) => (*from..=*to).contains(&ply),
        Test::Not(part) => !holds(part, at, position, ply)?,
        Test::And(parts) => {
            let mut unknown = false;
            for part in parts {
                match holds(part, at, position, ply) {
                    Some(true) => {}
                    Some(false) => return Some(false),
                    None => unknown = true,
                }
            }
            if unknown {
                return None;
            }
            true
        }
        Test::Or(parts) => {
            let mut unknown = false;
            for part in parts {
                match holds(part, at, position, ply) {
                    Some(true) => return Some(true),
                    Some(false) => {}
                    None => unknown = true,
                }
            }
            if unknown {
                return None;
            }
            false
        }
    })
}

/// The plies outside of which a test cannot hold. Never too narrow.
fn plies(test: &Test) -> (u32, u32) {
    match test {
        Test::Constant(false) => (u32::MAX, 0),
        Test::Ply(from, to) => (*from, *to),
        Test::And(parts) => parts.iter().map(plies).fold((0, u32::MAX), |all, part| {
            (all.0.max(part.0), all.1.min(part.1))
        }),
        Test::Or(parts) => parts.iter().map(plies).fold((u32::MAX, 0), |all, part| {
            (all.0.min(part.0), all.1.max(part.1))
        }),
        _ => (0, u32::MAX),
    }
}

fn may_hold(test: &Test, signature: &Signature) -> bool {
    match test {
        Test::Constant(known) => *known,
        Test::Count {
            what,
            place,
            compare,
            number,
        } => {
            let What::Piece {
                color: Some(color),
                role: Some(role),
            } = what
            else {
                return true;
            };
            let (least, most) = signature.counts(*color, *role);
            let everywhere = matches!(place, Squares::Everywhere);
            // In part of the board there may be fewer than on all of it, never more.
            let least = if everywhere { least } else { 0 };
            match compare {
                Compare::Equal => (least..=most).contains(number),
                Compare::NotEqual => least != *number || most != *number,
                Compare::Less => least < *number,
                Compare::LessOrEqual => least <= *number,
                Compare::Greater => most > *number,
                Compare::GreaterOrEqual => most >= *number,
            }
        }
        Test::BoardOn(board, pins) => signature.pins(*board) & pins.0 != 0,
        Test::Ply(from, _) => *from <= signature.plies,
        Test::Check | Test::Mate | Test::Turn(_) | Test::Not(_) => true,
        Test::And(parts) => parts.iter().all(|part| may_hold(part, signature)),
        Test::Or(parts) => parts.iter().any(|part| may_hold(part, signature)),
    }
}
