//! `generate`: seeded legal games.

use crate::failure::{Exit, Failure};
use crate::io::interrupt::STOP;
use crate::io::{interrupt, output, sources};
use crate::options::values::{LOCALE, NOTATION, RULES, agree};
use crate::options::writing::{CsvStyle, GameFormat, OutputFile};
use crate::term::progress::Progress;
use crate::term::terminal;
use clap::Args;
use std::io::{self, Write};
use std::ops::Range;
use tridex_archive::write::{self, JsonHead, SheetWriter, TableStyle};
use tridex_archive::{Game, pipeline};
use tridex_notation::{Locale, Notation, position_string};
use tridex_replay::generate::Recipe;
use tridex_rules::RuleSystem;

/// Generate random legal games, for tests; the same seed gives the same games.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tridex generate --rules meder                                            one game
  tridex generate --rules meder --games 1000 --seed 7 --output games.pgn
  tridex generate --rules federation --games 3 --annotated --to manual
  tridex generate --rules chess3 --games 100000 --seed 2 | tridex validate -")]
pub(crate) struct GenerateArgs {
    /// Rule system
    #[arg(long, value_parser = RULES, value_name = "SYSTEM", help_heading = "Games")]
    pub(crate) rules: RuleSystem,
    /// Number of games
    #[arg(
        long,
        short = 'n',
        value_name = "N",
        default_value_t = 1,
        help_heading = "Games"
    )]
    pub(crate) games: u64,
    /// Seed of the random moves
    #[arg(long, value_name = "S", default_value_t = 1, help_heading = "Games")]
    pub(crate) seed: u64,
    /// Average length in plies
    ///
    /// Games that end by mate or a draw may be shorter.
    #[arg(
        long,
        default_value_t = 80,
        value_name = "P",
        value_parser = clap::value_parser!(u32).range(0..=10_000),
        help_heading = "Games"
    )]
    pub(crate) plies: u32,
    /// Add comments, clocks, judgements, variations, draw offers, unrecorded moves
    #[arg(long, help_heading = "Games")]
    pub(crate) annotated: bool,
    /// Notation to write [default: that of the rule system]
    #[arg(long, alias = "notation", value_parser = NOTATION, value_name = "NOTATION", help_heading = "Output")]
    pub(crate) to: Option<Notation>,
    /// Language of the piece letters to write [default: en]
    #[arg(long, alias = "locale", value_parser = LOCALE, value_name = "CODE", help_heading = "Output")]
    pub(crate) to_locale: Option<Locale>,
    /// Output format [default: extension of --output, else pgn]
    #[arg(long, short, value_enum, default_value_t = GameFormat::Pgn, hide_default_value = true, value_name = "FORMAT", help_heading = "Output")]
    pub(crate) format: GameFormat,
    #[command(flatten)]
    pub(crate) output: OutputFile,
    #[command(flatten)]
    pub(crate) csv: CsvStyle,
    /// Number of threads [default: all cores]
    ///
    /// The output does not depend on this number.
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256), help_heading = "Output")]
    pub(crate) threads: Option<u16>,
}

/// Games made in one go.
const BATCH: u64 = 64;

/// Some games: written, or for a scoresheet to be written.
enum Made {
    Text(Vec<u8>),
    Games(Vec<(u64, Game<'static>)>),
}

pub(crate) fn run(args: &GenerateArgs) -> Result<Exit, Failure> {
    let notation = args.to.unwrap_or(Notation::of(args.rules));
    agree(Some(args.rules), Some(notation))?;
    interrupt::catch_interrupts();
    let recipe = Recipe {
        notation,
        locale: args.to_locale.unwrap_or(Locale::English),
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
    let threads = sources::thread_count(args.threads);
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
    if interrupt::interrupted() {
        terminal::complain("interrupted");
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
