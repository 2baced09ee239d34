//! Where the attack boards stand, and so which squares lie in which column.

use super::{
    AttackBoard, Board, Column, ColumnSet, Corner, MainBoard, Pin, StairSet, Surface, attack_board,
};
use crate::{Square, SquareSet, Wing};

/// The pins of the four attack boards, in the order of [`AttackBoard::ALL`]. No two boards share a pin.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Layout {
    pins: [Pin; 4],
    // What follows is computed from the pins when a board moves, because it is asked for with every move of a piece.
    /// Index of the column of each board's near left square.
    origins: [u8; 4],
    /// Columns in which at least one square exists now.
    existing: ColumnSet,
    /// Columns in which a square of an attack board lies.
    overhung: ColumnSet,
    /// Column of every square.
    columns: [Column; 64],
    /// The first of the [places](Layout::place) of each four squares.
    places: [u8; 16],
    /// The [tier](Layout::tier) of each four squares.
    tiers: [u8; 16],
    /// The squares of each tier.
    levels: [StairSet; 3],
}

/// Two attack boards cannot stand on one pin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LayoutError {
    /// The pin that two boards claim.
    pub pin: Pin,
}

impl std::fmt::Display for LayoutError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("two attack boards stand on one pin")
    }
}

impl std::error::Error for LayoutError {}

/// The columns the three main boards cover: files `a` to `d`, ranks 1 to 8.
const MAIN_COLUMNS: u64 = {
    let mut set = 0;
    let mut rank = 1;
    while rank <= 8 {
        set |= 0b1_1110 << (6 * rank);
        rank += 1;
    }
    set
};

/// The columns of an attack board whose near left square is in column 0.
const BOARD_COLUMNS: u64 = 0b1100_0011;

/// Column of every square of the main boards.
const MAIN_COLUMN: [Column; 48] = {
    let mut table = [Column::new(0, 0); 48];
    let mut i = 0;
    while i < 48 {
        let main = MainBoard::ALL[i / 16];
        let rank = main.near_rank() + (i % 16 / 4) as u8;
        table[i] = Column::new((i % 4) as u8 + 1, rank);
        i += 1;
    }
    table
};

/// Squares of the main boards in every column.
const MAIN_STACK: [u64; 64] = {
    let mut table = [0; 64];
    let mut i = 0;
    while i < 48 {
        table[MAIN_COLUMN[i].index()] |= 1 << i;
        i += 1;
    }
    table
};

impl Layout {
    /// The layout with the boards `QL KL ql kl` on these pins.
    ///
    /// # Errors
    /// If two boards would share a pin.
    pub fn try_new(pins: [Pin; 4]) -> Result<Self, LayoutError> {
        for (i, pin) in pins.iter().enumerate() {
            if pins[..i].contains(pin) {
                return Err(LayoutError { pin: *pin });
            }
        }
        Ok(Self::from_distinct(pins))
    }

    const fn from_distinct(pins: [Pin; 4]) -> Self {
        let mut columns = [Column::new(0, 0); 64];
        let mut i = 0;
        while i < 48 {
            columns[i] = MAIN_COLUMN[i];
            i += 1;
        }
        let (mut places, mut tiers) = ([0; 16], [0; 16]);
        let mut four = 0;
        while four < 12 {
            places[four] = 4 * four as u8;
            tiers[four] = MainBoard::ALL[four / 4].tier();
            four += 1;
        }
        let mut layout = Self {
            pins,
            origins: [0; 4],
            existing: ColumnSet::EMPTY,
            overhung: ColumnSet::EMPTY,
            columns,
            places,
            tiers,
            levels: [StairSet::EMPTY; 3],
        };
        let mut board = 0;
        while board < 4 {
            layout.put_on_pin(board);
            board += 1;
        }
        layout.cover();
        layout
    }

    /// Puts the four squares of a board where its pin is.
    const fn put_on_pin(&mut self, board: usize) {
        let origin = self.pins[board].origin().index();
        self.origins[board] = origin as u8;
        self.places[12 + board] = 48 + 4 * self.pins[board].index() as u8;
        self.tiers[12 + board] = self.pins[board].corner().main_board().tier();
        let mut i = 0;
        while i < 4 {
            // Offsets 0, 1 (near row) and 6, 7 (far row) from the near left column.
            self.columns[48 + 4 * board + i] =
                Column::from_index((origin + (i & 1) + 6 * (i >> 1)) as u8);
            i += 1;
        }
    }

