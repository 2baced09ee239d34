//! Every answer equals that of a scan over all games that knows no index.

use super::entries;
use super::questions::{Scanned, question, scanned};
use super::texts::words;
use crate::testing::Dice;
use crate::*;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use tridex_geometry::stair::AttackBoard;
use tridex_notation::names;
use tridex_rules::{Move, RuleSystem};

/// Asks the index and the scan, and compares.
fn compare(index: &GameIndex, games: &[Scanned], questions: usize, seed: u64) {
    let mut dice = Dice::new(seed);
    let mut answered = 0;
    for _ in 0..questions {
        let depth = dice.roll(3);
        let (query, text, scan) = question(games, &mut dice, depth);
        let expected: BTreeMap<(String, u32), Option<u32>> = games
            .par_iter()
            .filter_map(|g| Some(((g.source.clone(), g.entry.number), scan(g)?)))
            .collect();
        let hits = index.search(&query, &SearchOptions::default()).unwrap();
        assert_eq!(hits.total, expected.len() as u64, "{text}");
        let mut found = BTreeMap::new();
        for hit in &hits.hits {
            let summary = index.summary(hit.id).unwrap();
            found.insert((summary.source, summary.number), hit.ply);
        }
        let games_of =
            |m: &BTreeMap<(String, u32), Option<u32>>| m.keys().cloned().collect::<BTreeSet<_>>();
        assert_eq!(games_of(&found), games_of(&expected), "{text}");
        compare_page(index, &query, &hits, &mut dice);
        // Which part of a query gives the ply is only defined simply where there is one part.
        if depth == 0 {
            let differ =
                |(game, ply): &(&(String, u32), &Option<u32>)| found.get(*game) != Some(*ply);
            let wrong: Vec<_> = expected.iter().filter(differ).take(5).collect();
            assert!(
                wrong.is_empty(),
                "{text}: expected {wrong:?} of {}",
                expected.len()
            );
        }
        answered += usize::from(!expected.is_empty());
    }
    assert!(
        answered * 4 > questions,
        "too many questions find nothing: {answered} of {questions}"
    );
}

/// A part of the hits is that part, whether all games are counted or not.
fn compare_page(index: &GameIndex, query: &Query, all: &Hits, dice: &mut Dice) {
    assert!(all.is_whole && all.hits.is_sorted_by_key(|hit| hit.id));
    let options = SearchOptions {
        offset: dice.roll(10),
        limit: [1, 10, usize::MAX][dice.roll(3)],
        count: dice.roll(2) == 0,
        sort: None,
    };
    let page = index.search(query, &options).unwrap();
    let expected = all.hits.iter().skip(options.offset).take(options.limit);
    assert!(page.hits.iter().eq(expected), "{options:?}");
    assert!(page.is_whole || !options.count);
    assert!(page.total == all.total || !page.is_whole);
}

fn compare_openings(index: &GameIndex, games: &[Scanned], questions: usize, seed: u64) {
    let mut dice = Dice::new(seed);
    for _ in 0..questions {
        let game = &games[dice.roll(games.len())];
        let position = &game.positions[dice.roll(4).min(game.positions.len() - 1)];
        let by_kirk = dice.roll(3) == 0;
        let filter = if by_kirk {
            Query::text(TextField::White, "kirk")
        } else {
            Query::All
        };
        let mut total = 0;
        let mut expected: BTreeMap<Move, [u64; 4]> = BTreeMap::new();
        for game in games {
            let kirk = game
                .entry
                .tag("White")
                .is_some_and(|w| words(w).contains(&"kirk".to_owned()));
            if game.entry.rules != position.rules() || (by_kirk && !kirk) {
                continue;
            }
            let places = (0..)
                .zip(&game.positions)
                .filter(|(_, p)| p.key() == position.key());
            let places: Vec<usize> = places.map(|(ply, _)| ply).collect();
            total += u64::from(!places.is_empty());
            let moves: BTreeSet<Move> = places
                .iter()
                .filter_map(|ply| game.entry.moves.get(*ply).copied())
                .collect();
            for m in moves {
                let row = expected.entry(m).or_default();
                row[0] += 1;
                match game.entry.result {
                    GameResult::White => row[1] += 1,
                    GameResult::Draw => row[2] += 1,
                    GameResult::Black => row[3] += 1,
                    _ => {}
                }
            }
        }
        let table = index.openings(position, &filter).unwrap();
        assert_eq!(table.total.games, total);
        let found: BTreeMap<Move, [u64; 4]> = table
            .moves
            .iter()
            .map(|row| {
                let mut after = position.clone();
                after.play(row.played).unwrap();
                assert_eq!(after, row.after);
                let results = row.results;
                (
                    row.played,
                    [results.games, results.white, results.draws, results.black],
                )
            })
            .collect();
        assert_eq!(found, expected);
        assert!(
            table
                .moves
                .is_sorted_by_key(|row| std::cmp::Reverse(row.results.games))
        );
    }
}

