//! Reads the games that match a query.

use crate::error::Result;
use crate::model::indexed_game::IndexedGame;
use crate::query::expression::Query;
use crate::read::index::GameIndex;
use crate::search::plan::Plan;
use rayon::prelude::*;
use tantivy::DocId;

/// How many games a thread reads at a time.
const PORTION: usize = 512;

/// How many portions are read before their results are taken.
const AT_ONCE: usize = 16;

impl GameIndex {
    /// Reads the games that match a query on several threads. `read` gets the games of a portion, in the order of the
    /// index, and `take` its results, in the order of the portions. A game that cannot be read is passed as an error.
    /// Games of segments in which the query cannot be answered are missing, and [`GameIndex::damage`] reports the damage.
    ///
    /// ```
    /// # use tridex_index::GameIndex;
    /// # let folder = tempfile::tempdir()?;
    /// # tridex_index::example::write(folder.path())?;
    /// let index = GameIndex::open(folder.path())?;
    /// let mut plies = 0;
    /// index.read_games(
    ///     &tridex_index::Query::All,
    ///     |games| games.flatten().map(|game| game.entry.moves.len()).sum::<usize>(),
    ///     |of_portion| plies += of_portion,
    /// )?;
    /// assert_eq!(plies, 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the query cannot be used with the index, or the search was stopped.
    pub fn read_games<T: Send>(
        &self,
        query: &Query,
        read: impl Fn(&mut dyn Iterator<Item = Result<IndexedGame>>) -> T + Sync,
        mut take: impl FnMut(T),
    ) -> Result<()> {
        for snapshot in &self.snapshots {
            let plan = Plan::new(snapshot, query, &self.stop)?;
            for segment in &snapshot.segments {
                let Some(games) = snapshot.answered(plan.games(segment))? else {
                    continue;
                };
                let games: Vec<DocId> = games.iter().collect();
                for shift in games.chunks(PORTION * AT_ONCE) {
                    self.stop.check()?;
                    let read_portion = |games: &[DocId]| {
                        read(&mut games.iter().map(|doc| {
                            let game = snapshot.game(segment, *doc);
                            game.inspect_err(|error| snapshot.note(error))
                        }))
                    };
                    let portions = shift.par_chunks(PORTION).map(read_portion);
                    portions.collect::<Vec<T>>().into_iter().for_each(&mut take);
                }
            }
        }
        Ok(())
    }
}
