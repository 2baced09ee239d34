//! Small records as people and other programs write them: `tests/data/outside`, with what is read of each.

use serde_json::Value;
use std::fs;
use std::process::Command;

const FOLDER: &str = "tests/data/outside";

/// The lines that a command writes, as JSON, regardless of its exit code.
fn lines(arguments: &[&str]) -> Vec<Value> {
    let output = Command::new(env!("CARGO_BIN_EXE_tridex"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// What is not read of a record as the table states it.
fn faults(row: &csv::StringRecord) -> Vec<String> {
    let cell = |column: usize| row.get(column).unwrap_or_default();
    let path = format!("{FOLDER}/{}", cell(0));
    let games = lines(&["convert", &path, "--format", "ndjson"]);
    let mut faults = Vec::new();
    let mut expect = |what: &str, found: String, expected: &str| {
        if found != expected {
            faults.push(format!(
                "{}: {what} {found:?}, expected {expected:?}",
                cell(0)
            ));
        }
    };
    expect("games", games.len().to_string(), cell(1));
    let Some(game) = games.first() else {
        return faults;
    };
    let moves = game["moves"].as_array().unwrap().iter();
    let moves: Vec<&str> = moves
        .map(|token| {
            token
                .as_str()
                .unwrap()
                .trim_end_matches(['!', '?', '+', '#'])
        })
        .collect();
    if !cell(2).is_empty() {
        expect("moves", moves.join(" "), cell(2));
    }
    if !cell(3).is_empty() {
        let tags: Value = serde_json::from_str(cell(3)).unwrap();
        for (name, value) in tags.as_object().unwrap() {
            let found = game["tags"][name].as_str().unwrap_or_default().to_owned();
            expect(name, found, value.as_str().unwrap());
        }
    }
    if !cell(4).is_empty() {
        expect(
            "result",
            game["result"].as_str().unwrap().to_owned(),
            cell(4),
        );
    }
    if !cell(5).is_empty() {
        let text = format!("{} {}", game["movetext"], game["tags"]);
        let parts: Vec<String> = serde_json::from_str(cell(5)).unwrap();
        let lost = parts.into_iter().filter(|part| !text.contains(part));
        expect("lost", lost.collect::<Vec<_>>().join(", "), "");
    }
    let status = lines(&["validate", &path, "--format", "ndjson"])[0]["status"].clone();
    let status = status.as_str().unwrap();
    if !cell(6).split(" or ").any(|allowed| allowed == status) {
        faults.push(format!("{}: {status}, expected {}", cell(0), cell(6)));
    }
    faults
}

#[test]
fn records_of_other_hands_are_read_completely() {
    let table = fs::File::open(format!("{FOLDER}/expected.tsv")).unwrap();
    let mut table = csv::ReaderBuilder::new()
        .delimiter(b'\t')
        .from_reader(table);
    let rows: Vec<_> = table.records().map(Result::unwrap).collect();
    assert!(rows.len() > 40, "{} records", rows.len());
    let faults: Vec<String> = rows.iter().flat_map(faults).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
