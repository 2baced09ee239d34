//! The texts of the command, word for word: its help pages (`tests/data/help.txt`) and its answers to wrong and right calls
//! (`tests/data/answers.txt`).
//!
//! `TRIDEX_TEXTS=write cargo test --test tests texts` writes both again, so that a change of a text is a change of data.

use crate::options::done;
use crate::program::fed;
use rayon::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

/// A call, or a line above one, and what is below it.
struct Entry {
    head: String,
    body: String,
}

impl Entry {
    fn text(&self) -> String {
        format!("{}\n{}", self.head, self.body)
    }
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/{name}"))
}

/// The lines of a text behind a mark, so that none looks like a call or a comment.
fn marked(text: &str) -> String {
    let lines = text.lines().map(|line| format!("| {line}"));
    let lines = lines.map(|line| format!("{}\n", line.trim_end()));
    lines.collect()
}

/// Compares entries with those of a file, or writes them to it.
fn agree(name: &str, entries: &[Entry]) {
    let text: String = entries.iter().map(Entry::text).collect();
    if std::env::var_os("TRIDEX_TEXTS").is_some_and(|value| value == "write") {
        fs::write(path(name), &text).unwrap();
        return;
    }
    let expected = fs::read_to_string(path(name)).unwrap();
    if text == expected {
        return;
    }
    let different = entries
        .iter()
        .map(Entry::text)
        .filter(|entry| !expected.contains(entry.as_str()));
    let different: Vec<String> = different.collect();
    panic!(
        "tests/data/{name} has another text (`TRIDEX_TEXTS=write` writes it again):\n{}",
        different.concat()
    );
}

/// The commands that have a help page; nothing for the program itself.
fn commands() -> Vec<String> {
    let help = fed(Path::new("."), &["--help"], b"");
    let help = String::from_utf8(help.stdout).unwrap();
    let list = help.split("Commands:\n").nth(1).unwrap();
    let list = list.split("\n\n").next().unwrap();
    let names = list
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .map(|line| line.split_whitespace().next().unwrap().to_owned());
    names.filter(|name| name != "help").collect()
}

#[test]
fn help_pages() {
    let mut calls = vec!["--help".to_owned(), "-h".to_owned(), "help".to_owned()];
    for command in commands() {
        calls.push(format!("{command} -h"));
        calls.push(format!("{command} --help"));
    }
    assert!(calls.len() > 30);
    let entries: Vec<Entry> = calls
        .into_par_iter()
        .map(|call| {
            let words: Vec<&str> = call.split(' ').collect();
            let printed = fed(Path::new("."), &words, b"");
            assert_eq!(printed.status.code(), Some(0), "{call}");
            Entry {
                body: marked(&String::from_utf8(printed.stdout).unwrap()),
                head: format!("$ {call}"),
            }
        })
        .collect();
    // `tridex help COMMAND` is the long form.
    for command in commands() {
        let short = fed(Path::new("."), &["help", &command], b"");
        let long = fed(Path::new("."), &[&command, "--help"], b"");
        assert_eq!(short.stdout, long.stdout, "help {command}");
    }
    agree("help.txt", &entries);
}

#[test]
fn answers() {
    let text = fs::read_to_string(path("answers.txt")).unwrap();
    let heads: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with(['|', '=']))
        .collect();
    let entries: Vec<Entry> = heads
        .into_par_iter()
        .map(|head| Entry {
            head: head.to_owned(),
            body: head.strip_prefix('$').map(answer).unwrap_or_default(),
        })
        .collect();
    assert!(
        entries
            .iter()
            .filter(|entry| !entry.body.is_empty())
            .count()
            > 150
    );
    agree("answers.txt", &entries);
}

/// What a call prints, and its exit code.
fn answer(call: &str) -> String {
    let done = done(call, None);
    let mut body = marked(&done.out);
    body.push_str(&marked(&done.told));
    match done.code {
        Some(0) => {}
        Some(code) => body.push_str(&format!("= {code}\n")),
        None => body.push_str("= killed\n"),
    }
    body
}
