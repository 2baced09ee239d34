//! What the rule systems of the stair board share: columns, pawns seen from the top, boards that move.

pub(crate) mod arrangement;
pub(crate) mod board;
pub(crate) mod boards;
pub(crate) mod explain;
pub(crate) mod lines;
pub(crate) mod paths;

use crate::articles::Articles;
use crate::castling::{Castling, CastlingSide, CastlingSquares};
use crate::fault::{CastlingFault, MoveFault};
use crate::moves::Move;
use crate::pattern::{Coordinates, Departure};
use crate::piece::{Color, Role};
use crate::rules::{Arrival, Rules};
use crate::setup::{Setup, SetupError};
use board::{BoardState, Stair};
use std::ops::ControlFlow;
use tridex_geometry::stair::{
    AttackBoard, Column, ColumnSet, Layout, Pin, StairSet, Surface, between, knight_steps,
};
use tridex_geometry::{Square, SquareSet};

/// Which columns stop a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Blocking {
    /// Those that hold a piece on any level; gaps do not.
    Held,
    /// Those without a vacant square, gaps among them.
    Full,
    /// Lines are walked square by square: a column without a vacant square stops them all, another some.
    BySquare,
}

/// What differs between the systems of the stair board.
pub(crate) trait StairRules: Sized + 'static {
    /// White's pieces at the start; Black's mirror them.
    const WHITE: &'static [(Square, Role)];
    /// Where White's boards are at the start, below the pins 1 or above them; Black's are above the pins 6.
    const WHITE_BOARDS: Surface = Surface::Over;
    /// Whether boards are below main boards too.
    const UNDER_PINS: bool = false;
    /// White's castlings, the king's side first; Black's mirror them.
    const WHITE_CASTLINGS: Option<[CastlingSquares; 2]> = None;
    /// The squares that have to be vacant for White's castlings, besides what [`StairRules::may_castle`] tests.
    const WHITE_CASTLING_PATHS: [&'static [Square]; 2] = [&[], &[]];
    /// Whether castling may be a player's first move in a game from the start position.
    const CASTLES_FIRST: bool = true;
    /// Which columns stop a line.
    const BLOCKING: Blocking;
    /// Whether the third occurrence of a position ends the game.
    const REPETITION_ENDS: bool = false;
    /// The number of halfmoves without progress after which a draw can be claimed.
    const CLAIM_AFTER: Option<u32> = None;
    /// The articles that faults offend against.
    const ARTICLES: Articles;

    /// Whether a knight does not leap wherever it could on the empty plan.
    const KNIGHT_NEEDS_STEP: bool = false;

    /// The columns a knight leaps to.
    #[inline(always)]
    fn knight_columns(_boards: &BoardState, from: Column) -> ColumnSet {
        knight_steps(from)
    }

    /// [`Rules::attacks`]; here as the systems say whose lines are made of columns.
    #[inline(always)]
    fn attacks(state: &Stair, color: Color, role: Role, from: Square, to: Square) -> bool {
        let boards = &state.boards;
        let (from, to) = (boards.column(from), boards.column(to));
        if role == Role::Knight {
            return Self::knight_columns(boards, from).contains(to);
        }
        lines::column_attacks(boards, color, role, from, to)
    }

    /// [`Rules::reaches`], likewise.
    #[inline(always)]
    fn reaches(state: &Stair, color: Color, role: Role, from: Square, to: Square) -> bool {
        if role == Role::Pawn && !state.occupied().contains(to) {
            return lines::column_advance(state, color, from, state.boards.column(to));
        }
        Self::attacks(state, color, role, from, to)
    }

    /// [`Rules::written_reaches`], likewise.
    #[inline(always)]
    fn written_reaches(
        state: &Stair,
        role: Role,
        from: Square,
        to: Square,
        captures: bool,
    ) -> bool {
        if role == Role::Knight {
            let boards = &state.boards;
            return Self::knight_columns(boards, boards.column(from)).contains(boards.column(to));
        }
        lines::written_reaches(state, role, from, to, captures)
    }

    /// [`Rules::destinations`], likewise.
    fn destinations(state: &Stair, color: Color, role: Role, from: Square) -> StairSet {
        if role == Role::Knight && Self::KNIGHT_NEEDS_STEP {
            let columns = Self::knight_columns(&state.boards, state.boards.column(from));
            let squares = state.boards.at.layout.squares_of(columns);
            return squares.minus(state.colors[color as usize]);
        }
        lines::column_destinations(state, color, role, from)
    }

    /// [`Rules::count_pawn_moves`], with the squares on which one may be promoted.
    fn count_pawn_moves(
        state: &Stair,
        pawns: StairSet,
        targets: StairSet,
        promotion: StairSet,
    ) -> Option<u32> {
        lines::count_pawn_moves(state, pawns, targets, promotion)
    }

    /// [`Rules::takes_in_passing`]
    #[inline]
    fn takes_in_passing(state: &Stair, color: Color, from: Square, to: Square) -> bool {
        Self::attacks(state, color, Role::Pawn, from, to)
    }

    /// [`Rules::arrival`]
    fn arrival(boards: &BoardState, color: Color, square: Square) -> Arrival;

    /// [`Rules::TESTS_KINGS_ARRIVAL`]
    const TESTS_KINGS_ARRIVAL: bool = false;

    /// [`Rules::may_castle`]
    ///
    /// # Errors
    /// The first thing in the way of castling.
    fn may_castle(
        _state: &Stair,
        _side: CastlingSide,
        _squares: CastlingSquares,
    ) -> Result<(), CastlingFault> {
        Err(CastlingFault::None)
    }

    /// [`Rules::board_moves`]
    fn board_moves(
        state: &Stair,
        board: AttackBoard,
        sink: &mut dyn FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()>;

    /// [`Rules::is_dead`]; here never.
    fn is_dead(_state: &Stair) -> bool {
        false
    }

    /// What lies in the way of a piece that moves like that and still does not get there.
    fn in_the_way(state: &Stair, role: Role, from: Square, to: Square) -> Option<MoveFault>;

    /// [`Rules::why_board_stays`]
    fn why_board_stays(
        state: &Stair,
        board: AttackBoard,
        to: Pin,
        turned: bool,
    ) -> Option<MoveFault>;
}

/// What follows from the lists of a system.
struct Lists<R>(std::marker::PhantomData<R>);

impl<R: StairRules> Lists<R> {
    const STARTS: [StairSet; 2] = [
        board::starts_of(R::WHITE, Color::White),
        board::starts_of(R::WHITE, Color::Black),
    ];
    const CASTLING_PATHS: [[StairSet; 2]; 2] = {
        let [king, queen] = R::WHITE_CASTLING_PATHS;
        let (white, black) = (Color::White, Color::Black);
        [
            [board::set_of(king, white), board::set_of(queen, white)],
            [board::set_of(king, black), board::set_of(queen, black)],
        ]
    };
}

const fn both_sides(white: Option<[CastlingSquares; 2]>) -> Option<[[CastlingSquares; 2]; 2]> {
    const fn black(white: CastlingSquares) -> CastlingSquares {
        CastlingSquares {
            king: (board::mirrored(white.king.0), board::mirrored(white.king.1)),
            rook: (board::mirrored(white.rook.0), board::mirrored(white.rook.1)),
        }
    }
    match white {
        Some([king, queen]) => Some([[king, queen], [black(king), black(queen)]]),
        None => None,
    }
}

impl<R: StairRules> Rules<1> for R {
    type Boards = BoardState;

    const CASTLINGS: Option<[[CastlingSquares; 2]; 2]> = both_sides(R::WHITE_CASTLINGS);
    const CASTLES_FIRST: bool = R::CASTLES_FIRST;
    const REPETITION_ENDS: bool = R::REPETITION_ENDS;
    const CLAIM_AFTER: Option<u32> = R::CLAIM_AFTER;
    const HOME: Option<Layout> = Some(Layout::start(R::WHITE_BOARDS));
    const UNDER_PINS: bool = <R as StairRules>::UNDER_PINS;
    const ARTICLES: Articles = R::ARTICLES;

    fn start() -> Setup {
        let mut setup = board::start(Layout::start(R::WHITE_BOARDS), R::WHITE);
        if R::WHITE_CASTLINGS.is_some() {
            setup.castling = Castling::ALL;
        }
        setup
    }

    fn boards(setup: &Setup) -> Result<BoardState, SetupError> {
        let layout = setup.layout.ok_or(SetupError::WrongFamily)?;
        let under = layout
            .pins()
            .into_iter()
            .find(|pin| !<R as StairRules>::UNDER_PINS && pin.surface() == Surface::Under);
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
        match R::BLOCKING {
            Blocking::Held => {
                boards.blockers = boards.blockers.or(ColumnSet::of(entered));
                if !boards.at.stack(left).meets(occupied) {
                    boards.blockers = boards.blockers.minus(ColumnSet::of(left));
                }
            }
            Blocking::Full | Blocking::BySquare => {
                boards.blockers = boards.blockers.minus(ColumnSet::of(left));
                if !boards.at.stack(entered).meets(!occupied) {
                    boards.blockers = boards.blockers.or(ColumnSet::of(entered));
                }
            }
        }
    }

    fn pawn_starts(color: Color) -> StairSet {
        Lists::<R>::STARTS[color as usize]
    }

    #[inline(always)]
    fn attacks(state: &Stair, color: Color, role: Role, from: Square, to: Square) -> bool {
        <R as StairRules>::attacks(state, color, role, from, to)
    }

    #[inline(always)]
    fn reaches(state: &Stair, color: Color, role: Role, from: Square, to: Square) -> bool {
        <R as StairRules>::reaches(state, color, role, from, to)
    }

    fn destinations(state: &Stair, color: Color, role: Role, from: Square) -> StairSet {
        <R as StairRules>::destinations(state, color, role, from)
    }

    #[inline(always)]
    fn may_uncover(state: &Stair, from: Square, target: Square, by: Color) -> bool {
        lines::may_uncover(state, from, target, by)
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
                        .any(|from| <R as StairRules>::attacks(state, by, role, from, square))
                })
    }

    #[inline(never)]
    fn is_line_attacked(state: &Stair, square: Square, by: Color) -> bool {
        // A queen sees what a rook sees or a bishop.
        [Role::Rook, Role::Bishop].into_iter().any(|role| {
            let sliders = state.pieces(by, role) | state.pieces(by, Role::Queen);
            let near = Self::seen(state, by, role, square) & sliders;
            near.into_iter()
                .any(|from| <R as StairRules>::attacks(state, by, role, from, square))
        })
    }

    #[inline]
    fn pins(state: &Stair, king: Square, by: Color) -> StairSet {
        lines::pins(state, king, by, R::BLOCKING == Blocking::BySquare)
    }

    fn watched_columns(state: &Stair) -> ColumnSet {
        lines::watched_columns(state, R::KNIGHT_NEEDS_STEP)
    }

    #[inline]
    fn board_is_free(state: &Stair, board: AttackBoard, to: Pin, watched: ColumnSet) -> bool {
        lines::board_is_free(state, board, to, watched)
    }

    #[inline]
    fn count_pawn_moves(state: &Stair, pawns: StairSet, targets: StairSet) -> Option<u32> {
        let promotion = Self::promotion_squares(state.turn);
        <R as StairRules>::count_pawn_moves(state, pawns, targets, promotion)
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

    #[inline]
    fn promotion_squares(color: Color) -> StairSet {
        // The two last ranks of the board at the far end, and the attack boards on every pin.
        const ATTACK_BOARDS: u64 = 0xFFFF << 48;
        SquareSet([match color {
            Color::White => ATTACK_BOARDS | 0xFF << 40,
            Color::Black => ATTACK_BOARDS | 0xFF,
        }])
    }

    #[inline(always)]
    fn origins(state: &Stair, role: Role, to: Square, captures: bool) -> StairSet {
        let boards = &state.boards;
        boards
            .at
            .origins(state.turn, role, boards.column(to), captures)
    }

    #[inline(always)]
    fn square(boards: &BoardState, place: &Coordinates) -> Option<Square> {
        place.square(Some(&boards.at.layout))
    }

    #[inline(always)]
    fn departures(boards: &BoardState, from: &Departure) -> StairSet {
        boards.at.departures(from)
    }

    #[inline(always)]
    fn written_reaches(
        state: &Stair,
        role: Role,
        from: Square,
        to: Square,
        captures: bool,
    ) -> bool {
        <R as StairRules>::written_reaches(state, role, from, to, captures)
    }

    /// Meder 3.4(d), manual 6.6(c), Federation 3.7.3: a vacant square of the column that was crossed, on any level.
    fn crossed(state: &Stair, victim: Square, color: Color) -> StairSet {
        lines::crossed(state, victim, color, Self::pawn_starts(color))
    }

    #[inline]
    fn is_double_step(state: &Stair, from: Square, to: Square) -> bool {
        lines::is_two_ranks(state, from, to)
    }

    fn takes_in_passing(state: &Stair, color: Color, from: Square, to: Square) -> bool {
        <R as StairRules>::takes_in_passing(state, color, from, to)
    }

    #[inline(always)]
    fn arrival(boards: &BoardState, color: Color, square: Square) -> Arrival {
        <R as StairRules>::arrival(boards, color, square)
    }

    const TESTS_KINGS_ARRIVAL: bool = R::TESTS_KINGS_ARRIVAL;

    fn is_castling_blocked(state: &Stair, side: CastlingSide) -> bool {
        let path = Lists::<R>::CASTLING_PATHS[state.turn as usize][side as usize];
        state.occupied().meets(path)
    }

    fn may_castle(
        state: &Stair,
        side: CastlingSide,
        squares: CastlingSquares,
    ) -> Result<(), CastlingFault> {
        <R as StairRules>::may_castle(state, side, squares)
    }

    fn board_moves(
        state: &Stair,
        board: AttackBoard,
        sink: &mut dyn FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        <R as StairRules>::board_moves(state, board, sink)
    }

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
