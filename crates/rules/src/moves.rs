//! Moves: what a player does in one turn.

use crate::castling::CastlingSide;
use crate::piece::Role;
use tridex_geometry::Square;
use tridex_geometry::stair::{AttackBoard, Pin};

/// A pawn that becomes another piece because of the move of a board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BoardPromotion {
    /// The square of the pawn once the board has moved (its square of the main board if it waited there, its square
    /// of the attack board, turned with it, if it was carried).
    pub square: Square,
    /// What it becomes.
    pub role: Role,
}

/// A move, without the position it is played in. Six bytes.
///
/// Moves are ordered by square of departure, square of arrival and promotion; this is the order in which ambiguous
/// readings are listed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// A piece goes from one square to another, capturing what is there.
    Piece {
        /// Square of departure.
        from: Square,
        /// Square of arrival.
        to: Square,
        /// What a pawn becomes.
        promotion: Option<Role>,
    },
    /// A pawn captures a pawn that has just passed it.
    EnPassant {
        /// Square of departure.
        from: Square,
        /// Square of arrival; the captured pawn is elsewhere.
        to: Square,
        /// What the capturing pawn becomes: under the manual's rules it can arrive on its last rank, when the pawn it
        /// takes went from `a0` to `a2` (Starfleet manual 6.6(c) with (d)).
        promotion: Option<Role>,
    },
    /// The king and a rook move together.
    Castle(CastlingSide),
    /// An attack board moves, turns, or does both.
    Board {
        /// The board, by its identity.
        board: AttackBoard,
        /// The pin of arrival; the pin of departure again when the board turns in place.
        to: Pin,
        /// Whether the board is turned by 180 degrees.
        turned: bool,
        /// The pawn that is promoted by this move of the board.
        promotion: Option<BoardPromotion>,
    },
}

impl Move {
    /// A piece goes from one square to another, and stays what it is.
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

/// A list of moves that keeps its memory when it is cleared.
pub type MoveList = Vec<Move>;

/// What a reader wants to know of a move just played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PlayedMove {
    /// Whether it took a piece.
    pub captures: bool,
    /// Whether it took or promoted a piece.
    pub changes_material: bool,
    /// Whether it gave check.
    pub check: bool,
    /// `Position::placement_key` after it.
    pub placement: u64,
    /// `Position::halfmoves` after it.
    pub halfmoves: u16,
}

/// A move that may not be played, handed back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMove(pub Move);

impl std::fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the move may not be played in this position")
    }
}

impl std::error::Error for IllegalMove {}
