//! What the rule systems of the stair board share: columns, pawns seen from the top, boards that move.

mod board;
mod boards;
pub(crate) mod explain;
mod lines;

pub(crate) use board::*;
pub(crate) use boards::*;
pub(crate) use lines::*;

use crate::piece::Color;
use crate::rules::Rules;
use tridex_geometry::Square;

/// Whether a side attacks a square, for the castling laws.
pub(crate) fn is_attacked<R: Rules<1, Ground = Ground>>(
    state: &Stair,
    square: Square,
    by: Color,
) -> bool {
    let from = R::near(state, square) & state.colors[by as usize];
    from.into_iter()
        .any(|from| R::attacks(state, by, state.role_on(from), from, square))
}
