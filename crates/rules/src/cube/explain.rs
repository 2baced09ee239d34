//! Explains why a piece does not reach a square on the cube.

use super::tables::{Cube, Tables};
use crate::fault::MoveFault;
use crate::piece::{Color, Role};
use tridex_geometry::Square;
use tridex_geometry::cube::{between, file, level, offset, rank};

/// Why a piece does not reach a square by its own movement.
pub(crate) fn way(
    tables: &Tables,
    state: &Cube,
    color: Color,
    role: Role,
    from: Square,
    to: Square,
) -> MoveFault {
    if role == Role::Pawn {
        return pawn_way(tables, state, color, from, to);
    }
    if !tables.sees(color, role, from).contains(to) {
        return MoveFault::Shape { role };
    }
    nearest_between(state, from, to)
        .map_or(MoveFault::Shape { role }, |by| MoveFault::Blocked { by })
}

/// The first piece on the line between two squares.
fn nearest_between(state: &Cube, from: Square, to: Square) -> Option<Square> {
    let distance = |s: &Square| {
        let files = file(*s).abs_diff(file(from));
        let ranks = rank(*s).abs_diff(rank(from));
        files.max(ranks).max(level(*s).abs_diff(level(from)))
    };
    let held = between(from, to)? & state.occupied();
    held.into_iter().min_by_key(distance)
}

fn pawn_way(tables: &Tables, state: &Cube, color: Color, from: Square, to: Square) -> MoveFault {
    let held = state.occupied().contains(to);
    if tables.sees(color, Role::Pawn, from).contains(to) {
        return MoveFault::NothingToTake { square: to };
    }
    for (f, r, l) in tables.pawn_steps {
        let r = r * color.forward();
        let one = offset(from, *f, r, *l);
        let two = one.and_then(|one| offset(one, *f, r, *l));
        if one == Some(to) {
            return MoveFault::PawnTakesAhead { square: to };
        }
        if two == Some(to) {
            if !state.unmoved.contains(from) {
                return MoveFault::DoubleStepLost;
            }
            return match one.filter(|one| state.occupied().contains(*one)) {
                _ if held => MoveFault::PawnTakesAhead { square: to },
                Some(by) => MoveFault::Blocked { by },
                None => MoveFault::Shape { role: Role::Pawn },
            };
        }
    }
    let gained = (rank(to) as i8 - rank(from) as i8) * color.forward();
    if gained < 0 || gained == 0 && file(from) != file(to) {
        MoveFault::PawnNotForward
    } else if gained > 2 && file(from) == file(to) {
        MoveFault::PawnTooFar
    } else {
        MoveFault::Shape { role: Role::Pawn }
    }
}
