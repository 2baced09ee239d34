//! Guesses and repairs leave a trace in what is converted (`tests/data/traces.txt`), and games that are not converted are
//! copied as they are.

use crate::program::fed;
use flate2::{Compression, write::GzEncoder};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;

/// The name of the command in a comment.
const COMMAND: &str = "[%tridex ";

/// A record of the table.
#[derive(Default)]
struct Record {
    title: String,
    notations: Vec<String>,
    options: Vec<String>,
    game: String,
    /// Ply, code, token and alternatives.
    finds: Vec<(u64, String, String, Vec<String>)>,
}

impl Record {
    fn take(&mut self, line: &str) {
        let words = |rest: &str| rest.split_whitespace().map(str::to_owned).collect();
        if let Some(rest) = line.strip_prefix("to ") {
            self.notations = words(rest);
        } else if let Some(rest) = line.strip_prefix("with ") {
            self.options = words(rest);
        } else if let Some(rest) = line.strip_prefix("finds ") {
            let (ply, rest) = rest.split_once(' ').unwrap();
            let (code, rest) = rest.split_once(' ').unwrap();
            let (token, readings) = rest.rsplit_once(':').unwrap();
            let token: String = serde_json::from_str(token).unwrap();
            let ply = ply.parse().unwrap();
            self.finds
                .push((ply, code.to_owned(), token, words(readings)));
        } else {
            self.game.push_str(line);
            self.game.push('\n');
        }
    }

    fn guesses(&self) -> bool {
        self.finds.iter().any(|(_, code, ..)| code == "ambiguous")
    }
}

fn records() -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    for line in include_str!("../data/traces.txt").lines() {
        if let Some(title) = line.strip_prefix("= ") {
            records.push(Record {
                title: title.to_owned(),
                ..Record::default()
            });
        } else if let Some(record) = records.last_mut() {
            record.take(line);
        }
    }
    assert!(records.len() > 9);
    records
}

fn run(folder: &Path, arguments: &[&str], input: &str) -> (i32, String) {
    let output = fed(folder, arguments, input.as_bytes());
    let code = output.status.code().unwrap();
    (code, String::from_utf8(output.stdout).unwrap())
}

fn convert(folder: &Path, to: &str, form: &str, options: &[&str], input: &str) -> String {
    let fixed = ["convert", "-", "--to", to, "--format", form];
    let (code, text) = run(folder, &[&fixed, options].concat(), input);
    assert_eq!(code, 0, "{input}");
    text
}

/// What findings say that traces can say again.
fn found(rows: &Value) -> Vec<(u64, String, String, Vec<String>)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let rows = rows.as_array().unwrap().iter();
    let rows = rows.map(|row| {
        let readings = row.get("alternatives").unwrap_or_else(|| &row["legal"]);
        let readings = readings.as_array().unwrap().iter().map(text).collect();
        let ply = row["ply"].as_u64().unwrap_or(0);
        (ply, text(&row["code"]), text(&row["token"]), readings)
    });
    let again = ["ambiguous", "repaired", "variation"];
    rows.filter(|(_, code, ..)| again.contains(&code.as_str()))
        .collect()
}

fn validated(folder: &Path, input: &str) -> Value {
    let (_, text) = run(folder, &["validate", "-", "--format", "ndjson"], input);
    assert_eq!(text.lines().count(), 1, "{input}");
    serde_json::from_str(&text).unwrap()
}

