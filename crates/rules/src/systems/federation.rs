//! The Laws of the World Tri Dimensional Chess Federation (seed 004).
//!
//! What differs from Meder's: a line is a path of squares whose tiers never turn back; a piece takes only on the tier
//! it comes from; a board moves only as the move of a pawn that stands alone on it, and may be turned; promotion is
//! the player's choice.

use super::manual;
use crate::explain::{self, Fault};
use crate::stair::{self, Ground, Stair, directions, main, mirrored, on};
use crate::state::{Arrival, CastlingFault, CastlingPlan, Rules};
use crate::{CastlingSide, Color, Departure, Move, Role, RuleSystem, Setup, SetupError, Target};
use std::ops::ControlFlow;
use tridex_geometry::Square;
use tridex_geometry::stair::{
    AttackBoard, Column, Direction, Layout, MainBoard, Pin, StairSet, Surface, adjacent_over,
    is_adjacent_over, king_steps, knight_steps,
};

/// Start squares of the pawns, by colour.
const STARTS: [StairSet; 2] = [
    stair::starts_of(&manual::WHITE, Color::White),
    stair::starts_of(&manual::WHITE, Color::Black),
];

/// The rules of this file.
pub(crate) struct Federation;

const QL: AttackBoard = AttackBoard::WhiteQueen;
const KL: AttackBoard = AttackBoard::WhiteKing;
const W: MainBoard = MainBoard::White;

const KING: Square = main(W, 3, 1);
const KING_ROOK: Square = on(KL, 1, 0);
const QUEEN_ROOK: Square = on(QL, 0, 0);

impl Rules<1> for Federation {
    type Ground = Ground;

    const SYSTEM: RuleSystem = RuleSystem::Federation;
    const CASTLING_HOMES: Option<[(Square, Square); 4]> = Some([
        (KING, KING_ROOK),
        (KING, QUEEN_ROOK),
        (mirrored(KING), mirrored(KING_ROOK)),
        (mirrored(KING), mirrored(QUEEN_ROOK)),
    ]);
    const CLAIM_AFTER: Option<u32> = None;

    const HOME: Option<Layout> = Some(Layout::start(Surface::Over));

