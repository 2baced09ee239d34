//! `index`, `search` and `openings` as a user runs them, held against a plain scan of the same games.

mod asked;
mod openings;
mod search;
pub(crate) mod support;

use crate::program::fed;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use support::*;

#[test]
fn a_second_run_adds_nothing_and_changes_are_brought_over() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("games")).unwrap();
    for (file, seed) in [("games/a.pgn", "1"), ("games/b.pgn", "2")] {
        good(
            at,
            &[
                "generate", "--rules", "meder", "--games", "20", "--seed", seed, "--output", file,
            ],
        );
    }
    let first = good(
        at,
        &["index", "games", "--index", "db", "--format", "ndjson"],
    );
    let row: Value = serde_json::from_str(&first).unwrap();
    let fields: BTreeSet<&str> = row
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    let contract = [
        "added",
        "updated",
        "unchanged",
        "rejected",
        "games",
        "positions",
        "seconds",
    ];
    assert!(
        contract.iter().all(|field| fields.contains(field)),
        "{fields:?}"
    );
    assert_eq!(counts(first.as_bytes()), [40, 0, 0, 0, 0, 40]);
    let validated = rows(&good(
        at,
        &["validate", "-q", "games", "--format", "ndjson"],
    ));
    let plies: u64 = validated
        .iter()
        .map(|row| row["plies"].as_u64().unwrap() + 1)
        .sum();
    assert_eq!(row["positions"], plies);

    assert_eq!(index(at, &["games"]), [0, 0, 40, 0, 0, 40]);
    assert_eq!(
        index(at, &["games/b.pgn", "games", "games/b.pgn"]),
        [0, 0, 40, 0, 0, 40]
    );
    // Touched, but not changed.
    let b = at.join("games/b.pgn");
    let text = fs::read_to_string(&b).unwrap();
    fs::write(&b, &text).unwrap();
    assert_eq!(index(at, &["games"]), [0, 0, 40, 0, 0, 40]);

    let changed = text.replacen("[White \"", "[White \"Changed, ", 1);
    fs::write(&b, &changed).unwrap();
    assert_eq!(index(at, &["games"]), [0, 1, 39, 0, 0, 40]);
    assert_eq!(
        names(&search(at, &["--white", "changed"])),
        [("games/b.pgn".to_owned(), 1)].into()
    );
    let last = changed.rfind("[Event ").unwrap();
    fs::write(&b, &changed[..last]).unwrap();
    assert_eq!(index(at, &["games"]), [0, 0, 39, 0, 1, 39]);
    fs::write(&b, &text).unwrap();
    assert_eq!(index(at, &["games"]), [1, 1, 38, 0, 0, 40]);

    // What is gone stays until it is asked for, and what is there stays always.
    fs::remove_file(&b).unwrap();
    assert_eq!(index(at, &["games"]), [0, 0, 20, 0, 0, 40]);
    assert_eq!(
        index(at, &["games/a.pgn", "--prune"]),
        [0, 0, 20, 0, 20, 20]
    );
    assert_eq!(search(at, &["source:b.pgn"]), Vec::<Value>::new());
    assert_eq!(search(at, &[]).len(), 20);
    assert_eq!(index(at, &["--prune"]), [0, 0, 0, 0, 0, 20]);
}

#[test]
fn names_given_from_another_folder_are_not_taken_for_deleted_files() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("below")).unwrap();
    good(
        at,
        &[
            "generate", "--rules", "manual", "--games", "5", "--seed", "1", "--output", "a.pgn",
        ],
    );
    assert_eq!(index(at, &["a.pgn"]), [5, 0, 0, 0, 0, 5]);
    let output = tridex(
        &at.join("below"),
        &["index", "--index", "../db", "--prune", "--format", "ndjson"],
    );
    assert_eq!(counts(&output.stdout), [0, 0, 0, 0, 0, 5]);
    assert!(complaint(&output).contains("files of the index that do not exist in this folder: 1;"));
    fs::remove_file(at.join("a.pgn")).unwrap();
    assert_eq!(index(at, &["--prune"]), [0, 0, 0, 0, 5, 0]);
}

