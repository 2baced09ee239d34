//! Counts over the games that match a query.

use crate::error::Result;
use crate::model::game_set::GameSet;
use crate::model::results::Counts;
use crate::model::stop::Stop;
use crate::query::expression::Query;
use crate::read::index::GameIndex;
use crate::search::plan::Plan;
use crate::storage::segment::Segment;
use rayon::prelude::*;
use tantivy::DocId;

impl GameIndex {
    /// Counts in every segment and adds the counts up. The search for the games that match the filter only runs if
    /// `count` calls for it.
    pub(crate) fn gather<T: Counts>(
        &self,
        filter: &Query,
        count: impl Fn(&Segment, &dyn Fn() -> Result<GameSet>) -> Result<T>,
    ) -> Result<T> {
        let mut all = T::default();
        for snapshot in &self.snapshots {
            let plan = Plan::new(snapshot, filter, &self.stop)?;
            for segment in &snapshot.segments {
                self.stop.check()?;
                let games = || plan.games(segment);
                if let Some(some) = snapshot.answered(count(segment, &games))? {
                    all = all.join(some);
                }
            }
        }
        Ok(all)
    }
}

/// How many games the threads count before they may switch to other work, as in a search.
const SHIFT: usize = 32 * PORTION;

/// How many games a thread counts at a time.
const PORTION: usize = 2_048;

/// Counts games of a segment on several threads.
///
/// # Errors
/// Returns an error if a game is damaged, or the search was stopped.
pub(crate) fn in_parallel<T: Counts>(
    segment: &Segment,
    games: &[DocId],
    stop: &Stop,
    count: impl Fn(DocId, &mut T) -> Option<()> + Sync,
) -> Result<T> {
    let count_all = |games: &[DocId]| {
        let mut counted = T::default();
        for game in games {
            stop.check()?;
            count(*game, &mut counted).ok_or_else(|| segment.unreadable())?;
        }
        Ok(counted)
    };
    if games.len() < 512 {
        return count_all(games);
    }
    let mut shifts = games.chunks(SHIFT).map(|games| {
        let portions = games.par_chunks(PORTION).map(count_all);
        portions.try_reduce(T::default, |a, b| Ok(a.join(b)))
    });
    shifts.try_fold(T::default(), |all, some| Ok(all.join(some?)))
}
