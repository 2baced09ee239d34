//! Files that hold no games, lost them, or are written by the run that reads them.

use crate::program::fed;
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Output;

const GAME: &str = "[White \"Anna\"]\n[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6N *\n\n";
const OTHER: &str = "[White \"Bert\"]\n[Variant \"meder\"]\n\n1. c3W a6N 2. b4N b5B *\n\n";

fn run(at: &Path, arguments: &[&str]) -> Output {
    fed(at, arguments, b"")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// Name, bytes, code and line of the problem, exit code.
type Row = (&'static str, Vec<u8>, Option<(&'static str, u64)>, i32);

/// Files that are not whole, and sound ones: name, bytes, the code and line of the row that each has, and how a run that
/// reads it alone ends.
fn table() -> Vec<Row> {
    let game = GAME.as_bytes();
    let numbers = |n: u32| n.wrapping_mul(2_654_435_761).to_le_bytes();
    let wide = |text: &str| {
        text.encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<u8>>()
    };
    let packed = gzip(game);
    let half = packed[..packed.len() - 9].to_vec();
    vec![
        ("empty.pgn", Vec::new(), Some(("empty", 1)), 1),
        ("empty.pgn.gz", gzip(b""), Some(("empty", 1)), 1),
        ("blank.pgn", b" \n\n\t\n".to_vec(), Some(("no-games", 1)), 1),
        ("mark.pgn", "\u{feff}".into(), Some(("no-games", 1)), 1),
        (
            "comment.pgn",
            b"% a line that is skipped\n".to_vec(),
            Some(("no-games", 1)),
            1,
        ),
        (
            "heading.csv",
            b"no,white,black\n".to_vec(),
            Some(("no-games", 1)),
            1,
        ),
        ("blank.ndjson", b"\n\n".to_vec(), Some(("no-games", 1)), 1),
        (
            "zeros-after.pgn",
            [game, &[0; 4096]].concat(),
            Some(("zeros", 6)),
            1,
        ),
        (
            "zeros-between.pgn",
            [game, &[0; 512], game].concat(),
            Some(("zeros", 6)),
            1,
        ),
        (
            "zeros-in-line.pgn",
            [&game[..50], &[0; 8]].concat(),
            Some(("zeros", 4)),
            1,
        ),
        (
            "zeros.csv",
            [b"no,white,black\n1,b4N,b5B\n", &[0; 300][..]].concat(),
            Some(("zeros", 3)),
            1,
        ),
        (
            "binary.pgn",
            (0..9_000).flat_map(numbers).collect(),
            Some(("no-record", 1)),
            2,
        ),
        (
            "zip.pgn",
            b"PK\x03\x04 and so on".to_vec(),
            Some(("no-record", 1)),
            2,
        ),
        ("wide.pgn", wide(GAME), Some(("unknown-encoding", 1)), 2),
        (
            "header.csv",
            b"game,no,white\n1,1,b4N\n1,2,c3W\n".to_vec(),
            Some(("no-columns", 1)),
            2,
        ),
        ("half.pgn.gz", half, Some(("corrupt", 1)), 2),
        // Sound ones.
        ("good.pgn", game.to_vec(), None, 0),
        ("good-marked.pgn", wide(&format!("\u{feff}{GAME}")), None, 0),
        ("good-zero.pgn", [game, b"\0", game].concat(), None, 0),
        ("good.pgn.gz", packed.clone(), None, 0),
        (
            "good-padded.pgn.gz",
            [&packed[..], &[0; 700]].concat(),
            None,
            0,
        ),
        (
            "good-members.pgn.gz",
            [&packed[..], &packed].concat(),
            None,
            0,
        ),
        // What follows padding is not padding; gzip itself calls it garbage.
        (
            "padded-inside.pgn.gz",
            [&packed[..], &[0; 700], &packed].concat(),
            Some(("corrupt", 1)),
            2,
        ),
        (
            "garbage-after.pgn.gz",
            [&packed[..], b"garbage"].concat(),
            Some(("corrupt", 1)),
            2,
        ),
    ]
}

