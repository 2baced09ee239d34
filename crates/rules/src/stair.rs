//! The part common to the rule systems of the stair board: columns, moves of pawns on the plan, moves of boards.

pub(crate) mod arrangement;
pub(crate) mod board;
pub(crate) mod boards;
pub(crate) mod explain;
pub(crate) mod lines;
pub(crate) mod paths;

use crate::facts::SystemFacts;
use crate::fault::MoveFault;
use crate::moves::Move;
use crate::piece::{Color, Role};
use crate::rules::Rules;
use crate::setup::{Setup, SetupError};
use arrangement::ahead;
use board::{BoardState, Stair};
use std::ops::ControlFlow;
use tridex_geometry::stair::{
    AttackBoard, Column, ColumnSet, FILES, Layout, Pin, StairSet, Surface, between, is_cut_off,
    knight_steps, orthogonals,
};
use tridex_geometry::{Family, Square, SquareSet};

/// Which columns block a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Blocking {
    /// Those with a piece on any level. Gaps do not block.
    Held,
    /// Those without a vacant square, including gaps.
    Full,
    /// Lines are followed square by square: a column without a vacant square blocks all of them, other columns block
    /// some.
    BySquare,
}

/// The facts that most systems of the stair board share. Each system fills in the fields that are empty here.
pub(crate) const STAIR_FACTS: SystemFacts = SystemFacts {
    family: Family::Stair,
    home: Some(Layout::start(Surface::Over)),
    // The last two ranks of Black's board, and all squares of attack boards.
    promotion_squares: SquareSet([0xFFFF << 48 | 0xFF << 40, 0, 0]),
    ..SystemFacts::EMPTY
};

/// What a system of the stair board has to define.
pub(crate) trait StairRules: Clone + PartialEq + 'static {
    /// What does not depend on a position.
    const FACTS: &'static SystemFacts;
    /// Which columns block a line.
    const BLOCKING: Blocking;
    /// Whether some leaps of a knight are impossible although they fit on the plan, because its first step needs a
    /// square.
    const KNIGHT_NEEDS_STEP: bool = false;

    /// Returns the columns that a knight can leap to, on any level (ruling any-level-of-arrival), over pieces and gaps
    /// (ruling knight-over-gaps).
    #[inline(always)]
    fn knight_columns(_boards: &BoardState, from: Column) -> ColumnSet {
        knight_steps(from)
    }

    /// [`Rules::is_last`]. By default, the furthest rank in the current layout.
    #[inline(always)]
    fn is_last(boards: &BoardState, color: Color, square: Square) -> bool {
        boards.at.furthest[color as usize].contains(square)
    }

    /// [`Rules::board_moves`]
    fn board_moves(
        state: &Stair,
        board: AttackBoard,
        sink: &mut dyn FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()>;

    /// [`Rules::is_dead`]. By default, never.
    fn is_dead(_state: &Stair) -> bool {
        false
    }

    /// Returns what is in the way of a piece that could move like that on an empty board.
    fn in_the_way(state: &Stair, role: Role, from: Square, to: Square) -> Option<MoveFault>;

    /// [`Rules::why_board_stays`]
    fn why_board_stays(
        state: &Stair,
        board: AttackBoard,
        to: Pin,
        turned: bool,
    ) -> Option<MoveFault>;
}

impl<R: StairRules> Rules<1> for R {
    type Boards = BoardState;

    const FACTS: &'static SystemFacts = <R as StairRules>::FACTS;

    fn boards(setup: &Setup) -> Result<BoardState, SetupError> {
        let layout = setup.layout.ok_or(SetupError::WrongFamily)?;
        let under = layout
            .pins()
            .into_iter()
            .find(|pin| !<R as StairRules>::FACTS.under_pins && pin.surface() == Surface::Under);
        match under {
            Some(pin) => Err(SetupError::PinNotUsed(pin)),
            None => Ok(BoardState::new(layout)),
        }
    }

    #[inline]
    fn layout(boards: &BoardState) -> Option<&Layout> {
        Some(&boards.at.layout)
    }

    #[inline]
    fn refresh(state: &mut Stair) {
        let occupied = state.occupied();
        let boards = &mut state.boards;
        boards.blockers = match R::BLOCKING {
            Blocking::Held => boards.at.layout.columns_of(occupied),
            Blocking::Full | Blocking::BySquare => {
                ColumnSet::FULL.minus(boards.at.layout.columns_of(!occupied))
            }
        };
    }

