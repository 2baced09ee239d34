//! What can be said on the command line.

mod asking;
mod board;
mod common;
mod drawn;
mod games;
mod known;
pub(crate) mod needs;
mod paging;
mod planning;
mod programs;
mod serving;

pub(crate) use asking::{
    FieldArgs, HitFormat, IndexArgs, OpeningsArgs, STANDARD_INPUT, Saved, SearchArgs, Side,
    SummaryFormat,
};
pub(crate) use board::{DeadpositionsArgs, MovesArgs, PerftArgs, PositionArgs, ShowArgs};
use clap::builder::ArgPredicate;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
pub(crate) use common::{
    CsvStyle, GameFormat, OutputFile, PawnCaptures, Reading, RulesWish, TableFormat, Which, agree,
};
pub(crate) use drawn::{Drawn, SideName, ThemeName, ViewName, WayName};
pub(crate) use games::{DedupeArgs, GenerateArgs, Grouping, Keeping, StatsArgs, ValidateArgs};
use known::{LOCALE, RULES_CHOICE, TARGET};
pub(crate) use paging::ConvertFormat;
pub(crate) use planning::{ExportArgs, PlanArgs};
pub(crate) use programs::FenStyle;
use programs::PROGRAM;
pub(crate) use serving::ServeArgs;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::LazyLock;
use tridex_archive::encoding::Encoding;
use tridex_archive::printable;
use tridex_index::INDEX_VERSION;
use tridex_notation::{Locale, Notation, Program};
use tridex_rules::RuleSystem;

/// What `--version` says: which indices this program writes, and which keys stand in them and in what `validate` says.
static LONG_VERSION: LazyLock<String> = LazyLock::new(|| {
    format!(
        "{}\nindex format {INDEX_VERSION}\nposition keys {}",
        env!("CARGO_PKG_VERSION"),
        tridex_rules::KEY_VERSION
    )
});

/// Reads, checks, converts and finds game scores of three-dimensional chess.
#[derive(Parser, Debug)]
#[command(
    name = "tridex",
    version,
    long_version = LONG_VERSION.as_str(),
    propagate_version = true,
    max_term_width = 100
)]
#[command(after_help = "\
Exit codes: 0 all good; 1 something in the data fell short (an invalid game); 2 wrong use, a file that cannot be read, \
or no file to read; 130 and 143 after Ctrl-C and SIGTERM.

Words: --notation (or --from) and --from-locale say how games are written that are read, --to and --to-locale how they \
are to be written. --fen and --position are the same.

Examples:
  tridex validate corpus/                          check every game below a folder
  tridex convert game.txt --to manual              Meder's notation to the manual's
  tridex show game.pgn --ply 12                    draw the position after ply 12
  tridex moves --rules millennium                  what can be played at the start
  tridex index corpus/games --index games.index    put games into an index
  tridex search --index games.index --player kirk  and find them again")]
pub(crate) struct Cli {
    /// When to use colours.
    #[arg(long, global = true, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    pub(crate) color: When,
    /// Results only: no counts at the end, no progress, and on standard error only what could not be read or written.
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// How far the run is, on standard error: a bar if that is a terminal, or one JSON line each half second.
    #[arg(long, global = true, value_enum, default_value_t = ProgressForm::Auto, value_name = "FORM")]
    pub(crate) progress: ProgressForm,
    /// No bar: the same as `--progress none`.
    #[arg(long, global = true, conflicts_with = "progress")]
    pub(crate) no_progress: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// Reads the command line: what it says, and which options it names.
    ///
    /// # Errors
    /// What clap prints: help, the version, or what is wrong. Control characters of arguments are escaped in it.
    pub(crate) fn read() -> Result<(Self, ArgMatches), clap::Error> {
        Self::of(std::env::args_os()).map_err(|fault| {
            // The same fault of arguments that can be shown; if they have none, no argument is in its message.
            let shown = |argument: OsString| printable(&argument.to_string_lossy()).into_owned();
            Self::of(std::env::args_os().map(shown))
                .err()
                .unwrap_or(fault)
        })
    }

