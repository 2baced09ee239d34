//! The plain data of a position.

use crate::castling::Castling;
use crate::key::{self, KeyCell};
use crate::material::Men;
use crate::piece::{Color, Piece, Role};
use crate::pieces::Pieces;
use tridex_geometry::stair::{AttackBoard, Pin, StairSet};
use tridex_geometry::{Square, SquareSet};

/// A position as plain data, small enough to copy cheaply. `W` is the number of words in a set of squares, `B` the
/// state specific to the board family.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct State<const W: usize, B> {
    pub(crate) roles: [SquareSet<W>; 6],
    pub(crate) colors: [SquareSet<W>; 2],
    pub(crate) boards: B,
    /// Start squares of pawns that have never left them (ruling moved-pawn).
    pub(crate) unmoved: SquareSet<W>,
    /// Key of pieces and pins, updated with every change.
    pub(crate) placement: u64,
    pub(crate) kings: [Square; 2],
    pub(crate) turn: Color,
    pub(crate) castling: Castling,
    pub(crate) en_passant: Option<Square>,
    pub(crate) halfmoves: u16,
    pub(crate) fullmoves: u16,
    /// Whether the king of the side to move is attacked.
    pub(crate) check: bool,
}

/// State specific to one board family, which maps a square to its [`KeyCell`].
pub(crate) trait BoardPart {
    /// The [`KeyCell`] of a square in the current layout.
    fn key_cell(&self, square: Square) -> KeyCell;
    /// Moves an attack board to a pin and returns the change of the placement key.
    fn set_pin(&mut self, board: AttackBoard, to: Pin) -> u64;
}

impl<const W: usize, B: BoardPart> State<W, B> {
    /// The [`KeyCell`] of a square in the current layout.
    #[inline(always)]
    pub(crate) fn key_cell(&self, square: Square) -> KeyCell {
        self.boards.key_cell(square)
    }

    /// What White and Black have besides their kings.
    pub(crate) fn men(&self) -> [Men; 2] {
        self.colors.map(|held| {
            let men = held.minus(self.roles[Role::King as usize]);
            match men.first() {
                None => Men::None,
                Some(_) if men.more_than_one() => Men::More,
                Some(man) => Men::One(self.role_on(man)),
            }
        })
    }

    #[inline]
    pub(crate) fn own(&self) -> SquareSet<W> {
        self.colors[self.turn as usize]
    }

    #[inline]
    pub(crate) fn occupied(&self) -> SquareSet<W> {
        self.colors[0] | self.colors[1]
    }

    #[inline]
    pub(crate) fn pieces(&self, color: Color, role: Role) -> SquareSet<W> {
        self.colors[color as usize] & self.roles[role as usize]
    }

    #[inline]
    pub(crate) fn king(&self, color: Color) -> Square {
        self.kings[color as usize]
    }

    /// The kind of the piece on a square that is known to hold one.
    #[inline]
    pub(crate) fn role_on(&self, square: Square) -> Role {
        // Exactly one of the six sets contains the square. Its number is computed bit by bit, so that no branch depends
        // on it: converting takes 6 % longer with a search through the sets.
        let word = |i: usize| self.roles[i].word_of(square);
        let bit = |word: u64| (word >> (square.index() & 63) & 1) as usize;
        let number = bit(word(1) | word(3) | word(5))
            + 2 * bit(word(2) | word(3))
            + 4 * bit(word(4) | word(5));
        Role::ALL[number.min(5)]
    }

    pub(crate) fn piece_at(&self, square: Square) -> Option<Piece> {
        let [white, black] = self.colors.map(|held| held.contains(square));
        if !(white | black) {
            return None;
        }
        let color = if black { Color::Black } else { Color::White };
        Some(Piece::new(color, self.role_on(square)))
    }

    /// Removes a piece that is known to be there.
    #[inline]
    pub(crate) fn remove(&mut self, square: Square, piece: Piece) {
        self.roles[piece.role as usize].remove(square);
        self.colors[piece.color as usize].remove(square);
        self.placement ^= key::piece(piece, self.key_cell(square));
    }
}

impl<const W: usize, B: BoardPart> Pieces for State<W, B> {
    fn held(&self, board: AttackBoard) -> StairSet {
        board.squares() & self.occupied().resized()
    }

    fn take(&mut self, square: Square) -> Option<Piece> {
        let piece = self.piece_at(square)?;
        self.remove(square, piece);
        Some(piece)
    }

    #[inline]
    fn put(&mut self, square: Square, piece: Piece) {
        self.roles[piece.role as usize].insert(square);
        self.colors[piece.color as usize].insert(square);
        self.placement ^= key::piece(piece, self.key_cell(square));
        if piece.role == Role::King {
            self.kings[piece.color as usize] = square;
        }
    }

    fn set_pin(&mut self, board: AttackBoard, to: Pin) {
        self.placement ^= self.boards.set_pin(board, to);
    }
}

/// The row of the advances of White's pawns, after those of [`kind`]. Black's follow.
pub(crate) const ADVANCES: usize = 7;

/// The row of the squares from which a kind of piece can come. A piece that sees a square is seen from there by the
/// same kind of piece, a pawn by a pawn of the other colour. A pawn that does not capture advances.
#[inline(always)]
pub(crate) const fn origin_row(color: Color, role: Role, captures: bool) -> usize {
    // The branch predictor cannot guess whether it is an advance, so both cases share one table.
    if matches!(role, Role::Pawn) & !captures {
        ADVANCES + color as usize
    } else {
        kind(color.other(), role)
    }
}

/// The row of what a kind of piece sees: its role, or 6 for Black's pawns.
#[inline]
pub(crate) const fn kind(color: Color, role: Role) -> usize {
    KINDS[color as usize][role as usize] as usize
}

const KINDS: [[u8; 6]; 2] = [[0, 1, 2, 3, 4, 5], [6, 1, 2, 3, 4, 5]];
