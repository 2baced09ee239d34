//! What can be said to the commands that keep an index and ask it.

use super::common::{CsvStyle, OutputFile, Reading, RulesWish, TableFormat};
use super::known::{LOCALE, NOTATION, RULES, RULES_CHOICE, SORT_KEY};
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches, ValueEnum};
use std::ffi::OsStr;
use std::marker::PhantomData;
use std::path::PathBuf;
use tridex_index::{FIELDS, Field, FieldGroup, FieldKind, SearchRequest, SortKey};
use tridex_notation::{Locale, Notation};
use tridex_rules::RuleSystem;

/// What standard input is called where nothing else is said.
pub(crate) const STANDARD_INPUT: &str = "-";

#[derive(Args, Debug)]
pub(crate) struct IndexArgs {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// The folder of the index; it is made if it is not there.
    #[arg(long, value_name = "DIR")]
    pub(crate) index: PathBuf,
    /// What standard input is called in the index. Games that come from a source of the same name take the place of
    /// those that came before.
    #[arg(long, value_name = "NAME", default_value = STANDARD_INPUT)]
    pub(crate) name: String,
    /// Drop the games of files that are gone.
    ///
    /// Games stay whose folder is missing or empty: the disk may not be mounted (exit code 2). Without this option and
    /// with it, the games of a file stay that has become empty or holds zero bytes: remove the file to drop them.
    #[arg(long)]
    pub(crate) prune: bool,
    /// Put the positions of variations into the index too. It is settled when the index is made.
    #[arg(long)]
    pub(crate) variations: bool,
    /// Add the games of other indices.
    #[arg(long, value_name = "OTHER", num_args = 1..)]
    pub(crate) merge: Vec<PathBuf>,
    /// Give the games that are in the index already the names that their openings have now: see `--names`.
    #[arg(long)]
    pub(crate) rename: bool,
    /// Look the whole index through for damage, after everything else.
    #[arg(long)]
    pub(crate) verify: bool,
    /// The rule system, whatever the tags say, or `any`: the first under which the game is legal.
    #[arg(long, value_parser = RULES_CHOICE, value_name = "SYSTEM")]
    pub(crate) rules: Option<RulesWish>,
    /// The language the games are written in, whatever their tags say.
    #[arg(long, visible_alias = "from-locale", value_parser = LOCALE, value_name = "CODE")]
    pub(crate) locale: Option<Locale>,
    /// Names of openings beside the bundled ones: CSV with name, moves and, if wanted, rule system. Games that are in
    /// the index already keep the names they have, but for `--rename`.
    #[arg(long, value_name = "FILE")]
    pub(crate) names: Option<PathBuf>,
    /// What comes out at the end: text for people, or one JSON line.
    #[arg(long, short, value_enum, default_value_t = SummaryFormat::Text, value_name = "FORMAT")]
    pub(crate) format: SummaryFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum SummaryFormat {
    Text,
    Ndjson,
}

/// Which fields of the index's table a command has as options.
pub(crate) trait Fielded: Clone + Send + Sync + 'static {
    /// Fields that are other options of the command, or none at all.
    const OMITTED: &'static [&'static str];
    /// Options that take the place of an index.
    const CONFLICTS: &'static [&'static str] = &[];
}

/// The options of the fields.
#[derive(Clone, Debug)]
pub(crate) struct FieldArgs<C> {
    /// The values that were given.
    pub(crate) request: SearchRequest,
    command: PhantomData<C>,
}

impl<C: Fielded> FieldArgs<C> {
    fn fields() -> impl Iterator<Item = &'static Field> {
        let fields = FIELDS.iter();
        fields.filter(|field| !C::OMITTED.contains(&field.name))
    }

    /// An option of the command line.
    fn arg(field: &'static Field) -> Arg {
        let heading = match field.group {
            FieldGroup::Board => "Position",
            _ => "Filter",
        };
        let aliases = field.aliases.iter();
        let aliases = aliases.filter(|alias| !C::OMITTED.contains(alias));
        let arg = Arg::new(field.name)
            .long(field.name)
            .visible_aliases(aliases.copied().collect::<Vec<&str>>())
            .help(field.help)
            .long_help(
                format!("{}.\n\n{}", field.help, field.detail)
                    .trim_end()
                    .to_owned(),
            )
            .help_heading(heading)
            .conflicts_with_all(C::CONFLICTS.iter().copied())
            .value_parser(FieldValue(field));
        match (field.is_switch(), field.is_many) {
            (true, _) => arg
                .value_name("yes|no")
                .num_args(0..=1)
                .require_equals(true)
                .hide_possible_values(true)
                .default_missing_value("yes"),
            (_, true) => arg.value_name(field.value).action(ArgAction::Append),
            _ => arg.value_name(field.value),
        }
    }
}

