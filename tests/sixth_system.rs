//! A rule system is one file and one line: two invented systems, one on each board, go the way of all others.
//!
//! They are compiled only with the feature `invented`; `.ci/nightly` runs this:
//! `cargo test -p tridex --features invented --test sixth_system`.

use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tridex_notation::Notation;
use tridex_rules::{Position, RuleSystem};

const SYSTEMS: [RuleSystem; 2] = [RuleSystem::InventedStair, RuleSystem::InventedCube];

const GAMES: usize = 60;

/// A folder with generated games of a system.
fn games(rules: RuleSystem) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let count = GAMES.to_string();
    let generate = ["generate", "--games", &count, "--seed", "6", "--rules"];
    let generate = [&generate[..], &[rules.name(), "--output", "games.pgn"]].concat();
    good(folder.path(), &generate);
    folder
}

/// What the program writes, which must succeed.
#[track_caller]
fn good(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tridex"));
    let done = command.args(arguments).current_dir(folder).output();
    let done = done.unwrap();
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(done.stdout).unwrap()
}

/// The rows of an answer.
#[track_caller]
fn rows(text: &str) -> Vec<Value> {
    let read = |line| serde_json::from_str(line).unwrap();
    text.lines().map(read).collect()
}

/// The other notation of the board.
fn other_notation(rules: RuleSystem) -> Notation {
    let own = Notation::of(rules);
    let mut others = Notation::ALL.into_iter().filter(|other| *other != own);
    let other = others.find(|other| other.family() == rules.family());
    other.expect("two notations for each board")
}

#[test]
fn games_are_validated_and_converted() {
    for rules in SYSTEMS {
        let folder = games(rules);
        let at = folder.path();
        let validate = ["validate", "games.pgn", "--format", "ndjson", "-q"];
        let checked = rows(&good(at, &validate));
        assert_eq!(checked.len(), GAMES);
        for row in &checked {
            assert_eq!(
                (&row["rules"], &row["status"]),
                (&json!(rules.name()), &json!("valid"))
            );
        }
        let own = good(at, &["convert", "games.pgn", "--to", "own", "-q"]);
        let other = other_notation(rules).name();
        let there = [
            "convert",
            "games.pgn",
            "--to",
            other,
            "-q",
            "--output",
            "there.pgn",
        ];
        good(at, &there);
        let back = good(at, &["convert", "there.pgn", "--to", "own", "-q"]);
        assert_eq!(own, back, "{}", rules.name());
        // By one of its other names, and by its moves alone.
        let alias = rules.facts().aliases[0];
        let named = own.replace(rules.name(), alias);
        fs::write(at.join("named.pgn"), named).unwrap();
        let named = rows(&good(
            at,
            &["validate", "named.pgn", "--format", "ndjson", "-q"],
        ));
        assert!(named.iter().all(|row| row["rules"] == rules.name()));
    }
}

