//! `report`: what an index has on a player or an opening.

use crate::failure::Failure;
use crate::ineffective::Ineffective;
use crate::io::indices::{self, report_damage, with_played};
use crate::options::fields::query_word;
use crate::options::values::{Format, Formats, NOTATION, RULES, agree, format};
use crate::options::writing::OutputFile;
use crate::session::Session;
use crate::term::table::{self, Column, column};
use crate::term::terminal::Paint;
use clap::{ArgGroup, Args};
use std::path::PathBuf;
use tridex_core::{Report, ReportOptions, ReportRow, Spread};
use tridex_index::{GameIndex, HitRow, OpeningRow, Query, SearchRequest, find_game};
use tridex_notation::Notation;
use tridex_page::{PageGame, PageWriter};
use tridex_replay::OutputStyle;
use tridex_rules::{Position, RuleSystem};
use tridex_text::{json, printable};

/// The formats of a report.
const FORMATS: Formats = &[Format::Text, Format::Ndjson, Format::Html];

/// Report on a player or an opening: results, openings, opponents, years, games.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("subject").required(true).multiple(true).args(["player", "opening", "line", "fen", "rules"]),
    after_help = "\
The results of a player count for the player, those of an opening for White. The model games have the best average rating \
of both players. HTML has the report and these games, to play through.

Examples:
  tridex report --index games.index --player kirk
  tridex report --index games.index --player kirk --query 'after:2010' -o kirk.html
  tridex report --index games.index --rules meder --moves \"b4N b5B\"
  tridex report --index games.index --opening \"sample game\" --format ndjson")]
pub(crate) struct ReportArgs {
    /// Folder of an index; repeatable [env: TRIDEX_INDEX]
    ///
    /// Several indices count as one. TRIDEX_INDEX may name several, separated like the folders of PATH.
    #[arg(long, value_name = "DIR", help_heading = "Input")]
    pub(crate) index: Vec<PathBuf>,
    /// Report on a player: words of the name, as in searches
    #[arg(long, value_name = "NAME", conflicts_with_all = ["opening", "line", "fen", "rules"], help_heading = "Report")]
    pub(crate) player: Option<String>,
    /// Report on an opening by words of its name
    #[arg(long, value_name = "NAME", conflicts_with_all = ["line", "fen"], help_heading = "Report")]
    pub(crate) opening: Option<String>,
    /// Report on the position after these moves
    #[arg(
        id = "line",
        long = "moves",
        value_name = "MOVES",
        conflicts_with = "fen",
        requires = "rules",
        help_heading = "Report"
    )]
    pub(crate) line: Option<String>,
    /// Report on a position: a position string, in quotation marks
    #[arg(
        long,
        visible_alias = "position",
        value_name = "FEN",
        requires = "rules",
        help_heading = "Report"
    )]
    pub(crate) fen: Option<String>,
    /// Rule system; alone: report on its start position
    #[arg(long, value_parser = RULES, value_name = "SYSTEM", help_heading = "Report")]
    pub(crate) rules: Option<RuleSystem>,
    /// Count only games that match a query of `tridex search`
    #[arg(long, value_parser = query_word, value_name = "QUERY", help_heading = "Report")]
    pub(crate) query: Option<String>,
    /// Number of rows of each table, and of games
    #[arg(
        long,
        short = 'n',
        value_name = "N",
        default_value_t = 10,
        help_heading = "Results"
    )]
    pub(crate) top: usize,
    /// Notation to write [default: that of the rule system]
    #[arg(long, value_parser = NOTATION, value_name = "NOTATION", help_heading = "Output")]
    pub(crate) to: Option<Notation>,
    /// Output format [default: extension of --output, else text]
    #[arg(long, short, value_parser = format(FORMATS), value_name = "FORMAT", help_heading = "Output")]
    pub(crate) format: Option<Format>,
    #[command(flatten)]
    pub(crate) output: OutputFile,
}

