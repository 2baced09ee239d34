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
    pub(crate) at: &'static Arrangement,
    /// The columns that stop every line, as the rule system sees it. A line may end on such a column, not pass it.
    pub(crate) blockers: ColumnSet,
}

impl BoardState {
    pub(crate) fn new(layout: Layout) -> Self {
        Self {
            at: Arrangement::of(layout.pins(), || layout),
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
        // There is one arrangement for the same pins.
        std::ptr::eq(self.at, other.at) && self.blockers == other.blockers
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
        let mut pins = layout.pins();
        pins[board as usize] = to;
        self.at = Arrangement::of(pins, || layout.moved_unchecked(board, to));
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

/// The mirror images of all squares of a set.
pub(crate) const fn mirrored_set(white: StairSet) -> StairSet {
    let mut set = 0;
    let mut i = 0;
    while i < 64 {
        set |= (white.0[0] >> i & 1) << mirrored(Square::new(i)).index();
        i += 1;
    }
    SquareSet([set])
}

/// The set of a list of squares.
pub(crate) const fn set_of(squares: &[Square]) -> StairSet {
    let mut set = 0;
    let mut i = 0;
    while i < squares.len() {
        set |= 1 << squares[i].index();
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

/// The squares of the pawns in a list of pieces.
pub(crate) const fn pawns_of(pieces: &[(Square, Role)]) -> StairSet {
    let mut set = 0;
    let mut i = 0;
    while i < pieces.len() {
        if matches!(pieces[i].1, Role::Pawn) {
            set |= 1 << pieces[i].0.index();
        }
        i += 1;
    }
    SquareSet([set])
}
