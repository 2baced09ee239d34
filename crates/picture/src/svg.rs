//! A position as SVG.

mod artist;
mod backdrop;
mod flat;
mod legend;
mod marking;
mod stand;
#[cfg(test)]
mod tests;

use crate::describe;
use crate::marks::{Marks, all_squares};
use crate::names::{Labels, Names};
use crate::scene::Scene;
use crate::silhouettes::silhouette;
use crate::stage::{Arrangement, Point, Room, Stage, View};
use crate::theme::{Colors, Palette, Theme};
use crate::xml::Xml;
pub use artist::Fragment;
use artist::{Artist, UNIT};
pub use backdrop::{Backdrop, PIECE_SCALE, SQUARE, piece_definitions};
pub use marking::{ARROW, mark_definitions};
use tridex_geometry::stair::Layout;
use tridex_geometry::{Shade, Square, cube, stair};
use tridex_rules::{Color, Piece, Position, Role, RuleSystem, Setup};

/// How the words of a picture are written.
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
pub struct PictureOptions<'a> {
    /// How the boards are shown.
    pub view: View,
    /// The direction of the flat view; without a choice in a row, and in a column where the picture is narrow.
    pub arrangement: Option<Arrangement>,
    /// Who looks: this side's pieces are near.
    pub side: Color,
    /// The colours.
    pub theme: Theme,
    /// Colours in place of those of the theme.
    pub colors: Colors,
    /// Whose names for files, ranks, boards and pins are used.
    pub labels: Labels,
    /// The width of the picture in pixels; 16 to 10,000, others are taken as the nearest of these.
    pub width: u32,
    /// Whether boards and coordinates are named; without a wish where there is room for it.
    pub names: Option<bool>,
    /// How the words are written.
    pub lettering: Lettering,
    /// What is marked.
    pub marks: Marks,
    /// The caption, before the description of the position in the `<title>`. Any text; it is escaped.
    pub caption: Option<&'a str>,
    /// The frame, for pictures that are to have the same; without it the one this position needs.
    pub room: Option<Room>,
    /// Whether the page of the picture has the definitions of the pieces ([`piece_definitions`]), for pages with many
    /// pictures.
    pub omits_definitions: bool,
}

impl Default for PictureOptions<'_> {
    fn default() -> Self {
        Self {
            view: View::default(),
            arrangement: None,
            side: Color::White,
            theme: Theme::default(),
            colors: Colors::default(),
            labels: Labels::default(),
            width: 800,
            names: None,
            lettering: Lettering::default(),
            marks: Marks::default(),
            caption: None,
            room: None,
            omits_definitions: false,
        }
    }
}

/// The least and the greatest width of a picture, in pixels.
pub const WIDTHS: (u32, u32) = (16, 10_000);

/// The pixels of a square that are needed for names to be read.
const LEGIBLE: f64 = 26.0;

/// Below this width in pixels the boards of the flat view follow each other upwards.
const NARROW: f64 = 480.0;

/// The opacity of a piece in front of a mark.
const GHOST: f64 = 0.55;

/// The pieces of a picture as `<symbol>`s would be: an id and its paths for each.
const PIECES: [(Role, &str, &str); 6] = [
    (Role::King, "wK", "bK"),
    (Role::Queen, "wQ", "bQ"),
    (Role::Rook, "wR", "bR"),
    (Role::Bishop, "wB", "bB"),
    (Role::Knight, "wN", "bN"),
    (Role::Pawn, "wP", "bP"),
];

/// Draws a position as an SVG document: well-formed, without script, without anything from elsewhere, and the same bytes
/// for the same position and options. `<title>` names what it shows, `<desc>` lists the pieces and the boards.
///
/// ```
/// use tridex_picture::{PictureOptions, Theme, View, svg};
/// use tridex_rules::{Position, RuleSystem};
///
/// let options = PictureOptions { view: View::Flat, theme: Theme::Dark, ..PictureOptions::default() };
/// let picture = svg(&Position::start(RuleSystem::Chess3), &options);
/// assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"));
/// ```
#[must_use]
pub fn svg(position: &Position, options: &PictureOptions<'_>) -> String {
    let setup = position.to_setup();
    drawn(&Scene::of(position, &setup), options)
}

