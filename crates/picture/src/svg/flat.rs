//! What only the flat view has: coordinates in the squares, ties from attack boards to their corners, free pins, and
//! the plan.

use super::PIECE_SCALE;
use super::artist::{Artist, Look, dashes_of, line_of, owner_of};
use crate::letters::Anchor;
use crate::stage::{Arrangement, GAP, Point, Slab, Stage, View};
use crate::{shade, stack, surfaces};
use tridex_geometry::stair::{
    AttackBoard, Column, Layout, MainBoard, Pin, Surface, shade as column_shade,
};
use tridex_geometry::{Shade, Wing};
use tridex_rules::Color;

/// The width of an attack board's coloured rim.
const RIM: f64 = 0.1;
/// The width and the height of a column on the plan.
const PLAN: f64 = 0.38;
const HIGH: f64 = PLAN * 0.88;

impl<'a> Artist<'a> {
    /// All boards side by side.
    pub(super) fn flat(&mut self) {
        for slab in self.stage.slabs(self.layout()) {
            match (slab, self.layout()) {
                (Slab::Attack(attack), Some(layout)) => self.attack_board(slab, layout, attack),
                (Slab::Main(main), _) => {
                    self.squares(slab, &[]);
                    self.name_above(slab, &self.names.main_board(main));
                }
                (Slab::Level(level), _) => {
                    self.squares(slab, &[]);
                    self.name_above(slab, &format!("level {}", level + 1));
                }
                (Slab::Attack(_), None) => {}
            }
            if self.stage.named {
                self.inner_coordinates(slab);
            }
            self.cut(Some(slab));
        }
        if let (Some(layout), true) = (self.layout(), self.stage.named) {
            self.free_pins(layout);
        }
    }

    /// The plan, where the flat view leaves space for it.
    pub(super) fn plan_beside(&mut self) {
        if let (Some(layout), true) = (self.layout(), self.stage.named && self.is_row()) {
            self.plan(layout);
        }
    }

    /// Whether this is the flat view with its boards in a row.
    pub(super) fn is_row(&self) -> bool {
        self.stage.view == View::Flat && self.stage.arrangement == Arrangement::Row
    }

    fn attack_board(&mut self, slab: Slab, layout: &Layout, attack: AttackBoard) {
        let pin = layout.pin(attack);
        let main = Slab::Main(pin.corner().main_board());
        // The tie to the corner.
        let corner = self.corner_of(main, pin);
        let own = self.at(slab, 1.0, 1.0);
        let dashes = dashes_of(pin.surface());
        let tie = Look::lined(self.palette.post, 0.1).dashed(dashes);
        let (left, near) = (self.is_left(pin), own.y > corner.y);
        // The second board of a pair, next to the one at the corner.
        let outer = self.is_row() && (own.x - corner.x).abs() > 1.0;
        match (self.is_row(), outer) {
            (false, _) => self.line(corner, Point::new(own.x, corner.y), tie),
            (true, false) => {
                let start = corner.plus(if left { 0.5 } else { -0.5 }, 0.0);
                self.line(start, Point::new(start.x, own.y), tie);
            }
            (true, true) => {
                let between = corner.y + if near { GAP / 2.0 } else { -GAP / 2.0 };
                let turns = [
                    corner,
                    Point::new(corner.x, between),
                    Point::new(own.x, between),
                    own,
                ];
                self.path(&line_of(&turns), tie);
            }
        }
        let outline = self.outline(slab, self.layout(), RIM);
        let rim = Look::both((self.edge_of(attack), self.palette.line), 0.035);
        self.polygon(&outline, rim.dashed(dashes));
        if !attack.is_white() {
            let middle = self.outline(slab, self.layout(), RIM / 2.0);
            self.polygon(&middle, self.stripe());
        }
        self.squares(slab, dashes);
        if !self.stage.named {
            return;
        }
        let (x, y, anchor) = match (self.is_row(), left) {
            (true, _) if outer => (1.0, if near { -0.5 } else { 2.2 }, Anchor::Middle),
            // Next to the board, below or above the middle of the main board, where the one at the other corner has its name
            // in another line.
            (true, true) => (2.25, if near { 0.3 } else { 1.45 }, Anchor::Start),
            (true, false) => (-0.25, if near { 1.1 } else { 0.9 }, Anchor::End),
            // Next to the board, in the row that the main board does not reach.
            (false, true) => (2.25, if near { 0.3 } else { 1.45 }, Anchor::Start),
            (false, false) => (-0.25, if near { 0.3 } else { 1.45 }, Anchor::End),
        };
        let at = self.at(slab, x, y);
        let at = self.owner(at, 0.4, anchor, owner_of(attack));
        let name = self.names.board_on(attack, pin);
        self.write(at, 0.4, anchor, self.palette.text, true, &name);
    }

    /// Whether the viewer sees a pin at the left.
    fn is_left(&self, pin: Pin) -> bool {
        (pin.wing() == Wing::Queen) == self.stage.side.is_white()
    }

    /// The point of a main board from which the tie of a pin leads to its board: in a row its corner, else the middle of the
    /// side of its corner square.
    fn corner_of(&self, main: Slab, pin: Pin) -> Point {
        let near = pin.corner().is_far() != self.stage.side.is_white();
        let x = if self.is_left(pin) { 0.0 } else { 4.0 };
        let inside = if self.is_row() { 0.0 } else { 0.5 };
        let y = if near { inside } else { 4.0 - inside };
        self.at(main, x, y)
    }

