//! What the rule systems of the cube share: pieces that move by steps in space, castling and pawns of ordinary chess.

mod explain;
mod tables;

pub(crate) use tables::{Steps, Tables, gains_rank};

use crate::articles::Articles;
use crate::castling::{Castling, CastlingSide, CastlingSquares};
use crate::fault::{CastlingFault, MoveFault};
use crate::material::Helpless;
use crate::pattern::{Coordinates, Departure};
use crate::piece::{Color, Piece, Role};
use crate::rules::{Arrival, Rules};
use crate::setup::{Setup, SetupError};
use tables::{Cube, gains_two_ranks, home, home_level, start_rank};
use tridex_geometry::cube::{CubeSet, between, is_cut_off};
use tridex_geometry::stair::Layout;
use tridex_geometry::{Square, SquareSet};

/// `R N B Q K B N R` from file a on the home level, pawns before them (seed 002, Figure 1).
pub(crate) fn start() -> Setup {
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
    let mut setup = Setup::empty(None);
    for color in Color::ALL {
        for (file, role) in (0..).zip(ROW) {
            setup.set_piece(home(color, file), Some(Piece::new(color, role)));
        }
        for pawn in pawn_starts(color) {
            setup.set_piece(pawn, Some(Piece::new(color, Role::Pawn)));
        }
    }
    setup.castling = Castling::ALL;
    setup
}

pub(crate) const fn pawn_starts(color: Color) -> CubeSet {
    let mut words = [0; 3];
    words[home_level(color) as usize] = 0xFF << (8 * start_rank(color));
    SquareSet(words)
}

const fn castling(color: Color, side: CastlingSide) -> CastlingSquares {
    let (king_to, rook, rook_to) = match side {
        CastlingSide::King => (6, 7, 5),
        CastlingSide::Queen => (2, 0, 3),
    };
    CastlingSquares {
        king: (home(color, 4), home(color, king_to)),
        rook: (home(color, rook), home(color, rook_to)),
    }
}

/// What differs between the systems of the cube.
pub(crate) trait CubeRules: Sized + 'static {
    /// How the pieces move.
    const TABLES: &'static Tables;
    /// The articles that faults offend against.
    const ARTICLES: Articles;
    /// The pieces that never mate alone (ruling Q6).
    const HELPLESS: Helpless;
    /// The squares on which White's pawns are promoted, and Black's.
    const PROMOTION: [CubeSet; 2];
    /// Whether a pawn's move resets the count of moves without progress.
    fn is_progress(from: Square, to: Square) -> bool;
}

impl<R: CubeRules> Rules<3> for R {
    type Boards = ();

    const CASTLINGS: Option<[[CastlingSquares; 2]; 2]> = {
        use CastlingSide::{King, Queen};
        use Color::{Black, White};
        Some([
            [castling(White, King), castling(White, Queen)],
            [castling(Black, King), castling(Black, Queen)],
        ])
    };
    const CASTLES_FIRST: bool = true;
    const REPETITION_ENDS: bool = false;
    const CLAIM_AFTER: Option<u32> = Some(100);
    const HOME: Option<Layout> = None;
    const ARTICLES: Articles = R::ARTICLES;
    const HELPLESS: Helpless = R::HELPLESS;

    fn start() -> Setup {
        start()
    }

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

    fn pawn_starts(color: Color) -> CubeSet {
        pawn_starts(color)
    }

    #[inline(always)]
    fn attacks(state: &Cube, color: Color, role: Role, from: Square, to: Square) -> bool {
        R::TABLES.attacks(state, color, role, from, to)
    }

    #[inline(always)]
    fn reaches(state: &Cube, color: Color, role: Role, from: Square, to: Square) -> bool {
        R::TABLES.reaches(state, color, role, from, to)
    }

    fn destinations(state: &Cube, color: Color, role: Role, from: Square) -> CubeSet {
        R::TABLES.destinations(state, color, role, from)
    }

