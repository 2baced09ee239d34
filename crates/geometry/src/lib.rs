//! The boards of three-dimensional chess, without pieces and without spelling.
//!
//! Two families of board exist. On the **stair board** (Tri-D chess: three main boards and four movable attack
//! boards, 64 squares) a *square* belongs to a *board* and lies in a *column*, the place seen from the top; where the
//! columns of the attack boards are is told by a [`Layout`](stair::Layout), the *pins* they stand on. On the **cube
//! board** (8x8x3, 192 squares) a square is a *file*, a *rank* and a *level*, and nothing ever moves but the pieces.
//!
//! A [`Square`] is a plain index into one of the two families. It has no spelling of its own: published notations
//! disagree even on the order of the coordinates, so letters and digits belong to the notations.
//!
//! Squares of attack boards are *physical*: a piece that stands on an attack board keeps its square when the board
//! moves, and only the layout changes. That makes a board move as cheap as any other move, and a position a handful
//! of words.
#![forbid(unsafe_code)]

pub mod cube;
mod set;
pub mod stair;

pub use set::{SquareSet, SquareSetIter};

/// A square of either board family, as an index: `0..64` on the stair board, `0..192` on the cube.
///
/// Which family is meant is known by the position the square is used with. See [`stair`] and [`cube`] for the meaning
/// of the index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u8);

impl Square {
    /// The number of squares of the larger family, a bound for tables indexed by square.
    pub const CAPACITY: usize = 192;

    /// The square with this index.
    ///
    /// # Panics
    /// If `index` is 192 or more. See [`Square::try_new`] for a version that reports.
    #[must_use]
    pub const fn new(index: u8) -> Self {
        assert!(index < Self::CAPACITY as u8, "square index out of range");
        Self(index)
    }

    /// The square with this index, or `None` from 192 on.
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

/// The side of the board a king or queen starts on, which also names the sides of the pins.
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

/// A way to look at a family of boards that code shared by all rule systems needs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Family {
    /// The stair board of Tri-D chess, 64 squares.
    Stair,
    /// The cube board of 8x8x3 chess, 192 squares.
    Cube,
}

impl Family {
    /// How many squares the family has: 64 or 192.
    #[must_use]
    pub const fn squares(self) -> usize {
        match self {
            Self::Stair => stair::SQUARES,
            Self::Cube => cube::SQUARES,
        }
    }
}

// The example of the README is compiled and run with those of the docs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod read_me {}
