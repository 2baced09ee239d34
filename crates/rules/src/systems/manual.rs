//! The rules drawn up after the Starfleet Technical Manual's board (seed 001).
//!
//! What differs from Meder's: a line is a path of consecutive squares, so that gaps stop it, and a column stops it only
//! when every square of it is held; no castling; a player moves his own empty boards and turns his own occupied ones;
//! pins below the boards are used too.

use crate::explain::{self, Fault};
use crate::stair::{self, Ground, Stair, main, on};
use crate::state::{Arrival, CastlingFault, CastlingPlan, Rules};
use crate::{CastlingSide, Color, Departure, Move, Role, RuleSystem, Setup, SetupError, Target};
use std::ops::ControlFlow;
use tridex_geometry::stair::{
    AttackBoard, Column, ColumnSet, Layout, MainBoard, Pin, StairSet, Surface,
    adjacent_any_surface, is_adjacent_any_surface, knight_steps, shade,
};
use tridex_geometry::{Square, SquareSet};

/// Start squares of the pawns, by colour.
const STARTS: [StairSet; 2] = [
    stair::starts_of(&WHITE, Color::White),
    stair::starts_of(&WHITE, Color::Black),
];

/// The rules of this file.
pub(crate) struct Manual;

const QL: AttackBoard = AttackBoard::WhiteQueen;
const KL: AttackBoard = AttackBoard::WhiteKing;
const W: MainBoard = MainBoard::White;

/// Figure 3, which is also the Federation's arrangement.
pub(crate) const WHITE: [(Square, Role); 16] = [
    (on(QL, 0, 0), Role::Rook),
    (on(QL, 1, 0), Role::Pawn),
    (on(QL, 0, 1), Role::Knight),
    (on(QL, 1, 1), Role::Pawn),
    (on(KL, 0, 0), Role::Pawn),
    (on(KL, 1, 0), Role::Rook),
    (on(KL, 0, 1), Role::Pawn),
    (on(KL, 1, 1), Role::Knight),
    (main(W, 1, 1), Role::Bishop),
    (main(W, 2, 1), Role::Queen),
    (main(W, 3, 1), Role::King),
    (main(W, 4, 1), Role::Bishop),
    (main(W, 1, 2), Role::Pawn),
    (main(W, 2, 2), Role::Pawn),
    (main(W, 3, 2), Role::Pawn),
    (main(W, 4, 2), Role::Pawn),
];

impl Rules<1> for Manual {
    type Ground = Ground;

    const SYSTEM: RuleSystem = RuleSystem::Manual;
    const CASTLING_HOMES: Option<[(Square, Square); 4]> = None;
    const REPETITION_ENDS: bool = true; // 11.6
    const CLAIM_AFTER: Option<u32> = None;

    const HOME: Option<Layout> = Some(Layout::start(Surface::Under));

    fn start() -> Setup {
        stair::start(Layout::start(Surface::Under), &WHITE)
    }

    fn ground(setup: &Setup) -> Result<Ground, SetupError> {
        stair::ground(setup)
    }

    fn layout(ground: &Ground) -> Option<&Layout> {
        Some(&ground.layout)
    }

    /// 5.3 and 6: a line goes on through a column as long as one of its squares is vacant; a gap has none (A1).
    #[inline]
    fn refresh(state: &mut Stair) {
        let vacant = !state.occupied();
        let passable = state.ground.layout.columns_of(vacant);
        state.ground.blockers = ColumnSet::FULL.minus(passable);
    }

    #[inline]
    fn refresh_step(state: &mut Stair, from: Square, to: Square) {
        let vacant = !state.occupied();
        let ground = &mut state.ground;
        let (left, entered) = (ground.column(from), ground.column(to));
        ground.blockers = ground.blockers.minus(ColumnSet::of(left));
        if !ground.layout.meets(vacant, entered) {
            ground.blockers = ground.blockers.or(ColumnSet::of(entered));
        }
    }

    fn pawn_starts(color: Color) -> StairSet {
        STARTS[color as usize]
    }

    #[inline]
    fn attacks(state: &Stair, color: Color, role: Role, from: Square, to: Square) -> bool {
        let ground = &state.ground;
        let (from, to) = (ground.column(from), ground.column(to));
        if role == Role::Knight {
            return knight_steps(from).contains(to) && first_step_exists(ground, from, to);
        }
        stair::column_attacks(ground, color, role, from, to)
    }

