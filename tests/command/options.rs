//! Every option of every command does something or is refused, and what is refused is said as `tests/data` has it.
//!
//! `tests/data/options.txt` has a call of each option; `tests/data/messages.txt` what is answered.

use crate::program::fed;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

/// Games of several systems, some of them ambiguous, in other letters, damaged, or the same.
const GAMES: &str = include_str!("../data/options.pgn");

/// What the rows of the tables call by name.
static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let write = |name: &str, text: &str| fs::write(at.join(name), text).unwrap();
    write("games.pgn", GAMES);
    write("=1.pgn", "[Variant \"meder\"]\n\n1. b4N Qe9 *\n");
    write("there.pgn", "");
    write("there-1.pgn", "");
    write("there", "");
    write("there.svg", "");
    let clean = "[White \"Kirk, James\"]\n[Black \"Spock\"]\n[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6N *\n\n\
                 [White \"Uhura\"]\n[Black \"Kirk, James\"]\n[Variant \"meder\"]\n\n1. c3W c6B *\n";
    write("clean.pgn", clean);
    write(
        "tagged.pgn",
        "[Variant \"meder\"]\n[Notation \"meder\"]\n\n1. b4N b5B 2. c3W a6N *\n",
    );
    write(
        "broken.pgn",
        "[Variant \"meder\"]\n\n1. b4N b5B 2. c3W Qe9 *\n",
    );
    write("cube.pgn", "1. 1E2-1E4 3E7-3E5 2. 1D2-1D4 *\n");
    write("cube-broken.pgn", "1. 1E2-1E4 3E7-3E5 2. 1D2-1D7 *\n");
    write(
        "german.pgn",
        "[Variant \"meder\"]\n[Locale \"en\"]\n\n1. b4N b5B 2. c3W a6N 3. Sc2W *\n",
    );
    write(
        "conflict.pgn",
        "[White \"Kirk\"]\n[Black \"Spock\"]\n[Result \"1-0\"]\n\n1. b4N b5B 2. c3W a6N 1-0\n\n\
         [White \"Kirk\"]\n[Black \"Spock\"]\n[Result \"0-1\"]\n\n1. b4N b5B 2. c3W a6N 0-1\n",
    );
    write(
        "white.pgn",
        "[White \"Kirk, James\"]\n[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6N 3. Nc22W Nc6N *\n",
    );
    write(
        "black.pgn",
        "[White \"Kirk, J.\"]\n[Variant \"meder\"]\n\n1. b4N b5B 2. a6N 3. Nc2W Nc6N *\n",
    );
    let moves = "1. b4N b5B 2. c3W a6N 3. Nc2W Nc6N 4. a4W a5N";
    let near = moves.replace("a4W", "a3W");
    let record = |moves: &str, more: &str| format!("[Variant \"meder\"]\n{more}\n{moves} *\n\n");
    write("near.pgn", &(record(moves, "") + &record(&near, "")));
    let annotated = moves.replace("b5B", "b5B {quick}");
    write(
        "merge.pgn",
        &(record(moves, "") + &record(&annotated, "[Round \"2\"]\n")),
    );
    let latin = b"[White \"M\xfcller\"]\n[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6N *\n";
    fs::write(at.join("latin.pgn"), latin).unwrap();
    write(
        "dates.pgn",
        "[Date \"3/4/19\"]\n[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6N *\n",
    );
    write("names.csv", "written,standard\nspock,\"Spock, S.\"\n");
    write(
        "remarks.pgn",
        "[Variant \"meder\"]\n\n1. b4N! {good [%clk 0:05:00]} (1. c3W) b5B *\n",
    );
    write("saved.txt", "won = result:1-0\n");
    write("book.csv", "=Gambit,b4N,meder\n=Defence,b4N b5B,meder\n");
    let zipped = fs::File::create(at.join("games.pgn.gz")).unwrap();
    let mut zipped = flate2::write::GzEncoder::new(zipped, flate2::Compression::fast());
    std::io::Write::write_all(&mut zipped, GAMES.as_bytes()).unwrap();
    zipped.finish().unwrap();
    for made in [
        "plan games.pgn --target 300 -o plan.ndjson",
        "index games.pgn clean.pgn --index db -q",
        "index clean.pgn --index own -q",
        "export clean.pgn --parquet tables -q",
    ] {
        let output = fed(at, &words(made), b"");
        assert!(output.status.code() < Some(2), "{made}: {output:?}");
    }
    folder
});

