//! `openings`: tables equal those of a plain scan.

use super::support::*;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use tridex_archive::GameResult;
use tridex_geometry::stair::AttackBoard;
use tridex_notation::{Fen, position_string};
use tridex_rules::{Move, Position, RuleSystem};

/// What came of the games a move was played in: games, White's wins, draws, Black's wins.
type Came = [u64; 4];

/// The moves played from a position, by a plain scan: a game counts once for each move it plays there.
fn played_from(
    position: &Position,
    counts: impl Fn(&Known) -> bool,
) -> (BTreeMap<String, Came>, u64) {
    let mut moves: BTreeMap<String, Came> = BTreeMap::new();
    let mut reached = 0;
    for known in collection().games.iter().filter(|known| counts(known)) {
        if known.replay.rules() != position.rules() {
            continue;
        }
        let positions = known.positions();
        let here = |ply: &usize| positions[*ply].key() == position.key();
        let plies: Vec<usize> = (0..positions.len()).filter(here).collect();
        reached += u64::from(!plies.is_empty());
        let played: BTreeSet<String> = plies
            .iter()
            .filter_map(|ply| {
                let mut text = String::new();
                let notation = tridex_notation::Notation::of(known.replay.rules());
                let played = *known.replay.moves().get(*ply)?;
                tridex_notation::write(
                    notation,
                    &positions[*ply],
                    played,
                    &Default::default(),
                    &mut text,
                )
                .unwrap();
                Some(text)
            })
            .collect();
        for text in played {
            let came = moves.entry(text).or_default();
            came[0] += 1;
            match known.replay.result() {
                GameResult::White => came[1] += 1,
                GameResult::Draw => came[2] += 1,
                GameResult::Black => came[3] += 1,
                _ => {}
            }
        }
    }
    (moves, reached)
}

/// Holds a table against the scan.
#[track_caller]
fn same_table(position: &Position, arguments: &[&str], counts: impl Fn(&Known) -> bool) {
    let folder = &collection().folder;
    let rules = position.rules().name();
    let ask = [&["openings", "--index", "db", "--rules", rules], arguments].concat();
    let table = rows(&good(folder, &[&ask[..], &["--format", "ndjson"]].concat()));
    let number = |row: &Value, field: &str| row[field].as_u64().unwrap();
    let found: BTreeMap<String, Came> = table
        .iter()
        .map(|row| {
            let came = ["games", "white", "draws", "black"].map(|field| number(row, field));
            (row["move"].as_str().unwrap().to_owned(), came)
        })
        .collect();
    let (expected, reached) = played_from(position, counts);
    assert_eq!(found, expected, "{ask:?}");
    assert!(!found.is_empty(), "{ask:?}");
    assert_eq!(found.len(), table.len());
    assert!(table.is_sorted_by_key(|row| std::cmp::Reverse(number(row, "games"))));
    for row in &table {
        let fen = position_string::parse(row["fen"].as_str().unwrap()).unwrap();
        let after = Position::from_setup(position.rules(), &fen).unwrap();
        let reaches = |m: &Move| {
            let mut next = position.clone();
            next.play_unchecked(*m);
            next.key() == after.key()
        };
        assert!(position.legal_moves().iter().any(reaches), "{row}");
        let known = number(row, "white") + number(row, "draws") + number(row, "black");
        assert_eq!(row["small"], known < 10);
        match row["score"].as_f64() {
            Some(score) => {
                let points = number(row, "white") as f64 + number(row, "draws") as f64 / 2.0;
                assert!((score - points / known as f64).abs() < 1e-4, "{row}");
            }
            None => assert_eq!(known, 0, "{row}"),
        }
    }
    let text = good(folder, &ask);
    let told = match reached {
        1 => "\n1 game reaches the position".to_owned(),
        _ => format!("\n{reached} games reach the position"),
    };
    assert!(text.contains(&told), "{text}");
}

#[test]
fn openings_equal_a_scan() {
    for rules in RuleSystem::ALL {
        let start = Position::start(*rules);
        same_table(&start, &[], |_| true);
        same_table(&start, &["--date", "2010.."], |k| {
            let date = k.tag("Date");
            date.len() == 10 && date.starts_with("20") && date >= "2010"
        });
        same_table(&start, &["--player", "dvornik", "--side", "black"], |k| {
            k.tag("Black").contains("Dvornik")
        });
        same_table(&start, &["--player", "dvornik", "--side", "white"], |k| {
            k.tag("White").contains("Dvornik")
        });
        same_table(&start, &["--result", "1-0"], |k| {
            k.replay.result() == GameResult::White
        });
        // After the most frequent move, given as moves and as a position.
        let (moves, _) = played_from(&start, |_| true);
        let (first, _) = moves.iter().max_by_key(|(_, came)| came[0]).unwrap();
        let mut after = start.clone();
        after.play_unchecked(tridex_index::read_moves(*rules, first).unwrap()[0]);
        same_table(&after, &["--moves", first], |_| true);
        let fen = Fen::of(&after).to_string();
        same_table(&after, &["--fen", &fen], |_| true);
    }
}

