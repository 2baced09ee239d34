//! The texts of the command, word for word: its help pages (`tests/data/help.txt`) and its answers to wrong and right calls
//! (`tests/data/answers.txt`).
//!
//! `TRIDEX_TEXTS=write cargo test --test tests texts` writes both again, so that a change of a text is a change of data.

use crate::command::options::done;
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

/// The commands that have a help page, and their jobs; nothing for the program itself.
pub(crate) fn commands() -> Vec<String> {
    let mut all = Vec::new();
    for command in listed(&["--help"]) {
        let jobs = listed(&[&command, "--help"]).into_iter();
        let jobs: Vec<String> = jobs.map(|job| format!("{command} {job}")).collect();
        all.push(command);
        all.extend(jobs);
    }
    all
}

/// The names in the list of commands of a help page.
fn listed(call: &[&str]) -> Vec<String> {
    let help = fed(Path::new("."), call, b"");
    let help = String::from_utf8(help.stdout).unwrap();
    let list = help.split("Commands:\n").nth(1).unwrap_or_default();
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
        let words: Vec<&str> = command.split(' ').collect();
        let short = fed(Path::new("."), &[&["help"], &words[..]].concat(), b"");
        let long = fed(Path::new("."), &[&words[..], &["--help"]].concat(), b"");
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

/// Words that a reader would not search for, and the better ones.
const BANNED: [(&str, &str); 22] = [
    ("told", "reported"),
    ("whatever", "regardless of"),
    ("whoever", "anyone who"),
    ("passed over", "skipped"),
    ("left out", "omitted"),
    ("left alone", "not changed"),
    ("what came of", "results"),
    ("what comes of", "results"),
    ("what comes out", "output"),
    ("what becomes of", "what to do with"),
    ("men", "pieces"),
    ("man's", "the piece's"),
    ("unfold", "decompress"),
    ("unfolds", "decompresses"),
    ("anew", "again"),
    ("mended", "corrected"),
    ("fell short", "has problems"),
    ("behind", "after"),
    ("nobody", "no one"),
    ("somebody", "a player"),
    ("look through", "verify"),
    ("of ours", "our own"),
];

/// Whether a text has these words, as words.
fn has(text: &str, words: &str) -> bool {
    let is_letter = |c: char| c.is_alphanumeric();
    text.match_indices(words).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + words.len()..]);
        !before.ends_with(is_letter) && !after.starts_with(is_letter)
    })
}

#[test]
fn the_texts_use_the_words_of_the_field() {
    let mut faults = Vec::new();
    for name in ["help.txt", "answers.txt"] {
        // A call may say what it likes. Lines are joined, for words may be parted at their ends.
        let text = fs::read_to_string(path(name)).unwrap();
        for entry in text.split("\n$ ") {
            let (call, answer) = entry.split_once('\n').unwrap_or((entry, ""));
            let lines = answer.lines().filter_map(|line| line.strip_prefix('|'));
            let answer = lines.collect::<String>().to_lowercase();
            let words: Vec<&str> = answer.split_whitespace().collect();
            let answer = words.join(" ");
            for (banned, better) in BANNED {
                if has(&answer, banned) {
                    faults.push(format!("{call}: {banned}; better: {better}"));
                }
            }
        }
    }
    assert!(has("it is told.", "told") && !has("it is untold", "told"));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
