//! `search`: games found in one or several indices.

use crate::failure::{Exit, Failure};
use crate::io::indices::{left_out, of_index, report_damage};
use crate::io::{emit, indices, output, question};
use crate::options::fields::{FieldArgs, Fielded, Saved};
use crate::options::values::{NOTATION, SORT_KEY, agree};
use crate::options::writing::{CsvStyle, OutputFile, TableFormat};
use crate::term::terminal;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use tridex_index::SortKey;
use tridex_notation::Notation;
use tridex_rules::RuleSystem;

pub(crate) mod hits;

use std::io::Write;
use tridex_archive::{printable, write};
use tridex_index::{GameIndex, HitRow as Row, Hits, SearchOptions};

/// How many hits are shown in text without `--limit`.
const SHOWN: usize = 50;

/// `search` has all fields.
#[derive(Clone, Debug)]
pub(crate) enum OfSearch {}

impl Fielded for OfSearch {
    const OMITTED: &'static [&'static str] = &[];
}

/// Find games in an index by players, dates, words, positions, patterns, sequences, material.
#[derive(Args, Debug)]
#[command(after_long_help = "\
In a shell, put queries, patterns, moves and positions in single quotes; otherwise the shell interprets blanks, `*`, `>`, \
`|` and `~`.

A query: `player: white: black: event: site: round: text: opening:` words or \"words in a row\"; `date: \
after: before:` dates; `result: rules: plies: elo: id: source: position: loose: from-top: moves: pattern: sequence: \
material: layout:`; joined by `and` (or nothing), `or`, `not` and brackets. A word alone is searched for in all texts.

A pattern: a piece on a square (`N@c6B`, `n@b4,NB`, `Q@3d5`), in a column at any level (`N@c6`), on a board (`k@kl`, \
`k@KL6`, `p@N`); any white or black piece (`A@ql`, `a@W`), an empty square (`_@c6B`); counts (`Q=0`, `p>=3`, \
`N@W>=2`); a board on a pin (`ql@Q4`); `check`, `mate`, `white to move`, `ply 10..40`; joined by `and`, `or`, `not` \
and brackets.

A sequence: moves in order, `A then B` (later), `A next B` (the next ply), `A then within 5 plies B`, `not A before B`, \
`A until B`, `A 3 times`, `A or B`. A move: `white`, `N takes Q`, `P to c9B`, `to file c`, `check`, `P promotes to N`, \
`en passant`, `0-0-0`, `castling`, `board from Q1 to Q3`, `kl empty`, `QL carries R`, or one in notation (`Nxc6B`); \
`pattern(...)` and `material(...)` are true after a move. `piece as x` names a piece for `x takes` and `takes x`.

Examples:
  tridex search --index games.index --player kirk --date 2001..2003 --result 1-0
  tridex search --index games.index 'player:spock after:2001 text:\"sealed move\"'
  tridex search --index games.index --moves \"b4N b5B\"          by any order of moves
  tridex search --index games.index --position \"$(tridex position game.pgn --ply 9)\" --loose
  tridex search --index games.index --pattern 'N@c6B and check' --mirrored --swapped
  tridex search --index games.index --sequence 'white board then within 20 plies white 0-0-0'
  tridex search --index games.index --material KQ:KR --lasting 10 --swapped
  tridex search --index games.index --game 00c0ffee00c0ffee --ply 12
  tridex search --index a.index --index b.index --opening lift --format pgn --output lifts.pgn")]
pub(crate) struct SearchArgs {
    /// Query, such as `player:spock after:2001 text:"sealed move"`
    #[arg(value_name = "QUERY")]
    pub(crate) words: Vec<String>,
    /// Folder of an index; repeatable [env: TRIDEX_INDEX]
    ///
    /// Several indices are searched as one. TRIDEX_INDEX may name several, separated like the folders of PATH.
    #[arg(long, value_name = "DIR", help_heading = "Input")]
    pub(crate) index: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) fields: FieldArgs<OfSearch>,
    #[command(flatten)]
    pub(crate) saved: Saved,
    /// Maximum number of results [default: 50 in text, else all]
    ///
    /// Reads no more games than needed.
    #[arg(long, short = 'n', value_name = "N", help_heading = "Results")]
    pub(crate) limit: Option<usize>,
    /// Skip this many results
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Results")]
    pub(crate) offset: usize,
    /// Print only the number of games
    #[arg(long, conflicts_with_all = ["limit", "offset", "sort", "notation"], help_heading = "Results")]
    pub(crate) count: bool,
    /// Sort results by a column; unknown values last
    #[arg(long, value_parser = SORT_KEY, value_name = "COLUMN", help_heading = "Results")]
    pub(crate) sort: Option<SortKey>,
    /// Reverse the order
    #[arg(long, help_heading = "Results")]
    pub(crate) reverse: bool,
    /// Output format [default: extension of --output, else text]
    #[arg(
        long,
        short,
        value_enum,
        default_value_t = HitFormat::Text,
        hide_default_value = true,
        value_name = "FORMAT",
        help_heading = "Output"
    )]
    pub(crate) format: HitFormat,
    /// In PGN, mark the first match, or each step, with `[%found]`
    #[arg(long, help_heading = "Output")]
    pub(crate) mark: bool,
    /// Notation of PGN [default: that of each game's rule system]
    #[arg(
        long = "to",
        alias = "notation",
        value_parser = NOTATION,
        value_name = "NOTATION",
        help_heading = "Output"
    )]
    pub(crate) notation: Option<Notation>,
    #[command(flatten)]
    pub(crate) output: OutputFile,
    #[command(flatten)]
    pub(crate) csv: CsvStyle,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum HitFormat {
    /// A table for people
    Text,
    /// One JSON object a line
    Ndjson,
    /// A table with a header
    Csv,
    /// The games
    #[value(alias = "archive")]
    Pgn,
}

