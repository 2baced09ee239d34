//! What can be said on the command line.

mod asking;
mod drawn;
mod known;

pub(crate) use asking::{
    Fields, HitFormat, IndexArgs, OpeningsArgs, STANDARD_INPUT, SearchArgs, Side, SortKey,
    SummaryFormat,
};
use clap::{Args, Parser, Subcommand, ValueEnum};
pub(crate) use drawn::{Drawn, SideName, ThemeName, ViewName, WayName};
use known::{LOCALE, NOTATION, RULES, RULES_CHOICE};
use std::path::PathBuf;
use tridex_notation::{Locale, Notation};
use tridex_rules::RuleSystem;

/// Reads, checks, converts and finds game scores of three-dimensional chess.
#[derive(Parser, Debug)]
#[command(
    name = "tridex",
    version,
    propagate_version = true,
    max_term_width = 100
)]
#[command(after_help = "\
Exit codes: 0 all good; 1 something in the data fell short (an invalid game); 2 wrong use or a file that cannot be read.

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
    #[command(subcommand)]
    pub(crate) command: Command,
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

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Write games in another notation.
    #[command(after_help = "\
Examples:
  tridex convert sheet.txt --to manual                     to the manual's notation, as PGN
  tridex convert sheet.csv --locale de --to meder          a German scoresheet in English letters
  tridex convert old/ --to meder --format ndjson           every game of a folder, one JSON line each
  tridex convert bad.pgn --to meder --repair --output good.pgn
  cat game.pgn | tridex convert - --to chess3")]
    Convert(ConvertArgs),
    /// Replay every game and say what is wrong, where, and what would have been legal.
    #[command(after_help = "\
Examples:
  tridex validate archive/                                 every game below a folder
  tridex validate game.pgn --rules any                     under which systems is it legal?
  tridex validate - --format ndjson < games.pgn            one JSON line a game
  tridex validate sheet.csv --strict                       ambiguous and foreign tokens are errors")]
    Validate(ValidateArgs),
    /// Print the position string after some plies of a game.
    #[command(after_help = "Example:\n  tridex position game.pgn --game 2 --ply 12")]
    Position(PositionArgs),
    /// Draw the position after some plies of a game, or a position string.
    #[command(after_help = "\
Examples:
  tridex show game.pgn --ply 12
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
    #[command(after_help = "\
Examples:
  tridex stats archive/                                    tables for people
  tridex stats archive/ --format ndjson                    one line a count: kind, rules, key, count
  tridex stats games.pgn --top 50                          more of what is frequent")]
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
            .required_unless_present_any(["prune", "merge", "verify"])),
        after_help = "\
An index knows a game by its file, as it was named, and its number there. Files that have not changed are passed over, \
changed games take the place of the old ones, and games that have left their file are dropped. Standard input is \
one file, called `-` or by `--name`. Invalid games are left out and told on standard error. A run that was stopped goes on when it is run again.

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
  tridex search --index games.index --material KQ:KR --min-plies 10 --swapped
  tridex search --index games.index --game 00c0ffee00c0ffee --ply 12
  tridex search --index a.index --index b.index --opening lift --format pgn --output lifts.pgn")]
    Search(Box<SearchArgs>),
    /// Tabulate the moves played from a position in the games of an index, with what came of them.
    #[command(after_help = "\
All games that reach the position count, by whatever moves. The score is White's share of the points; `small` says \
that fewer than ten games have a result.

Examples:
  tridex openings --index games.index --rules meder
  tridex openings --index games.index --rules meder --moves \"b4N b5B\" --min-games 5
  tridex openings --index games.index --rules manual --player kirk --side white --date 2001..
  tridex openings --index games.index --rules federation --format ndjson --boards")]
    Openings(OpeningsArgs),
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

