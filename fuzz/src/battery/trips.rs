//! Archives that go through every notation and every form and come back, and archives read on many threads.

use super::{Bench, Row};
use crate::walk;
use serde_json::Value;
use std::fs;
use std::io;
use std::path::Path;
use tridex_rules::random::Dice;

const FORMS: [&str; 3] = ["pgn", "csv", "ndjson"];

/// Through other forms and back; and on many threads.
pub fn rows(bench: &Bench<'_>) -> Vec<Row> {
    let told = |fault: io::Result<Option<String>>| fault.unwrap_or_else(|e| Some(e.to_string()));
    vec![
        bench.rows_of("round trips", bench.size.trips, |case| {
            let place = bench.folder.join(format!("trip-{case}"));
            let fault = told(trip(bench, &place, case));
            let _ = fs::remove_dir_all(&place);
            fault
        }),
        bench.rows_of(
            "annotated games through an index",
            bench.size.trips,
            |case| {
                let place = bench.folder.join(format!("annotated-{case}"));
                let fault = told(annotated(bench, &place, case));
                let _ = fs::remove_dir_all(&place);
                fault
            },
        ),
        bench.rows_of("numbers of threads", bench.size.threads, |case| {
            let place = bench.folder.join(format!("threads-{case}"));
            let fault = told(threads(bench, &place, case));
            let _ = fs::remove_dir_all(&place);
            fault
        }),
    ]
}

/// What `validate` says of the moves: rules, plies and the last position of every game that can be written.
fn outcome(
    bench: &Bench<'_>,
    place: &Path,
    file: &str,
) -> io::Result<Result<Vec<[Value; 5]>, String>> {
    let run = bench
        .program
        .run(place, ["validate", file, "--format", "ndjson"])?;
    if let Some(fault) = run.fault() {
        return Ok(Err(fault));
    }
    let mut games = Vec::new();
    for line in run
        .stdout
        .split(|b| *b == b'\n')
        .filter(|line| !line.is_empty())
    {
        let Ok(game) = serde_json::from_slice::<Value>(line) else {
            return Ok(Err(format!("no JSON: {}", line.escape_ascii())));
        };
        let of = |name: &str| game.get(name).cloned().unwrap_or_default();
        games.push(["rules", "plies", "fen", "result", "outcome"].map(of));
    }
    Ok(Ok(games))
}

fn trip(bench: &Bench<'_>, place: &Path, case: u64) -> io::Result<Option<String>> {
    fs::create_dir_all(place)?;
    let mut dice = Dice::nth(bench.seed ^ 0x721, case);
    let cube = dice.one_in(2);
    let notations = if cube {
        ["millennium", "chess3"]
    } else {
        ["meder", "manual"]
    };
    let all = walk::archive(dice.next_number(), 40_000);
    let family = |variant: &str| (variant == "millennium" || variant == "chess3") == cube;
    fs::write(place.join("0.pgn"), walk::only(&all, family))?;
    let mut file = "0.pgn".to_owned();
    let first = match outcome(bench, place, &file)? {
        Ok(first) => first,
        Err(fault) => return Ok(Some(fault)),
    };
    for leg in 1..=4 {
        let notation = notations[dice.below(2) as usize];
        let form = FORMS[dice.below(3) as usize];
        let next = format!("{leg}.{form}");
        let arguments = [
            "convert", &file, "--to", notation, "--format", form, "--output", &next,
        ];
        let run = bench.program.run(place, arguments)?;
        if let Some(fault) = run
            .fault()
            .or_else(|| (run.code != Some(0)).then(|| "falls short".to_owned()))
        {
            let complaint = String::from_utf8_lossy(&run.stderr);
            return Ok(Some(format!(
                "{file} to {notation}, {form}: {fault}: {complaint}"
            )));
        }
        match outcome(bench, place, &next)? {
            Ok(games) if games == first => {}
            Ok(games) => {
                let differs = games.iter().zip(&first).position(|(a, b)| a != b);
                let (now, before) = (games.len(), first.len());
                return Ok(Some(format!(
                    "{file} to {notation}, {form}: {before} games became {now}, game {differs:?} is another"
                )));
            }
            Err(fault) => return Ok(Some(fault)),
        }
        file = next;
    }
    Ok(None)
}