    fn of<A: Into<OsString> + Clone>(
        arguments: impl Iterator<Item = A>,
    ) -> Result<(Self, ArgMatches), clap::Error> {
        let matches = Self::command().try_get_matches_from(arguments)?;
        let mut cli =
            Self::from_arg_matches(&matches).map_err(|fault| fault.format(&mut Self::command()))?;
        if let Some((_, given)) = matches.subcommand() {
            cli.command.take_form(given);
        }
        Ok((cli, matches))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
    /// No colour of the output but a player's, which `openings` takes for its `--side`.
    #[value(hide = true)]
    White,
    /// The other player's.
    #[value(hide = true)]
    Black,
}

impl When {
    /// The side that is meant, if it is one.
    pub(crate) const fn side(self) -> Option<Side> {
        match self {
            Self::White => Some(Side::White),
            Self::Black => Some(Side::Black),
            Self::Auto | Self::Always | Self::Never => None,
        }
    }
}

/// How progress is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ProgressForm {
    /// A bar, if standard error is a terminal.
    Auto,
    /// Lines of JSON: `bytes`, `total` (null if unknown), `games`, `plies`, `seconds`, `done`.
    Json,
    /// Nothing.
    None,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Write games in another notation.
    #[command(after_help = "\
Examples:
  tridex convert sheet.txt --to manual                     to the manual's notation, as PGN
  tridex convert evening/ --to own                         each game in its own system's notation
  tridex convert sheet.csv --from-locale de --to meder     a German scoresheet in English letters
  tridex convert old/ --to meder --format ndjson           every game of a folder, one JSON line each
  tridex convert bad.pgn --to meder --repair --output good.pgn
  tridex convert bad.pgn --to meder --invalid drop --rejects look-at.pgn --output good.pgn
  tridex convert game.pgn --dialect star-trek-tri-dimensional   for that program to read
  tridex convert game.pgn --to own --format html -o game.html   a page to play it through, for a friend
  cat game.pgn | tridex convert - --to chess3")]
    Convert(ConvertArgs),
    /// Replay every game and say what is wrong, where, and what would have been legal.
    #[command(after_help = "\
Examples:
  tridex validate archive/                                 every game below a folder
  tridex validate archive/ --problems -o problems.csv      a table of what is wrong, one row a finding
  tridex validate archive/ --errors-only --max-errors 20   the first twenty errors
  tridex validate game.pgn --rules any                     under which systems is it legal?
  tridex validate - --format ndjson < games.pgn            one JSON line a game
  tridex validate sheet.csv --strict                       ambiguous and foreign tokens are errors")]
    Validate(ValidateArgs),
    /// Print the position string after some plies of a game.
    #[command(after_help = "\
Examples:
  tridex position game.pgn --game 2 --ply 12
  tridex position --index games.index --game games.pgn:2")]
    Position(PositionArgs),
    /// Draw the position after some plies of a game, or a position string.
    #[command(after_help = "\
Examples:
  tridex show game.pgn --ply 12
  tridex show --index games.index --game 00c0ffee00c0ffee  a game of an index, by the id that search tells
  tridex show --rules meder                                the start position
  tridex show --rules manual --fen \"$(tridex position game.pgn --ply 4)\"
  tridex show game.pgn --ply 12 --svg board.svg            as a picture
  tridex show game.pgn --png board.png --view stand --size 1200 --side black
  tridex show --rules meder --svg - --moves-of a0QL1 --highlight N@c6 --arrow b1W-c3N:R")]
    Show(Box<ShowArgs>),
    /// List all legal moves of a position, one a line, sorted.
    #[command(after_help = "\
Examples:
  tridex moves --rules meder
  tridex moves --rules federation --notation manual --fen \"$(tridex position game.pgn --ply 4)\"")]
    Moves(MovesArgs),
    /// Count the sequences of legal moves of a length; the last line is the number alone.
    #[command(
        after_help = "Examples:\n  tridex perft 4 --rules meder\n  tridex perft 3 --rules chess3 --divide"
    )]
    Perft(PerftArgs),
    /// Search which men can mate, with at most one beside each king: all placements on all layouts.
    ///
    /// A game in which nobody can mate is drawn; this shows how the list of such endings was found. Takes seconds.
    #[command(
        hide = true,
        after_help = "Example:\n  tridex deadpositions --rules millennium --mates"
    )]
    Deadpositions(DeadpositionsArgs),
    /// Count what a collection holds: systems, results, lengths, first moves, board moves, special moves.
    #[command(
        mut_arg("paths", |paths| paths.required(false).required_unless_present("index")),
        after_help = "\
Examples:
  tridex stats archive/                                    tables for people
  tridex stats archive/ --format ndjson                    one line a count: kind, rules, key, count
  tridex stats games.pgn --top 50                          more of what is frequent
  tridex stats archive/ --by player                        games and points of each player
  tridex stats archive/ --by opening --format csv -o openings.csv
  tridex stats --index games.index --query player:kirk     the games of an index that match a query
  tridex stats archive/ --query 'rules:meder after:2018'   those of files"
    )]
    Stats(StatsArgs),
    /// Find records of the same game under different names, notations, languages or rules tags.
    #[command(after_help = "\
