//! `stats`: counts the games of a collection.

use crate::failure::Failure;
use crate::ineffective::Ineffective;
use crate::io::indices::{self, report_damage, undamaged};
use crate::io::run;
use crate::options::fields::FieldArgs;
use crate::options::reading::Reading;
use crate::options::values::{Format, TABLES, one_of};
use crate::options::writing::Results;
use crate::session::Session;
use crate::term::terminal::Paint;
use clap::Args;
use std::path::PathBuf;

mod tables;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use tridex_core::{CrossTables, GroupBy, Grouping, Groups};
use tridex_index::{Filter, IndexError, IndexedGame, Preparer};
use tridex_notation::Notation;
use tridex_replay::stats::{Count, RANKED, Stats, StatsRow};
use tridex_replay::{Options, Played, Replayer};
use unicode_width::UnicodeWidthStr;

/// Count the games of a collection: systems, results, lengths, moves, players, openings.
#[derive(Args, Debug)]
#[command(mut_arg("paths", |paths| paths.required(false).required_unless_present("index")),
    mut_arg("query", |query| query.hide_short_help(false)),
    after_help = "\
Examples:
  tridex stats archive/                                    tables
  tridex stats archive/ --format ndjson                    one JSON line for each count
  tridex stats games.pgn --top 50                          more rows
  tridex stats archive/ --by player                        games and points of each player
  tridex stats archive/ --by opening --format csv -o openings.csv
  tridex stats archive/ --by pair --query player:kirk      each opponent of a player, with results
  tridex stats event.pgn --crosstable                      cross table of a tournament
  tridex stats --index games.index --query player:kirk     games of an index that match a query
  tridex stats archive/ --query 'rules:meder after:2018'   games of files that match")]
pub(crate) struct StatsArgs {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Folder of an index to count, instead of files; repeatable
    #[arg(long, value_name = "DIR", conflicts_with_all = ["paths", "plan"], help_heading = "Input")]
    pub(crate) index: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) fields: FieldArgs,
    /// Count games and results of each player, year, event and so on
    ///
    /// `won`, `lost` and `points` count for the player, for `pair` for the first of the two, otherwise for White. Years and
    /// months are in the order of time, the rest by the number of games.
    #[arg(long, value_parser = one_of(GROUPINGS), value_name = "WHAT", conflicts_with = "crosstable", help_heading = "Results")]
    pub(crate) by: Option<Grouping>,
    /// Cross table of each event, with ratings, Sonneborn-Berger and Buchholz scores
    ///
    /// A bye counts for the points only; its opponent is called `bye`, `spielfrei`, `freilos` or `exempt`. A game without
    /// moves counts like any other and is marked `+`, `=` or `-`. A game without a result is marked `*` and does not count.
    /// The tie-breaks take the points of an opponent in the whole table. Games whose moves cannot be read count too.
    #[arg(long, help_heading = "Results")]
    pub(crate) crosstable: bool,
    /// Separate rows or tables for each rule system
    #[arg(long, help_heading = "Results")]
    pub(crate) per_system: bool,
    /// Names of openings: CSV with name, moves, rule system
    ///
    /// They are added to the bundled names. The rule system may be left empty.
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub(crate) names: Option<PathBuf>,
    /// Number of rows of each table [default: 10, or all]
    ///
    /// The tables of first moves, board moves and layouts, the most frequent first; with `--by`, those with the most games
    /// (20 in text, but all years and months). CSV and NDJSON have all rows.
    #[arg(long, short = 'n', value_name = "N", help_heading = "Results")]
    pub(crate) top: Option<usize>,
    #[command(flatten)]
    pub(crate) results: Results,
}

/// What games are counted by.
const GROUPINGS: &[(&str, Grouping, &str)] = &[
    (
        "player",
        Grouping::Player,
        "Players, with their games and points",
    ),
    (
        "opening",
        Grouping::Opening,
        "Names of openings, or first moves where there is no name",
    ),
    ("system", Grouping::System, "Rule systems"),
    ("year", Grouping::Year, "Years"),
    ("month", Grouping::Month, "Months of a year"),
    ("event", Grouping::Event, "Events"),
    ("site", Grouping::Site, "Sites"),
    (
        "pair",
        Grouping::Pair,
        "Pairs of players, with the points of the first",
    ),
];

