//! What the module for JavaScript answers is what the command writes, byte for byte: called here, and as WebAssembly under
//! Node where `crates/wasm/build` has made the module.

use crate::program::fed;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Requests, each with the arguments of the command that writes the same of standard input. `SCRIPT` is the text of the
/// viewer's script.
const SAME: [(&str, &[&str]); 8] = [
    (
        r#"{"do":"read"}"#,
        &["validate", "-", "--format", "ndjson", "-q"],
    ),
    (
        r#"{"do":"read","problems":true}"#,
        &["validate", "-", "--format", "ndjson", "-q", "--problems"],
    ),
    (
        r#"{"do":"read","options":{"rules":"any"}}"#,
        &[
            "validate", "-", "--format", "ndjson", "-q", "--rules", "any",
        ],
    ),
    (
        r#"{"do":"read","options":{"strict":true}}"#,
        &["validate", "-", "--format", "ndjson", "-q", "--strict"],
    ),
    (
        r#"{"do":"write","to":"own"}"#,
        &["convert", "-", "--to", "own", "-q"],
    ),
    (
        r#"{"do":"write","to":"meder","format":"ndjson","repair":true,"locale":"de"}"#,
        &[
            "convert", "-", "--to", "meder", "--format", "ndjson", "--repair", "--locale", "de",
            "-q",
        ],
    ),
    (
        r#"{"do":"write","to":"own","format":"csv","noTrace":true}"#,
        &[
            "convert",
            "-",
            "--to",
            "own",
            "--format",
            "csv",
            "--no-trace",
            "-q",
        ],
    ),
    (
        r#"{"do":"write","to":"own","format":"html","repair":true,"script":SCRIPT}"#,
        &["convert", "-", "--format", "html", "--repair", "-q"],
    ),
];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

fn folder(name: &str) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    files(&Path::new(ROOT).join(name), &mut found);
    let named = |path: PathBuf| (path.display().to_string(), fs::read(&path).unwrap());
    found.into_iter().map(named).collect()
}

/// Whether the module reads the bytes of a text: other encodings are decoded before, by the browser.
fn is_utf_8(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok()
}

/// Every text of the corpus, those that are not UTF-8 also decoded, and 1,000 generated games.
fn texts() -> Vec<(String, Vec<u8>)> {
    let mut texts = folder("corpus");
    let others = texts.iter().filter(|(_, text)| !is_utf_8(text));
    let decoded = others.map(|(name, text)| {
        let (text, ..) = encoding_rs::WINDOWS_1252.decode(text);
        (format!("{name}, decoded"), text.into_owned().into_bytes())
    });
    let decoded: Vec<_> = decoded.collect();
    assert!(!decoded.is_empty());
    texts.extend(decoded);
    for rules in tridex_rules::RuleSystem::ALL {
        let arguments = [
            "generate",
            "--rules",
            rules.name(),
            "--games",
            "200",
            "--seed",
            "29",
        ];
        let games = fed(Path::new(ROOT), &arguments, b"").stdout;
        texts.push((format!("200 games of {}", rules.name()), games));
    }
    texts
}

fn request(head: &str, text: &[u8]) -> Vec<u8> {
    [head.as_bytes(), b"\n", text].concat()
}

