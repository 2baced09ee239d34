//! The flat view.
//!
//! In a row the three main boards of the stair board rise from left to right, as their ranks do. An attack board is below or
//! above its main board, over the files that it has: one of them is a file of the main board. The file that is left over
//! lies between two main boards, where the boards of both are on different ranks.
//!
//! In a column there are columns for attack boards ("wings") on both sides of the main boards.

use super::{Arrangement, Edges, Point, Slab, Space, Stage};
use tridex_geometry::Family;
use tridex_geometry::stair::Layout;
use tridex_rules::Color;

/// In a row, between a main board and its attack boards, and between it and those of the next main board.
pub(crate) const GAP: f64 = 0.28;
const BETWEEN: f64 = 0.45;
/// In a column, between a main board and a wing.
const AISLE: f64 = 0.65;
/// Between two boards of a pair on one corner.
const PAIR: f64 = 0.3;
/// In a row, between two boards that follow one another between two main boards.
const APART: f64 = 0.26;
/// Between the blocks of a column, and between levels of the cube.
const BLOCK: f64 = 0.55;
const LEVEL: f64 = 0.9;

/// In a row, what lies below the near edge of a main board, and the lower edge of the boards above it.
const BELOW: f64 = 2.0 + APART + GAP;
const ABOVE: f64 = BELOW + 4.0 + GAP;

impl Space {
    /// How wide a wing is.
    fn wing(self) -> f64 {
        2.0 + self.outer()
    }

    /// What the second board of a pair adds to the width.
    fn outer(self) -> f64 {
        if self.pairs { 2.0 + PAIR } else { 0.0 }
    }

    /// In a row, how far attack boards reach beyond the files of their main board.
    fn beyond(self) -> f64 {
        1.0 + self.outer()
    }
}

impl Stage {
    pub(super) fn flat_corner(&self, slab: Slab, layout: &Layout) -> Point {
        match slab {
            Slab::Level(level) => {
                let step = f64::from(level) * (8.0 + LEVEL);
                match self.arrangement {
                    Arrangement::Row => Point::new(step, 0.0),
                    Arrangement::Column => Point::new(0.0, step),
                }
            }
            Slab::Main(main) => {
                let (x, y) = self.block(main.tier());
                match self.arrangement {
                    Arrangement::Row => Point::new(x + self.space.beyond(), y + BELOW),
                    Arrangement::Column => Point::new(x + self.space.wing() + AISLE, y + 1.0),
                }
            }
            Slab::Attack(attack) => {
                let pin = self.viewed(layout.pin(attack));
                let (x, y) = self.block(pin.tier);
                // The upper board of a pair is the one next to the corner.
                let outer = if self.space.pairs && !pin.over {
                    2.0 + PAIR
                } else {
                    0.0
                };
                match (self.arrangement, pin.left) {
                    (Arrangement::Row, left) => {
                        let x = x + self.space.beyond();
                        let x = if left {
                            x - 1.0 - outer
                        } else {
                            x + 3.0 + outer
                        };
                        let y = y + if pin.near { 0.0 } else { ABOVE };
                        // Between two main boards up to four boards follow one another, with a gap between their rims.
                        Point::new(x, y + if left { APART } else { 0.0 })
                    }
                    (Arrangement::Column, left) => {
                        let left_x = x + self.space.outer() - outer;
                        let right_x = x + self.space.wing() + 4.0 + 2.0 * AISLE + outer;
                        let rank = if pin.near { 0.0 } else { 4.0 };
                        Point::new(if left { left_x } else { right_x }, y + rank)
                    }
                }
            }
        }
    }

    /// Which of the three main boards it is, the viewer's own being the first.
    const fn place(&self, tier: u8) -> u8 {
        match self.side {
            Color::White => tier,
            Color::Black => 2 - tier,
        }
    }

    /// The lower left corner of a main board with its wings.
    fn block(&self, tier: u8) -> (f64, f64) {
        let place = f64::from(self.place(tier));
        match self.arrangement {
            Arrangement::Row => (place * self.pitch(), 2.0 * place),
            Arrangement::Column => (0.0, place * (6.0 + BLOCK)),
        }
    }

    /// In a row, how far one main board is from the next. The boards of both share the space between them, unless they come in
    /// pairs.
    fn pitch(&self) -> f64 {
        4.0 + self.space.beyond() + BETWEEN
    }

    /// In a row, the upper edge of the attack boards above the first main board.
    pub(crate) const FIRST_TOP: f64 = ABOVE + 2.0 + APART;

    pub(super) fn flat_edges(&self) -> Edges {
        let margin = if self.named { 0.55 } else { 0.5 };
        let (width, height, head) = match (self.family, self.arrangement) {
            (Family::Cube, Arrangement::Row) => (24.0 + 2.0 * LEVEL, 8.0, 1.1),
            (Family::Cube, Arrangement::Column) => (8.0, 24.0 + 2.0 * LEVEL, 1.1),
            (Family::Stair, Arrangement::Row) => {
                let width = 2.0 * self.pitch() + 4.0 + 2.0 * self.space.beyond();
                (width, 4.0 + Self::FIRST_TOP, 0.0)
            }
            (Family::Stair, Arrangement::Column) => (
                2.0 * self.space.wing() + 4.0 + 2.0 * AISLE,
                18.0 + 2.0 * BLOCK,
                0.4,
            ),
        };
        Edges {
            left: -margin,
            right: width + margin,
            bottom: -margin,
            top: height + margin + if self.named { head } else { 0.0 },
        }
    }
}