#[test]
fn its_own_rules_decide() {
    let castles = |rules: RuleSystem| {
        let folder = games(rules);
        let text = fs::read_to_string(folder.path().join("games.pgn")).unwrap();
        text.contains("0-0") || text.contains("O-O")
    };
    assert!(castles(RuleSystem::InventedStair));
    assert!(!castles(RuleSystem::InventedCube));
    // No other system of the board has as many moves.
    for rules in SYSTEMS {
        let others = RuleSystem::ALL.iter().filter(|other| **other != rules);
        let counts: Vec<_> = others
            .filter(|other| other.family() == rules.family())
            .map(|other| Position::start(*other).perft(3))
            .collect();
        assert!(!counts.contains(&Position::start(rules).perft(3)));
    }
    // An illegal move is explained by an article of the system.
    for (rules, text, article) in [
        (RuleSystem::InventedStair, "1. b5N *", "Invented 1"),
        (
            RuleSystem::InventedStair,
            "1. 0-0 b5B 2. 0-0 *",
            "Invented 2",
        ),
        (RuleSystem::InventedCube, "1. 1A1-1A5 *", "Invented 3"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let text = format!("[Variant \"{}\"]\n\n{text}\n", rules.name());
        fs::write(folder.path().join("game.pgn"), text).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tridex"));
        command
            .args(["validate", "game.pgn"])
            .current_dir(folder.path());
        let done = command.output().unwrap();
        let report = [done.stdout, done.stderr].concat();
        let report = String::from_utf8_lossy(&report);
        assert!(report.contains(article), "{article}: {report}");
    }
}

#[test]
fn positions_are_shown() {
    for rules in SYSTEMS {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        let shown = good(at, &["show", "--rules", rules.name()]);
        let title = format!("{}, move 1: White to move", rules.name());
        assert!(shown.starts_with(&title), "{shown}");
        good(at, &["show", "--rules", rules.name(), "--svg", "start.svg"]);
        let picture = fs::read_to_string(at.join("start.svg")).unwrap();
        assert!(picture.contains(&format!("<title>{title}</title>")));
        let moves = good(at, &["moves", "--rules", rules.name()]);
        let legal = Position::start(rules).legal_moves();
        assert_eq!(moves.lines().count(), legal.len());
    }
}

#[test]
fn games_are_indexed_found_and_put_on_a_page() {
    for rules in SYSTEMS {
        let folder = games(rules);
        let at = folder.path();
        good(at, &["index", "games.pgn", "--index", "db", "-q"]);
        let search = [
            "search", "--index", "db", "--format", "ndjson", "--limit", "1000",
        ];
        let start = tridex_notation::position_string::to_string(&rules.start());
        for question in [
            &["--rules", rules.name()][..],
            &["--rules", rules.name(), "--position", &start],
            &["--position", &start],
        ] {
            let found = rows(&good(at, &[&search[..], question].concat()));
            assert_eq!(found.len(), GAMES, "{question:?}");
            assert!(found.iter().all(|hit| hit["rules"] == rules.name()));
        }
        for other in RuleSystem::ALL.iter().filter(|other| **other != rules) {
            let found = good(at, &[&search[..], &["--rules", other.name()]].concat());
            assert_eq!(found, "", "{}", other.name());
        }
        let openings = ["openings", "--index", "db", "--format", "ndjson", "--rules"];
        let moves = rows(&good(at, &[&openings[..], &[rules.name()]].concat()));
        let played: u64 = moves.iter().filter_map(|row| row["games"].as_u64()).sum();
        assert_eq!(played, GAMES as u64);
        let html = ["convert", "games.pgn", "--format", "html", "-q"];
        let page = good(at, &html);
        assert_eq!(page.matches("<article ").count(), GAMES);
        assert!(page.contains(rules.name()));
    }
}

/// A site that is ended with the test.
struct Served {
    child: Child,
    at: String,
}

impl Served {
    fn new(folder: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tridex"))
            .args(["serve", "--index", "db", "--port", "0"])
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let at = line.trim_end().strip_prefix("listening on http://");
        let at = at.expect("an address").trim_end_matches('/').to_owned();
        Self { child, at }
    }

    /// An answer that is good.
    fn get(&self, address: &str) -> String {
        let mut stream = TcpStream::connect(&self.at).unwrap();
        let host = &self.at;
        write!(stream, "GET {address} HTTP/1.0\r\nHost: {host}\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.contains(" 200 OK\r\n"), "{address}: {answer}");
        answer
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn its_pages_are_served() {
    for rules in SYSTEMS {
        let (folder, name) = (games(rules), rules.name());
        good(
            folder.path(),
            &["index", "games.pgn", "--index", "db", "-q"],
        );
        let served = Served::new(folder.path());
        let hits = served.get(&format!("/api/v1/search?rules={name}&limit=1"));
        assert!(hits.contains(&format!("\"games\":{GAMES}")), "{hits}");
        let (_, id) = hits.split_once("\"id\":\"").unwrap();
        let id = id.split('"').next().unwrap();
        for (address, text) in [
            (format!("/search?rules={name}"), format!("{GAMES} games")),
            (format!("/openings?rules={name}"), name.to_owned()),
            (format!("/setup?rules={name}"), name.to_owned()),
            ("/statistics".to_owned(), name.to_owned()),
            (format!("/game/{id}"), name.to_owned()),
        ] {
            let answer = served.get(&address);
            assert!(answer.contains(&text), "{address}: {answer}");
        }
    }
}

#[test]
fn the_module_for_browsers_offers_it() {
    let ask = |request: Value, text: &str| -> (Value, Vec<u8>) {
        let request = format!("{request}\n{text}").into_bytes();
        let (head, rest) = tridex_wasm::answer(request).unwrap();
        (serde_json::from_str(&head).unwrap(), rest)
    };
    let (choices, _) = ask(json!({"do": "systems"}), "");
    let systems = choices["systems"].as_array().unwrap();
    for rules in SYSTEMS {
        let (name, facts) = (rules.name(), rules.facts());
        let offered = systems.iter().find(|system| system["name"] == name);
        let offered = offered.expect("it is offered");
        assert_eq!(offered["about"], facts.summary);
        assert_eq!(offered["own"], facts.notation);
        let (moves, _) = ask(json!({"do": "moves", "rules": name}), "");
        let moves = moves["moves"].as_array().unwrap();
        assert_eq!(moves.len(), Position::start(rules).legal_moves().len());
        let (_, picture) = ask(json!({"do": "svg", "rules": name}), "");
        assert!(picture.starts_with(b"<svg"));
        let folder = games(rules);
        let text = fs::read_to_string(folder.path().join("games.pgn")).unwrap();
        let (read, read_rows) = ask(
            json!({"do": "read", "options": {"name": "games.pgn"}}),
            &text,
        );
        assert_eq!(read["games"], GAMES);
        let validate = ["validate", "games.pgn", "--format", "ndjson", "-q"];
        let read_rows = String::from_utf8(read_rows).unwrap();
        assert!(read_rows == good(folder.path(), &validate));
    }
}
