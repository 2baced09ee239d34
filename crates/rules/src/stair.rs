//! What the rule systems of the stair board share: columns, pawns seen from the top, boards that move.

use crate::plain::Members;
use crate::state::{Arrival, Rules, State, kind};
use crate::{BoardPromotion, Color, Departure, Move, Piece, Role, Setup, SetupError, Target, key};
use std::ops::ControlFlow;
use tridex_geometry::stair::{
    AttackBoard, Board, Column, ColumnSet, Corner, Direction, FILES, Layout, MainBoard, Pin,
    StairSet, Surface, between, diagonals, is_cut_off, king_steps, knight_steps, main_squares_of,
    orthogonals, reach,
};
use tridex_geometry::{Square, SquareSet};

/// What a stair position keeps besides the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ground {
    pub(crate) layout: Layout,
    /// The columns that stop a line, as the rule system sees it. A line may end on such a column, not pass it.
    pub(crate) blockers: ColumnSet,
}

impl Ground {
    pub(crate) const fn new(layout: Layout) -> Self {
        Self {
            layout,
            blockers: ColumnSet::EMPTY,
        }
    }

    #[inline]
    pub(crate) const fn column(&self, square: Square) -> Column {
        self.layout.column(square)
    }
}

pub(crate) type Stair = State<1, Ground>;

/// A square of an attack board as the start lists write it.
pub(crate) const fn on(board: AttackBoard, dx: u8, dy: u8) -> Square {
    board.square(dx, dy)
}

/// A square of a main board by Meder's file and rank.
///
/// # Panics
/// At compile time, if the board has no such square.
pub(crate) const fn main(board: MainBoard, file: u8, rank: u8) -> Square {
    match board.square(Column::new(file, rank)) {
        Some(square) => square,
        None => panic!("not a square of that board"),
    }
}

/// The squares of Black's that mirror White's: board for board, rank for rank.
pub(crate) const fn mirrored(square: Square) -> Square {
    let index = square.index() as u8;
    if index < 48 {
        // Ranks run the other way through the three boards, files stay.
        Square::new((11 - index / 4) * 4 + index % 4)
    } else {
        // The other owner's board, its far row for the near one.
        Square::new((index ^ 8) ^ 2)
    }
}

/// A start position from White's pieces; Black mirrors White.
pub(crate) fn start(layout: Layout, white: &[(Square, Role)]) -> Setup {
    let mut setup = Setup::empty(Some(layout));
    for (square, role) in white {
        setup.set_piece(*square, Some(Piece::new(Color::White, *role)));
        setup.set_piece(mirrored(*square), Some(Piece::new(Color::Black, *role)));
    }
    setup
}

/// Directions of a slider.
pub(crate) const fn directions(role: Role) -> &'static [Direction] {
    match role {
        Role::Rook => &Direction::ORTHOGONAL,
        Role::Bishop => &Direction::DIAGONAL,
        _ => &Direction::ALL,
    }
}

/// The columns in all directions of a slider, as far as they can be seen on an empty plan.
#[inline]
pub(crate) const fn lines(role: Role, from: Column) -> ColumnSet {
    match role {
        Role::Rook => orthogonals(from),
        Role::Bishop => diagonals(from),
        _ => orthogonals(from).or(diagonals(from)),
    }
}

/// The column that many ranks forward for a side.
#[inline]
pub(crate) const fn ahead(from: Column, color: Color, ranks: i8) -> Option<Column> {
    from.ranks_away(ranks * color.forward())
}

/// The two columns a pawn captures on.
#[inline]
pub(crate) fn pawn_capture_columns(from: Column, color: Color) -> ColumnSet {
    ColumnSet(SEEN[kind(color, Role::Pawn)][from.index() & 63])
}

