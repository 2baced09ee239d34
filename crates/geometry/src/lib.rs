//! Board geometry of three-dimensional chess, without pieces and without notation.
//!
//! Two families of board exist. On the **stair board** (Tri-D chess: three main boards and four movable attack boards,
//! 64 squares) a *square* belongs to a *board* and lies in a *column*, its position as seen from above. A
//! [`Layout`](stair::Layout) stores the *pins* of the attack boards, which determine the columns of their squares. On
//! the **cube board** (8x8x3, 192 squares) a square has a *file*, a *rank* and a *level*, and nothing but pieces moves.
//!
//! A [`Square`] is an index into one of the two families. It has no name: published notations disagree even on the
//! order of the coordinates, so letters and digits belong to the notations.
//!
//! Squares of attack boards are *physical*: a piece on an attack board stays on its square when the board moves, and
//! only the layout changes. So a board move costs no more than any other move, and a position is small.
//!
//! ```
//! use tridex_geometry::{cube, stair};
//!
//! let column = stair::Column::new(1, 3);
//! let layout = stair::Layout::start(stair::Surface::Over);
//! assert_eq!(layout.stack(column).count(), 2, "White's board and the Neutral board overlap here");
//!
//! let square = cube::try_square(2, 4, 0).unwrap();
//! assert_eq!((cube::level(square), cube::file(square), cube::rank(square)), (2, 4, 0));
//! ```
#![forbid(unsafe_code)]

pub mod cube;
mod set;
pub mod stair;

pub use set::{SquareSet, SquareSetIter};

/// A square of either board family, as an index: `0..64` on the stair board, `0..192` on the cube.
///
/// The position determines the family. See [`stair`] and [`cube`] for the meaning of the index.
///
/// ```
/// use tridex_geometry::Square;
///
/// assert_eq!(Square::new(63).index(), 63);
/// assert_eq!(Square::try_new(192), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u8);

impl Square {
    /// The number of squares of the larger family, a bound for tables indexed by square.
    pub const CAPACITY: usize = 192;

    /// The square with this index.
    ///
    /// # Panics
    /// If `index` is 192 or more. [`Square::try_new`] returns `None` instead.
    #[must_use]
    pub const fn new(index: u8) -> Self {
        assert!(index < Self::CAPACITY as u8, "square index out of range");
        Self(index)
    }

    /// The square with this index, or `None` if it is 192 or more. See also [`Square::new`].
    #[must_use]
    pub const fn try_new(index: u8) -> Option<Self> {
        if index < Self::CAPACITY as u8 {
            Some(Self(index))
        } else {
            None
        }
    }

    /// The index of the square, `0..192`.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The king's side or the queen's side of the board. Pins and attack boards are named after their side.
///
/// ```
/// use tridex_geometry::Wing;
///
/// assert_eq!(Wing::Queen.other(), Wing::King);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wing {
    /// The queen's side (files `z a`, pins `QL`, `QP`).
    Queen,
    /// The king's side (files `d e`, pins `KL`, `KP`).
    King,
}

impl Wing {
    /// Both sides, the queen's first.
    pub const ALL: [Self; 2] = [Self::Queen, Self::King];

    /// The other side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Queen => Self::King,
            Self::King => Self::Queen,
        }
    }
}

/// Colour of a square.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Shade {
    /// A "white" square.
    Light,
    /// A "black" square.
    Dark,
}

/// The two families of boards.
///
/// ```
/// use tridex_geometry::Family;
///
/// assert_eq!([Family::Stair, Family::Cube].map(Family::squares), [64, 192]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Family {
    /// The stair board of Tri-D chess, 64 squares.
    Stair,
    /// The cube board of 8x8x3 chess, 192 squares.
    Cube,
}

impl Family {
    /// The number of squares of the family: 64 or 192.
    #[must_use]
    pub const fn squares(self) -> usize {
        match self {
            Self::Stair => stair::SQUARES,
            Self::Cube => cube::SQUARES,
        }
    }
}

// Compiles and runs the README's example along with the doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod read_me {}
