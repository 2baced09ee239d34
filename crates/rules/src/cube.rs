//! The part common to the rule systems of the cube: pieces that move by steps in space, with the castling and the pawns
//! of ordinary chess.

mod explain;
mod tables;

pub(crate) use tables::{Steps, Tables, gains_rank};

use crate::castling::CastlingSquares;
use crate::facts::{CastlingRule, SystemFacts, set_of};
use crate::fault::MoveFault;
use crate::pattern::Departure;
use crate::piece::{Color, Role};
use crate::rules::Rules;
use crate::setup::{Setup, SetupError};
use tables::{Cube, gains_two_ranks, home_level, start_rank};
use tridex_geometry::cube::{CubeSet, between, is_cut_off, level, offset, rank, try_square};
use tridex_geometry::stair::Layout;
use tridex_geometry::{Family, Square};

/// The facts that the systems of the cube share. Each system fills in the fields that are empty here.
pub(crate) const CUBE_FACTS: SystemFacts = SystemFacts {
    family: Family::Cube,
    white: &WHITE,
    castlings: Some(CASTLINGS),
    claim_after: Some(100), // Millennium 4.6, ruling claims-are-reported
    ..SystemFacts::EMPTY
};

/// `R N B Q K B N R` from file a on the home level, with the pawns in front of them (Millennium, Figure 1; Chess3:
/// ruling black-starts-on-top).
const WHITE: [(Square, Role); 16] = {
    const ROW: [Role; 8] = [
        Role::Rook,
        Role::Knight,
        Role::Bishop,
        Role::Queen,
        Role::King,
        Role::Bishop,
        Role::Knight,
        Role::Rook,
    ];
    let mut white = [(Square::new(0), Role::Pawn); 16];
    let mut file = 0;
    while file < 8 {
        white[file as usize] = (home(file, 0), ROW[file as usize]);
        white[8 + file as usize] = (home(file, 1), Role::Pawn);
        file += 1;
    }
    white
};

/// Castling as in ordinary chess, on the home level (Millennium 3.1, ruling cube-castling): no piece is between king
/// and rook, and the king crosses and reaches no attacked square.
const CASTLINGS: [CastlingRule; 2] = [
    CastlingRule {
        squares: CastlingSquares {
            king: (home(4, 0), home(6, 0)),
            rook: (home(7, 0), home(5, 0)),
        },
        path: set_of(&[home(5, 0), home(6, 0)]),
        safe: set_of(&[home(5, 0), home(6, 0)]),
    },
    CastlingRule {
        squares: CastlingSquares {
            king: (home(4, 0), home(2, 0)),
            rook: (home(0, 0), home(3, 0)),
        },
        path: set_of(&[home(1, 0), home(2, 0), home(3, 0)]),
        safe: set_of(&[home(2, 0), home(3, 0)]),
    },
];

/// A square of White's home level.
///
/// # Panics
/// At compile time, if there is no such square.
const fn home(file: u8, rank: u8) -> Square {
    match try_square(0, file, rank) {
        Some(square) => square,
        None => panic!("not a square"),
    }
}

/// What a system of the cube has to define.
pub(crate) trait CubeRules: Clone + PartialEq + 'static {
    /// What does not depend on a position.
    const FACTS: &'static SystemFacts;
    /// How the pieces move.
    const TABLES: &'static Tables;

    /// [`Rules::is_progress`]
    fn is_progress(_from: Square, _to: Square) -> bool {
        true
    }
}

impl<R: CubeRules> Rules<3> for R {
    type Boards = ();

    const FACTS: &'static SystemFacts = <R as CubeRules>::FACTS;

    fn boards(_setup: &Setup) -> Result<(), SetupError> {
        Ok(())
    }

    fn layout(_boards: &()) -> Option<&Layout> {
        None
    }

    #[inline]
    fn refresh(_state: &mut Cube) {}

    #[inline]
    fn refresh_step(_state: &mut Cube, _from: Square, _to: Square) {}

    fn destinations(state: &Cube, color: Color, role: Role, from: Square) -> CubeSet {
        let seen = *R::TABLES.sees(color, role, from);
        match role {
            Role::Pawn => {
                let enemies = state.colors[color.other() as usize];
                return seen & enemies | R::TABLES.advances(state, color, from);
            }
            Role::Knight | Role::King => {}
            Role::Bishop | Role::Rook | Role::Queen => {
                return R::TABLES
                    .unblocked(role, from, seen, state.occupied())
                    .minus(state.colors[color as usize]);
            }
        }
        seen.minus(state.colors[color as usize])
    }

