//! Indices with a byte that is another one: the answer is right, or it is said that it may not be.

use super::{Bench, Row};
use crate::walk;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use tridex_rules::random::Dice;

/// What is asked of every index. The counts of the first say that nothing is missing.
const QUESTIONS: [&[&str]; 6] = [
    &["search", "--index", "db", "--format", "ndjson"],
    &[
        "search", "--index", "db", "--format", "ndjson", "--player", "w1",
    ],
    &[
        "search", "--index", "db", "--format", "ndjson", "--moves", "b4N",
    ],
    &[
        "search",
        "--index",
        "db",
        "--format",
        "ndjson",
        "--pattern",
        "check and Q>=1",
    ],
    &["search", "--index", "db", "--format", "pgn", "--limit", "5"],
    &[
        "openings", "--index", "db", "--rules", "meder", "--format", "ndjson",
    ],
];

/// Files of an index that hold nothing to ask for.
fn is_lock(path: &Path) -> bool {
    path.to_string_lossy().ends_with(".lock")
}

/// Damages an index in many ways.
pub fn rows(bench: &Bench<'_>) -> Vec<Row> {
    vec![bench.row("damaged indices", || damages(bench))]
}

fn damages(bench: &Bench<'_>) -> Row {
    let root = bench.folder.join("corruptions");
    let sound = match prepared(bench, &root) {
        Ok(sound) => sound,
        Err(fault) => return Row::of("damaged indices", [0], |_| Some(fault.to_string())),
    };
    let unseen = AtomicU64::new(0);
    let cases = bench.cases(bench.size.corruptions);
    let row = Row::on_all_processors("damaged indices", cases, |case| {
        let place = root.join(format!("case-{case}"));
        let fault = damaged(bench, &sound, &root, &place, case);
        let _ = fs::remove_dir_all(&place);
        match fault {
            Ok((fault, seen)) => {
                unseen.fetch_add(u64::from(!seen), Ordering::Relaxed);
                fault
            }
            Err(fault) => Some(fault.to_string()),
        }
    });
    let unseen = unseen.into_inner();
    row.noting(format!(
        "{unseen} damages harmed no answer and were not asked about"
    ))
}

/// A sound index and its answers.
struct Sound {
    files: Vec<PathBuf>,
    answers: Vec<Vec<u8>>,
}

fn prepared(bench: &Bench<'_>, root: &Path) -> io::Result<Sound> {
    fs::create_dir_all(root)?;
    fs::write(root.join("games.pgn"), walk::archive(bench.seed, 300_000))?;
    let made = bench
        .program
        .run(root, ["index", "games.pgn", "--index", "db"])?;
    if made.code != Some(0) {
        let complaint = String::from_utf8_lossy(&made.stderr).into_owned();
        return Err(io::Error::other(complaint));
    }
    let mut files = Vec::new();
    gather(&root.join("db"), &root.join("db"), &mut files)?;
    files.retain(|file| !is_lock(file));
    let mut answers = Vec::new();
    for question in QUESTIONS {
        answers.push(bench.program.run(root, question)?.stdout);
    }
    Ok(Sound { files, answers })
}

/// All files below a folder that are not empty, as seen from `root`.
fn gather(root: &Path, folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if path.is_dir() {
            gather(root, &path, files)?;
        } else if entry.metadata()?.len() > 0 {
            files.push(path.strip_prefix(root).unwrap_or(&path).to_owned());
        }
    }
    Ok(())
}

fn copied(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copied(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Damages one file; how, in words.
fn damage(path: &Path, dice: &mut Dice) -> io::Result<String> {
    let mut bytes = fs::read(path)?;
    let at = dice.below(bytes.len() as u32) as usize;
    Ok(match dice.below(20) {
        0 => {
            fs::remove_file(path)?;
            "is missing".to_owned()
        }
        1 => {
            bytes.truncate(at);
            fs::write(path, bytes)?;
            format!("is cut at {at}")
        }
        2 => {
            bytes.push(dice.next_number() as u8);
            fs::write(path, bytes)?;
            "has a byte more".to_owned()
        }
        3 => {
            let end = (at + 512).min(bytes.len());
            let block = &mut bytes[at..end];
            // Where a block of zeros stood already, that would be no damage.
            let was_zero = block.iter().all(|byte| *byte == 0);
            block.fill(u8::from(was_zero));
            fs::write(path, bytes)?;
            format!("has zeros at {at}")
        }
        _ => {
            bytes[at] ^= 1 << dice.below(8);
            fs::write(path, bytes)?;
            format!("has another byte at {at}")
        }
    })
}

/// One damaged index: what is wrong with how it is treated, and whether the damage was seen at all.
fn damaged(
    bench: &Bench<'_>,
    sound: &Sound,
    root: &Path,
    place: &Path,
    case: u64,
) -> io::Result<(Option<String>, bool)> {
    copied(&root.join("db"), &place.join("db"))?;
    let mut dice = Dice::nth(bench.seed ^ 0xC0, case);
    let file = &sound.files[dice.below(sound.files.len() as u32) as usize];
    let how = format!(
        "{} {}",
        file.display(),
        damage(&place.join("db").join(file), &mut dice)?
    );
    let mut told = false;
    for nth in [dice.below(6) as usize, dice.below(6) as usize] {
        let run = bench.program.run(place, QUESTIONS[nth])?;
        let complaint = String::from_utf8_lossy(&run.stderr);
        if let Some(fault) = run.fault() {
            return Ok((Some(format!("{how}: {:?}: {fault}", QUESTIONS[nth])), true));
        }
        let says = run.code != Some(0) || !complaint.trim().is_empty();
        told |= says;
        if run.stdout != sound.answers[nth] && !says {
            return Ok((
                Some(format!(
                    "{how}: {:?}: another answer, in silence",
                    QUESTIONS[nth]
                )),
                true,
            ));
        }
    }
    let verify = bench
        .program
        .run(place, ["index", "--index", "db", "--verify"])?;
    if let Some(fault) = verify.fault() {
        return Ok((Some(format!("{how}: verify: {fault}")), true));
    }
    if verify.code == Some(0) {
        return Ok((Some(format!("{how}: verify finds nothing")), told));
    }
    Ok((None, told))
}
