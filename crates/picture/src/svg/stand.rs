//! What only the 3-D view has: boards with sides, posts, names next to them.

use super::artist::{Artist, Look};
use crate::letters::Anchor;
use crate::stage::{DEPTH, Point, SHEAR, Slab, THICK};
use tridex_geometry::stair::{AttackBoard, Layout, Surface};

/// The outline of a board that hangs below its pin.
pub(super) const HANGING: &[f64] = &[0.16, 0.11];

impl<'a> Artist<'a> {
    /// All boards with what holds them.
    pub(super) fn stand(&mut self) {
        for slab in self.stage.slabs(self.layout) {
            match (slab, self.layout) {
                (Slab::Main(main), Some(layout)) => {
                    self.posts(layout, main.tier(), Surface::Under);
                    self.board(slab, self.palette.edge, &[]);
                    self.cut(Some(slab));
                    self.posts(layout, main.tier(), Surface::Over);
                    if main.tier() < 2 {
                        let (foot, head) = self.stage.spine(main.tier());
                        self.post(foot, head, 0.13);
                    }
                    self.main_names(slab, self.names.main_board(main));
                }
                (Slab::Attack(attack), Some(layout)) => {
                    let dashes = match layout.pin(attack).surface() {
                        Surface::Under => HANGING,
                        Surface::Over => &[],
                    };
                    let edge = self.edge_of(attack);
                    self.board(slab, edge, dashes);
                    if !attack.is_white() {
                        let [near_left, near_right, far_right, _] = self
                            .outline(slab, self.layout, 0.0)
                            .map(|point| point.plus(0.0, THICK / 2.0));
                        self.stripe(&[near_left, near_right, far_right], false);
                    }
                    self.attack_name(slab, layout, attack);
                }
                (Slab::Level(level), _) => {
                    self.board(slab, self.palette.edge, &[]);
                    self.main_names(slab, &(level + 1).to_string());
                }
                (Slab::Main(_) | Slab::Attack(_), None) => {}
            }
            self.cut(Some(slab));
        }
    }

