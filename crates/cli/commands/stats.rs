//! `stats`: what a collection holds, counted.

use crate::failure::{Exit, Failure};
use crate::io::indices::{left_out, of_index, report_damage, with_played};
use crate::io::{emit, indices, interrupt, opening_names, output, question, run};
use crate::options::fields::{FieldArgs, Fielded};
use crate::options::reading::Reading;
use crate::options::writing::{CsvStyle, OutputFile, TableFormat};
use crate::term::style::Paint;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

mod by;
mod sift;

use by::{By, Facts};
use std::borrow::Cow;
use std::fmt::Write as _;
use tridex_archive::date::Date;
use tridex_index::{OpeningBook, SearchOptions};
use tridex_notation::{Notation, WriteOptions, write};
use tridex_replay::stats::{Count, Stats, StatsRow};
use tridex_replay::{Played, each};
use unicode_width::UnicodeWidthStr;

/// `stats` has rules under which games are read, and plans of files; invalid games match no field.
#[derive(Clone, Debug)]
pub(crate) enum OfStats {}

impl Fielded for OfStats {
    const OMITTED: &'static [&'static str] = &["rules", "plan"];
}

/// Count the games of a collection: systems, results, lengths, moves, players, openings.
#[derive(Args, Debug)]
#[command(mut_arg("paths", |paths| paths.required(false).required_unless_present("index")),
    after_help = "\
Examples:
  tridex stats archive/                                    tables
  tridex stats archive/ --format ndjson                    one JSON line for each count
  tridex stats games.pgn --top 50                          more rows
  tridex stats archive/ --by player                        games and points of each player
  tridex stats archive/ --by opening --format csv -o openings.csv
  tridex stats --index games.index --query player:kirk     games of an index that match a query
  tridex stats archive/ --query 'rules:meder after:2018'   games of files that match")]
pub(crate) struct StatsArgs {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Folder of an index to count, instead of files; repeatable
    #[arg(long, value_name = "DIR", conflicts_with_all = ["paths", "plan"], help_heading = "Input")]
    pub(crate) index: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) fields: FieldArgs<OfStats>,
    /// Count games and results of each player, opening or system
    ///
    /// For openings and systems, `won`, `lost` and `points` count for White.
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Results")]
    pub(crate) by: Option<Grouping>,
    /// Names of openings: CSV with name, moves, rule system
    ///
    /// They are added to the bundled names. The rule system may be left empty.
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub(crate) names: Option<PathBuf>,
    /// Number of rows of each table [default: 10, or all]
    ///
    /// The tables of first moves, board moves and layouts, the most frequent first; with `--by`, of players and openings
    /// (20 in text). CSV and NDJSON have all rows.
    #[arg(long, short = 'n', value_name = "N", help_heading = "Results")]
    pub(crate) top: Option<usize>,
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

/// What games are counted by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Grouping {
    /// Players, with their games and points
    Player,
    /// Names of openings, or first moves where there is no name
    Opening,
    /// Rule systems
    System,
}

/// How many of the most frequent keys people are shown unless they say otherwise.
const TOP: usize = 10;

/// Kinds that take a line for each key in the text; the others are on one line.
const LISTED: [&str; 5] = [
    "first-move",
    "first-reply",
    "board-move",
    "board-arrival",
    "layout",
];

pub(crate) fn run(args: &StatsArgs) -> Result<Exit, Failure> {
    if let Some(grouping) = args.by {
        return grouped(args, grouping);
    }
    let mut stats = Stats::default();
    let exit = counted(
        args,
        Stats::default,
        |part, game| part.add(game),
        |part| stats.join(part),
    )?;
    let rows = stats.rows(args.top.or(args.is_text().then_some(TOP)));
    let width = output::width(&args.output).unwrap_or(80);
    let text = |rows: Vec<StatsRow>| Ok(table(&rows, output::paint(&args.output), width));
    args.emit(exit, rows, text)
}

impl StatsArgs {
    fn is_text(&self) -> bool {
        self.format == TableFormat::Text
    }

