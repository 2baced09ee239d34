//! Where games come from and where results go, by whatever name.

use crate::program::fed;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Output;

const GAME: &str = "[White \"A\"]\n[Variant \"meder\"]\n\n1. b4N b5B *\n\n";
const OTHER: &str = "[White \"B\"]\n[Variant \"meder\"]\n\n1. c3W a6N *\n\n";

fn run(folder: &Path, arguments: &[&str]) -> Output {
    fed(folder, arguments, b"")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

fn sources(output: &Output) -> Vec<String> {
    let text = stdout(output);
    let rows = text.lines().map(|line| serde_json::from_str(line).unwrap());
    rows.map(|row: Value| row["source"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_file_is_one_source_by_whatever_name() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("a.pgn"), GAME).unwrap();
    let whole = at.join("a.pgn");
    let whole = whole.to_str().unwrap();
    let names = ["a.pgn", "./a.pgn", whole, ".", at.to_str().unwrap()];
    let games = run(
        at,
        &[&["validate", "--format", "ndjson"], &names[..]].concat(),
    );
    assert_eq!(code(&games), Some(0), "{}", stderr(&games));
    // Called as it was first.
    assert_eq!(sources(&games), ["a.pgn"]);
    let back = [whole, "./a.pgn"];
    let games = run(
        at,
        &[&["validate", "--format", "ndjson"], &back[..]].concat(),
    );
    assert_eq!(sources(&games), [whole]);
    let twice = run(
        at,
        &[&["dedupe", "--format", "ndjson"], &names[..]].concat(),
    );
    assert_eq!(stdout(&twice), "");
    // Another file with the same bytes is another source.
    fs::write(at.join("b.pgn"), GAME).unwrap();
    let twice = run(at, &["dedupe", "--format", "ndjson", "a.pgn", "b.pgn"]);
    assert_eq!(stdout(&twice).lines().count(), 1);
    // Standard input is read once.
    let input = fed(
        at,
        &["validate", "-", "-", "--format", "ndjson"],
        GAME.as_bytes(),
    );
    assert_eq!(sources(&input), ["-"]);
}

#[cfg(unix)]
#[test]
fn a_link_leads_to_the_file_it_leads_to() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("in")).unwrap();
    fs::write(at.join("in/b.pgn"), GAME).unwrap();
    std::os::unix::fs::symlink("b.pgn", at.join("in/a.pgn")).unwrap();
    std::os::unix::fs::symlink("nowhere.pgn", at.join("in/c.pgn")).unwrap();
    let games = run(at, &["validate", "in", "--format", "ndjson"]);
    assert_eq!(sources(&games), ["in/a.pgn"]);
    // That one leads nowhere is said.
    assert_eq!(code(&games), Some(2));
    assert!(stderr(&games).contains("in/c.pgn: cannot be opened"));
}

#[test]
fn an_index_knows_a_file_by_any_of_its_names() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("games")).unwrap();
    fs::write(at.join("games/a.pgn"), GAME).unwrap();
    fs::write(at.join("games/b.pgn"), OTHER).unwrap();
    let counts = |output: &Output| {
        assert_eq!(code(output), Some(0), "{}", stderr(output));
        let row: Value = serde_json::from_str(stdout(output).trim()).unwrap();
        ["added", "updated", "unchanged", "games"].map(|field| row[field].as_u64().unwrap())
    };
    let index = |from: &Path, db: &str, path: &str| {
        counts(&run(
            from,
            &["index", path, "--index", db, "--format", "ndjson"],
        ))
    };
    let whole = at.join("games");
    let whole = whole.to_str().unwrap();
    assert_eq!(index(at, "db", "games"), [2, 0, 0, 2]);
    let as_games = run(at, &["validate", "db"]);
    assert_eq!(code(&as_games), Some(2));
    let told = "db: this folder is an index; name it with --index";
    assert!(stderr(&as_games).contains(told), "{}", stderr(&as_games));
    for name in ["games", "./games", "games/.", whole, "games/../games"] {
        assert_eq!(index(at, "db", name), [0, 0, 2, 2], "{name}");
    }
    // From another folder too.
    let db = at.join("db");
    let db = db.to_str().unwrap();
    for name in [".", whole, "a.pgn"] {
        let [added, updated, _, games] = index(&at.join("games"), db, name);
        assert_eq!((added, updated, games), (0, 0, 2), "{name}");
    }
    // What has changed takes the place of what was there.
    fs::write(at.join("games/a.pgn"), OTHER).unwrap();
    assert_eq!(index(at, "db", &format!("{whole}/a.pgn")), [0, 1, 0, 2]);
    let hits = run(at, &["search", "--index", "db", "--format", "ndjson"]);
    let mut named = sources(&hits);
    named.sort();
    assert_eq!(named, ["games/a.pgn", "games/b.pgn"]);
    // A file of the same name in another folder is another file.
    fs::create_dir_all(at.join("else/games")).unwrap();
    fs::write(at.join("else/games/a.pgn"), GAME).unwrap();
    assert_eq!(index(at, "db", "else"), [1, 0, 0, 3]);
}