Games are the same if they start alike and the same moves are played. Nothing is changed; `--output` writes what is kept.

Examples:
  tridex dedupe archive/                                   which games are there twice?
  tridex dedupe a.pgn b.csv --format ndjson
  tridex dedupe archive/ --prefix --output clean.pgn       also without games that another goes on from
  tridex dedupe archive/ --keep annotated --min-plies 10")]
    Dedupe(DedupeArgs),
    /// Make legal games from a seed; the same seed gives the same bytes for ever.
    #[command(after_help = "\
Examples:
  tridex generate --rules meder --games 1000 --seed 7 --output games.pgn
  tridex generate --rules federation --games 3 --seed 1 --annotated --notation manual
  tridex generate --rules chess3 --games 100000 --seed 2 | tridex validate -")]
    Generate(GenerateArgs),
    /// Put games into an index, which `search` and `openings` ask; what is there already is not added twice.
    #[command(
        mut_arg("paths", |paths| paths
            .required(false)
            .required_unless_present_any(["prune", "merge", "rename", "verify", "plan"])),
        mut_arg("plan", |plan| plan.conflicts_with_all(["prune", "name"])),
        after_help = "\
An index knows a game by its file, as it was named, and its number there. Files that have not changed are passed over, \
changed games take the place of the old ones, and games that have left their file are dropped. Standard input is \
one file, called `-` or by `--name`. Invalid games are skipped and reported on standard error. A run that was stopped goes on when it is run again.

Examples:
  tridex index archive/ --index games.index                build an index, or bring it up to date
  tridex index archive/ --index games.index --prune        also drop the games of deleted files
  tridex index new.pgn --index games.index --format ndjson one JSON line at the end
  tridex index --index games.index --verify                look it through for damage
  tridex index --index all.index --merge a.index b.index   make one index of several"
    )]
    Index(IndexArgs),
    /// Find games in an index by players, dates, words, position, pattern, material, opening; all combine.
    #[command(after_help = "\
In a shell put questions, patterns, moves and positions between single quotes: blanks, `*`, `>`, `|` and `~` mean \
something else there.

A question in words: `player: white: black: event: site: round: text: opening:` words or \"words in a row\"; `date: \
after: before:` dates; `result: rules: plies: elo: id: source: position: loose: plan: moves: pattern: material: \
layout:`; joined by `and` (or nothing), `or`, `not` and brackets. A word alone is looked for in all texts.

A pattern: a piece on a square (`N@c6B`, `n@b4,NB`, `Q@3d5`), in a column at any level (`N@c6`), on a board (`k@kl`, \
`k@KL6`, `p@N`); any piece of White's or Black's (`A@ql`, `a@W`), an empty square (`_@c6B`); how many (`Q=0`, `p>=3`, \
`N@W>=2`); a board on a pin (`ql@Q4`); `check`, `mate`, `white to move`, `ply 10..40`; joined by `and`, `or`, `not` \
and brackets.

