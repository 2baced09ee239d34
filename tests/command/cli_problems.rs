//! The table of problems, and what else `validate` says to those who check many games.

use crate::program::fed;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Output;

/// Four games: a legal one, one with a foreign letter, one that breaks, one that breaks and is damaged.
const GAMES: &str = "\
[Variant \"meder\"]\n\n1. b4N b5B *\n\n\
[Variant \"meder\"]\n\n1. b4N b5B 2. a3N a6S *\n\n\
[White \"=1+1\"]\n[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6N 3. Nc2N c6B *\n\n\
[Variant \"meder\"]\n\n1. b4N Qe9 ) 2. c3W *\n\n\
{x\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("games.pgn"), GAMES).unwrap();
    folder
}

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

fn rows(output: &Output) -> Vec<Value> {
    let text = stdout(output);
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The cells of a table.
fn cells(text: &str, delimiter: u8) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new();
    reader.has_headers(false).delimiter(delimiter);
    let mut reader = reader.from_reader(text.as_bytes());
    let records = reader.records();
    records
        .map(|record| record.unwrap().iter().map(str::to_owned).collect())
        .collect()
}

const COLUMNS: [&str; 12] = [
    "file",
    "game",
    "line",
    "column",
    "ply",
    "severity",
    "code",
    "token",
    "message",
    "legal",
    "suggestion",
    "correction",
];

#[test]
fn every_finding_is_a_row_with_its_place() {
    let folder = folder();
    let output = run(
        folder.path(),
        "validate games.pgn --problems --format ndjson",
    );
    assert_eq!(output.status.code(), Some(1));
    let found = rows(&output);
    let text = |row: &Value, field: &str| row[field].as_str().map(str::to_owned);
    let wrong = found
        .iter()
        .find(|row| row["token"] == "Nc2N")
        .unwrap_or_else(|| panic!("{found:?}"));
    assert_eq!(wrong["file"], "games.pgn");
    assert_eq!((&wrong["game"], &wrong["ply"]), (&3.into(), &5.into()));
    assert_eq!((&wrong["line"], &wrong["column"]), (&12.into(), &26.into()));
    assert_eq!(text(wrong, "severity").as_deref(), Some("error"));
    assert_eq!(text(wrong, "code").as_deref(), Some("illegal"));
    assert_eq!(wrong["legal"], serde_json::json!(["Nc3N", "Nc2W"]));
    assert_eq!(wrong["suggestion"], Value::Null, "two slips are as likely");
    for row in &found {
        let mut fields: Vec<&String> = row.as_object().unwrap().keys().collect();
        fields.sort_unstable();
        let mut all = COLUMNS.to_vec();
        all.sort_unstable();
        assert_eq!(fields, all);
    }
    // Nothing is said of the first game; the second has one row; damage behind the last belongs to no game.
    let games: Vec<Option<u64>> = found.iter().map(|row| row["game"].as_u64()).collect();
    assert_eq!(games.iter().filter(|game| **game == Some(1)).count(), 0);
    assert_eq!(games.iter().filter(|game| **game == Some(2)).count(), 1);
    assert!(games.contains(&Some(4)), "{games:?}");
    assert_eq!(games.last(), Some(&None));

    // The same as a table, which is what comes without a word about the form.
    let table = run(folder.path(), "validate games.pgn --problems");
    let table = cells(&stdout(&table), b',');
    assert_eq!(table[0], COLUMNS);
    assert_eq!(table.len(), found.len() + 1);
    for (row, record) in found.iter().zip(&table[1..]) {
        for (column, cell) in COLUMNS.iter().zip(record) {
            let said = match &row[*column] {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                Value::Array(moves) => {
                    let moves: Vec<&str> = moves.iter().filter_map(Value::as_str).collect();
                    moves.join("; ")
                }
                other => other.to_string(),
            };
            assert_eq!(*cell, said, "{column}");
        }
    }
}

