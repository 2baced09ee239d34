//! `generate`: random legal games from a seed.

use crate::failure::Failure;
use crate::ineffective::check_letters;
use crate::io::run;
use crate::options::values::{Format, GAMES, LOCALE, NOTATION, RULES, agree, format};
use crate::options::writing::Results;
use crate::session::Session;
use crate::term::counts::Tally;
use crate::term::progress::Progress;
use clap::Args;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tridex_archive::write::sheet_heading;
use tridex_core::Rewriting;
use tridex_notation::{Locale, Notation};
use tridex_replay::generate::Recipe;
use tridex_rules::{Position, RuleSystem};

/// Generate random legal games, for tests; the same seed gives the same games.
#[derive(Args, Debug)]
#[command(next_help_heading = "Games",
    mut_arg("format", |arg| arg.value_parser(format(GAMES)).help(
        "Output format [default: extension of --output, else pgn]")),
    after_help = "\
Examples:
  tridex generate --rules meder                                            one game
  tridex generate --rules meder --games 1000 --seed 7 --output games.pgn
  tridex generate --rules federation --games 3 --annotated --to manual
  tridex generate --rules chess3 --games 100000 --seed 2 | tridex validate -")]
pub(crate) struct GenerateArgs {
    /// Rule system
    #[arg(long, value_parser = RULES, value_name = "SYSTEM")]
    pub(crate) rules: RuleSystem,
    /// Number of games
    #[arg(long, short = 'n', default_value_t = 1, value_name = "N")]
    pub(crate) games: u64,
    /// Seed of the random moves
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Average length in plies
    ///
    /// Games that end by mate or a draw may be shorter.
    #[arg(long, default_value_t = 80, value_name = "P", value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pub(crate) plies: u32,
    /// Add comments, clocks, judgements, variations, draw offers, unrecorded moves
    #[arg(long)]
    pub(crate) annotated: bool,
    /// Notation to write [default: that of the rule system]
    #[arg(long, alias = "notation", value_parser = NOTATION, value_name = "NOTATION", help_heading = "Output")]
    pub(crate) to: Option<Notation>,
    /// Language of the piece letters to write [default: en]
    #[arg(long, alias = "locale", value_parser = LOCALE, value_name = "CODE", help_heading = "Output")]
    pub(crate) to_locale: Option<Locale>,
    #[command(flatten)]
    pub(crate) results: Results,
    /// Number of threads [default: all cores]
    ///
    /// The output does not depend on this number.
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256), help_heading = "Output")]
    pub(crate) threads: Option<u16>,
}

/// How many games a thread generates at a time.
const BATCH: u64 = 64;

pub(crate) fn run(args: &GenerateArgs, session: &Session) -> Result<(), Failure> {
    let format = args.results.format(GAMES)?;
    let notation = args.to.unwrap_or(Notation::of(args.rules));
    args.results.check(session, format)?;
    check_letters(session, Some(notation))?;
    agree(Some(args.rules), Some(notation))?;
    session.catch_interrupts();
    let recipe = Recipe {
        notation,
        locale: args.to_locale.unwrap_or(Locale::English),
        plies: args.plies,
        annotated: args.annotated,
        ..Recipe::new(args.rules, args.seed)
    };
    args.results.output.write(session, format, |out| {
        if format == Format::Csv {
            sheet_heading(args.results.style(), out)?;
            out.flush()?;
        }
        let (made, mut tally) = (Arc::default(), Tally::default());
        let template = "{bar:30} {pos}/{len} games, {eta} left";
        let bar = Progress::drawn(session, template, Some(args.games), &made);
        let start = Position::start(args.rules);
        let rewriting = Rewriting::default()
            .format(args.results.game_format(format))
            .to(Some(notation));
        let batches = (0..args.games)
            .step_by(BATCH as usize)
            .map(|first| first..first.saturating_add(BATCH).min(args.games));
        let work = |range: Range<u64>| {
            let mut text = Vec::new();
            let end = range.end;
            for index in range {
                let place = ("generated", index + 1, index + 1);
                let game = recipe.game(index);
                rewriting.write_game(&game, place, (args.rules, &start), &mut text);
            }
            (end, text)
        };
        let done = run::in_order(
            session,
            batches,
            |_| 0,
            args.threads,
            work,
            |(end, text)| {
                made.store(end, Ordering::Relaxed);
                tally.counts.games = end;
                bar.show(&tally);
                Ok(out.write_all(&text)?)
            },
        );
        bar.finish();
        done?;
        if session.is_cancelled() {
            session.complain("interrupted");
        }
        Ok(())
    })
}
