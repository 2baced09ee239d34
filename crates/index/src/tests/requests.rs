//! Random requests over everything that may be searched.

use super::questions::{Scanned, question, scanned};
use super::{add, entries, small};
use crate::testing::Dice;
use crate::*;
use rayon::prelude::*;
use tridex_archive::Item;
use tridex_rules::{Position, RuleSystem};

/// A game again, with a variation.
fn varied(entry: &GameEntry, dice: &mut Dice) -> GameEntry {
    let mut scribe = Scribe::default();
    let mut position = Position::start(entry.rules);
    let at = dice.roll(entry.moves.len());
    for (ply, m) in entry.moves.iter().enumerate() {
        scribe.play("", Some(*m));
        if ply == at {
            let mut other = position.clone();
            scribe.note(Item::VariationStart);
            for _ in 0..1 + dice.roll(6) {
                let legal = other.legal_moves();
                if legal.is_empty() {
                    break;
                }
                let m = legal[dice.roll(legal.len())];
                scribe.play("", Some(m));
                other.play_unchecked(m);
            }
            scribe.note(Item::VariationEnd);
        }
        position.play_unchecked(*m);
    }
    let mut varied = scribe.finish(entry.number, entry.rules);
    varied.tags.clone_from(&entry.tags);
    varied.result = entry.result;
    varied
}

/// Games of all systems in two indices, one of which finds positions of variations, in several segments, with deletions.
fn fixture(root: &std::path::Path) -> (GameIndex, Vec<Scanned>) {
    let mut games = Vec::new();
    for (place, variations) in [("one", false), ("two", true)] {
        let options = IndexOptions {
            variations,
            ..small()
        };
        for rules in RuleSystem::ALL {
            let source = format!("{}-{place}.pgn", rules.name());
            let mut dice = Dice::new(variations.into());
            let mut all = entries(*rules, 30, 30, u64::from(variations) + 31);
            for game in &mut all {
                if game.moves.len() > 1 && dice.roll(3) == 0 {
                    *game = varied(game, &mut dice);
                }
            }
            add(&root.join(place), &options, &source, &all);
            // The last games are deleted, and others take the place of some.
            let mut left = all[..25].to_vec();
            for at in (0..left.len()).step_by(6) {
                left[at] = super::entry(*rules, at as u32 + 1, 30, &mut dice);
            }
            add(&root.join(place), &options, &source, &left);
            games.extend(left.iter().map(|entry| scanned(&source, entry)));
        }
    }
    let index = GameIndex::open_all(&[&root.join("one"), &root.join("two")]).unwrap();
    let segments: usize = index.parts.iter().map(|part| part.segments.len()).sum();
    let deleted = |part: &crate::store::reader::Part| {
        let mut segments = part.segments.iter();
        segments.any(|segment| segment.reader.has_deletes())
    };
    assert!(segments > 6 && index.parts.iter().all(|part| deleted(part)));
    assert_eq!(index.games(), games.len() as u64);
    (index, games)
}

const SEQUENCES: [&str; 8] = [
    "N then takes",
    "castling",
    "board then within 10 plies board",
    "takes next takes",
    "P as x then x takes",
    "not takes before check",
    "white Q then black Q or promotes",
    "pattern(check) next K",
];

/// A random query, and what it is.
fn query(index: &GameIndex, games: &[Scanned], dice: &mut Dice, depth: usize) -> (Query, String) {
    let joined = |dice: &mut Dice| -> (Vec<Query>, String) {
        let count = 2 + dice.roll(3);
        let parts = (0..count).map(|_| query(index, games, dice, depth - 1));
        let (parts, texts): (Vec<_>, Vec<_>) = parts.unzip();
        (parts, texts.join(", "))
    };
    match dice.roll(if depth == 0 { 10 } else { 20 }) {
        0 => {
            let text = SEQUENCES[dice.roll(SEQUENCES.len())];
            let query = Query::sequence(text, dice.roll(4) == 0, dice.roll(4) == 0).unwrap();
            (query, format!("sequence {text}"))
        }
        1 => {
            let ids: Vec<GameId> = index.ids().collect();
            let id = index.summary(ids[dice.roll(ids.len())]).unwrap().id;
            (Query::Id(id), format!("id {id:x}"))
        }
        2 => {
            let (query, text, _) = question(games, dice, 0);
            match query.replays() {
                0 => (query, text),
                _ => {
                    let text = format!("in variations ({text})");
                    (Query::InVariations(Box::new(query)), text)
                }
            }
        }
        3 if dice.roll(4) == 0 => (Query::All, "all".to_owned()),
        3..=9 => {
            let (query, text, _) = question(games, dice, 0);
            (query, text)
        }
        10..=12 => {
            let (part, text) = query(index, games, dice, depth - 1);
            (Query::Not(Box::new(part)), format!("not ({text})"))
        }
        13..=15 => {
            let (parts, text) = joined(dice);
            (Query::Or(parts), format!("any ({text})"))
        }
        _ => {
            let (parts, text) = joined(dice);
            (Query::And(parts), format!("all ({text})"))
        }
    }
}

/// The text of a query without the squares of setups.
fn short(text: &str) -> String {
    let parts = text.split("Setup {");
    let parts = parts.map(|part| part.split("fullmoves: 1 }").last().unwrap());
    parts.collect::<Vec<_>>().join("SETUP")
}

#[test]
fn the_engine_before_answers_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let (index, games) = fixture(folder.path());
    let count = std::env::var("TRIDEX_REQUESTS").map_or(1_000, |text| text.parse().unwrap());
    let answered = (0..count).into_par_iter().map(|seed| {
        let mut dice = Dice::new(seed);
        let depth = dice.roll(4);
        let (query, text) = query(&index, &games, &mut dice, depth);
        let options = SearchOptions {
            offset: [0, 0, 3][dice.roll(3)],
            limit: [usize::MAX, 1, 5, 20][dice.roll(4)],
            count: dice.roll(2) == 0,
            variations: dice.roll(3) == 0,
        };
        if query.replays() > MAX_REPLAYS {
            return [0, 1];
        }
        let found = index.search(&query, &options).unwrap();
        let before = index.old_search(&query, &options).unwrap();
        assert_eq!(
            found.hits,
            before.hits,
            "{seed}: {options:?} {}",
            short(&text)
        );
        if found.is_whole && before.is_whole {
            assert_eq!(
                found.total,
                before.total,
                "{seed}: {options:?} {}",
                short(&text)
            );
        }
        if options.count {
            assert!(found.is_whole && before.is_whole);
        }
        [usize::from(!found.hits.is_empty()), 0]
    });
    let [found, refused] = answered.reduce(|| [0; 2], |a, b| [a[0] + b[0], a[1] + b[1]]);
    println!("{found} of {count} find games, {refused} are refused");
    assert!(found * 3 > count as usize && refused * 10 < count as usize);
}
