//! Invented for tests: rules of the stair board that differ from all others in castling and
//! promotion. Lines and boards are as in Meder's.

use crate::articles::Subject;
use crate::castling::CastlingSquares;
use crate::facts::{Arrival, CastlingRule, SystemFacts, set_of};
use crate::fault::MoveFault;
use crate::moves::Move;
use crate::piece::Role;
use crate::stair::board::{Stair, main, on};
use crate::stair::{Blocking, STAIR_FACTS, StairRules, explain};
use crate::systems::manual;
use crate::systems::meder::Meder;
use std::ops::ControlFlow;
use tridex_geometry::Square;
use tridex_geometry::stair::{AttackBoard, MainBoard, Pin};

#[derive(Clone, PartialEq)]
pub(crate) struct InventedStair;

const KING: Square = main(MainBoard::White, 3, 1);

/// The king exchanges places with a rook, regardless of the pieces in between.
const fn exchange(rook: Square) -> CastlingRule {
    CastlingRule {
        squares: CastlingSquares {
            king: (KING, rook),
            rook: (rook, KING),
        },
        path: set_of(&[]),
        safe: set_of(&[rook]),
    }
}

impl StairRules for InventedStair {
    const FACTS: &'static SystemFacts = &SystemFacts {
        name: "invented-stair",
        aliases: &["stair of tests"],
        number: 5,
        notation: "meder",
        source: "The tests of tridex",
        summary: "Invented for tests. The king exchanges places with a rook, and a pawn may stay a pawn.",
        white: &manual::WHITE,
        castlings: Some([
            exchange(on(AttackBoard::WhiteKing, 1, 0)),
            exchange(on(AttackBoard::WhiteQueen, 0, 0)),
        ]),
        on_last: Arrival::MayPromote,
        repetition_ends: true,
        claim_after: Some(60),
        article: |subject| match subject {
            Subject::Castling(_) => "Invented 2",
            _ => "Invented 1",
        },
        ..STAIR_FACTS
    };
    const BLOCKING: Blocking = Blocking::Held;

    fn board_moves(
        state: &Stair,
        board: AttackBoard,
        sink: &mut dyn FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        <Meder as StairRules>::board_moves(state, board, sink)
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
        <Meder as StairRules>::why_board_stays(state, board, to, turned)
    }
}
