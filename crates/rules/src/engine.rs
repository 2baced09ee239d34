//! What is common to all rule systems: making moves, safety of kings, listing and finding legal moves.

use crate::position::Advance;
use crate::state::{Arrival, CastlingPlan, Rules, State};
use crate::{
    BoardPromotion, Castling, CastlingSide, Color, Move, MoveList, Outcome, Role, Setup,
    SetupError, key,
};
use std::marker::PhantomData;
use std::ops::ControlFlow::{self, Break, Continue};
use tridex_geometry::stair::{AttackBoard, Pin};
use tridex_geometry::{Square, SquareSet};

/// A playable position under the rules `R`.
pub(crate) struct Game<const W: usize, R: Rules<W>> {
    pub(crate) state: State<W, R::Ground>,
    rules: PhantomData<R>,
}

impl<const W: usize, R: Rules<W>> Clone for Game<W, R> {
    fn clone(&self) -> Self {
        Self::of(self.state)
    }
}

impl<const W: usize, R: Rules<W>> PartialEq for Game<W, R> {
    fn eq(&self, other: &Self) -> bool {
        self.state == other.state
    }
}

/// For each square the castling rights that are lost when something leaves it or is taken on it.
const fn losses(homes: Option<[(Square, Square); 4]>) -> [u8; Square::CAPACITY] {
    let mut table = [0; Square::CAPACITY];
    if let Some(homes) = homes {
        let mut i = 0;
        while i < 4 {
            table[homes[i].0.index()] |= 1 << i;
            table[homes[i].1.index()] |= 1 << i;
            i += 1;
        }
    }
    table
}

impl<const W: usize, R: Rules<W>> Game<W, R> {
    const LOSSES: [u8; Square::CAPACITY] = losses(R::CASTLING_HOMES);

    fn of(state: State<W, R::Ground>) -> Self {
        Self {
            state,
            rules: PhantomData,
        }
    }

    pub(crate) fn from_setup(setup: &Setup) -> Result<Self, SetupError> {
        if setup.family().squares() != 64 * W {
            return Err(SetupError::WrongFamily);
        }
        R::check_setup(setup)?;
        let counter = |n: u32| u16::try_from(n).map_err(|_| SetupError::Counter);
        let mut state = State {
            roles: [SquareSet::EMPTY; 6],
            colors: [SquareSet::EMPTY; 2],
            ground: R::ground(setup)?,
            unmoved: SquareSet::EMPTY,
            placement: 0,
            kings: [Square::new(0); 2],
            turn: setup.turn,
            castling: Castling::NONE,
            en_passant: None,
            halfmoves: counter(setup.halfmoves)?,
            fullmoves: counter(setup.fullmoves)?,
            check: false,
        };
        if state.fullmoves == 0 {
            return Err(SetupError::Counter);
        }
        for (square, piece) in setup.pieces() {
            state.put(square, piece.color, piece.role);
        }
        if let Some(layout) = R::layout(&state.ground) {
            for board in AttackBoard::ALL {
                state.placement ^= key::pin(board, layout.pin(board));
            }
        }
        for color in Color::ALL {
            match state.pieces(color, Role::King).count() {
                1 => {}
                0 => return Err(SetupError::NoKing(color)),
                _ => return Err(SetupError::TwoKings(color)),
            }
        }
        R::refresh(&mut state);
        Self::check_pawns(&mut state, setup)?;
        Self::check_castling(&mut state, setup)?;
        if let Some(victim) = setup.en_passant {
            let owner = state.turn.other();
            let fits = victim.index() < 64 * W
                && state.pieces(owner, Role::Pawn).contains(victim)
                && !state.unmoved.contains(victim)
                && !R::crossed(&state, victim, owner).is_empty();
            if !fits {
                return Err(SetupError::EnPassant(victim));
            }
            state.en_passant = Some(victim);
        }
        let game = Self::of(state);
        if game.is_attacked(state.king(state.turn.other()), state.turn) {
            return Err(SetupError::OpponentInCheck);
        }
        let check = game.is_attacked(state.king(state.turn), state.turn.other());
        Ok(Self::of(State { check, ..state }))
    }

