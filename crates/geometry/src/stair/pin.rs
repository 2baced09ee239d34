//! Pins: the 24 points where attack boards are attached, and the two graphs of adjacent pins.

use super::{Column, ColumnSet, MainBoard};
use crate::Wing;

/// One of the six corners on one side of the board, in the numbering of Meder's pins: 1 and 2 are the near and far
/// corners of White's board, 3 and 4 those of the Neutral board, 5 and 6 those of Black's board.
///
/// The numbering follows from Article 3.6 of Meder's rules: pin 3 has 5, 4 and 2 in front of it and 1 behind it.
///
/// ```
/// use tridex_geometry::Wing;
/// use tridex_geometry::stair::{Column, Corner, MainBoard};
///
/// let corner = Corner::new(4);
/// assert_eq!(corner.main_board(), MainBoard::Neutral);
/// assert!(corner.is_far());
/// assert_eq!(corner.column(Wing::Queen), Column::new(1, 6));
/// assert_eq!(Corner::try_new(7), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Corner(u8);

impl Corner {
    /// The corner with a number `1..=6`, or `None` for another number. See also [`Corner::new`].
    #[must_use]
    pub const fn try_new(number: u8) -> Option<Self> {
        if number >= 1 && number <= 6 {
            Some(Self(number))
        } else {
            None
        }
    }

    /// The corner with a number.
    ///
    /// # Panics
    /// If the number is not `1..=6`. [`Corner::try_new`] returns `None` instead.
    #[must_use]
    pub const fn new(number: u8) -> Self {
        assert!(number >= 1 && number <= 6, "corners are numbered 1 to 6");
        Self(number)
    }

    /// The number, `1..=6`.
    #[must_use]
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The main board of the corner.
    #[must_use]
    pub const fn main_board(self) -> MainBoard {
        match self.0 {
            1 | 2 => MainBoard::White,
            3 | 4 => MainBoard::Neutral,
            _ => MainBoard::Black,
        }
    }

    /// Whether the corner is at the far edge of its main board.
    #[must_use]
    pub const fn is_far(self) -> bool {
        self.0.is_multiple_of(2)
    }

    /// The rank of the corner square of the main board.
    #[must_use]
    #[inline]
    pub const fn rank(self) -> u8 {
        self.main_board().near_rank() + if self.is_far() { 3 } else { 0 }
    }

    /// The column of the corner square on a side.
    #[must_use]
    pub const fn column(self, wing: Wing) -> Column {
        let file = match wing {
            Wing::Queen => 1,
            Wing::King => 4,
        };
        Column::new(file, self.rank())
    }
}

/// The surface of a main board from which a pin projects.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Surface {
    /// Below the board. Only the manual's rules use these pins.
    Under,
    /// Above the board.
    Over,
}

/// A pin: a side, a corner and a surface.
///
/// ```
/// use tridex_geometry::Wing;
/// use tridex_geometry::stair::{Column, Corner, Pin, Surface};
///
/// let pin = Pin::over(Wing::King, Corner::new(2));
/// assert_eq!(pin, Pin::new(Wing::King, Corner::new(2), Surface::Over));
/// assert_eq!(pin.manual_number(), 4);
/// assert_eq!(Pin::from_manual(Wing::King, 4), Some(pin));
/// assert_eq!(pin.origin(), Column::new(4, 4));
/// assert!(pin.covers(Column::new(5, 5)) && pin.columns().contains(Column::new(5, 5)));
/// assert_eq!(pin.mirrored(), Pin::over(Wing::King, Corner::new(5)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pin(u8);

impl Pin {
    /// The number of pins.
    pub const COUNT: usize = 24;

    /// The pin of a side, a corner and a surface.
    #[must_use]
    pub const fn new(wing: Wing, corner: Corner, surface: Surface) -> Self {
        Self(wing as u8 * 12 + (corner.number() - 1) * 2 + surface as u8)
    }