Examples:
  tridex search --index games.index --player kirk --date 2001..2003 --result 1-0
  tridex search --index games.index 'player:spock after:2001 text:\"sealed move\"'
  tridex search --index games.index --moves \"b4N b5B\"          however the position was reached
  tridex search --index games.index --position \"$(tridex position game.pgn --ply 9)\" --loose
  tridex search --index games.index --pattern 'N@c6B and check' --mirrored --swapped
  tridex search --index games.index --material KQ:KR --lasting 10 --swapped
  tridex search --index games.index --game 00c0ffee00c0ffee --ply 12
  tridex search --index a.index --index b.index --opening lift --format pgn --output lifts.pgn")]
    Search(Box<SearchArgs>),
    /// Tabulate the moves played from a position in the games of an index, with what came of them.
    #[command(after_help = "\
All games that reach the position count, by whatever moves. In a shell put moves and positions between \
quotes. The score is White's share of the points; `small` says \
that fewer than ten games have a result.

Examples:
  tridex openings --index games.index --rules meder
  tridex openings --index games.index --rules meder --moves \"b4N b5B\" --min-games 5
  tridex openings --index games.index --rules manual --player kirk --side white --date 2001..
  tridex openings --index games.index --rules federation --format ndjson --boards")]
    Openings(OpeningsArgs),
    /// Cut archives between their games into pieces, for many processes or machines to read.
    ///
    /// A piece is one JSON line: `path`, `offset`, `length`, `first_game`, and what else it takes to read it as it is
    /// read within the whole. What is compressed is one piece. `validate`, `index` and others take pieces with `--plan`.
    #[command(after_help = "\
Examples:
  tridex plan archive/ --target 64MiB -o pieces.ndjson
  tridex validate --plan pieces.ndjson --format ndjson       the same as: tridex validate archive/ --format ndjson
  sed -n 3p pieces.ndjson | tridex validate --plan - --format ndjson   the third piece alone")]
    Plan(PlanArgs),
    /// Write games and positions as Parquet, for an engine on many machines or a program for tables.
    ///
    /// `games.parquet` has a row for each game, `positions.parquet` a row for each position of each main line, sorted by
    /// the position's key. Invalid games are skipped and reported on standard error.
    #[command(
        mut_arg("paths", |paths| paths.required(false).required_unless_present_any(["index", "plan"])),
        after_help = "\
Examples:
  tridex export archive/ --parquet tables/                 the games of files
  tridex export --index games.index --parquet tables/      the games of an index
  tridex openings --parquet tables/ --rules meder          the moves played from the start, without an index"
    )]
    Export(ExportArgs),
    /// Show an index in a browser: search, set-up positions, games, openings, statistics.
    #[command(after_help = "\
The first line of standard output is the address to open; Ctrl-C ends it. What `index` commits meanwhile is seen at once. \
Nothing is asked but GET, nothing changes anything, and only this machine is answered unless --listen says otherwise. The \
pages work without a script. The same answers as JSON are at /api/v1/search, /api/v1/openings and /api/v1/games/ID, \
described at /api/v1/openapi.json.

Examples:
  tridex serve --index games.index
  tridex serve --index games.index --listen 127.0.0.1:8080
  tridex serve --index games.index --listen 0.0.0.0:8080 --host chess.example   for the whole network")]
    Serve(ServeArgs),
    /// Print the completions of a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Write the man pages into a folder.
    Man {
        /// The folder, which must exist.
        directory: PathBuf,
    },
}

