//! The boards of a position without pieces, in parts, for pages that play through a game and place the pieces
//! themselves.

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

/// The scale of a piece of [`piece_definitions`] in the units of a [`Backdrop`].
pub const PIECE_SCALE: f64 = UNIT * 0.9 / 100.0;

/// Everything in a picture that does not change when pieces move, in parts. Each part is a separate piece of SVG, to be
/// painted in order, in units of [`SQUARE`] to a square. Equal parts have the same text, so pages need to store each
/// only once. Colours are those of [`Theme::Page`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Backdrop {
    /// Boards, posts and pins.
    pub shapes: Vec<Fragment>,
    /// Names of boards, files and ranks, to be painted over the shapes, in each of the requested notations.
    pub names: Vec<Vec<Fragment>>,
}

impl Backdrop {
    /// The boards of a position on a stage, with names in some notations.
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

/// `<defs>` with every kind of piece, which a page uses as `#wK`, `#bP` and so on. The foot of a piece is at (0, 0),
/// and pages must scale it by [`PIECE_SCALE`].
#[must_use]
pub fn piece_definitions() -> String {
    let mut xml = Xml::default();
    define_pieces(&mut xml, Theme::Page.palette());
    xml.finish()
}
