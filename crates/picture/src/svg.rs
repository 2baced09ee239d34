//! A position as SVG.

mod artist;
mod backdrop;
mod flat;
mod legend;
mod links;
mod marking;
mod stand;
#[cfg(test)]
mod tests;

use crate::describe;
use crate::letters::Anchor;
use crate::marks::Marks;
use crate::names::Names;
use crate::scene::Scene;
use crate::silhouettes::silhouette;
use crate::stage::{Arrangement, Point, Space, Stage, View};
use crate::theme::{Colors, Palette, Theme};
use crate::xml::{Number, Xml};
pub use artist::Fragment;
use artist::{Artist, UNIT, translate, units};
pub use backdrop::{Backdrop, PIECE_SCALE, SQUARE, piece_definitions};
pub use links::{LinkTarget, PictureLink};
pub use marking::{ARROW, mark_definitions};
use tridex_geometry::Square;
#[cfg(feature = "png")]
use tridex_geometry::stair::Layout;
use tridex_notation::Notation;
use tridex_rules::{Color, Piece, Position, Role, RuleSystem, Setup};

/// How the text of a picture is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Lettering {
    /// As text, which can be searched and read out; needs a font where the picture is shown.
    #[default]
    Text,
    /// As strokes, which need no font.
    Strokes,
}

/// Choices for a picture.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PictureOptions<'a> {
    /// How the boards are shown.
    pub view: View,
    /// The arrangement of the flat view; by default a row, or a column if the picture is narrow.
    pub arrangement: Option<Arrangement>,
    /// The side from which the board is seen. Its pieces are near the viewer.
    pub side: Color,
    /// The colours.
    pub theme: Theme,
    /// Colours in place of those of the theme.
    pub colors: Colors,
    /// The notation of the names for files, ranks, boards and pins; by default that of the rules.
    pub labels: Option<Notation>,
    /// The width of the picture in pixels, from 16 to 10,000. Other values are replaced by the nearest of these.
    pub width: u32,
    /// Whether boards and coordinates are named; by default if the names are large enough to be read.
    pub names: Option<bool>,
    /// How the text is drawn.
    pub lettering: Lettering,
    /// What is marked.
    pub marks: Marks,
    /// The caption, before the description of the position in the `<title>`. Any text; it is escaped.
    pub caption: Option<&'a str>,
    /// The space for attack boards, so that several pictures have the same frame; by default what this position needs.
    pub space: Option<Space>,
    /// Whether to omit the definitions of the pieces, because the page of the picture has them ([`piece_definitions`]).
    /// For pages with many pictures.
    pub omits_definitions: bool,
}

tridex_text::setters! {
    impl['a] PictureOptions<'a> {
        view: View,
        arrangement: Option<Arrangement>,
        side: Color,
        theme: Theme,
        colors: Colors,
        labels: Option<Notation>,
        width: u32,
        names: Option<bool>,
        lettering: Lettering,
        marks: Marks,
        caption: Option<&'a str>,
        space: Option<Space>,
        omits_definitions: bool,
    }
}

impl Default for PictureOptions<'_> {
    fn default() -> Self {
        Self {
            view: View::default(),
            arrangement: None,
            side: Color::White,
            theme: Theme::default(),
            colors: Colors::default(),
            labels: None,
            width: 800,
            names: None,
            lettering: Lettering::default(),
            marks: Marks::default(),
            caption: None,
            space: None,
            omits_definitions: false,
        }
    }
}

/// The least and the greatest width of a picture, in pixels.
pub const WIDTHS: (u32, u32) = (16, 10_000);

/// The least width of a square, in pixels, at which names can be read.
const LEGIBLE: f64 = 26.0;

/// Below this width in pixels the boards of the flat view follow each other upwards.
const NARROW: f64 = 480.0;

/// The opacity of a piece in front of a mark.
const GHOST: f64 = 0.55;

/// Draws a position as a well-formed SVG document without scripts or external resources. The same position and options
/// give the same bytes. `<title>` names what it shows, `<desc>` lists the pieces and the boards.
///
/// ```
/// use tridex_picture::{PictureOptions, Theme, View, svg};
/// use tridex_rules::{Position, RuleSystem};
///
/// let options = PictureOptions::default().view(View::Flat).theme(Theme::Dark);
/// let picture = svg(&Position::start(RuleSystem::Chess3), &options);
/// assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"));
/// ```
#[must_use]
pub fn svg(position: &Position, options: &PictureOptions<'_>) -> String {
    drawn_alone(&Scene::of(position), options, &[])
}

/// Like [`svg`], for a setup that need not be legal: for example, kings may be missing. A legal setup is drawn as its
/// position. If the rules have another board, the setup is drawn on its own board.
///
/// ```
/// use tridex_picture::{PictureOptions, setup_svg};
/// use tridex_rules::{RuleSystem, Setup};
///
/// let empty = Setup::empty(RuleSystem::Meder.start().layout);
/// let picture = setup_svg(RuleSystem::Meder, &empty, &PictureOptions::default());
/// assert!(picture.contains("<svg"));
/// ```
#[must_use]
pub fn setup_svg(rules: RuleSystem, setup: &Setup, options: &PictureOptions<'_>) -> String {
    drawn_alone(&scene_of_setup(rules, setup), options, &[])
}