    /// Pawns stand where pawns can stand; those on start squares are unmoved unless the setup says otherwise (C2).
    fn check_pawns(state: &mut State<W, R::Ground>, setup: &Setup) -> Result<(), SetupError> {
        let moved: SquareSet<W> = setup
            .moved
            .into_iter()
            .filter(|square| square.index() < 64 * W)
            .collect();
        if moved.count() != setup.moved.count() {
            let stray = setup.moved.into_iter().find(|s| s.index() >= 64 * W);
            return Err(SetupError::Moved(stray.unwrap_or(Square::new(0))));
        }
        let mut on_start = SquareSet::EMPTY;
        for color in Color::ALL {
            let pawns = state.pieces(color, Role::Pawn);
            for pawn in pawns {
                if R::arrival(&state.ground, color, pawn) == Arrival::MustPromote {
                    return Err(SetupError::PawnOnLastRank(pawn));
                }
            }
            on_start |= Self::pawns_on_start(state, color);
        }
        if let Some(stray) = moved.minus(on_start).first() {
            return Err(SetupError::Moved(stray));
        }
        state.unmoved = on_start.minus(moved);
        Ok(())
    }

    fn check_castling(state: &mut State<W, R::Ground>, setup: &Setup) -> Result<(), SetupError> {
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if !setup.castling.has(color, side) {
                    continue;
                }
                let fault = SetupError::Castling(color, side);
                let homes = R::CASTLING_HOMES.ok_or(fault)?;
                let (king, rook) = homes[2 * color as usize + side as usize];
                let at_home = state.pieces(color, Role::King).contains(king)
                    && state.pieces(color, Role::Rook).contains(rook)
                    && Self::boards_at_home(state, king, rook);
                if !at_home {
                    return Err(fault);
                }
                state.castling = state.castling.with(color, side);
            }
        }
        Ok(())
    }

    /// Whether the attack boards under two squares stand where the game begins.
    fn boards_at_home(state: &State<W, R::Ground>, king: Square, rook: Square) -> bool {
        let (Some(now), Some(start)) = (R::layout(&state.ground), R::HOME) else {
            return true;
        };
        [king, rook]
            .into_iter()
            .filter_map(|square| now.attack_pin(square))
            .all(|(board, pin)| start.pin(board) == pin)
    }

    /// Pawns of a side that stand on one of its start squares, which on an attack board is a square of that very board
    /// on its home pin (C2).
    fn pawns_on_start(state: &State<W, R::Ground>, color: Color) -> SquareSet<W> {
        let mut starts = R::pawn_starts(color);
        if let (Some(now), Some(home)) = (R::layout(&state.ground), R::HOME) {
            for board in AttackBoard::ALL {
                if now.pin(board) != home.pin(board) {
                    for square in board.squares() {
                        starts.remove(square);
                    }
                }
            }
        }
        state.pieces(color, Role::Pawn) & starts
    }

    /// The pawns of C2 that have lost their double step.
    fn moved_pawns(&self) -> SquareSet<W> {
        let state = &self.state;
        let candidates = (R::pawn_starts(Color::White) & state.pieces(Color::White, Role::Pawn))
            | (R::pawn_starts(Color::Black) & state.pieces(Color::Black, Role::Pawn));
        let candidates = candidates.minus(state.unmoved);
        if candidates.is_empty() {
            return candidates;
        }
        (Self::pawns_on_start(state, Color::White) | Self::pawns_on_start(state, Color::Black))
            .minus(state.unmoved)
    }

    pub(crate) fn to_setup(&self) -> Setup {
        let state = &self.state;
        let mut setup = Setup::empty(R::layout(&state.ground).copied());
        for square in state.occupied() {
            setup.set_piece(square, state.piece_at(square));
        }
        setup.turn = state.turn;
        setup.castling = state.castling;
        setup.en_passant = state.en_passant;
        setup.moved = self.moved_pawns().into_iter().collect();
        setup.halfmoves = state.halfmoves.into();
        setup.fullmoves = state.fullmoves.into();
        setup
    }

    /// Whether a side attacks a square.
    pub(crate) fn is_attacked(&self, square: Square, by: Color) -> bool {
        attacked::<W, R>(&self.state, square, by)
    }

    pub(crate) fn attackers(&self, square: Square, by: Color) -> SquareSet<W> {
        Role::ALL
            .into_iter()
            .flat_map(|role| {
                let pieces = self.state.pieces(by, role).into_iter();
                pieces.filter(move |from| R::attacks(&self.state, by, role, *from, square))
            })
            .collect()
    }

    /// Whether a move that follows the movement rules leaves the mover's own king unattacked (C1).
    fn is_safe(&self, m: Move) -> bool {
        let state = &self.state;
        match m {
            Move::Piece { from, .. } if self.is_free(from) => true,
            Move::Board {
                board,
                to,
                turned,
                promotion: Some(BoardPromotion { square, .. }),
            } if state.colors[state.turn.other() as usize].contains(square) => {
                // M7: the pawn's owner chooses, so none of the choices may attack the mover's king.
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
            _ => self.keeps_king_safe(m),
        }
    }

    pub(crate) fn keeps_king_safe(&self, m: Move) -> bool {
        let mut after = self.state;
        let mover = after.turn;
        match m {
            // What a pawn becomes does not matter here.
            Move::Piece { from, to, .. } => {
                let takes = after.colors[mover.other() as usize].contains(to);
                let role = after.role_on(from);
                step::<W, R>(&mut after, role, from, to, takes);
                R::refresh_step(&mut after, from, to);
            }
            _ => {
                apply::<W, R>(&mut after, m);
                R::refresh(&mut after);
            }
        }
        !attacked::<W, R>(&after, after.king(mover), mover.other())
    }

    /// Hands every legal move to `sink` until it breaks off.
    pub(crate) fn for_each_legal(
        &self,
        sink: &mut impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let state = &self.state;
        for role in Role::ALL {
            for from in state.pieces(state.turn, role) {
                let targets = R::destinations(state, state.turn, role, from);
                self.piece_moves(role, from, targets, sink)?;
            }
        }
        self.en_passant_moves(SquareSet::FULL, SquareSet::FULL, sink)?;
        for side in CastlingSide::ALL {
            if self.can_castle(side) {
                sink(Move::Castle(side))?;
            }
        }
        for board in AttackBoard::ALL {
            self.board_moves(board, sink)?;
        }
        Continue(())
    }

    pub(crate) fn board_moves(
        &self,
        board: AttackBoard,
        sink: &mut impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        R::board_moves(&self.state, board, &mut |m| {
            if self.is_safe(m) {
                sink(m)
            } else {
                Continue(())
            }
        })
    }

    /// Legal moves and turns of any board that end on a pin, in the order of boards.
    pub(crate) fn board_moves_to(&self, pin: Pin, out: &mut MoveList) {
        for board in AttackBoard::ALL {
            let _ = R::board_moves(&self.state, board, &mut |m| {
                if matches!(m, Move::Board { to, .. } if to == pin) && self.is_safe(m) {
                    out.push(m);
                }
                Continue(())
            });
        }
    }

    /// Whether the king stays safe wherever a piece that is not the king goes: the king is not attacked now, and the
    /// piece leaves no line to it.
    #[inline(always)]
    pub(crate) fn is_free(&self, from: Square) -> bool {
        let king = self.state.king(self.state.turn);
        !self.state.check
            && from != king
            && !R::may_uncover(&self.state, from, king, self.state.turn.other())
    }

    /// Legal moves of one piece to squares it is known to reach.
    #[inline]
    fn piece_moves(
        &self,
        role: Role,
        from: Square,
        targets: SquareSet<W>,
        sink: &mut impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let free = self.is_free(from);
        for to in targets {
            let quiet = Move::Piece {
                from,
                to,
                promotion: None,
            };
            // What a pawn becomes on arrival never changes whether its own king is safe: it stands there either way.
            if !free && !self.keeps_king_safe(quiet) {
                continue;
            }
            let arrival = if role == Role::Pawn {
                R::arrival(&self.state.ground, self.state.turn, to)
            } else {
                Arrival::Stays
            };
            if arrival != Arrival::MustPromote {
                sink(quiet)?;
            }
            if arrival != Arrival::Stays {
                for role in Role::PROMOTIONS {
                    sink(Move::Piece {
                        from,
                        to,
                        promotion: Some(role),
                    })?;
                }
            }
        }
        Continue(())
    }

    fn en_passant_moves(
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
                if !R::passes(state, state.turn, from, to) || !self.is_safe(en_passant(None)) {
                    continue;
                }
                let arrival = R::arrival(&state.ground, state.turn, to);
                if arrival != Arrival::MustPromote {
                    sink(en_passant(None))?;
                }
                if arrival != Arrival::Stays {
                    for role in Role::PROMOTIONS {
                        sink(en_passant(Some(role)))?;
                    }
                }
            }
        }
        Continue(())
    }

    pub(crate) fn can_castle(&self, side: CastlingSide) -> bool {
        R::castle(&self.state, side).is_ok() && self.is_safe(Move::Castle(side))
    }

    /// Legal moves of pieces of a kind from some squares to one square, in move order.
    pub(crate) fn moves_to(
        &self,
        role: Role,
        to: Square,
        origins: SquareSet<W>,
        out: &mut MoveList,
    ) {
        let state = &self.state;
        if to.index() >= 64 * W || state.own().contains(to) {
            return;
        }
        let mut push = |m| {
            out.push(m);
            Continue(())
        };
        for from in R::origins(state, state.turn, role, to) & origins {
            if R::reaches(state, state.turn, role, from, to) {
                let _ = self.piece_moves(role, from, SquareSet::of(to), &mut push);
            }
        }
        if role == Role::Pawn {
            let _ = self.en_passant_moves(origins, SquareSet::of(to), &mut push);
        }
    }

    /// The one legal move of pieces of a kind from some squares to one square, without a list;
    /// `None` if there is none, if there are several, or if it is for the list to settle.
    #[inline]
    pub(crate) fn only_move_to(
        &self,
        role: Role,
        to: Square,
        origins: SquareSet<W>,
    ) -> Option<Move> {
        let state = &self.state;
        if to.index() >= 64 * W || state.own().contains(to) {
            return None;
        }
        let arrival = if role == Role::Pawn {
            R::arrival(&state.ground, state.turn, to)
        } else {
            Arrival::Stays
        };
        // Rare, and for the list to settle.
        if arrival == Arrival::MustPromote || role == Role::Pawn && state.en_passant.is_some() {
            return None;
        }
        let mut found = None;
        for from in R::origins(state, state.turn, role, to) & origins {
            if !R::reaches(state, state.turn, role, from, to) {
                continue;
            }
            let m = Move::Piece {
                from,
                to,
                promotion: None,
            };
            if self.is_free(from) || self.keeps_king_safe(m) {
                if found.is_some() {
                    return None;
                }
                found = Some(m);
            }
        }
        found
    }

    /// Plays a legal move and says what a reader wants to know of it.
    #[inline]
    pub(crate) fn advance(&mut self, m: Move) -> Advance {
        let captures = self.is_capture(m);
        self.play_unchecked(m);
        Advance {
            captures,
            check: self.state.check,
            placement: self.placement_key(),
            halfmoves: self.state.halfmoves,
        }
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
                let arrival = if role == Role::Pawn {
                    R::arrival(&state.ground, state.turn, to)
                } else {
                    Arrival::Stays
                };
                let fits = match promotion {
                    None => arrival != Arrival::MustPromote,
                    Some(role) => arrival != Arrival::Stays && Role::PROMOTIONS.contains(&role),
                };
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
            Move::Board { board, .. } => self
                .board_moves(board, &mut |other| {
                    if other == m { Break(()) } else { Continue(()) }
                })
                .is_break(),
        }
    }

    pub(crate) fn has_legal_move(&self) -> bool {
        if self.state.check {
            // Out of check the king itself helps most often.
            let king = self.state.king(self.state.turn);
            let targets = R::destinations(&self.state, self.state.turn, Role::King, king);
            let moved = self.piece_moves(Role::King, king, targets, &mut |_| Break(()));
            if moved.is_break() {
                return true;
            }
        }
        self.for_each_legal(&mut |_| Break(())).is_break()
    }

    /// Plays a legal move.
    pub(crate) fn play_unchecked(&mut self, m: Move) {
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
            _ => attacked::<W, R>(state, state.king(mover.other()), mover),
        };
    }

    /// [`Game::advance`] for a piece of a kind that goes from one square to another and promotes nothing.
    #[inline(always)]
    pub(crate) fn advance_plain(
        &mut self,
        role: Role,
        from: Square,
        to: Square,
        takes: bool,
    ) -> Advance {
        let state = &mut self.state;
        let mover = state.turn;
        step::<W, R>(state, role, from, to, takes);
        R::refresh_step(state, from, to);
        state.turn = mover.other();
        state.fullmoves = state
            .fullmoves
            .saturating_add(u16::from(mover == Color::Black));
        state.check = checks_by_step::<W, R>(state, mover, role, from, to);
        Advance {
            captures: takes,
            check: state.check,
            placement: state.placement ^ key::turn(state.turn),
            halfmoves: state.halfmoves,
        }
    }

    /// Whether the move takes a piece.
    #[inline]
    pub(crate) fn is_capture(&self, m: Move) -> bool {
        match m {
            Move::Piece { to, .. } => {
                self.state.colors[self.state.turn.other() as usize].contains(to)
            }
            Move::EnPassant { .. } => true,
            Move::Castle(_) | Move::Board { .. } => false,
        }
    }

    /// The key of pieces, boards and turn alone.
    #[inline]
    pub(crate) fn placement_key(&self) -> u64 {
        self.state.placement ^ key::turn(self.state.turn)
    }

    pub(crate) fn key(&self) -> u64 {
        let state = &self.state;
        let mut all = state.placement ^ key::castling(state.castling) ^ key::turn(state.turn);
        if let Some(victim) = state.en_passant {
            // C7: only when such a capture is legal.
            let answered = self
                .en_passant_moves(SquareSet::FULL, SquareSet::FULL, &mut |_| Break(()))
                .is_break();
            if answered {
                all ^= key::en_passant::<W>(victim);
            }
        }
        for pawn in self.moved_pawns() {
            all ^= key::moved::<W>(pawn);
        }
        all
    }

    pub(crate) fn outcome(&self) -> Option<Outcome> {
        // Mate ends the game before anybody counts the material.
        if self.has_legal_move() {
            R::is_dead(&self.state).then_some(Outcome::Material)
        } else if self.state.check {
            Some(Outcome::Checkmate {
                winner: self.state.turn.other(),
            })
        } else {
            Some(Outcome::Stalemate)
        }
    }

    pub(crate) fn is_dead(&self) -> bool {
        R::is_dead(&self.state)
    }

    pub(crate) fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut nodes = 0;
        let _ = self.for_each_legal(&mut |m| {
            nodes += if depth == 1 {
                1
            } else {
                let mut next = self.clone();
                next.play_unchecked(m);
                next.perft(depth - 1)
            };
            Continue(())
        });
        nodes
    }
}

