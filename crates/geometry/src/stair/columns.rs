//! Columns: the 60 places of the plan, seen from the top.

use super::{FILES, RANKS};

/// A place of the plan: file `0..6` (`z` to `e`) and rank `0..10`. Zero, one or several squares lie in it, one above
/// the other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Column(u8);

impl Column {
    /// How many columns there are.
    pub const COUNT: usize = 60;

    /// The column of a file and a rank.
    ///
    /// # Panics
    /// If the file is 6 or more or the rank 10 or more. See [`Column::try_new`].
    #[must_use]
    pub const fn new(file: u8, rank: u8) -> Self {
        assert!(file < FILES && rank < RANKS, "no such column");
        Self(rank * FILES + file)
    }

    /// The column of a file and a rank, or `None` outside the plan.
    #[must_use]
    #[inline]
    pub const fn try_new(file: u8, rank: u8) -> Option<Self> {
        if file < FILES && rank < RANKS {
            Some(Self(rank * FILES + file))
        } else {
            None
        }
    }

    /// The column of an index that is known to be below 60; others wrap, so that no table is ever overrun.
    #[must_use]
    #[inline]
    pub(crate) const fn from_index(index: u8) -> Self {
        Self(index)
    }

    /// The column that many files and ranks away, if it is on the plan.
    #[must_use]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        let file = self.file() as i8 + files;
        let rank = self.rank() as i8 + ranks;
        if file < 0 || rank < 0 {
            return None;
        }
        Self::try_new(file as u8, rank as u8)
    }

    /// The column of the same file that many ranks away, if it is on the plan. Cheaper than [`Column::offset`].
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

    /// The columns of both sets.
    #[must_use]
    #[inline]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The columns of either set.
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

    /// How many columns are in the set.
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
