//! Facts of games, which are in the columns of an index.

use super::game_set::GameSet;
use super::query::Query;
use super::stop::Stop;
use crate::error::IndexError;
use crate::game::systems;
use crate::store::columns::{Column, Flags, date_of, ratings_of};
use crate::store::segment::{InOrder, Segment};
use tantivy::DocId;

/// The games among some of which a fact is true.
///
/// # Errors
/// If a column is damaged, or it was stopped.
pub(super) fn games(
    fact: &Query,
    segment: &Segment,
    within: &GameSet,
    stop: &Stop,
) -> Result<GameSet, IndexError> {
    let mut test = test(fact, segment)?;
    let games = within.only(|doc| !stop.is_raised() && test(doc));
    stop.check().map(|()| games)
}

/// Whether it is true of a game; of no game if it is not a fact.
fn test<'s>(
    fact: &'s Query,
    segment: &'s Segment,
) -> Result<Box<dyn FnMut(DocId) -> bool + 's>, IndexError> {
    let values = |column| segment.column(column).map(InOrder::of);
    Ok(match fact {
        Query::Date(range) => {
            let mut dates = values(Column::Date)?;
            Box::new(move |doc| range.holds(date_of(dates.get(doc))))
        }
        Query::Result(result) => {
            let mut flags = values(Column::Flags)?;
            Box::new(move |doc| Flags::of(flags.get(doc)).result == *result)
        }
        Query::Rules(rules) => {
            let (mut flags, code) = (values(Column::Flags)?, systems::code(*rules));
            Box::new(move |doc| Flags::of(flags.get(doc)).code == code)
        }
        Query::Plies(from, to) => {
            let mut plies = values(Column::Plies)?;
            Box::new(move |doc| is_within(plies.get(doc) as u32, *from, *to))
        }
        Query::Ratings(from, to) => {
            let mut ratings = values(Column::Ratings)?;
            Box::new(move |doc| {
                let mut both = ratings_of(ratings.get(doc)).into_iter();
                both.all(|rating| rating != 0 && is_within(rating.into(), *from, *to))
            })
        }
        Query::Id(id) => {
            let mut contents = values(Column::Content)?;
            Box::new(move |doc| contents.get(doc) == *id)
        }
        Query::Source(part) => {
            let part = part.to_lowercase();
            let names = segment.source_names()?.into_iter();
            let names = names.map(|name| name.to_lowercase().contains(&part));
            let (fits, sources): (Vec<bool>, _) = (names.collect(), segment.sources()?);
            Box::new(move |doc| {
                let which = sources.ords().first(doc);
                which.is_some_and(|which| fits.get(which as usize) == Some(&true))
            })
        }
        _ => Box::new(|_| false),
    })
}

fn is_within(number: u32, from: Option<u32>, to: Option<u32>) -> bool {
    from.is_none_or(|from| number >= from) && to.is_none_or(|to| number <= to)
}
