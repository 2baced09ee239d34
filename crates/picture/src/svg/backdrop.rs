//! The boards of a position without men, in parts, for those who put the men there themselves: pages that play through a
//! game.

use super::artist::{Artist, Part, UNIT};
use super::{Lettering, men_defined};
use crate::names::{Labels, Names};
use crate::scene::Scene;
use crate::stage::{Stage, View};
use crate::theme::Theme;
use crate::xml::Xml;
use tridex_rules::Position;

/// The length of a square's side in the units of a [`Backdrop`].
pub const SQUARE: f64 = UNIT;

/// How much larger or smaller a man of [`men_of_a_page`] is drawn in the units of a [`Backdrop`].
pub const MAN: f64 = UNIT * 0.9 / 100.0;

/// Everything of a picture that stays while men move, in parts. Each part is a piece of SVG of its own, to be painted in
/// order, in units of [`SQUARE`] to a square; what looks the same is the same text, so that pages need to keep each part
/// only once. Colours are those of [`Theme::Page`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Backdrop {
    /// Boards, posts and pins.
    pub shapes: Vec<Part>,
    /// Names of boards, files and ranks, over the shapes, in the words of each of the requested labels.
    pub names: Vec<Vec<Part>>,
}

impl Backdrop {
    /// The boards of a position on a stage, with names in the words of some labels.
    #[must_use]
    pub fn of(position: &Position, stage: Stage, labels: &[Labels]) -> Self {
        Self {
            shapes: parts(position, stage, Labels::OfTheRules, true),
            names: labels
                .iter()
                .map(|labels| parts(position, stage, *labels, false))
                .collect(),
        }
    }
}

fn parts(position: &Position, stage: Stage, labels: Labels, shaped: bool) -> Vec<Part> {
    let names = Names::new(position.rules(), position.layout(), labels);
    let palette = *Theme::Page.palette();
    let layout = position.layout();
    let setup = position.to_setup();
    let scene = Scene::of(position, &setup);
    let mut artist = Artist::new(stage, layout, palette, names, Lettering::Text, !shaped);
    artist.shaped = shaped;
    artist.parts = Some(Vec::new());
    match stage.view() {
        View::Flat => artist.flat(&scene),
        View::Stand => artist.stand(),
    }
    artist.parts.unwrap_or_default()
}

/// `<defs>` with every kind of man, to be used by a page as `#wK`, `#bP` and so on: a man stands on its point (0, 0), and
/// is to be drawn [`MAN`] times as large.
#[must_use]
pub fn men_of_a_page() -> String {
    let mut xml = Xml::default();
    men_defined(&mut xml, Theme::Page.palette());
    xml.finish()
}
