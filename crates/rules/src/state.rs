//! The plain data of a position, and the trait in which a rule system states what is its own.

use crate::explain::Fault;
use crate::{
    Castling, CastlingSide, Color, Departure, Move, Piece, Role, RuleSystem, Setup, SetupError,
    Target, key,
};
use std::ops::ControlFlow;
use tridex_geometry::stair::{AttackBoard, Layout, Pin};
use tridex_geometry::{Square, SquareSet};

/// A position: small, plain, copied with a handful of loads. `W` is the number of words of a square set, `G` what the
/// board family keeps besides the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct State<const W: usize, G> {
    pub(crate) roles: [SquareSet<W>; 6],
    pub(crate) colors: [SquareSet<W>; 2],
    pub(crate) ground: G,
    /// Start squares whose pawn has never left them (ruling C2).
    pub(crate) unmoved: SquareSet<W>,
    /// Key of pieces and pins, kept up to date by every change.
    pub(crate) placement: u64,
    pub(crate) kings: [Square; 2],
    pub(crate) turn: Color,
    pub(crate) castling: Castling,
    pub(crate) en_passant: Option<Square>,
    pub(crate) halfmoves: u16,
    pub(crate) fullmoves: u16,
    /// Whether the king of the side to move is attacked.
    pub(crate) check: bool,
}

impl<const W: usize, G> State<W, G> {
    #[inline]
    pub(crate) fn own(&self) -> SquareSet<W> {
        self.colors[self.turn as usize]
    }

    #[inline]
    pub(crate) fn occupied(&self) -> SquareSet<W> {
        self.colors[0] | self.colors[1]
    }

    #[inline]
    pub(crate) fn pieces(&self, color: Color, role: Role) -> SquareSet<W> {
        self.colors[color as usize] & self.roles[role as usize]
    }

    #[inline]
    pub(crate) fn king(&self, color: Color) -> Square {
        self.kings[color as usize]
    }

    /// The kind of the piece on a square that is known to hold one.
    #[inline]
    pub(crate) fn role_on(&self, square: Square) -> Role {
        // One of the sets has it, none of the others: the sum of their numbers is its number. No branch depends on it.
        let number = (1..6).fold(0, |sum, i| {
            sum + i * usize::from(self.roles[i].contains(square))
        });
        Role::ALL[number.min(5)]
    }

    pub(crate) fn piece_at(&self, square: Square) -> Option<Piece> {
        let color = Color::ALL
            .into_iter()
            .find(|color| self.colors[*color as usize].contains(square))?;
        Some(Piece::new(color, self.role_on(square)))
    }

    #[inline]
    pub(crate) fn put(&mut self, square: Square, color: Color, role: Role) {
        self.roles[role as usize].insert(square);
        self.colors[color as usize].insert(square);
        self.placement ^= key::piece::<W>(color, role, square);
        if role == Role::King {
            self.kings[color as usize] = square;
        }
    }

    #[inline]
    pub(crate) fn take(&mut self, square: Square, color: Color, role: Role) {
        self.roles[role as usize].remove(square);
        self.colors[color as usize].remove(square);
        self.placement ^= key::piece::<W>(color, role, square);
    }
}

/// The kinds of pieces that see different squares, as numbers: the roles, with Black's pawns as number 6.
#[inline]
pub(crate) const fn kind(color: Color, role: Role) -> usize {
    role as usize + 6 * (role as usize == 0 && color as usize == 1) as usize
}

/// What happens to a pawn that arrives on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arrival {
    /// It stays a pawn.
    Stays,
    /// It becomes another piece.
    MustPromote,
    /// Its owner may make it another piece.
    MayPromote,
}

/// The squares of a castling: where king and rook leave, and where they arrive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CastlingPlan {
    pub(crate) king: (Square, Square),
    pub(crate) rook: (Square, Square),
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
    /// A piece stands on a square that has to be empty.
    Occupied(Square),
    /// A square the king stands on, passes or goes to is attacked.
    Attacked(Square),
    /// The rook is attacked (Federation 3.2).
    RookAttacked(Square),
}

