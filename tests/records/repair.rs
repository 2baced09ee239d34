//! Games that cannot be read whole: set right, kept with a mark, left out, put aside.

use crate::program::fed;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A whole game, one that breaks at its fifth ply and no slip explains, and one with a slip.
const ARCHIVE: &str = "\
[Event \"whole\"]\n[White \"Anna\"]\n[Result \"1-0\"]\n[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6N 1-0\n\n\
[Event \"broken\"]\n[Odd \"first\"]\n[White \"Bert\"]\n[Result \"0-1\"]\n[Variant \"meder\"]\n\n\
1. b4N b5B 2. c3W a6N 3. Qe9 rubbish 0-1\n\n\
[Event \"slipped\"]\n[Result \"*\"]\n[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6N 3. Nc22W c6B *\n\n";

fn run(folder: &Path, arguments: &str, input: &str) -> (i32, String, String) {
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    let output = fed(folder, &arguments, input.as_bytes());
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

fn rows(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn a_result_that_is_none_is_written_beside_that_of_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let archive = "[White \"A\"]\n[Result \"1-/\"]\n\n1. b4N b5B 1-0\n";
    for format in ["pgn", "csv", "ndjson"] {
        let convert = format!("convert - --to manual --format {format}");
        let (_, written, told) = run(at, &convert, archive);
        assert!(told.contains("unknown result: expected"), "{told}");
        assert!(written.contains("1-/"), "{written}");
        let (code, checked, _) = run(at, "validate - --format ndjson", &written);
        let row = rows(&checked).remove(0);
        assert_eq!((code, &row["result"]), (0, &"1-0".into()), "{written}");
        assert_eq!(row["diagnostics"], Value::Array(Vec::new()), "{written}");
    }
}

#[test]
fn a_game_that_was_not_read_whole_is_never_written_as_if_it_were() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (code, kept, _) = run(at, "convert - --to manual --repair", ARCHIVE);
    assert_eq!(code, 1);
    assert_eq!(kept.matches("[Event").count(), 3);
    assert_eq!(kept.matches("[Unreadable \"after ply 4: Qe9\"]").count(), 1);
    assert!(kept.contains("not read: Qe9"), "{kept}");
    // However often it is converted.
    let (_, again, _) = run(at, "convert - --to meder", &kept);
    assert_eq!(
        again.matches("[Unreadable \"after ply 4: Qe9\"]").count(),
        1
    );
    for text in [&kept, &again] {
        let (code, checked, _) = run(at, "validate - --format ndjson", text);
        assert_eq!(code, 1);
        let rows = rows(&checked);
        let status = |row: &Value| row["status"].as_str().unwrap().to_owned();
        assert_eq!(status(&rows[0]), "valid");
        assert_eq!(status(&rows[1]), "invalid");
        assert_eq!(rows[1]["diagnostics"][0]["code"], "unreadable");
        assert_ne!(status(&rows[2]), "invalid");
    }
    // The same in the other forms, and the index takes only what is whole.
    for format in ["ndjson", "csv"] {
        let ask = format!("convert - --to meder --repair --format {format} --output kept.{format}");
        assert_eq!(run(at, &ask, ARCHIVE).0, 1);
        let (code, text, _) = run(at, &format!("validate kept.{format} --format ndjson"), "");
        assert_eq!(code, 1, "{text}");
        let invalid = rows(&text)
            .into_iter()
            .filter(|row| row["status"] == "invalid");
        assert_eq!(invalid.count(), 1);
    }
    let (_, summary, _) = run(
        at,
        "index kept.ndjson --index games.index --format ndjson",
        "",
    );
    let summary = &rows(&summary)[0];
    assert_eq!(
        (&summary["games"], &summary["rejected"]),
        (&2.into(), &1.into())
    );
}

#[test]
fn invalid_games_are_dropped_or_stop_the_run_and_are_put_aside_as_they_stood() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let ask = "convert - --to meder --repair --invalid drop --rejects aside.pgn";
    let (code, kept, told) = run(at, ask, ARCHIVE);
    assert_eq!(code, 1);
    assert_eq!(kept.matches("[Event").count(), 2, "{kept}");
    assert!(!kept.contains("Unreadable"));
    assert!(
        told.contains("warning[repaired]") && told.contains("error["),
        "{told}"
    );
    let aside = fs::read_to_string(at.join("aside.pgn")).unwrap();
    let from = ARCHIVE.find("[Event \"broken\"]").unwrap();
    let to = ARCHIVE.find("[Event \"slipped\"]").unwrap();
    let (place, game) = aside.split_once('\n').unwrap();
    assert_eq!(place, "% -:8: game 2");
    assert_eq!(game.trim_end(), ARCHIVE[from..to].trim_end());
    // Without repair the game with a slip is invalid too.
    let ask = "convert - --to meder --invalid drop --rejects aside.pgn";
    assert_eq!(run(at, ask, ARCHIVE).1.matches("[Event").count(), 1);
    let aside = fs::read_to_string(at.join("aside.pgn")).unwrap();
    assert_eq!(aside.matches("[Event").count(), 2);
    assert_eq!(run(at, "validate aside.pgn", "").0, 1);

    let ask = "convert - --to meder --invalid stop --output none.pgn";
    let (code, _, told) = run(at, ask, ARCHIVE);
    assert_eq!(code, 1);
    assert!(
        told.contains("stopped at a game that is invalid or cannot be written"),
        "{told}"
    );
    assert!(!at.join("none.pgn").exists());
    let whole = &ARCHIVE[..from];
    assert_eq!(run(at, ask, whole).0, 0);
    assert!(at.join("none.pgn").exists());
}

