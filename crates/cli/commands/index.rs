//! `index`: adds games to an index.

use crate::failure::{Failure, Trouble};
use crate::ineffective::Ineffective;
use crate::io::indices::{complain_of, opening_names, report_damage};
use crate::io::output;
use crate::io::run;
use crate::options::reading::Reading;
use crate::options::values::{COUNTS, Format, format};
use crate::session::Session;
use crate::term::counts::Tally;
use crate::term::progress::counter;
use crate::term::terminal::named;
use clap::{Args, Subcommand};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use tridex_archive::file_name;
use tridex_core::{STANDARD_INPUT, prune_index};
use tridex_index::{GameIndex, IndexError, IndexOptions, MergeSource, Summary, Writer};

/// Add games to an index, for `search`, `openings` and `serve`.
///
/// Games already in the index are not duplicated.
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    disable_help_subcommand = true,
    mut_arg("paths", |paths| paths
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
    #[command(subcommand)]
    job: Option<Job>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Folder of the index; created if it does not exist
    #[arg(long, required = true, value_name = "DIR", help_heading = "Index")]
    pub(crate) index: Option<PathBuf>,
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

/// One of the jobs. Without one, the options choose what is done.
#[derive(Subcommand, Debug)]
enum Job {
    Add(AddArgs),
    Merge(MergeArgs),
    Prune(PruneArgs),
    Rename(RenameArgs),
    Verify(VerifyArgs),
}

/// The index, and the counts at the end.
#[derive(Args, Debug)]
struct Folder {
    /// Folder of the index
    #[arg(long, value_name = "DIR", help_heading = "Index")]
    index: PathBuf,
    /// Format of the counts at the end
    #[arg(long, short, value_parser = format(COUNTS), default_value = "text", value_name = "FORMAT")]
    format: Format,
}

/// Add the games of files, or update them; create the index if it does not exist.
#[derive(Args, Debug)]
#[command(mut_arg("plan", |plan| plan.conflicts_with("name")), after_help = "\
Examples:
  tridex index add archive/ --index games.index
  zcat games.pgn.gz | tridex index add - --name club --index games.index")]
struct AddArgs {
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    folder: Folder,
    /// Name of standard input in the index
    ///
    /// Games from a source of the same name replace earlier ones.
    #[arg(long, value_name = "NAME", default_value = STANDARD_INPUT, help_heading = "Index")]
    name: String,
    /// Also index the positions of variations
    ///
    /// Can only be chosen when the index is created.
    #[arg(long, help_heading = "Index")]
    variations: bool,
    /// Names of openings: CSV with name, moves, rule system
    ///
    /// They are added to the bundled names. The rule system may be left empty. Games already in the index get new names
    /// only with `tridex index rename`.
    #[arg(long, value_name = "FILE", help_heading = "Index")]
    names: Option<PathBuf>,
}

/// Add the games of other indices; create the index if it does not exist.
///
/// An index in the format of the previous version can be read here, and only here: to upgrade it, merge it into a new index.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tridex index merge a.index b.index --index all.index
  tridex index merge old.index --index new.index           upgrade an index")]
struct MergeArgs {
    /// Folders of the other indices
    #[arg(required = true, value_name = "OTHER")]
    others: Vec<PathBuf>,
    #[command(flatten)]
    folder: Folder,
    /// Also index the positions of variations
    ///
    /// Can only be chosen when the index is created.
    #[arg(long, help_heading = "Index")]
    variations: bool,
}

/// Remove games whose files no longer exist.
///
/// Games are not removed if their folder is missing or empty: the disk may not be mounted (exit code 2). Games of a file
/// that has become empty or contains NUL bytes are not removed: delete the file to remove them.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tridex index prune --index games.index")]
struct PruneArgs {
    /// Folders whose files were indexed from this folder
    ///
    /// Needed only to remove games that an older version has indexed, or those of folders that no longer exist: name the
    /// parent folder.
    #[arg(value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    #[command(flatten)]
    folder: Folder,
}

/// Update the opening names of games.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tridex index rename --names club.csv --index games.index")]
struct RenameArgs {
    #[command(flatten)]
    folder: Folder,
    /// Names of openings: CSV with name, moves, rule system
    ///
    /// They are added to the bundled names. The rule system may be left empty.
    #[arg(long, value_name = "FILE", help_heading = "Index")]
    names: Option<PathBuf>,
}

/// Verify the whole index.
///
/// Exit code 1 if files are damaged.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tridex index verify --index games.index")]
struct VerifyArgs {
    #[command(flatten)]
    folder: Folder,
}

/// What to do with an index.
#[derive(Clone, Copy)]
struct Work<'a> {
    index: &'a Path,
    format: Format,
    /// The files to read.
    reading: Option<&'a Reading>,
    /// The name of standard input.
    name: &'a str,
    variations: bool,
    /// Other indices to merge.
    merge: &'a [PathBuf],
    /// Names of openings.
    names: Option<&'a Path>,
    rename: bool,
    /// Whether to remove the games of missing files, with the folders that were named.
    prune: Option<&'a [PathBuf]>,
    verify: bool,
}