#[test]
fn invalid_games_are_told_and_left_out_each_time() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let good_game = fs::read_to_string(SAMPLE).unwrap();
    let bad = "[Event \"x\"]\n[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6N 3. Nc2N c6B *\n\n";
    fs::write(at.join("mixed.pgn"), format!("{good_game}{bad}{good_game}")).unwrap();
    for expected in [[2, 0, 0, 1, 0, 2], [0, 0, 2, 1, 0, 2]] {
        let output = tridex(
            at,
            &["index", "mixed.pgn", "--index", "db", "--format", "ndjson"],
        );
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(counts(&output.stdout), expected);
        let told = complaint(&output);
        assert_eq!(told.lines().count(), 1, "{told}");
        assert!(told.starts_with("mixed.pgn:"), "{told}");
        assert!(
            told.contains("skipped game 2: the Neutral Board does not cover column c2"),
            "{told}"
        );
    }
    // The games behind it keep their numbers.
    let hits: Vec<u64> = search(at, &[])
        .iter()
        .map(|hit| hit["game"].as_u64().unwrap())
        .collect();
    assert_eq!(hits, [1, 3]);
    // A file that cannot be read stops none of the others.
    let output = tridex(
        at,
        &[
            "index",
            "no.pgn",
            "mixed.pgn",
            "--index",
            "new",
            "--format",
            "ndjson",
        ],
    );
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(counts(&output.stdout)[0], 2);
    // Once the file is mended its games are taken.
    fs::write(
        at.join("mixed.pgn"),
        format!("{good_game}{}{good_game}", bad.replace("Nc2N", "Nc2W")),
    )
    .unwrap();
    assert_eq!(index(at, &["mixed.pgn"]), [1, 0, 2, 0, 0, 3]);
}

#[test]
fn standard_input_has_a_name_and_replaced_games_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let made = |seed: &str| {
        good(
            at,
            &[
                "generate", "--rules", "chess3", "--games", "9", "--seed", seed,
            ],
        )
    };
    let (one, two) = (made("1"), made("2"));
    let run = |text: &str, more: &[&str]| {
        let ask = [&["index", "-", "--index", "db", "--format", "ndjson"], more].concat();
        let output = fed(at, &ask, text.as_bytes());
        assert_eq!(output.status.code(), Some(0));
        (counts(&output.stdout), complaint(&output))
    };
    assert_eq!(run(&one, &[]), ([9, 0, 0, 0, 0, 9], String::new()));
    assert_eq!(run(&one, &[]), ([0, 0, 9, 0, 0, 9], String::new()));
    assert_eq!(
        run(&two, &["--name", "two"]),
        ([9, 0, 0, 0, 0, 18], String::new())
    );
    let (done, told) = run(&two, &[]);
    assert_eq!(done, [0, 9, 0, 0, 0, 18]);
    assert!(
        told.contains("replaced or removed 9 games of an earlier standard input"),
        "{told}"
    );
    assert!(
        search(at, &[])
            .iter()
            .all(|hit| hit["source"] == "-" || hit["source"] == "two")
    );
}