/// The columns each [`kind`] sees from each column on an empty plan; a pawn sees those it captures on.
const SEEN_TABLE: [[u64; 64]; 7] = {
    let mut table = [[0; 64]; 7];
    let mut i = 0;
    while i < Column::COUNT {
        let from = Column::new(i as u8 % 6, i as u8 / 6);
        table[Role::Knight as usize][i] = knight_steps(from).0;
        table[Role::King as usize][i] = king_steps(from).0;
        table[Role::Bishop as usize][i] = diagonals(from).0;
        table[Role::Rook as usize][i] = orthogonals(from).0;
        table[Role::Queen as usize][i] = orthogonals(from).0 | diagonals(from).0;
        let mut c = 0;
        while c < 2 {
            let pawn = kind(Color::ALL[c], Role::Pawn);
            let forward = Color::ALL[c].forward();
            if let Some(left) = from.offset(-1, forward) {
                table[pawn][i] |= 1 << left.index();
            }
            if let Some(right) = from.offset(1, forward) {
                table[pawn][i] |= 1 << right.index();
            }
            c += 1;
        }
        i += 1;
    }
    table
};

static SEEN: [[u64; 64]; 7] = SEEN_TABLE;
static ADVANCE_ORIGINS: [[u64; 64]; 2] = ADVANCE_TABLE;

/// The columns that the column of a square is seen from by a piece of any kind.
#[inline]
pub(crate) fn near(state: &Stair, to: Square) -> StairSet {
    let to = state.ground.column(to).index() & 63;
    let columns = ColumnSet(SEEN[Role::Queen as usize][to] | SEEN[Role::Knight as usize][to]);
    state.ground.layout.squares_of(columns)
}

/// The columns from which a pawn of a colour can advance to each column.
const ADVANCE_TABLE: [[u64; 64]; 2] = {
    let mut table = [[0; 64]; 2];
    let mut i = 0;
    while i < Column::COUNT {
        let to = Column::new(i as u8 % 6, i as u8 / 6);
        let mut c = 0;
        while c < 2 {
            let mut ranks = 1;
            while ranks <= 2 {
                if let Some(from) = ahead(to, Color::ALL[c], -ranks) {
                    table[c][i] |= 1 << from.index();
                }
                ranks += 1;
            }
            c += 1;
        }
        i += 1;
    }
    table
};

/// Rules of lines made of columns: Meder's (gaps are passed, pieces block on every level) and the manual's (gaps stop,
/// a column with a vacant square is passed) differ only in which columns block.
#[inline(always)]
pub(crate) fn column_attacks(
    ground: &Ground,
    color: Color,
    role: Role,
    from: Column,
    to: Column,
) -> bool {
    let seen = SEEN[kind(color, role)][from.index() & 63] >> to.index() & 1 != 0;
    seen && (!role.is_slider() || !is_cut_off(from, to, ground.blockers))
}

/// Whether a pawn may advance to a vacant square of a column: one forward, or two across a column that does not block.
#[inline(always)]
pub(crate) fn column_advance(state: &Stair, color: Color, from: Square, to: Column) -> bool {
    let start = state.ground.column(from);
    if ADVANCE_ORIGINS[color as usize][to.index() & 63] >> start.index() & 1 == 0 {
        return false;
    }
    // One forward, with nothing between; or two.
    start.rank().abs_diff(to.rank()) == 1
        || state.unmoved.contains(from) && !is_cut_off(start, to, state.ground.blockers)
}

/// All squares a piece reaches where lines are made of columns.
pub(crate) fn column_destinations(
    state: &Stair,
    color: Color,
    role: Role,
    from: Square,
) -> StairSet {
    let ground = &state.ground;
    let at = ground.column(from);
    let own = state.colors[color as usize];
    let columns = match role {
        Role::Pawn => {
            let captures = ground.layout.squares_of(pawn_capture_columns(at, color))
                & state.colors[color.other() as usize];
            return captures | column_advances(state, color, from);
        }
        Role::Knight => knight_steps(at),
        Role::King => king_steps(at),
        Role::Bishop | Role::Rook | Role::Queen => directions(role)
            .iter()
            .fold(ColumnSet::EMPTY, |seen, direction| {
                seen.or(reach(at, *direction, ground.blockers))
            }),
    };
    ground.layout.squares_of(columns).minus(own)
}

