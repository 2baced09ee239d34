//! The seed corpus: files that people wrote, and inputs too large for files.

use std::io;
use std::path::{Path, PathBuf};

/// The folder of a target's seeds.
#[must_use]
pub fn folder(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("seeds")
        .join(target)
}

/// The seeds of a target with their names, sorted, the generated ones last.
///
/// # Errors
/// If the folder or a file in it cannot be read.
pub fn of(target: &str) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder(target))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        found.push((name.into_owned(), std::fs::read(&path)?));
    }
    found.sort();
    found.extend(generated(target));
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
        _ => Vec::new(),
    };
    texts
        .into_iter()
        .map(|(name, text)| (format!("generated:{name}"), text.into_bytes()))
        .collect()
}
