//! The published figures of `corpus/perft`: the engine counts so, and the oracle does.
//!
//! A line is a position string and then `;D<depth> <count>` for each depth; see `corpus/perft/SOURCE.txt`.

use crate::support::position;
use rayon::prelude::*;
use tridex_rules::{Position, RuleSystem, oracle};

/// One count of one position, with its place in the file.
struct Case {
    place: String,
    position: Position,
    depth: u32,
    count: u64,
}

/// All counts of all systems.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for rules in RuleSystem::ALL {
        let file = format!("corpus/perft/{}.epd", rules.name());
        let text = std::fs::read_to_string(&file).unwrap_or_else(|fault| panic!("{file}: {fault}"));
        for (number, line) in (1..).zip(text.lines()) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let place = format!("{file}:{number}");
            let mut fields = line.split(';').map(str::trim);
            let position = position(*rules, fields.next().unwrap_or_default());
            let before = cases.len();
            for (wanted, field) in (1..).zip(fields) {
                let counts = field
                    .strip_prefix('D')
                    .and_then(|field| field.split_once(' '));
                let (depth, count) = counts.unwrap_or_else(|| panic!("{place}: {field}"));
                assert_eq!(
                    depth.parse(),
                    Ok(wanted),
                    "{place}: depths follow one another from 1"
                );
                cases.push(Case {
                    place: place.clone(),
                    position: position.clone(),
                    depth: wanted,
                    count: count.parse().unwrap_or_else(|_| panic!("{place}: {field}")),
                });
            }
            assert!(cases.len() >= before + 3, "{place}: three depths at least");
        }
    }
    cases
}

/// Counts all cases of at most so many sequences; says where a count is another.
fn hold(most: u64, count: impl Fn(&Case) -> u64 + Sync) -> usize {
    let cases: Vec<Case> = cases()
        .into_iter()
        .filter(|case| case.count <= most)
        .collect();
    let faults: Vec<String> = cases
        .par_iter()
        .filter_map(|case| {
            let found = count(case);
            (found != case.count).then(|| {
                format!(
                    "{} D{}: {found}, not {}",
                    case.place, case.depth, case.count
                )
            })
        })
        .collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    cases.len()
}

fn by_engine(case: &Case) -> u64 {
    case.position.perft(case.depth)
}

fn by_oracle(case: &Case) -> u64 {
    oracle::perft(case.position.rules(), &case.position.to_setup(), case.depth)
}

#[test]
fn the_engine_counts_as_published() {
    assert!(hold(200_000, by_engine) > 280);
}

#[test]
fn the_oracle_counts_as_published() {
    assert!(hold(6_000, by_oracle) > 180);
}

#[test]
#[ignore = "counts some 400 million sequences: a few seconds in a release build, minutes in a debug build"]
fn the_engine_counts_as_published_to_every_depth() {
    assert!(hold(u64::MAX, by_engine) > 400);
}

#[test]
#[ignore = "the oracle plays every move on a copy: some minutes in a release build"]
fn the_oracle_counts_as_published_to_300_000_sequences() {
    assert!(hold(300_000, by_oracle) > 300);
}