    #[inline(always)]
    fn may_uncover(state: &Cube, from: Square, target: Square, by: Color) -> bool {
        R::TABLES.may_uncover(state, from, target, by)
    }

    #[inline]
    fn seen(_state: &Cube, color: Color, role: Role, from: Square) -> CubeSet {
        *R::TABLES.sees(color, role, from)
    }

    #[inline]
    fn is_attacked(state: &Cube, square: Square, by: Color) -> bool {
        R::TABLES.is_attacked(state, square, by)
    }

    #[inline(never)]
    fn is_line_attacked(state: &Cube, square: Square, by: Color) -> bool {
        R::TABLES.is_line_attacked(state, square, by)
    }

    #[inline]
    fn pins(state: &Cube, king: Square, by: Color) -> CubeSet {
        R::TABLES.pins(state, king, by)
    }

    #[inline]
    fn shields(_state: &Cube, role: Role, from: Square, to: Square) -> CubeSet {
        if role.is_slider() {
            between(from, to).unwrap_or(CubeSet::EMPTY)
        } else {
            CubeSet::EMPTY
        }
    }

    #[inline]
    fn promotion_squares(color: Color) -> CubeSet {
        R::PROMOTION[color as usize]
    }

    #[inline(always)]
    fn origins(state: &Cube, role: Role, to: Square, captures: bool) -> CubeSet {
        R::TABLES.origins(state.turn, role, to, captures)
    }

    #[inline(always)]
    fn square(_boards: &(), place: &Coordinates) -> Option<Square> {
        place.square(None)
    }

    #[inline(always)]
    fn departures(_boards: &(), from: &Departure) -> CubeSet {
        from.squares(None)
    }

    #[inline(always)]
    fn written_reaches(state: &Cube, role: Role, from: Square, to: Square, captures: bool) -> bool {
        // The kind of piece cannot be predicted: few branches ask for it.
        let is_clear = !role.is_slider() | !is_cut_off(from, to, state.occupied());
        is_clear
            && (role != Role::Pawn || captures || Self::reaches(state, state.turn, role, from, to))
    }

    fn crossed(state: &Cube, victim: Square, color: Color) -> CubeSet {
        R::TABLES.crossed(state, victim, color)
    }

    fn is_double_step(_state: &Cube, from: Square, to: Square) -> bool {
        gains_two_ranks(from, to)
    }

    #[inline]
    fn takes_in_passing(state: &Cube, color: Color, from: Square, to: Square) -> bool {
        R::TABLES.attacks(state, color, Role::Pawn, from, to)
    }

    fn arrival(_boards: &(), color: Color, square: Square) -> Arrival {
        if R::PROMOTION[color as usize].contains(square) {
            Arrival::MustPromote
        } else {
            Arrival::Stays
        }
    }

    /// Castling of ordinary chess on the home level (seed 002, 3.1; ruling Q4).
    const TESTS_KINGS_ARRIVAL: bool = true;

    fn may_castle(
        state: &Cube,
        _side: CastlingSide,
        squares: CastlingSquares,
    ) -> Result<(), CastlingFault> {
        let by = state.turn.other();
        let passed = between(squares.king.0, squares.rook.0).unwrap_or(CubeSet::EMPTY);
        if let Some(blocker) = (passed & state.occupied()).first() {
            return Err(CastlingFault::Occupied(blocker)); // [b]
        }
        if state.check {
            return Err(CastlingFault::Attacked(squares.king.0)); // [c]
        }
        let walk = between(squares.king.0, squares.king.1).unwrap_or(CubeSet::EMPTY);
        for square in walk.with(squares.king.1) {
            if Self::is_attacked(state, square, by) {
                return Err(CastlingFault::Attacked(square)); // [d]
            }
        }
        Ok(())
    }

    fn is_progress(from: Square, to: Square) -> bool {
        R::is_progress(from, to)
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
