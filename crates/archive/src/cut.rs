//! Where a text is cut into batches.

use crate::visit::Damage;

/// Where a part of a text may be cut.
#[derive(Debug)]
pub(crate) struct Cut {
    pub(crate) end: usize,
    /// How many games end there, if they were counted.
    pub(crate) games: Option<u32>,
    /// What is wrong with the end of the last game.
    pub(crate) damage: Option<Damage>,
    /// What follows belongs to a game or a line that is too long.
    pub(crate) dropping: bool,
    /// No piece ends here: the cut could not wait for a place where what precedes it reads the same without what follows.
    pub(crate) forced: bool,
}

impl Cut {
    pub(crate) const fn at(end: usize, games: Option<u32>) -> Self {
        Self {
            end,
            games,
            damage: None,
            dropping: false,
            forced: false,
        }
    }
}
