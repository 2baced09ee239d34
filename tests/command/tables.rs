//! Tables of a collection - groups, cross tables, opening trees - against counts by brute force.

use crate::program::fed;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use tridex_core::replay::Options;
use tridex_core::{Games, Notation, Play, Position, ReplayedGame};

/// What the program prints if all is well.
#[track_caller]
fn good(folder: &Path, arguments: &str) -> String {
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    let output = fed(folder, &arguments, b"");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {complaint}");
    String::from_utf8(output.stdout).unwrap()
}

fn lines(text: &str) -> Vec<Value> {
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A tournament of six players who play each other twice, with all that happens in one: draws, forfeits, byes, unfinished
/// games, a result by an arbiter, and a game that was recorded twice.
fn tournament() -> String {
    let names = ["Ada", "Bo", "Cy", "Dee", "Eve", "Flo"];
    let results = ["1-0", "1/2-1/2", "0-1", "*", "0-0", "1/2-0", "1-0", "1-0"];
    let mut text = String::new();
    let mut number = 0;
    for round in 0..2 {
        for (a, white) in names.iter().enumerate() {
            for (b, black) in names.iter().enumerate().filter(|(b, _)| *b > a) {
                number += 1;
                let (white, black) = match round {
                    0 => (white, black),
                    _ => (black, white),
                };
                let result = results[(a * 7 + b * 5 + round * 3) % results.len()];
                let moves = if number % 6 == 2 { "" } else { "1. b4N b5B " };
                let (day, system) = (number % 28 + 1, ["meder", "federation"][round]);
                let month = if number % 9 == 4 { "??" } else { "03" };
                let end = if result == "0-0" { "0:0" } else { result };
                let game = format!(
                    "[Event \"Cup\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Round \"{}.{number}\"]\n\
                     [Date \"202{}.{month}.{day:02}\"]\n[WhiteElo \"{}\"]\n[Variant \"{system}\"]\n[Result \"{result}\"]\n\n{moves}{end}\n\n",
                    round + 1,
                    3 + round,
                    1500 + number,
                );
                text.push_str(&game);
                if number == 3 {
                    text.push_str(&game);
                }
            }
        }
    }
    for (name, result) in [("Ada", "1-0"), ("Flo", "1/2-1/2")] {
        let _ = write!(
            text,
            "[Event \"Cup\"]\n[White \"{name}\"]\n[Black \"BYE\"]\n[Round \"9\"]\n[Variant \"meder\"]\n[Result \"{result}\"]\n\n{result}\n\n"
        );
    }
    text
}

/// The points of White and Black.
fn points(game: &ReplayedGame) -> Option<[f64; 2]> {
    Some(match game.tag("Result")?.as_str() {
        "1-0" => [1.0, 0.0],
        "0-1" => [0.0, 1.0],
        "1/2-1/2" => [0.5, 0.5],
        "1/2-0" => [0.5, 0.0],
        "0-0" => [0.0, 0.0],
        _ => return None,
    })
}

fn games(text: &str) -> Vec<ReplayedGame> {
    let games = Games::of_text(text, Options::default()).unwrap();
    games.map(|game| game.unwrap()).collect()
}

#[test]
fn cross_tables_have_the_points_and_tie_breaks_of_a_brute_force() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let text = tournament();
    fs::write(at.join("cup.pgn"), &text).unwrap();
    let rows = lines(&good(at, "stats cup.pgn --crosstable --format ndjson"));
    // The copy comes after its game, with the same round.
    let mut games = games(&text);
    let copy = games[2].tag("Round");
    let at_copy = games
        .iter()
        .rposition(|game| game.tag("Round") == copy)
        .unwrap();
    games.remove(at_copy);
    let tag = |game: &ReplayedGame, name: &str| game.tag(name).unwrap();
    let total = |name: &str| {
        let mut sum = 0.0;
        for game in &games {
            for (side, points) in ["White", "Black"]
                .iter()
                .zip(points(game).unwrap_or([0.0; 2]))
            {
                sum += if tag(game, side) == name { points } else { 0.0 };
            }
        }
        sum
    };
    assert_eq!(rows.len(), 6);
    let mut last = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
    for row in &rows {
        let name = row["player"].as_str().unwrap();
        let (mut berger, mut buchholz) = (0.0, 0.0);
        let (mut played, mut unfinished, mut empty, mut byes) = (0, 0, 0, 0);
        for game in &games {
            let sides = [tag(game, "White"), tag(game, "Black")];
            for (own, other) in [(0, 1), (1, 0)] {
                if sides[own] != name {
                    continue;
                }
                match points(game) {
                    _ if sides[other] == "BYE" => byes += 1,
                    None => unfinished += 1,
                    Some(points) => {
                        played += 1;
                        empty += u64::from(game.replay.moves().is_empty());
                        berger += points[own] * total(&sides[other]);
                        buchholz += total(&sides[other]);
                    }
                }
            }
        }
        let number = |field: &str| row[field].as_f64().unwrap();
        assert_eq!(number("points"), total(name), "{row}");
        assert_eq!(number("sonneborn_berger"), berger, "{row}");
        assert_eq!(number("buchholz"), buchholz, "{row}");
        let counts = ["games", "without_result", "without_moves", "byes"];
        let counts = counts.map(|field| row[field].as_u64().unwrap());
        assert_eq!(counts, [played, unfinished, empty, byes], "{row}");
        assert_eq!(row["copies"], u64::from(["Ada", "Dee"].contains(&name)));
        let of_results = row["results"].as_array().unwrap().iter();
        let sum: f64 = of_results
            .map(|one| one["points"].as_f64().unwrap_or(0.0))
            .sum();
        assert_eq!(sum, total(name));
        let now = (
            number("points"),
            number("sonneborn_berger"),
            number("buchholz"),
        );
        assert!(now <= last, "{row}");
        last = now;
    }
    // Everything that was put into the tournament is there.
    for field in ["without_result", "without_moves", "byes", "drawn"] {
        assert!(rows.iter().any(|row| row[field] != 0), "{field}");
    }
    // Signs of the text: both games of a pair in one cell.
    let shown = good(at, "stats cup.pgn --crosstable");
    assert!(shown.starts_with("Cup (all): 6 players\n"), "{shown}");
    for sign in ['x', '1', '0', '½', '*', '+', '-'] {
        assert!(shown.contains(sign), "{sign}: {shown}");
    }
    let systems = lines(&good(
        at,
        "stats cup.pgn --crosstable --per-system --format ndjson",
    ));
    assert_eq!(systems.len(), 12);
    // An index has the same games.
    good(at, "index cup.pgn --index db");
    let of_index = good(at, "stats --index db --crosstable --format ndjson");
    assert_eq!(lines(&of_index), rows);
    let table = good(at, "stats cup.pgn --crosstable --format csv");
    assert!(table.lines().any(|line| line.ends_with(" bye")), "{table}");
}

