//! What follows from where the attack boards stand, computed once for each arrangement and shared by all positions.
//!
//! An arrangement is found by an array of pins and kept for good, so that a position points to it and is copied as plain
//! words. What an archive can make of this is bounded. There are 11,880 arrangements on the pins above the boards, and
//! 255,024 with those below, of 200 bytes each. What is large in them splits into White's boards (with the main boards)
//! and Black's, and depends on two pins alone: 2 x 132 tables, or 2 x 552, of 5.4 kB each. That makes 4 MB at most under
//! rules that use the pins above; 57 MB if an archive held every arrangement there can be under the manual's.

use crate::pattern::{Members, Origin, STAIR_FILES, STAIR_RANKS};
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
/// The advances of White's pawns; behind them those of Black's.
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
                // One rank behind, and two.
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

/// What follows from where two boards stand.
#[derive(Debug)]
struct Table {
    rows: [[u64; 64]; ROWS],
    files: [u64; 16],
    ranks: [u64; 16],
}

/// The squares of the main boards, which are White's here.
static MAIN: Table = {
    let mut table = Table {
        rows: COLUMNS_TABLE,
        files: STAIR_FILES.0,
        ranks: STAIR_RANKS.0,
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
        i += 1;
    }
    table
};

impl Table {
    /// Of two boards; beside the main boards, if they are White's.
    fn new(layout: &Layout, boards: [AttackBoard; 2]) -> Self {
        let is_white = boards[0].is_white();
        let (mut rows, mut files, mut ranks) = if is_white {
            (MAIN.rows, MAIN.files, MAIN.ranks)
        } else {
            ([[0; 64]; ROWS], [0; 16], [0; 16])
        };
        for square in boards[0].squares() | boards[1].squares() {
            let (at, bit) = (layout.column(square), SquareSet::<1>::of(square).0[0]);
            for (number, row) in rows.iter_mut().enumerate() {
                for column in ColumnSet(COLUMNS[seen_from(number)][at.index() & 63]) {
                    row[column.index() & 63] |= bit;
                }
            }
            for part in [usize::from(at.file()), Members::UNSAID] {
                files[part & 15] |= bit;
            }
            for part in [usize::from(at.rank()), Members::UNSAID] {
                ranks[part & 15] |= bit;
            }
        }
        Self { rows, files, ranks }
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

/// What follows from where the four boards stand.
#[derive(Debug)]
pub(crate) struct Arrangement {
    pub(crate) layout: Layout,
    /// Of White's boards with the main boards, and of Black's.
    tables: [&'static Table; 2],
    /// By colour: see [`furthest`].
    pub(crate) furthest: [StairSet; 2],
}

static ARRANGEMENTS: [OnceLock<Box<Arrangement>>; PAIRS * PAIRS] =
    [const { OnceLock::new() }; PAIRS * PAIRS];

impl Arrangement {
    /// That of a layout.
    pub(crate) fn of(layout: &Layout) -> &'static Self {
        use AttackBoard::{BlackKing, BlackQueen, WhiteKing, WhiteQueen};
        let pair = |boards: [AttackBoard; 2]| {
            let [first, second] = boards.map(|board| layout.pin(board).index());
            (first * Pin::COUNT + second) % PAIRS
        };
        let boards = [[WhiteQueen, WhiteKing], [BlackQueen, BlackKing]];
        let [white, black] = boards.map(pair);
        ARRANGEMENTS[white * PAIRS + black].get_or_init(|| {
            let table = |owner: usize, pair: usize| -> &'static Table {
                TABLES[owner][pair].get_or_init(|| Box::new(Table::new(layout, boards[owner])))
            };
            Box::new(Self {
                layout: *layout,
                tables: [table(0, white), table(1, black)],
                furthest: Color::ALL.map(|color| furthest(layout, color)),
            })
        })
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

    /// [`Origin::squares`] by the tables.
    #[inline(always)]
    pub(crate) fn departures(&self, from: &Origin) -> StairSet {
        let [white, black] = self.tables;
        let [file, rank] = [from.file, from.rank].map(|said| Members::number(said) & 15);
        let files = white.files[file] | black.files[file];
        let ranks = white.ranks[rank] | black.ranks[rank];
        SquareSet([files & ranks]) & from.level_squares(&self.layout)
    }
}

/// The squares on the rank that is furthest for a colour's pawns (Meder 3.4(e)(ii), Federation 3.7): files `b c` on rank 8,
/// files `z e` on rank 9, files `a d` on rank 9 while a board overhangs that corner, else 8; mirrored for Black.
pub(crate) fn furthest(layout: &Layout, color: Color) -> StairSet {
    let corner = Corner::new(if color.is_white() { 6 } else { 1 });
    let last = |file: u8| {
        let wing = match file {
            0 | 1 => Some(Wing::Queen),
            4 | 5 => Some(Wing::King),
            _ => None,
        };
        let overhung = wing.is_some_and(|wing| layout.board_on(Pin::over(wing, corner)).is_some());
        let rank = if overhung || matches!(file, 0 | 5) {
            9
        } else {
            8
        };
        Column::try_new(file, if color.is_white() { rank } else { 9 - rank })
    };
    layout.squares_of((0..6).filter_map(last).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::Level;

    /// The tables say what the layout says, however the boards stand; all that there can be fit into what is stated above.
    #[test]
    fn tables_are_those_of_the_layout_and_bounded() {
        let pins: Vec<Pin> = Pin::all().collect();
        for n in 0..2 * PAIRS {
            let at = |n: usize| pins[n % Pin::COUNT];
            let Ok(layout) = Layout::try_new([at(n), at(n / 24), at(n / 5 + 7), at(n / 7 + 3)])
            else {
                continue;
            };
            let arrangement = Arrangement::of(&layout);
            for column in Column::all() {
                assert_eq!(arrangement.stack(column), layout.stack(column));
                for role in Role::ALL {
                    for color in Color::ALL {
                        let seen = layout.squares_of(seen_columns(color, role, column));
                        assert_eq!(arrangement.seen(color, role, column), seen);
                    }
                }
                for level in [None, Some(Level::Pin(pins[n % Pin::COUNT]))] {
                    let from = Origin {
                        file: Some(column.file()),
                        rank: Some(column.rank()).filter(|_| n % 2 == 0),
                        level,
                    };
                    let said: StairSet = from.squares(Some(&layout)).resized();
                    assert_eq!(arrangement.departures(&from), said);
                }
            }
        }
        assert!(2 * 24 * 23 * size_of::<Table>() < 6_000_000);
        assert!(24 * 23 * 22 * 21 * size_of::<Arrangement>() < 51_000_000);
    }
}
