//! Sorts the games that match. tantivy's collector of the first `n` keeps only the games that are shown, so sorting a
//! million of them costs little more than reading a column.

use crate::error::Result;
use crate::model::game_set::GameSet;
use crate::query::options::SortKey;
use crate::storage::columns::Column;
use crate::storage::segment::Segment;
use crate::text::text_field::TextField;
use tantivy::collector::TopNComputer;
use tantivy::collector::sort_key::{Comparator, ComparatorEnum};
use tantivy::{DocId, Order};

/// A game: the number of its segment among those that were searched, and its number there.
pub(crate) type Address = (usize, DocId);

/// The first games in an order. Games for which the key is unknown come last in both directions, and games with equal
/// keys in the order of the index.
pub(crate) struct First {
    key: SortKey,
    order: ComparatorEnum,
    limit: usize,
    found: Found,
}

type Top<K, D> = TopNComputer<Option<K>, D, ComparatorEnum>;

enum Found {
    Numbers(Top<u64, Address>),
    Texts(TextField, Top<String, Address>),
}

impl First {
    /// `limit` is the number of games that are needed, at most as many as there are.
    pub(crate) fn new(key: SortKey, reverse: bool, limit: usize) -> Self {
        let order = comparator(reverse);
        let texts = |field| Found::Texts(field, Top::new_with_comparator(limit, order));
        let found = match key {
            SortKey::White => texts(TextField::White),
            SortKey::Black => texts(TextField::Black),
            SortKey::Event => texts(TextField::Event),
            SortKey::Date
            | SortKey::Plies
            | SortKey::WhiteElo
            | SortKey::BlackElo
            | SortKey::Elo
            | SortKey::Ply => Found::Numbers(Top::new_with_comparator(limit, order)),
        };
        Self {
            key,
            order,
            limit,
            found,
        }
    }

    /// Adds the games of a segment. Segments are added in the order of the index.
    ///
    /// # Errors
    /// Returns an error if the column of the key is damaged.
    pub(crate) fn add(&mut self, number: usize, segment: &Segment, games: &GameSet) -> Result<()> {
        match &mut self.found {
            Found::Texts(field, first) => {
                let ranks = segment.text_ranks(*field, games)?;
                let limit = self.limit.min(games.count() as usize);
                let mut top = Top::new_with_comparator(limit, self.order);
                games.iter().for_each(|doc| top.push(ranks.rank(doc), doc));
                let mut of_segment = top.into_vec();
                of_segment.sort_unstable_by_key(|found| found.doc);
                for found in of_segment {
                    let text = found.sort_key.and_then(|rank| ranks.text(rank));
                    first.push(text.map(str::to_owned), (number, found.doc));
                }
            }
            Found::Numbers(first) => {
                let column = match self.key {
                    SortKey::Date => Column::Date,
                    SortKey::WhiteElo | SortKey::Elo => Column::WhiteElo,
                    SortKey::BlackElo => Column::BlackElo,
                    _ => Column::Plies,
                };
                let values = segment.column(column)?;
                let others = match self.key {
                    SortKey::Elo => Some(segment.column(Column::BlackElo)?),
                    _ => None,
                };
                for doc in games.iter() {
                    // 0 is an unknown date or rating.
                    let known = |value| (value != 0 || column == Column::Plies).then_some(value);
                    let mut value = known(values.get_val(doc));
                    if let Some(others) = others {
                        // The sum has the same order as the average.
                        let other = known(others.get_val(doc));
                        value = value.zip(other).map(|(value, other)| value + other);
                    }
                    first.push(value, (number, doc));
                }
            }
        }
        Ok(())
    }

    /// The first games, in order.
    pub(crate) fn into_sorted(self) -> Vec<Address> {
        match self.found {
            Found::Numbers(first) => docs(first),
            Found::Texts(_, first) => docs(first),
        }
    }
}

fn docs<K: Clone>(first: Top<K, Address>) -> Vec<Address>
where
    ComparatorEnum: Comparator<Option<K>>,
{
    let sorted = first.into_sorted_vec().into_iter();
    sorted.map(|found| found.doc).collect()
}

/// Compares keys so that the first in the order is the greatest, and an unknown key the least.
pub(crate) fn comparator(reverse: bool) -> ComparatorEnum {
    ComparatorEnum::from(if reverse { Order::Desc } else { Order::Asc })
}
