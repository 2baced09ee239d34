//! `search`: games found in one or several indices.

use crate::failure::{Exit, Failure};
use crate::io::indices::{left_out, of_index, tell_damage};
use crate::io::{indices, output, question};
use crate::options::asking::{HitFormat, SearchArgs};
use crate::options::values::agree;
use crate::term::terminal;
use tridex_notation::Notation;

pub(crate) mod hits;

use std::io::Write;
use tridex_archive::{json, printable, write};
use tridex_index::{GameIndex, HitRow as Row, Hits, SearchOptions};

/// How many hits people are shown unless they say otherwise.
const SHOWN: usize = 50;

/// How many games are replayed to count the hits that are not shown: some ten milliseconds of work.
const COUNTED: u64 = 10_000;

pub(crate) fn run(args: &SearchArgs) -> Result<Exit, Failure> {
    agree(args.rules, args.notation)?;
    let index = indices::open(&args.index)?;
    let query = question::of(args, &index)?;
    let limit = args.limit.unwrap_or(match args.format {
        _ if args.count => 0,
        HitFormat::Text => SHOWN,
        HitFormat::Ndjson | HitFormat::Csv | HitFormat::Pgn => usize::MAX,
    });
    // People are told how many there are; where they want only some, if that takes no time.
    let is_quick = || query.replays() as u64 * index.games() <= COUNTED;
    let count =
        args.count || args.format == HitFormat::Text && (args.limit.is_none() || is_quick());
    let options = SearchOptions {
        offset: args.offset,
        limit,
        count,
        variations: args.variations,
    };
    let found = match args.sort {
        Some(key) => index.search_sorted(&query, &options, key, args.reverse),
        None => index.search(&query, &options),
    };
    let found = found.map_err(|fault| of_index(&fault))?;
    let write = |out: &mut dyn Write| write_all(args, &index, &found, out);
    let exit = match args.format {
        HitFormat::Text => output::to_file_or_drawn(&args.output, write),
        _ => output::to_file_or_stdout(&args.output, write),
    }?;
    Ok(exit.max(tell_damage(&index)))
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
            .unwrap_or_else(|| Notation::of(game.entry.rules));
        let place = hit
            .ply
            .filter(|_| args.mark)
            .map(|ply| (hit.variation, ply));
        match game.record(notation, place) {
            Ok(game) => write::pgn(&game, out)?,
            Err(fault) => {
                exit = Exit::FellShort;
                terminal::complain(&format!(
                    "{}: game {} is a {} game and cannot be written in this notation: {fault}",
                    printable(&game.source),
                    game.entry.number,
                    game.entry.rules.name()
                ));
            }
        }
    }
    Ok(exit)
}
