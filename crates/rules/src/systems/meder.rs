//! Meder's Tournament Rules for Three-Dimensional Chess, edition of December 2013 (seed 000).

use crate::explain::{self, Fault};
use crate::stair::{self, Ground, Stair, main, mirrored, on};
use crate::state::{Arrival, CastlingFault, CastlingPlan, Rules};
use crate::{CastlingSide, Color, Departure, Move, Role, RuleSystem, Setup, SetupError, Target};
use std::ops::ControlFlow;
use tridex_geometry::stair::{
    AttackBoard, ColumnSet, Layout, MainBoard, Pin, StairSet, Surface, adjacent_over, between,
    is_adjacent_over,
};
use tridex_geometry::{Square, SquareSet};

/// Start squares of the pawns, by colour.
const STARTS: [StairSet; 2] = [
    stair::starts_of(&WHITE, Color::White),
    stair::starts_of(&WHITE, Color::Black),
];

/// The rules of this file.
pub(crate) struct Meder;

const QL: AttackBoard = AttackBoard::WhiteQueen;
const KL: AttackBoard = AttackBoard::WhiteKing;
const W: MainBoard = MainBoard::White;

const KING: Square = on(KL, 0, 0);
const KING_ROOK: Square = on(KL, 1, 0);
const QUEEN_ROOK: Square = on(QL, 0, 0);
/// Where the king goes when it castles to the queen's side: the square beside the rook, a0.
const BESIDE_QUEEN_ROOK: Square = on(QL, 1, 0);

const WHITE: [(Square, Role); 16] = [
    (QUEEN_ROOK, Role::Rook),
    (on(QL, 1, 0), Role::Queen),
    (on(QL, 0, 1), Role::Pawn),
    (on(QL, 1, 1), Role::Pawn),
    (KING, Role::King),
    (KING_ROOK, Role::Rook),
    (on(KL, 0, 1), Role::Pawn),
    (on(KL, 1, 1), Role::Pawn),
    (main(W, 1, 1), Role::Knight),
    (main(W, 2, 1), Role::Bishop),
    (main(W, 3, 1), Role::Bishop),
    (main(W, 4, 1), Role::Knight),
    (main(W, 1, 2), Role::Pawn),
    (main(W, 2, 2), Role::Pawn),
    (main(W, 3, 2), Role::Pawn),
    (main(W, 4, 2), Role::Pawn),
];

impl Rules<1> for Meder {
    type Ground = Ground;

    const SYSTEM: RuleSystem = RuleSystem::Meder;
    const CASTLING_HOMES: Option<[(Square, Square); 4]> = Some([
        (KING, KING_ROOK),
        (KING, QUEEN_ROOK),
        (mirrored(KING), mirrored(KING_ROOK)),
        (mirrored(KING), mirrored(QUEEN_ROOK)),
    ]);

    const HOME: Option<Layout> = Some(Layout::start(Surface::Over));

    fn start() -> Setup {
        let mut setup = stair::start(Layout::start(Surface::Over), &WHITE);
        setup.castling = crate::Castling::ALL;
        setup
    }

    fn check_setup(setup: &Setup) -> Result<(), SetupError> {
        stair::only_over_pins(setup)
    }

    fn ground(setup: &Setup) -> Result<Ground, SetupError> {
        stair::ground(setup)
    }

    fn layout(ground: &Ground) -> Option<&Layout> {
        Some(&ground.layout)
    }

    /// 3.1(c): a piece on any level blocks its column on all levels. Gaps never block (2.8).
    #[inline]
    fn refresh(state: &mut Stair) {
        state.ground.blockers = state.ground.layout.columns_of(state.occupied());
    }

    #[inline(always)]
    fn refresh_step(state: &mut Stair, from: Square, to: Square) {
        let occupied = state.occupied();
        let ground = &mut state.ground;
        let (left, entered) = (ground.column(from), ground.column(to));
        ground.blockers = ground.blockers.or(ColumnSet::of(entered));
        if !ground.layout.meets(occupied, left) {
            ground.blockers = ground.blockers.minus(ColumnSet::of(left));
        }
    }

    fn pawn_starts(color: Color) -> StairSet {
        STARTS[color as usize]
    }

    /// 3.2 to 3.4: levels are free, so only columns count (3.1(a)).
    #[inline(always)]
    fn attacks(state: &Stair, color: Color, role: Role, from: Square, to: Square) -> bool {
        let ground = &state.ground;
        stair::column_attacks(ground, color, role, ground.column(from), ground.column(to))
    }

    #[inline(always)]
    fn reaches(state: &Stair, color: Color, role: Role, from: Square, to: Square) -> bool {
        if role == Role::Pawn && !state.occupied().contains(to) {
            // 3.4(a), (b): one forward, or two across a column empty on every level (M4).
            return stair::column_advance(state, color, from, state.ground.column(to));
        }
        Self::attacks(state, color, role, from, to)
    }

    fn destinations(state: &Stair, color: Color, role: Role, from: Square) -> StairSet {
        stair::column_destinations(state, color, role, from)
    }