    fn emit<R: emit::Row>(
        &self,
        exit: Exit,
        rows: Vec<R>,
        text: impl FnOnce(Vec<R>) -> Result<String, Failure>,
    ) -> Result<Exit, Failure> {
        emit::to_output(self.format, &self.output, |out| {
            let rows = rows.into_iter().map(Ok);
            emit::emit(self.format, self.csv.style(), out, rows, text)?;
            Ok(exit)
        })
    }
}

/// Counts games, of files or of indices, in parts that are joined.
fn counted<T: Send>(
    args: &StatsArgs,
    new: impl Fn() -> T + Sync,
    add: impl Fn(&mut T, &Played<'_>) + Sync,
    mut join: impl FnMut(&T),
) -> Result<Exit, Failure> {
    if !args.index.is_empty() {
        let mut all = new();
        let exit = of_indices(args, |played| add(&mut all, played))?;
        join(&all);
        return Ok(exit);
    }
    let options = args.reading.options();
    if !args.fields.request.is_empty() {
        let make = |game: &Played<'_>| {
            let mut part = new();
            add(&mut part, game);
            part
        };
        return sift::of_files(args, &options, make, join);
    }
    run::count(
        &args.reading,
        &options,
        |source, batch, seen| {
            let mut part = new();
            let rest = each(batch, &options, |game| {
                seen.tally.count(game, &[]);
                add(&mut part, game);
            });
            seen.stray(source, &rest, batch);
            part
        },
        |_, part| {
            join(&part);
            Ok(())
        },
    )
}

