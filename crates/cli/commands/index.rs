//! `index`: games put into an index.

use crate::failure::{Exit, Failure};
use crate::io::indices::{of_index, report_damage};
use crate::io::interrupt::STOP;
use crate::io::{interrupt, opening_names, output, pieces, sources};
use crate::options::reading::Reading;
use crate::options::writing::SummaryFormat;
use crate::term::counts::Tally;
use crate::term::progress::{Progress, counter};
use crate::term::style::Paint;
use crate::term::{settings, terminal};
use clap::Args;

mod intake;

use intake::{Answer, Whereabouts, work};
use serde::Serialize;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Instant;
use tridex_archive::source::Notes;
use tridex_archive::{pipeline, printable};
use tridex_index::{GameIndex, IndexError, IndexOptions, Verification, Writer};

/// The name of standard input without `--name`.
pub(crate) const STANDARD_INPUT: &str = "-";

/// Add games to an index, for `search`, `openings` and `serve`.
///
/// Games already in the index are not duplicated.
#[derive(Args, Debug)]
#[command(mut_arg("paths", |paths| paths
        .required(false)
        .required_unless_present_any(["prune", "merge", "rename", "verify", "plan"])),
    mut_arg("plan", |plan| plan.conflicts_with_all(["prune", "name"])),
    after_help = "\
An index identifies a game by the name of its file, as given, and its number in the file. Unchanged files are skipped, changed games \
are replaced, and games no longer in their file are removed. Standard input counts as one file, named `-`, or as given with `--name`. \
Invalid games are skipped and reported on standard error. To resume an interrupted run, repeat it.

Examples:
  tridex index archive/ --index games.index                build an index, or update it
  tridex index archive/ --index games.index --prune        also remove the games of deleted files
  tridex index new.pgn --index games.index --format ndjson one JSON line at the end
  tridex index --index games.index --verify                check it for damage
  tridex index --index all.index --merge a.index b.index   merge indices")]
pub(crate) struct IndexArgs {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Folder of the index; created if it does not exist
    #[arg(long, value_name = "DIR", help_heading = "Index")]
    pub(crate) index: PathBuf,
    /// Name of standard input in the index
    ///
    /// Games from a source of the same name replace earlier ones.
    #[arg(long, value_name = "NAME", default_value = STANDARD_INPUT, help_heading = "Index")]
    pub(crate) name: String,
    /// Remove games whose files no longer exist
    ///
    /// Games are not removed if their folder is missing or empty: the disk may not be mounted (exit code 2). With or
    /// without this option, games of a file that has become empty or contains NUL bytes are not removed: delete the file
    /// to remove them.
    #[arg(long, help_heading = "Index")]
    pub(crate) prune: bool,
    /// Also index the positions of variations
    ///
    /// Can only be chosen when the index is created.
    #[arg(long, help_heading = "Index")]
    pub(crate) variations: bool,
    /// Add the games of other indices
    #[arg(long, value_name = "OTHER", num_args = 1.., help_heading = "Index")]
    pub(crate) merge: Vec<PathBuf>,
    /// Names of openings: CSV with name, moves, rule system
    ///
    /// They are added to the bundled names. The rule system may be left empty. Games already in the index get new names
    /// only with `--rename`.
    #[arg(long, value_name = "FILE", help_heading = "Index")]
    pub(crate) names: Option<PathBuf>,
    /// Update the opening names of games already in the index
    #[arg(long, help_heading = "Index")]
    pub(crate) rename: bool,
    /// Verify the whole index afterwards
    #[arg(long, help_heading = "Index")]
    pub(crate) verify: bool,
    /// Format of the counts at the end
    #[arg(long, short, value_enum, default_value_t = SummaryFormat::Text, value_name = "FORMAT", help_heading = "Output")]
    pub(crate) format: SummaryFormat,
}

/// The summary at the end. Fields are added, never renamed or dropped.
#[derive(Default, Serialize)]
struct Summary {
    added: u64,
    updated: u64,
    unchanged: u64,
    rejected: u64,
    removed: u64,
    games: u64,
    positions: u64,
    seconds: f64,
    /// Pieces that were read, if it was a plan that was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pieces: Option<u64>,
    /// Whether the index was opened to be written.
    #[serde(skip)]
    is_written: bool,
    /// How many games were replayed to verify them.
    #[serde(skip_serializing_if = "Option::is_none")]
    verified: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    faults: Option<Vec<Fault>>,
}

