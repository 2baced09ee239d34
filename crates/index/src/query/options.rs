//! Which hits of a search are returned, and in which order.

/// Which hits to return, and in which order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchOptions {
    /// How many games to skip.
    pub offset: usize,
    /// The greatest number of games to return.
    pub limit: usize,
    /// Whether to count all games that match, even if fewer are returned. If not set, the search ends as soon as it has
    /// enough.
    pub count: bool,
    /// The order of the hits, and whether it is reversed. If set, all games are searched. If `None`, hits are in the
    /// order of the index.
    pub sort: Option<(SortKey, bool)>,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            offset: 0,
            limit: usize::MAX,
            count: true,
            sort: None,
        }
    }
}

/// A key by which hits are sorted. Hits with equal keys stay in the order of the index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SortKey {
    /// The date of the game.
    Date,
    /// The player of the white pieces.
    White,
    /// The player of the black pieces.
    Black,
    /// The event.
    Event,
    /// The number of plies.
    Plies,
    /// The ply of the first match on the board.
    Ply,
}

impl SortKey {
    /// All keys.
    pub const ALL: [Self; 6] = [
        Self::Date,
        Self::White,
        Self::Black,
        Self::Event,
        Self::Plies,
        Self::Ply,
    ];

    /// Returns the key of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|key| key.name() == name)
    }

    /// Its name in requests.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["date", "white", "black", "event", "plies", "ply"][self as usize]
    }
}
