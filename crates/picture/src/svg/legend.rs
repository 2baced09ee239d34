//! The legend: what the discs, rims and spots at the pins mean.

use super::artist::{Artist, Look};
use super::stand::HANGING;
use crate::letters::{Anchor, EM, width};
use crate::scene::Scene;
use crate::stage::{Arrangement, Point, View};
use tridex_geometry::stair::Surface;

/// The size of its words, and from one line to the next.
const SIZE: f64 = 0.3;
const LINE: f64 = 0.5;
/// The width of a sample with the space after it, and the space between two entries.
const SAMPLE: f64 = 0.5;
const SPACE: f64 = 0.4;

/// What an entry explains.
#[derive(Clone, Copy, Debug)]
enum Entry {
    /// Whose attack board.
    Owner(bool),
    /// The rim of an attack board.
    Board(Surface),
    /// A pin without a board.
    Free(Surface),
}

impl Entry {
    const fn words(self) -> &'static str {
        match self {
            Self::Owner(true) => "White\'s board",
            Self::Owner(false) => "Black\'s board",
            Self::Board(Surface::Over) => "on a pin above",
            Self::Board(Surface::Under) => "on a pin below",
            Self::Free(Surface::Over) => "free pin above",
            Self::Free(Surface::Under) => "free pin below",
        }
    }

    /// With sample and space, in squares.
    fn width(self) -> f64 {
        // Fonts are a little wider than the strokes.
        SAMPLE + 1.12 * width(self.words()) * SIZE / EM + SPACE
    }
}

impl Artist<'_> {
    /// The lines of the legend; none where boards are not named or do not move.
    fn entries(&self, scene: &Scene<'_>) -> Vec<Vec<Entry>> {
        if !self.named || self.layout.is_none() {
            return Vec::new();
        }
        let mut entries = vec![Entry::Owner(true), Entry::Owner(false)];
        let below = crate::shows_lower_pins(scene.rules, self.layout);
        if below {
            entries.extend([Surface::Over, Surface::Under].map(Entry::Board));
        }
        if self.stage.view() == View::Flat {
            entries.push(Entry::Free(Surface::Over));
            if below {
                entries.push(Entry::Free(Surface::Under));
            }
        }
        let room = match self.in_corner() {
            true => 7.5,
            false => self.size().x - 0.4,
        };
        let mut lines: Vec<Vec<Entry>> = Vec::new();
        let mut used = room;
        for entry in entries {
            used += entry.width();
            match lines.last_mut() {
                Some(line) if used <= room + SPACE => line.push(entry),
                _ => {
                    lines.push(vec![entry]);
                    used = entry.width();
                }
            }
        }
        lines
    }

    /// Whether the legend has the free corner of the flat row, below the last board.
    fn in_corner(&self) -> bool {
        self.stage.view() == View::Flat && self.stage.arrangement() == Arrangement::Row
    }

    /// The height of what is added below the stage for the legend.
    pub(super) fn legend_height(&self, scene: &Scene<'_>) -> f64 {
        match self.entries(scene).len() {
            0 => 0.0,
            _ if self.in_corner() => 0.0,
            lines => LINE * lines as f64 + 0.15,
        }
    }

    /// Draws the legend.
    pub(super) fn legend(&mut self, scene: &Scene<'_>) {
        let lines = self.entries(scene);
        let size = self.stage.size();
        let (left, bottom) = match self.in_corner() {
            true => (size.x - 7.7, size.y - 0.35),
            false => (0.3 - self.aside, size.y + self.foot - 0.3),
        };
        let first = bottom - LINE * (lines.len() as f64 - 1.0);
        for (i, line) in lines.iter().enumerate() {
            let mut at = Point::new(left, first + LINE * i as f64);
            for entry in line {
                self.sample(at.plus(0.18, -0.1), *entry);
                let text = self.palette.text;
                let words = at.plus(SAMPLE, 0.0);
                self.write(words, SIZE, Anchor::Start, text, false, entry.words());
                at = at.plus(entry.width(), 0.0);
            }
        }
    }

    fn sample(&mut self, at: Point, entry: Entry) {
        match entry {
            Entry::Owner(white) => {
                let start = at.plus(-0.13, 0.13);
                self.owner(start, 0.4, Anchor::Start, white);
            }
            Entry::Board(surface) => {
                let corner = |x, y| at.plus(0.16 * x, 0.13 * y);
                let dashes: &[f64] = match surface {
                    Surface::Under => HANGING,
                    Surface::Over => &[],
                };
                let look = Look {
                    stroke: self.palette.text,
                    width: 0.05,
                    dashes,
                    ..Look::default()
                };
                let corners = [
                    corner(-1.0, -1.0),
                    corner(1.0, -1.0),
                    corner(1.0, 1.0),
                    corner(-1.0, 1.0),
                ];
                self.polygon(&corners, look);
            }
            Entry::Free(surface) => self.free_pin(at, surface),
        }
    }
}