#[derive(Serialize)]
struct Fault {
    path: String,
    what: String,
}

pub(crate) fn run(args: &IndexArgs) -> Result<Exit, Failure> {
    let since = Instant::now();
    let mut summary = Summary::default();
    let mut exit = Exit::Good;
    let reads = args.reading.is_named();
    if !reads && args.merge.is_empty() && !args.prune && !args.rename {
        // Looking needs no writer, and must not make an index where there is none.
        let index = GameIndex::open(&args.index);
        match index {
            Ok(index) => {
                (summary.games, summary.positions) = (index.games(), index.positions());
                if !args.verify {
                    exit = report_damage(&index);
                }
            }
            Err(IndexError::Damaged { .. }) if args.verify => {}
            Err(fault) => return Err(of_index(&fault)),
        }
    } else {
        summary.is_written = true;
        exit = write(args, &mut summary)?;
    }
    if args.verify && !interrupt::interrupted() {
        exit = exit.max(verify(&args.index, &mut summary)?);
    }
    summary.pieces = pieces::taken(&args.reading);
    summary.seconds = (since.elapsed().as_secs_f64() * 1e3).round() / 1e3;
    output::write_summary(args.format, &summary, table)?;
    Ok(exit)
}

/// Merges, reads and drops, as requested.
fn write(args: &IndexArgs, summary: &mut Summary) -> Result<Exit, Failure> {
    interrupt::catch_interrupts();
    let (book, mut exit) = opening_names::read(args.names.as_deref())?;
    // All of them are verified before anything is written.
    let others: Result<Vec<GameIndex>, IndexError> = args
        .merge
        .iter()
        .map(|other| GameIndex::open(other))
        .collect();
    let others = others.map_err(|fault| of_index(&fault))?;
    if let Some((path, what)) = others.iter().flat_map(GameIndex::damage).next() {
        return Err(of_index(&IndexError::Damaged { path, what }));
    }
    let options = IndexOptions {
        variations: args.variations,
        book: Some(Arc::new(book)),
        ..IndexOptions::default()
    };
    let writer = Writer::open(&args.index, options).map_err(|fault| of_index(&fault))?;
    if args.variations && !writer.has_variations() {
        return Err(Failure::message(format!(
            "{}: the index has no positions of variations; to have them, create another index with --variations",
            printable(&args.index.to_string_lossy())
        )));
    }
    let writer = RefCell::new(writer);
    for other in &others {
        exit = exit.max(counted("games merged", |progress| {
            writer.borrow_mut().merge_from(other, progress)
        })?);
    }
    if args.rename && !interrupt::interrupted() {
        exit = exit.max(counted("games examined", |progress| {
            writer.borrow_mut().name_openings(progress)
        })?);
    }
    let reads = args.reading.is_named();
    if reads && !interrupt::interrupted() {
        exit = exit.max(read(args, &writer, summary)?);
    }
    if args.prune && !interrupt::interrupted() {
        exit = exit.max(prune(args, &mut writer.borrow_mut()).map_err(|fault| of_index(&fault))?);
    }
    let _held = interrupt::hold();
    let writer = writer.into_inner();
    let done = match interrupt::interrupted() {
        true => writer.stop(),
        false => writer.finish(),
    };
    let done = done.map_err(|fault| of_index(&fault))?;
    summary.added = done.added;
    summary.updated = done.updated;
    summary.unchanged = done.unchanged;
    summary.removed = done.removed;
    summary.games = done.games;
    summary.positions = done.positions;
    Ok(exit)
}

