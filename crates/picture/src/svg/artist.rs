//! The pencils: shapes and words in squares, written as SVG in units of [`UNIT`].

use super::{Lettering, shade};
use crate::letters::{Anchor, EM, STROKE, number, strokes};
use crate::names::Names;
use crate::scene::Scene;
use crate::stage::{Point, Slab, Stage, View};
use crate::theme::Palette;
use crate::xml::{Value, Xml};
use tridex_geometry::Shade;
use tridex_geometry::stair::Layout;

/// A part of a [`Backdrop`](crate::Backdrop): its board, or `None` for posts and free pins, and its SVG.
pub type Fragment = (Option<Slab>, String);

/// The side of a square in the units of the picture.
pub(super) const UNIT: f64 = 40.0;

/// The greatest height of the 3-D view for its width.
const TALLEST: f64 = 1.2;

/// How a shape is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look<'a> {
    pub(super) fill: &'a str,
    pub(super) stroke: &'a str,
    /// In squares.
    pub(super) width: f64,
    /// In squares; empty for a whole line.
    pub(super) dashes: &'a [f64],
    pub(super) opacity: f64,
}

impl Default for Look<'_> {
    fn default() -> Self {
        Self {
            fill: "none",
            stroke: "none",
            width: 0.0,
            dashes: &[],
            opacity: 1.0,
        }
    }
}

pub(super) struct Artist<'a> {
    pub(super) xml: Xml,
    pub(super) stage: Stage,
    pub(super) layout: Option<&'a Layout>,
    pub(super) palette: Palette<'a>,
    pub(super) names: Names<'a>,
    lettering: Lettering,
    pub(super) named: bool,
    /// Whether shapes are drawn; words alone if not.
    pub(super) shaped: bool,
    /// Where the drawing is cut into parts: those that are done.
    pub(super) parts: Option<Vec<Fragment>>,
    /// The height of what is below the stage, and the width of what is added on each side, in squares.
    pub(super) foot: f64,
    pub(super) aside: f64,
}

impl<'a> Artist<'a> {
    pub(super) fn new(
        stage: Stage,
        layout: Option<&'a Layout>,
        palette: Palette<'a>,
        names: Names<'a>,
        lettering: Lettering,
        named: bool,
    ) -> Self {
        Self {
            xml: Xml::default(),
            stage,
            layout,
            palette,
            names,
            lettering,
            named,
            shaped: true,
            parts: None,
            foot: 0.0,
            aside: 0.0,
        }
    }

    /// Whether what belongs to a name is drawn: with the name, and among the shapes of a drawing in parts.
    pub(super) fn has_owners(&self) -> bool {
        self.named || (self.parts.is_some() && self.stage.is_named())
    }

    /// A part of the drawing ends here, of one board or of none; for callers that need parts.
    pub(super) fn cut(&mut self, slab: Option<Slab>) {
        if let Some(parts) = &mut self.parts {
            let part = std::mem::take(&mut self.xml).finish();
            if !part.is_empty() {
                parts.push((slab, part));
            }
        }
    }

    /// Width and height of the picture: the stage and what is around it.
    pub(super) fn size(&self) -> Point {
        self.stage.size().plus(2.0 * self.aside, self.foot)
    }

    /// Makes room below for the legend, which gets at least the height `least`, and at the sides so that the picture is not
    /// too tall for a page or a screen.
    pub(super) fn make_room(&mut self, scene: &Scene<'_>, least: f64) {
        self.foot = self.legend_height(scene).max(least);
        if self.stage.view() == View::Stand {
            let (wide, tall) = (self.stage.size().x, self.size().y);
            self.aside = ((tall / TALLEST - wide) / 2.0).max(0.0);
            // In a wider picture the legend has no more lines than before.
            self.foot = self.legend_height(scene).max(least);
        }
    }

    /// Opens the document with a width in pixels.
    pub(super) fn open(&mut self, width: f64) {
        let size = self.size();
        let (w, h) = (size.x * UNIT, size.y * UNIT);
        let mut frame = String::new();
        number(-self.aside * UNIT, &mut frame);
        frame.push_str(" 0 ");
        number(w, &mut frame);
        frame.push(' ');
        number(h, &mut frame);
        self.xml.open(
            "svg",
            &[
                ("xmlns", "http://www.w3.org/2000/svg".into()),
                ("viewBox", (&frame).into()),
                ("width", width.into()),
                ("height", (width * size.y / size.x).round().into()),
                ("role", "img".into()),
            ],
        );
    }

