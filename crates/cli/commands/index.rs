//! `index`: adds games to an index.

use crate::failure::{Failure, Trouble, exit_code};
use crate::io::indices::{complain_of, opening_names, report_damage};
use crate::io::run;
use crate::io::sources::Job;
use crate::io::{interrupt, output};
use crate::needs;
use crate::options::reading::Reading;
use crate::options::values::{COUNTS, Format, format};
use crate::term::progress::counter;
use crate::term::terminal::{self, named};
use clap::Args;

mod intake;

use intake::{Intake, Mark};
use serde_json::json;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use tridex_archive::file_name;
use tridex_index::{GameIndex, IndexError, IndexOptions, MergeSource, Prepared, Summary, Writer};
use tridex_replay::finding::Severity;

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
    ///
    /// An index in the format of the previous version can be read here, and only here: to upgrade it, merge it into a new
    /// index.
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
    #[arg(long, short, value_parser = format(COUNTS), default_value = "text", value_name = "FORMAT")]
    pub(crate) format: Format,
}

pub(crate) fn run(args: &IndexArgs) -> Result<(), Failure> {
    let since = Instant::now();
    check(args)?;
    let (mut done, mut rejected, mut is_there) = (Summary::default(), 0, true);
    let is_only_read =
        !args.reading.is_named() && args.merge.is_empty() && !args.prune && !args.rename;
    if is_only_read {
        // Reading needs no writer, which would create an index if there is none.
        match GameIndex::open(&args.index) {
            Ok(index) => {
                (done.games, done.positions) = (index.games(), index.positions());
                if !args.verify {
                    report_damage(&index);
                }
            }
            Err(IndexError::Damaged { .. }) if args.verify => {}
            Err(fault) => return Err(fault.into()),
        }
    } else {
        (done, rejected, is_there) = write(args)?;
    }
    let counts = [
        ("added", done.added),
        ("updated", done.updated),
        ("unchanged", done.unchanged),
        ("rejected", rejected),
        ("removed", done.removed),
        ("games", done.games),
        ("positions", done.positions),
    ];
    // If the index was only read, the counts of changes are not shown.
    let mut shown = counts[if is_only_read { 5 } else { 0 }..].to_vec();
    let mut more = Vec::new();
    if args.verify && is_there && !interrupt::interrupted() {
        let bar = counter("games verified");
        let found = tridex_index::verify(&args.index, |games| bar.set_position(games));
        bar.finish_and_clear();
        let found = found?;
        complain_of(&found.faults);
        let (games, faults) = (found.games, found.faults.len() as u64);
        shown.extend([("verified", games), ("faults", faults)]);
        let faults = found.faults.iter();
        let faults =
            faults.map(|(path, what)| json!({"path": file_name::to_text(path), "what": what}));
        more.extend([("verified", games.into()), ("faults", faults.collect())]);
    }
    output::write_summary(args.format, since, &counts, &shown, &args.reading, more)
}

/// Refuses options that would have no effect.
fn check(args: &IndexArgs) -> Result<(), Failure> {
    let reads = args.reading.is_named();
    let mut paths = args.reading.paths.iter();
    let has_input = paths.any(|path| path.as_os_str() == STANDARD_INPUT);
    let named = "without files to read; name them";
    args.reading.check(named, named)?;
    needs::check(
        reads || args.rename,
        "names: without files to read; name them, or add --rename for the games of the index",
    )?;
    needs::check(
        reads || !args.merge.is_empty(),
        "variations: without games to add; name their files, or other indices with --merge",
    )?;
    needs::check(has_input, "name: without standard input; add -")
}

