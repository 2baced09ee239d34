//! What only the 3-D view has: boards with sides, posts, names next to them.

use super::artist::{Artist, Look, dashes_of, owner_of};
use crate::letters::Anchor;
use crate::stage::{DEPTH, Point, SHEAR, Slab, THICK};
use tridex_geometry::stair::{AttackBoard, Layout, Surface};

impl<'a> Artist<'a> {
    /// All boards, with their posts and the spine between the main boards.
    pub(super) fn stand(&mut self) {
        for slab in self.stage.slabs(self.layout()) {
            match (slab, self.layout()) {
                (Slab::Main(main), Some(layout)) => {
                    self.posts(layout, main.tier(), Surface::Under);
                    self.board(slab, self.palette.edge, &[]);
                    self.cut(Some(slab));
                    self.posts(layout, main.tier(), Surface::Over);
                    if main.tier() < 2 {
                        let (foot, head) = self.stage.spine(main.tier());
                        self.line(foot, head, Look::lined(self.palette.post, 0.13));
                    }
                    self.main_names(slab, &self.names.main_board(main));
                }
                (Slab::Attack(attack), Some(layout)) => {
                    let dashes = dashes_of(layout.pin(attack).surface());
                    self.board(slab, self.edge_of(attack), dashes);
                    if !attack.is_white() {
                        let [near_left, near_right, far_right, _] = self
                            .outline(slab, self.layout(), 0.0)
                            .map(|point| point.plus(0.0, THICK / 2.0));
                        self.line(near_left, near_right, self.stripe());
                        self.line(near_right, far_right, self.stripe());
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

    /// The line along the rim of Black's attack boards, which distinguishes them from White's without colour.
    pub(super) const fn stripe(&self) -> Look<'a> {
        Look::lined(self.palette.edge_white, 0.03)
    }

    /// A board with its near and its right side.
    fn board(&mut self, slab: Slab, edge: &str, dashes: &[f64]) {
        let [near_left, near_right, far_right, _] = self.outline(slab, self.layout(), 0.0);
        let line = self.palette.line;
        let below = |point: Point| point.plus(0.0, THICK);
        let sides = [
            near_left,
            near_right,
            far_right,
            below(far_right),
            below(near_right),
            below(near_left),
        ];
        self.polygon(&sides, Look::both((edge, line), 0.03));
        self.line(near_right, below(near_right), Look::lined(line, 0.03));
        self.squares(slab, dashes);
    }

    /// The posts of the attack boards at one surface of a main board.
    fn posts(&mut self, layout: &Layout, tier: u8, surface: Surface) {
        for pin in layout.pins() {
            if pin.corner().main_board().tier() == tier && pin.surface() == surface {
                let (foot, head) = self.stage.post(layout, pin);
                self.line(foot, head, Look::lined(self.palette.post, 0.09));
                self.cut(None);
            }
        }
    }

    /// Name, files and ranks of a board that does not move.
    fn main_names(&mut self, slab: Slab, name: &str) {
        if !self.stage.named {
            return;
        }
        let text = self.palette.text;
        let size = f64::from(slab.size());
        // Left of the post that may be on the near corner.
        let corner = self.stage.corner(slab, self.layout());
        let middle = self.at(slab, 0.0, size / 2.0);
        let at = Point::new(corner.x - 0.15, middle.y + 0.15);
        self.write(at, 0.5, Anchor::End, text, true, name);
        for (along, file, rank) in self.coordinates(slab) {
            let near = self.at(slab, along + 0.5, 0.0);
            let at = near.plus(0.0, THICK + 0.31);
            self.write(at, 0.32, Anchor::Middle, text, false, &file);
            let right = self.at(slab, size, along + 0.5);
            let at = right.plus(0.24, 0.16);
            self.write(at, 0.32, Anchor::Start, text, false, &rank);
        }
    }

    /// Files of an attack board in its near squares, where pieces leave space, and ranks next to it.
    fn attack_coordinates(&mut self, slab: Slab, left: bool) {
        for (i, (along, file, rank)) in (0..).zip(self.coordinates(slab)) {
            let color = self.text_on(slab, i, 0);
            let at = self.at(slab, along + 0.96, 0.08);
            self.write(at, 0.26, Anchor::End, color, false, &file);
            let (edge, anchor, aside) = match left {
                true => (0.0, Anchor::End, -0.22),
                false => (2.0, Anchor::Start, 0.22),
            };
            let at = self.at(slab, edge, along + 0.5);
            let at = at.plus(aside, 0.1);
            self.write(at, 0.26, anchor, self.palette.text, false, &rank);
        }
    }

    /// The name of an attack board, outside the plan.
    fn attack_name(&mut self, slab: Slab, layout: &Layout, attack: AttackBoard) {
        if !self.stage.named {
            return;
        }
        let pin = layout.pin(attack);
        let main = Slab::Main(pin.corner().main_board());
        let corner = self.stage.corner(slab, self.layout());
        let left = corner.x < self.at(main, 1.0, 0.0).x;
        self.attack_coordinates(slab, left);
        let (x, rank, anchor) = match left {
            true => (-0.42, 1.0, Anchor::End),
            false => (2.72, 0.6, Anchor::Start),
        };
        // A name of two parts has two lines. The first is where a single one would be, next to the owner's disc.
        let name = self.names.board_on(attack, pin);
        for (i, line) in name.split(' ').enumerate() {
            let down = 0.12 + 0.4 * (i as f64);
            // The edge leans away from a line below at the left.
            let lean = if left { -down } else { 0.0 };
            let at = self.at(slab, x, rank);
            let mut at = at.plus(lean * SHEAR / DEPTH, down);
            if i == 0 {
                at = self.owner(at, 0.36, anchor, owner_of(attack));
            }
            self.write(at, 0.36, anchor, self.palette.text, i == 0, line);
        }
    }
}