#[test]
fn the_table_of_problems_has_every_file_that_is_not_whole_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("games")).unwrap();
    let mut expected = Vec::new();
    for (name, bytes, row, code) in table() {
        fs::write(at.join("games").join(name), bytes).unwrap();
        let name = format!("games/{name}");
        let alone = run(at, &["validate", "--problems", "--format", "ndjson", &name]);
        assert_eq!(
            alone.status.code(),
            Some(code),
            "{name}: {}",
            text(&alone.stderr)
        );
        // Standard error names it too, in every format.
        let plain = run(at, &["validate", "-q", &name]);
        assert_eq!(plain.status.code(), Some(code), "{name}");
        assert_eq!(text(&plain.stderr).contains(&name), row.is_some(), "{name}");
        if let Some((code, line)) = row {
            expected.push((name, code.to_owned(), line));
        }
    }
    // What is a link to nothing is in a folder all the same.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere", at.join("games/lost.pgn")).unwrap();
        expected.push(("games/lost.pgn".to_owned(), "cannot-open".to_owned(), 1));
    }
    expected.sort();
    let problems = ["validate", "--problems", "--format", "ndjson", "games"];
    let all = run(at, &problems);
    assert_eq!(all.status.code(), Some(2));
    let rows = text(&all.stdout);
    let rows = rows
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    // Zeros in the middle of a line may have spoilt what it said; all zeros are no game either.
    let rows = rows.filter(|row| row["game"].is_null() && row["code"] != "damage");
    let of_row = |row: Value| {
        assert_eq!(row["severity"], "error", "{row}");
        let text = |field: &str| row[field].as_str().unwrap().to_owned();
        (text("file"), text("code"), row["line"].as_u64().unwrap())
    };
    let mut found: Vec<_> = rows.map(of_row).collect();
    found.sort();
    assert_eq!(found, expected);
    // The same rows as a table, and with errors only.
    let csv = text(&run(at, &["validate", "--problems", "--errors-only", "games"]).stdout);
    for (name, code, _) in &expected {
        let is_row = |line: &str| line.starts_with(&format!("{name},,")) && line.contains(code);
        assert!(csv.lines().any(is_row), "{name}: {csv}");
    }
}

fn counts(output: &Output) -> [u64; 4] {
    let row: Value = serde_json::from_slice(&output.stdout).unwrap();
    ["added", "unchanged", "removed", "games"].map(|field| row[field].as_u64().unwrap())
}

fn index(at: &Path, arguments: &[&str]) -> Output {
    let all = [&["index", "--index", "db", "--format", "ndjson"], arguments].concat();
    run(at, &all)
}

#[test]
fn an_index_keeps_the_games_of_a_file_that_lost_them() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let file = at.join("a.pgn");
    let two = format!("{GAME}{OTHER}");
    fs::write(&file, &two).unwrap();
    fs::write(at.join("b.pgn"), OTHER).unwrap();
    assert_eq!(counts(&index(at, &["a.pgn", "b.pgn"])), [3, 0, 0, 3]);
    let harmed = [
        Vec::new(),
        vec![0; two.len()],
        b"\n".to_vec(),
        // The first game is whole, and zeros took the place of the second.
        [GAME.as_bytes(), &vec![0; OTHER.len()]].concat(),
    ];
    for bytes in harmed {
        fs::write(&file, &bytes).unwrap();
        for arguments in [&["a.pgn", "b.pgn"][..], &["a.pgn", "b.pgn", "--prune"]] {
            // It is reported each time.
            let kept = index(at, arguments);
            assert_eq!(kept.status.code(), Some(1), "{}", text(&kept.stderr));
            assert_eq!(counts(&kept)[2..], [0, 3], "{}", bytes.escape_ascii());
            assert!(text(&kept.stderr).contains("a.pgn:"));
        }
    }
    // Such a file can be deleted, and its games with it.
    fs::remove_file(&file).unwrap();
    let pruned = index(at, &["b.pgn", "--prune"]);
    assert_eq!(
        (pruned.status.code(), counts(&pruned)),
        (Some(0), [0, 1, 2, 1])
    );
    fs::write(&file, &two).unwrap();
    assert_eq!(counts(&index(at, &["a.pgn", "b.pgn"]))[3], 3);
    // What was taken out on purpose goes.
    fs::write(&file, OTHER).unwrap();
    let fewer = index(at, &["a.pgn", "b.pgn"]);
    assert_eq!(
        (fewer.status.code(), counts(&fewer)[2..].to_vec()),
        (Some(0), vec![1, 2])
    );
}

