//! The stair board: three main boards and four movable attack boards on a plan (the board as seen from above) of 6
//! files and 10 ranks.
//!
//! Files and ranks follow Meder's rules: files `z a b c d e` are `0..6`, ranks are `0..10` (Meder, Articles E1 and E2).
//! Other notations label the same grid differently.
//!
//! The index of a [`Square`] is `0..16` on White's board, `16..32` on the Neutral board and `32..48` on Black's board,
//! in each case from the near rank and from file `a`, four squares a rank. The attack boards are `48..64`, in the order
//! of [`AttackBoard::ALL`], four squares each: near left, near right, far left, far right.
//!
//! ```
//! use tridex_geometry::stair::{AttackBoard, Board, Layout, MainBoard, Surface, board};
//!
//! let layout = Layout::start(Surface::Over);
//! let square = AttackBoard::BlackKing.square(0, 0);
//! assert_eq!(board(square), Board::Attack(AttackBoard::BlackKing));
//! let column = layout.column(square);
//! assert_eq!((column.file(), column.rank()), (4, 8), "file d, rank 8 in Meder's notation");
//! assert_eq!(MainBoard::Black.square(column).map(board), Some(Board::Main(MainBoard::Black)));
//! ```

mod columns;
mod layout;
mod lines;
mod pin;

pub use columns::{Column, ColumnSet, ColumnSetIter};
pub use layout::{Layout, LayoutError, main_squares_of};
pub use lines::{
    Direction, between, diagonals, is_cut_off, king_steps, knight_steps, orthogonals, reach,
};
pub use pin::{
    Corner, Pin, Surface, adjacent_any_surface, adjacent_over, is_adjacent_any_surface,
    is_adjacent_over,
};

use crate::{Shade, Square, SquareSet, Wing};

/// The number of squares of the stair board, in every layout.
pub const SQUARES: usize = 64;
/// The number of files of the plan.
pub const FILES: u8 = 6;
/// The number of ranks of the plan.
pub const RANKS: u8 = 10;

/// A set of stair squares.
pub type StairSet = SquareSet<1>;

/// Returns the corresponding square of the other side: the same file on the corresponding board, with the ranks
/// reversed.
///
/// ```
/// use tridex_geometry::stair::{AttackBoard, mirrored};
///
/// let near = AttackBoard::WhiteKing.square(1, 0);
/// assert_eq!(mirrored(near), AttackBoard::BlackKing.square(1, 1));
/// assert_eq!(mirrored(mirrored(near)), near);
/// ```
#[must_use]
pub const fn mirrored(square: Square) -> Square {
    let index = square.index() as u8;
    if index < 48 {
        // Reverse the ranks of the three boards together. Files stay.
        Square::new((11 - index / 4) * 4 + index % 4)
    } else {
        // The other owner's board, with its near and far rows exchanged.
        Square::new((index ^ 8) ^ 2)
    }
}

/// One of the three fixed boards.
///
/// ```
/// use tridex_geometry::stair::{Column, MainBoard};
///
/// let neutral = MainBoard::Neutral;
/// assert_eq!((neutral.near_rank(), neutral.tier()), (3, 1));
/// assert_eq!(neutral.squares().count(), 16);
/// assert_eq!(neutral.square(Column::new(1, 7)), None, "the Neutral board has the ranks 3 to 6");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MainBoard {
    /// White's board, ranks 1 to 4.
    White,
    /// The Neutral board, ranks 3 to 6.
    Neutral,
    /// Black's board, ranks 5 to 8.
    Black,
}

impl MainBoard {
    /// The three boards, the lowest first.
    pub const ALL: [Self; 3] = [Self::White, Self::Neutral, Self::Black];

    /// The rank nearest to White, in Meder's numbering.
    #[must_use]
    #[inline]
    pub const fn near_rank(self) -> u8 {
        2 * self as u8 + 1
    }

    /// The height of the board: 0, 1, 2 from the lowest. An attack board has the tier of the main board that its pin
    /// belongs to (WTDCF 4.4).
    #[must_use]
    pub const fn tier(self) -> u8 {
        self as u8
    }

    /// The sixteen squares of the board.
    #[must_use]
    pub const fn squares(self) -> StairSet {
        SquareSet([0xFFFF << (16 * self as u32)])
    }

    /// The square of this board in a column, or `None` if the board does not cover the column.
    #[must_use]
    #[inline]
    pub const fn square(self, column: Column) -> Option<Square> {
        let (file, rank) = (column.file(), column.rank());
        let near = self.near_rank();
        if file < 1 || file > 4 || rank < near || rank > near + 3 {
            return None;
        }
        Square::try_new(16 * self as u8 + 4 * (rank - near) + file - 1)
    }
}

