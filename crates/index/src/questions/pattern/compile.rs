//! Patterns made ready for the rules of one system.

use super::{Atom, Compare, Pattern, PinName, Place, What};
use crate::game::signature::Signature;
use crate::questions::logic::Logic;
use tridex_geometry::stair::{AttackBoard, Column, ColumnSet, Layout, Pin, Surface};
use tridex_geometry::{Family, Square, SquareSet, cube};
use tridex_rules::{Color, Placement, Position, RuleSystem};

type Set = SquareSet<3>;

/// A pattern under the rules of one system.
#[derive(Clone, Debug)]
pub(crate) struct Matcher {
    root: Logic<Test>,
    /// The first and the last ply at which anything can match.
    plies: (u32, u32),
    /// The fewest pieces with which anything can match.
    fewest: u32,
}

/// A test under the rules of one system.
type Test = Atom<Squares, Pins>;

/// Pins as a set of 24 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pins(pub(crate) u32);

/// Squares, some of which depend on the pins of the attack boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Squares {
    Everywhere,
    /// A place these rules do not know holds nothing, but neither is it there to be counted on.
    Nowhere,
    Fixed(Set),
    /// Those of some squares that are in a column.
    Stack(Column, Set),
    /// The squares in some columns, at any level.
    Columns(ColumnSet),
    /// The board on a pin, or its square in a column.
    OnPin(Pins, Option<Column>),
}

impl Matcher {
    pub(crate) fn new(pattern: &Pattern, rules: RuleSystem) -> Self {
        let root = pattern.0.map(&|atom| {
            let place = |place| squares(place, rules).unwrap_or(Squares::Nowhere);
            atom.map(|color| color, |board| board, place, |pin| pins(pin, rules))
        });
        let plies = root.bounds(&|test| match test {
            Test::Ply(from, to) => (*from, *to),
            _ => (0, u32::MAX),
        });
        let (fewest, _) = root.bounds(&|test| match test {
            Test::Count {
                what:
                    What::Piece {
                        color: None,
                        role: None,
                    },
                place: Squares::Everywhere,
                compare: Compare::Equal | Compare::GreaterOrEqual,
                number,
            } => (*number, u32::MAX),
            _ => (0, u32::MAX),
        });
        Self {
            root,
            plies,
            fewest,
        }
    }

    /// Whether no game of the rules can match.
    pub(crate) fn is_never(&self) -> bool {
        let known = |test: &Test| match test {
            Test::Count {
                place: Squares::Nowhere,
                ..
            } => Some(false),
            Test::BoardOn { pin: Pins(0), .. } => Some(false),
            _ => None,
        };
        self.root.holds(&known) == Some(false)
    }

    /// The first and the last ply at which the pattern can match.
    pub(crate) fn plies(&self) -> (u32, u32) {
        self.plies
    }

    /// The fewest pieces with which the pattern can match.
    pub(crate) fn fewest(&self) -> u32 {
        self.fewest
    }

    /// Whether a position matches, if pieces, boards and turn are enough to know: `None` if the position is needed.
    #[inline]
    pub(crate) fn matches_board(&self, at: &Placement, ply: u32) -> Option<bool> {
        self.root.holds(&|test| holds(test, at, None, ply))
    }

    /// Whether a position matches.
    #[inline]
    pub(crate) fn matches(&self, at: &Placement, position: &Position, ply: u32) -> bool {
        let held = self
            .root
            .holds(&|test| holds(test, at, Some(position), ply));
        held == Some(true)
    }

    /// Whether a game of which only the signature is known may match somewhere. Never wrongly false.
    pub(crate) fn may_match(&self, signature: &Signature) -> bool {
        self.root.may_hold(&|test| may_hold(test, signature))
    }
}

