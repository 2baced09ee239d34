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
    /// What is wrong with it. A move can be wrong in several ways; this is the first a player would see.
    pub fault: MoveFault,
    /// The article of the rule text, with the name of the system: `Meder 3.1(c)`.
    pub article: &'static str,
}

/// What is wrong with a move.
///
/// Squares are those of the layout before the move, except where a layout is given along with them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MoveFault {
    /// The board family has no such square.
    NotASquare {
        /// The square.
        square: Square,
    },
    /// Nothing is on the square of departure.
    NoPiece {
        /// The square of departure.
        square: Square,
    },
    /// The other side's piece is on the square of departure.
    NotYours {
        /// The square of departure.
        square: Square,
    },
    /// Departure and arrival are one square.
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
    /// A piece is on the line; of several the nearest to the square of departure. Cube only.
    Blocked {
        /// Its square.
        by: Square,
    },
    /// Pieces in a column stop the line on every level; of several such columns the nearest.
    ColumnBlocked {
        /// The column.
        column: Column,
        /// The pieces in it.
        by: SquareSet<3>,
    },
    /// Every square of a column holds a piece, so that a line cannot pass it; of several such columns the nearest.
    ColumnFull {
        /// The column.
        column: Column,
        /// The pieces in it.
        by: SquareSet<3>,
    },
    /// A line would cross a column in which no square exists now; of several the nearest.
    Gap {
        /// The column.
        column: Column,
    },
    /// The knight's first step needs a square in a column in which none exists now.
    KnightGap {
        /// The column.
        column: Column,
    },
    /// The piece to be taken is not on the tier of the square before it on any path.
    TakesOnTier {
        /// The square of arrival.
        square: Square,
        /// Whether the square before it is that of departure, so that there is no path to choose.
        adjacent: bool,
    },
    /// Every path changes its vertical direction; this is one that does so least often.
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
    /// A pawn that has left its start square, by its own move or with a board, would advance two.
    DoubleStepLost,
    /// A pawn would take straight ahead, where it only advances.
    PawnTakesAhead {
        /// The square of arrival, which holds the piece.
        square: Square,
    },
    /// A pawn would go where it only captures, and nothing is there.
    NothingToTake {
        /// The square of arrival.
        square: Square,
    },
    /// The same, but the square can be reached by capturing en passant, which is another move.
    OnlyEnPassant {
        /// The pawn that would be taken.
        victim: Square,
    },

    /// The pawn, or the pawn the board carries or leaves, has to become another piece, and none is named.
    PromotionMissing {
        /// The square of the pawn after the move.
        square: Square,
    },
    /// No pawn is promoted by this move.
    PromotionNotHere {
        /// Where the promotion was to be.
        square: Square,
    },
    /// Only pawns are promoted.
    PromotesNoPiece {
        /// The kind of the piece that moves.
        role: Role,
    },
    /// A pawn does not become that.
    PromotionTo {
        /// What it was to become.
        role: Role,
    },

    /// Only a pawn captures en passant.
    NotAPawn {
        /// The kind of piece that was to do so.
        role: Role,
    },
    /// No pawn has just advanced two squares in a way that can be answered so.
    NoDoubleStep,
    /// The square of arrival is not one that was crossed.
    NotCrossed {
        /// The pawn that has just advanced two squares.
        victim: Square,
    },
    /// A piece is on the square of arrival, which is otherwise one that was crossed.
    CrossedHeld {
        /// The square of arrival.
        square: Square,
        /// The pawn that has just advanced two squares.
        victim: Square,
    },
    /// The square of arrival was crossed, but this pawn does not attack it.
    PassesNot {
        /// The pawn that has just advanced two squares.
        victim: Square,
    },

    /// Castling is prevented.
    Castling {
        /// By what.
        fault: CastlingFault,
    },

    /// The mover's king would be attacked after the move.
    Exposed {
        /// The square of the king after the move.
        king: Square,
        /// The square of the attacker after the move; of several the first in square order.
        by: Square,
        /// What it is.
        attacker: Role,
        /// The layout after the move; `None` on the cube.
        layout: Option<Layout>,
    },
    /// The board would set the other side's waiting pawn free, which could become a piece that attacks the mover's king.
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
    /// The piece on the board, which therefore controls it, is the other side's.
    BoardRider {
        /// Its square.
        rider: Square,
    },
    /// The board is the other side's by its marking.
    BoardOfOther,
    /// The board would neither move nor turn.
    BoardStays,
    /// The pins are not neighbours.
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
    /// A board with pieces on it only turns in place.
    OccupiedOnlyTurns {
        /// The pieces.
        by: SquareSet<3>,
    },
    /// An empty board moves, it does not turn.
    EmptyDoesNotTurn,
    /// A board turns only as it goes to another pin.
    NoTurnInPlace,
    /// The board moves only as the move of a pawn on it, and it is empty.
    NoPawnAboard,
    /// The board moves only as the move of a pawn on it, and its only piece is another.
    RiderNotPawn {
        /// Its square.
        rider: Square,
        /// What it is.
        role: Role,
    },
    /// A pawn waits at the corner below the board, which has to stay while it does.
    CornerHeld {
        /// The square of the pawn.
        pawn: Square,
    },
    /// The pawn on the board would fall back.
    PawnFallsBack {
        /// Its square.
        pawn: Square,
        /// The column it would be carried to.
        column: Column,
    },
}

/// Why a castling is prevented for the time being.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CastlingFault {
    /// The right was lost: king, rook or their board has moved, or the rook was taken.
    Lost,
    /// These rules know no castling.
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

/// Gives each variant of an enum its name.
macro_rules! names {
    ($fault:ident: $($variant:ident)*) => {
        impl $fault {
            /// The name of the variant, by which sentences are found in a table.
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
    NotASquare NoPiece NotYours Stays OwnPiece SameColumn Shape Blocked ColumnBlocked ColumnFull Gap KnightGap
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