#[test]
fn a_root_that_is_missing_loses_no_games() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for name in ["disk/old/a.pgn", "disk/new/b.pgn", "here/c.pgn"] {
        let file = at.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, GAME).unwrap();
    }
    assert_eq!(counts(&index(at, &["disk", "here"]))[3], 3);
    let whole = at.join("disk");
    let aside = at.join("aside");
    // The disk is not mounted: its folder is not there, or empty.
    fs::rename(&whole, &aside).unwrap();
    for is_empty in [false, true] {
        if is_empty {
            fs::create_dir(&whole).unwrap();
        }
        for arguments in [
            &["disk", "here", "--prune"][..],
            &["here", "--prune"],
            &["--prune"],
        ] {
            let kept = index(at, arguments);
            assert_eq!(
                kept.status.code(),
                Some(2),
                "{arguments:?}: {}",
                text(&kept.stderr)
            );
            assert_eq!(counts(&kept)[2..], [0, 3], "{arguments:?}");
            assert!(
                text(&kept.stderr).contains("disk"),
                "{}",
                text(&kept.stderr)
            );
        }
    }
    fs::remove_dir(&whole).unwrap();
    fs::rename(&aside, &whole).unwrap();
    // A folder that was deleted under a root that is there is gone, and a file of a folder that is there.
    fs::remove_dir_all(at.join("disk/old")).unwrap();
    let pruned = index(at, &["disk", "here", "--prune"]);
    assert_eq!(
        (pruned.status.code(), counts(&pruned)[2..].to_vec()),
        (Some(0), vec![1, 2])
    );
    fs::write(at.join("here/d.pgn"), OTHER).unwrap();
    fs::remove_file(at.join("here/c.pgn")).unwrap();
    let pruned = index(at, &["--prune"]);
    assert_eq!(
        (pruned.status.code(), counts(&pruned)[2..].to_vec()),
        (Some(0), vec![1, 1])
    );
}

#[test]
fn a_run_does_not_read_what_it_writes() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("games")).unwrap();
    fs::write(at.join("games/a.pgn"), GAME).unwrap();
    let convert = |output: &str| run(at, &["convert", "games", "--to", "meder", "-o", output]);
    let note = "skipped, because the results are written to this file";
    let first = convert("games/out.pgn");
    assert_eq!(
        (first.status.code(), text(&first.stderr)),
        (Some(0), String::new())
    );
    let written = fs::read(at.join("games/out.pgn")).unwrap();
    // Again, by another name of it, and by links.
    let mut names = vec!["games/out.pgn", "./games/../games/out.pgn"];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("games/out.pgn", at.join("soft.pgn")).unwrap();
        names.extend(["hard.pgn", "soft.pgn"]);
    }
    for name in names {
        // What is written takes the place of the file, so that the link is to be made again.
        if name == "hard.pgn" {
            fs::hard_link(at.join("games/out.pgn"), at.join(name)).unwrap();
        }
        let again = convert(name);
        assert_eq!(
            again.status.code(),
            Some(0),
            "{name}: {}",
            text(&again.stderr)
        );
        assert!(
            text(&again.stderr).contains(note),
            "{name}: {}",
            text(&again.stderr)
        );
        assert_eq!(fs::read(at.join(name)).unwrap(), written, "{name}");
    }
    let table = [
        "validate",
        "games",
        "--problems",
        "-o",
        "games/problems.csv",
    ];
    assert!(
        !text(&run(at, &table).stderr).contains(note),
        "it is not there yet"
    );
    assert!(text(&run(at, &table).stderr).contains("games/problems.csv: skipped"));
    fs::remove_file(at.join("games/problems.csv")).unwrap();
    let dedupe = run(at, &["dedupe", "games", "-o", "games/out.pgn"]);
    assert!(
        text(&dedupe.stderr).contains(note),
        "{}",
        text(&dedupe.stderr)
    );
    assert_eq!(
        fs::read_to_string(at.join("games/out.pgn"))
            .unwrap()
            .matches("[White ")
            .count(),
        1
    );
    // A file that is named is meant: it is converted in its place.
    fs::write(at.join("b.pgn"), OTHER).unwrap();
    let in_place = run(at, &["convert", "b.pgn", "--to", "manual", "-o", "b.pgn"]);
    assert!(!text(&in_place.stderr).contains(note));
    assert!(
        fs::read_to_string(at.join("b.pgn"))
            .unwrap()
            .contains("Bert")
    );
}