impl Command {
    /// Writes in the form that the name of the file ends with, where no option says which.
    fn take_form(&mut self, given: &ArgMatches) {
        fn of_name<F: ValueEnum>(format: &mut F, output: &OutputFile, given: &ArgMatches) {
            if given.value_source("format") == Some(ValueSource::DefaultValue)
                && let Some(form) = output.form()
            {
                *format = form;
            }
        }
        match self {
            Self::Convert(args) if args.dialect.is_none() => {
                of_name(&mut args.format, &args.output, given);
            }
            Self::Generate(args) => of_name(&mut args.format, &args.output, given),
            Self::Search(args) if !args.count => of_name(&mut args.format, &args.output, given),
            Self::Stats(args) => of_name(&mut args.format, &args.output, given),
            Self::Openings(args) => of_name(&mut args.format, &args.output, given),
            // `validate` does it itself: what it writes without an option depends on others.
            _ => {}
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// The notation to write, or `own`: each game in that of its rule system.
    #[arg(
        long,
        value_parser = TARGET,
        value_name = "NOTATION",
        required = false,
        required_unless_present = "dialect",
        default_value_if("dialect", ArgPredicate::IsPresent, "meder")
    )]
    pub(crate) to: Target,
    /// Write games as another program does, for that program to read.
    #[arg(
        long,
        value_parser = PROGRAM,
        value_name = "PROGRAM",
        conflicts_with_all = [
            "to", "locale", "pawn_captures", "marks", "no_marks", "figurines", "repair", "no_trace", "source", "format"
        ]
    )]
    pub(crate) dialect: Option<Program>,
    /// The rule system, whatever the tags say, or `any`.
    #[arg(long, value_parser = RULES_CHOICE, value_name = "SYSTEM")]
    pub(crate) rules: Option<RulesWish>,
    /// The language the games are written in, whatever their tags say.
    #[arg(long, value_parser = LOCALE, value_name = "CODE")]
    pub(crate) from_locale: Option<Locale>,
    /// The language to write, in notations with letters for pieces.
    #[arg(long, visible_alias = "to-locale", value_parser = LOCALE, value_name = "CODE")]
    pub(crate) locale: Option<Locale>,
    /// How pawn captures are written in Meder's notation: `aWxb4W` or `axb4W`.
    #[arg(long, value_enum, default_value_t = PawnCaptures::Full, value_name = "STYLE")]
    pub(crate) pawn_captures: PawnCaptures,
    /// Write check and mate marks also where they are not customary.
    #[arg(long, conflicts_with = "no_marks")]
    pub(crate) marks: bool,
    /// Write no check and mate marks.
    #[arg(long)]
    pub(crate) no_marks: bool,
    /// Set up to three slips right where one way alone to do so lets the game be read, and say so.
    #[arg(long)]
    pub(crate) repair: bool,
    /// Omit the comments `[%tridex ...]` that name guesses and repairs.
    ///
    /// Such a comment holds the token as it was written, and `validate` reports it again. Those of the source are omitted
    /// too.
    #[arg(long)]
    pub(crate) no_trace: bool,
    /// What becomes of games that cannot be read whole: they are written up to their last good move and marked by the tag
    /// `Unreadable`, left out, or the run stops at the first, and no file is written.
    #[arg(long, value_enum, default_value_t = InvalidGames::Keep, value_name = "WHAT")]
    pub(crate) invalid: InvalidGames,
    /// Copy invalid games to this file, byte for byte.
    ///
    /// A line `% FILE:LINE: game N` before each names its place. Text in another encoding is copied as UTF-8. An archive, and
    /// lines of JSON, can be read again; rows of a sheet have lost their heading.
    #[arg(long, value_name = "FILE")]
    pub(crate) rejects: Option<PathBuf>,
    /// Write the table of problems of `validate --problems` to this file.
    ///
    /// A row for each finding, repair, guess, inferred result and rejected game: CSV, or JSON lines if the name ends in
    /// `.ndjson` or `.jsonl`.
    #[arg(long, value_name = "FILE")]
    pub(crate) problems: Option<PathBuf>,
    /// Write pieces as chess figures, in the notations that have letters for them: Meder's and Millennium's.
    #[arg(long)]
    pub(crate) figurines: bool,
    /// Name file and number of each game in its tag `Source`, of rejected archive games too.
    #[arg(long)]
    pub(crate) source: bool,
    /// What comes out: an archive, one JSON line a game, a scoresheet, or a page that plays the games through. Without
    /// it as the name of the file to write ends: `.pgn`, `.ndjson`, `.csv`, `.html`.
    #[arg(long, short, value_enum, default_value_t = ConvertFormat::Pgn, value_name = "FORMAT")]
    pub(crate) format: ConvertFormat,
    #[command(flatten)]
    pub(crate) csv: CsvStyle,
    #[command(flatten)]
    pub(crate) output: OutputFile,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum InvalidGames {
    Keep,
    Drop,
    Stop,
}