fn column_advances(state: &Stair, color: Color, from: Square) -> StairSet {
    let ground = &state.ground;
    let mut squares = StairSet::EMPTY;
    for ranks in [1, 2] {
        if let Some(to) = ahead(ground.column(from), color, ranks)
            && column_advance(state, color, from, to)
        {
            squares |= ground.layout.stack(to).minus(state.occupied());
        }
    }
    squares
}

/// Whether a pawn's advance was of two squares.
pub(crate) fn is_two_ranks(state: &Stair, from: Square, to: Square) -> bool {
    state.ground.column(from).ranks_away(2) == Some(state.ground.column(to))
        || state.ground.column(to).ranks_away(2) == Some(state.ground.column(from))
}

/// The vacant squares of the column a pawn that stands on `victim` crossed when it advanced two squares, if it can
/// have done so: its colour has a start square two ranks behind.
pub(crate) fn crossed(state: &Stair, victim: Square, color: Color, starts: StairSet) -> StairSet {
    let at = state.ground.column(victim);
    let (Some(crossed), Some(origin)) = (ahead(at, color, -1), ahead(at, color, -2)) else {
        return StairSet::EMPTY;
    };
    let home = state.ground.layout.stack(origin) & starts;
    if home.is_empty() {
        return StairSet::EMPTY;
    }
    state.ground.layout.stack(crossed).minus(state.occupied())
}

/// Whether a slider of `by` has the column of `from` between its own and that of `target`, and nothing keeps that column
/// from the target.
#[inline(always)]
pub(crate) fn may_uncover(state: &Stair, from: Square, target: Square, by: Color) -> bool {
    let ground = &state.ground;
    let (from, target) = (ground.column(from), ground.column(target));
    // This answers nearly always.
    !is_cut_off(from, target, ground.blockers) && has_slider_behind(state, from, target, by)
}

#[inline(never)]
fn has_slider_behind(state: &Stair, from: Column, target: Column, by: Color) -> bool {
    let line = if orthogonals(target).contains(from) {
        Role::Rook
    } else {
        Role::Bishop
    };
    let sliders = state.colors[by as usize]
        & (state.roles[Role::Queen as usize] | state.roles[line as usize]);
    sliders.into_iter().any(|slider| {
        let slider = state.ground.column(slider);
        between(slider, target).is_some_and(|passed| passed.contains(from))
    })
}

/// The squares of pieces that see a square on an empty plan, or, for pawns and a vacant square, can advance to it; by
/// the columns alone.
#[inline]
pub(crate) fn origins(state: &Stair, color: Color, role: Role, to: Square) -> StairSet {
    let captures = state.occupied().contains(to);
    let seen = &ORIGINS[origin_kind(color, role, captures)][state.ground.column(to).index() & 63];
    (state.ground.layout.attack_squares_of(seen.columns) | seen.main) & state.pieces(color, role)
}

/// What a piece comes from.
#[derive(Clone, Copy)]
struct Origins {
    columns: ColumnSet,
    /// Squares of main boards in these columns.
    main: StairSet,
}

/// Rows of [`ORIGINS`]: what a piece sees is seen from there by the same piece, a pawn by one of the other colour; behind
/// them the advances of White's and of Black's pawns.
#[inline]
const fn origin_kind(color: Color, role: Role, captures: bool) -> usize {
    if matches!(role, Role::Pawn) && !captures {
        7 + color as usize
    } else {
        kind(color.other(), role)
    }
}

/// Where each [`origin_kind`] comes from to each column.
static ORIGINS: [[Origins; 64]; 9] = {
    const NONE: Origins = Origins {
        columns: ColumnSet::EMPTY,
        main: StairSet::EMPTY,
    };
    let mut table = [[NONE; 64]; 9];
    let mut row = 0;
    while row < 9 {
        let mut to = 0;
        while to < Column::COUNT {
            let columns = if row < 7 {
                ColumnSet(SEEN_TABLE[row][to])
            } else {
                ColumnSet(ADVANCE_TABLE[row - 7][to])
            };
            table[row][to] = Origins {
                columns,
                main: main_squares_of(columns),
            };
            to += 1;
        }
        row += 1;
    }
    table
};