#[test]
fn groups_are_those_of_a_brute_force() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let mut text = tournament();
    for rules in ["meder", "chess3"] {
        text.push_str(&good(
            at,
            &format!("generate --rules {rules} --games 60 --seed 8"),
        ));
    }
    fs::write(at.join("all.pgn"), &text).unwrap();
    let games = games(&text);
    for by in ["year", "month", "event", "site", "pair"] {
        for system in ["", " --per-system"] {
            let mut expected = BTreeMap::<Vec<String>, [f64; 6]>::new();
            for game in &games {
                let tag = |name: &str| game.tag(name).unwrap_or_else(|| "?".to_owned());
                let (date, mut sides) = (tag("Date"), [0, 1]);
                let mut key = match by {
                    "year" if date.starts_with('?') => vec!["?".to_owned()],
                    "year" => vec![date[..4].to_owned()],
                    "month" if date.starts_with('?') => vec!["?".to_owned()],
                    "month" => vec![date[..7].to_owned()],
                    "event" => vec![tag("Event")],
                    "site" => vec![tag("Site")],
                    _ => {
                        let (white, black) = (tag("White"), tag("Black"));
                        if white == "?" || black == "?" {
                            continue;
                        }
                        if white > black {
                            sides = [1, 0];
                        }
                        let mut names = vec![white, black];
                        names.sort();
                        names
                    }
                };
                if !system.is_empty() {
                    key.insert(0, game.replay.rules().name().to_owned());
                }
                let row = expected.entry(key).or_default();
                row[0] += 1.0;
                row[5] += game.replay.moves().len() as f64;
                match points(game) {
                    None => row[4] += 1.0,
                    Some(points) => row[3 - (points[sides[0]] * 2.0) as usize] += 1.0,
                }
            }
            let ask = format!("stats all.pgn --by {by}{system} --format ndjson");
            let rows = lines(&good(at, &ask));
            let found = rows.iter().map(|row| {
                let text = |field: &str| row[field].as_str().map(str::to_owned);
                let rules = text("rules").filter(|_| !system.is_empty());
                let key = [rules, text("key"), text("opponent")];
                let counts = ["count", "won", "drawn", "lost", "without_result"];
                let mut numbers = counts.map(|field| row[field].as_f64().unwrap()).to_vec();
                numbers.push(row["average_plies"].as_f64().unwrap());
                (key.into_iter().flatten().collect::<Vec<_>>(), numbers)
            });
            let found: BTreeMap<_, _> = found.collect();
            assert_eq!(found.len(), rows.len());
            let expected = expected
                .into_iter()
                .map(|(key, [games, rest @ .., plies])| {
                    let average = (plies / games * 100.0).round() / 100.0;
                    let rest = rest.into_iter();
                    (
                        key,
                        [games].into_iter().chain(rest).chain([average]).collect(),
                    )
                });
            assert_eq!(found, expected.collect::<BTreeMap<_, Vec<f64>>>(), "{ask}");
            let keys: Vec<&str> = rows
                .iter()
                .map(|row| row["key"].as_str().unwrap())
                .collect();
            assert!(
                !matches!(by, "year" | "month") || keys.is_sorted(),
                "{keys:?}"
            );
        }
    }
}