/// Whether a piece that has gone from one square to another checks the other king, or has opened a line to it. The mover
/// had not attacked that king before, so nothing else can.
#[inline(always)]
fn checks_by_step<const W: usize, R: Rules<W>>(
    state: &State<W, R::Ground>,
    mover: Color,
    role: Role,
    from: Square,
    to: Square,
) -> bool {
    let king = state.king(mover.other());
    R::attacks(state, mover, role, to, king)
        || R::may_uncover(state, from, king, mover) && line_attacked::<W, R>(state, king, mover)
}

/// Whether any piece of a side attacks a square.
fn attacked<const W: usize, R: Rules<W>>(
    state: &State<W, R::Ground>,
    square: Square,
    by: Color,
) -> bool {
    for from in R::near(state, square) & state.colors[by as usize] {
        if R::attacks(state, by, state.role_on(from), from, square) {
            return true;
        }
    }
    false
}

/// Whether a queen, rook or bishop of a side attacks a square.
fn line_attacked<const W: usize, R: Rules<W>>(
    state: &State<W, R::Ground>,
    square: Square,
    by: Color,
) -> bool {
    [Role::Queen, Role::Rook, Role::Bishop]
        .into_iter()
        .any(|role| {
            let mut pieces = state.pieces(by, role).into_iter();
            pieces.any(|from| R::attacks(state, by, role, from, square))
        })
}