#[test]
fn the_index_is_the_same_for_any_number_of_threads_and_is_found_whole() {
    let folder = &collection().folder;
    let hits = |db: &str| good(folder, &["search", "--index", db, "--format", "ndjson"]);
    let _ = fs::remove_dir_all(folder.join("one"));
    let files: Vec<String> = SYSTEMS.iter().map(|rules| format!("{rules}.pgn")).collect();
    let mut ask = vec!["index", "--index", "one", "--threads", "1"];
    ask.extend(files.iter().map(String::as_str));
    ask.push("sample.pgn");
    good(folder, &ask);
    assert_eq!(hits("one"), hits("db"));
    let verified = good(
        folder,
        &["index", "--index", "one", "--verify", "--format", "ndjson"],
    );
    let row: Value = serde_json::from_str(&verified).unwrap();
    assert_eq!(
        (&row["verified"], &row["games"]),
        (&301.into(), &301.into())
    );
    assert_eq!(row["faults"], Value::Array(Vec::new()));

    // One byte is turned: it is found, and no answer believes it.
    let mut files = fs::read_dir(folder.join("one"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let moves = files
        .find(|path| path.extension().is_some_and(|e| e == "moves"))
        .unwrap();
    let mut bytes = fs::read(&moves).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x10;
    fs::write(&moves, bytes).unwrap();
    let output = tridex(
        folder,
        &["index", "--index", "one", "--verify", "--format", "ndjson"],
    );
    assert_eq!(output.status.code(), Some(1));
    let row: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(row["faults"].as_array().unwrap().len(), 1);
    assert!(complaint(&output).contains("moves: a checksum does not fit"));
    let output = tridex(folder, &["search", "--index", "one", "--pattern", "Q=0"]);
    assert_eq!(output.status.code(), Some(1));
    let told = complaint(&output);
    assert!(told.contains("moves: a game cannot be read"), "{told}");
    assert!(
        told.contains("the results lack the games of damaged files"),
        "{told}"
    );
    let output = tridex(folder, &["index", "sample.pgn", "--index", "one"]);
    assert!(!complaint(&output).contains("panicked"));
}

#[test]
fn an_index_that_cannot_be_used_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::copy(SAMPLE, at.join("a.pgn")).unwrap();
    let told = |arguments: &[&str]| {
        let output = tridex(at, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        complaint(&output)
    };
    for ask in [
        &["search", "--index", "db"][..],
        &["openings", "--rules", "meder", "--index", "db"],
        &["index", "--verify", "--index", "db"],
        &["index", "--index", "new", "--merge", "db"],
    ] {
        assert!(
            told(ask).contains(
                "db: there is no index here; create one with `tridex index PATHS --index DIR`"
            ),
            "{ask:?}"
        );
    }
    assert!(!at.join("db").exists() && !at.join("new").exists());
    // A folder of something else is not written to.
    fs::create_dir(at.join("other")).unwrap();
    fs::write(at.join("other/letter.txt"), "x").unwrap();
    assert!(
        told(&["index", "a.pgn", "--index", "other"])
            .contains("the folder is not empty and has no index")
    );
    assert_eq!(fs::read_dir(at.join("other")).unwrap().count(), 1);
    // An index of another version is named, and left as it is.
    fs::create_dir(at.join("old")).unwrap();
    fs::write(at.join("old/tridex.json"), r#"{"version": 1}"#).unwrap();
    for ask in [
        &["search", "--index", "old"][..],
        &["index", "a.pgn", "--index", "old"],
    ] {
        assert!(
            told(ask).contains("the index has version 1 of the format, but this program needs version 5; make the index again from the games, in another folder: `tridex index PATHS --index DIR`"),
            "{ask:?}"
        );
    }
    assert_eq!(fs::read_dir(at.join("old")).unwrap().count(), 1);
    // One of the version before has to be merged into a new one, which then has its games.
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/index/samples/version-4");
    fs::create_dir(at.join("previous")).unwrap();
    for file in fs::read_dir(sample).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), at.join("previous").join(file.file_name())).unwrap();
    }
    for ask in [
        &["search", "--index", "previous"][..],
        &["index", "a.pgn", "--index", "previous"],
        &["index", "--verify", "--index", "previous"],
    ] {
        assert!(
            told(ask).contains("previous: the index has version 4 of the format, but this program needs version 5; its games can be read: merge it into a new index: `tridex index --merge OLD --index NEW`"),
            "{ask:?}"
        );
    }
    let merged = [
        "index", "--merge", "previous", "--index", "upgraded", "--verify", "--format", "ndjson",
    ];
    assert_eq!(counts(good(at, &merged).as_bytes()), [51, 0, 0, 0, 0, 51]);
    // One of which a part is missing is damaged; nothing is made anew, nothing removed.
    assert_eq!(index(at, &["a.pgn"]), [1, 0, 0, 0, 0, 1]);
    let (meta, aside) = (at.join("db/meta.json"), at.join("aside"));
    fs::rename(&meta, &aside).unwrap();
    let files = fs::read_dir(at.join("db")).unwrap().count();
    for ask in [
        &["search", "--index", "db"][..],
        &["index", "a.pgn", "--index", "db"],
        &["openings", "--rules", "meder", "--index", "db"],
    ] {
        assert!(
            told(ask).contains("meta.json: the index is damaged: it is missing"),
            "{ask:?}"
        );
    }
    assert_eq!(fs::read_dir(at.join("db")).unwrap().count(), files);
    fs::rename(&aside, &meta).unwrap();
    assert_eq!(search(at, &[]).len(), 1);
    // A file is no index.
    assert!(
        told(&["search", "--index", "a.pgn"])
            .contains("a.pgn: an index is a folder, this is a file")
    );
}