/// Hands over what was played in the games of indices that answer the question.
fn of_indices(args: &StatsArgs, mut take: impl FnMut(&Played<'_>)) -> Result<Exit, Failure> {
    interrupt::catch_interrupts();
    let index = indices::open(&args.index)?;
    let query = question::query(&args.fields.request, &index)?;
    let found = index.search(&query, &SearchOptions::default());
    let found = found.map_err(|fault| of_index(&fault))?;
    let mut exit = Exit::Good;
    for hit in &found.hits {
        if interrupt::interrupted() {
            return Ok(Exit::Failed);
        }
        match index.game(hit.id) {
            Ok(game) => with_played(&game, None, &mut take)?,
            Err(fault) => left_out(&fault, &mut exit)?,
        }
    }
    Ok(exit.max(report_damage(&index)))
}

/// Games and results, by what they are grouped by. As for the other counts only games count all of whose moves could be
/// read.
fn grouped(args: &StatsArgs, grouping: Grouping) -> Result<Exit, Failure> {
    let (book, book_exit) = opening_names::read(args.names.as_deref())?;
    let mut all = By::new(grouping);
    let exit = counted(
        args,
        || By::new(grouping),
        |part, game| {
            if game.is_whole() {
                add(part, game, &book);
            }
        },
        |part| all.join(part),
    )?;
    let rows = all.rows(args.top.or(args.is_text().then_some(by::TOP)));
    let (paint, width) = (output::paint(&args.output), output::width(&args.output));
    let text = |rows: Vec<by::Row<'_>>| Ok(by::text(&rows, grouping, paint, width));
    args.emit(exit.max(book_exit), rows, text)
}

/// Counts a game.
fn add(part: &mut By, game: &Played<'_>, book: &OpeningBook) {
    let (mut white, mut black, mut date) = (Cow::default(), Cow::default(), None);
    for (name, value) in game.game().tags() {
        if name.eq_ignore_ascii_case("White") {
            white = value;
        } else if name.eq_ignore_ascii_case("Black") {
            black = value;
        } else if name.eq_ignore_ascii_case("Date") {
            date = Date::parse(&value).ok();
        }
    }
    let facts = Facts {
        rules: game.rules(),
        result: game.result(),
        white: &white,
        black: &black,
        date,
        plies: game.moves().len() as u64,
    };
    part.add(&facts, || opening(game, book));
}

/// What the opening of a game is called.
fn opening(game: &Played<'_>, book: &OpeningBook) -> String {
    if let Some(name) = book.of_game(game.start(), game.moves()) {
        return name.to_owned();
    }
    match game.moves().first() {
        _ if game.is_set_up() => "no name: from a set-up position".to_owned(),
        None => "no name: no moves".to_owned(),
        Some(first) => {
            let (mut text, options) = ("no name: ".to_owned(), WriteOptions::default());
            // The notation is of the system's family, so this cannot fail.
            let _ = write(
                Notation::of(game.rules()),
                game.start(),
                *first,
                &options,
                &mut text,
            );
            text
        }
    }
}

/// The counts for people.
fn table(rows: &[StatsRow], paint: Paint, text_width: usize) -> String {
    let mut text = String::new();
    for system in rows.chunk_by(|a, b| a.rules == b.rules) {
        if !text.is_empty() {
            text.push('\n');
        }
        for kind in system.chunk_by(|a, b| a.kind == b.kind) {
            let Some(first) = kind.first() else {
                continue;
            };
            match first.kind {
                "games" => {
                    let games = if first.count == Count::Whole(1) {
                        "game"
                    } else {
                        "games"
                    };
                    let heading = format!("{}: {} {games}", first.rules, first.count);
                    let _ = writeln!(text, "{}", paint.bold(&heading));
                }
                "length" => histogram(kind, paint, &mut text),
                listed if LISTED.contains(&listed) => list(kind, paint, &mut text),
                _ => {
                    let counts = kind.iter().filter(|row| row.count != Count::Whole(0));
                    let counts: Vec<String> = counts.map(worded).collect();
                    wrapped(first.kind, &counts, text_width, &mut text);
                }
            }
        }
    }
    text
}

/// Counts on one line, or on several where there is no room.
fn wrapped(kind: &str, counts: &[String], width: usize, text: &mut String) {
    const INDENT: usize = 18;
    let mut line = format!("  {kind:<16}");
    for (i, count) in counts.iter().enumerate() {
        let comma = if i + 1 < counts.len() { "," } else { "" };
        if line.width() > INDENT && line.width() + 1 + count.width() + comma.len() > width {
            let _ = writeln!(text, "{line}");
            line = " ".repeat(INDENT);
        } else if line.width() > INDENT {
            line.push(' ');
        }
        line.push_str(count);
        line.push_str(comma);
    }
    let _ = writeln!(text, "{line}");
}

fn worded(row: &StatsRow) -> String {
    if row.key == "all" {
        row.count.to_string()
    } else {
        format!("{} {}", row.key, row.count)
    }
}

/// One line for each key.
fn list(rows: &[StatsRow], paint: Paint, text: &mut String) {
    let width = rows.iter().map(|row| row.key.width()).max().unwrap_or(0);
    let mut name = rows.first().map_or("", |row| row.kind);
    for row in rows {
        let gap = " ".repeat(width - row.key.width());
        let _ = writeln!(
            text,
            "  {}{}{gap} {:>9}",
            paint.faint(&format!("{name:<16}")),
            row.key,
            row.count.to_string()
        );
        name = "";
    }
}

/// Lengths in ten classes or so.
fn histogram(rows: &[StatsRow], paint: Paint, text: &mut String) {
    let lengths: Vec<(u64, u64)> = rows
        .iter()
        .filter_map(|row| match row.count {
            Count::Whole(count) => Some((row.key.parse().ok()?, count)),
            Count::Mean(_) => None,
        })
        .collect();
    let longest = lengths.iter().map(|(plies, _)| *plies).max().unwrap_or(0);
    // 5, 10, 20, 50, 100 and so on: the least that gives no more than twelve classes.
    let steps = [5_u64, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
    let step = steps.into_iter().find(|step| longest / step < 12);
    let step = step.unwrap_or(longest / 12 + 1);
    let mut classes = vec![0_u64; usize::try_from(longest / step + 1).unwrap_or(1)];
    for (plies, count) in &lengths {
        let class = usize::try_from(plies / step).ok();
        if let Some(class) = class.and_then(|class| classes.get_mut(class)) {
            *class += count;
        }
    }
    let most = classes.iter().copied().max().unwrap_or(1).max(1);
    let mut name = "length";
    let mut from = 0;
    let least = classes.iter().position(|count| *count > 0).unwrap_or(0);
    for (class, count) in classes.iter().enumerate() {
        if class >= least {
            let range = format!("{from}-{}", from + step - 1);
            let bar = "#".repeat((count * 40).div_ceil(most) as usize);
            let line = format!("  {name:<16}{range:<11}{count:>9} {}", paint.faint(&bar));
            let _ = writeln!(text, "{}", line.trim_end());
            name = "";
        }
        from += step;
    }
}
