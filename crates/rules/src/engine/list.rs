//! Lists, checks and counts legal moves.

use super::Game;
use super::play::apply;
use crate::castling::{CastlingSide, CastlingSquares};
use crate::facts::{Arrival, CastlingRule};
use crate::fault::CastlingFault;
use crate::moves::{BoardPromotion, Move};
use crate::piece::Role;
use crate::rules::Rules;
use std::ops::ControlFlow::{self, Break, Continue};
use tridex_geometry::stair::{AttackBoard, ColumnSet};
use tridex_geometry::{Square, SquareSet};

impl<const W: usize, R: Rules<W>> Game<W, R> {
    /// Whether a move that follows the movement rules leaves the mover's own king unattacked.
    pub(super) fn is_safe(&self, m: Move) -> bool {
        self.is_safe_watching(m, &mut None)
    }

    /// Does the same as [`Game::is_safe`]. `watched` caches [`Rules::watched_columns`]; all moves of one position can
    /// share it.
    fn is_safe_watching(&self, m: Move, watched: &mut Option<ColumnSet>) -> bool {
        let state = &self.state;
        match m {
            Move::Piece { from, .. } if self.is_free(from) => true,
            Move::Board {
                board,
                to,
                turned,
                promotion: Some(BoardPromotion { square, .. }),
            } if state.colors[state.turn.other() as usize].contains(square) => {
                // Ruling owner-chooses-promotion: the pawn's owner chooses, so none of the choices may attack the
                // mover's king.
                Role::PROMOTIONS.into_iter().all(|role| {
                    let promotion = Some(BoardPromotion { square, role });
                    self.keeps_king_safe(Move::Board {
                        board,
                        to,
                        turned,
                        promotion,
                    })
                })
            }
            Move::Board {
                board,
                to,
                promotion: None,
                ..
            } if !state.check => {
                let watched = *watched.get_or_insert_with(|| R::watched_columns(state));
                R::board_is_free(state, board, to, watched) || self.keeps_king_safe(m)
            }
            _ => self.keeps_king_safe(m),
        }
    }

    /// Whether the king of the side to move is safe after one of its pieces has gone from one square to another. A
    /// promotion makes no difference.
    pub(crate) fn keeps_safe(&self, role: Role, from: Square, to: Square) -> bool {
        let (mover, enemy) = (self.state.turn, self.state.turn.other());
        let king = if role == Role::King {
            to
        } else {
            self.state.king(mover)
        };
        // Only the fields that attacks depend on are updated.
        let mut after = self.state;
        if self.state.colors[enemy as usize].contains(to) {
            let captured = after.role_on(to);
            after.roles[captured as usize].remove(to);
            after.colors[enemy as usize].remove(to);
        }
        let both = SquareSet::of(from) | SquareSet::of(to);
        after.roles[role as usize] ^= both;
        after.colors[mover as usize] ^= both;
        R::refresh_step(&mut after, from, to);
        !R::is_attacked(&after, king, enemy)
    }

    pub(crate) fn keeps_king_safe(&self, m: Move) -> bool {
        if let Move::Piece { from, to, .. } = m {
            return self.keeps_safe(self.state.role_on(from), from, to);
        }
        let mover = self.state.turn;
        if let Move::Castle(side) = m
            && let Some(CastlingRule { squares, safe, .. }) = Self::castling(mover, side)
        {
            // Most castlings are decided here: the square that the king goes to is not attacked now (which is known if
            // `safe` contains it), and neither king nor rook opens a line to it. A square that the other of the two
            // goes to stays occupied, so leaving it opens nothing.
            let (CastlingSquares { king, rook }, enemy) = (squares, mover.other());
            let opens = |left: Square| {
                left != king.1 && left != rook.1 && R::may_uncover(&self.state, left, king.1, enemy)
            };
            if (safe.contains(king.1) || !R::is_attacked(&self.state, king.1, enemy))
                && !opens(king.0)
                && !opens(rook.0)
            {
                return true;
            }
        }
        let mut after = self.state;
        apply::<W, R>(&mut after, m);
        R::refresh(&mut after);
        !R::is_attacked(&after, after.king(mover), mover.other())
    }

