//! Runs targets on mutated seeds for a while, with the stable toolchain and no more.
//!
//! `smoke [--target NAME] [--seconds N] [--seed S]`: every failure is made small and printed once, and kept in
//! `artifacts/NAME/`. Ends with an error if there was one.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tridex_fuzz::trial::{self, Fault, fails, shrunk};
use tridex_fuzz::{Named, TARGETS, Target, mutate, seeds};
use tridex_rules::random::Dice;

/// An input that takes longer is a failure too.
const LONGEST: Duration = Duration::from_secs(5);
/// Where an input fails that takes too long.
const SLOW: &str = "too slow";

fn main() -> ExitCode {
    let mut target = None;
    let (mut seconds, mut seed) = (10, 1);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let value = args.next().unwrap_or_default();
        let number = value.parse::<u64>();
        match (arg.as_str(), number) {
            ("--target", _) => target = Some(value),
            ("--seconds", Ok(n)) => seconds = n,
            ("--seed", Ok(n)) => seed = n,
            _ => {
                eprintln!("usage: smoke [--target NAME] [--seconds N] [--seed S]");
                return ExitCode::from(2);
            }
        }
    }
    trial::hush();
    let chosen: Vec<Named> = TARGETS
        .iter()
        .copied()
        .filter(|named| target.as_deref().is_none_or(|wanted| wanted == named.name))
        .collect();
    if chosen.is_empty() {
        eprintln!("there is no such target");
        return ExitCode::from(2);
    }
    let mut failed = false;
    for named in chosen {
        failed |= smoke(named.name, named.law, Duration::from_secs(seconds), seed);
    }
    if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// Runs a target; whether anything failed.
fn smoke(name: &str, target: Target, time: Duration, seed: u64) -> bool {
    let seeds: Vec<Vec<u8>> = match seeds::of(name) {
        Ok(seeds) => seeds.into_iter().map(|(_, data)| data).collect(),
        Err(fault) => {
            eprintln!("{name}: {fault}");
            return true;
        }
    };
    let started = Instant::now();
    let mut found: BTreeMap<String, u64> = BTreeMap::new();
    let mut slowest = Duration::ZERO;
    let mut tries = 0;
    while started.elapsed() < time {
        let data = mutate::mutated(&seeds, &mut Dice::nth(seed, tries));
        tries += 1;
        let before = Instant::now();
        let fault = fails(target, &data);
        let took = before.elapsed();
        slowest = slowest.max(took);
        let fault = fault.or_else(|| {
            (took > LONGEST).then(|| Fault {
                place: SLOW.to_owned(),
                what: format!("took {took:?}"),
            })
        });
        let Some(fault) = fault else {
            continue;
        };
        let kind = fault.kind();
        let times = found.entry(kind.clone()).or_default();
        *times += 1;
        if *times > 1 {
            continue;
        }
        let small = if fault.place == SLOW {
            data
        } else {
            shrunk(target, data, &kind)
        };
        let Fault { place, what } = fails(target, &small).unwrap_or(fault);
        println!("{name}: FAILED at {place}: {what}");
        println!("{name}: input `{}`", small.escape_ascii());
        keep(name, &small, &kind);
    }
    let rate = tries as f64 / started.elapsed().as_secs_f64().max(0.001);
    println!(
        "{name}: {tries} inputs in {:.0?}, {rate:.0}/s, slowest {slowest:.1?}, {} kinds of failures {:?}",
        started.elapsed(),
        found.len(),
        found.values().collect::<Vec<_>>()
    );
    !found.is_empty()
}

fn keep(name: &str, data: &[u8], kind: &str) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("artifacts")
        .join(name);
    let hash = kind.bytes().fold(7_u64, |hash, b| {
        hash.wrapping_mul(31).wrapping_add(u64::from(b))
    });
    let file = folder.join(format!("smoke-{hash:016x}"));
    let kept = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, data));
    match kept {
        Ok(()) => println!("{name}: kept as {}", file.display()),
        Err(fault) => eprintln!("{name}: {}: {fault}", file.display()),
    }
}
