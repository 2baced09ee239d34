//! `export`: writes games and positions as Parquet.

use crate::failure::{Failure, Trouble, worded};
use crate::ineffective::Ineffective;
use crate::io::indices::{self, report_damage};
use crate::io::{output, run};
use crate::options::fields::FieldArgs;
use crate::options::reading::Reading;
use crate::options::values::{COUNTS, Format, format};
use crate::session::Session;
use crate::term::counts::Tally;
use crate::term::progress::counter;
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use tridex_archive::write::NewFolder;
use tridex_export::{Exporter, GameRows};
use tridex_index::{GameEntry, GameId, GameIndex, Preparer, SearchOptions};
use tridex_text::printable;

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
    pub(crate) fields: FieldArgs,
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
    #[arg(long, value_name = "DIR")]
    pub(crate) parquet: PathBuf,
    /// Format of the counts at the end
    #[arg(long, short, value_parser = format(COUNTS), default_value = "text", value_name = "FORMAT")]
    pub(crate) format: Format,
}

pub(crate) fn run(args: &ExportArgs, session: &Session) -> Result<(), Failure> {
    let since = Instant::now();
    args.reading.check(
        session,
        Ineffective {
            options: &[],
            where_: "on games of an index, which stores moves, not their text",
            instead: "omit it, or name files",
        },
        Ineffective {
            options: &[],
            where_: "on games of an index, whose rules are stored",
            instead: "omit it, or name files",
        },
    )?;
    if let Some(field) = args.fields.request.fields().next()
        && args.index.is_empty()
    {
        return Err(Failure::message(format!(
            "--{} has no effect without an index to search; add --index DIR",
            field.name
        )));
    }
    // Removes the new folder when it is dropped, unless tables were written there.
    let mut folder = None;
    let (exporter, total) = match args.index.is_empty() {
        true => of_files(args, session, &mut folder)?,
        false => (of_indices(args, session, &mut folder)?, Tally::default()),
    };
    if session.is_cancelled() {
        // A partial table looks like a complete one, so none is written.
        session.complain("interrupted: nothing was written");
        return Ok(());
    }
    session.note_if(Trouble::InData, total.rejected > 0);
    if exporter.games() == 0 && session.exit_code() > 0 {
        session.remark("no game was read, so no tables are written");
        return Err(Failure::Stopped);
    }
    let done = session.hold(|| exporter.finish())?;
    let [games_bytes, positions_bytes] = done.bytes;
    let counts = [
        ("games", done.games),
        ("positions", done.positions),
        ("rejected", total.rejected),
        ("games_bytes", games_bytes),
        ("positions_bytes", positions_bytes),
    ];
    let bytes = ("bytes", games_bytes + positions_bytes);
    let shown = [counts[0], counts[1], counts[2], bytes];
    output::write_summary(
        session,
        args.format,
        since,
        &counts,
        &shown,
        total.pieces,
        [],
    )
}

/// Begins the export in its folder, which is created if it does not exist.
fn begin(args: &ExportArgs, folder: &mut Option<NewFolder>) -> Result<Exporter, Failure> {
    let created = NewFolder::create(&args.parquet);
    *folder = Some(created.map_err(|fault| Failure::at(&args.parquet, worded(&fault)))?);
    Ok(Exporter::new(&args.parquet)?)
}

/// Exports the games of files.
fn of_files(
    args: &ExportArgs,
    session: &Session,
    folder: &mut Option<NewFolder>,
) -> Result<(Exporter, Tally), Failure> {
    let options = args.reading.options();
    let book = indices::opening_names(session, args.names.as_deref())?;
    let mut exporter = begin(args, folder)?;
    let preparer = Preparer::without_index(Some(Arc::new(book)));
    let make = |source: &str, entry: &GameEntry| {
        let prepared = preparer.prepare(entry).map_err(|fault| fault.to_string())?;
        let opening = preparer.opening(entry);
        GameRows::new(prepared.id(), source, opening, entry).map_err(|fault| fault.to_string())
    };
    let total = run::games(
        session,
        &args.reading,
        |source, batch, seen| seen.entries(source, batch, &options, |entry, _| make(source, entry)),
        |_, ready| {
            let mut ready = ready.into_iter();
            Ok(ready.try_for_each(|rows| exporter.take(rows))?)
        },
    )?;
    Ok((exporter, total))
}

/// How many games a thread reads from an index at a time.
const PORTION: usize = 256;

/// Exports the games of indices that match the query.
fn of_indices(
    args: &ExportArgs,
    session: &Session,
    folder: &mut Option<NewFolder>,
) -> Result<Exporter, Failure> {
    let games = indices::open(&args.index)?;
    let request = &args.fields.request;
    let ids: Vec<GameId> = match request.is_empty() {
        true => games.ids().collect(),
        false => {
            let query = request.query(&games)?;
            let found = games.search(&query, &SearchOptions::default())?;
            found.hits.iter().map(|hit| hit.id).collect()
        }
    };
    // Created only now, so that a query that cannot be read leaves no folder.
    let mut exporter = begin(args, folder)?;
    session.catch_interrupts();
    let bar = counter(session, "games exported");
    let work = |ids: &[GameId]| -> Vec<_> { ids.iter().map(|id| rows(&games, *id)).collect() };
    let portions = ids.chunks(PORTION);
    let done = run::in_order(
        session,
        portions,
        |_| 0,
        args.reading.threads,
        work,
        |portion| {
            for rows in portion {
                bar.inc(1);
                match rows {
                    Ok(rows) => exporter.take(rows)?,
                    Err(fault) => {
                        session.note(Trouble::InData);
                        bar.suspend(|| session.complain(&printable(&fault)));
                    }
                }
            }
            Ok(())
        },
    );
    bar.finish_and_clear();
    done?;
    report_damage(session, &games);
    Ok(exporter)
}

fn rows(games: &GameIndex, id: GameId) -> Result<GameRows, String> {
    let game = games.game(id).map_err(|fault| fault.to_string())?;
    let opening = game.opening.as_deref();
    GameRows::new(game.id, &game.source, opening, &game.entry).map_err(|fault| fault.to_string())
}
