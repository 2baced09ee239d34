//! Archives cut into pieces: whoever reads the pieces, together or each by itself, says what is said of the whole.

use crate::program::fed;
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Output;

fn run(at: &Path, arguments: &[&str], input: &[u8]) -> Output {
    fed(at, arguments, input)
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn generated(at: &Path, rules: &str, arguments: &[&str]) -> String {
    let mut all = vec!["generate", "--rules", rules, "--games", "9", "--seed", "5"];
    all.extend(arguments);
    let made = run(at, &all, b"");
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    stdout(&made)
}

/// A folder of archives of every kind, some of them damaged.
fn archives(at: &Path) {
    let games = at.join("games");
    fs::create_dir(&games).unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(games.join(name), bytes).unwrap();
    let meder = generated(at, "meder", &["--annotated"]);
    write("a.pgn", meder.as_bytes());
    // The same with a mark before it, lines that end otherwise, and no end.
    let odd = meder.replace('\n', "\r\n");
    write(
        "b.pgn",
        format!("\u{feff}{}", &odd[..odd.len() - 40]).as_bytes(),
    );
    let sheet = generated(at, "manual", &["--format", "csv"]);
    write("c.csv", sheet.as_bytes());
    let lines = generated(at, "millennium", &["--format", "ndjson"]);
    write("d.ndjson", lines.as_bytes());
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed
        .write_all(generated(at, "chess3", &[]).as_bytes())
        .unwrap();
    let packed = packed.finish().unwrap();
    write("e.pgn.gz", &packed);
    write("f.pgn.gz", &packed[..packed.len() / 2]);
    let wide: Vec<u8> = "\u{feff}"
        .encode_utf16()
        .chain(meder.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    write("g.pgn", &wide);
    // Damage: a comment that is never closed, a move that is none, bytes that are no text.
    let broken = meder
        .replacen("1. ", "{ 1. ", 1)
        .replacen(" 2. ", " 2. xx ", 3);
    let mut broken = broken.into_bytes();
    broken.splice(900..900, *b"\x00\xff\xfe}");
    write("h.pgn", &broken);
    write("i.txt", b"1. b4N b5B 2. c3W a6N *\n\n1. c3W *\n{behind\n");
    write("j.pgn", b"");
    write("k.pgn", b"PK\x03\x04 this is no game");
}

fn plan(at: &Path, target: &str) -> String {
    let plan = run(at, &["plan", "games", "--target", target], b"");
    assert_eq!(plan.status.code(), Some(0), "{}", stderr(&plan));
    stdout(&plan)
}

#[test]
fn pieces_say_what_the_whole_says_read_together_or_each_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    archives(at);
    for options in [
        &["--format", "ndjson"][..],
        &["--format", "csv"],
        &["--problems", "--format", "ndjson"],
        &["--format", "text"],
    ] {
        let validate = |rest: &[&str], input: &str| {
            let arguments = [&["validate", "--quiet"], options, rest].concat();
            let output = run(at, &arguments, input.as_bytes());
            assert_ne!(
                output.status.code(),
                Some(2),
                "{arguments:?}: {}",
                stderr(&output)
            );
            stdout(&output)
        };
        let whole = stdout(&run(
            at,
            &[&["validate", "--quiet"], options, &["games"]].concat(),
            b"",
        ));
        assert!(whole.len() > 3_000, "{whole}");
        for target in ["1", "900", "64MiB"] {
            let plan = plan(at, target);
            assert_eq!(
                validate(&["--plan", "-"], &plan),
                whole,
                "{options:?} {target}"
            );
            assert_eq!(validate(&["--plan", "-", "-j", "1"], &plan), whole);
            if target == "64MiB" {
                continue;
            }
            let heading = match options {
                ["--format", "csv"] => whole.split_inclusive('\n').next().unwrap(),
                _ => "",
            };
            let mut apart = heading.to_owned();
            for piece in plan.lines().step_by(1) {
                let said = validate(&["--plan", "-"], piece);
                apart.push_str(said.strip_prefix(heading).unwrap());
            }
            assert_eq!(apart, whole, "{options:?} {target}");
        }
    }
}

#[test]
fn a_plan_covers_every_byte_once_and_says_what_cannot_be_cut() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    archives(at);
    let plan = plan(at, "2000");
    let rows: Vec<Value> = plan
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let mut files = std::collections::BTreeMap::<&str, (u64, u64)>::new();
    for row in &rows {
        let number = |field: &str| row[field].as_u64().unwrap();
        let (end, game) = files.entry(row["path"].as_str().unwrap()).or_insert((0, 1));
        assert_eq!(number("offset"), *end, "{row}");
        assert_eq!(number("first_game"), *game, "{row}");
        *end += number("length");
        if row["uncut"].is_null() {
            *game += number("games");
            assert!(number("length") >= 2000 || *end == number("size"), "{row}");
        } else {
            assert_eq!(number("length"), number("size"), "{row}");
            assert!(row["games"].is_null(), "{row}");
        }
    }
    for (path, (end, _)) in &files {
        assert_eq!(fs::metadata(at.join(path)).unwrap().len(), *end, "{path}");
    }
    let uncut = |path: &str| {
        let row = rows.iter().find(|row| row["path"] == path).unwrap();
        row["uncut"].as_str().map(str::to_owned)
    };
    assert_eq!(uncut("games/a.pgn"), None);
    assert_eq!(uncut("games/e.pgn.gz").as_deref(), Some("gzip"));
    assert_eq!(uncut("games/g.pgn").as_deref(), Some("utf-16"));
    assert_eq!(uncut("games/k.pgn").as_deref(), Some("foreign"));
    let cut = rows.iter().filter(|row| row["path"] == "games/a.pgn");
    assert!(cut.count() > 3);
}