/// The words of a call, as a shell parts them: single quotes, and in them `\e` and `\n`.
fn words(call: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = call.trim();
    while !rest.is_empty() {
        let (word, behind) = match rest.strip_prefix('\'') {
            Some(quoted) => quoted.split_once('\'').expect("a closing quote"),
            None => rest.split_once(' ').unwrap_or((rest, "")),
        };
        words.push(word);
        rest = behind.trim_start();
    }
    words
}

/// What a call did: its exit code, what it printed, and the files that are there now and were not before.
#[derive(PartialEq, Debug)]
pub(crate) struct Done {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) told: String,
    files: BTreeMap<String, Vec<u8>>,
    shown: String,
}

/// Runs a call in a folder of its own, and then the call that shows what it has done.
pub(crate) fn done(call: &str, then: Option<&str>) -> Done {
    let folder = tempfile::tempdir().unwrap();
    copy(FOLDER.path(), folder.path());
    let before = files(folder.path());
    let decoded: Vec<String> = words(call)
        .into_iter()
        .map(|word| word.replace("\\e", "\u{1b}").replace("\\n", "\n"))
        .collect();
    let words_of_call: Vec<&str> = decoded.iter().map(String::as_str).collect();
    let output = fed(folder.path(), &words_of_call, GAMES.as_bytes());
    let mut files = files(folder.path());
    files.retain(|name, bytes| before.get(name) != Some(bytes));
    let shown = then.map(|then| fed(folder.path(), &words(then), b""));
    Done {
        code: output.status.code(),
        out: timeless(&output.stdout),
        told: timeless(&output.stderr),
        files,
        shown: shown.map_or_else(String::new, |shown| timeless(&shown.stdout)),
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let there = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            fs::create_dir(&there).unwrap();
            copy(&entry.path(), &there);
        } else {
            fs::copy(entry.path(), there).unwrap();
        }
    }
}

/// The files of a folder. What an index has in its files is asked of the index.
fn files(at: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(at).unwrap().map(Result::unwrap);
    let read = |path: &Path| match path.is_dir() {
        true => Vec::new(),
        false => fs::read(path).unwrap(),
    };
    let mut all: BTreeMap<String, Vec<u8>> = entries
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, read(&entry.path()))
        })
        .collect();
    for table in ["games.parquet", "positions.parquet"] {
        for folder in ["out", "other"] {
            if let Ok(bytes) = fs::read(at.join(folder).join(table)) {
                all.insert(format!("{folder}/{table}"), bytes);
            }
        }
    }
    all
}

/// Without what depends on how long it took.
fn timeless(printed: &[u8]) -> String {
    let text = String::from_utf8_lossy(printed);
    let lines = text.lines().filter(|line| {
        !["time ", "plies/s "]
            .iter()
            .any(|head| line.starts_with(head))
    });
    let mut kept = String::new();
    for line in lines {
        let mut parts = line.split("seconds\":");
        kept.push_str(parts.next().unwrap_or_default());
        for part in parts {
            kept.push_str("seconds\":");
            kept.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.'));
        }
        kept.push('\n');
    }
    kept
}

/// An option of a command with what to try.
struct Tried<'t> {
    name: &'t str,
    value: &'t str,
    /// One more call without it.
    alone: Option<&'t str>,
    /// Why it may do nothing in some call.
    idle: Option<&'t str>,
}

/// A command with its calls and options.
#[derive(Default)]
struct Table<'t> {
    command: &'t str,
    calls: Vec<&'t str>,
    then: Option<&'t str>,
    options: Vec<Tried<'t>>,
}

