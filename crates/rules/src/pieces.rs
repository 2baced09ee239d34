//! The effect of a move on pieces and boards, in one place: the engine, [`Placement`](crate::Placement) and
//! [`MoveEffect`](crate::MoveEffect) all use it.

use crate::castling::CastlingSquares;
use crate::moves::{BoardPromotion, Move};
use crate::piece::{Piece, Role};
use tridex_geometry::Square;
use tridex_geometry::stair::{AttackBoard, Pin, StairSet};

/// A board that pieces can be put on and removed from.
pub(crate) trait Pieces {
    /// The squares of a board. Squares that are known to be vacant may be missing.
    fn held(&self, board: AttackBoard) -> StairSet {
        board.squares()
    }
    /// Empties a square and returns the piece that was there.
    fn take(&mut self, square: Square) -> Option<Piece>;
    /// Puts a piece on a vacant square.
    fn put(&mut self, square: Square, piece: Piece);
    /// Moves an attack board without pieces to another pin.
    fn set_pin(&mut self, board: AttackBoard, to: Pin);
    /// Moves the piece on a square, if any, to a vacant square.
    #[inline]
    fn shift(&mut self, from: Square, to: Square) {
        if let Some(piece) = self.take(from) {
            self.put(to, piece);
        }
    }
}

#[inline]
fn go(pieces: &mut impl Pieces, from: Square, to: Square, promotion: Option<Role>) {
    let Some(role) = promotion else {
        pieces.shift(from, to);
        return;
    };
    if let Some(piece) = pieces.take(from) {
        pieces.put(to, Piece { role, ..piece });
    }
}

/// Castles. Never inlined, and neither is [`carry`]: moves of boards and castlings are much rarer than moves of pieces.
#[inline(never)]
fn castle(pieces: &mut impl Pieces, CastlingSquares { king, rook }: CastlingSquares) {
    // Remove both before placing either, because they may exchange places.
    let left = [(king.1, pieces.take(king.0)), (rook.1, pieces.take(rook.0))];
    for (to, piece) in left {
        if let Some(piece) = piece {
            pieces.put(to, piece);
        }
    }
}

/// Moves or turns a board with the pieces on it.
#[inline(never)]
fn carry(pieces: &mut impl Pieces, board: AttackBoard, to: Pin, turned: bool) {
    // Remove all pieces before placing any. On a board that turns they exchange squares, and on another pin the same
    // squares are other places.
    let mut carried = [None; 4];
    for (slot, square) in carried.iter_mut().zip(pieces.held(board)) {
        *slot = pieces.take(square).map(|piece| (square, piece));
    }
    pieces.set_pin(board, to);
    for (square, piece) in carried.into_iter().flatten() {
        pieces.put(if turned { board.turned(square) } else { square }, piece);
    }
}

/// Carries out a move. `passing` is the pawn that a capture en passant takes, and `castling` the squares of the
/// castling, if the move is one. A move that is not legal leads to a nonsensical position, but is otherwise safe.
#[inline]
pub(crate) fn carry_out(
    pieces: &mut impl Pieces,
    m: Move,
    passing: Option<Square>,
    castling: Option<CastlingSquares>,
) {
    match m {
        Move::Piece {
            from,
            to,
            promotion,
        } => {
            pieces.take(to);
            go(pieces, from, to, promotion);
        }
        Move::EnPassant {
            from,
            to,
            promotion,
        } => {
            if let Some(pawn) = passing {
                pieces.take(pawn);
            }
            go(pieces, from, to, promotion);
        }
        Move::Castle(_) => {
            if let Some(squares) = castling {
                castle(pieces, squares);
            }
        }
        Move::Board {
            board,
            to,
            turned,
            promotion,
        } => {
            carry(pieces, board, to, turned);
            if let Some(BoardPromotion { square, role }) = promotion {
                go(pieces, square, square, Some(role));
            }
        }
        Move::Pass => {}
    }
}
