//! What is derived from the pins of the attack boards. It is computed when a layout occurs for the first time and never
//! freed; positions point to it.
//!
//! The large part consists of tables of 6.1 kB for White's two boards (with the main boards) and for Black's. Each
//! depends on two pins only. There are 2 x 132 such tables under rules that use the pins above the boards, and 2 x 552
//! if the pins below are used too, so no archive can make them exceed 6.8 MB. The rest is small, but there are 11,880
//! or 255,024 arrangements of four boards: 3 MB, or 55 MB if somebody writes an archive in which all of them occur.

use crate::pattern::{Level, STAIR_FILES, STAIR_RANKS, level_number};
use crate::piece::{Color, Role};
use crate::state::{ADVANCES, kind};
use std::sync::OnceLock;
use tridex_geometry::stair::{
    AttackBoard, Column, ColumnSet, Corner, Layout, MainBoard, Pin, StairSet, diagonals,
    king_steps, knight_steps, main_squares_of, orthogonals,
};
use tridex_geometry::{Square, SquareSet, Wing};

/// Rows of a table: the seven [`kind`]s, the two [`ADVANCES`], and the three below.
const ROWS: usize = 12;
/// The row of the squares in each column.
const STACK: usize = 9;
/// The row of the squares on each written file and, from 16 on, on each written rank; see
/// [`Members`](crate::pattern::Members).
const PARTS: usize = 10;
/// The row of the squares on each written board; see [`level_number`].
const LEVELS: usize = 11;

/// The row of what a kind of piece sees on an empty plan. A pawn sees the columns it captures on.
#[inline]
const fn row(color: Color, role: Role) -> usize {
    kind(color, role)
}

/// The column `ranks` ranks ahead for a side.
#[inline]
pub(crate) const fn ahead(from: Column, color: Color, ranks: i8) -> Option<Column> {
    from.ranks_away(ranks * color.forward())
}

const COLUMNS_TABLE: [[u64; 64]; ROWS] = {
    let mut table = [[0; 64]; ROWS];
    let mut i = 0;
    while i < Column::COUNT {
        let at = Column::new(i as u8 % 6, i as u8 / 6);
        let lines = [orthogonals(at).0, diagonals(at).0];
        table[Role::Knight as usize][i] = knight_steps(at).0;
        table[Role::King as usize][i] = king_steps(at).0;
        table[Role::Bishop as usize][i] = lines[1];
        table[Role::Rook as usize][i] = lines[0];
        table[Role::Queen as usize][i] = lines[0] | lines[1];
        table[STACK][i] = 1 << i;
        if i < 32 {
            let members = [&STAIR_FILES, &STAIR_RANKS][i / 16];
            table[PARTS][i] = members.0[i % 16];
        }
        let mut c = 0;
        while c < 2 {
            let color = Color::ALL[c];
            let mut side = -1;
            while side <= 1 {
                if let Some(taken) = at.offset(side, color.forward()) {
                    table[kind(color, Role::Pawn)][i] |= 1 << taken.index();
                }
                // One rank back, and two.
                if let Some(from) = ahead(at, color, (side - 3) / 2) {
                    table[ADVANCES + c][i] |= 1 << from.index();
                }
                side += 2;
            }
            c += 1;
        }
        i += 1;
    }
    table
};
static COLUMNS: [[u64; 64]; ROWS] = COLUMNS_TABLE;

/// The columns that a kind of piece sees from a column on an empty plan. A pawn sees those it captures on.
#[inline(always)]
pub(crate) fn seen_columns(color: Color, role: Role, from: Column) -> ColumnSet {
    ColumnSet(COLUMNS[row(color, role)][from.index() & 63])
}

/// The squares of two attack boards (White's table has the main boards too) in each set of columns of [`COLUMNS`].
type Table = [[u64; 64]; ROWS];

/// The squares of the main boards, which are part of White's tables.
const MAIN: Table = {
    let mut table = COLUMNS_TABLE;
    let mut i = 0;
    while i < 64 * ROWS {
        let squares = &mut table[i / 64][i % 64];
        *squares = main_squares_of(ColumnSet(*squares)).0[0];
        i += 1;
    }
    i = 0;
    while i < MainBoard::ALL.len() {
        let main = MainBoard::ALL[i];
        table[LEVELS][level_number(Some(Level::Main(main)))] = main.squares().0[0];
        table[LEVELS][level_number(None)] |= main.squares().0[0];
        i += 1;
    }
    table
};

