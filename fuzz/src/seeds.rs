//! The seed corpus: files that people wrote, and inputs too large for files.

use crate::walk;
use std::io;
use std::path::{Path, PathBuf};
use tridex_rules::random::Dice;

/// The folder of a target's seeds; targets that read the same kind of thing share one.
#[must_use]
pub fn folder(target: &str) -> PathBuf {
    let shared = match target {
        "pgn" | "sheet" | "ndjson" => "archive_split",
        "meaning" => "meder",
        "positions" => "position_string",
        "patterns_mean" => "pattern",
        _ => target,
    };
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("seeds")
        .join(shared)
}

/// Whether each line of a seed file is a seed of its own: texts of small languages.
fn is_of_lines(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "lines.txt")
}

/// The seeds of a target with their names, sorted, the generated ones last.
///
/// # Errors
/// If the folder or a file in it cannot be read. A target whose seeds are all generated has no folder.
pub fn of(target: &str) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut found = Vec::new();
    let folder = folder(target);
    let generated = generated(target);
    if folder.is_dir() || generated.is_empty() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let data = std::fs::read(&path)?;
            if is_of_lines(&path) {
                let lines = data.split(|b| *b == b'\n').filter(|line| !line.is_empty());
                found.extend(
                    lines.map(|line| (String::from_utf8_lossy(line).into_owned(), line.to_vec())),
                );
            } else {
                found.push((name.into_owned(), data));
            }
        }
    }
    found.sort();
    found.extend(generated);
    Ok(found)
}

/// Inputs that are large but have a short description: tokens, ranks, comments and nesting of 100,000 bytes.
#[must_use]
pub fn generated(target: &str) -> Vec<(String, Vec<u8>)> {
    const MANY: usize = 100_000;
    let run = |unit: &str| unit.repeat(MANY / unit.len());
    let game = |moves: &str| format!("[Event \"x\"]\n\n{moves} *\n");
    let texts: Vec<(&str, String)> = match target {
        "meder" | "manual" | "millennium" | "chess3" => vec![
            ("long-file", run("a")),
            ("long-praise", format!("b4N{}", run("!?"))),
            ("long-glyph", format!("1e4${}", run("9"))),
            ("long-blanks", format!("b3,WB{}-b5,NB", run(" "))),
            ("long-offers", format!("0-0{}", run("(=)"))),
            ("long-level", format!("1{}", run("e4"))),
            ("long-marks", format!("QL1{}", run("+#"))),
            ("many-lines", run("x\n")),
        ],
        "position_string" => vec![
            ("long-rank", run("p")),
            ("long-counts", run("1")),
            ("long-ranks", run("8/")),
            ("long-boards", run("4/4/4/4|")),
            ("long-turn", format!("8 {}", run("w"))),
            ("long-spaces", run(" ")),
        ],
        "replay" => vec![
            // Few of them: each is replayed four times.
            ("long-token", game(&format!("1. {}", run("a")))),
            (
                "deep",
                game(&format!("1. b4N {}", "(1. b4N ".repeat(2_000))),
            ),
            ("repeated", game(&"Nc2W Nc7B Na1W Na8B ".repeat(60))),
            ("ambiguous", game(&"b5 ".repeat(200))),
            ("comment", game(&format!("1. b4N {{{}}}", run("c ")))),
        ],
        // Each is split in many ways, and small.
        "archive_split" => vec![
            ("open-brackets", "[".repeat(900)),
            ("open-braces", "{[Event \"".repeat(90)),
            ("open-variations", format!("1. b4N {}", "(".repeat(900))),
            ("results", "1-0 ".repeat(250)),
            ("quotes", "\"".repeat(900)),
        ],
        "pgn" | "sheet" | "ndjson" => vec![
            ("open-brackets", run("[")),
            ("open-braces", run("{\n")),
            ("open-variations", format!("1. b4N {}", run("("))),
            ("results", run("1-0 ")),
            ("quotes", run("\"")),
            ("columns", format!("no,white,black{}\n1,b4N", run(","))),
            ("tags", run("[A \"")),
            ("deep", format!("{{\"moves\":{}", run("["))),
        ],
        "decompression" => return packed(),
        "writers" | "notations" | "fast_slow" | "packed_moves" => return walks(),
        "pattern" | "query" | "material" => vec![
            ("brackets", "(".repeat(4_000)),
            ("nots", "not ".repeat(1_000)),
            ("long", run("a")),
        ],
        _ => Vec::new(),
    };
    texts
        .into_iter()
        .map(|(name, text)| (format!("generated:{name}"), text.into_bytes()))
        .collect()
}

/// Small archives, packed in every way, whole and cut.
fn packed() -> Vec<(String, Vec<u8>)> {
    let mut seeds = Vec::new();
    for (kind, text) in [
        ("short", walk::archive(1, 300)),
        ("longer", walk::archive(2, 5_000)),
    ] {
        let mut bzip2 = Vec::new();
        let mut reader = bzip2::read::BzEncoder::new(text.as_slice(), bzip2::Compression::fast());
        // Reading from memory does not fail.
        let _ = io::Read::read_to_end(&mut reader, &mut bzip2);
        for (form, whole) in [
            ("gz", walk::gzip(&text)),
            ("zst", walk::zstd(&text)),
            ("bz2", bzip2),
        ] {
            let half = whole.get(..whole.len() / 2).unwrap_or_default().to_vec();
            let twice = [whole.clone(), whole.clone()].concat();
            for (state, data) in [("whole", whole), ("half", half), ("twice", twice)] {
                seeds.push((format!("generated:{kind}-{state}.{form}"), data));
            }
        }
    }
    seeds
}

/// Bytes that choose games.
fn walks() -> Vec<(String, Vec<u8>)> {
    let walk = |seed: u64| {
        let mut dice = Dice::new(seed);
        let length = 2 + dice.below(200) as usize;
        let bytes = (0..length).map(|_| dice.next_number() as u8).collect();
        (format!("generated:walk-{seed}"), bytes)
    };
    (0..40).map(walk).collect()
}
