//! A piece's move as scoresheets mostly write it: short algebraic notation, before anybody asks what stands where.

use crate::piece::Role;
use tridex_geometry::Square;
use tridex_geometry::stair::{AttackBoard, Column, Pin};

/// A square, as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A square that has its place for good: one of a main board, or of the cube.
    Square(Square),
    /// The square that lies in a column on the attack board of a pin.
    OnPin(Pin, Column),
    /// The square that lies in a column on an attack board, wherever that stands.
    OnBoard(AttackBoard, Column),
}

/// What is written of the square a piece comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Departure {
    /// The file, `0..6` on the stair board and `0..8` on the cube, or [`Departure::ANY`].
    pub file: u8,
    /// The rank, `0..10` on the stair board and `0..8` on the cube, or [`Departure::ANY`].
    pub rank: u8,
    /// The main board or the level of the cube, `0..3` from the lowest, or [`Departure::ANY`].
    pub level: u8,
}

impl Departure {
    /// Nothing is written of it.
    pub const ANY: u8 = 15;
    /// Nothing is written at all.
    pub const UNSAID: Self = Self {
        file: Self::ANY,
        rank: Self::ANY,
        level: Self::ANY,
    };
}

/// A move of a piece that promotes nothing, in short algebraic notation: the kind of piece, where it goes, whether it takes,
/// and perhaps a part of where it comes from. Nine tokens of ten say no more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrittenMove {
    /// The kind of piece.
    pub role: Role,
    /// Whether a capture is written.
    pub captures: bool,
    /// Where it goes.
    pub to: Target,
    /// Where it comes from.
    pub from: Departure,
}

/// Words to be met by what is written of a departure: the members of a file or rank, every bit for
/// [`Departure::ANY`], none for what does not exist.
pub(crate) struct Members(pub(crate) [u64; 16]);

impl Members {
    /// `count` files (or ranks) of `length` members each; file `n` begins at bit `n * start`, and `step` bits lead from
    /// one member to the next.
    pub(crate) const fn new(count: usize, start: usize, length: usize, step: usize) -> Self {
        let mut words = [0; 16];
        let mut n = 0;
        while n < count {
            let mut i = 0;
            while i < length {
                words[n] |= 1 << (n * start + i * step);
                i += 1;
            }
            n += 1;
        }
        words[Departure::ANY as usize] = u64::MAX;
        Self(words)
    }

    #[inline]
    pub(crate) fn of(&self, n: u8) -> u64 {
        self.0[n as usize & 15]
    }
}