/// The table of the two boards of one side, including the main boards if that is White.
fn table(layout: &Layout, boards: [AttackBoard; 2]) -> Box<Table> {
    let is_white = boards[0].is_white();
    let mut table = Box::new(if is_white { MAIN } else { [[0; 64]; ROWS] });
    for square in boards[0].squares() | boards[1].squares() {
        let (at, bit) = (layout.column(square).index() & 63, square.index() & 63);
        let columns = COLUMNS.as_flattened().iter();
        for (squares, columns) in table.as_flattened_mut().iter_mut().zip(columns) {
            *squares |= (columns >> at & 1) << bit;
        }
    }
    for board in boards {
        let named = [Level::Pin(layout.pin(board)), Level::Attack(board)].map(Some);
        for level in [None].into_iter().chain(named) {
            table[LEVELS][level_number(level)] |= board.squares().0[0];
        }
    }
    table
}

const PAIRS: usize = Pin::COUNT * Pin::COUNT;
static TABLES: [[OnceLock<Box<Table>>; PAIRS]; 2] =
    [const { [const { OnceLock::new() }; PAIRS] }; 2];

/// The arrangements for one pair of White's pins, by the index of the pair of Black's pins.
type WithBlack = Box<[OnceLock<Box<Arrangement>>]>;
static ARRANGEMENTS: [OnceLock<WithBlack>; PAIRS] = [const { OnceLock::new() }; PAIRS];

/// The indices of the pair of White's pins and of the pair of Black's.
fn pairs([a, b, c, d]: [Pin; 4]) -> [usize; 2] {
    [(a, b), (c, d)].map(|(a, b)| (a.index() * Pin::COUNT + b.index()) % PAIRS)
}

/// What is derived from the pins of the four boards.
#[derive(Debug)]
pub(crate) struct Arrangement {
    pub(crate) layout: Layout,
    /// White's, with the main boards, and Black's.
    tables: [&'static Table; 2],
    /// By colour: see [`furthest`].
    pub(crate) furthest: [StairSet; 2],
}

impl Arrangement {
    /// The arrangement of boards on four pins. Calls `layout` only when these pins occur for the first time.
    pub(crate) fn of(pins: [Pin; 4], layout: impl FnOnce() -> Layout) -> &'static Self {
        let [white, black] = pairs(pins);
        let with_black =
            ARRANGEMENTS[white].get_or_init(|| (0..PAIRS).map(|_| OnceLock::new()).collect());
        with_black[black].get_or_init(|| Box::new(Self::new(layout())))
    }

    fn new(layout: Layout) -> Self {
        use AttackBoard::{BlackKing, BlackQueen, WhiteKing, WhiteQueen};
        let boards = [[WhiteQueen, WhiteKing], [BlackQueen, BlackKing]];
        let pairs = pairs(layout.pins());
        let tables = [0, 1].map(|owner| {
            let new = || table(&layout, boards[owner]);
            &**TABLES[owner][pairs[owner]].get_or_init(new)
        });
        Self {
            furthest: Color::ALL.map(|color| furthest(&layout, color)),
            layout,
            tables,
        }
    }

    #[inline(always)]
    fn row(&self, row: usize, at: usize) -> StairSet {
        let [white, black] = self.tables;
        SquareSet([white[row][at & 63] | black[row][at & 63]])
    }

    /// The squares of a column.
    #[inline(always)]
    pub(crate) fn stack(&self, column: Column) -> StairSet {
        self.row(STACK, column.index())
    }

    /// The squares that a kind of piece sees from a column on an empty plan. A pawn sees those it captures on.
    #[inline(always)]
    pub(crate) fn seen(&self, color: Color, role: Role, from: Column) -> StairSet {
        self.row(row(color, role), from.index())
    }

    /// The squares from which a piece may come to a column on an empty plan. `row` is its
    /// [`origin_row`](crate::state::origin_row).
    #[inline(always)]
    pub(crate) fn origins(&self, row: usize, to: Column) -> StairSet {
        self.row(row, to.index())
    }

    /// The squares of a [number](crate::pattern::Departure::number).
    #[inline(always)]
    pub(crate) fn departures(&self, from: u16) -> StairSet {
        let from = usize::from(from);
        let squares = self.row(PARTS, from & 15) & self.row(PARTS, 16 + (from >> 4 & 15));
        squares & self.row(LEVELS, from >> 8)
    }