    /// Where the other pieces of the side to move may go without exposing their king.
    #[inline]
    fn limits(&self) -> Limits<W> {
        let state = &self.state;
        let (king, enemy) = (state.king(state.turn), state.turn.other());
        if !state.check {
            return Limits {
                targets: SquareSet::FULL,
                pinned: R::pinned(state, king, enemy),
            };
        }
        // In check, another piece has to capture the attacker or block its line.
        let mut targets = SquareSet::FULL;
        for attacker in self.attackers(king, enemy) {
            let role = state.role_on(attacker);
            targets &= R::shields(state, role, attacker, king).with(attacker);
        }
        Limits {
            targets,
            pinned: SquareSet::FULL,
        }
    }

    /// The squares that the king can go to without being attacked there, except by castling.
    fn king_targets(&self) -> SquareSet<W> {
        let state = &self.state;
        let (mover, king) = (state.turn, state.king(state.turn));
        let mut targets = R::destinations(state, mover, Role::King, king);
        if targets.is_empty() {
            return targets;
        }
        // Lines continue through the square that the king leaves.
        let mut without = *state;
        without.roles[Role::King as usize].remove(king);
        without.colors[mover as usize].remove(king);
        R::refresh_step(&mut without, king, king);
        for to in targets {
            if R::is_attacked(&without, to, mover.other()) {
                targets.remove(to);
            }
        }
        targets
    }

    /// Passes every legal move to `sink` until that returns a break.
    pub(crate) fn for_each_legal(
        &self,
        sink: &mut impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let state = &self.state;
        let limits = self.limits();
        for role in Role::PIECES {
            for from in state.pieces(state.turn, role) {
                let targets = R::destinations(state, state.turn, role, from) & limits.targets;
                self.piece_moves(role, from, targets, !limits.pinned.contains(from), sink)?;
            }
        }
        let king = state.king(state.turn);
        self.piece_moves(Role::King, king, self.king_targets(), true, sink)?;
        self.special_moves(sink)
    }

    /// Passes every piece of the side to move that has a legal move to a function, in the order of squares, with all
    /// squares that it can go to. En passant and castling are not included.
    pub(crate) fn each_piece(&self, mut take: impl FnMut(Role, Square, SquareSet<W>)) {
        let state = &self.state;
        let limits = self.limits();
        for from in state.own() {
            let role = state.role_on(from);
            let mut targets = if role == Role::King {
                self.king_targets()
            } else {
                R::destinations(state, state.turn, role, from) & limits.targets
            };
            if role != Role::King && limits.pinned.contains(from) {
                for to in targets {
                    if !self.keeps_safe(role, from, to) {
                        targets.remove(to);
                    }
                }
            }
            if !targets.is_empty() {
                take(role, from, targets);
            }
        }
    }

    /// Passes the special moves to `sink` until that returns a break: en passant, castling, and moves of boards.
    pub(crate) fn special_moves(
        &self,
        sink: &mut impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.en_passant_moves(SquareSet::FULL, SquareSet::FULL, sink)?;
        if self.state.castling.is_any_of(self.state.turn) {
            for side in CastlingSide::ALL {
                if self.can_castle(side) {
                    sink(Move::Castle(side))?;
                }
            }
        }
        if R::FACTS.home.is_some() {
            let mut watched = None;
            for board in AttackBoard::ALL {
                R::board_moves(&self.state, board, &mut |m| {
                    if self.is_safe_watching(m, &mut watched) {
                        sink(m)
                    } else {
                        Continue(())
                    }
                })?;
            }
        }
        Continue(())
    }

