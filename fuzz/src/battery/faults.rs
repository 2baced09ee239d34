//! Processes killed, asked to end, and disks that are full.

use super::program::{Program, run, signal, wait};
use super::{Bench, Row};
use crate::walk;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use tridex_rules::random::Dice;

/// Who is asked to end has so long.
const SOON: Duration = Duration::from_millis(1_000);
/// Starting a process and looking at it takes so much more.
const LOOKING: Duration = Duration::from_millis(500);
/// Bytes of the archive that is worked on.
const ARCHIVE: usize = 1_500_000;

/// Kills, requests to end, and full disks.
pub fn rows(bench: &Bench<'_>) -> Vec<Row> {
    let folder = bench.folder.join("faults");
    let made = fs::create_dir_all(&folder)
        .and_then(|()| fs::write(folder.join("games.pgn"), walk::archive(bench.seed, ARCHIVE)));
    if let Err(fault) = made {
        return vec![Row::of("faults", [0], |_| Some(fault.to_string()))];
    }
    let told = |fault: io::Result<Option<String>>| fault.unwrap_or_else(|e| Some(e.to_string()));
    let kills = bench.size.kills;
    // What a run does that nobody disturbs is found out once, and only if it is asked for.
    let (writer, indexer) = (OnceLock::new(), OnceLock::new());
    let writer = || writer.get_or_init(|| whole_writer(bench, &folder).map_err(|e| e.to_string()));
    let indexer =
        || indexer.get_or_init(|| whole_indexer(bench, &folder).map_err(|e| e.to_string()));
    vec![
        bench.rows_of("kills of convert", kills, |case| match writer() {
            Ok(whole) => told(killed_writer(bench, &folder, whole, case)),
            Err(fault) => Some(fault.clone()),
        }),
        bench.rows_of("kills of index", kills, |case| match indexer() {
            Ok(whole) => told(killed_indexer(bench, &folder, *whole, case)),
            Err(fault) => Some(fault.clone()),
        }),
        bench.rows_of("asked to end while waiting", 8, |case| {
            told(asked(bench.program, &folder, case))
        }),
        bench.rows_of("files that may not grow", bench.size.disks, |case| {
            told(limited(bench, &folder, case))
        }),
        bench.row("full disks", || full_disks(bench, &folder)),
    ]
}

/// A child without input whose output nobody reads.
fn quiet(mut command: Command) -> io::Result<Child> {
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()
}

