//! The READMEs, followed from top to bottom: every command in them is run, and its output compared.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Commands that are not run here, by how they begin: they build or install the project, measure for minutes, or need
/// what not every machine has.
const NOT_RUN: [&str; 21] = [
    "cargo test ",
    "cargo install ",
    "cargo bench ",
    "cargo build ",
    "cargo run --release -p tridex-replay --example ",
    "cargo run --release --bin ",
    "cargo +nightly ",
    "cd .. && cargo +nightly ",
    "valgrind ",
    "python3 crates/replay/benches/",
    "spark-class ",
    "PYTHONPATH=crates/spark python ",
    "wasm",
    "maturin ",
    "python -m unittest ",
    "python crates/python/benches/speed.py",
    "pip ",
    "npm ",
    "crates/wasm/build",
    "node ",
    // It answers until it is told to end.
    "tridex serve ",
];

/// A block between fences: its kind, the line it begins on, its text.
pub(super) struct Block {
    kind: String,
    line: usize,
    pub(super) lines: Vec<String>,
}

pub(super) fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (line, text) in (1..).zip(text.lines()) {
        match (text.strip_prefix("```"), &mut open) {
            (Some(kind), None) => {
                open = Some(Block {
                    kind: kind.to_owned(),
                    line,
                    lines: Vec::new(),
                });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some(block)) => block.lines.push(text.to_owned()),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block is never closed");
    blocks
}

/// What a command prints, on standard output and standard error.
pub(super) fn printed(folder: &Path, command: &str) -> (bool, String) {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_tridex"));
    let mut path = vec![program.parent().unwrap().to_owned()];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", std::env::join_paths(path).unwrap())
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).unwrap())
}

/// A line without what differs in every run.
fn lasting(line: &str) -> &str {
    let measured = ["time ", "plies/s "];
    let name = measured.into_iter().find(|name| line.starts_with(name));
    name.unwrap_or(line).trim_end()
}

/// Whether lines are those expected, where `...` stands for any number of lines.
pub(super) fn agree(expected: &[&str], found: &[&str]) -> bool {
    match expected.split_first() {
        None => found.is_empty(),
        Some((&"...", rest)) => (0..=found.len()).any(|from| agree(rest, &found[from..])),
        Some((line, rest)) => found
            .split_first()
            .is_some_and(|(first, others)| lasting(line) == lasting(first) && agree(rest, others)),
    }
}

/// A folder with what the READMEs take for granted.
pub(super) fn workplace(root: &Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy_all(&root.join("corpus"), &folder.path().join("corpus"));
    let game = "corpus/games/meder/sample-game/clean.pgn";
    fs::copy(root.join(game), folder.path().join("game.pgn")).unwrap();
    folder
}

/// The README of the repository, and all others.
fn readmes(root: &Path) -> Vec<PathBuf> {
    let mut found = ["README.md", "crates/README.md", "fuzz/README.md"]
        .map(PathBuf::from)
        .to_vec();
    let mut crates: Vec<_> = fs::read_dir(root.join("crates"))
        .unwrap()
        .map(|entry| Path::new("crates").join(entry.unwrap().file_name()))
        .map(|folder| folder.join("README.md"))
        .filter(|path| root.join(path).exists())
        .collect();
    crates.sort();
    found.append(&mut crates);
    found
}

/// How many commands were run and compared with what is printed, how many were run, and how many not.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) shown: u32,
    pub(super) run: u32,
    pub(super) others: u32,
}

