//! Marks: what was moved, check, what can be reached, and what a commentator points at.
//!
//! Every mark has its own shape and its own zone of a square, so that none is shown by colour alone and all of them can
//! be read on one square. From the edge inwards, the last move is a tint with a thin edge. A commentator's mark is a
//! frame in the line style of its ink. Check is a disc with a ring under the king. A square that can be reached has a
//! spot, or a ring for a capture. Arrows have a thin outline and leave the middle of a square free. In the 3-D view
//! pieces in front of a mark are transparent.

use super::Names;
use super::artist::{Artist, Look, translate};
use crate::marks::{Ink, Marks};
use crate::scene::Scene;
use crate::stage::{Arrangement, Point, Slab, Space, Stage, View};
use crate::theme::Theme;
use crate::xml::Xml;
use std::cmp::Ordering;
use tridex_geometry::stair::{AttackBoard, Layout, Pin, Surface};
use tridex_geometry::{Family, Square};
use tridex_rules::{Color, Position, RuleSystem};

/// The radius of the spot on a square that can be reached, in squares.
const SPOT: f64 = 0.16;

/// The length of the arrows of [`mark_definitions`], in squares.
pub const ARROW: f64 = 2.0;

/// `<defs>` with every kind of mark, for pages that put marks on a [`Backdrop`](crate::Backdrop) themselves, in its
/// units and colours.
///
/// Marks of squares and boards have the near left corner of the square or board at (0, 0). Their names begin with
/// `#flat-` for the flat view (`#flat-last`) and with `#space-` for the 3-D view (`#space-last`): `last` is a square of
/// the last move, `check` a king in check, `G`, `R`, `Y`, `B` a commentator's mark, `go` and `take` a square that can
/// be reached without and with a capture, `column` a square of a column; `board` is a board that has moved, `left`
/// where it was, `pin` where a board can go.
///
/// `#arrow-G` and so on point from (0, 0) to the right and are [`ARROW`] squares long. Each has a shaft and a head for
/// the thin dark line around the arrow, then a shaft and a head in its colour.
#[must_use]
pub fn mark_definitions() -> String {
    let scene = Scene::of(&Position::start(RuleSystem::Meder));
    let start = Layout::start(Surface::Over);
    let board = AttackBoard::ALL[0];
    let square = board.square(0, 0);
    let palette = *Theme::Page.palette();
    let mut xml = Xml::default();
    xml.tag("defs").open();
    for (view, name) in [(View::Flat, "flat"), (View::Stand, "space")] {
        let stage = Stage {
            family: Family::Stair,
            view,
            arrangement: Arrangement::Row,
            side: Color::White,
            space: Space::default(),
            named: true,
        };
        let corner = stage.corner(Slab::Attack(board), Some(&start));
        let names = Names::new(scene.rules, scene.layout(), None);
        let mut artist = Artist::new(stage, &scene, palette, names);
        artist.xml = xml;
        let mut define = |mark: &str, draw: &dyn Fn(&mut Artist<'_>)| {
            artist.define(&format!("{name}-{mark}"), corner, draw);
        };
        define("last", &|artist| artist.last_square(square));
        define("check", &|artist| artist.check(square));
        define("go", &|artist| artist.reached(square, false));
        define("take", &|artist| artist.reached(square, true));
        define("column", &|artist| {
            artist.frame(square, 0.1, palette.blue, 0.06, &[0.16, 0.1]);
        });
        define("board", &|artist| artist.moved_board(board));
        define("left", &|artist| artist.left(board, &start));
        define("pin", &|artist| artist.target(board, &start));
        for ink in Ink::ALL {
            define(&ink.letter().to_string(), &|artist| {
                artist.marked(square, ink)
            });
        }
        if view == View::Flat {
            let (tail, point) = (Point::new(0.0, 0.0), Point::new(ARROW, 0.0));
            for ink in Ink::ALL {
                artist.define(&format!("arrow-{}", ink.letter()), tail, &|artist| {
                    artist.arrow(tail, point, ink);
                });
            }
        }
        xml = artist.xml;
    }
    xml.finish()
}

impl<'a> Artist<'a> {
    /// Defines a group that is not drawn, moved so that a point of the drawing is at (0, 0).
    fn define(&mut self, id: &str, origin: Point, draw: &dyn Fn(&mut Self)) {
        let place = translate(Point::new(-origin.x, -origin.y));
        let tag = self.xml.tag("g").with("id", id);
        tag.with("transform", place).open();
        draw(self);
        self.xml.close();
    }

    /// Marks under the pieces.
    pub(super) fn marks_below(&mut self, marks: &Marks) {
        if let Some(last) = &marks.last {
            if let (Some(board), Some(before)) = (last.board, &last.layout) {
                self.left(board, before);
            }
            if let Some(board) = last.board {
                self.moved_board(board);
            }
            for square in &last.squares {
                self.last_square(*square);
            }
        }
        if let Some(king) = self.scene.checked {
            self.check(king);
        }
        for (square, ink) in &marks.squares {
            self.marked(*square, *ink);
        }
        let mut pins: Vec<_> = marks
            .pins
            .iter()
            .filter_map(|pin| self.there(*pin))
            .collect();
        pins.sort_by(|a, b| self.farther(*a, *b));
        for (board, there) in pins {
            self.target(board, &there);
        }
        for (square, capture) in &marks.reached {
            self.reached(*square, *capture);
        }
    }

