//! The flat view.
//!
//! In a row the three main boards of the stair board rise from left to right, as their ranks do. Columns for attack
//! boards ("wings") are between them: the right wing of a board is also the left wing of the next. Attack boards do not
//! collide there, because those of one main board are on other ranks than those of the next.

use super::{Arrangement, Edges, Point, Room, Slab, Stage};
use tridex_geometry::Family;
use tridex_geometry::stair::Layout;
use tridex_rules::Color;

/// Between a main board and a wing.
const AISLE: f64 = 0.65;
/// Between two boards of a pair on one corner.
const PAIR: f64 = 0.3;
/// Between two boards that follow one another in a wing.
const APART: f64 = 0.26;
/// Between the blocks of a column, and between levels of the cube.
const BLOCK: f64 = 0.55;
const LEVEL: f64 = 0.9;

impl Room {
    /// How wide a wing is.
    fn wing(self) -> f64 {
        if self.pairs { 4.0 + PAIR } else { 2.0 }
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
                Point::new(x + self.room.wing() + AISLE, y + 1.0)
            }
            Slab::Attack(attack) => {
                let pin = self.viewed(layout.pin(attack));
                let (x, y) = self.block(pin.tier);
                // The upper board of a pair is the one next to the corner.
                let outer = self.room.pairs && !pin.over;
                let x = match (pin.left, outer) {
                    (true, true) => x,
                    (true, false) => x + self.room.wing() - 2.0,
                    (false, _) => {
                        let right = x + self.room.wing() + 4.0 + 2.0 * AISLE;
                        right + if outer { 2.0 + PAIR } else { 0.0 }
                    }
                };
                // In a wing that two main boards share, up to four boards follow one another with a gap between their
                // rims. The outer wings are placed like the inner ones next to them.
                let early = match self.place(pin.tier) {
                    0 => true,
                    2 => false,
                    _ => !pin.left,
                };
                let apart = match (pin.near, early) {
                    (true, true) => -1.5,
                    (true, false) => -0.5,
                    (false, true) => 0.5,
                    (false, false) => 1.5,
                };
                let rank = if pin.near { 0.0 } else { 4.0 };
                let apart = match self.arrangement {
                    Arrangement::Row => apart * APART,
                    Arrangement::Column => 0.0,
                };
                Point::new(x, y + rank + apart)
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
            Arrangement::Row => (place * (self.room.wing() + 4.0 + 2.0 * AISLE), 2.0 * place),
            Arrangement::Column => (0.0, place * (6.0 + BLOCK)),
        }
    }

    pub(super) fn flat_edges(&self) -> Edges {
        let margin = if self.named { 0.55 } else { 0.5 };
        let (width, height, head) = match (self.family, self.arrangement) {
            (Family::Cube, Arrangement::Row) => (24.0 + 2.0 * LEVEL, 8.0, 1.1),
            (Family::Cube, Arrangement::Column) => (8.0, 24.0 + 2.0 * LEVEL, 1.1),
            (Family::Stair, Arrangement::Row) => {
                let (x, _) = self.block(if self.side.is_white() { 2 } else { 0 });
                (x + 2.0 * self.room.wing() + 4.0 + 2.0 * AISLE, 10.0, 0.0)
            }
            (Family::Stair, Arrangement::Column) => (
                2.0 * self.room.wing() + 4.0 + 2.0 * AISLE,
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