/// A piece goes from one square to another and takes what stands there; [`apply`] for nine moves of ten.
#[inline(always)]
fn step<const W: usize, R: Rules<W>>(
    state: &mut State<W, R::Ground>,
    role: Role,
    from: Square,
    to: Square,
    takes: bool,
) {
    let mover = state.turn;
    if takes {
        let captured = state.role_on(to);
        state.take(to, mover.other(), captured);
    }
    let both = SquareSet::of(from) | SquareSet::of(to);
    state.roles[role as usize] ^= both;
    state.colors[mover as usize] ^= both;
    state.placement ^= key::piece::<W>(mover, role, from) ^ key::piece::<W>(mover, role, to);
    if role == Role::King {
        state.kings[mover as usize] = to;
    }
    state.unmoved = state.unmoved.minus(both);
    let lost = Game::<W, R>::LOSSES[from.index()] | Game::<W, R>::LOSSES[to.index()];
    state.castling = Castling(state.castling.0 & !lost);
    let pawn = role == Role::Pawn;
    let double_step = pawn && R::is_double_step(state, mover, from, to);
    state.en_passant = double_step.then_some(to);
    let progress = takes || pawn && R::is_progress(from, to);
    state.halfmoves = if progress {
        0
    } else {
        state.halfmoves.saturating_add(1)
    };
}

