//! Sides, kinds of pieces, and pieces.

/// A side of the game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Color {
    /// The player who moves first.
    White,
    /// The other player.
    Black,
}

impl Color {
    /// Both sides, White first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// The other side.
    #[must_use]
    #[inline]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// Whether this is White.
    #[must_use]
    #[inline]
    pub const fn is_white(self) -> bool {
        matches!(self, Self::White)
    }

    /// The change of the rank by a forward step: 1 for White, -1 for Black.
    #[must_use]
    #[inline]
    pub const fn forward(self) -> i8 {
        match self {
            Self::White => 1,
            Self::Black => -1,
        }
    }
}

impl std::fmt::Display for Color {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::White => "White",
            Self::Black => "Black",
        })
    }
}

/// A kind of piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// A pawn.
    Pawn,
    /// A knight.
    Knight,
    /// A bishop.
    Bishop,
    /// A rook.
    Rook,
    /// A queen.
    Queen,
    /// A king.
    King,
}

impl Role {
    /// All kinds, from the pawn to the king.
    pub const ALL: [Self; 6] = [
        Self::Pawn,
        Self::Knight,
        Self::Bishop,
        Self::Rook,
        Self::Queen,
        Self::King,
    ];

    /// All but the king.
    pub(crate) const PIECES: [Self; 5] = [
        Self::Pawn,
        Self::Knight,
        Self::Bishop,
        Self::Rook,
        Self::Queen,
    ];

    /// What a pawn may become, in the order in which choices are listed.
    pub const PROMOTIONS: [Self; 4] = [Self::Queen, Self::Rook, Self::Bishop, Self::Knight];

    /// Whether the piece moves along lines of any length.
    ///
    /// ```
    /// use tridex_rules::{Color, Role};
    ///
    /// assert!(Role::Rook.is_slider() && !Role::Knight.is_slider());
    /// assert_eq!(Color::White.forward(), -Color::Black.forward());
    /// ```
    #[must_use]
    #[inline]
    pub const fn is_slider(self) -> bool {
        matches!(self, Self::Bishop | Self::Rook | Self::Queen)
    }

    /// The English letter, one of `PNBRQK`.
    #[must_use]
    pub const fn letter(self) -> char {
        ['P', 'N', 'B', 'R', 'Q', 'K'][self as usize]
    }

    /// The kind of piece for an English letter in either case.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        let letter = letter.to_ascii_uppercase();
        Self::ALL.into_iter().find(|role| role.letter() == letter)
    }

    /// The English noun.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["pawn", "knight", "bishop", "rook", "queen", "king"][self as usize]
    }
}

/// A piece: a side and a kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// Whose it is.
    pub color: Color,
    /// What it is.
    pub role: Role,
}

impl Piece {
    /// The piece of a side and a kind.
    #[must_use]
    pub const fn new(color: Color, role: Role) -> Self {
        Self { color, role }
    }

    /// The English letter, a capital for White.
    #[must_use]
    pub const fn letter(self) -> char {
        let letter = self.role.letter();
        match self.color {
            Color::White => letter,
            Color::Black => letter.to_ascii_lowercase(),
        }
    }

    /// The piece for an English letter; capitals are White's.
    ///
    /// ```
    /// use tridex_rules::{Color, Piece, Role};
    /// let knight = Piece::from_letter('n').expect("a piece");
    /// assert_eq!((knight.color, knight.role, knight.letter()), (Color::Black, Role::Knight, 'n'));
    /// ```
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        Role::from_letter(letter).map(|role| Self { color, role })
    }
}
