//! A position as written, before a check whether it can be played.

use crate::castling::{Castling, CastlingSide};
use crate::piece::{Color, Piece};
use tridex_geometry::stair::Layout;
use tridex_geometry::{Family, Square, SquareSet};

/// The content of a position string: pieces, boards, whose turn it is, rights, counters. A `Setup` may be nonsensical;
/// [`Position::from_setup`](crate::Position::from_setup) checks whether it can be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    pieces: [Option<Piece>; Square::CAPACITY],
    /// The layout of the attack boards; `None` on the cube board.
    pub layout: Option<Layout>,
    /// Whose turn it is.
    pub turn: Color,
    /// The castling rights of both sides.
    pub castling: Castling,
    /// The square *of the pawn* that has just advanced two squares and may be captured en passant, whether or not a
    /// pawn can do so.
    pub en_passant: Option<Square>,
    /// The squares of pawns that are on a start square of their colour but are no longer unmoved (ruling moved-pawn).
    pub moved: SquareSet<3>,
    /// Moves of either side since the last capture or pawn move (ruling counts-as-progress).
    pub halfmoves: u32,
    /// The number of the move. It starts at 1 and grows after Black's moves.
    pub fullmoves: u32,
}

impl Setup {
    /// An empty stair board (if there is a layout) or cube (if not), with White to move at move 1.
    ///
    /// ```
    /// use tridex_geometry::Square;
    /// use tridex_rules::{Piece, Position, RuleSystem, Setup};
    /// let mut setup = Setup::empty(None);
    /// for (index, letter) in [(0, 'K'), (191, 'k')] {
    ///     setup.set_piece(Square::new(index), Piece::from_letter(letter));
    /// }
    /// let kings = Position::from_setup(RuleSystem::Chess3, &setup)?;
    /// assert!(kings.is_dead());
    /// # Ok::<(), tridex_rules::SetupError>(())
    /// ```
    #[must_use]
    pub const fn empty(layout: Option<Layout>) -> Self {
        Self {
            pieces: [None; Square::CAPACITY],
            layout,
            turn: Color::White,
            castling: Castling::NONE,
            en_passant: None,
            moved: SquareSet::EMPTY,
            halfmoves: 0,
            fullmoves: 1,
        }
    }

    /// The board family.
    #[must_use]
    pub const fn family(&self) -> Family {
        match self.layout {
            Some(_) => Family::Stair,
            None => Family::Cube,
        }
    }

    /// The piece on a square.
    #[must_use]
    pub const fn piece(&self, square: Square) -> Option<Piece> {
        self.pieces[square.index()]
    }

    /// Puts a piece on a square, or empties the square. On the stair board, squares from 64 on do not exist and are
    /// ignored.
    ///
    /// ```
    /// use tridex_rules::{Position, RuleSystem};
    ///
    /// let mut setup = RuleSystem::Meder.start();
    /// let king = setup.pieces().find(|(_, piece)| piece.letter() == 'K').map(|(square, _)| square);
    /// for square in king {
    ///     setup.set_piece(square, None);
    ///     assert_eq!(setup.piece(square), None);
    /// }
    /// assert!(Position::from_setup(RuleSystem::Meder, &setup).is_err());
    /// ```
    pub const fn set_piece(&mut self, square: Square, piece: Option<Piece>) {
        if square.index() < self.family().squares() {
            self.pieces[square.index()] = piece;
        }
    }

    /// All pieces with their squares, in index order.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.pieces
            .iter()
            .enumerate()
            .filter_map(|(i, piece)| Some((Square::try_new(i as u8)?, (*piece)?)))
    }
}

/// Why a [`Setup`] cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SetupError {
    /// The setup is for the other board family.
    WrongFamily,
    /// A side has no king.
    NoKing(Color),
    /// A side has more than one king.
    TwoKings(Color),
    /// The side that is not to move is in check.
    OpponentInCheck,
    /// A pawn is on a square where it would have been promoted.
    PawnOnLastRank(Square),
    /// An attack board is on a pin the rule system does not use.
    PinNotUsed(tridex_geometry::stair::Pin),
    /// There is a castling right although king, rook or board is not at home, or the system has no castling.
    Castling(Color, CastlingSide),
    /// The en passant square does not hold a pawn that can have just advanced two squares.
    EnPassant(Square),
    /// A square is listed as that of a moved pawn, but is not a start square that holds a pawn of its colour.
    Moved(Square),
    /// A counter is out of range (halfmoves up to 65,535, move number 1 to 65,535).
    Counter,
}

impl std::fmt::Display for SetupError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::WrongFamily => f.write_str("the position is of the other kind of board"),
            Self::NoKing(color) => write!(f, "{color} has no king"),
            Self::TwoKings(color) => write!(f, "{color} has more than one king"),
            Self::OpponentInCheck => {
                f.write_str("the side that is not to move has its king attacked")
            }
            Self::PawnOnLastRank(_) => {
                f.write_str("a pawn is on a square where it would have been promoted")
            }
            Self::PinNotUsed(_) => {
                f.write_str("an attack board is on a pin these rules do not use")
            }
            Self::Castling(color, _) => write!(
                f,
                "{color} cannot have that castling right: king, rook or board are not at home"
            ),
            Self::EnPassant(_) => {
                f.write_str("the en passant square does not hold a pawn that has just advanced two squares")
            }
            Self::Moved(_) => f.write_str(
                "a square in the list of moved pawns is no start square that holds a pawn of its colour",
            ),
            Self::Counter => f.write_str("a move counter is out of range"),
        }
    }
}

impl std::error::Error for SetupError {}
