//! Every answer equals that of a scan over all games that knows no index.

use super::entries;
use super::questions::{Match, Place, Question, Scanned, board_question, question, scanned};
use super::texts::words;
use crate::testing::Dice;
use crate::*;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;
use tridex_archive::Item;
use tridex_geometry::stair::AttackBoard;
use tridex_notation::names;
use tridex_rules::{Move, Position, RuleSystem};

/// Asks the index and the scan, and compares.
fn compare(index: &GameIndex, games: &[Scanned], questions: usize, seed: u64) {
    let mut dice = Dice::new(seed);
    let (mut answered, mut faults) = (0, Vec::new());
    let preparer = Preparer::without_index(None);
    let prepared = games
        .iter()
        .map(|game| preparer.prepare(&game.entry).unwrap());
    let prepared: Vec<Prepared> = prepared.collect();
    for _ in 0..questions {
        let depth = dice.roll(3);
        let asked = question(games, &mut dice, depth);
        let expected = asked_of_all(games, &asked);
        // The filter, which needs no index, gives the same games.
        let filter = Filter::new(&asked.0).unwrap();
        for (game, prepared) in games.iter().zip(&prepared) {
            let is_expected = expected.contains_key(&(game.source.clone(), game.entry.number));
            if filter.matches(prepared, &game.source) != is_expected {
                faults.push(format!(
                    "{}: the filter on game {}",
                    asked.1, game.entry.number
                ));
            }
        }
        // Which part of a query gives the ply is only defined simply where there is one part.
        faults.extend(difference(index, &asked, &expected, depth == 0, &mut dice));
        answered += usize::from(!expected.is_empty());
    }
    assert_none(&faults, questions);
    assert!(
        answered * 4 > questions,
        "too many questions find nothing: {answered} of {questions}"
    );
}

/// Games by source and number, each with where it matches.
type Answers = BTreeMap<(String, u32), Match>;

/// The right answer.
fn asked_of_all(games: &[Scanned], (_, _, scan): &Question) -> Answers {
    let found = games.par_iter().filter_map(|game| {
        let key = (game.source.clone(), game.entry.number);
        Some((key, scan(game)?))
    });
    found.collect()
}

/// How the answer of the index is not the right one; with `has_places` the plies are compared too.
fn difference(
    index: &GameIndex,
    (query, text, _): &Question,
    expected: &Answers,
    has_places: bool,
    dice: &mut Dice,
) -> Option<String> {
    let hits = index.search(query, &SearchOptions::default()).unwrap();
    assert_eq!(hits.total, hits.hits.len() as u64, "{text}");
    compare_page(index, query, &hits, dice);
    let found = hits.hits.iter().map(|hit| {
        let game = index.summary(hit.id).unwrap();
        let first = hit.ply.map(|ply| (hit.variation, ply));
        let places: Vec<Place> = match has_places && !hit.steps.is_empty() {
            true => hit.steps.clone(),
            false => first.into_iter().collect(),
        };
        assert!(!has_places || places.first().copied() == first, "{text}");
        let line = hit.line;
        ((game.source, game.number), Match { places, line })
    });
    let found: Answers = found.collect();
    let mut all = expected.keys().chain(found.keys());
    let game = all.find(|game| match (expected.get(*game), found.get(*game)) {
        (Some(expected), Some(found)) => has_places && expected != found,
        _ => true,
    })?;
    let (expected, found) = (expected.get(game), found.get(game));
    Some(format!(
        "{text}: {game:?} has {expected:?}, found is {found:?}"
    ))
}

fn assert_none(faults: &[String], questions: usize) {
    let some = faults.iter().take(10).cloned().collect::<Vec<_>>();
    let count = faults.len();
    assert!(
        count == 0,
        "{count} of {questions} answers are wrong:\n{}",
        some.join("\n")
    );
}

/// A part of the hits is that part, whether all games are counted, some or none.
fn compare_page(index: &GameIndex, query: &Query, all: &Hits, dice: &mut Dice) {
    assert!(all.is_whole && all.hits.is_sorted_by_key(|hit| hit.id));
    let now = Some(Instant::now());
    let options = SearchOptions {
        offset: dice.roll(10),
        limit: [1, 10, usize::MAX][dice.roll(3)],
        count: dice.roll(2) == 0,
        count_until: now.filter(|_| dice.roll(2) == 0),
        ..SearchOptions::default()
    };
    let page = index.search(query, &options).unwrap();
    let expected = all.hits.iter().skip(options.offset).take(options.limit);
    assert!(page.hits.iter().eq(expected), "{options:?}");
    assert!(page.is_whole || !options.count || options.count_until.is_some());
    assert!(page.total == all.total || page.total < all.total && !page.is_whole);
    // No time is left, which matters only for hits in the order of the index.
    let mut over = options;
    over.until = now;
    let page = index.search(query, &over).unwrap();
    assert!(page.hits.is_empty() && page.total == 0 && !page.is_whole);
    over.sort = Some((SortKey::Plies, false));
    let page = index.search(query, &over).unwrap();
    assert!(page.is_whole && page.total == all.total);
}

