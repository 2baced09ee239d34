//! The games of files that match a query. Only indices answer queries, so that files and indices give the same
//! games: these are put into temporary indices, a portion at a time.

use crate::commands::stats::StatsArgs;
use crate::failure::Failure;
use crate::io::{indices, run};
use std::collections::HashMap;
use std::sync::Arc;
use tempfile::TempDir;
use tridex_index::{
    GameIndex, IndexError, IndexOptions, OpeningBook, Prepared, Preparer, Query, SearchOptions,
    Writer,
};
use tridex_replay::{Options, Played};

/// How many games are in an index at a time: what is stored of them meanwhile takes some ten megabytes.
const PORTION: usize = 10_000;

/// Makes something of each game of files and hands over what was made of those that match the query. Invalid games match
/// none; they are skipped and reported.
pub(super) fn of_files<T: Send>(
    args: &StatsArgs,
    options: &Options,
    make: impl Fn(&Played<'_>) -> T + Sync,
    mut take: impl FnMut(&T),
) -> Result<(), Failure> {
    let query = args.fields.request.query_without_index()?;
    let book = indices::opening_names(args.names.as_deref())?;
    let mut sieve = Sieve {
        query,
        book: Arc::new(book),
        open: None,
        waiting: HashMap::new(),
    };
    let preparer = Preparer::without_index(Some(Arc::clone(&sieve.book)));
    run::games(
        &args.reading,
        |source, batch, seen| {
            seen.entries(source, batch, options, |entry, played| {
                let prepared = preparer.prepare(entry).map_err(|fault| fault.to_string())?;
                Ok((entry.number, prepared, make(played)))
            })
        },
        |source, games| {
            for (number, game, made) in games {
                sieve.add(source, number, game, made, &mut take)?;
            }
            Ok(())
        },
    )?;
    Ok(sieve.answer(&mut take)?)
}

/// Lets the games through that match a query.
struct Sieve<T> {
    query: Query,
    book: Arc<OpeningBook>,
    /// The index that is being made, and the source of its last games.
    open: Option<(TempDir, Writer, Arc<str>)>,
    /// What was made of its games, by source and number.
    waiting: HashMap<(String, u32), T>,
}

impl<T> Sieve<T> {
    fn add(
        &mut self,
        source: &Arc<str>,
        number: u32,
        game: Prepared,
        made: T,
        take: impl FnMut(&T),
    ) -> Result<(), IndexError> {
        if self.open.is_none() {
            let folder = tempfile::tempdir().map_err(|error| IndexError::Io {
                path: std::env::temp_dir(),
                error,
            })?;
            let options = IndexOptions {
                book: Some(Arc::clone(&self.book)),
                ..IndexOptions::default()
            };
            let writer = Writer::open(folder.path(), options)?;
            self.open = Some((folder, writer, Arc::default()));
        }
        if let Some((_, writer, last)) = &mut self.open {
            if last != source || self.waiting.is_empty() {
                writer.leave_source(None);
                writer.begin_source(source)?;
                *last = Arc::clone(source);
            }
            writer.add(game)?;
        }
        self.waiting.insert((source.to_string(), number), made);
        match self.waiting.len() {
            PORTION => self.answer(take),
            _ => Ok(()),
        }
    }

    /// Hands over what was made of the games that wait and match.
    fn answer(&mut self, mut take: impl FnMut(&T)) -> Result<(), IndexError> {
        let mut waiting = std::mem::take(&mut self.waiting);
        let Some((folder, writer, _)) = self.open.take() else {
            return Ok(());
        };
        writer.finish()?;
        let index = GameIndex::open(folder.path())?;
        for hit in index.search(&self.query, &SearchOptions::default())?.hits {
            let game = index.summary(hit.id)?;
            if let Some(made) = waiting.remove(&(game.source, game.number)) {
                take(&made);
            }
        }
        Ok(())
    }
}