pub(crate) fn run(args: &ReportArgs, session: &Session) -> Result<(), Failure> {
    let format = args.output.format(args.format, FORMATS)?;
    args.output.check(session)?;
    agree(args.rules, args.to)?;
    Ineffective {
        options: &["to"],
        where_: "in a report without moves",
        instead: "add --rules, or --format html",
    }
    .unless(
        args.rules.is_some() && args.opening.is_none() || format == Format::Html,
        session,
    )?;
    session.catch_interrupts();
    let index = indices::open(&args.index)?.stopped_by(session.cancel());
    let mut request = SearchRequest::default();
    for (field, value) in [("query", &args.query), ("opening", &args.opening)] {
        if let Some(value) = value {
            request.set(field, value.as_str())?;
        }
    }
    if let Some(name) = &args.player {
        // The request refuses a name without words.
        let mut asked = SearchRequest::default();
        asked.set("player", name.as_str())?;
        asked.query(&index)?;
    }
    let mut filter = request.query(&index)?;
    if let (Some(_), Some(rules)) = (&args.opening, args.rules) {
        filter = filter.and(Query::Rules(rules));
    }
    let options = ReportOptions::default()
        .filter(filter)
        .top(args.top)
        .notation(args.to);
    let report = match (&args.player, &args.opening, args.rules) {
        (Some(name), ..) => Report::on_player(&index, name, &options)?,
        (None, Some(opening), _) => Report::on_opening(&index, opening, None, &options)?,
        (None, None, rules) => {
            let rules = rules.unwrap_or_default();
            let position = match (&args.line, &args.fen) {
                (Some(moves), _) => tridex_index::position_after(rules, moves)?,
                (None, Some(fen)) => tridex_index::position_of(rules, fen)?,
                (None, None) => Position::start(rules),
            };
            let name = options.book.name(&position).map(str::to_owned);
            let moves = || args.line.clone().filter(|moves| !moves.trim().is_empty());
            let title = name.or_else(moves);
            let title = title.unwrap_or_else(|| format!("{}: a position", rules.name()));
            Report::on_opening(&index, &title, Some(&position), &options)?
        }
    };
    let (paint, width) = (args.output.paint(session), args.output.width());
    args.output.write(session, format, |out| match format {
        Format::Ndjson => Ok(json::write_line(out, &report)?),
        Format::Html => {
            let text = text(&report, Paint::none(), None);
            let mut page = PageWriter::with_text(out, &report.title, &text)?;
            for game in shown_games(&index, &report, args.to)? {
                page.add(&game)?;
            }
            page.finish()?;
            Ok(())
        }
        _ => Ok(out.write_all(text(&report, paint, width).as_bytes())?),
    })?;
    report_damage(session, &index);
    Ok(())
}

/// The model games, then the newest ones that are not among them.
fn shown_games(
    index: &GameIndex,
    report: &Report,
    to: Option<Notation>,
) -> Result<Vec<PageGame>, Failure> {
    let mut ids: Vec<&str> = Vec::new();
    for row in report.model_games.iter().chain(&report.last_games) {
        if !ids.contains(&row.id.as_str()) {
            ids.push(&row.id);
        }
    }
    let mut games = Vec::new();
    for id in ids {
        let game = index.game(find_game(index, id)?)?;
        let own = Notation::of(game.entry.rules);
        // A player may have games on both boards.
        let notation = to.filter(|to| to.family() == own.family()).unwrap_or(own);
        let style = OutputStyle::of(notation);
        let shown = with_played(&game, None, |played| PageGame::new(played, style))?;
        games.push(shown.map_err(Failure::message)?);
    }
    Ok(games)
}