fn rules(name: &str) -> Result<RuleSystem, String> {
    RuleSystem::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = RuleSystem::ALL.iter().map(|rules| rules.name()).collect();
        let near = tridex_replay::near_system(name)
            .map(|rules| format!("did you mean {}? ", rules.name()))
            .unwrap_or_default();
        format!("{near}the rule systems are {}", names.join(", "))
    })
}

fn rules_choice(name: &str) -> Result<RulesWish, String> {
    if name.eq_ignore_ascii_case("any") {
        return Ok(RulesWish::Any);
    }
    rules(name)
        .map(RulesWish::Only)
        .map_err(|fault| format!("{fault}, or any"))
}

/// The notation that games are written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// That of each game's rule system.
    Own,
    In(Notation),
}

impl Target {
    /// The notation for a game of a rule system.
    pub(crate) fn of(self, rules: RuleSystem) -> Notation {
        match self {
            Self::Own => Notation::of(rules),
            Self::In(notation) => notation,
        }
    }

    /// The one that was named.
    pub(crate) const fn named(self) -> Option<Notation> {
        match self {
            Self::Own => None,
            Self::In(notation) => Some(notation),
        }
    }
}

fn target(name: &str) -> Result<Target, String> {
    if name.eq_ignore_ascii_case("own") {
        return Ok(Target::Own);
    }
    notation(name)
        .map(Target::In)
        .map_err(|message| format!("{message}, and `own`"))
}

fn notation(name: &str) -> Result<Notation, String> {
    Notation::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Notation::ALL.iter().map(|n| n.name()).collect();
        format!("the notations are {}", names.join(", "))
    })
}

fn locale(code: &str) -> Result<Locale, String> {
    Locale::from_code(code).ok_or_else(|| {
        let codes: Vec<&str> = Locale::ALL.iter().map(|l| l.code()).collect();
        format!("the languages are {}, it", codes.join(", "))
    })
}

fn encoding(name: &str) -> Result<Encoding, String> {
    Encoding::from_name(name).ok_or_else(|| {
        let name = name.to_lowercase();
        let near = |known: &&str| strsim::jaro_winkler(&name, known);
        let mut known = Encoding::NAMES;
        known.sort_by(|a, b| near(b).total_cmp(&near(a)));
        let near: Vec<&str> = known.iter().take(3).copied().collect();
        format!(
            "did you mean {}? other names are those of the Encoding Standard",
            near.join(", ")
        )
    })
}

/// `64M`, `64MiB`, `20G`, or a plain number of bytes.
fn bytes(text: &str) -> Result<u64, String> {
    let fault = || "a number of bytes, such as 1000000, 64M or 20G".to_owned();
    let text = text.trim();
    let text = text.strip_suffix("iB").unwrap_or(text);
    let (digits, unit) = match text.char_indices().last() {
        Some((i, 'k' | 'K')) => (text.get(..i), 1 << 10),
        Some((i, 'm' | 'M')) => (text.get(..i), 1 << 20),
        Some((i, 'g' | 'G')) => (text.get(..i), 1 << 30),
        _ => (Some(text), 1),
    };
    let number: u64 = digits.ok_or_else(fault)?.parse().map_err(|_| fault())?;
    number.checked_mul(unit).ok_or_else(fault)
}

/// What stands between the cells of CSV.
fn delimiter(text: &str) -> Result<u8, String> {
    match text {
        "," | "comma" => Ok(b','),
        ";" | "semicolon" => Ok(b';'),
        "\t" | "\\t" | "tab" => Ok(b'\t'),
        _ => Err("`,` `;` or `tab`".to_owned()),
    }
}

/// Whether the shell may have taken a value apart that has blanks.
pub(crate) fn lacks_quotes(mut arguments: impl Iterator<Item = OsString>) -> bool {
    const WITH_BLANKS: [&str; 6] = [
        "--fen",
        "--position",
        "--plan",
        "--pattern",
        "--moves",
        "--text",
    ];
    arguments.any(|argument| {
        let argument = argument.to_string_lossy();
        let name = argument.split('=').next().unwrap_or_default();
        WITH_BLANKS.contains(&name)
    })
}
