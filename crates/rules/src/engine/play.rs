//! Plays a move: updates the pieces, the boards and the rights, and detects check.

use super::Game;
use crate::castling::{Castling, CastlingSide};
use crate::key;
use crate::moves::{BoardPromotion, Move, PlayedMove};
use crate::piece::{Color, Piece, Role};
use crate::pieces::{Pieces, carry_out};
use crate::rules::Rules;
use crate::state::State;
use tridex_geometry::Square;

impl<const W: usize, R: Rules<W>> Game<W, R> {
    /// Plays a legal move.
    #[inline]
    pub(crate) fn play_unchecked(&mut self, m: Move) -> PlayedMove {
        match m {
            Move::Piece {
                from,
                to,
                promotion: None,
            } => {
                let takes = self.state.colors[self.state.turn.other() as usize].contains(to);
                self.play_found(self.state.role_on(from), from, to, takes)
            }
            _ => self.play_rare(m),
        }
    }

    /// Plays any legal move, slowly. [`Game::play_found`] is faster for moves of a piece without promotion.
    #[inline(never)]
    fn play_rare(&mut self, m: Move) -> PlayedMove {
        let captures = self.is_capture(m);
        let state = &mut self.state;
        let mover = state.turn;
        apply::<W, R>(state, m);
        match m {
            Move::Piece { from, to, .. } => R::refresh_step(state, from, to),
            _ => R::refresh(state),
        }
        state.turn = mover.other();
        if mover == Color::Black {
            state.fullmoves = state.fullmoves.saturating_add(1);
        }
        state.check = match m {
            Move::Piece {
                from,
                to,
                promotion,
            } => {
                let role = promotion.unwrap_or_else(|| state.role_on(to));
                checks_by_step::<W, R>(state, mover, role, from, to)
            }
            _ => R::is_attacked(state, state.king(mover.other()), mover),
        };
        PlayedMove {
            changes_material: captures || m.promotion().is_some(),
            ..self.played(captures)
        }
    }

    /// Describes the move that was just played, apart from a promotion.
    #[inline(always)]
    fn played(&self, captures: bool) -> PlayedMove {
        PlayedMove {
            captures,
            changes_material: captures,
            check: self.state.check,
            placement: self.placement_key(),
            halfmoves: self.state.halfmoves,
        }
    }

    /// Plays a legal move of a piece of the kind `role`, without promotion. `takes` is whether it captures.
    #[inline(always)]
    pub(crate) fn play_found(
        &mut self,
        role: Role,
        from: Square,
        to: Square,
        takes: bool,
    ) -> PlayedMove {
        let state = &mut self.state;
        let mover = state.turn;
        step::<W, R>(state, role, from, to, takes);
        R::refresh_step(state, from, to);
        state.turn = mover.other();
        state.fullmoves = state
            .fullmoves
            .saturating_add(u16::from(mover == Color::Black));
        state.check = checks_by_step::<W, R>(state, mover, role, from, to);
        self.played(takes)
    }

    /// Whether the move takes a piece.
    #[inline]
    pub(crate) fn is_capture(&self, m: Move) -> bool {
        match m {
            Move::Piece { to, .. } => {
                self.state.colors[self.state.turn.other() as usize].contains(to)
            }
            Move::EnPassant { .. } => true,
            Move::Castle(_) | Move::Board { .. } | Move::Pass => false,
        }
    }
}

/// Whether a piece that has gone from one square to another gives check, directly or by opening a line. The mover did
/// not attack that king before, so no other piece can give check.
#[inline(always)]
fn checks_by_step<const W: usize, R: Rules<W>>(
    state: &State<W, R::Boards>,
    mover: Color,
    role: Role,
    from: Square,
    to: Square,
) -> bool {
    let king = state.king(mover.other());
    R::attacks(state, mover, role, to, king)
        || R::may_uncover(state, from, king, mover) && R::is_line_attacked(state, king, mover)
}

/// Moves a piece and removes the piece that it captures: the part of [`apply`] that nine moves of ten need.
#[inline(always)]
pub(super) fn step<const W: usize, R: Rules<W>>(
    state: &mut State<W, R::Boards>,
    role: Role,
    from: Square,
    to: Square,
    takes: bool,
) {
    let mover = state.turn;
    // Read the tables first. Nothing below changes what they depend on, and the move finder has just read the same
    // entries.
    let is_double = R::is_double_step(state, role, from, to);
    let progress = takes | (role == Role::Pawn) & R::is_progress(from, to);
    let piece = Piece::new(mover, role);
    let key = key::piece(piece, state.key_cell(from)) ^ key::piece(piece, state.key_cell(to));
    if takes {
        state.remove(to, Piece::new(mover.other(), state.role_on(to)));
    }
    state.roles[role as usize].toggle_both([from, to]);
    state.colors[mover as usize].toggle_both([from, to]);
    state.unmoved.remove(from);
    state.unmoved.remove(to);
    state.placement ^= key;
    let king = &mut state.kings[mover as usize];
    *king = if role == Role::King { to } else { *king };
    let lost = Game::<W, R>::RIGHTS_LOST[from.index()] | Game::<W, R>::RIGHTS_LOST[to.index()];
    state.castling = Castling(state.castling.0 & !lost);
    state.en_passant = is_double.then_some(to);
    state.halfmoves = state.halfmoves.saturating_add(1) * u16::from(!progress);
}

/// Applies a move to the state, except for the turn, the move number, the check and what [`Rules::refresh`] updates.
#[inline]
pub(super) fn apply<const W: usize, R: Rules<W>>(state: &mut State<W, R::Boards>, m: Move) {
    let mover = state.turn;
    let mut castling = None;
    let progress = match m {
        Move::Piece {
            from,
            to,
            promotion,
        } => {
            let role = state.role_on(from);
            let takes = state.colors[mover.other() as usize].contains(to);
            step::<W, R>(state, role, from, to, takes);
            if let Some(promotion) = promotion {
                state.remove(to, Piece::new(mover, role));
                state.put(to, Piece::new(mover, promotion));
                state.halfmoves = 0;
            }
            return;
        }
        Move::EnPassant { from, to, .. } => {
            state.unmoved = state.unmoved.without(from).without(to);
            true
        }
        Move::Castle(side) => {
            castling = Game::<W, R>::castling(mover, side).map(|rule| rule.squares);
            for side in CastlingSide::ALL {
                state.castling = state.castling.without(mover, side);
            }
            false
        }
        Move::Board {
            board, promotion, ..
        } => {
            let carried = state.occupied() & board.squares().resized();
            for square in carried {
                let lost = Game::<W, R>::RIGHTS_LOST[square.index()];
                state.castling = Castling(state.castling.0 & !lost);
            }
            // Ruling moved-pawn: a pawn that is carried or turned has left its start square.
            state.unmoved = state.unmoved.minus(carried);
            if let Some(BoardPromotion { square, .. }) = promotion {
                state.unmoved.remove(square);
            }
            // Ruling counts-as-progress: Meder 3.4(b) calls moving a board with a pawn a move of the pawn.
            carried.meets(state.roles[Role::Pawn as usize]) || promotion.is_some()
        }
        Move::Pass => false,
    };
    carry_out(state, m, state.en_passant, castling);
    state.en_passant = None;
    state.halfmoves = if progress {
        0
    } else {
        state.halfmoves.saturating_add(1)
    };
}
