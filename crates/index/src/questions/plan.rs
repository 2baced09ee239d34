//! The view of a board from the top.

use tridex_geometry::stair::Layout;
use tridex_geometry::{Square, SquareSet};
use tridex_rules::{Color, Piece, Placement, Setup};

/// The pieces in each column, on any level, and the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Plan {
    is_stair: bool,
    turn: Color,
    /// Column and piece of each, in order.
    pieces: Vec<(u8, Color, u8)>,
    /// Columns that hold a piece.
    columns: u64,
}

impl Plan {
    pub(crate) fn of(setup: &Setup) -> Self {
        let layout = setup.layout.as_ref();
        let mut pieces: Vec<_> = setup.pieces().map(|(s, p)| seen(layout, s, p)).collect();
        pieces.sort_unstable();
        Self {
            is_stair: layout.is_some(),
            turn: setup.turn,
            columns: pieces.iter().fold(0, |set, (column, ..)| set | 1 << column),
            pieces,
        }
    }

    /// Whether a position looks so from the top.
    #[inline]
    pub(crate) fn is_seen(&self, at: &Placement) -> bool {
        let layout = at.layout();
        if at.turn() != self.turn
            || at.total() as usize != self.pieces.len()
            || layout.is_some() != self.is_stair
            || columns(layout, at.occupied()) != self.columns
        {
            return false;
        }
        let mut pieces: Vec<_> = at
            .occupied()
            .into_iter()
            .filter_map(|square| Some(seen(layout, square, at.piece_at(square)?)))
            .collect();
        pieces.sort_unstable();
        pieces == self.pieces
    }
}

fn seen(layout: Option<&Layout>, square: Square, piece: Piece) -> (u8, Color, u8) {
    let column = match layout {
        Some(layout) => layout.column(square).index() as u8 & 63,
        None => square.index() as u8 & 63,
    };
    (column, piece.color, piece.role as u8)
}

#[inline]
fn columns(layout: Option<&Layout>, occupied: SquareSet<3>) -> u64 {
    match layout {
        Some(layout) => layout.columns_of(SquareSet([occupied.0[0]])).0,
        None => occupied.0[0] | occupied.0[1] | occupied.0[2],
    }
}