/// How many rows a table of the most frequent keys has in text without `--top`.
const TOP: usize = 10;

/// Returns the table, or `0 games` if it has no rows. If nothing could be read, that has already been reported.
fn or_no_games(session: &Session, table: String) -> String {
    match table.is_empty() && !session.lacks_input() {
        true => "0 games\n".to_owned(),
        false => table,
    }
}

pub(crate) fn run(args: &StatsArgs, session: &Session) -> Result<(), Failure> {
    let format = args.results.format(TABLES)?;
    let has_names = args.by == Some(Grouping::Opening)
        || !args.fields.request.is_empty() && args.index.is_empty();
    args.results.check(session, format)?;
    args.reading.check(
        session,
        Ineffective {
            options: &[],
            where_: "on games of an index, which stores moves, not their text",
            instead: "omit it, or name files",
        },
        Ineffective {
            options: &[],
            where_: "on games of an index",
            instead: "search them with --query rules:SYSTEM",
        },
    )?;
    Ineffective {
        options: &["names"],
        where_: "without names of openings in the output",
        instead: "add --by opening",
    }
    .unless(has_names, session)?;
    Ineffective {
        options: &["top"],
        where_: "on cross tables, which have all players",
        instead: "omit it",
    }
    .unless(!args.crosstable, session)?;
    Ineffective {
        options: &["per-system"],
        where_: "without --by or --crosstable: all other counts are separate for each system",
        instead: "omit it",
    }
    .unless(args.by.is_some() || args.crosstable, session)?;
    let top = |shown| args.top.or((format == Format::Text).then_some(shown));
    let output = &args.results.output;
    let (paint, width) = (output.paint(session), output.width());
    if let Some(grouping) = args.by {
        let book = indices::opening_names(session, args.names.as_deref())?;
        let by = GroupBy {
            grouping,
            per_system: args.per_system,
            book: &book,
        };
        let mut all = Groups::default();
        let add = |part: &mut Groups, game: &Played<'_>| part.add(&by, game);
        counted(args, session, add, |part| all.join(part))?;
        let shown = if grouping.is_of_time() {
            usize::MAX
        } else {
            tables::TOP
        };
        let rows = all.rows(&by, top(shown)).into_iter().map(Ok);
        let text =
            |rows: Vec<_>| or_no_games(session, tables::groups(&rows, grouping, paint, width));
        return output.write(session, format, |out| {
            args.results.emit(format, out, rows, text)
        });
    }
    if args.crosstable {
        let mut all = CrossTables::default();
        let add = |part: &mut CrossTables, game: &Played<'_>| part.add(args.per_system, game);
        counted(args, session, add, |part| all.join(part))?;
        let rows = all.standings().into_iter().map(Ok);
        let text = |rows: Vec<_>| or_no_games(session, tables::crosstables(&rows, paint, width));
        return output.write(session, format, |out| {
            args.results.emit(format, out, rows, text)
        });
    }
    let mut stats = Stats::default();
    counted(args, session, Stats::add, |part| stats.join(part))?;
    let rows = stats.rows(top(TOP)).into_iter().map(Ok);
    let text = |rows: Vec<_>| or_no_games(session, table(&rows, paint, width.unwrap_or(80)));
    output.write(session, format, |out| {
        args.results.emit(format, out, rows, text)
    })
}

/// Counts games of files or indices, part by part, and joins the parts.
fn counted<T: Default + Send>(
    args: &StatsArgs,
    session: &Session,
    add: impl Fn(&mut T, &Played<'_>) + Sync,
    mut join: impl FnMut(&T),
) -> Result<(), Failure> {
    if !args.index.is_empty() {
        return of_indices(args, session, add, join);
    }
    if !args.fields.request.is_empty() {
        let make = |game: &Played<'_>| {
            let mut part = T::default();
            add(&mut part, game);
            part
        };
        return of_matching(args, session, make, join);
    }
    run::count_games(session, &args.reading, add, |part| join(&part))
}

