//! The layout: the pins of the attack boards, which determine the column of every square.

use super::{
    AttackBoard, Board, Column, ColumnSet, Corner, MainBoard, Pin, StairSet, Surface, attack_board,
};
use crate::{Square, SquareSet, Wing};

/// The pins of the four attack boards, in the order of [`AttackBoard::ALL`]. No two boards share a pin.
///
/// ```
/// use tridex_geometry::Wing;
/// use tridex_geometry::stair::{AttackBoard, Column, Corner, Layout, Pin, Surface};
///
/// let layout = Layout::start(Surface::Over);
/// let pin = Pin::over(Wing::Queen, Corner::new(1));
/// assert_eq!(layout.pin(AttackBoard::WhiteQueen), pin);
/// assert_eq!(layout.board_on(pin), Some(AttackBoard::WhiteQueen));
///
/// // Between the attack boards the plan has gaps: columns without a square.
/// assert!(layout.existing().contains(Column::new(0, 0)));
/// assert!(!layout.existing().contains(Column::new(0, 2)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Layout {
    pins: [Pin; 4],
    // The other fields are derived from the pins and updated when a board moves, because every move of a piece needs
    // them.
    /// Index of the column of each board's near left square.
    origins: [u8; 4],
    /// Columns in which at least one square exists in this layout.
    existing: ColumnSet,
    /// Columns with a square of an attack board.
    overhung: ColumnSet,
    /// Column of every square.
    columns: [Column; 64],
    /// For each group of four squares, the [place](Layout::place) of the first one.
    places: [u8; 16],
    /// For each group of four squares, their common [tier](Layout::tier).
    tiers: [u8; 16],
    /// The squares of each tier.
    levels: [StairSet; 3],
}

/// The error if two attack boards are on one pin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LayoutError {
    /// The pin that two boards share.
    pub pin: Pin,
}

impl std::fmt::Display for LayoutError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("two attack boards are on the same pin")
    }
}

impl std::error::Error for LayoutError {}

/// The columns that the three main boards cover: files `a` to `d`, ranks 1 to 8.
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

impl Layout {
    /// The layout with the boards `QL KL ql kl` on these pins.
    ///
    /// ```
    /// use tridex_geometry::stair::{Layout, Surface};
    ///
    /// let pins = Layout::start(Surface::Over).pins();
    /// assert_eq!(Layout::try_new(pins), Ok(Layout::start(Surface::Over)));
    /// assert_eq!(Layout::try_new([pins[0]; 4]).map_err(|error| error.pin), Err(pins[0]));
    /// ```
    ///
    /// # Errors
    /// If two boards are on one pin.
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

    /// Computes the columns, places and tiers of the four squares of a board from its pin.
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

    /// Index of the column of a board's near left square. It is below 60; the mask lets the compiler see that it is a
    /// valid shift.
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

    /// The layout at the start of a game: White's boards on the pins of corner 1, above or below the main board
    /// (`white`), and Black's above corner 6.
    ///
    /// ```
    /// use tridex_geometry::stair::{AttackBoard, Layout, Surface};
    ///
    /// let pin = Layout::start(Surface::Under).pin(AttackBoard::WhiteKing);
    /// assert_eq!((pin.corner().number(), pin.surface()), (1, Surface::Under));
    /// ```
    #[must_use]
    pub const fn start(white: Surface) -> Self {
        Self::from_distinct([
            Pin::new(Wing::Queen, Corner::new(1), white),
            Pin::new(Wing::King, Corner::new(1), white),
            Pin::over(Wing::Queen, Corner::new(6)),
            Pin::over(Wing::King, Corner::new(6)),
        ])
    }

    /// The pin of a board.
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

    /// The layout after a board has moved to another pin. See also [`Layout::moved_unchecked`].
    ///
    /// ```
    /// use tridex_geometry::Wing;
    /// use tridex_geometry::stair::{AttackBoard, Corner, Layout, Pin, Surface};
    ///
    /// let start = Layout::start(Surface::Over);
    /// let kl2 = Pin::over(Wing::King, Corner::new(2));
    /// let moved = start.moved(AttackBoard::WhiteKing, kl2)?;
    /// assert_eq!(moved.pin(AttackBoard::WhiteKing), kl2);
    /// assert!(moved.moved(AttackBoard::WhiteQueen, kl2).is_err());
    /// # Ok::<(), tridex_geometry::stair::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// If another board is on the pin.
    pub fn moved(&self, board: AttackBoard, to: Pin) -> Result<Self, LayoutError> {
        let mut pins = self.pins;
        pins[board as usize] = to;
        Self::try_new(pins)
    }