#[test]
fn several_indices_are_searched_as_one_and_made_one() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (rules, seed) in [("meder", "1"), ("meder", "2"), ("chess3", "3")] {
        let file = format!("{seed}.pgn");
        good(
            at,
            &[
                "generate", "--rules", rules, "--games", "15", "--seed", seed, "--output", &file,
            ],
        );
        good(at, &["index", &file, "--index", seed]);
    }
    let of = |dbs: &[&str], more: &[&str]| {
        let mut ask = vec!["search", "--format", "ndjson"];
        dbs.iter().for_each(|db| ask.extend(["--index", db]));
        ask.extend(more);
        rows(&good(at, &ask))
    };
    let (one, two, three) = (of(&["1"], &[]), of(&["2"], &[]), of(&["3"], &[]));
    assert_eq!(of(&["1", "2", "3"], &[]), [one, two, three].concat());
    assert_eq!(of(&["3", "1"], &["--limit", "16"]).len(), 16);
    let merged = good(
        at,
        &[
            "index", "--index", "all", "--merge", "1", "2", "3", "--verify", "--format", "ndjson",
        ],
    );
    assert_eq!(counts(merged.as_bytes()), [45, 0, 0, 0, 0, 45]);
    let question = ["--pattern", "Q=0"];
    assert_eq!(
        names(&of(&["all"], &question)),
        names(&of(&["1", "2", "3"], &question))
    );
    let table = |dbs: &[&str]| {
        let mut ask = vec!["openings", "--rules", "meder", "--format", "ndjson"];
        dbs.iter().for_each(|db| ask.extend(["--index", db]));
        good(at, &ask)
    };
    assert_eq!(table(&["all"]), table(&["1", "2"]));
    assert_ne!(table(&["all"]), table(&["1"]));
    // Again it adds nothing.
    let merged = good(
        at,
        &[
            "index", "--index", "all", "--merge", "2", "--format", "ndjson",
        ],
    );
    assert_eq!(counts(merged.as_bytes()), [0, 0, 15, 0, 0, 45]);
}

#[test]
fn names_from_files_are_never_printed_raw() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let text =
        "[White \"\x1b[2JKirk\"]\n[Black \"Spo\u{202e}ck\"]\n[Variant \"meder\"]\n\n1. b4N b5B *\n";
    let file = "odd\u{1b}[31mname.pgn";
    fs::write(at.join(file), text).unwrap();
    fs::write(
        at.join("bad\u{1b}[1m.pgn"),
        "[Variant \"meder\"]\n\n1. b4N \x1b[2Jb9B *\n",
    )
    .unwrap();
    let output = tridex(at, &["index", ".", "--index", "db"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        !complaint(&output).contains('\u{1b}'),
        "{}",
        complaint(&output)
    );
    let table = good(at, &["search", "--index", "db"]);
    assert!(
        table.contains("\\u{1b}[2JKirk") && table.contains("odd\\u{1b}[31mname.pgn"),
        "{table}"
    );
    assert!(!table.contains(['\u{1b}', '\u{202e}']));
    let missing = tridex(at, &["search", "--index", "no\u{1b}[1m"]);
    assert!(complaint(&missing).contains("no\\u{1b}[1m: there is no index here"));
}