#[test]
fn what_is_no_piece_of_this_file_is_told_and_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("games")).unwrap();
    let text = generated(at, "meder", &[]);
    fs::write(at.join("games/a.pgn"), &text).unwrap();
    let plan = plan(at, "900");
    let second = plan.lines().nth(1).unwrap();
    let refused = |line: &str, why: &str| {
        let output = run(
            at,
            &["validate", "--format", "ndjson", "--plan", "-"],
            line.as_bytes(),
        );
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert_eq!(stdout(&output), "", "{line}");
        assert!(stderr(&output).contains(why), "{line}: {}", stderr(&output));
    };
    let changed = |field: &str, value: Value| {
        let mut row: Value = serde_json::from_str(second).unwrap();
        row[field] = value;
        row.to_string()
    };
    refused(&changed("offset", 901.into()), "checksum mismatch");
    refused(&changed("first_game", 1.into()), "checksum mismatch");
    refused(&changed("first_line", 1.into()), "checksum mismatch");
    refused(
        &changed("length", (1_u64 << 40).into()),
        "after the end of the file",
    );
    refused(
        &changed("offset", u64::MAX.into()),
        "after the end of the file",
    );
    refused(&changed("offset", (-1).into()), "-:1: not a line of a plan");
    refused(&changed("size", 7.into()), "after the end of the file");
    refused(&changed("seal", "x".into()), "checksum mismatch");
    refused(&changed("uncut", "tar".into()), "checksum mismatch");
    refused(&changed("first_game", 0.into()), "checksum mismatch");
    refused(&changed("path", "games".into()), "is a folder");
    refused(&changed("path", "gone.pgn".into()), "cannot be opened");
    refused("games/a.pgn", "-:1: not a line of a plan");
    refused("{}", "missing field");
    // The rest of a plan is read all the same.
    let both = format!("nonsense\n\n{second}\n");
    let output = run(
        at,
        &["validate", "--format", "ndjson", "--plan", "-"],
        both.as_bytes(),
    );
    assert_eq!(output.status.code(), Some(2));
    let alone = run(
        at,
        &["validate", "--format", "ndjson", "--plan", "-"],
        second.as_bytes(),
    );
    assert_eq!(alone.status.code(), Some(0), "{}", stderr(&alone));
    assert_eq!(output.stdout, alone.stdout);
    assert!(!alone.stdout.is_empty());
    // A plan without pieces is one; a plan that is not there is none.
    let empty = run(at, &["validate", "--plan", "-"], b"");
    assert_eq!(empty.status.code(), Some(0), "{}", stderr(&empty));
    assert_eq!(
        run(at, &["validate", "--plan", "no.ndjson"], b"")
            .status
            .code(),
        Some(2)
    );
    // A byte of the piece is another, though the file is as long as it was.
    let at_second: Value = serde_json::from_str(second).unwrap();
    let at_second = at_second["offset"].as_u64().unwrap() as usize;
    let mut other = text.clone().into_bytes();
    other[at_second + 9] ^= 1;
    fs::write(at.join("games/a.pgn"), &other).unwrap();
    refused(second, "checksum mismatch");
    fs::write(at.join("games/a.pgn"), &text[..text.len() - 1]).unwrap();
    refused(second, "the size of the file differs");
}

#[test]
fn an_index_of_pieces_in_any_order_answers_as_that_of_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    archives(at);
    let whole = run(
        at,
        &["index", "games", "--index", "whole", "--format", "ndjson"],
        b"",
    );
    let count = |output: &Output| {
        let row: Value = serde_json::from_str(&stdout(output)).unwrap();
        ["added", "rejected", "games", "positions"].map(|field| row[field].as_u64().unwrap())
    };
    let plan = plan(at, "3000");
    let mut pieces: Vec<&str> = plan.lines().collect();
    pieces.sort_by_key(|line| line.len() * 7919 % 31);
    let piped = run(
        at,
        &[
            "index", "--plan", "-", "--index", "pieces", "--format", "ndjson",
        ],
        pieces.join("\n").as_bytes(),
    );
    assert_eq!(count(&piped), count(&whole), "{}", stderr(&piped));
    assert_eq!(piped.status.code(), Some(1), "{}", stderr(&piped));
    // And in two parts that are put together.
    for (i, half) in pieces.chunks(pieces.len().div_ceil(2)).enumerate() {
        let to = format!("part-{i}");
        let part = run(
            at,
            &["index", "--plan", "-", "--index", &to],
            half.join("\n").as_bytes(),
        );
        assert_ne!(part.status.code(), Some(2), "{}", stderr(&part));
    }
    let merged = run(
        at,
        &["index", "--index", "merged", "--merge", "part-0", "part-1"],
        b"",
    );
    assert_eq!(merged.status.code(), Some(0), "{}", stderr(&merged));
    let hits = |index: &str| {
        let found = run(at, &["search", "--index", index, "--format", "ndjson"], b"");
        let mut lines: Vec<String> = stdout(&found).lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let all = hits("whole");
    assert!(all.len() > 30);
    assert_eq!(hits("pieces"), all);
    assert_eq!(hits("merged"), all);
    // What is there is not added twice.
    let again = run(
        at,
        &[
            "index", "--plan", "-", "--index", "pieces", "--format", "ndjson",
        ],
        plan.as_bytes(),
    );
    assert_eq!(
        count(&again),
        [0, count(&whole)[1], count(&whole)[2], count(&whole)[3]]
    );
}
