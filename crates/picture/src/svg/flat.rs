//! What only the flat view has: coordinates in the squares, ties from attack boards to their corners, free pins, the plan.

use super::artist::{Artist, Look};
use super::stand::HANGING;
use super::{PIECE_SCALE, shade};
use crate::letters::Anchor;
use crate::scene::Scene;
use crate::stage::{Arrangement, Point, Slab, View};
use tridex_geometry::stair::{
    AttackBoard, Column, Layout, MainBoard, Pin, Surface, shade as column_shade,
};
use tridex_geometry::{Shade, Square, Wing};
use tridex_rules::Color;

/// The width of an attack board's coloured rim.
const RIM: f64 = 0.1;
/// The side of a column on the plan, and where its lower left corner is: from the left edge and from rank 0 of the viewer.
const PLAN: f64 = 0.38;

impl<'a> Artist<'a> {
    /// All boards side by side.
    pub(super) fn flat(&mut self, scene: &Scene<'_>) {
        for slab in self.stage.slabs(self.layout) {
            match (slab, self.layout) {
                (Slab::Attack(attack), Some(layout)) => self.attack_board(slab, layout, attack),
                (Slab::Main(main), _) => {
                    self.squares(slab, &[]);
                    self.name_above(slab, self.names.main_board(main));
                }
                (Slab::Level(level), _) => {
                    self.squares(slab, &[]);
                    self.name_above(slab, &format!("level {}", level + 1));
                }
                (Slab::Attack(_), None) => {}
            }
            self.coordinates(slab);
            self.cut(Some(slab));
        }
        if let (Some(layout), true) = (self.layout, self.stage.is_named()) {
            self.free_pins(scene, layout);
        }
    }

    /// The plan, where the flat view leaves room for it.
    pub(super) fn plan_beside(&mut self, scene: &Scene<'_>) {
        if let (Some(layout), true) = (self.layout, self.named)
            && self.stage.view() == View::Flat
            && self.stage.arrangement() == Arrangement::Row
        {
            self.plan(scene, layout);
        }
    }

    fn attack_board(&mut self, slab: Slab, layout: &Layout, attack: AttackBoard) {
        let pin = layout.pin(attack);
        let main = Slab::Main(pin.corner().main_board());
        // The tie to the corner.
        let corner = self.corner_of(main, pin);
        let own = self.stage.point(slab, self.layout, 1.0, 1.0);
        let across = Point::new(own.x, corner.y);
        let dashes: &[f64] = match pin.surface() {
            Surface::Under => HANGING,
            Surface::Over => &[],
        };
        let post = self.palette.post;
        self.line(
            corner,
            across,
            Look {
                stroke: post,
                width: 0.1,
                dashes,
                ..Look::default()
            },
        );
        let outline = self.outline(slab, self.layout, RIM);
        let edge = self.edge_of(attack);
        self.polygon(
            &outline,
            Look {
                fill: edge,
                stroke: self.palette.line,
                width: 0.035,
                dashes,
                ..Look::default()
            },
        );
        if !attack.is_white() {
            let outline = self.outline(slab, self.layout, RIM / 2.0);
            self.stripe(&outline, true);
        }
        self.squares(slab, dashes);
        if !self.has_owners() {
            return;
        }
        // The name next to the board, in the row that the main board does not reach.
        let left = own.x < corner.x;
        let near = own.y > corner.y;
        let (x, anchor) = if left {
            (2.25, Anchor::Start)
        } else {
            (-0.25, Anchor::End)
        };
        let at = self
            .stage
            .point(slab, self.layout, x, if near { 0.3 } else { 1.45 });
        let text = self.palette.text;
        let at = self.owner(at, 0.4, anchor, attack.is_white());
        if self.named {
            let name = self.names.board_on(attack, pin);
            self.write(at, 0.4, anchor, text, true, &name);
        }
    }

    /// The point at the edge of a main board where the tie of a pin begins: the middle of its corner square's side.
    fn corner_of(&self, main: Slab, pin: Pin) -> Point {
        let white = self.stage.side() == Color::White;
        let left = (pin.wing() == Wing::Queen) == white;
        let near = pin.corner().is_far() != white;
        self.stage.point(
            main,
            self.layout,
            if left { 0.0 } else { 4.0 },
            if near { 0.5 } else { 3.5 },
        )
    }

    /// Pins without a board: a dot for one above, a ring for one below the board.
    fn free_pins(&mut self, scene: &Scene<'_>, layout: &Layout) {
        let below = crate::shows_lower_pins(scene.rules, scene.layout());
        for pin in Pin::all() {
            if layout.board_on(pin).is_some() || (pin.surface() == Surface::Under && !below) {
                continue;
            }
            let main = Slab::Main(pin.corner().main_board());
            let corner = self.corner_of(main, pin);
            let middle = self.stage.point(main, self.layout, 2.0, 2.0);
            let out = if corner.x < middle.x { -0.2 } else { 0.2 };
            let down = match (below, pin.surface()) {
                (false, _) => 0.0,
                (true, Surface::Over) => -0.16,
                (true, Surface::Under) => 0.16,
            };
            self.free_pin(corner.plus(out, down), pin.surface());
            self.cut(None);
        }
    }

    /// A pin without a board.
    pub(super) fn free_pin(&mut self, at: Point, surface: Surface) {
        let post = self.palette.post;
        let look = match surface {
            Surface::Over => Look {
                fill: post,
                ..Look::default()
            },
            Surface::Under => Look {
                stroke: post,
                width: 0.035,
                ..Look::default()
            },
        };
        self.spot(at, 0.07, look);
    }

