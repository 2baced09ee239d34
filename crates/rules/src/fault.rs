//! What is wrong with a move that may not be played.

use crate::moves::Move;
use crate::piece::Role;
use tridex_geometry::stair::{AttackBoard, Column, Layout, Pin};
use tridex_geometry::{Square, SquareSet};

/// Why a move is not legal: what was tried, what is wrong with it, and the article that forbids it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The move that was tried.
    pub attempt: Move,
    /// What is wrong with it. If a move is wrong in several ways, this is the first that a player would notice.
    pub fault: MoveFault,
    /// The article of the rule text, with the name of the system: `Meder 3.1(c)`.
    pub article: &'static str,
}

/// What is wrong with a move.
///
/// Squares refer to the layout before the move, unless the fault includes another layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MoveFault {
    /// The board family has no such square.
    NotASquare {
        /// The square.
        square: Square,
    },
    /// The square of departure is empty.
    NoPiece {
        /// The square of departure.
        square: Square,
    },
    /// A piece of the other side is on the square of departure.
    NotYours {
        /// The square of departure.
        square: Square,
    },
    /// A player may not pass.
    Passes,
    /// Departure and arrival are the same square.
    Stays {
        /// The square.
        square: Square,
    },
    /// A piece of the same side is on the square of arrival.
    OwnPiece {
        /// The square of arrival.
        square: Square,
    },
    /// Departure and arrival lie in one column, one above the other.
    SameColumn {
        /// The column.
        column: Column,
    },
    /// This kind of piece does not move in that direction or that far.
    Shape {
        /// The kind of piece.
        role: Role,
    },
    /// A piece blocks the line. If several do, this is the nearest to the square of departure. Cube only.
    Blocked {
        /// Its square.
        by: Square,
    },
    /// Pieces in a column block the line on every level. If several columns do, this is the nearest.
    ColumnBlocked {
        /// The column.
        column: Column,
        /// The pieces in it.
        by: SquareSet<3>,
    },
    /// Every square of a column is occupied, so the line cannot pass it. If there are several such columns, this is the
    /// nearest.
    ColumnFull {
        /// The column.
        column: Column,
        /// The pieces in it.
        by: SquareSet<3>,
    },
    /// The line would cross a column that has no square in this layout. If there are several, this is the nearest.
    Gap {
        /// The column.
        column: Column,
    },
    /// The knight's first step needs a square in a column that has none in this layout.
    KnightGap {
        /// The column.
        column: Column,
    },
    /// On no path is the piece to be captured on the tier of the square before it.
    TakesOnTier {
        /// The square of arrival.
        square: Square,
        /// Whether the square before it is the square of departure, so that there is only one path.
        adjacent: bool,
    },
    /// Every path changes its vertical direction. This describes one with the fewest changes.
    TurnsBack {
        /// The square on which the path turns.
        turn: Square,
        /// The next square, on a tier it turns back to.
        back: Square,
    },

    /// A pawn would go backward or sideways.
    PawnNotForward,
    /// A pawn would advance more than two squares.
    PawnTooFar,
    /// A pawn that has left its start square, by its own move or with a board, would advance two squares.
    DoubleStepLost,
    /// A pawn would take straight ahead, where it only advances.
    PawnTakesAhead {
        /// The square of arrival, which holds the piece.
        square: Square,
    },
    /// A pawn would go to a square where it could only capture, and nothing is there.
    NothingToTake {
        /// The square of arrival.
        square: Square,
    },
    /// Like `NothingToTake`, but the pawn could capture en passant there, which is a different move.
    OnlyEnPassant {
        /// The pawn that would be taken.
        victim: Square,
    },

    /// A pawn has to be promoted, and no piece is named. It is the pawn that moves, or one that the board carries or
    /// leaves.
    PromotionMissing {
        /// The square of the pawn after the move.
        square: Square,
    },
    /// This move does not promote a pawn.
    PromotionNotHere {
        /// The square of the requested promotion.
        square: Square,
    },
    /// Only pawns are promoted.
    PromotesNoPiece {
        /// The kind of the piece that moves.
        role: Role,
    },
    /// A pawn cannot become this kind of piece.
    PromotionTo {
        /// The requested kind of piece.
        role: Role,
    },

    /// Only a pawn captures en passant.
    NotAPawn {
        /// The kind of piece that tried to.
        role: Role,
    },
    /// No pawn has just made an advance of two squares that can be captured en passant.
    NoDoubleStep,
    /// The square of arrival is not one that the pawn crossed.
    NotCrossed {
        /// The pawn that has just advanced two squares.
        victim: Square,
    },
    /// The pawn crossed this column, but a piece is on the square of arrival.
    CrossedHeld {
        /// The square of arrival.
        square: Square,
        /// The pawn that has just advanced two squares.
        victim: Square,
    },
    /// The pawn crossed the square of arrival, but the capturing pawn does not attack it.
    PassesNot {
        /// The pawn that has just advanced two squares.
        victim: Square,
    },

    /// Castling is not allowed.
    Castling {
        /// The reason.
        fault: CastlingFault,
    },

    /// The mover's king would be attacked after the move.
    Exposed {
        /// The square of the king after the move.
        king: Square,
        /// The square of the attacker after the move. If there are several, the first in square order.
        by: Square,
        /// The kind of piece of the attacker.
        attacker: Role,
        /// The layout after the move; `None` on the cube.
        layout: Option<Layout>,
    },
    /// The board would free a waiting pawn of the other side, which could become a piece that attacks the mover's king.
    PromotionExposes {
        /// The pawn.
        pawn: Square,
        /// What it could become.
        role: Role,
        /// The king.
        king: Square,
        /// The layout after the move.
        layout: Option<Layout>,
    },

    /// There are no attack boards on the cube.
    NoAttackBoards,
    /// The pin is below a main board, where these rules place no attack board.
    PinNotUsed {
        /// The pin of arrival.
        pin: Pin,
    },
    /// More than one piece is on the board.
    BoardCrowded {
        /// The pieces.
        by: SquareSet<3>,
    },
    /// The board belongs to the side of the only piece on it, which is the other side.
    BoardRider {
        /// Its square.
        rider: Square,
    },
    /// The board is empty and is the other side's by its marking.
    BoardOfOther,
    /// The board would neither move nor turn.
    BoardStays,
    /// The pins are not adjacent.
    PinNotAdjacent {
        /// The pin of departure.
        from: Pin,
    },
    /// Another attack board is on the pin of arrival.
    PinTaken {
        /// That board.
        by: AttackBoard,
    },
    /// A board with a piece on it would go backward for the player who moves it.
    BoardBackward {
        /// The piece.
        rider: Square,
    },
    /// No board ever turns under these rules.
    BoardDoesNotTurn,
    /// A board with pieces on it may only turn in place.
    OccupiedOnlyTurns {
        /// The pieces.
        by: SquareSet<3>,
    },
    /// An empty board may move but not turn.
    EmptyDoesNotTurn,
    /// A board may turn only while it moves to another pin.
    NoTurnInPlace,
    /// A board moves only with a pawn on it, and this one is empty.
    NoPawnAboard,
    /// A board moves only with a pawn on it, and the only piece on this one is not a pawn.
    RiderNotPawn {
        /// Its square.
        rider: Square,
        /// The kind of piece.
        role: Role,
    },
    /// A pawn waits on the corner square below the board, and the board may not leave it.
    CornerHeld {
        /// The square of the pawn.
        pawn: Square,
    },
    /// The board would carry its pawn backward.
    PawnFallsBack {
        /// Its square.
        pawn: Square,
        /// The column it would be carried to.
        column: Column,
    },
}