/// Counts by brute force the games with a position, and those that play a move there.
fn replayed(game: &ReplayedGame) -> Vec<(Position, Option<tridex_core::Move>)> {
    let mut position = game.replay.start().clone();
    let mut all = Vec::new();
    for played in game.replay.moves() {
        all.push((position.clone(), Some(*played)));
        position.play(*played).unwrap();
    }
    all.push((position, None));
    all
}

#[test]
fn opening_trees_have_the_counts_of_a_brute_force() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // Few moves, so that many games have the same ones, and transpositions.
    let mut text = String::new();
    let (white, black) = (["a4N", "b4N", "c4N", "d4N"], ["a5N", "b5N", "c5N", "d5N"]);
    for n in 0..48_usize {
        let moves = [
            white[n % 4],
            black[n / 4 % 4],
            white[(n / 16 + n + 1) % 4],
            black[(n / 4 + 2) % 4],
        ];
        let result = ["1-0", "0-1", "1/2-1/2", "*"][(n % 4 + n / 7) % 4];
        let _ = write!(
            text,
            "[Variant \"meder\"]\n[Result \"{result}\"]\n\n{} {result}\n\n",
            moves.join(" ")
        );
    }
    fs::write(at.join("few.pgn"), &text).unwrap();
    good(at, "index few.pgn --index db");
    let games = games(&text);
    let replays: Vec<_> = games.iter().map(replayed).collect();
    let rows = lines(&good(
        at,
        "openings --index db --rules meder --depth 4 --limit 99 --format ndjson",
    ));
    let start = Position::start(tridex_core::RuleSystem::Meder);
    let mut continued = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for row in &rows {
        let line = row["line"].as_str().unwrap();
        let (before, last) = line.rsplit_once(' ').unwrap_or(("", line));
        let mut position = start.clone();
        position.play_all(before).unwrap();
        let played = position.read(last).unwrap();
        let key = position.key();
        let with = replays.iter().filter(|game| {
            game.iter()
                .any(|(here, next)| here.key() == key && *next == Some(played))
        });
        assert_eq!(
            row["games"].as_u64().unwrap() as usize,
            with.count(),
            "{row}"
        );
        assert_eq!(
            row["depth"].as_u64().unwrap() as usize,
            line.split(' ').count()
        );
        position.play(played).unwrap();
        match row["transposes_to"].as_str() {
            Some("start") | None => {}
            Some(other) => {
                let mut there = start.clone();
                there.play_all(other).unwrap();
                assert_eq!(there.key(), position.key(), "{row}");
                continued.insert(other.to_owned());
            }
        }
        seen.insert(line.to_owned());
    }
    assert!(!continued.is_empty() && continued.is_subset(&seen));
    // Every game is in the tree: each position of a game up to four plies, by some line.
    let keys: BTreeSet<_> = rows
        .iter()
        .map(|row| {
            let mut position = start.clone();
            position.play_all(row["line"].as_str().unwrap()).unwrap();
            position.key()
        })
        .collect();
    for (position, _) in replays
        .iter()
        .flatten()
        .filter(|(position, _)| position.key() != start.key())
    {
        assert!(keys.contains(&position.key()));
    }
    // The orders, for both sides.
    for line in ["", "b4N"] {
        let ask = |sort: &str| {
            let mut arguments: Vec<&str> = "openings --index db --rules meder --format ndjson"
                .split(' ')
                .collect();
            arguments.extend(["--sort", sort, "--moves", line]);
            lines(&String::from_utf8(fed(at, &arguments, b"").stdout).unwrap())
        };
        let games = ask("games");
        assert!(games.is_sorted_by_key(|row| std::cmp::Reverse(row["games"].as_u64())));
        let scores: Vec<f64> = ask("score")
            .iter()
            .map(|row| row["score"].as_f64().unwrap())
            .collect();
        let sign = if line.is_empty() { -1.0 } else { 1.0 };
        assert!(
            scores.is_sorted_by_key(|score| score * sign),
            "{line} {scores:?}"
        );
        assert!(scores.first() != scores.last());
        let moves = ask("move");
        assert!(moves.is_sorted_by_key(|row| row["move"].as_str().unwrap().to_owned()));
        assert_eq!(moves.len(), games.len());
    }
    // As PGN it is one game, whose variations have the same moves.
    let pgn = good(
        at,
        "openings --index db --rules meder --depth 4 --limit 99 --format pgn",
    );
    let [tree] = &self::games(&pgn)[..] else {
        panic!("{pgn}")
    };
    assert_eq!(tree.replay.status().as_str(), "valid", "{pgn}");
    let tree = tree.tree();
    let mut nodes = vec![tree.root()];
    let mut in_pgn = BTreeSet::new();
    while let Some(id) = nodes.pop() {
        let path = tree.path(id);
        let words = path
            .iter()
            .map(|id| tree.write(*id, Notation::Meder).unwrap());
        in_pgn.insert(words.collect::<Vec<_>>().join(" "));
        nodes.extend(tree.node(id).unwrap().children());
    }
    in_pgn.remove("");
    assert_eq!(in_pgn, seen);
    // A limit, and a tree too deep for its limit.
    let few = good(
        at,
        "openings --index db --rules meder --depth 4 --limit 2 --format csv",
    );
    assert!(few.lines().count() < rows.len() && few.starts_with("move,games,"));
}