impl<'a> Work<'a> {
    fn of(folder: &'a Folder) -> Self {
        Self::on(&folder.index, folder.format)
    }

    /// Nothing but to open the index.
    const fn on(index: &'a Path, format: Format) -> Self {
        Self {
            index,
            format,
            reading: None,
            name: STANDARD_INPUT,
            variations: false,
            merge: &[],
            names: None,
            rename: false,
            prune: None,
            verify: false,
        }
    }
}

impl IndexArgs {
    fn work(&self) -> Work<'_> {
        match &self.job {
            Some(Job::Add(args)) => Work {
                reading: Some(&args.reading),
                name: &args.name,
                variations: args.variations,
                names: args.names.as_deref(),
                ..Work::of(&args.folder)
            },
            Some(Job::Merge(args)) => Work {
                merge: &args.others,
                variations: args.variations,
                ..Work::of(&args.folder)
            },
            Some(Job::Prune(args)) => Work {
                prune: Some(&args.folders),
                ..Work::of(&args.folder)
            },
            Some(Job::Rename(args)) => Work {
                names: args.names.as_deref(),
                rename: true,
                ..Work::of(&args.folder)
            },
            Some(Job::Verify(args)) => Work {
                verify: true,
                ..Work::of(&args.folder)
            },
            None => Work {
                reading: Some(&self.reading).filter(|reading| reading.is_named()),
                name: &self.name,
                variations: self.variations,
                merge: &self.merge,
                names: self.names.as_deref(),
                rename: self.rename,
                prune: self.prune.then_some(&self.reading.paths),
                verify: self.verify,
                // clap requires the folder if there is no subcommand.
                ..Work::on(self.index.as_deref().unwrap_or(Path::new("")), self.format)
            },
        }
    }
}

pub(crate) fn run(args: &IndexArgs, session: &Session) -> Result<(), Failure> {
    let since = Instant::now();
    match &args.job {
        None => check(args, session)?,
        Some(Job::Add(add)) => check_name(&add.reading, session)?,
        Some(_) => {}
    }
    let work = args.work();
    let (mut done, mut total, mut is_there) = (Summary::default(), Tally::default(), true);
    let is_only_read =
        work.reading.is_none() && work.merge.is_empty() && work.prune.is_none() && !work.rename;
    if is_only_read {
        // Reading needs no writer, which would create an index if there is none.
        match GameIndex::open(work.index) {
            Ok(index) => {
                (done.games, done.positions) = (index.games(), index.positions());
                if !work.verify {
                    report_damage(session, &index);
                }
            }
            Err(IndexError::Damaged { .. }) if work.verify => {}
            Err(fault) => return Err(fault.into()),
        }
    } else {
        (done, total, is_there) = write(&work, session)?;
    }
    let counts = [
        ("added", done.added),
        ("updated", done.updated),
        ("unchanged", done.unchanged),
        ("rejected", total.rejected),
        ("removed", done.removed),
        ("games", done.games),
        ("positions", done.positions),
    ];
    // If the index was only read, the counts of changes are not shown.
    let mut shown = counts[if is_only_read { 5 } else { 0 }..].to_vec();
    let mut more = Vec::new();
    if work.verify && is_there && !session.is_cancelled() {
        let bar = counter(session, "games verified");
        let found = tridex_index::verify(work.index, |games| bar.set_position(games));
        bar.finish_and_clear();
        let found = found?;
        complain_of(session, &found.faults);
        let (games, faults) = (found.games, found.faults.len() as u64);
        shown.extend([("verified", games), ("faults", faults)]);
        let faults = found.faults.iter();
        let faults =
            faults.map(|(path, what)| json!({"path": file_name::to_text(path), "what": what}));
        more.extend([("verified", games.into()), ("faults", faults.collect())]);
    }
    let plan = work.reading.and_then(|reading| reading.plan.as_ref());
    let pieces = plan.map(|_| total.pieces.unwrap_or(0));
    output::write_summary(session, work.format, since, &counts, &shown, pieces, more)
}

/// Refuses options that would have no effect.
fn check(args: &IndexArgs, session: &Session) -> Result<(), Failure> {
    let reads = args.reading.is_named();
    let named = Ineffective {
        options: &[],
        where_: "without files to read",
        instead: "name them",
    };
    args.reading.check(session, named, named)?;
    Ineffective {
        options: &["names"],
        where_: "without files to read",
        instead: "name them, or add --rename for the games of the index",
    }
    .unless(reads || args.rename, session)?;
    Ineffective {
        options: &["variations"],
        where_: "without games to add",
        instead: "name their files, or other indices with --merge",
    }
    .unless(reads || !args.merge.is_empty(), session)?;
    check_name(&args.reading, session)
}