    #[inline(always)]
    fn may_uncover(state: &Stair, from: Square, target: Square, by: Color) -> bool {
        stair::may_uncover(state, from, target, by)
    }

    #[inline]
    fn near(state: &Stair, to: Square) -> StairSet {
        stair::near(state, to)
    }

    #[inline(always)]
    fn plain_reaches(state: &Stair, role: Role, from: Square, to: Square, captures: bool) -> bool {
        stair::plain_reaches(state, role, from, to, captures)
    }

    #[inline]
    fn origins(state: &Stair, color: Color, role: Role, to: Square) -> StairSet {
        stair::origins(state, color, role, to)
    }

    #[inline(always)]
    fn target(ground: &Ground, target: Target) -> Option<Square> {
        stair::target(ground, target)
    }

    #[inline(always)]
    fn plain_origins(
        state: &Stair,
        role: Role,
        to: Square,
        captures: bool,
        from: Departure,
    ) -> StairSet {
        stair::plain_origins(state, role, to, captures, from)
    }

    /// 3.4(d): the capturing pawn chooses the level it lands on.
    fn crossed(state: &Stair, victim: Square, color: Color) -> StairSet {
        stair::crossed(state, victim, color, Self::pawn_starts(color))
    }

    fn is_double_step(state: &Stair, _color: Color, from: Square, to: Square) -> bool {
        stair::is_two_ranks(state, from, to)
    }

    #[inline(always)]
    fn arrival(ground: &Ground, color: Color, square: Square) -> Arrival {
        stair::furthest_arrival(&ground.layout, color, square)
    }

    /// 3.5(a)(ii): on the king's side king and rook exchange places; on the queen's side the king goes to the square
    /// beside the rook and the rook to the king's.
    fn castling_plan(color: Color, side: CastlingSide) -> Option<CastlingPlan> {
        let home = |square| match color {
            Color::White => square,
            Color::Black => mirrored(square),
        };
        let (to, rook) = match side {
            CastlingSide::King => (KING_ROOK, KING_ROOK),
            CastlingSide::Queen => (BESIDE_QUEEN_ROOK, QUEEN_ROOK),
        };
        Some(CastlingPlan {
            king: (home(KING), home(to)),
            rook: (home(rook), home(KING)),
        })
    }

    fn castle(state: &Stair, side: CastlingSide) -> Result<(), CastlingFault> {
        let color = state.turn;
        if !state.castling.has(color, side) {
            return Err(CastlingFault::Lost);
        }
        if state.fullmoves == 1 {
            return Err(CastlingFault::FirstMove); // (1)[a]
        }
        let plan = Self::castling_plan(color, side).ok_or(CastlingFault::None)?;
        if state.check {
            return Err(CastlingFault::Attacked(plan.king.0)); // (2)[a]
        }
        let ground = &state.ground;
        let (king, rook) = (ground.column(plan.king.0), ground.column(plan.rook.0));
        // (2)[b], by columns as everywhere (3.1(c)); the square beside the rook is one of them.
        let passed = between(king, rook).unwrap_or(ColumnSet::EMPTY);
        let held = passed.and(ground.blockers);
        if let Some(column) = held.into_iter().next() {
            let blocker = (ground.layout.stack(column) & state.occupied()).first();
            return Err(CastlingFault::Occupied(blocker.unwrap_or(plan.king.1)));
        }
        if stair::is_attacked::<Self>(state, plan.king.1, color.other()) {
            return Err(CastlingFault::Attacked(plan.king.1)); // (2)[a]
        }
        Ok(())
    }

    /// 3.6 with rulings M7 to M9.
    fn board_moves(
        state: &Stair,
        board: AttackBoard,
        sink: &mut dyn FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Ok(rider) = controlled(state, board) else {
            return ControlFlow::Continue(());
        };
        let from = state.ground.layout.pin(board);
        for to in adjacent_over(from) {
            if state.ground.layout.board_on(to).is_some()
                || rider.is_some() && is_backward(state.turn, from, to)
            {
                continue;
            }
            let promotes = promotes(state, board, rider, to);
            stair::board_move(board, to, false, promotes, sink)?;
        }
        ControlFlow::Continue(())
    }

    fn move_board(state: &mut Stair, board: AttackBoard, to: Pin, turned: bool) {
        stair::move_board(state, board, to, turned);
    }

    /// 9.6, as far as it is plain: bare kings (M11).
    fn is_dead(state: &Stair) -> bool {
        !state
            .occupied()
            .minus(state.roles[Role::King as usize])
            .meets(SquareSet::FULL)
    }

    fn why_not(state: &Stair, color: Color, role: Role, from: Square, to: Square) -> Fault {
        explain::stair::shape(state, color, role, from, to)
            .or_else(|| explain::stair::blocked_column(state, from, to))
            .unwrap_or(Fault::Shape { role })
    }