/// One of the four attack boards, named after its owner and its side at the start. The name stays when the board moves.
///
/// ```
/// use tridex_geometry::Wing;
/// use tridex_geometry::stair::AttackBoard;
///
/// let board = AttackBoard::of(false, Wing::Queen);
/// assert_eq!(board, AttackBoard::BlackQueen);
/// assert!(!board.is_white());
/// assert_eq!(board.squares().first(), Some(board.square(0, 0)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AttackBoard {
    /// White's queen's-side board (`QL`).
    WhiteQueen,
    /// White's king's-side board (`KL`).
    WhiteKing,
    /// Black's queen's-side board (`ql`).
    BlackQueen,
    /// Black's king's-side board (`kl`).
    BlackKing,
}

impl AttackBoard {
    /// The four boards in the order of their squares.
    pub const ALL: [Self; 4] = [
        Self::WhiteQueen,
        Self::WhiteKing,
        Self::BlackQueen,
        Self::BlackKing,
    ];

    /// Whether the board is White's.
    #[must_use]
    pub const fn is_white(self) -> bool {
        (self as u8) < 2
    }

    /// The side the board starts on.
    #[must_use]
    pub const fn wing(self) -> Wing {
        if self as u8 & 1 == 0 {
            Wing::Queen
        } else {
            Wing::King
        }
    }

    /// The attack board of an owner and a side.
    #[must_use]
    pub const fn of(white: bool, wing: Wing) -> Self {
        match (white, wing) {
            (true, Wing::Queen) => Self::WhiteQueen,
            (true, Wing::King) => Self::WhiteKing,
            (false, Wing::Queen) => Self::BlackQueen,
            (false, Wing::King) => Self::BlackKing,
        }
    }

    /// The four squares of the board.
    #[must_use]
    #[inline]
    pub const fn squares(self) -> StairSet {
        SquareSet([0xF << (48 + 4 * self as u32)])
    }

    /// The square `dx` files and `dy` ranks from the near left square of the board. Both are 0 or 1.
    #[must_use]
    #[inline]
    pub const fn square(self, dx: u8, dy: u8) -> Square {
        Square::new(48 + 4 * self as u8 + 2 * (dy & 1) + (dx & 1))
    }

    /// The square of a piece on this board after the board has been turned by 180 degrees: `(dx, dy)` becomes `(1 - dx,
    /// 1 - dy)`. Squares of other boards do not change.
    ///
    /// ```
    /// use tridex_geometry::stair::AttackBoard;
    ///
    /// let board = AttackBoard::WhiteKing;
    /// assert_eq!(board.turned(board.square(0, 1)), board.square(1, 0));
    /// assert_eq!(AttackBoard::WhiteQueen.turned(board.square(0, 1)), board.square(0, 1));
    /// ```
    #[must_use]
    #[inline]
    pub fn turned(self, square: Square) -> Square {
        if self.squares().contains(square) {
            Square::new(square.index() as u8 ^ 3)
        } else {
            square
        }
    }
}

/// The board a square belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Board {
    /// A fixed board.
    Main(MainBoard),
    /// A movable board.
    Attack(AttackBoard),
}

/// The board of a stair square.
#[must_use]
#[inline]
pub const fn board(square: Square) -> Board {
    let index = square.index();
    if index < 16 {
        Board::Main(MainBoard::White)
    } else if index < 32 {
        Board::Main(MainBoard::Neutral)
    } else if index < 48 {
        Board::Main(MainBoard::Black)
    } else {
        Board::Attack(AttackBoard::ALL[(index - 48) / 4 % 4])
    }
}

/// The attack board a square belongs to, or `None` for a square of a fixed board.
///
/// ```
/// use tridex_geometry::stair::{AttackBoard, attack_board};
/// use tridex_geometry::Square;
///
/// assert_eq!(attack_board(Square::new(52)), Some(AttackBoard::WhiteKing));
/// assert_eq!(attack_board(Square::new(0)), None);
/// ```
#[must_use]
#[inline]
pub const fn attack_board(square: Square) -> Option<AttackBoard> {
    match board(square) {
        Board::Attack(board) => Some(board),
        Board::Main(_) => None,
    }
}

/// The colour of a column and of every square in it: dark if file + rank is even (`a1` is dark). Moves and turns of
/// attack boards do not change the colour of a square.
///
/// ```
/// use tridex_geometry::{Shade, stair};
///
/// assert_eq!(stair::shade(stair::Column::new(1, 1)), Shade::Dark);
/// assert_eq!(stair::shade(stair::Column::new(0, 1)), Shade::Light);
/// ```
#[must_use]
pub const fn shade(column: Column) -> Shade {
    if (column.file() + column.rank()).is_multiple_of(2) {
        Shade::Dark
    } else {
        Shade::Light
    }
}

#[cfg(test)]
mod tests;
