//! Finds the games of files that match a query. Only indices answer queries, so the games are added to temporary
//! indices, a portion at a time. Files and indices therefore give the same games.

use crate::commands::stats::StatsArgs;
use crate::failure::Failure;
use crate::io::{indices, run};
use crate::session::Session;
use std::collections::HashMap;
use std::sync::Arc;
use tridex_index::{
    GameIndex, IndexError, IndexOptions, OpeningBook, Prepared, Preparer, Query, SearchOptions,
    Writer,
};
use tridex_replay::{Options, Played};

/// How many games a temporary index has. Until it is searched, they take about 30 MB of memory.
const PORTION: usize = 10_000;

/// A game that waits for its index: its source, its number there, the prepared game, and the result of `make`.
type Waiting<T> = (Arc<str>, u32, Prepared, T);

/// Calls `make` for each game of files, and passes the results for games that match the query to `take`. Invalid games
/// match no query; they are skipped and reported.
pub(super) fn of_files<T: Send>(
    args: &StatsArgs,
    session: &Session,
    options: &Options,
    make: impl Fn(&Played<'_>) -> T + Sync,
    mut take: impl FnMut(&T),
) -> Result<(), Failure> {
    let query = args.fields.request.query_without_index()?;
    let book = Arc::new(indices::opening_names(session, args.names.as_deref())?);
    let preparer = Preparer::without_index(Some(Arc::clone(&book)));
    let mut waiting = Vec::new();
    run::games(
        session,
        &args.reading,
        |source, batch, seen| {
            seen.entries(source, batch, options, |entry, played| {
                let prepared = preparer.prepare(entry).map_err(|fault| fault.to_string())?;
                Ok((entry.number, prepared, make(played)))
            })
        },
        |source, games| {
            let games = games.into_iter();
            waiting.extend(games.map(|(n, game, made)| (Arc::clone(source), n, game, made)));
            match waiting.len() {
                0..PORTION => Ok(()),
                _ => Ok(answer(&query, &book, &mut waiting, &mut take)?),
            }
        },
    )?;
    Ok(answer(&query, &book, &mut waiting, &mut take)?)
}

/// Passes the results for waiting games that match the query to `take`.
fn answer<T>(
    query: &Query,
    book: &Arc<OpeningBook>,
    waiting: &mut Vec<Waiting<T>>,
    take: &mut impl FnMut(&T),
) -> Result<(), IndexError> {
    let folder = tempfile::tempdir().map_err(|error| IndexError::Io {
        path: std::env::temp_dir(),
        error,
    })?;
    let options = IndexOptions {
        book: Some(Arc::clone(book)),
        ..IndexOptions::default()
    };
    let mut writer = Writer::open(folder.path(), options)?;
    let mut all = HashMap::new();
    let mut last = None;
    for (source, number, game, made) in waiting.drain(..) {
        if last.as_ref() != Some(&source) {
            writer.leave_source(None);
            writer.begin_source(&source)?;
        }
        writer.add(game)?;
        all.insert((source.to_string(), number), made);
        last = Some(source);
    }
    writer.finish()?;
    let index = GameIndex::open(folder.path())?;
    for hit in index.search(query, &SearchOptions::default())?.hits {
        let game = index.summary(hit.id)?;
        if let Some(made) = all.remove(&(game.source, game.number)) {
            take(&made);
        }
    }
    Ok(())
}
