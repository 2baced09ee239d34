//! The stair board: the seven boards side by side with their ranks on common lines, then the plan from the top and the
//! pins.

use super::canvas::Canvas;
use super::{Sketch, wrap};
use crate::{stack, surface_name, surfaces};
use tridex_geometry::Wing;
use tridex_geometry::stair::{
    AttackBoard, Board, Column, Corner, FILES, Layout, MainBoard, Pin, RANKS,
};
use tridex_notation::names::manual_board;

/// Columns for the names of the corners, for each pin with its board, and for the gap between the sides.
const CORNERS: usize = 9;
const PIN: usize = 8;
const GAP: usize = 2;

pub(super) fn draw(sketch: &Sketch<'_>, layout: &Layout, out: &mut String) {
    let color = sketch.options.color;
    let mut fixed = MainBoard::ALL.map(Board::Main);
    let mut moving = AttackBoard::ALL.map(Board::Attack);
    if !sketch.options.side.is_white() {
        // Black's boards first, and queen's sides before king's sides as for White.
        fixed.reverse();
        moving.rotate_left(2);
    }
    let sheet = boards(sketch, layout, &[&fixed[..], &moving].concat());
    if sheet.width() <= sketch.width {
        sheet.write(color, out);
    } else {
        // The fixed boards, and the others below them.
        boards(sketch, layout, &fixed).write(color, out);
        out.push('\n');
        boards(sketch, layout, &moving).write(color, out);
    }
    out.push('\n');
    let mut sheet = Canvas::default();
    let beside = plan(sketch, layout, &mut sheet) + 4;
    let shown = surfaces(sketch.scene.rules, layout).len();
    if beside + CORNERS + 2 * PIN * shown + GAP <= sketch.width {
        pins(sketch, layout, &mut sheet, 0, beside);
    } else {
        pins(sketch, layout, &mut sheet, usize::from(RANKS) + 3, 0);
    }
    sheet.write(color, out);
    out.push('\n');
    sketch.legend(out);
    wrap(
        "Plan: one sign for each square of a column, the highest first.",
        sketch.width,
        out,
    );
}

/// Some boards side by side.
fn boards(sketch: &Sketch<'_>, layout: &Layout, boards: &[Board]) -> Canvas {
    let mut sheet = Canvas::default();
    let mut left = 4;
    for board in boards {
        let (titles, files) = match *board {
            Board::Main(main) => {
                let title = match main {
                    MainBoard::White => "White's",
                    MainBoard::Neutral => "Neutral",
                    MainBoard::Black => "Black's",
                };
                let titles = [
                    title.to_owned(),
                    sketch.names.main_board(main),
                    String::new(),
                ];
                (titles, (1, 4))
            }
            Board::Attack(attack) => {
                let pin = layout.pin(attack);
                let on = sketch.names.main_board(pin.corner().main_board());
                let titles = [
                    manual_board(attack).to_owned(),
                    sketch.names.pin(pin),
                    format!("{} {on}", surface_name(pin.surface())),
                ];
                (titles, (pin.origin().file(), 2))
            }
        };
        let titles = titles.each_ref().map(String::as_str);
        let square = |file, rank| layout.square(*board, Column::try_new(file, rank)?);
        left += 2 + sketch.board(&mut sheet, left, &titles, files, RANKS, square);
    }
    // Below the three lines of titles.
    for end in [2, left + 2] {
        sketch.ranks(&mut sheet, 3, end, RANKS);
    }
    sheet
}

/// Draws the plan and returns its width.
fn plan(sketch: &Sketch<'_>, layout: &Layout, sheet: &mut Canvas) -> usize {
    sheet.put(0, 0, "Plan from the top");
    let highest = Column::all()
        .map(|column| stack(layout, column).len())
        .max();
    let pitch = highest.unwrap_or(1) + 2;
    for (left, file) in (4..).step_by(pitch).zip(sketch.seen(FILES)) {
        for (row, rank) in (1..).zip(sketch.seen(RANKS).rev()) {
            let squares = stack(layout, Column::new(file, rank));
            for (at, square) in (left..).zip(squares) {
                sheet.paint(row, at, sketch.cell(square));
            }
        }
        let (letter, _) = sketch.names.file_and_rank(file, 0);
        sheet.put(usize::from(RANKS) + 1, left, &letter);
    }
    sketch.ranks(sheet, 1, 2, RANKS);
    2 + pitch * usize::from(FILES)
}

/// Draws the pins and the boards on them: a line for each corner, the farthest first.
fn pins(sketch: &Sketch<'_>, layout: &Layout, sheet: &mut Canvas, top: usize, left: usize) {
    sheet.put(top, left, "Pins and the boards on them");
    let surfaces = surfaces(sketch.scene.rules, layout);
    let mut wings = Wing::ALL;
    if !sketch.options.side.is_white() {
        wings.reverse();
    }
    let corners = sketch.seen(6).rev().map(|number| Corner::new(number + 1));
    for (row, corner) in (top + 2..).zip(corners) {
        let main = sketch.names.main_board(corner.main_board());
        let edge = if corner.is_far() { "far" } else { "near" };
        sheet.put(row, left, &format!("{main:<2} {edge}"));
        let mut at = left + CORNERS;
        for wing in wings {
            for surface in surfaces {
                if surfaces.len() > 1 {
                    sheet.put(top + 1, at, surface_name(*surface));
                }
                let pin = Pin::new(wing, corner, *surface);
                let board = layout.board_on(pin).map_or("-", manual_board);
                sheet.put(row, at, &format!("{:<5}{board}", sketch.names.pin(pin)));
                at += PIN;
            }
            at += GAP;
        }
    }
}
