//! Castling: its sides, the rights to it, and the squares of king and rook.

use crate::piece::Color;
use tridex_geometry::{Square, Wing};

/// The side of the board a king castles to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CastlingSide {
    /// `0-0`.
    King,
    /// `0-0-0`.
    Queen,
}

impl CastlingSide {
    /// Both sides, the king's first.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// The wing of the rook.
    ///
    /// ```
    /// use tridex_rules::CastlingSide;
    ///
    /// assert_eq!(CastlingSide::Queen.wing(), tridex_geometry::Wing::Queen);
    /// ```
    #[must_use]
    pub const fn wing(self) -> Wing {
        match self {
            Self::King => Wing::King,
            Self::Queen => Wing::Queen,
        }
    }
}

/// The castling rights that are left: four bits in the order `K Q k q`, from the lowest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Castling(pub(crate) u8);

impl Castling {
    /// No right is left.
    pub const NONE: Self = Self(0);
    /// Both sides have both rights.
    pub const ALL: Self = Self(15);

    /// Whether a side still has the right to castle to a wing.
    ///
    /// ```
    /// use tridex_rules::{Castling, CastlingSide, Color};
    /// let rights = Castling::ALL.without(Color::White, CastlingSide::King);
    /// assert!(!rights.has(Color::White, CastlingSide::King));
    /// assert!(rights.has(Color::White, CastlingSide::Queen));
    /// ```
    #[must_use]
    #[inline]
    pub const fn has(self, color: Color, side: CastlingSide) -> bool {
        self.0 & Self::bit(color, side) != 0
    }

    /// These rights and one more.
    ///
    /// ```
    /// use tridex_rules::{Castling, CastlingSide, Color};
    ///
    /// let right = Castling::NONE.with(Color::White, CastlingSide::King);
    /// assert!(right.has(Color::White, CastlingSide::King));
    /// assert_eq!(right.without(Color::White, CastlingSide::King), Castling::NONE);
    /// ```
    #[must_use]
    pub const fn with(self, color: Color, side: CastlingSide) -> Self {
        Self(self.0 | Self::bit(color, side))
    }

    /// These rights without one of them.
    #[must_use]
    pub const fn without(self, color: Color, side: CastlingSide) -> Self {
        Self(self.0 & !Self::bit(color, side))
    }

    /// Whether a side has a right left.
    #[inline]
    pub(crate) const fn is_any_of(self, color: Color) -> bool {
        self.0 >> (2 * color as u8) & 3 != 0
    }

    /// Whether no right is left.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) const fn bit(color: Color, side: CastlingSide) -> u8 {
        1 << (2 * color as u8 + side as u8)
    }
}

/// The squares of a castling, as pairs of departure and arrival.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CastlingSquares {
    /// Where the king leaves and arrives.
    pub king: (Square, Square),
    /// Where the rook leaves and arrives.
    pub rook: (Square, Square),
}
