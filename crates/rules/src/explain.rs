//! Why a move may not be played: the slow and obvious way, in terms of squares, columns and pins.
//!
//! The order of the questions is that of a player who looks at the board: is there a piece, is it mine, may it land
//! there, does it move like that, what is in its way, what becomes of the pawn, and what of my king. The first question
//! with a bad answer is the [`Fault`]. What the systems of a board family share is in `explain/stair.rs` and
//! `explain/cube.rs`; what only one of them says, and the article it cites, is a hook of its file in `systems/`.

use crate::engine::Game;
use crate::state::{Arrival, CastlingFault, Rules};
use crate::{BoardPromotion, Color, Move, Role};
use std::ops::ControlFlow::Continue;
use tridex_geometry::stair::{AttackBoard, Column, Layout, Pin};
use tridex_geometry::{Square, SquareSet};

pub(crate) mod cube;
pub(crate) mod stair;
#[cfg(test)]
mod tests;

/// Why a move is not legal: what was tried, what is wrong with it, and the article that says so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The move that was tried.
    pub attempt: Move,
    /// What is wrong with it. A move can be wrong in several ways; this is the first a player would see.
    pub fault: Fault,
    /// The article of the rule text, with the name of the system: `Meder 3.1(c)`.
    pub article: &'static str,
}

