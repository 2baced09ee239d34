//! `openings`: the moves played from a position, with their results.

use crate::failure::Failure;
use crate::ineffective::Ineffective;
use crate::io::indices::{self, report_damage};
use crate::options::fields::{FieldArgs, Saved, query_word};
use crate::options::values::{Format, NOTATION, RULES, agree, format, one_of};
use crate::options::writing::Results;
use crate::session::Session;
use crate::term::table::{self, Column, column};
use clap::Args;
use std::mem::ManuallyDrop;
use std::path::PathBuf;

use tridex_core::GameTree;
use tridex_export::Tables;
use tridex_geometry::Family;
use tridex_index::{
    BoardTables, GameIndex, OpeningBook, OpeningOrder, OpeningTree, PositionMatch, PositionQuery,
    Query, ResultCounts, SearchOptions, TreeOptions, TreeRow as Row,
};
use tridex_notation::Notation;
use tridex_rules::{Position, RuleSystem};
use tridex_text::{json, printable};

/// How many layouts text shows without `--layouts`.
const LAYOUTS: usize = 10;

/// How many moves of each position a tree has without `--limit`.
const LIMIT: usize = 5;

/// The formats of the table.
const FORMATS: &[Format] = &[Format::Text, Format::Ndjson, Format::Csv, Format::Pgn];

/// The orders of moves.
const ORDERS: &[(&str, OpeningOrder, &str)] = &[
    ("games", OpeningOrder::Games, "Those of most games first"),
    (
        "score",
        OpeningOrder::Score,
        "Those with the best score for the side that moves first",
    ),
    (
        "rating",
        OpeningOrder::Rating,
        "Those of the players with the highest average rating first",
    ),
    (
        "year",
        OpeningOrder::Year,
        "Those played most recently first",
    ),
    ("move", OpeningOrder::Move, "Alphabetically"),
];

/// List the moves played from a position, with games and results (an opening explorer).
#[derive(Args, Debug)]
#[command(mut_arg("side", |side| side.hide_short_help(false)),
    mut_arg("format", |arg| arg.value_parser(format(FORMATS))),
    after_help = "\
Counts all games that reach the position, by any order of moves. In a shell, put moves and positions in quotation marks. \
The score is White's share of the points; `small` marks fewer than ten games with a result.

Examples:
  tridex openings --index games.index --rules meder
  tridex openings --index games.index --rules meder --moves \"b4N b5B\" --min-games 5
  tridex openings --index games.index --rules meder --depth 4 --limit 3
  tridex openings --index games.index --rules meder --depth 6 -o tree.pgn   variations with counts
  tridex openings --index games.index --rules manual --player kirk --side white --date 2001..
  tridex openings --index games.index --rules federation --format ndjson --boards")]
