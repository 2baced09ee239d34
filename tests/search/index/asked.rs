//! What is asked of an index beside searching: games shown and counted out of it, hits marked, questions kept, names of
//! openings given anew.

use super::support::*;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[test]
fn games_of_an_index_are_shown_as_those_of_the_file() {
    let folder = &collection().folder;
    for rules in SYSTEMS {
        let file = format!("{rules}.pgn");
        let hits = search(folder, &["--rules", rules]);
        let hit = hits.iter().find(|hit| hit["source"] == *file).unwrap();
        let number = hit["game"].to_string();
        let by_place = format!("{file}:{number}");
        for name in [hit["id"].as_str().unwrap(), &by_place] {
            for command in ["position", "show"] {
                for ply in ["0", "7"] {
                    let of_file = [command, &file, "--game", &number, "--ply", ply];
                    let of_index = [command, "--index", "db", "--game", name, "--ply", ply];
                    assert_eq!(good(folder, &of_index), good(folder, &of_file));
                }
                let of_file = [command, &file, "--game", &number];
                let of_index = [command, "--index", "db", "--game", name];
                assert_eq!(good(folder, &of_index), good(folder, &of_file));
            }
        }
    }
    for (arguments, told) in [
        (
            ["show", "--index", "db", "--game", "0000000000000000"],
            "there is no game",
        ),
        (
            ["show", "--index", "db", "--game", "first"],
            "expected an id of 16",
        ),
        (
            ["position", "--index", "nowhere", "--game", "a:1"],
            "there is no index here",
        ),
    ] {
        let output = tridex(folder, &arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(complaint(&output).contains(told), "{}", complaint(&output));
    }
    let output = tridex(folder, &["position", "meder.pgn", "--game", "meder.pgn:1"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(complaint(&output).contains("the number of a game in the file"));
}

#[test]
fn games_of_an_index_are_counted_as_those_of_the_files() {
    let folder = &collection().folder;
    // How games are written down is none of what an index keeps.
    let of_the_games = |text: &str| {
        let rows = rows(text).into_iter();
        let rows = rows.filter(|row| row["kind"] != "notation" && row["kind"] != "locale");
        let rows = rows.filter(|row| row["kind"] != "status");
        rows.map(|row| row.to_string()).collect::<BTreeSet<_>>()
    };
    let files: Vec<String> = SYSTEMS.iter().map(|rules| format!("{rules}.pgn")).collect();
    let mut arguments = vec!["stats", "--format", "ndjson", "sample.pgn"];
    arguments.extend(files.iter().map(String::as_str));
    let of_index = good(folder, &["stats", "--index", "db", "--format", "ndjson"]);
    assert_eq!(
        of_the_games(&of_index),
        of_the_games(&good(folder, &arguments))
    );
    let of_files = good(folder, &["stats", "--format", "ndjson", "chess3.pgn"]);
    let question = [
        "stats",
        "--index",
        "db",
        "--format",
        "ndjson",
        "--query",
        "rules:chess3",
    ];
    assert_eq!(
        of_the_games(&good(folder, &question)),
        of_the_games(&of_files)
    );
    let table = good(
        folder,
        &["stats", "--index", "db", "--query", "player:nobody"],
    );
    assert_eq!(table, "0 games\n");
}

#[test]
fn hits_are_marked_in_an_archive_where_they_are() {
    let collection = collection();
    let folder = tempfile::tempdir().unwrap();
    let ask = [
        "search",
        "--index",
        "db",
        "--pattern",
        "check",
        "--rules",
        "meder",
    ];
    let hits = rows(&good(
        &collection.folder,
        &[&ask[..], &["--format", "ndjson"]].concat(),
    ));
    let pgn = [&ask[..], &["--format", "pgn"]].concat();
    let plain = good(&collection.folder, &pgn);
    let marked = good(&collection.folder, &[&pgn[..], &["--mark"]].concat());
    assert!(!plain.contains("[%found]"));
    assert_eq!(marked.matches("{[%found]}").count(), hits.len());
    // Without the marks they are the same games.
    fs::write(folder.path().join("marked.pgn"), &marked).unwrap();
    assert_eq!(index(folder.path(), &["marked.pgn"])[5], hits.len() as u64);
    let first = &hits[0];
    let game = marked.split("\n\n").nth(1).unwrap();
    let before = game.split("{[%found]}").next().unwrap();
    let ply = first["ply"].as_u64().unwrap();
    assert_eq!(plies_of(before), ply, "{before}");
}

/// How many moves of the main line a text has.
fn plies_of(text: &str) -> u64 {
    let (mut depth, mut is_comment, mut plies) = (0, false, 0);
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        match c {
            '{' => is_comment = true,
            '}' => is_comment = false,
            _ if is_comment => {}
            '(' => depth += 1,
            ')' => depth -= 1,
            ' ' | '\n' => {
                let is_move = word
                    .chars()
                    .next()
                    .is_some_and(|c| c.is_alphabetic() || c == '0');
                plies += u64::from(depth == 0 && is_move);
                word.clear();
            }
            c if depth == 0 => word.push(c),
            _ => {}
        }
    }
    plies
}

#[test]
fn judgements_and_draw_offers_are_in_the_archive_again() {
    let collection = collection();
    let original = fs::read_to_string(collection.folder.join("federation.pgn")).unwrap();
    let ask = [
        "search",
        "--index",
        "db",
        "--rules",
        "federation",
        "--format",
        "pgn",
    ];
    let again = good(&collection.folder, &ask);
    for mark in ["$", "(=)"] {
        let count = original.matches(mark).count();
        assert!(count > 0);
        assert_eq!(again.matches(mark).count(), count, "{mark}");
    }
}

#[test]
fn saved_questions_are_asked_by_name() {
    let collection = collection();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("questions.txt");
    let text = "# For Tuesdays.\n\nwon by white = result:1-0 rules:meder\n checks=pattern:\"check\"\nbad = rules:\n";
    fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let asked = |names: &[&str]| {
        let mut arguments = vec!["--questions", file];
        names
            .iter()
            .for_each(|name| arguments.extend(["--ask", name]));
        names_of(&collection.folder, &arguments)
    };
    let in_words = |text: &str| names_of(&collection.folder, &[text]);
    assert_eq!(asked(&["won by white"]), in_words("result:1-0 rules:meder"));
    let both = "result:1-0 rules:meder pattern:\"check\"";
    assert_eq!(asked(&["won by white", "checks"]), in_words(both));
    for (name, told) in [
        (
            "lost",
            "no query lost; expected one of: won by white, checks, bad",
        ),
        ("bad", "the query bad"),
    ] {
        let arguments = [
            "search",
            "--index",
            "db",
            "--questions",
            file,
            "--ask",
            name,
        ];
        let output = tridex(&collection.folder, &arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(complaint(&output).contains(told), "{}", complaint(&output));
    }
    // Which of two is meant nobody can know.
    let twice = folder.path().join("twice.txt");
    fs::write(&twice, "a = result:1-0\n\na = rules:meder\n").unwrap();
    let twice = twice.to_str().unwrap();
    let output = tridex(
        &collection.folder,
        &[
            "search",
            "--index",
            "db",
            "--questions",
            twice,
            "--ask",
            "a",
        ],
    );
    assert_eq!(output.status.code(), Some(2));
    let told = "twice.txt:3: duplicate query a";
    assert!(complaint(&output).contains(told), "{}", complaint(&output));
    let openings = [
        "openings", "--index", "db", "--rules", "meder", "--format", "ndjson",
    ];
    let saved = [
        &openings[..],
        &["--questions", file, "--ask", "won by white"],
    ]
    .concat();
    let said = [&openings[..], &["--result", "1-0"]].concat();
    assert_eq!(
        good(&collection.folder, &saved),
        good(&collection.folder, &said)
    );
}

fn names_of(folder: &Path, arguments: &[&str]) -> BTreeSet<Name> {
    let found = names(&search(folder, arguments));
    assert!(!found.is_empty());
    found
}

#[test]
fn positions_are_found_with_colours_exchanged() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let text = "[Variant \"meder\"]\n\n1. a3W b5B 2. b4N *\n";
    fs::write(at.join("a.pgn"), text).unwrap();
    index(at, &["a.pgn"]);
    // Black has played what White did, and the other way round.
    let there = "b4N";
    assert_eq!(search(at, &["--moves", there]).len(), 0);
    assert_eq!(search(at, &["--moves", "a3W b5B b4N"]).len(), 1);
    assert_eq!(
        search(at, &["--moves", "a3W b5B b4N", "--swapped", "--mirrored"]).len(),
        1
    );
    // The move of a pawn that White has played, as Black's, with White to move.
    let fen = good(at, &["position", "a.pgn", "--ply", "1"]);
    assert_eq!(search(at, &["--position", fen.trim()]).len(), 1);
    for (option, told) in [
        ("--swapped", "--swapped needs --position"),
        ("--mirrored", "--mirrored needs --position"),
    ] {
        let output = tridex(at, &["search", "--index", "db", option]);
        assert_eq!(output.status.code(), Some(2));
        assert!(complaint(&output).contains(told), "{}", complaint(&output));
    }
}

#[test]
fn games_get_the_new_names_of_their_openings() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let make = [
        "generate", "--rules", "meder", "--games", "30", "--seed", "3", "-o", "a.pgn",
    ];
    good(at, &make);
    assert_eq!(index(at, &["a.pgn"])[5], 30);
    // A name for the start, which all games reach.
    let first = rows(&good(
        at,
        &[
            "openings", "--index", "db", "--rules", "meder", "--format", "ndjson",
        ],
    ));
    let names: Vec<String> = first
        .iter()
        .map(|row| format!("Ours,{},meder", row["move"].as_str().unwrap()))
        .collect();
    fs::write(at.join("names.csv"), names.join("\n")).unwrap();
    let before = search(at, &["--opening", "ours"]).len();
    assert_eq!(before, 0);
    // A file that is as it was is passed over, and its games keep the names they have.
    assert_eq!(
        index(at, &["a.pgn", "--names", "names.csv"]),
        [0, 0, 30, 0, 0, 30]
    );
    let [added, updated, .., games] = index(at, &["--rename", "--names", "names.csv"]);
    assert_eq!((added, games), (0, 30));
    let found = search(at, &["--opening", "ours"]).len() as u64;
    assert!(found > 0 && found <= updated, "{found} {updated}");
    assert_eq!(index(at, &["--rename", "--names", "names.csv"])[1], 0);
    assert_eq!(index(at, &["a.pgn"]), [0, 0, 30, 0, 0, 30]);
    let back = index(at, &["--rename"]);
    assert_eq!((back[1], back[5]), (updated, 30));
    assert_eq!(search(at, &["--opening", "ours"]).len(), 0);
}

/// Ctrl-C while indices are made one: what was merged is there, and the next run goes on.
#[cfg(unix)]
#[test]
fn merging_is_interrupted_and_goes_on() {
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let make = [
        "generate", "--rules", "meder", "--games", "8000", "--seed", "4", "-o", "a.pgn",
    ];
    good(at, &make);
    assert_eq!(index(at, &["a.pgn"])[5], 8_000);
    let child = Command::new(env!("CARGO_BIN_EXE_tridex"))
        .args([
            "index", "--merge", "db", "--index", "one", "--format", "ndjson",
        ])
        .current_dir(at)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // From when on it listens is not seen from outside; the folder is made after that.
    while !at.join("one/meta.json").exists() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    std::thread::sleep(std::time::Duration::from_millis(20));
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .unwrap()
            .success()
    );
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(
        complaint(&output).contains("run the same command to resume"),
        "{}",
        complaint(&output)
    );
    let there = counts(&output.stdout)[5];
    assert!(there < 8_000, "{there}");
    let again = [
        "index", "--merge", "db", "--index", "one", "--format", "ndjson",
    ];
    let again = counts(good(at, &again).as_bytes());
    assert_eq!(again, [8_000 - there, 0, there, 0, 0, 8_000]);
}

