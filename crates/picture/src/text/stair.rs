//! The stair board: the seven boards side by side with their ranks on common lines, then the plan from the top and the
//! pins.

use super::canvas::{Canvas, Style};
use super::{PieceStyle, wrap};
use crate::names::{Names, attack_board};
use crate::{height, shows_lower_pins};
use std::ops::RangeInclusive;
use tridex_geometry::stair::{
    AttackBoard, Board, Column, Corner, FILES, Layout, MainBoard, Pin, RANKS, Surface, shade,
};
use tridex_geometry::{Square, Wing};
use tridex_rules::{Color, Position};

/// Columns for the names of the corners, for each pin with its board, and for the gap between the sides.
const CORNERS: usize = 9;
const PIN: usize = 8;
const GAP: usize = 2;
/// All boards, the fixed ones first.
const BOARDS: [Board; 7] = [
    Board::Main(MainBoard::White),
    Board::Main(MainBoard::Neutral),
    Board::Main(MainBoard::Black),
    Board::Attack(AttackBoard::WhiteQueen),
    Board::Attack(AttackBoard::WhiteKing),
    Board::Attack(AttackBoard::BlackQueen),
    Board::Attack(AttackBoard::BlackKing),
];
/// Lines above rank 9: names, pins, the places of the pins.
const TITLES: usize = 3;
/// The line of the files, below all ranks.
const BELOW: usize = TITLES + RANKS as usize;

pub(crate) fn draw(
    position: &Position,
    layout: &Layout,
    names: &Names<'_>,
    style: PieceStyle,
    width: usize,
    out: &mut String,
) {
    let scene = Scene {
        position,
        layout,
        names,
        style,
    };
    let mut boards = BOARDS;
    let (fixed, moving) = boards.split_at_mut(MainBoard::ALL.len());
    if !style.side.is_white() {
        // Black's boards first, and queen's sides before king's sides as for White.
        fixed.reverse();
        moving.rotate_left(2);
    }
    let sheet = scene.boards(&boards);
    if sheet.width() <= width {
        sheet.write(style.color, out);
    } else {
        // The fixed boards, and the others below them.
        let (fixed, moving) = boards.split_at(MainBoard::ALL.len());
        scene.boards(fixed).write(style.color, out);
        out.push('\n');
        scene.boards(moving).write(style.color, out);
    }
    out.push('\n');
    let mut sheet = Canvas::default();
    let beside = scene.plan(&mut sheet) + 4;
    if beside + scene.pins_width() <= width {
        scene.pins(&mut sheet, 0, beside);
    } else {
        scene.pins(&mut sheet, usize::from(RANKS) + 3, 0);
    }
    sheet.write(style.color, out);
    out.push('\n');
    wrap(style.legend(), width, out);
    wrap(
        "Plan: one sign for each square of a column, the highest first.",
        width,
        out,
    );
}

struct Scene<'a> {
    position: &'a Position,
    layout: &'a Layout,
    names: &'a Names<'a>,
    style: PieceStyle,
}