/// Does something for many games, which are counted on standard error, until somebody interrupts.
fn counted(
    what: &'static str,
    work: impl FnOnce(&mut dyn FnMut(u64) -> bool) -> Result<(), IndexError>,
) -> Result<Exit, Failure> {
    // A portion of games is finished before the next signal is read.
    let _held = interrupt::hold();
    let mut done = 0;
    if !interrupt::interrupted() {
        let bar = counter(what);
        let worked = work(&mut |games| {
            done = games;
            bar.set_position(games);
            !interrupt::interrupted()
        });
        bar.finish_and_clear();
        worked.map_err(|fault| of_index(&fault))?;
    }
    if !interrupt::interrupted() {
        return Ok(Exit::Good);
    }
    terminal::complain(&format!(
        "interrupted; {what}: {done}; these are in the index; run the same command to resume"
    ));
    Ok(Exit::Failed)
}

/// Adds what the paths lead to.
fn read(
    args: &IndexArgs,
    writer: &RefCell<Writer>,
    summary: &mut Summary,
) -> Result<Exit, Failure> {
    let options = args.reading.options();
    let consumed = Arc::new(AtomicU64::new(0));
    let progress = Progress::start(sources::total_bytes(&args.reading), &consumed);
    let preparer = writer.borrow().preparer();
    let mut adding = Adding {
        writer,
        total: Tally::default(),
        rejected: 0,
        piped_over: None,
        has_problems: false,
        told: None,
    };
    let mut exit = Exit::Good;
    let mut broken = None;
    let notes = Arc::new(Notes::default());
    let done = pipeline::run(
        intake::jobs(args, &options, writer, &consumed, &notes),
        sources::threads(&args.reading),
        &STOP,
        |job| work(job, &options, &preparer),
        |answer| {
            let aside = match &answer {
                Answer::Failed(fault) | Answer::Noted(fault) => {
                    exit = exit.max(fault.exit);
                    progress.suspend(|| fault.report());
                    ""
                }
                Answer::Games(games) => &games.aside,
                _ => "",
            };
            if !aside.is_empty() && !settings::is_quiet() {
                progress.suspend(|| io::stderr().write_all(aside.as_bytes()))?;
            }
            let taken = adding.take(answer);
            progress.show(&adding.total);
            taken.map_err(|fault| {
                broken = Some(fault);
                io::Error::other("the index cannot be written")
            })
        },
    );
    progress.finish();
    if let Some(fault) = broken {
        return Err(of_index(&fault));
    }
    done?;
    exit = exit.max(sources::report_notes_of(&args.reading, &notes));
    writer.borrow_mut().leave_source(None);
    summary.rejected = adding.rejected;
    if let Some(games) = adding.told {
        terminal::remark(&format!(
            "replaced or removed {games} games of an earlier standard input; give each input its own --name"
        ));
    }
    if interrupt::interrupted() {
        terminal::complain(&format!(
            "interrupted after {} games; they are in the index; run the same command to resume",
            adding.total.counts.games
        ));
        return Ok(Exit::Failed);
    }
    if adding.rejected > 0 || adding.total.has_errors() {
        exit = exit.max(Exit::HasProblems);
    }
    Ok(exit)
}

/// Gives the writer what was made ready, in order.
struct Adding<'w> {
    writer: &'w RefCell<Writer>,
    total: Tally,
    rejected: u64,
    /// How many games had been replaced or dropped when standard input began, if that is what is read.
    piped_over: Option<u64>,
    /// Whether the source that is read has problems.
    has_problems: bool,
    /// How many games that had come from standard input were replaced or dropped.
    told: Option<u64>,
}

fn replaced(writer: &Writer) -> u64 {
    let done = writer.summary();
    done.updated + done.removed
}

impl Adding<'_> {
    fn take(&mut self, answer: Answer) -> Result<(), IndexError> {
        let mut writer = self.writer.borrow_mut();
        match answer {
            Answer::Begin(name) => {
                self.has_problems = false;
                writer.begin_source(&name)?;
                self.piped_over = (*name == *STANDARD_INPUT).then(|| replaced(&writer));
            }
            Answer::Games(games) => {
                for game in games.ready {
                    writer.add(game)?;
                }
                self.rejected += games.rejected;
                self.has_problems |= games.strays || games.rejected > 0;
                self.total.add(&games.tally);
            }
            Answer::End(stamp) => {
                // Problems are reported again the next time: the source is read again.
                let has_problems = |_: &u64| self.has_problems;
                let again = stamp.filter(has_problems).map(intake::never_the_same);
                writer.end_source(again.or(stamp));
                // Another text on standard input is another file to people.
                let before = self.piped_over.take();
                self.told = before
                    .map(|before| replaced(&writer) - before)
                    .filter(|games| *games > 0)
                    .or(self.told);
            }
            Answer::Same(name) => {
                writer.keep_source(&name)?;
            }
            // It is read again the next time; where it was is known, so that it can be pruned.
            Answer::Leave(stamp) => writer.leave_source(stamp.map(intake::never_the_same)),
            Answer::Failed(_) => writer.leave_source(None),
            Answer::Noted(_) => {}
        }
        Ok(())
    }
}

