//! What follows from where the attack boards are, computed when one moves.
//!
//! What is large in it splits into White's boards (with the main boards) and Black's, and depends on two pins alone. These
//! tables are found by an array of pins, computed once, and never freed: 2 x 132 of 5.4 kB under rules that use the pins
//! above the boards, 2 x 552 where those below are used too. So no archive makes more of them than 6 MB, and a position
//! points to two of them. What is small is stored in the position itself: there are 255,024 arrangements of four boards.

use crate::pattern::{Departure, Members, STAIR_FILES, STAIR_RANKS};
use crate::piece::{Color, Role};
use crate::state::kind;
use std::sync::OnceLock;
use tridex_geometry::stair::{
    AttackBoard, Column, ColumnSet, Corner, Layout, Pin, StairSet, diagonals, king_steps,
    knight_steps, main_squares_of, orthogonals,
};
use tridex_geometry::{SquareSet, Wing};

/// Rows of a table: the seven [`kind`]s, and these.
const ROWS: usize = 10;
/// The advances of White's pawns, then those of Black's.
const ADVANCES: usize = 7;
/// What is in the column itself.
const STACK: usize = 9;

/// What a kind of piece sees on the empty plan, as a row; a pawn sees what it captures on.
#[inline]
const fn row(color: Color, role: Role) -> usize {
    kind(color, role)
}

/// Where a kind of piece comes from to a column, as a row: what it sees is seen from there by the same piece, a pawn by one
/// of the other colour. A pawn that captures nothing advances.
#[inline]
const fn origin_row(color: Color, role: Role, captures: bool) -> usize {
    if matches!(role, Role::Pawn) && !captures {
        ADVANCES + color as usize
    } else {
        kind(color.other(), role)
    }
}

/// The column that many ranks forward for a side.
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

/// The columns a kind of piece sees from a column on an empty plan; a pawn sees those it captures on.
#[inline(always)]
pub(crate) fn seen_columns(color: Color, role: Role, from: Column) -> ColumnSet {
    ColumnSet(COLUMNS[row(color, role)][from.index() & 63])
}

/// The columns from which a pawn can advance to a column.
#[inline(always)]
pub(crate) fn advance_columns(color: Color, to: Column) -> ColumnSet {
    ColumnSet(COLUMNS[ADVANCES + color as usize][to.index() & 63])
}

/// What follows from where two boards are.
#[derive(Clone, Debug)]
struct Table {
    rows: [[u64; 64]; ROWS],
    files: [u64; 16],
    ranks: [u64; 16],
    /// By colour and number of [`overhung`] corners: the squares of the columns where its pawns end.
    last: [[u64; 4]; 2],
}

/// No squares at all.
const NOTHING: Table = Table {
    rows: [[0; 64]; ROWS],
    files: [0; 16],
    ranks: [0; 16],
    last: [[0; 4]; 2],
};

/// The squares of the main boards, which are White's here.
const MAIN: Table = {
    let mut table = Table {
        rows: COLUMNS_TABLE,
        files: STAIR_FILES.0,
        ranks: STAIR_RANKS.0,
        last: LAST,
    };
    let mut i = 0;
    while i < 64 {
        let mut row = 0;
        while row < ROWS {
            table.rows[row][i] = main_squares_of(ColumnSet(table.rows[row][i])).0[0];
            row += 1;
        }
        if i < 16 {
            table.files[i] = main_squares_of(ColumnSet(table.files[i])).0[0];
            table.ranks[i] = main_squares_of(ColumnSet(table.ranks[i])).0[0];
        }
        if i < 8 {
            let last = &mut table.last[i / 4][i % 4];
            *last = main_squares_of(ColumnSet(*last)).0[0];
        }
        i += 1;
    }
    table
};

impl Table {
    /// Of two boards; with the main boards, if they are White's.
    fn new(layout: &Layout, boards: [AttackBoard; 2]) -> Self {
        let is_white = boards[0].is_white();
        let mut table = if is_white { MAIN } else { NOTHING };
        for square in boards[0].squares() | boards[1].squares() {
            let (at, bit) = (layout.column(square), SquareSet::<1>::of(square).0[0]);
            for (number, row) in table.rows.iter_mut().enumerate() {
                for column in ColumnSet(COLUMNS[seen_from(number)][at.index() & 63]) {
                    row[column.index() & 63] |= bit;
                }
            }
            for part in [usize::from(at.file()), Members::UNSAID] {
                table.files[part & 15] |= bit;
            }
            for part in [usize::from(at.rank()), Members::UNSAID] {
                table.ranks[part & 15] |= bit;
            }
            for (squares, columns) in table
                .last
                .as_flattened_mut()
                .iter_mut()
                .zip(LAST.as_flattened())
            {
                if ColumnSet(*columns).contains(at) {
                    *squares |= bit;
                }
            }
        }
        table
    }
}