    #[inline]
    fn reaches(state: &Stair, color: Color, role: Role, from: Square, to: Square) -> bool {
        if role == Role::Pawn && !state.occupied().contains(to) {
            // 6.6(b): vacant consecutive squares of the file (A3).
            return stair::column_advance(state, color, from, state.ground.column(to));
        }
        Self::attacks(state, color, role, from, to)
    }

    fn destinations(state: &Stair, color: Color, role: Role, from: Square) -> StairSet {
        if role == Role::Knight {
            let ground = &state.ground;
            let at = ground.column(from);
            let columns = knight_steps(at)
                .into_iter()
                .filter(|to| first_step_exists(ground, at, *to))
                .collect();
            return ground
                .layout
                .squares_of(columns)
                .minus(state.colors[color as usize]);
        }
        stair::column_destinations(state, color, role, from)
    }

    #[inline]
    fn may_uncover(state: &Stair, from: Square, target: Square, by: Color) -> bool {
        stair::may_uncover(state, from, target, by)
    }

    #[inline]
    fn near(state: &Stair, to: Square) -> StairSet {
        stair::near(state, to)
    }

    #[inline]
    fn origins(state: &Stair, color: Color, role: Role, to: Square) -> StairSet {
        stair::origins(state, color, role, to)
    }

    #[inline]
    fn target(ground: &Ground, target: Target) -> Option<Square> {
        stair::target(ground, target)
    }

    #[inline]
    fn plain_origins(
        state: &Stair,
        role: Role,
        to: Square,
        captures: bool,
        from: Departure,
    ) -> StairSet {
        stair::plain_origins(state, role, to, captures, from)
    }

    /// 6.6(c): on either level, within the limits of 5.1(a): onto a vacant square. One that is held is captured in the
    /// ordinary way, and the passing pawn stays (A3).
    fn crossed(state: &Stair, victim: Square, color: Color) -> StairSet {
        stair::crossed(state, victim, color, Self::pawn_starts(color))
    }

    fn is_double_step(state: &Stair, _color: Color, from: Square, to: Square) -> bool {
        stair::is_two_ranks(state, from, to)
    }

    /// 6.6(d): the opponent's final fixed-board rank, on any board (A4).
    fn arrival(ground: &Ground, color: Color, square: Square) -> Arrival {
        let rank = ground.column(square).rank();
        let beyond = match color {
            Color::White => rank >= 8,
            Color::Black => rank <= 1,
        };
        if beyond {
            Arrival::MustPromote
        } else {
            Arrival::Stays
        }
    }

    fn castling_plan(_color: Color, _side: CastlingSide) -> Option<CastlingPlan> {
        None
    }

    fn castle(_state: &Stair, _side: CastlingSide) -> Result<(), CastlingFault> {
        Err(CastlingFault::None) // A5
    }

