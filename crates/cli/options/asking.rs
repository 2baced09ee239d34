//! What can be said to the commands that keep an index and ask it.

use crate::options::values::{NOTATION, RULES, SORT_KEY};
use crate::options::writing::{CsvStyle, OutputFile, TableFormat};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use tridex_index::{GameResult, SortKey};
use tridex_notation::Notation;
use tridex_rules::RuleSystem;

/// What is asked of names, dates and the like.
#[derive(Args, Debug)]
pub(crate) struct Fields {
    /// A player on either side; given twice, both. `spo*` is a beginning, `spok~` forgives a letter, `=Kirk, James` is
    /// the whole name. Case, accents and alphabet do not matter; `ue` finds ü, and an initial every name that begins so.
    #[arg(long, value_name = "NAME")]
    pub(crate) player: Vec<String>,
    /// Words of the event.
    #[arg(long, value_name = "WORDS")]
    pub(crate) event: Vec<String>,
    /// Words of the site.
    #[arg(long, value_name = "WORDS")]
    pub(crate) site: Vec<String>,
    /// When it was played: `2001`, `2001.04..2003`, `2001..`, `..2003.06.30`. A game of which only the year is known is
    /// in every month of it.
    #[arg(long, value_name = "FROM..TO")]
    pub(crate) date: Option<String>,
    /// The result: 1-0, 0-1, 1/2-1/2, 0:0, 1/2-0, 0-1/2 or `*`, which a shell takes for file names unless it is in
    /// quotation marks.
    #[arg(long, value_parser = result, value_name = "RESULT")]
    pub(crate) result: Option<GameResult>,
    /// A file of saved questions: lines of a name, `=` and a question; `#` begins a remark. `--ask` says which.
    #[arg(long, value_name = "FILE")]
    pub(crate) questions: Option<PathBuf>,
    /// A question of the file of `--questions` by its name; given twice, both.
    #[arg(long, value_name = "NAME")]
    pub(crate) ask: Vec<String>,
}

/// Find games in an index by players, dates, words, position, pattern, material, opening; all combine.
#[derive(Args, Debug)]
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
pub(crate) struct SearchArgs {
    /// A question in words, such as `player:spock after:2001 text:"sealed move"`; see below.
    #[arg(value_name = "QUERY")]
    pub(crate) query: Vec<String>,
    /// The folder of an index; several are searched as one. Without it those that the variable TRIDEX_INDEX names.
    #[arg(long, value_name = "DIR")]
    pub(crate) index: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) fields: Fields,
    /// The player of the white pieces.
    #[arg(long, value_name = "NAME")]
    pub(crate) white: Vec<String>,
    /// The player of the black pieces.
    #[arg(long, value_name = "NAME")]
    pub(crate) black: Vec<String>,
    /// The rule system. Without it positions and moves are looked for under every system in which they are possible.
    #[arg(long, value_parser = RULES, value_name = "SYSTEM")]
    pub(crate) rules: Option<RuleSystem>,
    /// Words of the comments, all of them; in quotation marks, in a row.
    #[arg(long, value_name = "WORDS")]
    pub(crate) text: Vec<String>,
    /// Words of the opening's name.
    #[arg(long, value_name = "WORDS")]
    pub(crate) opening: Vec<String>,
    /// A position, in quotation marks, however it was reached; what repetition compares has to agree.
    #[arg(long, visible_alias = "fen", value_name = "FEN")]
    pub(crate) position: Option<String>,
    /// The position after these moves from the start, however it was reached.
    #[arg(long, value_name = "MOVES", conflicts_with = "position")]
    pub(crate) moves: Option<String>,
    /// The position after `--ply` plies of this game: its id, or its file and number as FILE:K.
    #[arg(long, value_name = "GAME", conflicts_with_all = ["position", "moves"])]
    pub(crate) game: Option<String>,
    /// After how many plies of `--game`.
    #[arg(long, value_name = "N")]
    pub(crate) ply: Option<u32>,
    /// Of the position only the placement and the side to move have to agree.
    #[arg(long)]
    pub(crate) loose: bool,
    /// A position seen from the top: the same pieces in the same columns, on whatever level, and the same side to move.
    #[arg(long, value_name = "FEN")]
    pub(crate) plan: Option<String>,
    /// A pattern: part of a position, such as `N@c6B and check`; see below. Given twice, both occur in the game.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) pattern: Vec<String>,
    /// Also the position or pattern with king's side and queen's side exchanged; a position in which somebody may still
    /// castle has no mirror image.
    #[arg(long)]
    pub(crate) mirrored: bool,
    /// Also the position, the pattern or the balance of material with the colours exchanged.
    #[arg(long)]
    pub(crate) swapped: bool,
    /// A balance of material, White's pieces and Black's: `KQR:KRB`, `KRP1..3:KRP*`.
    #[arg(long, value_name = "MATERIAL")]
    pub(crate) material: Option<String>,
    /// How many plies the balance of material lasts at least.
    #[arg(long = "lasting", alias = "min-plies", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65_535))]
    pub(crate) min_plies: Option<u32>,
    /// Look for patterns and material in variations too. Positions of variations are found if they are in the index.
    #[arg(long)]
    pub(crate) variations: bool,
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

/// Tabulate the moves played from a position in the games of an index, with what came of them.
#[derive(Args, Debug)]
#[command(after_help = "\
All games that reach the position count, by whatever moves. In a shell put moves and positions between \
quotes. The score is White's share of the points; `small` says \
that fewer than ten games have a result.

Examples:
  tridex openings --index games.index --rules meder
  tridex openings --index games.index --rules meder --moves \"b4N b5B\" --min-games 5
  tridex openings --index games.index --rules manual --player kirk --side white --date 2001..
  tridex openings --index games.index --rules federation --format ndjson --boards")]
pub(crate) struct OpeningsArgs {
    /// Only games that answer this question, in the language of `tridex search`.
    #[arg(value_name = "QUERY")]
    pub(crate) query: Vec<String>,
    /// The folder of an index; several are asked as one. Without it those that the variable TRIDEX_INDEX names.
    #[arg(long, value_name = "DIR")]
    pub(crate) index: Vec<PathBuf>,
    /// The folder of a `positions.parquet` instead of an index, as `tridex export` or an engine wrote it. All games
    /// in it count.
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = ["index", "query", "player", "event", "site", "date", "result", "questions", "boards", "layouts"]
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
    pub(crate) fields: Fields,
    /// The side of the player of `--player`.
    #[arg(long, value_enum, value_name = "SIDE")]
    pub(crate) side: Option<Side>,
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

fn result(name: &str) -> Result<GameResult, String> {
    GameResult::from_name(name)
        .ok_or_else(|| "the results are 1-0, 0-1, 1/2-1/2, 0:0, 1/2-0, 0-1/2 and *".to_owned())
}