/// Layouts and first moves of boards, counted game by game.
fn compare_boards(index: &GameIndex, games: &[Scanned]) {
    let mut layouts: BTreeMap<_, u64> = BTreeMap::new();
    let mut first: BTreeMap<_, u64> = BTreeMap::new();
    for game in games {
        let all: BTreeSet<_> = game
            .positions
            .iter()
            .filter_map(|p| Some(p.layout()?.pins()))
            .collect();
        for pins in all {
            let boards = AttackBoard::ALL.into_iter().zip(pins);
            let boards = boards.map(|(board, pin)| {
                let (board, pin) = (names::manual_board(board), names::pin_in_strings(pin));
                format!("{board}@{pin}")
            });
            let layout = boards.collect::<Vec<_>>().join(" ");
            *layouts.entry(layout).or_default() += 1;
        }
        let mut moved = BTreeSet::new();
        for (position, m) in game.positions.iter().zip(&game.entry.moves) {
            if let (Move::Board { board, to, .. }, Some(layout)) = (*m, position.layout())
                && moved.insert(board)
            {
                let pins = [layout.pin(board), to].map(names::pin_in_strings);
                let moved = (names::manual_board(board), pins);
                *first.entry(moved).or_default() += 1;
            }
        }
    }
    let BoardTables {
        first: found_first,
        layouts: found,
    } = index.boards(&Query::All).unwrap();
    assert!(found.is_sorted_by_key(|row| std::cmp::Reverse(row.results.games)));
    let found: BTreeMap<_, u64> = found
        .iter()
        .map(|row| (row.layout.clone(), row.results.games))
        .collect();
    assert_eq!(found, layouts);
    let found: BTreeMap<_, u64> = found_first
        .into_iter()
        .map(|row| ((row.board, [row.from, row.to]), row.results.games))
        .collect();
    assert_eq!(found, first);
}

/// Games of all systems in three sources, written in several commits, some games changed and some deleted since.
fn law(games: u32, plies: usize, questions: usize, seed: u64) {
    let folder = tempfile::tempdir().unwrap();
    let options = IndexOptions {
        // Several segments, so that they are merged too.
        commit_positions: u64::from(games) * plies as u64 / 6,
        ..IndexOptions::default()
    };
    let mut all = Vec::new();
    for rules in RuleSystem::ALL {
        let name = |n: &str| format!("{}-{n}.pgn", rules.name());
        let mut one = entries(*rules, games / 2, plies, seed);
        let two = entries(*rules, games / 2, plies, seed + 1);
        let gone = entries(*rules, games / 8, plies, seed + 2);
        for (source, games) in [("one", &one), ("two", &two), ("gone", &gone)] {
            super::add(folder.path(), &options, &name(source), games);
        }
        // The first source loses its last games and has others in the place of some.
        let cut = one.len() - one.len() / 6;
        one.truncate(cut);
        let mut dice = Dice::new(seed + 3);
        for i in (0..one.len()).step_by(7) {
            one[i] = super::entry(*rules, i as u32 + 1, plies, &mut dice);
        }
        super::add(folder.path(), &options, &name("one"), &one);
        let mut writer = Writer::open(folder.path(), options.clone()).unwrap();
        assert_eq!(
            writer.remove_source(&name("gone")).unwrap(),
            gone.len() as u64
        );
        writer.finish().unwrap();
        all.extend(one.iter().map(|e| scanned(&name("one"), e)));
        all.extend(two.iter().map(|e| scanned(&name("two"), e)));
    }
    let index = GameIndex::open(folder.path()).unwrap();
    assert_eq!(index.games(), all.len() as u64);
    compare(&index, &all, questions, seed + 4);
    compare_openings(&index, &all, questions / 5 + 1, seed + 5);
    compare_boards(&index, &all);
    assert_eq!(verify(folder.path(), |_| {}).unwrap().faults, []);
}

#[test]
fn answers_equal_a_linear_scan() {
    law(60, 60, 400, 1);
}

/// 5,000 games of each system, 500 questions: a few minutes. Run with
/// `cargo test --release -p tridex-index -- --ignored full_size`.
#[test]
#[ignore = "takes minutes; the same law is tested at small size"]
fn answers_equal_a_linear_scan_at_full_size() {
    law(5_000, 80, 500, 2);
}
