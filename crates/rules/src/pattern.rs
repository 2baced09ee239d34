//! A move as written, independent of a position. What a token omits is `None`.

use crate::castling::CastlingSide;
use crate::piece::{Color, Role};
use crate::state::origin_row;
use tridex_geometry::stair::{
    AttackBoard, Board, Column, ColumnSet, FILES, Layout, MainBoard, Pin, RANKS, StairSet, board,
};
use tridex_geometry::{Square, SquareSet, cube};

/// How the height of a square is named.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// A main board.
    Main(MainBoard),
    /// An attack board by its pin (Meder).
    Pin(Pin),
    /// An attack board by its name (manual).
    Attack(AttackBoard),
    /// A level of the cube, `0..3`.
    Cube(u8),
}

/// A square as written: file and rank of the family's grid (stair: `0..6`, `0..10` in Meder's counting; cube: `0..8`
/// each), and the level unless it was omitted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Coordinates {
    /// The file.
    pub file: u8,
    /// The rank.
    pub rank: u8,
    /// The level, if written.
    pub level: Option<Level>,
}

/// A square of departure as written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Departure {
    /// The file, if written.
    pub file: Option<u8>,
    /// The rank, if written.
    pub rank: Option<u8>,
    /// The level, if written.
    pub level: Option<Level>,
}

/// A move of a piece as written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PiecePattern {
    /// The kind of piece; `None` if the notation does not write it (manual, chess3).
    pub role: Option<Role>,
    /// The part of the square of departure that is written.
    pub from: Departure,
    /// The square of arrival.
    pub to: Coordinates,
    /// What the pawn becomes, if written.
    pub promotion: Option<Role>,
}

/// A move of an attack board as written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BoardPattern {
    /// The pin of departure, if written.
    pub from: Option<Pin>,
    /// The pin of arrival. For a turn in place, the pin that the board is on.
    pub to: Pin,
    /// Whether a pin may mean the other surface of its corner. The manual numbers both pins of a corner, and under
    /// rules that use only the upper pins either number means the upper one.
    pub either_surface: bool,
    /// Whether the board turns by 180 degrees.
    pub turned: bool,
    /// The promotion by this move, if written: the square, unless it is omitted, and the new piece.
    pub promotion: Option<(Option<Coordinates>, Role)>,
}

/// A move as written: the input of [`Position::find`](crate::Position::find), inside a [`WrittenMove`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MovePattern {
    /// A piece moves.
    Piece(PiecePattern),
    /// Castling.
    Castle(CastlingSide),
    /// An attack board moves or turns.
    Board(BoardPattern),
}

/// A move as written, whether it captures, and its precomputed indices into the tables of
/// [`Position::find`](crate::Position::find). Convert a token that occurs often only once.
///
/// ```
/// use tridex_rules::{CastlingSide, MovePattern, Position, RuleSystem, WrittenMove};
/// let castles = WrittenMove::new(MovePattern::Castle(CastlingSide::King), false);
/// assert!(matches!(castles.pattern(), MovePattern::Castle(_)) && !castles.captures());
/// assert!(Position::start(RuleSystem::Meder).find(&castles).one().is_none());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct WrittenMove {
    pub(crate) pattern: MovePattern,
    pub(crate) captures: bool,
    /// The kind of piece, if written.
    pub(crate) role: Option<Role>,
    /// By colour: the row of the table with the squares that the kind of piece can come from.
    pub(crate) rows: [u8; 2],
    /// The [number](Coordinates::number) of the square of arrival. [`NOWHERE`] if the move cannot be found by that
    /// alone: castling, moves of boards, promotions, and squares without a level.
    pub(crate) to: u16,
    /// The [number](Departure::number) of the departure. If no kind of piece is written, the number of its
    /// [square](Coordinates::number).
    pub(crate) from: u16,
}

impl WrittenMove {
    /// A written move, and whether it is written as a capture.
    #[must_use]
    #[inline]
    pub fn new(pattern: MovePattern, captures: bool) -> Self {
        let mut written = Self {
            pattern,
            captures,
            role: None,
            rows: [0; 2],
            to: NOWHERE,
            from: NOWHERE,
        };
        if let MovePattern::Piece(PiecePattern {
            role,
            from,
            to,
            promotion: None,
        }) = pattern
        {
            written.to = to.number();
            written.role = role;
            if let Some(role) = role {
                written.rows = Color::ALL.map(|color| origin_row(color, role, captures) as u8);
                written.from = from.number();
            } else if let Departure {
                file: Some(file),
                rank: Some(rank),
                level,
            } = from
            {
                written.from = Coordinates { file, rank, level }.number();
            }
        }
        written
    }

