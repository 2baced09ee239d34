//! The order of hits.

use crate::error::IndexError;
use crate::questions::query::Query;
use crate::questions::search::{Hit, Hits, SearchOptions};
use crate::store::columns::Column;
use crate::store::reader::{GameId, GameIndex};
use std::cmp::Reverse;
use std::collections::HashMap;
use tantivy::DocId;

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
        ["date", "white", "black", "event", "plies", "ply"][self as usize]
    }
}

impl GameIndex {
    /// A part of the games that match a query, in another order: as [`GameIndex::search`], but all games are searched.
    ///
    /// ```
    /// # use tridex_index::{GameEntry, GameIndex, IndexOptions, Writer, read_moves};
    /// # use tridex_rules::RuleSystem;
    /// # let folder = tempfile::tempdir()?;
    /// # let mut writer = Writer::open(folder.path(), IndexOptions::default())?;
    /// # writer.begin_source("games.pgn")?;
    /// # let mut game = GameEntry::new(1, RuleSystem::Meder, read_moves(RuleSystem::Meder, "b4N b5B c3W a6N")?);
    /// # game.tags.push(("White".into(), "Kirk, James".into()));
    /// # writer.add_all(&[game])?;
    /// # writer.end_source(None);
    /// # writer.finish()?;
    /// use tridex_index::{Query, SearchOptions, SortKey};
    /// let index = GameIndex::open(folder.path())?;
    /// let key = SortKey::from_name("plies").ok_or("a key")?;
    /// let found = index.search_sorted(&Query::All, &SearchOptions::default(), key, true)?;
    /// assert_eq!(found.hits.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
    /// ```
    /// # use tridex_index::{GameEntry, GameIndex, IndexOptions, Writer, read_moves};
    /// # use tridex_rules::RuleSystem;
    /// # let folder = tempfile::tempdir()?;
    /// # let mut writer = Writer::open(folder.path(), IndexOptions::default())?;
    /// # writer.begin_source("games.pgn")?;
    /// # let mut game = GameEntry::new(1, RuleSystem::Meder, read_moves(RuleSystem::Meder, "b4N b5B c3W a6N")?);
    /// # game.tags.push(("White".into(), "Kirk, James".into()));
    /// # writer.add_all(&[game])?;
    /// # writer.end_source(None);
    /// # writer.finish()?;
    /// use tridex_index::{Query, SearchOptions, SortKey};
    /// let index = GameIndex::open(folder.path())?;
    /// let mut hits = index.search(&Query::All, &SearchOptions::default())?.hits;
    /// index.sort(&mut hits, SortKey::from_name("white").ok_or("a key")?, false)?;
    /// assert_eq!(hits.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If it was stopped: they are in any order then.
    pub fn sort(&self, hits: &mut [Hit], key: SortKey, reverse: bool) -> Result<(), IndexError> {
        let texts = match key {
            SortKey::White | SortKey::Black | SortKey::Event => self.texts(hits, key.name()),
            SortKey::Date | SortKey::Plies | SortKey::Ply => HashMap::new(),
        };
        // A column is read many times faster than a record.
        let column = |hit: &Hit, column| {
            let value = self.read(hit.id, |_, segment, doc| segment.value(column, doc));
            value.ok().map(Value::Number)
        };
        let value = |hit: &Hit| match key {
            _ if self.stop.is_raised() => None,
            SortKey::Date => column(hit, Column::Date).filter(|date| *date != Value::Number(0)),
            SortKey::Plies => column(hit, Column::Plies),
            SortKey::Ply => hit.ply.map(|ply| Value::Number(ply.into())),
            SortKey::White | SortKey::Black | SortKey::Event => {
                texts.get(&hit.id).map(|text| Value::Text(text))
            }
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

    /// A text of the games of hits, in small letters, by the name of its field. Damage is remembered.
    fn texts(&self, hits: &[Hit], field: &str) -> HashMap<GameId, String> {
        let mut texts = HashMap::new();
        for (index, part) in (0..).zip(&self.parts) {
            for segment in &part.segments {
                let numbers = segment.first..=segment.last;
                let is_here = |id: &GameId| id.index == index && numbers.contains(&id.game);
                let here = hits.iter().map(|hit| hit.id).filter(is_here);
                let here = here.filter_map(|id| Some((segment.find(id.game).ok()??, id)));
                let ids: HashMap<DocId, GameId> = here.collect();
                let docs: Vec<DocId> = ids.keys().copied().collect();
                match segment.texts_of(field, &docs) {
                    Ok(found) => texts.extend(
                        found
                            .into_iter()
                            .filter_map(|(doc, text)| Some((*ids.get(&doc)?, text.to_lowercase()))),
                    ),
                    Err(error) => part.note(&error),
                }
            }
        }
        texts
    }
}

/// What a hit is ordered by.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Value<'t> {
    Number(u64),
    Text(&'t str),
}
