//! `search`: hits equal those of a plain scan, in every form; what is not understood is told.

use super::support::*;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tridex_archive::{GameResult, Item};
use tridex_index::Pattern;
use tridex_notation::{Fen, position_string};
use tridex_replay::finding::Status;
use tridex_rules::{Color, Move, Position, RuleSystem};

/// Holds a search against a scan that says at which ply a game is hit, if it is.
#[track_caller]
fn same(arguments: &[&str], ply: impl Fn(&Known) -> Option<Option<u64>>) {
    let collection = collection();
    let hits = search(&collection.folder, arguments);
    let found: BTreeMap<Name, Option<u64>> = hits
        .iter()
        .map(|hit| {
            (
                names(std::slice::from_ref(hit)).pop_first().unwrap(),
                hit["ply"].as_u64(),
            )
        })
        .collect();
    let expected: BTreeMap<Name, Option<u64>> = collection
        .games
        .iter()
        .filter_map(|known| Some((known.name.clone(), ply(known)?)))
        .collect();
    assert_eq!(found, expected, "{arguments:?}");
    assert_eq!(hits.len(), found.len());
    // A question that all or none answer would show nothing.
    assert!(
        !found.is_empty() && found.len() < collection.games.len(),
        "{arguments:?}: {}",
        found.len()
    );
}

/// The same where nothing is asked of the board.
#[track_caller]
fn same_games(arguments: &[&str], holds: impl Fn(&Known) -> bool) {
    same(arguments, |known| holds(known).then_some(None));
}

/// The same where something on the board is asked for.
#[track_caller]
fn same_places(arguments: &[&str], holds: impl Fn(&Position, u32) -> bool) {
    same(arguments, |known| known.first(&holds).map(Some));
}

#[test]
fn the_machine_form_of_a_hit() {
    let collection = collection();
    let hits = search(&collection.folder, &[]);
    assert_eq!(hits.len(), collection.games.len());
    for hit in &hits {
        let fields = hit.as_object().unwrap();
        let contract = [
            "id", "source", "game", "white", "black", "event", "site", "date", "round", "result",
            "rules", "plies", "ply", "opening",
        ];
        for field in contract {
            assert!(fields.contains_key(field), "{field}: {hit}");
        }
        let name = names(std::slice::from_ref(hit)).pop_first().unwrap();
        let known = collection
            .games
            .iter()
            .find(|known| known.name == name)
            .unwrap();
        for (field, tag) in [
            ("white", "White"),
            ("black", "Black"),
            ("event", "Event"),
            ("site", "Site"),
            ("date", "Date"),
            ("round", "Round"),
        ] {
            assert_eq!(hit[field], known.tag(tag), "{name:?} {field}");
        }
        assert_eq!(hit["result"], known.replay.result().as_str());
        assert_eq!(hit["rules"], known.replay.rules().name());
        assert_eq!(hit["plies"], known.replay.moves().len());
        assert_eq!(hit["ply"], Value::Null);
        assert_eq!(hit["id"].as_str().unwrap().len(), 16);
        assert_eq!(
            names(&search(
                &collection.folder,
                &[&format!("id:{}", hit["id"].as_str().unwrap())]
            )),
            [name].into()
        );
    }
    let few = search(&collection.folder, &["--limit", "7"]);
    assert_eq!(few, hits[..7]);
    let csv = good(
        &collection.folder,
        &["search", "--index", "db", "--format", "csv"],
    );
    let mut csv = csv::Reader::from_reader(csv.as_bytes());
    assert_eq!(
        csv.headers().unwrap().iter().take(4).collect::<Vec<_>>(),
        ["id", "source", "game", "white"]
    );
    let cells: Vec<(String, String)> = csv
        .records()
        .map(|record| record.unwrap())
        .map(|record| (record[0].to_owned(), record[3].to_owned()))
        .collect();
    let fields = |hit: &Value| {
        (
            hit["id"].as_str().unwrap().to_owned(),
            hit["white"].as_str().unwrap().to_owned(),
        )
    };
    assert_eq!(cells, hits.iter().map(fields).collect::<Vec<_>>());
}

/// Letters as the index folds them, for the names that are in generated games.
fn folded(text: &str) -> String {
    let plain = |c: char| match c {
        'Ä' | 'ä' | 'å' | 'Å' | 'á' | 'Á' => "a".to_owned(),
        'Č' | 'č' => "c".to_owned(),
        c => c.to_lowercase().collect(),
    };
    text.chars().map(plain).collect()
}

