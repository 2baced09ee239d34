//! A position of three-dimensional chess, drawn: in characters, as SVG, as PNG.
//!
//! [`text`] draws every board of a position side by side in plain characters, with what belongs to the position and is
//! seen on no board: whose turn it is, which rights are left, and on the stair board where the attack boards are and
//! what stacks up in a column.
//!
//! [`svg`] draws a picture, in one of two [views](View): *flat*, all boards side by side, or *stand*, the board
//! in space. [`Marks`] highlight squares. With the feature `png` the same picture comes as pixels.
//!
//! ```
//! use tridex_picture::{PictureOptions, TextOptions, View, svg, text};
//! use tridex_rules::{Position, RuleSystem};
//!
//! let start = Position::start(RuleSystem::Meder);
//! let drawn = text(&start, &TextOptions::default());
//! assert!(drawn.starts_with("meder, move 1: White to move\n"));
//! // White's queen's-side attack board is on pin QL1: rook and queen on rank 0.
//! assert!(drawn.lines().any(|line| line.starts_with(" 0") && line.contains("R Q")));
//!
//! let picture = svg(&start, &PictureOptions { view: View::Stand, ..PictureOptions::default() });
//! assert!(picture.contains("<title>meder, move 1: White to move</title>"));
//! ```
#![forbid(unsafe_code)]

mod describe;
mod letters;
mod marks;
mod names;
#[cfg(feature = "png")]
mod png;
mod scene;
mod silhouettes;
mod stage;
mod svg;
mod text;
mod theme;
mod xml;

pub use marks::{Ink, LastMove, Marks};
pub use names::{Labels, find_squares, square_name};
#[cfg(feature = "png")]
pub use png::{PngError, animated_png, png};
pub use stage::{Arrangement, Point, Room, Slab, Stage, View};
pub use svg::{
    ARROW, Backdrop, Fragment, Lettering, PIECE_SCALE, PictureOptions, SQUARE, WIDTHS,
    mark_definitions, piece_definitions, setup_svg, svg,
};
pub use text::{TextOptions, text};
pub use theme::{Colors, ColorsError, Theme};
pub use xml::{escape, harmless};

use tridex_geometry::Square;
use tridex_geometry::stair::{Board, Layout, Surface, board};
use tridex_rules::RuleSystem;

/// The height of a square among those of its column: three steps a main board, one down for an attack board below it,
/// one up for one above it.
pub(crate) fn height(layout: &Layout, square: Square) -> u8 {
    match board(square) {
        Board::Main(main) => 3 * main.tier() + 1,
        Board::Attack(attack) => {
            let pin = layout.pin(attack);
            let step = match pin.surface() {
                Surface::Under => 0,
                Surface::Over => 2,
            };
            3 * pin.corner().main_board().tier() + step
        }
    }
}

/// Whether the pins below the boards are shown: only where the rules know them or a board is there.
pub(crate) fn shows_lower_pins(rules: RuleSystem, layout: Option<&Layout>) -> bool {
    rules == RuleSystem::Manual
        || layout.is_some_and(|layout| {
            layout
                .pins()
                .iter()
                .any(|pin| pin.surface() == Surface::Under)
        })
}

// The example of the README is compiled and run with those of the docs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod read_me {}
