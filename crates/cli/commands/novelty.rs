//! `novelty`: the ply at which each game leaves a collection.

use crate::failure::Failure;
use crate::io::indices::{self, report_damage};
use crate::io::run;
use crate::options::reading::Reading;
use crate::options::values::{Format, NOTATION, TABLES, agree};
use crate::options::writing::Results;
use crate::session::Session;
use crate::term::table::{self, column};
use crate::term::terminal::Paint;
use clap::Args;
use std::path::PathBuf;
use tridex_archive::write::TableRow;
use tridex_core::{Novelty, NoveltyFinder};
use tridex_notation::Notation;

/// Show where games leave a collection, and which games had gone that way.
#[derive(Args, Debug)]
#[command(after_help = "\
A game leaves the collection at the first ply after which no other game has the position, by any order of moves. `games` \
counts the other games that reach the position before this ply, and `last` is the newest of them. The game itself does not \
count if the index has it: a game with the same moves, start, players and date.

Examples:
  tridex novelty evening.pgn --index games.index
  tridex novelty evening.pgn --index games.index --earlier      compare only with older games
  tridex novelty evening.pgn --index games.index --format csv -o novelties.csv")]
pub(crate) struct NoveltyArgs {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Folder of an index; repeatable [env: TRIDEX_INDEX]
    ///
    /// Several indices count as one. TRIDEX_INDEX may name several, separated like the folders of PATH.
    #[arg(long, value_name = "DIR", help_heading = "Input")]
    pub(crate) index: Vec<PathBuf>,
    /// Compare only with games of an earlier date
    ///
    /// A game without a year is compared with all games.
    #[arg(long, help_heading = "Results")]
    pub(crate) earlier: bool,
    /// Notation to write [default: that of the rule system]
    #[arg(long, value_parser = NOTATION, value_name = "NOTATION", help_heading = "Output")]
    pub(crate) to: Option<Notation>,
    #[command(flatten)]
    pub(crate) results: Results,
}

pub(crate) fn run(args: &NoveltyArgs, session: &Session) -> Result<(), Failure> {
    let format = args.results.format(TABLES)?;
    args.results.check(session, format)?;
    agree(args.reading.only(), args.reading.from)?;
    agree(args.reading.only(), args.to)?;
    session.catch_interrupts();
    let index = indices::open(&args.index)?.stopped_by(session.cancel());
    let finder = NoveltyFinder {
        index: &index,
        earlier: args.earlier,
        notation: args.to,
    };
    let options = args.reading.options();
    let output = &args.results.output;
    output.write(session, format, |out| {
        let mut shown = Vec::new();
        let rows = args.results.rows(format);
        let is_text = format == Format::Text;
        if !is_text {
            out.write_all(&rows.heading(Novelty::COLUMNS)?)?;
        }
        run::games(
            session,
            &args.reading,
            |source, batch, seen| {
                seen.entries(source, batch, &options, |entry, _| {
                    let found = finder.find(source, entry);
                    found.map_err(|fault| fault.to_string())
                })
            },
            |_, found| {
                match is_text {
                    true => shown.extend(found),
                    false => {
                        for novelty in &found {
                            out.write_all(&rows.row(novelty))?;
                        }
                    }
                }
                Ok(())
            },
        )?;
        if is_text && !(shown.is_empty() && session.lacks_input()) {
            let paint = output.paint(session);
            let mut text = String::new();
            draw(&shown, output.width(), paint, &mut text);
            out.write_all(text.as_bytes())?;
        }
        Ok(())
    })?;
    report_damage(session, &index);
    Ok(())
}

/// Formats the novelties for people.
fn draw(rows: &[Novelty], width: Option<usize>, paint: Paint, text: &mut String) {
    if rows.is_empty() {
        text.push_str("0 games\n");
        return;
    }
    let column = |heading, cell: fn(&Novelty) -> String| column(heading, rows, cell);
    let or_dash = |text: Option<&String>| text.map_or_else(|| "-".to_owned(), String::clone);
    let usual = |row: &Novelty| match &row.usual {
        Some(usual) => format!("{usual} ({})", row.usual_games),
        None => "-".to_owned(),
    };
    let last = |row: &Novelty| match &row.last {
        Some(last) => format!("{} {}", last.date, last.title()),
        None => "-".to_owned(),
    };
    let columns = vec![
        column("game", |row| format!("{}:{}", row.source, row.game)).cut_before(12),
        column("players", |row| format!("{} – {}", row.white, row.black))
            .cut(12)
            .goes(1),
        column("ply", |row| {
            row.ply
                .map_or_else(|| "none".to_owned(), |ply| ply.to_string())
        }),
        table::column("move", rows, |row| or_dash(row.played.as_ref())),
        column("games", |row| row.games.to_string()),
        table::column("usual move", rows, usual).goes(2),
        table::column("last", rows, last).cut(12),
    ];
    table::draw(columns, width, paint, text);
}