/// Ctrl-C: what was read is committed, and the next run goes on.
#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_what_it_has_read() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let text = good(
        at,
        &[
            "generate", "--rules", "meder", "--games", "3000", "--seed", "8",
        ],
    );
    let mut child = Command::new(env!("CARGO_BIN_EXE_tridex"))
        .args([
            "index",
            "-",
            "--index",
            "db",
            "--format",
            "ndjson",
            "--threads",
            "1",
        ])
        .current_dir(at)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let pieces = text.as_bytes().chunks(4_096);
    let half = pieces.len() / 2;
    let mut pieces = pieces.cycle();
    // The pipe holds far less than the first half, so that all but its end was read when it is written.
    for piece in pieces.by_ref().take(half) {
        stdin.write_all(piece).unwrap();
    }
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .unwrap()
            .success()
    );
    // The handler runs on a thread of its own, whenever that gets its turn: there is more to read until the run has ended.
    let more = pieces.take(1_000 * half);
    for piece in more {
        if stdin.write_all(piece).is_err() {
            break;
        }
    }
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(
        complaint(&output).contains("interrupted after"),
        "{}",
        complaint(&output)
    );
    let [added, .., games] = counts(&output.stdout);
    assert_eq!(added, games);
    assert!(games > 100, "{games}");
    assert_eq!(search(at, &[]).len() as u64, games);
    let rest = fed(
        at,
        &["index", "-", "--index", "db", "--format", "ndjson"],
        text.as_bytes(),
    );
    let (known, gone) = (games.min(3000), games.saturating_sub(3000));
    assert_eq!(
        counts(&rest.stdout),
        [3000 - known, 0, known, 0, gone, 3000]
    );
}

/// Whatever reads a damaged index: it may print what can be read, but never succeeds.
#[test]
fn no_command_succeeds_without_the_games_of_a_damaged_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/games/meder");
    let output = tridex(
        at,
        &["index", games.to_str().unwrap(), "--index", "db", "-q"],
    );
    assert!(output.status.success(), "{}", complaint(&output));
    let id = good(
        at,
        &["search", "--index", "db", "--format", "csv", "-n", "1"],
    );
    let id = id.lines().nth(1).unwrap().split(',').next().unwrap();
    let commands: [&[&str]; 16] = [
        &["search", "--index", "db"],
        &["search", "--index", "db", "--count"],
        &["search", "--index", "db", "--format", "ndjson"],
        &["search", "--index", "db", "--format", "csv"],
        &["search", "--index", "db", "--format", "pgn"],
        &[
            "search", "--index", "db", "--format", "pgn", "--output", "out.pgn",
        ],
        &[
            "search", "--index", "db", "--moves", "b4N b5B", "--sort", "date", "--limit", "2",
        ],
        &["search", "--index", "db", "player:kirk or pattern:check"],
        &["search", "--index", "db", "--game", id],
        &["openings", "--index", "db", "--rules", "meder"],
        &[
            "openings", "--index", "db", "--rules", "meder", "--format", "csv",
        ],
        &["stats", "--index", "db"],
        &["stats", "--index", "db", "--format", "ndjson"],
        &["export", "--index", "db", "--parquet", "tables"],
        &["show", "--index", "db", "--game", id],
        &["position", "--index", "db", "--game", id],
    ];
    let damaged = |kind: &str| {
        let files = std::fs::read_dir(at.join("db")).unwrap();
        let mut files = files.map(|file| file.unwrap().path());
        let path = files.find(|path| path.extension().is_some_and(|is| is == kind));
        let path = path.unwrap();
        let right = std::fs::read(&path).unwrap();
        let mut wrong = right.clone();
        wrong[100] ^= 1;
        std::fs::write(&path, wrong).unwrap();
        (path, right)
    };
    for kind in ["fast", "store", "moves"] {
        let (path, right) = damaged(kind);
        for command in commands {
            let output = tridex(at, command);
            let code = output.status.code();
            let (told, place) = (complaint(&output), format!("{kind}: {command:?}"));
            let _ = std::fs::remove_dir_all(at.join("tables"));
            // What this command did not read is not missing.
            if code == Some(0) && kind != "fast" {
                let damaged = output.stdout.clone();
                std::fs::write(&path, &right).unwrap();
                let whole = tridex(at, command);
                let _ = std::fs::remove_dir_all(at.join("tables"));
                assert_eq!(whole.stdout, damaged, "{place}");
                let mut wrong = right.clone();
                wrong[100] ^= 1;
                std::fs::write(&path, wrong).unwrap();
                continue;
            }
            assert!(matches!(code, Some(1 | 2)), "{place}: {code:?}: {told}");
            assert!(told.contains("damaged"), "{place}: {told}");
        }
        std::fs::write(&path, &right).unwrap();
    }
}

