//! Lines as paths of squares whose tiers never turn back (Federation 4.1 to 4.5, ruling F1).

use super::board::Stair;
use super::lines::{ahead, lines};
use crate::piece::{Color, Role};
use tridex_geometry::Square;
use tridex_geometry::stair::{Column, Direction, StairSet};

/// The tiers on which a path can stand in a column, one bit each: paths that have not fallen, and paths that have not
/// risen (4.3).
#[derive(Clone, Copy)]
pub(crate) struct Tiers {
    rising: u8,
    falling: u8,
}

impl Tiers {
    pub(crate) const fn starting(tier: u8) -> Self {
        Self {
            rising: 1 << tier,
            falling: 1 << tier,
        }
    }

    pub(crate) const fn all(self) -> u8 {
        self.rising | self.falling
    }

    /// Whether a path can go on to a vacant square of a tier in the next column.
    pub(crate) const fn arrives(self, tier: u8) -> bool {
        let below_or_same = (2 << tier) - 1;
        let above_or_same = 0b111 << tier;
        self.rising & below_or_same != 0 || self.falling & above_or_same != 0
    }

    /// The tiers after the next column, of which only vacant squares are passed (4.2, 4.5).
    pub(crate) fn advanced(self, state: &Stair, column: Column) -> Self {
        let layout = &state.boards.layout;
        let mut next = Self {
            rising: 0,
            falling: 0,
        };
        for square in layout.stack(column).minus(state.occupied()) {
            let tier = layout.tier(square);
            if self.rising & ((2 << tier) - 1) != 0 {
                next.rising |= 1 << tier;
            }
            if self.falling & 0b111 << tier != 0 {
                next.falling |= 1 << tier;
            }
        }
        next
    }
}

pub(crate) fn step(column: Column, direction: Direction) -> Option<Column> {
    let (files, ranks) = direction.step();
    column.offset(files, ranks)
}

/// The tiers on which the path of a slider stands just before a column, if it gets there.
pub(crate) fn path(state: &Stair, role: Role, from: Square, to: Column) -> Option<Tiers> {
    let layout = &state.boards.layout;
    let start = layout.column(from);
    if !lines(role, start).contains(to) {
        return None;
    }
    let direction = Direction::from_to(start, to)?;
    let mut tiers = Tiers::starting(layout.tier(from));
    let mut column = step(start, direction)?;
    while column != to {
        tiers = tiers.advanced(state, column);
        if tiers.all() == 0 {
            return None;
        }
        column = step(column, direction)?;
    }
    Some(tiers)
}

/// F3: one forward to any vacant square; two, if unmoved, by a path of two steps.
pub(crate) fn advances(state: &Stair, color: Color, from: Square) -> StairSet {
    let layout = &state.boards.layout;
    let at = layout.column(from);
    let Some(first) = ahead(at, color, 1) else {
        return StairSet::EMPTY;
    };
    let mut squares = layout.stack(first).minus(state.occupied());
    if state.unmoved.contains(from)
        && let Some(second) = ahead(at, color, 2)
    {
        let tiers = Tiers::starting(layout.tier(from)).advanced(state, first);
        for square in layout.stack(second).minus(state.occupied()) {
            if tiers.arrives(layout.tier(square)) {
                squares.insert(square);
            }
        }
    }
    squares
}