/// Games with everything a record may hold: an index gives them back as conversion writes them, and finds itself whole.
fn annotated(bench: &Bench<'_>, place: &Path, case: u64) -> io::Result<Option<String>> {
    fs::create_dir_all(place)?;
    let mut dice = Dice::nth(bench.seed ^ 0xA220, case);
    let systems = ["meder", "manual", "federation", "millennium", "chess3"];
    let (rules, seed) = (
        systems[dice.below(5) as usize],
        dice.next_number().to_string(),
    );
    let ask = [
        "generate",
        "--rules",
        rules,
        "--games",
        "100",
        "--annotated",
        "--seed",
        &seed,
    ];
    let generate = [&ask[..], &["--output", "a.pgn"]].concat();
    let steps: [&[&str]; 4] = [
        &generate,
        &["index", "a.pgn", "--index", "db", "--verify"],
        &["convert", "a.pgn", "--to", "own"],
        &["search", "--index", "db", "--format", "pgn"],
    ];
    let mut written = Vec::new();
    for step in steps {
        let run = bench.program.run(place, step.iter().copied())?;
        let falls_short = || (run.code != Some(0)).then(|| "falls short".to_owned());
        if let Some(fault) = run.fault().or_else(falls_short) {
            let complaint = String::from_utf8_lossy(&run.stderr);
            return Ok(Some(format!("{step:?}: {fault}: {complaint}")));
        }
        let lines = run.stdout.split_inclusive(|b| *b == b'\n');
        let moves: Vec<u8> = lines
            .filter(|line| !line.starts_with(b"["))
            .flatten()
            .copied()
            .collect();
        written.push(moves);
    }
    let [.., converted, found] = written.as_slice() else {
        return Ok(None);
    };
    let lines = |text: &[u8]| {
        text.split(|b| *b == b'\n')
            .map(<[u8]>::to_vec)
            .collect::<Vec<_>>()
    };
    let differs = lines(converted)
        .into_iter()
        .zip(lines(found))
        .find(|(a, b)| a != b);
    Ok((converted != found).then(|| {
        let (a, b) = differs.unwrap_or_default();
        let (a, b) = (a.escape_ascii(), b.escape_ascii());
        format!("{rules}, seed {seed}: converted {a}, from the index {b}")
    }))
}

/// What was said without the lines of a summary that tell how long it took.
fn timeless(said: &[u8]) -> Vec<u8> {
    let lines = said.split_inclusive(|b| *b == b'\n');
    let kept = lines.filter(|line| !line.starts_with(b"time ") && !line.starts_with(b"plies/s "));
    kept.collect::<Vec<_>>().concat()
}

fn threads(bench: &Bench<'_>, place: &Path, case: u64) -> io::Result<Option<String>> {
    fs::create_dir_all(place)?;
    let mut dice = Dice::nth(bench.seed ^ 0x7412, case);
    let mut text = walk::archive(dice.next_number(), 1_500_000);
    for _ in 0..40 {
        crate::mutate::once(&mut text, &[], &mut dice);
    }
    fs::write(place.join("games.pgn"), text)?;
    let jobs: [&[&str]; 4] = [
        &["validate", "games.pgn", "--format", "ndjson"],
        &["validate", "games.pgn", "--errors-only", "--format", "csv"],
        &["convert", "games.pgn", "--to", "manual"],
        &["stats", "games.pgn", "--format", "ndjson"],
    ];
    let job = jobs[dice.below(4) as usize];
    let mut first = None;
    for threads in ["1", "2", "3", "8"] {
        let run = bench
            .program
            .run(place, job.iter().copied().chain(["--threads", threads]))?;
        if let Some(fault) = run.fault() {
            return Ok(Some(format!("{job:?}, {threads} threads: {fault}")));
        }
        let all = (run.code, timeless(&run.stdout), timeless(&run.stderr));
        match &first {
            None => first = Some(all),
            Some(first) if *first == all => {}
            Some(_) => {
                return Ok(Some(format!(
                    "{job:?}: {threads} threads say another thing than one"
                )));
            }
        }
    }
    Ok(None)
}