    /// Counts the legal moves, generating only those that have to be tested one by one.
    pub(crate) fn count_legal(&self) -> u64 {
        let state = &self.state;
        let limits = self.limits();
        let mut count = u64::from(self.king_targets().count());
        let mut one = |_| {
            count += 1;
            Continue(())
        };
        let _ = self.special_moves(&mut one);
        let last = Self::PROMOTION_SQUARES[state.turn as usize].resized();
        let pieces = state.own().without(state.king(state.turn));
        for role in Role::PIECES {
            for from in pieces & state.roles[role as usize] {
                let targets = R::destinations(state, state.turn, role, from) & limits.targets;
                if limits.pinned.contains(from) || role == Role::Pawn && targets.meets(last) {
                    let _ = self.piece_moves(
                        role,
                        from,
                        targets,
                        !limits.pinned.contains(from),
                        &mut |_| {
                            count += 1;
                            Continue(())
                        },
                    );
                } else {
                    count += u64::from(targets.count());
                }
            }
        }
        count
    }

    /// Whether a piece can go anywhere without exposing its king: it is not the king, the king is not attacked now, and
    /// the piece opens no line to it.
    #[inline(always)]
    pub(crate) fn is_free(&self, from: Square) -> bool {
        let king = self.state.king(self.state.turn);
        !self.state.check
            && from != king
            && !R::may_uncover(&self.state, from, king, self.state.turn.other())
    }

    /// What happens to a piece of the side to move that arrives on a square.
    #[inline]
    pub(super) fn arrival(&self, role: Role, to: Square) -> Arrival {
        if role == Role::Pawn {
            R::arrival(&self.state.boards, self.state.turn, to)
        } else {
            Arrival::Stays
        }
    }

    /// Passes the legal moves of one piece to squares that it is known to reach. `free` means that no such move can
    /// expose its king.
    #[inline]
    pub(super) fn piece_moves(
        &self,
        role: Role,
        from: Square,
        targets: SquareSet<W>,
        free: bool,
        sink: &mut impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for to in targets {
            // The promotion does not affect the safety of the king: the square is occupied either way.
            if !free && !self.keeps_safe(role, from, to) {
                continue;
            }
            for promotion in self.arrival(role, to).choices() {
                sink(Move::Piece {
                    from,
                    to,
                    promotion: *promotion,
                })?;
            }
        }
        Continue(())
    }

    pub(super) fn en_passant_moves(
        &self,
        origins: SquareSet<W>,
        targets: SquareSet<W>,
        sink: &mut impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let state = &self.state;
        let Some(victim) = state.en_passant else {
            return Continue(());
        };
        let landings = R::crossed(state, victim, state.turn.other()) & targets;
        if landings.is_empty() {
            return Continue(());
        }
        for from in state.pieces(state.turn, Role::Pawn) & origins {
            for to in landings {
                let en_passant = |promotion| Move::EnPassant {
                    from,
                    to,
                    promotion,
                };
                if !R::seen(state, state.turn, Role::Pawn, from).contains(to)
                    || !self.is_safe(en_passant(None))
                {
                    continue;
                }
                for promotion in self.arrival(Role::Pawn, to).choices() {
                    sink(en_passant(*promotion))?;
                }
            }
        }
        Continue(())
    }

    /// Whether the side to move may castle, apart from the safety of its king afterwards.
    ///
    /// # Errors
    /// The first condition that is not met.
    pub(crate) fn castling_fault(&self, side: CastlingSide) -> Result<(), CastlingFault> {
        let state = &self.state;
        let rule = Self::castling(state.turn, side).ok_or(CastlingFault::None)?;
        if !state.castling.has(state.turn, side) {
            return Err(CastlingFault::Lost);
        }
        if !R::FACTS.castles_first && self.is_first_move() {
            return Err(CastlingFault::FirstMove);
        }
        if state.check {
            return Err(CastlingFault::Attacked(rule.squares.king.0));
        }
        // A piece on an attack board is reported before one on a main board. On the cube this makes no difference.
        let held = (rule.path.resized() & state.occupied()).into_iter();
        if let Some(blocker) = held.min_by_key(|square| square.index() < 48) {
            return Err(CastlingFault::Occupied(blocker));
        }
        let mut safe = rule.safe.into_iter();
        match safe.find(|square| R::is_attacked(state, *square, state.turn.other())) {
            Some(square) => Err((R::FACTS.castling_attacked)(square)),
            None => Ok(()),
        }
    }

