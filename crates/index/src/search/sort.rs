//! Sorts hits.

use crate::error::Result;
use crate::model::indexed_game::GameId;
use crate::query::options::SortKey;
use crate::read::index::GameIndex;
use crate::search::collect::Hit;
use crate::storage::columns::Column;
use crate::text::text_field::TextField;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use tantivy::DocId;

impl GameIndex {
    /// Sorts hits by a fact of their games. Hits for which it is unknown come last in both directions.
    ///
    /// # Errors
    /// Returns an error if the search was stopped; the hits are then in no particular order.
    pub(crate) fn sort(&self, hits: &mut [Hit], key: SortKey, reverse: bool) -> Result<()> {
        let texts = match key {
            SortKey::White => self.texts(hits, TextField::White),
            SortKey::Black => self.texts(hits, TextField::Black),
            SortKey::Event => self.texts(hits, TextField::Event),
            SortKey::Date | SortKey::Plies | SortKey::Ply => HashMap::new(),
        };
        // Reading a column is many times faster than reading a record.
        let column = |hit: &Hit, column| {
            let value = self.read(hit.id, |_, segment, doc| segment.value(column, doc));
            value.ok()
        };
        let value = |hit: &Hit| match key {
            _ if self.stop.is_raised() => None,
            SortKey::Date => column(hit, Column::Date).filter(|date| *date != 0),
            SortKey::Plies => column(hit, Column::Plies),
            SortKey::Ply => hit.ply.map(u64::from),
            SortKey::White | SortKey::Black | SortKey::Event => texts.get(&hit.id).copied(),
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

    /// For each hit, the rank of a text of its game among all texts, compared in lower case. Damage is
    /// recorded.
    fn texts(&self, hits: &[Hit], field: TextField) -> HashMap<GameId, u64> {
        let mut texts: BTreeMap<String, Vec<GameId>> = BTreeMap::new();
        for (index, snapshot) in (0..).zip(&self.snapshots) {
            for segment in &snapshot.segments {
                let numbers = segment.first..=segment.last;
                let is_here = |id: &GameId| id.index == index && numbers.contains(&id.game);
                let here = hits.iter().map(|hit| hit.id).filter(is_here);
                let here = here.filter_map(|id| Some((segment.find(id.game).ok()??, id)));
                let ids: HashMap<DocId, GameId> = here.collect();
                match segment.texts(field, ids.keys().copied()) {
                    Ok(found) => {
                        for (text, docs) in found {
                            let games = texts.entry(text.to_lowercase()).or_default();
                            games.extend(docs.iter().filter_map(|doc| ids.get(doc)));
                        }
                    }
                    Err(error) => snapshot.note(&error),
                }
            }
        }
        let places = (0..).zip(texts.into_values());
        places
            .flat_map(|(place, games)| games.into_iter().map(move |id| (id, place)))
            .collect()
    }
}