/// Every command that writes a file, with what it reads.
const WRITING: [(&str, &[&str]); 15] = [
    (
        "convert a.pgn",
        &["txt", "pgn", "ndjson", "jsonl", "csv", "html", "htm"],
    ),
    ("validate a.pgn", &["txt", "ndjson", "jsonl", "csv"]),
    (
        "validate a.pgn --problems",
        &["txt", "csv", "ndjson", "jsonl"],
    ),
    ("stats a.pgn", &["txt", "ndjson", "jsonl", "csv"]),
    ("dedupe a.pgn", &["pgn", "txt"]),
    (
        "generate --rules meder",
        &["txt", "pgn", "ndjson", "jsonl", "csv"],
    ),
    (
        "search --index db",
        &["txt", "pgn", "ndjson", "jsonl", "csv"],
    ),
    (
        "openings --index db",
        &["txt", "ndjson", "jsonl", "csv", "pgn"],
    ),
    (
        "novelty a.pgn --index db",
        &["txt", "ndjson", "jsonl", "csv"],
    ),
    (
        "report --index db --rules meder",
        &["txt", "ndjson", "jsonl", "html", "htm"],
    ),
    ("plan a.pgn", &["ndjson", "jsonl", "txt"]),
    ("moves --rules meder", &["txt"]),
    ("explain Nc2W", &["txt", "ndjson", "jsonl"]),
    ("position a.pgn", &["fen", "txt"]),
    (
        "reconcile a.pgn b.pgn",
        &["txt", "pgn", "ndjson", "jsonl", "csv", "html", "htm"],
    ),
];

#[test]
fn an_extension_of_another_format_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("a.pgn"), GAME).unwrap();
    fs::write(at.join("b.pgn"), GAME).unwrap();
    assert_eq!(
        run(at, &["index", "a.pgn", "--index", "db"]).status.code(),
        Some(0)
    );
    // None is left out.
    let with_output: Vec<String> = crate::command::texts::commands()
        .into_iter()
        .filter(|command| text(&run(at, &[command, "-h"]).stdout).contains("--output <FILE>"))
        .collect();
    assert!(with_output.len() > 8, "{with_output:?}");
    for command in &with_output {
        assert!(
            WRITING
                .iter()
                .any(|(call, _)| call.split(' ').next() == Some(command)),
            "{command}"
        );
    }
    let all = ["txt", "pgn", "ndjson", "jsonl", "csv", "html", "htm", "fen"];
    let unknown = ["json", "xlsx", "pg", "gz.new", "tsv", "pgn2"];
    for (place, (call, known)) in WRITING.into_iter().enumerate() {
        for (n, end) in all.iter().chain(&unknown).enumerate() {
            // Each with one compression or none.
            let packed = ["", ".gz", ".ZST", ".bz2"][(place + n) % 4];
            let name = format!("out.{end}{packed}");
            let call: Vec<&str> = call.split(' ').chain(["--output", &name]).collect();
            let output = run(at, &call);
            let told = text(&output.stderr);
            let is_known = known.contains(end);
            let code = if is_known { 0 } else { 2 };
            assert_eq!(output.status.code(), Some(code), "{call:?}: {told}");
            let is_there = fs::remove_file(at.join(&name)).is_ok();
            assert_eq!(is_there, is_known, "{call:?}");
            for end in known.iter().filter(|_| !is_known) {
                assert!(told.contains(&format!(".{end}")), "{call:?}: {told}");
            }
        }
        // A format that is named counts, and so does none where there is no extension.
        let named: &[&str] = match call.split(' ').next() {
            Some("convert" | "generate") => &["--output", "a.json", "--format", "ndjson"],
            Some("validate" | "stats" | "search" | "openings") => {
                &["--output", "a.json", "--format", "csv"]
            }
            _ => &["--output", "a"],
        };
        let output = run(at, &[&call.split(' ').collect::<Vec<_>>(), named].concat());
        assert_eq!(
            output.status.code(),
            Some(0),
            "{call}: {}",
            text(&output.stderr)
        );
        fs::remove_file(at.join(named[1])).unwrap();
    }
    // The table of problems beside the games.
    for (name, code) in [
        ("p.csv.gz", 0),
        ("p.ndjson.gz", 0),
        ("p", 0),
        ("p.json", 2),
        ("p.xlsx", 2),
    ] {
        let output = run(
            at,
            &["convert", "a.pgn", "-o", "out.pgn", "--problems", name],
        );
        assert_eq!(
            output.status.code(),
            Some(code),
            "{name}: {}",
            text(&output.stderr)
        );
        assert_eq!(at.join(name).exists(), code == 0, "{name}");
    }
    let rows = run(
        at,
        &[
            "convert",
            "-",
            "-o",
            "out.pgn",
            "--problems",
            "p.ndjson.zst",
        ],
    );
    assert!(rows.status.success() || rows.status.code() == Some(1));
    assert!(!fs::read(at.join("p.csv.gz")).unwrap().is_empty());
}