fn compare_openings(index: &GameIndex, games: &[Scanned], questions: usize, seed: u64) {
    let mut dice = Dice::new(seed);
    for _ in 0..questions {
        let game = &games[dice.roll(games.len())];
        let positions = game.positions();
        let position = &positions[dice.roll(4).min(positions.len() - 1)];
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
                .zip(game.positions())
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
            .positions()
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
        for (position, m) in game.positions().iter().zip(&game.entry.moves) {
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

/// A game of which some moves have variations, and some of these variations of their own.
pub(super) fn varied(entry: &GameEntry, dice: &mut Dice) -> GameEntry {
    fn tell(
        builder: &mut GameEntryBuilder,
        mut at: Position,
        moves: &[Move],
        depth: u32,
        dice: &mut Dice,
    ) {
        for m in moves {
            builder.play("", Some(*m));
            if depth < 2 && dice.roll(12) == 0 {
                let (mut there, mut other) = (at.clone(), Vec::new());
                for _ in 0..1 + dice.roll(14) {
                    let legal = there.legal_moves();
                    if legal.is_empty() {
                        break;
                    }
                    let m = legal[dice.roll(legal.len())];
                    there.play_unchecked(m);
                    other.push(m);
                }
                builder.note(Item::VariationStart);
                tell(builder, at.clone(), &other, depth + 1, dice);
                builder.note(Item::VariationEnd);
            }
            at.play_unchecked(*m);
        }
    }
    let mut builder = GameEntryBuilder::default();
    tell(
        &mut builder,
        Position::start(entry.rules),
        &entry.moves,
        0,
        dice,
    );
    GameEntry {
        tags: entry.tags.clone(),
        result: entry.result,
        ..builder.finish(entry.number, entry.rules)
    }
}

/// Questions about the board, to games with variations.
fn check_board_questions(games: u32, plies: usize, questions: usize, seed: u64) {
    let folder = tempfile::tempdir().unwrap();
    let options = IndexOptions {
        commit_positions: u64::from(games) * plies as u64 * 2,
        variations: true,
        ..IndexOptions::default()
    };
    let mut dice = Dice::new(seed);
    let mut all = Vec::new();
    for rules in RuleSystem::ALL {
        let mut games = entries(*rules, games, plies, seed);
        games
            .iter_mut()
            .for_each(|game| *game = varied(game, &mut dice));
        super::add(folder.path(), &options, rules.name(), &games);
        all.extend(games.iter().map(|game| scanned(rules.name(), game)));
    }
    let index = GameIndex::open(folder.path()).unwrap();
    assert_eq!(verify(folder.path(), |_| {}).unwrap().faults, []);
    let (mut answered, mut in_variations, mut faults) = (0, 0, Vec::new());
    for _ in 0..questions {
        let asked = board_question(&all, &mut dice);
        let expected = asked_of_all(&all, &asked);
        faults.extend(difference(&index, &asked, &expected, true, &mut dice));
        answered += usize::from(!expected.is_empty());
        let mut found = expected.values();
        in_variations += usize::from(found.any(|found| found.line.is_some()));
    }
    println!("{answered} of {questions} questions have an answer, {in_variations} in a variation");
    assert_none(&faults, questions);
    assert!(answered * 2 > questions, "{answered} of {questions}");
    assert!(
        in_variations * 10 > questions,
        "{in_variations} of {questions}"
    );
}

#[test]
fn questions_about_the_board_equal_a_brute_force() {
    check_board_questions(16, 40, 300, 71);
}

/// 2,000 questions. Run with `cargo test --release -p tridex-index -- --ignored brute_force`.
#[test]
#[ignore = "takes minutes in a debug build; the same is tested with fewer questions"]
fn two_thousand_questions_about_the_board_equal_a_brute_force() {
    check_board_questions(30, 60, 2_000, 72);
}
