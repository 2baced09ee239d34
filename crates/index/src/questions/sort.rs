//! The order of hits.

use crate::error::IndexError;
use crate::questions::query::Query;
use crate::questions::search::{Hit, Hits, SearchOptions};
use crate::store::columns::{Column, date_of};
use crate::store::reader::GameIndex;
use std::cmp::Reverse;

/// What hits are ordered by; equal ones stay in the order of the index.
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

    /// The key of a name.
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
            Self::Ply => "ply",
        }
    }
}

impl GameIndex {
    /// A part of the games that match a query, in another order: as [`GameIndex::search`], but all games are searched.
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

    /// Orders hits by a fact of their games; unknown ones are last in both directions.
    ///
    /// # Errors
    /// If it was stopped: they are in any order then.
    pub fn sort(&self, hits: &mut [Hit], key: SortKey, reverse: bool) -> Result<(), IndexError> {
        let value = |hit: &Hit| match self.stop.is_raised() {
            true => None,
            false => self.sort_value(hit, key).ok().flatten(),
        };
        match reverse {
            true => hits.sort_by_cached_key(|hit| {
                let value = value(hit);
                (value.is_none(), Reverse(value))
            }),
            false => hits.sort_by_cached_key(|hit| {
                let value = value(hit);
                (value.is_none(), value)
            }),
        }
        self.stop.check()
    }

    fn sort_value(&self, hit: &Hit, key: SortKey) -> Result<Option<Value>, IndexError> {
        // A column is read many times faster than a record.
        let column = |column| self.read(hit.id, |_, segment, doc| segment.value(column, doc));
        let text = |name| {
            let game = self.summary(hit.id);
            game.map(|game| game.tag(name).map(|tag| Value::Text(tag.to_lowercase())))
        };
        Ok(match key {
            SortKey::Date => date_of(column(Column::Date)?).map(|date| {
                // An unknown month is after the others of its year, as `?` is after digits.
                let [month, day] = [date.month, date.day].map(|part| part.unwrap_or(u8::MAX));
                Value::Number(u64::from(date.year) << 16 | u64::from(month) << 8 | u64::from(day))
            }),
            SortKey::Plies => Some(Value::Number(column(Column::Plies)?)),
            SortKey::Ply => hit.ply.map(|ply| Value::Number(ply.into())),
            SortKey::White => text("White")?,
            SortKey::Black => text("Black")?,
            SortKey::Event => text("Event")?,
        })
    }
}

/// What a hit is ordered by.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Value {
    Number(u64),
    Text(String),
}
