//! The cube: three boards side by side, level 1 at the left.

use super::canvas::Canvas;
use super::{PieceStyle, wrap};
use crate::names::Names;
use tridex_geometry::cube;
use tridex_rules::Position;

/// Columns from one board's file a to the next one's, and where there is little room.
const PITCH: usize = 21;
const NARROW: usize = 19;

pub(crate) fn draw(
    position: &Position,
    names: &Names<'_>,
    style: PieceStyle,
    width: usize,
    out: &mut String,
) {
    let pitch = if width < 4 + 2 * PITCH + 15 {
        NARROW
    } else {
        PITCH
    };
    let mut sheet = Canvas::default();
    for (i, level) in style.seen(cube::LEVELS).enumerate() {
        let left = 4 + i * pitch;
        let owner = match level {
            0 => "Level 1, White's",
            1 => "Level 2",
            _ => "Level 3, Black's",
        };
        sheet.put(0, left, owner);
        for (row, rank) in style.seen(8).rev().enumerate() {
            let label = names.rank(rank).to_string();
            sheet.put(1 + row, left - 3, &label);
            for (i, file) in style.seen(8).enumerate() {
                if let Some(square) = cube::try_square(level, file, rank) {
                    let sign = style.cell(square, position.piece_at(square), cube::shade(square));
                    sheet.square(1 + row, left + 2 * i, sign);
                }
            }
        }
        for (i, file) in style.seen(8).enumerate() {
            sheet.dot(9, left + 2 * i, names.file(file));
        }
    }
    sheet.write(style.color, out);
    out.push('\n');
    wrap(style.legend(), width, out);
}