#[test]
fn an_index_that_is_named_twice_is_asked_once() {
    let folder = &collection().folder;
    let once = search(folder, &["--rules", "meder"]);
    assert!(!once.is_empty());
    let whole = folder.join("db");
    for again in ["db", "./db", whole.to_str().unwrap()] {
        let twice = search(folder, &["--rules", "meder", "--index", again]);
        assert_eq!(twice, once, "{again}");
    }
}

/// Every field of the index is an option of `search`, by its name and its aliases, and means the same in a query in words.
#[test]
fn every_field_is_an_option_and_a_word() {
    let folder = &collection().folder;
    let help = good(folder, &["search", "--help"]);
    for field in tridex_index::FIELDS {
        assert!(help.contains(field.help), "{}", field.name);
        let with: &[(&str, &str)] = match field.name {
            "ply" => &[("game", "meder.pgn:1")],
            "side" => &[("player", "kirk")],
            "lasting" => &[("material", "KQ:KR")],
            "loose" | "mirrored" | "swapped" => &[("moves", "b4N")],
            "variations" => &[("pattern", "check")],
            _ => &[],
        };
        let example = match field.name {
            "game" => "meder.pgn:1",
            "ply" => "1",
            _ => field.example,
        };
        let given = [with, &[(field.name, example)]].concat();
        let mut words = String::new();
        for (name, value) in &given {
            words.push_str(&format!("{name}:\"{value}\" "));
        }
        let in_words = good(
            folder,
            &["search", "--index", "db", "--format", "ndjson", &words],
        );
        for name in [field.name].iter().chain(field.aliases) {
            let mut options: Vec<String> = with
                .iter()
                .map(|(name, value)| format!("--{name}={value}"))
                .collect();
            options.push(format!("--{name}={example}"));
            let mut call = vec!["search", "--index", "db", "--format", "ndjson"];
            call.extend(options.iter().map(String::as_str));
            assert_eq!(good(folder, &call), in_words, "{name}");
        }
    }
}

