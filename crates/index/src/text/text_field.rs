//! The texts of a game that can be searched.

/// A text of a game that can be searched.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TextField {
    /// Either player.
    Player,
    /// White's name.
    White,
    /// Black's name.
    Black,
    /// The event.
    Event,
    /// The site.
    Site,
    /// The round.
    Round,
    /// Comments.
    Comments,
    /// The name of the opening.
    Opening,
    /// Any of these texts.
    Any,
}
