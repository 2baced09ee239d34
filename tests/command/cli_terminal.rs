//! What a terminal, a pipe and a program that watches get.

use crate::program::fed;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use unicode_width::UnicodeWidthStr;

fn run(folder: &Path, arguments: &str) -> Output {
    let arguments: Vec<&str> = arguments.split(' ').collect();
    fed(folder, &arguments, b"")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A folder with many games and an index of some of them.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (name, games) in [("many.pgn", "4000"), ("few.pgn", "30")] {
        let ask = format!("generate --rules meder --games {games} --seed 3 -o {name}");
        assert_eq!(run(at, &ask).status.code(), Some(0));
    }
    assert_eq!(
        run(at, "index few.pgn --index db -q").status.code(),
        Some(0)
    );
    folder
}

/// Enough hits that no buffer takes them all.
fn large_index(at: &Path) {
    let ask = "generate --rules chess3 --games 3000 --plies 2 --seed 3 -o short.pgn";
    assert_eq!(run(at, ask).status.code(), Some(0));
    assert_eq!(
        run(at, "index short.pgn --index large -q").status.code(),
        Some(0)
    );
}

#[test]
fn a_closed_pipe_is_quiet_in_every_format() {
    let folder = folder();
    let at = folder.path();
    large_index(at);
    let mut asked = Vec::new();
    for format in ["pgn", "ndjson", "csv"] {
        asked.push(format!(
            "generate --rules meder --games 4000 --seed 1 --format {format}"
        ));
        asked.push(format!("convert many.pgn --to manual --format {format}"));
        asked.push(format!("search --index large --format {format}"));
    }
    for format in ["ndjson", "csv"] {
        asked.push(format!("validate many.pgn --format {format}"));
    }
    asked.push("search --index large --limit 100000".to_owned());
    asked.push("dedupe many.pgn many.pgn -o -".to_owned());
    for ask in asked {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tridex"))
            .args(ask.split(' '))
            .current_dir(at)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(stderr(&output), "", "{ask}");
        assert_eq!(output.status.code(), Some(0), "{ask}");
    }
}

#[test]
fn short_options_say_what_long_ones_say() {
    let folder = folder();
    let at = folder.path();
    for (short, long) in [
        (
            "validate few.pgn -f ndjson -j 2 -q",
            "validate few.pgn --format ndjson --threads 2 --quiet",
        ),
        (
            "convert few.pgn --to manual -f csv -j 1",
            "convert few.pgn --to manual --format csv --threads 1",
        ),
        (
            "stats few.pgn -n 1 -j 2",
            "stats few.pgn --top 1 --threads 2",
        ),
        (
            "search --index db -n 3 -f ndjson",
            "search --index db --limit 3 --format ndjson",
        ),
        (
            "generate --rules meder -n 3 --seed 1 -f ndjson",
            "generate --rules meder --games 3 --seed 1 --format ndjson",
        ),
        (
            "openings --index db --rules meder -f csv",
            "openings --index db --rules meder --format csv",
        ),
        (
            "dedupe few.pgn -q -f ndjson",
            "dedupe few.pgn --quiet --format ndjson",
        ),
    ] {
        let (short, long) = (run(at, short), run(at, long));
        assert_eq!(short.status.code(), Some(0), "{}", stderr(&short));
        assert_eq!(stdout(&short), stdout(&long));
        assert_eq!(stderr(&short), stderr(&long));
    }
}

#[test]
fn quiet_leaves_results_only() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("bad.pgn"), "[Variant \"meder\"]\n\n1. b4N Qe9 *\n").unwrap();
    for ask in [
        "validate bad.pgn -q",
        "convert bad.pgn --to manual -q",
        "stats bad.pgn -q",
        "dedupe bad.pgn -q",
        "index bad.pgn --index other -q",
    ] {
        let output = run(at, ask);
        assert_eq!(output.status.code(), Some(1), "{ask}");
        assert_eq!(stderr(&output), "", "{ask}");
    }
    assert_eq!(stdout(&run(at, "dedupe few.pgn -q")), "");
    assert_eq!(stdout(&run(at, "index few.pgn --index db -q")), "");
    assert!(!stdout(&run(at, "search --index db -q")).contains(" games\n"));
    // What could not be read is said all the same.
    let gone = run(at, "validate gone.pgn -q");
    assert_eq!(gone.status.code(), Some(2));
    assert!(stderr(&gone).contains("gone.pgn: cannot be opened"));
}