/// What the module under Node answers to requests; nothing, with a word, where there is no Node or no module.
fn under_node(requests: &[Vec<u8>]) -> Option<Vec<Value>> {
    let module = Path::new(ROOT).join("target/wasm/tridex.wasm");
    let node = Command::new("node").arg("--version").output();
    if !module.exists() || node.is_err() {
        let why = "skipped under Node: there is no Node, or no module (crates/wasm/build)";
        let _ = writeln!(std::io::stderr(), "{why}");
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut names = Vec::new();
    for (i, request) in requests.iter().enumerate() {
        let name = folder.path().join(i.to_string());
        fs::write(&name, request).unwrap();
        names.push(name.display().to_string());
    }
    let mut child = Command::new("node")
        .arg(Path::new(ROOT).join("crates/wasm/tests/answers.mjs"))
        .arg(module)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(json!(names).to_string().as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn the_corpus_and_generated_games_read_as_the_command_reads_them() {
    let texts = texts();
    let mut requests = Vec::new();
    let mut expected = Vec::new();
    for (name, text) in &texts {
        for (head, arguments) in SAME {
            let output = fed(Path::new(ROOT), arguments, text);
            let head = head.replace("SCRIPT", &json!(tridex_page::SCRIPT).to_string());
            let asked = request(&head, text);
            let (_, answer) = tridex_wasm::answer(asked.clone()).unwrap();
            let [answer, written] =
                [&answer, &output.stdout].map(|text| String::from_utf8_lossy(text));
            // Most is equal at the first look; of long texts only the first line that differs is of use.
            if answer != written {
                let differ = answer.lines().zip(written.lines()).find(|(a, b)| a != b);
                panic!(
                    "{name}, {head}: {differ:?}, {} and {} bytes",
                    answer.len(),
                    written.len()
                );
            }
            requests.push(asked);
            expected.push((
                format!("{name}, {head}"),
                written.into_owned(),
                is_utf_8(text),
            ));
        }
    }
    assert!(requests.len() > 400);
    let answers = under_node(&requests).into_iter().flatten();
    for (answer, (name, written, is_read)) in answers.zip(&expected) {
        match is_read {
            true => assert!(answer["text"] == *written, "{name}: {}", answer["head"]),
            false => assert!(
                answer
                    .to_string()
                    .contains("an encoding that is not supported here (save it as UTF-8"),
                "{name}: {answer}"
            ),
        }
    }
}

#[test]
fn two_sheets_are_reconciled_as_the_command_does_it() {
    let sheets = ["white.txt", "black.txt"].map(|name| {
        let name = format!("corpus/sheets/two-players/{name}");
        (fs::read(Path::new(ROOT).join(&name)).unwrap(), name)
    });
    let [(white, one), (black, other)] = &sheets;
    let lengths = json!([white.len(), black.len()]);
    for to in ["own", "manual"] {
        let arguments = ["reconcile", one, other, "--to", to, "-q"];
        let written = fed(Path::new(ROOT), &arguments, b"").stdout;
        let head = json!({"do": "reconcile", "lengths": lengths, "to": to}).to_string();
        let asked = request(&head, &[&white[..], black].concat());
        let (head, answer) = tridex_wasm::answer(asked.clone()).unwrap();
        assert_eq!(
            String::from_utf8(answer),
            String::from_utf8(written.clone())
        );
        let head: Value = serde_json::from_str(&head).unwrap();
        assert_eq!(head["differences"].as_array().unwrap().len(), 3);
        for answer in under_node(&[asked]).into_iter().flatten() {
            assert!(
                answer["text"] == *String::from_utf8_lossy(&written),
                "{answer}"
            );
        }
    }
}

/// Bytes that once broke something, and those that nest without end: a fault of the module would end it.
#[test]
fn no_text_breaks_the_module_off() {
    let mut texts = folder("fuzz/seeds");
    for (open, depth) in [
        ("(", 300_000),
        ("{", 1_000_000),
        ("[", 300_000),
        ("{\"moves\":[", 100_000),
    ] {
        texts.push((
            format!("{depth} {open}"),
            format!("1. b4N {}", open.repeat(depth)).into_bytes(),
        ));
    }
    let heads = [
        r#"{"do":"read"}"#,
        r#"{"do":"write","to":"own","repair":true}"#,
        r#"{"do":"write","to":"own","format":"html","script":""}"#,
        r#"{"do":"game","number":1}"#,
    ];
    let mut requests: Vec<Vec<u8>> = Vec::new();
    for (_, text) in &texts {
        requests.extend(heads.iter().map(|head| request(head, text)));
        let said = String::from_utf8_lossy(text);
        for head in ["position", "moves", "setup", "svg"] {
            requests.push(
                json!({"do": head, "rules": "meder", "fen": said})
                    .to_string()
                    .into_bytes(),
            );
        }
        requests.push(
            json!({"do": "line", "rules": "manual", "moves": [said]})
                .to_string()
                .into_bytes(),
        );
        requests.push(text.clone());
    }
    match under_node(&requests) {
        Some(answers) => {
            for answer in answers {
                assert!(answer["broke"].is_null(), "{answer}");
            }
        }
        None => {
            for asked in requests {
                let _ = tridex_wasm::answer(asked);
            }
        }
    }
}

#[test]
fn what_cannot_be_answered_is_said_in_words() {
    for (asked, words) in [
        ("", "the request cannot be read"),
        (r#"{"do":"dance"}"#, "unknown variant `dance`"),
        (
            r#"{"do":"read","options":{"rules":"medder"}}"#,
            "did you mean meder?",
        ),
        (
            r#"{"do":"read","options":{"colour":1}}"#,
            "unknown field `colour`",
        ),
        (
            r#"{"do":"position","rules":"meder","fen":"x"}"#,
            "the position cannot be read",
        ),
        (
            r#"{"do":"line","rules":"meder","moves":["b4N","b4N"]}"#,
            "b4N",
        ),
        (
            r#"{"do":"game","number":7}"#,
            "there is no game 7: the file is empty",
        ),
        (
            r#"{"do":"read","options":{"encoding":"latin-99"}}"#,
            "`latin-99` is not an encoding that is supported here: utf-8",
        ),
    ] {
        let fault = tridex_wasm::answer(asked.as_bytes().to_vec()).unwrap_err();
        assert!(fault.contains(words), "{asked}: {fault}");
    }
}

/// The text of a position is kept by who has it: what is answered says where it is wrong, and for which rules it is.
#[test]
fn a_position_that_is_pasted_chooses_its_rules_or_is_told_where_it_is_wrong() {
    let ask = |rules: &str, fen: &str| {
        let asked = json!({"do": "setup", "rules": rules, "fen": fen}).to_string();
        let (head, _) = tridex_wasm::answer(asked.into_bytes()).unwrap();
        serde_json::from_str::<Value>(&head).unwrap()
    };
    let start = |rules: tridex_rules::RuleSystem| {
        let setup = rules.start();
        tridex_notation::position_string::to_string(&setup)
    };
    let all = tridex_rules::RuleSystem::ALL;
    for (own, asked) in all
        .iter()
        .flat_map(|own| all.iter().map(move |asked| (own, asked)))
    {
        let found = ask(asked.name(), &start(*own).replace("KQkq", "-"));
        let rules = found["rules"].as_str().unwrap();
        let rules = tridex_rules::RuleSystem::from_name(rules).unwrap();
        assert_eq!(rules.family(), own.family());
        assert_eq!(rules == *asked, asked.family() == own.family());
        assert_eq!(found["fen"], start(*own).replace("KQkq", "-"));
    }
    let meder = start(tridex_rules::RuleSystem::Meder);
    for (fen, at, expected) in [
        (
            meder.replacen(' ', "p ", 1),
            meder.find(' ').unwrap(),
            "a space and the side to move (side to move)",
        ),
        (
            "4/4/4/4|4/1\u{1f600}".to_owned(),
            11,
            "a piece letter or a count of empty squares, four squares in all (placement)",
        ),
        (
            "\u{1f600}/4/4".to_owned(),
            0,
            "a piece letter or a count of empty squares, four squares in all (placement)",
        ),
    ] {
        let found = ask("meder", &fen);
        assert_eq!(
            (&found["at"], &found["expected"]),
            (&json!(at), &json!(expected)),
            "{fen}"
        );
        assert!(
            found["unread"]
                .as_str()
                .unwrap()
                .starts_with("the position cannot be read: ")
        );
        assert_eq!(found["fen"], Value::Null);
    }
}

/// What the list of games calls each: its players, or its event.
#[test]
fn a_game_without_players_is_called_by_its_event() {
    let text = "[Event \"Sample\"]\n\n1. b4N *\n\n[White \"Kirk\"]\n\n1. b4N *\n\n[White \"?\"]\n\n1. b4N *\n";
    let asked = format!("{}\n{text}", json!({"do": "read", "players": true}));
    let (head, _) = tridex_wasm::answer(asked.into_bytes()).unwrap();
    let head: Value = serde_json::from_str(&head).unwrap();
    assert_eq!(head["titles"], json!(["Sample", "Kirk \u{2013} ?", ""]));
    assert_eq!(head["players"], json!([["", ""], ["Kirk", ""], ["?", ""]]));
}

#[test]
fn positions_are_played_drawn_and_set_up() {
    let ask = |asked: Value| {
        let (head, text) = tridex_wasm::answer(asked.to_string().into_bytes()).unwrap();
        (
            serde_json::from_str::<Value>(&head).unwrap(),
            String::from_utf8(text).unwrap(),
        )
    };
    for rules in tridex_rules::RuleSystem::ALL {
        let rules = rules.name();
        let (start, _) = ask(json!({"do": "position", "rules": rules}));
        let (moves, _) = ask(json!({"do": "moves", "rules": rules}));
        let moves = moves["moves"].as_array().unwrap();
        assert_eq!(start["legal"], moves.len());
        let first = &moves[0];
        let (some, _) = ask(json!({"do": "moves", "rules": rules, "from": first["from"]}));
        let from = moves.iter().filter(|one| one["from"] == first["from"]);
        assert_eq!(some["moves"].as_array().unwrap().len(), from.count());
        let (after, data) = ask(json!({"do": "line", "rules": rules, "moves": [first["move"]]}));
        assert_eq!(after["turn"], "black");
        assert!(data.starts_with("{\"shared\":"));
        let (_, svg) =
            ask(json!({"do": "svg", "rules": rules, "last": first["move"], "theme": "dark"}));
        assert!(svg.starts_with("<svg"));
        // All pieces away: there is no king. Taken back one by one they are the start without its rights.
        let (empty, _) = ask(json!({"do": "setup", "rules": rules, "empty": true}));
        assert_eq!(
            empty["fault"],
            format!("the position cannot be played under {rules}: White has no king")
        );
        let (setup, _) = ask(json!({"do": "setup", "rules": rules}));
        let cells = setup["boards"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|board| board["rows"].as_array().unwrap());
        let cells = cells.flat_map(|row| row.as_array().unwrap());
        let put: Vec<Value> = cells
            .map(|cell| json!([cell["square"], cell["piece"]]))
            .collect();
        assert_eq!(
            put.len(),
            if moves[0]["words"]["meder"].is_null() {
                192
            } else {
                64
            }
        );
        let (again, _) =
            ask(json!({"do": "setup", "rules": rules, "fen": empty["fen"], "put": put}));
        assert_eq!(again["fault"], Value::Null);
        let placement = |setup: &Value| {
            setup["fen"]
                .as_str()
                .unwrap()
                .split(' ')
                .next()
                .unwrap()
                .to_owned()
        };
        assert_eq!(placement(&again), placement(&setup));
    }
}

/// Runs a module of JavaScript in a folder, with a few lines around it.
fn run_script(folder: &Path, code: &str) {
    let file = folder.join("example.mjs");
    let tail = "if (games[0].diagnostics.length !== 1) throw new Error(\"no finding\");\n";
    fs::write(&file, format!("{code}{tail}")).unwrap();
    let output = Command::new("node").arg(&file).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{printed}");
}

/// The first example of a README in JavaScript.
fn example(readme: &str) -> String {
    let readme = fs::read_to_string(Path::new(ROOT).join(readme)).unwrap();
    let code = readme.split("```js\n").nth(1).unwrap();
    code.split("```").next().unwrap().to_owned()
}

/// The example of the README, under Node.
#[test]
fn the_readme_s_javascript_runs() {
    let module = Path::new(ROOT).join("target/wasm");
    if under_node(&[]).is_none() {
        return;
    }
    let code = example("crates/wasm/README.md");
    let of = |name: &str| module.join(name).display().to_string();
    let code = code
        .replace("\"./tridex.js\"", &json!(of("tridex.js")).to_string())
        .replace(
            "new URL(\"./tridex.wasm\", import.meta.url)",
            &format!("readFileSync({})", json!(of("tridex.wasm"))),
        );
    let head = "import { readFileSync } from \"node:fs\";\nconst script = \"\";\n";
    let folder = tempfile::tempdir().unwrap();
    run_script(folder.path(), &format!("{head}{code}"));
}

/// The example of the npm package, with the files of that package and no others.
#[test]
fn the_npm_package_s_example_runs() {
    if under_node(&[]).is_none() {
        return;
    }
    let source = Path::new(ROOT).join("crates/wasm/js");
    let folder = tempfile::tempdir().unwrap();
    let package = folder.path().join("node_modules/tridex");
    fs::create_dir_all(&package).unwrap();
    let manifest = fs::read_to_string(source.join("package.json")).unwrap();
    fs::write(package.join("package.json"), &manifest).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    for name in manifest["files"].as_array().unwrap() {
        let name = name.as_str().unwrap();
        let from = match name {
            "tridex.wasm" | "viewer.js" => Path::new(ROOT).join("target/wasm"),
            _ => source.clone(),
        };
        fs::copy(from.join(name), package.join(name)).unwrap();
    }
    run_script(folder.path(), &example("crates/wasm/js/README.md"));
}