    /// What moves, and where.
    #[must_use]
    pub const fn pattern(&self) -> &MovePattern {
        &self.pattern
    }

    /// Whether it captures.
    #[must_use]
    pub const fn captures(&self) -> bool {
        self.captures
    }
}

/// The number of a level in tables of squares, below 64.
pub(crate) const fn level_number(level: Option<Level>) -> usize {
    match level {
        Some(Level::Cube(level)) if level < cube::LEVELS => level as usize,
        Some(Level::Cube(_)) => NOTHING,
        Some(Level::Pin(pin)) => PINS + pin.index(),
        Some(Level::Main(main)) => MAINS + main as usize,
        Some(Level::Attack(attack)) => ATTACKS + attack as usize,
        None => ANYWHERE,
    }
}

const PINS: usize = cube::LEVELS as usize;
const MAINS: usize = PINS + Pin::COUNT;
const ATTACKS: usize = MAINS + 3;
const NOTHING: usize = ATTACKS + 4;
const ANYWHERE: usize = 63;
/// The number of a square that does not exist.
const NOWHERE: u16 = 64 * NOTHING as u16;

impl Level {
    /// The board that this means in a layout, if there is one.
    #[inline]
    pub fn board(self, layout: &Layout) -> Option<Board> {
        match self {
            Self::Main(main) => Some(Board::Main(main)),
            Self::Pin(pin) => layout.board_on(pin).map(Board::Attack),
            Self::Attack(attack) => Some(Board::Attack(attack)),
            Self::Cube(_) => None,
        }
    }
}

impl Coordinates {
    /// The coordinates of a square, with its level. An attack board is given by its name, not by its pin.
    ///
    /// ```
    /// use tridex_geometry::Square;
    /// use tridex_rules::{Coordinates, Level};
    /// let corner = Coordinates::of(Square::new(0), None);
    /// assert_eq!((corner.file, corner.rank, corner.level), (0, 0, Some(Level::Cube(0))));
    /// assert_eq!(corner.square(None), Some(Square::new(0)));
    /// ```
    #[must_use]
    pub fn of(square: Square, layout: Option<&Layout>) -> Self {
        let (file, rank, level) = match layout {
            None => (
                cube::file(square),
                cube::rank(square),
                Level::Cube(cube::level(square)),
            ),
            Some(layout) => {
                let column = layout.column(square);
                let level = match board(square) {
                    Board::Main(main) => Level::Main(main),
                    Board::Attack(attack) => Level::Attack(attack),
                };
                (column.file(), column.rank(), level)
            }
        };
        Self {
            file,
            rank,
            level: Some(level),
        }
    }

    /// The square that coordinates with a level mean, if it exists in the current layout (`None`: on the cube).
    #[inline(always)]
    pub fn square(&self, layout: Option<&Layout>) -> Option<Square> {
        match (layout, self.level?) {
            (None, Level::Cube(level)) => cube::try_square(level, self.file, self.rank),
            (Some(_), Level::Main(main)) => on_main(main, self.file, self.rank),
            (Some(layout), level) => {
                let board = level.board(layout)?;
                layout.square(board, Column::try_new(self.file, self.rank)?)
            }
            (None, _) => None,
        }
    }

    /// A number for tables: 64 times the [`level_number`], plus the index of the column on the stair board or of the
    /// square within its level on the cube.
    pub(crate) fn number(self) -> u16 {
        let within = match self.level {
            None => None,
            Some(Level::Cube(level)) => {
                let square = cube::try_square(level, self.file, self.rank);
                square.map(|square| square.index() & 63)
            }
            Some(_) => Column::try_new(self.file, self.rank).map(Column::index),
        };
        within.map_or(NOWHERE, |within| {
            (64 * level_number(self.level) + within) as u16
        })
    }