impl Scene<'_> {
    fn sign(&self, square: Square) -> (char, Style) {
        let shade = shade(self.layout.column(square));
        self.style
            .cell(square, self.position.piece_at(square), shade)
    }

    /// Some boards side by side.
    fn boards(&self, boards: &[Board]) -> Canvas {
        let mut sheet = Canvas::default();
        let mut left = 4;
        for board in boards {
            let width = match *board {
                Board::Main(main) => {
                    let title = match main {
                        MainBoard::White => "White's",
                        MainBoard::Neutral => "Neutral",
                        MainBoard::Black => "Black's",
                    };
                    let titles = [title, self.names.main_board(main), ""];
                    self.board(&mut sheet, left, *board, &titles, 1..=4)
                }
                Board::Attack(attack) => {
                    let pin = self.layout.pin(attack);
                    let surface = match pin.surface() {
                        Surface::Under => "under",
                        Surface::Over => "over",
                    };
                    let on = self.names.main_board(pin.corner().main_board());
                    let titles = [
                        attack_board(attack),
                        &self.names.pin(pin),
                        &format!("{surface} {on}"),
                    ];
                    let first = pin.origin().file();
                    self.board(&mut sheet, left, *board, &titles, first..=first + 1)
                }
            };
            left += width + 2;
        }
        for rank in 0..RANKS {
            let label = self.names.rank(rank).to_string();
            sheet.put(self.row_of(rank), 2 - label.len().min(2), &label);
            sheet.put(self.row_of(rank), left + 2 - label.len().min(2), &label);
        }
        sheet
    }

    /// One board; gives its width.
    fn board(
        &self,
        sheet: &mut Canvas,
        left: usize,
        board: Board,
        titles: &[&str; TITLES],
        files: RangeInclusive<u8>,
    ) -> usize {
        let mut width = 0;
        for (row, title) in titles.iter().enumerate() {
            sheet.put(row, left, title);
            width = width.max(title.chars().count());
        }
        let last = files.clone().count() - 1;
        for (i, file) in files.enumerate() {
            let i = if self.style.side.is_white() {
                i
            } else {
                last - i
            };
            let at = left + 2 * i;
            for rank in 0..RANKS {
                let square = Column::try_new(file, rank)
                    .and_then(|column| self.layout.square(board, column));
                if let Some(square) = square {
                    sheet.square(self.row_of(rank), at, self.sign(square));
                }
            }
            sheet.dot(BELOW, at, self.names.file(file));
            width = width.max(2 * last + 1);
        }
        width
    }

    /// The plan; gives its width.
    fn plan(&self, sheet: &mut Canvas) -> usize {
        sheet.put(0, 0, "Plan from the top");
        let stacks: Vec<(Column, Vec<Square>)> = Column::all()
            .map(|column| (column, self.stack(column)))
            .collect();
        let highest = stacks
            .iter()
            .map(|(_, stack)| stack.len())
            .max()
            .unwrap_or(1);
        let pitch = highest + 2;
        let turned = !self.style.side.is_white();
        let left = |file: u8| {
            let place = if turned { FILES - 1 - file } else { file };
            4 + pitch * usize::from(place)
        };
        for (column, stack) in &stacks {
            for (i, square) in stack.iter().enumerate() {
                let at = left(column.file()) + i;
                sheet.paint(self.plan_row(column.rank()), at, self.sign(*square));
            }
        }
        for rank in 0..RANKS {
            let label = self.names.rank(rank).to_string();
            sheet.put(self.plan_row(rank), 2 - label.len().min(2), &label);
        }
        for file in 0..FILES {
            sheet.dot(usize::from(RANKS) + 1, left(file), self.names.file(file));
        }
        2 + pitch * usize::from(FILES)
    }

    /// The squares of a column from the highest.
    fn stack(&self, column: Column) -> Vec<Square> {
        let mut stack: Vec<Square> = self.layout.stack(column).into_iter().collect();
        stack.sort_by_key(|square| std::cmp::Reverse(height(self.layout, *square)));
        stack
    }

    /// The surfaces whose pins are shown: the lower ones only where the rules know them or a board is there.
    fn surfaces(&self) -> &'static [Surface] {
        if shows_lower_pins(self.position.rules(), self.position.layout()) {
            &[Surface::Under, Surface::Over]
        } else {
            &[Surface::Over]
        }
    }

    fn pins_width(&self) -> usize {
        CORNERS + 2 * PIN * self.surfaces().len() + GAP
    }

    /// The pins and the boards on them, in their places: a line for each corner from the far one.
    fn pins(&self, sheet: &mut Canvas, top: usize, left: usize) {
        sheet.put(top, left, "Pins and the boards on them");
        let surfaces = self.surfaces();
        let mut at = left + CORNERS;
        let mut wings = Wing::ALL;
        if !self.style.side.is_white() {
            wings.reverse();
        }
        for wing in wings {
            for surface in surfaces {
                let heading = match surface {
                    Surface::Under => "under",
                    Surface::Over => "over",
                };
                if surfaces.len() > 1 {
                    sheet.put(top + 1, at, heading);
                }
                for (row, corner) in (top + 2..).zip(self.corners()) {
                    let pin = Pin::new(wing, corner, *surface);
                    let board = self.layout.board_on(pin).map_or("-", attack_board);
                    sheet.put(row, at, &format!("{:<5}{board}", self.names.pin(pin)));
                }
                at += PIN;
            }
            at += GAP;
        }
        for (row, corner) in (top + 2..).zip(self.corners()) {
            let main = self.names.main_board(corner.main_board());
            let edge = if corner.is_far() { "far" } else { "near" };
            sheet.put(row, left, &format!("{main:<2} {edge}"));
        }
    }

    /// The corners of a side from the farthest.
    fn corners(&self) -> impl Iterator<Item = Corner> {
        let seen = self.style.seen(6).rev();
        seen.filter_map(|number| Corner::try_new(number + 1))
    }

    /// The line of a rank among the boards.
    fn row_of(&self, rank: u8) -> usize {
        TITLES + self.ranks_beyond(rank)
    }

    /// The line of a rank in the plan, below its heading.
    fn plan_row(&self, rank: u8) -> usize {
        1 + self.ranks_beyond(rank)
    }

    /// How many ranks are farther from the side at the bottom.
    fn ranks_beyond(&self, rank: u8) -> usize {
        usize::from(match self.style.side {
            Color::White => RANKS - 1 - rank,
            Color::Black => rank,
        })
    }
}
