//! Small records as people and other programs write them: files in `tests/data/outside`, and one game in many forms in
//! `tests/data/variants.txt`.

use serde_json::Value;
use std::fs;
use std::process::Command;
use tridex_core::Games;
use tridex_core::replay::{Options, finding::Status};

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

/// What is not read of a record as its line states it.
fn fault(line: &str, first: &str) -> Option<String> {
    let (text, expected) = line.split_once(" => ").unwrap_or((line, ""));
    let text = text.replace("\\n", "\n").replace("\\\\", "\\");
    let moves = |text: &str| -> Option<usize> {
        let games: Vec<_> = Games::of_text(text, Options::default()).ok()?.collect();
        match games.as_slice() {
            [Ok(game)] => Some(game.replay.moves().len()),
            _ => None,
        }
    };
    let games: Vec<_> = Games::of_text(text.as_str(), Options::default())
        .ok()?
        .collect();
    let [Ok(game)] = games.as_slice() else {
        return Some(format!("{line}: {} games", games.len()));
    };
    let is_invalid = game.replay.status() == Status::Invalid;
    if is_invalid != (expected == "invalid") {
        return Some(format!("{line}: {:?}", game.replay.findings()));
    } else if is_invalid {
        return None;
    }
    if Some(game.replay.moves().len()) != moves(first) {
        return Some(format!("{line}: {} plies", game.replay.moves().len()));
    }
    let pgn = game
        .to_pgn(tridex_core::Notation::Meder)
        .or_else(|_| game.to_pgn(tridex_core::Notation::Millennium));
    let pgn = pgn.unwrap().replace('\n', " ");
    let is_there = |part: &str| match part.split_once(' ') {
        Some(("=", result)) => game.replay.result().as_str() == result,
        Some(("has", text)) => pgn.contains(text),
        _ => part.split_once(": ").is_some_and(|(name, value)| {
            let value = value.replace('"', "\\\"");
            pgn.contains(&format!("[{name} \"{value}\"]"))
        }),
    };
    let mut parts = expected.split(" | ").filter(|part| !part.is_empty());
    let lost = parts.find(|part| !is_there(part))?;
    Some(format!("{line}: no {lost} in {pgn}"))
}

#[test]
fn one_game_is_read_in_every_form() {
    let table = fs::read_to_string("tests/data/variants.txt").unwrap();
    let lines = table
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with("# "));
    let lines: Vec<&str> = lines.collect();
    assert!(lines.len() > 390, "{} records", lines.len());
    let faults: Vec<_> = lines
        .iter()
        .filter_map(|line| fault(line, lines[0]))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