#[test]
fn progress_is_told_to_programs_that_ask() {
    let folder = folder();
    let at = folder.path();
    let size = fs::metadata(at.join("many.pgn")).unwrap().len();
    for (ask, total, games) in [
        ("validate many.pgn --errors-only -f ndjson -q", size, 4000),
        ("convert many.pgn --to manual -o out.pgn", size, 4000),
        ("index many.pgn --index new -q", size, 4000),
        (
            "generate --rules meder -n 2000 --seed 1 -o made.pgn",
            2000,
            2000,
        ),
    ] {
        let output = run(at, &format!("{ask} --progress json"));
        assert_eq!(output.status.code(), Some(0));
        let text = stderr(&output);
        let lines: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let (last, before) = lines.split_last().unwrap();
        assert!(before.iter().all(|line| line["done"] == false));
        assert_eq!(last["done"], true);
        assert_eq!(last["kind"], "progress");
        assert_eq!(
            (&last["bytes"], &last["total"]),
            (&total.into(), &total.into()),
            "{ask}"
        );
        assert_eq!(last["games"], games);
        assert!(last["seconds"].as_f64().unwrap() >= 0.0);
        let bytes: Vec<u64> = lines
            .iter()
            .map(|line| line["bytes"].as_u64().unwrap())
            .collect();
        assert!(bytes.is_sorted());
        // Nothing of it without being asked.
        assert_eq!(stderr(&run(at, &ask.replace("new", "newer"))), "");
        assert_eq!(
            stderr(&run(
                at,
                &format!("{ask} --no-progress").replace("new", "newest")
            )),
            ""
        );
    }
    let piped = fed(
        at,
        &["stats", "-", "--progress", "json"],
        &fs::read(at.join("few.pgn")).unwrap(),
    );
    let last = stderr(&piped);
    let last: Value = serde_json::from_str(last.lines().last().unwrap()).unwrap();
    assert_eq!((&last["total"], &last["games"]), (&Value::Null, &30.into()));
    for wrong in ["--progress json --no-progress", "--progress maybe"] {
        assert_eq!(
            run(at, &format!("stats few.pgn {wrong}")).status.code(),
            Some(2),
            "{wrong}"
        );
    }
}

/// What a command prints where there are so many columns.
fn printed_in(columns: &str, at: &Path, ask: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_tridex"))
        .args(ask)
        .current_dir(at)
        .env("COLUMNS", columns)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{ask:?}");
    stdout(&output)
}

#[test]
fn tables_fit_a_terminal_and_are_whole_in_a_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("db");
    let (db, out) = (db.to_str().unwrap(), folder.path().join("out"));
    let made = ["index", "corpus/games", "--index", db, "-q"];
    printed_in("80", root, &made);
    let search = ["search", "--index", db, "--pattern", "check"];
    let tables: [&[&str]; 5] = [
        &search,
        &["openings", "--index", db, "--rules", "meder"],
        &["stats", "corpus/games"],
        &["stats", "corpus/games", "--by", "player"],
        &["stats", "corpus/games", "--by", "opening"],
    ];
    for ask in tables {
        let narrow = printed_in("80", root, ask);
        assert!(narrow.lines().count() > 5);
        for line in narrow.lines() {
            assert!(line.width() <= 80, "{ask:?}: {line}");
        }
    }
    // What has gone for want of room is said, what can be asked for again is there, and a file takes everything.
    let narrow = printed_in("80", root, &search);
    assert!(narrow.contains("; no room for plies"), "{narrow}");
    let wide = printed_in("300", root, &search);
    assert!(!wide.contains("no room") && wide.contains("corpus/games/generated/"));
    let id = wide.lines().nth(1).unwrap();
    let id = id
        .split_whitespace()
        .find(|word| word.len() == 16 && word.bytes().all(|b| b.is_ascii_hexdigit()));
    assert!(narrow.contains(id.unwrap()));
    printed_in(
        "80",
        root,
        &[&search[..], &["-o", out.to_str().unwrap()]].concat(),
    );
    assert_eq!(fs::read_to_string(out).unwrap(), wide);
}
