//! The part common to all rule systems: playing moves, king safety, listing and finding legal moves.

mod explain;
pub(crate) mod find;
mod list;
mod play;

use crate::castling::{Castling, CastlingSide};
use crate::facts::{Arrival, CastlingRule};
use crate::key;
use crate::material;
use crate::outcome::Outcome;
use crate::piece::{Color, Piece, Role};
use crate::pieces::Pieces;
use crate::rules::Rules;
use crate::setup::{Setup, SetupError};
use crate::state::State;
use std::marker::PhantomData;
use std::ops::ControlFlow::Break;
use tridex_geometry::stair::{AttackBoard, Layout};
use tridex_geometry::{Square, SquareSet};

/// A playable position under the rules `R`.
#[derive(Clone, PartialEq)]
pub(crate) struct Game<const W: usize, R: Rules<W>> {
    pub(crate) state: State<W, R::Boards>,
    rules: PhantomData<R>,
}

/// For each square the castling rights, as bits, that are lost when a piece leaves it or is captured on it (ruling
/// rights-lost-with-board).
const fn rights_lost(castlings: &[[Option<CastlingRule>; 2]; 2]) -> [u8; 256] {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 4 {
        if let Some(rule) = &castlings[i / 2][i % 2] {
            table[rule.squares.king.0.index()] |= 1 << i;
            table[rule.squares.rook.0.index()] |= 1 << i;
        }
        i += 1;
    }
    table
}

impl<const W: usize, R: Rules<W>> Game<W, R> {
    /// By colour and side.
    const CASTLINGS: [[Option<CastlingRule>; 2]; 2] = R::FACTS.castlings();
    const RIGHTS_LOST: [u8; 256] = rights_lost(&Self::CASTLINGS);
    /// By colour: the start squares of pawns.
    const PAWN_STARTS: [SquareSet<3>; 2] = R::FACTS.pawn_starts();
    /// By colour: a superset of the squares on which a pawn can promote.
    const PROMOTION_SQUARES: [SquareSet<3>; 2] = R::FACTS.promotion_squares();

    fn castling(color: Color, side: CastlingSide) -> Option<CastlingRule> {
        Self::CASTLINGS[color as usize][side as usize]
    }

    fn of(state: State<W, R::Boards>) -> Self {
        Self {
            state,
            rules: PhantomData,
        }
    }

