//! Queries about facts of games, which are stored in columns: as queries of tantivy, and as tests of a single game.

use crate::model::systems;
use crate::query::expression::Query;
use crate::query::logic::Logic;
use crate::storage::columns::{Column, Row, date_codes, result_code};
use crate::storage::schema::{SCHEMA_FIELDS, SOURCE};
use std::ops::{Bound, RangeInclusive};
use tantivy::query::doc_predicate_query::{DocPredicateQuery, FunctionPredicate};
use tantivy::query::{BooleanQuery, Query as Leaf, RangeQuery};
use tantivy::{SegmentReader, TantivyError, Term};

/// A test of a fact.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum FactTest {
    /// The value of a column is in one of some ranges.
    Column(Column, Vec<RangeInclusive<u64>>),
    /// Both ratings are known, and their difference is in a range.
    RatingDifference(RangeInclusive<u64>),
    /// The name of the source contains this text, which is in lower case.
    Source(String),
}

/// The tests that a query about a fact consists of.
pub(crate) fn tests(fact: &Query) -> Logic<FactTest> {
    let within = |column, values| Logic::Leaf(FactTest::Column(column, vec![values]));
    let one = |column, value: u64| within(column, value..=value);
    let numbers = |column, least: u32, from: &Option<u32>, to: &Option<u32>| {
        let first = from.unwrap_or(least).max(least);
        within(column, first.into()..=to.unwrap_or(u32::MAX).into())
    };
    // These columns have one more than the number, and 0 if it is unknown.
    let known = |column, from: &Option<u32>, to: &Option<u32>| {
        let first = u64::from(from.unwrap_or(0)) + 1;
        within(column, first..=to.map_or(u64::MAX, |to| u64::from(to) + 1))
    };
    match fact {
        Query::Date(dates) => {
            let codes = date_codes(dates.from, dates.to);
            Logic::Leaf(FactTest::Column(Column::Date, codes))
        }
        Query::Result(result) => one(Column::Result, result_code(*result).into()),
        Query::Rules(rules) => one(Column::Rules, systems::code(*rules).into()),
        Query::Ending(ending) => one(Column::Ending, ending.code()),
        Query::KnownEnding => within(Column::Ending, 1..=u64::MAX),
        Query::Clock(from, to) => known(Column::Clock, from, to),
        Query::Drop(from, to) => known(Column::Drop, from, to),
        Query::Plies(from, to) => numbers(Column::Plies, 0, from, to),
        // Both ratings have to be known.
        Query::Ratings(from, to) => {
            Logic::And(RATINGS.map(|column| numbers(column, 1, from, to)).into())
        }
        Query::Rating(color, from, to) => numbers(RATINGS[*color as usize], 1, from, to),
        Query::RatingDifference(from, to) => Logic::Leaf(FactTest::RatingDifference(
            u64::from(from.unwrap_or(0))..=to.map_or(u64::MAX, u64::from),
        )),
        Query::Id(id) => one(Column::Content, *id),
        Query::Source(part) => Logic::Leaf(FactTest::Source(part.to_lowercase())),
        _ => Logic::And(Vec::new()),
    }
}

impl FactTest {
    /// The test as a query of tantivy.
    pub(crate) fn query(&self) -> Box<dyn Leaf> {
        match self {
            Self::Column(column, ranges) => {
                let field = *SCHEMA_FIELDS.columns.get(*column);
                let end = |value: &u64| Bound::Included(Term::from_field_u64(field, *value));
                let ranges = ranges.iter().filter(|range| !range.is_empty());
                let ranges = ranges.map(|range| -> Box<dyn Leaf> {
                    Box::new(RangeQuery::new(end(range.start()), end(range.end())))
                });
                let mut ranges: Vec<_> = ranges.collect();
                match ranges.len() {
                    1 => ranges.remove(0),
                    _ => Box::new(BooleanQuery::union(ranges)),
                }
            }
            Self::RatingDifference(range) => Box::new(rating_difference(range.clone())),
            Self::Source(part) => Box::new(source(part.clone())),
        }
    }

    /// Whether a game passes that is in no index.
    pub(crate) fn passes(&self, row: &Row, source: &str) -> bool {
        match self {
            Self::Column(column, ranges) => {
                let value = &row.get(*column);
                ranges.iter().any(|range| range.contains(value))
            }
            Self::RatingDifference(range) => {
                let [white, black] = RATINGS.map(|column| *row.get(column));
                is_difference(range, white, black)
            }
            Self::Source(part) => source.to_lowercase().contains(part),
        }
    }
}

/// The columns of ratings: White's and Black's.
const RATINGS: [Column; 2] = [Column::WhiteElo, Column::BlackElo];

/// Whether both ratings are known, and their difference is in a range.
fn is_difference(range: &RangeInclusive<u64>, white: u64, black: u64) -> bool {
    white != 0 && black != 0 && range.contains(&white.abs_diff(black))
}

/// Matches the games whose ratings have a difference in a range.
fn rating_difference(range: RangeInclusive<u64>) -> DocPredicateQuery {
    let of_segment = move |reader: &SegmentReader| {
        let columns = reader.fast_fields();
        let [white, black] = RATINGS.map(|column| columns.u64(column.name()));
        let (white, black) = (white?, black?);
        let range = range.clone();
        Ok(move |doc| {
            let of = |column: &tantivy::columnar::Column<u64>| column.first(doc).unwrap_or(0);
            is_difference(&range, of(&white), of(&black))
        })
    };
    FunctionPredicate::from(of_segment).into()
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
