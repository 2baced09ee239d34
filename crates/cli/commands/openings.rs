//! `openings`: the moves played from a position, with their results.

use crate::failure::{Exit, Failure};
use crate::io::indices::{of_export, of_index, report_damage};
use crate::io::{emit, indices, opening_names, output, question};
use crate::options::fields::{FieldArgs, Fielded, Saved};
use crate::options::values::{NOTATION, RULES, agree};
use crate::options::writing::{CsvStyle, OutputFile, TableFormat};
use crate::term::table;
use crate::term::table::Yields;
use clap::Args;
use std::mem::ManuallyDrop;
use std::path::PathBuf;
use tridex_archive::{json, printable};
use tridex_export::Tables;
use tridex_geometry::Family;
use tridex_index::{
    BoardTables, FirstBoardRow as Board, GameIndex, MoveTable, OpeningBook, OpeningRow as Row,
    PositionQuery, Query, ReachedRow as Reached, ResultCounts, Sameness, SearchOptions,
};
use tridex_notation::Notation;
use tridex_rules::{Position, RuleSystem};

/// How many layouts people are shown unless they ask for them.
const LAYOUTS: usize = 10;

/// `openings` has its own position, under its own rules.
#[derive(Clone, Debug)]
pub(crate) enum OfOpenings {}

impl Fielded for OfOpenings {
    const OMITTED: &'static [&'static str] = &["rules", "position", "fen", "moves", "loose"];
    const CONFLICTS: &'static [&'static str] = &["parquet"];
}

/// List the moves played from a position, with games and results (an opening explorer).
#[derive(Args, Debug)]
#[command(after_help = "\
Counts all games that reach the position, by any order of moves. In a shell, put moves and positions in quotation marks. \
The score is White's share of the points; `small` marks fewer than ten games with a result.

Examples:
  tridex openings --index games.index --rules meder
  tridex openings --index games.index --rules meder --moves \"b4N b5B\" --min-games 5
  tridex openings --index games.index --rules manual --player kirk --side white --date 2001..
  tridex openings --index games.index --rules federation --format ndjson --boards")]
pub(crate) struct OpeningsArgs {
    /// Count only games that match a query of `tridex search`
    #[arg(value_name = "QUERY")]
    pub(crate) words: Vec<String>,
    /// Folder of an index; repeatable [env: TRIDEX_INDEX]
    ///
    /// Several indices count as one. TRIDEX_INDEX may name several, separated like the folders of PATH.
    #[arg(long, value_name = "DIR", help_heading = "Input")]
    pub(crate) index: Vec<PathBuf>,
    /// Folder with a `positions.parquet`, instead of an index
    ///
    /// Written by `tridex export` or a database engine. All its games count.
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = ["index", "words", "questions", "boards", "layouts"],
        requires = "rules",
        help_heading = "Input"
    )]
    pub(crate) parquet: Option<PathBuf>,
    /// Rule system [default: that of the index, if it has one]
    #[arg(long, value_parser = RULES, value_name = "SYSTEM", help_heading = "Position")]
    pub(crate) rules: Option<RuleSystem>,
    /// Moves from the start to the position [default: none]
    #[arg(
        long,
        value_name = "MOVES",
        conflicts_with = "fen",
        help_heading = "Position"
    )]
    pub(crate) moves: Option<String>,
    /// Position string, in quotation marks [default: the start position]
    #[arg(
        long,
        visible_alias = "position",
        value_name = "FEN",
        help_heading = "Position"
    )]
    pub(crate) fen: Option<String>,
    #[command(flatten)]
    pub(crate) fields: FieldArgs<OfOpenings>,
    #[command(flatten)]
    pub(crate) saved: Saved,
    /// Omit moves played in fewer than N games
    #[arg(long, default_value_t = 1, value_name = "N", help_heading = "Results")]
    pub(crate) min_games: u64,
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
    #[arg(
        long = "to",
        alias = "notation",
        value_parser = NOTATION,
        value_name = "NOTATION",
        help_heading = "Output"
    )]
    pub(crate) notation: Option<Notation>,
    /// Output format [default: extension of --output, else text]
    #[arg(
        long,
        short,
        value_enum,
        default_value_t = TableFormat::Text,
        hide_default_value = true,
        value_name = "FORMAT",
        help_heading = "Output"
    )]
    pub(crate) format: TableFormat,
    #[command(flatten)]
    pub(crate) output: OutputFile,
    #[command(flatten)]
    pub(crate) csv: CsvStyle,
}