#[test]
fn what_is_passed_over_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for name in ["empty", "letters", "both/deep"] {
        fs::create_dir_all(at.join(name)).unwrap();
    }
    for name in [
        "letters/a.doc",
        "letters/b.md",
        "both/deep/c.doc",
        "both/d.pgn",
    ] {
        fs::write(at.join(name), GAME).unwrap();
    }
    // About the folder, and hidden: nobody takes these for games.
    fs::write(at.join("both/README.txt"), "x").unwrap();
    fs::write(at.join("both/.hidden.doc"), "x").unwrap();
    for command in [
        &["validate"][..],
        &["convert", "--to", "meder"],
        &["stats"],
        &["dedupe"],
        &["index", "--index", "db"],
    ] {
        let ask = |path: &str| run(at, &[command, &[path]].concat());
        let empty = ask("empty");
        assert_eq!(code(&empty), Some(2), "{command:?}");
        assert!(stderr(&empty).contains("tridex: empty: no files in this folder"));
        let letters = ask("letters");
        assert_eq!(code(&letters), Some(2), "{command:?}");
        let said = stderr(&letters);
        assert!(
            said.contains("letters: no games in this folder: skipped 2 files"),
            "{said}"
        );
        assert!(
            said.contains(".pgn") && said.contains("(a.doc, b.md)"),
            "{said}"
        );
        let both = ask("both");
        assert_eq!(code(&both), Some(0), "{command:?}");
        let said = stderr(&both);
        assert!(said.contains("both: skipped 1 file"), "{said}");
        assert!(said.contains("(c.doc)"), "{said}");
        // Beside something that is read an empty folder is no fault, but it is said.
        let beside = run(at, &[command, &["empty", "both/d.pgn"]].concat());
        assert_eq!(code(&beside), Some(0), "{command:?}");
        assert!(stderr(&beside).contains("empty: no files in this folder"));
        let quiet = run(at, &[command, &["empty", "both", "--quiet"]].concat());
        assert_eq!((code(&quiet), stderr(&quiet)), (Some(0), String::new()));
    }
    // A file that is named is read whatever it is called, and a file without games was read, but is a problem.
    assert_eq!(code(&run(at, &["validate", "letters/a.doc"])), Some(0));
    fs::write(at.join("none.pgn"), "").unwrap();
    assert_eq!(code(&run(at, &["validate", "none.pgn"])), Some(1));
}

