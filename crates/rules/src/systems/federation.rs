//! The Laws of the World Tri Dimensional Chess Federation (seed 004).
//!
//! What differs from Meder's: a line is a path of squares whose tiers never turn back; a piece takes only on the tier
//! it comes from; a board moves only as the move of a pawn that is alone on it, and may be turned; promotion is
//! the player's choice.

use crate::articles::{Articles, CastlingArticles};
use crate::castling::{CastlingSide, CastlingSquares};
use crate::fault::{CastlingFault, MoveFault};
use crate::moves::Move;
use crate::piece::{Color, Role};
use crate::rules::{Arrival, Rules};
use crate::stair::arrangement::{ahead, furthest, seen_columns};
use crate::stair::board::{BoardState, Stair, main, of_color, on};
use crate::stair::boards::{board_move, waiting_pawn};
use crate::stair::lines::{PawnSteps, sees};
use crate::stair::paths::{TierSets, advances, double_steps, path};
use crate::stair::{Blocking, StairRules, explain};
use crate::systems::manual;
use std::ops::ControlFlow;
use tridex_geometry::Square;
use tridex_geometry::stair::{
    AttackBoard, MainBoard, Pin, StairSet, adjacent_over, is_adjacent_over, king_steps,
};

/// The rules of this file.
pub(crate) struct Federation;

const QL: AttackBoard = AttackBoard::WhiteQueen;
const KL: AttackBoard = AttackBoard::WhiteKing;
const W: MainBoard = MainBoard::White;

const KING: Square = main(W, 3, 1);
const KING_ROOK: Square = on(KL, 1, 0);
const QUEEN_ROOK: Square = on(QL, 0, 0);

/// 3.2: on the king's side the king goes to the rook's square and the rook to the corner square of White's board; on the
/// queen's side the king goes to the inside rear corner of the board and the rook to the queen's start.
const CASTLINGS: [CastlingSquares; 2] = [
    CastlingSquares {
        king: (KING, KING_ROOK),
        rook: (KING_ROOK, main(W, 4, 1)),
    },
    CastlingSquares {
        king: (KING, on(QL, 1, 0)),
        rook: (QUEEN_ROOK, main(W, 2, 1)),
    },
];

/// Whether a piece that sees the column of a square takes there. 1.3: onto a square "on the same level".
#[inline(never)]
fn takes_on(state: &Stair, role: Role, from: Square, to: Square) -> bool {
    let boards = &state.boards;
    let level = boards.at.layout.tier(to);
    if !role.is_slider() {
        return level == boards.at.layout.tier(from);
    }
    path(state, role, from, boards.column(to)).is_some_and(|tiers| tiers.all() & 1 << level != 0)
}

impl StairRules for Federation {
    const WHITE: &'static [(Square, Role)] = &manual::WHITE;
    const WHITE_CASTLINGS: Option<[CastlingSquares; 2]> = Some(CASTLINGS);
    /// 3.2.4: start squares of knight, bishop and, on her side, the queen; and the squares of arrival.
    const WHITE_CASTLING_PATHS: [&'static [Square]; 2] = [
        &[on(KL, 1, 1), main(W, 4, 1)],
        &[on(QL, 0, 1), main(W, 1, 1), main(W, 2, 1), on(QL, 1, 0)],
    ];
    const BLOCKING: Blocking = Blocking::BySquare;

    const ARTICLES: Articles = Articles {
        pieces: [
            "Federation 3.7",
            "Federation 3.5",
            "Federation 3.4",
            "Federation 3.6",
            "Federation 3.3",
            "Federation 3.2",
        ],
        turn: "Federation 1.1",
        stays: "Federation 1.1",
        own_piece: "Federation 1.3",
        tier: "Federation 1.3",
        same_column: "Federation 4.1",
        column_full: "Federation 4.2",
        turns_back: "Federation 4.3",
        squares: "Federation 4.5",
        gap: "Federation 4.5",
        pawn_ahead: "Federation 3.7.1",
        pawn_takes: "Federation 3.7.1",
        pawn_distance: "Federation 3.7.2",
        en_passant: "Federation 3.7.3",
        castling: CastlingArticles {
            lost: "Federation 3.2.1",
            attacked: "Federation 3.2.2",
            rook_attacked: "Federation 3.2.3",
            occupied: "Federation 3.2.4",
            ..CastlingArticles::all("Federation 3.2")
        },
        king_safety: "Federation 3.2",
        // All that is left is about pawns and the boards they move.
        ..Articles::all("Federation 3.7")
    };

    #[inline(always)]
    fn attacks(state: &Stair, color: Color, role: Role, from: Square, to: Square) -> bool {
        let boards = &state.boards;
        // Nearly always the columns say no.
        sees(color, role, boards.column(from), boards.column(to)) && takes_on(state, role, from, to)
    }

    #[inline(always)]
    fn reaches(state: &Stair, color: Color, role: Role, from: Square, to: Square) -> bool {
        if state.occupied().contains(to) {
            return <Self as StairRules>::attacks(state, color, role, from, to);
        }
        let boards = &state.boards;
        let (a, b) = (boards.column(from), boards.column(to));
        match role {
            // One forward to any level; two are rare.
            Role::Pawn => {
                ahead(a, color, 1) == Some(b)
                    || state.unmoved.contains(from) && advances(state, color, from).contains(to)
            }
            // F2: one step from the piece's own square, to any tier.
            Role::Knight | Role::King => sees(color, role, a, b),
            Role::Bishop | Role::Rook | Role::Queen => path(state, role, from, b)
                .is_some_and(|tiers| tiers.arrives(boards.at.layout.tier(to))),
        }
    }

