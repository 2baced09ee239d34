//! What can be said to the commands that go through games, or make them.

use super::asking::SummaryFormat;
use super::common::{CsvStyle, GameFormat, OutputFile, Reading, RulesWish, TableFormat};
use super::known::{LOCALE, NOTATION, RULES, RULES_CHOICE};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use tridex_notation::{Locale, Notation};
use tridex_rules::RuleSystem;

#[derive(Args, Debug)]
pub(crate) struct ValidateArgs {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// The rule system, whatever the tags say, or `any`: under which is each game legal?
    #[arg(long, value_parser = RULES_CHOICE, value_name = "SYSTEM")]
    pub(crate) rules: Option<RulesWish>,
    /// The language the games are written in, whatever their tags say.
    #[arg(long, visible_alias = "from-locale", value_parser = LOCALE, value_name = "CODE")]
    pub(crate) locale: Option<Locale>,
    /// What comes out: text for people, or one JSON or CSV line a game; the counts go to standard error then. Without
    /// it as the name of the file ends, else text, with --problems csv.
    #[arg(long, short, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<TableFormat>,
    /// A table of problems: one CSV or JSON line a finding, with its place, its code, and what would have been legal.
    #[arg(long)]
    pub(crate) problems: bool,
    /// Name every game, also those in which nothing was found.
    #[arg(long, conflicts_with_all = ["errors_only", "problems", "quiet"])]
    pub(crate) verbose: bool,
    /// Only invalid games, and of their findings only errors, in every format.
    #[arg(long)]
    pub(crate) errors_only: bool,
    /// Stop when so many errors have been told; the games behind them are not read.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_errors: Option<u64>,
    /// Stop behind the first invalid game.
    #[arg(long, conflicts_with = "max_errors")]
    pub(crate) fail_fast: bool,
    /// How the counts at the end are told: text for people, or one JSON line.
    #[arg(long, value_enum, default_value_t = SummaryFormat::Text, value_name = "FORMAT")]
    pub(crate) summary: SummaryFormat,
    #[command(flatten)]
    pub(crate) csv: CsvStyle,
    #[command(flatten)]
    pub(crate) output: OutputFile,
}

impl ValidateArgs {
    /// What comes out.
    pub(crate) fn format(&self) -> TableFormat {
        let of_name = || self.output.form();
        self.format.or_else(of_name).unwrap_or(match self.problems {
            true => TableFormat::Csv,
            false => TableFormat::Text,
        })
    }
}

#[derive(Args, Debug)]
pub(crate) struct StatsArgs {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// The folder of an index of which the games are counted, instead of files; of several all.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["paths", "plan"])]
    pub(crate) index: Vec<PathBuf>,
    /// Only games that match this query, in the language of `tridex search`. Invalid games of files match no query.
    #[arg(long, value_name = "QUERY", default_value = "")]
    pub(crate) query: String,
    /// The rule system, whatever the tags say, or `any`: the first under which each game is legal.
    #[arg(long, value_parser = RULES_CHOICE, value_name = "SYSTEM")]
    pub(crate) rules: Option<RulesWish>,
    /// The language the games are written in, whatever their tags say.
    #[arg(long, visible_alias = "from-locale", value_parser = LOCALE, value_name = "CODE")]
    pub(crate) locale: Option<Locale>,
    /// Games and results of each player, of each opening, or of each rule system, instead of all other counts. Of
    /// openings and systems won, lost and points are White's.
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) by: Option<Grouping>,
    /// Names of openings beside the bundled ones: CSV with name, moves and, if wanted, rule system.
    #[arg(long, value_name = "FILE")]
    pub(crate) names: Option<PathBuf>,
    /// How many first moves, board moves and layouts, or players and openings, are told, the most frequent first; in
    /// text 10 (20 with --by), for machines all.
    #[arg(long, short = 'n', value_name = "N")]
    pub(crate) top: Option<usize>,
    /// What comes out: text for people, or one JSON or CSV line a count.
    #[arg(long, short, value_enum, default_value_t = TableFormat::Text, value_name = "FORMAT")]
    pub(crate) format: TableFormat,
    #[command(flatten)]
    pub(crate) csv: CsvStyle,
    #[command(flatten)]
    pub(crate) output: OutputFile,
}

