//! A move as written, before a position is known: each part of a token, or nothing for what it omits.

use crate::castling::CastlingSide;
use crate::piece::Role;
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
    /// The kind of piece; `None` where the notation does not say (manual, chess3).
    pub role: Option<Role>,
    /// The square of departure, as far as written.
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
    /// The pin of arrival; for a turn in place the pin of the board.
    pub to: Pin,
    /// Whether the pins may mean the other surface of their corner: the manual numbers both pins of a corner, and
    /// under rules that know only the upper pins either number means that one.
    pub either_surface: bool,
    /// Whether the board turns by 180 degrees.
    pub turned: bool,
    /// The promotion the board move brings, if written: the square, unless it is omitted, and the new piece.
    pub promotion: Option<(Option<Coordinates>, Role)>,
}

/// A move as written: what [`Position::find`](crate::Position::find) looks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MovePattern {
    /// A piece moves.
    Piece(PiecePattern),
    /// Castling.
    Castle(CastlingSide),
    /// An attack board moves or turns.
    Board(BoardPattern),
}

impl Level {
    /// The board that is meant now, if there is one.
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
    /// That of a square, with its level: an attack board by its name.
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

    /// The one square of a place whose level is written, if it exists in the current layout (`None`: on the cube).
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

    /// The squares it can mean: one if the level is written, else one for each level; none if there is no such square now.
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

/// The square of a main board by its file and rank; these may be any numbers.
#[inline(always)]
fn on_main(main: MainBoard, file: u8, rank: u8) -> Option<Square> {
    let (file, rank) = (file.wrapping_sub(1), rank.wrapping_sub(main.near_rank()));
    if file > 3 || rank > 3 {
        return None;
    }
    Square::try_new(16 * main as u8 + 4 * rank + file)
}

impl Departure {
    /// Whether nothing is written.
    #[must_use]
    #[inline(always)]
    pub const fn is_empty(&self) -> bool {
        self.file.is_none() && self.rank.is_none() && self.level.is_none()
    }

    /// The squares that agree with what is written, in the current layout (`None`: on the cube).
    #[must_use]
    pub fn squares(&self, layout: Option<&Layout>) -> SquareSet<3> {
        match layout {
            Some(layout) => {
                let columns = STAIR_FILES.of(self.file) & STAIR_RANKS.of(self.rank);
                let squares = layout.squares_of(ColumnSet(columns));
                (squares & self.level_squares(layout)).resized()
            }
            None => {
                let flat = CUBE_FILES.of(self.file) & CUBE_RANKS.of(self.rank);
                let is_on = |level| self.level.is_none_or(|said| said == Level::Cube(level));
                SquareSet([0, 1, 2].map(|level| if is_on(level) { flat } else { 0 }))
            }
        }
    }

    /// The squares of the board that is written; all if none is.
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

/// Words to be met by a file or rank that is written: its members, every bit where none is written, none for what does not
/// exist.
pub(crate) struct Members(pub(crate) [u64; 16]);

pub(crate) const STAIR_FILES: Members = Members::new(FILES as usize, 1, RANKS as usize, 6);
pub(crate) const STAIR_RANKS: Members = Members::new(RANKS as usize, 6, FILES as usize, 1);
const CUBE_FILES: Members = Members::new(8, 1, 8, 8);
const CUBE_RANKS: Members = Members::new(8, 8, 8, 1);

impl Members {
    /// The word of what is not written.
    pub(crate) const UNSAID: usize = 15;

    /// `count` files (or ranks) of `length` members each; file `n` begins at bit `n * start`, and `step` bits lead from
    /// one member to the next.
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

    /// The number of the word of what is written or not.
    #[inline(always)]
    pub(crate) fn number(said: Option<u8>) -> usize {
        said.map_or(Self::UNSAID, |n| usize::from(n).min(14))
    }

    #[inline(always)]
    fn of(&self, said: Option<u8>) -> u64 {
        self.0[Self::number(said)]
    }
}