#[test]
fn results_go_where_they_are_sent() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("a.pgn"), GAME).unwrap();
    assert_eq!(
        code(&run(at, &["index", "a.pgn", "--index", "db"])),
        Some(0)
    );
    let commands: [&[&str]; 9] = [
        &["convert", "a.pgn", "--to", "manual"],
        &["validate", "a.pgn", "--format", "ndjson"],
        &["validate", "a.pgn", "--problems"],
        &["stats", "a.pgn"],
        &["position", "a.pgn"],
        &["moves", "--rules", "meder"],
        &[
            "generate", "--rules", "meder", "--games", "2", "--seed", "1",
        ],
        &["search", "--index", "db"],
        &["openings", "--index", "db", "--rules", "meder"],
    ];
    for command in commands {
        let plain = stdout(&run(at, command));
        assert!(!plain.is_empty());
        let dash = run(at, &[command, &["-o", "-"]].concat());
        assert_eq!(
            (code(&dash), stdout(&dash)),
            (Some(0), plain.clone()),
            "{command:?}"
        );
        assert!(!at.join("-").exists());
        let file = run(at, &[command, &["-o", "out"]].concat());
        assert_eq!((code(&file), stdout(&file)), (Some(0), String::new()));
        let written = fs::read_to_string(at.join("out")).unwrap();
        assert_eq!(written, plain, "{command:?}");
        // Again, and it is replaced; unless that is forbidden.
        fs::write(at.join("out"), "old").unwrap();
        let kept = run(at, &[command, &["-o", "out", "--no-clobber"]].concat());
        assert_eq!(code(&kept), Some(2));
        assert!(
            stderr(&kept).contains("out: the file exists and is not overwritten"),
            "{}",
            stderr(&kept)
        );
        assert_eq!(fs::read_to_string(at.join("out")).unwrap(), "old");
        assert_eq!(code(&run(at, &[command, &["-o", "out"]].concat())), Some(0));
        assert_eq!(fs::read_to_string(at.join("out")).unwrap(), plain);
        fs::remove_file(at.join("out")).unwrap();
        let new = run(at, &[command, &["-o", "out", "--no-clobber"]].concat());
        assert_eq!(code(&new), Some(0));
        fs::remove_file(at.join("out")).unwrap();
        for (wrong, said) in [
            ("a.pgn/x", "a.pgn/x: a.pgn is a file, not a folder"),
            ("no/x", "no/x: folder no does not exist"),
            ("db", "db: is a directory"),
        ] {
            let output = run(at, &[command, &["-o", wrong]].concat());
            assert_eq!(code(&output), Some(2), "{command:?}");
            let complaint = stderr(&output);
            assert!(complaint.contains(said), "{complaint}");
            assert!(!complaint.contains(".tridex"), "{complaint}");
        }
    }
    // Pictures too.
    let draw = ["show", "--rules", "meder", "--svg", "out", "--no-clobber"];
    assert_eq!(code(&run(at, &draw)), Some(0));
    fs::write(at.join("out"), "old").unwrap();
    assert_eq!(code(&run(at, &draw)), Some(2));
    assert_eq!(fs::read_to_string(at.join("out")).unwrap(), "old");
    fs::remove_file(at.join("out")).unwrap();
    // The games that are kept take the place of the report.
    let kept = run(at, &["dedupe", "a.pgn", "-o", "-"]);
    assert_eq!(code(&run(at, &["dedupe", "a.pgn", "-o", "out"])), Some(0));
    let written = fs::read_to_string(at.join("out")).unwrap();
    assert!(written.contains("1. b4N b5B"));
    assert_eq!(stdout(&kept), written);
    let animated = ["show", "a.pgn", "--animate", "--png", "out", "--size", "64"];
    assert_eq!(code(&run(at, &animated)), Some(0));
    let picture = fs::read(at.join("out")).unwrap();
    assert!(picture.windows(4).any(|chunk| chunk == b"acTL"));
    fs::remove_file(at.join("out")).unwrap();
    let both = ["show", "--rules", "meder", "--svg", "x", "--png", "./x"];
    let output = run(at, &both);
    assert_eq!(code(&output), Some(2));
    assert!(
        stderr(&output).contains("--svg and --png name the same file"),
        "{}",
        stderr(&output)
    );
    // What a run read from may be where it writes to.
    assert_eq!(
        code(&run(
            at,
            &["convert", "a.pgn", "--to", "manual", "-o", "a.pgn"]
        )),
        Some(0)
    );
    assert!(
        fs::read_to_string(at.join("a.pgn"))
            .unwrap()
            .contains("c3,WB-c5,NB")
    );
}