    /// Section 7 and 5.1(b), (c): one's own boards only; empty ones move, occupied ones turn.
    fn board_moves(
        state: &Stair,
        board: AttackBoard,
        sink: &mut dyn FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if board.is_white() != state.turn.is_white() {
            return ControlFlow::Continue(());
        }
        let from = state.ground.layout.pin(board);
        let occupied = board.squares().meets(state.occupied());
        if occupied {
            let promotes = turned_pawn(state, board);
            return stair::board_move(board, from, true, promotes, sink);
        }
        for to in adjacent_any_surface(from) {
            if state.ground.layout.board_on(to).is_none() {
                stair::board_move(board, to, false, None, sink)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn move_board(state: &mut Stair, board: AttackBoard, to: Pin, turned: bool) {
        stair::move_board(state, board, to, turned);
    }

    /// 11.4: bare kings; one bishop or knight more; a bishop each on squares of one colour.
    fn is_dead(state: &Stair) -> bool {
        let kings = state.roles[Role::King as usize];
        let others = state.occupied().minus(kings);
        let bishops = state.roles[Role::Bishop as usize];
        let minor = bishops | state.roles[Role::Knight as usize];
        match others.count() {
            0 => true,
            1 => others.meets(minor),
            2 => {
                let mut shades = others.into_iter().map(|s| shade(state.ground.column(s)));
                others.minus(bishops) == SquareSet::EMPTY
                    && others.meets(state.colors[0])
                    && others.meets(state.colors[1])
                    && shades.next() == shades.next()
            }
            _ => false,
        }
    }

    fn why_not(state: &Stair, color: Color, role: Role, from: Square, to: Square) -> Fault {
        explain::stair::shape(state, color, role, from, to)
            .or_else(|| match role {
                Role::Knight => explain::stair::knight_gap(state, from, to),
                _ => explain::stair::impassable_column(state, from, to),
            })
            .unwrap_or(Fault::Shape { role })
    }

    fn why_board_stays(state: &Stair, board: AttackBoard, to: Pin, turned: bool) -> Option<Fault> {
        if board.is_white() != state.turn.is_white() {
            return Some(Fault::BoardOfOther);
        }
        let riders = board.squares() & state.occupied();
        if !riders.is_empty() {
            let in_place = to == state.ground.layout.pin(board);
            return (!in_place || !turned).then(|| Fault::OccupiedOnlyTurns {
                by: explain::wide(riders),
            });
        }
        if turned {
            return Some(Fault::EmptyDoesNotTurn);
        }
        explain::stair::pin_fault(state, board, to, false, is_adjacent_any_surface)
    }

    fn article(fault: &Fault) -> &'static str {
        match fault {
            Fault::NoPiece { .. } | Fault::NotYours { .. } | Fault::OwnPiece { .. } => {
                "manual 5.1(a)"
            }
            Fault::ColumnFull { .. } => "manual 5.3",
            Fault::NotASquare { .. }
            | Fault::Stays { .. }
            | Fault::SameColumn { .. }
            | Fault::Gap { .. } => "manual 6",
            Fault::KnightGap { .. } => "manual 6.5",
            Fault::Shape { role } | Fault::NotAPawn { role } => match role {
                Role::King => "manual 6.1",
                Role::Queen => "manual 6.2",
                Role::Rook => "manual 6.3",
                Role::Bishop => "manual 6.4",
                Role::Knight => "manual 6.5",
                Role::Pawn => "manual 6.6",
            },
            Fault::PawnNotForward => "manual 6.6(a)",
            Fault::PawnTooFar
            | Fault::DoubleStepLost
            | Fault::PawnTakesAhead { .. }
            | Fault::NothingToTake { .. } => "manual 6.6(b)",
            Fault::OnlyEnPassant { .. }
            | Fault::NoDoubleStep
            | Fault::NotCrossed { .. }
            | Fault::CrossedHeld { .. }
            | Fault::PassesNot { .. } => "manual 6.6(c)",
            Fault::PromotionMissing { .. }
            | Fault::PromotionNotHere { .. }
            | Fault::PromotesNoPiece { .. }
            | Fault::PromotionTo { .. } => "manual 6.6(d)",
            // The only moves of the king are those of 6.1.
            Fault::Castling { .. } => "manual 6.1",
            Fault::Exposed { .. } => "manual 10.1",
            Fault::BoardOfOther | Fault::PinTaken { .. } => "manual 5.1(b)",
            Fault::OccupiedOnlyTurns { .. } => "manual 7.2",
            // All that is left is about boards.
            _ => "manual 7.1",
        }
    }
}

/// 6.5: the first step of the knight, one along the longer leg, needs a square in that column, held or not (A2).
#[inline]
fn first_step_exists(ground: &Ground, from: Column, to: Column) -> bool {
    let files = to.file() as i8 - from.file() as i8;
    let ranks = to.rank() as i8 - from.rank() as i8;
    let step = from.offset(files / 2, ranks / 2);
    step.is_some_and(|column| ground.layout.existing().contains(column))
}

/// The square on which a pawn that is turned with its board arrives on its last rank. No game gets there: a pawn
/// stands on a board of the last corner only after promotion. A set-up position might.
fn turned_pawn(state: &Stair, board: AttackBoard) -> Option<Square> {
    let pawns = board.squares() & state.roles[Role::Pawn as usize];
    pawns.into_iter().find_map(|pawn| {
        let arrives = board.turned(pawn);
        let color = state.piece_at(pawn)?.color;
        (Manual::arrival(&state.ground, color, arrives) == Arrival::MustPromote).then_some(arrives)
    })
}
