//! Damaged inputs: of every target, and of the program.

use super::{Bench, Row, busy, processors};
use crate::{Named, TARGETS, mutate, seeds, trial, walk};
use serde_json::Value;
use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};
use tridex_rules::random::Dice;

/// An input that takes longer is a failure too.
const LONGEST: Duration = Duration::from_secs(5);

/// Damaged archives in one folder.
const TOGETHER: u64 = 50;

/// Every target on damaged seeds, on all processors.
pub fn targets(bench: &Bench<'_>) -> Vec<Row> {
    trial::hush();
    let rows = TARGETS.iter().map(|target| {
        let name = format!("target {}", target.name);
        bench.row(&name, || tried(bench, target, &name))
    });
    let rows = rows.collect();
    // Other sections may say where they panic.
    let _ = std::panic::take_hook();
    rows
}

/// One target on damaged seeds.
fn tried(bench: &Bench<'_>, target: &Named, name: &str) -> Row {
    let count = if target.deep {
        bench.size.deep
    } else {
        bench.size.parsed
    };
    let seeds: Vec<Vec<u8>> = match seeds::of(target.name) {
        Ok(seeds) => seeds.into_iter().map(|(_, data)| data).collect(),
        Err(fault) => {
            return Row::of(name, [0], |_| Some(fault.to_string()));
        }
    };
    let row = Row::on_all_processors(name, bench.cases(count), |case| {
        let data = mutate::mutated(&seeds, &mut Dice::nth(bench.seed, case));
        let before = Instant::now();
        let fault = trial::fails(target.law, &data).map(|fault| fault.what);
        let slow = || {
            if before.elapsed() <= LONGEST {
                return None;
            }
            // Others may have had the processor meanwhile: once more, and only its own time counts.
            let (since, before) = (Instant::now(), busy());
            let _ = trial::fails(target.law, &data);
            let took = busy().zip(before).map(|(now, before)| now - before);
            let took = took.unwrap_or_else(|| since.elapsed());
            (took > LONGEST).then(|| format!("takes {took:?}"))
        };
        let what = fault.or_else(slow)?;
        Some(format!("{what}: `{}`", data.escape_ascii()))
    });
    let busy = row.busy.unwrap_or(row.took * processors() as u32);
    let rate = row.cases as f64 / busy.as_secs_f64().max(0.001);
    row.noting(format!("{rate:.0} a second of one processor"))
}

/// The program on damaged archives, in folders of [`TOGETHER`]: it says something of each, and what it writes it reads
/// again without damage. A case is a folder.
pub fn program(bench: &Bench<'_>) -> Row {
    let folders = bench.size.mutants.div_ceil(TOGETHER);
    bench.row("damaged archives", || {
        let cases = bench.cases(folders);
        let mut row = Row::on_all_processors("damaged archives", cases, |case| {
            let root = bench.folder.join(format!("mutants-{case}"));
            let fault = damaged(bench, case, &root).unwrap_or_else(|fault| Some(fault.to_string()));
            let _ = fs::remove_dir_all(&root);
            fault
        });
        row.cases *= TOGETHER;
        row
    })
}

/// Writes an archive of some kind, whole.
fn archive(dice: &mut Dice) -> (&'static str, Vec<u8>) {
    let seed = dice.next_number();
    let text = walk::archive(seed, 200 + dice.below(4_000) as usize);
    match dice.below(6) {
        0 => ("csv", walk::sheet(&text)),
        1 => ("ndjson", walk::lines(&text)),
        2 => ("pgn.gz", walk::gzip(&text)),
        3 => ("pgn.zst", walk::zstd(&text)),
        _ => ("pgn", text),
    }
}