#[test]
fn every_field_equals_a_scan() {
    for (flag, tag, word) in [
        ("--white", "White", "dvornik"),
        ("--black", "Black", "JAROSZ"),
        ("--white", "White", "capkovic"),
    ] {
        same_games(&[flag, word], |k| {
            folded(k.tag(tag)).contains(&word.to_lowercase())
        });
    }
    same_games(&["--player", "Ådahl"], |k| {
        folded(k.tag("White")).contains("adahl") || folded(k.tag("Black")).contains("adahl")
    });
    // The beginning of a word, a word with a slip, the whole name.
    same_games(&["--player", "dvor*"], |k| {
        k.tag("White").contains("Dvornik") || k.tag("Black").contains("Dvornik")
    });
    same_games(&["--player", "dvomik~2"], |k| {
        k.tag("White").contains("Dvornik") || k.tag("Black").contains("Dvornik")
    });
    same_games(&["--white", "=Dvornik, Ilja"], |k| {
        k.tag("White") == "Dvornik, Ilja"
    });
    same_games(
        &["--player", "hakonsdatter", "--player", "quillfeather"],
        |k| {
            let both = [k.tag("White"), k.tag("Black")].concat();
            both.contains("Håkonsdatter") && both.contains("Quillfeather")
        },
    );
    let event = "Generated";
    same_games(&["--event", event], |k| k.tag("Event").contains(event));
    let mut games = collection().games.iter();
    let site = games
        .find(|known| known.tag("Site") != "?")
        .unwrap()
        .tag("Site");
    same_games(&["--site", &format!("={site}")], |k| k.tag("Site") == site);
    // Unknown names.
    same_games(&["--site", "?"], |k| k.tag("Site") == "?");
    same_games(&["--result", "1/2-1/2"], |k| {
        k.replay.result() == GameResult::Draw
    });
    same_games(&["--result", "*"], |k| {
        k.replay.result() == GameResult::Unknown
    });
    for rules in SYSTEMS {
        same_games(&["--rules", rules], |k| k.replay.rules().name() == rules);
    }
    same_games(&["plies:..40"], |k| k.replay.moves().len() <= 40);
    same_games(&["source:meder"], |k| k.name.0.contains("meder"));
    let says = |k: &Known, words: &str| {
        k.game.items().any(|item| match item {
            Item::Comment(text) | Item::LineComment(text) => text.contains(words),
            _ => false,
        })
    };
    same_games(&["--text", "JUGADA que"], |k| says(k, "jugada"));
    same_games(&["--text", "\"with the idea of going\""], |k| {
        says(k, "with the idea of going")
    });
    same_games(&["--opening", "\"Neutral Pawn Game\""], |k| {
        // The book names it after b4N, and no deeper position of the book has a name without these words.
        let first = tridex_index::read_moves(k.replay.rules(), "b4N").ok();
        let side = tridex_index::read_moves(k.replay.rules(), "c4N").ok();
        let begins = |moves: &Option<Vec<Move>>| {
            moves
                .as_deref()
                .is_some_and(|moves| k.replay.moves().starts_with(moves))
        };
        (begins(&first) || begins(&side)) && k.name.0 != "sample.pgn"
    });
}

#[test]
fn dates_with_unknown_parts_are_in_every_month_they_may_be_in() {
    let months = |k: &Known| {
        let date = k.tag("Date").to_owned();
        let year: Option<u32> = date[..4].parse().ok();
        let month: Option<u32> = date.get(5..7).and_then(|m| m.parse().ok());
        year.map(|year| match month {
            Some(month) => (year * 12 + month, year * 12 + month),
            None => (year * 12 + 1, year * 12 + 12),
        })
    };
    let date = |text: &str, from: u32, to: u32| {
        same_games(&["--date", text], |k| {
            k.tag("Date").len() == 10
                && months(k).is_some_and(|(first, last)| last >= from && first <= to)
        });
    };
    date("2004..2008", 2004 * 12 + 1, 2008 * 12 + 12);
    date("2013.05..2013.09", 2013 * 12 + 5, 2013 * 12 + 9);
    date("2010..", 2010 * 12 + 1, u32::MAX);
    date("..2010.06", 0, 2010 * 12 + 6);
    date("2012", 2012 * 12 + 1, 2012 * 12 + 12);
}

