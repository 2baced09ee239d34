//! The boards of a stair position.

use super::arrangement::Arrangement;
use crate::key::{self, KeyCell};
use crate::state::{BoardPart, State};
use tridex_geometry::Square;
use tridex_geometry::stair::{AttackBoard, Column, ColumnSet, Layout, MainBoard, Pin};

/// The boards of a stair position, and what is derived from them and from the pieces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoardState {
    pub(crate) at: &'static Arrangement,
    /// The columns that no line can pass under the rules of the system. A line may end on one.
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
        // The same pins always have the same arrangement, so it suffices to compare pointers.
        std::ptr::eq(self.at, other.at) && self.blockers == other.blockers
    }
}

impl Eq for BoardState {}

impl BoardPart for BoardState {
    #[inline(always)]
    fn key_cell(&self, square: Square) -> KeyCell {
        KeyCell::stair(&self.at.layout, square)
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

/// A square of an attack board: a short name for the lists of start squares.
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
