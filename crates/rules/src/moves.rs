//! Moves: what a player does in one turn.

use crate::castling::CastlingSide;
use crate::piece::Role;
use tridex_geometry::Square;
use tridex_geometry::stair::{AttackBoard, Pin};

/// The promotion of a pawn by the move of a board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BoardPromotion {
    /// The square of the pawn after the board has moved. If it waited below the board, this is its square of the main
    /// board. If the board carried it, this is its square of the attack board, turned with it.
    pub square: Square,
    /// What it becomes.
    pub role: Role,
}

/// A move, without the position it is played in. Six bytes.
///
/// Moves are ordered by the kind of move, then by square of departure, square of arrival and promotion. Ambiguous
/// readings are listed in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// A piece goes from one square to another and captures the piece there, if any.
    Piece {
        /// Square of departure.
        from: Square,
        /// Square of arrival.
        to: Square,
        /// What the pawn becomes, if it is promoted.
        promotion: Option<Role>,
    },
    /// A pawn captures a pawn that has just passed it.
    EnPassant {
        /// Square of departure.
        from: Square,
        /// Square of arrival; the captured pawn is elsewhere.
        to: Square,
        /// What the capturing pawn becomes. Under the manual's rules it can arrive on its last rank, if the pawn that
        /// it captures went from `a0` to `a2` (Starfleet manual 6.6(c) with (d)).
        promotion: Option<Role>,
    },
    /// The king and a rook move together.
    Castle(CastlingSide),
    /// An attack board moves, turns, or does both.
    Board {
        /// The board, regardless of the pin it is on.
        board: AttackBoard,
        /// The pin of arrival. If the board turns in place, this is the pin it is on.
        to: Pin,
        /// Whether the board is turned by 180 degrees.
        turned: bool,
        /// The pawn that this move promotes, if any.
        promotion: Option<BoardPromotion>,
    },
    /// The side to move passes. No rule system allows this, so it is never legal. Annotators write it in variations, to
    /// show what one side threatens (ruling pass-in-variation).
    Pass,
}

impl Move {
    /// A move of a piece from one square to another without promotion.
    pub(crate) const fn plain(from: Square, to: Square) -> Self {
        Self::Piece {
            from,
            to,
            promotion: None,
        }
    }

    /// The piece to which the move promotes a pawn.
    ///
    /// ```
    /// use tridex_rules::{Position, RuleSystem};
    /// let start = Position::start(RuleSystem::Meder);
    /// assert!(start.legal_moves().iter().all(|m| m.promotion().is_none()));
    /// ```
    #[must_use]
    pub const fn promotion(self) -> Option<Role> {
        match self {
            Self::Piece { promotion, .. } | Self::EnPassant { promotion, .. } => promotion,
            Self::Board {
                promotion: Some(promotion),
                ..
            } => Some(promotion.role),
            _ => None,
        }
    }
}

/// A list of moves. Clearing it keeps its memory for reuse.
pub type MoveList = Vec<Move>;

/// What programs that replay games need about the move just played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PlayedMove {
    /// Whether it captured a piece.
    pub captures: bool,
    /// Whether it captured a piece or promoted a pawn.
    pub changes_material: bool,
    /// Whether it gave check.
    pub check: bool,
    /// `Position::placement_key` after it.
    pub placement: u64,
    /// `Position::halfmoves` after it.
    pub halfmoves: u16,
}

/// The error for a move that is not legal, with the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMove(pub Move);

impl std::fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the move may not be played in this position")
    }
}

impl std::error::Error for IllegalMove {}
