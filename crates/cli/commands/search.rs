//! `search`: finds games in one or several indices.

use crate::failure::{Failure, Trouble};
use crate::ineffective::Ineffective;
use crate::io::indices::{self, report_damage, undamaged};
use crate::options::fields::{FieldArgs, Saved, query_word};
use crate::options::values::{COUNTS, Format, NOTATION, SORT_KEY, agree, format};
use crate::options::writing::Results;
use crate::session::Session;
use crate::term::report;
use crate::term::table::{self, column};
use clap::Args;
use std::io::Write;
use std::path::PathBuf;
use tridex_archive::write;
use tridex_index::{GameIndex, HitRow as Row, Hits, SearchOptions, SortKey};
use tridex_notation::Notation;
use tridex_rules::RuleSystem;
use tridex_text::printable;
use unicode_width::UnicodeWidthStr;

/// The formats of hits: tables, and the games.
const FORMATS: &[Format] = &[Format::Text, Format::Ndjson, Format::Csv, Format::Pgn];

/// How many hits are shown in text without `--limit`.
const SHOWN: usize = 50;

/// Find games in an index by players, dates, words, positions, patterns, sequences, material.
#[derive(Args, Debug)]
#[command(mut_arg("format", |arg| arg.value_parser(format(FORMATS))),
    after_long_help = "\
In a shell, put queries, patterns, moves and positions in single quotes; otherwise the shell interprets blanks, `*`, `>`, \
`|` and `~`.

A query: `player: white: black: event: site: round: text: opening:` words or \"words in a row\"; `won: lost: drew:` a player; \
`tag:NAME=words` of any tag, `eco: termination: annotator: time-control: team:` words of these; `date: \
after: before:` dates; `result: rules: plies: elo: white-elo: black-elo: any-elo: elo-difference: ending: has: nag: \
clock: drop: id: source: position: loose: from-top: moves: pattern: sequence: \
material: layout:`; joined by `and` (or nothing), `or`, `not` (or `-`) and brackets. A word alone is searched for in all texts. \
`?` means unknown and `*` any known value; numbers and dates may follow `>`, `>=`, `<` or `<=`.

A pattern: a piece on a square (`N@c6B`, `n@b4,NB`, `Q@3d5`), in a column at any level (`N@c6`), on a board (`k@kl`, \
`k@KL6`, `p@N`); any white or black piece (`A@ql`, `a@W`), an empty square (`_@c6B`); counts (`Q=0`, `p>=3`, \
`N@W>=2`); ranks, files and shades (`P@rank 7`, `p@file c on B`, `B@light`); a board on a pin (`ql@Q4`); attacks \
(`R attacks q`, `attackers(k)>=2`, `pinned(N)`); pawns (`passed(P)`, `doubled(p)>=2`, `isolated(P)=0`); `balance>=3` in \
pawns; `opposite bishops`; `check`, `double check`, `mate`, `stalemate`, `white to move`, `ply 10..40`, `end`; joined by \
`and`, `or`, `not` and brackets.

A sequence: moves in order, `A then B` (later), `A next B` (the next ply), `A then within 5 plies B`, `not A before B`, \
`A until B`, `A 3 times`, `A or B`. A move: `white`, `N takes Q`, `P to c9B`, `to file c`, `check`, `discovered check`, `P promotes to N`, \
`en passant`, `0-0-0`, `castling`, `board from Q1 to Q3`, `kl empty`, `QL carries R`, or one in notation (`Nxc6B`); \
`pattern(...)` and `material(...)` are true after a move. `piece as x` names a piece for `x takes` and `takes x`.

Examples:
  tridex search --index games.index --player kirk --date 2001..2003 --result 1-0
  tridex search --index games.index 'player:spock after:2001 text:\"sealed move\"'
  tridex search --index games.index 'won:kirk tag:Annotator=meder* plies:>100 ending:mate,resignation'
  tridex search --index games.index --moves \"b4N b5B\"          by any order of moves
  tridex search --index games.index --position \"$(tridex position game.pgn --ply 9)\" --loose
  tridex search --index games.index --pattern 'N@c6B and check' --mirrored --swapped
  tridex search --index games.index --sequence 'white board then within 20 plies white 0-0-0'
  tridex search --index games.index --material KQ:KR --lasting 10 --swapped
  tridex search --index games.index --game 00c0ffee00c0ffee --ply 12
  tridex search --index a.index --index b.index --opening lift --format pgn --output lifts.pgn")]