/// The names of what is in a folder, hidden files too.
fn listed(at: &Path) -> Vec<String> {
    let names = fs::read_dir(at).unwrap();
    let mut names: Vec<String> = names
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_run_that_fails_leaves_no_folder() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("a.pgn"), GAME).unwrap();
    fs::write(at.join("blank.pgn"), "\n").unwrap();
    fs::create_dir(at.join("empty")).unwrap();
    let before = listed(at);
    for call in [
        "index nofile.pgn --index db",
        "index nofile.pgn --index new/deep/db",
        "index nofile.pgn --index empty",
        "index nofile.pgn --index empty/db --verify",
        "index blank.pgn --index db",
        "index empty --index db",
        "index nofile.pgn blank.pgn --index db --prune",
        "index a.pgn --index db --names nofile.csv",
        "index --index db --merge nofile",
        "index --index db --plan nofile",
        "index a.pgn --index db --name x",
        "index a.pgn --index db --rules draughts",
        "index a.pgn --index a.pgn/db",
        "index --index db --verify",
        "export nofile.pgn --parquet db",
        "export blank.pgn --parquet new/deep/db",
        "export nofile.pgn --parquet empty",
        "export a.pgn --parquet db --names nofile.csv",
        "export --index nofile --parquet db",
    ] {
        let output = run(at, &call.split(' ').collect::<Vec<_>>());
        assert_ne!(output.status.code(), Some(0), "{call}");
        assert_eq!(listed(at), before, "{call}: {}", text(&output.stderr));
        assert!(listed(&at.join("empty")).is_empty(), "{call}");
    }
    // What was there stays, and what was read is stored although another file was not there.
    let output = run(
        at,
        &[
            "index",
            "a.pgn",
            "nofile.pgn",
            "--index",
            "new/db",
            "--format",
            "ndjson",
        ],
    );
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(counts(&output)[0], 1);
    for call in [
        "index nofile.pgn --index new/db",
        "index blank.pgn --index new/db",
    ] {
        run(at, &call.split(' ').collect::<Vec<_>>());
        let verified = run(at, &["index", "--index", "new/db", "--verify"]);
        assert_eq!(verified.status.code(), Some(0), "{call}");
        assert!(
            text(&verified.stdout).contains("games                 1\n"),
            "{call}"
        );
    }
}