    #[inline(always)]
    fn refresh_step(state: &mut Stair, from: Square, to: Square) {
        let occupied = state.occupied();
        let boards = &mut state.boards;
        let (left, entered) = (boards.column(from), boards.column(to));
        // The branch predictor cannot guess whether a column blocks, so the code does not branch on it.
        boards.blockers = match R::BLOCKING {
            Blocking::Held => {
                let is_held = boards.at.stack(left).meets(occupied);
                boards.blockers.with(entered, true).with(left, is_held)
            }
            Blocking::Full | Blocking::BySquare => {
                let is_full = !boards.at.stack(entered).meets(!occupied);
                boards.blockers.with(left, false).with(entered, is_full)
            }
        };
    }

    fn destinations(state: &Stair, color: Color, role: Role, from: Square) -> StairSet {
        if R::BLOCKING == Blocking::BySquare {
            return paths::destinations(state, color, role, from);
        }
        if role == Role::Knight && R::KNIGHT_NEEDS_STEP {
            let columns = R::knight_columns(&state.boards, state.boards.column(from));
            let squares = state.boards.at.layout.squares_of(columns);
            return squares.minus(state.colors[color as usize]);
        }
        lines::column_destinations(state, color, role, from)
    }

    #[inline(always)]
    fn may_uncover(state: &Stair, from: Square, target: Square, by: Color) -> bool {
        let boards = &state.boards;
        let (from, target) = (boards.column(from), boards.column(target));
        // Under rules where every piece blocks, this test nearly always decides.
        if is_cut_off(target, from, boards.blockers) {
            return false;
        }
        let line = [Role::Bishop, Role::Rook][usize::from(orthogonals(target).contains(from))];
        let sliders = state.pieces(by, Role::Queen) | state.pieces(by, line);
        let near = sliders & boards.at.origins(line as usize, target);
        !near.is_empty() && lines::is_behind(boards, near, from, target)
    }

    #[inline]
    fn seen(state: &Stair, color: Color, role: Role, from: Square) -> StairSet {
        let boards = &state.boards;
        boards.at.seen(color, role, boards.column(from))
    }

    #[inline]
    fn is_attacked(state: &Stair, square: Square, by: Color) -> bool {
        Self::is_line_attacked(state, square, by)
            || [Role::Pawn, Role::Knight, Role::King]
                .into_iter()
                .any(|role| {
                    let near = Self::seen(state, by.other(), role, square) & state.pieces(by, role);
                    near.into_iter()
                        .any(|from| Self::arrives(state, by, role, from, square, true))
                })
    }

    #[inline(never)]
    fn is_line_attacked(state: &Stair, square: Square, by: Color) -> bool {
        // A queen sees what a rook or a bishop sees.
        [Role::Rook, Role::Bishop].into_iter().any(|role| {
            let sliders = state.pieces(by, role) | state.pieces(by, Role::Queen);
            let near = Self::seen(state, by, role, square) & sliders;
            near.into_iter()
                .any(|from| Self::arrives(state, by, role, from, square, true))
        })
    }

    /// Returns the squares of each column that alone blocks a line to the king. If tiers matter and no column blocks
    /// the line as a whole, all columns in between are included.
    #[inline]
    fn pinned(state: &Stair, king: Square, by: Color) -> StairSet {
        let boards = &state.boards;
        let king = boards.column(king);
        let mut columns = ColumnSet::EMPTY;
        let queens = state.pieces(by, Role::Queen);
        for role in [Role::Rook, Role::Bishop] {
            let sliders = state.pieces(by, role) | queens;
            for slider in sliders & boards.at.seen(by, role, king) {
                if let Some(passed) = between(boards.column(slider), king) {
                    let held = passed.and(boards.blockers);
                    // The tiers of single squares may close the line.
                    if held.is_empty() && R::BLOCKING == Blocking::BySquare {
                        columns = columns.or(passed);
                    } else if held.0 & held.0.wrapping_sub(1) == 0 {
                        columns = columns.or(held);
                    }
                }
            }
        }
        if columns.is_empty() {
            return StairSet::EMPTY;
        }
        boards.at.layout.squares_of(columns)
    }

    /// Returns the columns between the king and the sliders that see it on an empty plan. If a knight that needs a
    /// square for its first step could attack the king, a board may provide that square anywhere, so all columns are
    /// returned.
    fn watched_columns(state: &Stair) -> ColumnSet {
        let boards = &state.boards;
        let (mover, enemy) = (state.turn, state.turn.other());
        let king = boards.column(state.king(mover));
        let seen = |role| boards.at.seen(enemy, role, king);
        if R::KNIGHT_NEEDS_STEP && seen(Role::Knight).meets(state.pieces(enemy, Role::Knight)) {
            return ColumnSet::FULL;
        }
        let mut columns = ColumnSet::EMPTY;
        let queens = state.pieces(enemy, Role::Queen);
        for role in [Role::Rook, Role::Bishop] {
            for slider in (state.pieces(enemy, role) | queens) & seen(role) {
                let passed = between(boards.column(slider), king);
                columns = columns.or(passed.unwrap_or(ColumnSet::EMPTY));
            }
        }
        columns
    }