/// Why castling is not allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CastlingFault {
    /// The right was lost: king, rook or their board has moved, or the rook was taken.
    Lost,
    /// These rules have no castling.
    None,
    /// It would be the player's first move (Meder 3.5(a)(ii)(1)\[a\]).
    FirstMove,
    /// A piece is on a square that has to be empty.
    Occupied(Square),
    /// A square the king is on, passes or goes to is attacked.
    Attacked(Square),
    /// The rook is attacked (Federation 3.2).
    RookAttacked(Square),
}

/// Adds a method that returns the name of a variant.
macro_rules! names {
    ($fault:ident: $($variant:ident)*) => {
        impl $fault {
            /// The name of the variant, which is the key of its message in a table.
            ///
            /// ```
            /// use tridex_rules::{CastlingFault, MoveFault};
            ///
            /// assert_eq!(MoveFault::PawnTooFar.name(), "PawnTooFar");
            /// assert_eq!(CastlingFault::FirstMove.name(), "FirstMove");
            /// ```
            #[must_use]
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => stringify!($variant),)*
                }
            }
        }
    };
}

names! {
    MoveFault:
    NotASquare NoPiece NotYours Passes Stays OwnPiece SameColumn Shape Blocked ColumnBlocked ColumnFull Gap KnightGap
    TakesOnTier TurnsBack PawnNotForward PawnTooFar DoubleStepLost PawnTakesAhead NothingToTake OnlyEnPassant
    PromotionMissing PromotionNotHere PromotesNoPiece PromotionTo NotAPawn NoDoubleStep NotCrossed CrossedHeld
    PassesNot Castling Exposed PromotionExposes NoAttackBoards PinNotUsed BoardCrowded BoardRider BoardOfOther
    BoardStays PinNotAdjacent PinTaken BoardBackward BoardDoesNotTurn OccupiedOnlyTurns EmptyDoesNotTurn NoTurnInPlace
    NoPawnAboard RiderNotPawn CornerHeld PawnFallsBack
}

names! {
    CastlingFault:
    Lost None FirstMove Occupied Attacked RookAttacked
}
