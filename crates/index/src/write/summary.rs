//! What a writer has done.

/// What adding a game has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourceChange {
    /// It is new.
    Added,
    /// It replaced another game of the same source and number.
    Updated,
    /// The index already had it.
    Unchanged,
}

/// What a writer has done so far.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Summary {
    /// Games that are new.
    pub added: u64,
    /// Games that replaced others.
    pub updated: u64,
    /// Games that the index already had.
    pub unchanged: u64,
    /// Games that are no longer in their source, or whose source was removed.
    pub removed: u64,
    /// Games in the index now.
    pub games: u64,
    /// Positions of these games. If variations are indexed, this includes the positions of variations in games that
    /// were deleted since the last merge.
    pub positions: u64,
}