/// Drops the games of files that are gone. Of a folder that is missing altogether nothing is dropped, for the disk it is
/// on may not be mounted.
fn prune(args: &IndexArgs, writer: &mut Writer) -> Result<Exit, IndexError> {
    let mut elsewhere = 0;
    let mut missing = BTreeMap::<PathBuf, u64>::new();
    for name in writer.sources()? {
        let path = Path::new(&name);
        let mut roots = args.reading.paths.iter();
        let root = roots.find(|root| path.starts_with(root));
        match (intake::whereabouts(&name, writer.stamp(&name)), root) {
            (Whereabouts::There, _) => {}
            (Whereabouts::Elsewhere, None) => elsewhere += 1,
            (Whereabouts::Gone | Whereabouts::Elsewhere, root) => {
                let folder = root.map(PathBuf::as_path).or(path.parent()).unwrap_or(path);
                if intake::is_missing(folder) {
                    *missing.entry(folder.to_owned()).or_default() += 1;
                } else {
                    writer.remove_source(&name)?;
                }
            }
        }
    }
    for (folder, files) in &missing {
        let folder = printable(&folder.to_string_lossy()).into_owned();
        terminal::complain(&format!(
            "{folder}: missing or empty, expected files of the index: {files}; their games were not removed; to remove them, \
             name the parent folder"
        ));
    }
    if elsewhere > 0 {
        terminal::complain(&format!(
            "files of the index that do not exist in this folder: {elsewhere}; their games were not removed, because the names may be \
             relative to another folder"
        ));
    }
    Ok(match missing.is_empty() {
        true => Exit::Good,
        false => Exit::Failed,
    })
}

/// Verifies the index and reports damage.
fn verify(root: &Path, summary: &mut Summary) -> Result<Exit, Failure> {
    let bar = counter("games verified");
    let found = tridex_index::verify(root, |games| bar.set_position(games));
    bar.finish_and_clear();
    let Verification { games, faults, .. } = found.map_err(|fault| of_index(&fault))?;
    summary.verified = Some(games);
    let faults = faults.into_iter().map(|(path, what)| Fault {
        path: path.to_string_lossy().into_owned(),
        what,
    });
    let faults: Vec<Fault> = faults.collect();
    for fault in &faults {
        let (path, what) = (printable(&fault.path), printable(&fault.what));
        terminal::complain(&format!("{path}: {what}"));
    }
    let exit = if faults.is_empty() {
        Exit::Good
    } else {
        Exit::HasProblems
    };
    summary.faults = Some(faults);
    Ok(exit)
}

/// The counts for people.
fn table(summary: &Summary, paint: Paint) -> String {
    let done = [
        ("added", summary.added),
        ("updated", summary.updated),
        ("unchanged", summary.unchanged),
        ("rejected", summary.rejected),
        ("removed", summary.removed),
    ];
    let there = [("games", summary.games), ("positions", summary.positions)];
    // Where the index was only looked through nothing was done.
    let done = done.iter().filter(|_| summary.is_written);
    let mut text = String::new();
    for (name, count) in done.chain(&there) {
        text.push_str(&format!("{name:<10} {count:>12}\n"));
    }
    if let (Some(games), Some(faults)) = (summary.verified, &summary.faults) {
        text.push_str(&format!("{:<10} {games:>12}\n", "verified"));
        text.push_str(&format!("{:<10} {:>12}\n", "faults", faults.len()));
    }
    let timing = format!("{:<10} {:>10.2} s\n", "time", summary.seconds);
    text.push_str(&paint.faint(&timing));
    text
}
