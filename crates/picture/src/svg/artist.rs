//! Draws shapes and text, measured in squares, as SVG in units of [`UNIT`].

use super::Lettering;
use crate::letters::{Anchor, EM, STROKE, strokes};
use crate::names::Names;
use crate::scene::Scene;
use crate::shade;
use crate::stage::{Point, Slab, Stage, View};
use crate::theme::Palette;
use crate::xml::{Number, Tag, Xml};
use tridex_geometry::stair::{AttackBoard, Layout, Surface};
use tridex_geometry::{Shade, Square};
use tridex_rules::Color;

/// A part of a [`Backdrop`](crate::Backdrop): its board, or `None` for posts and free pins, and its SVG.
pub type Fragment = (Option<Slab>, String);

/// The parts of a drawing, with its text separate from its shapes.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) shapes: Vec<Fragment>,
    pub(super) names: Vec<Fragment>,
    /// The text of the part that is being drawn.
    words: Xml,
}

/// The side of a square in the units of the picture.
pub(super) const UNIT: f64 = 40.0;

/// The greatest ratio of height to width in the 3-D view.
const TALLEST: f64 = 1.2;

/// A number of squares in the units of the picture.
pub(super) fn units(squares: f64) -> Number {
    Number(squares * UNIT)
}

/// A group moved to a point.
pub(super) fn translate(to: Point) -> String {
    format!("translate({} {})", units(to.x), units(to.y))
}

/// The dashes of the outline of a board: short ones if it is on a pin below its main board, otherwise none.
pub(super) const fn dashes_of(surface: Surface) -> &'static [f64] {
    match surface {
        Surface::Under => &[0.16, 0.11],
        Surface::Over => &[],
    }
}

/// How a shape is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look<'a> {
    pub(super) fill: &'a str,
    stroke: &'a str,
    /// In squares.
    width: f64,
    /// In squares; empty for a solid line.
    dashes: &'a [f64],
    opacity: f64,
}

impl<'a> Look<'a> {
    /// A shape without a line.
    pub(super) const fn filled(fill: &'a str) -> Self {
        Self {
            fill,
            ..Self::lined("none", 0.0)
        }
    }

    /// A line, or the outline of a shape.
    pub(super) const fn lined(stroke: &'a str, width: f64) -> Self {
        Self {
            fill: "none",
            stroke,
            width,
            dashes: &[],
            opacity: 1.0,
        }
    }

    /// A shape with its outline.
    pub(super) const fn both((fill, stroke): (&'a str, &'a str), width: f64) -> Self {
        Self {
            fill,
            ..Self::lined(stroke, width)
        }
    }

    pub(super) const fn dashed(self, dashes: &'a [f64]) -> Self {
        Self { dashes, ..self }
    }

    pub(super) const fn faded(self, opacity: f64) -> Self {
        Self { opacity, ..self }
    }
}

pub(super) struct Artist<'a> {
    pub(super) xml: Xml,
    pub(super) stage: Stage,
    pub(super) scene: &'a Scene,
    pub(super) palette: Palette<'a>,
    pub(super) names: Names<'a>,
    pub(super) lettering: Lettering,
    /// The parts that are done, if the drawing is cut into parts.
    pub(super) parts: Option<Parts>,
    /// The height of what is below the stage, and the width of what is added on each side, in squares.
    pub(super) foot: f64,
    pub(super) aside: f64,
}

impl<'a> Artist<'a> {
    /// A whole picture on a stage.
    pub(super) fn new(
        stage: Stage,
        scene: &'a Scene,
        palette: Palette<'a>,
        names: Names<'a>,
    ) -> Self {
        Self {
            xml: Xml::default(),
            stage,
            scene,
            palette,
            names,
            lettering: Lettering::Text,
            parts: None,
            foot: 0.0,
            aside: 0.0,
        }
    }