    /// The colour of an attack board's sides: its owner's.
    pub(super) fn edge_of(&self, attack: AttackBoard) -> &'a str {
        if attack.is_white() {
            self.palette.edge_white
        } else {
            self.palette.edge_black
        }
    }

    /// The line along the rim of Black's attack boards, which distinguishes them from White's without colour.
    pub(super) fn stripe(&mut self, points: &[Point], closed: bool) {
        let look = Look {
            stroke: self.palette.edge_white,
            width: 0.03,
            ..Look::default()
        };
        if closed {
            self.polygon(points, look);
            return;
        }
        for pair in points.windows(2) {
            self.line(pair[0], pair[1], look);
        }
    }

    /// A board with its near and its right side.
    fn board(&mut self, slab: Slab, edge: &str, dashes: &[f64]) {
        let [near_left, near_right, far_right, _] = self.outline(slab, self.layout, 0.0);
        let look = Look {
            fill: edge,
            stroke: self.palette.line,
            width: 0.03,
            ..Look::default()
        };
        let below = |point: Point| point.plus(0.0, THICK);
        self.polygon(
            &[
                near_left,
                near_right,
                far_right,
                below(far_right),
                below(near_right),
                below(near_left),
            ],
            look,
        );
        self.line(
            near_right,
            below(near_right),
            Look {
                fill: "none",
                ..look
            },
        );
        self.squares(slab, dashes);
    }

    /// The posts of the attack boards at one surface of a main board.
    fn posts(&mut self, layout: &Layout, tier: u8, surface: Surface) {
        for attack in AttackBoard::ALL {
            let pin = layout.pin(attack);
            if pin.corner().main_board().tier() == tier && pin.surface() == surface {
                let (foot, head) = self.stage.post(layout, pin);
                self.post(foot, head, 0.09);
                self.cut(None);
            }
        }
    }

    fn post(&mut self, foot: Point, head: Point, width: f64) {
        let look = Look {
            stroke: self.palette.post,
            width,
            ..Look::default()
        };
        self.line(foot, head, look);
    }

    /// Name, files and ranks of a board that does not move.
    fn main_names(&mut self, slab: Slab, name: &str) {
        if !self.named {
            return;
        }
        let text = self.palette.text;
        let size = slab.size();
        // Left of the post that may be on the near corner.
        let corner = self.stage.corner(slab, self.layout);
        let middle = self
            .stage
            .point(slab, self.layout, 0.0, f64::from(size) / 2.0);
        let at = Point::new(corner.x - 0.15, middle.y + 0.15);
        self.write(at, 0.5, Anchor::End, text, true, name);
        for i in 0..size {
            let along = f64::from(i) + 0.5;
            let Some(square) = slab.square(self.stage.side(), i, i) else {
                continue;
            };
            let (file, rank) = self.names.file_and_rank(square);
            let near = self.stage.point(slab, self.layout, along, 0.0);
            self.write(
                near.plus(0.0, THICK + 0.31),
                0.32,
                Anchor::Middle,
                text,
                false,
                &file.to_string(),
            );
            let right = self.stage.point(slab, self.layout, f64::from(size), along);
            self.write(
                right.plus(0.24, 0.16),
                0.32,
                Anchor::Start,
                text,
                false,
                &rank.to_string(),
            );
        }
    }

    /// Files of an attack board in its near squares, where pieces leave room, and ranks next to it.
    fn attack_coordinates(&mut self, slab: Slab, left: bool) {
        for i in 0..slab.size() {
            let Some(square) = slab.square(self.stage.side(), i, i) else {
                continue;
            };
            let (file, rank) = self.names.file_and_rank(square);
            let along = f64::from(i);
            let color = self.text_on(slab, i, 0);
            let at = self.stage.point(slab, self.layout, along + 0.96, 0.08);
            self.write(at, 0.26, Anchor::End, color, false, &file.to_string());
            let color = self.palette.text;
            let (edge, anchor, aside) = match left {
                true => (0.0, Anchor::End, -0.22),
                false => (2.0, Anchor::Start, 0.22),
            };
            let at = self.stage.point(slab, self.layout, edge, along + 0.5);
            let at = at.plus(aside, 0.1);
            self.write(at, 0.26, anchor, color, false, &rank.to_string());
        }
    }

    /// The name of an attack board, outside the plan.
    fn attack_name(&mut self, slab: Slab, layout: &Layout, attack: AttackBoard) {
        if !self.has_owners() {
            return;
        }
        let name = self.names.board_on(attack, layout.pin(attack));
        let corner = self.stage.corner(slab, self.layout);
        let left = corner.x
            < self
                .stage
                .point(
                    Slab::Main(layout.pin(attack).corner().main_board()),
                    self.layout,
                    1.0,
                    0.0,
                )
                .x;
        if self.named {
            self.attack_coordinates(slab, left);
        }
        let text = self.palette.text;
        let (x, anchor) = if left {
            (-0.42, Anchor::End)
        } else {
            (2.72, Anchor::Start)
        };
        // A name of two words in two lines; the first is where a single one would be, next to the owner's disc.
        let lines: Vec<&str> = name.split(' ').collect();
        for (i, line) in lines.iter().enumerate() {
            let rank = if left { 1.0 } else { 0.6 };
            let at = self.stage.point(slab, self.layout, x, rank);
            let down = 0.12 + 0.4 * (i as f64);
            // The edge leans away from a line above at the right, and from one below at the left.
            let lean = if left {
                (-down).min(0.0)
            } else {
                (-down).max(0.0)
            };
            let aside = lean * SHEAR / DEPTH;
            let mut at = at.plus(aside, down);
            if i == 0 {
                at = self.owner(at, 0.36, anchor, attack.is_white());
            }
            if self.named {
                self.write(at, 0.36, anchor, text, i == 0, line);
            }
        }
    }
}
