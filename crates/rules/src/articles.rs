//! What the faults of moves are about, for each of which a rule text has an article: every system names its own.

use crate::fault::{CastlingFault, MoveFault};
use crate::piece::Role;

/// What a fault is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Subject {
    /// How a kind of piece moves.
    Piece(Role),
    /// Who moves, and that there has to be a piece on the square of departure.
    Turn,
    /// Which squares there are.
    Squares,
    /// That a move leads to another square.
    Stays,
    /// That no piece lands on one of its own side.
    OwnPiece,
    /// That a line cannot be walked over a piece.
    Blocked,
    /// That nothing moves within its column.
    SameColumn,
    /// That a column without a vacant square stops a line.
    ColumnFull,
    /// That a gap stops a line.
    Gap,
    /// What the first step of a knight needs.
    KnightStep,
    /// On which tier a piece takes.
    Tier,
    /// That a path does not turn up and down.
    TurnsBack,
    /// That a pawn goes forward.
    PawnForward,
    /// How far a pawn goes.
    PawnDistance,
    /// That a pawn does not take where it advances.
    PawnAhead,
    /// How a pawn takes.
    PawnTakes,
    /// Capturing en passant.
    EnPassant,
    /// That a pawn is promoted, and to what.
    Promotion,
    /// Where a pawn is promoted.
    PromotionRank,
    /// The pawn that is promoted because a board leaves it.
    PromotionByBoard,
    /// That the own king must not be left attacked.
    KingSafety,
    /// Castling.
    Castling(CastlingFault),
    /// That there are attack boards.
    AttackBoards,
    /// Whose boards a player moves.
    BoardOwner,
    /// That a pin has to be vacant.
    PinTaken,
    /// What a board with pieces on it may do.
    OccupiedBoard,
    /// How boards move.
    Boards,
}

impl Subject {
    /// That of a fault.
    pub(crate) const fn of(fault: MoveFault) -> Self {
        match fault {
            MoveFault::NotASquare { .. } => Self::Squares,
            MoveFault::NoPiece { .. } | MoveFault::NotYours { .. } => Self::Turn,
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