    pub(super) fn finish(self) -> String {
        self.xml.finish()
    }

    /// The background.
    pub(super) fn ground(&mut self) {
        let size = self.size();
        let ground = self.palette.ground;
        self.xml.empty(
            "rect",
            &[
                ("x", (-self.aside * UNIT).into()),
                ("width", (size.x * UNIT).into()),
                ("height", (size.y * UNIT).into()),
                ("fill", ground.into()),
            ],
        );
    }

    /// A shape of straight lines, closed.
    pub(super) fn polygon(&mut self, points: &[Point], look: Look<'_>) {
        let mut path = line_of(points);
        path.push('Z');
        self.path(&path, look);
    }

    /// A line.
    pub(super) fn line(&mut self, from: Point, to: Point, look: Look<'_>) {
        self.path(&line_of(&[from, to]), look);
    }

    /// A path whose numbers are units already.
    pub(super) fn path(&mut self, path: &str, look: Look<'_>) {
        if !self.shaped {
            return;
        }
        let dashes = dashes(look.dashes);
        let mut attributes: Vec<(&str, Value<'_>)> =
            vec![("d", path.into()), ("fill", look.fill.into())];
        if look.stroke != "none" {
            attributes.push(("stroke", look.stroke.into()));
            attributes.push(("stroke-width", (look.width * UNIT).into()));
            attributes.push(("stroke-linejoin", "round".into()));
            if dashes.is_empty() {
                attributes.push(("stroke-linecap", "round".into()));
            } else {
                attributes.push(("stroke-dasharray", (&dashes).into()));
            }
        }
        if look.opacity < 1.0 {
            attributes.push(("opacity", look.opacity.into()));
        }
        self.xml.empty("path", &attributes);
    }

    /// A round spot on a board: an ellipse in the 3-D view.
    pub(super) fn spot(&mut self, at: Point, radius: f64, look: Look<'_>) {
        if !self.shaped {
            return;
        }
        let flat = -self.stage.rank_step().y;
        let dashes = dashes(look.dashes);
        let mut attributes: Vec<(&str, Value<'_>)> = vec![
            ("cx", (at.x * UNIT).into()),
            ("cy", (at.y * UNIT).into()),
            ("rx", (radius * UNIT).into()),
            ("ry", (radius * flat * UNIT).into()),
            ("fill", look.fill.into()),
        ];
        if look.stroke != "none" {
            attributes.push(("stroke", look.stroke.into()));
            attributes.push(("stroke-width", (look.width * UNIT).into()));
            if !dashes.is_empty() {
                attributes.push(("stroke-dasharray", (&dashes).into()));
            }
        }
        if look.opacity < 1.0 {
            attributes.push(("opacity", look.opacity.into()));
        }
        self.xml.empty("ellipse", &attributes);
    }

    /// A disc that faces the viewer.
    pub(super) fn disc(&mut self, at: Point, radius: f64, fill: &str, line: &str) {
        self.xml.empty(
            "circle",
            &[
                ("cx", (at.x * UNIT).into()),
                ("cy", (at.y * UNIT).into()),
                ("r", (radius * UNIT).into()),
                ("fill", fill.into()),
                ("stroke", line.into()),
                ("stroke-width", (0.04 * UNIT).into()),
            ],
        );
    }

    /// The disc in its owner's colour before the name of an attack board; returns the place for the name.
    pub(super) fn owner(&mut self, at: Point, size: f64, anchor: Anchor, white: bool) -> Point {
        let (fill, line) = match white {
            true => (self.palette.white_fill, self.palette.white_line),
            false => (self.palette.black_fill, self.palette.black_line),
        };
        let radius = size * 0.31;
        let forth = if anchor == Anchor::End { -1.0 } else { 1.0 };
        if self.shaped {
            self.disc(at.plus(forth * radius, -0.36 * size), radius, fill, line);
        }
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
        match self.lettering {
            Lettering::Text => self.text(at, size, anchor, fill, bold, text),
            Lettering::Strokes => self.strokes(at, size, anchor, fill, bold, text),
        }
    }

    fn text(&mut self, at: Point, size: f64, anchor: Anchor, fill: &str, bold: bool, text: &str) {
        let mut attributes: Vec<(&str, Value<'_>)> = vec![
            ("x", (at.x * UNIT).into()),
            ("y", (at.y * UNIT).into()),
            ("font-family", "system-ui,sans-serif".into()),
            ("font-size", (size * UNIT).into()),
            ("fill", fill.into()),
        ];
        if bold {
            attributes.push(("font-weight", "600".into()));
        }
        match anchor {
            Anchor::Start => {}
            Anchor::Middle => attributes.push(("text-anchor", "middle".into())),
            Anchor::End => attributes.push(("text-anchor", "end".into())),
        }
        self.xml.text("text", &attributes, text);
    }

    fn strokes(
        &mut self,
        at: Point,
        size: f64,
        anchor: Anchor,
        color: &str,
        bold: bool,
        text: &str,
    ) {
        let scale = size * UNIT / EM;
        let mut place = String::from("translate(");
        number(at.x * UNIT, &mut place);
        place.push(' ');
        number(at.y * UNIT, &mut place);
        place.push_str(") scale(");
        // Two decimals are not enough for a scale.
        place.push_str(&format!("{scale:.4})"));
        let width = if bold { STROKE * 1.3 } else { STROKE };
        self.xml.open(
            "g",
            &[
                ("transform", (&place).into()),
                ("fill", "none".into()),
                ("stroke", color.into()),
                ("stroke-width", width.into()),
                ("stroke-linejoin", "round".into()),
                ("stroke-linecap", "round".into()),
            ],
        );
        for (x, path) in strokes(text, anchor) {
            let mut place = String::from("translate(");
            number(x, &mut place);
            place.push(')');
            self.xml.empty(
                "path",
                &[("transform", (&place).into()), ("d", path.into())],
            );
        }
        self.xml.close();
    }

    /// The four corners of a cell, moved inwards by so much of a square.
    pub(super) fn cell(
        &self,
        slab: Slab,
        layout: Option<&Layout>,
        file: u8,
        rank: u8,
        inset: f64,
    ) -> [Point; 4] {
        let (f, r) = (f64::from(file), f64::from(rank));
        let at = |x: f64, y: f64| self.stage.point(slab, layout, x, y);
        [
            at(f + inset, r + inset),
            at(f + 1.0 - inset, r + inset),
            at(f + 1.0 - inset, r + 1.0 - inset),
            at(f + inset, r + 1.0 - inset),
        ]
    }

    /// The outline of a board, moved outwards by so much.
    pub(super) fn outline(&self, slab: Slab, layout: Option<&Layout>, outset: f64) -> [Point; 4] {
        let size = f64::from(slab.size());
        let at = |x: f64, y: f64| self.stage.point(slab, layout, x, y);
        [
            at(-outset, -outset),
            at(size + outset, -outset),
            at(size + outset, size + outset),
            at(-outset, size + outset),
        ]
    }

    /// The squares of a board: one shape for the light ones, one for the dark ones, and the outline.
    pub(super) fn squares(&mut self, slab: Slab, dashes: &[f64]) {
        let mut paths = [String::new(), String::new()];
        for rank in 0..slab.size() {
            for file in 0..slab.size() {
                let Some(square) = slab.square(self.stage.side(), file, rank) else {
                    continue;
                };
                let [light, dark] = &mut paths;
                let path = match shade(self.layout, square) {
                    Shade::Light => light,
                    Shade::Dark => dark,
                };
                path.push_str(&line_of(&self.cell(slab, self.layout, file, rank, 0.0)));
                path.push('Z');
            }
        }
        let palette = self.palette;
        for (path, fill) in paths.iter().zip([palette.light, palette.dark]) {
            self.path(
                path,
                Look {
                    fill,
                    ..Look::default()
                },
            );
        }
        let outline = self.outline(slab, self.layout, 0.0);
        self.polygon(
            &outline,
            Look {
                stroke: palette.line,
                width: 0.035,
                dashes,
                ..Look::default()
            },
        );
    }
}

fn line_of(points: &[Point]) -> String {
    let mut path = String::new();
    for (i, point) in points.iter().enumerate() {
        path.push(if i == 0 { 'M' } else { 'L' });
        number(point.x * UNIT, &mut path);
        path.push(' ');
        number(point.y * UNIT, &mut path);
    }
    path
}

fn dashes(lengths: &[f64]) -> String {
    let mut text = String::new();
    for (i, length) in lengths.iter().enumerate() {
        if i > 0 {
            text.push(' ');
        }
        number(length * UNIT, &mut text);
    }
    text
}