    #[inline]
    fn board_is_free(state: &Stair, board: AttackBoard, to: Pin, watched: ColumnSet) -> bool {
        let changed = state.boards.at.layout.pin(board).columns().or(to.columns());
        // The board must carry neither the king nor an enemy piece, which might attack the king from the new pin.
        let enemies = state.colors[state.turn.other() as usize];
        changed.and(watched).is_empty()
            && !board
                .squares()
                .meets(enemies | state.roles[Role::King as usize])
    }

    #[inline]
    fn shields(state: &Stair, role: Role, from: Square, to: Square) -> StairSet {
        if !role.is_slider() {
            return StairSet::EMPTY;
        }
        let boards = &state.boards;
        let passed = between(boards.column(from), boards.column(to));
        passed.map_or(StairSet::EMPTY, |columns| {
            boards.at.layout.squares_of(columns)
        })
    }

    #[inline(always)]
    fn origins(state: &Stair, row: usize, to: Square) -> StairSet {
        state.boards.at.origins(row, state.boards.column(to))
    }

    #[inline(always)]
    fn square(boards: &BoardState, place: u16) -> Option<Square> {
        boards.at.square(place)
    }

    #[inline(always)]
    fn departures(boards: &BoardState, from: u16) -> StairSet {
        boards.at.departures(from)
    }

    #[inline(always)]
    fn arrives(
        state: &Stair,
        _color: Color,
        role: Role,
        from: Square,
        to: Square,
        captures: bool,
    ) -> bool {
        let boards = &state.boards;
        let (left, entered) = (boards.column(from), boards.column(to));
        if R::KNIGHT_NEEDS_STEP && role == Role::Knight {
            return R::knight_columns(boards, left).contains(entered);
        }
        // The caller has checked that the columns fit. The branch predictor cannot guess the kind of piece, so no
        // branch depends on it. A knight's leap is on no line, and a pawn that passes a column makes two steps.
        let passed = between(left, entered);
        let is_clear = passed.is_none_or(|passed| passed.and(boards.blockers).is_empty());
        let is_double = (role == Role::Pawn) & (passed != Some(ColumnSet::EMPTY));
        is_clear & (!is_double | state.unmoved.contains(from))
            && (R::BLOCKING != Blocking::BySquare || paths::is_path(state, from, to, captures))
    }

    /// Meder 3.4(d), Starfleet manual 6.6(c), WTDCF 3.7.3, ruling en-passant-landing: a vacant square of the column
    /// that the pawn crossed, on any level, if its colour has a start square two ranks back.
    fn crossed(state: &Stair, victim: Square, color: Color) -> StairSet {
        let at = state.boards.column(victim);
        let (Some(crossed), Some(origin)) = (ahead(at, color, -1), ahead(at, color, -2)) else {
            return StairSet::EMPTY;
        };
        let starts = const { <R as StairRules>::FACTS.pawn_starts() };
        let home = state.boards.at.stack(origin) & starts[color as usize].resized();
        if home.is_empty() {
            return StairSet::EMPTY;
        }
        state.boards.at.stack(crossed).minus(state.occupied())
    }

    #[inline(always)]
    fn is_double_step(state: &Stair, role: Role, from: Square, to: Square) -> bool {
        let [from, to] = [from, to].map(|square| state.boards.column(square));
        // The kind of piece cannot be predicted, so no branch depends on it.
        (role == Role::Pawn) & (from.index().abs_diff(to.index()) == 2 * usize::from(FILES))
    }

    #[inline(always)]
    fn is_last(boards: &BoardState, color: Color, square: Square) -> bool {
        <R as StairRules>::is_last(boards, color, square)
    }

    fn board_moves(
        state: &Stair,
        board: AttackBoard,
        sink: &mut dyn FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        <R as StairRules>::board_moves(state, board, sink)
    }

    #[inline]
    fn is_dead(state: &Stair) -> bool {
        <R as StairRules>::is_dead(state)
    }

    fn why_not_reached(
        state: &Stair,
        color: Color,
        role: Role,
        from: Square,
        to: Square,
    ) -> MoveFault {
        explain::shape(state, color, role, from, to)
            .or_else(|| R::in_the_way(state, role, from, to))
            .unwrap_or(MoveFault::Shape { role })
    }

    fn why_board_stays(
        state: &Stair,
        board: AttackBoard,
        to: Pin,
        turned: bool,
    ) -> Option<MoveFault> {
        <R as StairRules>::why_board_stays(state, board, to, turned)
    }
}
