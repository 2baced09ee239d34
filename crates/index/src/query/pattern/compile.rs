//! Patterns compiled for one rule system.

use super::{Atom, Pattern, Place, PlyNumber, What, features};
use crate::model::signature::Signature;
use crate::query::logic::Logic;
use crate::query::symmetry::turns_surfaces;
use tridex_geometry::stair::{AttackBoard, Column, ColumnSet, Pin, StairSet, main_squares_of};
use tridex_geometry::{Family, Square, SquareSet, cube, stair};
use tridex_rules::{Color, Departure, Level, Placement, Position, Role, RuleSystem};

type Set = SquareSet<3>;

/// A pattern compiled for one rule system.
#[derive(Clone, Debug)]
pub(crate) struct Matcher {
    root: Logic<Test>,
    /// The first and the last ply at which the pattern can match.
    pub(crate) plies: (u32, u32),
    /// The smallest number of pieces with which the pattern can match.
    pub(crate) fewest: u32,
}

/// A test compiled for one rule system. A place that does not exist under these rules is `None`: nothing is on it, and
/// no count of its pieces holds, not even zero.
type Test = Atom<Option<Squares>>;

/// Squares, which may depend on the pins of the attack boards: those of `set` that are also in `columns`, on any level,
/// and on a board on one of `pins`. `None` is no restriction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Squares {
    set: Set,
    columns: Option<ColumnSet>,
    /// Pins, as a set of 24 bits.
    pub(crate) pins: Option<u32>,
    /// Whether these are all squares of the board.
    is_everything: bool,
}

impl Matcher {
    pub(crate) fn new(pattern: &Pattern, rules: RuleSystem) -> Self {
        let root = pattern.0.map(&|atom| atom.ready(rules));
        let plies = root.bounds(&|test| match test {
            Test::Ply(from, to) => (*from, *to),
            _ => (0, u32::MAX),
        });
        let (fewest, _) = root.bounds(&|test| match test {
            Test::Count(What::Piece(None, None), Some(place), (least, _))
                if place.is_everything =>
            {
                (*least, u32::MAX)
            }
            _ => (0, u32::MAX),
        });
        Self {
            root,
            plies,
            fewest,
        }
    }

    /// Whether a position matches, judged by its placement; `None` if the full position is needed.
    #[inline]
    pub(crate) fn matches_board(&self, at: &Placement, ply: PlyNumber) -> Option<bool> {
        self.root.holds(&|test| test.holds(at, None, ply))
    }

    /// Whether a position matches.
    #[inline]
    pub(crate) fn matches(&self, at: &Placement, position: &Position, ply: PlyNumber) -> bool {
        let held = self.root.holds(&|test| test.holds(at, Some(position), ply));
        held == Some(true)
    }

    /// Whether a game with this signature may match somewhere. Never wrongly false.
    pub(crate) fn may_match(&self, signature: &Signature) -> bool {
        self.root.may_hold(&|test| test.may_hold(signature))
    }
}