/// Calls `make` for each game of files that matches the query, and passes the results to `take`. Invalid games match no
/// query; they are skipped and reported.
fn of_matching<T: Send>(
    args: &StatsArgs,
    session: &Session,
    make: impl Fn(&Played<'_>) -> T + Sync,
    mut take: impl FnMut(&T),
) -> Result<(), Failure> {
    let options = args.reading.options();
    let filter = Filter::new(&args.fields.request.query_without_index()?)?;
    let book = indices::opening_names(session, args.names.as_deref())?;
    let preparer = Preparer::without_index(Some(Arc::new(book)));
    run::games(
        session,
        &args.reading,
        |source, batch, seen| {
            seen.entries(source, batch, &options, |entry, played| {
                let prepared = preparer.prepare(entry).map_err(|fault| fault.to_string())?;
                Ok(filter.matches(&prepared, source).then(|| make(played)))
            })
        },
        |_, games| {
            games.iter().flatten().for_each(&mut take);
            Ok(())
        },
    )?;
    Ok(())
}

/// Replays the games of indices that match the query. `add` counts them in parts, which are passed to `join`.
fn of_indices<T: Default + Send>(
    args: &StatsArgs,
    session: &Session,
    add: impl Fn(&mut T, &Played<'_>) + Sync,
    mut join: impl FnMut(&T),
) -> Result<(), Failure> {
    session.catch_interrupts();
    let index = indices::open(&args.index)?.stopped_by(session.cancel());
    let query = args.fields.request.query(&index)?;
    let mut unread = Vec::new();
    let counted = index.read_games(
        &query,
        |games| {
            let (mut part, mut unread) = (T::default(), Vec::new());
            let mut replayer = Replayer::new(&Options::default());
            for game in games {
                match game {
                    Ok(game) => with_game(&mut replayer, &game, |played| add(&mut part, played)),
                    Err(fault) => unread.push(fault),
                }
            }
            (part, unread)
        },
        |(part, faults)| {
            join(&part);
            unread.extend(faults);
        },
    );
    match counted {
        Err(IndexError::Stopped) => return Ok(()),
        counted => counted?,
    }
    for fault in unread {
        undamaged::<()>(session, Err(fault))?;
    }
    report_damage(session, &index);
    Ok(())
}

/// Replays a game of an index. Its moves are legal, so they need not be written and read again unless the record has
/// variations or notes, which a replay examines too.
fn with_game(replayer: &mut Replayer, game: &IndexedGame, take: impl FnOnce(&Played<'_>)) {
    let notation = Notation::of(game.entry.rules);
    if game.entry.notes.is_empty() && game.entry.variations.is_empty() {
        replayer.replay_moves(&game.heading(notation), &game.entry.moves, take);
    } else if let Ok(record) = game.record(notation, None) {
        // The notation is of the system's family, so this does not fail.
        replayer.replay(&record, take);
    }
}

/// Formats the counts for people.
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
                // These have a line for each key; the others have one line in all.
                ranked if RANKED.contains(&ranked) => list(kind, paint, &mut text),
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

/// Draws the lengths as a histogram with at most twelve classes.
fn histogram(rows: &[StatsRow], paint: Paint, text: &mut String) {
    let lengths = rows.iter().filter_map(|row| match row.count {
        Count::Whole(count) => Some((row.key.parse().ok()?, count)),
        Count::Mean(_) => None,
    });
    let lengths: Vec<(u64, u64)> = lengths.collect();
    let longest = lengths.iter().map(|(plies, _)| *plies).max().unwrap_or(0);
    // The smallest of these steps that gives no more than twelve classes.
    let steps = [5_u64, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
    let step = steps.into_iter().find(|step| longest / step < 12);
    let step = step.unwrap_or(longest / 12 + 1);
    let mut classes = BTreeMap::<u64, u64>::new();
    for (plies, count) in lengths {
        *classes.entry(plies / step).or_default() += count;
    }
    classes.retain(|_, count| *count > 0);
    let most = classes.values().copied().max().unwrap_or(1);
    let mut name = "length";
    let least = classes.keys().next().copied().unwrap_or(0);
    for class in least..=longest / step {
        let count = classes.get(&class).copied().unwrap_or(0);
        let range = format!("{}-{}", class * step, (class + 1) * step - 1);
        let bar = "#".repeat((count * 40).div_ceil(most) as usize);
        let line = format!("  {name:<16}{range:<11}{count:>9} {}", paint.faint(&bar));
        let _ = writeln!(text, "{}", line.trim_end());
        name = "";
    }
}
