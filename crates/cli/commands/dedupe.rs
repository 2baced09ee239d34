//! `dedupe`: finds the same game under different names, notations or spellings.

use crate::failure::{Failure, worded};
use crate::ineffective::Ineffective;
use crate::io::run;
use crate::options::reading::Reading;
use crate::options::values::{Format, one_of};
use crate::options::writing::Results;
use crate::session::Session;
use crate::term::counts::counted;
use crate::term::terminal;
use clap::Args;
use std::fmt::Write as _;
use std::io;
use tridex_replay::dedupe::{
    Choice, Collector, DuplicateGroup, DuplicateKind, Duplicates, Keep, NameSpelling, Spellings,
};
use tridex_replay::finding::Severity;
use tridex_text::printable;

/// Find duplicate games, even under different names, notations, languages or tags.
#[derive(Args, Debug)]
#[command(mut_arg("format", |arg| arg.default_value("text").help("Output format of the list").long_help("\
Output format of the list

NDJSON has one line for each group, CSV one for each duplicate. With `--output -` no list is printed.")),
    after_help = "\
Games are duplicates if they have the same rules, the same start and the same moves. Games under
different rules are different games: they are listed and kept. No source is changed; `--output`
writes the games without duplicates.

Examples:
  tridex dedupe archive/                                   list duplicates
  tridex dedupe a.pgn b.csv --format ndjson
  tridex dedupe archive/ --prefix --output clean.pgn       also drop beginnings of other games
  tridex dedupe archive/ --keep annotated --min-plies 10
  tridex dedupe archive/ --near 3                          also list records of one game with slips
  tridex dedupe archive/ --merge --output clean.pgn        keep the comments of all duplicates
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
    /// Also list games that differ in up to N plies
    ///
    /// It also lists games where one ends early at a slip. Such games are probably records of one game by two players, so
    /// both are written. `tridex reconcile` restores the game.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=20), help_heading = "Results")]
    pub(crate) near: Option<u32>,
    /// Merge tags, comments and times of duplicates into the game kept
    ///
    /// A value or comment that differs is kept in a comment that names its record: A is the game kept, B the first
    /// duplicate. Without this option, duplicates are dropped with their annotations.
    #[arg(long, help_heading = "Results")]
    pub(crate) merge: bool,
    /// Which duplicate to keep
    #[arg(long, value_parser = one_of(KEEP), default_value = "first", value_name = "WHICH", help_heading = "Results")]
    pub(crate) keep: Keep,
    /// Ignore games shorter than N plies
    #[arg(long, default_value_t = 1, value_name = "N", help_heading = "Results")]
    pub(crate) min_plies: u32,
    /// List spellings of the same player's name, instead of games
    ///
    /// Such as spellings with initials, without accents or in another order. `?` marks a short name that fits several
    /// players.
    #[arg(long, alias = "names", help_heading = "Results")]
    pub(crate) players: bool,
    #[command(flatten)]
    pub(crate) results: Results,
}

/// Which duplicate to keep.
const KEEP: &[(&str, Keep, &str)] = &[
    ("first", Keep::First, "The first"),
    (
        "longest",
        Keep::Longest,
        "The longest; if equally long, the first",
    ),
    (
        "annotated",
        Keep::Annotated,
        "The one with the most comments, judgements and variations",
    ),
];