    fn start() -> Setup {
        let mut setup = stair::start(Layout::start(Surface::Over), &manual::WHITE);
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

    /// Lines are walked square by square, so no column blocks as such.
    fn refresh(_state: &mut Stair) {}

    fn pawn_starts(color: Color) -> StairSet {
        STARTS[color as usize]
    }

    fn attacks(state: &Stair, color: Color, role: Role, from: Square, to: Square) -> bool {
        let ground = &state.ground;
        let (a, b) = (ground.column(from), ground.column(to));
        // 1.3: onto a square "on the same level".
        let level = ground.layout.tier(to);
        match role {
            Role::Pawn => {
                stair::pawn_capture_columns(a, color).contains(b)
                    && level == ground.layout.tier(from)
            }
            Role::Knight => knight_steps(a).contains(b) && level == ground.layout.tier(from),
            Role::King => king_steps(a).contains(b) && level == ground.layout.tier(from),
            Role::Bishop | Role::Rook | Role::Queen => {
                path(state, role, from, b).is_some_and(|tiers| tiers.all() & 1 << level != 0)
            }
        }
    }

    fn reaches(state: &Stair, color: Color, role: Role, from: Square, to: Square) -> bool {
        if state.occupied().contains(to) {
            return Self::attacks(state, color, role, from, to);
        }
        let ground = &state.ground;
        let (a, b) = (ground.column(from), ground.column(to));
        match role {
            Role::Pawn => advances(state, color, from).contains(to),
            // F2: one step from the piece's own square, to any tier.
            Role::Knight => knight_steps(a).contains(b),
            Role::King => king_steps(a).contains(b),
            Role::Bishop | Role::Rook | Role::Queen => path(state, role, from, b)
                .is_some_and(|tiers| tiers.arrives(ground.layout.tier(to))),
        }
    }

    fn destinations(state: &Stair, color: Color, role: Role, from: Square) -> StairSet {
        let layout = &state.ground.layout;
        let at = layout.column(from);
        let enemies = state.colors[color.other() as usize];
        let vacant = !state.occupied();
        let same_level = |squares: StairSet| -> StairSet {
            let level = layout.tier(from);
            squares
                .into_iter()
                .filter(|s| layout.tier(*s) == level)
                .collect()
        };
        match role {
            Role::Pawn => {
                let ahead = layout.squares_of(stair::pawn_capture_columns(at, color));
                advances(state, color, from) | same_level(ahead & enemies)
            }
            Role::Knight | Role::King => {
                let steps = if role == Role::King {
                    king_steps(at)
                } else {
                    knight_steps(at)
                };
                let squares = layout.squares_of(steps);
                squares & vacant | same_level(squares & enemies)
            }
            Role::Bishop | Role::Rook | Role::Queen => {
                let mut found = StairSet::EMPTY;
                for direction in directions(role) {
                    let mut tiers = Tiers::starting(layout.tier(from));
                    let mut next = step(at, *direction);
                    while let Some(column) = next {
                        let stack = layout.stack(column);
                        for square in stack & enemies {
                            if tiers.all() & 1 << layout.tier(square) != 0 {
                                found.insert(square);
                            }
                        }
                        for square in stack & vacant {
                            if tiers.arrives(layout.tier(square)) {
                                found.insert(square);
                            }
                        }
                        tiers = tiers.advanced(state, column);
                        if tiers.all() == 0 {
                            break;
                        }
                        next = step(column, *direction);
                    }
                }
                found
            }
        }
    }

    #[inline]
    fn may_uncover(state: &Stair, from: Square, target: Square, by: Color) -> bool {
        stair::may_uncover(state, from, target, by)
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

    /// 3.7.3: an unoccupied square of the column that was crossed, on any level.
    fn crossed(state: &Stair, victim: Square, color: Color) -> StairSet {
        stair::crossed(state, victim, color, Self::pawn_starts(color))
    }

    fn is_double_step(state: &Stair, _color: Color, from: Square, to: Square) -> bool {
        stair::is_two_ranks(state, from, to)
    }

    /// En passant the pawn lands on any level (3.7.3), though it takes on its own otherwise.
    fn passes(state: &Stair, color: Color, from: Square, to: Square) -> bool {
        let ground = &state.ground;
        stair::pawn_capture_columns(ground.column(from), color).contains(ground.column(to))
    }

    /// 3.7: the pawn "may" be replaced.
    fn arrival(ground: &Ground, color: Color, square: Square) -> Arrival {
        if stair::is_furthest(&ground.layout, color, square) {
            Arrival::MayPromote
        } else {
            Arrival::Stays
        }
    }

    /// 3.2: on the king's side the king goes to the rook's square and the rook to the corner square of White's board;
    /// on the queen's side the king goes to the inside rear corner of the board and the rook to the queen's start.
    fn castling_plan(color: Color, side: CastlingSide) -> Option<CastlingPlan> {
        let home = |square| match color {
            Color::White => square,
            Color::Black => mirrored(square),
        };
        let (king_to, rook, rook_to) = match side {
            CastlingSide::King => (KING_ROOK, KING_ROOK, main(W, 4, 1)),
            CastlingSide::Queen => (on(QL, 1, 0), QUEEN_ROOK, main(W, 2, 1)),
        };
        Some(CastlingPlan {
            king: (home(KING), home(king_to)),
            rook: (home(rook), home(rook_to)),
        })
    }

    fn castle(state: &Stair, side: CastlingSide) -> Result<(), CastlingFault> {
        let color = state.turn;
        if !state.castling.has(color, side) {
            return Err(CastlingFault::Lost); // 3.2.1
        }
        let plan = Self::castling_plan(color, side).ok_or(CastlingFault::None)?;
        if state.check {
            return Err(CastlingFault::Attacked(plan.king.0)); // 3.2.2
        }
        if stair::is_attacked::<Self>(state, plan.rook.0, color.other()) {
            return Err(CastlingFault::RookAttacked(plan.rook.0)); // 3.2.3
        }
        // 3.2.4: start squares of knight, bishop and, on her side, the queen; and the squares of arrival.
        let between: &[Square] = match side {
            CastlingSide::King => &[on(KL, 1, 1), main(W, 4, 1)],
            CastlingSide::Queen => &[on(QL, 0, 1), main(W, 1, 1), main(W, 2, 1), on(QL, 1, 0)],
        };
        for square in between {
            let square = match color {
                Color::White => *square,
                Color::Black => mirrored(*square),
            };
            if state.occupied().contains(square) {
                return Err(CastlingFault::Occupied(square));
            }
        }
        Ok(())
    }

    /// 3.7 with ruling F4.
    fn board_moves(
        state: &Stair,
        board: AttackBoard,
        sink: &mut dyn FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let riders = board.squares() & state.occupied();
        let Some(pawn) = riders.first() else {
            return ControlFlow::Continue(());
        };
        let alone = !riders.more_than_one();
        let from = state.ground.layout.pin(board);
        if !alone
            || !state.pieces(state.turn, Role::Pawn).contains(pawn)
            || stair::waiting_pawn(state, from).is_some()
        {
            return ControlFlow::Continue(());
        }
        let rank = state.ground.column(pawn).rank();
        for to in adjacent_over(from) {
            if state.ground.layout.board_on(to).is_some() {
                continue;
            }
            let after = state.ground.layout.moved_unchecked(board, to);
            for turned in [false, true] {
                let square = if turned { board.turned(pawn) } else { pawn };
                let arrives = after.column(square).rank();
                let back = match state.turn {
                    Color::White => arrives < rank,
                    Color::Black => arrives > rank,
                };
                if back {
                    continue;
                }
                stair::board_move(board, to, turned, None, sink)?;
                if stair::is_furthest(&after, state.turn, square) {
                    stair::board_move(board, to, turned, Some(square), sink)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn move_board(state: &mut Stair, board: AttackBoard, to: Pin, turned: bool) {
        stair::move_board(state, board, to, turned);
    }

    /// 1.8 leaves it to the players (F6).
    fn is_dead(_state: &Stair) -> bool {
        false
    }

    fn why_not(state: &Stair, color: Color, role: Role, from: Square, to: Square) -> Fault {
        explain::stair::shape(state, color, role, from, to)
            .or_else(|| match role {
                Role::Knight | Role::King => None,
                _ => explain::stair::impassable_column(state, from, to),
            })
            .or_else(|| explain::stair::tiers(state, from, to))
            .unwrap_or(Fault::Shape { role })
    }

    fn why_board_stays(state: &Stair, board: AttackBoard, to: Pin, turned: bool) -> Option<Fault> {
        let layout = &state.ground.layout;
        let from = layout.pin(board);
        if from == to && turned {
            return Some(Fault::NoTurnInPlace);
        }
        if let Some(fault) = explain::stair::pin_fault(state, board, to, true, is_adjacent_over) {
            return Some(fault);
        }
        let riders = board.squares() & state.occupied();
        let Some(rider) = riders.first() else {
            return Some(Fault::NoPawnAboard);
        };
        if riders.more_than_one() {
            let by = explain::wide(riders);
            return Some(Fault::BoardCrowded { by });
        }
        if !state.own().contains(rider) {
            return Some(Fault::BoardRider { rider });
        }
        let role = state.role_on(rider);
        if role != Role::Pawn {
            return Some(Fault::RiderNotPawn { rider, role });
        }
        if let Some((pawn, _)) = stair::waiting_pawn(state, from) {
            return Some(Fault::CornerHeld { pawn });
        }
        let carried = if turned { board.turned(rider) } else { rider };
        let column = layout.moved_unchecked(board, to).column(carried);
        let gained = column.rank() as i8 - layout.column(rider).rank() as i8;
        (gained * state.turn.forward() < 0).then_some(Fault::PawnFallsBack {
            pawn: rider,
            column,
        })
    }

    fn article(fault: &Fault) -> &'static str {
        match fault {
            Fault::NoPiece { .. } | Fault::NotYours { .. } | Fault::Stays { .. } => {
                "Federation 1.1"
            }
            Fault::OwnPiece { .. } | Fault::TakesOnTier { .. } => "Federation 1.3",
            Fault::SameColumn { .. } => "Federation 4.1",
            Fault::ColumnFull { .. } => "Federation 4.2",
            Fault::TurnsBack { .. } => "Federation 4.3",
            Fault::NotASquare { .. } | Fault::Gap { .. } => "Federation 4.5",
            Fault::Shape { role } | Fault::NotAPawn { role } => match role {
                Role::King => "Federation 3.2",
                Role::Queen => "Federation 3.3",
                Role::Bishop => "Federation 3.4",
                Role::Knight => "Federation 3.5",
                Role::Rook => "Federation 3.6",
                Role::Pawn => "Federation 3.7",
            },
            Fault::PawnTakesAhead { .. } | Fault::NothingToTake { .. } => "Federation 3.7.1",
            Fault::PawnTooFar | Fault::DoubleStepLost => "Federation 3.7.2",
            Fault::OnlyEnPassant { .. }
            | Fault::NoDoubleStep
            | Fault::NotCrossed { .. }
            | Fault::CrossedHeld { .. }
            | Fault::PassesNot { .. } => "Federation 3.7.3",
            Fault::Castling { fault } => match fault {
                CastlingFault::Lost => "Federation 3.2.1",
                CastlingFault::Attacked(_) => "Federation 3.2.2",
                CastlingFault::RookAttacked(_) => "Federation 3.2.3",
                CastlingFault::Occupied(_) => "Federation 3.2.4",
                _ => "Federation 3.2",
            },
            Fault::Exposed { .. } => "Federation 3.2",
            // All that is left is about pawns and the boards they move.
            _ => "Federation 3.7",
        }
    }
}

/// The tiers on which a path can stand in a column, one bit each: paths that have not fallen, and paths that have not
/// risen (4.3).
#[derive(Clone, Copy)]
struct Tiers {
    rising: u8,
    falling: u8,
}

impl Tiers {
    const fn starting(tier: u8) -> Self {
        Self {
            rising: 1 << tier,
            falling: 1 << tier,
        }
    }

    const fn all(self) -> u8 {
        self.rising | self.falling
    }

    /// Whether a path can go on to a vacant square of a tier in the next column.
    const fn arrives(self, tier: u8) -> bool {
        let below_or_same = (2 << tier) - 1;
        let above_or_same = 0b111 << tier;
        self.rising & below_or_same != 0 || self.falling & above_or_same != 0
    }

    /// The tiers after the next column, of which only vacant squares are passed (4.2, 4.5).
    fn advanced(self, state: &Stair, column: Column) -> Self {
        let layout = &state.ground.layout;
        let mut next = Self {
            rising: 0,
            falling: 0,
        };
        for square in layout.stack(column).minus(state.occupied()) {
            let tier = layout.tier(square);
            if self.rising & ((2 << tier) - 1) != 0 {
                next.rising |= 1 << tier;
            }
            if self.falling & 0b111 << tier != 0 {
                next.falling |= 1 << tier;
            }
        }
        next
    }
}

fn step(column: Column, direction: Direction) -> Option<Column> {
    let (files, ranks) = direction.step();
    column.offset(files, ranks)
}

/// The tiers on which the path of a slider stands just before a column, if it gets there.
fn path(state: &Stair, role: Role, from: Square, to: Column) -> Option<Tiers> {
    let layout = &state.ground.layout;
    let start = layout.column(from);
    if !stair::lines(role, start).contains(to) {
        return None;
    }
    let direction = Direction::from_to(start, to)?;
    let mut tiers = Tiers::starting(layout.tier(from));
    let mut column = step(start, direction)?;
    while column != to {
        tiers = tiers.advanced(state, column);
        if tiers.all() == 0 {
            return None;
        }
        column = step(column, direction)?;
    }
    Some(tiers)
}

/// F3: one forward to any vacant square; two, if unmoved, by a path of two steps.
fn advances(state: &Stair, color: Color, from: Square) -> StairSet {
    let layout = &state.ground.layout;
    let at = layout.column(from);
    let Some(first) = stair::ahead(at, color, 1) else {
        return StairSet::EMPTY;
    };
    let mut squares = layout.stack(first).minus(state.occupied());
    if state.unmoved.contains(from)
        && let Some(second) = stair::ahead(at, color, 2)
    {
        let tiers = Tiers::starting(layout.tier(from)).advanced(state, first);
        for square in layout.stack(second).minus(state.occupied()) {
            if tiers.arrives(layout.tier(square)) {
                squares.insert(square);
            }
        }
    }
    squares
}
