//! Sets of squares as bitboards.

use crate::Square;

/// A set of squares (a bitboard): `W` words of 64 bits. The stair board needs one word, the cube three.
///
/// Combine sets with `&`, `|`, `^` and `!`, build them with `collect` and iterate over them with `for`.
///
/// ```
/// use tridex_geometry::{Square, SquareSet};
///
/// let mut set: SquareSet<3> = [5, 64, 191].map(Square::new).into_iter().collect();
/// assert!(set.contains(Square::new(64)));
/// assert_eq!(set.count(), 3);
///
/// set.remove(Square::new(5));
/// assert_eq!(set.first(), Some(Square::new(64)));
/// assert_eq!(set & SquareSet::of(Square::new(191)), SquareSet::of(Square::new(191)));
///
/// let indices: Vec<usize> = set.into_iter().map(Square::index).collect();
/// assert_eq!(indices, [64, 191], "squares come in index order");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SquareSet<const W: usize>(pub [u64; W]);

impl<const W: usize> Default for SquareSet<W> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const W: usize> SquareSet<W> {
    /// No square.
    pub const EMPTY: Self = Self([0; W]);
    /// Every square.
    pub const FULL: Self = Self([u64::MAX; W]);

    /// The set of one square. A square outside the family gives an arbitrary set but never a panic, because sets are
    /// built from squares of validated positions.
    #[must_use]
    #[inline]
    pub const fn of(square: Square) -> Self {
        let mut words = [0; W];
        let index = square.index();
        let bit = 1 << (index & 63);
        if W == 1 {
            words[0] = bit;
        } else {
            // Writing every word avoids a store to a computed address, so the set stays in registers.
            let mut i = 0;
            while i < W {
                words[i] = if i == index >> 6 { bit } else { 0 };
                i += 1;
            }
        }
        Self(words)
    }

    /// Whether the square is in the set.
    #[must_use]
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.word_of(square) >> (square.index() & 63) & 1 != 0
    }

    /// The word that holds the square's bit, which is bit `index % 64`.
    #[must_use]
    #[inline]
    pub const fn word_of(&self, square: Square) -> u64 {
        let word = if W == 1 { 0 } else { square.index() >> 6 };
        self.0[if word < W { word } else { 0 }]
    }

    /// Whether no square is in the set.
    #[must_use]
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// Whether the two sets have a square in common.
    ///
    /// ```
    /// use tridex_geometry::cube;
    ///
    /// let rook = cube::CubeSet::of(cube::try_square(0, 0, 0).unwrap());
    /// assert!(!rook.meets(!rook));
    /// ```
    #[must_use]
    #[inline]
    pub fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// The number of squares in the set.
    #[must_use]
    #[inline]
    pub fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether more than one square is in the set.
    #[must_use]
    #[inline]
    pub fn more_than_one(self) -> bool {
        // Either a word holds more than its lowest bit, or two words are not empty.
        let mut words = 0;
        for word in &self.0 {
            if word & word.wrapping_sub(1) != 0 {
                return true;
            }
            words += u32::from(*word != 0);
        }
        words > 1
    }

    /// The first square in index order.
    #[must_use]
    #[inline]
    pub fn first(self) -> Option<Square> {
        for (i, word) in self.0.iter().enumerate() {
            if *word != 0 {
                return Square::try_new((i as u8) << 6 | word.trailing_zeros() as u8);
            }
        }
        None
    }

    /// The only square of the set, or `None` if there is none or more than one.
    ///
    /// ```
    /// use tridex_geometry::cube::{CubeSet, try_square};
    ///
    /// let a1 = try_square(0, 0, 0).unwrap();
    /// assert_eq!(CubeSet::of(a1).single(), Some(a1));
    /// assert_eq!(CubeSet::FULL.single(), None);
    /// ```
    #[must_use]
    #[inline]
    pub fn single(self) -> Option<Square> {
        // The branch predictor cannot guess which word has the square, so all words are read.
        let (mut any, mut sum, mut at) = (0, 0_u64, 0);
        for (i, word) in self.0.iter().enumerate() {
            any |= word;
            sum = sum.wrapping_add(*word);
            at |= if *word == 0 { 0 } else { (i as u8) << 6 };
        }
        // If two words share a bit, their sum differs from that bit.
        if any == 0 || any & any.wrapping_sub(1) != 0 || sum != any {
            return None;
        }
        Square::try_new(at | any.trailing_zeros() as u8)
    }

    /// Adds a square.
    ///
    /// ```
    /// use tridex_geometry::{Square, SquareSet};
    ///
    /// let mut set = SquareSet::<3>::default();
    /// set.insert(Square::new(7));
    /// assert!(!set.more_than_one());
    /// set.insert(Square::new(70));
    /// assert!(set.more_than_one() && set.first() == Some(Square::new(7)));
    /// ```
    #[inline]
    pub fn insert(&mut self, square: Square) {
        if let Some((word, bit)) = self.word_with(square) {
            *word |= bit;
        }
    }

    /// Removes a square.
    #[inline]
    pub fn remove(&mut self, square: Square) {
        if let Some((word, bit)) = self.word_with(square) {
            *word &= !bit;
        }
    }

    /// Adds a square, or removes it if it is there.
    #[inline]
    pub fn toggle(&mut self, square: Square) {
        if let Some((word, bit)) = self.word_with(square) {
            *word ^= bit;
        }
    }

    /// Toggles two squares that are not the same.
    #[inline]
    pub fn toggle_both(&mut self, [a, b]: [Square; 2]) {
        if W == 1 {
            *self ^= Self::of(a) | Self::of(b);
        } else {
            // Change only the words of these two squares.
            self.toggle(a);
            self.toggle(b);
        }
    }

    #[inline]
    fn word_with(&mut self, square: Square) -> Option<(&mut u64, u64)> {
        let word = if W == 1 { 0 } else { square.index() >> 6 };
        Some((self.0.get_mut(word)?, 1 << (square.index() & 63)))
    }

    /// The set with the square added.
    #[must_use]
    #[inline]
    pub fn with(mut self, square: Square) -> Self {
        self.insert(square);
        self
    }

    /// The set without the square.
    #[must_use]
    #[inline]
    pub fn without(mut self, square: Square) -> Self {
        self.remove(square);
        self
    }

    /// The same squares as a set with another number of words. Squares beyond the last word are dropped.
    ///
    /// ```
    /// use tridex_geometry::{Square, SquareSet};
    ///
    /// let cube: SquareSet<3> = [3, 100].map(Square::new).into_iter().collect();
    /// assert_eq!(cube.resized::<1>(), SquareSet::of(Square::new(3)));
    /// ```
    #[must_use]
    #[inline]
    pub fn resized<const V: usize>(self) -> SquareSet<V> {
        let mut words = [0; V];
        for (to, from) in words.iter_mut().zip(&self.0) {
            *to = *from;
        }
        SquareSet(words)
    }

    /// The squares that are in this set and not in the other.
    #[must_use]
    #[inline]
    pub fn minus(self, other: Self) -> Self {
        self & !other
    }
}