impl HitFormat {
    /// The format of hits; games of PGN are no table, but data as well.
    const fn table(self) -> TableFormat {
        match self {
            Self::Text => TableFormat::Text,
            Self::Csv => TableFormat::Csv,
            Self::Ndjson | Self::Pgn => TableFormat::Ndjson,
        }
    }
}

/// How many games are replayed to count the hits that are not shown: some ten milliseconds of work.
const COUNTED: u64 = 10_000;

pub(crate) fn run(args: &SearchArgs) -> Result<Exit, Failure> {
    let mut request = question::of(&args.words, &args.fields, &args.saved)?;
    let rules = request
        .values("rules")
        .last()
        .and_then(RuleSystem::from_name);
    agree(rules, args.notation)?;
    let index = indices::open(&args.index)?;
    let query = question::query(&request, &index)?;
    let limit = args.limit.unwrap_or(match args.format {
        _ if args.count => 0,
        HitFormat::Text => SHOWN,
        HitFormat::Ndjson | HitFormat::Csv | HitFormat::Pgn => usize::MAX,
    });
    // The text form counts all hits; with a limit only if that is quick.
    let is_quick = || query.replays() as u64 * index.games() <= COUNTED;
    let count =
        args.count || args.format == HitFormat::Text && (args.limit.is_none() || is_quick());
    request.options = SearchOptions {
        offset: args.offset,
        limit,
        count,
        variations: false,
    };
    request.sort = args.sort.map(|key| (key, args.reverse));
    let found = index.answer(&request).map_err(|fault| of_index(&fault))?;
    let write = |out: &mut dyn Write| write_all(args, &index, &found, out);
    let exit = emit::to_output(args.format.table(), &args.output, write)?;
    Ok(exit.max(report_damage(&index)))
}

fn write_all(
    args: &SearchArgs,
    index: &GameIndex,
    found: &Hits,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    if args.count {
        match args.format {
            HitFormat::Ndjson => writeln!(out, "{{\"games\":{}}}", found.total)?,
            _ => writeln!(out, "{}", found.total)?,
        }
        return Ok(Exit::Good);
    }
    if args.format == HitFormat::Pgn {
        return archive(args, index, found, out);
    }
    let mut exit = Exit::Good;
    let rows = found
        .hits
        .iter()
        .filter_map(|hit| match index.summary(hit.id) {
            Ok(game) => Some(Ok(Row::new(hit, game))),
            Err(fault) => left_out(&fault, &mut exit).err().map(Err),
        });
    let text = |rows: Vec<Row>| {
        let (paint, width) = (output::paint(&args.output), output::width(&args.output));
        Ok(hits::table(&rows, found, args.offset, paint, width))
    };
    emit::emit(args.format.table(), args.csv.style(), out, rows, text)?;
    Ok(exit)
}

/// Writes the games themselves.
fn archive(
    args: &SearchArgs,
    index: &GameIndex,
    found: &Hits,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let mut exit = Exit::Good;
    for hit in &found.hits {
        let game = match index.game(hit.id) {
            Ok(game) => game,
            Err(fault) => {
                left_out(&fault, &mut exit)?;
                continue;
            }
        };
        let notation = args
            .notation
            .unwrap_or_else(|| Notation::of(game.entry.rules));
        let places = hit.places().filter(|_| args.mark);
        match game.record(notation, places) {
            Ok(game) => write::pgn(&game, out)?,
            Err(fault) => {
                exit = Exit::HasProblems;
                terminal::complain(&format!(
                    "{}: game {} is a {} game and cannot be written in this notation: {fault}",
                    printable(&game.source),
                    game.entry.number,
                    game.entry.rules.name()
                ));
            }
        }
    }
    Ok(exit)
}