/// Where games come from and how they are read.
#[derive(Args, Debug)]
pub(crate) struct Reading {
    /// Files, folders (searched for game files), or - for standard input.
    #[arg(required = true, value_name = "PATHS")]
    pub(crate) paths: Vec<PathBuf>,
    /// The notation the games are written in, whatever their tags say.
    #[arg(long, value_parser = NOTATION, hide_possible_values = true, value_name = "NOTATION")]
    pub(crate) notation: Option<Notation>,
    /// Refuse ambiguous tokens and tokens of another language, notation or spelling.
    #[arg(long)]
    pub(crate) strict: bool,
    /// How many threads work; the output is the same for any number.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
    /// How much a compressed file may unfold to, such as 64M or 20G.
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) max_decompressed: Option<u64>,
}

#[derive(Args, Debug)]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// The notation to write: meder, manual, millennium or chess3.
    #[arg(long, value_parser = NOTATION, hide_possible_values = true, value_name = "NOTATION")]
    pub(crate) to: Notation,
    /// The rule system, whatever the tags say, or `any`.
    #[arg(long, value_parser = RULES_CHOICE, hide_possible_values = true, value_name = "SYSTEM")]
    pub(crate) rules: Option<RulesWish>,
    /// The language the games are written in, whatever their tags say: en, de, fr, nl, cs, es, it.
    #[arg(long, value_parser = LOCALE, hide_possible_values = true, value_name = "CODE")]
    pub(crate) from_locale: Option<Locale>,
    /// The language to write (Meder's notation): en, de, fr, nl, cs, es, it.
    #[arg(long, value_parser = LOCALE, hide_possible_values = true, value_name = "CODE")]
    pub(crate) locale: Option<Locale>,
    /// How pawn captures are written in Meder's notation: `aWxb4W` or `axb4W`.
    #[arg(long, value_enum, default_value_t = PawnCaptures::Full, value_name = "STYLE")]
    pub(crate) pawn_captures: PawnCaptures,
    /// Write check and mate marks also where they are not customary.
    #[arg(long, overrides_with = "no_marks")]
    pub(crate) marks: bool,
    /// Write no check and mate marks.
    #[arg(long)]
    pub(crate) no_marks: bool,
    /// Correct a token where exactly one small correction makes the rest of the game legal, and say so.
    #[arg(long)]
    pub(crate) repair: bool,
    /// What comes out: an archive, one JSON line a game, or a scoresheet.
    #[arg(long, value_enum, default_value_t = GameFormat::Pgn, value_name = "FORMAT")]
    pub(crate) format: GameFormat,
    /// The file to write; it appears only when everything is written.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct ValidateArgs {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// The rule system, whatever the tags say, or `any`: under which is each game legal?
    #[arg(long, value_parser = RULES_CHOICE, hide_possible_values = true, value_name = "SYSTEM")]
    pub(crate) rules: Option<RulesWish>,
    /// The language the games are written in, whatever their tags say: en, de, fr, nl, cs, es, it.
    #[arg(long, value_parser = LOCALE, hide_possible_values = true, value_name = "CODE")]
    pub(crate) locale: Option<Locale>,
    /// What comes out: text for people, or one JSON or CSV line a game.
    #[arg(long, value_enum, default_value_t = TableFormat::Text, value_name = "FORMAT")]
    pub(crate) format: TableFormat,
    /// Name every game, also those in which nothing was found.
    #[arg(long)]
    pub(crate) verbose: bool,
    /// Say nothing of games in which nothing is worse than a warning.
    #[arg(long)]
    pub(crate) errors_only: bool,
}

/// Which game of a file.
#[derive(Args, Debug)]
pub(crate) struct Which {
    /// The number of the game in the file, from 1.
    #[arg(long, default_value_t = 1, value_name = "K")]
    pub(crate) game: u64,
    /// After how many plies; without it after the last.
    #[arg(long, value_name = "N")]
    pub(crate) ply: Option<usize>,
    /// The notation the game is written in, whatever its tags say.
    #[arg(long, value_parser = NOTATION, hide_possible_values = true, value_name = "NOTATION")]
    pub(crate) notation: Option<Notation>,
    /// The language the game is written in, whatever its tags say.
    #[arg(long, value_parser = LOCALE, hide_possible_values = true, value_name = "CODE")]
    pub(crate) locale: Option<Locale>,
}

#[derive(Args, Debug)]
pub(crate) struct PositionArgs {
    /// The file, or - for standard input.
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) which: Which,
    /// The rule system, whatever the tags say.
    #[arg(long, value_parser = RULES, hide_possible_values = true, value_name = "SYSTEM")]
    pub(crate) rules: Option<RuleSystem>,
}

