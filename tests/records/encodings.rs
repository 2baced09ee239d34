//! Files that are not UTF-8: what they are read as, and what is said about it.

use crate::program::fed;
use encoding_rs::Encoding;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Output;

const TABLE: &str = include_str!("../data/encodings.txt");

const GAME: &str = "1. b4N b5B 2. c3W a6N *\n";

fn run(at: &Path, arguments: &[&str]) -> Output {
    fed(at, arguments, b"")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The rows of the table of problems of a file that are about none of its games.
fn rows(at: &Path, arguments: &[&str]) -> Vec<Value> {
    let all = [
        &["validate", "-q", "--problems", "--format", "ndjson"],
        arguments,
    ]
    .concat();
    let found = text(&run(at, &all).stdout);
    let rows = found
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.filter(|row| row["game"].is_null()).collect()
}

/// Games of some players, two each.
fn games(names: &[&str]) -> String {
    let game = |pair: &[&str]| {
        let [white, black] = pair else {
            return format!("[White \"{}\"]\n[Variant \"meder\"]\n\n{GAME}\n", pair[0]);
        };
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Variant \"meder\"]\n\n{GAME}\n")
    };
    names.chunks(2).map(game).collect()
}

fn encoded(label: &str, text: &str) -> Vec<u8> {
    if label == "utf-16le" {
        let units = "\u{feff}".encode_utf16().chain(text.encode_utf16());
        return units.flat_map(u16::to_le_bytes).collect();
    }
    use oem_cp::code_table::{ENCODING_TABLE_CP437, ENCODING_TABLE_CP850};
    match label {
        "ibm437" => return oem_cp::encode_string_checked(text, &ENCODING_TABLE_CP437).unwrap(),
        "ibm850" => return oem_cp::encode_string_checked(text, &ENCODING_TABLE_CP850).unwrap(),
        _ => {}
    }
    let encoding = Encoding::for_label(label.as_bytes()).unwrap();
    let (bytes, _, is_lossy) = encoding.encode(text);
    assert!(!is_lossy, "{label}: {text}");
    bytes.into_owned()
}

#[test]
fn the_encoding_of_a_file_is_guessed_reported_and_overridden() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let is_row = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let mut count = 0;
    for row in TABLE.lines().filter(is_row) {
        let [label, guess, names] = row.split('|').map(str::trim).collect::<Vec<_>>()[..] else {
            panic!("{row}");
        };
        let names: Vec<&str> = names.split("; ").collect();
        let games = games(&names);
        fs::write(at.join("a.pgn"), encoded(label, &games)).unwrap();
        // The note, once, where the text is no longer UTF-8.
        let found = rows(at, &["a.pgn"]);
        let wanted: Vec<&str> = guess.split_whitespace().collect();
        let [name, sure, wrong @ ..] = &wanted[..] else {
            assert_eq!(found, Vec::<Value>::new(), "{row}");
            let same = run(at, &["convert", "a.pgn", "--to", "meder"]);
            assert!(text(&same.stdout).contains(names[0]), "{row}");
            continue;
        };
        let [found] = &found[..] else {
            panic!("{row}: {found:?}");
        };
        let message = found["message"].as_str().unwrap();
        assert!(
            message.contains(&format!("read as {name}, a guess")),
            "{row}: {message}"
        );
        let severity = if *sure == "sure" { "info" } else { "warning" };
        assert_eq!(
            (&found["code"], &found["severity"]),
            (&"encoding".into(), &severity.into()),
            "{row}"
        );
        let first = games.lines().position(|line| !line.is_ascii()).unwrap();
        let column = games
            .lines()
            .nth(first)
            .unwrap()
            .chars()
            .position(|c| !c.is_ascii());
        assert_eq!(found["line"], first + 1, "{row}");
        assert_eq!(found["column"], column.unwrap() + 1, "{row}");
        // The same on standard error for every reader, unless only results are wanted; and the names.
        let converted = run(at, &["convert", "a.pgn", "--to", "meder"]);
        assert_eq!(converted.status.code(), Some(0), "{row}");
        assert!(text(&converted.stderr).contains(message), "{row}");
        let is_right = |output: &Output| {
            let read = text(&output.stdout);
            names
                .iter()
                .all(|name| read.contains(&format!(" \"{name}\"]")))
        };
        assert_eq!(is_right(&converted), wrong.is_empty(), "{row}");
        let named = run(
            at,
            &["convert", "a.pgn", "--to", "meder", "--encoding", label],
        );
        assert!(is_right(&named), "{row}");
        assert_eq!(text(&named.stderr), "", "{row}");
        count += 1;
    }
    assert!(count > 20, "{count}");
}