#[test]
fn the_forms_of_a_table() {
    let folder = &collection().folder;
    let ask = ["openings", "--index", "db", "--rules", "meder"];
    let with = |more: &[&str]| good(folder, &[&ask[..], more].concat());
    let moves = rows(&with(&["--format", "ndjson"]));
    for row in &moves {
        for field in ["move", "games", "white", "draws", "black", "fen"] {
            assert!(row.get(field).is_some(), "{field}: {row}");
        }
    }
    let many = rows(&with(&["--format", "ndjson", "--min-games", "3"]));
    let enough = moves
        .iter()
        .filter(|row| row["games"].as_u64().unwrap() >= 3);
    assert_eq!(many, enough.cloned().collect::<Vec<_>>());
    assert!(many.len() < moves.len());
    let csv = with(&["--format", "csv"]);
    assert_eq!(csv.lines().count(), moves.len() + 1);
    assert!(csv.starts_with("move,games,white,draws,black,fen,"));
    // The manual's words for the same moves.
    let manual = rows(&with(&["--format", "ndjson", "--notation", "manual"]));
    let fens = |rows: &[Value]| {
        rows.iter()
            .map(|row| row["fen"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(fens(&manual), fens(&moves));
    assert!(
        manual
            .iter()
            .all(|row| row["move"].as_str().unwrap().contains(','))
    );
    let other = tridex(folder, &[&ask[..], &["--notation", "chess3"]].concat());
    assert_eq!(other.status.code(), Some(2));

    // Boards and layouts behind the moves, only when they are asked for.
    let all = rows(&with(&["--format", "ndjson", "--boards", "--layouts"]));
    assert_eq!(all[..moves.len()], moves);
    let (boards, layouts): (Vec<&Value>, Vec<&Value>) = all[moves.len()..]
        .iter()
        .partition(|row| row.get("board").is_some());
    let mut first: BTreeMap<(String, String, String), u64> = BTreeMap::new();
    let mut reached: BTreeMap<String, u64> = BTreeMap::new();
    for known in collection()
        .games
        .iter()
        .filter(|k| k.replay.rules() == RuleSystem::Meder)
    {
        let mut moved = BTreeSet::new();
        let positions = known.positions();
        for (position, played) in positions.iter().zip(known.replay.moves()) {
            if let Move::Board { board, to, .. } = played
                && moved.insert(*board)
            {
                let from = position.layout().unwrap().pin(*board);
                *first
                    .entry((board_name(*board).to_owned(), pin(from), pin(*to)))
                    .or_default() += 1;
            }
        }
        let layouts: BTreeSet<String> = positions.iter().map(layout).collect();
        layouts
            .into_iter()
            .for_each(|layout| *reached.entry(layout).or_default() += 1);
    }
    let text = |row: &Value, field: &str| row[field].as_str().unwrap().to_owned();
    let found = boards.iter().map(|row| {
        let name = (text(row, "board"), text(row, "from"), text(row, "to"));
        (name, row["games"].as_u64().unwrap())
    });
    assert_eq!(found.collect::<BTreeMap<_, _>>(), first);
    let found = layouts
        .iter()
        .map(|row| (text(row, "layout"), row["games"].as_u64().unwrap()));
    assert_eq!(found.collect::<BTreeMap<_, _>>(), reached);
    assert!(first.len() > 3 && reached.len() > 3);
    let people = with(&[]);
    assert!(
        people.contains("attack boards: first destinations")
            && people.contains("layouts of the attack boards")
    );
    assert!(people.contains("Neutral Pawn Game") && people.contains("small"));
}

fn board_name(board: AttackBoard) -> &'static str {
    tridex_notation::names::manual_board(board)
}

fn pin(pin: tridex_geometry::stair::Pin) -> String {
    tridex_notation::names::pin_in_strings(pin)
}

fn layout(position: &Position) -> String {
    let layout = position.layout().unwrap();
    let boards =
        AttackBoard::ALL.map(|board| format!("{}@{}", board_name(board), pin(layout.pin(board))));
    boards.join(" ")
}

#[test]
fn names_of_a_user_come_before_the_bundled_ones() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::copy(SAMPLE, at.join("a.pgn")).unwrap();
    fs::write(
        at.join("names.csv"),
        "name,moves\nFerengi Gambit,b4N b5B\nBad,b4N b9N\n",
    )
    .unwrap();
    let output = tridex(
        at,
        &["index", "a.pgn", "--index", "db", "--names", "names.csv"],
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(
        complaint(&output).contains("names.csv:3: "),
        "{}",
        complaint(&output)
    );
    fs::write(at.join("names.csv"), "name,moves\nFerengi Gambit,b4N b5B\n").unwrap();
    let table = good(
        at,
        &[
            "openings",
            "--index",
            "db",
            "--rules",
            "meder",
            "--moves",
            "b4N",
            "--names",
            "names.csv",
            "--format",
            "ndjson",
        ],
    );
    assert_eq!(rows(&table)[0]["name"], "Ferengi Gambit");
    // The game goes by the deepest name, which is a bundled one.
    assert_eq!(
        search(at, &["--opening", "sample"])[0]["opening"],
        "Meder's Sample Game"
    );
    fs::write(
        at.join("b.pgn"),
        "[Variant \"meder\"]\n\n1. b4N b5B 2. d3W *\n",
    )
    .unwrap();
    good(
        at,
        &["index", "b.pgn", "--index", "db", "--names", "names.csv"],
    );
    assert_eq!(
        names(&search(at, &["--opening", "ferengi"])),
        [("b.pgn".to_owned(), 1)].into()
    );
}
