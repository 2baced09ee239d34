//! The boards of a position without pieces, in parts, for those who put the pieces there themselves: pages that play through a
//! game.

use super::artist::{Artist, Fragment, Parts, UNIT};
use super::define_pieces;
use crate::names::Names;
use crate::scene::Scene;
use crate::stage::Stage;
use crate::theme::Theme;
use crate::xml::Xml;
use tridex_notation::Notation;
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
    /// Names of boards, files and ranks, over the shapes, in the words of each of the requested notations.
    pub names: Vec<Vec<Fragment>>,
}

impl Backdrop {
    /// The boards of a position on a stage, with names in the words of some notations.
    #[must_use]
    pub fn of(position: &Position, stage: Stage, notations: &[Notation]) -> Self {
        let scene = Scene::of(position);
        let parts = |notation| {
            let names = Names::new(scene.rules, scene.layout(), notation);
            let mut artist = Artist::new(stage, &scene, *Theme::Page.palette(), names);
            artist.parts = Some(Parts::default());
            artist.boards();
            artist.parts.unwrap_or_default()
        };
        let words = notations
            .iter()
            .map(|notation| parts(Some(*notation)).names);
        Self {
            names: words.collect(),
            shapes: parts(None).shapes,
        }
    }
}

/// `<defs>` with every kind of piece, to be used by a page as `#wK`, `#bP` and so on: the foot of a piece is at (0, 0), and
/// is to be drawn [`PIECE_SCALE`] times as large.
#[must_use]
pub fn piece_definitions() -> String {
    let mut xml = Xml::default();
    define_pieces(&mut xml, Theme::Page.palette());
    xml.finish()
}