    fn name_above(&mut self, slab: Slab, name: &str) {
        if !self.named {
            return;
        }
        let size = f64::from(slab.size());
        let at = self.stage.point(slab, self.layout, size / 2.0, size + 0.22);
        let text = self.palette.text;
        self.write(at, 0.5, Anchor::Middle, text, true, name);
    }

    /// Files in the squares of the near rank, ranks in those of the left file.
    fn coordinates(&mut self, slab: Slab) {
        if !self.named {
            return;
        }
        for i in 0..slab.size() {
            let Some(square) = slab.square(self.stage.side(), i, i) else {
                continue;
            };
            let (file, rank) = self.names.file_and_rank(square);
            let along = f64::from(i);
            let text = self.text_on(slab, i, 0);
            let at = self.stage.point(slab, self.layout, along + 0.95, 0.06);
            self.write(at, 0.24, Anchor::End, text, false, &file.to_string());
            let text = self.text_on(slab, 0, i);
            let at = self.stage.point(slab, self.layout, 0.05, along + 0.77);
            self.write(at, 0.24, Anchor::Start, text, false, &rank.to_string());
        }
    }

    /// The colour of writing on a square of a board.
    pub(super) fn text_on(&self, slab: Slab, file: u8, rank: u8) -> &'a str {
        let square = slab.square(self.stage.side(), file, rank);
        match square.map(|square| shade(self.layout, square)) {
            Some(Shade::Dark) => self.palette.text_dark,
            _ => self.palette.text_light,
        }
    }

    /// The plan from the top, small, where the row leaves room: the highest piece of every column.
    fn plan(&mut self, scene: &Scene<'_>, layout: &Layout) {
        let size = self.stage.size();
        let left = 0.45;
        // Rank 6 of the viewer, above the first board and its wings.
        let bottom = size.y - 0.5 - 6.0 - 0.4;
        let side = self.stage.side();
        let cell = |column: Column| {
            let (file, rank) = match side {
                Color::White => (column.file(), column.rank()),
                Color::Black => (5 - column.file(), 9 - column.rank()),
            };
            Point::new(
                left + PLAN * f64::from(file),
                bottom - PLAN * (f64::from(rank) + 1.0) * 0.88,
            )
        };
        let box_at =
            |at: Point, w: f64, h: f64| [at, at.plus(w, 0.0), at.plus(w, h), at.plus(0.0, h)];
        let high = PLAN * 0.88;
        for column in Column::all().filter(|column| layout.existing().contains(*column)) {
            let fill = match column_shade(column) {
                Shade::Light => self.palette.light,
                Shade::Dark => self.palette.dark,
            };
            let corners = box_at(cell(column), PLAN, high);
            let line = self.palette.line;
            self.polygon(
                &corners,
                Look {
                    fill,
                    stroke: line,
                    width: 0.012,
                    ..Look::default()
                },
            );
        }
        for main in MainBoard::ALL {
            let far = if self.stage.side().is_white() {
                main.near_rank() + 3
            } else {
                main.near_rank()
            };
            let file = if self.stage.side().is_white() { 1 } else { 4 };
            let corners = box_at(cell(Column::new(file, far)), 4.0 * PLAN, 4.0 * high);
            let line = self.palette.line;
            self.polygon(
                &corners,
                Look {
                    stroke: line,
                    width: 0.03,
                    ..Look::default()
                },
            );
        }
        for attack in AttackBoard::ALL {
            let origin = layout.pin(attack).origin();
            let (file, rank) = match self.stage.side() {
                Color::White => (origin.file(), origin.rank() + 1),
                Color::Black => (origin.file() + 1, origin.rank()),
            };
            let corners = box_at(cell(Column::new(file, rank)), 2.0 * PLAN, 2.0 * high);
            let stroke = self.palette.line;
            let dashes: &[f64] = match layout.pin(attack).surface() {
                Surface::Under => HANGING,
                Surface::Over => &[],
            };
            self.polygon(
                &corners,
                Look {
                    stroke,
                    width: 0.05,
                    dashes,
                    ..Look::default()
                },
            );
        }
        for column in Column::all() {
            let mut pieces: Vec<Square> = layout
                .stack(column)
                .into_iter()
                .filter(|square| scene.piece_at(*square).is_some())
                .collect();
            // The highest is seen; one spot shows the owner of each that is below it.
            pieces.sort_by_key(|square| crate::height(layout, *square));
            let mut seen = pieces
                .iter()
                .rev()
                .filter_map(|square| scene.piece_at(*square));
            let Some(piece) = seen.next() else {
                continue;
            };
            let at = cell(column);
            self.piece(
                at.plus(PLAN / 2.0, high * 0.94),
                piece,
                PIECE_SCALE * PLAN,
                1.0,
            );
            for (i, below) in seen.enumerate() {
                let (fill, stroke) = match below.color {
                    Color::White => (self.palette.white_fill, self.palette.white_line),
                    Color::Black => (self.palette.black_fill, self.palette.black_line),
                };
                let look = Look {
                    fill,
                    stroke,
                    width: 0.02,
                    ..Look::default()
                };
                self.spot(
                    at.plus(PLAN - 0.07, high - 0.07 - 0.11 * i as f64),
                    0.045,
                    look,
                );
            }
        }
    }
}