    /// Like [`Layout::moved`], but without the check: no other board may be on the pin.
    #[must_use]
    #[inline]
    pub const fn moved_unchecked(&self, board: AttackBoard, to: Pin) -> Self {
        let mut layout = *self;
        layout.pins[board as usize] = to;
        layout.put_on_pin(board as usize);
        layout.cover();
        layout
    }

    /// The column of a square in this layout.
    ///
    /// ```
    /// use tridex_geometry::stair::{AttackBoard, Column, Layout, Surface};
    ///
    /// let layout = Layout::start(Surface::Over);
    /// assert_eq!(layout.column(AttackBoard::WhiteQueen.square(1, 1)), Column::new(1, 1));
    /// ```
    #[must_use]
    #[inline]
    pub const fn column(&self, square: Square) -> Column {
        self.columns[square.index() & 63]
    }

    /// The place of a square, `0..144`. On a main board it is the index of the square. On an attack board it is a
    /// number for the pin and the corner of the board. Unlike the square, the place does not depend on which board is
    /// on the pin: if two boards with the same pieces swap pins, the places of the pieces stay the same.
    ///
    /// ```
    /// use tridex_geometry::stair::{AttackBoard, Layout, Surface};
    ///
    /// let start = Layout::start(Surface::Over);
    /// let [a, b, c, d] = start.pins();
    /// let swapped = Layout::try_new([b, a, c, d])?;
    /// let (queen, king) = (AttackBoard::WhiteQueen.square(0, 1), AttackBoard::WhiteKing.square(0, 1));
    /// assert_eq!(start.place(queen), swapped.place(king));
    /// # Ok::<(), tridex_geometry::stair::LayoutError>(())
    /// ```
    #[must_use]
    #[inline]
    pub const fn place(&self, square: Square) -> u8 {
        let index = square.index() & 63;
        self.places[index / 4] + (index % 4) as u8
    }

    /// The pins of the boards of one owner, one bit for each [`Pin::index`].
    #[must_use]
    #[inline]
    pub const fn pins_of(&self, white: bool) -> u32 {
        let first = if white { 0 } else { 2 };
        1 << self.pins[first].index() | 1 << self.pins[first + 1].index()
    }

    /// The columns with at least one square in this layout. All others are gaps.
    #[must_use]
    #[inline]
    pub const fn existing(&self) -> ColumnSet {
        self.existing
    }

    /// The squares in a column, on every level.
    ///
    /// ```
    /// use tridex_geometry::stair::{Column, Layout, Surface};
    ///
    /// // a1: on White's board, and above it on White's queen's attack board.
    /// let layout = Layout::start(Surface::Over);
    /// assert_eq!(layout.stack(Column::new(1, 1)).count(), 2);
    /// ```
    #[must_use]
    #[inline]
    pub const fn stack(&self, column: Column) -> StairSet {
        self.squares_of(ColumnSet::of(column))
    }

    /// The columns of a set of squares. [`Layout::squares_of`] is the reverse.
    #[must_use]
    #[inline]
    pub const fn columns_of(&self, squares: StairSet) -> ColumnSet {
        let s = squares.0[0];
        // Forty bits: files `a` to `d` of rank r start at bit 4 * r. Only ranks 1 to 8 are set.
        let plan = (s & 0xFFFF) << 4 | (s >> 16 & 0xFFFF) << 12 | (s >> 32 & 0xFFFF) << 20;
        let attack = s >> 48;
        let columns = spread(plan) | self.attack_columns(attack);
        ColumnSet(columns)
    }

    /// The columns of a set of attack-board squares, four bits for each board.
    #[inline]
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

    /// All squares in a set of columns.
    ///
    /// ```
    /// use tridex_geometry::stair::{Layout, StairSet, Surface};
    ///
    /// let layout = Layout::start(Surface::Over);
    /// assert_eq!(layout.squares_of(layout.existing()), StairSet::FULL);
    /// assert_eq!(layout.columns_of(StairSet::FULL), layout.existing());
    /// ```
    #[must_use]
    #[inline]
    pub const fn squares_of(&self, columns: ColumnSet) -> StairSet {
        SquareSet([main_squares_of(columns).0[0] | self.attack_squares_of(columns).0[0]])
    }

