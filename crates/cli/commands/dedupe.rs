//! `dedupe`: the same game under different names, notations or spellings.

use crate::failure::{Exit, Failure};
use crate::io::emit::{self, Row};
use crate::io::{interrupt, output, run};
use crate::options::reading::Reading;
use crate::options::writing::{CsvStyle, OutputFile, TableFormat};
use crate::term::style::Paint;
use crate::term::{settings, terminal};
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{self, Write};
use tridex_archive::printable;
use tridex_replay::dedupe::{
    Choice, Collector, DuplicateGroup, DuplicateKind, Duplicates, Keep, NameSpelling, RecordBatch,
    Spellings,
};

/// Find duplicate games, even under different names, notations, languages or tags.
#[derive(Args, Debug)]
#[command(after_help = "\
Games are duplicates if they have the same start and the same moves. No source is changed;
`--output` writes the games without duplicates.

Examples:
  tridex dedupe archive/                                   list duplicates
  tridex dedupe a.pgn b.csv --format ndjson
  tridex dedupe archive/ --prefix --output clean.pgn       also drop beginnings of other games
  tridex dedupe archive/ --keep annotated --min-plies 10
  tridex dedupe archive/ --players                         spellings of players' names")]
pub(crate) struct DedupeArgs {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Also find games that are the beginning of another
    ///
    /// The longer game is kept.
    #[arg(long, help_heading = "Results")]
    pub(crate) prefix: bool,
    /// Also drop duplicates whose results conflict, such as 1-0 and 0-1
    #[arg(long, help_heading = "Results")]
    pub(crate) ignore_result: bool,
    /// Which duplicate to keep
    #[arg(long, value_enum, default_value_t = Keeping::First, value_name = "WHICH", help_heading = "Results")]
    pub(crate) keep: Keeping,
    /// Ignore games shorter than N plies
    #[arg(long, default_value_t = 1, value_name = "N", help_heading = "Results")]
    pub(crate) min_plies: u32,
    /// List spellings of the same player's name, instead of games
    ///
    /// Such as spellings with initials, without accents or in another order. `?` marks a short name that fits several
    /// players.
    #[arg(long, alias = "names", help_heading = "Results")]
    pub(crate) players: bool,
    /// Output format of the list
    ///
    /// NDJSON has one line for each group, CSV one for each duplicate. With `--output -` no list is printed.
    #[arg(long, short, value_enum, default_value_t = TableFormat::Text, value_name = "FORMAT", help_heading = "Output")]
    pub(crate) format: TableFormat,
    #[command(flatten)]
    pub(crate) output: OutputFile,
    #[command(flatten)]
    pub(crate) csv: CsvStyle,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Keeping {
    /// The first
    First,
    /// The longest; if equally long, the first
    Longest,
    /// The one with the most comments, judgements and variations
    Annotated,
}

pub(crate) fn run(args: &DedupeArgs) -> Result<Exit, Failure> {
    let options = args.reading.options();
    let choice = Choice {
        keep: match args.keep {
            Keeping::First => Keep::First,
            Keeping::Longest => Keep::Longest,
            Keeping::Annotated => Keep::Annotated,
        },
        prefix: args.prefix,
        least_plies: args.min_plies,
        ignore_result: args.ignore_result,
    };
    let style = args.csv.style();
    let texts = args.output.file.is_some();
    let aside = |fault: io::Error| Failure::message(format!("temporary file: {fault}"));
    let mut collector = Collector::new(choice, texts).map_err(aside)?;
    output::announce(&args.output);
    let exit = run::count(
        &args.reading,
        &options,
        |source, batch, seen| {
            let (part, rest) = RecordBatch::read(batch, &options, texts, |game| {
                seen.tally.count(game, &[]);
            });
            seen.stray(source, &rest, batch);
            part
        },
        |source, part| collector.add(source, &part),
    )?;
    if interrupt::interrupted() {
        // What was not read might be the same as what was.
        return Ok(exit);
    }
    let mut found = collector.finish().map_err(aside)?;
    if texts {
        output::to_file_or_stdout(&args.output, |out| {
            found.write_remaining(out)?;
            Ok(exit)
        })?;
        if args.output.path().is_none() {
            // The games are written in place of the report, but for what a user has to know.
            let conflicting = found.groups().filter(|group| !group.differs.is_empty());
            let conflicting = conflicting.count();
            if conflicting > 0 {
                terminal::complain(&format!(
                    "{conflicting} games occur more than once with different players or results; without `--output -` they are \
                     listed"
                ));
            }
            return Ok(exit);
        }
    }
    let out: &mut dyn Write = match args.format {
        TableFormat::Text => &mut terminal::drawn(),
        TableFormat::Ndjson | TableFormat::Csv => &mut terminal::stdout(),
    };
    if args.players {
        let groups = found.names().into_iter().enumerate();
        let rows = groups.map(|(i, names)| {
            Ok(NameRow {
                number: i + 1,
                names,
            })
        });
        emit::emit(args.format, style, out, rows, |rows| Ok(names(&rows)))?;
    } else {
        let groups = found.groups().map(Ok::<DuplicateGroup, _>);
        emit::emit(args.format, style, out, groups, |groups| {
            Ok(text(&found, &groups))
        })?;
    }
    out.flush()?;
    Ok(exit)
}

/// A group of spellings of players' names, with its number.
#[derive(Serialize)]
#[serde(transparent)]
struct NameRow {
    #[serde(skip)]
    number: usize,
    names: Spellings,
}

impl Row for NameRow {
    fn columns() -> Vec<&'static str> {
        Spellings::COLUMNS.to_vec()
    }

