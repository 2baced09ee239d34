//! Lines of columns and pawns seen from the top: how pieces move where levels do not matter.

use super::board::{BoardState, Stair};
use crate::piece::{Color, Role};
use crate::state::kind;
use crate::written::{Departure, Members, Target};
use tridex_geometry::stair::{
    AttackBoard, Board, Column, ColumnSet, Direction, FILES, Pin, RANKS, StairSet, between,
    diagonals, is_cut_off, king_steps, knight_steps, main_squares_of, orthogonals, reach,
};
use tridex_geometry::{Square, SquareSet};

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
pub(crate) fn attack_origins(state: &Stair, to: Square) -> StairSet {
    let to = state.boards.column(to).index() & 63;
    let columns = ColumnSet(SEEN[Role::Queen as usize][to] | SEEN[Role::Knight as usize][to]);
    state.boards.layout.squares_of(columns)
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

/// Whether a piece sees a column on an empty plan; a pawn sees those it captures on.
#[inline(always)]
pub(crate) fn sees(color: Color, role: Role, from: Column, to: Column) -> bool {
    SEEN[kind(color, role)][from.index() & 63] >> to.index() & 1 != 0
}

/// Rules of lines made of columns: Meder's (gaps are passed, pieces block on every level) and the manual's (gaps stop,
/// a column with a vacant square is passed) differ only in which columns block.
#[inline(always)]
pub(crate) fn column_attacks(
    boards: &BoardState,
    color: Color,
    role: Role,
    from: Column,
    to: Column,
) -> bool {
    sees(color, role, from, to) && (!role.is_slider() || !is_cut_off(from, to, boards.blockers))
}

/// Whether a pawn may advance to a vacant square of a column: one forward, or two across a column that does not block.
#[inline(always)]
pub(crate) fn column_advance(state: &Stair, color: Color, from: Square, to: Column) -> bool {
    let start = state.boards.column(from);
    if ADVANCE_ORIGINS[color as usize][to.index() & 63] >> start.index() & 1 == 0 {
        return false;
    }
    // One forward, with nothing between; or two.
    start.rank().abs_diff(to.rank()) == 1
        || state.unmoved.contains(from) && !is_cut_off(start, to, state.boards.blockers)
}

/// The squares of the columns that a piece sees on an empty plan.
#[inline(always)]
fn seen_squares(boards: &BoardState, color: Color, role: Role, from: Column) -> StairSet {
    let seen = &ORIGINS[kind(color, role)][from.index() & 63];
    boards.layout.attack_squares_of(seen.columns) | seen.main
}

/// The columns a slider reaches, past none that blocks.
#[inline(always)]
fn slider_columns(role: Role, from: Column, blockers: ColumnSet) -> ColumnSet {
    // One by one: each direction has instructions of its own, and no loop asks which.
    let seen = |[a, b, c, d]: [Direction; 4]| {
        let [a, b, c, d] = [a, b, c, d].map(|direction| reach(from, direction, blockers));
        a.or(b).or(c).or(d)
    };
    match role {
        Role::Rook => seen(Direction::ORTHOGONAL),
        Role::Bishop => seen(Direction::DIAGONAL),
        _ => seen(Direction::ORTHOGONAL).or(seen(Direction::DIAGONAL)),
    }
}

/// All squares a piece reaches where lines are made of columns.
#[inline]
pub(crate) fn column_destinations(
    state: &Stair,
    color: Color,
    role: Role,
    from: Square,
) -> StairSet {
    let boards = &state.boards;
    let at = boards.column(from);
    if role == Role::Pawn {
        return column_captures(state, color, at) | column_advances(state, color, from);
    }
    let squares = if role.is_slider() {
        boards
            .layout
            .squares_of(slider_columns(role, at, boards.blockers))
    } else {
        seen_squares(boards, color, role, at)
    };
    squares.minus(state.colors[color as usize])
}

/// What a pawn takes.
#[inline]
fn column_captures(state: &Stair, color: Color, at: Column) -> StairSet {
    let boards = &state.boards;
    let seen = &ORIGINS[kind(color, Role::Pawn)][at.index() & 63];
    let enemies = state.colors[color.other() as usize];
    seen.main & enemies | boards.layout.attack_squares_of(seen.columns) & enemies
}

/// Where a pawn advances: one forward, or two over a column that does not block, to every vacant square.
#[inline]
fn column_advances(state: &Stair, color: Color, from: Square) -> StairSet {
    let boards = &state.boards;
    let at = boards.column(from);
    let Some(one) = ahead(at, color, 1) else {
        return StairSet::EMPTY;
    };
    let mut squares = boards.layout.stack(one);
    if state.unmoved.contains(from)
        && !boards.blockers.contains(one)
        && let Some(two) = ahead(at, color, 2)
    {
        squares |= boards.layout.stack(two);
    }
    squares.minus(state.occupied())
}

/// The columns to which some pawns step, no two of them from one column.
pub(crate) struct PawnSteps {
    /// One rank forward.
    pub(crate) ahead: ColumnSet,
    /// The same to one side, and to the other.
    pub(crate) west: ColumnSet,
    pub(crate) east: ColumnSet,
}

impl PawnSteps {
    /// Those of pawns of the side to move; `None` if two of them share a column.
    #[inline]
    pub(crate) fn of(state: &Stair, pawns: StairSet) -> Option<Self> {
        let columns = state.boards.layout.columns_of(pawns);
        if columns.count() != pawns.count() {
            return None;
        }
        let ahead = forward(columns, state.turn);
        Some(Self {
            ahead,
            west: ColumnSet(ahead.0 >> 1).minus(LAST_FILE),
            east: ColumnSet(ahead.0 << 1)
                .minus(FIRST_FILE)
                .and(ColumnSet::FULL),
        })
    }
}

/// The columns one rank further for a side.
const fn forward(columns: ColumnSet, color: Color) -> ColumnSet {
    match color {
        Color::White => ColumnSet(columns.0 << FILES).and(ColumnSet::FULL),
        Color::Black => ColumnSet(columns.0 >> FILES),
    }
}

/// [`Rules::count_pawn_moves`](crate::rules::Rules::count_pawn_moves) where lines are made of columns.
pub(crate) fn count_pawn_moves(
    state: &Stair,
    pawns: StairSet,
    targets: StairSet,
    promotion: StairSet,
) -> Option<u32> {
    let layout = &state.boards.layout;
    let steps = PawnSteps::of(state, pawns)?;
    let vacant = !state.occupied();
    let ones = layout.squares_of(steps.ahead) & vacant;
    let fresh = layout.columns_of(pawns & state.unmoved);
    let passed = forward(fresh, state.turn).minus(state.boards.blockers);
    let twos = layout.squares_of(forward(passed, state.turn)) & vacant;
    let mut count = (ones & targets).count() + (twos & targets).count();
    let enemies = state.colors[state.turn.other() as usize];
    if layout.squares_of(steps.west.or(steps.east)).meets(enemies) {
        let [west, east] = [steps.west, steps.east].map(|side| layout.squares_of(side) & enemies);
        if (west | east).meets(promotion) {
            return None;
        }
        count += (west & targets).count() + (east & targets).count();
    }
    (!(ones | twos).meets(promotion)).then_some(count)
}

/// The first and the last file of all ranks.
const FIRST_FILE: ColumnSet = {
    let (mut set, mut rank) = (0, 0);
    while rank < RANKS {
        set |= 1 << (rank * FILES);
        rank += 1;
    }
    ColumnSet(set)
};
const LAST_FILE: ColumnSet = ColumnSet(FIRST_FILE.0 << (FILES - 1));

/// [`Rules::board_is_free`](crate::rules::Rules::board_is_free). Knights that need a square for their first step may get
/// one.
pub(crate) fn board_is_free(
    state: &Stair,
    board: AttackBoard,
    to: Pin,
    knights_need_step: bool,
) -> bool {
    let boards = &state.boards;
    let (mover, enemy) = (state.turn, state.turn.other());
    let enemies = state.colors[enemy as usize];
    let riders = board.squares() & state.occupied();
    if riders.meets(enemies | state.roles[Role::King as usize]) {
        return false;
    }
    let king = boards.column(state.king(mover));
    let from = boards.layout.pin(board);
    if knights_need_step && from != to {
        let mut knights = state.pieces(enemy, Role::Knight).into_iter();
        if knights.any(|knight| knight_steps(king).contains(boards.column(knight))) {
            return false;
        }
    }
    // Whatever else attacks the king then does so along a line that is closed now, and only here can one be opened.
    let changed = from.columns().or(to.columns());
    if changed
        .and(orthogonals(king).or(diagonals(king)))
        .is_empty()
    {
        return true;
    }
    let sliders = state.roles[Role::Queen as usize]
        | state.roles[Role::Rook as usize]
        | state.roles[Role::Bishop as usize];
    (sliders & enemies).into_iter().all(|slider| {
        let passed = between(boards.column(slider), king);
        passed.is_none_or(|passed| passed.and(changed).is_empty())
    })
}

/// The squares of the columns that alone keep a queen, rook or bishop of `by` from the king; of all columns in between
/// where levels matter and no column blocks as such.
#[inline]
pub(crate) fn pins(state: &Stair, king: Square, by: Color, by_square: bool) -> StairSet {
    let boards = &state.boards;
    let king = boards.column(king);
    let mut columns = ColumnSet::EMPTY;
    let queens = state.roles[Role::Queen as usize];
    for (role, line) in [
        (Role::Rook, orthogonals(king)),
        (Role::Bishop, diagonals(king)),
    ] {
        let sliders = (state.roles[role as usize] | queens) & state.colors[by as usize];
        for slider in sliders {
            let at = boards.column(slider);
            if line.contains(at)
                && let Some(passed) = between(at, king)
            {
                let held = passed.and(boards.blockers);
                match held.count() {
                    // It is the tiers of some square that keep the line closed.
                    0 if by_square => columns = columns.or(passed),
                    1 => columns = columns.or(held),
                    _ => {}
                }
            }
        }
    }
    if columns.is_empty() {
        return StairSet::EMPTY;
    }
    boards.layout.squares_of(columns)
}

/// Whether a pawn's advance was of two squares.
pub(crate) fn is_two_ranks(state: &Stair, from: Square, to: Square) -> bool {
    state.boards.column(from).ranks_away(2) == Some(state.boards.column(to))
        || state.boards.column(to).ranks_away(2) == Some(state.boards.column(from))
}

/// The vacant squares of the column a pawn that stands on `victim` crossed when it advanced two squares, if it can
/// have done so: its colour has a start square two ranks behind.
pub(crate) fn crossed(state: &Stair, victim: Square, color: Color, starts: StairSet) -> StairSet {
    let at = state.boards.column(victim);
    let (Some(crossed), Some(origin)) = (ahead(at, color, -1), ahead(at, color, -2)) else {
        return StairSet::EMPTY;
    };
    let home = state.boards.layout.stack(origin) & starts;
    if home.is_empty() {
        return StairSet::EMPTY;
    }
    state.boards.layout.stack(crossed).minus(state.occupied())
}

/// Whether a slider of `by` has the column of `from` between its own and that of `target`, and nothing keeps that column
/// from the target.
#[inline(always)]
pub(crate) fn may_uncover(state: &Stair, from: Square, target: Square, by: Color) -> bool {
    let boards = &state.boards;
    let (from, target) = (boards.column(from), boards.column(target));
    // This answers nearly always.
    !is_cut_off(from, target, boards.blockers) && has_slider_behind(state, from, target, by)
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
        let slider = state.boards.column(slider);
        between(slider, target).is_some_and(|passed| passed.contains(from))
    })
}

