//! `generate`: seeded legal games.

use crate::args::{GameFormat, GenerateArgs};
use crate::failure::{Exit, Failure};
use crate::input::{self, STOP};
use crate::output;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::ops::Range;
use tridex_archive::pipeline;
use tridex_archive::record::Game;
use tridex_archive::write::{self, JsonHead, SheetWriter};
use tridex_notation::{Locale, position_string};
use tridex_replay::generate::Recipe;

/// Games made in one go.
const BATCH: u64 = 64;

/// Some games: written, or for a scoresheet to be written.
enum Made {
    Text(Vec<u8>),
    Games(Vec<(u64, Game)>),
}

pub(crate) fn run(args: &GenerateArgs) -> Result<Exit, Failure> {
    let notation = args.notation.unwrap_or(input::own_notation(args.rules));
    if notation.family() != args.rules.family() {
        return Err(Failure::message(format!(
            "{} games cannot be written: {}",
            args.rules.name(),
            tridex_notation::WrongFamily { notation }
        )));
    }
    input::catch_interrupts();
    let recipe = Recipe {
        notation,
        locale: args.locale.unwrap_or(Locale::English),
        plies: args.plies,
        annotated: args.annotated,
        ..Recipe::new(args.rules, args.seed)
    };
    output::to_file_or_stdout(args.output.as_deref(), |out| write_all(args, &recipe, out))
}

fn write_all(args: &GenerateArgs, recipe: &Recipe, out: &mut dyn Write) -> Result<Exit, Failure> {
    let bar = bar(args.games);
    let start = position_string::to_string(&args.rules.start());
    let batches = (0..args.games)
        .step_by(BATCH as usize)
        .map(|first| first..first.saturating_add(BATCH).min(args.games));
    let work = |range: Range<u64>| (range.end, make(range, args.format, recipe, &start));
    let threads = input::thread_count(args.threads);
    let done = match args.format {
        GameFormat::Csv => {
            let mut sheet = SheetWriter::new(out)?;
            let done = pipeline::run(batches, threads, &STOP, work, |(end, made)| {
                bar.set_position(end);
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
                bar.set_position(end);
                match made {
                    Made::Text(text) => out.write_all(&text),
                    Made::Games(_) => Ok(()),
                }
            })
        }
    };
    bar.finish_and_clear();
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

fn bar(games: u64) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(games);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {eta} left") {
        bar.set_style(style);
    }
    bar
}
