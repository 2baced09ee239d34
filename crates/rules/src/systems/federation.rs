//! The Laws of the World Tri Dimensional Chess Federation.
//!
//! Differences from Meder's rules: a line is a path of squares whose tiers never turn back. A piece captures only on
//! the tier it comes from. A board moves only as the move of a pawn that is alone on it, and may turn. Promotion is
//! optional.

use crate::articles::Subject;
use crate::castling::CastlingSquares;
use crate::facts::{Arrival, CastlingRule, SystemFacts, set_of};
use crate::fault::{CastlingFault, MoveFault};
use crate::moves::Move;
use crate::piece::Role;
use crate::stair::arrangement::furthest;
use crate::stair::board::{Stair, main, on};
use crate::stair::boards::{board_move, waiting_pawn};
use crate::stair::{Blocking, STAIR_FACTS, StairRules, explain};
use crate::systems::manual;
use std::ops::ControlFlow::{self, Break, Continue};
use tridex_geometry::Square;
use tridex_geometry::stair::{
    AttackBoard, Column, MainBoard, Pin, adjacent_over, is_adjacent_over,
};

#[derive(Clone, PartialEq)]
pub(crate) struct Federation;

const QL: AttackBoard = AttackBoard::WhiteQueen;
const KL: AttackBoard = AttackBoard::WhiteKing;
const W: MainBoard = MainBoard::White;

const KING: Square = main(W, 3, 1);
const KING_ROOK: Square = on(KL, 1, 0);
const QUEEN_ROOK: Square = on(QL, 0, 0);

/// 3.2: on the king's side, the king goes to the rook's square and the rook to the corner square of White's board. On
/// the queen's side, the king goes to the inside rear corner of the attack board and the rook to the queen's start
/// square. 3.2.4: the start squares of knight, bishop and, on that side, queen must be vacant, and so must the squares
/// of arrival. 3.2.3: the rook must not be attacked (ruling federation-castling).
const CASTLINGS: [CastlingRule; 2] = [
    CastlingRule {
        squares: CastlingSquares {
            king: (KING, KING_ROOK),
            rook: (KING_ROOK, main(W, 4, 1)),
        },
        path: set_of(&[on(KL, 1, 1), main(W, 4, 1)]),
        safe: set_of(&[KING_ROOK]),
    },
    CastlingRule {
        squares: CastlingSquares {
            king: (KING, on(QL, 1, 0)),
            rook: (QUEEN_ROOK, main(W, 2, 1)),
        },
        path: set_of(&[on(QL, 0, 1), main(W, 1, 1), main(W, 2, 1), on(QL, 1, 0)]),
        safe: set_of(&[QUEEN_ROOK]),
    },
];

impl StairRules for Federation {
    const FACTS: &'static SystemFacts = &SystemFacts {
        name: "federation",
        aliases: &["tri-d federation", "wtdcf"],
        number: 2,
        // The text has no notation of its own.
        notation: "meder",
        source: "The Laws of the World Tri Dimensional Chess Federation",
        summary: "The laws of the World Tri Dimensional Chess Federation. A line never turns back in height, a piece \
            captures only on the level it comes from, and a board moves with the pawn that is alone on it.",
        white: &manual::WHITE,
        castlings: Some(CASTLINGS),
        castling_attacked: CastlingFault::RookAttacked,
        on_last: Arrival::MayPromote, // 3.7, ruling optional-promotion
        article,
        ..STAIR_FACTS
    };
    /// 1.3 and 4.1 to 4.5 with rulings tiers-never-turn and captures-on-own-tier: see `stair/paths`.
    const BLOCKING: Blocking = Blocking::BySquare;

    /// 3.7 with rulings lone-pawn-moves-board, corner-held-by-pawn and optional-promotion.
    fn board_moves(
        state: &Stair,
        board: AttackBoard,
        sink: &mut dyn FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Continue(pawn) = lone_pawn(state, board) else {
            return Continue(());
        };
        let from = state.boards.at.layout.pin(board);
        for to in adjacent_over(from) {
            if state.boards.at.layout.board_on(to).is_some() {
                continue;
            }
            let after = state.boards.at.layout.moved_unchecked(board, to);
            for turned in [false, true] {
                let square = if turned { board.turned(pawn) } else { pawn };
                if falls_back(state, pawn, after.column(square)) {
                    continue;
                }
                board_move(board, to, turned, None, sink)?;
                if furthest(&after, state.turn).contains(square) {
                    board_move(board, to, turned, Some(square), sink)?;
                }
            }
        }
        Continue(())
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
        let pawn = match lone_pawn(state, board) {
            Continue(pawn) => pawn,
            Break(fault) => return Some(fault),
        };
        let carried = if turned { board.turned(pawn) } else { pawn };
        let column = layout.moved_unchecked(board, to).column(carried);
        falls_back(state, pawn, column).then_some(MoveFault::PawnFallsBack { pawn, column })
    }
}

/// The pawn of the side to move that is alone on a board and may move it; else the reason why there is none. A board
/// may not move while a pawn waits below it.
fn lone_pawn(state: &Stair, board: AttackBoard) -> ControlFlow<MoveFault, Square> {
    let riders = board.squares() & state.occupied();
    let Some(rider) = riders.first() else {
        return Break(MoveFault::NoPawnAboard);
    };
    if riders.more_than_one() {
        let by = riders.resized();
        return Break(MoveFault::BoardCrowded { by });
    }
    if !state.own().contains(rider) {
        return Break(MoveFault::BoardRider { rider });
    }
    let role = state.role_on(rider);
    if role != Role::Pawn {
        return Break(MoveFault::RiderNotPawn { rider, role });
    }
    match waiting_pawn(state, state.boards.at.layout.pin(board)) {
        Some((pawn, _)) => Break(MoveFault::CornerHeld { pawn }),
        None => Continue(rider),
    }
}

/// Whether a move to a column would carry a pawn of the side to move backward.
fn falls_back(state: &Stair, pawn: Square, column: Column) -> bool {
    let gained = column.rank() as i8 - state.boards.column(pawn).rank() as i8;
    gained * state.turn.forward() < 0
}

/// The article about a subject.
fn article(subject: Subject) -> &'static str {
    match subject {
        Subject::Piece(role) => [
            "Federation 3.7",
            "Federation 3.5",
            "Federation 3.4",
            "Federation 3.6",
            "Federation 3.3",
            "Federation 3.2",
        ][role as usize],
        Subject::Turn | Subject::Passing | Subject::Stays => "Federation 1.1",
        Subject::OwnPiece | Subject::Tier => "Federation 1.3",
        Subject::SameColumn => "Federation 4.1",
        Subject::ColumnFull => "Federation 4.2",
        Subject::TurnsBack => "Federation 4.3",
        Subject::Squares | Subject::Gap => "Federation 4.5",
        Subject::PawnAhead | Subject::PawnTakes => "Federation 3.7.1",
        Subject::PawnDistance => "Federation 3.7.2",
        Subject::EnPassant => "Federation 3.7.3",
        Subject::KingSafety => "Federation 3.2",
        Subject::Castling(CastlingFault::Lost) => "Federation 3.2.1",
        Subject::Castling(CastlingFault::Attacked(_)) => "Federation 3.2.2",
        Subject::Castling(CastlingFault::RookAttacked(_)) => "Federation 3.2.3",
        Subject::Castling(CastlingFault::Occupied(_)) => "Federation 3.2.4",
        Subject::Castling(_) => "Federation 3.2",
        // The remaining subjects are about pawns and the boards they move.
        _ => "Federation 3.7",
    }
}