/// Changes the state as a move says, but for whose turn it is and what [`Rules::refresh`] brings up to date.
#[inline]
fn apply<const W: usize, R: Rules<W>>(state: &mut State<W, R::Ground>, m: Move) {
    let mover = state.turn;
    let mut progress = false;
    match m {
        Move::Piece {
            from,
            to,
            promotion,
        } => {
            let role = state.role_on(from);
            let takes = state.colors[mover.other() as usize].contains(to);
            step::<W, R>(state, role, from, to, takes);
            if let Some(promotion) = promotion {
                state.take(to, mover, role);
                state.put(to, mover, promotion);
                state.halfmoves = 0;
            }
            return;
        }
        Move::EnPassant {
            from,
            to,
            promotion,
        } => {
            if let Some(victim) = state.en_passant {
                state.take(victim, mover.other(), Role::Pawn);
            }
            state.take(from, mover, Role::Pawn);
            state.put(to, mover, promotion.unwrap_or(Role::Pawn));
            state.unmoved = state.unmoved.without(from).without(to);
            progress = true;
        }
        Move::Castle(side) => {
            if let Some(CastlingPlan { king, rook }) = R::castling_plan(mover, side) {
                state.take(king.0, mover, Role::King);
                state.take(rook.0, mover, Role::Rook);
                state.put(king.1, mover, Role::King);
                state.put(rook.1, mover, Role::Rook);
            }
            for side in CastlingSide::ALL {
                state.castling = state.castling.without(mover, side);
            }
        }
        Move::Board {
            board,
            to,
            turned,
            promotion,
        } => {
            let mut carried = SquareSet::<W>::EMPTY;
            for square in board.squares() {
                if state.occupied().contains(square) {
                    carried.insert(square);
                    let lost = Game::<W, R>::LOSSES[square.index()];
                    state.castling = Castling(state.castling.0 & !lost);
                }
                // C2: a pawn that is carried or turned has left its start square.
                state.unmoved.remove(square);
            }
            // C6: 3.4(b) calls it a move of the pawn.
            progress = carried.meets(state.roles[Role::Pawn as usize]);
            R::move_board(state, board, to, turned);
            if let Some(BoardPromotion { square, role }) = promotion
                && let Some(pawn) = state.piece_at(square)
            {
                state.take(square, pawn.color, pawn.role);
                state.put(square, pawn.color, role);
                state.unmoved.remove(square);
                progress = true;
            }
        }
    }
    state.en_passant = None;
    state.halfmoves = if progress {
        0
    } else {
        state.halfmoves.saturating_add(1)
    };
}