    fn last_square(&mut self, square: Square) {
        let color = self.palette.last;
        self.fill(square, color, 0.35);
        self.frame(square, 0.03, color, 0.04, &[]);
    }

    fn moved_board(&mut self, board: AttackBoard) {
        let outline = self.outline(Slab::Attack(board), self.layout(), 0.02);
        self.ringed(&outline, self.palette.last, 0.1, &[]);
    }

    /// Where a board was before it moved.
    fn left(&mut self, board: AttackBoard, before: &Layout) {
        let look = Look::lined(self.palette.last, 0.09).dashed(&[0.2, 0.16]);
        self.polygon(&self.outline(Slab::Attack(board), Some(before), 0.0), look);
    }

    /// The layout with a board on a pin.
    pub(super) fn there(&self, (board, pin): (AttackBoard, Pin)) -> Option<(AttackBoard, Layout)> {
        Some((board, self.layout()?.moved(board, pin).ok()?))
    }

    /// The order in which the places of boards are drawn. They overlap in the 3-D view, and the nearest must be in
    /// front. Of two at the same height that is the leftmost.
    pub(super) fn farther(
        &self,
        (a, layout_of_a): (AttackBoard, Layout),
        (b, layout_of_b): (AttackBoard, Layout),
    ) -> Ordering {
        let a = self.stage.corner(Slab::Attack(a), Some(&layout_of_a));
        let b = self.stage.corner(Slab::Attack(b), Some(&layout_of_b));
        a.y.total_cmp(&b.y).then(b.x.total_cmp(&a.x))
    }

    /// Where a board would be, as an outline.
    fn target(&mut self, board: AttackBoard, there: &Layout) {
        let look = Look::lined(self.palette.reach, 0.08).dashed(&[0.3, 0.14]);
        self.polygon(&self.outline(Slab::Attack(board), Some(there), 0.0), look);
    }

    fn check(&mut self, king: Square) {
        let (at, color) = (self.middle(king), self.palette.check);
        self.spot(at, 0.36, Look::filled(color).faded(0.5));
        self.circled(at, 0.36, color, 0.05);
    }

    fn marked(&mut self, square: Square, ink: Ink) {
        let (color, dashes) = self.ink(ink);
        self.fill(square, color, 0.2);
        self.frame(square, 0.11, color, 0.06, dashes);
    }

    fn reached(&mut self, square: Square, is_capture: bool) {
        let (at, palette) = (self.middle(square), self.palette);
        match is_capture {
            true => self.circled(at, 0.36, palette.reach, 0.08),
            false => self.spot(at, SPOT, Look::both((palette.reach, palette.halo), 0.025)),
        }
    }

    /// A transparent area that receives the pointer where the spot on a reached square is drawn.
    pub(super) fn reached_area(&mut self, square: Square) {
        self.spot(self.middle(square), SPOT, Look::filled("transparent"));
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
        for (color, more, dashes) in [(halo, 0.04, [].as_slice()), (color, 0.0, dashes)] {
            let shaft = Look::lined(color, 0.09 + more).dashed(dashes);
            self.line(tail, neck, shaft.faded(0.8));
            self.polygon(&tip, Look::both((color, color), more).faded(0.8));
        }
    }

    /// The pieces that are drawn transparent: in the 3-D view those in front of a mark, on the next nearer rank.
    pub(super) fn ghosts(&self, marks: &Marks) -> Vec<Square> {
        if self.stage.view == View::Flat {
            return Vec::new();
        }
        let marked = marks.squares.iter().map(|(square, _)| *square);
        let reached = marks.reached.iter().map(|(square, _)| *square);
        let ends = marks.arrows.iter().flat_map(|(from, to, _)| [*from, *to]);
        marked
            .chain(reached)
            .chain(ends)
            .chain(self.scene.checked)
            .chain(marks.last.iter().flat_map(|last| last.squares.clone()))
            .filter_map(|square| {
                let (slab, file, rank) = self.stage.cell_of(square);
                slab.square(self.stage.side, file, rank.checked_sub(1)?)
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

    /// The middle of a square.
    fn middle(&self, square: Square) -> Point {
        let depth = self.stage.middle_depth();
        self.stage.in_square(square, self.layout(), depth)
    }

    fn fill(&mut self, square: Square, color: &str, opacity: f64) {
        let look = Look::filled(color).faded(opacity);
        self.polygon(&self.cell(square, 0.0), look);
    }

    fn frame(&mut self, square: Square, inset: f64, color: &str, width: f64, dashes: &[f64]) {
        self.ringed(&self.cell(square, inset), color, width, dashes);
    }

    /// A ring that lies on a board, with a thin dark line on both sides of it.
    fn circled(&mut self, at: Point, radius: f64, color: &str, width: f64) {
        let halo = Look::lined(self.palette.halo, width + 0.035);
        self.spot(at, radius, halo);
        self.spot(at, radius, Look::lined(color, width));
    }

    /// The outline of a shape in a colour, with a thin dark line on both sides of it, so that it is seen on any square.
    fn ringed(&mut self, corners: &[Point], color: &str, width: f64, dashes: &[f64]) {
        let halo = Look::lined(self.palette.halo, width + 0.035);
        self.polygon(corners, halo);
        self.polygon(corners, Look::lined(color, width).dashed(dashes));
    }
}