    /// The squares that this can mean. If the level is written, there is at most one; else every level can have one.
    ///
    /// ```
    /// use tridex_rules::Coordinates;
    /// // Without a level any of the cube's three can be meant.
    /// let anywhere = Coordinates { file: 4, rank: 3, level: None };
    /// assert_eq!(anywhere.squares(None).count(), 3);
    /// ```
    #[must_use]
    pub fn squares(&self, layout: Option<&Layout>) -> SquareSet<3> {
        if self.level.is_some() {
            return self.square(layout).map_or(SquareSet::EMPTY, SquareSet::of);
        }
        match layout {
            Some(layout) => Column::try_new(self.file, self.rank)
                .map_or(SquareSet::EMPTY, |column| layout.stack(column).resized()),
            None => (0..cube::LEVELS)
                .filter_map(|level| cube::try_square(level, self.file, self.rank))
                .collect(),
        }
    }
}

/// The square of a main board by its file and rank, which may be out of range.
#[inline(always)]
fn on_main(main: MainBoard, file: u8, rank: u8) -> Option<Square> {
    let (file, rank) = (file.wrapping_sub(1), rank.wrapping_sub(main.near_rank()));
    if file > 3 || rank > 3 {
        return None;
    }
    Square::try_new(16 * main as u8 + 4 * rank + file)
}

impl Departure {
    /// The [number](Departure::number) if nothing is written.
    pub(crate) const ANY: u16 = ((ANYWHERE << 8) | (17 * Members::UNSAID)) as u16;

    /// A number for tables: the [`level_number`] from bit 8 on, the rank in bits 4 to 7, the file in bits 0 to 3.
    pub(crate) fn number(&self) -> u16 {
        let [file, rank] = [self.file, self.rank].map(Members::number);
        (level_number(self.level) << 8 | rank << 4 | file) as u16
    }

    /// The squares of the cube that a [number](Departure::number) means.
    #[inline]
    pub(crate) fn on_cube(number: u16) -> SquareSet<3> {
        let number = usize::from(number);
        let flat = CUBE_FILES.0[number & 15] & CUBE_RANKS.0[number >> 4 & 15];
        let is_on = |level| number >> 8 == level || number >> 8 == ANYWHERE;
        SquareSet([0, 1, 2].map(|level| if is_on(level) { flat } else { 0 }))
    }

    /// The squares that fit what is written, in the current layout (`None`: on the cube).
    #[must_use]
    pub fn squares(&self, layout: Option<&Layout>) -> SquareSet<3> {
        match layout {
            Some(layout) => {
                let columns = STAIR_FILES.of(self.file) & STAIR_RANKS.of(self.rank);
                let squares = layout.squares_of(ColumnSet(columns));
                (squares & self.level_squares(layout)).resized()
            }
            None => Self::on_cube(self.number()),
        }
    }

    /// The squares of the board that is written, or all squares if none is.
    fn level_squares(&self, layout: &Layout) -> StairSet {
        let Some(level) = self.level else {
            return SquareSet::FULL;
        };
        match level.board(layout) {
            None => SquareSet::EMPTY,
            Some(Board::Main(main)) => main.squares(),
            Some(Board::Attack(attack)) => attack.squares(),
        }
    }
}

/// For each file or rank that can be written, the bits of its members. All bits if none is written, and no bits for a
/// file or rank that does not exist.
pub(crate) struct Members(pub(crate) [u64; 16]);

pub(crate) const STAIR_FILES: Members = Members::new(FILES as usize, 1, RANKS as usize, 6);
pub(crate) const STAIR_RANKS: Members = Members::new(RANKS as usize, 6, FILES as usize, 1);
const CUBE_FILES: Members = Members::new(8, 1, 8, 8);
const CUBE_RANKS: Members = Members::new(8, 8, 8, 1);

impl Members {
    /// The index if no file or rank is written.
    pub(crate) const UNSAID: usize = 15;

    /// `count` files (or ranks) with `length` members each. File `n` begins at bit `n * start`, and its members are
    /// `step` bits apart.
    const fn new(count: usize, start: usize, length: usize, step: usize) -> Self {
        let mut words = [0; 16];
        let mut n = 0;
        while n < count {
            let mut i = 0;
            while i < length {
                words[n] |= 1 << (n * start + i * step);
                i += 1;
            }
            n += 1;
        }
        words[Self::UNSAID] = u64::MAX;
        Self(words)
    }

    /// The index of the word for a file or rank, written or not.
    #[inline(always)]
    pub(crate) fn number(said: Option<u8>) -> usize {
        said.map_or(Self::UNSAID, |n| usize::from(n).min(14))
    }

    #[inline(always)]
    fn of(&self, said: Option<u8>) -> u64 {
        self.0[Self::number(said)]
    }
}