/// The same for what is written down and may be impossible to play: kings may be missing, for one. If it can be played
/// under the rules it is drawn as the position it is. A setup on the board of other rules is drawn on its own board.
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
    if let Ok(position) = Position::from_setup(rules, setup) {
        return svg(&position, options);
    }
    let mut of_the_board = RuleSystem::ALL.iter().copied();
    let rules = match rules.family() == setup.family() {
        true => rules,
        false => of_the_board
            .find(|rules| rules.family() == setup.family())
            .unwrap_or(rules),
    };
    let scene = Scene {
        rules,
        setup,
        position: None,
    };
    drawn(&scene, options)
}

/// What the pictures of one game share, so that they have one size.
#[derive(Clone, Copy, Debug)]
#[cfg(feature = "png")]
pub(crate) struct Frame {
    room: Room,
    /// The height of the legend.
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
        let room = options.room.unwrap_or_else(|| Room::least(&layouts));
        let feet = pictures.iter().map(|(position, _)| {
            let setup = position.to_setup();
            let scene = Scene::of(position, &setup);
            let mut artist = artist(&scene, options, room);
            artist.make_room(&scene, 0.0);
            artist.foot
        });
        let foot = feet.fold(0.0, f64::max);
        Self { room, foot }
    }

    /// [`svg`] in this frame, with these marks in place of those of the options.
    pub(crate) fn svg(
        &self,
        (position, marks): &(Position, Marks),
        options: &PictureOptions<'_>,
    ) -> String {
        let setup = position.to_setup();
        let scene = Scene::of(position, &setup);
        drawn_by(
            artist(&scene, options, self.room),
            &scene,
            options,
            marks,
            self.foot,
        )
    }
}

fn drawn(scene: &Scene<'_>, options: &PictureOptions<'_>) -> String {
    let targets = options.marks.layouts(scene.layout());
    let room = options
        .room
        .unwrap_or_else(|| Room::least(scene.layout().into_iter().chain(&targets)));
    let artist = artist(scene, options, room);
    drawn_by(artist, scene, options, &options.marks, 0.0)
}

/// The width of a picture in pixels.
fn width(options: &PictureOptions<'_>) -> f64 {
    f64::from(options.width.clamp(WIDTHS.0, WIDTHS.1))
}

fn artist<'s>(scene: &Scene<'s>, options: &'s PictureOptions<'_>, room: Room) -> Artist<'s> {
    let width = width(options);
    let arrangement = options.arrangement.unwrap_or(if width < NARROW {
        Arrangement::Column
    } else {
        Arrangement::Row
    });
    let stage = |named| {
        Stage::new(
            scene.family(),
            options.view,
            arrangement,
            options.side,
            room,
            named,
        )
    };
    let named = options
        .names
        .unwrap_or_else(|| width / stage(true).size().x >= LEGIBLE);
    Artist::new(
        stage(named),
        scene.layout(),
        options.colors.over(options.theme.palette()),
        Names::new(scene.rules, scene.layout(), options.labels),
        options.lettering,
        named,
    )
}

/// Draws with a legend of at least the height `foot`.
fn drawn_by(
    mut artist: Artist<'_>,
    scene: &Scene<'_>,
    options: &PictureOptions<'_>,
    marks: &Marks,
    foot: f64,
) -> String {
    artist.make_room(scene, foot);
    artist.open(width(options));
    artist.title(scene, options.caption);
    if !options.omits_definitions {
        define_pieces(&mut artist.xml, &artist.palette);
    }
    artist.ground();
    artist.status(scene);
    match options.view {
        View::Flat => artist.flat(scene),
        View::Stand => artist.stand(),
    }
    artist.plan_beside(scene);
    artist.legend(scene);
    artist.marks_below(scene, marks);
    artist.pieces(scene, marks);
    artist.marks_above(marks);
    artist.finish()
}

/// Every kind of piece once, to be used for every piece.
fn define_pieces(xml: &mut Xml, palette: &Palette<'_>) {
    xml.open("defs", &[]);
    for (role, white, black) in PIECES {
        let paths = silhouette(role);
        for (id, fill, line) in [
            (white, palette.white_fill, palette.white_line),
            (black, palette.black_fill, palette.black_line),
        ] {
            xml.open(
                "g",
                &[
                    ("id", id.into()),
                    ("stroke", line.into()),
                    ("stroke-width", 3.4.into()),
                    ("stroke-linejoin", "round".into()),
                    ("stroke-linecap", "round".into()),
                ],
            );
            xml.empty("path", &[("fill", fill.into()), ("d", paths.body.into())]);
            xml.empty(
                "path",
                &[("fill", "none".into()), ("d", paths.detail.into())],
            );
            xml.close();
        }
    }
    xml.close();
}

