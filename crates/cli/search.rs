//! `search`: games found in one or several indices.

pub(crate) mod hits;
pub(crate) mod question;
mod saved;

use crate::args::{HitFormat, SearchArgs, agree};
use crate::failure::{Exit, Failure};
use crate::index::{of_index, tell_damage};
use crate::input;
use crate::output;
use std::io::Write;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use tridex_archive::{json, printable, write};
use tridex_index::{GameIndex, HitRow as Row, Hits, IndexError, IndexedGame, SearchOptions};
use tridex_replay::{Options, Played, Report, RulesChoice, replay_with};
use tridex_rules::RuleSystem;

/// How many hits people are shown unless they say otherwise.
const SHOWN: usize = 50;

/// How many games are replayed to count the hits that are not shown: some ten milliseconds of work.
const COUNTED: u64 = 10_000;

pub(crate) fn run(args: &SearchArgs) -> Result<Exit, Failure> {
    let mut request = question::of(&args.words, &args.fields, &args.saved)?;
    let rules = request
        .values("rules")
        .last()
        .and_then(RuleSystem::from_name);
    agree(rules, args.notation)?;
    let index = open(&args.index)?;
    let query = question::query(&request, &index)?;
    let limit = args.limit.unwrap_or(match args.format {
        _ if args.count => 0,
        HitFormat::Text => SHOWN,
        HitFormat::Ndjson | HitFormat::Csv | HitFormat::Pgn => usize::MAX,
    });
    // People are told how many there are; where they want only some, if that takes no time.
    let is_quick = || query.replays() as u64 * index.games() <= COUNTED;
    let count =
        args.count || args.format == HitFormat::Text && (args.limit.is_none() || is_quick());
    request.options = SearchOptions {
        offset: args.offset,
        limit,
        count,
        variations: false,
    };
    request.sort = args.sort.map(|key| (key, args.reverse));
    let found = index.answer(&request).map_err(|fault| of_index(&fault))?;
    let write = |out: &mut dyn Write| write_all(args, &index, &found, out);
    let exit = match args.format {
        HitFormat::Text => output::to_file_or_drawn(&args.output, write),
        _ => output::to_file_or_stdout(&args.output, write),
    }?;
    Ok(exit.max(tell_damage(&index)))
}

/// Opens indices to be asked as one: those that were named, or else those of the variable `TRIDEX_INDEX`, divided as
/// the system divides paths. They are open until the program ends, which gives back dozens of mapped files at once: to give
/// back each on its own takes as long as many a question.
pub(crate) fn open(named: &[PathBuf]) -> Result<ManuallyDrop<GameIndex>, Failure> {
    let folders = folders(named)?;
    let folders: Vec<&Path> = folders.iter().map(PathBuf::as_path).collect();
    let index = GameIndex::open_all(&folders).map_err(|fault| of_index(&fault))?;
    Ok(ManuallyDrop::new(index))
}

/// The folders of the indices to be asked: see [`open`].
pub(crate) fn folders(named: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let variable = std::env::var_os("TRIDEX_INDEX").filter(|_| named.is_empty());
    let divided = variable.iter().flat_map(std::env::split_paths);
    let folders: Vec<PathBuf> = named.iter().cloned().chain(divided).collect();
    if folders.is_empty() {
        return Err(Failure::message(
            "no index is named: --index DIR, or the variable TRIDEX_INDEX",
        ));
    }
    Ok(folders)
}

/// One game of indices, replayed; under other rules than its own if some are named.
pub(crate) fn one_game(
    folders: &[PathBuf],
    name: &str,
    rules: Option<RuleSystem>,
) -> Result<Report, Failure> {
    let index = open(folders)?;
    let game = index.game(question::find(&index, name)?);
    let game = game.map_err(|fault| of_index(&fault))?;
    with_played(&game, rules, |played| played.report())
}

/// Hands a game of an index to who goes through games.
pub(crate) fn with_played<T>(
    game: &IndexedGame,
    rules: Option<RuleSystem>,
    take: impl FnOnce(&Played<'_>) -> T,
) -> Result<T, Failure> {
    let notation = input::own_notation(game.entry.rules);
    let record = game.record(notation, None).map_err(Failure::message)?;
    let options = Options {
        rules: rules.map_or(RulesChoice::AsTagged, RulesChoice::Only),
        ..Options::default()
    };
    Ok(replay_with(&record, &options, take))
}

fn write_all(
    args: &SearchArgs,
    index: &GameIndex,
    found: &Hits,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    if args.count {
        match args.format {
            HitFormat::Ndjson => writeln!(out, "{{\"games\":{}}}", found.total)?,
            _ => writeln!(out, "{}", found.total)?,
        }
        return Ok(Exit::Good);
    }
    if args.format == HitFormat::Pgn {
        return archive(args, index, found, out);
    }
    let mut exit = Exit::Good;
    let rows = found
        .hits
        .iter()
        .filter_map(|hit| match index.summary(hit.id) {
            Ok(game) => Some(Ok(Row::new(hit, game))),
            Err(fault) => left_out(&fault, &mut exit).err().map(Err),
        });
    match args.format {
        HitFormat::Text => {
            let rows = rows.collect::<Result<Vec<Row>, Failure>>()?;
            let paint = output::paint(&args.output);
            let width = output::width(&args.output);
            out.write_all(hits::table(&rows, found, args.offset, paint, width).as_bytes())?;
        }
        HitFormat::Csv => {
            let style = args.csv.style();
            let mut table = write::Table::headed(out, style, Row::COLUMNS)?;
            for row in rows {
                table.row(row?.cells())?;
            }
            table.finish()?;
        }
        HitFormat::Ndjson | HitFormat::Pgn => {
            for row in rows {
                json::to_writer(out, &row?)?;
                out.write_all(b"\n")?;
            }
        }
    }
    Ok(exit)
}

/// A game that is damaged is told and left out; any other fault ends the answer.
pub(crate) fn left_out(fault: &IndexError, exit: &mut Exit) -> Result<(), Failure> {
    if !matches!(fault, IndexError::Damaged { .. }) {
        return Err(of_index(fault));
    }
    *exit = Exit::FellShort;
    output::complain(&format!(
        "a game is left out: {}",
        printable(&fault.to_string())
    ));
    Ok(())
}

/// Writes the games themselves.
fn archive(
    args: &SearchArgs,
    index: &GameIndex,
    found: &Hits,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let mut exit = Exit::Good;
    for hit in &found.hits {
        let game = match index.game(hit.id) {
            Ok(game) => game,
            Err(fault) => {
                left_out(&fault, &mut exit)?;
                continue;
            }
        };
        let notation = args
            .notation
            .unwrap_or_else(|| input::own_notation(game.entry.rules));
        let place = hit
            .ply
            .filter(|_| args.mark)
            .map(|ply| (hit.variation, ply));
        match game.record(notation, place) {
            Ok(game) => write::pgn(&game, out)?,
            Err(fault) => {
                exit = Exit::FellShort;
                output::complain(&format!(
                    "{}: game {} is played under {} and cannot be written so: {fault}",
                    printable(&game.source),
                    game.entry.number,
                    game.entry.rules.name()
                ));
            }
        }
    }
    Ok(exit)
}