#[test]
fn novelties_are_those_of_a_brute_force() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let mut text = String::new();
    let (white, black) = (["a4N", "b4N", "c4N", "d4N"], ["a5N", "b5N", "c5N", "d5N"]);
    for n in 0..40_usize {
        let moves = [
            white[n % 4],
            black[n / 4 % 3],
            white[(n / 16 + n + 1) % 4],
            black[3],
        ];
        let date = match n % 7 {
            0 => "????.??.??".to_owned(),
            day => format!("202{}.0{day}.1{}", n % 3, n % 10),
        };
        // Some games have the same moves as others; some are prefixes of others.
        let moves = moves[..4 - n % 5 % 3].join(" ");
        let _ = write!(
            text,
            "[White \"W{}\"]\n[Black \"B\"]\n[Date \"{date}\"]\n[Variant \"meder\"]\n\n{moves} *\n\n",
            n % 11
        );
    }
    fs::write(at.join("few.pgn"), &text).unwrap();
    // The collection has two thirds of the games, some of them twice with another tag.
    let all = games(&text);
    let parts: Vec<&str> = text.split_inclusive("*\n\n").collect();
    let mut known: Vec<usize> = (0..parts.len()).filter(|n| n % 3 != 1).collect();
    let mut collection: Vec<String> = known.iter().map(|n| parts[*n].to_owned()).collect();
    collection.extend([
        "[Site \"X\"]\n".to_owned() + parts[0],
        "[Site \"X\"]\n".to_owned() + parts[3],
    ]);
    known.extend([0, 3]);
    fs::write(at.join("collection.pgn"), collection.concat()).unwrap();
    good(at, "index collection.pgn --index db");
    let replays: Vec<_> = all.iter().map(replayed).collect();
    let id = |n: usize| {
        let tags = ["White", "Date"].map(|name| all[n].tag(name));
        (tags, all[n].replay.moves().to_vec())
    };
    let key = |n: usize, ply: usize| replays[n].get(ply).map(|(position, _)| position.key());
    let day = |n: usize| all[n].tag("Date").filter(|date| !date.starts_with('?'));
    let (mut left, mut stayed, mut repeated) = (0, 0, 0);
    for earlier in ["", " --earlier"] {
        let rows = lines(&good(
            at,
            &format!("novelty few.pgn --index db --format ndjson{earlier}"),
        ));
        assert_eq!(rows.len(), all.len());
        for (n, row) in rows.iter().enumerate() {
            let others = known.iter().copied().filter(|other| {
                let is_earlier = match (earlier, day(n)) {
                    ("", _) | (_, None) => true,
                    (_, Some(own)) => day(*other).is_some_and(|date| date < own),
                };
                id(*other) != id(n) && is_earlier
            });
            let others: Vec<usize> = others.collect();
            repeated += usize::from(others.len() + 1 < known.len());
            let reach = |ply: usize| {
                let wanted = key(n, ply);
                let reaching = others.iter().filter(|other| {
                    (0..)
                        .map_while(|at| key(**other, at))
                        .any(|key| Some(key) == wanted)
                });
                reaching.copied().collect::<Vec<usize>>()
            };
            let plies = all[n].replay.moves().len();
            let leaves = (0..=plies).find(|ply| reach(*ply).is_empty());
            assert_eq!(
                row["ply"].as_u64().map(|ply| ply as usize),
                leaves,
                "{earlier} {row}"
            );
            assert_eq!(row["game"].as_u64().unwrap() as usize, n + 1);
            let Some(agrees) = leaves.unwrap_or(plies + 1).checked_sub(1) else {
                assert!(row["last"].is_null());
                continue;
            };
            left += usize::from(leaves.is_some());
            stayed += usize::from(leaves.is_none());
            // Copies with another tag are games of their own in the collection.
            let reaching = reach(agrees);
            assert_eq!(
                row["games"].as_u64().unwrap() as usize,
                reaching.len(),
                "{row}"
            );
            let newest = reaching.iter().filter_map(|other| day(*other)).max();
            let last = row["last"]["date"].as_str().unwrap();
            assert_eq!(last, newest.as_deref().unwrap_or("????.??.??"), "{row}");
            let follow: Vec<_> = reaching
                .iter()
                .filter_map(|other| {
                    let here = replays[*other]
                        .iter()
                        .find(|(position, _)| Some(position.key()) == key(n, agrees));
                    here?.1
                })
                .collect();
            let most = follow
                .iter()
                .map(|played| follow.iter().filter(|other| *other == played).count())
                .max();
            assert_eq!(
                row["usual_games"].as_u64().unwrap() as usize,
                most.unwrap_or(0),
                "{row}"
            );
        }
    }
    assert!(
        left > 10 && stayed > 10 && repeated > 10,
        "{left} {stayed} {repeated}"
    );
    let shown = good(at, "novelty few.pgn --index db");
    assert!(
        shown.starts_with("game ") && shown.lines().count() == all.len() + 1,
        "{shown}"
    );
    let table = good(at, "novelty few.pgn --index db --format csv --to manual");
    assert!(
        table.starts_with("source,game,white,") && table.contains(",NB"),
        "{table}"
    );
}