fn damaged(bench: &Bench<'_>, case: u64, root: &Path) -> io::Result<Option<String>> {
    fs::create_dir_all(root)?;
    for file in 0..TOGETHER {
        let mut dice = Dice::nth(bench.seed, case * TOGETHER + file);
        let (kind, mut data) = archive(&mut dice);
        for _ in 0..1 + dice.below(6) * dice.below(6) {
            mutate::once(&mut data, &[], &mut dice);
        }
        fs::write(root.join(format!("{file:03}.{kind}")), data)?;
    }
    let run = bench
        .program
        .run(root, ["validate", ".", "--format", "ndjson"])?;
    if let Some(fault) = run.fault() {
        return Ok(Some(format!("validate: {fault}")));
    }
    let before = match games(&run.stdout) {
        Ok(games) => games,
        Err(line) => return Ok(Some(format!("no JSON of a game: {line}"))),
    };
    for (format, notation) in [
        ("pgn", "meder"),
        ("csv", "manual"),
        ("ndjson", "millennium"),
        ("pgn", "chess3"),
        ("pgn", "own"),
        ("csv", "own"),
        ("ndjson", "own"),
    ] {
        let run = bench
            .program
            .run(root, ["convert", ".", "--to", notation, "--format", format])?;
        if let Some(fault) = run.fault() {
            return Ok(Some(format!("convert to {notation}, {format}: {fault}")));
        }
        let again = root.join(format!("written.{format}"));
        fs::write(&again, &run.stdout)?;
        let read = bench.program.run(
            root,
            [
                "validate",
                &format!("written.{format}"),
                "--format",
                "ndjson",
            ],
        )?;
        fs::remove_file(&again)?;
        let complaint = String::from_utf8_lossy(&read.stderr);
        if let Some(fault) = read.fault().or_else(|| harmed(&read.stdout)) {
            return Ok(Some(format!("{format} in {notation}, read again: {fault}")));
        }
        if complaint.contains("[damage]") {
            return Ok(Some(format!(
                "{format} in {notation}, read again: {complaint}"
            )));
        }
        if notation != "own" {
            continue;
        }
        // All games can be written so: each is there again, and those that can be replayed are the same.
        let after = games(&read.stdout).unwrap_or_default();
        let differ = |(one, other): (&Played, &Played)| one.0 && one != other;
        let place = before.iter().zip(&after).position(differ);
        if before.len() != after.len() || place.is_some() {
            let (before, after) = (before.len(), after.len());
            return Ok(Some(format!(
                "{format}, read again: {before} games became {after}, game {place:?} is another"
            )));
        }
    }
    let index = ["index", ".", "--index", "../db", "--quiet"];
    let index = index.map(|word| word.replace("../db", &format!("{}-db", root.display())));
    let db = index[3].clone();
    let run = bench.program.run(root, index.iter().map(String::as_str))?;
    let found = bench
        .program
        .run(root, ["search", "--index", &db, "--format", "pgn"])?;
    let _ = fs::remove_dir_all(&db);
    if let Some(fault) = run.fault().or_else(|| found.fault()) {
        return Ok(Some(format!("index and search: {fault}")));
    }
    fs::write(root.join("found.pgn"), &found.stdout)?;
    let again = ["validate", "found.pgn", "--format", "ndjson"];
    let again = games(&bench.program.run(root, again)?.stdout).unwrap_or_default();
    let whole = before.iter().filter(|game| game.0);
    Ok(whole.ne(&again).then(|| {
        let place = before
            .iter()
            .filter(|game| game.0)
            .zip(&again)
            .position(|(a, b)| a != b);
        format!(
            "through an index: {} games, game {place:?} is another",
            again.len()
        )
    }))
}

/// Whether a game can be replayed, and its rules, plies, last position and result.
type Played = (bool, [Value; 4]);

/// The games of which `validate` says something; else the first line that is no game.
fn games(lines: &[u8]) -> Result<Vec<Played>, String> {
    let lines = lines.split(|b| *b == b'\n').filter(|line| !line.is_empty());
    let game = |line: &[u8]| {
        let game = serde_json::from_slice::<Value>(line).ok()?;
        let is_whole = game.get("status")?.as_str()? != "invalid";
        let of = |name: &str| game.get(name).cloned().unwrap_or_default();
        Some((is_whole, ["rules", "plies", "fen", "result"].map(of)))
    };
    lines
        .map(|line| game(line).ok_or_else(|| line.escape_ascii().to_string()))
        .collect()
}

/// The first game in which something is damaged.
fn harmed(lines: &[u8]) -> Option<String> {
    let mut lines = lines.split(|b| *b == b'\n');
    let line = lines.find(|line| line.windows(15).any(|part| part == b"\"code\":\"damage\""))?;
    Some(String::from_utf8_lossy(line).chars().take(2_000).collect())
}