/// Runs the commands of a README in a folder.
pub(super) fn follow(root: &Path, name: &Path, folder: &Path) -> Counts {
    let text = fs::read_to_string(root.join(name)).unwrap();
    let name = name.display();
    let mut counts = Counts::default();
    for block in blocks(&text) {
        let at = block.line;
        match block.kind.as_str() {
            "console" => {
                let mut lines = block.lines.iter().map(String::as_str).peekable();
                while let Some(line) = lines.next() {
                    let command = line.strip_prefix("$ ");
                    let command =
                        command.unwrap_or_else(|| panic!("{name}:{at}: no command: {line}"));
                    let mut expected = Vec::new();
                    while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
                        expected.push(line);
                    }
                    let (_, found) = printed(folder, command);
                    let found_lines: Vec<&str> = found.lines().collect();
                    assert!(
                        agree(&expected, &found_lines),
                        "{name}:{at}: {command}\nexpected:\n{}\nfound:\n{found}",
                        expected.join("\n")
                    );
                    counts.shown += 1;
                }
            }
            "sh" => {
                for line in &block.lines {
                    if NOT_RUN.iter().any(|begin| line.starts_with(begin)) {
                        counts.others += 1;
                        continue;
                    }
                    let command = line.replace("cargo run --release -- ", "tridex ");
                    assert!(command.starts_with("tridex "), "{name}:{at}: {line}");
                    let (is_good, found) = printed(folder, &command);
                    assert!(is_good, "{name}:{at}: {line}\n{found}");
                    counts.run += 1;
                }
            }
            // The documentation of the crate compiles and runs it.
            "rust" => {
                let folder = Path::new(&name.to_string()).parent().unwrap().to_owned();
                let (folder, include) = match folder.as_os_str().is_empty() {
                    true => (PathBuf::from("crates/core"), "../../../README.md"),
                    false => (folder, "../README.md"),
                };
                let library = fs::read_to_string(root.join(folder).join("src/lib.rs")).unwrap();
                let include = format!("#[doc = include_str!(\"{include}\")]");
                assert!(library.contains(&include), "{name}:{at}: nothing runs it");
            }
            // The tests of the Python package run it.
            "pycon" => {
                let tests = root.join("crates/python/tests/test_docs.py");
                let tests = fs::read_to_string(tests).unwrap();
                let pages = ["crates/python/README.md", "crates/guide/src/python.md"];
                let is_run = tests.contains("crates/guide/src/python.md")
                    && tests.contains("crates/python/README.md");
                assert!(
                    is_run && pages.contains(&&*name.to_string()),
                    "{name}:{at}: nothing runs it"
                );
            }
            // What a file or an output looks like; JavaScript is run by `wasm.rs`.
            "text" | "js" => {}
            other => panic!("{name}:{at}: nothing runs a block of {other:?}"),
        }
    }
    counts
}

/// The commands run in a folder of their own with a copy of the corpus, for some of them leave something behind.
#[cfg(unix)]
#[test]
fn the_readmes_commands_print_what_they_show() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readmes = readmes(root);
    let main = workplace(root);
    let counts = follow(root, &readmes[0], main.path());
    assert!(counts.shown >= 7 && counts.run >= 4 && counts.others >= 3);
    assert!(main.path().join("board.svg").exists() && main.path().join("game.html").exists());
    let (mut shown, mut run) = (0, 0);
    for name in &readmes[1..] {
        let counts = follow(root, name, workplace(root).path());
        shown += counts.shown;
        run += counts.run;
    }
    assert!(shown >= 4 && run >= 8, "{shown} {run}");
}

/// Half a page for each kind of user; the rest is in the READMEs of the crates.
#[test]
fn the_readme_is_short() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    assert!(text.lines().count() <= 250);
}

/// Every file that the walks through the code name exists.
#[test]
fn the_walks_name_files_that_exist() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    let text = fs::read_to_string(crates.join("README.md")).unwrap();
    let walks = text.split("## Two walks").nth(1).unwrap();
    let walks = walks.split("\n## ").next().unwrap();
    let names = walks.split('`').skip(1).step_by(2);
    let files: Vec<_> = names.filter(|name| name.ends_with(".rs")).collect();
    assert!(files.len() > 20, "{files:?}");
    for file in files {
        assert!(crates.join(file).exists(), "{file}");
    }
}

/// What the READMEs link to exists.
#[test]
fn links_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut links = 0;
    for name in readmes(root) {
        let text = fs::read_to_string(root.join(&name)).unwrap();
        for link in text.split("](").skip(1) {
            let link = link.split(')').next().unwrap();
            if link.contains("://") {
                continue;
            }
            let (file, part) = link.split_once('#').unwrap_or((link, ""));
            let path = root.join(name.parent().unwrap()).join(file);
            assert!(path.exists(), "{}: {link}", name.display());
            if !part.is_empty() {
                let target = fs::read_to_string(path).unwrap();
                let mut headings = target.lines().filter(|line| line.starts_with('#'));
                let anchor = |line: &str| {
                    line.trim_start_matches('#')
                        .trim()
                        .to_lowercase()
                        .replace(' ', "-")
                };
                assert!(headings.any(|line| anchor(line) == part), "{link}");
            }
            links += 1;
        }
    }
    assert!(links > 20, "{links}");
}

/// People read it as text.
#[test]
fn the_readme_holds_no_signs_for_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("README.md")).unwrap();
    for sign in ["[..]", "[EXE]", "? failed", "? 1", "```console,"] {
        assert!(!text.contains(sign), "{sign}");
    }
}

#[test]
fn lines_agree_but_for_what_is_left_out_and_what_is_measured() {
    let found = ["a", "b", "time  0.01 s", "c"];
    assert!(agree(&["a", "b", "time  9.99 s", "c"], &found));
    assert!(agree(&["...", "c"], &found) && agree(&["a", "..."], &found));
    assert!(!agree(&["a", "b", "c"], &found));
    assert!(!agree(&["a", "...", "d"], &found));
    assert!(!agree(&["a", "b", "plies/s  1", "c"], &found));
}

fn copy_all(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_all(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