/// Formats a report for people.
fn text(report: &Report, paint: Paint, width: Option<usize>) -> String {
    let games = match report.games() {
        1 => "1 game".to_owned(),
        games => format!("{games} games"),
    };
    let heading = format!("{}: {games}", printable(&report.title));
    let mut text = format!("{}\n", paint.bold(&heading));
    if let Some(fen) = &report.fen {
        text.push_str(&format!("{fen}\n"));
    }
    let mut say = |name: &str, spread: Option<Spread>| {
        if let Some(Spread {
            least,
            average,
            greatest,
            ..
        }) = spread
        {
            text.push_str(&format!(
                "{name}: {least} to {greatest}, average {average:.1}\n"
            ));
        }
    };
    say("plies", report.plies);
    say("ratings", report.ratings);
    let is_player = report.kind == "player";
    let mut part = |title: &str, columns: Vec<Column>| {
        text.push_str(&format!("\n{}\n", paint.bold(title)));
        table::draw(columns, width, paint, &mut text);
    };
    for (title, first, rows, is_own) in [
        ("results", "", &report.results, is_player),
        ("names", "name", &report.names, true),
        ("rule systems", "rules", &report.systems, is_player),
        ("years", "year", &report.years, is_player),
        ("openings", "opening", &report.openings, true),
        ("opponents", "opponent", &report.opponents, true),
        ("players", "player", &report.players, true),
    ] {
        // A single name or system is no news.
        let is_shown = match title {
            "names" | "rule systems" => rows.len() > 1,
            _ => !rows.is_empty(),
        };
        if is_shown {
            part(title, results(first, rows, is_own));
        }
    }
    if !report.continuations.is_empty() {
        part("moves", moves(&report.continuations));
    }
    if !report.endings.is_empty() {
        let rows = &report.endings;
        let name = column("ending", rows, |row| row.name.to_owned());
        part(
            "endings",
            vec![name, column("games", rows, |row| row.games.to_string())],
        );
    }
    for (title, rows) in [
        ("model games", &report.model_games),
        ("last games", &report.last_games),
    ] {
        if !rows.is_empty() {
            part(title, games_table(rows));
        }
    }
    text
}

/// The columns of results, for a player or for White.
fn results(first: &'static str, rows: &[ReportRow], is_own: bool) -> Vec<Column> {
    let [won, drawn, lost, score] = match is_own {
        true => ["won", "drawn", "lost", "score"],
        false => ["White won", "drawn", "Black won", "White's score"],
    };
    let mut columns = vec![
        column(first, rows, |row| row.name.clone()).cut(12),
        column("games", rows, |row| row.games.to_string()),
        column(won, rows, |row| row.won.to_string()),
        column(drawn, rows, |row| row.drawn.to_string()),
        column(lost, rows, |row| row.lost.to_string()),
    ];
    if rows.iter().any(|row| row.without_result > 0) {
        columns.push(column("no result", rows, |row| {
            row.without_result.to_string()
        }));
    }
    columns.push(column(score, rows, |row| table::percent(row.score)));
    columns
}

fn moves(rows: &[OpeningRow]) -> Vec<Column> {
    vec![
        column("move", rows, |row| row.played.clone()),
        column("games", rows, |row| row.results.games.to_string()),
        column("White won", rows, |row| row.results.white.to_string()),
        column("drawn", rows, |row| row.results.draws.to_string()),
        column("Black won", rows, |row| row.results.black.to_string()),
        column("White's score", rows, |row| {
            table::percent(row.results.score())
        }),
        column("name", rows, |row| row.name.clone().unwrap_or_default()).cut(10),
    ]
}

fn games_table(rows: &[HitRow]) -> Vec<Column> {
    vec![
        column("date", rows, |row| row.date.clone()),
        column("white", rows, |row| row.white.clone()).cut(10),
        column("black", rows, |row| row.black.clone()).cut(10),
        column("result", rows, |row| row.result.to_owned()),
        column("plies", rows, |row| row.plies.to_string()).goes(1),
        column("opening", rows, |row| {
            row.opening.clone().unwrap_or_default()
        })
        .cut(10)
        .goes(2),
        column("id", rows, |row| row.id.clone()),
    ]
}