#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    /// The file, or - for standard input. Without it `--fen` or the start position of `--rules` is drawn.
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) which: Which,
    /// A position string.
    #[arg(long, value_name = "POSITION", conflicts_with = "file")]
    pub(crate) fen: Option<String>,
    /// The rule system, whatever the tags say.
    #[arg(long, value_parser = RULES, hide_possible_values = true, value_name = "SYSTEM", required_unless_present = "file")]
    pub(crate) rules: Option<RuleSystem>,
    /// Draw pieces as chess figures instead of letters.
    #[arg(long)]
    pub(crate) figurines: bool,
    /// Whose words label boards, files and ranks.
    #[arg(long, value_parser = NOTATION, hide_possible_values = true, value_name = "NOTATION")]
    pub(crate) labels: Option<Notation>,
    #[command(flatten)]
    pub(crate) drawn: Drawn,
}

#[derive(Args, Debug)]
pub(crate) struct MovesArgs {
    /// The rule system.
    #[arg(long, value_parser = RULES, hide_possible_values = true, value_name = "SYSTEM")]
    pub(crate) rules: RuleSystem,
    /// The position; without it the start.
    #[arg(long, value_name = "POSITION")]
    pub(crate) fen: Option<String>,
    /// The notation to write; without it the system's own.
    #[arg(long, value_parser = NOTATION, hide_possible_values = true, value_name = "NOTATION")]
    pub(crate) notation: Option<Notation>,
    /// The language to write (Meder's notation).
    #[arg(long, value_parser = LOCALE, hide_possible_values = true, value_name = "CODE")]
    pub(crate) locale: Option<Locale>,
    /// How pawn captures are written in Meder's notation: `aWxb4W` or `axb4W`.
    #[arg(long, value_enum, default_value_t = PawnCaptures::Full, value_name = "STYLE")]
    pub(crate) pawn_captures: PawnCaptures,
    /// Write check and mate marks also where they are not customary.
    #[arg(long)]
    pub(crate) marks: bool,
}

#[derive(Args, Debug)]
pub(crate) struct PerftArgs {
    /// The length of the sequences in plies.
    #[arg(value_parser = clap::value_parser!(u32).range(0..=20))]
    pub(crate) depth: u32,
    /// The rule system.
    #[arg(long, value_parser = RULES, hide_possible_values = true, value_name = "SYSTEM")]
    pub(crate) rules: RuleSystem,
    /// The position; without it the start.
    #[arg(long, value_name = "POSITION")]
    pub(crate) fen: Option<String>,
    /// Count behind each first move apart.
    #[arg(long)]
    pub(crate) divide: bool,
}

#[derive(Args, Debug)]
pub(crate) struct DeadpositionsArgs {
    /// The rule system; without it all five.
    #[arg(long, value_parser = rules, value_name = "SYSTEM")]
    pub(crate) rules: Option<RuleSystem>,
    /// Print a mate for each set of men that has one.
    #[arg(long)]
    pub(crate) mates: bool,
}

#[derive(Args, Debug)]
pub(crate) struct StatsArgs {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// The rule system, whatever the tags say, or `any`: under which is each game legal?
    #[arg(long, value_parser = RULES_CHOICE, hide_possible_values = true, value_name = "SYSTEM")]
    pub(crate) rules: Option<RulesWish>,
    /// The language the games are written in, whatever their tags say: en, de, fr, nl, cs, es, it.
    #[arg(long, value_parser = LOCALE, hide_possible_values = true, value_name = "CODE")]
    pub(crate) locale: Option<Locale>,
    /// How many first moves, board moves and layouts are told, the most frequent first; 10 in text, all for machines.
    #[arg(long, value_name = "N")]
    pub(crate) top: Option<usize>,
    /// What comes out: text for people, or one JSON or CSV line a count.
    #[arg(long, value_enum, default_value_t = TableFormat::Text, value_name = "FORMAT")]
    pub(crate) format: TableFormat,
}