#[test]
fn places_are_those_of_the_text() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let wrong = "[White \"Jiří Dvořák\"]\n[Black \"Šťastný\"]\n[Variant \"meder\"]\n\n1. b4N {ěščřžýáíé} b5B 2. Nc2N *\n";
    let place = |arguments: &[&str]| {
        let found = text(&run(at, arguments).stdout);
        let rows = found
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let mut of_game = rows.filter(|row| row["code"] == "illegal");
        let row = of_game.next().unwrap();
        (row["line"].as_u64(), row["column"].as_u64())
    };
    let validate = ["validate", "a.pgn", "--problems", "--format", "ndjson"];
    for label in ["utf-8", "windows-1250", "iso-8859-2", "utf-16le"] {
        fs::write(at.join("a.pgn"), encoded(label, wrong)).unwrap();
        assert_eq!(place(&validate), (Some(5), Some(27)), "{label}");
    }
}

/// However large the part of it that is ASCII, and in every container.
#[test]
fn letters_are_found_wherever_they_come_and_in_every_container() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let czech = "Jiří Dvořák; Tomáš Novák; Božena Němcová; Václav Šťastný; Lukáš Růžička; Petr Žák";
    let czech: Vec<&str> = czech.split("; ").collect();
    let plain = games(&["Anna Meier", "Jan Smith"]).repeat(4_000);
    let late = encoded("windows-1250", &format!("{plain}{}", games(&czech)));
    fs::write(at.join("a.pgn"), &late).unwrap();
    let found = rows(at, &["a.pgn"]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["line"], plain.lines().count() + 1);
    let last = run(at, &["convert", "a.pgn", "--to", "meder"]);
    assert!(text(&last.stdout).contains("Růžička"));
    for format in ["csv", "ndjson", "pgn"] {
        fs::write(at.join("b.pgn"), games(&czech)).unwrap();
        let name = format!("c.{format}");
        let made = run(
            at,
            &["convert", "b.pgn", "--to", "meder", "--format", format],
        );
        fs::write(at.join(&name), encoded("windows-1250", &text(&made.stdout))).unwrap();
        let again = run(at, &["convert", &name, "--to", "meder"]);
        assert!(
            text(&again.stdout).contains("[White \"Jiří Dvořák\"]"),
            "{format}"
        );
        assert!(
            text(&again.stderr).contains("read as windows-1250"),
            "{format}"
        );
    }
}

#[test]
fn a_name_that_is_none_is_refused_with_those_near_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (name, near) in [
        ("windows1250", "windows-1250"),
        ("iso8859_2x", "iso-8859-2"),
        ("koi8rr", "koi8-r"),
        ("utf16", "utf-16le"),
        ("utf16", "utf-16be"),
        ("ebcdic", "expected a name of the Encoding Standard"),
        ("", "expected a name of the Encoding Standard"),
    ] {
        let refused = run(at, &["validate", "a.pgn", "--encoding", name]);
        assert_eq!(refused.status.code(), Some(2), "{name}");
        let said = text(&refused.stderr);
        assert!(said.contains(near) && said.contains("--encoding"), "{said}");
    }
    // Every command that reads files has the option; an index has its games already.
    fs::write(
        at.join("a.pgn"),
        encoded("latin2", &games(&["Tomáš Novák", "Petr Žák"])),
    )
    .unwrap();
    for command in [
        &["validate", "a.pgn"][..],
        &["convert", "a.pgn", "--to", "meder"],
        &["stats", "a.pgn"],
        &["dedupe", "a.pgn"],
        &["index", "a.pgn", "--index", "db"],
        &["export", "a.pgn", "--parquet", "tables"],
        &["plan", "a.pgn"],
        &["position", "a.pgn"],
        &["show", "a.pgn"],
    ] {
        let read = run(at, &[command, &["--encoding", "latin2"]].concat());
        assert_eq!(
            read.status.code(),
            Some(0),
            "{command:?}: {}",
            text(&read.stderr)
        );
        assert!(!text(&read.stderr).contains("guess"), "{command:?}");
    }
    let found = run(
        at,
        &[
            "search", "--index", "db", "--white", "Novák", "--format", "ndjson",
        ],
    );
    assert!(text(&found.stdout).contains("Tomáš Novák"));
    let both = [
        "position",
        "--index",
        "db",
        "--game",
        "1",
        "--encoding",
        "latin2",
    ];
    assert_eq!(run(at, &both).status.code(), Some(2));
}

