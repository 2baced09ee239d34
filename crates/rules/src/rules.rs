//! The trait in which a rule system states what is its own.

use crate::castling::{CastlingPlan, CastlingSide};
use crate::fault::{CastlingFault, Fault};
use crate::moves::Move;
use crate::piece::{Color, Role};
use crate::san::{Departure, Target};
use crate::setup::{Setup, SetupError};
use crate::state::State;
use std::ops::ControlFlow;
use tridex_geometry::stair::{AttackBoard, Layout, Pin};
use tridex_geometry::{Square, SquareSet};

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

/// What a rule system says. `W` is the number of words of its board family's sets.
///
/// Squares given to these functions belong to the family, `from` holds the piece spoken of. None of them asks whose
/// king is attacked: that is common to all systems and done in the `engine`.
pub(crate) trait Rules<const W: usize>: Sized + 'static {
    /// What the board family keeps besides the pieces: layout and what follows from it, or nothing.
    type Ground: Copy + Eq + std::fmt::Debug;

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