impl<C: Fielded> Args for FieldArgs<C> {
    fn augment_args(command: clap::Command) -> clap::Command {
        command.args(Self::fields().map(Self::arg))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl<C: Fielded> FromArgMatches for FieldArgs<C> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut request = SearchRequest::default();
        for field in Self::fields() {
            for value in matches.get_many::<String>(field.name).into_iter().flatten() {
                request.add(field, value.as_str());
            }
        }
        Ok(Self {
            request,
            command: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The value of a field: read with all others as one request; shells complete the names it may be.
#[derive(Clone, Debug)]
struct FieldValue(&'static Field);

impl TypedValueParser for FieldValue {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        TypedValueParser::parse_ref(&StringValueParser::new(), command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        match self.0.kind {
            FieldKind::Choice(names) => Some(Box::new(names().into_iter().map(PossibleValue::new))),
            _ => None,
        }
    }
}

/// Saved queries.
#[derive(Args, Debug)]
pub(crate) struct Saved {
    /// A file of saved queries: lines of a name, `=` and a query; `#` starts a comment. `--ask` says which.
    #[arg(long, value_name = "FILE", help_heading = "Filter")]
    pub(crate) questions: Option<PathBuf>,
    /// A query of the file of `--questions` by its name; given twice, both.
    #[arg(long, value_name = "NAME", help_heading = "Filter")]
    pub(crate) ask: Vec<String>,
}

/// `search` has all fields.
#[derive(Clone, Debug)]
pub(crate) enum OfSearch {}

impl Fielded for OfSearch {
    const OMITTED: &'static [&'static str] = &[];
}

#[derive(Args, Debug)]
pub(crate) struct SearchArgs {
    /// A query in words, such as `player:spock after:2001 text:"sealed move"`; see below.
    #[arg(value_name = "QUERY")]
    pub(crate) words: Vec<String>,
    /// The folder of an index; several are searched as one. Without it those that the variable TRIDEX_INDEX names.
    #[arg(long, value_name = "DIR")]
    pub(crate) index: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) fields: FieldArgs<OfSearch>,
    #[command(flatten)]
    pub(crate) saved: Saved,
    /// How many hits are given; 50 in text, all otherwise. No more games are looked at than needed.
    #[arg(long, short = 'n', value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// How many hits are left out before the first that is given.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) offset: usize,
    /// Only how many games there are.
    #[arg(long, conflicts_with_all = ["limit", "offset", "sort", "notation"])]
    pub(crate) count: bool,
    /// In which order hits are given; without it that of the index. What is unknown comes last.
    #[arg(long, value_parser = SORT_KEY, value_name = "WHAT")]
    pub(crate) sort: Option<SortKey>,
    /// The other way round.
    #[arg(long)]
    pub(crate) reverse: bool,
    /// What comes out: a table for people, one JSON or CSV line a hit, or an archive of the games.
    #[arg(long, short, value_enum, default_value_t = HitFormat::Text, value_name = "FORMAT")]
    pub(crate) format: HitFormat,
    /// In an archive, put the comment `[%found]` where what was asked of the board occurs first.
    #[arg(long)]
    pub(crate) mark: bool,
    /// The notation of the archive; without it the one of each game's rules.
    #[arg(long = "to", alias = "notation", value_parser = NOTATION, value_name = "NOTATION")]
    pub(crate) notation: Option<Notation>,
    #[command(flatten)]
    pub(crate) csv: CsvStyle,
    #[command(flatten)]
    pub(crate) output: OutputFile,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum HitFormat {
    Text,
    Ndjson,
    Csv,
    #[value(alias = "archive")]
    Pgn,
}

/// `openings` has a position of its own, under rules of its own.
#[derive(Clone, Debug)]
pub(crate) enum OfOpenings {}

impl Fielded for OfOpenings {
    const OMITTED: &'static [&'static str] = &["rules", "position", "fen", "moves", "loose"];
    const CONFLICTS: &'static [&'static str] = &["parquet"];
}

#[derive(Args, Debug)]
pub(crate) struct OpeningsArgs {
    /// Only games that match this query, in the language of `tridex search`.
    #[arg(value_name = "QUERY")]
    pub(crate) words: Vec<String>,
    /// The folder of an index; several are asked as one. Without it those that the variable TRIDEX_INDEX names.
    #[arg(long, value_name = "DIR")]
    pub(crate) index: Vec<PathBuf>,
    /// The folder of a `positions.parquet` instead of an index, as `tridex export` or an engine wrote it. All games
    /// in it count.
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = ["index", "words", "questions", "boards", "layouts"]
    )]
    pub(crate) parquet: Option<PathBuf>,
    /// The rule system.
    #[arg(long, value_parser = RULES, value_name = "SYSTEM")]
    pub(crate) rules: RuleSystem,
    /// The moves that lead to the position, from the start; without them and `--fen` it is the start.
    #[arg(long, value_name = "MOVES", conflicts_with = "fen")]
    pub(crate) moves: Option<String>,
    /// The position, in quotation marks.
    #[arg(long, visible_alias = "position", value_name = "FEN")]
    pub(crate) fen: Option<String>,
    #[command(flatten)]
    pub(crate) fields: FieldArgs<OfOpenings>,
    #[command(flatten)]
    pub(crate) saved: Saved,
    /// Leave out moves that were played in fewer games.
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) min_games: u64,
    /// Names of openings beside the bundled ones: CSV with name, moves and, if wanted, rule system.
    #[arg(long, value_name = "FILE")]
    pub(crate) names: Option<PathBuf>,
    /// The notation to write; without it the system's own.
    #[arg(long = "to", alias = "notation", value_parser = NOTATION, value_name = "NOTATION")]
    pub(crate) notation: Option<Notation>,
    /// Also the pins the attack boards leave first, in the games that reach the position; in text always.
    #[arg(long)]
    pub(crate) boards: bool,
    /// Also the layouts of the attack boards, in the games that reach the position; in text always, but only the most
    /// frequent without this.
    #[arg(long)]
    pub(crate) layouts: bool,
    /// What comes out: tables for people, or one JSON or CSV line a move.
    #[arg(long, short, value_enum, default_value_t = TableFormat::Text, value_name = "FORMAT")]
    pub(crate) format: TableFormat,
    #[command(flatten)]
    pub(crate) csv: CsvStyle,
    #[command(flatten)]
    pub(crate) output: OutputFile,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Side {
    White,
    Black,
}

impl Side {
    /// Its name as a value of the field `side`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
        }
    }
}