/// Merges, renames, reads and prunes, as requested. Returns the counts, how many games were rejected, and whether there
/// is an index afterwards.
fn write(args: &IndexArgs) -> Result<(Summary, u64, bool), Failure> {
    interrupt::catch_interrupts();
    let book = opening_names(args.names.as_deref())?;
    // Open all of them, and check them for damage, before anything is written.
    let others = args.merge.iter().map(|other| MergeSource::open(other));
    let others = others.collect::<Result<Vec<MergeSource>, IndexError>>()?;
    if let Some((path, what)) = others.iter().flat_map(MergeSource::damage).next() {
        return Err(IndexError::Damaged { path, what }.into());
    }
    let options = IndexOptions {
        variations: args.variations,
        book: Some(Arc::new(book)),
        ..IndexOptions::default()
    };
    let writer = Writer::open(&args.index, options)?;
    if args.variations && !writer.has_variations() {
        let what = "the index has no positions of variations; to have them, create another index with --variations";
        return Err(Failure::at(&args.index, what));
    }
    let writer = RefCell::new(writer);
    for other in &others {
        portions("games merged", |progress| {
            writer.borrow_mut().merge_from(other, progress)
        })?;
    }
    if args.rename {
        portions("games examined", |progress| {
            writer.borrow_mut().name_openings(progress)
        })?;
    }
    let mut rejected = 0;
    if args.reading.is_named() && !interrupt::interrupted() {
        rejected = read(args, &writer)?;
    }
    let mut writer = writer.into_inner();
    if args.prune && !interrupt::interrupted() {
        prune(args, &mut writer)?;
    }
    let done = writer.summary();
    if writer.is_new() && done.added == 0 && exit_code() > 0 {
        // When the writer is dropped, it removes the index that it created.
        terminal::remark("no game was added, so no index is created");
        return Ok((done, rejected, false));
    }
    let done = interrupt::held(|| match interrupt::interrupted() {
        true => writer.stop(),
        false => writer.finish(),
    })?;
    Ok((done, rejected, true))
}

/// Runs work on many games, with a counter on standard error, until it is done or the user interrupts.
fn portions(
    what: &'static str,
    work: impl FnOnce(&mut dyn FnMut(u64) -> bool) -> Result<(), IndexError>,
) -> Result<(), Failure> {
    let mut done = 0;
    if !interrupt::interrupted() {
        let bar = counter(what);
        let mut count = |games| {
            done = games;
            bar.set_position(games);
            !interrupt::interrupted()
        };
        // After a signal, the current portion of games gets time to finish.
        let worked = interrupt::held(|| work(&mut count));
        bar.finish_and_clear();
        worked?;
    }
    if interrupt::interrupted() {
        terminal::complain(&format!(
            "interrupted; {what}: {done}; these are in the index; run the same command to resume"
        ));
    }
    Ok(())
}

/// Adds the games of the given files, and returns how many games were rejected.
fn read(args: &IndexArgs, writer: &RefCell<Writer>) -> Result<u64, Failure> {
    let options = args.reading.options();
    let preparer = writer.borrow().preparer();
    let mut intake = Intake::new(args, writer);
    let mut adding = Adding {
        writer,
        source: Arc::default(),
        is_damaged: false,
        has_problems: false,
        before: 0,
        piped_over: 0,
    };
    let total = run::follow_jobs(
        &args.reading,
        "; they are in the index; run the same command to resume",
        |source, options| intake.source(source, options),
        |source, batch, seen| {
            seen.entries(source, batch, &options, |entry, _| {
                preparer.prepare(entry).map_err(|fault| fault.to_string())
            })
        },
        |job, seen, _| {
            adding.has_problems |= std::mem::take(&mut seen.has_problems);
            Ok(adding.take(job)?)
        },
    )?;
    writer.borrow_mut().leave_source(None);
    let piped_over = adding.piped_over;
    if piped_over > 0 {
        terminal::remark(&format!(
            "replaced or removed {piped_over} games of an earlier standard input; give each input its own --name"
        ));
    }
    Trouble::InData.note_if(total.rejected > 0);
    Ok(total.rejected)
}