/// The table of problems of files in every encoding is the same from pieces as from the whole.
#[test]
fn pieces_of_files_in_other_encodings_say_what_the_whole_says() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("games")).unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(at.join("games").join(name), bytes).unwrap();
    let wrong = "[White \"x\"]\n[Variant \"meder\"]\n\n1. b4N b5B 2. Nc2N *\n\n".repeat(20);
    let czech = games(&["Jiří Dvořák", "Tomáš Novák"]).repeat(9);
    let german = games(&["Jürgen Müller", "Käthe Weiß"]).repeat(9);
    write(
        "a.pgn",
        &encoded("latin2", &format!("{wrong}{czech}{wrong}")),
    );
    write(
        "b.pgn",
        &encoded("windows-1252", &format!("{wrong}{german}{wrong}{german}")),
    );
    // One byte here and there that is not UTF-8.
    let damaged = [
        czech.as_bytes(),
        &encoded("latin1", &games(&["Bär"])),
        wrong.as_bytes(),
        &encoded("latin1", &games(&["Bär"])),
    ]
    .concat();
    write("c.pgn", &damaged);
    write(
        "d.pgn",
        &[wrong.as_bytes(), &[0; 40], german.as_bytes(), &[0; 5000]].concat(),
    );
    write("e.pgn", b"");
    write("f.pgn", &[0; 5000]);
    write("g.pgn", &encoded("utf-16le", &czech)[2..]);
    for target in ["1", "700", "1M"] {
        let plan = text(&run(at, &["plan", "games", "--target", target]).stdout);
        let validate = ["validate", "-q", "--problems", "--format", "ndjson"];
        let whole = run(at, &[&validate[..], &["games"]].concat());
        let pieces = fed(
            at,
            &[&validate[..], &["--plan", "-"]].concat(),
            plan.as_bytes(),
        );
        // A note comes before the games of its batch, and batches of pieces end elsewhere.
        let sorted = |output: &Output| {
            let mut lines: Vec<String> = text(&output.stdout).lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(sorted(&pieces), sorted(&whole), "{target}: {plan}");
        // Each piece by itself, in any order.
        let mut lines: Vec<String> = Vec::new();
        for piece in plan.lines().rev() {
            let one = fed(
                at,
                &[&validate[..], &["--plan", "-"]].concat(),
                piece.as_bytes(),
            );
            lines.extend(text(&one.stdout).lines().map(str::to_owned));
        }
        let mut all: Vec<String> = text(&whole.stdout).lines().map(str::to_owned).collect();
        lines.sort();
        all.sort();
        assert_eq!(lines, all, "{target}");
        let of = |file: &str| {
            let is_of = |line: &&String| {
                line.contains(&format!("games/{file}\"")) && line.contains("\"game\":null")
            };
            let rows = all.iter().filter(is_of);
            rows.map(|line| {
                serde_json::from_str::<Value>(line).unwrap()["code"]
                    .as_str()
                    .unwrap()
                    .to_owned()
            })
            .collect::<Vec<_>>()
        };
        assert_eq!(of("a.pgn"), ["encoding"]);
        assert_eq!(of("b.pgn"), ["encoding"]);
        assert_eq!(of("c.pgn"), ["encoding"]);
        assert_eq!(of("d.pgn"), ["zeros", "zeros"]);
        assert_eq!(of("e.pgn"), ["empty"]);
        assert_eq!(of("f.pgn"), ["no-games", "zeros"]);
        assert_eq!(of("g.pgn"), ["unknown-encoding"]);
    }
}

/// Text in UTF-8 that a program read as Windows-1252 is reported, and corrected only on request, with a trace.
#[test]
fn mojibake_is_reported_and_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let record = "[White \"JÃ¶rg\"]\n[Variant \"meder\"]\n\n1. b4N {trÃ¨s bien} b5B *\n";
    fs::write(at.join("a.pgn"), record).unwrap();
    let found = run(at, &["validate", "a.pgn"]);
    let found = text(&found.stdout);
    assert!(found.contains("warning[mojibake]"), "{found}");
    assert!(found.contains("it means `Jörg`"), "{found}");
    let plain = run(at, &["convert", "a.pgn", "--to", "meder"]);
    assert!(text(&plain.stdout).contains("[White \"JÃ¶rg\"]"));
    let repaired = run(at, &["convert", "a.pgn", "--to", "meder", "--repair"]);
    let repaired = text(&repaired.stdout);
    for part in [
        "[White \"Jörg\"]",
        "{très bien}",
        "[%tridex repaired \"JÃ¶rg\"",
    ] {
        assert!(repaired.contains(part), "{part}: {repaired}");
    }
}