/// [`setup_svg`] with links over the squares, boards, pins and pieces. The drawing is then a group with the role `img`,
/// and the links follow it in a group of the class `spots`.
///
/// ```
/// use tridex_picture::{LinkTarget, PictureLink, PictureOptions, linked_svg};
/// use tridex_rules::{Color, Position, RuleSystem};
///
/// let start = Position::start(RuleSystem::Meder);
/// let king = PictureLink {
///     target: LinkTarget::Square(start.king(Color::White)),
///     key: "king".to_owned(),
///     label: "White king".to_owned(),
///     attributes: vec![("href", "/king".to_owned())],
/// };
/// let options = PictureOptions::default();
/// let picture = linked_svg(RuleSystem::Meder, &start.to_setup(), &options, &[king]);
/// assert!(picture.contains("<a href=\"/king\" data-key=\"king\" aria-label=\"White king\">"));
/// ```
#[must_use]
pub fn linked_svg(
    rules: RuleSystem,
    setup: &Setup,
    options: &PictureOptions<'_>,
    links: &[PictureLink],
) -> String {
    drawn_alone(&scene_of_setup(rules, setup), options, links)
}

fn scene_of_setup(rules: RuleSystem, setup: &Setup) -> Scene {
    if let Ok(position) = Position::from_setup(rules, setup) {
        return Scene::of(&position);
    }
    let mut of_the_board = RuleSystem::ALL.iter().copied();
    let is_own = |rules: &RuleSystem| rules.family() == setup.family();
    Scene {
        rules: match is_own(&rules) {
            true => rules,
            false => of_the_board.find(is_own).unwrap_or(rules),
        },
        setup: setup.clone(),
        outcome: None,
        checked: None,
    }
}

/// What the pictures of one game share, so that they have one size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    space: Space,
    /// The least height of the legend.
    foot: f64,
}

#[cfg(feature = "png")]
impl Frame {
    /// The smallest frame in which every one of some positions can be drawn.
    pub(crate) fn of(pictures: &[(Position, Marks)], options: &PictureOptions<'_>) -> Self {
        let layouts = pictures.iter().flat_map(|(position, marks)| {
            let layout = position.layout().copied();
            layout.into_iter().chain(marks.layouts(position.layout()))
        });
        let layouts: Vec<Layout> = layouts.collect();
        let space = options.space.unwrap_or_else(|| Space::least(&layouts));
        let feet = pictures.iter().map(|(position, _)| {
            let scene = Scene::of(position);
            let mut artist = artist(&scene, options, space);
            artist.make_space(0.0);
            artist.foot
        });
        let foot = feet.fold(0.0, f64::max);
        Self { space, foot }
    }

    /// [`svg`] in this frame, with these marks in place of those of the options.
    pub(crate) fn svg(
        self,
        (position, marks): &(Position, Marks),
        options: &PictureOptions<'_>,
    ) -> String {
        drawn(&Scene::of(position), options, marks, self, &[])
    }
}

fn drawn_alone(scene: &Scene, options: &PictureOptions<'_>, links: &[PictureLink]) -> String {
    let targets = options.marks.layouts(scene.layout());
    let layouts = scene.layout().into_iter().chain(&targets);
    let space = options.space.unwrap_or_else(|| Space::least(layouts));
    let frame = Frame { space, foot: 0.0 };
    drawn(scene, options, &options.marks, frame, links)
}

/// The width of a picture in pixels.
fn width(options: &PictureOptions<'_>) -> f64 {
    f64::from(options.width.clamp(WIDTHS.0, WIDTHS.1))
}

fn artist<'s>(scene: &'s Scene, options: &'s PictureOptions<'_>, space: Space) -> Artist<'s> {
    let width = width(options);
    let mut stage = Stage {
        family: scene.setup.family(),
        view: options.view,
        arrangement: options.arrangement.unwrap_or(match width < NARROW {
            true => Arrangement::Column,
            false => Arrangement::Row,
        }),
        side: options.side,
        space,
        named: true,
    };
    let is_legible = width / stage.size().x >= LEGIBLE;
    stage.named = options.names.unwrap_or(is_legible);
    let palette = options.colors.over(options.theme.palette());
    let names = Names::new(scene.rules, scene.layout(), options.labels);
    Artist {
        lettering: options.lettering,
        ..Artist::new(stage, scene, palette, names)
    }
}