    #[inline(always)]
    fn may_uncover(state: &Cube, from: Square, target: Square, by: Color) -> bool {
        // The first test nearly always decides.
        R::TABLES.sees[Role::Queen as usize][target.index()].contains(from)
            && !is_cut_off(from, target, &state.colors)
            && R::TABLES.has_slider_behind(state, from, target, by)
    }

    #[inline]
    fn seen(_state: &Cube, color: Color, role: Role, from: Square) -> CubeSet {
        *R::TABLES.sees(color, role, from)
    }

    #[inline]
    fn is_attacked(state: &Cube, square: Square, by: Color) -> bool {
        R::TABLES.seen_by_any[square.index()].meets(state.colors[by as usize])
            && (!R::TABLES
                .near(state, [Role::Pawn, Role::Knight, Role::King], square, by)
                .is_empty()
                || Self::is_line_attacked(state, square, by))
    }

    #[inline(never)]
    fn is_line_attacked(state: &Cube, square: Square, by: Color) -> bool {
        let near = R::TABLES.near(state, [Role::Bishop, Role::Rook, Role::Queen], square, by);
        near.into_iter()
            .any(|from| !is_cut_off(from, square, &state.colors))
    }

    #[inline]
    fn pinned(state: &Cube, king: Square, by: Color) -> CubeSet {
        let occupied = state.occupied();
        let sliders = R::TABLES.near(state, [Role::Bishop, Role::Rook, Role::Queen], king, by);
        let mut pinned = CubeSet::EMPTY;
        for slider in sliders {
            let held = between(slider, king).unwrap_or(CubeSet::EMPTY) & occupied;
            if !held.more_than_one() {
                pinned |= held;
            }
        }
        pinned
    }

    #[inline]
    fn shields(_state: &Cube, role: Role, from: Square, to: Square) -> CubeSet {
        if role.is_slider() {
            between(from, to).unwrap_or(CubeSet::EMPTY)
        } else {
            CubeSet::EMPTY
        }
    }

    #[inline(always)]
    fn origins(_state: &Cube, row: usize, to: Square) -> CubeSet {
        R::TABLES.sees[row.min(8)][to.index()]
    }

    #[inline(always)]
    fn square(_boards: &(), place: u16) -> Option<Square> {
        Square::try_new(u8::try_from(place).ok()?)
    }

    #[inline(always)]
    fn departures(_boards: &(), from: u16) -> CubeSet {
        Departure::on_cube(from)
    }

    #[inline(always)]
    fn arrives(
        state: &Cube,
        color: Color,
        role: Role,
        from: Square,
        to: Square,
        captures: bool,
    ) -> bool {
        // The branch predictor cannot guess the kind of piece, so no branch depends on it.
        let is_open = !is_cut_off(from, to, &state.colors);
        let doubles = &R::TABLES.pawn_doubles[color as usize][from.index()];
        let is_double = (role == Role::Pawn) & !captures & doubles.contains(to);
        (!role.is_slider() | is_open) & (!is_double | state.unmoved.contains(from) & is_open)
    }

    /// Millennium 3.2, ruling cube-en-passant: the square in the middle of an advance by two ranks.
    fn crossed(state: &Cube, victim: Square, color: Color) -> CubeSet {
        let levels = level(victim) as i8 - home_level(color) as i8;
        let double = R::TABLES
            .pawn_steps
            .iter()
            .any(|(f, r, l)| *f == 0 && *r == 1 && (2 * l).abs() == levels.abs());
        let back = -color.forward();
        let origin = offset(victim, 0, 2 * back, -levels);
        if !double || origin.is_none_or(|o| rank(o) != start_rank(color)) {
            return CubeSet::EMPTY;
        }
        offset(victim, 0, back, -levels / 2)
            .map_or(CubeSet::EMPTY, CubeSet::of)
            .minus(state.occupied())
    }

    #[inline(always)]
    fn is_double_step(_state: &Cube, role: Role, from: Square, to: Square) -> bool {
        (role == Role::Pawn) & gains_two_ranks(from, to)
    }

    #[inline(always)]
    fn is_last(_boards: &(), color: Color, square: Square) -> bool {
        let squares = const { <R as CubeRules>::FACTS.promotion_squares() };
        squares[color as usize].contains(square)
    }

    fn is_progress(from: Square, to: Square) -> bool {
        <R as CubeRules>::is_progress(from, to)
    }

    fn why_not_reached(
        state: &Cube,
        color: Color,
        role: Role,
        from: Square,
        to: Square,
    ) -> MoveFault {
        explain::way(R::TABLES, state, color, role, from, to)
    }
}