#[test]
fn what_was_guessed_or_repaired_is_found_in_what_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for record in records() {
        let title = &record.title;
        let options: Vec<&str> = record.options.iter().map(String::as_str).collect();
        let untraced = [&options[..], &["--no-trace"]].concat();
        // The table of the conversion has the findings too.
        let table = [&options[..], &["--problems", "p.ndjson"]].concat();
        convert(at, &record.notations[0], "pgn", &table, &record.game);
        let rows = fs::read_to_string(at.join("p.ndjson")).unwrap();
        let rows = rows.lines().map(|line| serde_json::from_str(line).unwrap());
        assert_eq!(
            found(&Value::Array(rows.collect())),
            record.finds,
            "{title}"
        );
        for to in &record.notations {
            for form in ["pgn", "csv", "ndjson"] {
                let archive = convert(at, to, form, &options, &record.game);
                let shown = || format!("{title}, {to}, {form}: {archive}");
                let row = validated(at, &archive);
                assert_eq!(found(&row["diagnostics"]), record.finds, "{}", shown());
                let status = match (record.guesses(), record.finds.is_empty()) {
                    (true, _) => "ambiguous",
                    (false, false) => "warned",
                    (false, true) => "valid",
                };
                assert_eq!(row["status"], status, "{}", shown());
                // Converted again, here and there and back. JSON gives its start a tag when it is read the first time.
                let again = convert(at, to, form, &options, &archive);
                assert!(form == "ndjson" || again == archive, "{}", shown());
                assert_eq!(convert(at, to, form, &options, &again), again);
                assert_eq!(found(&validated(at, &again)["diagnostics"]), record.finds);
                for other in &record.notations {
                    let there = convert(at, other, form, &[], &again);
                    assert_eq!(convert(at, to, form, &[], &there), again, "{}", shown());
                }
                // Without traces.
                let bare = convert(at, to, form, &untraced, &record.game);
                let row = validated(at, &bare);
                assert!(found(&row["diagnostics"]).is_empty(), "{bare}");
                let taken = convert(at, to, form, &["--no-trace"], &again);
                assert_eq!(taken, convert(at, to, form, &[], &bare), "{}", shown());
            }
        }
        for (_, _, token, _) in &record.finds {
            let archive = convert(at, &record.notations[0], "pgn", &options, &record.game);
            for game in [&record.game, &archive] {
                let page = convert(at, &record.notations[0], "html", &options, game);
                let escaped = token.replace('"', "&quot;");
                assert!(page.contains(&format!("`{escaped}`")), "{title}: {page}");
                assert!(!page.contains(COMMAND), "{title}: {page}");
                let page = convert(at, &record.notations[0], "html", &untraced, game);
                assert!(!page.contains(&format!("`{escaped}`")), "{title}: {page}");
            }
        }
    }
}

/// The one guess of the sample game: what is written is what was taken, and says so.
#[test]
fn the_sample_game_says_what_was_guessed() {
    let sample = "corpus/games/meder/sample-game/as-printed.txt";
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (code, archive) = run(root, &["convert", sample, "--to", "meder"], "");
    assert_eq!((code, archive.matches(COMMAND).count()), (0, 1));
    let line = archive.split_whitespace().collect::<Vec<_>>().join(" ");
    let trace = "{[%tridex read \"a5B\" as \"a6N-a5B\" of \"a6N-a5B\" \"a6B-a5B\"]}";
    assert!(line.contains(trace), "{archive}");
    let (read, again) = (
        run(root, &["validate", sample, "--format", "ndjson"], "").1,
        validated(root, &archive),
    );
    let read: Value = serde_json::from_str(&read).unwrap();
    let [read, again] = [&read, &again].map(|row| {
        let found = row["diagnostics"].as_array().unwrap();
        let mut found = found.iter().filter(|found| found["code"] == "ambiguous");
        let found = found.next().unwrap();
        ["ply", "move", "token", "message", "alternatives"].map(|field| found[field].clone())
    });
    assert_eq!(read, again);
}

/// Name and text of a file; line, number and text of each of its rejects.
type Rejected = (
    &'static str,
    &'static str,
    &'static [(u64, u64, &'static str)],
);