/// The row of the columns from which a column is seen as another row has it: that row, but for pawns, who look one way.
const fn seen_from(row: usize) -> usize {
    const WHITE: usize = kind(Color::White, Role::Pawn);
    const BLACK: usize = kind(Color::Black, Role::Pawn);
    match row {
        WHITE => BLACK,
        BLACK => WHITE,
        7 => 8,
        8 => 7,
        _ => row,
    }
}

const PAIRS: usize = Pin::COUNT * Pin::COUNT;
static TABLES: [[OnceLock<Box<Table>>; PAIRS]; 2] =
    [const { [const { OnceLock::new() }; PAIRS] }; 2];

/// What follows from where the four boards are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrangement {
    pub(crate) layout: Layout,
    /// Of White's boards with the main boards, and of Black's.
    tables: [&'static Table; 2],
    /// By colour: see [`furthest`].
    pub(crate) furthest: [StairSet; 2],
}

impl Arrangement {
    /// That of a layout.
    pub(crate) fn of(layout: Layout) -> Self {
        use AttackBoard::{BlackKing, BlackQueen, WhiteKing, WhiteQueen};
        let boards = [[WhiteQueen, WhiteKing], [BlackQueen, BlackKing]];
        let tables = [0, 1].map(|owner| {
            let [first, second] = boards[owner].map(|board| layout.pin(board).index());
            let pair = (first * Pin::COUNT + second) % PAIRS;
            &**TABLES[owner][pair].get_or_init(|| Box::new(Table::new(&layout, boards[owner])))
        });
        let last = |owner: usize, color: Color, corners: usize| {
            SquareSet([tables[owner].last[color as usize][corners & 3]])
        };
        Self {
            layout,
            tables,
            furthest: Color::ALL.map(|color| {
                let corners = overhung(&layout, color);
                last(0, color, corners) | last(1, color, corners)
            }),
        }
    }

    #[inline(always)]
    fn row(&self, row: usize, column: Column) -> StairSet {
        let at = column.index() & 63;
        SquareSet([self.tables[0].rows[row][at] | self.tables[1].rows[row][at]])
    }

    /// The squares of a column.
    #[inline(always)]
    pub(crate) fn stack(&self, column: Column) -> StairSet {
        self.row(STACK, column)
    }

    /// The squares a kind of piece sees from a column on an empty plan; a pawn sees those it captures on.
    #[inline(always)]
    pub(crate) fn seen(&self, color: Color, role: Role, from: Column) -> StairSet {
        self.row(row(color, role), from)
    }

    /// The squares from which a kind of piece may come to a column on an empty plan.
    #[inline(always)]
    pub(crate) fn origins(&self, color: Color, role: Role, to: Column, captures: bool) -> StairSet {
        self.row(origin_row(color, role, captures), to)
    }

    /// [`Departure::squares`] by the tables.
    #[inline(always)]
    pub(crate) fn departures(&self, from: &Departure) -> StairSet {
        let [white, black] = self.tables;
        let [file, rank] = [from.file, from.rank].map(|said| Members::number(said) & 15);
        let files = white.files[file] | black.files[file];
        let ranks = white.ranks[rank] | black.ranks[rank];
        SquareSet([files & ranks]) & from.level_squares(&self.layout)
    }
}

/// The columns on the rank that is furthest for a colour's pawns (Meder 3.4(e)(ii), Federation 3.7), by the number of
/// [`overhung`] corners: files `b c` on rank 8, files `z e` on rank 9, files `a d` on rank 9 while a board overhangs that
/// corner, else 8; mirrored for Black.
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

/// Over which of the corners where a colour's pawns end a board is: 1 for the queen's side, 2 for the king's.
fn overhung(layout: &Layout, color: Color) -> usize {
    let corner = Corner::new(if color.is_white() { 6 } else { 1 });
    let is_over = |wing| usize::from(layout.board_on(Pin::over(wing, corner)).is_some());
    is_over(Wing::Queen) + 2 * is_over(Wing::King)
}

/// The squares on the rank that is furthest for a colour's pawns.
pub(crate) fn furthest(layout: &Layout, color: Color) -> StairSet {
    layout.squares_of(ColumnSet(LAST[color as usize][overhung(layout, color)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::Level;

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
            let arrangement = Arrangement::of(layout);
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
                for level in [None, Some(Level::Pin(pins[n % Pin::COUNT]))] {
                    let from = Departure {
                        file: Some(column.file()),
                        rank: Some(column.rank()).filter(|_| n % 2 == 0),
                        level,
                    };
                    let said: StairSet = from.squares(Some(&layout)).resized();
                    assert_eq!(arrangement.departures(&from), said);
                }
            }
        }
        assert!(2 * 24 * 23 * size_of::<Table>() <= 6_010_000);
    }
}