    fn cells(&self) -> Vec<Vec<String>> {
        self.names.rows(self.number).map(Vec::from).collect()
    }
}

/// The spellings of players' names that belong together, for people: a line for each group.
fn names(rows: &[NameRow]) -> String {
    let said =
        |spelling: &NameSpelling| format!("{} ({})", printable(&spelling.name), spelling.games);
    let line = |row: &NameRow| {
        let all: Vec<String> = row.names.names.iter().map(said).collect();
        all.join(if row.names.sure { " = " } else { " ? " }) + "\n"
    };
    rows.iter().map(line).collect()
}

/// The groups for people: a line for each record that is dropped or conflicts, its place first, and the counts.
fn text(found: &Duplicates, groups: &[DuplicateGroup]) -> String {
    let paint = Paint::stdout();
    let mut out = String::new();
    for group in groups {
        let keep = &group.keep;
        for other in group.others() {
            let place = format!("{}:{}:1:", printable(&other.source), other.line);
            let plies = match other.plies == keep.plies {
                true => String::new(),
                false => format!(" ({} plies)", other.plies),
            };
            let (what, end) = match group.kind {
                DuplicateKind::Same => ("duplicates", ""),
                DuplicateKind::Prefix => ("is the beginning of", ""),
                DuplicateKind::ConflictingResult => {
                    ("has the moves of", " but another result; both are kept")
                }
            };
            let _ = writeln!(
                out,
                "{} game {}{plies} {what} game {} of {} ({} plies){end}",
                paint.bold(&place),
                other.game,
                keep.game,
                printable(&keep.source),
                keep.plies
            );
            for what in &group.differs {
                let (here, there) = match *what {
                    "white" => (other.white.as_str(), keep.white.as_str()),
                    "black" => (other.black.as_str(), keep.black.as_str()),
                    _ => (other.result, keep.result),
                };
                if here != there {
                    let (here, there) = (printable(here), printable(there));
                    let _ = writeln!(
                        out,
                        "  {} {what} is {here} here, {there} there",
                        paint.warning("= but:")
                    );
                }
            }
        }
    }
    if settings::is_quiet() {
        return out;
    }
    let (same, beginnings) = (
        found.count(DuplicateKind::Same),
        found.count(DuplicateKind::Prefix),
    );
    let kept = found.games() - same - beginnings;
    let counts = [
        ("games", found.games()),
        ("compared", found.compared()),
        ("same", same),
        ("beginnings", beginnings),
        ("conflicts", found.count(DuplicateKind::ConflictingResult)),
        ("kept", kept),
    ];
    for (name, count) in counts {
        let _ = writeln!(out, "{name:<10} {count:>12}");
    }
    out
}