/// Ctrl-C before a game was read.
#[cfg(unix)]
#[test]
fn an_index_that_was_interrupted_before_its_first_game_is_not_there() {
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for call in [
        &["index", "-", "--index", "new/db"][..],
        &["export", "-", "--parquet", "new/db"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tridex"))
            .args(call)
            .current_dir(at)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // It waits for its input when the folder is there.
        while !at.join("new/db").exists() {
            std::thread::yield_now();
        }
        let pid = child.id().to_string();
        let killed = Command::new("kill").args(["-INT", &pid]).status().unwrap();
        assert!(killed.success());
        // It keeps its standard input, which does not end.
        let input = child.stdin.take();
        let output = child.wait_with_output().unwrap();
        drop(input);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{call:?}: {said}");
        assert!(listed(at).is_empty(), "{call:?}: {said}");
    }
}

/// Names that are no text, and differ only in that: each is a source of its own, under one name everywhere.
#[cfg(unix)]
#[test]
fn a_source_is_known_by_the_bytes_of_its_name() {
    use std::collections::BTreeSet;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("g")).unwrap();
    let name = |bytes: &[u8]| at.join("g").join(OsStr::from_bytes(bytes));
    // The last one is text, and says the same as the first.
    let names: [(&[u8], &str); 4] = [
        (b"M\xfcller.pgn", r"g/M\xfcller.pgn"),
        (b"M\xf6ller.pgn", r"g/M\xf6ller.pgn"),
        ("M\u{fffd}ller.pgn".as_bytes(), "g/M\u{fffd}ller.pgn"),
        (br"M\xfcller.pgn", r"g/M\x5cxfcller.pgn"),
    ];
    for (games, (bytes, _)) in (1..).zip(names) {
        let text = OTHER.repeat(games);
        if fs::write(name(bytes), text).is_err() {
            // A file system that has only names of text.
            return;
        }
    }
    let lines = |arguments: &[&str]| -> Vec<Value> {
        let output = run(at, arguments);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{arguments:?}: {}",
            text(&output.stderr)
        );
        text(&output.stdout)
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    // Source and number of each game.
    let all: BTreeSet<(String, u64)> = (1..)
        .zip(names)
        .flat_map(|(games, (_, text))| (1..=games).map(move |game| (text.to_owned(), game)))
        .collect();
    let places = |rows: &[Value], source: &str| -> BTreeSet<(String, u64)> {
        let place = |row: &Value| {
            (
                row[source].as_str().unwrap().to_owned(),
                row["game"].as_u64().unwrap(),
            )
        };
        let places: BTreeSet<_> = rows.iter().map(place).collect();
        assert_eq!(places.len(), rows.len());
        places
    };
    let validated = lines(&["validate", "g", "--format", "ndjson", "--quiet"]);
    assert_eq!(places(&validated, "source"), all);
    let converted = lines(&["convert", "g", "--format", "ndjson"]);
    assert_eq!(places(&converted, "source"), all);
    let deduped = lines(&["dedupe", "g", "--format", "ndjson"]);
    assert_eq!(deduped[0]["drop"].as_array().unwrap().len(), 9);
    assert_eq!(counts(&index(at, &["g"])), [10, 0, 0, 10]);
    assert_eq!(
        places(
            &lines(&["search", "--index", "db", "--format", "ndjson"]),
            "source"
        ),
        all
    );
    // Again, by other names of the same files, and one after another.
    assert_eq!(counts(&index(at, &["g"])), [0, 10, 0, 10]);
    assert_eq!(counts(&index(at, &["./g"])), [0, 10, 0, 10]);
    for (games, (bytes, shown)) in (1..).zip(names) {
        let path = name(bytes);
        let one = std::process::Command::new(env!("CARGO_BIN_EXE_tridex"))
            .args(["index", "--index", "db", "--format", "ndjson", "--"])
            .arg(&path)
            .current_dir(at)
            .output()
            .unwrap();
        assert_eq!(counts(&one), [0, games, 0, 10], "{shown}");
        // By the name that is shown.
        let hits = lines(&[
            "search", "--index", "db", "--source", shown, "--format", "ndjson",
        ]);
        assert_eq!(hits.len() as u64, games, "{shown}");
        let game = format!("{shown}:{games}");
        let hits = lines(&[
            "search", "--index", "db", "--game", &game, "--format", "ndjson",
        ]);
        assert_eq!(hits.len(), 10, "{shown}");
    }
    // Through a plan.
    let plan = run(at, &["plan", "g", "-o", "plan.ndjson"]);
    assert_eq!(
        (plan.status.code(), text(&plan.stderr)),
        (Some(0), String::new())
    );
    let planned = lines(&[
        "validate",
        "--plan",
        "plan.ndjson",
        "--format",
        "ndjson",
        "--quiet",
    ]);
    assert_eq!(places(&planned, "source"), all);
    let through = [
        "index",
        "--plan",
        "plan.ndjson",
        "--index",
        "db",
        "--format",
        "ndjson",
    ];
    assert_eq!(counts(&run(at, &through)), [0, 10, 0, 10]);
    // Other indices, and tables.
    let merged = run(
        at,
        &[
            "index", "--merge", "db", "--index", "all", "--format", "ndjson",
        ],
    );
    assert_eq!(counts(&merged), [10, 0, 0, 10]);
    let verified = run(
        at,
        &[
            "index", "--index", "all", "--verify", "--rename", "--format", "ndjson",
        ],
    );
    assert_eq!(verified.status.code(), Some(0));
    let out = run(
        at,
        &["export", "g", "--parquet", "tables", "--format", "ndjson"],
    );
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let exported: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(exported["games"], 10);
    // A file that gets another name is another source; one that is gone is dropped, and no other.
    fs::rename(name(b"M\xf6ller.pgn"), name(b"M\xf8ller.pgn")).unwrap();
    let pruned = index(at, &["g", "--prune"]);
    let summary: Value = serde_json::from_slice(&pruned.stdout).unwrap();
    assert_eq!(
        (&summary["added"], &summary["removed"], &summary["games"]),
        (&2.into(), &2.into(), &10.into())
    );
    fs::remove_file(name(br"M\xfcller.pgn")).unwrap();
    index(at, &["g", "--prune"]);
    let left = lines(&["search", "--index", "db", "--format", "ndjson"]);
    let left: BTreeSet<_> = places(&left, "source")
        .into_iter()
        .map(|(source, _)| source)
        .collect();
    assert_eq!(
        left,
        [names[0].1, r"g/M\xf8ller.pgn", names[2].1]
            .map(str::to_owned)
            .into()
    );
    // A message.
    fs::write(name(b"\xff\x1b.pgn"), "").unwrap();
    let told = text(&run(at, &["validate", "g"]).stderr);
    assert!(
        told.contains(r"g/\xff\u{1b}.pgn: the file is empty"),
        "{told}"
    );
}