    /// Pins without a board: a dot for one above, a ring for one below the board.
    fn free_pins(&mut self, layout: &Layout) {
        let surfaces = surfaces(self.scene.rules, layout);
        let shown = |pin: &Pin| surfaces.contains(&pin.surface());
        for pin in Pin::all().filter(shown) {
            if layout.board_on(pin).is_some() {
                continue;
            }
            let main = Slab::Main(pin.corner().main_board());
            let corner = self.corner_of(main, pin);
            let middle = self.at(main, 2.0, 2.0);
            let out = if corner.x < middle.x { -0.2 } else { 0.2 };
            // Next to the corner square.
            let corner = match (self.is_row(), corner.y < middle.y) {
                (false, _) => corner,
                (true, true) => corner.plus(0.0, 0.5),
                (true, false) => corner.plus(0.0, -0.5),
            };
            let down = match (surfaces.len(), pin.surface()) {
                (1, _) => 0.0,
                (_, Surface::Over) => -0.16,
                (_, Surface::Under) => 0.16,
            };
            self.free_pin(corner.plus(out, down), pin.surface());
            self.cut(None);
        }
    }

    /// A pin without a board.
    pub(super) fn free_pin(&mut self, at: Point, surface: Surface) {
        let post = self.palette.post;
        let look = match surface {
            Surface::Over => Look::filled(post),
            Surface::Under => Look::lined(post, 0.035),
        };
        self.spot(at, 0.07, look);
    }

    fn name_above(&mut self, slab: Slab, name: &str) {
        if self.stage.named {
            let size = f64::from(slab.size());
            let at = self.at(slab, size / 2.0, size + 0.22);
            self.write(at, 0.5, Anchor::Middle, self.palette.text, true, name);
        }
    }

    /// Files in the squares of the near rank, ranks in those of the left file.
    fn inner_coordinates(&mut self, slab: Slab) {
        for (i, (along, file, rank)) in (0..).zip(self.coordinates(slab)) {
            let text = self.text_on(slab, i, 0);
            let at = self.at(slab, along + 0.95, 0.06);
            self.write(at, 0.24, Anchor::End, text, false, &file);
            let text = self.text_on(slab, 0, i);
            let at = self.at(slab, 0.05, along + 0.77);
            self.write(at, 0.24, Anchor::Start, text, false, &rank);
        }
    }

    /// The colour of writing on a square of a board.
    pub(super) fn text_on(&self, slab: Slab, file: u8, rank: u8) -> &'a str {
        let square = slab.square(self.stage.side, file, rank);
        match square.map(|square| shade(self.layout(), square)) {
            Some(Shade::Dark) => self.palette.text_dark,
            _ => self.palette.text_light,
        }
    }

    /// The plan from the top, small, where the row leaves space: the highest piece of every column.
    fn plan(&mut self, layout: &Layout) {
        let line = self.palette.line;
        for column in Column::all().filter(|column| layout.existing().contains(*column)) {
            let fill = self.palette.square(column_shade(column));
            let corners = self.on_plan(column, 1);
            self.polygon(&corners, Look::both((fill, line), 0.012));
        }
        for main in MainBoard::ALL {
            let corners = self.on_plan(Column::new(1, main.near_rank()), 4);
            self.polygon(&corners, Look::lined(line, 0.03));
        }
        for pin in layout.pins() {
            let corners = self.on_plan(pin.origin(), 2);
            let look = Look::lined(line, 0.05).dashed(dashes_of(pin.surface()));
            self.polygon(&corners, look);
        }
        for column in Column::all() {
            let [at, ..] = self.on_plan(column, 1);
            let stack = stack(layout, column).into_iter();
            // Only the highest piece is drawn. A spot for each piece below it shows the owner.
            let mut pieces = stack.filter_map(|square| self.scene.setup.piece(square));
            let Some(piece) = pieces.next() else {
                continue;
            };
            let foot = at.plus(PLAN / 2.0, HIGH * 0.94);
            self.piece(foot, piece, PIECE_SCALE * PLAN, 1.0);
            for (i, below) in pieces.enumerate() {
                let spot = at.plus(PLAN - 0.07, HIGH - 0.07 - 0.11 * i as f64);
                let look = Look::both(self.palette.piece(below.color), 0.02);
                self.spot(spot, 0.045, look);
            }
        }
    }

    /// The corners of a part of the plan with `size` files and ranks, the far left corner first. `from` is its near
    /// left column as White sees it.
    fn on_plan(&self, from: Column, size: u8) -> [Point; 4] {
        let (file, rank) = match self.stage.side {
            Color::White => (from.file(), from.rank()),
            Color::Black => (6 - size - from.file(), 10 - size - from.rank()),
        };
        // Above the first main board and its attack boards.
        let bottom = self.stage.size().y - 0.5 - Stage::FIRST_TOP - 0.4;
        let at = Point::new(
            0.45 + PLAN * f64::from(file),
            bottom - PLAN * f64::from(rank + size) * 0.88,
        );
        let (wide, high) = (PLAN * f64::from(size), HIGH * f64::from(size));
        [
            at,
            at.plus(wide, 0.0),
            at.plus(wide, high),
            at.plus(0.0, high),
        ]
    }
}
