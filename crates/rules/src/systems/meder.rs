//! Meder's Tournament Rules for Three-Dimensional Chess, edition of December 2013 (seed 000).

use crate::articles::{Articles, CastlingArticles};
use crate::castling::{CastlingSide, CastlingSquares};
use crate::fault::{CastlingFault, MoveFault};
use crate::moves::Move;
use crate::piece::{Color, Role};
use crate::rules::{Arrival, Rules};
use crate::stair::arrangement::furthest;
use crate::stair::board::{BoardState, Stair, main, on};
use crate::stair::boards::{board_move, waiting_pawn};
use crate::stair::{Blocking, StairRules, explain};
use std::ops::ControlFlow;
use tridex_geometry::stair::{
    AttackBoard, ColumnSet, MainBoard, Pin, adjacent_over, between, is_adjacent_over,
};
use tridex_geometry::{Square, SquareSet};

/// The rules of this file.
pub(crate) struct Meder;

const QL: AttackBoard = AttackBoard::WhiteQueen;
const KL: AttackBoard = AttackBoard::WhiteKing;
const W: MainBoard = MainBoard::White;

const KING: Square = on(KL, 0, 0);
const KING_ROOK: Square = on(KL, 1, 0);
const QUEEN_ROOK: Square = on(QL, 0, 0);
/// Where the king goes when it castles to the queen's side: the square next to the rook, a0.
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

/// 3.5(a)(ii): on the king's side king and rook exchange places; on the queen's side the king goes to the square next to the rook and the rook to the king's.
const CASTLINGS: [CastlingSquares; 2] = [
    CastlingSquares {
        king: (KING, KING_ROOK),
        rook: (KING_ROOK, KING),
    },
    CastlingSquares {
        king: (KING, BESIDE_QUEEN_ROOK),
        rook: (QUEEN_ROOK, KING),
    },
];

impl StairRules for Meder {
    const WHITE: &'static [(Square, Role)] = &WHITE;
    const WHITE_CASTLINGS: Option<[CastlingSquares; 2]> = Some(CASTLINGS);
    const CASTLES_FIRST: bool = false; // 3.5(a)(ii)(1)[a]
    const CLAIM_AFTER: Option<u32> = Some(100); // 9.3
    /// 3.1(c): a piece on any level blocks its column on all levels. Gaps never block (2.8).
    const BLOCKING: Blocking = Blocking::Held;

    const ARTICLES: Articles = Articles {
        pieces: [
            "Meder 3.4",
            "Meder 3.3",
            "Meder 3.2(c)",
            "Meder 3.2(b)",
            "Meder 3.2(a)",
            "Meder 3.5(a)(i)",
        ],
        turn: "Meder 1.1",
        squares: "Meder 3.1(e)",
        own_piece: "Meder 3.1(b)",
        blocked: "Meder 3.1(c)",
        same_column: "Meder 3.1(d)",
        stays: "Meder 3.1(d)",
        pawn_forward: "Meder 3.4(a)",
        pawn_ahead: "Meder 3.4(a)",
        pawn_distance: "Meder 3.4(b)",
        pawn_takes: "Meder 3.4(c)",
        en_passant: "Meder 3.4(d)",
        promotion: "Meder 3.4(e)(i)",
        promotion_rank: "Meder 3.4(e)(ii)",
        promotion_by_board: "Meder 3.4(e)(iii)",
        castling: CastlingArticles {
            first_move: "Meder 3.5(a)(ii)(1)[a]",
            lost: "Meder 3.5(a)(ii)(1)[b], [c]",
            attacked: "Meder 3.5(a)(ii)(2)[a]",
            occupied: "Meder 3.5(a)(ii)(2)[b]",
            ..CastlingArticles::all("Meder 3.5(a)(ii)")
        },
        king_safety: "Meder 3.5(b)",
        // All that is left is about boards.
        ..Articles::all("Meder 3.6")
    };

    #[inline(always)]
    fn arrival(boards: &BoardState, color: Color, square: Square) -> Arrival {
        if boards.at.furthest[color as usize].contains(square) {
            Arrival::MustPromote
        } else {
            Arrival::Stays
        }
    }

    const TESTS_KINGS_ARRIVAL: bool = true;

    fn may_castle(
        state: &Stair,
        _side: CastlingSide,
        squares: CastlingSquares,
    ) -> Result<(), CastlingFault> {
        if state.check {
            return Err(CastlingFault::Attacked(squares.king.0)); // (2)[a]
        }
        let boards = &state.boards;
        let (king, rook) = (boards.column(squares.king.0), boards.column(squares.rook.0));
        // (2)[b], by columns as everywhere (3.1(c)); the square next to the rook is one of them.
        let passed = between(king, rook).unwrap_or(ColumnSet::EMPTY);
        let held = passed.and(boards.blockers);
        if let Some(column) = held.into_iter().next() {
            let blocker = (boards.at.layout.stack(column) & state.occupied()).first();
            return Err(CastlingFault::Occupied(blocker.unwrap_or(squares.king.1)));
        }
        if <Self as Rules<1>>::is_attacked(state, squares.king.1, state.turn.other()) {
            return Err(CastlingFault::Attacked(squares.king.1)); // (2)[a]
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
        let from = state.boards.at.layout.pin(board);
        for to in adjacent_over(from) {
            if state.boards.at.layout.board_on(to).is_some()
                || rider.is_some() && is_backward(state.turn, from, to)
            {
                continue;
            }
            let promotes = promotes(state, board, rider, to);
            board_move(board, to, false, promotes, sink)?;
        }
        ControlFlow::Continue(())
    }

    /// 9.6: bare kings, and no other pieces (C8). Kings that share a column do not attack each other (3.1(d)), and the one
    /// guards every way out of the other, so that any piece that checks mates.
    fn is_dead(state: &Stair) -> bool {
        !state
            .occupied()
            .minus(state.roles[Role::King as usize])
            .meets(SquareSet::FULL)
    }

    fn in_the_way(state: &Stair, _role: Role, from: Square, to: Square) -> Option<MoveFault> {
        explain::blocked_column(state, from, to)
    }

    fn why_board_stays(
        state: &Stair,
        board: AttackBoard,
        to: Pin,
        turned: bool,
    ) -> Option<MoveFault> {
        if turned {
            return Some(MoveFault::BoardDoesNotTurn); // M9
        }
        if let Some(fault) = explain::pin_fault(state, board, to, true, is_adjacent_over) {
            return Some(fault);
        }
        let from = state.boards.at.layout.pin(board);
        match controlled(state, board) {
            Err(Uncontrolled::Crowded) => Some(MoveFault::BoardCrowded {
                by: (board.squares() & state.occupied()).resized(),
            }),
            Err(Uncontrolled::Rider(rider)) => Some(MoveFault::BoardRider { rider }),
            Err(Uncontrolled::Marking) => Some(MoveFault::BoardOfOther),
            Ok(Some(rider)) if is_backward(state.turn, from, to) => {
                Some(MoveFault::BoardBackward { rider })
            }
            Ok(_) => None,
        }
    }
}

/// Why a player may not move an attack board as it is.
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
        let after = state.boards.at.layout.moved_unchecked(board, to);
        state.pieces(state.turn, Role::Pawn).contains(*square)
            && furthest(&after, state.turn).contains(*square)
    });
    carried.or_else(|| {
        let from = state.boards.at.layout.pin(board);
        waiting_pawn(state, from).map(|(square, _)| square)
    })
}