const FILES_TABLE: Members = Members::new(6, 1, 10, 6);
const RANKS_TABLE: Members = Members::new(10, 6, 6, 1);
static FILES_OF: Members = FILES_TABLE;
static RANKS_OF: Members = RANKS_TABLE;
static BOARDS_OF: Members = Members::new(3, 16, 16, 1);
/// The same on the main boards alone; a rank from 3 to 6 lies on two of them.
static MAIN_FILES_OF: Members = FILES_TABLE.on_main_boards();
static MAIN_RANKS_OF: Members = RANKS_TABLE.on_main_boards();

/// [`origins`] of the side to move that agree with what is written of the departure.
#[inline(always)]
pub(crate) fn plain_origins(
    state: &Stair,
    role: Role,
    to: Square,
    captures: bool,
    from: Departure,
) -> StairSet {
    let to = state.ground.column(to).index() & 63;
    let seen = &ORIGINS[origin_kind(state.turn, role, captures)][to];
    let columns = ColumnSet(FILES_OF.of(from.file) & RANKS_OF.of(from.rank));
    let main = SquareSet([MAIN_FILES_OF.of(from.file) & MAIN_RANKS_OF.of(from.rank)]);
    let attack = state
        .ground
        .layout
        .attack_squares_of(seen.columns.and(columns));
    (seen.main & main | attack)
        & SquareSet([BOARDS_OF.of(from.level)])
        & state.pieces(state.turn, role)
}

/// [`Rules::reaches`] for one of [`plain_origins`], where lines are made of columns: the columns fit.
#[inline(always)]
pub(crate) fn plain_reaches(
    state: &Stair,
    role: Role,
    from: Square,
    to: Square,
    captures: bool,
) -> bool {
    let ground = &state.ground;
    let (left, entered) = (ground.column(from), ground.column(to));
    let cut_off = is_cut_off(left, entered, ground.blockers);
    match role {
        // One rank, which is the distance of a rank's columns, or two.
        Role::Pawn => {
            captures
                || left.index().abs_diff(entered.index()) == usize::from(FILES)
                || state.unmoved.contains(from) && !cut_off
        }
        _ => !role.is_slider() || !cut_off,
    }
}

/// The square that a target means now.
#[inline(always)]
pub(crate) fn target(ground: &Ground, target: Target) -> Option<Square> {
    match target {
        Target::Square(square) => (square.index() < 48).then_some(square),
        Target::OnPin(pin, column) => {
            let board = ground.layout.board_on(pin)?;
            ground.layout.square(Board::Attack(board), column)
        }
    }
}

/// The corner number at a side's far end: 6 for White, 1 for Black.
pub(crate) const fn far_corner(color: Color) -> Corner {
    match color {
        Color::White => Corner::new(6),
        Color::Black => Corner::new(1),
    }
}

/// Whether a square lies on the rank that is furthest for a colour's pawns (Meder 3.4(e)(ii), Federation 3.7): files `b c` on
/// rank 8, files `z e` on rank 9, files `a d` on rank 9 while a board overhangs that corner, else 8; mirrored for
/// Black.
#[inline(always)]
pub(crate) fn is_furthest(layout: &Layout, color: Color, square: Square) -> bool {
    let column = layout.column(square);
    // Most squares are far away, which one comparison tells.
    let near_the_end = match color {
        Color::White => column.index() >= 48,
        Color::Black => column.index() < 12,
    };
    near_the_end && is_furthest_of_near(layout, color, column)
}

#[inline(never)]
fn is_furthest_of_near(layout: &Layout, color: Color, column: Column) -> bool {
    let rank = match color {
        Color::White => column.rank(),
        Color::Black => 9 - column.rank(),
    };
    match column.file() {
        2 | 3 => rank == 8,
        0 | 5 => rank == 9,
        file => {
            let wing = if file == 1 {
                tridex_geometry::Wing::Queen
            } else {
                tridex_geometry::Wing::King
            };
            let overhung = layout
                .board_on(Pin::over(wing, far_corner(color)))
                .is_some();
            rank == if overhung { 9 } else { 8 }
        }
    }
}

