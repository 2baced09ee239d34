//! How a game ends by itself, and which result a record states.

use crate::piece::Color;

/// The outcome of a game that the rules themselves end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The king of the side to move is attacked and nothing helps.
    Checkmate {
        /// The side that has mated.
        winner: Color,
    },
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Neither side can ever mate.
    Material,
    /// A position has occurred for the third time, under rules where that ends the game at once.
    Repetition,
}

impl Outcome {
    /// The result that a record of such a game has to state.
    #[must_use]
    pub const fn result(self) -> GameResult {
        match self {
            Self::Checkmate { winner } => GameResult::won_by(winner),
            Self::Stalemate | Self::Material | Self::Repetition => GameResult::Draw,
        }
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Checkmate {
                winner: Color::White,
            } => "1-0 checkmate",
            Self::Checkmate {
                winner: Color::Black,
            } => "0-1 checkmate",
            Self::Stalemate => "1/2-1/2 stalemate",
            Self::Material => "1/2-1/2 material",
            Self::Repetition => "1/2-1/2 repetition",
        })
    }
}

/// The result a record states.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GameResult {
    /// `1-0`
    White,
    /// `0-1`
    Black,
    /// `1/2-1/2`
    Draw,
    /// `*`: unfinished, or not known.
    Unknown,
}

impl GameResult {
    /// All results.
    pub const ALL: [Self; 4] = [Self::White, Self::Black, Self::Draw, Self::Unknown];

    /// The result of a game that a side has won.
    #[must_use]
    pub const fn won_by(winner: Color) -> Self {
        match winner {
            Color::White => Self::White,
            Color::Black => Self::Black,
        }
    }

    /// The word PGN uses.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::White => "1-0",
            Self::Black => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }
}

impl std::fmt::Display for GameResult {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
