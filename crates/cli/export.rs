//! `export`: games and positions as Parquet.

use crate::args::ExportArgs;
use crate::book;
use crate::failure::{Exit, Failure};
use crate::index::{self, of_index, tell_damage};
use crate::input::{self, STOP};
use crate::interrupt;
use crate::output::{self, Paint};
use crate::plan;
use crate::progress::counter;
use crate::survey;
use serde::Serialize;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use tridex_archive::{pipeline, printable};
use tridex_export::{ExportError, Exporter, GameRows};
use tridex_index::{GameEntry, GameId, GameIndex, Preparer};

/// What is said at the end. Fields are added, never renamed or dropped.
#[derive(Default, Serialize)]
struct Summary {
    games: u64,
    positions: u64,
    rejected: u64,
    /// Bytes of `games.parquet`.
    games_bytes: u64,
    /// Bytes of `positions.parquet`.
    positions_bytes: u64,
    seconds: f64,
    /// Pieces that were read, if it was a plan that was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pieces: Option<u64>,
}

/// What went wrong with Parquet, said on a terminal.
pub(crate) fn of_export(fault: ExportError) -> Failure {
    Failure::message(printable(&fault.to_string()))
}

pub(crate) fn run(args: &ExportArgs) -> Result<Exit, Failure> {
    let since = Instant::now();
    let mut exporter = Exporter::new(&args.parquet).map_err(of_export)?;
    let mut summary = Summary::default();
    let mut exit = match args.index.is_empty() {
        true => of_files(args, &mut exporter, &mut summary)?,
        false => of_indices(args, &mut exporter)?,
    };
    if input::interrupted() {
        // Half a table looks like a whole one, so there is none.
        output::complain("interrupted: nothing was written");
        return Ok(Exit::Failed);
    }
    let _held = interrupt::hold();
    let done = exporter.finish().map_err(of_export)?;
    [summary.games_bytes, summary.positions_bytes] = done.bytes;
    (summary.games, summary.positions) = (done.games, done.positions);
    summary.pieces = plan::taken(&args.reading);
    summary.seconds = (since.elapsed().as_secs_f64() * 1e3).round() / 1e3;
    if summary.rejected > 0 {
        exit = exit.max(Exit::FellShort);
    }
    output::tell_done(args.format, &summary, table)?;
    Ok(exit)
}

/// Exports the games that the paths lead to.
fn of_files(
    args: &ExportArgs,
    exporter: &mut Exporter,
    summary: &mut Summary,
) -> Result<Exit, Failure> {
    let options = input::options(&args.reading, args.rules, args.locale);
    let (book, exit) = book::read(args.names.as_deref())?;
    let preparer = Preparer::without_index(Some(Arc::new(book)));
    let make = |source: &str, entry: &GameEntry| {
        let prepared = preparer.prepare(entry).map_err(|fault| fault.to_string())?;
        let opening = preparer.opening(entry);
        GameRows::new(prepared.id(), source, opening, entry).map_err(|fault| fault.to_string())
    };
    let mut broken = None;
    let done = survey::run(
        &args.reading,
        &options,
        |source, batch, seen| {
            let games = index::games(source, batch, &options, |entry, _| make(source, entry));
            seen.tally = games.tally;
            seen.aside = games.aside;
            seen.fell_short = games.rejected > 0 || games.strays;
            (games.ready, games.rejected)
        },
        |_, (ready, rejected), _| {
            summary.rejected += rejected;
            for rows in ready {
                if let Err(fault) = exporter.take(rows) {
                    broken = Some(fault);
                    return Err(io::Error::other("the tables cannot be written"));
                }
            }
            Ok(())
        },
    );
    match broken {
        Some(fault) => Err(of_export(fault)),
        None => Ok(exit.max(done?.1)),
    }
}

/// Games that are taken out of an index at a time.
const PORTION: usize = 256;

/// Exports the games of indices.
fn of_indices(args: &ExportArgs, exporter: &mut Exporter) -> Result<Exit, Failure> {
    input::catch_interrupts();
    let roots: Vec<&Path> = args.index.iter().map(AsRef::as_ref).collect();
    let games = GameIndex::open_all(&roots).map_err(|fault| of_index(&fault))?;
    let ids: Vec<GameId> = games.ids().collect();
    let bar = counter("games exported");
    let mut exit = Exit::Good;
    let mut broken = None;
    let done = pipeline::run(
        ids.chunks(PORTION),
        input::threads(&args.reading),
        &STOP,
        |ids| ids.iter().map(|id| rows(&games, *id)).collect(),
        |portion: Vec<Result<GameRows, String>>| {
            for rows in portion {
                bar.inc(1);
                match rows {
                    Ok(rows) => {
                        if let Err(fault) = exporter.take(rows) {
                            broken = Some(fault);
                            return Err(io::Error::other("the tables cannot be written"));
                        }
                    }
                    Err(fault) => {
                        exit = Exit::FellShort;
                        bar.suspend(|| output::complain(&printable(&fault)));
                    }
                }
            }
            Ok(())
        },
    );
    bar.finish_and_clear();
    if let Some(fault) = broken {
        return Err(of_export(fault));
    }
    done?;
    Ok(exit.max(tell_damage(&games)))
}

fn rows(games: &GameIndex, id: GameId) -> Result<GameRows, String> {
    let game = games.game(id).map_err(|fault| fault.to_string())?;
    let opening = game.opening.as_deref();
    GameRows::new(game.id, &game.source, opening, &game.entry).map_err(|fault| fault.to_string())
}

/// The counts for people.
fn table(summary: &Summary, paint: Paint) -> String {
    let counts = [
        ("games", summary.games),
        ("positions", summary.positions),
        ("rejected", summary.rejected),
        ("bytes", summary.games_bytes + summary.positions_bytes),
    ];
    let mut text = String::new();
    for (name, count) in counts {
        text.push_str(&format!("{name:<10} {count:>12}\n"));
    }
    let timing = format!("{:<10} {:>10.2} s\n", "time", summary.seconds);
    text.push_str(&paint.faint(&timing));
    text
}
