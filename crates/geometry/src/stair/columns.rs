//! Columns: the 60 cells of the plan, the board as seen from above.

use super::{FILES, RANKS};

/// A cell of the plan: file `0..6` (`z` to `e`) and rank `0..10`. It contains no square, one square, or several on top
/// of each other.
///
/// ```
/// use tridex_geometry::stair::Column;
///
/// let a1 = Column::new(1, 1);
/// assert_eq!((a1.file(), a1.rank(), a1.index()), (1, 1, 7));
/// assert_eq!(a1.offset(1, 2), Some(Column::new(2, 3)));
/// assert_eq!(a1.ranks_away(-2), None);
/// assert_eq!(Column::try_new(6, 0), None);
/// assert_eq!(Column::all().count(), Column::COUNT);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Column(u8);

impl Column {
    /// The number of columns.
    pub const COUNT: usize = 60;

    /// The column of a file and a rank.
    ///
    /// # Panics
    /// If the file is 6 or more, or the rank 10 or more. [`Column::try_new`] returns `None` instead.
    #[must_use]
    pub const fn new(file: u8, rank: u8) -> Self {
        assert!(file < FILES && rank < RANKS, "no such column");
        Self(rank * FILES + file)
    }

    /// The column of a file and a rank, or `None` outside the plan. See also [`Column::new`].
    #[must_use]
    #[inline]
    pub const fn try_new(file: u8, rank: u8) -> Option<Self> {
        if file < FILES && rank < RANKS {
            Some(Self(rank * FILES + file))
        } else {
            None
        }
    }

    /// The column of an index that is known to be below 60. Tables have 64 entries and their index is masked, so a
    /// larger one cannot cause a panic.
    #[must_use]
    #[inline]
    pub(crate) const fn from_index(index: u8) -> Self {
        Self(index)
    }

    /// The column `files` and `ranks` away, if it is on the plan.
    #[must_use]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        let file = self.file() as i8 + files;
        let rank = self.rank() as i8 + ranks;
        if file < 0 || rank < 0 {
            return None;
        }
        Self::try_new(file as u8, rank as u8)
    }

    /// The column `ranks` ranks away on the same file, if it is on the plan. Faster than [`Column::offset`].
    #[must_use]
    #[inline]
    pub const fn ranks_away(self, ranks: i8) -> Option<Self> {
        let index = self.0 as i8 + ranks * FILES as i8;
        if index >= 0 && index < Self::COUNT as i8 {
            Some(Self(index as u8))
        } else {
            None
        }
    }

    /// The file, `0..6`.
    #[must_use]
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 % FILES
    }

    /// The rank, `0..10`.
    #[must_use]
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 / FILES
    }

    /// The index `0..60`: rank by rank from file `z`.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// All columns, rank by rank.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u8).map(Self)
    }
}

/// A set of columns, one bit each.
///
/// ```
/// use tridex_geometry::stair::{Column, ColumnSet};
///
/// let rank_1: ColumnSet = (0..6).map(|file| Column::new(file, 1)).collect();
/// let a1 = ColumnSet::of(Column::new(1, 1));
/// assert_eq!(rank_1.minus(a1).count(), 5);
/// assert_eq!(rank_1.and(a1), a1);
/// assert_eq!(rank_1.or(a1), rank_1);
/// assert_eq!((rank_1.first(), rank_1.last()), (Some(Column::new(0, 1)), Some(Column::new(5, 1))));
/// assert_eq!(rank_1.into_iter().count(), 6);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct ColumnSet(pub u64);

impl ColumnSet {
    /// No column.
    pub const EMPTY: Self = Self(0);
    /// All sixty columns.
    pub const FULL: Self = Self((1 << 60) - 1);

    /// The set of one column.
    #[must_use]
    #[inline]
    pub const fn of(column: Column) -> Self {
        Self(1 << column.0)
    }

    /// Whether the column is in the set.
    #[must_use]
    #[inline]
    pub const fn contains(self, column: Column) -> bool {
        self.0 >> column.0 & 1 != 0
    }

    /// The set with the column added if `is_in`, else removed. Compiles to code without a branch.
    #[must_use]
    #[inline]
    pub const fn with(self, column: Column, is_in: bool) -> Self {
        Self(self.0 & !(1 << column.0) | (is_in as u64) << column.0)
    }

    /// Whether no column is in the set.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The first column in index order.
    #[must_use]
    #[inline]
    pub const fn first(self) -> Option<Column> {
        if self.0 == 0 {
            return None;
        }
        Some(Column(self.0.trailing_zeros() as u8))
    }

    /// The last column in index order.
    #[must_use]
    #[inline]
    pub const fn last(self) -> Option<Column> {
        if self.0 == 0 {
            return None;
        }
        Some(Column(63 - self.0.leading_zeros() as u8))
    }

    /// The columns that are in both sets.
    #[must_use]
    #[inline]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The columns that are in at least one of the sets.
    #[must_use]
    #[inline]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The columns of this set that are not in the other.
    #[must_use]
    #[inline]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The number of columns in the set.
    #[must_use]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }
}

impl FromIterator<Column> for ColumnSet {
    fn from_iter<I: IntoIterator<Item = Column>>(columns: I) -> Self {
        columns
            .into_iter()
            .fold(Self::EMPTY, |set, column| set.or(Self::of(column)))
    }
}

/// The columns of a set in index order.
#[derive(Clone, Debug)]
pub struct ColumnSetIter(u64);

impl Iterator for ColumnSetIter {
    type Item = Column;
    #[inline]
    fn next(&mut self) -> Option<Column> {
        if self.0 == 0 {
            return None;
        }
        let index = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(Column(index))
    }
}

impl IntoIterator for ColumnSet {
    type Item = Column;
    type IntoIter = ColumnSetIter;
    #[inline]
    fn into_iter(self) -> ColumnSetIter {
        ColumnSetIter(self.0)
    }
}
