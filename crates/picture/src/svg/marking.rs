//! Marks: what was moved, check, what can be reached, and what a commentator points at.
//!
//! Every mark has a shape of its own, so that none is told by colour alone: the last move a frame at the edge of its
//! squares, check a double frame, reached squares a spot or (for a capture) a ring, a commentator's squares a frame in the
//! line of their ink.

use super::artist::{Artist, Look};
use crate::marks::{Ink, Marks};
use crate::scene::Scene;
use crate::stage::{Point, Slab, View};
use tridex_geometry::{Family, Square};

impl Artist<'_> {
    /// Marks under the men.
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
                self.fill(*square, palette.last, 0.5);
                self.frame(*square, 0.05, palette.last, 0.07, &[]);
            }
        }
        if let Some(king) = scene.checked() {
            self.fill(king, palette.check, 0.45);
            self.frame(king, 0.04, palette.check, 0.07, &[]);
            self.frame(king, 0.15, palette.check, 0.05, &[]);
        }
        for (square, ink) in &marks.squares {
            let (color, dashes) = self.ink(*ink);
            self.fill(*square, color, 0.28);
            self.frame(*square, 0.07, color, 0.1, dashes);
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
                self.spot(
                    at,
                    0.4,
                    Look {
                        stroke: palette.halo,
                        width: 0.13,
                        ..Look::default()
                    },
                );
                self.spot(
                    at,
                    0.4,
                    Look {
                        stroke: palette.reach,
                        width: 0.09,
                        ..Look::default()
                    },
                );
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

    /// Marks over the men.
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
        let head = length.min(0.45);
        let neck = to.plus(-ux * head, -uy * head);
        let tail = from.plus(ux * 0.15, uy * 0.15);
        let look = Look {
            stroke: color,
            width: 0.13,
            dashes,
            opacity: 0.85,
            ..Look::default()
        };
        self.line(tail, neck, look);
        let wide = 0.22;
        self.polygon(
            &[
                to,
                neck.plus(-uy * wide, ux * wide),
                neck.plus(uy * wide, -ux * wide),
            ],
            Look {
                fill: color,
                opacity: 0.9,
                ..Look::default()
            },
        );
    }

    const fn ink(&self, ink: Ink) -> (&'static str, &'static [f64]) {
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
