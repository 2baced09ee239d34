//! Scoresheets as people write them, from the command's side.

use std::process::{Command, Output};

fn tridex(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tridex"))
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap()
}

/// The rule system and the moves of each game, as a conversion gives them.
fn played(args: &[&str]) -> Vec<(String, Vec<String>)> {
    let args = [&["convert", "--to", "own", "--format", "ndjson"], args].concat();
    let output = tridex(&args);
    let text = String::from_utf8(output.stdout).unwrap();
    let game = |line: &str| {
        let game: serde_json::Value = serde_json::from_str(line).unwrap();
        let moves = game["moves"].as_array().unwrap().iter();
        // A judgement belongs to whoever wrote the sheet, and so does what was not written down.
        let moves = moves.map(|mv| mv.as_str().unwrap().trim_end_matches(['!', '?']).to_owned());
        let moves = moves.filter(|mv| mv != "--");
        (game["rules"].as_str().unwrap().to_owned(), moves.collect())
    };
    text.lines().map(game).collect()
}

/// Twelve sheets in four notations and three encodings are one clean archive after one command. In the tenth a scanner has
/// misread three letters: each is told of, with what stands there now.
#[test]
fn a_club_evening_becomes_one_archive() {
    let sheets = "corpus/sheets/club-evening";
    let found = played(&[sheets, "--repair"]);
    let truth = played(&["tests/data/club-evening.pgn"]);
    assert_eq!((found.len(), truth.len()), (12, 12));
    for (number, (found, truth)) in (1..).zip(found.iter().zip(&truth)) {
        assert_eq!(found, truth, "sheet {number}");
    }
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("evening.pgn");
    let archive = archive.to_str().unwrap();
    let made = tridex(&[
        "convert", sheets, "--to", "own", "--repair", "--output", archive,
    ]);
    let said = String::from_utf8(made.stderr).unwrap();
    for found in [
        "`3DB-1F6` is corrected to 3D8-1F6 (a misread character)",
        "`3G7-3GS` is corrected to 3G7-3G5 (a misread character)",
        // A typewriter without a one.
        "`lE2-1E3` is read as 1E2-1E3",
    ] {
        assert!(said.contains(found), "{found}: {said}");
    }
    // Games that were repaired keep the traces: one letter in the ninth, two in the tenth. The last sheet says that its
    // end was not recorded.
    let checked = tridex(&["validate", archive, "--strict"]);
    let found = String::from_utf8(checked.stdout).unwrap();
    let count = |name: &str| {
        let mut lines = found.lines().map(str::split_whitespace);
        lines.find_map(|mut words| (words.next() == Some(name)).then(|| words.next())?)
    };
    assert_eq!(count("valid"), Some("9"), "{said}{found}");
    assert_eq!(count("warned"), Some("3"), "{said}{found}");
    assert_eq!(found.matches("warning[repaired]").count(), 3, "{found}");
    // What the headings say is in the tags.
    let archive = std::fs::read_to_string(archive).unwrap();
    for tag in [
        "[White \"Anna Berger\"]",
        "[Black \"Bert Oyelaran\"]",
        "[Date \"2012.07.12\"]",
        "[White \"Jörg „Jojo“ Grünwaldt\"]",
        "[Black \"Änne Weißkopf\"]",
        "[Black \"Wren Kestrel\"]",
        "[White \"Eskela\"]",
        "[Date \"2019.05.03\"]",
    ] {
        assert!(archive.contains(tag), "{tag} in {archive}");
    }
}

/// Results of every spelling are the same in a tag and in NDJSON.
#[test]
fn results_are_read_alike_in_every_container() {
    let folder = tempfile::tempdir().unwrap();
    for (text, meant) in [
        ("+:-", "1-0"),
        ("1/2-0", "1/2-0"),
        ("draw", "1/2-1/2"),
        ("remis", "1/2-1/2"),
        ("½ - ½", "1/2-1/2"),
        ("0-0", "0:0"),
    ] {
        let pgn = format!("[Variant \"meder\"]\n[Result \"{text}\"]\n\n1. b4N b5B\n");
        let line = format!(
            "{{\"tags\":{{\"Variant\":\"meder\"}},\"moves\":[\"b4N\",\"b5B\"],\"result\":\"{text}\"}}\n"
        );
        for (name, content) in [("a.pgn", pgn), ("a.ndjson", line)] {
            let path = folder.path().join(name);
            std::fs::write(&path, content).unwrap();
            let output = tridex(&["convert", path.to_str().unwrap(), "--to", "meder"]);
            let written = String::from_utf8(output.stdout).unwrap();
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(
                written.contains(&format!(" {meant}\n")),
                "{text} in {name}: {written}{said}"
            );
        }
    }
}

/// A conversion to `own` writes each game in the notation of its own system.
#[test]
fn each_game_in_its_own_notation() {
    let folder = tempfile::tempdir().unwrap();
    for (rules, notation) in [
        ("meder", "meder"),
        ("manual", "manual"),
        ("federation", "meder"),
        ("millennium", "millennium"),
        ("chess3", "chess3"),
    ] {
        let path = folder.path().join(format!("{rules}.pgn"));
        let path = path.to_str().unwrap();
        let games = [
            "generate", "--rules", rules, "--games", "3", "--seed", "5", "--output", path,
        ];
        assert_eq!(tridex(&games).status.code(), Some(0));
        let own = tridex(&["convert", path, "--to", "own"]);
        let named = tridex(&["convert", path, "--to", notation]);
        assert_eq!(own.stdout, named.stdout, "{rules}");
    }
}