fn tables() -> Vec<Table<'static>> {
    let mut tables: Vec<Table<'static>> = Vec::new();
    for line in include_str!("../data/options.txt").lines() {
        if let Some(command) = line.strip_prefix("= ") {
            tables.push(Table {
                command,
                ..Table::default()
            });
            continue;
        }
        let Some(table) = tables.last_mut() else {
            continue;
        };
        if let Some(call) = line.strip_prefix("in ") {
            table.calls.push(call);
        } else if let Some(then) = line.strip_prefix("then ") {
            table.then = Some(then);
        } else if line.starts_with("--") {
            let (line, idle) = match line.split_once(" ~ ") {
                Some((line, why)) => (line, Some(why)),
                None => (line, None),
            };
            let (option, alone) = match line.split_once(" @") {
                Some((option, call)) => (option, Some(call.trim())),
                None => (line, None),
            };
            let (name, value) = option.split_once(' ').unwrap_or((option, ""));
            table.options.push(Tried {
                name,
                value,
                alone,
                idle,
            });
        }
    }
    tables
}

impl Table<'_> {
    /// A call of the command; those of all commands come with calls of several.
    fn call(&self, call: &str) -> String {
        match self.command {
            "*" => call.to_owned(),
            command => format!("{command} {call}"),
        }
    }

    /// What is wrong with an option, tried in all calls of its command, of which it is known what they do without.
    fn faults(&self, option: &Tried<'_>, without: &[(String, Done)]) -> Vec<String> {
        let Tried { name, value, .. } = option;
        let mut faults = Vec::new();
        let mut does_something = false;
        let alone = option.alone.map(|call| self.call(call));
        let alone = alone.map(|call| (call.clone(), done(&call, self.then)));
        for (call, without) in without.iter().chain(&alone) {
            let call = format!("{call} {name} {value}");
            let with = done(&call, self.then);
            let is_refused = with.code == Some(2)
                && with.told.contains(name)
                && with.out.is_empty()
                && with.files.is_empty();
            let is_there = *name == "--no-clobber" && with.told.contains("is not overwritten");
            if with.code == Some(2) && !is_refused && !is_there && option.idle.is_none() {
                faults.push(format!("{call}: not refused by name: {}", with.told));
            }
            let changes = with != *without;
            does_something |= changes && !is_refused;
            if !changes && !is_refused && option.idle.is_none() {
                faults.push(format!("{call}: does nothing and is not refused"));
            }
        }
        if !does_something && (option.alone.is_some() || option.idle.is_none()) {
            faults.push(format!("{} {name}: does nothing anywhere", self.command));
        }
        faults
    }
}

#[test]
fn every_option_does_something_or_is_refused_by_name() {
    let mut tables = tables();
    tables.retain(|table| table.command != "serve");
    LazyLock::force(&FOLDER);
    let calls = |table: &Table<'_>| -> Vec<(String, Done)> {
        let calls = table.calls.par_iter().map(|call| table.call(call));
        let calls = calls.map(|call| (call.clone(), done(&call, table.then)));
        calls.collect()
    };
    let without: Vec<_> = tables.iter().map(calls).collect();
    let all: Vec<_> = tables
        .iter()
        .zip(&without)
        .flat_map(|(table, without)| table.options.iter().map(move |o| (table, without, o)))
        .collect();
    assert!(all.len() > 200);
    let faults: Vec<String> = all
        .par_iter()
        .flat_map_iter(|(table, without, option)| table.faults(option, without))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The options of the page are tried where it is run.
#[test]
fn options_that_are_tried_elsewhere_are_there() {
    for table in tables().iter().filter(|table| table.command == "serve") {
        for option in &table.options {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
            let text = fs::read_to_string(path.join(option.value)).unwrap();
            assert!(text.contains(option.name), "{}", option.name);
        }
    }
}

/// `serve --host`: requests by that name are answered, and by no other.
#[test]
fn the_page_answers_by_the_names_of_its_host() {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::process::{Command, Stdio};
    let status = |host: &[&str]| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tridex"))
            .args([&["serve", "--index", "db", "--port", "0"], host].concat())
            .current_dir(FOLDER.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = String::new();
        let mut told = BufReader::new(child.stdout.take().unwrap());
        told.read_line(&mut first).unwrap();
        let address = first
            .split("http://")
            .nth(1)
            .unwrap()
            .trim_end_matches(['/', '\n']);
        let mut page = std::net::TcpStream::connect(address).unwrap();
        page.write_all(b"GET / HTTP/1.1\r\nHost: chess.example\r\nConnection: close\r\n\r\n")
            .unwrap();
        let mut answer = Vec::new();
        page.read_to_end(&mut answer).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        let answer = String::from_utf8_lossy(&answer);
        answer.split(' ').nth(1).unwrap().to_owned()
    };
    assert_eq!(status(&["--host", "chess.example"]), "200");
    assert_ne!(status(&["--host", "other.example"]), "200");
    assert_ne!(status(&[]), "200");
}