    /// The squares of attack boards in a set of columns.
    #[inline]
    const fn attack_squares_of(&self, columns: ColumnSet) -> StairSet {
        // Half of the calls are for columns that no attack board covers.
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

    /// The square of a board in a column, if the board covers the column in this layout.
    ///
    /// ```
    /// use tridex_geometry::stair::{AttackBoard, Board, Column, Layout, Surface};
    ///
    /// let layout = Layout::start(Surface::Over);
    /// let board = AttackBoard::WhiteKing;
    /// assert_eq!(layout.square(Board::Attack(board), Column::new(5, 0)), Some(board.square(1, 0)));
    /// assert_eq!(layout.square(Board::Attack(board), Column::new(0, 0)), None);
    /// ```
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

    /// The tier of a square: 0, 1 or 2 from the lowest main board. An attack board has the tier of the main board that
    /// its pin belongs to (WTDCF 4.4).
    #[must_use]
    #[inline]
    pub const fn tier(&self, square: Square) -> u8 {
        self.tiers[(square.index() & 63) / 4]
    }

    /// The squares of each [tier](Layout::tier), from the lowest.
    #[must_use]
    #[inline]
    pub const fn tiers(&self) -> [StairSet; 3] {
        self.levels
    }

    /// The attack board that a square belongs to and the pin of that board, or `None` on the main boards.
    ///
    /// ```
    /// use tridex_geometry::stair::{AttackBoard, Layout, Surface};
    ///
    /// let layout = Layout::start(Surface::Over);
    /// let board = AttackBoard::WhiteQueen;
    /// for square in board.squares() {
    ///     assert_eq!(layout.attack_pin(square), Some((board, layout.pin(board))));
    /// }
    /// assert_eq!(layout.pins_of(board.is_white()).count_ones(), 2);
    /// assert_eq!(layout.pin(board).wing(), board.wing());
    /// assert!(layout.tiers().iter().all(|tier| !tier.is_empty()));
    /// ```
    #[must_use]
    pub const fn attack_pin(&self, square: Square) -> Option<(AttackBoard, Pin)> {
        match attack_board(square) {
            Some(attack) => Some((attack, self.pin(attack))),
            None => None,
        }
    }
}

/// The squares of main boards in a set of columns, in every layout.
///
/// ```
/// use tridex_geometry::stair::{Column, ColumnSet, main_squares_of};
///
/// assert_eq!(main_squares_of(ColumnSet::of(Column::new(2, 4))).count(), 2);
/// assert!(main_squares_of(ColumnSet::of(Column::new(0, 0))).is_empty());
/// ```
#[must_use]
#[inline]
pub const fn main_squares_of(columns: ColumnSet) -> StairSet {
    let plan = gather(columns.0);
    SquareSet([plan >> 4 & 0xFFFF | (plan >> 12 & 0xFFFF) << 16 | (plan >> 20 & 0xFFFF) << 32])
}

/// Three groups of four packed rows. A row has four bits. [`spread`] moves the groups to a distance of 24 bits.
const FOURS: [u64; 3] = [0xFFFF, 0xFFFF << 16, 0xFFFF << 32];
/// The first two rows of each group, once the groups are 24 bits apart.
const PAIRS: u64 = 0xFF | 0xFF << 24 | 0xFF << 48;
/// The first row of each pair, once the pairs are 12 bits apart.
const ROWS: u64 = 0xF | 0xF << 12 | 0xF << 24 | 0xF << 36 | 0xF << 48;

/// Spreads rows of four bits to rows of six: bit `4 r + f` goes to bit `6 r + f + 1`, for `r` in `0..10`. Each line of
/// the code halves the groups it moves, which takes three steps instead of ten shifts.
#[inline]
const fn spread(plan: u64) -> u64 {
    let x = plan & FOURS[0] | (plan & FOURS[1]) << 8 | (plan & FOURS[2]) << 16;
    let x = x & PAIRS | (x & PAIRS << 8) << 4;
    let x = x & ROWS | (x & ROWS << 4) << 2;
    x << 1
}

/// The inverse of [`spread`]; bits of files `z` and `e` are dropped.
#[inline]
const fn gather(columns: u64) -> u64 {
    let x = columns >> 1;
    let x = x & ROWS | x >> 2 & ROWS << 4;
    let x = x & PAIRS | x >> 4 & PAIRS << 8;
    x & FOURS[0] | x >> 8 & FOURS[1] | x >> 16 & FOURS[2]
}
