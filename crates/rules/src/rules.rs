//! The trait in which a rule system states what is its own.

use crate::articles::Articles;
use crate::castling::{CastlingSide, CastlingSquares};
use crate::fault::{CastlingFault, MoveFault};
use crate::material::{self, Helpless};
use crate::moves::Move;
use crate::pattern::{Coordinates, Departure};
use crate::piece::{Color, Role};
use crate::setup::{Setup, SetupError};
use crate::state::{Places, State};

use std::ops::ControlFlow;
use tridex_geometry::stair::{AttackBoard, ColumnSet, Layout, Pin};
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

/// What differs between rule systems. `W` is the number of words of its board family's sets.
///
/// Squares given to these functions belong to the family, `from` holds the piece spoken of. None of them asks whose
/// king is attacked: that is common to all systems and done in the `engine`.
pub(crate) trait Rules<const W: usize>: Sized + 'static {
    /// The state of the board family besides the pieces: where the attack boards are and what follows from it, or
    /// nothing.
    type Boards: Places + Copy + Eq + std::fmt::Debug;

    /// Where king and rook come from and go to, White's castlings first, the king's side before the queen's; `None`
    /// without castling.
    const CASTLINGS: Option<[[CastlingSquares; 2]; 2]>;
    /// Whether castling may be a player's first move in a game from the start position.
    const CASTLES_FIRST: bool;
    /// Whether the third occurrence of a position ends the game.
    const REPETITION_ENDS: bool;
    /// The number of halfmoves without progress after which a draw can be claimed.
    const CLAIM_AFTER: Option<u32>;
    /// Where the attack boards are at the start, on the stair board.
    const HOME: Option<Layout>;
    /// Whether boards are below main boards too.
    const UNDER_PINS: bool = false;
    /// The articles that faults offend against.
    const ARTICLES: Articles;

    /// The position every game starts from.
    fn start() -> Setup;
    /// The boards of a setup.
    ///
    /// # Errors
    /// If the setup is of the other family or has pins the system does not use.
    fn boards(setup: &Setup) -> Result<Self::Boards, SetupError>;
    /// The layout of the attack boards, on the stair board.
    fn layout(boards: &Self::Boards) -> Option<&Layout>;
    /// Brings what follows from the placement of the pieces up to date.
    fn refresh(state: &mut State<W, Self::Boards>);
    /// [`Rules::refresh`] after a piece has gone from one square to another and nothing else has changed but what it
    /// took there.
    fn refresh_step(state: &mut State<W, Self::Boards>, from: Square, to: Square);
    /// Start squares of a side's pawns.
    fn pawn_starts(color: Color) -> SquareSet<W>;

    /// Whether the piece could capture an enemy on `to`, pins disregarded (ruling C1).
    fn attacks(
        state: &State<W, Self::Boards>,
        color: Color,
        role: Role,
        from: Square,
        to: Square,
    ) -> bool;
    /// Whether the piece could go to `to`, which holds no piece of its own side: onto an empty square, or capturing.
    fn reaches(
        state: &State<W, Self::Boards>,
        color: Color,
        role: Role,
        from: Square,
        to: Square,
    ) -> bool;
    /// All squares that [`Rules::reaches`] is true of.
    fn destinations(
        state: &State<W, Self::Boards>,
        color: Color,
        role: Role,
        from: Square,
    ) -> SquareSet<W>;
    /// Whether a queen, rook or bishop of `by` has `from` on its line to `target`, so that a piece that leaves `from`
    /// might open the line. May be true too often: other pieces may be on the line too.
    fn may_uncover(state: &State<W, Self::Boards>, from: Square, target: Square, by: Color)
    -> bool;
    /// The squares that a piece sees from a square on an empty board; a pawn sees those it captures on. What it sees is
    /// seen from there by the same piece, a pawn by one of the other side.
    fn seen(state: &State<W, Self::Boards>, color: Color, role: Role, from: Square)
    -> SquareSet<W>;
    /// Whether any piece of a side attacks a square (C1).
    fn is_attacked(state: &State<W, Self::Boards>, square: Square, by: Color) -> bool;
    /// Whether a queen, rook or bishop of a side attacks a square.
    fn is_line_attacked(state: &State<W, Self::Boards>, square: Square, by: Color) -> bool;
    /// The squares that a piece which is not the king must not leave without a check of its king on `king`: those where it
    /// may be all that keeps a queen, rook or bishop of `by` from it. May hold too many; the king must not be attacked.
    fn pins(state: &State<W, Self::Boards>, king: Square, by: Color) -> SquareSet<W>;
    /// The columns in which a board that comes, goes or turns may open a line to the king of the side to move, which must
    /// not be attacked. May hold too many.
    fn watched_columns(_state: &State<W, Self::Boards>) -> ColumnSet {
        ColumnSet::FULL
    }
    /// Whether an attack board that goes to a pin, or turns in place, opens no line to the king of the side to move,
    /// which must not be attacked, by the [`Rules::watched_columns`]. May be false too often.
    fn board_is_free(
        _state: &State<W, Self::Boards>,
        _board: AttackBoard,
        _to: Pin,
        _watched: ColumnSet,
    ) -> bool {
        false
    }
    /// How many moves some pawns of the side to move have to squares of a set, by their own movement, without en passant. `None`
    /// where they have to be counted one by one, as when one may be promoted.
    fn count_pawn_moves(
        _state: &State<W, Self::Boards>,
        _pawns: SquareSet<W>,
        _targets: SquareSet<W>,
    ) -> Option<u32> {
        None
    }
    /// The squares on which a piece can be in the way of the attack from a square on another, by a piece of a kind. May
    /// hold too many.
    fn shields(
        state: &State<W, Self::Boards>,
        role: Role,
        from: Square,
        to: Square,
    ) -> SquareSet<W>;
    /// The squares on which a pawn may have to be promoted or can be. May hold too many.
    fn promotion_squares(color: Color) -> SquareSet<W>;
    /// The squares from which a piece of the side to move may come to a square, by a capture or not, regardless of what else is
    /// there, and on the way.
    fn origins(
        state: &State<W, Self::Boards>,
        role: Role,
        to: Square,
        captures: bool,
    ) -> SquareSet<W>;
    /// The square of a place whose level is written, if it exists now.
    fn square(boards: &Self::Boards, place: &Coordinates) -> Option<Square>;
    /// The squares that agree with what is written of the departure.
    fn departures(boards: &Self::Boards, from: &Departure) -> SquareSet<W>;
    /// [`Rules::reaches`] for one of [`Rules::origins`].
    fn written_reaches(
        state: &State<W, Self::Boards>,
        role: Role,
        from: Square,
        to: Square,
        captures: bool,
    ) -> bool;
    /// The squares a piece has to land on to capture the pawn that has just advanced to `victim` en passant; empty if
    /// its advance cannot be answered so.
    fn crossed(state: &State<W, Self::Boards>, victim: Square, color: Color) -> SquareSet<W>;
    /// Whether an advance of an unmoved pawn can be answered en passant.
    fn is_double_step(state: &State<W, Self::Boards>, from: Square, to: Square) -> bool;
    /// Whether a pawn could capture en passant by landing on `to`.
    fn takes_in_passing(
        state: &State<W, Self::Boards>,
        color: Color,
        from: Square,
        to: Square,
    ) -> bool;
    /// What happens to a pawn on a square.
    fn arrival(boards: &Self::Boards, color: Color, square: Square) -> Arrival;
    /// Whether a piece is in the way of castling: a quick answer where the reason does not matter. May be false too often.
    fn is_castling_blocked(_state: &State<W, Self::Boards>, _side: CastlingSide) -> bool {
        false
    }
    /// Whether [`Rules::may_castle`] tests that the square where the king arrives is not attacked.
    const TESTS_KINGS_ARRIVAL: bool;
    /// Whether castling with a right that is not lost is possible, but for the safety of the king after it and for what
    /// the number of the move forbids.
    ///
    /// # Errors
    /// The first thing in its way.
    fn may_castle(
        state: &State<W, Self::Boards>,
        side: CastlingSide,
        squares: CastlingSquares,
    ) -> Result<(), CastlingFault>;
    /// The moves of one attack board that the rules of boards allow.
    fn board_moves(
        _state: &State<W, Self::Boards>,
        _board: AttackBoard,
        _sink: &mut dyn FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    /// The pieces that never mate alone (ruling C8); empty where every piece mates somewhere.
    const HELPLESS: Helpless = &[];
    /// Whether neither side can ever mate, and the rule text ends the game then.
    fn is_dead(state: &State<W, Self::Boards>) -> bool {
        material::is_dead(state.men(), Self::HELPLESS)
    }
    /// Whether a pawn's move from one square to another resets the count of moves without progress.
    fn is_progress(_from: Square, _to: Square) -> bool {
        true
    }
    /// Why a piece does not reach a square that holds no piece of its own side and is not its own.
    fn why_not_reached(
        state: &State<W, Self::Boards>,
        color: Color,
        role: Role,
        from: Square,
        to: Square,
    ) -> MoveFault;
    /// Why a board may not go to a pin, turned or not, for the side to move; `None` if it may but for promotions and
    /// the safety of the king.
    fn why_board_stays(
        _state: &State<W, Self::Boards>,
        _board: AttackBoard,
        _to: Pin,
        _turned: bool,
    ) -> Option<MoveFault> {
        Some(MoveFault::NoAttackBoards)
    }

    /// The squares of one castling.
    fn castling_squares(color: Color, side: CastlingSide) -> Option<CastlingSquares> {
        Self::CASTLINGS.map(|castlings| castlings[color as usize][side as usize])
    }
}