/// The squares of a place; `None` if it does not exist under the rules.
pub(crate) fn squares(place: Place, rules: RuleSystem) -> Option<Squares> {
    // A place without file, rank and level is the whole board. The number of squares would not show: a level of the
    // cube has as many as the stair board.
    let is_everything = |spot: Departure| spot == Departure::default() && place.shade.is_none();
    let fits = |asked: Option<u8>, own: u8| asked.is_none_or(|asked| asked == own);
    if rules.family() == Family::Cube {
        let spot = place.cube?;
        let Departure { file, rank, level } = spot;
        let all = (0..Square::CAPACITY).filter_map(|index| Square::try_new(index as u8));
        let is_in = |square: &Square| {
            let is_level = level.is_none_or(|asked| asked == Level::Cube(cube::level(*square)));
            is_level
                && fits(file, cube::file(*square))
                && fits(rank, cube::rank(*square))
                && place
                    .shade
                    .is_none_or(|shade| shade == cube::shade(*square))
        };
        return Some(Squares {
            set: all.filter(is_in).collect(),
            columns: None,
            pins: None,
            is_everything: is_everything(spot),
        });
    }
    let spot = place.stair?;
    let Departure { file, rank, level } = spot;
    let is_in = |column: &Column| {
        let is_shade = place
            .shade
            .is_none_or(|shade| shade == stair::shade(*column));
        is_shade && fits(file, column.file()) && fits(rank, column.rank())
    };
    let columns: ColumnSet = Column::all().filter(is_in).collect();
    let limited = (file, rank, place.shade) != (None, None, None);
    let with_columns = |set: StairSet, pins| Squares {
        set: set.resized(),
        columns: limited.then_some(columns),
        pins,
        is_everything: is_everything(spot),
    };
    Some(match level {
        None => with_columns(StairSet::FULL, None),
        Some(Level::Main(main)) => Squares {
            columns: None,
            ..with_columns(main.squares() & main_squares_of(columns), None)
        },
        Some(Level::Attack(board)) => with_columns(board.squares(), None),
        Some(Level::Pin(pin)) => {
            let bit = |pin: Pin| 1_u32 << pin.index();
            let pin = match place.is_turned && turns_surfaces(rules) {
                true => pin.other_surface(),
                false => pin,
            };
            let other = match place.either_surface && !rules.uses_under_pins() {
                true => bit(pin.other_surface()),
                false => 0,
            };
            with_columns(StairSet::FULL, Some(bit(pin) | other))
        }
        Some(Level::Cube(_)) => return None,
    })
}

impl Squares {
    /// Whether a pin is among its pins; always true if it has none.
    #[inline]
    pub(crate) fn has_pin(&self, pin: Pin) -> bool {
        self.pins.is_none_or(|pins| pins >> pin.index() & 1 != 0)
    }

    #[inline]
    pub(crate) fn set(self, at: &Placement) -> Set {
        let mut set = self.set;
        if let Some(layout) = at.layout() {
            if let Some(columns) = self.columns {
                set &= layout.squares_of(columns).resized();
            }
            if self.pins.is_some() {
                let mut boards = AttackBoard::ALL.into_iter();
                let board = boards.find(|board| self.has_pin(layout.pin(*board)));
                set &= board
                    .map_or(StairSet::EMPTY, AttackBoard::squares)
                    .resized();
            }
        }
        set
    }
}

/// The squares that have the requested contents.
#[inline]
pub(super) fn holders(what: What, at: &Placement) -> Set {
    match what {
        What::Empty => !at.occupied(),
        What::Piece(Some(color), Some(role)) => at.pieces(color, role),
        What::Piece(Some(color), None) => at.side(color),
        What::Piece(None, Some(role)) => {
            at.pieces(Color::White, role) | at.pieces(Color::Black, role)
        }
        What::Piece(None, None) => at.occupied(),
    }
}

impl Atom<Place> {
    pub(crate) fn ready(&self, rules: RuleSystem) -> Test {
        match *self {
            Self::Count(what, place, bounds) => Test::Count(what, squares(place, rules), bounds),
            Self::BoardOn(board, pin) => Test::BoardOn(board, squares(pin, rules)),
            Self::Check => Test::Check,
            Self::Mate => Test::Mate,
            Self::DoubleCheck => Test::DoubleCheck,
            Self::Stalemate => Test::Stalemate,
            Self::Attacks(what, target) => Test::Attacks(what, target),
            Self::Attackers(what, bounds) => Test::Attackers(what, bounds),
            Self::Turn(color) => Test::Turn(color),
            Self::Ply(from, to) => Test::Ply(from, to),
            Self::End => Test::End,
            Self::Pinned(what, bounds) => Test::Pinned(what, bounds),
            Self::Pawns(kind, color, bounds) => Test::Pawns(kind, color, bounds),
            Self::Balance(least, most) => Test::Balance(least, most),
        }
    }
}