pub(crate) fn run(args: &OpeningsArgs) -> Result<Exit, Failure> {
    let style = args.csv.style();
    let (book, exit) = opening_names::read(args.names.as_deref())?;
    let games = match &args.parquet {
        Some(folder) => Games::Parquet(Tables::open(folder).map_err(of_export)?),
        None => Games::Index(indices::open(&args.index)?),
    };
    let rules = match args.rules {
        Some(rules) => rules,
        None => games.only_system()?,
    };
    agree(Some(rules), args.notation)?;
    if rules.family() == Family::Cube
        && let Some(option) = [(args.boards, "--boards"), (args.layouts, "--layouts")]
            .iter()
            .find_map(|(given, option)| given.then_some(option))
    {
        return Err(Failure::message(format!(
            "{option} has no effect on the cube board, which has no attack boards; omit it"
        )));
    }
    let notation = args.notation.unwrap_or(Notation::of(rules));
    let position = match (&args.moves, &args.fen) {
        (Some(moves), _) => question::position_after(rules, moves)?,
        (None, Some(fen)) => question::set_up_under(rules, fen)?,
        (None, None) => Position::start(rules),
    };
    let request = question::of(&args.words, &args.fields, &args.saved)?;
    let filter = match &games {
        Games::Index(index) => question::query(&request, index)?,
        Games::Parquet(_) => Query::All,
    };
    let explored = Explored {
        games: &games,
        book: &book,
        notation,
        position,
        filter,
    };
    let table = explored.moves()?;
    let moves = explored.rows(&table, args.min_games)?;
    let exit = emit::to_output(args.format, &args.output, |out| {
        let rows = moves.into_iter().map(Ok);
        let text = |moves: Vec<Row>| explored.text(args, &table, &moves);
        emit::emit(args.format, style, out, rows, text)?;
        if args.format == TableFormat::Ndjson && (args.boards || args.layouts) {
            let BoardTables { first, layouts } = explored.boards()?;
            let mut first = first.iter().filter(|_| args.boards);
            first.try_for_each(|row| json::write_line(out, &Board::new(row)))?;
            let mut layouts = layouts.iter().filter(|_| args.layouts);
            layouts.try_for_each(|row| json::write_line(out, &Reached::new(row)))?;
        }
        Ok(exit)
    })?;
    Ok(match &games {
        Games::Index(index) => exit.max(report_damage(index)),
        Games::Parquet(_) => exit,
    })
}

/// Where the games are.
enum Games {
    Index(ManuallyDrop<GameIndex>),
    Parquet(Tables),
}

impl Games {
    /// The one rule system of all games.
    ///
    /// # Errors
    /// That there are several, or no games.
    fn only_system(&self) -> Result<RuleSystem, Failure> {
        let mut found = Vec::new();
        if let Self::Index(index) = self {
            for rules in RuleSystem::ALL {
                let query = Query::Rules(*rules);
                let options = SearchOptions {
                    limit: 1,
                    ..SearchOptions::default()
                };
                let games = index.search(&query, &options);
                if !games.map_err(|fault| of_index(&fault))?.hits.is_empty() {
                    found.push(*rules);
                }
            }
        }
        match found.as_slice() {
            [rules] => Ok(*rules),
            [] => Err(Failure::message("the index has no games")),
            several => {
                let names: Vec<&str> = several.iter().map(|rules| rules.name()).collect();
                Err(Failure::message(format!(
                    "the index has games of {}; choose one with --rules SYSTEM",
                    names.join(", ")
                )))
            }
        }
    }
}

/// A position whose moves are counted.
struct Explored<'a> {
    games: &'a Games,
    book: &'a OpeningBook,
    notation: Notation,
    position: Position,
    /// Which games count.
    filter: Query,
}