/// A misspelt name once emptied the file of results.
#[test]
fn where_nothing_is_read_nothing_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("out"), "old").unwrap();
    fs::write(at.join("empty.pgn"), "").unwrap();
    fs::write(at.join("good.pgn"), GAME).unwrap();
    for command in [
        &["convert"][..],
        &["dedupe"],
        &["validate", "--format", "csv"],
        &["validate", "--problems"],
        &["stats", "--format", "csv"],
    ] {
        for (input, end) in [("none.pgn", 2), ("empty.pgn", 1)] {
            let output = run(at, &[command, &[input, "-o", "out"]].concat());
            let reported = stderr(&output);
            assert_eq!(code(&output), Some(end), "{command:?} {input}: {reported}");
            assert!(
                reported.contains("nothing was read, so no file of results is written"),
                "{reported}"
            );
            assert_eq!(
                fs::read_to_string(at.join("out")).unwrap(),
                "old",
                "{command:?}"
            );
        }
    }
    // Nor is the file of rejects.
    fs::write(at.join("rejects"), "old").unwrap();
    let output = run(
        at,
        &["convert", "none.pgn", "-o", "out", "--rejects", "rejects"],
    );
    assert_eq!(code(&output), Some(2));
    for name in ["out", "rejects"] {
        assert_eq!(fs::read_to_string(at.join(name)).unwrap(), "old", "{name}");
    }
    // What can be read is written, also if another input cannot be.
    let output = run(at, &["convert", "none.pgn", "good.pgn", "-o", "out"]);
    assert_eq!(code(&output), Some(2));
    assert!(
        fs::read_to_string(at.join("out"))
            .unwrap()
            .contains("b4N b5B")
    );
}

/// Games of the other board were once in no file at all, and an archive that was converted in its place was lost.
#[test]
fn a_game_that_cannot_be_written_is_not_lost() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let cube = "[White \"C\"]\n[Variant \"chess3\"]\n\n1. 1B2-1B4 *\n\n";
    let archive = format!("{GAME}{cube}");
    let text = |name: &str| fs::read_to_string(at.join(name)).unwrap();
    fs::write(at.join("a.pgn"), &archive).unwrap();
    let convert = |more: &[&str]| {
        run(
            at,
            &[&["convert", "a.pgn", "--to", "chess3"], more].concat(),
        )
    };
    let output = convert(&["-o", "a.pgn"]);
    let reported = stderr(&output);
    assert_eq!(code(&output), Some(1));
    assert!(
        reported
            .contains("a.pgn is not overwritten: games that cannot be written would be lost (1)"),
        "{reported}"
    );
    assert_eq!(text("a.pgn"), archive);
    let output = convert(&["-o", "b.pgn", "--invalid", "stop"]);
    assert!(stderr(&output).contains("stopped at a game that is invalid or cannot be written"));
    assert!(!at.join("b.pgn").exists());
    let output = convert(&["-o", "b.pgn", "--rejects", "rest.pgn"]);
    assert_eq!(code(&output), Some(1));
    assert!(
        stderr(&output).contains("game 1 is a meder game and cannot be written in this notation")
    );
    assert!(stderr(&output).contains("; copied to rest.pgn"));
    assert_eq!(text("rest.pgn"), format!("% a.pgn:1: game 1\n{GAME}"));
    assert!(text("b.pgn").contains("1B2-1B4"));
}

/// JSON lines name the position a game starts from, which once came back as a set-up one; and Millennium's letters came back
/// without their language.
#[test]
fn what_is_converted_there_and_back_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for rules in ["meder", "manual", "federation", "millennium", "chess3"] {
        let generate = ["generate", "--rules", rules, "--games", "5", "--seed", "4"];
        run(at, &[&generate[..], &["-o", "a.pgn"]].concat());
        run(at, &["convert", "a.pgn", "-o", "a.ndjson"]);
        run(at, &["convert", "a.ndjson", "-o", "back.pgn"]);
        run(at, &["convert", "a.pgn", "-o", "direct.pgn"]);
        let text = |name: &str| fs::read_to_string(at.join(name)).unwrap();
        assert!(text("back.pgn") == text("direct.pgn"), "{rules}");
    }
    fs::write(
        at.join("c.pgn"),
        "[Variant \"millennium\"]\n\n1. N1f3 N3f6 *\n",
    )
    .unwrap();
    run(
        at,
        &["convert", "c.pgn", "--to-locale", "de", "-o", "de.pgn"],
    );
    let german = fs::read_to_string(at.join("de.pgn")).unwrap();
    assert!(
        german.contains("[Locale \"de\"]") && german.contains("S1f3"),
        "{german}"
    );
    assert_eq!(code(&run(at, &["validate", "de.pgn"])), Some(0));
}

