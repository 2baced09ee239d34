//! Runs targets on mutated seeds for a while, with the stable toolchain and no more.
//!
//! `smoke [--target NAME] [--seconds N] [--seed S]`: every failure is made small and printed once, and kept in
//! `artifacts/NAME/`. Ends with an error if there was one.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tridex_fuzz::{TARGETS, Target, mutate, seeds};
use tridex_rules::random::Dice;

/// An input that takes longer is a failure too.
const LONGEST: Duration = Duration::from_secs(5);
/// Tries to make a failing input smaller.
const SHRINKING: Duration = Duration::from_secs(20);

/// Where the last panic was, and what it said.
static LAST: Mutex<(String, String)> = Mutex::new((String::new(), String::new()));

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
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        let what = info.payload();
        let what = what
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| what.downcast_ref::<&str>().map(|text| (*text).to_owned()))
            .unwrap_or_default();
        if let Ok(mut last) = LAST.lock() {
            *last = (place, what);
        }
    }));
    let chosen: Vec<(&str, Target)> = TARGETS
        .into_iter()
        .filter(|(name, _)| target.as_deref().is_none_or(|wanted| wanted == *name))
        .collect();
    if chosen.is_empty() {
        eprintln!("there is no such target");
        return ExitCode::from(2);
    }
    let mut failed = false;
    for (name, target) in chosen {
        failed |= smoke(name, target, Duration::from_secs(seconds), seed);
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
            (took > LONGEST).then(|| ("too slow".to_owned(), format!("took {took:?}")))
        });
        let Some((place, what)) = fault else {
            continue;
        };
        let kind = kind(&place, &what);
        let times = found.entry(kind.clone()).or_default();
        *times += 1;
        if *times > 1 {
            continue;
        }
        let small = if place == "too slow" {
            data
        } else {
            shrunk(target, data, &kind)
        };
        let (place, what) = fails(target, &small).unwrap_or((place, what));
        println!("{name}: FAILED at {place}: {what}");
        println!("{name}: input `{}`", small.escape_ascii());
        keep(name, &small, &kind);
    }
    println!(
        "{name}: {tries} inputs in {:.0?}, slowest {slowest:.1?}, {} kinds of failures {:?}",
        started.elapsed(),
        found.len(),
        found.values().collect::<Vec<_>>()
    );
    !found.is_empty()
}

/// Where a target fails on an input and what is said, if it does.
fn fails(target: Target, data: &[u8]) -> Option<(String, String)> {
    catch_unwind(AssertUnwindSafe(|| target(data))).err()?;
    LAST.lock().ok().map(|last| last.clone())
}

/// Failures of one kind are told once: the place of the panic, and the law.
fn kind(place: &str, what: &str) -> String {
    let law: String = what
        .chars()
        .take_while(|c| !matches!(c, '`' | '{' | '"' | '('))
        .filter(|c| !c.is_ascii_digit())
        .take(60)
        .collect();
    format!("{place} {law}")
}

/// Takes pieces out of an input as long as it fails in the same way.
fn shrunk(target: Target, mut data: Vec<u8>, kind: &str) -> Vec<u8> {
    let started = Instant::now();
    let mut piece = data.len() / 2;
    while piece > 0 && started.elapsed() < SHRINKING {
        let mut at = 0;
        while at < data.len() && started.elapsed() < SHRINKING {
            let mut fewer = data.clone();
            fewer.drain(at..(at + piece).min(data.len()));
            let same = fails(target, &fewer)
                .is_some_and(|(place, what)| self::kind(&place, &what) == kind);
            if same {
                data = fewer;
            } else {
                at += piece;
            }
        }
        piece /= 2;
    }
    data
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
