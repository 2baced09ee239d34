//! Lines of columns: the eight directions of the plan, rays, and the columns between two others.
//!
//! These are lines of the *plan*. The rules decide whether a piece may pass a gap or a column with a piece.

use super::{Column, ColumnSet};
use crate::cube::FLAT_DIRECTIONS;

/// One of the eight directions of the plan.
///
/// ```
/// use tridex_geometry::stair::{Column, Direction};
///
/// let from = Column::new(1, 1);
/// assert_eq!(Direction::from_to(from, Column::new(4, 4)), Some(Direction::NorthEast));
/// assert_eq!(Direction::from_to(from, Column::new(2, 3)), None);
/// assert_eq!(Direction::NorthEast.step(), (1, 1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// Along the rank, toward file `e`.
    East,
    /// Along the file, toward rank 9.
    North,
    /// Diagonal, toward file `e` and rank 9.
    NorthEast,
    /// Diagonal, toward file `z` and rank 9.
    NorthWest,
    /// Along the rank, toward file `z`.
    West,
    /// Along the file, toward rank 0.
    South,
    /// Diagonal, toward file `z` and rank 0.
    SouthWest,
    /// Diagonal, toward file `e` and rank 0.
    SouthEast,
}

impl Direction {
    /// All directions: first the four in which column indices grow, then their opposites in the same order.
    pub const ALL: [Self; 8] = [
        Self::East,
        Self::North,
        Self::NorthEast,
        Self::NorthWest,
        Self::West,
        Self::South,
        Self::SouthWest,
        Self::SouthEast,
    ];
    /// The directions along files and ranks.
    pub const ORTHOGONAL: [Self; 4] = [Self::East, Self::North, Self::West, Self::South];
    /// The directions along diagonals.
    pub const DIAGONAL: [Self; 4] = [
        Self::NorthEast,
        Self::NorthWest,
        Self::SouthWest,
        Self::SouthEast,
    ];

    /// The step: files and ranks, each -1, 0 or 1.
    #[must_use]
    pub const fn step(self) -> (i8, i8) {
        FLAT_DIRECTIONS[self as usize]
    }

    /// The direction from a column to an adjacent column. The two must be adjacent: for others the result may be wrong.
    #[must_use]
    #[inline]
    pub const fn to_neighbour(from: Column, neighbour: Column) -> Option<Self> {
        // The difference of the indices is not exact: the last file of a rank and the first of the next rank look
        // adjacent.
        match neighbour.index() as i8 - from.index() as i8 {
            1 => Some(Self::East),
            6 => Some(Self::North),
            7 => Some(Self::NorthEast),
            5 => Some(Self::NorthWest),
            -1 => Some(Self::West),
            -6 => Some(Self::South),
            -7 => Some(Self::SouthWest),
            -5 => Some(Self::SouthEast),
            _ => None,
        }
    }

    /// Whether column indices grow along the direction.
    #[must_use]
    #[inline]
    pub const fn grows(self) -> bool {
        (self as u8) < 4
    }

    /// The direction from one column to another, if they share a file, a rank or a diagonal.
    #[must_use]
    pub const fn from_to(from: Column, to: Column) -> Option<Self> {
        let df = to.file() as i8 - from.file() as i8;
        let dr = to.rank() as i8 - from.rank() as i8;
        if df == 0 && dr == 0 || df != 0 && dr != 0 && df != dr && df != -dr {
            return None;
        }
        let mut i = 0;
        while i < 8 {
            let (f, r) = Self::ALL[i].step();
            if df.signum() == f && dr.signum() == r {
                return Some(Self::ALL[i]);
            }
            i += 1;
        }
        None
    }
}

const RAYS: [[u64; 64]; 8] = {
    let mut table = [[0; 64]; 8];
    let mut d = 0;
    while d < 8 {
        let (f, r) = Direction::ALL[d].step();
        let mut i = 0;
        while i < Column::COUNT {
            let mut at = Column::from_index(i as u8);
            while let Some(next) = at.offset(f, r) {
                table[d][i] |= 1 << next.index();
                at = next;
            }
            i += 1;
        }
        d += 1;
    }
    table
};

/// The columns strictly between two others. All ones if no line joins the two, so that [`is_cut_off`] is a single test.
static BETWEEN: [[u64; 64]; 64] = {
    let mut table = [[u64::MAX; 64]; 64];
    let mut d = 0;
    while d < 8 {
        let (f, r) = Direction::ALL[d].step();
        let mut i = 0;
        while i < Column::COUNT {
            let mut at = Column::from_index(i as u8);
            let mut passed = 0;
            while let Some(next) = at.offset(f, r) {
                table[i][next.index()] = passed;
                passed |= 1 << next.index();
                at = next;
            }
            i += 1;
        }
        d += 1;
    }
    table
};