#[test]
fn positions_equal_a_scan() {
    let collection = collection();
    // Every sixtieth game, one of each system, near its beginning, where others may have come too, and later.
    for known in collection.games.iter().step_by(60) {
        let (source, number) = &known.name;
        let rules = known.replay.rules();
        for ply in [1, 2, 9] {
            let number = number.to_string();
            let after = ply.to_string();
            let fen = good(
                &collection.folder,
                &["position", source, "--game", &number, "--ply", &after],
            );
            let fen = fen.trim();
            let target = position_string::parse(fen).unwrap();
            let playable = |rules: RuleSystem| Position::from_setup(rules, &target).ok();
            let keys: BTreeMap<RuleSystem, u64> = RuleSystem::ALL
                .iter()
                .filter_map(|rules| Some((*rules, playable(*rules)?.key())))
                .collect();
            let exact = |p: &Position| keys.get(&p.rules()) == Some(&p.key());
            same_places(&["--position", fen], |p, _| exact(p));
            let within = |p: &Position| exact(p) && p.rules() == rules;
            same_places(&["--position", fen, "--rules", rules.name()], |p, _| {
                within(p)
            });
            same_places(
                &["--game", &format!("{source}:{number}"), "--ply", &after],
                |p, _| exact(p),
            );
            let loose = |p: &Position| first_fields(&Fen::of(p).to_string()) == first_fields(fen);
            same_places(&["--position", fen, "--loose"], |p, _| loose(p));
            let seen = from_the_top(&target);
            same_places(&["--plan", fen], |p, _| from_the_top(&p.to_setup()) == seen);
        }
    }
}

/// Placement and side to move.
fn first_fields(fen: &str) -> Vec<&str> {
    fen.split(' ').take(2).collect()
}

/// Which pieces stand in each column, and whose turn it is.
fn from_the_top(
    setup: &tridex_rules::Setup,
) -> (bool, Color, Vec<(usize, Color, tridex_rules::Role)>) {
    let mut pieces: Vec<_> = setup
        .pieces()
        .map(|(square, piece)| {
            let column = match &setup.layout {
                Some(layout) => layout.column(square).index(),
                None => square.index() % 64,
            };
            (column, piece.color, piece.role)
        })
        .collect();
    pieces.sort_unstable();
    (setup.layout.is_some(), setup.turn, pieces)
}

#[test]
fn transpositions_and_lines_of_moves_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let game = |moves: &str| format!("[Variant \"meder\"]\n\n{moves} *\n\n");
    let games = [
        "1. b4N b5B 2. c3W a6N",
        "1. c3W a6N 2. b4N b5B",
        "1. b4N b5B 2. c3W d6N",
    ]
    .map(game);
    fs::write(at.join("t.pgn"), games.concat()).unwrap();
    assert_eq!(index(at, &["t.pgn"]), [3, 0, 0, 0, 0, 3]);
    let places = |arguments: &[&str]| {
        let hits = search(at, arguments);
        let places = hits
            .iter()
            .map(|hit| (hit["game"].as_u64().unwrap(), hit["ply"].as_u64().unwrap()));
        places.collect::<Vec<_>>()
    };
    assert_eq!(
        places(&["--moves", "1. b4N b5B 2. c3W a6N"]),
        [(1, 4), (2, 4)]
    );
    assert_eq!(places(&["--moves", "b4N b5B"]), [(1, 2), (3, 2)]);
    // In the manual's words, which number the ranks otherwise.
    let manual = good(
        at,
        &["convert", "t.pgn", "--to", "manual", "--format", "ndjson"],
    );
    let line = rows(&manual)[0]["moves"].as_array().unwrap()[..2].to_vec();
    let line: Vec<&str> = line.iter().map(|token| token.as_str().unwrap()).collect();
    assert_eq!(
        places(&["--moves", &line.join(" "), "--rules", "meder"]),
        [(1, 2), (3, 2)]
    );
    assert_eq!(places(&["--moves", ""]), [(1, 0), (2, 0), (3, 0)]);
}

