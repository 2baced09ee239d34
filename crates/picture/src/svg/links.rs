//! Links on a picture: areas in the SVG of the picture itself, so that what is clicked is what is drawn.
//!
//! The areas lie over the drawing in its own order: first attack boards, squares and pins, then the silhouettes of the
//! pieces, the farthest first. A piece in front therefore receives a click before the squares and pieces that it hides.
//! The spot on a square that can be reached is visible through the transparent piece in front of it, so it comes last.

use super::artist::{Artist, translate, units};
use super::backdrop::PIECE_SCALE;
use super::piece_id;
use crate::marks::Marks;
use crate::stage::{Point, Slab, Stage};
use crate::xml::{Number, Tag};
use tridex_geometry::stair::{AttackBoard, Layout, Pin, Surface};
use tridex_geometry::{Square, Wing};

/// What a link on a picture covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinkTarget {
    /// A square, and the piece on it.
    Square(Square),
    /// An attack board: a strip at its outer edge, where nothing else is drawn.
    Board(AttackBoard),
    /// The squares that an attack board would have on a pin.
    Pin(AttackBoard, Pin),
}

impl LinkTarget {
    /// The corners of the area in squares of the stage, from the near left one on. Without a layout, that of the start.
    /// `None` for a pin to which the board cannot move.
    #[must_use]
    pub fn outline(self, stage: &Stage, layout: Option<&Layout>) -> Option<[Point; 4]> {
        let start = Layout::start(Surface::Over);
        let layout = *layout.unwrap_or(&start);
        let (slab, (file, rank), (files, ranks), layout) = match self {
            Self::Square(square) => {
                let (slab, file, rank) = stage.cell_of(square);
                let corner = (f64::from(file), f64::from(rank));
                (slab, corner, (1.0, 1.0), layout)
            }
            Self::Board(board) => {
                // On the other side the flat view draws the tie between the board and its main board.
                let is_left = (layout.pin(board).wing() == Wing::Queen) == stage.side.is_white();
                let file = if is_left { -0.42 } else { 2.02 };
                (Slab::Attack(board), (file, 0.0), (0.4, 2.0), layout)
            }
            Self::Pin(board, pin) => {
                let there = layout.moved(board, pin).ok()?;
                (Slab::Attack(board), (0.0, 0.0), (2.0, 2.0), there)
            }
        };
        let corners = [(0.0, 0.0), (files, 0.0), (files, ranks), (0.0, ranks)];
        Some(corners.map(|(f, r)| stage.point(slab, Some(&layout), file + f, rank + r)))
    }
}

/// A link on a picture.
#[derive(Clone, Debug)]
pub struct PictureLink {
    /// What it covers.
    pub target: LinkTarget,
    /// Its name, in the attribute `data-key`. The link of an occupied square has two elements: one over the piece with
    /// the name, and one over the square with the name in `data-for`, which screen readers and the keyboard skip. The
    /// link of a reached square has such a second element over its spot.
    pub key: String,
    /// What it does, for screen readers and as a tooltip.
    pub label: String,
    /// Its other attributes, such as `href`. The names must be names in XML; the values are escaped.
    pub attributes: Vec<(&'static str, String)>,
}

impl Artist<'_> {
    /// The areas of the links, invisible until a style sheet shows them.
    pub(super) fn links(&mut self, links: &[PictureLink], marks: &Marks) {
        self.xml.tag("g").with("class", "spots").open();
        for link in self.in_order(links) {
            match link.target {
                LinkTarget::Square(square) if self.scene.setup.piece(square).is_some() => {
                    self.open_hidden(link);
                    self.area(link.target, true);
                    self.xml.close();
                }
                _ => {
                    self.open_named(link);
                    self.area(link.target, true);
                    self.xml.close();
                }
            }
        }
        for (foot, square, piece) in self.standing() {
            let target = LinkTarget::Square(square);
            let link = links.iter().find(|link| link.target == target);
            if let Some(link) = link {
                self.open_named(link);
                self.area(target, false);
            }
            // Transparent, but it receives the pointer where the piece is drawn. A piece without a link blocks the
            // links that it hides.
            let place = format!("{} scale({})", translate(foot), Number(PIECE_SCALE));
            let silhouette = self.xml.tag("use").with("opacity", 0);
            silhouette
                .with("href", format!("#{}", piece_id(piece)))
                .with("transform", place)
                .empty();
            if link.is_some() {
                self.xml.close();
            }
        }
        for (square, _) in marks.reached.iter().filter(|(_, capture)| !capture) {
            let target = LinkTarget::Square(*square);
            if let Some(link) = links.iter().find(|link| link.target == target) {
                self.open_hidden(link);
                self.reached_area(*square);
                self.xml.close();
            }
        }
        self.xml.close();
    }

    /// Links in the order of their areas. The strip next to an attack board never covers a square. The area of a pin
    /// may, because its outline is drawn over the boards.
    fn in_order<'l>(&self, links: &'l [PictureLink]) -> Vec<&'l PictureLink> {
        let is =
            |layer: fn(&LinkTarget) -> bool| links.iter().filter(move |link| layer(&link.target));
        let boards = is(|target| matches!(target, LinkTarget::Board(_)));
        let squares = is(|target| matches!(target, LinkTarget::Square(_)));
        let pins = links.iter().filter_map(|link| match link.target {
            LinkTarget::Pin(board, pin) => Some((self.there((board, pin))?, link)),
            _ => None,
        });
        let mut pins: Vec<_> = pins.collect();
        pins.sort_by(|(a, _), (b, _)| self.farther(*a, *b));
        let pins = pins.into_iter().map(|(_, link)| link);
        boards.chain(squares).chain(pins).collect()
    }

    /// A second area of a link, which screen readers and the keyboard skip.
    fn open_hidden(&mut self, link: &PictureLink) {
        let hidden = attributed(self.xml.tag("a"), link).with("data-for", &link.key);
        hidden.with("aria-hidden", true).with("tabindex", -1).open();
        self.xml.tag("title").text(&link.label);
    }

    fn open_named(&mut self, link: &PictureLink) {
        let named = attributed(self.xml.tag("a"), link).with("data-key", &link.key);
        named.with("aria-label", &link.label).open();
        self.xml.tag("title").text(&link.label);
    }

    /// The area of a target; `receives` is whether it receives the pointer.
    fn area(&mut self, target: LinkTarget, receives: bool) {
        let Some(corners) = target.outline(&self.stage, self.layout()) else {
            return;
        };
        let points = corners.map(|at| format!("{},{}", units(at.x), units(at.y)));
        let area = self.xml.tag("polygon").with("points", points.join(" "));
        let area = area.with("fill", "transparent");
        match receives {
            true => area.empty(),
            false => area.with("pointer-events", "none").empty(),
        }
    }
}

fn attributed<'x>(mut tag: Tag<'x>, link: &PictureLink) -> Tag<'x> {
    for (name, value) in &link.attributes {
        tag = tag.with(name, value);
    }
    tag
}