pub(crate) struct OpeningsArgs {
    /// Count only games that match a query of `tridex search`
    ///
    /// `not` or `-` before a part negates it: `-result:1/2-1/2`, `-(site:riga or site:oslo)`; before a word alone write `not`.
    #[arg(value_name = "QUERY", value_parser = query_word)]
    pub(crate) words: Vec<String>,
    /// Folder of an index; repeatable [env: TRIDEX_INDEX]
    ///
    /// Several indices count as one. TRIDEX_INDEX may name several, separated like the folders of PATH.
    #[arg(long, value_name = "DIR", help_heading = "Input")]
    pub(crate) index: Vec<PathBuf>,
    /// Folder with a `positions.parquet`, instead of an index
    ///
    /// Written by `tridex export` or a database engine. All its games count.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["index", "words", "questions", "ask", "boards", "layouts"], requires = "rules", help_heading = "Input")]
    pub(crate) parquet: Option<PathBuf>,
    /// Rule system [default: that of the index, if it has one]
    #[arg(long, value_parser = RULES, value_name = "SYSTEM", help_heading = "Position")]
    pub(crate) rules: Option<RuleSystem>,
    /// Moves from the start to the position [default: none]
    #[arg(
        id = "line",
        long = "moves",
        value_name = "MOVES",
        conflicts_with = "fen",
        help_heading = "Position"
    )]
    pub(crate) line: Option<String>,
    /// Position string, in quotation marks [default: the start position]
    #[arg(
        long,
        visible_alias = "position",
        value_name = "FEN",
        help_heading = "Position"
    )]
    pub(crate) fen: Option<String>,
    #[command(flatten)]
    pub(crate) fields: FieldArgs,
    #[command(flatten)]
    pub(crate) saved: Saved,
    /// Omit moves played in fewer than N games
    #[arg(long, default_value_t = 1, value_name = "N", help_heading = "Results")]
    pub(crate) min_games: u64,
    /// Number of plies: a tree of the moves that follow
    ///
    /// Each move has the games that reach its position by any order of moves. If several lines lead to a position, the
    /// shortest is continued, and the others refer to it. A tree has at most 20,000 moves, in PGN 10,000.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100), value_name = "N", help_heading = "Results")]
    pub(crate) depth: u32,
    /// Number of moves of each position [default: all, or 5 with --depth]
    #[arg(long, short = 'n', value_name = "N", help_heading = "Results")]
    pub(crate) limit: Option<usize>,
    /// Order of the moves of each position
    #[arg(long, value_parser = one_of(ORDERS), default_value = "games", value_name = "ORDER", help_heading = "Results")]
    pub(crate) sort: OpeningOrder,
    /// Names of openings: CSV with name, moves, rule system
    ///
    /// They are added to the bundled names. The column of the rule system may be empty.
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub(crate) names: Option<PathBuf>,
    /// Add the first destinations of the attack boards; text always has them
    #[arg(long, help_heading = "Results")]
    pub(crate) boards: bool,
    /// Add all layouts of the attack boards
    ///
    /// In the games that reach the position; text always has the most frequent.
    #[arg(long, help_heading = "Results")]
    pub(crate) layouts: bool,
    /// Notation to write [default: that of the rule system]
    #[arg(long, alias = "notation", value_parser = NOTATION, value_name = "NOTATION", help_heading = "Output")]
    pub(crate) to: Option<Notation>,
    #[command(flatten)]
    pub(crate) results: Results,
}

pub(crate) fn run(args: &OpeningsArgs, session: &Session) -> Result<(), Failure> {
    let format = args.results.format(FORMATS)?;
    args.results.check(session, format)?;
    Ineffective {
        options: &["boards", "layouts"],
        where_: "in CSV and PGN, which have moves only",
        instead: "use --format text or ndjson",
    }
    .unless(!matches!(format, Format::Csv | Format::Pgn), session)?;
    let book = indices::opening_names(session, args.names.as_deref())?;
    let games = match &args.parquet {
        Some(folder) => Games::Parquet(Tables::open(folder)?),
        None => Games::Index(indices::open(&args.index)?),
    };
    let rules = match args.rules {
        Some(rules) => rules,
        None => match (games.only_system(), &args.fen) {
            (Err(several), Some(fen)) if matches!(games, Games::Index(_)) => {
                let meant = tridex_index::position_for(None, fen);
                meant.map_err(|_| several)?.rules()
            }
            (only, _) => only?,
        },
    };
    agree(Some(rules), args.to)?;
    Ineffective {
        options: &["boards", "layouts"],
        where_: "on the cube board, which has no attack boards",
        instead: "omit it",
    }
    .unless(rules.family() != Family::Cube, session)?;
    let position = match (&args.line, &args.fen) {
        (Some(moves), _) => tridex_index::position_after(rules, moves)?,
        (None, Some(fen)) => tridex_index::position_of(rules, fen)?,
        (None, None) => Position::start(rules),
    };
    let request = indices::request(&args.words, &args.fields, &args.saved)?;
    let limit = match args.depth {
        1 => usize::MAX,
        _ => LIMIT,
    };
    let options = TreeOptions::default()
        .depth(args.depth)
        .min_games(args.min_games)
        .limit(args.limit.unwrap_or(limit))
        .order(args.sort);
    let options = match format {
        // Readers accept 1 MiB of a game.
        Format::Pgn => options.most(10_000),
        _ => options,
    };
    // Parquet tables have rows of positions, which do not show what else happens in their games.
    let (tree, boards) = match &games {
        Games::Index(index) => {
            let filter = request.query(index)?;
            let tree = OpeningTree::build(&position, &options, |position| {
                index.openings(position, &filter)
            })?;
            let is_drawn = tree.total.games > 0 && rules.family() != Family::Cube;
            let is_shown = match format {
                Format::Text => is_drawn && (args.depth == 1 || args.boards || args.layouts),
                _ => args.boards || args.layouts,
            };
            let there = PositionQuery::of_position(&position, PositionMatch::Exact);
            let boards = is_shown.then(|| index.boards(&filter.and(there.into())));
            (tree, boards.transpose()?)
        }
        Games::Parquet(tables) => {
            let tree =
                OpeningTree::build(&position, &options, |position| tables.openings(position))?;
            (tree, None)
        }
    };
    if tree.is_cut {
        session.complain(&format!(
            "the tree is larger than {} moves; deeper moves were omitted; use a smaller --depth or --limit, or a larger --min-games",
            options.most
        ));
    }
    let notation = args.to.unwrap_or(Notation::of(rules));
    let moves = tree.rows(notation, &book).map_err(Failure::message)?;
    args.results.output.write(session, format, |out| {
        if format == Format::Pgn {
            let text = pgn(args, rules, &position, &tree, &book, notation)?;
            return Ok(out.write_all(text.as_bytes())?);
        }
        let name = book.name(&position);
        if args.depth == 1 && format != Format::Text {
            let rows = moves.into_iter().map(|row| Ok(row.row));
            args.results.emit(format, out, rows, |_| String::new())?;
        } else {
            let rows = moves.into_iter().map(Ok);
            let text = |moves: Vec<Row>| text(args, session, name, &tree, &moves, boards.as_ref());
            args.results.emit(format, out, rows, text)?;
        }
        if let Some(BoardTables { first, layouts }) = &boards
            && format == Format::Ndjson
        {
            let mut first = first.iter().filter(|_| args.boards);
            first.try_for_each(|row| json::write_line(out, row))?;
            let mut layouts = layouts.iter().filter(|_| args.layouts);
            layouts.try_for_each(|row| json::write_line(out, row))?;
        }
        Ok(())
    })?;
    if let Games::Index(index) = &games {
        report_damage(session, index);
    }
    Ok(())
}

