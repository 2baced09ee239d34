//! Facts of games, which are in the columns of an index, as queries of tantivy.

use super::logic::Logic;
use super::query::Query;
use crate::game::systems;
use crate::store::columns::{Column, date_codes, result_code};
use crate::store::schema::{FIELDS, SOURCE};
use std::ops::{Bound, RangeInclusive};
use tantivy::query::doc_predicate_query::{DocPredicateQuery, FunctionPredicate};
use tantivy::query::{Query as Leaf, RangeQuery};
use tantivy::{SegmentReader, TantivyError, Term};

/// The columns that a fact is about, each with the values of which a game must have one; none if it is not about numbers.
fn values(fact: &Query) -> Vec<(Column, Vec<RangeInclusive<u64>>)> {
    let range = |least: u32, from: Option<u32>, to: Option<u32>| {
        let first = from.unwrap_or(least).max(least);
        vec![first.into()..=to.unwrap_or(u32::MAX).into()]
    };
    match fact {
        Query::Date(dates) => vec![(Column::Date, date_codes(dates.from, dates.to))],
        Query::Result(result) => {
            let code = u64::from(result_code(*result));
            vec![(Column::Result, vec![code..=code])]
        }
        Query::Rules(rules) => {
            let code = u64::from(systems::code(*rules));
            vec![(Column::Rules, vec![code..=code])]
        }
        Query::Plies(from, to) => vec![(Column::Plies, range(0, *from, *to))],
        // Both ratings have to be known.
        Query::Ratings(from, to) => [Column::WhiteElo, Column::BlackElo]
            .map(|column| (column, range(1, *from, *to)))
            .into(),
        Query::Id(id) => vec![(Column::Content, vec![*id..=*id])],
        _ => Vec::new(),
    }
}

/// A fact as queries of tantivy.
pub(super) fn query(fact: &Query) -> Logic<Box<dyn Leaf>> {
    if let Query::Source(part) = fact {
        return Logic::Leaf(Box::new(source(part.to_lowercase())));
    }
    let values = values(fact).into_iter();
    let columns = values.map(|(column, ranges)| {
        let field = FIELDS.columns[column as usize];
        let end = |value| Bound::Included(Term::from_field_u64(field, value));
        let ranges = ranges.iter().filter(|range| !range.is_empty());
        let query = |range: &RangeInclusive<u64>| -> Logic<Box<dyn Leaf>> {
            let query = RangeQuery::new(end(*range.start()), end(*range.end()));
            Logic::Leaf(Box::new(query))
        };
        Logic::Or(ranges.map(query).collect())
    });
    Logic::And(columns.collect())
}

/// The games of the sources whose names contain a text, which is in small letters.
fn source(part: String) -> DocPredicateQuery {
    let of_segment = move |reader: &SegmentReader| {
        let missing = || TantivyError::InternalError("the sources are missing".to_owned());
        let sources = reader.fast_fields().str(SOURCE)?.ok_or_else(missing)?;
        let mut fits = Vec::new();
        for which in 0..sources.num_terms() as u64 {
            let mut name = String::new();
            sources.ord_to_str(which, &mut name)?;
            fits.push(name.to_lowercase().contains(&part));
        }
        let which = sources.ords().clone();
        Ok(move |doc| {
            let which = which.first(doc).and_then(|which| fits.get(which as usize));
            which == Some(&true)
        })
    };
    FunctionPredicate::from(of_segment).into()
}