    fn destinations(state: &Stair, color: Color, role: Role, from: Square) -> StairSet {
        let boards = &state.boards;
        let (at, tier) = (boards.column(from), boards.at.layout.tier(from));
        let enemies = state.colors[color.other() as usize];
        let vacant = !state.occupied();
        let tiers = TierSets::of(state);
        let taken = enemies & tiers.of_tier(tier);
        let seen = boards.at.seen(color, role, at);
        if role == Role::Pawn {
            return advances(state, color, from) | seen & taken;
        }
        if !role.is_slider() {
            return seen & (vacant | taken);
        }
        // To the neighbouring columns a slider goes as a king does; beyond those with a vacant square its lines continue.
        let near = seen & boards.at.seen(color, Role::King, at);
        let open = king_steps(at)
            .and(seen_columns(color, role, at))
            .minus(boards.blockers);
        open.into_iter()
            .fold(near & (vacant | taken), |found, neighbour| {
                found | tiers.seen_behind(state, at, tier, neighbour, vacant, enemies)
            })
    }

    /// What pawns take is counted one by one.
    fn count_pawn_moves(
        state: &Stair,
        pawns: StairSet,
        targets: StairSet,
        promotion: StairSet,
    ) -> Option<u32> {
        let steps = PawnSteps::of(state, pawns)?;
        let enemies = state.colors[state.turn.other() as usize];
        let ones = state
            .boards
            .at
            .layout
            .squares_of(steps.ahead)
            .minus(state.occupied());
        let taken = state.boards.at.layout.squares_of(steps.west.or(steps.east)) & enemies;
        if ones.meets(promotion) || !taken.is_empty() {
            return None;
        }
        // No pawn on a start square is promoted two ranks on. No two of these arrive in one column.
        let twos = double_steps(state, pawns & state.unmoved);
        Some((ones & targets).count() + (twos & targets).count())
    }

    fn written_reaches(
        state: &Stair,
        role: Role,
        from: Square,
        to: Square,
        _captures: bool,
    ) -> bool {
        <Self as StairRules>::reaches(state, state.turn, role, from, to)
    }

    /// En passant the pawn lands on any level (3.7.3), though it takes on its own otherwise.
    fn takes_in_passing(state: &Stair, color: Color, from: Square, to: Square) -> bool {
        let boards = &state.boards;
        sees(color, Role::Pawn, boards.column(from), boards.column(to))
    }

    /// 3.7: the pawn "may" be replaced.
    fn arrival(boards: &BoardState, color: Color, square: Square) -> Arrival {
        if boards.at.furthest[color as usize].contains(square) {
            Arrival::MayPromote
        } else {
            Arrival::Stays
        }
    }

    fn may_castle(
        state: &Stair,
        side: CastlingSide,
        squares: CastlingSquares,
    ) -> Result<(), CastlingFault> {
        if state.check {
            return Err(CastlingFault::Attacked(squares.king.0)); // 3.2.2
        }
        if <Self as Rules<1>>::is_attacked(state, squares.rook.0, state.turn.other()) {
            return Err(CastlingFault::RookAttacked(squares.rook.0)); // 3.2.3
        }
        let path = Self::WHITE_CASTLING_PATHS[side as usize].iter();
        let mut path = path.map(|square| of_color(*square, state.turn));
        match path.find(|square| state.occupied().contains(*square)) {
            Some(square) => Err(CastlingFault::Occupied(square)), // 3.2.4
            None => Ok(()),
        }
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
        let from = state.boards.at.layout.pin(board);
        if !alone
            || !state.pieces(state.turn, Role::Pawn).contains(pawn)
            || waiting_pawn(state, from).is_some()
        {
            return ControlFlow::Continue(());
        }
        let rank = state.boards.column(pawn).rank();
        for to in adjacent_over(from) {
            if state.boards.at.layout.board_on(to).is_some() {
                continue;
            }
            let after = state.boards.at.layout.moved_unchecked(board, to);
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
                board_move(board, to, turned, None, sink)?;
                if furthest(&after, state.turn).contains(square) {
                    board_move(board, to, turned, Some(square), sink)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn in_the_way(state: &Stair, role: Role, from: Square, to: Square) -> Option<MoveFault> {
        let column = match role {
            Role::Knight | Role::King => None,
            _ => explain::impassable_column(state, from, to),
        };
        column.or_else(|| explain::tiers(state, from, to))
    }

    fn why_board_stays(
        state: &Stair,
        board: AttackBoard,
        to: Pin,
        turned: bool,
    ) -> Option<MoveFault> {
        let layout = &state.boards.at.layout;
        let from = layout.pin(board);
        if from == to && turned {
            return Some(MoveFault::NoTurnInPlace);
        }
        if let Some(fault) = explain::pin_fault(state, board, to, true, is_adjacent_over) {
            return Some(fault);
        }
        let riders = board.squares() & state.occupied();
        let Some(rider) = riders.first() else {
            return Some(MoveFault::NoPawnAboard);
        };
        if riders.more_than_one() {
            let by = riders.resized();
            return Some(MoveFault::BoardCrowded { by });
        }
        if !state.own().contains(rider) {
            return Some(MoveFault::BoardRider { rider });
        }
        let role = state.role_on(rider);
        if role != Role::Pawn {
            return Some(MoveFault::RiderNotPawn { rider, role });
        }
        if let Some((pawn, _)) = waiting_pawn(state, from) {
            return Some(MoveFault::CornerHeld { pawn });
        }
        let carried = if turned { board.turned(rider) } else { rider };
        let column = layout.moved_unchecked(board, to).column(carried);
        let gained = column.rank() as i8 - layout.column(rider).rank() as i8;
        (gained * state.turn.forward() < 0).then_some(MoveFault::PawnFallsBack {
            pawn: rider,
            column,
        })
    }
}