/// Where the games are.
enum Games {
    Index(ManuallyDrop<GameIndex>),
    Parquet(Tables),
}

impl Games {
    /// The rule system of all games, if there is only one.
    ///
    /// # Errors
    /// If there are several, or no games.
    fn only_system(&self) -> Result<RuleSystem, Failure> {
        let mut found = Vec::new();
        if let Self::Index(index) = self {
            let options = SearchOptions::default().limit(1);
            for rules in RuleSystem::ALL {
                let games = index.search(&Query::Rules(*rules), &options)?;
                found.extend((!games.hits.is_empty()).then_some(*rules));
            }
        }
        let names: Vec<&str> = found.iter().map(|rules| rules.name()).collect();
        match found.as_slice() {
            [] => Err(Failure::message("the index has no games")),
            [only] => Ok(*only),
            _ => Err(Failure::message(format!(
                "the index has games of {}; choose one with --rules SYSTEM",
                names.join(", ")
            ))),
        }
    }
}

/// Writes a tree as a game with variations. Comments have the numbers of games and White's score.
fn pgn(
    args: &OpeningsArgs,
    rules: RuleSystem,
    position: &Position,
    tree: &OpeningTree,
    book: &OpeningBook,
    notation: Notation,
) -> Result<String, Failure> {
    let mut game = match args.fen {
        Some(_) => GameTree::from_position(position.clone()),
        None => GameTree::new(rules),
    };
    let name = book.name(position).unwrap_or("Openings");
    game.set_tag("Event", name);
    game.set_tag("Variant", rules.name());
    let moves = args.line.as_deref().unwrap_or_default();
    let before = game.read(game.root(), moves).map_err(Failure::message)?;
    // The nodes of the tree by their numbers there, parents before children.
    let mut ids = vec![before.last().copied().unwrap_or(game.root())];
    let mut lines = vec![moves.to_owned()];
    for node in tree.nodes.iter().skip(1) {
        let (Some(parent), Some(row)) = (node.parent, &node.row) else {
            continue;
        };
        let id = game
            .play(ids[parent], row.played)
            .map_err(Failure::message)?;
        let word = game.write(id, notation).map_err(Failure::message)?;
        let line = format!("{} {word}", lines[parent]).trim_start().to_owned();
        let results = &row.results;
        let games = if results.games == 1 { "game" } else { "games" };
        let mut comment = format!(
            "{} {games}, White {} (+{} ={} -{})",
            results.games,
            table::percent(results.score()),
            results.white,
            results.draws,
            results.black
        );
        if let Some(name) = book.name(&row.after) {
            comment.push_str(&format!("; {name}"));
        }
        if let Some(other) = node.transposes_to {
            comment.push_str(&match lines[other].as_str() {
                "" => "; transposes to the start".to_owned(),
                other => format!("; transposes to {other}"),
            });
        }
        game.set_comment(id, &comment);
        ids.push(id);
        lines.push(line);
    }
    game.to_pgn(notation).map_err(Failure::message)
}

