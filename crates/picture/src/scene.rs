//! What is drawn: a position, or a setup that cannot be played yet.

use tridex_geometry::stair::Layout;
use tridex_geometry::{Family, Square};
use tridex_rules::{Color, Piece, Position, Role, RuleSystem, Setup};

/// A setup under the rules whose words are used, and the position it is if it can be played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scene<'a> {
    pub(crate) rules: RuleSystem,
    pub(crate) setup: &'a Setup,
    pub(crate) position: Option<&'a Position>,
}

impl<'a> Scene<'a> {
    /// A position, with its setup.
    pub(crate) const fn of(position: &'a Position, setup: &'a Setup) -> Self {
        Self {
            rules: position.rules(),
            setup,
            position: Some(position),
        }
    }

    pub(crate) const fn family(&self) -> Family {
        self.setup.family()
    }

    pub(crate) const fn layout(&self) -> Option<&'a Layout> {
        self.setup.layout.as_ref()
    }

    pub(crate) const fn turn(&self) -> Color {
        self.setup.turn
    }

    pub(crate) const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.setup.piece(square)
    }

    /// The squares of all pieces of a kind, in their order.
    pub(crate) fn squares(&self, color: Color, role: Role) -> impl Iterator<Item = Square> + 'a {
        let pieces = self.setup.pieces();
        pieces
            .filter(move |(_, piece)| *piece == Piece::new(color, role))
            .map(|(square, _)| square)
    }

    /// The king that is in check, if it is.
    pub(crate) fn checked(&self) -> Option<Square> {
        let position = self.position.filter(|position| position.is_check())?;
        Some(position.king(position.turn()))
    }
}
