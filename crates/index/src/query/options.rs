//! Which hits of a search are returned, and in which order.

use std::time::Instant;

/// Which hits to return, and in which order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SearchOptions {
    /// How many games to skip.
    pub offset: usize,
    /// The greatest number of games to return.
    pub limit: usize,
    /// Whether to count all games that match, even if fewer are returned. If not set, the search ends as soon as it has
    /// enough.
    pub count: bool,
    /// When to stop counting. After this time the search continues only until it has enough hits. If `None`, it counts
    /// all games that match.
    pub count_until: Option<Instant>,
    /// When to end the search with the hits found so far, even if there are not enough. These may then lack games that
    /// would have come between them. A search with `sort` ignores this time, since the first hits of an order are not
    /// known before all games are searched.
    pub until: Option<Instant>,
    /// How many of the games that match to pick at random, and the seed. The same games are picked for the same seed,
    /// in any order of the index. If set, all games are searched, and [`Hits::total`](crate::Hits::total) is the
    /// number that was picked.
    pub sample: Option<(usize, u64)>,
    /// The order of the hits, and whether it is reversed. If set, all games are searched. If `None`, hits are in the
    /// order of the index.
    pub sort: Option<(SortKey, bool)>,
}

tridex_text::setters! {
    impl[] SearchOptions {
        offset: usize,
        limit: usize,
        count: bool,
        count_until: Option<Instant>,
        until: Option<Instant>,
        sample: Option<(usize, u64)>,
        sort: Option<(SortKey, bool)>,
    }
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            offset: 0,
            limit: usize::MAX,
            count: true,
            count_until: None,
            until: None,
            sample: None,
            sort: None,
        }
    }
}

impl SearchOptions {
    /// Whether games are counted now that are not returned.
    pub(crate) fn counts(&self) -> bool {
        self.count && !is_past(self.count_until) && !self.is_over()
    }

    /// Whether the search must end now.
    pub(crate) fn is_over(&self) -> bool {
        is_past(self.until)
    }

    /// Whether the search may end early because of the time.
    pub(crate) const fn is_timed(&self) -> bool {
        self.count_until.is_some() || self.until.is_some()
    }
}

fn is_past(time: Option<Instant>) -> bool {
    time.is_some_and(|time| Instant::now() >= time)
}

/// The sort key of hits. Hits with equal keys stay in the order of the index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SortKey {
    /// The date of the game. A date without a day comes after all days of its month, one without a month after all of its
    /// year.
    Date,
    /// The player of the white pieces, in alphabetical order without regard to case, accents and alphabet.
    White,
    /// The player of the black pieces.
    Black,
    /// The event.
    Event,
    /// The number of plies.
    Plies,
    /// White's rating.
    WhiteElo,
    /// Black's rating.
    BlackElo,
    /// The average of both ratings, if both are known.
    Elo,
    /// The ply of the first match on the board.
    Ply,
}

impl SortKey {
    /// All keys.
    pub const ALL: [Self; 9] = [
        Self::Date,
        Self::White,
        Self::Black,
        Self::Event,
        Self::Plies,
        Self::WhiteElo,
        Self::BlackElo,
        Self::Elo,
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
        match self {
            Self::Date => "date",
            Self::White => "white",
            Self::Black => "black",
            Self::Event => "event",
            Self::Plies => "plies",
            Self::WhiteElo => "white-elo",
            Self::BlackElo => "black-elo",
            Self::Elo => "elo",
            Self::Ply => "ply",
        }
    }
}