    /// Whether this is the first move of the player to move, in a game from the start position. Any other position does
    /// not belong to such a game, even with move number 1 (ruling first-move-castling).
    fn is_first_move(&self) -> bool {
        let state = &self.state;
        if state.fullmoves != 1 {
            return false;
        }
        let Ok(start) = Self::from_setup(&R::FACTS.start()) else {
            return false;
        };
        if state.turn == start.state.turn {
            return *self == start;
        }
        // White has moved once, and not a board: under the rules that ask for this, every board carries several pieces
        // at the start and so cannot move.
        let (then, now) = (start.state.occupied(), state.occupied());
        let (Some(from), Some(to)) = (then.minus(now).first(), now.minus(then).first()) else {
            return false;
        };
        let m = Move::plain(from, to);
        let mut after = start.clone();
        start.is_legal(m) && {
            after.play_unchecked(m);
            *self == after
        }
    }

    pub(crate) fn can_castle(&self, side: CastlingSide) -> bool {
        let is_open = |rule: CastlingRule| !rule.path.resized().meets(self.state.occupied());
        Self::castling(self.state.turn, side).is_some_and(is_open)
            && self.castling_fault(side).is_ok()
            && self.is_safe(Move::Castle(side))
    }

    pub(crate) fn is_legal(&self, m: Move) -> bool {
        let state = &self.state;
        match m {
            Move::Piece {
                from,
                to,
                promotion,
            } => {
                if from.index().max(to.index()) >= 64 * W
                    || !state.own().contains(from)
                    || state.own().contains(to)
                {
                    return false;
                }
                let role = state.role_on(from);
                if !R::reaches(state, state.turn, role, from, to) {
                    return false;
                }
                let fits = self.arrival(role, to).choices().contains(&promotion);
                fits && self.is_safe(m)
            }
            Move::EnPassant { from, to, .. } => {
                from.index().max(to.index()) < 64 * W
                    && self
                        .en_passant_moves(SquareSet::of(from), SquareSet::of(to), &mut |other| {
                            if other == m { Break(()) } else { Continue(()) }
                        })
                        .is_break()
            }
            Move::Castle(side) => self.can_castle(side),
            Move::Board { board, .. } => {
                let is_there = R::board_moves(state, board, &mut |other| {
                    if other == m { Break(()) } else { Continue(()) }
                });
                is_there.is_break() && self.is_safe(m)
            }
            Move::Pass => false,
        }
    }

    pub(crate) fn has_legal_move(&self) -> bool {
        // In check, a move of the king is the most likely answer.
        self.state.check && !self.king_targets().is_empty()
            || self.for_each_legal(&mut |_| Break(())).is_break()
    }

    /// The number of sequences of `depth` legal moves.
    pub(crate) fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => return 1,
            1 => return self.count_legal(),
            _ => {}
        }
        let mut nodes = 0;
        let _ = self.for_each_legal(&mut |m| {
            let mut next = self.clone();
            next.play_unchecked(m);
            nodes += next.perft(depth - 1);
            Continue(())
        });
        nodes
    }
}

/// Limits on the moves of all pieces except the king.
struct Limits<const W: usize> {
    /// The only squares that they may go to: in check, those that may end it.
    targets: SquareSet<W>,
    /// The squares of pieces that may be pinned. Their moves are tested one by one. In check these are all squares.
    pinned: SquareSet<W>,
}