#[test]
fn reports_have_the_counts_of_a_brute_force() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let mut text = tournament();
    for rules in ["meder", "chess3"] {
        text.push_str(&good(
            at,
            &format!("generate --rules {rules} --games 80 --seed 5"),
        ));
    }
    fs::write(at.join("all.pgn"), &text).unwrap();
    good(at, "index all.pgn --index db");
    let games = games(&text);
    // The results of some games, for one of their sides.
    type Table = BTreeMap<String, [u64; 4]>;
    let add = |table: &mut Table, name: String, game: &ReplayedGame, side: usize| {
        let at = points(game).map_or(3, |points| 2 - (points[side] * 2.0) as usize);
        table.entry(name).or_default()[at] += 1;
    };
    let read = |report: &Value, table: &str| -> Table {
        let rows = report[table].as_array().unwrap().iter();
        let found = rows.map(|row| {
            let counts = ["won", "drawn", "lost", "without_result"]
                .map(|field| row[field].as_u64().unwrap());
            assert_eq!(row["games"], counts.iter().sum::<u64>());
            (row["name"].as_str().unwrap().to_owned(), counts)
        });
        found.collect()
    };
    let tag = |game: &ReplayedGame, name: &str| game.tag(name).unwrap_or_else(|| "?".to_owned());
    let year = |game: &ReplayedGame| match tag(game, "Date") {
        date if date.starts_with('?') => "?".to_owned(),
        date => date[..4].to_owned(),
    };
    let system = |game: &ReplayedGame| game.replay.rules().name().to_owned();
    for name in ["Ada", "Jarosz"] {
        let ask = format!("report --index db --player {name} --top 99 --format ndjson");
        let report = &lines(&good(at, &ask))[0];
        let mut tables = [const { Table::new() }; 5];
        let (mut plies, mut ratings) = (Vec::new(), Vec::new());
        for game in &games {
            for (side, color) in ["White", "Black"].into_iter().enumerate() {
                if !tag(game, color).starts_with(name) {
                    continue;
                }
                let other = tag(game, ["Black", "White"][side]);
                let names = [
                    color.to_owned(),
                    tag(game, color),
                    other,
                    year(game),
                    system(game),
                ];
                for (table, name) in tables.iter_mut().zip(names) {
                    add(table, name, game, side);
                }
                add(&mut tables[0], "all".to_owned(), game, side);
                plies.push(game.replay.moves().len() as u64);
                ratings.extend(
                    game.tag(&format!("{color}Elo"))
                        .and_then(|elo| elo.parse::<u64>().ok()),
                );
            }
        }
        let expected = ["results", "names", "opponents", "years", "systems"];
        for (table, expected) in tables.iter().zip(expected) {
            assert_eq!(&read(report, expected), table, "{name} {expected}");
        }
        for (field, numbers) in [("plies", plies), ("ratings", ratings)] {
            assert_eq!(
                report[field]["least"].as_u64(),
                numbers.iter().min().copied()
            );
            assert_eq!(
                report[field]["greatest"].as_u64(),
                numbers.iter().max().copied()
            );
            let average = numbers.iter().sum::<u64>() as f64 / numbers.len() as f64;
            let found = report[field]["average"].as_f64();
            assert!(found.is_none_or(|found| (found - average).abs() < 0.006));
        }
        let dates: Vec<&str> = report["last_games"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["date"].as_str().unwrap())
            .collect();
        let known = dates.iter().take_while(|date| !date.starts_with('?'));
        assert!(
            known
                .collect::<Vec<_>>()
                .is_sorted_by(|a, b| a[..4] >= b[..4]),
            "{dates:?}"
        );
    }
    // A position, and the games of a query.
    let mut there = Position::start(tridex_core::RuleSystem::Meder);
    there.play_all("b4N b5B").unwrap();
    let arguments = [
        "report",
        "--index",
        "db",
        "--rules",
        "meder",
        "--moves",
        "b4N b5B",
        "--query",
        "-player:flo",
        "--top",
        "99",
    ];
    let run = |more: &[&str]| {
        let output = fed(at, &[&arguments, more].concat(), b"");
        assert_eq!(
            output.status.code(),
            Some(0),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    };
    let report = &lines(&run(&["--format", "ndjson"]))[0];
    let mut tables = [const { Table::new() }; 3];
    for game in &games {
        let reaches = replayed(game)
            .iter()
            .any(|(position, _)| position.key() == there.key());
        let of_flo = ["White", "Black"]
            .iter()
            .any(|side| tag(game, side) == "Flo");
        if reaches && !of_flo {
            add(&mut tables[0], "all".to_owned(), game, 0);
            add(&mut tables[1], year(game), game, 0);
            for (side, color) in ["White", "Black"].into_iter().enumerate() {
                add(&mut tables[2], tag(game, color), game, side);
            }
        }
    }
    // Copies of a game are one game in the index.
    for (table, expected) in tables.iter().zip(["results", "years", "players"]) {
        assert_eq!(&read(report, expected), table, "{expected}");
    }
    assert!(report["fen"].as_str().is_some());
    // The page has the text and the games.
    let page = run(&["--format", "html"]);
    assert!(
        page.contains("White&#39;s score") || page.contains("White's score"),
        "{}",
        &page[..2000]
    );
    // Copies of a game have one id.
    let ids = ["model_games", "last_games"].map(|field| report[field].as_array().unwrap());
    let ids: BTreeSet<&str> = ids
        .into_iter()
        .flatten()
        .map(|row| row["id"].as_str().unwrap())
        .collect();
    assert!(ids.len() > 5);
    assert_eq!(page.matches("<article").count(), ids.len());
    assert!(run(&[]).contains("\nplayers\n"));
}
