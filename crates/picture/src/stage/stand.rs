//! The 3-D view: an oblique projection in which ranks go up and to the right. Storeys are so high that no board, and no
//! piece on it, ever hides a square of another board.
//!
//! The attack boards on one side between two storeys hang one above the other. Each has its own slot, as high as a
//! board with its pieces, so a storey is as high as the boards in it need. The height of an attack board is therefore
//! not its distance from its pin. Its post and its place over the plan show which pin it is on.

use super::{Edges, Point, Slab, Stage, gap};
use tridex_geometry::Family;
use tridex_geometry::stair::{Layout, Pin};
use tridex_rules::Color;

/// How far a rank goes to the right, and how far up.
pub(crate) const SHEAR: f64 = 0.34;
pub(crate) const DEPTH: f64 = 0.44;
/// How far from the near edge of its square the foot of a piece is, in ranks.
pub(crate) const FOOT: f64 = 0.42;
/// The thickness of a board.
pub(crate) const THICK: f64 = 0.13;
/// How far a piece on the last rank rises above its far edge.
const PIECE_HEIGHT: f64 = 0.56;
/// A board of two ranks with its pieces.
const SLOT: f64 = 2.0 * DEPTH + PIECE_HEIGHT + THICK;
/// Between the levels of the cube, in addition to the height of a level.
const AIR: f64 = 0.2;

impl Stage {
    /// Space below a board's near edge: its thickness and the letters of its files.
    fn lip(&self) -> f64 {
        THICK + if self.named { 0.4 } else { 0.08 }
    }

    /// The height from a storey to the next.
    fn storey(&self, tier: u8) -> f64 {
        match self.family {
            Family::Cube => 8.0 * DEPTH + PIECE_HEIGHT + self.lip() + AIR,
            Family::Stair => {
                // The next board lies two ranks further, or nearer, than this one.
                let further = match self.side {
                    Color::White => 2.0,
                    Color::Black => -2.0,
                };
                self.lip()
                    + (4.0 - further) * DEPTH
                    + PIECE_HEIGHT
                    + f64::from(self.slots(tier + 1)) * SLOT
            }
        }
    }

    /// The near left corner of a main board.
    fn main_corner(&self, tier: u8) -> Point {
        let near = f64::from(self.near_rank(tier));
        let height: f64 = (0..tier).map(|below| self.storey(below)).sum();
        Point::new(1.0 + SHEAR * near, DEPTH * near + height)
    }

    pub(super) fn stand_corner(&self, slab: Slab, layout: &Layout) -> Point {
        match slab {
            Slab::Level(level) => Point::new(0.0, f64::from(level) * self.storey(level)),
            Slab::Main(main) => self.main_corner(main.tier()),
            Slab::Attack(attack) => {
                let pin = layout.pin(attack);
                let viewed = self.viewed(pin);
                let file = if viewed.left { 0.0 } else { 4.0 };
                Point::new(
                    file + SHEAR * f64::from(viewed.rank),
                    self.slot_base(gap(pin), self.slot(layout, pin)),
                )
            }
        }
    }

    /// The lower edge of a slot, counted from below.
    fn slot_base(&self, gap: u8, slot: u8) -> f64 {
        let slot = f64::from(slot);
        if gap == 0 {
            // A board that can move there is drawn even if there is no slot for it.
            let slots = f64::from(self.slots(0).max(1));
            return self.main_corner(0).y - self.lip() - (slots - slot) * SLOT + THICK;
        }
        self.main_corner(gap - 1).y + 4.0 * DEPTH + PIECE_HEIGHT + slot * SLOT + THICK
    }

    /// How many slots a gap has.
    fn slots(&self, gap: u8) -> u8 {
        self.space.slots.get(usize::from(gap)).copied().unwrap_or(0)
    }

    /// The slot of a board among those on one side of a gap. Boards near the viewer are low, those far away high.
    fn slot(&self, layout: &Layout, pin: Pin) -> u8 {
        let slots = self.slots(gap(pin));
        let rank = |pin: Pin| {
            let viewed = self.viewed(pin);
            match (viewed.over, viewed.near) {
                (true, true) => 0,
                (false, true) => 1,
                (true, false) => 2,
                (false, false) => 3,
            }
        };
        let mut beside: Vec<u8> = layout
            .pins()
            .into_iter()
            .filter(|other| other.wing() == pin.wing() && gap(*other) == gap(pin))
            .map(rank)
            .collect();
        beside.sort_unstable();
        let below = beside.iter().filter(|other| **other < rank(pin)).count() as u8;
        let above = beside.iter().filter(|other| **other > rank(pin)).count() as u8;
        let highest = slots.saturating_sub(1 + above);
        match rank(pin) {
            0 => 0,
            1 => below,
            _ => below.max(highest),
        }
    }

    /// The foot and the head of a pin's post: a corner of the main board, and the middle of the board on the pin. Both
    /// are on one vertical line, because the middle of a board is over its corner.
    pub(crate) fn post(&self, layout: &Layout, pin: Pin) -> (Point, Point) {
        let viewed = self.viewed(pin);
        let main = self.main_corner(viewed.tier);
        let file = if viewed.left { 0.0 } else { 4.0 };
        let rank = if viewed.near { 0.0 } else { 4.0 };
        let foot = Point::new(main.x + file + SHEAR * rank, main.y + DEPTH * rank);
        let base = self.slot_base(gap(pin), self.slot(layout, pin));
        let head = Point::new(foot.x, base + DEPTH);
        (self.on_sheet(foot), self.on_sheet(head))
    }

    /// The foot and the head of the spine that joins the main board of a storey to the next one.
    pub(crate) fn spine(&self, tier: u8) -> (Point, Point) {
        let shared = match self.side {
            Color::White => 3.0,
            Color::Black => 1.0,
        };
        let lower = self.main_corner(tier);
        let at = |y: f64| Point::new(lower.x + 2.0 + SHEAR * shared, y);
        let foot = lower.y + DEPTH * shared;
        (
            self.on_sheet(at(foot)),
            self.on_sheet(at(foot + self.storey(tier))),
        )
    }

    pub(super) fn stand_edges(&self) -> Edges {
        let beside = match (self.named, self.family) {
            (false, _) => 0.15,
            (true, Family::Cube) => 1.1,
            // Ranks and names of attack boards.
            (true, Family::Stair) => 1.35,
        };
        let margin = if self.named { 0.25 } else { 0.1 };
        // A line of text above everything.
        let head = if self.named { 0.6 } else { 0.0 };
        match self.family {
            Family::Cube => Edges {
                left: -beside,
                right: 8.0 + 8.0 * SHEAR + if self.named { 0.6 } else { 0.25 },
                bottom: -self.lip() - margin,
                top: 2.0 * self.storey(0) + 8.0 * DEPTH + PIECE_HEIGHT + margin + head,
            },
            Family::Stair => {
                let lowest = self.main_corner(0).y - self.lip();
                let bottom = lowest - f64::from(self.slots(0)) * SLOT;
                Edges {
                    left: -beside,
                    right: 6.0 + 10.0 * SHEAR + beside,
                    bottom: bottom - margin,
                    top: self.slot_base(3, self.slots(3)) + margin + head,
                }
            }
        }
    }
}