pub(crate) fn squares(place: Place, rules: RuleSystem) -> Option<Squares> {
    let of = |words: u64| Squares::Fixed(SquareSet([words, 0, 0]));
    let columns = |is_in: &dyn Fn(Column) -> bool| {
        let columns = Column::all().filter(|column| is_in(*column));
        let set = columns.fold(0, |set, column| set | 1 << column.index());
        Squares::Columns(ColumnSet(set))
    };
    let of_cube = |is_in: &dyn Fn(Square) -> bool| {
        let all = (0..Square::CAPACITY).filter_map(|index| Square::try_new(index as u8));
        Squares::Fixed(all.filter(|square| is_in(*square)).collect())
    };
    Some(match (rules.family(), place) {
        (_, Place::Anywhere) => Squares::Everywhere,
        (Family::Stair, Place::Column { stair, .. }) => {
            Squares::Stack(stair?, SquareSet([u64::MAX, 0, 0]))
        }
        (Family::Stair, Place::Main(main)) => of(main.squares().0[0]),
        (Family::Stair, Place::Attack(board)) => of(board.squares().0[0]),
        (Family::Stair, Place::Pin(name)) => Squares::OnPin(pins(name, rules), None),
        (Family::Stair, Place::MainSquare(square)) => Squares::Fixed(Set::of(square)),
        (Family::Stair, Place::AttackSquare(board, column)) => {
            Squares::Stack(column, board.squares().resized())
        }
        (Family::Stair, Place::PinSquare(name, column)) => {
            Squares::OnPin(pins(name, rules), Some(column))
        }
        (Family::Stair, Place::File { stair, .. }) => {
            let file = stair?;
            columns(&|column| column.file() == file)
        }
        (Family::Stair, Place::Rank { stair, .. }) => {
            let rank = stair?;
            columns(&|column| column.rank() == rank)
        }
        (Family::Cube, Place::Column { cube, .. }) => {
            let column = cube?;
            of_cube(&|square| (cube::file(square), cube::rank(square)) == column)
        }
        (Family::Cube, Place::Level(level)) => of_cube(&|square| cube::level(square) == level),
        (Family::Cube, Place::CubeSquare(square)) => Squares::Fixed(Set::of(square)),
        (Family::Cube, Place::File { cube, .. }) => {
            let file = cube?;
            of_cube(&|square| cube::file(square) == file)
        }
        (Family::Cube, Place::Rank { cube, .. }) => {
            let rank = cube?;
            of_cube(&|square| cube::rank(square) == rank)
        }
        _ => return None,
    })
}

/// The pins of a name; on the cube there are none.
pub(crate) fn pins(name: PinName, rules: RuleSystem) -> Pins {
    let bit = |pin: Pin| 1 << pin.index();
    Pins(match rules.family() {
        Family::Cube => 0,
        Family::Stair if name.either_surface && !uses_under_pins(rules) => {
            bit(name.pin) | bit(name.pin.other_surface())
        }
        Family::Stair => bit(name.pin),
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
        match (self, at.layout()) {
            (Self::Fixed(set), _) => set,
            (Self::Everywhere, Some(_)) => fixed(u64::MAX),
            (Self::Everywhere, None) => SquareSet([u64::MAX; 3]),
            (Self::Stack(column, set), Some(layout)) => fixed(layout.stack(column).0[0] & set.0[0]),
            (Self::Columns(columns), Some(layout)) => fixed(layout.squares_of(columns).0[0]),
            (Self::OnPin(pins, column), Some(layout)) => {
                let board = pins.board(layout).map_or(0, |board| board.squares().0[0]);
                let column = column.map_or(u64::MAX, |column| layout.stack(column).0[0]);
                fixed(board & column)
            }
            _ => Set::EMPTY,
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

/// Whether a test holds; without the position, `None` if that cannot be known.
#[inline]
fn holds(test: &Test, at: &Placement, position: Option<&Position>, ply: u32) -> Option<bool> {
    Some(match test {
        Test::Count {
            place: Squares::Nowhere,
            ..
        } => false,
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
        Test::BoardOn { board, pin } => at
            .layout()
            .is_some_and(|layout| pin.holds(layout.pin(*board))),
        Test::Check => position?.is_check(),
        Test::Mate => position?.is_checkmate(),
        Test::Turn(color) => at.turn() == *color,
        Test::Ply(from, to) => (*from..=*to).contains(&ply),
    })
}

fn may_hold(test: &Test, signature: &Signature) -> bool {
    match test {
        Test::Count {
            place: Squares::Nowhere,
            ..
        } => false,
        Test::Count {
            what:
                What::Piece {
                    color: Some(color),
                    role: Some(role),
                },
            place,
            compare,
            number,
        } => {
            let (least, most) = signature.counts(*color, *role);
            // In part of the board there may be fewer than on all of it, never more.
            let least = match place {
                Squares::Everywhere => least,
                _ => 0,
            };
            match compare {
                Compare::Equal => (least..=most).contains(number),
                Compare::NotEqual => least != *number || most != *number,
                Compare::Less => least < *number,
                Compare::LessOrEqual => least <= *number,
                Compare::Greater => most > *number,
                Compare::GreaterOrEqual => most >= *number,
            }
        }
        Test::BoardOn { board, pin } => signature.pins(*board) & pin.0 != 0,
        Test::Ply(from, _) => *from <= signature.plies,
        Test::Count { .. } | Test::Check | Test::Mate | Test::Turn(_) => true,
    }
}
