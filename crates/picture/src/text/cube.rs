//! The cube: three boards side by side, the viewer's own at the left.

use super::Sketch;
use super::canvas::Canvas;
use tridex_geometry::cube;

/// Columns from the left edge of one board to that of the next, and the same where there is little space.
const PITCH: usize = 21;
const NARROW: usize = 19;

pub(super) fn draw(sketch: &Sketch<'_>, out: &mut String) {
    let pitch = match sketch.width < 4 + 2 * PITCH + 15 {
        true => NARROW,
        false => PITCH,
    };
    let mut sheet = Canvas::default();
    for (left, level) in (4..).step_by(pitch).zip(sketch.seen(cube::LEVELS)) {
        let title = match level {
            0 => "Level 1, White's",
            1 => "Level 2",
            _ => "Level 3, Black's",
        };
        let square = |file, rank| cube::try_square(level, file, rank);
        sketch.board(&mut sheet, left, &[title], (0, 8), 8, square);
        sketch.ranks(&mut sheet, 1, left - 2, 8);
    }
    sheet.write(sketch.options.color, out);
    out.push('\n');
    sketch.legend(out);
}