/// Invalid games of every container: name, text, and for each reject its line, its number and its bytes.
const REJECTED: [Rejected; 5] = [
    (
        "games.pgn",
        "\u{feff}[Event \"a\"]\n[Variant \"meder\"]\n\n1. b4N b5B *\n\n{before}\n[Event \"b\"]\n[Variant \"meder\"]\n\n\
         1.b4N   zz {it stays} *\n\n\n[Event \"c\"]\n[Variant \"meder\"]\n\n1. yy 0-1\n",
        &[
            (
                6,
                2,
                "{before}\n[Event \"b\"]\n[Variant \"meder\"]\n\n1.b4N   zz {it stays} *",
            ),
            (13, 3, "[Event \"c\"]\n[Variant \"meder\"]\n\n1. yy 0-1"),
        ],
    ),
    (
        "sheet.txt",
        "White: Zoe  Black: Ida\n\n  1 b4N , b5B\n  2 c3W ; Qe9 ?\n",
        &[(
            1,
            1,
            "White: Zoe  Black: Ida\n\n  1 b4N , b5B\n  2 c3W ; Qe9 ?",
        )],
    ),
    ("other.txt", "\n\n1) b4N xx\n", &[(3, 1, "1) b4N xx")]),
    (
        "rows.csv",
        "game,no,white,black\n1,1,b4N,b5B\n2,1,\"b4N\",  b5B\n2,2,c3W,Qe9\n3,1,b4N,b5B\n4,1,xx,\n",
        &[(3, 2, "2,1,\"b4N\",  b5B\n2,2,c3W,Qe9"), (6, 4, "4,1,xx,")],
    ),
    (
        "lines.ndjson",
        "{\"rules\":\"meder\",\"moves\":[\"b4N\"]}\n{\"rules\":\"meder\", \"moves\":[\"xx\"],\"more\":1}\n\n{\"moves\":[\n",
        &[
            (2, 2, "{\"rules\":\"meder\", \"moves\":[\"xx\"],\"more\":1}"),
            (4, 3, "{\"moves\":["),
        ],
    ),
];

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn rejects_are_the_bytes_of_their_sources_with_their_places() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (name, text, games) in REJECTED {
        let is_archive = name.ends_with(".pgn") || name.ends_with(".txt");
        let (_, extension) = name.split_once('.').unwrap();
        for (compressed, ends) in [(false, "\n"), (true, "\n"), (false, "\r\n")] {
            let text = text.replace('\n', ends);
            let (file, bytes) = match compressed {
                true => (format!("{name}.gz"), gzip(text.as_bytes())),
                false => (name.to_owned(), text.clone().into_bytes()),
            };
            fs::write(at.join(&file), bytes).unwrap();
            for source in [false, true] {
                let rejects = format!("rejects.{extension}");
                let convert = ["convert", &file, "--to", "own", "--invalid", "drop"];
                let aside = ["--rejects", &rejects, "--problems", "p.csv", "--source"];
                let aside = if source { &aside[..] } else { &aside[..4] };
                assert_eq!(run(at, &[&convert, aside].concat(), "").0, 1, "{file}");
                let mut expected = String::new();
                for (line, number, game) in games {
                    let game = game.replace('\n', ends);
                    assert!(text.contains(&game));
                    expected.push_str(&format!("% {file}:{line}: game {number}\n"));
                    let has_tags = is_archive && game.contains('[');
                    if is_archive && (source || !has_tags) {
                        expected.push_str(&format!("[Source \"{file}:{number}\"]\n"));
                        expected.push_str(if has_tags { "" } else { "\n" });
                    }
                    expected.push_str(&format!("{game}\n\n"));
                }
                let found = fs::read_to_string(at.join(&rejects)).unwrap();
                assert_eq!(found, expected, "{file}");
                let table = fs::read_to_string(at.join("p.csv")).unwrap();
                let rejected = format!("invalid game: copied to {rejects}, not converted");
                assert_eq!(table.matches(&rejected).count(), games.len(), "{table}");
                // An archive and lines of JSON are read again, game for game.
                if extension != "csv" {
                    let (code, again) = run(at, &["validate", &rejects, "--format", "ndjson"], "");
                    assert_eq!((code, again.lines().count()), (1, games.len()), "{found}");
                    assert_eq!(again.matches("\"status\":\"invalid\"").count(), games.len());
                }
            }
        }
    }
}

