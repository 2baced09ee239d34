//! The order of hits.

use crate::error::IndexError;
use crate::questions::query::Query;
use crate::questions::search::{Hit, Hits, SearchOptions};
use crate::store::reader::GameIndex;
use tridex_archive::date::Date;

/// What hits are ordered by; those that agree keep the order of the index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SortKey {
    /// When it was played.
    Date,
    /// The player of the white pieces.
    White,
    /// The player of the black pieces.
    Black,
    /// The event.
    Event,
    /// The number of plies.
    Plies,
    /// The ply at which what was asked of the board occurs.
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

    /// The key of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|key| key.name() == name)
    }

    /// Its name in questions.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Date => "date",
            Self::White => "white",
            Self::Black => "black",
            Self::Event => "event",
            Self::Plies => "plies",
            Self::Ply => "ply",
        }
    }
}

impl GameIndex {
    /// The games that answer a question, in an order of their own: a part of them, as [`GameIndex::search`] gives it. All
    /// are looked at for that.
    ///
    /// # Errors
    /// As of [`GameIndex::search`].
    pub fn search_sorted(
        &self,
        query: &Query,
        options: &SearchOptions,
        key: SortKey,
        reverse: bool,
    ) -> Result<Hits, IndexError> {
        let all = SearchOptions {
            offset: 0,
            limit: usize::MAX,
            ..*options
        };
        let mut found = self.search(query, &all)?;
        self.sort(&mut found.hits, key, reverse)?;
        found.is_partial = self.is_damaged();
        found
            .hits
            .truncate(options.offset.saturating_add(options.limit));
        found.hits.drain(..options.offset.min(found.hits.len()));
        Ok(found)
    }

    /// Orders hits by what is known of their games; what is unknown comes last either way.
    ///
    /// # Errors
    /// If it was stopped: their order is any then.
    pub fn sort(&self, hits: &mut [Hit], key: SortKey, reverse: bool) -> Result<(), IndexError> {
        hits.sort_by_cached_key(|hit| {
            let game = match self.stop.is_raised() {
                true => None,
                false => self.summary(hit.id).ok(),
            };
            let tag = |name| game.as_ref().and_then(|game| game.tag(name));
            let number = |n: Option<u32>| n.map(|n| format!("{n:010}"));
            let value = match key {
                // Years come first, so that the text is ordered as the days are.
                SortKey::Date => tag("Date")
                    .and_then(|date| Date::parse(date).ok())
                    .map(|date| date.to_string()),
                SortKey::White => tag("White").map(str::to_lowercase),
                SortKey::Black => tag("Black").map(str::to_lowercase),
                SortKey::Event => tag("Event").map(str::to_lowercase),
                SortKey::Plies => number(game.as_ref().map(|game| game.plies)),
                SortKey::Ply => number(hit.ply),
            };
            // Letters are turned round by their codes, and a longer text then comes before its beginning.
            let value = value.map(|value| match reverse {
                true => value
                    .chars()
                    .map(|c| u32::MAX - c as u32)
                    .chain([u32::MAX])
                    .collect(),
                false => value.chars().map(|c| c as u32).collect::<Vec<u32>>(),
            });
            (value.is_none(), value)
        });
        self.stop.check()
    }
}