    pub(crate) fn from_setup(setup: &Setup) -> Result<Self, SetupError> {
        if setup.family().squares() != 64 * W {
            return Err(SetupError::WrongFamily);
        }
        let counter = |n: u32| u16::try_from(n).map_err(|_| SetupError::Counter);
        let mut state = State {
            roles: [SquareSet::EMPTY; 6],
            colors: [SquareSet::EMPTY; 2],
            boards: R::boards(setup)?,
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
            state.put(square, piece);
        }
        if let Some(layout) = R::layout(&state.boards) {
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

    /// Checks that no pawn is on a square where it would have been promoted. Pawns on start squares become unmoved
    /// unless the setup lists them as moved (ruling moved-pawn).
    fn check_pawns(state: &mut State<W, R::Boards>, setup: &Setup) -> Result<(), SetupError> {
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
                if R::arrival(&state.boards, color, pawn) == Arrival::MustPromote {
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

    fn check_castling(state: &mut State<W, R::Boards>, setup: &Setup) -> Result<(), SetupError> {
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if !setup.castling.has(color, side) {
                    continue;
                }
                let fault = SetupError::Castling(color, side);
                let squares = Self::castling(color, side).ok_or(fault)?.squares;
                let (king, rook) = (squares.king.0, squares.rook.0);
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

    /// Whether the attack boards of two squares are on their start pins.
    fn boards_at_home(state: &State<W, R::Boards>, king: Square, rook: Square) -> bool {
        let (Some(now), Some(start)) = (R::layout(&state.boards), R::FACTS.home) else {
            return true;
        };
        [king, rook]
            .into_iter()
            .filter_map(|square| now.attack_pin(square))
            .all(|(board, pin)| start.pin(board) == pin)
    }

    /// The pawns of a side that are on one of its start squares. A start square on an attack board counts only while
    /// that board is on its home pin (ruling moved-pawn).
    fn pawns_on_start(state: &State<W, R::Boards>, color: Color) -> SquareSet<W> {
        let mut starts = Self::PAWN_STARTS[color as usize].resized();
        if let (Some(now), Some(home)) = (R::layout(&state.boards), R::FACTS.home) {
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

    /// The pawns on start squares that have lost their double step (ruling moved-pawn).
    fn moved_pawns(&self) -> SquareSet<W> {
        let [white, black] = Color::ALL.map(|color| Self::pawns_on_start(&self.state, color));
        (white | black).minus(self.state.unmoved)
    }

    pub(crate) fn to_setup(&self) -> Setup {
        let state = &self.state;
        let mut setup = Setup::empty(R::layout(&state.boards).copied());
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
        R::is_attacked(&self.state, square, by)
    }

    pub(crate) fn attackers(&self, square: Square, by: Color) -> SquareSet<W> {
        Role::ALL
            .into_iter()
            .flat_map(|role| {
                let near = R::seen(&self.state, by.other(), role, square);
                let pieces = (near & self.state.pieces(by, role)).into_iter();
                pieces.filter(move |from| R::attacks(&self.state, by, role, *from, square))
            })
            .collect()
    }

    /// See [`Position::pinned`](crate::Position::pinned).
    pub(crate) fn pinned(&self, color: Color) -> SquareSet<W> {
        let (king, enemy) = (self.state.king(color), color.other());
        let known = self.attackers(king, enemy);
        let own = Role::ALL.map(|role| self.state.pieces(color, role));
        let pieces = Role::ALL.into_iter().zip(own);
        let pieces = pieces.filter(|(role, _)| *role != Role::King);
        let pieces = pieces.flat_map(|(role, set)| set.into_iter().map(move |at| (at, role)));
        let is_pinned = |(square, role): &(Square, Role)| {
            let mut without = self.clone();
            without.state.remove(*square, Piece::new(color, *role));
            R::refresh(&mut without.state);
            !without.attackers(king, enemy).minus(known).is_empty()
        };
        pieces.filter(is_pinned).map(|(square, _)| square).collect()
    }

    /// The key of pieces, boards and turn only.
    #[inline]
    pub(crate) fn placement_key(&self) -> u64 {
        self.state.placement ^ key::turn(self.state.turn)
    }

    /// The pawn that a legal move can capture en passant now.
    fn answered_en_passant(&self) -> Option<Square> {
        self.state.en_passant.filter(|_| {
            self.en_passant_moves(SquareSet::FULL, SquareSet::FULL, &mut |_| Break(()))
                .is_break()
        })
    }

    /// The key of everything that the repetition rule compares (ruling same-position).
    pub(crate) fn key(&self) -> u64 {
        let state = &self.state;
        let victim = self.answered_en_passant();
        let en_passant = victim.map_or(0, |square| key::en_passant(state.key_cell(square)));
        self.placement_key()
            ^ key::castling(state.castling)
            ^ key::unmoved(state.unmoved)
            ^ en_passant
    }

    /// Whether the two are the same (ruling same-position). Returns `None` if everything agrees, including the key of
    /// the pieces, except the squares: then the caller has to compare places.
    pub(crate) fn is_same(&self, other: &Self) -> Option<bool> {
        let rights = |state: &State<W, R::Boards>| {
            let unmoved = state.unmoved;
            (state.placement, state.turn, state.castling, unmoved)
        };
        let victim = |game: &Self| {
            let square = game.answered_en_passant()?;
            Some(game.state.key_cell(square))
        };
        if rights(&self.state) != rights(&other.state) || victim(self) != victim(other) {
            return Some(false);
        }
        let (a, b) = (&self.state, &other.state);
        let are_equal = a.boards == b.boards && a.colors == b.colors && a.roles == b.roles;
        are_equal.then_some(true)
    }

    pub(crate) fn can_mate(&self, color: Color) -> bool {
        material::can_mate(self.state.men(), color, R::FACTS.helpless)
    }

    pub(crate) fn layout(&self) -> Option<&Layout> {
        R::layout(&self.state.boards)
    }

    pub(crate) fn reaches(&self, piece: Piece, from: Square, to: Square) -> bool {
        R::reaches(&self.state, piece.color, piece.role, from, to)
    }

    pub(crate) fn outcome(&self) -> Option<Outcome> {
        // Mate and stalemate take precedence over dead material.
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

    #[inline]
    pub(crate) fn is_dead(&self) -> bool {
        R::is_dead(&self.state)
    }
}
