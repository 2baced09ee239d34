//! Why a text does not mean exactly one move of a position.

use super::{board_on, is_of_family, own};
use crate::text::{Coordinates, Departure, Level, MovePattern, MoveText};
use tridex_geometry::stair::Pin;
use tridex_rules::{CastlingSide, MoveList, Position, Role};

/// Why a [`MoveText`] does not mean exactly one legal move of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ResolveError {
    /// The text is for the other board family.
    WrongFamily,
    /// The square of arrival does not exist now: its board does not cover that column, or no board is on its pin.
    NoSuchSquare(Coordinates),
    /// The square of departure does not exist now.
    NoSuchDeparture(Departure),
    /// No attack board is on the pin.
    NoBoard(Pin),
    /// The side to move has no fitting piece on the square of departure. Contains the kind of piece, if it is written.
    NoPiece(Option<Role>),
    /// The squares exist and fitting pieces are on the squares of departure, but none can legally go to the square of
    /// arrival.
    CannotReach,
    /// The attack board cannot legally make that move.
    BoardCannotGo,
    /// Castling to that side is not legal now.
    CannotCastle(CastlingSide),
    /// A promotion is written where none is possible.
    NoPromotion,
    /// Several legal moves fit, listed in the order of [`Move`](tridex_rules::Move).
    Ambiguous(MoveList),
}

impl std::fmt::Display for ResolveError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::WrongFamily => f.write_str("the move is written for another kind of board"),
            Self::NoSuchSquare(place) => match place.level {
                Some(Level::Pin(_)) => {
                    f.write_str("no attack board on that pin covers the square of arrival")
                }
                Some(_) => f.write_str("the square of arrival is not on that board"),
                None => f.write_str("no square lies in the column of arrival"),
            },
            Self::NoSuchDeparture(_) => f.write_str("the square of departure does not exist now"),
            Self::NoBoard(_) => f.write_str("there is no attack board on that pin"),
            Self::NoPiece(Some(role)) => {
                write!(f, "the side to move has no {} there", role.name())
            }
            Self::NoPiece(None) => f.write_str("the side to move has no piece there"),
            Self::CannotReach => f.write_str("no such piece can legally go there"),
            Self::BoardCannotGo => f.write_str("the attack board cannot legally make that move"),
            Self::CannotCastle(CastlingSide::King) => {
                f.write_str("castling on the king's side is not legal now")
            }
            Self::CannotCastle(CastlingSide::Queen) => {
                f.write_str("castling on the queen's side is not legal now")
            }
            Self::NoPromotion => f.write_str("no pawn is promoted by that move"),
            Self::Ambiguous(moves) => write!(f, "{} legal moves fit", moves.len()),
        }
    }
}

impl std::error::Error for ResolveError {}

/// Finds out why no move fits. It is called only on errors, so it may repeat every check.
#[cold]
pub(super) fn explain(text: &MoveText, position: &Position) -> ResolveError {
    if !is_of_family(text, position.family()) {
        return ResolveError::WrongFamily;
    }
    match text.pattern() {
        MovePattern::Castle(side) => ResolveError::CannotCastle(*side),
        MovePattern::Board(board) => {
            let stands = |pin| {
                let layout = position.layout();
                layout.is_some_and(|layout| board_on(board, pin, layout).is_some())
            };
            match board.from {
                Some(from) if !stands(from) => ResolveError::NoBoard(from),
                _ => ResolveError::BoardCannotGo,
            }
        }
        MovePattern::Piece(piece) => {
            let origins = piece.from.squares(position.layout());
            if piece.to.squares(position.layout()).is_empty() {
                return ResolveError::NoSuchSquare(piece.to);
            }
            if origins.is_empty() {
                return ResolveError::NoSuchDeparture(piece.from);
            }
            if !own(piece.role, position).meets(origins) {
                return ResolveError::NoPiece(piece.role);
            }
            if piece.promotion.is_some() {
                let mut plain = *piece;
                plain.promotion = None;
                if !position.moves_like(&MovePattern::Piece(plain)).is_empty() {
                    return ResolveError::NoPromotion;
                }
            }
            ResolveError::CannotReach
        }
    }
}