/// What games are counted by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Grouping {
    /// The players, with their points on either side.
    Player,
    /// The name of the opening; where it has none, its first move.
    Opening,
    /// The rule system.
    System,
}

#[derive(Args, Debug)]
pub(crate) struct DedupeArgs {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// The rule system, whatever the tags say, or `any`: the first under which each game is legal.
    #[arg(long, value_parser = RULES_CHOICE, value_name = "SYSTEM")]
    pub(crate) rules: Option<RulesWish>,
    /// The language the games are written in, whatever their tags say.
    #[arg(long, visible_alias = "from-locale", value_parser = LOCALE, value_name = "CODE")]
    pub(crate) locale: Option<Locale>,
    /// Also find games that are the beginning of another; of these the longer is always kept.
    #[arg(long)]
    pub(crate) prefix: bool,
    /// Drop records of the same moves also when their results conflict, such as 1-0 and 0-1.
    #[arg(long)]
    pub(crate) ignore_result: bool,
    /// Which record of a game is kept, and which of several longer games stands for their common beginning.
    #[arg(long, value_enum, default_value_t = Keeping::First, value_name = "WHICH")]
    pub(crate) keep: Keeping,
    /// Games of fewer plies are not compared.
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) min_plies: u32,
    /// Instead of games, list the spellings of players' names that belong together: with initials, without accents, in
    /// another order. `?` stands behind a short one that fits several.
    #[arg(long)]
    pub(crate) names: bool,
    /// What comes out: text for people, one JSON line a group, or one CSV line for each record other than the one kept. With
    /// --output - none of it, for the games take its place.
    #[arg(long, short, value_enum, default_value_t = TableFormat::Text, value_name = "FORMAT")]
    pub(crate) format: TableFormat,
    #[command(flatten)]
    pub(crate) csv: CsvStyle,
    #[command(flatten)]
    pub(crate) output: OutputFile,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Keeping {
    /// The first.
    First,
    /// The longest game, of equal ones the first.
    Longest,
    /// The one with most comments, judgements and variations.
    Annotated,
}

#[derive(Args, Debug)]
pub(crate) struct GenerateArgs {
    /// The rule system.
    #[arg(long, value_parser = RULES, value_name = "SYSTEM")]
    pub(crate) rules: RuleSystem,
    /// How many games.
    #[arg(long, short = 'n', value_name = "N")]
    pub(crate) games: u64,
    /// The seed, any number from 0.
    #[arg(long, value_name = "S")]
    pub(crate) seed: u64,
    /// The notation to write; without it the system's own, for federation Meder's.
    #[arg(long = "to", alias = "notation", value_parser = NOTATION, value_name = "NOTATION")]
    pub(crate) notation: Option<Notation>,
    /// The language to write, in notations with letters for pieces.
    #[arg(long, visible_alias = "to-locale", value_parser = LOCALE, value_name = "CODE")]
    pub(crate) locale: Option<Locale>,
    /// The average length in plies, of games that the rules do not end before.
    #[arg(long, default_value_t = 80, value_name = "P", value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pub(crate) plies: u32,
    /// Also comments, clocks, judgements, variations, draw offers, unrecorded moves.
    #[arg(long)]
    pub(crate) annotated: bool,
    /// What comes out: an archive, one JSON line a game, or a scoresheet.
    #[arg(long, short, value_enum, default_value_t = GameFormat::Pgn, value_name = "FORMAT")]
    pub(crate) format: GameFormat,
    #[command(flatten)]
    pub(crate) csv: CsvStyle,
    #[command(flatten)]
    pub(crate) output: OutputFile,
    /// How many threads work; the output is the same for any number.
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
}