#[test]
fn only_errors_means_it_in_every_format() {
    let folder = folder();
    let at = folder.path();
    let invalid = |row: &Value| row["status"] == "invalid";
    let games = rows(&run(at, "validate games.pgn --errors-only --format ndjson"));
    assert_eq!(games.len(), 2);
    assert!(games.iter().all(invalid));
    for game in &games {
        let found = game["diagnostics"].as_array().unwrap();
        assert!(!found.is_empty());
        assert!(found.iter().all(|found| found["severity"] == "error"));
    }
    let all = rows(&run(at, "validate games.pgn --format ndjson"));
    assert_eq!(
        (all.len(), all.iter().filter(|row| invalid(row)).count()),
        (4, 2)
    );
    let table = stdout(&run(at, "validate games.pgn --errors-only --format csv"));
    assert_eq!(cells(&table, b',').len(), 3);
    let problems = rows(&run(
        at,
        "validate games.pgn --errors-only --problems --format ndjson",
    ));
    assert!(problems.iter().all(|row| row["severity"] == "error"));
    let every = rows(&run(at, "validate games.pgn --problems --format ndjson"));
    assert!(!problems.is_empty() && problems.len() < every.len());
    let text = stdout(&run(at, "validate games.pgn --errors-only"));
    assert!(
        text.contains("error[illegal]") && !text.contains("warning["),
        "{text}"
    );
}

#[test]
fn counts_go_to_standard_error_where_a_program_reads() {
    let folder = folder();
    let at = folder.path();
    for form in ["--format ndjson", "--format csv", "--problems"] {
        let output = run(at, &format!("validate games.pgn {form}"));
        assert!(
            stderr(&output).contains("games                 4\n"),
            "{form}"
        );
        assert!(!stdout(&output).contains("plies/s"), "{form}");
        let quiet = run(at, &format!("validate games.pgn {form} --quiet"));
        assert_eq!(stderr(&quiet), "", "{form}");
        assert_eq!(stdout(&quiet), stdout(&output), "{form}");
    }
    let text = run(at, "validate games.pgn");
    assert!(stdout(&text).contains("games                 4\n"));
    assert_eq!(stderr(&text), "");
    assert!(!stdout(&run(at, "validate games.pgn -q")).contains("games   "));
}

#[test]
fn a_spreadsheet_gets_its_delimiter_its_mark_and_no_formulas() {
    let folder = folder();
    let at = folder.path();
    let plain = stdout(&run(at, "convert games.pgn --to meder --format csv"));
    assert!(plain.contains("'=1+1"), "{plain}");
    let kept = run(
        at,
        "convert games.pgn --to meder --format csv --csv-formulas keep",
    );
    assert!(stdout(&kept).contains(",=1+1,"), "{}", stdout(&kept));
    for command in [
        "convert games.pgn --to meder --format csv",
        "validate games.pgn --format csv",
        "validate games.pgn --problems",
        "stats games.pgn --format csv",
        "dedupe games.pgn --format csv",
        "generate --rules meder --games 3 --seed 1 --format csv",
    ] {
        let comma = stdout(&run(at, command));
        let other = stdout(&run(at, &format!("{command} --csv-delimiter ; --bom")));
        let bare = other
            .strip_prefix('\u{feff}')
            .expect("the mark comes first");
        assert_eq!(cells(bare, b';'), cells(&comma, b','), "{command}");
        let tabs = stdout(&run(at, &format!("{command} --csv-delimiter tab")));
        assert_eq!(cells(&tabs, b'\t'), cells(&comma, b','), "{command}");
    }
    // A sheet with semicolons is a sheet.
    let sheet = run(
        at,
        "generate --rules meder --games 3 --seed 1 --format csv --csv-delimiter ; --bom",
    );
    let back = fed(at, &["validate", "-", "--format", "ndjson"], &sheet.stdout);
    assert_eq!(rows(&back).len(), 3);
    assert_eq!(back.status.code(), Some(0));
    for wrong in [
        "validate games.pgn --bom",
        "convert games.pgn --to meder --csv-delimiter ;",
        "stats games.pgn --format ndjson --csv-formulas keep",
        "validate games.pgn --format csv --csv-delimiter x",
    ] {
        assert_eq!(run(at, wrong).status.code(), Some(2), "{wrong}");
    }
}

