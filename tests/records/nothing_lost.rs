//! Whatever a record holds is in every output: 2,000 records with random decorations go through PGN, NDJSON, CSV and the
//! index.
//!
//! A record is made of pieces. Each piece has its text and what must remain of it: the text without its decoration, such
//! as braces, in the form in which it is written (`±` as `$16`). The same record without the pieces goes through the same
//! commands. What the first output has more than the second must contain all characters that must remain, each as often
//! as the record has it.

use crate::search::index::support::tridex;
use crate::support::none_of;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tridex_archive::split::Splitter;
use tridex_archive::{Container, Game, Limits};
use tridex_replay::generate::Recipe;
use tridex_rules::RuleSystem;
use tridex_rules::random::Dice;

/// The number of records.
const RECORDS: u64 = 2_000;

/// A decoration after a move: its text, and what must remain of it. `@` stands for the move before it, `%` for the number
/// of that move with its dots, and `_` for a few random words.
const AFTER_MOVE: [(&str, &str); 31] = [
    (" {_}", "_"),
    (" {_\n_}", "__"),
    (" {_\n\n_}", "__"),
    (" {_ (_) [_]}", "_(_)[_]"),
    (" {[%clk 0:05:00] _}", "[%clk 0:05:00]_"),
    (" ; _\n", "_"),
    ("!", "!"),
    ("?!", "?!"),
    ("±", "$16"),
    ("∓", "$17"),
    (" +-", "$18"),
    ("⩲", "$14"),
    (" □", "$7"),
    (" $3", "$3"),
    (" $256", "$256"),
    (" (=)", "(=)"),
    (" (85)", "85"),
    (" (0:05)", "0:05"),
    (" [0:07]", "0:07"),
    (" (_)", "_"),
    (" \"_\"", "_"),
    (" [_]", "_"),
    (" ~~a5N~~", "a5N"),
    (" }", ""),
    (" )", ""),
    (" `", ""),
    (" (%@ {_})", "@_"),
    (" (%@ $5)", "@$5"),
    (" (_; _)", "_;_"),
    (" (%Z0 {_})", "Z0_"),
    ("\nPause for tea\n", "Pausefortea"),
];

/// A line before the moves, in the same form.
const BEFORE: [(&str, &str); 12] = [
    ("[Annotator \"_\"]\n", "Annotator_"),
    ("[Note \"say \\\"_\\\"\"]\n", "Notesay\"_\""),
    ("[Note \"_\n", "Note_"),
    ("[Note \u{201c}_\u{201d}]\n", "Note_"),
    ("[Board 3]\n", "3"),
    ("[]\n", ""),
    ("[Variant2 \"_\"]\n", "Variant2_"),
    ("[Locale \"_\"]\n", "LocaleAsWritten_"),
    ("[ECO _]\n", "_"),
    ("[Date \"31.12.2020\"]\n", "31122020"),
    ("{_}\n", "_"),
    ("% _\n", "_"),
];

/// What ends a game.
const ENDS: [(&str, &str); 8] = [
    (" *\n", ""),
    (" 1-0 {_}\n", "1-0_"),
    (" (1-0)\n", "1-0"),
    (" l-0\n", "1-0"),
    ("\nBlack resigns\n", "Blackresigns"),
    (" remis\n", "remis"),
    (" 1-0 0-1\n", "1-00-1"),
    (" ½-½\n", "1/2-1/2"),
];

/// Words that mean nothing to a reader.
const WORDS: [&str; 12] = [
    "quiet",
    "Überraschung",
    "très",
    "слон",
    "naïve",
    "tea",
    "Ж",
    "plan",
    "why",
    "hmm",
    "Žižka",
    "novelty",
];

fn words(dice: &mut Dice) -> String {
    let count = 1 + dice.below(3);
    let words = (0..count).map(|_| WORDS[dice.below(12) as usize]);
    words.collect::<Vec<_>>().join(" ")
}

/// Fills in a decoration; `mv` is the move before it, and `number` its number.
fn filled((text, rest): (&str, &str), mv: &str, number: &str, dice: &mut Dice) -> (String, String) {
    let (mut out, mut remains) = (String::new(), rest.to_owned());
    for c in text.chars() {
        match c {
            '_' => {
                let words = words(dice);
                remains = remains.replacen('_', &words, 1);
                out += &words;
            }
            '@' => {
                remains = remains.replacen('@', mv, 1);
                out += mv;
            }
            '%' if !text.contains("[%") && !text.starts_with('%') => out += number,
            c => out.push(c),
        }
    }
    (out, remains)
}

/// A record, the same without its decorations, and what must remain of these.
fn record(index: u64) -> [String; 3] {
    let mut dice = Dice::nth(0x6e6f_7468, index);
    let recipe = Recipe {
        plies: 12,
        ..Recipe::new(RuleSystem::Meder, 5)
    };
    let game = recipe.game(index);
    let tags = format!("[Event \"Lost\"]\n[Id \"{index}\"]\n[Variant \"meder\"]\n");
    let (mut decorated, mut plain, mut remains) = (tags.clone(), tags, String::new());
    let mut add = |decorated: &mut String, (text, rest): (String, String)| {
        *decorated += &text;
        remains += &rest;
    };
    if dice.below(2) == 0 {
        let line = BEFORE[dice.below(12) as usize];
        add(&mut decorated, filled(line, "", "", &mut dice));
    }
    for text in [&mut decorated, &mut plain] {
        text.push('\n');
    }
    for (ply, (mv, _)) in game.main_line().enumerate() {
        let dots = if ply % 2 == 0 { ". " } else { "... " };
        let number = format!("{}{dots}", ply / 2 + 1);
        for text in [&mut decorated, &mut plain] {
            *text += &format!("\n{number}{mv}");
        }
        if dice.below(3) == 0 {
            let piece = AFTER_MOVE[dice.below(30) as usize];
            add(&mut decorated, filled(piece, &mv, &number, &mut dice));
        }
    }
    let end = ENDS[dice.below(8) as usize];
    add(&mut decorated, filled(end, "", "", &mut dice));
    [decorated + "\n", plain + " *\n\n", remains]
}

