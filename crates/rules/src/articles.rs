//! The subjects of move faults. Each rule system maps a subject to an article of its text.

use crate::fault::{CastlingFault, MoveFault};
use crate::piece::Role;

/// The rule that a fault breaks, independent of the rule text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Subject {
    /// How a kind of piece moves.
    Piece(Role),
    /// Whose turn it is, and that a piece must be on the square of departure.
    Turn,
    /// That a player must move.
    Passing,
    /// Which squares exist.
    Squares,
    /// That a move must lead to another square.
    Stays,
    /// That no piece lands on a piece of its own side.
    OwnPiece,
    /// That a piece on a line blocks it.
    Blocked,
    /// That no piece moves within its column.
    SameColumn,
    /// That a column without a vacant square stops a line.
    ColumnFull,
    /// That a gap stops a line.
    Gap,
    /// The square that the first step of a knight needs.
    KnightStep,
    /// The tier on which a piece captures.
    Tier,
    /// That a path does not go both up and down.
    TurnsBack,
    /// That a pawn moves forward.
    PawnForward,
    /// How far a pawn advances.
    PawnDistance,
    /// That a pawn does not capture straight ahead.
    PawnAhead,
    /// How a pawn captures.
    PawnTakes,
    /// Capturing en passant.
    EnPassant,
    /// That a pawn must be promoted, and to which pieces.
    Promotion,
    /// Where a pawn is promoted.
    PromotionRank,
    /// The promotion of a pawn when the board above it moves away.
    PromotionByBoard,
    /// That a player's own king must not be left attacked.
    KingSafety,
    /// Castling.
    Castling(CastlingFault),
    /// Whether there are attack boards.
    AttackBoards,
    /// Which boards a player may move.
    BoardOwner,
    /// That the pin of arrival must be vacant.
    PinTaken,
    /// What a board with pieces on it may do.
    OccupiedBoard,
    /// How boards move.
    Boards,
}

impl Subject {
    /// The subject of a fault.
    pub(crate) const fn of(fault: MoveFault) -> Self {
        match fault {
            MoveFault::NotASquare { .. } => Self::Squares,
            MoveFault::NoPiece { .. } | MoveFault::NotYours { .. } => Self::Turn,
            MoveFault::Passes => Self::Passing,
            MoveFault::Stays { .. } => Self::Stays,
            MoveFault::OwnPiece { .. } => Self::OwnPiece,
            MoveFault::SameColumn { .. } => Self::SameColumn,
            MoveFault::Shape { role } | MoveFault::NotAPawn { role } => Self::Piece(role),
            MoveFault::Blocked { .. } | MoveFault::ColumnBlocked { .. } => Self::Blocked,
            MoveFault::ColumnFull { .. } => Self::ColumnFull,
            MoveFault::Gap { .. } => Self::Gap,
            MoveFault::KnightGap { .. } => Self::KnightStep,
            MoveFault::TakesOnTier { .. } => Self::Tier,
            MoveFault::TurnsBack { .. } => Self::TurnsBack,
            MoveFault::PawnNotForward => Self::PawnForward,
            MoveFault::PawnTooFar | MoveFault::DoubleStepLost => Self::PawnDistance,
            MoveFault::PawnTakesAhead { .. } => Self::PawnAhead,
            MoveFault::NothingToTake { .. } => Self::PawnTakes,
            MoveFault::OnlyEnPassant { .. }
            | MoveFault::NoDoubleStep
            | MoveFault::NotCrossed { .. }
            | MoveFault::CrossedHeld { .. }
            | MoveFault::PassesNot { .. } => Self::EnPassant,
            MoveFault::PromotionMissing { .. }
            | MoveFault::PromotesNoPiece { .. }
            | MoveFault::PromotionTo { .. } => Self::Promotion,
            MoveFault::PromotionNotHere { .. } => Self::PromotionRank,
            MoveFault::PromotionExposes { .. } => Self::PromotionByBoard,
            MoveFault::Castling { fault } => Self::Castling(fault),
            MoveFault::Exposed { .. } => Self::KingSafety,
            MoveFault::NoAttackBoards => Self::AttackBoards,
            MoveFault::BoardOfOther => Self::BoardOwner,
            MoveFault::PinTaken { .. } => Self::PinTaken,
            MoveFault::OccupiedOnlyTurns { .. } => Self::OccupiedBoard,
            MoveFault::PinNotUsed { .. }
            | MoveFault::BoardCrowded { .. }
            | MoveFault::BoardRider { .. }
            | MoveFault::BoardStays
            | MoveFault::PinNotAdjacent { .. }
            | MoveFault::BoardBackward { .. }
            | MoveFault::BoardDoesNotTurn
            | MoveFault::EmptyDoesNotTurn
            | MoveFault::NoTurnInPlace
            | MoveFault::NoPawnAboard
            | MoveFault::RiderNotPawn { .. }
            | MoveFault::CornerHeld { .. }
            | MoveFault::PawnFallsBack { .. } => Self::Boards,
        }
    }
}
