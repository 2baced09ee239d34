//! What is drawn: a position, or a setup that cannot be played yet.

use tridex_geometry::Square;
use tridex_geometry::stair::Layout;
use tridex_rules::{Outcome, Position, RuleSystem, Setup};

/// A setup, with the rules whose names are used.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) rules: RuleSystem,
    pub(crate) setup: Setup,
    /// How the game has ended, if it has.
    pub(crate) outcome: Option<Outcome>,
    /// The king that is in check, if it is.
    pub(crate) checked: Option<Square>,
}

impl Scene {
    pub(crate) fn of(position: &Position) -> Self {
        Self {
            rules: position.rules(),
            setup: position.to_setup(),
            outcome: position.outcome(),
            checked: position.is_check().then(|| position.king(position.turn())),
        }
    }

    pub(crate) const fn layout(&self) -> Option<&Layout> {
        self.setup.layout.as_ref()
    }
}
