//! Moves of boards, and promotions that depend on them.

use super::board::Stair;
use crate::moves::{BoardPromotion, Move};
use crate::piece::{Color, Role};
use std::ops::ControlFlow;
use tridex_geometry::Square;
use tridex_geometry::stair::{AttackBoard, Pin};

/// Passes a board move to the sink, once for each choice if it promotes a pawn at `promotes`, else once.
pub(crate) fn board_move(
    board: AttackBoard,
    to: Pin,
    turned: bool,
    promotes: Option<Square>,
    sink: &mut dyn FnMut(Move) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let Some(square) = promotes else {
        return sink(Move::Board {
            board,
            to,
            turned,
            promotion: None,
        });
    };
    for role in Role::PROMOTIONS {
        sink(Move::Board {
            board,
            to,
            turned,
            promotion: Some(BoardPromotion { square, role }),
        })?;
    }
    ControlFlow::Continue(())
}

/// The pawn, if any, that waits on the corner square of the main board below a pin: White's on a8B or d8B below pin 6,
/// Black's on a1W or d1W below pin 1 (Meder 3.4(e)(iii), Federation 3.7).
pub(crate) fn waiting_pawn(state: &Stair, pin: Pin) -> Option<(Square, Color)> {
    let corner = pin.corner();
    let color = match corner.number() {
        6 => Color::White,
        1 => Color::Black,
        _ => return None,
    };
    let square = corner.main_board().square(corner.column(pin.wing()))?;
    state
        .pieces(color, Role::Pawn)
        .contains(square)
        .then_some((square, color))
}