fn drawn(
    scene: &Scene,
    options: &PictureOptions<'_>,
    marks: &Marks,
    frame: Frame,
    links: &[PictureLink],
) -> String {
    let marks = marks.clone().on(scene.setup.family());
    let mut artist = artist(scene, options, frame.space);
    artist.make_space(frame.foot);
    // A screen reader treats an image as one thing, so links must be outside of it.
    artist.open(width(options), links.is_empty());
    if !links.is_empty() {
        artist.xml.tag("g").with("role", "img").open();
    }
    artist.title(options.caption);
    if !options.omits_definitions {
        define_pieces(&mut artist.xml, &artist.palette);
    }
    artist.ground();
    artist.status();
    artist.boards();
    artist.plan_beside();
    artist.legend();
    artist.marks_below(&marks);
    artist.pieces(&marks);
    artist.marks_above(&marks);
    if !links.is_empty() {
        artist.xml.close();
        artist.links(links, &marks);
    }
    artist.xml.finish()
}

/// The id of a piece among the [`piece_definitions`]: `wK`.
#[must_use]
pub fn piece_id(piece: Piece) -> String {
    let color = if piece.color.is_white() { 'w' } else { 'b' };
    format!("{color}{}", piece.role.letter())
}

/// Defines every kind of piece once. All pieces on the board refer to these definitions.
fn define_pieces(xml: &mut Xml, palette: &Palette<'_>) {
    xml.tag("defs").open();
    for role in Role::ALL.into_iter().rev() {
        let (body, detail) = silhouette(role);
        for color in Color::ALL {
            let (fill, line) = palette.piece(color);
            xml.tag("g")
                .with("id", piece_id(Piece::new(color, role)))
                .with("stroke", line)
                .with("stroke-width", 3.4)
                .with("stroke-linejoin", "round")
                .with("stroke-linecap", "round")
                .open();
            xml.tag("path").with("fill", fill).with("d", body).empty();
            xml.tag("path")
                .with("fill", "none")
                .with("d", detail)
                .empty();
            xml.close();
        }
    }
    xml.close();
}

impl Artist<'_> {
    fn title(&mut self, caption: Option<&str>) {
        let title = describe::title(self.scene);
        let title = match caption {
            Some(caption) if !caption.trim().is_empty() => format!("{caption}: {title}"),
            _ => title,
        };
        self.xml.tag("title").text(&title);
        let pieces = describe::pieces(self.scene, &self.names);
        self.xml.tag("desc").text(&pieces);
    }

    /// The boards with their names, ties and posts.
    fn boards(&mut self) {
        match self.stage.view {
            View::Flat => self.flat(),
            View::Stand => self.stand(),
        }
    }

    /// The pieces with the points under their feet, the farthest first.
    fn standing(&self) -> Vec<(Point, Square, Piece)> {
        let pieces = self.scene.setup.pieces();
        let mut standing: Vec<_> = pieces
            .map(|(square, piece)| (self.stage.foot(square, self.layout()), square, piece))
            .collect();
        standing.sort_by(|a, b| a.0.y.total_cmp(&b.0.y).then(a.1.cmp(&b.1)));
        standing
    }

    /// The pieces, the farthest first.
    fn pieces(&mut self, marks: &Marks) {
        let ghosts = self.ghosts(marks);
        self.xml.tag("g").with("class", "men").open();
        for (foot, square, piece) in self.standing() {
            if self.stage.view == View::Stand {
                self.xml
                    .tag("ellipse")
                    .with("cx", units(foot.x))
                    .with("cy", Number(foot.y * UNIT - 0.02 * UNIT))
                    .with("rx", units(0.3))
                    .with("ry", units(0.1))
                    .with("opacity", ".3")
                    .empty();
            }
            let opacity = if ghosts.contains(&square) { GHOST } else { 1.0 };
            self.piece(foot, piece, PIECE_SCALE, opacity);
        }
        self.xml.close();
    }

    /// One of the defined pieces.
    fn piece(&mut self, foot: Point, piece: Piece, scale: f64, opacity: f64) {
        let place = format!("{} scale({})", translate(foot), Number(scale));
        let tag = self
            .xml
            .tag("use")
            .with("href", format!("#{}", piece_id(piece)));
        let tag = tag.with("transform", place);
        match opacity < 1.0 {
            true => tag.with("opacity", Number(opacity)).empty(),
            false => tag.empty(),
        }
    }

    /// Whose turn it is: a disc, and words where there is space.
    fn status(&mut self) {
        // A flat picture without names has little space for the disc. With the cube it is in the corner, and in a
        // column of the stair board above the middle of the highest board.
        let at = match (self.stage.view, self.layout()) {
            (View::Flat, None) if !self.stage.named => Point::new(0.22, 0.22),
            (View::Flat, Some(_)) if !self.stage.named && !self.is_row() => {
                Point::new(self.stage.size().x / 2.0, 0.42)
            }
            _ => Point::new(0.42, 0.42),
        };
        self.disc(at, 0.17, self.scene.setup.turn);
        if self.stage.named {
            let words = format!(
                "{}. {}",
                self.scene.setup.fullmoves,
                describe::status(self.scene)
            );
            let (at, text) = (at.plus(0.3, 0.12), self.palette.text);
            self.write(at, 0.36, Anchor::Start, text, true, &words);
        }
    }
}
