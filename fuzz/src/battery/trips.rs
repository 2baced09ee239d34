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
