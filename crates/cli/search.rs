//! `search`: games found in one or several indices.

pub(crate) mod hits;
pub(crate) mod question;
mod record;

use crate::args::{HitFormat, SearchArgs};
use crate::failure::{Exit, Failure};
use crate::index::of_index;
use crate::input;
use crate::output::{self, Paint};
use hits::Row;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tridex_archive::{printable, write};
use tridex_index::{GameIndex, Hits, IndexError, SearchOptions};

/// How many hits people are shown unless they say otherwise.
const SHOWN: usize = 50;

pub(crate) fn run(args: &SearchArgs) -> Result<Exit, Failure> {
    let index = open(&args.index)?;
    let query = question::of(args, &index)?;
    let limit = args.limit.unwrap_or(match args.format {
        HitFormat::Text => SHOWN,
        HitFormat::Ndjson | HitFormat::Csv | HitFormat::Pgn => usize::MAX,
    });
    let options = SearchOptions {
        limit,
        variations: args.variations,
        ..SearchOptions::default()
    };
    let found = index
        .search(&query, &options)
        .map_err(|fault| of_index(&fault))?;
    output::to_file_or_stdout(args.output.as_deref(), |out| {
        write_all(args, &index, &found, out)
    })
}

/// Opens indices to be asked as one.
pub(crate) fn open(folders: &[PathBuf]) -> Result<GameIndex, Failure> {
    let folders: Vec<&Path> = folders.iter().map(PathBuf::as_path).collect();
    GameIndex::open_all(&folders).map_err(|fault| of_index(&fault))
}

fn write_all(
    args: &SearchArgs,
    index: &GameIndex,
    found: &Hits,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let rows = found.hits.iter().map(|hit| {
        let game = index.summary(hit.id).map_err(|fault| of_index(&fault))?;
        Ok::<Row, Failure>(Row::new(hit, game))
    });
    match args.format {
        HitFormat::Text => {
            let rows = rows.collect::<Result<Vec<Row>, Failure>>()?;
            let paint = if args.output.is_some() {
                Paint::none()
            } else {
                Paint::stdout()
            };
            out.write_all(hits::table(&rows, found.total, paint).as_bytes())?;
        }
        HitFormat::Ndjson => {
            for row in rows {
                row?.write_json(out)?;
            }
        }
        HitFormat::Csv => {
            let mut csv = csv::Writer::from_writer(out);
            csv.write_record(Row::COLUMNS).map_err(io::Error::from)?;
            for row in rows {
                csv.write_record(row?.cells()).map_err(io::Error::from)?;
            }
            csv.flush()?;
        }
        HitFormat::Pgn => return archive(args, index, found, out),
    }
    Ok(Exit::Good)
}

/// Writes the games themselves.
fn archive(
    args: &SearchArgs,
    index: &GameIndex,
    found: &Hits,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let told = |fault: IndexError| of_index(&fault);
    let mut exit = Exit::Good;
    for hit in &found.hits {
        let game = index.game(hit.id).map_err(told)?;
        let notation = args
            .notation
            .unwrap_or_else(|| input::own_notation(game.entry.rules));
        match record::of(&game, notation) {
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
