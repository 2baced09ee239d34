//! The end of a batch in a text.

use crate::visit::Damage;

/// A place where a text may be cut.
#[derive(Debug)]
pub(crate) struct Cut {
    pub(crate) end: usize,
    /// The number of games before it, if they were counted.
    pub(crate) games: Option<u32>,
    /// The damage at the end of the last game.
    pub(crate) damage: Option<Damage>,
    /// The following text belongs to a game or a line that is too long.
    pub(crate) dropping: bool,
    /// A piece must not end here: the text before the cut may read differently without the text after it.
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