/// Refuses a name of standard input if that is not read.
fn check_name(reading: &Reading, session: &Session) -> Result<(), Failure> {
    let name = Ineffective {
        options: &["name"],
        where_: "without standard input",
        instead: "add -",
    };
    let mut paths = reading.paths.iter();
    name.unless(
        paths.any(|path| path.as_os_str() == STANDARD_INPUT),
        session,
    )
}

/// Merges, renames, reads and prunes, as requested. Returns the counts of the index and of the run, and whether
/// there is an index afterwards.
fn write(work: &Work<'_>, session: &Session) -> Result<(Summary, Tally, bool), Failure> {
    session.catch_interrupts();
    let book = opening_names(session, work.names)?;
    // Open all of them, and check them for damage, before anything is written.
    let others = work.merge.iter().map(|other| MergeSource::open(other));
    let others = others.collect::<Result<Vec<MergeSource>, IndexError>>()?;
    if let Some((path, what)) = others.iter().flat_map(MergeSource::damage).next() {
        return Err(IndexError::Damaged { path, what }.into());
    }
    let options = IndexOptions::default()
        .variations(work.variations)
        .book(Some(Arc::new(book)));
    let mut writer = Writer::open(work.index, options)?;
    if work.variations && !writer.has_variations() {
        let what = "the index has no positions of variations; to have them, create another index with --variations";
        return Err(Failure::at(work.index, what));
    }
    for other in &others {
        portions(session, "games merged", |progress| {
            writer.merge_from(other, progress)
        })?;
    }
    if work.rename {
        portions(session, "games examined", |progress| {
            writer.name_openings(progress)
        })?;
    }
    let mut total = Tally::default();
    if let Some(reading) = work.reading
        && !session.is_cancelled()
    {
        total = read(work.name, reading, session, &mut writer)?;
    }
    if let Some(folders) = work.prune
        && !session.is_cancelled()
    {
        prune(folders, session, &mut writer)?;
    }
    let done = writer.summary();
    if writer.is_new() && done.added == 0 && session.exit_code() > 0 {
        // When the writer is dropped, it removes the index that it created.
        session.remark("no game was added, so no index is created");
        return Ok((done, total, false));
    }
    let done = session.hold(|| match session.is_cancelled() {
        true => writer.stop(),
        false => writer.finish(),
    })?;
    Ok((done, total, true))
}

/// Runs work on many games, with a counter on standard error, until it is done or the user interrupts.
fn portions(
    session: &Session,
    what: &'static str,
    work: impl FnOnce(&mut dyn FnMut(u64) -> bool) -> Result<(), IndexError>,
) -> Result<(), Failure> {
    let mut done = 0;
    if !session.is_cancelled() {
        let bar = counter(session, what);
        let mut count = |games| {
            done = games;
            bar.set_position(games);
            !session.is_cancelled()
        };
        // After a signal, the current portion of games gets time to finish.
        let worked = session.hold(|| work(&mut count));
        bar.finish_and_clear();
        worked?;
    }
    if session.is_cancelled() {
        session.complain(&format!(
            "interrupted; {what}: {done}; these are in the index; run the same command to resume"
        ));
    }
    Ok(())
}

/// Adds the games of the given files, and returns the counts.
fn read(
    name: &str,
    reading: &Reading,
    session: &Session,
    writer: &mut Writer,
) -> Result<Tally, Failure> {
    let (total, piped_over) = run::update_index(session, reading, writer, name)?;
    if piped_over > 0 {
        session.remark(&format!(
            "replaced or removed {piped_over} games of an earlier standard input; give each input its own --name"
        ));
    }
    session.note_if(Trouble::InData, total.rejected > 0);
    Ok(total)
}

/// Removes the games of files that no longer exist.
fn prune(folders: &[PathBuf], session: &Session, writer: &mut Writer) -> Result<(), IndexError> {
    let unpruned = prune_index(writer, folders)?;
    for (folder, files) in &unpruned.missing {
        session.complain(&format!(
            "{}: missing or empty, expected files of the index: {files}; their games were not removed; to remove them, \
             name the parent folder",
            named(folder)
        ));
    }
    let elsewhere = unpruned.elsewhere;
    if elsewhere > 0 {
        session.complain(&format!(
            "files of the index that do not exist in this folder: {elsewhere}; their games were not removed, because the names may be \
             relative to another folder"
        ));
    }
    session.note_if(Trouble::InFiles, !unpruned.missing.is_empty());
    Ok(())
}