const fn leaps(steps: &[(i8, i8)]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut i = 0;
    while i < Column::COUNT {
        let mut s = 0;
        while s < steps.len() {
            if let Some(to) = Column::from_index(i as u8).offset(steps[s].0, steps[s].1) {
                table[i] |= 1 << to.index();
            }
            s += 1;
        }
        i += 1;
    }
    table
}

const KING: [u64; 64] = leaps(&FLAT_DIRECTIONS);
const KNIGHT: [u64; 64] = leaps(&[
    (1, 2),
    (2, 1),
    (-1, 2),
    (-2, 1),
    (1, -2),
    (2, -1),
    (-1, -2),
    (-2, -1),
]);

/// The columns in a direction up to the first of `blockers`, which is included, or to the edge of the plan.
///
/// ```
/// use tridex_geometry::stair::{Column, ColumnSet, Direction, reach};
///
/// let a1 = Column::new(1, 1);
/// let blockers = ColumnSet::of(Column::new(1, 4));
/// assert_eq!(reach(a1, Direction::North, blockers).last(), Some(Column::new(1, 4)));
/// assert_eq!(reach(a1, Direction::North, ColumnSet::EMPTY).last(), Some(Column::new(1, 9)));
/// ```
#[must_use]
#[inline]
pub const fn reach(from: Column, direction: Direction, blockers: ColumnSet) -> ColumnSet {
    let all = RAYS[direction as usize][from.index() & 63];
    let stops = all & blockers.0;
    // The bits up to and including the first stop; all if there is none.
    let seen = if direction.grows() {
        stops ^ stops.wrapping_sub(1)
    } else {
        u64::MAX << (63 - (stops | 1).leading_zeros())
    };
    ColumnSet(all & seen)
}

/// The columns strictly between two columns of one file, rank or diagonal. `None` if no line joins them or they are the
/// same column.
///
/// ```
/// use tridex_geometry::stair::{Column, ColumnSet, between};
///
/// let (a1, c3) = (Column::new(1, 1), Column::new(3, 3));
/// assert_eq!(between(a1, c3), Some(ColumnSet::of(Column::new(2, 2))));
/// assert_eq!(between(a1, a1), None);
/// ```
#[must_use]
#[inline]
pub const fn between(a: Column, b: Column) -> Option<ColumnSet> {
    match BETWEEN[a.index() & 63][b.index() & 63] {
        u64::MAX => None,
        columns => Some(ColumnSet(columns)),
    }
}

/// Whether no open line joins two columns: they are not on a line, or one of `blockers` is strictly between them. This
/// is [`between`] and a test of its result in one step.
///
/// ```
/// use tridex_geometry::stair::{Column, ColumnSet, is_cut_off};
///
/// let (a1, a4) = (Column::new(1, 1), Column::new(1, 4));
/// assert!(!is_cut_off(a1, a4, ColumnSet::EMPTY));
/// assert!(is_cut_off(a1, a4, ColumnSet::of(Column::new(1, 2))));
/// ```
#[must_use]
#[inline]
pub const fn is_cut_off(a: Column, b: Column, blockers: ColumnSet) -> bool {
    // The highest bit belongs to no column. It is set on both sides of the `&` if no line joins the two.
    BETWEEN[a.index() & 63][b.index() & 63] & (blockers.0 | 1 << 63) != 0
}

const fn union(directions: &[Direction; 4]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut i = 0;
    while i < Column::COUNT {
        let mut d = 0;
        while d < 4 {
            table[i] |= RAYS[directions[d] as usize][i];
            d += 1;
        }
        i += 1;
    }
    table
}

const ORTHOGONALS: [u64; 64] = union(&Direction::ORTHOGONAL);
const DIAGONALS: [u64; 64] = union(&Direction::DIAGONAL);

/// All other columns on the file and the rank of a column.
///
/// ```
/// use tridex_geometry::stair::{Column, diagonals, orthogonals};
///
/// let z0 = Column::new(0, 0);
/// assert_eq!(orthogonals(z0).count(), 5 + 9);
/// assert_eq!(diagonals(z0).count(), 5);
/// ```
#[must_use]
#[inline]
pub const fn orthogonals(from: Column) -> ColumnSet {
    ColumnSet(ORTHOGONALS[from.index() & 63])
}

/// All other columns on the diagonals of a column.
#[must_use]
#[inline]
pub const fn diagonals(from: Column) -> ColumnSet {
    ColumnSet(DIAGONALS[from.index() & 63])
}

/// The adjacent columns, at most eight.
///
/// ```
/// use tridex_geometry::stair::{Column, king_steps, knight_steps};
///
/// assert_eq!(king_steps(Column::new(0, 0)).count(), 3);
/// assert_eq!(knight_steps(Column::new(2, 4)).count(), 8);
/// ```
#[must_use]
#[inline]
pub const fn king_steps(from: Column) -> ColumnSet {
    ColumnSet(KING[from.index() & 63])
}

/// The columns a knight's leap away, at most eight.
#[must_use]
#[inline]
pub const fn knight_steps(from: Column) -> ColumnSet {
    ColumnSet(KNIGHT[from.index() & 63])
}
