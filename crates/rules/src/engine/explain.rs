//! Explains why a move may not be played, slowly and simply, in terms of squares, columns and pins.
//!
//! The questions come in the order in which a player would check a move: is there a piece, is it mine, may it land
//! there, does it move like that, what is in its way, what is the promotion, is my king safe. The first check that
//! fails gives the [`MoveFault`]. What the systems of a board family share is in `stair/explain.rs` and
//! `cube/explain.rs`. What is special about one system, including the articles it cites, is in its file in `systems/`.

use super::Game;
use crate::articles::Subject;
use crate::facts::Arrival;
use crate::fault::{CastlingFault, Explanation, MoveFault};
use crate::moves::{BoardPromotion, Move};
use crate::piece::{Color, Role};
use crate::rules::Rules;
use std::ops::ControlFlow::Continue;
use tridex_geometry::Square;
use tridex_geometry::stair::{AttackBoard, Pin};

#[cfg(test)]
mod tests;

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
            Move::Castle(side) => match self.castling_fault(side) {
                Err(fault) => MoveFault::Castling { fault },
                Ok(()) => self.exposed(attempt).unwrap_or(MoveFault::Castling {
                    fault: CastlingFault::None,
                }),
            },
            Move::Board {
                board,
                to,
                turned,
                promotion,
            } => self.board_fault(board, to, turned, promotion),
            Move::Pass => MoveFault::Passes,
        };
        Some(Explanation {
            attempt,
            fault,
            article: (R::FACTS.article)(Subject::of(fault)),
        })
    }

    /// What is wrong with the squares of a move, for any piece.
    fn squares_fault(&self, from: Square, to: Square) -> Option<MoveFault> {
        let state = &self.state;
        if let Some(square) = [from, to].into_iter().find(|s| s.index() >= 64 * W) {
            return Some(MoveFault::NotASquare { square });
        }
        if !state.occupied().contains(from) {
            return Some(MoveFault::NoPiece { square: from });
        }
        if !state.own().contains(from) {
            return Some(MoveFault::NotYours { square: from });
        }
        None
    }

    fn piece_fault(&self, from: Square, to: Square, promotion: Option<Role>) -> MoveFault {
        if let Some(fault) = self.squares_fault(from, to) {
            return fault;
        }
        let state = &self.state;
        if from == to {
            return MoveFault::Stays { square: to };
        }
        if state.own().contains(to) {
            return MoveFault::OwnPiece { square: to };
        }
        let role = state.role_on(from);
        if !R::reaches(state, state.turn, role, from, to) {
            let fault = R::why_not_reached(state, state.turn, role, from, to);
            return match (fault, self.passed_by(from, to)) {
                (MoveFault::NothingToTake { .. }, Some(victim)) => {
                    MoveFault::OnlyEnPassant { victim }
                }
                _ => fault,
            };
        }
        // The promotion does not affect the safety of the king.
        self.exposed(Move::plain(from, to))
            .unwrap_or_else(|| self.promotion_fault(role, to, promotion))
    }

    fn promotion_fault(&self, role: Role, to: Square, promotion: Option<Role>) -> MoveFault {
        match promotion {
            None => MoveFault::PromotionMissing { square: to },
            Some(_) if role != Role::Pawn => MoveFault::PromotesNoPiece { role },
            Some(_) if self.arrival(role, to) == Arrival::Stays => {
                MoveFault::PromotionNotHere { square: to }
            }
            Some(wanted) => MoveFault::PromotionTo { role: wanted },
        }
    }

    /// The pawn that a pawn on `from` would capture en passant by landing on `to`.
    fn passed_by(&self, from: Square, to: Square) -> Option<Square> {
        let state = &self.state;
        state.en_passant.filter(|victim| {
            R::crossed(state, *victim, state.turn.other()).contains(to)
                && R::seen(state, state.turn, Role::Pawn, from).contains(to)
        })
    }

    fn en_passant_fault(&self, from: Square, to: Square, promotion: Option<Role>) -> MoveFault {
        if let Some(fault) = self.squares_fault(from, to) {
            return fault;
        }
        let state = &self.state;
        let role = state.role_on(from);
        if role != Role::Pawn {
            return MoveFault::NotAPawn { role };
        }
        let Some(victim) = state.en_passant else {
            return MoveFault::NoDoubleStep;
        };
        let landings = R::crossed(state, victim, state.turn.other());
        if !landings.contains(to) {
            let held = landings.first().is_some_and(|one| {
                R::layout(&state.boards)
                    .is_some_and(|layout| layout.column(one) == layout.column(to))
            });
            return if held {
                MoveFault::CrossedHeld { square: to, victim }
            } else {
                MoveFault::NotCrossed { victim }
            };
        }
        if !R::seen(state, state.turn, Role::Pawn, from).contains(to) {
            return MoveFault::PassesNot { victim };
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
    ) -> MoveFault {
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
                (None, Some(square)) => MoveFault::PromotionMissing { square },
                (Some(wanted), Some(square)) if wanted.square == square => {
                    MoveFault::PromotionTo { role: wanted.role }
                }
                (Some(wanted), _) => MoveFault::PromotionNotHere {
                    square: wanted.square,
                },
                (None, None) => MoveFault::BoardStays,
            };
        }
        let attempt = |promotion| Move::Board {
            board,
            to,
            turned,
            promotion,
        };
        let fault = self.exposed(attempt(promotion));
        // The owner of a foreign pawn chooses its promotion (ruling owner-chooses-promotion), so the move is illegal if
        // any of the four pieces would give check.
        let foreign = promotion
            .filter(|p| self.state.colors[self.state.turn.other() as usize].contains(p.square));
        if let Some(BoardPromotion { square, .. }) = foreign
            && fault
                .is_none_or(|fault| matches!(fault, MoveFault::Exposed { by, .. } if by == square))
        {
            for role in Role::PROMOTIONS {
                let choice = attempt(Some(BoardPromotion { square, role }));
                if let Some(MoveFault::Exposed { king, layout, .. }) = self.exposed(choice) {
                    return MoveFault::PromotionExposes {
                        pawn: square,
                        role,
                        king,
                        layout,
                    };
                }
            }
        }
        fault.unwrap_or(MoveFault::BoardStays)
    }

    /// The attack on the mover's king after a move.
    fn exposed(&self, m: Move) -> Option<MoveFault> {
        let mover: Color = self.state.turn;
        let mut after = self.clone();
        after.play_unchecked(m);
        let king = after.state.king(mover);
        let by = after.attackers(king, mover.other()).first()?;
        Some(MoveFault::Exposed {
            king,
            by,
            attacker: after.state.role_on(by),
            layout: R::layout(&after.state.boards).copied(),
        })
    }
}