/// A token of the other board once had a reason of this one alone: there is no such column.
#[test]
fn a_move_of_the_other_board_is_called_that() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (rules, token, notation) in [
        ("meder", "1e4", Some("millennium")),
        ("manual", "1B2-1B4", Some("chess3")),
        ("chess3", "c3,WB-c5,NB", Some("manual")),
        ("meder", "Nz9W", None),
    ] {
        let game = format!("[Variant \"{rules}\"]\n\n1. {token} *\n");
        fs::write(at.join("a.pgn"), game).unwrap();
        let table = stdout(&run(at, &["validate", "a.pgn", "--problems"]));
        let hint = notation.map(|name| format!("it is a move in the {name} notation"));
        match hint {
            Some(hint) => assert!(table.contains(&hint), "{token}: {table}"),
            None => assert!(!table.contains("for another board"), "{token}: {table}"),
        }
    }
}

/// `--rejects` once emptied the archive that was read, or took the place of the results.
#[test]
fn rejects_take_the_place_of_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let broken = "[White \"C\"]\n[Variant \"meder\"]\n\n1. b4N zz *\n\n";
    let archive = format!("{GAME}{broken}");
    fs::create_dir(at.join("games")).unwrap();
    for name in ["a.pgn", "games/a.pgn"] {
        fs::write(at.join(name), &archive).unwrap();
    }
    let whole = at.join("a.pgn");
    let convert = |paths: &str, more: &[&str]| {
        let convert = ["convert", paths, "--to", "own", "--invalid", "drop"];
        run(at, &[&convert, more].concat())
    };
    for (paths, more, told) in [
        (
            "a.pgn",
            ["-o", "good", "--rejects", "a.pgn"],
            "this file is also an input",
        ),
        (
            "a.pgn",
            ["-o", "good", "--rejects", whole.to_str().unwrap()],
            "this file is also an input",
        ),
        (
            "games",
            ["-o", "good", "--rejects", "games/a.pgn"],
            "this file is also an input",
        ),
        (
            "a.pgn",
            ["-o", "good", "--rejects", "./good"],
            "this file is also the output",
        ),
        (
            "a.pgn",
            ["-o", "good", "--rejects", "-"],
            "not standard output",
        ),
    ] {
        let output = convert(paths, &more);
        assert_eq!(code(&output), Some(2), "{more:?}");
        assert!(
            stderr(&output).contains(told),
            "{more:?}: {}",
            stderr(&output)
        );
        for name in ["a.pgn", "games/a.pgn"] {
            assert_eq!(fs::read_to_string(at.join(name)).unwrap(), archive);
        }
        assert!(!at.join("good").exists() && !at.join("-").exists());
    }
    fs::write(at.join("bad"), "old").unwrap();
    let kept = ["-o", "good", "--no-clobber", "--rejects", "bad"];
    assert_eq!(code(&convert("a.pgn", &kept)), Some(2));
    assert_eq!(fs::read_to_string(at.join("bad")).unwrap(), "old");
    // A new file in a folder that is read is none of those that are.
    let output = convert("games", &["-o", "good", "--rejects", "games/bad.pgn"]);
    assert_eq!(code(&output), Some(1), "{}", stderr(&output));
    let rejected = fs::read_to_string(at.join("games/bad.pgn")).unwrap();
    assert!(rejected.contains("1. b4N zz"), "{rejected}");
    let good = fs::read_to_string(at.join("good")).unwrap();
    assert!(
        good.contains("1. b4N b5B") && !good.contains("zz"),
        "{good}"
    );
}
