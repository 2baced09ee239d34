//! Lines of columns and moves of pawns on the plan: how pieces move if levels do not matter.

use super::arrangement::{ahead, seen_columns};
use super::board::{BoardState, Stair};
use crate::piece::{Color, Role};
use tridex_geometry::Square;
use tridex_geometry::stair::{Column, ColumnSet, Direction, StairSet, between, reach};

/// Whether a piece sees a column on an empty plan; a pawn sees those it captures on.
#[inline(always)]
pub(crate) fn sees(color: Color, role: Role, from: Column, to: Column) -> bool {
    seen_columns(color, role, from).contains(to)
}

/// The columns that a slider reaches without passing a blocker.
#[inline(always)]
fn slider_columns(role: Role, from: Column, blockers: ColumnSet) -> ColumnSet {
    // No loop: the compiler makes separate code for each direction, without a branch on it.
    let seen = |[a, b, c, d]: [Direction; 4]| {
        let [a, b, c, d] = [a, b, c, d].map(|direction| reach(from, direction, blockers));
        a.or(b).or(c).or(d)
    };
    match role {
        Role::Rook => seen(Direction::ORTHOGONAL),
        Role::Bishop => seen(Direction::DIAGONAL),
        _ => seen(Direction::ORTHOGONAL).or(seen(Direction::DIAGONAL)),
    }
}

/// All squares that a piece reaches if levels do not matter.
#[inline]
pub(crate) fn column_destinations(
    state: &Stair,
    color: Color,
    role: Role,
    from: Square,
) -> StairSet {
    let boards = &state.boards;
    let at = boards.column(from);
    if role == Role::Pawn {
        return column_captures(state, color, at) | column_advances(state, color, from);
    }
    let squares = if role.is_slider() {
        boards
            .at
            .layout
            .squares_of(slider_columns(role, at, boards.blockers))
    } else {
        boards.at.seen(color, role, at)
    };
    squares.minus(state.colors[color as usize])
}

/// The enemy pieces that a pawn can capture.
#[inline]
fn column_captures(state: &Stair, color: Color, at: Column) -> StairSet {
    let seen = state.boards.at.seen(color, Role::Pawn, at);
    seen & state.colors[color.other() as usize]
}

/// The squares that a pawn can advance to: every vacant square one rank ahead, or two ranks ahead over a column that
/// does not block.
#[inline]
fn column_advances(state: &Stair, color: Color, from: Square) -> StairSet {
    let boards = &state.boards;
    let at = boards.column(from);
    let Some(one) = ahead(at, color, 1) else {
        return StairSet::EMPTY;
    };
    let mut squares = boards.at.stack(one);
    if state.unmoved.contains(from)
        && !boards.blockers.contains(one)
        && let Some(two) = ahead(at, color, 2)
    {
        squares |= boards.at.stack(two);
    }
    squares.minus(state.occupied())
}

/// Whether `from` is between `target` and one of the sliders.
#[inline(never)]
pub(crate) fn is_behind(
    boards: &BoardState,
    sliders: StairSet,
    from: Column,
    target: Column,
) -> bool {
    sliders.into_iter().any(|slider| {
        between(boards.column(slider), target).is_some_and(|passed| passed.contains(from))
    })
}
