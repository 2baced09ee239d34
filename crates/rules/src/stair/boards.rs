//! Boards that move, and pawns whose last rank depends on them.

use super::board::Stair;
use crate::moves::{BoardPromotion, Move};
use crate::piece::{Color, Role};
use crate::rules::Arrival;
use std::ops::ControlFlow;
use tridex_geometry::Square;
use tridex_geometry::stair::{AttackBoard, Column, Corner, Layout, Pin};

/// The corner number at a side's far end: 6 for White, 1 for Black.
pub(crate) const fn far_corner(color: Color) -> Corner {
    match color {
        Color::White => Corner::new(6),
        Color::Black => Corner::new(1),
    }
}

/// Whether a square lies on the rank that is furthest for a colour's pawns (Meder 3.4(e)(ii), Federation 3.7): files `b c` on
/// rank 8, files `z e` on rank 9, files `a d` on rank 9 while a board overhangs that corner, else 8; mirrored for
/// Black.
#[inline(always)]
pub(crate) fn is_furthest(layout: &Layout, color: Color, square: Square) -> bool {
    let column = layout.column(square);
    // Most squares are far away, which one comparison tells.
    let near_the_end = match color {
        Color::White => column.index() >= 48,
        Color::Black => column.index() < 12,
    };
    near_the_end && is_furthest_of_near(layout, color, column)
}

#[inline(never)]
fn is_furthest_of_near(layout: &Layout, color: Color, column: Column) -> bool {
    let rank = match color {
        Color::White => column.rank(),
        Color::Black => 9 - column.rank(),
    };
    match column.file() {
        2 | 3 => rank == 8,
        0 | 5 => rank == 9,
        file => {
            let wing = if file == 1 {
                tridex_geometry::Wing::Queen
            } else {
                tridex_geometry::Wing::King
            };
            let overhung = layout
                .board_on(Pin::over(wing, far_corner(color)))
                .is_some();
            rank == if overhung { 9 } else { 8 }
        }
    }
}

/// The arrival of a pawn under Meder's 3.4(e).
#[inline(always)]
pub(crate) fn furthest_arrival(layout: &Layout, color: Color, square: Square) -> Arrival {
    if is_furthest(layout, color, square) {
        Arrival::MustPromote
    } else {
        Arrival::Stays
    }
}

/// Hands a board move to the sink, once, or once for each choice of promotion.
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

/// The pawn that waits on the main board's corner square below a board on a far pin 6 (White's, on a8B or d8B) or 1
/// (Black's, on a1W or d1W), if there is one (Meder 3.4(e)(iii), Federation 3.7).
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
