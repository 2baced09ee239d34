//! Laws of the whole: answers equal a linear scan, and what was committed stays.

mod asked;
mod brute;
mod files;
mod life;
mod queries;
mod questions;
mod scan;
mod stop;
mod texts;

use crate::testing::{Dice, random_game};
use crate::{
    Annotation, GameEntry, GameIndex, GameResult, IndexOptions, Query, SearchOptions, Writer,
};
use std::path::Path;
use tridex_archive::Item;
use tridex_rules::RuleSystem;

const NAMES: [&str; 12] = [
    "Kirk, James",
    "Spock",
    "Kirk, George",
    "Müller, Jörg",
    "Muller, Anna",
    "D'Agostino, Ada",
    "Dvořák, Jan",
    "Uhura Nyota",
    "SULU",
    "?",
    "Spook",
    "Чехов, Павел",
];
const EVENTS: [&str; 5] = [
    "Vulcan Open",
    "Open of Vulcan",
    "Starbase 12",
    "?",
    "World Cup, Final",
];
const DATES: [&str; 8] = [
    "2001.04.26",
    "2001.04.??",
    "2001.??.??",
    "????.??.??",
    "1999.12.31",
    "2006-02-28",
    "2010.01.01",
    "soon",
];
const COMMENTS: [&str; 4] = [
    "the sealed move",
    "a sealed envelope, no move",
    "Très bon!",
    "MOVE sealed",
];

/// Tags without a field of their own.
const TAGS: [(&str, &[&str]); 8] = [
    (
        "Annotator",
        &["Müller, Jörg", "Meder, A.", "?", "D'Agostino"],
    ),
    ("annotator", &["Spock"]),
    (
        "Termination",
        &["time forfeit", "normal", "Forfeit: time", ""],
    ),
    ("TimeControl", &["300+2", "300", "40/300:2", "2"]),
    ("ECO", &["C20", "C21", "B00", "-"]),
    ("WhiteTeam", &["Enterprise A", "Vulcan"]),
    ("BlackTeam", &["Enterprise", "?"]),
    ("my.own\\tag", &["x y", "y x"]),
];

/// Marks, clocks, evaluations and an ending by chance.
fn notes(plies: u32, dice: &mut Dice) -> Vec<Annotation> {
    const COMMENTS: [&str; 10] = [
        "[%clk 0:05:00]",
        "[%clk 0:00:59.5] [%eval 0.31]",
        "[%eval -1.5] bad",
        "[%eval #3][%clk 1:00:00]",
        "[%eval 0.31,12]",
        "[%clk soon]",
        "[%eval 2.04] [%clk 0:00:07]",
        "[%eval -0.29]",
        "quiet",
        "Black resigns",
    ];
    const ENDS: [&str; 5] = [
        "White resigns",
        "draw agreed",
        "Black loses on time",
        "the end of time",
        "resigned",
    ];
    let comment = |text: &str| Annotation::Item(Item::Comment(text.to_owned()));
    let mut notes = Vec::new();
    let noted = plies.min(dice.roll(12) as u32);
    for _ in 0..noted {
        notes.push(Annotation::Moves(1));
        match dice.roll(8) {
            0 => notes.push(Annotation::Signs(
                ["!", "??", "!!!"][dice.roll(3)].to_owned(),
            )),
            1 => notes.push(Annotation::Item(Item::Nag([3, 4, 36][dice.roll(3)]))),
            2..5 => notes.push(comment(COMMENTS[dice.roll(10)])),
            _ => {}
        }
    }
    if dice.roll(2) == 0 {
        notes.extend((plies > noted).then(|| Annotation::Moves(plies - noted)));
        notes.push(comment(ENDS[dice.roll(5)]));
    }
    notes
}

/// A game by chance, with everything that can be searched.
fn entry(rules: RuleSystem, number: u32, plies: usize, dice: &mut Dice) -> GameEntry {
    let mut entry = plain_entry(rules, number, plies, dice);
    // Dice of their own, so that these tags and notes change no other part of the game.
    let mut own = Dice::new(u64::from(number) << 8 | rules as u64);
    for (name, values) in TAGS {
        if own.roll(2) == 0 {
            let value = values[own.roll(values.len())].to_owned();
            entry.tags.push((name.to_owned(), value));
        }
    }
    if entry.notes.is_empty() && own.roll(2) == 0 {
        entry.notes = notes(entry.moves.len() as u32, &mut own);
    }
    entry
}

/// A game by chance as the samples of old versions have it.
fn plain_entry(rules: RuleSystem, number: u32, plies: usize, dice: &mut Dice) -> GameEntry {
    let length = if dice.roll(4) == 0 {
        dice.roll(6)
    } else {
        plies / 2 + dice.roll(plies)
    };
    let mut entry = GameEntry::new(number, rules, random_game(rules, length, dice));
    entry.result = GameResult::ALL[dice.roll(7)];
    let mut tag = |name: &str, values: &[&str]| {
        if dice.roll(8) != 0 {
            let value = values[dice.roll(values.len())].to_owned();
            entry.tags.push((name.to_owned(), value));
        }
    };
    tag("White", &NAMES);
    tag("black", &NAMES);
    tag("Event", &EVENTS);
    tag("Site", &["Earth", "Qo'noS", "Starbase 12"]);
    tag("Date", &DATES);
    tag("Round", &["1", "2.1", "-"]);
    tag("WhiteElo", &["1850", "2100", "none"]);
    tag("BlackElo", &["2000", "2300"]);
    if dice.roll(3) == 0 {
        let text = COMMENTS[dice.roll(4)].to_owned();
        let ply = dice.roll(length + 1).min(entry.moves.len()) as u32;
        entry
            .notes
            .extend((ply > 0).then_some(Annotation::Moves(ply)));
        entry.notes.push(Annotation::Item(Item::Comment(text)));
    }
    entry.ending = entry.replayed_ending();
    entry
}

pub(crate) fn entries(rules: RuleSystem, count: u32, plies: usize, seed: u64) -> Vec<GameEntry> {
    let mut dice = Dice::new(seed);
    (1..=count)
        .map(|number| entry(rules, number, plies, &mut dice))
        .collect()
}

/// Adds a source and finishes.
fn add(root: &Path, options: &IndexOptions, source: &str, games: &[GameEntry]) -> crate::Summary {
    let mut writer = Writer::open(root, options.clone()).unwrap();
    writer.begin_source(source).unwrap();
    for change in writer.add_all(games).unwrap() {
        change.unwrap();
    }
    writer.end_source(None);
    writer.finish().unwrap()
}

/// Options under which a few games make several segments.
fn small() -> IndexOptions {
    IndexOptions {
        commit_positions: 1_000,
        ..IndexOptions::default()
    }
}

/// How many games match a query.
fn total(root: &Path, query: &str) -> u64 {
    let index = GameIndex::open(root).unwrap();
    index
        .search(&Query::parse(query).unwrap(), &SearchOptions::default())
        .unwrap()
        .total
}
