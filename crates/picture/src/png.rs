//! A position as PNG, made from its SVG by resvg. No font is looked for: words are strokes.

use crate::{Lettering, PictureOptions, svg};
use resvg::{tiny_skia, usvg};
use tridex_rules::Position;

/// Why a picture could not be made: it would be too large.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PngError {
    said: String,
}

impl std::fmt::Display for PngError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the picture cannot be made: {}", self.said)
    }
}

impl std::error::Error for PngError {}

/// Draws a position as PNG, the same bytes for the same position and options. [`Lettering`] is always
/// [`Strokes`](Lettering::Strokes).
///
/// # Errors
/// If the renderer refuses, which happens only when there is no memory for so many pixels.
pub fn png(position: &Position, options: &PictureOptions<'_>) -> Result<Vec<u8>, PngError> {
    let drawing = svg(
        position,
        &PictureOptions {
            lettering: Lettering::Strokes,
            ..options.clone()
        },
    );
    let fault = |said: String| PngError { said };
    let tree = usvg::Tree::from_str(&drawing, &usvg::Options::default())
        .map_err(|found| fault(found.to_string()))?;
    let size = tree.size().to_int_size();
    let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height())
        .ok_or_else(|| fault(format!("{} by {} pixels", size.width(), size.height())))?;
    resvg::render(&tree, tiny_skia::Transform::default(), &mut pixels.as_mut());
    pixels
        .encode_png()
        .map_err(|found| fault(found.to_string()))
}
