//! The trait that a rule system implements to define its moves. What does not depend on a position is data:
//! [`SystemFacts`].

use crate::facts::{Arrival, SystemFacts};
use crate::fault::MoveFault;
use crate::material;
use crate::moves::Move;
use crate::piece::{Color, Role};
use crate::setup::{Setup, SetupError};
use crate::state::{BoardPart, State, origin_row};

use std::ops::ControlFlow;
use tridex_geometry::stair::{AttackBoard, ColumnSet, Layout, Pin};
use tridex_geometry::{Square, SquareSet};

/// The moves of a rule system. `W` is the number of words in a set of squares of its board.
///
/// Square arguments belong to the board, and `from` holds the piece in question. No function tests whether the mover's
/// own king is attacked: the `engine` does that for all systems.
pub(crate) trait Rules<const W: usize>: Clone + PartialEq + 'static {
    /// The part of a state that depends on the board family: where the attack boards are, and what is derived from
    /// that.
    type Boards: BoardPart + Copy + Eq + std::fmt::Debug;

    /// What does not depend on a position.
    const FACTS: &'static SystemFacts;

    // The state of a board family.

    /// Returns the boards of a setup.
    ///
    /// # Errors
    /// If the setup is of the other family or has pins the system does not use.
    fn boards(setup: &Setup) -> Result<Self::Boards, SetupError>;
    /// Returns the layout of the attack boards; `None` on the cube.
    fn layout(boards: &Self::Boards) -> Option<&Layout>;
    /// Updates what is derived from the placement of the pieces.
    fn refresh(state: &mut State<W, Self::Boards>);
    /// Does the same as [`Rules::refresh`] after a piece has gone from one square to another, and perhaps captured a
    /// piece there. Nothing else may have changed.
    fn refresh_step(state: &mut State<W, Self::Boards>, from: Square, to: Square);
    /// Returns the square of a [number](crate::pattern::Coordinates::number), if it exists now.
    fn square(boards: &Self::Boards, place: u16) -> Option<Square>;
    /// Returns the squares of a [number](crate::pattern::Departure::number).
    fn departures(boards: &Self::Boards, from: u16) -> SquareSet<W>;

    // How pieces move.

    /// Returns the squares from which a piece reaches a square on an empty board. `row` is its [`origin_row`].
    fn origins(state: &State<W, Self::Boards>, row: usize, to: Square) -> SquareSet<W>;
    /// Returns the squares that a piece sees from a square on an empty board. A pawn sees the squares it captures on.
    /// The relation is symmetric, except that a pawn is seen from there by a pawn of the other side.
    fn seen(state: &State<W, Self::Boards>, color: Color, role: Role, from: Square)
    -> SquareSet<W>;
    /// Does the same as [`Rules::goes`] for a piece that is known to be on one of the [`Rules::origins`] of `to`.
    fn arrives(
        state: &State<W, Self::Boards>,
        color: Color,
        role: Role,
        from: Square,
        to: Square,
        captures: bool,
    ) -> bool;
    /// Whether the piece could go to `to`, assuming that an enemy piece is there if `captures` is true and that the
    /// square is vacant otherwise.
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
    /// Whether the piece can go to `to`, which is vacant or holds an enemy piece.
    fn reaches(
        state: &State<W, Self::Boards>,
        color: Color,
        role: Role,
        from: Square,
        to: Square,
    ) -> bool {
        Self::goes(state, color, role, from, to, state.occupied().contains(to))
    }
    /// Returns all squares for which [`Rules::reaches`] is true.
    fn destinations(
        state: &State<W, Self::Boards>,
        color: Color,
        role: Role,
        from: Square,
    ) -> SquareSet<W>;
    /// Whether a move of an unmoved pawn is an advance that can be captured en passant.
    fn is_double_step(state: &State<W, Self::Boards>, role: Role, from: Square, to: Square)
    -> bool;
    /// Returns the squares on which a piece has to land to capture the pawn that has just advanced to `victim` en
    /// passant. There are none if its advance cannot be captured this way.
    fn crossed(state: &State<W, Self::Boards>, victim: Square, color: Color) -> SquareSet<W>;
    /// Whether a square is on the last rank of a colour's pawns.
    fn is_last(boards: &Self::Boards, color: Color, square: Square) -> bool;
    /// Returns what happens to a pawn that arrives on a square.
    #[inline(always)]
    fn arrival(boards: &Self::Boards, color: Color, square: Square) -> Arrival {
        if Self::is_last(boards, color, square) {
            Self::FACTS.on_last
        } else {
            Arrival::Stays
        }
    }
    /// Whether a pawn's move from one square to another resets the count of moves without progress.
    fn is_progress(_from: Square, _to: Square) -> bool {
        true
    }

    // The safety of kings.

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
    /// Whether any piece of a side attacks a square (ruling attack-ignores-pinning).
    fn is_attacked(state: &State<W, Self::Boards>, square: Square, by: Color) -> bool;
    /// Whether a queen, rook or bishop of a side attacks a square.
    fn is_line_attacked(state: &State<W, Self::Boards>, square: Square, by: Color) -> bool;
    /// Whether a queen, rook or bishop of `by` has `from` on its line to `target`, so that a piece that leaves `from`
    /// might open the line. May be true although other pieces are on the line as well.
    fn may_uncover(state: &State<W, Self::Boards>, from: Square, target: Square, by: Color)
    -> bool;
    /// Returns the squares where a piece may be the only one between a queen, rook or bishop of `by` and `king`, so
    /// that its moves have to be tested. May return too many. The king must not be attacked.
    fn pinned(state: &State<W, Self::Boards>, king: Square, by: Color) -> SquareSet<W>;
    /// Returns the squares on which a piece can block an attack by a piece of a kind. May return too many.
    fn shields(
        state: &State<W, Self::Boards>,
        role: Role,
        from: Square,
        to: Square,
    ) -> SquareSet<W>;

    // Attack boards. The cube has none.

    /// Passes the moves of one attack board to a function until that returns a break.
    fn board_moves(
        _state: &State<W, Self::Boards>,
        _board: AttackBoard,
        _sink: &mut dyn FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    /// Returns the columns in which a board that arrives, leaves or turns may open a line to the king of the side to
    /// move. May return too many. The king must not be attacked.
    fn watched_columns(_state: &State<W, Self::Boards>) -> ColumnSet {
        ColumnSet::FULL
    }
    /// Whether an attack board that goes to a pin, or turns in place, opens no line to the king of the side to move,
    /// given the [`Rules::watched_columns`]. May be false although no line opens. The king must not be attacked.
    fn board_is_free(
        _state: &State<W, Self::Boards>,
        _board: AttackBoard,
        _to: Pin,
        _watched: ColumnSet,
    ) -> bool {
        false
    }

    // The end of a game.

    /// Whether neither side can ever mate, and the rule text ends the game then.
    fn is_dead(state: &State<W, Self::Boards>) -> bool {
        material::is_dead(state.men(), Self::FACTS.helpless)
    }

    // Explanations.

    /// Returns why a piece does not reach another square that is vacant or holds an enemy piece.
    fn why_not_reached(
        state: &State<W, Self::Boards>,
        color: Color,
        role: Role,
        from: Square,
        to: Square,
    ) -> MoveFault;
    /// Returns why the side to move may not move a board to a pin, turned or not. `None` if only promotions or the
    /// safety of the king can forbid it.
    fn why_board_stays(
        _state: &State<W, Self::Boards>,
        _board: AttackBoard,
        _to: Pin,
        _turned: bool,
    ) -> Option<MoveFault> {
        Some(MoveFault::NoAttackBoards)
    }
}
