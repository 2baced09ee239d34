//! `export`: games and positions as Parquet.

use crate::failure::{Exit, Failure};
use crate::io::indices::{of_export, of_index, report_damage};
use crate::io::interrupt::STOP;
use crate::io::{entries, interrupt, opening_names, output, pieces, question, run, sources};
use crate::options::fields::{FieldArgs, Fielded};
use crate::options::reading::Reading;
use crate::options::writing::SummaryFormat;
use crate::term::progress::counter;
use crate::term::style::Paint;
use crate::term::terminal;
use clap::Args;
use serde::Serialize;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use tridex_archive::{pipeline, printable};
use tridex_export::{Exporter, GameRows};
use tridex_index::{GameEntry, GameId, GameIndex, Preparer, SearchOptions};

/// `export` has rules under which games of files are read, and plans of files. Only an index is searched.
#[derive(Clone, Debug)]
pub(crate) enum OfExport {}

impl Fielded for OfExport {
    const OMITTED: &'static [&'static str] = &["rules", "plan"];
}

/// Write games and positions as Parquet tables.
///
/// `games.parquet` has a row for each game, `positions.parquet` a row for each position of each main line, sorted by the
/// position's key. Invalid games are skipped and reported on standard error.
#[derive(Args, Debug)]
#[command(mut_arg("paths", |paths| paths.required(false).required_unless_present_any(["index", "plan"])),
    after_help = "\
Examples:
  tridex export archive/ --parquet tables/                 the games of files
  tridex export --index games.index --parquet tables/      the games of an index
  tridex export --index games.index --date 2001.. --parquet tables/      only those since 2001
  tridex openings --parquet tables/ --rules meder          first moves, without an index")]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Folder of an index to export, instead of files; repeatable
    #[arg(long, value_name = "DIR", conflicts_with_all = ["paths", "plan"], help_heading = "Input")]
    pub(crate) index: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) fields: FieldArgs<OfExport>,
    /// Names of openings: CSV with name, moves, rule system
    ///
    /// They are added to the bundled names. The rule system may be left empty. Games of an index keep the names stored
    /// there.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "index",
        help_heading = "Input"
    )]
    pub(crate) names: Option<PathBuf>,
    /// Folder for `games.parquet` and `positions.parquet`
    ///
    /// It is created if it does not exist; files of these names are replaced.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) parquet: PathBuf,
    /// Format of the counts at the end
    #[arg(long, short, value_enum, default_value_t = SummaryFormat::Text, value_name = "FORMAT", help_heading = "Output")]
    pub(crate) format: SummaryFormat,
}

/// The summary at the end. Fields are added, never renamed or dropped.
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

pub(crate) fn run(args: &ExportArgs) -> Result<Exit, Failure> {
    let since = Instant::now();
    // What is not understood leaves no folder.
    let selected = selected(args)?;
    let mut exporter = Exporter::new(&args.parquet).map_err(of_export)?;
    let mut summary = Summary::default();
    let mut exit = match &selected {
        None => of_files(args, &mut exporter, &mut summary)?,
        Some(selected) => of_indices(args, selected, &mut exporter)?,
    };
    if interrupt::interrupted() {
        // Half a table looks like a whole one, so there is none.
        terminal::complain("interrupted: nothing was written");
        return Ok(Exit::Failed);
    }
    let _held = interrupt::hold();
    let done = exporter.finish().map_err(of_export)?;
    [summary.games_bytes, summary.positions_bytes] = done.bytes;
    (summary.games, summary.positions) = (done.games, done.positions);
    summary.pieces = pieces::taken(&args.reading);
    summary.seconds = (since.elapsed().as_secs_f64() * 1e3).round() / 1e3;
    if summary.rejected > 0 {
        exit = exit.max(Exit::HasProblems);
    }
    output::write_summary(args.format, &summary, table)?;
    Ok(exit)
}

/// Exports the games that the paths lead to.
fn of_files(
    args: &ExportArgs,
    exporter: &mut Exporter,
    summary: &mut Summary,
) -> Result<Exit, Failure> {
    let options = args.reading.options();
    let (book, exit) = opening_names::read(args.names.as_deref())?;
    let preparer = Preparer::without_index(Some(Arc::new(book)));
    let make = |source: &str, entry: &GameEntry| {
        let prepared = preparer.prepare(entry).map_err(|fault| fault.to_string())?;
        let opening = preparer.opening(entry);
        GameRows::new(prepared.id(), source, opening, entry).map_err(|fault| fault.to_string())
    };
    let mut broken = None;
    let done = run::run(
        &args.reading,
        &options,
        |source, batch, seen| {
            let games = entries::games(source, batch, &options, |entry, _| make(source, entry));
            seen.tally = games.tally;
            seen.aside = games.aside;
            seen.has_problems = games.rejected > 0 || games.strays;
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

/// The indices that are exported, and which of their games.
type Selected = (GameIndex, Vec<GameId>);

/// Opens the indices, if some are named, and searches them.
fn selected(args: &ExportArgs) -> Result<Option<Selected>, Failure> {
    let request = &args.fields.request;
    if args.index.is_empty() {
        return match request.fields().next() {
            None => Ok(None),
            Some(field) => Err(Failure::message(format!(
                "--{} has no effect without an index to search; add --index DIR",
                field.name
            ))),
        };
    }
    let roots: Vec<&Path> = args.index.iter().map(AsRef::as_ref).collect();
    let games = GameIndex::open_all(&roots).map_err(|fault| of_index(&fault))?;
    let ids = match request.is_empty() {
        true => games.ids().collect(),
        false => {
            let query = question::query(request, &games)?;
            let found = games.search(&query, &SearchOptions::default());
            let hits = found.map_err(|fault| of_index(&fault))?.hits;
            hits.iter().map(|hit| hit.id).collect()
        }
    };
    Ok(Some((games, ids)))
}

/// Exports games of indices.
fn of_indices(
    args: &ExportArgs,
    (games, ids): &Selected,
    exporter: &mut Exporter,
) -> Result<Exit, Failure> {
    interrupt::catch_interrupts();
    let bar = counter("games exported");
    let mut exit = Exit::Good;
    let mut broken = None;
    let done = pipeline::run(
        ids.chunks(PORTION),
        sources::threads(&args.reading),
        &STOP,
        |ids| ids.iter().map(|id| rows(games, *id)).collect(),
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
                        exit = Exit::HasProblems;
                        bar.suspend(|| terminal::complain(&printable(&fault)));
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
    Ok(exit.max(report_damage(games)))
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