pub(crate) struct SearchArgs {
    /// Query, such as `player:spock after:2001 text:"sealed move"`
    ///
    /// `not` or `-` before a part negates it: `-result:1/2-1/2`, `-(site:riga or site:oslo)`; before a word alone write `not`.
    #[arg(value_name = "QUERY", value_parser = query_word)]
    pub(crate) words: Vec<String>,
    /// Folder of an index; repeatable [env: TRIDEX_INDEX]
    ///
    /// Several indices are searched as one. TRIDEX_INDEX may name several, separated like the folders of PATH.
    #[arg(long, value_name = "DIR", help_heading = "Input")]
    pub(crate) index: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) fields: FieldArgs,
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
    #[arg(long, conflicts_with_all = ["limit", "offset", "sort", "reverse", "sample", "seed", "to"], help_heading = "Results")]
    pub(crate) count: bool,
    /// Sort results by a column; unknown values last
    #[arg(long, value_parser = SORT_KEY, value_name = "COLUMN", help_heading = "Results")]
    pub(crate) sort: Option<SortKey>,
    /// Reverse the order
    #[arg(long, requires = "sort", help_heading = "Results")]
    pub(crate) reverse: bool,
    /// Pick this many of the games at random
    #[arg(long, value_name = "N", help_heading = "Results")]
    pub(crate) sample: Option<usize>,
    /// Seed of --sample; the same games for the same seed [default: 0]
    #[arg(long, value_name = "N", requires = "sample", help_heading = "Results")]
    pub(crate) seed: Option<u64>,
    /// In PGN, mark the first match, or each step, with `[%found]`
    #[arg(long, help_heading = "Output")]
    pub(crate) mark: bool,
    /// Notation of PGN [default: that of each game's rule system]
    #[arg(long, alias = "notation", value_parser = NOTATION, value_name = "NOTATION", help_heading = "Output")]
    pub(crate) to: Option<Notation>,
    #[command(flatten)]
    pub(crate) results: Results,
}

/// The most games to replay only to count hits that are not shown: about ten milliseconds of work.
const COUNTED: u64 = 10_000;

pub(crate) fn run(args: &SearchArgs, session: &Session) -> Result<(), Failure> {
    let format = args.results.format(match args.count {
        true => COUNTS,
        false => FORMATS,
    })?;
    let mut request = indices::request(&args.words, &args.fields, &args.saved)?;
    args.results.check(session, format)?;
    // This fails if the query cannot be read, which is refused below, or if it names a game, which needs an index.
    let asked = request.query_without_index().ok();
    let replays = asked.as_ref().is_none_or(|query| query.replays() > 0);
    let names_game = request.values("game").next().is_some();
    let is_about_board = asked.is_none_or(|query| query.is_about_board()) || names_game;
    Ineffective {
        options: &["count"],
        where_: "in this format, which lists games",
        instead: "use --format text or ndjson",
    }
    .unless(COUNTS.contains(&format), session)?;
    Ineffective {
        options: &["mark", "to"],
        where_: "without PGN output",
        instead: "add --format pgn",
    }
    .unless(format == Format::Pgn, session)?;
    let on_board = "add a position, moves, a pattern, a sequence or material";
    Ineffective {
        options: &["sort"],
        where_: "with ply without a search on the board",
        instead: on_board,
    }
    .unless(args.sort != Some(SortKey::Ply) || is_about_board, session)?;
    Ineffective {
        options: &["mark"],
        where_: "without a search on the board",
        instead: on_board,
    }
    .unless(is_about_board, session)?;
    Ineffective {
        options: &["variations"],
        where_: "without --pattern, --sequence, --material or --from-top",
        instead: "positions of variations are found only if the index has them",
    }
    .unless(replays, session)?;
    let rules = request.values("rules").last();
    agree(rules.and_then(RuleSystem::from_name), args.to)?;
    let index = indices::open(&args.index)?;
    let query = request.query(&index)?;
    let is_text = format == Format::Text;
    // Text shows the number of all hits. With a limit, they are counted only if that is quick.
    let is_quick = || query.replays() as u64 * index.games() <= COUNTED;
    request.options = SearchOptions::default()
        .offset(args.offset)
        .limit(args.limit.unwrap_or(match is_text {
            _ if args.count => 0,
            true => SHOWN,
            false => usize::MAX,
        }))
        .count(args.count || is_text && (args.limit.is_none() || is_quick()))
        .sample(args.sample.map(|sample| (sample, args.seed.unwrap_or(0))))
        .sort(args.sort.map(|key| (key, args.reverse)));
    let found = index.answer(&request)?;
    args.results
        .output
        .write(session, format, |out| match format {
            Format::Ndjson if args.count => Ok(writeln!(out, "{{\"games\":{}}}", found.total)?),
            _ if args.count => Ok(writeln!(out, "{}", found.total)?),
            Format::Pgn => archive(args, session, &index, &found, out),
            _ => {
                let hits = found.hits.iter();
                let rows = hits.filter_map(|hit| {
                    let game = undamaged(session, index.summary(hit.id)).transpose()?;
                    Some(game.map(|game| Row::new(hit, game)))
                });
                let text = |rows: Vec<Row>| text(&rows, &found, args, session);
                args.results.emit(format, out, rows, text)
            }
        })?;
    report_damage(session, &index);
    Ok(())
}