/// Passes prepared games to the writer, in order.
struct Adding<'w> {
    writer: &'w RefCell<Writer>,
    /// The current source.
    source: Arc<str>,
    /// Whether a part of the source could not be read, so that games may be missing.
    is_damaged: bool,
    has_problems: bool,
    /// How many games had been updated or removed when the current source began.
    before: u64,
    /// How many games from an earlier standard input were updated or removed.
    piped_over: u64,
}

fn replaced(writer: &Writer) -> u64 {
    let done = writer.summary();
    done.updated + done.removed
}

impl Adding<'_> {
    fn take(&mut self, job: Job<Mark, Vec<Prepared>>) -> Result<(), IndexError> {
        match job {
            Job::Games(name, games) => {
                if self.source != name {
                    self.begin(name)?;
                }
                let mut writer = self.writer.borrow_mut();
                for game in games {
                    writer.add(game)?;
                }
            }
            Job::Fault(fault) => self.is_damaged |= fault.severity() == Severity::Error,
            Job::Mark(Mark::Begin(name)) => self.begin(name)?,
            Job::Mark(Mark::End(stamp)) => self.end(stamp),
            Job::Mark(Mark::Same(name)) => {
                self.writer.borrow_mut().keep_source(&name)?;
            }
        }
        Ok(())
    }

    fn begin(&mut self, name: Arc<str>) -> Result<(), IndexError> {
        let mut writer = self.writer.borrow_mut();
        (self.is_damaged, self.has_problems) = (false, false);
        writer.begin_source(&name)?;
        self.before = replaced(&writer);
        self.source = name;
        Ok(())
    }

    /// Ends the current source.
    fn end(&mut self, stamp: Option<u64>) {
        let mut writer = self.writer.borrow_mut();
        // With this stamp the next run reads the source again, but its place is stored, so that it can be pruned.
        let again = stamp.map(intake::never_the_same);
        if self.is_damaged {
            // The source ended early or lost a part. Its games stay in the index, because a later run may find them
            // again.
            return writer.leave_source(again);
        }
        // A source with problems is read again, so that the next run reports them too.
        writer.end_source(if self.has_problems { again } else { stamp });
        // To users, each text on standard input is a separate file, so report how many games it replaces.
        if *self.source == *STANDARD_INPUT {
            self.piped_over = replaced(&writer) - self.before;
        }
    }
}

/// Removes the games of files that no longer exist. If a whole folder is missing or empty, its games stay, because its
/// disk may not be mounted.
fn prune(args: &IndexArgs, writer: &mut Writer) -> Result<(), IndexError> {
    let mut elsewhere = 0;
    let mut missing = BTreeMap::<PathBuf, u64>::new();
    for name in writer.sources()? {
        let path = file_name::to_path(&name);
        let path = path.as_path();
        // A path that cannot be checked may still exist.
        if name == STANDARD_INPUT || !matches!(path.try_exists(), Ok(false)) {
            continue;
        }
        let mut roots = args.reading.paths.iter();
        let root = roots.find(|root| path.starts_with(root));
        if root.is_none() && !intake::is_from_here(path, writer.stamp(&name)) {
            elsewhere += 1;
            continue;
        }
        let folder = root.map(PathBuf::as_path).or(path.parent()).unwrap_or(path);
        if intake::is_missing(folder) {
            *missing.entry(folder.to_owned()).or_default() += 1;
        } else {
            writer.remove_source(&name)?;
        }
    }
    for (folder, files) in &missing {
        terminal::complain(&format!(
            "{}: missing or empty, expected files of the index: {files}; their games were not removed; to remove them, \
             name the parent folder",
            named(folder)
        ));
    }
    if elsewhere > 0 {
        terminal::complain(&format!(
            "files of the index that do not exist in this folder: {elsewhere}; their games were not removed, because the names may be \
             relative to another folder"
        ));
    }
    Trouble::InFiles.note_if(!missing.is_empty());
    Ok(())
}
