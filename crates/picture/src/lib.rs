//! Draws positions of three-dimensional chess: in characters, as SVG and as PNG.
//!
//! [`text`] draws the boards of a position side by side in plain characters. It also shows what no board shows: whose
//! turn it is, which rights are left, and on the stair board where the attack boards are and what lies above each other
//! in a column.
//!
//! [`svg`] draws a picture, in one of two [views](View): *flat*, all boards side by side, or *stand*, the board in
//! space. [`Marks`] highlight squares. With the feature `png` the same picture is available as PNG.
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
//! let picture = svg(&start, &PictureOptions::default().view(View::Stand));
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

pub use marks::{Ink, LastMove, Marks, all_squares};
pub use names::find_squares;
#[cfg(feature = "png")]
pub use png::{animated_png, png};
pub use stage::{Arrangement, Point, Slab, Space, Stage, View};
pub use svg::{
    ARROW, Backdrop, Fragment, Lettering, LinkTarget, PIECE_SCALE, PictureLink, PictureOptions,
    SQUARE, WIDTHS, linked_svg, mark_definitions, piece_definitions, piece_id, setup_svg, svg,
};
pub use text::{TextOptions, text};
pub use theme::{Colors, ColorsError, Theme};
pub use xml::{escape, harmless};

use std::cmp::Reverse;
use tridex_geometry::stair::{Column, Layout, Surface};
use tridex_geometry::{Shade, Square, cube, stair};
use tridex_rules::RuleSystem;

/// The shade of a square.
pub(crate) fn shade(layout: Option<&Layout>, square: Square) -> Shade {
    match layout {
        Some(layout) => stair::shade(layout.column(square)),
        None => cube::shade(square),
    }
}

/// The squares of a column from the highest. An attack board is below or above the main board of its pin.
pub(crate) fn stack(layout: &Layout, column: Column) -> Vec<Square> {
    let mut stack: Vec<Square> = layout.stack(column).into_iter().collect();
    stack.sort_by_key(|square| {
        let step = match layout.attack_pin(*square).map(|(_, pin)| pin.surface()) {
            Some(Surface::Under) => 0,
            None => 1,
            Some(Surface::Over) => 2,
        };
        Reverse((layout.tier(*square), step))
    });
    stack
}

/// The surfaces whose pins are shown: the lower one only if the rules use it or a board is there.
pub(crate) fn surfaces(rules: RuleSystem, layout: &Layout) -> &'static [Surface] {
    let mut pins = layout.pins().into_iter();
    match rules.uses_under_pins() || pins.any(|pin| pin.surface() == Surface::Under) {
        true => &[Surface::Under, Surface::Over],
        false => &[Surface::Over],
    }
}

/// Where a board on a pin is, next to its main board.
pub(crate) const fn surface_name(surface: Surface) -> &'static str {
    match surface {
        Surface::Under => "under",
        Surface::Over => "over",
    }
}

// Compiles and runs the example of the README with the doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod read_me {}
