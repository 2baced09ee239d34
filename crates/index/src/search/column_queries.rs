//! Queries about facts of games, which are stored in columns, as tantivy queries.

use crate::model::systems;
use crate::query::expression::Query;
use crate::query::logic::Logic;
use crate::storage::columns::{Column, date_codes, result_code};
use crate::storage::schema::{FIELDS, SOURCE};
use std::ops::{Bound, RangeInclusive};
use tantivy::query::doc_predicate_query::{DocPredicateQuery, FunctionPredicate};
use tantivy::query::{Query as Leaf, RangeQuery};
use tantivy::{SegmentReader, TantivyError, Term};

/// Converts a query about a fact to tantivy queries.
pub(crate) fn query(fact: &Query) -> Logic<Box<dyn Leaf>> {
    let within = |column, values: RangeInclusive<u64>| -> Logic<Box<dyn Leaf>> {
        let field = *FIELDS.columns.get(column);
        let end = |value: &u64| Bound::Included(Term::from_field_u64(field, *value));
        let query = RangeQuery::new(end(values.start()), end(values.end()));
        match values.is_empty() {
            true => Logic::Or(Vec::new()),
            false => Logic::Leaf(Box::new(query)),
        }
    };
    let one = |column, value: u64| within(column, value..=value);
    let numbers = |column, least: u32, from: &Option<u32>, to: &Option<u32>| {
        let first = from.unwrap_or(least).max(least);
        within(column, first.into()..=to.unwrap_or(u32::MAX).into())
    };
    match fact {
        Query::Date(dates) => {
            let codes = date_codes(dates.from, dates.to).into_iter();
            Logic::Or(codes.map(|codes| within(Column::Date, codes)).collect())
        }
        Query::Result(result) => one(Column::Result, result_code(*result).into()),
        Query::Rules(rules) => one(Column::Rules, systems::code(*rules).into()),
        Query::Plies(from, to) => numbers(Column::Plies, 0, from, to),
        // Both ratings have to be known.
        Query::Ratings(from, to) => {
            let columns = [Column::WhiteElo, Column::BlackElo];
            Logic::And(columns.map(|column| numbers(column, 1, from, to)).into())
        }
        Query::Id(id) => one(Column::Content, *id),
        Query::Source(part) => Logic::Leaf(Box::new(source(part.to_lowercase()))),
        _ => Logic::And(Vec::new()),
    }
}

/// Matches the games whose source has a name that contains `part`, which must be in lower case.
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