    /// The pin above the board. Meder's and the Federation's rules use no other.
    #[must_use]
    pub const fn over(wing: Wing, corner: Corner) -> Self {
        Self::new(wing, corner, Surface::Over)
    }

    /// All 24 pins in index order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u8).map(Self)
    }

    /// The index `0..24`.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The side of the pin.
    #[must_use]
    #[inline]
    pub const fn wing(self) -> Wing {
        if self.0 < 12 { Wing::Queen } else { Wing::King }
    }

    /// The corner of the pin.
    #[must_use]
    #[inline]
    pub const fn corner(self) -> Corner {
        Corner(self.0 % 12 / 2 + 1)
    }

    /// The surface of the pin.
    #[must_use]
    #[inline]
    pub const fn surface(self) -> Surface {
        if self.0.is_multiple_of(2) {
            Surface::Under
        } else {
            Surface::Over
        }
    }

    /// The manual's pin number `1..=12`: odd below the board, even above (Starfleet manual 2.3, ruling pin-numbers).
    #[must_use]
    pub const fn manual_number(self) -> u8 {
        self.0 % 12 + 1
    }

    /// The pin of a side and the manual's number, or `None` if the number is not `1..=12`.
    #[must_use]
    pub const fn from_manual(wing: Wing, number: u8) -> Option<Self> {
        if number >= 1 && number <= 12 {
            Some(Self(wing as u8 * 12 + number - 1))
        } else {
            None
        }
    }

    /// The pin of the same corner on the other surface.
    #[must_use]
    pub const fn other_surface(self) -> Self {
        Self(self.0 ^ 1)
    }

    /// The column of the near left square of an attack board on this pin.
    #[must_use]
    #[inline]
    pub const fn origin(self) -> Column {
        ORIGINS[self.0 as usize]
    }

    /// The columns of the four squares of an attack board on this pin.
    #[must_use]
    #[inline]
    pub const fn columns(self) -> ColumnSet {
        // Two files by two ranks; ranks are six bits apart.
        ColumnSet(0b1100_0011 << (ORIGINS[self.0 as usize].index() & 63))
    }

    /// Whether an attack board on this pin has a square in a column.
    #[must_use]
    #[inline]
    pub const fn covers(self, column: Column) -> bool {
        let origin = self.origin();
        column.file().wrapping_sub(origin.file()) < 2
            && column.rank().wrapping_sub(origin.rank()) < 2
    }

    /// The pin that corresponds to this one for the other player: corner `n` becomes `7 - n`; surface and side stay the
    /// same.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self::new(
            self.wing(),
            Corner(7 - self.corner().number()),
            self.surface(),
        )
    }
}

const ORIGINS: [Column; Pin::COUNT] = {
    let mut table = [Column::new(0, 0); Pin::COUNT];
    let mut i = 0;
    while i < Pin::COUNT {
        let pin = Pin(i as u8);
        let file = match pin.wing() {
            Wing::Queen => 0,
            Wing::King => 4,
        };
        let corner = pin.corner();
        // The board projects outward. At a near corner it covers the corner's rank and the rank before it; at a far
        // corner, the corner's rank and the rank after it. The same holds for the files.
        let rank = if corner.is_far() {
            corner.rank()
        } else {
            corner.rank() - 1
        };
        table[i] = Column::new(file, rank);
        i += 1;
    }
    table
};

/// The pins adjacent to each pin in one of the two graphs, one bit for each pin.
const fn graph(over: bool) -> [u32; Pin::COUNT] {
    let mut table = [0; Pin::COUNT];
    let mut a = 0;
    while a < Pin::COUNT {
        let mut b = 0;
        while b < Pin::COUNT {
            let (from, to) = (Pin(a as u8), Pin(b as u8));
            let adjacent = if over {
                is_adjacent_over(from, to)
            } else {
                is_adjacent_any_surface(from, to)
            };
            if adjacent {
                table[a] |= 1 << b;
            }
            b += 1;
        }
        a += 1;
    }
    table
}

