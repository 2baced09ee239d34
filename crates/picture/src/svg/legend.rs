//! The legend: what the discs, rims and spots at the pins mean.

use super::artist::{Artist, Look, dashes_of};
use crate::letters::{Anchor, EM, width};
use crate::stage::{Point, View};
use crate::surfaces;
use tridex_geometry::stair::Surface;
use tridex_rules::Color;

/// The size of its text, and the distance from one line to the next.
const SIZE: f64 = 0.3;
const LINE: f64 = 0.5;
/// The width of a sample with the space after it, and the space between two entries.
const SAMPLE: f64 = 0.5;
const SPACE: f64 = 0.4;

/// What an entry explains.
#[derive(Clone, Copy, Debug)]
enum Entry {
    /// Whose attack board.
    Owner(Color),
    /// The rim of an attack board.
    Board(Surface),
    /// A pin without a board.
    Free(Surface),
}

impl Entry {
    const fn words(self) -> &'static str {
        match self {
            Self::Owner(Color::White) => "White's board",
            Self::Owner(Color::Black) => "Black's board",
            Self::Board(Surface::Over) => "on a pin above",
            Self::Board(Surface::Under) => "on a pin below",
            Self::Free(Surface::Over) => "free pin above",
            Self::Free(Surface::Under) => "free pin below",
        }
    }

    /// The width with sample and space, in squares.
    fn width(self) -> f64 {
        // Fonts are a little wider than the strokes.
        SAMPLE + 1.12 * width(self.words()) * SIZE / EM + SPACE
    }
}

impl Artist<'_> {
    /// The lines of the legend; none where boards are not named or do not move.
    fn entries(&self) -> Vec<Vec<Entry>> {
        let (Some(layout), true) = (self.layout(), self.stage.named) else {
            return Vec::new();
        };
        let surfaces = surfaces(self.scene.rules, layout).iter().rev().copied();
        let mut entries: Vec<Entry> = Color::ALL.map(Entry::Owner).into();
        if surfaces.len() > 1 {
            entries.extend(surfaces.clone().map(Entry::Board));
        }
        if self.stage.view == View::Flat {
            entries.extend(surfaces.map(Entry::Free));
        }
        // In a row the legend has the free corner below the last board.
        let space = match self.is_row() {
            true => 7.5,
            false => self.size().x - 0.4,
        };
        let mut lines: Vec<Vec<Entry>> = Vec::new();
        let mut used = space;
        for entry in entries {
            used += entry.width();
            match lines.last_mut() {
                Some(line) if used <= space + SPACE => line.push(entry),
                _ => {
                    lines.push(vec![entry]);
                    used = entry.width();
                }
            }
        }
        lines
    }

    /// The height of what is added below the stage for the legend.
    pub(super) fn legend_height(&self) -> f64 {
        match self.entries().len() {
            0 => 0.0,
            _ if self.is_row() => 0.0,
            lines => LINE * lines as f64 + 0.15,
        }
    }

    /// Draws the legend.
    pub(super) fn legend(&mut self) {
        let lines = self.entries();
        let size = self.stage.size();
        let (left, bottom) = match self.is_row() {
            true => (size.x - 7.7, size.y - 0.35),
            false => (0.3 - self.aside, size.y + self.foot - 0.3),
        };
        let first = bottom - LINE * (lines.len() as f64 - 1.0);
        for (i, line) in lines.iter().enumerate() {
            let mut at = Point::new(left, first + LINE * i as f64);
            for entry in line {
                self.sample(at.plus(0.18, -0.1), *entry);
                let (text, words) = (self.palette.text, at.plus(SAMPLE, 0.0));
                self.write(words, SIZE, Anchor::Start, text, false, entry.words());
                at = at.plus(entry.width(), 0.0);
            }
        }
    }

    fn sample(&mut self, at: Point, entry: Entry) {
        match entry {
            Entry::Owner(color) => {
                self.owner(at.plus(-0.13, 0.13), 0.4, Anchor::Start, color);
            }
            Entry::Board(surface) => {
                let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
                let corners = corners.map(|(x, y)| at.plus(0.16 * x, 0.13 * y));
                let look = Look::lined(self.palette.text, 0.05);
                self.polygon(&corners, look.dashed(dashes_of(surface)));
            }
            Entry::Free(surface) => self.free_pin(at, surface),
        }
    }
}