/// The visible characters of a text, and how often it has each.
fn visible(text: &str) -> BTreeMap<char, i64> {
    let mut counts = BTreeMap::new();
    for c in text.chars().filter(|c| !c.is_whitespace()) {
        *counts.entry(c).or_default() += 1;
    }
    counts
}

/// The characters that must remain and are missing: `with` is an output with decorations, and `without` one without.
fn missing(with: &str, without: &str, remains: &str) -> String {
    let [with, without, remains] = [with, without, remains].map(visible);
    let count = |counts: &BTreeMap<char, i64>, c| counts.get(&c).copied().unwrap_or_default();
    let lack = remains
        .iter()
        .map(|(c, expected)| (*c, expected - (count(&with, *c) - count(&without, *c))));
    lack.filter(|(_, lack)| *lack > 0).map(|(c, _)| c).collect()
}

/// All text of each game of an output, by its tag `Id`.
fn texts(container: Container, output: &str) -> BTreeMap<String, String> {
    let text = |game: &Game<'_>| {
        let mut text = String::new();
        // A question mark stands for what a record does not state.
        let tags = game.tags();
        let stated = tags.filter(|(_, value)| !value.chars().all(|c| "?.".contains(c)));
        for (name, value) in stated {
            text += &format!("{name}{value} ");
        }
        let result = game.result.map_or("", |result| result.as_str());
        text + &tridex_archive::write::movetext(game) + result
    };
    let mut all = BTreeMap::new();
    for batch in Splitter::new(output.as_bytes(), container, Limits::default()) {
        for game in batch.unwrap().all_games() {
            let id = game.tag("Id").map(|id| id.into_owned()).unwrap_or_default();
            let known: &mut String = all.entry(id).or_default();
            *known += &text(&game);
        }
    }
    all
}

/// The outputs of an archive.
fn outputs(folder: &Path, archive: &str) -> Vec<(&'static str, BTreeMap<String, String>)> {
    fs::write(folder.join("a.pgn"), archive).unwrap();
    let run = |arguments: &[&str]| {
        let output = tridex(folder, arguments);
        assert!(
            output.status.code() < Some(2),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    };
    let mut all = Vec::new();
    for (name, container) in [
        ("pgn", Container::Pgn),
        ("ndjson", Container::Ndjson),
        ("csv", Container::Csv),
    ] {
        let text = run(&["convert", "a.pgn", "--format", name, "--to", "meder", "-q"]);
        all.push((name, texts(container, &text)));
    }
    run(&["index", "a.pgn", "--index", "db", "-q"]);
    let found = run(&[
        "search", "--index", "db", "--format", "pgn", "--limit", "100000",
    ]);
    all.push(("index", texts(Container::Pgn, &found)));
    fs::remove_dir_all(folder.join("db")).unwrap();
    all
}

#[test]
fn nothing_visible_is_lost_in_any_output() {
    let folder = tempfile::tempdir().unwrap();
    let records: Vec<_> = (0..RECORDS).map(record).collect();
    let archive = |which: usize| {
        records
            .iter()
            .map(|record| record[which].as_str())
            .collect::<String>()
    };
    let [decorated, plain] = [0, 1].map(|which| outputs(folder.path(), &archive(which)));
    let mut faults = Vec::new();
    for ((name, with), (_, without)) in decorated.iter().zip(&plain) {
        for (index, [record, _, remains]) in records.iter().enumerate() {
            let id = index.to_string();
            let [with, without] =
                [with, without].map(|all| all.get(&id).map_or("", String::as_str));
            let lost = missing(with, without, remains);
            if !lost.is_empty() {
                faults.push(format!("{name} lost {lost:?}\n{record}\n=> {with}\n"));
            }
        }
    }
    let count = faults.len();
    faults.truncate(20);
    none_of(&faults);
    assert_eq!(count, 0);
}

/// A lost, doubled or exchanged character is noticed.
#[test]
fn a_lost_character_is_noticed() {
    assert_eq!(missing("1. b4N {tea}", "1. b4N", "tea"), "");
    assert_eq!(missing("1. b4N {te}", "1. b4N", "tea"), "a");
    assert_eq!(missing("1. b4N {tea}", "1. b4N", "teaa"), "a");
    assert_eq!(missing("1. a4N {te}", "1. a4N", "tea"), "a");
    // Each record must have something to lose.
    let lost = (0..RECORDS).filter(|index| {
        let [record, plain, remains] = record(*index);
        !remains.is_empty() && missing(&plain, &plain, &remains).is_empty()
            || record.len() < plain.len() - 3
    });
    assert_eq!(lost.count(), 0);
}