/// Each job of `index` does what the options of the older spelling do.
#[test]
fn the_jobs_of_index_do_what_the_options_do() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (file, seed) in [("a.pgn", "1"), ("b.pgn", "2")] {
        let generate = [
            "generate", "--rules", "meder", "--games", "5", "--seed", seed,
        ];
        good(at, &[&generate[..], &["--output", file]].concat());
    }
    fs::write(at.join("broken.pgn"), "1. b4N Qe9 *\n").unwrap();
    fs::write(at.join("book.csv"), "=Gambit,b4N,meder\n").unwrap();
    let both = [
        (
            "a.pgn b.pgn broken.pgn --index X",
            "add a.pgn b.pgn broken.pgn --index X",
        ),
        ("- --name club --index X", "add - --name club --index X"),
        ("a.pgn --index X", "add --index X a.pgn"),
        (
            "b.pgn --names book.csv --variations --index X",
            "add b.pgn --names book.csv --variations --index X",
        ),
        ("--index X.all --merge X", "merge X --index X.all"),
        (
            "--index X --rename --names book.csv",
            "rename --index X --names book.csv",
        ),
        ("--index X --verify", "verify --index X"),
        // The file is gone by now.
        ("--index X --prune", "prune --index X"),
        ("--index none --verify", "verify --index none"),
        (
            "a.pgn --name club --index X",
            "add a.pgn --name club --index X",
        ),
    ];
    let game = b"[White \"Uhura\"]\n\n1. b4N b5B *\n";
    let run = |call: &str, index: &str| {
        let call = call.replace('X', index);
        let words = ["index"].into_iter().chain(call.split(' '));
        let words: Vec<&str> = words.chain(["--format", "ndjson"]).collect();
        let output = fed(at, &words, game);
        let out = String::from_utf8(output.stdout).unwrap();
        let out = out.split("\"seconds\":").next().unwrap().to_owned();
        let told = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), out, told.replace(index, "X"))
    };
    for (old, new) in both {
        if old.contains("--prune") {
            fs::remove_file(at.join("b.pgn")).unwrap();
        }
        assert_eq!(run(old, "first.index"), run(new, "second.index"), "{new}");
    }
    let pruned = run("prune --index X", "second.index");
    assert!(pruned.1.contains("\"games\":6"), "{pruned:?}");
    // A job and options of the older spelling do not mix.
    assert_eq!(run("--index X merge X", "second.index").0, Some(2));
}
