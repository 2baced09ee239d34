//! Searches that are stopped end, with a word for it, and leave the index as it is.

use super::{add, entries, small};
use crate::testing::Dice;
use crate::*;
use std::time::{Duration, Instant};
use tridex_archive::Item;
use tridex_rules::{Position, RuleSystem};

/// Queries whose games are found in every way there is.
const QUESTIONS: [&str; 11] = [
    "",
    "player:kirk",
    "player:k* text:sealed~2",
    "date:2001",
    "source:a",
    "moves:\"\"",
    "player:kirk moves:\"\"",
    "pattern:check",
    "pattern:\"Q=0\" or player:kirk",
    "not pattern:mate",
    "player:kirk pattern:\"not check\"",
];

#[test]
fn every_search_ends_once_it_is_stopped_and_damages_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let rules = RuleSystem::Meder;
    add(
        folder.path(),
        &small(),
        "a.pgn",
        &entries(rules, 100, 40, 21),
    );
    let index = GameIndex::open(folder.path()).unwrap();
    let start = Position::start(rules);
    let stop = Cancel::default();
    let stopped = index.stopped_by(&stop);
    let answers = |index: &GameIndex| {
        let mut answers = Vec::new();
        for text in QUESTIONS {
            let query = Query::parse(text).unwrap();
            let all = SearchOptions::default();
            let some = SearchOptions {
                limit: 3,
                count: false,
                ..all
            };
            let mut ask = |what: &str, answer: Result<u64>| {
                answers.push((format!("{what} of {text:?}"), answer));
            };
            ask(
                "search",
                index.search(&query, &all).map(|found| found.total),
            );
            ask(
                "search for some",
                index.search(&query, &some).map(|found| found.total),
            );
            let by_white = SearchOptions {
                sort: Some((SortKey::White, true)),
                ..all
            };
            let sorted = index.search(&query, &by_white);
            ask("sorted search", sorted.map(|found| found.total));
            let table = index.openings(&start, &query);
            ask("openings", table.map(|table| table.total.games));
            let tables = index.boards(&query);
            ask("boards", tables.map(|tables| tables.layouts.len() as u64));
            let counts = index.statistics(&query);
            ask(
                "statistics",
                counts.map(|counts| counts.iter().map(|c| c.total.games).sum()),
            );
        }
        let by_date = SearchOptions {
            sort: Some((SortKey::Date, false)),
            ..SearchOptions::default()
        };
        let ordered = index.search(&Query::All, &by_date);
        answers.push(("order".to_owned(), ordered.map(|found| found.total)));
        answers
    };
    let before = answers(&stopped);
    for (what, answer) in &before {
        assert!(matches!(answer, Ok(1..)), "{what}: {answer:?}");
    }
    stop.cancel();
    for (what, answer) in answers(&stopped) {
        assert!(
            matches!(answer, Err(IndexError::Stopped)),
            "{what}: {answer:?}"
        );
    }
    assert_eq!(index.damage(), []);
    let after = answers(&index);
    for ((what, before), (_, after)) in before.iter().zip(&after) {
        assert_eq!(before.as_ref().unwrap(), after.as_ref().unwrap(), "{what}");
    }
}

#[test]
fn what_is_damaged_in_one_view_of_an_index_is_known_in_all() {
    let folder = tempfile::tempdir().unwrap();
    let mut games = entries(RuleSystem::Meder, 50, 20, 22);
    // More than one block of records: the last, with the list of the others, is read when the index is opened.
    let mut dice = Dice::new(22);
    for game in &mut games {
        let text: String = (0..1_000).map(|_| dice.next().to_string()).collect();
        game.notes.push(Annotation::Item(Item::Comment(text)));
    }
    add(folder.path(), &IndexOptions::default(), "a.pgn", &games);
    let store = std::fs::read_dir(folder.path()).unwrap();
    let mut store = store.map(|file| file.unwrap().path());
    let store = store.find(|path| path.extension().is_some_and(|kind| kind == "store"));
    let store = store.unwrap();
    let mut bytes = std::fs::read(&store).unwrap();
    bytes[10] ^= 1;
    std::fs::write(&store, bytes).unwrap();
    // Records are not read before somebody wants one.
    let index = GameIndex::open(folder.path()).unwrap();
    let view = index.stopped_by(&Cancel::default());
    let id = index.ids().next().unwrap();
    assert!(!index.is_damaged());
    assert!(matches!(view.summary(id), Err(IndexError::Damaged { .. })));
    assert!(index.is_damaged() && view.damage() == index.damage());
}

/// A query that takes long is ended in the midst of it.
#[test]
fn a_long_search_is_ended_under_way() {
    let folder = tempfile::tempdir().unwrap();
    let games = entries(RuleSystem::Meder, 400, 60, 23);
    add(folder.path(), &IndexOptions::default(), "a.pgn", &games);
    let long = vec!["pattern:\"not mate or ply 0\""; MAX_REPLAYS].join(" ");
    let query = Query::parse(&format!("not ({long} player:kirk)")).unwrap();
    let index = GameIndex::open(folder.path()).unwrap();
    let stop = Cancel::default();
    let stopped = index.stopped_by(&stop);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(200));
            stop.cancel();
        });
        let since = Instant::now();
        // However fast the machine is.
        while stopped.search(&query, &SearchOptions::default()).is_ok() {}
        assert!(
            since.elapsed() < Duration::from_secs(5),
            "{:?}",
            since.elapsed()
        );
    });
    assert!(!index.is_damaged());
}
