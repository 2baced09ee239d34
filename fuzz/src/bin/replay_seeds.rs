//! Runs every seed through its target and ends with an error if one of them fails.
//!
//! Whatever fuzzing ever found belongs among the seeds, so this is also the test that it stays found.

use std::panic::catch_unwind;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tridex_fuzz::{TARGETS, seeds};

/// No seed may take longer: reading is linear.
const LONGEST: Duration = Duration::from_secs(20);
/// Every target has at least so many seeds.
const FEWEST: usize = 10;

fn main() -> ExitCode {
    let mut failures = 0;
    for target in TARGETS {
        let name = target.name;
        let seeds = match seeds::of(name) {
            Ok(seeds) => seeds,
            Err(fault) => {
                eprintln!("{name}: {}: {fault}", seeds::folder(name).display());
                failures += 1;
                continue;
            }
        };
        if seeds.len() < FEWEST {
            eprintln!("{name}: only {} seeds", seeds.len());
            failures += 1;
        }
        let started = Instant::now();
        for (seed, data) in &seeds {
            let started = Instant::now();
            // The panic itself is printed by the standard hook.
            if catch_unwind(|| (target.law)(data)).is_err() {
                eprintln!("{name}: {seed} FAILED");
                failures += 1;
            }
            if started.elapsed() > LONGEST {
                eprintln!("{name}: {seed} took {:?}", started.elapsed());
                failures += 1;
            }
        }
        println!("{name}: {} seeds in {:.1?}", seeds.len(), started.elapsed());
    }
    if failures == 0 {
        ExitCode::SUCCESS
    } else {
        eprintln!("{failures} failures");
        ExitCode::FAILURE
    }
}