#[test]
fn patterns_and_material_equal_a_scan() {
    let matches = |text: &'static str| {
        let pattern = Pattern::parse(text).unwrap();
        move |p: &Position, ply: u32| pattern.matches(p, ply)
    };
    for text in [
        "N@c6B",
        "n@c6 and check",
        "Q=0 and q=0",
        "ql@Q5",
        "k@kl and p@N>=3 and ply 20..60",
        "not (Q@3 or q@3) and R@1 and ply 30..",
        "mate and black to move",
        "Q@2d4 or q@2d5",
    ] {
        same_places(&["--pattern", text], matches(text));
    }
    // Both have to come, each at its own time; the ply is that of the first.
    let (rook, knight) = (matches("R@d1W"), matches("n@W"));
    same(&["--pattern", "R@d1W", "--pattern", "n@W"], |known| {
        let at = known.first(&rook)?;
        known.first(&knight).map(|_| Some(at))
    });
    let swapped = matches("Q=0 or q=0");
    same_places(&["--pattern", "Q=0", "--swapped"], &swapped);
    same_places(
        &["--pattern", "K@KL1 and ply 12..", "--mirrored"],
        matches("(K@KL1 or K@QL1) and ply 12.."),
    );
    same_places(
        &["--pattern", "N@1b3", "--mirrored", "--swapped"],
        matches("N@1b3 or N@1g3 or n@3b6 or n@3g6"),
    );
    let text = "KR*B*N*P*:KQ1..R*B*N*P*";
    let (down, up) = (matches("Q=0 and q>=1"), matches("q=0 and Q>=1"));
    same_places(&["--material", text], &down);
    same_places(&["--material", text, "--swapped"], |p, ply| {
        down(p, ply) || up(p, ply)
    });
    same(&["--material", text, "--min-plies", "12"], |known| {
        let holds: Vec<bool> = (0..)
            .zip(known.positions())
            .map(|(ply, p)| down(p, ply))
            .collect();
        let first = holds
            .windows(12)
            .position(|run| run.iter().all(|holds| *holds));
        first.map(|ply| Some(ply as u64))
    });
}

#[test]
fn everything_combines() {
    let queenless = Pattern::parse("Q=0").unwrap();
    let combined = |known: &Known| {
        let wanted = known.replay.rules() == RuleSystem::Meder
            && known.replay.result() == GameResult::Black
            && known.tag("Date") >= "2005";
        let known_year = known.tag("Date").starts_with("20");
        (wanted && known_year).then(|| known.first(|p, ply| queenless.matches(p, ply)))?
    };
    same(
        &[
            "--rules",
            "meder",
            "--result",
            "0-1",
            "--date",
            "2005..",
            "--pattern",
            "Q=0",
        ],
        |k| combined(k).map(Some),
    );
    same(
        &["--rules", "meder", "result:0-1", "date:2005.. pattern:Q=0"],
        |k| combined(k).map(Some),
    );
    same_games(&["player:dvornik -result:1-0", "--rules", "manual"], |k| {
        k.replay.rules() == RuleSystem::Manual
            && [k.tag("White"), k.tag("Black")]
                .concat()
                .contains("Dvornik")
            && k.replay.result() != GameResult::White
    });
    assert_eq!(
        search(&collection().folder, &["--player", "nobody"]),
        Vec::<Value>::new()
    );
}