const OVER: [u32; Pin::COUNT] = graph(true);
const ANY_SURFACE: [u32; Pin::COUNT] = graph(false);

fn pins_of(mut set: u32) -> impl Iterator<Item = Pin> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let pin = Pin(set.trailing_zeros() as u8);
        set &= set - 1;
        Some(pin)
    })
}

/// The pins adjacent to a pin by [`is_adjacent_over`], in index order.
///
/// ```
/// use tridex_geometry::Wing;
/// use tridex_geometry::stair::{Corner, Pin, adjacent_over, is_adjacent_over};
///
/// let ql1 = Pin::over(Wing::Queen, Corner::new(1));
/// let adjacent: Vec<Pin> = adjacent_over(ql1).collect();
/// assert_eq!(adjacent.len(), 3, "QL2, QL3 and KL1");
/// assert!(is_adjacent_over(ql1, Pin::over(Wing::King, Corner::new(1))));
/// ```
pub fn adjacent_over(from: Pin) -> impl Iterator<Item = Pin> {
    pins_of(OVER[from.index() % Pin::COUNT])
}

/// The pins adjacent to a pin by [`is_adjacent_any_surface`], in index order.
///
/// ```
/// use tridex_geometry::Wing;
/// use tridex_geometry::stair::{Pin, adjacent_any_surface, is_adjacent_any_surface};
///
/// // Section 7.1 of the manual: five pins are adjacent to the king's pin 5.
/// let from = Pin::from_manual(Wing::King, 5).unwrap();
/// assert_eq!(adjacent_any_surface(from).count(), 5);
/// assert!(is_adjacent_any_surface(from, from.other_surface()));
/// ```
pub fn adjacent_any_surface(from: Pin) -> impl Iterator<Item = Pin> {
    pins_of(ANY_SURFACE[from.index() % Pin::COUNT])
}

/// Whether two pins are adjacent by Meder's Article 3.6 (also used for the Federation, ruling adjacent-pins). On the
/// same side, the numbers of adjacent pins differ by one or two: they belong to the same or the next main board. On
/// opposite sides, adjacent pins have the same number. Only pins above the boards are adjacent.
#[must_use]
pub const fn is_adjacent_over(from: Pin, to: Pin) -> bool {
    if !matches!(from.surface(), Surface::Over) || !matches!(to.surface(), Surface::Over) {
        return false;
    }
    let (a, b) = (from.corner().number(), to.corner().number());
    if from.wing() as u8 == to.wing() as u8 {
        let distance = a.abs_diff(b);
        distance == 1 || distance == 2
    } else {
        a == b
    }
}

/// Whether two pins are adjacent by the manual's Section 7.1 (a) to (e) (ruling adjacent-pins).
#[must_use]
pub const fn is_adjacent_any_surface(from: Pin, to: Pin) -> bool {
    let (a, b) = (from.corner(), to.corner());
    let same_wing = from.wing() as u8 == to.wing() as u8;
    let same_surface = from.surface() as u8 == to.surface() as u8;
    let tiers = (a.main_board().tier(), b.main_board().tier());
    if tiers.0 == tiers.1 {
        let same_corner = a.number() == b.number();
        // Exactly one part differs: (a) the side, (b) the corner, (c) the surface.
        return matches!(
            (same_wing, same_corner, same_surface),
            (false, true, true) | (true, false, true) | (true, true, false)
        );
    }
    // (d), (e): pins that face each other, on the upper surface of the lower board and the lower surface of the upper
    // board.
    let (lower, upper) = if tiers.0 < tiers.1 {
        (from, to)
    } else {
        (to, from)
    };
    same_wing
        && tiers.0.abs_diff(tiers.1) == 1
        && matches!(lower.surface(), Surface::Over)
        && matches!(upper.surface(), Surface::Under)
}