    /// Index of the column of a board's near left square; below 60, and so known to be a shift.
    #[inline]
    const fn origin(&self, board: usize) -> u32 {
        (self.origins[board] & 63) as u32
    }

    const fn cover(&mut self) {
        let mut overhung = 0;
        let mut i = 0;
        while i < 4 {
            overhung |= BOARD_COLUMNS << self.origin(i);
            i += 1;
        }
        self.overhung = ColumnSet(overhung);
        let mut levels = [
            MainBoard::White.squares(),
            MainBoard::Neutral.squares(),
            MainBoard::Black.squares(),
        ];
        let mut i = 0;
        while i < 4 {
            let board = AttackBoard::ALL[i];
            levels[(self.tiers[12 + i] % 3) as usize].0[0] |= board.squares().0[0];
            i += 1;
        }
        self.levels = levels;
        self.existing = ColumnSet(MAIN_COLUMNS | overhung);
    }

    /// White's boards on pins 1 and Black's on pins 6, as every game starts; White's above or below the board.
    #[must_use]
    pub const fn start(white: Surface) -> Self {
        Self::from_distinct([
            Pin::new(Wing::Queen, Corner::new(1), white),
            Pin::new(Wing::King, Corner::new(1), white),
            Pin::over(Wing::Queen, Corner::new(6)),
            Pin::over(Wing::King, Corner::new(6)),
        ])
    }

    /// The pin a board stands on.
    #[must_use]
    #[inline]
    pub const fn pin(&self, board: AttackBoard) -> Pin {
        self.pins[board as usize]
    }

    /// The pins of all boards, in the order of [`AttackBoard::ALL`].
    #[must_use]
    pub const fn pins(&self) -> [Pin; 4] {
        self.pins
    }

    /// The board on a pin, if there is one.
    #[must_use]
    #[inline]
    pub fn board_on(&self, pin: Pin) -> Option<AttackBoard> {
        AttackBoard::ALL
            .into_iter()
            .find(|board| self.pin(*board) == pin)
    }

    /// The layout after a board has gone to another pin.
    ///
    /// # Errors
    /// If another board stands there.
    pub fn moved(&self, board: AttackBoard, to: Pin) -> Result<Self, LayoutError> {
        let mut pins = self.pins;
        pins[board as usize] = to;
        Self::try_new(pins)
    }

    /// [`Layout::moved`] for a pin that is known to be vacant.
    #[must_use]
    #[inline]
    pub const fn moved_unchecked(&self, board: AttackBoard, to: Pin) -> Self {
        let mut layout = *self;
        layout.pins[board as usize] = to;
        layout.put_on_pin(board as usize);
        layout.cover();
        layout
    }

    /// The column a square lies in now.
    #[must_use]
    #[inline]
    pub const fn column(&self, square: Square) -> Column {
        self.columns[square.index() & 63]
    }

    /// The place of a square, `0..144`: the square itself on a main board, else the pin and the corner of the board that
    /// stands on it. Unlike the square it does not say which board that is, so two boards that change places with all
    /// that stands on them leave every place as it was.
    #[must_use]
    #[inline(always)]
    pub const fn place(&self, square: Square) -> u8 {
        let index = square.index() & 63;
        self.places[index / 4] + (index % 4) as u8
    }

    /// The pins of the boards of one owner, one bit each, by their index.
    #[must_use]
    #[inline]
    pub const fn pins_of(&self, white: bool) -> u32 {
        let first = if white { 0 } else { 2 };
        1 << self.pins[first].index() | 1 << self.pins[first + 1].index()
    }

    /// Columns in which a square exists now. All others are gaps.
    #[must_use]
    #[inline]
    pub const fn existing(&self) -> ColumnSet {
        self.existing
    }

    /// The existing squares of a column, on every level.
    #[must_use]
    #[inline]
    pub const fn stack(&self, column: Column) -> StairSet {
        let attack = self.attack_squares_of(ColumnSet::of(column));
        SquareSet([MAIN_STACK[column.index() & 63] | attack.0[0]])
    }

    /// The columns in which the squares of a set lie.
    #[must_use]
    #[inline]
    pub const fn columns_of(&self, squares: StairSet) -> ColumnSet {
        let s = squares.0[0];
        // Forty bits: four files of the ranks 1 to 8, rank r at bit 4 * r.
        let plan = (s & 0xFFFF) << 4 | (s >> 16 & 0xFFFF) << 12 | (s >> 32 & 0xFFFF) << 20;
        let attack = s >> 48;
        let columns = spread(plan) | self.attack_columns(attack);
        ColumnSet(columns)
    }

