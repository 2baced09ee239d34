//! Games and positions as Parquet: what is asked of them is answered as an index answers it.

use crate::program::fed;
use serde_json::Value;
use std::fs;
use std::path::Path;

const SYSTEMS: [&str; 5] = ["meder", "manual", "federation", "millennium", "chess3"];

#[track_caller]
fn good(at: &Path, arguments: &[&str]) -> String {
    let output = fed(at, arguments, b"");
    let words = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {words}");
    String::from_utf8(output.stdout).unwrap()
}

/// A folder with games of all systems, two of them the same, and an index of them.
fn collection(at: &Path) {
    fs::create_dir(at.join("games")).unwrap();
    for rules in SYSTEMS {
        let file = format!("games/{rules}.pgn");
        good(
            at,
            &[
                "generate", "--rules", rules, "--games", "60", "--seed", "11", "--output", &file,
            ],
        );
    }
    let text = fs::read_to_string(at.join("games/meder.pgn")).unwrap();
    let first = text.match_indices("[Event ").nth(1).unwrap().0;
    // A game in which the start comes again, and another move is played there.
    let back = "[Variant \"meder\"]\n[Result \"1-0\"]\n[Date \"2030.01.01\"]\n[WhiteElo \"1800\"]\n\n\
                1. Nc3W Nc6B 2. Nd1W Nd8B 3. b4N b5B 1-0\n\n";
    fs::write(
        at.join("games/twice.pgn"),
        format!("{}{back}", &text[..first]),
    )
    .unwrap();
    good(at, &["index", "games", "--index", "db", "-q"]);
}

fn summary(at: &Path, arguments: &[&str]) -> Value {
    let all = [&["export", "--format", "ndjson"], arguments].concat();
    serde_json::from_str(&good(at, &all)).unwrap()
}

/// Asks for the tables along the most frequent moves from the start, and some others.
fn same_tables(at: &Path, tables: &str) {
    let mut asked = 0;
    for rules in SYSTEMS {
        let mut moves = String::new();
        for turn in 0..12 {
            for format in ["ndjson", "csv"] {
                let mut question = vec!["openings", "--rules", rules, "--format", format];
                if !moves.is_empty() {
                    question.extend(["--moves", moves.as_str()]);
                }
                let index = good(at, &[&question[..], &["--index", "db"]].concat());
                let parquet = good(at, &[&question[..], &["--parquet", tables]].concat());
                assert_eq!(parquet, index, "{rules} {moves}");
            }
            let mut question = vec![
                "openings", "--rules", rules, "--format", "ndjson", "--index", "db",
            ];
            if !moves.is_empty() {
                question.extend(["--moves", moves.as_str()]);
            }
            let rows = good(at, &question);
            let Some(row) = rows.lines().nth(turn % 2).or_else(|| rows.lines().next()) else {
                break;
            };
            asked += 1;
            let row: Value = serde_json::from_str(row).unwrap();
            moves.push_str(row["move"].as_str().unwrap());
            moves.push(' ');
        }
    }
    assert!(asked > 25, "{asked}");
}

#[test]
fn tables_of_parquet_are_those_of_the_index() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    collection(at);
    let from_index = summary(at, &["--index", "db", "--parquet", "a"]);
    same_tables(at, "a");
    // The same games in the same order are the same bytes, wherever they are from and whoever reads them.
    let from_files = summary(at, &["games", "--parquet", "b"]);
    let one_thread = summary(at, &["games", "--parquet", "c", "-j", "1"]);
    for field in ["games", "positions", "rejected"] {
        assert_eq!(from_files[field], from_index[field], "{field}");
        assert_eq!(one_thread[field], from_index[field], "{field}");
    }
    assert_eq!(from_index["games"], 302);
    for file in ["games.parquet", "positions.parquet"] {
        let bytes = fs::read(at.join("a").join(file)).unwrap();
        assert!(
            fs::read(at.join("b").join(file)).unwrap() == bytes,
            "{file}"
        );
        assert!(
            fs::read(at.join("c").join(file)).unwrap() == bytes,
            "{file}"
        );
    }
    // Parts of it in a folder of that name, as engines write them.
    let plan = good(at, &["plan", "games", "--target", "20K"]);
    let pieces: Vec<&str> = plan.lines().collect();
    assert!(pieces.len() > 8);
    fs::create_dir_all(at.join("d/positions.parquet")).unwrap();
    for (number, half) in pieces.chunks(pieces.len() / 2 + 1).enumerate() {
        let made = fed(
            at,
            &["export", "--plan", "-", "--parquet", "part"],
            half.join("\n").as_bytes(),
        );
        assert_eq!(made.status.code(), Some(0));
        let name = format!("d/positions.parquet/part-{number}.parquet");
        fs::rename(at.join("part/positions.parquet"), at.join(name)).unwrap();
    }
    fs::write(at.join("d/positions.parquet/_SUCCESS"), b"").unwrap();
    same_tables(at, "d");
}

#[test]
fn what_cannot_be_exported_or_asked_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let refused = |arguments: &[&str], code: i32, why: &str| {
        let output = fed(at, arguments, b"");
        let words = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {words}");
        assert!(words.contains(why), "{arguments:?}: {words}");
    };
    refused(
        &["openings", "--rules", "meder", "--parquet", "none"],
        2,
        "there is no positions.parquet",
    );
    refused(&["export", "--parquet", "a"], 2, "PATHS");
    refused(&["export", "--index", "none", "--parquet", "a"], 2, "none");
    refused(
        &[
            "openings",
            "--rules",
            "meder",
            "--parquet",
            "a",
            "--player",
            "kirk",
        ],
        2,
        "cannot be used with",
    );
    fs::write(
        at.join("bad.pgn"),
        "[Variant \"meder\"]\n\n1. b4N b4N *\n\n[Variant \"meder\"]\n\n1. b4N *\n",
    )
    .unwrap();
    refused(
        &["export", "bad.pgn", "--parquet", "a"],
        1,
        "skipped game 1",
    );
    let table = good(at, &["openings", "--rules", "meder", "--parquet", "a"]);
    assert!(table.contains("1 game reaches the position"), "{table}");
    fs::write(at.join("file"), b"").unwrap();
    refused(&["export", "bad.pgn", "--parquet", "file"], 2, "file");
}