#[test]
fn the_table_of_a_conversion_is_that_of_validation() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let games = "[Variant \"meder\"]\n\n1. b4 b5B 2. c3W a6S White resigns\n\n\
                 [Variant \"meder\"]\n\n1. b4N zz 1-0\n\n[Variant \"chess3\"]\n\n1. 1B2-1B4 *\n\n{x\n";
    fs::write(at.join("a.pgn"), games).unwrap();
    for (file, format) in [
        ("p.csv", "csv"),
        ("p.ndjson", "ndjson"),
        ("p.jsonl", "ndjson"),
    ] {
        let validate = ["validate", "a.pgn", "--problems", "--format", format];
        let (_, expected) = run(at, &validate, "");
        let convert = ["convert", "a.pgn", "--to", "meder", "--problems", file];
        assert_eq!(run(at, &convert, "").0, 1);
        let found = fs::read_to_string(at.join(file)).unwrap();
        // And a row for the game that cannot be written so.
        let is_more = |line: &&str| line.contains("rejected") && line.contains("chess3");
        assert_eq!(found.lines().filter(is_more).count(), 1, "{found}");
        let found: Vec<&str> = found.lines().filter(|line| !is_more(line)).collect();
        assert_eq!(found, expected.lines().collect::<Vec<_>>());
        assert!(expected.contains("resigns") && expected.contains("ambiguous"));
    }
    // Neither file takes the place of another.
    for (asked, told) in [
        (
            &["--problems", "a.pgn"][..],
            "--problems a.pgn: this file is also an input",
        ),
        (&["--problems", "-"], "--problems -: "),
        (
            &["--problems", "out", "-o", "out"],
            "this file is also the output",
        ),
        (
            &["--problems", "x", "--rejects", "./x"],
            "--rejects and --problems name the same file",
        ),
        (
            &["--csv-delimiter", ";", "--problems", "p.ndjson"],
            "without a table in CSV",
        ),
        (
            &["--no-trace", "--dialect", "star-trek-tri-dimensional"],
            "--no-trace",
        ),
    ] {
        let to = ["convert", "a.pgn", "--to", "meder"];
        let to = if asked.contains(&"--dialect") {
            &to[..2]
        } else {
            &to[..]
        };
        let output = fed(at, &[to, asked].concat(), b"");
        assert_eq!(output.status.code(), Some(2), "{asked:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(told), "{asked:?}: {said}");
        assert_eq!(fs::read_to_string(at.join("a.pgn")).unwrap(), games);
    }
}

/// A suggestion in the place of its token alone makes the game legal; changes elsewhere and several changes are among the
/// corrections only, and in words in the table of problems.
#[test]
fn a_suggestion_is_one_change() {
    let folder = tempfile::tempdir().unwrap();
    for (game, suggestion, changes) in [
        (
            "[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6N 3. Nc22W c6B *\n",
            Some("Nc2W"),
            1,
        ),
        // What is missing does not replace the token before which it belongs.
        (
            "[Variant \"meder\"]\n\nd6N d4W d6B Bd3W 0-0 a4N a5B 0-0 dNd5B d2W d4N b4W d5N b5B a6B Nb3N c6B a3W b5N Bc4N c5B \
             Nxc5B b4N Qc2W a4W cNxd4N *\n",
            None,
            1,
        ),
        (
            "[Variant \"millennium\"]\n\n1. 1e4 3e5 2. N3c6 N1f3 3. B1b5 3a6 4. B1a4 *\n",
            None,
            2,
        ),
    ] {
        let row = validated(folder.path(), game);
        let found = row["diagnostics"].as_array().unwrap();
        let found = found.iter().find(|found| found["severity"] == "error");
        let found = found.unwrap();
        assert_eq!(found["suggestion"].as_str(), suggestion, "{found}");
        let made = found["corrections"][0]["changes"].as_array().unwrap();
        assert_eq!(made.len(), changes, "{found}");
        if let Some(suggestion) = suggestion {
            let token = found["token"].as_str().unwrap();
            let fixed = game.replacen(token, suggestion, 1);
            assert_eq!(validated(folder.path(), &fixed)["status"], "valid");
        }
        let problems = fed(
            folder.path(),
            &["validate", "-", "--problems", "--format", "ndjson"],
            game.as_bytes(),
        );
        let problems = String::from_utf8(problems.stdout).unwrap();
        let row: Value = serde_json::from_str(problems.lines().next().unwrap()).unwrap();
        assert_eq!(row["suggestion"].as_str(), suggestion, "{row}");
        let change = &found["corrections"][0]["changes"][0];
        let place = format!(
            "{}:{}: {}",
            change["line"],
            change["column"],
            change["text"].as_str().unwrap()
        );
        assert!(
            row["correction"].as_str().unwrap().starts_with(&place),
            "{row}"
        );
        // What was not suggested is repaired all the same: the correction is the only likely one.
        let written = convert(folder.path(), "own", "pgn", &["--repair"], game);
        assert_eq!(written.matches(COMMAND).count(), changes, "{written}");
    }
}