/// What a rule system says. `W` is the number of words of its board family's sets.
///
/// Squares given to these functions belong to the family, `from` holds the piece spoken of. None of them asks whose
/// king is attacked: that is common to all systems and done in [`engine`](crate::engine).
pub(crate) trait Rules<const W: usize>: Sized + 'static {
    /// What the board family keeps besides the pieces: layout and what follows from it, or nothing.
    type Ground: Copy + Eq + std::fmt::Debug;

    /// The system's name in the facade.
    const SYSTEM: RuleSystem;
    /// Home squares of king and rook for each castling, in the order `K Q k q`; `None` without castling.
    const CASTLING_HOMES: Option<[(Square, Square); 4]>;
    /// Whether the third occurrence of a position ends the game.
    const REPETITION_ENDS: bool = false;
    /// The number of half moves without progress after which a draw can be claimed.
    const CLAIM_AFTER: Option<u32> = Some(100);

    /// Where the attack boards stand at the start, on the stair board.
    const HOME: Option<Layout> = None;

    /// The position every game starts from.
    fn start() -> Setup;
    /// The ground of a setup.
    fn ground(setup: &Setup) -> Result<Self::Ground, SetupError>;
    /// The layout of the attack boards, on the stair board.
    fn layout(ground: &Self::Ground) -> Option<&Layout>;
    /// Brings what follows from the placement of the pieces up to date.
    fn refresh(state: &mut State<W, Self::Ground>);
    /// [`Rules::refresh`] after a piece has gone from one square to another and nothing else has changed but what it
    /// took there.
    #[inline]
    fn refresh_step(state: &mut State<W, Self::Ground>, _from: Square, _to: Square) {
        Self::refresh(state);
    }
    /// Start squares of a side's pawns.
    fn pawn_starts(color: Color) -> SquareSet<W>;

    /// Whether the piece could capture an enemy on `to`, pins disregarded (ruling C1).
    fn attacks(
        state: &State<W, Self::Ground>,
        color: Color,
        role: Role,
        from: Square,
        to: Square,
    ) -> bool;
    /// Whether the piece could go to `to`, which holds no piece of its own side: onto an empty square, or capturing.
    fn reaches(
        state: &State<W, Self::Ground>,
        color: Color,
        role: Role,
        from: Square,
        to: Square,
    ) -> bool;
    /// All squares that [`Rules::reaches`] is true of.
    fn destinations(
        state: &State<W, Self::Ground>,
        color: Color,
        role: Role,
        from: Square,
    ) -> SquareSet<W>;
    /// Whether a queen, rook or bishop of `by` has `from` on its line to `target`, so that a piece that leaves `from`
    /// might open the line. May say yes too often: other pieces may stand on the line too.
    fn may_uncover(state: &State<W, Self::Ground>, from: Square, target: Square, by: Color)
    -> bool;
    /// The squares from which a piece of any kind may attack a square. May hold too many.
    #[inline]
    fn near(_state: &State<W, Self::Ground>, _to: Square) -> SquareSet<W> {
        SquareSet::FULL
    }
    /// The squares of a side's pieces of a kind that [`Rules::reaches`] may be true of. May hold too many.
    #[inline]
    fn origins(
        state: &State<W, Self::Ground>,
        color: Color,
        role: Role,
        _to: Square,
    ) -> SquareSet<W> {
        state.pieces(color, role)
    }
    /// The square that a target means now.
    fn target(ground: &Self::Ground, target: Target) -> Option<Square>;
    /// [`Rules::origins`] of the side to move that agree with what is written of the departure.
    fn plain_origins(
        state: &State<W, Self::Ground>,
        role: Role,
        to: Square,
        captures: bool,
        from: Departure,
    ) -> SquareSet<W>;
    /// [`Rules::reaches`] for one of [`Rules::plain_origins`].
    #[inline]
    fn plain_reaches(
        state: &State<W, Self::Ground>,
        role: Role,
        from: Square,
        to: Square,
        _captures: bool,
    ) -> bool {
        Self::reaches(state, state.turn, role, from, to)
    }
    /// The squares a piece has to land on to capture the pawn that has just advanced to `victim` in passing; empty if
    /// its advance cannot be answered so.
    fn crossed(state: &State<W, Self::Ground>, victim: Square, color: Color) -> SquareSet<W>;
    /// Whether an advance of an unmoved pawn can be answered en passant.
    fn is_double_step(
        state: &State<W, Self::Ground>,
        color: Color,
        from: Square,
        to: Square,
    ) -> bool;
    /// Whether a pawn could capture in passing by landing on `to`.
    fn passes(state: &State<W, Self::Ground>, color: Color, from: Square, to: Square) -> bool {
        Self::attacks(state, color, Role::Pawn, from, to)
    }
    /// What happens to a pawn on a square.
    fn arrival(ground: &Self::Ground, color: Color, square: Square) -> Arrival;
    /// Where king and rook go; depends on squares alone.
    fn castling_plan(color: Color, side: CastlingSide) -> Option<CastlingPlan>;
    /// Whether castling is possible but for the safety of the king after it.
    fn castle(state: &State<W, Self::Ground>, side: CastlingSide) -> Result<(), CastlingFault>;
    /// The moves of one attack board that the rules of boards allow.
    fn board_moves(
        _state: &State<W, Self::Ground>,
        _board: AttackBoard,
        _sink: &mut dyn FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    /// Moves or turns a board: layout, pieces on it, and the placement key.
    fn move_board(_state: &mut State<W, Self::Ground>, _board: AttackBoard, _to: Pin, _turn: bool) {
    }
    /// Whether neither side can ever mate.
    fn is_dead(state: &State<W, Self::Ground>) -> bool;
    /// Whether a pawn's move from one square to another starts the count of moves without progress anew.
    fn is_progress(_from: Square, _to: Square) -> bool {
        true
    }
    /// Why a piece does not reach a square that holds no piece of its own side and is not its own.
    fn why_not(
        state: &State<W, Self::Ground>,
        color: Color,
        role: Role,
        from: Square,
        to: Square,
    ) -> Fault;
    /// Why a board may not go to a pin, turned or not, for the side to move; `None` if it may but for promotions and
    /// the safety of the king.
    fn why_board_stays(
        _state: &State<W, Self::Ground>,
        _board: AttackBoard,
        _to: Pin,
        _turned: bool,
    ) -> Option<Fault> {
        Some(Fault::NoAttackBoards)
    }
    /// The article of the system's text that a fault offends against.
    fn article(fault: &Fault) -> &'static str;
    /// The square after the layout was checked: whether the setup has pins the system does not use.
    fn check_setup(_setup: &Setup) -> Result<(), SetupError> {
        Ok(())
    }
}
