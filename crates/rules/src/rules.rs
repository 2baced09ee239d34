//! The trait in which a rule system states what is its own.

use crate::articles::Subject;
use crate::castling::{CastlingSide, CastlingSquares};
use crate::fault::{CastlingFault, MoveFault};
use crate::material::{self, Helpless};
use crate::moves::Move;
use crate::piece::{Color, Role};
use crate::setup::{Setup, SetupError};
use crate::state::{Places, State, origin_row};

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

impl Arrival {
    /// What the pawn can become, in the order in which choices are listed; `None`: it stays a pawn.
    #[inline]
    pub(crate) const fn choices(self) -> &'static [Option<Role>] {
        const ALL: [Option<Role>; 5] = {
            let [a, b, c, d] = Role::PROMOTIONS;
            [None, Some(a), Some(b), Some(c), Some(d)]
        };
        match self {
            Self::Stays => &[None],
            Self::MayPromote => &ALL,
            Self::MustPromote => ALL.split_at(1).1,
        }
    }
}

/// One castling of a rule system.
#[derive(Clone, Copy)]
pub(crate) struct CastlingRule<const W: usize> {
    /// Where king and rook come from and go to.
    pub(crate) squares: CastlingSquares,
    /// The squares that have to be vacant.
    pub(crate) path: SquareSet<W>,
    /// The squares that must not be attacked before it, besides that of the king.
    pub(crate) safe: SquareSet<W>,
}

/// What differs between rule systems. `W` is the number of words of its board family's sets.
///
/// Squares given to these functions belong to the family, `from` holds the piece spoken of. None of them asks whose
/// king is attacked: that is common to all systems and done in the `engine`.
pub(crate) trait Rules<const W: usize>: Clone + PartialEq + 'static {
    /// The state of the board family besides the pieces: where the attack boards are and what follows from it, or
    /// nothing.
    type Boards: Places + Copy + Eq + std::fmt::Debug;

    /// White's castlings first, the king's side before the queen's; `None` without castling.
    const CASTLINGS: Option<[[CastlingRule<W>; 2]; 2]>;
    /// What is wrong with a castling if one of its squares is attacked.
    const CASTLING_ATTACKED: fn(Square) -> CastlingFault = CastlingFault::Attacked;
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
    /// The article about a subject, with the name of the rule text: `Meder 3.1(c)`.
    const ARTICLE: fn(Subject) -> &'static str;
    /// By colour: the start squares of pawns.
    const PAWN_STARTS: [SquareSet<W>; 2];
    /// By colour: the squares on which a pawn may have to be promoted or can be. May hold too many.
    const PROMOTION_SQUARES: [SquareSet<W>; 2];

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

    /// Whether the piece could go to `to`, which holds an enemy or not.
    #[inline(always)]
    fn goes(
        state: &State<W, Self::Boards>,
        color: Color,
        role: Role,
        from: Square,
        to: Square,
        captures: bool,
    ) -> bool {
        Self::origins(state, origin_row(color, role, captures), to).contains(from)
            && Self::arrives(state, color, role, from, to, captures)
    }
    /// [`Rules::goes`] for one of [`Rules::origins`].
    fn arrives(
        state: &State<W, Self::Boards>,
        color: Color,
        role: Role,
        from: Square,
        to: Square,
        captures: bool,
    ) -> bool;
    /// Whether the piece could capture an enemy on `to`, even if it is pinned (ruling attack-ignores-pinning).
    #[inline(always)]
    fn attacks(
        state: &State<W, Self::Boards>,
        color: Color,
        role: Role,
        from: Square,
        to: Square,
    ) -> bool {
        Self::goes(state, color, role, from, to, true)
    }
    /// Whether the piece could go to `to`, which holds no piece of its own side: onto a vacant square, or capturing.
    fn reaches(
        state: &State<W, Self::Boards>,
        color: Color,
        role: Role,
        from: Square,
        to: Square,
    ) -> bool {
        Self::goes(state, color, role, from, to, state.occupied().contains(to))
    }
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
    /// Whether any piece of a side attacks a square (ruling attack-ignores-pinning).
    fn is_attacked(state: &State<W, Self::Boards>, square: Square, by: Color) -> bool;
    /// Whether a queen, rook or bishop of a side attacks a square.
    fn is_line_attacked(state: &State<W, Self::Boards>, square: Square, by: Color) -> bool;
    /// The squares that a piece which is not the king must not leave without a check of its king on `king`: those where it
    /// may be all that keeps a queen, rook or bishop of `by` from it. May hold too many; the king must not be attacked.
    fn pinned(state: &State<W, Self::Boards>, king: Square, by: Color) -> SquareSet<W>;
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
    /// The squares from which a piece may come to a square, by an [`origin_row`], regardless of what else is there, and on the
    /// way.
    fn origins(state: &State<W, Self::Boards>, row: usize, to: Square) -> SquareSet<W>;
    /// The square of a [number](crate::pattern::Coordinates::number), if it exists now.
    fn square(boards: &Self::Boards, place: u16) -> Option<Square>;
    /// The squares of a [number](crate::pattern::Departure::number).
    fn departures(boards: &Self::Boards, from: u16) -> SquareSet<W>;
    /// The squares a piece has to land on to capture the pawn that has just advanced to `victim` en passant; empty if
    /// its advance cannot be answered so.
    fn crossed(state: &State<W, Self::Boards>, victim: Square, color: Color) -> SquareSet<W>;
    /// Whether an advance of an unmoved pawn can be answered en passant.
    fn is_double_step(state: &State<W, Self::Boards>, role: Role, from: Square, to: Square)
    -> bool;
    /// What happens to a pawn on a square where [`Rules::is_last`] is true.
    const ON_LAST: Arrival;
    /// Whether a square is one where a colour's pawns end.
    fn is_last(boards: &Self::Boards, color: Color, square: Square) -> bool;
    /// What happens to a pawn on a square.
    #[inline(always)]
    fn arrival(boards: &Self::Boards, color: Color, square: Square) -> Arrival {
        if Self::is_last(boards, color, square) {
            Self::ON_LAST
        } else {
            Arrival::Stays
        }
    }
    /// The moves of one attack board that the rules of boards allow.
    fn board_moves(
        _state: &State<W, Self::Boards>,
        _board: AttackBoard,
        _sink: &mut dyn FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    /// The pieces that never mate alone (ruling dead-material); empty where every piece mates somewhere.
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

    /// One of the castlings.
    fn castling(color: Color, side: CastlingSide) -> Option<CastlingRule<W>> {
        Self::CASTLINGS.map(|castlings| castlings[color as usize][side as usize])
    }
}