/// A row of messages: what to call, and lines of what is to be held of it.
fn row(call: &str, lines: &[&str]) -> Result<(), String> {
    let answer = done(call, None);
    let printed = format!("{}{}", answer.out, answer.told);
    if printed.contains('\u{1b}') {
        return Err("a control character is printed".to_owned());
    }
    for line in lines {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let holds = match word {
            "code" => answer.code == rest.parse().ok(),
            "says" => printed.contains(rest),
            "not" => !printed.contains(rest),
            "file" => {
                let (name, head) = rest.split_once(' ').unwrap_or((rest, ""));
                let file = answer.files.get(name);
                file.is_some_and(|file| file.starts_with(head.as_bytes()))
            }
            // The mark is below the text, which is indented by two blanks.
            "caret" => printed.lines().any(|line| {
                let blanks = line.len() - line.trim_start().len();
                line.trim_start().starts_with("^ ") && Some(blanks - 2) == rest.parse().ok()
            }),
            _ => return Err(format!("no such word: {word}")),
        };
        if !holds {
            return Err(format!("{line}\n{printed}"));
        }
    }
    Ok(())
}

#[test]
fn requests_that_cannot_be_met_are_answered_as_the_table_says() {
    let text = include_str!("../data/messages.txt");
    let mut rows: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
    {
        match (line.strip_prefix("$ "), rows.last_mut()) {
            (Some(call), _) => rows.push((call, Vec::new())),
            (None, Some((_, lines))) => lines.push(line),
            (None, None) => panic!("no call before {line}"),
        }
    }
    assert!(rows.len() > 40 && rows.iter().all(|(_, lines)| !lines.is_empty()));
    LazyLock::force(&FOLDER);
    let faults: Vec<String> = rows
        .par_iter()
        .filter_map(|(call, lines)| {
            let fault = row(call, lines).err()?;
            Some(format!("{call}: {fault}"))
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Statistics of the games of files that match a query are those of these games.
#[test]
fn games_of_files_that_match_a_query_are_counted_as_if_they_were_alone() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let run = |call: &str, input: &[u8]| {
        let output = fed(at, &words(call), input);
        assert_eq!(output.status.code(), Some(0), "{call}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let mut all = String::new();
    for (rules, seed) in [("meder", 1), ("federation", 2), ("millennium", 3)] {
        let call = format!("generate --rules {rules} --games 40 --seed {seed} --annotated");
        let games = run(&call, b"");
        fs::write(at.join(format!("{rules}.pgn")), &games).unwrap();
        all.push_str(&games);
    }
    let files = "meder.pgn federation.pgn millennium.pgn";
    for form in [
        "",
        "--format ndjson",
        "--by player --format csv",
        "--by opening --top 3",
    ] {
        for rules in ["meder", "federation", "millennium"] {
            let alone = run(&format!("stats {rules}.pgn {form}"), b"");
            for query in [
                format!("source:{rules}.pgn"),
                format!("rules:{rules} plies:0.."),
            ] {
                let call = format!("stats {files} {form} --query '{query}'");
                assert_eq!(run(&call, b""), alone, "{call}");
            }
            let piped = format!("stats - {form} --query rules:{rules}");
            assert_eq!(run(&piped, all.as_bytes()), alone, "{piped}");
        }
        let whole = run(&format!("stats {files} {form}"), b"");
        assert_eq!(
            run(&format!("stats {files} {form} --query 'plies:0..'"), b""),
            whole
        );
    }
    // As an index of the files answers, but for how the games are written down.
    run(&format!("index {files} --index db -q"), b"");
    for query in [
        "result:1-0",
        "pattern:\"check\" -rules:meder",
        "opening:a or elo:1..",
    ] {
        let of_files = run(&format!("stats {files} --by system --query '{query}'"), b"");
        let of_index = run(
            &format!("stats --index db --by system --query '{query}'"),
            b"",
        );
        assert_eq!(of_files, of_index, "{query}");
    }
}