/// The arrival of a pawn under Meder's 3.4(e).
#[inline(always)]
pub(crate) fn furthest_arrival(layout: &Layout, color: Color, square: Square) -> Arrival {
    if is_furthest(layout, color, square) {
        Arrival::MustPromote
    } else {
        Arrival::Stays
    }
}

/// Carries out the move or turn of a board: the layout, the pieces on it if it turns, the placement key.
pub(crate) fn move_board(state: &mut Stair, board: AttackBoard, to: Pin, turned: bool) {
    let from = state.ground.layout.pin(board);
    if from != to {
        state.placement ^= key::pin(board, from) ^ key::pin(board, to);
        state.ground.layout = state.ground.layout.moved_unchecked(board, to);
    }
    if turned {
        let carried = (board.squares() & state.occupied())
            .into_iter()
            .filter_map(|square| Some((square, state.piece_at(square)?)));
        let carried: [Option<(Square, Piece)>; 4] = collect_four(carried);
        for (square, piece) in carried.into_iter().flatten() {
            state.take(square, piece.color, piece.role);
        }
        for (square, piece) in carried.into_iter().flatten() {
            state.put(board.turned(square), piece.color, piece.role);
        }
    }
}

fn collect_four<T: Copy>(items: impl Iterator<Item = T>) -> [Option<T>; 4] {
    let mut four = [None; 4];
    for (place, item) in four.iter_mut().zip(items) {
        *place = Some(item);
    }
    four
}

/// Hands a board move to the sink, once, or once for each choice of promotion.
pub(crate) fn board_move(
    board: AttackBoard,
    to: Pin,
    turned: bool,
    promotes: Option<Square>,
    sink: &mut dyn FnMut(Move) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let Some(square) = promotes else {
        return sink(Move::Board {
            board,
            to,
            turned,
            promotion: None,
        });
    };
    for role in Role::PROMOTIONS {
        sink(Move::Board {
            board,
            to,
            turned,
            promotion: Some(BoardPromotion { square, role }),
        })?;
    }
    ControlFlow::Continue(())
}

/// The pawn that waits on the main board's corner square below a board on a far pin 6 (White's, on a8B or d8B) or 1
/// (Black's, on a1W or d1W), if there is one (Meder 3.4(e)(iii), Federation 3.7).
pub(crate) fn waiting_pawn(state: &Stair, pin: Pin) -> Option<(Square, Color)> {
    let corner = pin.corner();
    let color = match corner.number() {
        6 => Color::White,
        1 => Color::Black,
        _ => return None,
    };
    let square = corner.main_board().square(corner.column(pin.wing()))?;
    state
        .pieces(color, Role::Pawn)
        .contains(square)
        .then_some((square, color))
}

/// The ground of a setup that has a layout.
pub(crate) fn ground(setup: &Setup) -> Result<Ground, SetupError> {
    setup.layout.map(Ground::new).ok_or(SetupError::WrongFamily)
}

/// Meder and the Federation know only the pins above the boards.
pub(crate) fn only_over_pins(setup: &Setup) -> Result<(), SetupError> {
    let pins = setup
        .layout
        .map_or([None; 4], |layout| layout.pins().map(Some));
    match pins
        .into_iter()
        .flatten()
        .find(|pin| pin.surface() == Surface::Under)
    {
        Some(pin) => Err(SetupError::PinNotUsed(pin)),
        None => Ok(()),
    }
}

/// The start squares of a side's pawns in a list of White's pieces.
pub(crate) const fn starts_of(white: &[(Square, Role)], color: Color) -> StairSet {
    let mut set = 0;
    let mut i = 0;
    while i < white.len() {
        if matches!(white[i].1, Role::Pawn) {
            let square = match color {
                Color::White => white[i].0,
                Color::Black => mirrored(white[i].0),
            };
            set |= 1 << square.index();
        }
        i += 1;
    }
    SquareSet([set])
}

/// Whether a side attacks a square, for the castling laws.
pub(crate) fn is_attacked<R: Rules<1, Ground = Ground>>(
    state: &Stair,
    square: Square,
    by: Color,
) -> bool {
    let from = R::near(state, square) & state.colors[by as usize];
    from.into_iter()
        .any(|from| R::attacks(state, by, state.role_on(from), from, square))
}
