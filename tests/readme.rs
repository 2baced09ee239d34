//! The README, followed from top to bottom: every command in it is run, and what it prints compared.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Commands that are not run here, by how they begin: they build or install the project, measure for minutes, or need
/// what not every machine has.
const NOT_RUN: [&str; 10] = [
    "cargo test ",
    "cargo install ",
    "cargo bench ",
    "cargo build ",
    "cargo run --release -p tridex-replay --example ",
    "valgrind ",
    "python3 crates/replay/benches/compare.py",
    "spark-class ",
    "PYTHONPATH=crates/spark python ",
    // It answers until it is told to end.
    "tridex serve ",
];

/// The same for what a build of the measuring programs leaves behind.
const MEASURES: &str = "crates/replay/benches/peers/target/release/peers ";

/// A block between fences: what stands behind the first fence, the line it begins on, its text.
struct Block {
    kind: String,
    line: usize,
    lines: Vec<String>,
}

fn blocks(text: &str) -> Vec<Block> {
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
fn printed(folder: &Path, command: &str) -> (bool, String) {
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

/// A line without what is another at every run.
fn lasting(line: &str) -> &str {
    let measured = ["time ", "plies/s "];
    let name = measured.into_iter().find(|name| line.starts_with(name));
    name.unwrap_or(line).trim_end()
}

/// Whether lines are those expected, where `...` stands for any number of lines.
fn agree(expected: &[&str], found: &[&str]) -> bool {
    match expected.split_first() {
        None => found.is_empty(),
        Some((&"...", rest)) => (0..=found.len()).any(|from| agree(rest, &found[from..])),
        Some((line, rest)) => found
            .split_first()
            .is_some_and(|(first, others)| lasting(line) == lasting(first) && agree(rest, others)),
    }
}

/// A folder with what the README takes for granted.
fn workplace(root: &Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy_all(&root.join("corpus"), &folder.path().join("corpus"));
    let game = "corpus/games/meder/sample-game/clean.pgn";
    fs::copy(root.join(game), folder.path().join("game.pgn")).unwrap();
    folder
}

/// The commands run in a folder of their own with a copy of the corpus, for some of them leave something behind.
#[cfg(unix)]
#[test]
fn the_readmes_commands_print_what_it_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = workplace(root);
    let text = fs::read_to_string(root.join("README.md")).unwrap();
    let (mut shown, mut run, mut others) = (0, 0, 0);
    for block in blocks(&text) {
        let at = block.line;
        match block.kind.as_str() {
            "console" => {
                let mut lines = block.lines.iter().map(String::as_str).peekable();
                while let Some(line) = lines.next() {
                    let command = line.strip_prefix("$ ");
                    let command =
                        command.unwrap_or_else(|| panic!("line {at}: no command: {line}"));
                    let mut expected = Vec::new();
                    while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
                        expected.push(line);
                    }
                    let (_, found) = printed(folder.path(), command);
                    let found_lines: Vec<&str> = found.lines().collect();
                    assert!(
                        agree(&expected, &found_lines),
                        "README.md, line {at}: {command}\nexpected:\n{}\nfound:\n{found}",
                        expected.join("\n")
                    );
                    shown += 1;
                }
            }
            "sh" => {
                for line in &block.lines {
                    if NOT_RUN.iter().any(|begin| line.starts_with(begin))
                        || line.starts_with(MEASURES)
                    {
                        others += 1;
                        continue;
                    }
                    let command = line.replace("cargo run --release -- ", "tridex ");
                    assert!(
                        command.starts_with("tridex "),
                        "README.md, line {at}: {line}"
                    );
                    let (is_good, found) = printed(folder.path(), &command);
                    assert!(is_good, "README.md, line {at}: {line}\n{found}");
                    run += 1;
                }
            }
            // Compiled and run by the crate that users add.
            "rust" => {
                let library = fs::read_to_string(root.join("crates/core/src/lib.rs")).unwrap();
                assert!(library.contains("include_str!(\"../../../README.md\")"));
            }
            other => panic!("README.md, line {at}: nobody runs a block of {other:?}"),
        }
    }
    assert!(
        shown >= 10 && run >= 3 && others >= 5,
        "{shown} {run} {others}"
    );
    assert!(folder.path().join("board.svg").exists());
}

/// People read it as it stands.
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
