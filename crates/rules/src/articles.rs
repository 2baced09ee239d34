//! Which article of a rule text a fault offends against: a table for each system, with one row for each subject.

use crate::fault::{CastlingFault, MoveFault};
use crate::piece::Role;

/// The articles of one rule text, each with the name of the text: `Meder 3.1(c)`.
pub(crate) struct Articles {
    /// How each kind of piece moves, from the pawn to the king.
    pub(crate) pieces: [&'static str; 6],
    /// Who moves, and that there has to be a piece on the square of departure.
    pub(crate) turn: &'static str,
    /// Which squares there are.
    pub(crate) squares: &'static str,
    /// That a move leads to another square.
    pub(crate) stays: &'static str,
    /// That no piece lands on one of its own side.
    pub(crate) own_piece: &'static str,
    /// That a line cannot be walked over a piece.
    pub(crate) blocked: &'static str,
    /// That nothing moves within its column.
    pub(crate) same_column: &'static str,
    /// That a column without a vacant square stops a line.
    pub(crate) column_full: &'static str,
    /// That a gap stops a line.
    pub(crate) gap: &'static str,
    /// What the first step of a knight needs.
    pub(crate) knight_step: &'static str,
    /// On which tier a piece takes.
    pub(crate) tier: &'static str,
    /// That a path does not turn up and down.
    pub(crate) turns_back: &'static str,
    /// That a pawn goes forward.
    pub(crate) pawn_forward: &'static str,
    /// How far a pawn goes.
    pub(crate) pawn_distance: &'static str,
    /// That a pawn does not take where it advances.
    pub(crate) pawn_ahead: &'static str,
    /// How a pawn takes.
    pub(crate) pawn_takes: &'static str,
    /// Capturing en passant.
    pub(crate) en_passant: &'static str,
    /// That a pawn is promoted, and to what.
    pub(crate) promotion: &'static str,
    /// Where a pawn is promoted.
    pub(crate) promotion_rank: &'static str,
    /// The pawn that is promoted because a board leaves it.
    pub(crate) promotion_by_board: &'static str,
    /// That the own king must not be left attacked.
    pub(crate) king_safety: &'static str,
    /// Castling.
    pub(crate) castling: CastlingArticles,
    /// That there are attack boards.
    pub(crate) attack_boards: &'static str,
    /// Whose boards a player moves.
    pub(crate) board_owner: &'static str,
    /// That a pin has to be vacant.
    pub(crate) pin_taken: &'static str,
    /// What a board with pieces on it may do.
    pub(crate) occupied_board: &'static str,
    /// How boards move.
    pub(crate) boards: &'static str,
}

/// The articles of castling.
pub(crate) struct CastlingArticles {
    /// That there is castling, and everything about it without an article of its own.
    pub(crate) general: &'static str,
    pub(crate) first_move: &'static str,
    pub(crate) lost: &'static str,
    pub(crate) occupied: &'static str,
    pub(crate) attacked: &'static str,
    pub(crate) rook_attacked: &'static str,
}

impl CastlingArticles {
    /// One article for all.
    pub(crate) const fn all(article: &'static str) -> Self {
        Self {
            general: article,
            first_move: article,
            lost: article,
            occupied: article,
            attacked: article,
            rook_attacked: article,
        }
    }

    const fn of(&self, fault: CastlingFault) -> &'static str {
        match fault {
            CastlingFault::None => self.general,
            CastlingFault::FirstMove => self.first_move,
            CastlingFault::Lost => self.lost,
            CastlingFault::Occupied(_) => self.occupied,
            CastlingFault::Attacked(_) => self.attacked,
            CastlingFault::RookAttacked(_) => self.rook_attacked,
        }
    }
}

impl Articles {
    /// One article for all, to be corrected row by row.
    pub(crate) const fn all(article: &'static str) -> Self {
        Self {
            pieces: [article; 6],
            turn: article,
            squares: article,
            stays: article,
            own_piece: article,
            blocked: article,
            same_column: article,
            column_full: article,
            gap: article,
            knight_step: article,
            tier: article,
            turns_back: article,
            pawn_forward: article,
            pawn_distance: article,
            pawn_ahead: article,
            pawn_takes: article,
            en_passant: article,
            promotion: article,
            promotion_rank: article,
            promotion_by_board: article,
            king_safety: article,
            castling: CastlingArticles::all(article),
            attack_boards: article,
            board_owner: article,
            pin_taken: article,
            occupied_board: article,
            boards: article,
        }
    }

    const fn of_piece(&self, role: Role) -> &'static str {
        self.pieces[role as usize]
    }

    /// The article that a fault offends against.
    pub(crate) const fn of(&self, fault: &MoveFault) -> &'static str {
        match fault {
            MoveFault::NotASquare { .. } => self.squares,
            MoveFault::NoPiece { .. } | MoveFault::NotYours { .. } => self.turn,
            MoveFault::Stays { .. } => self.stays,
            MoveFault::OwnPiece { .. } => self.own_piece,
            MoveFault::SameColumn { .. } => self.same_column,
            MoveFault::Shape { role } | MoveFault::NotAPawn { role } => self.of_piece(*role),
            MoveFault::Blocked { .. } | MoveFault::ColumnBlocked { .. } => self.blocked,
            MoveFault::ColumnFull { .. } => self.column_full,
            MoveFault::Gap { .. } => self.gap,
            MoveFault::KnightGap { .. } => self.knight_step,
            MoveFault::TakesOnTier { .. } => self.tier,
            MoveFault::TurnsBack { .. } => self.turns_back,
            MoveFault::PawnNotForward => self.pawn_forward,
            MoveFault::PawnTooFar | MoveFault::DoubleStepLost => self.pawn_distance,
            MoveFault::PawnTakesAhead { .. } => self.pawn_ahead,
            MoveFault::NothingToTake { .. } => self.pawn_takes,
            MoveFault::OnlyEnPassant { .. }
            | MoveFault::NoDoubleStep
            | MoveFault::NotCrossed { .. }
            | MoveFault::CrossedHeld { .. }
            | MoveFault::PassesNot { .. } => self.en_passant,
            MoveFault::PromotionMissing { .. }
            | MoveFault::PromotesNoPiece { .. }
            | MoveFault::PromotionTo { .. } => self.promotion,
            MoveFault::PromotionNotHere { .. } => self.promotion_rank,
            MoveFault::PromotionExposes { .. } => self.promotion_by_board,
            MoveFault::Castling { fault } => self.castling.of(*fault),
            MoveFault::Exposed { .. } => self.king_safety,
            MoveFault::NoAttackBoards => self.attack_boards,
            MoveFault::BoardOfOther => self.board_owner,
            MoveFault::PinTaken { .. } => self.pin_taken,
            MoveFault::OccupiedOnlyTurns { .. } => self.occupied_board,
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
            | MoveFault::PawnFallsBack { .. } => self.boards,
        }
    }
}
