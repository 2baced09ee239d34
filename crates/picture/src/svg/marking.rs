//! Marks: what was moved, check, what can be reached, and what a commentator points at.
//!
//! Every mark has a shape and a zone of its own, from the edge of a square inwards, so that none is shown by colour alone
//! and all of them can be read on one square: the last move a tint with a thin edge, a commentator's mark a frame in the
//! line of its ink, check a disc with a ring under the king, reached squares a spot or (for a capture) a ring. Arrows have
//! a thin outline and leave the middle of a square free. In the 3-D view pieces in front of a mark are transparent.

use super::artist::{Artist, Look};
use crate::marks::{Ink, Marks};
use crate::scene::Scene;
use crate::stage::{Point, Slab, View};
use tridex_geometry::{Family, Square};

impl<'a> Artist<'a> {
    /// Marks under the pieces.
    pub(super) fn marks_below(&mut self, scene: &Scene<'_>, marks: &Marks) {
        let palette = self.palette;
        if let Some(last) = &marks.last {
            if let (Some(board), Some(before)) = (last.board, &last.layout) {
                // Where the board came from.
                let outline = self.outline(Slab::Attack(board), Some(before), 0.0);
                self.polygon(
                    &outline,
                    Look {
                        stroke: palette.last,
                        width: 0.09,
                        dashes: &[0.2, 0.16],
                        ..Look::default()
                    },
                );
            }
            if let Some(board) = last.board {
                let outline = self.outline(Slab::Attack(board), self.layout, 0.02);
                self.ringed(&outline, palette.last, 0.1, &[]);
            }
            for square in &last.squares {
                self.fill(*square, palette.last, 0.35);
                self.frame(*square, 0.03, palette.last, 0.04, &[]);
            }
        }
        if let Some(king) = scene.checked() {
            let at = self.middle(king);
            let disc = Look {
                fill: palette.check,
                opacity: 0.5,
                ..Look::default()
            };
            self.spot(at, 0.36, disc);
            self.circled(at, 0.36, palette.check, 0.05);
        }
        for (square, ink) in &marks.squares {
            let (color, dashes) = self.ink(*ink);
            self.fill(*square, color, 0.2);
            self.frame(*square, 0.11, color, 0.06, dashes);
        }
        for (board, pin) in &marks.pins {
            // Where the board would be, as an outline.
            if let Some(layout) = self.layout
                && let Ok(there) = layout.moved(*board, *pin)
            {
                let outline = self.outline(Slab::Attack(*board), Some(&there), 0.0);
                self.polygon(
                    &outline,
                    Look {
                        stroke: palette.reach,
                        width: 0.08,
                        dashes: &[0.3, 0.14],
                        ..Look::default()
                    },
                );
            }
        }
        for (square, capture) in &marks.reached {
            let at = self.middle(*square);
            if *capture {
                self.circled(at, 0.36, palette.reach, 0.08);
            } else {
                let look = Look {
                    fill: palette.reach,
                    stroke: palette.halo,
                    width: 0.025,
                    ..Look::default()
                };
                self.spot(at, 0.16, look);
            }
        }
    }

    /// Marks over the pieces.
    pub(super) fn marks_above(&mut self, marks: &Marks) {
        for (from, to, ink) in &marks.arrows {
            let (from, to) = (self.middle(*from), self.middle(*to));
            if from != to {
                self.arrow(from, to, *ink);
            }
        }
    }

    fn arrow(&mut self, from: Point, to: Point, ink: Ink) {
        let (color, dashes) = self.ink(ink);
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let length = dx.hypot(dy);
        let (ux, uy) = (dx / length, dy / length);
        let head = (length / 2.0).min(0.4);
        // The point ends before the middle, for the piece that is there.
        let short = (length / 4.0).min(0.2);
        let point = to.plus(-ux * short, -uy * short);
        let neck = point.plus(-ux * head, -uy * head);
        let start = (length / 4.0).min(0.3);
        let tail = from.plus(ux * start, uy * start);
        let wide = 0.18;
        let tip = [
            point,
            neck.plus(-uy * wide, ux * wide),
            neck.plus(uy * wide, -ux * wide),
        ];
        let halo = self.palette.halo;
        for (stroke, more, dashes) in [(halo, 0.04, [].as_slice()), (color, 0.0, dashes)] {
            let look = Look {
                stroke,
                width: 0.09 + more,
                dashes,
                opacity: 0.8,
                ..Look::default()
            };
            self.line(tail, neck, look);
            let look = Look {
                fill: stroke,
                width: more,
                dashes: &[],
                ..look
            };
            self.polygon(&tip, look);
        }
    }