    /// The square of a [number](crate::pattern::Coordinates::number), if it exists now.
    #[inline(always)]
    pub(crate) fn square(&self, place: u16) -> Option<Square> {
        let place = usize::from(place);
        (self.row(STACK, place) & self.row(LEVELS, place >> 6)).first()
    }
}

/// The columns on the furthest rank of a colour's pawns (Meder 3.4(e)(ii), WTDCF 3.7, ruling furthest-rank), by colour
/// and number of [`overhung`] corners. For White this is rank 8 on files `b c`, rank 9 on files `z e`. On files
/// `a d` it is rank 9 while a board is above that corner, else rank 8. For Black it is mirrored.
const LAST: [[u64; 4]; 2] = {
    let mut columns = [[0; 4]; 2];
    let mut i = 0;
    while i < 48 {
        let (color, corners, file) = (i / 24, i / 6 % 4, (i % 6) as u8);
        let is_last = match file {
            0 | 5 => true,
            1 => corners & 1 != 0,
            4 => corners & 2 != 0,
            _ => false,
        };
        let rank = if is_last { 9 } else { 8 };
        let rank = if color == 0 { rank } else { 9 - rank };
        if let Some(column) = Column::try_new(file, rank) {
            columns[color][corners] |= 1 << column.index();
        }
        i += 1;
    }
    columns
};

/// Which corners on the last rank of a colour's pawns have a board above them: 1 for the queen's side plus 2 for the
/// king's side.
fn overhung(layout: &Layout, color: Color) -> usize {
    let corner = Corner::new(if color.is_white() { 6 } else { 1 });
    let is_over = |wing| usize::from(layout.board_on(Pin::over(wing, corner)).is_some());
    is_over(Wing::Queen) + 2 * is_over(Wing::King)
}

/// The squares on the furthest rank of a colour's pawns.
pub(crate) fn furthest(layout: &Layout, color: Color) -> StairSet {
    layout.squares_of(ColumnSet(LAST[color as usize][overhung(layout, color)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::{Coordinates, Departure};

    /// The tables agree with the layout, for every layout; their number fits into the bounds stated above.
    #[test]
    fn tables_are_those_of_the_layout_and_bounded() {
        let pins: Vec<Pin> = Pin::all().collect();
        for n in 0..2 * PAIRS {
            let at = |n: usize| pins[n % Pin::COUNT];
            let Ok(layout) = Layout::try_new([at(n), at(n / 24), at(n / 5 + 7), at(n / 7 + 3)])
            else {
                continue;
            };
            let arrangement = Arrangement::of(layout.pins(), || layout);
            for color in Color::ALL {
                assert_eq!(
                    arrangement.furthest[color as usize],
                    furthest(&layout, color)
                );
            }
            for column in Column::all() {
                assert_eq!(arrangement.stack(column), layout.stack(column));
                for role in Role::ALL {
                    for color in Color::ALL {
                        let seen = layout.squares_of(seen_columns(color, role, column));
                        assert_eq!(arrangement.seen(color, role, column), seen);
                    }
                }
                let boards = AttackBoard::ALL.map(Level::Attack).into_iter();
                let mains = MainBoard::ALL.map(Level::Main).into_iter();
                let levels = mains
                    .chain(boards)
                    .chain([Level::Pin(pins[n % Pin::COUNT])]);
                for level in [None].into_iter().chain(levels.map(Some)) {
                    let place = Coordinates {
                        file: column.file(),
                        rank: column.rank(),
                        level,
                    };
                    assert_eq!(
                        arrangement.square(place.number()),
                        place.square(Some(&layout))
                    );
                    let from = Departure {
                        file: Some(column.file()),
                        rank: Some(column.rank()).filter(|_| n % 2 == 0),
                        level,
                    };
                    let said: StairSet = from.squares(Some(&layout)).resized();
                    assert_eq!(arrangement.departures(from.number()), said);
                }
            }
        }
        assert!(2 * 24 * 23 * size_of::<Table>() <= 6_800_000);
        let places = 24 * 23 * PAIRS * size_of::<OnceLock<Box<Arrangement>>>();
        assert!(24 * 23 * 22 * 21 * size_of::<Arrangement>() + places <= 55_000_000);
    }
}