macro_rules! operator {
    ($trait:ident $method:ident $assign_trait:ident $assign:ident $op:tt) => {
        impl<const W: usize> core::ops::$trait for SquareSet<W> {
            type Output = Self;
            #[inline]
            fn $method(mut self, other: Self) -> Self {
                for (a, b) in self.0.iter_mut().zip(&other.0) {
                    *a $op *b;
                }
                self
            }
        }
        impl<const W: usize> core::ops::$assign_trait for SquareSet<W> {
            #[inline]
            fn $assign(&mut self, other: Self) {
                for (a, b) in self.0.iter_mut().zip(&other.0) {
                    *a $op *b;
                }
            }
        }
    };
}
operator!(BitAnd bitand BitAndAssign bitand_assign &=);
operator!(BitOr bitor BitOrAssign bitor_assign |=);
operator!(BitXor bitxor BitXorAssign bitxor_assign ^=);

impl<const W: usize> core::ops::Not for SquareSet<W> {
    type Output = Self;
    #[inline]
    fn not(mut self) -> Self {
        for word in &mut self.0 {
            *word = !*word;
        }
        self
    }
}

impl<const W: usize> FromIterator<Square> for SquareSet<W> {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        let mut set = Self::EMPTY;
        for square in squares {
            set.insert(square);
        }
        set
    }
}

/// The squares of a set in index order.
#[derive(Clone, Debug)]
pub struct SquareSetIter<const W: usize> {
    left: SquareSet<W>,
    word: usize,
}

impl<const W: usize> Iterator for SquareSetIter<W> {
    type Item = Square;
    #[inline]
    fn next(&mut self) -> Option<Square> {
        while self.word < W {
            let word = &mut self.left.0[self.word];
            if *word != 0 {
                let bit = word.trailing_zeros() as u8;
                *word &= *word - 1;
                return Square::try_new((self.word as u8) << 6 | bit);
            }
            self.word += 1;
        }
        None
    }
}

impl<const W: usize> IntoIterator for SquareSet<W> {
    type Item = Square;
    type IntoIter = SquareSetIter<W>;
    #[inline]
    fn into_iter(self) -> SquareSetIter<W> {
        SquareSetIter {
            left: self,
            word: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_gives_back_what_was_put_in_in_index_order() {
        let squares = [191, 0, 63, 64, 127, 128].map(Square::new);
        let set: SquareSet<3> = squares.into_iter().collect();
        let mut sorted = squares;
        sorted.sort();
        assert_eq!(set.into_iter().collect::<Vec<_>>(), sorted);
        assert_eq!(set.count(), 6);
        assert_eq!(set.first(), Some(Square::new(0)));
        assert!((set & !set).is_empty());
        assert!(!set.without(Square::new(64)).contains(Square::new(64)));
    }
}