/// Formats the tables for people, below the name of the position.
fn text(
    args: &OpeningsArgs,
    session: &Session,
    name: Option<&str>,
    tree: &OpeningTree,
    moves: &[Row],
    boards: Option<&BoardTables>,
) -> String {
    let output = &args.results.output;
    let paint = output.paint(session);
    let mut text = String::new();
    if let Some(name) = name {
        text.push_str(&format!("{}\n", printable(name)));
    }
    if moves.is_empty() && tree.omitted == 0 {
        text.push_str("no moves\n");
    } else if !moves.is_empty() {
        let lines = moves.iter().map(|row| {
            let indent = "  ".repeat(row.depth as usize - 1);
            line([&format!("{indent}{}", row.row.played)], &row.row.results)
        });
        let lines: Vec<Line> = lines.chain([line(["all"], &tree.total)]).collect();
        let mut columns = columns(&["move"], &lines);
        let name = column("name", moves, |row| {
            row.row.name.clone().unwrap_or_default()
        });
        columns.push(name.cut(10).goes(1));
        if args.depth > 1 {
            let other = |row: &Row| row.transposes_to.clone().unwrap_or_default();
            columns.push(column("transposes to", moves, other).cut(10));
        }
        table::draw(columns, output.width(), paint, &mut text);
    }
    let total = tree.total.games;
    let mut summary = match total {
        1 => "1 game reaches the position".to_owned(),
        _ => format!("{total} games reach the position"),
    };
    if tree.omitted > 0 {
        let (omitted, least) = (tree.omitted, args.min_games);
        summary.push_str(&match args.depth == 1 && args.limit.is_none() {
            true => format!("; {omitted} moves played in fewer than {least} games are not shown"),
            false => format!("; {omitted} other moves are not shown"),
        });
    }
    text.push_str(&paint.faint(&format!("{summary}\n")));
    let Some(BoardTables { first, layouts }) = boards else {
        return text;
    };
    if !first.is_empty() {
        text.push_str("\nattack boards: first destinations\n");
        let lines = first.iter();
        let lines = lines.map(|row| line([row.board, &row.from, &row.to], &row.results));
        let lines: Vec<Line> = lines.collect();
        let columns = columns(&["board", "from", "to"], &lines);
        table::draw(columns, None, paint, &mut text);
    }
    let shown = if args.layouts { layouts.len() } else { LAYOUTS };
    text.push_str("\nlayouts of the attack boards\n");
    let lines = layouts.iter().take(shown);
    let lines = lines.map(|row| line([&row.layout], &row.results));
    let lines: Vec<Line> = lines.collect();
    table::draw(columns(&["layout"], &lines), None, paint, &mut text);
    if shown < layouts.len() {
        let rest = format!(
            "{shown} of {} layouts; --layouts shows all\n",
            layouts.len()
        );
        text.push_str(&paint.faint(&rest));
    }
    text
}

/// A line of a table for people: its own cells, and the results of its games.
type Line = Vec<String>;

fn line<const N: usize>(own: [&str; N], results: &ResultCounts) -> Line {
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let counts = [
        results.games.to_string(),
        results.white.to_string(),
        results.draws.to_string(),
        results.black.to_string(),
        table::percent(results.score()),
        or_dash(results.average_rating().map(|rating| rating.to_string())),
        or_dash(results.last_year.map(|year| year.to_string())),
        if results.is_small() { "small" } else { "" }.to_owned(),
    ];
    own.map(str::to_owned).into_iter().chain(counts).collect()
}

/// The columns of these tables. `first` has the headings before those of the counts.
fn columns(first: &[&'static str], lines: &[Line]) -> Vec<Column> {
    const COUNTS: [&str; 8] = [
        "games", "white", "draws", "black", "score", "rating", "last", "",
    ];
    let headings = first.iter().chain(&COUNTS).enumerate();
    let columns = headings.map(|(at, heading)| column(heading, lines, |line| line[at].clone()));
    columns.collect()
}
