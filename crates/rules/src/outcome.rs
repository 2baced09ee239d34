//! How a game ends by the rules.

use crate::piece::Color;

/// The outcome of a game that ends by the rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The side to move is in check and has no legal move.
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Neither side can ever mate.
    Material,
    /// A position has occurred for the third time, under rules that then end the game at once.
    Repetition,
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
