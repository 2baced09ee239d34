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
use clap::Args;

use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use tridex_archive::file_name;
use tridex_core::{STANDARD_INPUT, prune_index};
use tridex_index::{GameIndex, IndexError, IndexOptions, MergeSource, Summary, Writer};

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

pub(crate) fn run(args: &IndexArgs, session: &Session) -> Result<(), Failure> {
    let since = Instant::now();
    check(args, session)?;
    let (mut done, mut total, mut is_there) = (Summary::default(), Tally::default(), true);
    let is_only_read =
        !args.reading.is_named() && args.merge.is_empty() && !args.prune && !args.rename;
    if is_only_read {
        // Reading needs no writer, which would create an index if there is none.
        match GameIndex::open(&args.index) {
            Ok(index) => {
                (done.games, done.positions) = (index.games(), index.positions());
                if !args.verify {
                    report_damage(session, &index);
                }
            }
            Err(IndexError::Damaged { .. }) if args.verify => {}
            Err(fault) => return Err(fault.into()),
        }
    } else {
        (done, total, is_there) = write(args, session)?;
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
    if args.verify && is_there && !session.is_cancelled() {
        let bar = counter(session, "games verified");
        let found = tridex_index::verify(&args.index, |games| bar.set_position(games));
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
    let pieces = args
        .reading
        .plan
        .is_some()
        .then(|| total.pieces.unwrap_or(0));
    output::write_summary(session, args.format, since, &counts, &shown, pieces, more)
}

/// Refuses options that would have no effect.
fn check(args: &IndexArgs, session: &Session) -> Result<(), Failure> {
    let reads = args.reading.is_named();
    let mut paths = args.reading.paths.iter();
    let has_input = paths.any(|path| path.as_os_str() == STANDARD_INPUT);
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
    Ineffective {
        options: &["name"],
        where_: "without standard input",
        instead: "add -",
    }
    .unless(has_input, session)
}

/// Merges, renames, reads and prunes, as requested. Returns the counts of the index and of the run, and whether
/// there is an index afterwards.
fn write(args: &IndexArgs, session: &Session) -> Result<(Summary, Tally, bool), Failure> {
    session.catch_interrupts();
    let book = opening_names(session, args.names.as_deref())?;
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
    let mut writer = Writer::open(&args.index, options)?;
    if args.variations && !writer.has_variations() {
        let what = "the index has no positions of variations; to have them, create another index with --variations";
        return Err(Failure::at(&args.index, what));
    }
    for other in &others {
        portions(session, "games merged", |progress| {
            writer.merge_from(other, progress)
        })?;
    }
    if args.rename {
        portions(session, "games examined", |progress| {
            writer.name_openings(progress)
        })?;
    }
    let mut total = Tally::default();
    if args.reading.is_named() && !session.is_cancelled() {
        total = read(args, session, &mut writer)?;
    }
    if args.prune && !session.is_cancelled() {
        prune(args, session, &mut writer)?;
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
fn read(args: &IndexArgs, session: &Session, writer: &mut Writer) -> Result<Tally, Failure> {
    let (total, piped_over) = run::update_index(session, &args.reading, writer, &args.name)?;
    if piped_over > 0 {
        session.remark(&format!(
            "replaced or removed {piped_over} games of an earlier standard input; give each input its own --name"
        ));
    }
    session.note_if(Trouble::InData, total.rejected > 0);
    Ok(total)
}

/// Removes the games of files that no longer exist.
fn prune(args: &IndexArgs, session: &Session, writer: &mut Writer) -> Result<(), IndexError> {
    let unpruned = prune_index(writer, &args.reading.paths)?;
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
