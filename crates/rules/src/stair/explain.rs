//! Explains why a piece does not reach a square on the stair board: what the systems share, and how each follows a
//! line.

use super::board::Stair;
use super::lines::sees;
use crate::fault::MoveFault;
use crate::piece::{Color, Role};
use tridex_geometry::Square;
use tridex_geometry::stair::{AttackBoard, Column, Direction, Pin, Surface};

/// What is wrong with a move regardless of the squares in between, or `None` if the piece moves like that. For a pawn
/// that does not reach the square, `None` leaves two cases: two steps from its start square, and a capture of a piece
/// that is there.
pub(crate) fn shape(
    state: &Stair,
    color: Color,
    role: Role,
    from: Square,
    to: Square,
) -> Option<MoveFault> {
    let (a, b) = (state.boards.column(from), state.boards.column(to));
    if a == b {
        return Some(MoveFault::SameColumn { column: a });
    }
    if role == Role::Pawn {
        return pawn_shape(state, color, from, to);
    }
    (!sees(color, role, a, b)).then_some(MoveFault::Shape { role })
}

fn pawn_shape(state: &Stair, color: Color, from: Square, to: Square) -> Option<MoveFault> {
    let (a, b) = (state.boards.column(from), state.boards.column(to));
    let gained = (b.rank() as i8 - a.rank() as i8) * color.forward();
    let held = state.occupied().contains(to);
    if gained <= 0 {
        return Some(MoveFault::PawnNotForward);
    }
    if sees(color, Role::Pawn, a, b) {
        return (!held).then_some(MoveFault::NothingToTake { square: to });
    }
    if a.file() != b.file() {
        return Some(MoveFault::Shape { role: Role::Pawn });
    }
    if gained > 2 {
        return Some(MoveFault::PawnTooFar);
    }
    if gained == 2 && !state.unmoved.contains(from) {
        return Some(MoveFault::DoubleStepLost);
    }
    held.then_some(MoveFault::PawnTakesAhead { square: to })
}

/// The columns strictly between two columns of one line, in the order in which a piece passes them.
pub(crate) fn passed(a: Column, b: Column) -> Vec<Column> {
    let mut columns = Vec::new();
    if let Some(direction) = Direction::from_to(a, b) {
        let (files, ranks) = direction.step();
        let mut at = a.offset(files, ranks);
        while let Some(column) = at.filter(|column| *column != b) {
            columns.push(column);
            at = column.offset(files, ranks);
        }
    }
    columns
}

/// The first column of a line that holds a piece on any level (Meder 3.1(c)).
pub(crate) fn blocked_column(state: &Stair, from: Square, to: Square) -> Option<MoveFault> {
    let layout = &state.boards.at.layout;
    let columns = passed(layout.column(from), layout.column(to));
    columns.into_iter().find_map(|column| {
        let by = layout.stack(column) & state.occupied();
        (!by.is_empty()).then(|| MoveFault::ColumnBlocked {
            column,
            by: by.resized(),
        })
    })
}

/// The first column of a line that has no square, or no vacant one (manual 5.3 and 6, Federation 4.2 and 4.5).
pub(crate) fn impassable_column(state: &Stair, from: Square, to: Square) -> Option<MoveFault> {
    let layout = &state.boards.at.layout;
    let columns = passed(layout.column(from), layout.column(to));
    columns.into_iter().find_map(|column| {
        let stack = layout.stack(column);
        if stack.is_empty() {
            Some(MoveFault::Gap { column })
        } else if stack.minus(state.occupied()).is_empty() {
            Some(MoveFault::ColumnFull {
                column,
                by: stack.resized(),
            })
        } else {
            None
        }
    })
}

/// The column of the knight's first step, one along the longer leg, if no square exists in it (manual 6.5).
pub(crate) fn knight_gap(state: &Stair, from: Square, to: Square) -> Option<MoveFault> {
    let (a, b) = (state.boards.column(from), state.boards.column(to));
    let files = b.file() as i8 - a.file() as i8;
    let ranks = b.rank() as i8 - a.rank() as i8;
    let column = a.offset(files / 2, ranks / 2)?;
    (!state.boards.at.layout.existing().contains(column)).then_some(MoveFault::KnightGap { column })
}

/// What is wrong with the tiers of a path whose columns can each be passed (Federation 1.3 and 4.3).
///
/// Tries every path, up and down in any order: at most three tiers in each of eight columns.
pub(crate) fn tiers(state: &Stair, from: Square, to: Square) -> Option<MoveFault> {
    let layout = &state.boards.at.layout;
    let tier = |square| layout.tier(square);
    let takes = state.occupied().contains(to);
    let columns = passed(layout.column(from), layout.column(to));
    let mut paths = vec![vec![from]];
    for column in &columns {
        let vacant = layout.stack(*column).minus(state.occupied());
        let steps = (0..3).filter_map(|t| vacant.into_iter().find(|s| tier(*s) == t));
        paths = steps
            .flat_map(|step| {
                paths.iter().map(move |path| {
                    let mut longer = path.clone();
                    longer.push(step);
                    longer
                })
            })
            .collect();
    }
    paths.retain(|path| !takes || path.last().is_some_and(|last| tier(*last) == tier(to)));
    for path in &mut paths {
        path.push(to);
    }
    if paths.is_empty() {
        return Some(MoveFault::TakesOnTier {
            square: to,
            adjacent: columns.is_empty(),
        });
    }
    let turns = |path: &Vec<Square>| {
        let mut heading = 0;
        let mut turns = Vec::new();
        for (at, next) in path.iter().zip(path.iter().skip(1)) {
            let step = (tier(*next) as i8 - tier(*at) as i8).signum();
            if step != 0 && heading != 0 && step != heading {
                turns.push((*at, *next));
            }
            if step != 0 {
                heading = step;
            }
        }
        turns
    };
    let least = paths.iter().map(turns).min_by_key(Vec::len)?;
    let (turn, back) = *least.first()?;
    Some(MoveFault::TurnsBack { turn, back })
}

/// What is wrong with the pin that a board would move to. Turns in place are handled elsewhere. `over_only`: only pins
/// above the main boards are used. `adjacent`: which pins are adjacent.
pub(crate) fn pin_fault(
    state: &Stair,
    board: AttackBoard,
    to: Pin,
    over_only: bool,
    adjacent: fn(Pin, Pin) -> bool,
) -> Option<MoveFault> {
    let from = state.boards.at.layout.pin(board);
    if from == to {
        Some(MoveFault::BoardStays)
    } else if over_only && to.surface() == Surface::Under {
        Some(MoveFault::PinNotUsed { pin: to })
    } else if !adjacent(from, to) {
        Some(MoveFault::PinNotAdjacent { from })
    } else {
        let by = state.boards.at.layout.board_on(to);
        by.map(|by| MoveFault::PinTaken { by })
    }
}