    fn why_board_stays(state: &Stair, board: AttackBoard, to: Pin, turned: bool) -> Option<Fault> {
        if turned {
            return Some(Fault::BoardDoesNotTurn); // M9
        }
        if let Some(fault) = explain::stair::pin_fault(state, board, to, true, is_adjacent_over) {
            return Some(fault);
        }
        let from = state.ground.layout.pin(board);
        match controlled(state, board) {
            Err(Uncontrolled::Crowded) => Some(Fault::BoardCrowded {
                by: explain::wide(board.squares() & state.occupied()),
            }),
            Err(Uncontrolled::Rider(rider)) => Some(Fault::BoardRider { rider }),
            Err(Uncontrolled::Marking) => Some(Fault::BoardOfOther),
            Ok(Some(rider)) if is_backward(state.turn, from, to) => {
                Some(Fault::BoardBackward { rider })
            }
            Ok(_) => None,
        }
    }

    fn article(fault: &Fault) -> &'static str {
        match fault {
            Fault::NoPiece { .. } | Fault::NotYours { .. } => "Meder 1.1",
            Fault::NotASquare { .. } => "Meder 3.1(e)",
            Fault::OwnPiece { .. } => "Meder 3.1(b)",
            Fault::ColumnBlocked { .. } => "Meder 3.1(c)",
            Fault::SameColumn { .. } | Fault::Stays { .. } => "Meder 3.1(d)",
            Fault::Shape { role } | Fault::NotAPawn { role } => match role {
                Role::Queen => "Meder 3.2(a)",
                Role::Rook => "Meder 3.2(b)",
                Role::Bishop => "Meder 3.2(c)",
                Role::Knight => "Meder 3.3",
                Role::Pawn => "Meder 3.4",
                Role::King => "Meder 3.5(a)(i)",
            },
            Fault::PawnNotForward | Fault::PawnTakesAhead { .. } => "Meder 3.4(a)",
            Fault::PawnTooFar | Fault::DoubleStepLost => "Meder 3.4(b)",
            Fault::NothingToTake { .. } => "Meder 3.4(c)",
            Fault::OnlyEnPassant { .. }
            | Fault::NoDoubleStep
            | Fault::NotCrossed { .. }
            | Fault::CrossedHeld { .. }
            | Fault::PassesNot { .. } => "Meder 3.4(d)",
            Fault::PromotionMissing { .. }
            | Fault::PromotesNoPiece { .. }
            | Fault::PromotionTo { .. } => "Meder 3.4(e)(i)",
            Fault::PromotionNotHere { .. } => "Meder 3.4(e)(ii)",
            Fault::PromotionExposes { .. } => "Meder 3.4(e)(iii)",
            Fault::Castling { fault } => match fault {
                CastlingFault::FirstMove => "Meder 3.5(a)(ii)(1)[a]",
                CastlingFault::Lost => "Meder 3.5(a)(ii)(1)[b], [c]",
                CastlingFault::Attacked(_) => "Meder 3.5(a)(ii)(2)[a]",
                CastlingFault::Occupied(_) => "Meder 3.5(a)(ii)(2)[b]",
                _ => "Meder 3.5(a)(ii)",
            },
            Fault::Exposed { .. } => "Meder 3.5(b)",
            // All that is left is about boards.
            _ => "Meder 3.6",
        }
    }
}

/// Why a player may not move an attack board as it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Uncontrolled {
    /// More than one piece is on it.
    Crowded,
    /// The other side's piece is on it.
    Rider(Square),
    /// It is empty and the other side's.
    Marking,
}

/// The piece on a board the side to move controls, if any; or why it does not control it.
pub(crate) fn controlled(
    state: &Stair,
    board: AttackBoard,
) -> Result<Option<Square>, Uncontrolled> {
    let riders = board.squares() & state.occupied();
    if riders.more_than_one() {
        return Err(Uncontrolled::Crowded);
    }
    match riders.first() {
        Some(rider) if state.own().contains(rider) => Ok(Some(rider)),
        Some(rider) => Err(Uncontrolled::Rider(rider)),
        None if board.is_white() == state.turn.is_white() => Ok(None),
        None => Err(Uncontrolled::Marking),
    }
}

/// Whether a pin lies further back for a side, by the rank of the corner square (M9).
pub(crate) fn is_backward(color: Color, from: Pin, to: Pin) -> bool {
    let (from, to) = (from.corner().rank(), to.corner().rank());
    match color {
        Color::White => to < from,
        Color::Black => to > from,
    }
}

/// The square on which a pawn is promoted by a move of the board: the one it carries to a furthest rank (3.4(e)(i)),
/// or the one that waited below the pin it leaves (3.4(e)(iii)).
fn promotes(state: &Stair, board: AttackBoard, rider: Option<Square>, to: Pin) -> Option<Square> {
    let carried = rider.filter(|square| {
        let after = state.ground.layout.moved_unchecked(board, to);
        state.pieces(state.turn, Role::Pawn).contains(*square)
            && stair::is_furthest(&after, state.turn, *square)
    });
    carried.or_else(|| {
        let from = state.ground.layout.pin(board);
        stair::waiting_pawn(state, from).map(|(square, _)| square)
    })
}
