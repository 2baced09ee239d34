//! Meder's Tournament Rules for Three-Dimensional Chess, edition of December 2013.

use crate::articles::Subject;
use crate::castling::CastlingSquares;
use crate::facts::{CastlingRule, SystemFacts, set_of};
use crate::fault::{CastlingFault, MoveFault};
use crate::moves::Move;
use crate::piece::{Color, Role};
use crate::stair::arrangement::furthest;
use crate::stair::board::{Stair, main, on};
use crate::stair::boards::{board_move, waiting_pawn};
use crate::stair::{Blocking, STAIR_FACTS, StairRules, explain};
use std::ops::ControlFlow::{self, Break, Continue};
use tridex_geometry::stair::{AttackBoard, MainBoard, Pin, adjacent_over, is_adjacent_over};
use tridex_geometry::{Square, SquareSet};

#[derive(Clone, PartialEq)]
pub(crate) struct Meder;

const QL: AttackBoard = AttackBoard::WhiteQueen;
const KL: AttackBoard = AttackBoard::WhiteKing;
const W: MainBoard = MainBoard::White;

const KING: Square = on(KL, 0, 0);
const KING_ROOK: Square = on(KL, 1, 0);
const QUEEN_ROOK: Square = on(QL, 0, 0);
/// Where the king goes when it castles to the queen's side: a0, the square next to the rook.
const BESIDE_QUEEN_ROOK: Square = on(QL, 1, 0);

/// 2.7 with ruling start-position.
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

/// 3.5(a)(ii): on the king's side, king and rook exchange places. On the queen's side, the king goes to the square next
/// to the rook and the rook to the king's square (ruling meder-castling). The squares in between must be vacant, and
/// the king's square of arrival must not be attacked.
const CASTLINGS: [CastlingRule; 2] = [
    CastlingRule {
        squares: CastlingSquares {
            king: (KING, KING_ROOK),
            rook: (KING_ROOK, KING),
        },
        path: SquareSet::EMPTY,
        safe: set_of(&[KING_ROOK]),
    },
    CastlingRule {
        squares: CastlingSquares {
            king: (KING, BESIDE_QUEEN_ROOK),
            rook: (QUEEN_ROOK, KING),
        },
        path: set_of(&[BESIDE_QUEEN_ROOK]),
        safe: set_of(&[BESIDE_QUEEN_ROOK]),
    },
];

impl StairRules for Meder {
    const FACTS: &'static SystemFacts = &SystemFacts {
        name: "meder",
        aliases: &["tri-d meder", "tri-d", "trid", "tridchess", "3d-schach"],
        number: 0,
        notation: "meder",
        source: "Jens Meder, Tournament Rules for Three-Dimensional Chess, edition of December 2013",
        summary: "Jens Meder's tournament rules, edition of 2013, on three main boards and four attack boards. Lines run \
            over columns: a piece on any level blocks its whole column (Article 3.1(c)), a missing square stops no line. \
            An attack board that holds at most one piece moves to an adjacent pin (Article 3.6).",
        white: &WHITE,
        castlings: Some(CASTLINGS),
        castles_first: false,   // 3.5(a)(ii)(1)[a], ruling first-move-castling
        claim_after: Some(100), // 9.3, ruling claims-are-reported
        win_on_time: Some("Meder, Article 6.9"),
        article,
        ..STAIR_FACTS
    };
    /// 3.1(c): a piece on any level blocks its column on all levels (ruling column-blocks-line). Gaps never block (2.8,
    /// ruling lines-cross-gaps).
    const BLOCKING: Blocking = Blocking::Held;

    /// 3.6 with rulings board-goes-backward, carried-pawn-promotes and owner-chooses-promotion.
    fn board_moves(
        state: &Stair,
        board: AttackBoard,
        sink: &mut dyn FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Continue(rider) = controlled(state, board) else {
            return Continue(());
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
        Continue(())
    }

    /// 9.6: bare kings only (ruling dead-material). Kings that share a column do not attack each other (3.1(d)), and
    /// each guards every square the other could go to, so any piece that gives check also mates.
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
            return Some(MoveFault::BoardDoesNotTurn); // ruling boards-do-not-turn
        }
        if let Some(fault) = explain::pin_fault(state, board, to, true, is_adjacent_over) {
            return Some(fault);
        }
        let from = state.boards.at.layout.pin(board);
        match controlled(state, board) {
            Break(fault) => Some(fault),
            Continue(Some(rider)) if is_backward(state.turn, from, to) => {
                Some(MoveFault::BoardBackward { rider })
            }
            Continue(_) => None,
        }
    }
}

/// The piece, if any, on a board that the side to move controls; else the reason why it does not control the board.
fn controlled(state: &Stair, board: AttackBoard) -> ControlFlow<MoveFault, Option<Square>> {
    let riders = board.squares() & state.occupied();
    match riders.first() {
        Some(_) if riders.more_than_one() => {
            let by = riders.resized();
            Break(MoveFault::BoardCrowded { by })
        }
        Some(rider) if state.own().contains(rider) => Continue(Some(rider)),
        Some(rider) => Break(MoveFault::BoardRider { rider }),
        None if board.is_white() == state.turn.is_white() => Continue(None),
        None => Break(MoveFault::BoardOfOther),
    }
}

/// Whether a pin is further back for a side, by the rank of the corner square (ruling board-goes-backward).
fn is_backward(color: Color, from: Pin, to: Pin) -> bool {
    let (from, to) = (from.corner().rank(), to.corner().rank());
    match color {
        Color::White => to < from,
        Color::Black => to > from,
    }
}

/// The square of a pawn that is promoted by a move of the board: the pawn that it carries to a furthest rank
/// (3.4(e)(i)), or the pawn that waited below the pin it leaves (3.4(e)(iii)).
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

/// The article about a subject.
fn article(subject: Subject) -> &'static str {
    match subject {
        Subject::Piece(role) => [
            "Meder 3.4",
            "Meder 3.3",
            "Meder 3.2(c)",
            "Meder 3.2(b)",
            "Meder 3.2(a)",
            "Meder 3.5(a)(i)",
        ][role as usize],
        Subject::Turn | Subject::Passing => "Meder 1.1",
        Subject::Squares => "Meder 3.1(e)",
        Subject::OwnPiece => "Meder 3.1(b)",
        Subject::Blocked => "Meder 3.1(c)",
        Subject::SameColumn | Subject::Stays => "Meder 3.1(d)",
        Subject::PawnForward | Subject::PawnAhead => "Meder 3.4(a)",
        Subject::PawnDistance => "Meder 3.4(b)",
        Subject::PawnTakes => "Meder 3.4(c)",
        Subject::EnPassant => "Meder 3.4(d)",
        Subject::Promotion => "Meder 3.4(e)(i)",
        Subject::PromotionRank => "Meder 3.4(e)(ii)",
        Subject::PromotionByBoard => "Meder 3.4(e)(iii)",
        Subject::KingSafety => "Meder 3.5(b)",
        Subject::Castling(CastlingFault::FirstMove) => "Meder 3.5(a)(ii)(1)[a]",
        Subject::Castling(CastlingFault::Lost) => "Meder 3.5(a)(ii)(1)[b], [c]",
        Subject::Castling(CastlingFault::Attacked(_)) => "Meder 3.5(a)(ii)(2)[a]",
        Subject::Castling(CastlingFault::Occupied(_)) => "Meder 3.5(a)(ii)(2)[b]",
        Subject::Castling(_) => "Meder 3.5(a)(ii)",
        // The remaining subjects are about boards.
        _ => "Meder 3.6",
    }
}