fn names(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// A moment within the time a command takes, from its case.
fn moment(bench: &Bench<'_>, case: u64, whole: Duration) -> Duration {
    let mut dice = Dice::nth(bench.seed ^ 0x1C1, case);
    whole.mul_f64(f64::from(dice.below(1_000)) / 1_000.0)
}

const CONVERT: [&str; 6] = [
    "convert",
    "../games.pgn",
    "--to",
    "meder",
    "--output",
    "out.pgn",
];

const INDEX: [&str; 6] = [
    "index",
    "../games.pgn",
    "--index",
    "db",
    "--format",
    "ndjson",
];

/// How long a writer takes, and what it writes.
fn whole_writer(bench: &Bench<'_>, folder: &Path) -> io::Result<(Duration, Vec<u8>)> {
    let place = folder.join("convert-whole");
    fs::create_dir(&place)?;
    let since = Instant::now();
    let whole = bench.program.run(&place, CONVERT)?;
    let took = since.elapsed();
    let expected = fs::read(place.join("out.pgn"))?;
    fs::remove_dir_all(&place)?;
    match whole.fault() {
        Some(fault) => Err(io::Error::other(fault)),
        None => Ok((took, expected)),
    }
}

/// A killed writer leaves its file whole or not there, and nothing beside it.
fn killed_writer(
    bench: &Bench<'_>,
    folder: &Path,
    (took, expected): &(Duration, Vec<u8>),
    case: u64,
) -> io::Result<Option<String>> {
    let place = folder.join(format!("convert-{case}"));
    fs::create_dir(&place)?;
    let mut child = quiet(bench.program.command(&place, CONVERT))?;
    std::thread::sleep(moment(bench, case, *took));
    child.kill()?;
    child.wait()?;
    let left = names(&place)?;
    let fault = match left.as_slice() {
        [] => None,
        [only] if only == "out.pgn" && fs::read(place.join(only))? == *expected => None,
        _ => Some(format!("left behind: {left:?}")),
    };
    fs::remove_dir_all(&place)?;
    Ok(fault)
}

/// How long an indexer takes, and the number of games.
fn whole_indexer(bench: &Bench<'_>, folder: &Path) -> io::Result<(Duration, u64)> {
    let place = folder.join("index-whole");
    fs::create_dir(&place)?;
    let since = Instant::now();
    let whole = bench.program.run(&place, INDEX)?;
    let took = since.elapsed();
    fs::remove_dir_all(&place)?;
    match (whole.fault(), number(&whole.stdout, "games")) {
        (None, Some(games)) => Ok((took, games)),
        (fault, _) => Err(io::Error::other(fault.unwrap_or("no summary".to_owned()))),
    }
}

/// A killed indexer leaves an index that is sound, and the next run brings it to its end.
fn killed_indexer(
    bench: &Bench<'_>,
    folder: &Path,
    (took, games): (Duration, u64),
    case: u64,
) -> io::Result<Option<String>> {
    let place = folder.join(format!("index-{case}"));
    fs::create_dir(&place)?;
    let mut child = quiet(bench.program.command(&place, INDEX))?;
    std::thread::sleep(moment(bench, case, took));
    child.kill()?;
    child.wait()?;
    let mut fault = None;
    if place.join("db").exists() {
        let verify = ["index", "--index", "db", "--verify", "--format", "ndjson"];
        let seen = bench.program.run(&place, verify)?;
        // An index that was not begun is none.
        if seen.code == Some(1) || seen.fault().is_some() {
            fault = Some(format!("verify: {}", String::from_utf8_lossy(&seen.stderr)));
        }
    }
    let again = bench.program.run(&place, INDEX)?;
    fault = fault.or_else(|| again.fault());
    if number(&again.stdout, "games") != Some(games) {
        let all = String::from_utf8_lossy(&again.stdout).into_owned();
        fault = fault.or(Some(format!("{games} games, and after a kill {all}")));
    }
    fs::remove_dir_all(&place)?;
    Ok(fault)
}

/// A number of the summary that `index` writes.
fn number(summary: &[u8], name: &str) -> Option<u64> {
    let summary: serde_json::Value = serde_json::from_slice(summary).ok()?;
    summary.get(name)?.as_u64()
}

/// SIGINT, SIGTERM and SIGHUP end a run that waits for standard input, for a pipe, or that has much to do, soon and with the
/// right code.
fn asked(program: &Program, folder: &Path, case: u64) -> io::Result<Option<String>> {
    if cfg!(not(unix)) {
        return Ok(None);
    }
    let (name, code) = [("INT", 130), ("TERM", 143), ("HUP", 129)][case as usize % 3];
    let pipe = folder.join(format!("pipe-{case}.pgn"));
    let mut command = match case / 2 {
        0 | 1 => program.command(folder, ["validate", "-"]),
        2 => {
            Command::new("mkfifo").arg(&pipe).status()?;
            program.command(folder, [Path::new("validate"), &pipe])
        }
        _ => {
            let many = [
                "generate",
                "--rules",
                "meder",
                "--games",
                "100000000",
                "--seed",
                "1",
            ];
            program.command(folder, many)
        }
    };
    command.stdin(Stdio::piped());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    let mut input = child.stdin.take();
    if case / 2 == 1
        && let Some(input) = &mut input
    {
        // In the middle of a game.
        input.write_all(&walk::archive(3, 2_000_000)[..1_999_990])?;
    }
    std::thread::sleep(LOOKING);
    let since = Instant::now();
    signal(child.id(), name);
    let ended = wait(&mut child, SOON + LOOKING);
    let took = since.elapsed();
    if ended.is_none() {
        child.kill()?;
        child.wait()?;
    }
    let _ = fs::remove_file(&pipe);
    Ok(match ended {
        None => Some(format!("SIG{name}: still there after {took:?}")),
        Some(status) if status.code() == Some(code) => None,
        Some(status) => Some(format!("SIG{name}: {status}")),
    })
}

/// What writes, and where.
fn writers(case: u64, games: &Path) -> Vec<PathBuf> {
    let words: Vec<&Path> = match case % 2 {
        0 => vec![
            "convert".as_ref(),
            games,
            "--to".as_ref(),
            "meder".as_ref(),
            "--output".as_ref(),
            "out.pgn".as_ref(),
            // What it says goes to a file too, in which findings would leave no room for the fault.
            "--quiet".as_ref(),
        ],
        _ => vec!["index".as_ref(), games, "--index".as_ref(), "db".as_ref()],
    };
    words.into_iter().map(Path::to_owned).collect()
}

/// What is right after a disk was full: it was said, in words that a person understands, and nothing that was there is
/// lost.
fn after_full(
    program: &Program,
    place: &Path,
    case: u64,
    seen: &super::program::Run,
) -> io::Result<Option<String>> {
    let complaint = String::from_utf8_lossy(&seen.stderr);
    if seen.hung || seen.signal.is_some() || complaint.contains("panicked") {
        return Ok(Some(format!("{:?}: {complaint}", seen.code)));
    }
    let whole = seen.code != Some(2);
    let named = ["space", "too large", "full", "quota", "no room left"]
        .iter()
        .any(|word| complaint.contains(word));
    if !whole && !named {
        return Ok(Some(format!("not called full: {complaint}")));
    }
    if case.is_multiple_of(2) {
        let left: Vec<String> = names(place)?
            .into_iter()
            .filter(|n| n != "lost+found")
            .collect();
        let expected: &[&str] = if whole { &["out.pgn"] } else { &[] };
        return Ok((left != expected).then(|| format!("{:?}, left behind: {left:?}", seen.code)));
    }
    if place.join("db").join("tridex.json").exists() {
        let verify = program.run(place, ["index", "--index", "db", "--verify"])?;
        if verify.code != Some(0) {
            return Ok(Some(format!(
                "verify: {}",
                String::from_utf8_lossy(&verify.stderr)
            )));
        }
    }
    Ok(None)
}

/// No file may become larger than some size.
fn limited(bench: &Bench<'_>, folder: &Path, case: u64) -> io::Result<Option<String>> {
    if cfg!(not(unix)) {
        return Ok(None);
    }
    let place = folder.join(format!("limited-{case}"));
    fs::create_dir(&place)?;
    let games = Path::new("../games.pgn");
    let blocks = 1 + Dice::nth(bench.seed ^ 0xF11, case).below(8_000);
    let command = bench.program.limited(&place, blocks, writers(case, games));
    let seen = run(command)?;
    let fault = after_full(bench.program, &place, case, &seen)?;
    fs::remove_dir_all(&place)?;
    Ok(fault.map(|fault| format!("{blocks} blocks: {fault}")))
}

/// File systems in memory that are too small; only who may mount them can try.
fn full_disks(bench: &Bench<'_>, folder: &Path) -> Row {
    let place = folder.join("small");
    let mount = |kilobytes: u32| -> bool {
        let size = format!("size={kilobytes}k");
        fs::create_dir_all(&place).is_ok()
            && Command::new("mount")
                .args(["-t", "tmpfs", "-o", &size, "tmpfs"])
                .arg(&place)
                .stderr(Stdio::null())
                .status()
                .is_ok_and(|status| status.success())
    };
    let unmount = || drop(Command::new("umount").arg(&place).status());
    if !mount(64) {
        return Row::of("full disks", [], |_| None)
            .noting("nothing may be mounted here: not tried");
    }
    unmount();
    let games = fs::canonicalize(folder.join("games.pgn")).unwrap_or_default();
    Row::of("full disks", bench.cases(bench.size.disks), |case| {
        let kilobytes = 4 + Dice::nth(bench.seed ^ 0xD15C, case).below(4_000);
        if !mount(kilobytes) {
            return Some("cannot be mounted".to_owned());
        }
        let seen = bench.program.run(&place, writers(case, &games));
        let fault = seen.and_then(|seen| after_full(bench.program, &place, case, &seen));
        unmount();
        let fault = fault.unwrap_or_else(|fault| Some(fault.to_string()));
        fault.map(|fault| format!("{kilobytes} kB: {fault}"))
    })
}