/// The squares of pieces that see a square on an empty plan, or, for pawns and a vacant square, can advance to it; by
/// the columns alone.
#[inline]
pub(crate) fn origins(state: &Stair, color: Color, role: Role, to: Square) -> StairSet {
    let captures = state.occupied().contains(to);
    let seen = &ORIGINS[origin_kind(color, role, captures)][state.boards.column(to).index() & 63];
    (state.boards.layout.attack_squares_of(seen.columns) | seen.main) & state.pieces(color, role)
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
pub(crate) fn written_origins(
    state: &Stair,
    role: Role,
    to: Square,
    captures: bool,
    from: Departure,
) -> StairSet {
    let to = state.boards.column(to).index() & 63;
    let seen = &ORIGINS[origin_kind(state.turn, role, captures)][to];
    let columns = ColumnSet(FILES_OF.of(from.file) & RANKS_OF.of(from.rank));
    let main = SquareSet([MAIN_FILES_OF.of(from.file) & MAIN_RANKS_OF.of(from.rank)]);
    let attack = state
        .boards
        .layout
        .attack_squares_of(seen.columns.and(columns));
    (seen.main & main | attack)
        & SquareSet([BOARDS_OF.of(from.level)])
        & state.pieces(state.turn, role)
}

/// [`Rules::reaches`] for one of [`written_origins`], where lines are made of columns: the columns fit.
#[inline(always)]
pub(crate) fn written_reaches(
    state: &Stair,
    role: Role,
    from: Square,
    to: Square,
    captures: bool,
) -> bool {
    let boards = &state.boards;
    let (left, entered) = (boards.column(from), boards.column(to));
    let cut_off = is_cut_off(left, entered, boards.blockers);
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
pub(crate) fn target(boards: &BoardState, target: Target) -> Option<Square> {
    match target {
        Target::Square(square) => (square.index() < 48).then_some(square),
        Target::OnPin(pin, column) => {
            let board = boards.layout.board_on(pin)?;
            boards.layout.square(Board::Attack(board), column)
        }
        Target::OnBoard(board, column) => boards.layout.square(Board::Attack(board), column),
    }
}
