//! The boards of a position without pieces, in parts, for those who put the pieces there themselves: pages that play through a
//! game.

use super::artist::{Artist, Fragment, UNIT};
use super::{Lettering, define_pieces};
use crate::names::{Labels, Names};
use crate::scene::Scene;
use crate::stage::{Stage, View};
use crate::theme::Theme;
use crate::xml::Xml;
use tridex_rules::Position;

/// The length of a square's side in the units of a [`Backdrop`].
pub const SQUARE: f64 = UNIT;

/// How much larger or smaller a piece of [`piece_definitions`] is drawn in the units of a [`Backdrop`].
pub const PIECE_SCALE: f64 = UNIT * 0.9 / 100.0;

/// Everything of a picture that stays while pieces move, in parts. Each part is a piece of SVG of its own, to be painted in
/// order, in units of [`SQUARE`] to a square; what looks the same is the same text, so that pages need to keep each part
/// only once. Colours are those of [`Theme::Page`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Backdrop {
    /// Boards, posts and pins.
    pub shapes: Vec<Fragment>,
    /// Names of boards, files and ranks, over the shapes, in the words of each of the requested labels.
    pub names: Vec<Vec<Fragment>>,
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

fn parts(position: &Position, stage: Stage, labels: Labels, shaped: bool) -> Vec<Fragment> {
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

/// `<defs>` with every kind of piece, to be used by a page as `#wK`, `#bP` and so on: the foot of a piece is at (0, 0), and
/// is to be drawn [`PIECE_SCALE`] times as large.
#[must_use]
pub fn piece_definitions() -> String {
    let mut xml = Xml::default();
    define_pieces(&mut xml, Theme::Page.palette());
    xml.finish()
}