    /// The pieces that are drawn transparent: in the 3-D view those in front of a mark, on the next nearer rank.
    pub(super) fn ghosts(&self, scene: &Scene<'_>, marks: &Marks) -> Vec<Square> {
        if self.stage.view() == View::Flat {
            return Vec::new();
        }
        let marked = marks.squares.iter().map(|(square, _)| *square);
        let reached = marks.reached.iter().map(|(square, _)| *square);
        let ends = marks.arrows.iter().flat_map(|(from, to, _)| [*from, *to]);
        marked
            .chain(reached)
            .chain(ends)
            .chain(scene.checked())
            .chain(marks.last.iter().flat_map(|last| last.squares.clone()))
            .filter(|square| self.exists(*square))
            .filter_map(|square| {
                let (slab, file, rank) = self.stage.cell_of(square);
                slab.square(self.stage.side(), file, rank.checked_sub(1)?)
            })
            .collect()
    }

    const fn ink(&self, ink: Ink) -> (&'a str, &'static [f64]) {
        match ink {
            Ink::Green => (self.palette.green, &[]),
            Ink::Red => (self.palette.red, &[0.3, 0.12]),
            Ink::Yellow => (self.palette.yellow, &[0.1, 0.1]),
            Ink::Blue => (self.palette.blue, &[0.26, 0.1, 0.08, 0.1]),
        }
    }

    fn exists(&self, square: Square) -> bool {
        let family = if self.layout.is_some() {
            Family::Stair
        } else {
            Family::Cube
        };
        square.index() < family.squares()
    }

    /// The middle of a square.
    fn middle(&self, square: Square) -> Point {
        let (slab, file, rank) = self.stage.cell_of(square);
        let depth = match self.stage.view() {
            View::Flat => 0.5,
            View::Stand => 0.45,
        };
        self.stage.point(
            slab,
            self.layout,
            f64::from(file) + 0.5,
            f64::from(rank) + depth,
        )
    }

    fn fill(&mut self, square: Square, color: &str, opacity: f64) {
        if self.exists(square) {
            let (slab, file, rank) = self.stage.cell_of(square);
            let corners = self.cell(slab, self.layout, file, rank, 0.0);
            self.polygon(
                &corners,
                Look {
                    fill: color,
                    opacity,
                    ..Look::default()
                },
            );
        }
    }

    fn frame(&mut self, square: Square, inset: f64, color: &str, width: f64, dashes: &[f64]) {
        if self.exists(square) {
            let (slab, file, rank) = self.stage.cell_of(square);
            let corners = self.cell(slab, self.layout, file, rank, inset);
            self.ringed(&corners, color, width, dashes);
        }
    }

    /// A ring that lies on a board, with a thin dark line on both sides of it.
    fn circled(&mut self, at: Point, radius: f64, color: &str, width: f64) {
        for (stroke, width) in [(self.palette.halo, width + 0.035), (color, width)] {
            let look = Look {
                stroke,
                width,
                ..Look::default()
            };
            self.spot(at, radius, look);
        }
    }

    /// The outline of a shape in a colour, with a thin dark line on both sides of it, so that it is seen on any square.
    fn ringed(&mut self, corners: &[Point], color: &str, width: f64, dashes: &[f64]) {
        let halo = self.palette.halo;
        self.polygon(
            corners,
            Look {
                stroke: halo,
                width: width + 0.035,
                ..Look::default()
            },
        );
        self.polygon(
            corners,
            Look {
                stroke: color,
                width,
                dashes,
                ..Look::default()
            },
        );
    }
}
