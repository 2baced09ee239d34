//! What the rule systems of the cube share: pieces that move by steps in space, castling and pawns of ordinary chess.

mod explain;
mod tables;

pub(crate) use tables::{Steps, Tables, gains_rank};

use crate::castling::{Castling, CastlingPlan, CastlingSide};
use crate::fault::{CastlingFault, Fault};
use crate::piece::{Color, Piece, Role};
use crate::rules::{Arrival, Rules};
use crate::san::{Departure, Target};
use crate::setup::{Setup, SetupError};
use tables::{Cube, gains_two_ranks, home, home_level, start_rank};
use tridex_geometry::cube::{CubeSet, between, is_cut_off};
use tridex_geometry::stair::Layout;
use tridex_geometry::{Square, SquareSet};

/// Homes of king and rook for `K Q k q`.
pub(crate) const HOMES: [(Square, Square); 4] = [
    (home(Color::White, 4), home(Color::White, 7)),
    (home(Color::White, 4), home(Color::White, 0)),
    (home(Color::Black, 4), home(Color::Black, 7)),
    (home(Color::Black, 4), home(Color::Black, 0)),
];

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

pub(crate) const fn castling_plan(color: Color, side: CastlingSide) -> CastlingPlan {
    let (king_to, rook, rook_to) = match side {
        CastlingSide::King => (6, 7, 5),
        CastlingSide::Queen => (2, 0, 3),
    };
    CastlingPlan {
        king: (home(color, 4), home(color, king_to)),
        rook: (home(color, rook), home(color, rook_to)),
    }
}

/// Castling of ordinary chess on the home level (seed 002, 3.1; ruling Q4).
pub(crate) fn castle<R: Rules<3, Ground = ()>>(
    state: &Cube,
    side: CastlingSide,
) -> Result<(), CastlingFault> {
    let color = state.turn;
    if !state.castling.has(color, side) {
        return Err(CastlingFault::Lost); // [a]
    }
    let plan = castling_plan(color, side);
    let passed = between(plan.king.0, plan.rook.0).unwrap_or(CubeSet::EMPTY);
    if let Some(blocker) = (passed & state.occupied()).first() {
        return Err(CastlingFault::Occupied(blocker)); // [b]
    }
    if state.check {
        return Err(CastlingFault::Attacked(plan.king.0)); // [c]
    }
    let walk = between(plan.king.0, plan.king.1).unwrap_or(CubeSet::EMPTY);
    for square in walk.with(plan.king.1) {
        let attacked = Role::ALL.into_iter().any(|role| {
            let mut pieces = state.pieces(color.other(), role).into_iter();
            pieces.any(|from| R::attacks(state, color.other(), role, from, square))
        });
        if attacked {
            return Err(CastlingFault::Attacked(square)); // [d]
        }
    }
    Ok(())
}

/// Bare kings, or one knight, bishop or rook more: no mate is possible (Q6).
pub(crate) fn is_dead(state: &Cube) -> bool {
    let others = state.occupied().minus(state.roles[Role::King as usize]);
    let helpless = state.roles[Role::Knight as usize]
        | state.roles[Role::Bishop as usize]
        | state.roles[Role::Rook as usize];
    match others.count() {
        0 => true,
        1 => others.meets(helpless),
        _ => false,
    }
}

/// Whether a pawn's move gained a rank.
pub(crate) const fn gains_rank(from: Square, to: Square) -> bool {
    rank(from) != rank(to)
}

/// What a system of the cube says; everything else is common to them.
pub(crate) trait CubeRules: Sized + 'static {
    /// How the pieces move.
    const TABLES: &'static Tables;
    /// Whether a pawn is promoted on a square.
    fn promotes(color: Color, square: Square) -> bool;
    /// Whether a pawn's move starts the count of moves without progress anew.
    fn is_progress(from: Square, to: Square) -> bool;
    /// The article of the system's text that a fault offends against.
    fn article(fault: &Fault) -> &'static str;
}

impl<R: CubeRules> Rules<3> for R {
    type Ground = ();

    const CASTLING_HOMES: Option<[(Square, Square); 4]> = Some(HOMES);

    fn start() -> Setup {
        start()
    }

    fn ground(_setup: &Setup) -> Result<(), SetupError> {
        Ok(())
    }

    fn layout(_ground: &()) -> Option<&Layout> {
        None
    }

    fn refresh(_state: &mut Cube) {}

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
    fn near(_state: &Cube, to: Square) -> CubeSet {
        R::TABLES.seen_by_any[to.index()]
    }

    #[inline]
    fn origins(state: &Cube, color: Color, role: Role, to: Square) -> CubeSet {
        R::TABLES.origins(state, color, role, to)
    }

    #[inline(always)]
    fn target(_ground: &(), target: Target) -> Option<Square> {
        match target {
            Target::Square(square) => Some(square),
            Target::OnPin(..) => None,
        }
    }

    #[inline(always)]
    fn plain_origins(
        state: &Cube,
        role: Role,
        to: Square,
        captures: bool,
        from: Departure,
    ) -> CubeSet {
        R::TABLES.plain_origins(state, role, to, captures, from)
    }

    #[inline(always)]
    fn plain_reaches(state: &Cube, role: Role, from: Square, to: Square, captures: bool) -> bool {
        match role {
            Role::Pawn => captures || Self::reaches(state, state.turn, role, from, to),
            _ => !role.is_slider() || !is_cut_off(from, to, state.occupied()),
        }
    }

    fn crossed(state: &Cube, victim: Square, color: Color) -> CubeSet {
        R::TABLES.crossed(state, victim, color)
    }

    fn is_double_step(_state: &Cube, _color: Color, from: Square, to: Square) -> bool {
        gains_two_ranks(from, to)
    }

    fn arrival(_ground: &(), color: Color, square: Square) -> Arrival {
        if R::promotes(color, square) {
            Arrival::MustPromote
        } else {
            Arrival::Stays
        }
    }

    fn castling_plan(color: Color, side: CastlingSide) -> Option<CastlingPlan> {
        Some(castling_plan(color, side))
    }

    fn castle(state: &Cube, side: CastlingSide) -> Result<(), CastlingFault> {
        castle::<R>(state, side)
    }

    fn is_dead(state: &Cube) -> bool {
        is_dead(state)
    }

    fn is_progress(from: Square, to: Square) -> bool {
        R::is_progress(from, to)
    }

    fn why_not(state: &Cube, color: Color, role: Role, from: Square, to: Square) -> Fault {
        explain::way(R::TABLES, state, color, role, from, to)
    }

    fn article(fault: &Fault) -> &'static str {
        R::article(fault)
    }
}