#[test]
fn a_run_stops_when_it_was_told_enough() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let bad = "[Variant \"meder\"]\n\n1. b4N Qe9 *\n\n";
    let good = "[Variant \"meder\"]\n\n1. b4N b5B *\n\n";
    // Every tenth game is bad, over many batches.
    let text: String = (0..20_000)
        .map(|game| if game % 10 == 9 { bad } else { good })
        .collect();
    fs::write(at.join("many.pgn"), text).unwrap();
    for threads in ["1", "3"] {
        for form in [
            "--format ndjson --errors-only",
            "--problems --format ndjson",
        ] {
            let ask = format!("validate many.pgn {form} --threads {threads}");
            let all = run(at, &ask);
            assert_eq!(rows(&all).len(), 2000);
            for most in [1, 3, 777] {
                let some = run(at, &format!("{ask} --max-errors {most}"));
                assert_eq!(some.status.code(), Some(1));
                assert_eq!(rows(&some), rows(&all)[..most], "{form} {most}");
                let games = format!("games {:>17}\n", most * 10);
                assert!(stderr(&some).contains(&games), "{}", stderr(&some));
                assert!(stderr(&some).contains("stopped by --max-errors"));
            }
            let first = run(at, &format!("{ask} --fail-fast"));
            assert_eq!(rows(&first), rows(&all)[..1]);
            assert!(stderr(&first).contains("stopped by --fail-fast"));
        }
    }
    // Where there are not so many, all is read.
    let all = run(at, "validate many.pgn --max-errors 100000");
    assert!(
        stdout(&all).contains("games             20000\n"),
        "{}",
        stdout(&all)
    );
    assert!(!stderr(&all).contains("stopped"));
    // All findings of the first invalid game, and none of those behind it.
    let folder = self::folder();
    let text = stdout(&run(folder.path(), "validate games.pgn --fail-fast"));
    assert!(
        text.contains("game 3, 3. (ply 5)") && !text.contains("game 4"),
        "{text}"
    );
    assert!(text.contains("games                 3\n"), "{text}");
}

#[test]
fn all_systems_have_a_summary_and_fields_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // The second is legal nowhere; the third holds a position that only two systems have.
    let text = "1. b4N b5B 2. c3W a6N *\n\n[Event \"x\"]\n\n1. b4N Qe9 *\n\n";
    fs::write(at.join("a.pgn"), text).unwrap();
    let output = run(at, "validate a.pgn --rules any --format ndjson");
    let games = rows(&output);
    let legal = |game: &Value| game["legal"].as_array().unwrap().clone();
    assert!(legal(&games[0]).contains(&"meder".into()));
    assert_eq!(legal(&games[1]), Vec::<Value>::new());
    for game in &games {
        let systems = game["systems"].as_array().unwrap();
        let names: Vec<&str> = systems
            .iter()
            .map(|s| s["rules"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["meder", "manual", "federation"]);
        for system in systems {
            assert_eq!(system["legal"], legal(game).contains(&system["rules"]));
            assert_eq!(system["message"].is_null(), system["legal"] == true);
        }
    }
    assert_eq!(games[1]["systems"][0]["plies"], 1);
    assert_eq!(games[1]["systems"][0]["token"], "Qe9");
    let summary = stderr(&output);
    assert!(summary.contains("legal under\n"), "{summary}");
    assert!(
        summary.contains("  none                                       1\n"),
        "{summary}"
    );
    let table = stdout(&run(at, "validate a.pgn --rules any --format csv"));
    let table = cells(&table, b',');
    assert_eq!(table[0].last().map(String::as_str), Some("legal"));
    assert!(table[1].last().unwrap().contains("meder"));
    // Where one system is meant there are no such fields.
    let plain = run(at, "validate a.pgn --format ndjson");
    assert!(rows(&plain)[0].get("legal").is_none());
    assert!(!stderr(&plain).contains("legal under"));
}