#[test]
fn positions_of_variations_are_found_where_they_are_in_the_index() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let game = "[Variant \"meder\"]\n\n1. b4N b5B (1... a6N {here} 2. c3W) 2. d3W *\n";
    fs::write(at.join("v.pgn"), game).unwrap();
    let places = |db: &str, more: &[&str]| {
        let ask = [&["search", "--index", db, "--format", "ndjson"], more].concat();
        let hits = rows(&good(at, &ask));
        let place = |hit: &Value| {
            (
                hit["ply"].as_u64().unwrap(),
                hit["variation"].as_bool().unwrap(),
            )
        };
        hits.iter().map(place).collect::<Vec<_>>()
    };
    good(at, &["index", "v.pgn", "--index", "main"]);
    good(at, &["index", "v.pgn", "--index", "all", "--variations"]);
    let line = ["--moves", "b4N a6N c3W", "--rules", "meder"];
    assert_eq!(places("main", &line), []);
    assert_eq!(places("all", &line), [(3, true)]);
    assert_eq!(
        places("all", &["--moves", "b4N b5B", "--rules", "meder"]),
        [(2, false)]
    );
    assert_eq!(places("main", &["--pattern", "p@a6N"]), []);
    assert_eq!(
        places("main", &["--pattern", "p@a6N", "--variations"]),
        [(2, true)]
    );
    // A match is in the line that has its last ply: what leads to a variation belongs to the variation's line.
    let ask = [
        "--sequence",
        "P to b4N then P to a6N then move",
        "--variations",
    ];
    assert_eq!(places("main", &ask), [(1, true)]);
    assert_eq!(places("main", &ask[..2]), []);
    let ask = [&["search", "--index", "main"], &ask[..]].concat();
    let csv = good(at, &[&ask[..], &["--format", "csv"]].concat());
    assert!(csv.contains(",true,1 2 3\n"), "{csv}");
    let marked = good(at, &[&ask[..], &["--format", "pgn", "--mark"]].concat());
    let marked = marked.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        marked.contains(
            "1. b4N {[%found]} 1... b5B (1... a6N {[%found]} {here} 2. c3W {[%found]}) 2. d3W *"
        ),
        "{marked}"
    );
    let lasts = ["--material", "KQR*B*N*P*:KQR*B*N*P*", "--lasting"];
    let lasts = |plies, more: &[&str]| places("main", &[&lasts[..], &[plies], more].concat());
    assert_eq!(lasts("4", &["--variations"]), [(0, false)]);
    assert_eq!(lasts("5", &["--variations"]), []);
    // What was settled when the index was made is not changed behind anybody's back.
    let output = tridex(at, &["index", "v.pgn", "--index", "main", "--variations"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(complaint(&output).contains("the index has no positions of variations"));
    let written = good(at, &["search", "--index", "all", "--format", "pgn"]);
    assert!(
        written.contains("1. b4N b5B (1... a6N {here} 2. c3W) 2. d3W *"),
        "{written}"
    );
}

#[test]
fn what_is_not_understood_is_shown_with_its_place() {
    let folder = &collection().folder;
    let start = "nbbn/pppp/4/4|4/4/4/4|4/4/PPPP/NBBN|QL@Q1:PP/RQ|KL@K1:PP/KR|ql@Q6:rq/pp|kl@K6:kr/pp w KQkq - - 0 1";
    let cases: [(&[&str], &str); 25] = [
        (
            &["--pattern", "check and N@f9"],
            "\n  check and N@f9\n              ^ expected a place that exists",
        ),
        (
            &["--pattern", "N@c6B n@c6"],
            "the pattern is not understood\n  N@c6B n@c6\n        ^ expected",
        ),
        (
            &["--material", "KQR:KX"],
            "the material is not understood\n  KQR:KX\n       ^ expected",
        ),
        (
            &["player:x (y"],
            "the query is not understood\n  player:x (y\n             ^ expected a closing bracket",
        ),
        (
            &["colour:white"],
            "  colour:white\n  ^ expected the name of a field such as",
        ),
        (
            &["--date", "2001..20x"],
            "the date is not understood\n  2001..20x\n        ^ expected a date",
        ),
        (
            &["--date", "2003..2001"],
            "the date has a reversed range\n  2003..2001\n  ^ expected the lower bound first, as in 2001..2003",
        ),
        (
            &["--date", " 2003.06 .. 2003.05"],
            "the date has a reversed range\n   2003.06 .. 2003.05\n   ^ expected the lower bound first, as in 2003.05..2003.06",
        ),
        (
            &["--elo", "3000..1000"],
            "the rating has a reversed range\n  3000..1000\n  ^ expected the lower bound first, as in 1000..3000",
        ),
        (
            &["--plies", "40..10"],
            "the length in plies has a reversed range\n  40..10\n  ^ expected the lower bound first, as in 10..40",
        ),
        (
            &["--pattern", "check and ply 40..10"],
            "the pattern has a reversed range\n  check and ply 40..10\n                ^ expected the lower bound first, as in 10..40",
        ),
        (
            &["--material", "KP3..1:K"],
            "the material has a reversed range\n  KP3..1:K\n    ^ expected the lower bound first, as in 1..3",
        ),
        (
            &["player:x elo:3000..1000"],
            "the query has a reversed range\n  player:x elo:3000..1000\n               ^ expected the lower bound first, as in 1000..3000",
        ),
        (
            &["--elo", "high"],
            "the rating is not understood\n  high\n  ^ expected a rating or a range such as 2000..",
        ),
        (
            &["--after", "2001.13"],
            "the date of --after is not understood\n  2001.13\n  ^ expected a date that exists",
        ),
        (
            &["--moves", "b4N b5B c9W a6N"],
            "  b4N b5B c9W a6N\n          ^ expected a legal move",
        ),
        (
            &["--moves", "b4N b4N", "--rules", "meder"],
            "  b4N b4N\n      ^ expected a legal move (meder)",
        ),
        (
            &["--position", "4/4/zz"],
            "the position of --position is not understood\n  4/4/zz\n      ^ expected",
        ),
        (
            &["--position", start, "--rules", "chess3"],
            "under chess3: the position is of the other kind of board, that of meder, manual and federation",
        ),
        (
            &["--plan", start, "--rules", "chess3"],
            "under chess3: the position is of the other kind of board",
        ),
        (
            &["--game", "meder.pgn:999"],
            "there is no game meder.pgn:999 in the index",
        ),
        (
            &["--game", "meder.pgn:1", "--ply", "9999"],
            "expected at most 73 plies, the length of the game, not 9999",
        ),
        (
            &["--rules", "draughts"],
            "the rule systems are meder, manual, federation, millennium, chess3",
        ),
        (
            &["--result", "2-0"],
            "the results are 1-0, 0-1, 1/2-1/2, 0:0, 1/2-0, 0-1/2 and *",
        ),
        (
            &["--swapped"],
            "--swapped needs --position, --moves, --game, --loose, --from-top, --pattern, --layout, --sequence or --material",
        ),
    ];
    for (arguments, told) in cases {
        let output = tridex(folder, &[&["search", "--index", "db"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            complaint(&output).contains(told),
            "{arguments:?}: {}",
            complaint(&output)
        );
        assert!(output.stdout.is_empty());
    }
    // A text that would move the cursor is shown escaped.
    let output = tridex(
        folder,
        &["search", "--index", "db", "--pattern", "N@c6B \u{1b}[2J"],
    );
    assert!(complaint(&output).contains("\\u{1b}[2J"));
    assert!(!complaint(&output).contains('\u{1b}'));
}

#[test]
fn hits_written_as_an_archive_are_the_same_games() {
    let collection = collection();
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.pgn");
    let out = out.to_str().unwrap();
    for (rules, notation) in [
        ("meder", "meder"),
        ("meder", "manual"),
        ("manual", "meder"),
        ("federation", "manual"),
        ("millennium", "chess3"),
        ("chess3", "chess3"),
    ] {
        good(
            &collection.folder,
            &[
                "search",
                "--index",
                "db",
                "--rules",
                rules,
                "--format",
                "pgn",
                "--notation",
                notation,
                "--output",
                out,
            ],
        );
        let validated = rows(&good(
            folder.path(),
            &["validate", "-q", out, "--format", "ndjson"],
        ));
        let of_rules: Vec<&Known> = collection
            .games
            .iter()
            .filter(|known| known.replay.rules().name() == rules)
            .collect();
        assert_eq!(validated.len(), of_rules.len());
        for (row, known) in validated.iter().zip(&of_rules) {
            // Some records end with a move that nobody wrote down.
            let is_cut = known.replay.status() == Status::Warned;
            let status = if is_cut { "warned" } else { "valid" };
            assert_eq!(
                (&row["status"], &row["notation"]),
                (&status.into(), &notation.into()),
                "{row}"
            );
            assert_eq!(
                row["key"],
                format!("{:016x}", known.replay.last().key()),
                "{:?}",
                known.name
            );
            assert_eq!(row["result"], known.replay.result().as_str());
        }
        // Moves, variations, comments and tags are all there: what games are known by is the same.
        good(folder.path(), &["index", out, "--index", rules]);
        let ids = |folder: &Path, db: &str| {
            let hits = rows(&good(
                folder,
                &[
                    "search", "--index", db, "--rules", rules, "--format", "ndjson",
                ],
            ));
            hits.iter()
                .map(|hit| hit["id"].as_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        let (again, before) = (ids(folder.path(), rules), ids(&collection.folder, "db"));
        let same = again.iter().zip(&before).filter(|(a, b)| a == b).count();
        assert_eq!(
            (same, again.len()),
            (before.len(), before.len()),
            "{rules} {notation}"
        );
    }
    // Games of the other board are told.
    let output = tridex(
        &collection.folder,
        &[
            "search",
            "--index",
            "db",
            "--format",
            "pgn",
            "--notation",
            "manual",
        ],
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(
        complaint(&output)
            .contains("game 1 is a chess3 game and cannot be written in this notation")
    );
}

#[test]
fn hits_are_counted_ordered_and_given_in_pages() {
    let folder = &collection().folder;
    let all = search(folder, &["rules:meder"]);
    let count = good(
        folder,
        &["search", "--index", "db", "--count", "rules:meder"],
    );
    assert_eq!(count, format!("{}\n", all.len()));
    let count = [
        "search",
        "--index",
        "db",
        "--count",
        "--format",
        "ndjson",
        "rules:meder",
    ];
    assert_eq!(
        good(folder, &count),
        format!("{{\"games\":{}}}\n", all.len())
    );
    // Pages together are the whole, for questions that are replayed too.
    for question in [&["rules:meder"][..], &["--pattern", "Q=0"]] {
        let all = search(folder, question);
        assert!(all.len() > 20);
        let page = |offset: usize| {
            let offset = offset.to_string();
            search(
                folder,
                &[&["--limit", "7", "--offset", &offset], question].concat(),
            )
        };
        let pages: Vec<Value> = (0..all.len() + 7).step_by(7).flat_map(page).collect();
        assert_eq!(pages, all);
    }
    let ordered = |more: &[&str]| search(folder, &[&["rules:meder"], more].concat());
    let dates = |hits: &[Value]| -> Vec<String> {
        let date = |hit: &Value| hit["date"].as_str().unwrap().to_owned();
        hits.iter()
            .map(date)
            .filter(|date| !date.starts_with('?'))
            .collect()
    };
    let by_date = ordered(&["--sort", "date"]);
    assert!(dates(&by_date).is_sorted() && by_date.len() == all.len());
    let back = ordered(&["--sort", "date", "--reverse"]);
    assert!(dates(&back).is_sorted_by(|a, b| a >= b));
    let page = ordered(&["--sort", "date", "--limit", "5", "--offset", "3"]);
    assert_eq!(page, by_date[3..8]);
    let shown = good(
        folder,
        &[
            "search",
            "--index",
            "db",
            "--limit",
            "1",
            "--pattern",
            "Q=0",
        ],
    );
    // So few games are all looked at before it is known that one is enough.
    assert!(shown.ends_with(" games; --limit shows more\n"), "{shown}");
}

#[test]
fn an_index_is_named_by_a_variable_too() {
    let folder = &collection().folder;
    let run = |name: Option<&str>| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tridex"));
        command.args(["search", "--count"]).current_dir(folder);
        match name {
            Some(name) => command.env("TRIDEX_INDEX", name),
            None => command.env_remove("TRIDEX_INDEX"),
        };
        command.output().unwrap()
    };
    assert_eq!(run(Some("db")).stdout, b"301\n");
    let none = run(None);
    assert_eq!(none.status.code(), Some(2));
    assert!(complaint(&none).contains("no index is named"));
}

/// Where nothing may be written an index can be asked, and whoever wants to write is told why that fails.
#[cfg(unix)]
#[test]
fn an_index_that_may_only_be_read_is_asked() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::copy(SAMPLE, at.join("a.pgn")).unwrap();
    assert_eq!(index(at, &["a.pgn"]), [1, 0, 0, 0, 0, 1]);
    let allow = |path: &Path, mode| fs::set_permissions(path, PermissionsExt::from_mode(mode));
    for file in fs::read_dir(at.join("db")).unwrap() {
        allow(&file.unwrap().path(), 0o444).unwrap();
    }
    allow(&at.join("db"), 0o555).unwrap();
    allow(at, 0o755).unwrap();
    let program = at.join("tridex");
    fs::copy(env!("CARGO_BIN_EXE_tridex"), &program).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = std::process::Command::new(&program);
        command.args(arguments).current_dir(at);
        // Nobody keeps the superuser from writing.
        if fs::write(at.join("db/probe"), b"").is_ok() {
            fs::remove_file(at.join("db/probe")).unwrap();
            command.uid(65_534).gid(65_534);
        }
        command.output().unwrap()
    };
    let found = run(&["search", "--index", "db", "--count"]);
    assert_eq!(
        (found.stdout.as_slice(), complaint(&found).as_str()),
        (&b"1\n"[..], "")
    );
    let written = run(&["index", "a.pgn", "--index", "db"]);
    assert_eq!(written.status.code(), Some(2));
    let told = complaint(&written);
    assert!(
        told.contains("Permission denied") && !told.contains("another process"),
        "{told}"
    );
    allow(&at.join("db"), 0o755).unwrap();
}
