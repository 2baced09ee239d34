//! The end of a batch in a text.

use crate::visit::Damage;

/// A place where a text may be cut.
#[derive(Debug)]
pub(crate) struct Cut {
    pub(crate) end: usize,
    /// Damage to report at the end of the last game if it continues after the cut. A file piece must not end here.
    pub(crate) damage: Option<Damage>,
    /// The following text belongs to a game or a line that is too long, and is dropped.
    pub(crate) dropping: bool,
}

impl Cut {
    pub(crate) const fn at(end: usize) -> Self {
        Self {
            end,
            damage: None,
            dropping: false,
        }
    }
}