    pub(super) const fn layout(&self) -> Option<&'a Layout> {
        self.scene.layout()
    }

    /// Ends a part of the drawing, which belongs to one board or to none. Does nothing unless the drawing is cut into
    /// parts.
    pub(super) fn cut(&mut self, slab: Option<Slab>) {
        if let Some(parts) = &mut self.parts {
            for (xml, done) in [
                (&mut self.xml, &mut parts.shapes),
                (&mut parts.words, &mut parts.names),
            ] {
                let part = std::mem::take(xml).finish();
                if !part.is_empty() {
                    done.push((slab, part));
                }
            }
        }
    }

    /// Width and height of the picture: the stage and what is around it.
    pub(super) fn size(&self) -> Point {
        self.stage.size().plus(2.0 * self.aside, self.foot)
    }

    /// Makes space for the legend below, at least `least` high, and at the sides so that the picture is not too tall for
    /// a page or a screen.
    pub(super) fn make_space(&mut self, least: f64) {
        self.foot = self.legend_height().max(least);
        if self.stage.view == View::Stand {
            let (wide, tall) = (self.stage.size().x, self.size().y);
            self.aside = ((tall / TALLEST - wide) / 2.0).max(0.0);
            // The legend may need fewer lines in the wider picture.
            self.foot = self.legend_height().max(least);
        }
    }

    /// Opens the document with a width in pixels; `is_image` is whether it is an image without links.
    pub(super) fn open(&mut self, width: f64, is_image: bool) {
        let size = self.size();
        let (left, wide, high) = (units(-self.aside), units(size.x), units(size.y));
        let document = self
            .xml
            .tag("svg")
            .with("xmlns", "http://www.w3.org/2000/svg")
            .with("viewBox", format!("{left} 0 {wide} {high}"))
            .with("width", width)
            .with("height", (width * size.y / size.x).round());
        match is_image {
            true => document.with("role", "img").open(),
            false => document.open(),
        }
    }

    /// The background.
    pub(super) fn ground(&mut self) {
        let size = self.size();
        self.xml
            .tag("rect")
            .with("x", units(-self.aside))
            .with("width", units(size.x))
            .with("height", units(size.y))
            .with("fill", self.palette.ground)
            .empty();
    }

    /// A shape of straight lines, closed.
    pub(super) fn polygon(&mut self, points: &[Point], look: Look<'_>) {
        self.path(&(line_of(points) + "Z"), look);
    }

    /// A line.
    pub(super) fn line(&mut self, from: Point, to: Point, look: Look<'_>) {
        self.path(&line_of(&[from, to]), look);
    }

    /// A path whose numbers are already in units of the picture.
    pub(super) fn path(&mut self, path: &str, look: Look<'_>) {
        let ends = match look.dashes {
            [] => &["stroke-linejoin", "stroke-linecap"][..],
            _ => &["stroke-linejoin"],
        };
        draw(self.xml.tag("path").with("d", path), look, ends);
    }

    /// A round spot on a board: an ellipse in the 3-D view.
    pub(super) fn spot(&mut self, at: Point, radius: f64, look: Look<'_>) {
        let flat = -self.stage.rank_step().y;
        let tag = self.xml.tag("ellipse");
        let tag = tag.with("cx", units(at.x)).with("cy", units(at.y));
        let tag = tag.with("rx", units(radius));
        draw(tag.with("ry", units(radius * flat)), look, &[]);
    }

    /// A disc in the colours of a side, that faces the viewer.
    pub(super) fn disc(&mut self, at: Point, radius: f64, color: Color) {
        let tag = self.xml.tag("circle");
        let tag = tag.with("cx", units(at.x)).with("cy", units(at.y));
        let look = Look::both(self.palette.piece(color), 0.04);
        draw(tag.with("r", units(radius)), look, &[]);
    }

    /// The disc in its owner's colour before the name of an attack board; returns the place for the name.
    pub(super) fn owner(&mut self, at: Point, size: f64, anchor: Anchor, color: Color) -> Point {
        let radius = size * 0.31;
        let forth = if anchor == Anchor::End { -1.0 } else { 1.0 };
        self.disc(at.plus(forth * radius, -0.36 * size), radius, color);
        at.plus(forth * 0.85 * size, 0.0)
    }

    /// Words on a line through `at`; `size` is that of the font, in squares.
    pub(super) fn write(
        &mut self,
        at: Point,
        size: f64,
        anchor: Anchor,
        fill: &str,
        bold: bool,
        text: &str,
    ) {
        if self.lettering == Lettering::Strokes {
            // Two decimals are not enough for a scale.
            let scale = size * UNIT / EM;
            let width = if bold { STROKE * 1.3 } else { STROKE };
            self.xml
                .tag("g")
                .with("transform", format!("{} scale({scale:.4})", translate(at)))
                .with("fill", "none")
                .with("stroke", fill)
                .with("stroke-width", Number(width))
                .with("stroke-linejoin", "round")
                .with("stroke-linecap", "round")
                .open();
            for (x, path) in strokes(text, anchor) {
                let tag = self.xml.tag("path");
                tag.with("transform", format!("translate({})", Number(x)))
                    .with("d", path)
                    .empty();
            }
            self.xml.close();
            return;
        }
        let xml = self.parts.as_mut().map(|parts| &mut parts.words);
        let xml = xml.unwrap_or(&mut self.xml);
        let mut tag = xml
            .tag("text")
            .with("x", units(at.x))
            .with("y", units(at.y))
            .with("font-family", "system-ui,sans-serif")
            .with("font-size", units(size))
            .with("fill", fill);
        if bold {
            tag = tag.with("font-weight", "600");
        }
        match anchor {
            Anchor::Start => tag,
            Anchor::Middle => tag.with("text-anchor", "middle"),
            Anchor::End => tag.with("text-anchor", "end"),
        }
        .text(text);
    }

    /// Where a point of a board is, counted from its near left corner.
    pub(super) fn at(&self, slab: Slab, file: f64, rank: f64) -> Point {
        self.stage.point(slab, self.layout(), file, rank)
    }

    /// The corners of a rectangle on a board, from the near left one on.
    fn rectangle(
        &self,
        slab: Slab,
        layout: Option<&Layout>,
        (left, near): (f64, f64),
        (right, far): (f64, f64),
    ) -> [Point; 4] {
        [(left, near), (right, near), (right, far), (left, far)]
            .map(|(file, rank)| self.stage.point(slab, layout, file, rank))
    }

    /// The four corners of a square, moved inwards by `inset` squares.
    pub(super) fn cell(&self, square: Square, inset: f64) -> [Point; 4] {
        let (slab, file, rank) = self.stage.cell_of(square);
        let (f, r) = (f64::from(file), f64::from(rank));
        let far = (f + 1.0 - inset, r + 1.0 - inset);
        self.rectangle(slab, self.layout(), (f + inset, r + inset), far)
    }

    /// The outline of a board, moved outwards by `outset` squares.
    pub(super) fn outline(&self, slab: Slab, layout: Option<&Layout>, outset: f64) -> [Point; 4] {
        let far = f64::from(slab.size()) + outset;
        self.rectangle(slab, layout, (-outset, -outset), (far, far))
    }

    /// The squares of a board: one shape for the light ones, one for the dark ones, and the outline.
    pub(super) fn squares(&mut self, slab: Slab, dashes: &[f64]) {
        let side = self.stage.side;
        let cells = (0..slab.size().pow(2)).map(|i| (i % slab.size(), i / slab.size()));
        let squares = cells.filter_map(|(file, rank)| slab.square(side, file, rank));
        let squares: Vec<Square> = squares.collect();
        for color in [Shade::Light, Shade::Dark] {
            let same = squares
                .iter()
                .filter(|square| shade(self.layout(), **square) == color);
            let path: String = same
                .map(|square| line_of(&self.cell(*square, 0.0)) + "Z")
                .collect();
            self.path(&path, Look::filled(self.palette.square(color)));
        }
        let outline = self.outline(slab, self.layout(), 0.0);
        let look = Look::lined(self.palette.line, 0.035).dashed(dashes);
        self.polygon(&outline, look);
    }

    /// The letters of a board's files and the numbers of its ranks, from the near left corner on, each pair with its
    /// distance from that corner.
    pub(super) fn coordinates(&self, slab: Slab) -> Vec<(f64, String, String)> {
        let squares = (0..slab.size()).filter_map(|i| {
            let square = slab.square(self.stage.side, i, i)?;
            let (file, rank) = self.names.column(square);
            Some((f64::from(i), file, rank))
        });
        squares.collect()
    }

    /// The colour of an attack board's sides: its owner's.
    pub(super) const fn edge_of(&self, attack: AttackBoard) -> &'a str {
        match attack.is_white() {
            true => self.palette.edge_white,
            false => self.palette.edge_black,
        }
    }
}