#[derive(Args, Debug)]
pub(crate) struct DedupeArgs {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// The rule system, whatever the tags say, or `any`: under which is each game legal?
    #[arg(long, value_parser = RULES_CHOICE, hide_possible_values = true, value_name = "SYSTEM")]
    pub(crate) rules: Option<RulesWish>,
    /// The language the games are written in, whatever their tags say: en, de, fr, nl, cs, es, it.
    #[arg(long, value_parser = LOCALE, hide_possible_values = true, value_name = "CODE")]
    pub(crate) locale: Option<Locale>,
    /// Also find games that are the beginning of another; of these the longer is always kept.
    #[arg(long)]
    pub(crate) prefix: bool,
    /// Which record of a game is kept, and which of several longer games stands for their common beginning.
    #[arg(long, value_enum, default_value_t = Keeping::First, value_name = "WHICH")]
    pub(crate) keep: Keeping,
    /// Games of fewer plies are not compared.
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) min_plies: u32,
    /// What comes out: text for people, one JSON line a group, or one CSV line for each record too many.
    #[arg(long, value_enum, default_value_t = TableFormat::Text, value_name = "FORMAT")]
    pub(crate) format: TableFormat,
    /// Write all games but those too many to this file, as PGN; it appears only when everything is written.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
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
    #[arg(long, value_parser = RULES, hide_possible_values = true, value_name = "SYSTEM")]
    pub(crate) rules: RuleSystem,
    /// How many games.
    #[arg(long, value_name = "N")]
    pub(crate) games: u64,
    /// The seed, any number from 0.
    #[arg(long, value_name = "S")]
    pub(crate) seed: u64,
    /// The notation to write; without it the system's own, for federation Meder's.
    #[arg(long, value_parser = NOTATION, hide_possible_values = true, value_name = "NOTATION")]
    pub(crate) notation: Option<Notation>,
    /// The language to write (Meder's notation): en, de, fr, nl, cs, es, it.
    #[arg(long, value_parser = LOCALE, hide_possible_values = true, value_name = "CODE")]
    pub(crate) locale: Option<Locale>,
    /// The average length in plies, of games that the rules do not end before.
    #[arg(long, default_value_t = 80, value_name = "P", value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pub(crate) plies: u32,
    /// Also comments, clocks, judgements, nested variations and draw offers.
    #[arg(long)]
    pub(crate) annotated: bool,
    /// What comes out: an archive, one JSON line a game, or a scoresheet.
    #[arg(long, value_enum, default_value_t = GameFormat::Pgn, value_name = "FORMAT")]
    pub(crate) format: GameFormat,
    /// The file to write; it appears only when everything is written.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// How many threads work; the output is the same for any number.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum PawnCaptures {
    Full,
    Short,
}

impl PawnCaptures {
    pub(crate) const fn is_full(self) -> bool {
        matches!(self, Self::Full)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum GameFormat {
    /// An archive.
    #[value(alias = "archive")]
    Pgn,
    /// One JSON line a game.
    Ndjson,
    /// A scoresheet.
    Csv,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum TableFormat {
    Text,
    Ndjson,
    Csv,
}

/// A rule system, or all that may apply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RulesWish {
    Only(RuleSystem),
    Any,
}

fn rules(name: &str) -> Result<RuleSystem, String> {
    RuleSystem::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = RuleSystem::ALL.iter().map(|rules| rules.name()).collect();
        format!("the rule systems are {}", names.join(", "))
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

/// `64M`, `20G`, or a plain number of bytes.
fn bytes(text: &str) -> Result<u64, String> {
    let fault = || "a number of bytes, such as 1000000, 64M or 20G".to_owned();
    let text = text.trim();
    let (digits, unit) = match text.char_indices().last() {
        Some((i, 'k' | 'K')) => (text.get(..i), 1 << 10),
        Some((i, 'm' | 'M')) => (text.get(..i), 1 << 20),
        Some((i, 'g' | 'G')) => (text.get(..i), 1 << 30),
        _ => (Some(text), 1),
    };
    let number: u64 = digits.ok_or_else(fault)?.parse().map_err(|_| fault())?;
    number.checked_mul(unit).ok_or_else(fault)
}