/// `-opening:game` is part of a query, not the option `-o`.
#[test]
fn a_part_of_a_query_is_negated_by_a_sign() {
    let folder = &collection().folder;
    let there = || std::fs::read_dir(folder).unwrap().count();
    let before = there();
    let asked = |words: &[&str]| {
        good(
            folder,
            &[&["search", "--index", "db", "--count"], words].concat(),
        )
    };
    for (signed, written) in [
        (
            &["rules:meder", "-opening:game"][..],
            "rules:meder not opening:game",
        ),
        (
            &["-Opening:game", "rules:meder"],
            "rules:meder not opening:game",
        ),
        (
            &["-opening:game rules:meder"],
            "rules:meder not opening:game",
        ),
        (
            &["rules:meder", "or", "-opening:game"],
            "rules:meder or not opening:game",
        ),
        (
            &["-(result:1-0 or rules:manual)"],
            "not (result:1-0 or rules:manual)",
        ),
        (
            &["-(result:1-0", "or", "rules:manual)"],
            "not (result:1-0 or rules:manual)",
        ),
        (&["-\"kirk\""], "not kirk"),
        (
            &[
                "-fen:\"4/4/4/4|4/4/4/4|4/4/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 1\"",
            ],
            "",
        ),
        (&["--query", "-opening:game"], "not opening:game"),
        (&["--query=-opening:game"], "not opening:game"),
        (
            &["--query", "-rules:meder", "-result:1-0"],
            "not rules:meder not result:1-0",
        ),
    ] {
        assert_eq!(asked(signed), asked(&[written]), "{signed:?}");
    }
    assert_ne!(asked(&["-rules:meder"]), asked(&[]));
    let openings = |words: &[&str]| {
        let call = [
            "openings", "--index", "db", "--rules", "meder", "--format", "ndjson",
        ];
        good(folder, &[&call, words].concat())
    };
    assert_eq!(openings(&["-result:1-0"]), openings(&["not result:1-0"]));
    let stats = |words: &[&str]| good(folder, &[&["stats", "--index", "db"], words].concat());
    assert_eq!(
        stats(&["--query", "-rules:meder"]),
        stats(&["--query=not rules:meder"])
    );
    assert_eq!(there(), before);
}