/// The shade of a square.
fn shade(layout: Option<&Layout>, square: Square) -> Shade {
    match layout {
        Some(layout) => stair::shade(layout.column(square)),
        None => cube::shade(square),
    }
}

impl Artist<'_> {
    fn title(&mut self, scene: &Scene<'_>, caption: Option<&str>) {
        let title = describe::title(scene);
        let title = match caption {
            Some(caption) if !caption.trim().is_empty() => format!("{caption}: {title}"),
            _ => title,
        };
        self.xml.text("title", &[], &title);
        let pieces = describe::pieces(scene, &self.names);
        self.xml.text("desc", &[], &pieces);
    }

    /// The pieces, the farthest first.
    fn pieces(&mut self, scene: &Scene<'_>, marks: &Marks) {
        let ghosts = self.ghosts(scene, marks);
        let mut pieces: Vec<_> = all_squares(scene.family())
            .filter_map(|square| {
                let piece = scene.piece_at(square)?;
                Some((self.stage.foot(square, self.layout), square, piece))
            })
            .collect();
        pieces.sort_by(|a, b| a.0.y.total_cmp(&b.0.y).then(a.1.cmp(&b.1)));
        self.xml.open("g", &[("class", "men".into())]);
        for (foot, square, piece) in pieces {
            let (x, y) = (foot.x * UNIT, foot.y * UNIT);
            if self.stage.view() == View::Stand {
                self.xml.empty(
                    "ellipse",
                    &[
                        ("cx", x.into()),
                        ("cy", (y - 0.02 * UNIT).into()),
                        ("rx", (0.3 * UNIT).into()),
                        ("ry", (0.1 * UNIT).into()),
                        ("opacity", ".3".into()),
                    ],
                );
            }
            let opacity = if ghosts.contains(&square) { GHOST } else { 1.0 };
            self.piece(foot, piece, PIECE_SCALE, opacity);
        }
        self.xml.close();
    }

    /// One of the defined pieces.
    fn piece(&mut self, foot: Point, piece: Piece, scale: f64, opacity: f64) {
        let Some((_, white, black)) = PIECES.iter().find(|(role, ..)| *role == piece.role) else {
            return;
        };
        let id = if piece.color.is_white() { white } else { black };
        let mut place = String::from("translate(");
        crate::letters::number(foot.x * UNIT, &mut place);
        place.push(' ');
        crate::letters::number(foot.y * UNIT, &mut place);
        place.push_str(") scale(");
        crate::letters::number(scale, &mut place);
        place.push(')');
        let href = format!("#{id}");
        let mut attributes = vec![("href", (&href).into()), ("transform", (&place).into())];
        if opacity < 1.0 {
            attributes.push(("opacity", opacity.into()));
        }
        self.xml.empty("use", &attributes);
    }

    /// Whose turn it is: a disc, and words where there is room.
    fn status(&mut self, scene: &Scene<'_>) {
        let (fill, line) = match scene.turn() {
            Color::White => (self.palette.white_fill, self.palette.white_line),
            Color::Black => (self.palette.black_fill, self.palette.black_line),
        };
        // A small flat picture has no room in its corners, except next to the cube, and above the middle of the highest board.
        let at = match (self.stage.view(), self.layout) {
            (View::Flat, None) if !self.named => Point::new(0.22, 0.22),
            (View::Flat, Some(_))
                if !self.named && self.stage.arrangement() == Arrangement::Column =>
            {
                Point::new(self.stage.size().x / 2.0, 0.42)
            }
            _ => Point::new(0.42, 0.42),
        };
        self.disc(at, 0.17, fill, line);
        if self.named {
            let words = format!("{}.", scene.setup.fullmoves);
            let text = self.palette.text;
            self.write(
                at.plus(0.3, 0.12),
                0.36,
                crate::letters::Anchor::Start,
                text,
                true,
                &format!("{words} {}", describe::status(scene)),
            );
        }
    }
}