#[test]
fn figurines_the_source_and_the_order_of_tags() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("a.pgn"), ARCHIVE).unwrap();
    let ask = "convert a.pgn --to meder --repair --no-trace --figurines --source";
    let (_, text, _) = run(at, ask, "");
    assert!(text.contains("3. \u{2658}c2W c6B"), "{text}");
    for game in 1..=3 {
        assert!(
            text.contains(&format!("[Source \"a.pgn:{game}\"]")),
            "{text}"
        );
    }
    let tags = [
        "[Odd \"first\"]",
        "[Variant \"meder\"]",
        "[Source \"a.pgn:2\"]",
    ];
    let places: Vec<usize> = tags.iter().map(|tag| text.find(tag).unwrap()).collect();
    assert!(places[0] < places[2], "{text}");
    // What is written so is read again, board moves, promotions and all.
    for rules in ["meder", "manual", "millennium"] {
        let ask =
            format!("generate --rules {rules} --games 40 --seed 3 --annotated --output g.pgn");
        assert_eq!(run(at, &ask, "").0, 0);
        for to in ["own", "chess3", "manual"] {
            let (code, figures, _) = run(at, &format!("convert g.pgn --to {to} --figurines"), "");
            if code != 0 {
                continue;
            }
            let (code, back, told) = run(at, &format!("convert - --to {to}"), &figures);
            // Some records end with a move that nobody wrote down, which is all that is found.
            let found = told.matches("]: game ").count();
            let unrecorded = told.matches("warning[not-recorded]").count();
            assert_eq!((code, found), (0, unrecorded), "{rules} {to}: {told}");
            assert_eq!(
                back,
                run(at, &format!("convert g.pgn --to {to}"), "").1,
                "{rules} {to}"
            );
        }
    }
}

#[test]
fn a_repair_is_told_with_both_texts_and_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let (_, text, told) = run(folder.path(), "convert - --to meder --repair", ARCHIVE);
    assert!(text.contains("3. Nc2W {[%tridex"), "{text}");
    assert!(
        told.contains("`Nc22W` is corrected to Nc2W (a doubled character)"),
        "{told}"
    );
    let (_, checked, _) = run(folder.path(), "validate - --format ndjson", ARCHIVE);
    let found = &rows(&checked)[2]["diagnostics"][0];
    assert_eq!(found["suggestion"], "Nc2W");
    let change = &found["corrections"][0]["changes"][0];
    assert_eq!(
        (&change["ply"], &change["token"], &change["text"]),
        (&5.into(), &"Nc22W".into(), &"Nc2W".into())
    );
    assert_eq!(change["line"], 20, "{change}");
}

#[test]
fn records_of_one_game_that_contradict_each_other_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let game = |white: &str, black: &str, result: &str| {
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n[Variant \"meder\"]\n\n\
             1. b4N b5B 2. c3W a6N {result}\n\n"
        )
    };
    let text = [
        game("Grünwaldt, Jörg", "Bert, Anna", "1-0"),
        game("J. Gruenwaldt", "Anna Bert", "1-0"),
        game("Jörg Grünwaldt", "Cole, Dora", "0-1"),
        game("?", "Bert, A.", "*"),
    ]
    .concat();
    let (_, out, _) = run(at, "dedupe - --format ndjson", &text);
    let groups = rows(&out);
    let [same, conflict] = groups.as_slice() else {
        panic!("{out}");
    };
    assert_eq!(same["differs"], serde_json::json!([]));
    assert_eq!(same["drop"].as_array().unwrap().len(), 2);
    assert_eq!(conflict["kind"], "conflicting-result");
    assert_eq!(conflict["differs"], serde_json::json!(["black", "result"]));
    assert_eq!(conflict["conflicting"].as_array().unwrap().len(), 1);
    let (_, out, _) = run(at, "dedupe -", &text);
    assert!(out.contains("result is 0-1 here, 1-0 there"), "{out}");
    assert!(
        out.contains("black is Cole, Dora here, Bert, Anna there"),
        "{out}"
    );
    let (_, out, _) = run(at, "dedupe - --names", &text);
    assert_eq!(
        out,
        "Anna Bert (1) = Bert, A. (1) = Bert, Anna (1)\n\
         Grünwaldt, Jörg (1) = J. Gruenwaldt (1) = Jörg Grünwaldt (1)\n"
    );
}