impl Test {
    /// Whether the test holds; `None` if that depends on the position and none is given.
    #[inline]
    pub(crate) fn holds(
        &self,
        at: &Placement,
        position: Option<&Position>,
        ply: PlyNumber,
    ) -> Option<bool> {
        Some(match self {
            Test::Count(_, None, _) => false,
            Test::Count(what, Some(place), bounds) => {
                let found = holders(*what, at) & place.set(at);
                match bounds {
                    (1, u32::MAX) => !found.is_empty(),
                    (0, 0) => found.is_empty(),
                    (least, most) => (*least..=*most).contains(&found.count()),
                }
            }
            Test::BoardOn(board, place) => at
                .layout()
                .zip(place.as_ref())
                .is_some_and(|(layout, place)| place.has_pin(layout.pin(*board))),
            Test::Check => position?.is_check(),
            Test::Mate => position?.is_checkmate(),
            Test::DoubleCheck => {
                let position = position?;
                let (turn, king) = (position.turn(), position.king(position.turn()));
                position.attackers(king, turn.other()).count() >= 2
            }
            Test::Stalemate => {
                let position = position?;
                !position.is_check() && !position.has_legal_move()
            }
            Test::Attacks(what, target) => {
                let (attackers, targets) = (holders(*what, at), holders(*target, at));
                // Most positions need no replay by the rules.
                !attackers.is_empty() && !targets.is_empty() && {
                    let position = position?;
                    what.color().is_some_and(|by| {
                        let mut targets = targets.into_iter();
                        targets
                            .any(|square| !(position.attackers(square, by) & attackers).is_empty())
                    })
                }
            }
            Test::Attackers(what, (least, most)) => {
                let targets = holders(*what, at);
                !targets.is_empty() && {
                    let position = position?;
                    what.color().is_some_and(|color| {
                        let mut targets = targets.into_iter();
                        targets.any(|square| {
                            let attackers = position.attackers(square, color.other());
                            (*least..=*most).contains(&attackers.count())
                        })
                    })
                }
            }
            Test::Turn(color) => at.turn() == *color,
            Test::Ply(from, to) => (*from..=*to).contains(&ply.number),
            Test::End => ply.is_last,
            Test::Pinned(what, (least, most)) => {
                let pieces = holders(*what, at);
                let pinned = match what.color().filter(|_| !pieces.is_empty()) {
                    Some(color) => (pieces & position?.pinned(color)).count(),
                    None => 0,
                };
                (*least..=*most).contains(&pinned)
            }
            Test::Pawns(kind, color, (least, most)) => {
                (*least..=*most).contains(&features::pawns(*kind, *color, at))
            }
            Test::Balance(least, most) => (*least..=*most).contains(&features::balance(at)),
        })
    }

    /// Whether the test may hold somewhere in a game with this signature. Never wrongly false.
    pub(crate) fn may_hold(&self, signature: &Signature) -> bool {
        match self {
            Test::Count(_, None, _) | Test::BoardOn(_, None) => false,
            Test::Count(What::Piece(Some(color), Some(role)), Some(place), (least, most)) => {
                let (fewest, greatest) = signature.counts(*color, *role);
                // A part of the board may have fewer pieces than the whole board, but never more.
                (fewest <= *most || !place.is_everything) && greatest >= *least
            }
            Test::BoardOn(board, Some(place)) => place
                .pins
                .is_none_or(|pins| signature.pins(*board) & pins != 0),
            Test::Ply(from, _) => *from <= signature.plies,
            Test::Attacks(what, target) => [what, target].into_iter().all(|what| match what {
                What::Piece(Some(color), Some(role)) => signature.counts(*color, *role).1 > 0,
                _ => true,
            }),
            Test::Pawns(_, color, (least, _)) => signature.counts(*color, Role::Pawn).1 >= *least,
            Test::Pinned(What::Piece(Some(color), Some(role)), (least, _)) => {
                signature.counts(*color, *role).1 >= *least
            }
            Test::Count(..)
            | Test::End
            | Test::Pinned(..)
            | Test::Balance(..)
            | Test::Check
            | Test::Mate
            | Test::DoubleCheck
            | Test::Stalemate
            | Test::Attackers(..)
            | Test::Turn(_) => true,
        }
    }
}
