//! `generate`: seeded legal games.

use crate::args::{GameFormat, GenerateArgs, agree};
use crate::failure::{Exit, Failure};
use crate::input::{self, STOP};
use crate::output;
use crate::progress::Progress;
use std::io::{self, Write};
use std::ops::Range;
use tridex_archive::write::{self, JsonHead, SheetWriter, TableStyle};
use tridex_archive::{Game, pipeline};
use tridex_notation::{Locale, position_string};
use tridex_replay::generate::Recipe;

/// Games made in one go.
const BATCH: u64 = 64;

/// Some games: written, or for a scoresheet to be written.
enum Made {
    Text(Vec<u8>),
    Games(Vec<(u64, Game<'static>)>),
}

pub(crate) fn run(args: &GenerateArgs) -> Result<Exit, Failure> {
    let notation = args.notation.unwrap_or(input::own_notation(args.rules));
    agree(Some(args.rules), Some(notation))?;
    input::catch_interrupts();
    let recipe = Recipe {
        notation,
        locale: args.locale.unwrap_or(Locale::English),
        plies: args.plies,
        annotated: args.annotated,
        ..Recipe::new(args.rules, args.seed)
    };
    let style = args.csv.style();
    output::to_file_or_stdout(&args.output, |out| write_all(args, style, &recipe, out))
}

fn write_all(
    args: &GenerateArgs,
    style: TableStyle,
    recipe: &Recipe,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let bar = Progress::of_games(args.games);
    let start = position_string::to_string(&args.rules.start());
    let batches = (0..args.games)
        .step_by(BATCH as usize)
        .map(|first| first..first.saturating_add(BATCH).min(args.games));
    let work = |range: Range<u64>| (range.end, make(range, args.format, recipe, &start));
    let threads = input::thread_count(args.threads);
    let done = match args.format {
        GameFormat::Csv => {
            let mut sheet = SheetWriter::styled(out, style)?;
            let done = pipeline::run(batches, threads, &STOP, work, |(end, made)| {
                bar.show_games(end);
                if let Made::Games(games) = made {
                    for (number, game) in &games {
                        sheet.write(*number, game)?;
                    }
                }
                Ok(())
            });
            done.and_then(|()| sheet.finish().map(drop))
        }
        GameFormat::Pgn | GameFormat::Ndjson => {
            pipeline::run(batches, threads, &STOP, work, |(end, made)| {
                bar.show_games(end);
                match made {
                    Made::Text(text) => out.write_all(&text),
                    Made::Games(_) => Ok(()),
                }
            })
        }
    };
    bar.finish();
    done?;
    if input::interrupted() {
        output::complain("interrupted");
        return Ok(Exit::Failed);
    }
    Ok(Exit::Good)
}

fn make(range: Range<u64>, format: GameFormat, recipe: &Recipe, start: &str) -> Made {
    let games = range.map(|index| (index + 1, recipe.game(index)));
    if format == GameFormat::Csv {
        return Made::Games(games.collect());
    }
    let mut text = Vec::new();
    for (number, game) in games {
        // Writing to memory does not fail.
        let _: io::Result<()> = if format == GameFormat::Pgn {
            write::pgn(&game, &mut text)
        } else {
            let head = JsonHead {
                source: "generated",
                game: number,
                rules: recipe.rules.name(),
                notation: recipe.notation.name(),
                start,
            };
            write::ndjson(&game, &head, &mut text)
        };
    }
    Made::Text(text)
}