pub(crate) fn run(args: &DedupeArgs, session: &Session) -> Result<(), Failure> {
    let (output, format) = (&args.results.output, args.results.list_format());
    // Games on standard output replace the report.
    let reports = output.file.is_none() || output.path().is_some();
    args.results
        .check_csv(session, format == Format::Csv && reports)?;
    output.check(session)?;
    output.check_ending(&["pgn", "txt"])?;
    Ineffective {
        options: &["format", "players"],
        where_: "if games are written to standard output",
        instead: "write them to a file: --output FILE",
    }
    .unless(reports, session)?;
    Ineffective {
        options: &["prefix", "keep", "min-plies"],
        where_: "on a list of names",
        instead: "omit it, or write the games: --output FILE",
    }
    .unless(!args.players || output.file.is_some(), session)?;
    Ineffective {
        options: &["merge"],
        where_: "on a list",
        instead: "write the games: --output FILE",
    }
    .unless(output.file.is_some(), session)?;
    Ineffective {
        options: &["near"],
        where_: "without a list of games",
        instead: "omit --players and --output -",
    }
    .unless(reports && !args.players, session)?;
    let choice = Choice {
        keep: args.keep,
        prefix: args.prefix,
        least_plies: args.min_plies,
        ignore_result: args.ignore_result,
        near: args.near,
        merge: args.merge,
    };
    let texts = output.file.is_some();
    let aside = |fault: io::Error| Failure::message(format!("temporary file: {}", worded(&fault)));
    let mut collector = Collector::new(choice, texts).map_err(aside)?;
    output.announce(session);
    run::collect(session, &args.reading, &mut collector)?;
    if session.is_cancelled() {
        // Games that were not read might be duplicates of those that were.
        return Ok(());
    }
    let mut found = collector.finish().map_err(aside)?;
    if texts {
        output.write(session, Format::Pgn, |out| Ok(found.write_remaining(out)?))?;
    }
    if !reports {
        // Users have to know about conflicts even without a report.
        let groups = found.groups();
        let conflicting = groups.filter(|group| !group.differs.is_empty()).count();
        if conflicting > 0 {
            session.complain(&format!(
                "{conflicting} games occur more than once with different players, results or rules; without `--output -` they are \
                 listed"
            ));
        }
        return Ok(());
    }
    terminal::print(format == Format::Text, |out| {
        if args.players {
            let groups = found.names().into_iter().map(Ok);
            let text = |groups: Vec<_>| match groups.is_empty() {
                true => "0 players with more than one spelling\n".to_owned(),
                false => groups.iter().map(spellings).collect(),
            };
            args.results.emit(format, out, groups, text)
        } else {
            let groups = found.groups().map(Ok);
            let text = |groups: Vec<_>| text(&found, &groups, session);
            args.results.emit(format, out, groups, text)
        }
    })
}

/// Formats the spellings of one name for people.
fn spellings(group: &Spellings) -> String {
    let said =
        |spelling: &NameSpelling| format!("{} ({})", printable(&spelling.name), spelling.games);
    let all: Vec<String> = group.names.iter().map(said).collect();
    all.join(if group.sure { " = " } else { " ? " }) + "\n"
}

/// Formats the groups for people: a line for each record that is dropped or conflicts, beginning with its place, and
/// then the counts.
fn text(found: &Duplicates, groups: &[DuplicateGroup], session: &Session) -> String {
    let paint = session.stdout_paint();
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
                DuplicateKind::OtherRules => {
                    ("has the moves of", " but other rules; both are kept")
                }
                DuplicateKind::Near => ("is nearly", "; both are kept"),
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
            if group.kind == DuplicateKind::Near {
                let _ = writeln!(
                    out,
                    "  {} tridex reconcile restores the game from both records",
                    paint.severe(Severity::Info, "= help:")
                );
            }
            for what in &group.differs {
                let (here, there) = match *what {
                    "white" => (other.white.as_str(), keep.white.as_str()),
                    "black" => (other.black.as_str(), keep.black.as_str()),
                    "rules" => (other.rules, keep.rules),
                    _ => (other.result, keep.result),
                };
                if here != there {
                    let (here, there) = (printable(here), printable(there));
                    let _ = writeln!(
                        out,
                        "  {} {what} is {here} here, {there} there",
                        paint.severe(Severity::Warning, "= but:")
                    );
                }
            }
        }
    }
    if session.is_quiet() {
        return out;
    }
    let same = found.count(DuplicateKind::Same);
    let beginnings = found.count(DuplicateKind::Prefix);
    let near = found.count(DuplicateKind::Near);
    let near = (near > 0).then_some(("near", near));
    let mut all = vec![
        ("games", found.games()),
        ("compared", found.compared()),
        ("same", same),
        ("beginnings", beginnings),
        ("conflicts", found.count(DuplicateKind::ConflictingResult)),
        ("rules", found.count(DuplicateKind::OtherRules)),
        ("kept", found.games() - same - beginnings),
    ];
    all.extend(near);
    out + &counted(&all)
}
