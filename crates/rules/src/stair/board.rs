//! The boards of a stair position, and how its games start.

use super::arrangement::Arrangement;
use crate::key::{self, Row};
use crate::piece::{Color, Piece, Role};
use crate::setup::Setup;
use crate::state::{Places, State};
use tridex_geometry::stair::{AttackBoard, Column, ColumnSet, Layout, MainBoard, Pin, StairSet};
use tridex_geometry::{Square, SquareSet};

/// The boards of a stair position, and what follows from them and from the pieces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoardState {
    pub(crate) at: Arrangement,
    /// The columns that stop every line, as the rule system sees it. A line may end on such a column, not pass it.
    pub(crate) blockers: ColumnSet,
}

impl BoardState {
    pub(crate) fn new(layout: Layout) -> Self {
        Self {
            at: Arrangement::of(layout),
            blockers: ColumnSet::EMPTY,
        }
    }

    #[inline]
    pub(crate) const fn column(&self, square: Square) -> Column {
        self.at.layout.column(square)
    }
}

impl PartialEq for BoardState {
    fn eq(&self, other: &Self) -> bool {
        // All the rest follows from the pins.
        self.at.layout.pins() == other.at.layout.pins() && self.blockers == other.blockers
    }
}

impl Eq for BoardState {}

impl Places for BoardState {
    #[inline(always)]
    fn row(&self, square: Square) -> Row {
        Row::stair(&self.at.layout, square)
    }

    fn set_pin(&mut self, board: AttackBoard, to: Pin) -> u64 {
        let layout = &self.at.layout;
        let from = layout.pin(board);
        if from == to {
            // It turns in place.
            return 0;
        }
        self.at = Arrangement::of(layout.moved_unchecked(board, to));
        key::pin(board, from) ^ key::pin(board, to)
    }
}

pub(crate) type Stair = State<1, BoardState>;

/// A square of an attack board as the start lists write it.
pub(crate) const fn on(board: AttackBoard, dx: u8, dy: u8) -> Square {
    board.square(dx, dy)
}

/// A square of a main board by Meder's file and rank.
///
/// # Panics
/// At compile time, if the board has no such square.
pub(crate) const fn main(board: MainBoard, file: u8, rank: u8) -> Square {
    match board.square(Column::new(file, rank)) {
        Some(square) => square,
        None => panic!("not a square of that board"),
    }
}

/// The squares of Black's that mirror White's: board for board, rank for rank.
pub(crate) const fn mirrored(square: Square) -> Square {
    let index = square.index() as u8;
    if index < 48 {
        // Ranks run the other way through the three boards, files stay.
        Square::new((11 - index / 4) * 4 + index % 4)
    } else {
        // The other owner's board, its far row for the near one.
        Square::new((index ^ 8) ^ 2)
    }
}

/// A square of White's as it is, or for Black the one that mirrors it.
pub(crate) const fn of_color(square: Square, color: Color) -> Square {
    match color {
        Color::White => square,
        Color::Black => mirrored(square),
    }
}

/// The set of a list of White's squares, for a colour.
pub(crate) const fn set_of(white: &[Square], color: Color) -> StairSet {
    let mut set = 0;
    let mut i = 0;
    while i < white.len() {
        set |= 1 << of_color(white[i], color).index();
        i += 1;
    }
    SquareSet([set])
}

/// A start position from White's pieces; Black mirrors White.
pub(crate) fn start(layout: Layout, white: &[(Square, Role)]) -> Setup {
    let mut setup = Setup::empty(Some(layout));
    for (square, role) in white {
        setup.set_piece(*square, Some(Piece::new(Color::White, *role)));
        setup.set_piece(mirrored(*square), Some(Piece::new(Color::Black, *role)));
    }
    setup
}

/// The start squares of a side's pawns in a list of White's pieces.
pub(crate) const fn starts_of(white: &[(Square, Role)], color: Color) -> StairSet {
    let mut set = 0;
    let mut i = 0;
    while i < white.len() {
        if matches!(white[i].1, Role::Pawn) {
            set |= 1 << of_color(white[i].0, color).index();
        }
        i += 1;
    }
    SquareSet([set])
}
