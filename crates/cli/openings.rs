//! `openings`: the moves played from a position, and what came of them.

use crate::args::{OpeningsArgs, Side, TableFormat, agree};
use crate::export::of_export;
use crate::failure::{Exit, Failure};
use crate::index::{of_index, tell_damage};
use crate::output;
use crate::search::{self, question};
use crate::table::{self, Yields};
use crate::{book, input};
use serde::Serialize;
use std::io::{self, Write};
use std::mem::ManuallyDrop;
use tridex_archive::write::Table;
use tridex_archive::{json, printable};
use tridex_export::Tables;
use tridex_geometry::Family;
use tridex_index::{
    BoardTables, Came, FirstBoardRow as Board, GameIndex, MoveTable, OpeningBook,
    OpeningRow as Row, PositionQuery, Query, ReachedRow as Reached, Sameness,
};
use tridex_notation::Notation;
use tridex_rules::Position;

/// How many layouts people are shown unless they ask for them.
const LAYOUTS: usize = 10;

/// `said` is the side that `--color` names, if it does.
pub(crate) fn run(args: &OpeningsArgs, said: Option<Side>) -> Result<Exit, Failure> {
    if said.is_some() && !args.fields.request.has("player") {
        return Err(Failure::message(
            "--color white or black goes with --player",
        ));
    }
    let notation = args.notation.unwrap_or(input::own_notation(args.rules));
    agree(Some(args.rules), args.notation)?;
    let style = args.csv.style();
    let (book, exit) = book::read(args.names.as_deref())?;
    let games = match &args.parquet {
        Some(folder) => Games::Parquet(Tables::open(folder).map_err(of_export)?),
        None => Games::Index(search::open(&args.index)?),
    };
    let position = match (&args.moves, &args.fen) {
        (Some(moves), _) => question::position_after(args.rules, moves)?,
        (None, Some(fen)) => question::set_up_under(args.rules, fen)?,
        (None, None) => Position::start(args.rules),
    };
    let mut request = question::of(&args.words, &args.fields, &args.saved)?;
    if let Some(side) = said.filter(|_| !request.has("side")) {
        request.set("side", side.name()).map_err(Failure::message)?;
    }
    let filter = match &games {
        Games::Index(index) => question::query(&request, index)?,
        Games::Parquet(_) => Query::All,
    };
    let asked = Asked {
        games: &games,
        book: &book,
        notation,
        position,
        filter,
    };
    let table = asked.moves()?;
    let moves = asked.rows(&table, args.min_games)?;
    let write = |out: &mut dyn Write| {
        match args.format {
            TableFormat::Text => out.write_all(asked.text(args, &table, &moves)?.as_bytes())?,
            TableFormat::Ndjson => {
                moves.iter().try_for_each(|row| write_json(row, out))?;
                if args.boards || args.layouts {
                    let BoardTables { first, layouts } = asked.boards()?;
                    let mut first = first.iter().filter(|_| args.boards);
                    first.try_for_each(|row| write_json(&Board::new(row), out))?;
                    let mut layouts = layouts.iter().filter(|_| args.layouts);
                    layouts.try_for_each(|row| write_json(&Reached::new(row), out))?;
                }
            }
            TableFormat::Csv => {
                let mut table = Table::headed(out, style, Row::COLUMNS)?;
                for row in &moves {
                    table.row(row.cells())?;
                }
                table.finish()?;
            }
        }
        Ok(exit)
    };
    let exit = match args.format {
        TableFormat::Text => output::to_file_or_drawn(&args.output, write),
        _ => output::to_file_or_stdout(&args.output, write),
    }?;
    Ok(match &games {
        Games::Index(index) => exit.max(tell_damage(index)),
        Games::Parquet(_) => exit,
    })
}

/// Where the games are.
enum Games {
    Index(ManuallyDrop<GameIndex>),
    Parquet(Tables),
}

fn write_json(row: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    json::to_writer(out, row)?;
    out.write_all(b"\n")
}

/// A position, asked about.
struct Asked<'a> {
    games: &'a Games,
    book: &'a OpeningBook,
    notation: Notation,
    position: Position,
    /// Which games count.
    filter: Query,
}

impl Asked<'_> {
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
        let rows = table.moves.iter().filter(|row| row.score.games >= least);
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
                line(vec![row.played.clone()], &row.came, Some(&name))
            }));
            lines.push(line(
                vec!["all".to_owned()],
                &Came::new(&table.total),
                Some(""),
            ));
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
        let mut told = match total {
            1 => "1 game reaches the position".to_owned(),
            _ => format!("{total} games reach the position"),
        };
        if left_out > 0 {
            told.push_str(&format!(
                "; {left_out} moves played in fewer than {} games are left out",
                args.min_games
            ));
        }
        text.push_str(&paint.faint(&format!("{told}\n")));
        let is_index = matches!(self.games, Games::Index(_));
        if total == 0 || self.position.family() == Family::Cube || !is_index {
            return Ok(text);
        }
        let BoardTables {
            first: boards,
            layouts,
        } = self.boards()?;
        if !boards.is_empty() {
            text.push_str("\nattack boards, where they go first\n");
            let mut lines = vec![heading(&["board", "from", "to"], false)];
            lines.extend(boards.iter().map(|row| {
                let row = Board::new(row);
                line(
                    vec![row.board.to_owned(), row.from, row.to],
                    &row.came,
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
            line(vec![row.layout], &row.came, None)
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

fn line(mut cells: Vec<String>, came: &Came, name: Option<&str>) -> Vec<String> {
    let known = |number: Option<u64>| number.map_or_else(|| "-".to_owned(), |n| n.to_string());
    cells.extend([came.games, came.white, came.draws, came.black].map(|n| n.to_string()));
    cells.push(
        came.score
            .map_or_else(|| "-".to_owned(), |score| format!("{:.1}%", score * 100.0)),
    );
    cells.push(known(came.average));
    cells.push(known(came.last_year.map(u64::from)));
    cells.push(if came.small { "small" } else { "" }.to_owned());
    cells.extend(name.map(str::to_owned));
    cells
}