/// A second tag of a name is kept under a name of its own, in every container and through an index: a second `Event` would
/// begin another game of an archive.
#[test]
fn a_tag_that_is_there_twice_is_written_under_two_names() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let sheet =
        "no,white,black,event,event,annotator,annotator,event\n1,b4N,b5B,A,B,x,y,C\n2,c3W,,,,,,\n";
    let line = "{\"tags\":{\"Event\":\"A\",\"Event\":\"B\",\"Annotator\":\"x\",\"Annotator\":\"y\",\"Event\":\"C\"},\
                \"moves\":[\"b4N\",\"b5B\",\"c3W\"]}\n";
    fs::write(at.join("0.csv"), sheet).unwrap();
    fs::write(at.join("0.ndjson"), line).unwrap();
    let expected = serde_json::json!({
        "Event": "A", "Event_2": "B", "Event_3": "C", "Annotator": "x", "Annotator_2": "y",
    });
    let same = |file: &str| {
        let output = run(at, &["convert", file, "--format", "ndjson"]);
        assert_eq!(output.status.code(), Some(0), "{file}");
        let games = text(&output.stdout);
        assert_eq!(games.lines().count(), 1, "{file}: {games}");
        let game: Value = serde_json::from_str(&games).unwrap();
        for (name, value) in expected.as_object().unwrap() {
            assert_eq!(&game["tags"][name], value, "{file}: {games}");
        }
        assert_eq!(game["moves"].as_array().unwrap().len(), 3, "{file}");
        text(&output.stderr)
    };
    for first in ["0.csv", "0.ndjson"] {
        let told = same(first);
        assert!(
            told.contains("the tag Event has two values, \"A\" and \"B\""),
            "{told}"
        );
        for last in ["1.pgn", "1.csv", "1.ndjson"] {
            let output = run(at, &["convert", first, "-o", last]);
            assert_eq!(output.status.code(), Some(0));
            assert_eq!(same(last), "", "{first} to {last}");
        }
        run(at, &["index", first, "--index", "db"]);
        let found = run(
            at,
            &[
                "search",
                "--index",
                "db",
                "--format",
                "pgn",
                "-o",
                "found.pgn",
            ],
        );
        assert_eq!(found.status.code(), Some(0));
        same("found.pgn");
        fs::remove_dir_all(at.join("db")).unwrap();
        let kept = run(at, &["dedupe", first, "-o", "kept.pgn"]);
        assert_eq!(kept.status.code(), Some(0));
        same("kept.pgn");
    }
}