    /// The columns of a set of attack-board squares, four bits for each board.
    #[inline(always)]
    const fn attack_columns(&self, attack: u64) -> u64 {
        let mut columns = 0;
        let mut i = 0;
        while i < 4 {
            let four = attack >> (4 * i) & 0xF;
            columns |= (four & 3 | (four & 12) << 4) << self.origin(i);
            i += 1;
        }
        columns
    }

    /// All existing squares of a set of columns.
    #[must_use]
    #[inline(always)]
    pub const fn squares_of(&self, columns: ColumnSet) -> StairSet {
        SquareSet([main_squares_of(columns).0[0] | self.attack_squares_of(columns).0[0]])
    }

    /// The squares of attack boards in a set of columns.
    #[inline(always)]
    const fn attack_squares_of(&self, columns: ColumnSet) -> StairSet {
        // Half of what is asked for lies on main boards alone.
        if columns.and(self.overhung).is_empty() {
            return StairSet::EMPTY;
        }
        let mut squares = 0;
        let mut i = 0;
        while i < 4 {
            let here = columns.0 >> self.origin(i);
            squares |= (here & 3 | here >> 4 & 12) << (48 + 4 * i);
            i += 1;
        }
        SquareSet([squares])
    }

    /// The square of a board in a column, if the board covers the column now.
    #[must_use]
    #[inline]
    pub const fn square(&self, board: Board, column: Column) -> Option<Square> {
        match board {
            Board::Main(main) => main.square(column),
            Board::Attack(attack) => {
                let origin = self.origin(attack as usize) as usize;
                match column.index().wrapping_sub(origin) {
                    0 => Some(attack.square(0, 0)),
                    1 => Some(attack.square(1, 0)),
                    6 => Some(attack.square(0, 1)),
                    7 => Some(attack.square(1, 1)),
                    _ => None,
                }
            }
        }
    }

    /// The tier of a square: 0, 1, 2 from the lowest main board; an attack board has the tier of the main board it
    /// stands on (seed 004, 4.4).
    #[must_use]
    #[inline]
    pub const fn tier(&self, square: Square) -> u8 {
        self.tiers[(square.index() & 63) / 4]
    }

    /// The squares of each tier, from the lowest: see [`Layout::tier`].
    #[must_use]
    #[inline]
    pub const fn tiers(&self) -> [StairSet; 3] {
        self.levels
    }

    /// The attack board a square belongs to with the pin it stands on, or `None` on the main boards.
    #[must_use]
    pub const fn attack_pin(&self, square: Square) -> Option<(AttackBoard, Pin)> {
        match attack_board(square) {
            Some(attack) => Some((attack, self.pin(attack))),
            None => None,
        }
    }
}

/// The squares of main boards in a set of columns, wherever the attack boards stand.
#[must_use]
#[inline(always)]
pub const fn main_squares_of(columns: ColumnSet) -> StairSet {
    let plan = gather(columns.0);
    SquareSet([plan >> 4 & 0xFFFF | (plan >> 12 & 0xFFFF) << 16 | (plan >> 20 & 0xFFFF) << 32])
}

/// Four rows of four bits, of groups at a distance of 24.
const FOURS: [u64; 3] = [0xFFFF, 0xFFFF << 16, 0xFFFF << 32];
/// The first pair of rows of each group, groups at a distance of 24.
const PAIRS: u64 = 0xFF | 0xFF << 24 | 0xFF << 48;
/// The first row of each pair, pairs at a distance of 12.
const ROWS: u64 = 0xF | 0xF << 12 | 0xF << 24 | 0xF << 36 | 0xF << 48;

/// Rows of four bits become rows of six: bit `4 r + f` goes to bit `6 r + f + 1`, for `r` in `0..10`. Three halvings
/// instead of ten shifts.
#[inline]
const fn spread(plan: u64) -> u64 {
    let x = plan & FOURS[0] | (plan & FOURS[1]) << 8 | (plan & FOURS[2]) << 16;
    let x = x & PAIRS | (x & PAIRS << 8) << 4;
    let x = x & ROWS | (x & ROWS << 4) << 2;
    x << 1
}

/// The inverse of [`spread`]; bits of files `z` and `e` are dropped.
#[inline(always)]
const fn gather(columns: u64) -> u64 {
    let x = columns >> 1;
    let x = x & ROWS | x >> 2 & ROWS << 4;
    let x = x & PAIRS | x >> 4 & PAIRS << 8;
    x & FOURS[0] | x >> 8 & FOURS[1] | x >> 16 & FOURS[2]
}