/// Ends a shape in its look; `round` lists the attributes of its line that are set to `round`.
fn draw(tag: Tag<'_>, look: Look<'_>, round: &[&str]) {
    let mut tag = tag.with("fill", look.fill);
    if look.stroke != "none" {
        tag = tag
            .with("stroke", look.stroke)
            .with("stroke-width", units(look.width));
        for attribute in round {
            tag = tag.with(attribute, "round");
        }
        if !look.dashes.is_empty() {
            let dashes = look.dashes.iter().map(|length| units(*length).to_string());
            tag = tag.with("stroke-dasharray", dashes.collect::<Vec<_>>().join(" "));
        }
    }
    if look.opacity < 1.0 {
        tag = tag.with("opacity", Number(look.opacity));
    }
    tag.empty();
}

pub(super) fn line_of(points: &[Point]) -> String {
    let mut path = String::new();
    for (at, sign) in points
        .iter()
        .zip(['M'].into_iter().chain(std::iter::repeat('L')))
    {
        path.push_str(&format!("{sign}{} {}", units(at.x), units(at.y)));
    }
    path
}

/// The owner of an attack board.
pub(super) const fn owner_of(attack: AttackBoard) -> Color {
    match attack.is_white() {
        true => Color::White,
        false => Color::Black,
    }
}