/// Writes the games as PGN.
fn archive(
    args: &SearchArgs,
    session: &Session,
    index: &GameIndex,
    found: &Hits,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    for hit in &found.hits {
        let Some(game) = undamaged(session, index.game(hit.id))? else {
            continue;
        };
        let rules = game.entry.rules;
        let notation = args.to.unwrap_or_else(|| Notation::of(rules));
        let places = hit.plies().filter(|_| args.mark);
        match game.record(notation, places) {
            Ok(game) => write::pgn(&game, out)?,
            Err(fault) => {
                session.note(Trouble::InData);
                session.complain(&format!(
                    "{}: game {} is a {} game and cannot be written in this notation: {fault}",
                    printable(&game.source),
                    game.entry.number,
                    rules.name()
                ));
            }
        }
    }
    Ok(())
}

/// Formats the hits for people.
fn text(rows: &[Row], found: &Hits, args: &SearchArgs, session: &Session) -> String {
    let column = |heading, cell: fn(&Row) -> String| column(heading, rows, cell);
    let mut columns = vec![
        column("date", |row| row.date.clone()),
        column("white", |row| short(&row.white)).cut(9),
        column("black", |row| short(&row.black)).cut(9),
        column("result", |row| row.result.to_owned()),
        column("rules", |row| row.rules.to_owned()).goes(2),
        column("plies", |row| row.plies.to_string()).goes(1),
        column("at", at),
        column("opening", |row| row.opening.clone().unwrap_or_default())
            .cut(10)
            .goes(3),
        column("id", |row| row.id.clone()).goes(4),
        column("game", |row| format!("{}:{}", row.source, row.game)).cut_before(12),
    ];
    if rows.iter().all(|row| row.ply.is_none()) {
        columns.retain(|column| column.heading != "at");
    }
    let (output, total) = (&args.results.output, found.total);
    let paint = output.paint(session);
    let mut text = String::new();
    let mut gone = Vec::new();
    if !rows.is_empty() {
        gone = table::draw(columns, output.width(), paint, &mut text);
    }
    if session.is_quiet() {
        return text;
    }
    let shown = rows.len() as u64;
    let counted = if found.is_whole { total } else { shown };
    let games = if counted == 1 { "game" } else { "games" };
    let mut summary = match shown {
        _ if !found.is_whole => {
            format!("{shown} {games} shown; there may be more, --count counts them")
        }
        shown if shown + (args.offset as u64).min(total) < total => {
            format!("{shown} of {total} {games}; --limit shows more")
        }
        _ => format!("{total} {games}"),
    };
    if !gone.is_empty() {
        summary.push_str(&format!("; no room for {}", gone.join(", ")));
    }
    text + &paint.faint(&format!("{summary}\n"))
}

/// The plies of a match, or of its steps.
fn at(row: &Row) -> String {
    let mark = if row.variation { "v" } else { "" };
    let first = row.ply.filter(|ply| row.steps.first() != Some(ply));
    let plies = first.iter().chain(&row.steps);
    let plies: Vec<String> = plies.map(|ply| format!("{ply}{mark}")).collect();
    plies.join(" ")
}

/// Shortens a name so that the other columns fit.
fn short(name: &str) -> String {
    const LONGEST: usize = 28;
    let name = printable(name);
    match name.width() <= LONGEST {
        true => name.into_owned(),
        false => format!("{}…", report::head(&name, LONGEST - 1)),
    }
}