impl Explored<'_> {
    fn moves(&self) -> Result<MoveTable, Failure> {
        match self.games {
            Games::Index(index) => {
                let table = index.openings(&self.position, &self.filter);
                table.map_err(|fault| of_index(&fault))
            }
            Games::Parquet(tables) => tables.openings(&self.position).map_err(of_export),
        }
    }

    /// What the attack boards do in the games that reach the position.
    fn boards(&self) -> Result<BoardTables, Failure> {
        let Games::Index(index) = self.games else {
            // Rows of positions say nothing of what else happens in their games.
            return Ok(BoardTables {
                first: Vec::new(),
                layouts: Vec::new(),
            });
        };
        let there = PositionQuery::of_position(&self.position, Sameness::Exact);
        let reaching = self.filter.clone().and(there.into());
        let tables = index.boards(&reaching);
        tables.map_err(|fault| of_index(&fault))
    }

    fn rows(&self, table: &MoveTable, least: u64) -> Result<Vec<Row>, Failure> {
        let rows = table.moves.iter().filter(|row| row.results.games >= least);
        rows.map(|row| {
            Row::new(row, &self.position, self.notation, self.book).map_err(Failure::message)
        })
        .collect()
    }

    /// The tables for people.
    fn text(
        &self,
        args: &OpeningsArgs,
        table: &MoveTable,
        moves: &[Row],
    ) -> Result<String, Failure> {
        let paint = output::paint(&args.output);
        let mut text = String::new();
        if let Some(name) = self.book.name(&self.position) {
            text.push_str(&format!("{}\n", printable(name)));
        }
        let left_out = table.moves.len() - moves.len();
        if table.moves.is_empty() {
            text.push_str("no moves\n");
        } else if !moves.is_empty() {
            let mut lines = vec![heading(&["move"], true)];
            lines.extend(moves.iter().map(|row| {
                let name = row.name.as_deref().map(printable).unwrap_or_default();
                line(vec![row.played.clone()], &row.results, Some(&name))
            }));
            lines.push(line(vec!["all".to_owned()], &table.total, Some("")));
            let name = Yields {
                column: "name",
                least: Some(10),
                keeps_end: false,
                goes: Some(1),
            };
            table::fit(&mut lines, output::width(&args.output), &[name]);
            table::align(&lines, paint, &mut text);
        }
        let total = table.total.games;
        let mut summary = match total {
            1 => "1 game reaches the position".to_owned(),
            _ => format!("{total} games reach the position"),
        };
        if left_out > 0 {
            summary.push_str(&format!(
                "; {left_out} moves played in fewer than {} games are not shown",
                args.min_games
            ));
        }
        text.push_str(&paint.faint(&format!("{summary}\n")));
        let is_index = matches!(self.games, Games::Index(_));
        if total == 0 || self.position.family() == Family::Cube || !is_index {
            return Ok(text);
        }
        let BoardTables {
            first: boards,
            layouts,
        } = self.boards()?;
        if !boards.is_empty() {
            text.push_str("\nattack boards: first destinations\n");
            let mut lines = vec![heading(&["board", "from", "to"], false)];
            lines.extend(boards.iter().map(|row| {
                let row = Board::new(row);
                line(
                    vec![row.board.to_owned(), row.from, row.to],
                    &row.results,
                    None,
                )
            }));
            table::align(&lines, paint, &mut text);
        }
        let shown = if args.layouts { layouts.len() } else { LAYOUTS };
        text.push_str("\nlayouts of the attack boards\n");
        let mut lines = vec![heading(&["layout"], false)];
        lines.extend(layouts.iter().take(shown).map(|row| {
            let row = Reached::new(row);
            line(vec![row.layout], &row.results, None)
        }));
        table::align(&lines, paint, &mut text);
        if shown < layouts.len() {
            let rest = format!(
                "{shown} of {} layouts; --layouts shows all\n",
                layouts.len()
            );
            text.push_str(&paint.faint(&rest));
        }
        Ok(text)
    }
}

fn heading(what: &[&str], named: bool) -> Vec<String> {
    let counts = [
        "games", "white", "draws", "black", "score", "rating", "last", "",
    ];
    let names = what.iter().chain(&counts).chain(named.then_some(&"name"));
    names.map(|name| (*name).to_owned()).collect()
}

fn line(mut cells: Vec<String>, results: &ResultCounts, name: Option<&str>) -> Vec<String> {
    let known = |number: Option<u64>| number.map_or_else(|| "-".to_owned(), |n| n.to_string());
    cells.extend(
        [results.games, results.white, results.draws, results.black].map(|n| n.to_string()),
    );
    cells.push(
        results
            .score()
            .map_or_else(|| "-".to_owned(), |score| format!("{:.1}%", score * 100.0)),
    );
    cells.push(known(results.average_rating()));
    cells.push(known(results.last_year.map(u64::from)));
    cells.push(if results.is_small() { "small" } else { "" }.to_owned());
    cells.extend(name.map(str::to_owned));
    cells
}