/// What is wrong with a move.
///
/// Squares are named as the boards stand before the move, except where a layout is given along with them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// The board family has no such square.
    NotASquare {
        /// The square.
        square: Square,
    },
    /// Nothing stands on the square of departure.
    NoPiece {
        /// The square of departure.
        square: Square,
    },
    /// The other side's piece stands on the square of departure.
    NotYours {
        /// The square of departure.
        square: Square,
    },
    /// Departure and arrival are one square.
    Stays {
        /// The square.
        square: Square,
    },
    /// A piece of the same side stands on the square of arrival.
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
    /// A piece stands on the line; of several the nearest to the square of departure. Cube only.
    Blocked {
        /// Where it stands.
        by: Square,
    },
    /// Pieces in a column stop the line on every level; of several such columns the nearest.
    ColumnBlocked {
        /// The column.
        column: Column,
        /// The pieces that stand in it.
        by: SquareSet<3>,
    },
    /// Every square of a column holds a piece, so that a line cannot pass it; of several such columns the nearest.
    ColumnFull {
        /// The column.
        column: Column,
        /// The pieces that stand in it.
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
    /// A pawn would go where it only takes, and nothing stands there.
    NothingToTake {
        /// The square of arrival.
        square: Square,
    },
    /// The same, but taking in passing is possible there; that is another move.
    OnlyEnPassant {
        /// The pawn that would be taken.
        victim: Square,
    },

    /// The pawn, or the pawn the board carries or leaves behind, has to become another piece, and none is named.
    PromotionMissing {
        /// Where the pawn stands after the move.
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

    /// Only a pawn takes in passing.
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
    /// A piece stands on the square of arrival, which is otherwise one that was crossed.
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
        /// Where the king stands after the move.
        king: Square,
        /// Where the attacker stands after the move; of several the first in square order.
        by: Square,
        /// What it is.
        attacker: Role,
        /// Where the boards stand after the move; `None` on the cube.
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
        /// Where the boards stand after the move.
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
        /// Where it stands.
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
    /// Another attack board stands on the pin of arrival.
    PinTaken {
        /// The board that stands there.
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
        /// Where it stands.
        rider: Square,
        /// What it is.
        role: Role,
    },
    /// A pawn waits at the corner below the board, which has to stay while it does.
    CornerHeld {
        /// Where the pawn stands.
        pawn: Square,
    },
    /// The pawn on the board would fall back.
    PawnFallsBack {
        /// Where it stands.
        pawn: Square,
        /// The column it would be carried to.
        column: Column,
    },
}

/// The set over both families.
pub(crate) fn wide<const W: usize>(set: SquareSet<W>) -> SquareSet<3> {
    set.into_iter().collect()
}

impl<const W: usize, R: Rules<W>> Game<W, R> {
    /// Why a move is not legal; `None` if it is.
    pub(crate) fn explain(&self, attempt: Move) -> Option<Explanation> {
        if self.is_legal(attempt) {
            return None;
        }
        let fault = match attempt {
            Move::Piece {
                from,
                to,
                promotion,
            } => self.piece_fault(from, to, promotion),
            Move::EnPassant {
                from,
                to,
                promotion,
            } => self.en_passant_fault(from, to, promotion),
            Move::Castle(side) => match R::castle(&self.state, side) {
                Err(fault) => Fault::Castling { fault },
                Ok(()) => self.exposed(attempt).unwrap_or(Fault::Castling {
                    fault: CastlingFault::None,
                }),
            },
            Move::Board {
                board,
                to,
                turned,
                promotion,
            } => self.board_fault(board, to, turned, promotion),
        };
        Some(Explanation {
            attempt,
            fault,
            article: R::article(&fault),
        })
    }

    /// What is wrong with the squares of a move, whatever piece is on them.
    fn squares_fault(&self, from: Square, to: Square) -> Option<Fault> {
        let state = &self.state;
        if let Some(square) = [from, to].into_iter().find(|s| s.index() >= 64 * W) {
            return Some(Fault::NotASquare { square });
        }
        if !state.occupied().contains(from) {
            return Some(Fault::NoPiece { square: from });
        }
        if !state.own().contains(from) {
            return Some(Fault::NotYours { square: from });
        }
        None
    }

    fn piece_fault(&self, from: Square, to: Square, promotion: Option<Role>) -> Fault {
        if let Some(fault) = self.squares_fault(from, to) {
            return fault;
        }
        let state = &self.state;
        if from == to {
            return Fault::Stays { square: to };
        }
        if state.own().contains(to) {
            return Fault::OwnPiece { square: to };
        }
        let role = state.role_on(from);
        if !R::reaches(state, state.turn, role, from, to) {
            let fault = R::why_not(state, state.turn, role, from, to);
            return match (fault, self.passed_by(from, to)) {
                (Fault::NothingToTake { .. }, Some(victim)) => Fault::OnlyEnPassant { victim },
                _ => fault,
            };
        }
        // Whatever the pawn becomes, its king is as safe as if it stayed one.
        let quiet = Move::Piece {
            from,
            to,
            promotion: None,
        };
        self.exposed(quiet)
            .unwrap_or_else(|| self.promotion_fault(role, to, promotion))
    }

    fn promotion_fault(&self, role: Role, to: Square, promotion: Option<Role>) -> Fault {
        let arrival = if role == Role::Pawn {
            R::arrival(&self.state.ground, self.state.turn, to)
        } else {
            Arrival::Stays
        };
        match promotion {
            None => Fault::PromotionMissing { square: to },
            Some(_) if role != Role::Pawn => Fault::PromotesNoPiece { role },
            Some(_) if arrival == Arrival::Stays => Fault::PromotionNotHere { square: to },
            Some(wanted) => Fault::PromotionTo { role: wanted },
        }
    }

    /// The pawn that a pawn takes in passing if it lands on a square.
    fn passed_by(&self, from: Square, to: Square) -> Option<Square> {
        let state = &self.state;
        state.en_passant.filter(|victim| {
            R::crossed(state, *victim, state.turn.other()).contains(to)
                && R::passes(state, state.turn, from, to)
        })
    }

    fn en_passant_fault(&self, from: Square, to: Square, promotion: Option<Role>) -> Fault {
        if let Some(fault) = self.squares_fault(from, to) {
            return fault;
        }
        let state = &self.state;
        let role = state.role_on(from);
        if role != Role::Pawn {
            return Fault::NotAPawn { role };
        }
        let Some(victim) = state.en_passant else {
            return Fault::NoDoubleStep;
        };
        let landings = R::crossed(state, victim, state.turn.other());
        if !landings.contains(to) {
            let held = landings.first().is_some_and(|one| {
                R::layout(&state.ground)
                    .is_some_and(|layout| layout.column(one) == layout.column(to))
            });
            return if held {
                Fault::CrossedHeld { square: to, victim }
            } else {
                Fault::NotCrossed { victim }
            };
        }
        if !R::passes(state, state.turn, from, to) {
            return Fault::PassesNot { victim };
        }
        self.exposed(Move::EnPassant {
            from,
            to,
            promotion,
        })
        .unwrap_or_else(|| self.promotion_fault(role, to, promotion))
    }

    fn board_fault(
        &self,
        board: AttackBoard,
        to: Pin,
        turned: bool,
        promotion: Option<BoardPromotion>,
    ) -> Fault {
        if let Some(fault) = R::why_board_stays(&self.state, board, to, turned) {
            return fault;
        }
        let mut choices = Vec::new();
        let _ = R::board_moves(&self.state, board, &mut |m| {
            if let Move::Board {
                to: pin,
                turned: turn,
                promotion,
                ..
            } = m
                && (pin, turn) == (to, turned)
            {
                choices.push(promotion);
            }
            Continue(())
        });
        if !choices.contains(&promotion) {
            let square = choices.iter().flatten().map(|choice| choice.square).next();
            return match (promotion, square) {
                (None, Some(square)) => Fault::PromotionMissing { square },
                (Some(wanted), Some(square)) if wanted.square == square => {
                    Fault::PromotionTo { role: wanted.role }
                }
                (Some(wanted), _) => Fault::PromotionNotHere {
                    square: wanted.square,
                },
                (None, None) => Fault::BoardStays,
            };
        }
        let attempt = |promotion| Move::Board {
            board,
            to,
            turned,
            promotion,
        };
        let fault = self.exposed(attempt(promotion));
        // The owner of a foreign pawn chooses (M7): any of the four may give the check.
        let foreign = promotion
            .filter(|p| self.state.colors[self.state.turn.other() as usize].contains(p.square));
        if let Some(BoardPromotion { square, .. }) = foreign
            && fault.is_none_or(|fault| matches!(fault, Fault::Exposed { by, .. } if by == square))
        {
            for role in Role::PROMOTIONS {
                let choice = attempt(Some(BoardPromotion { square, role }));
                if let Some(Fault::Exposed { king, layout, .. }) = self.exposed(choice) {
                    return Fault::PromotionExposes {
                        pawn: square,
                        role,
                        king,
                        layout,
                    };
                }
            }
        }
        fault.unwrap_or(Fault::BoardStays)
    }

    /// The attack on the mover's king after a move.
    fn exposed(&self, m: Move) -> Option<Fault> {
        let mover: Color = self.state.turn;
        let mut after = self.clone();
        after.play_unchecked(m);
        let king = after.state.king(mover);
        let by = after.attackers(king, mover.other()).first()?;
        Some(Fault::Exposed {
            king,
            by,
            attacker: after.state.role_on(by),
            layout: R::layout(&after.state.ground).copied(),
        })
    }
}
