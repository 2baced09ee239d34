//! `convert --sort` and `--split`: nothing is lost, and everything is where it belongs.

use crate::program::fed;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tridex_core::replay::Options;
use tridex_core::{Games, ReplayedGame};

fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = fed(folder, arguments, b"");
    let [out, told] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    (output.status.code(), out, told)
}

#[track_caller]
fn good(folder: &Path, arguments: &str) -> String {
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let (code, out, told) = run(folder, &arguments);
    assert_eq!(code, Some(0), "{arguments:?}: {told}");
    out
}

/// The games of a PGN text, each with the empty lines after its tags and after it.
fn texts(pgn: &str) -> Vec<String> {
    let mut games: Vec<String> = Vec::new();
    for part in pgn.split_inclusive("\n\n") {
        match games.last_mut() {
            Some(last) if !part.starts_with("[Event ") => last.push_str(part),
            _ => games.push(part.to_owned()),
        }
    }
    games
}

fn tag(text: &str, name: &str) -> Option<String> {
    let start = format!("[{name} \"");
    let line = text.lines().find_map(|line| line.strip_prefix(&start))?;
    let value = line.strip_suffix("\"]")?;
    Some(value.to_owned()).filter(|value| !value.starts_with('?') && !value.is_empty())
}

fn collection(at: &Path) -> String {
    for (rules, seed) in [("meder", 1), ("manual", 2), ("millennium", 3)] {
        let ask = format!("generate --rules {rules} --games 70 --seed {seed} --annotated");
        fs::write(at.join(format!("{rules}.pgn")), good(at, &ask)).unwrap();
    }
    good(at, "convert meder.pgn manual.pgn millennium.pgn")
}

#[test]
fn sorted_games_are_the_same_in_the_order_of_their_values() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let whole = collection(at);
    let games = texts(&whole);
    assert_eq!(games.len(), 210);
    let plies = |text: &String| -> Option<String> {
        let games = Games::of_text(text.as_str(), Options::default()).unwrap();
        let [game]: [ReplayedGame; 1] = games
            .map(Result::unwrap)
            .collect::<Vec<_>>()
            .try_into()
            .unwrap();
        Some(format!("{:06}", game.replay.moves().len()))
    };
    let fold = |text: String| tridex_core::text::names::fold(&text) + "\0" + &text;
    type Value<'v> = Box<dyn Fn(&String) -> Option<String> + 'v>;
    let orders: [(&str, Value<'_>); 6] = [
        ("white", Box::new(|game| tag(game, "White").map(fold))),
        ("event", Box::new(|game| tag(game, "Event").map(fold))),
        // A date without a day or a month comes after the others: `?` is greater than digits.
        ("date", Box::new(|game| tag(game, "Date"))),
        (
            "round",
            Box::new(|game| {
                let round = tag(game, "Round")?;
                let numbers = round
                    .split('.')
                    .map(|part| Some(format!("{:010}", part.parse::<u32>().ok()?)));
                // Rounds that are not numbers come after them.
                Some(
                    numbers
                        .collect::<Option<String>>()
                        .unwrap_or_else(|| format!("x{round}")),
                )
            }),
        ),
        (
            "result",
            Box::new(|game| {
                let rank = ["1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2"];
                let result = tag(game, "Result").unwrap();
                Some(
                    rank.iter()
                        .position(|other| *other == result)
                        .unwrap_or(9)
                        .to_string(),
                )
            }),
        ),
        ("plies", Box::new(plies)),
    ];
    for (order, value) in orders {
        for reverse in [false, true] {
            let mut expected: Vec<(Option<String>, &String)> =
                games.iter().map(|game| (value(game), game)).collect();
            expected.sort_by(|(one, _), (other, _)| {
                let unknown = one.is_none().cmp(&other.is_none());
                unknown.then(if reverse {
                    other.cmp(one)
                } else {
                    one.cmp(other)
                })
            });
            let expected: String = expected
                .into_iter()
                .map(|(_, game)| game.as_str())
                .collect();
            let reversed = if reverse { " --reverse" } else { "" };
            let ask =
                format!("convert meder.pgn manual.pgn millennium.pgn --sort {order}{reversed}");
            assert!(good(at, &ask) == expected, "{ask}");
        }
    }
    // Other formats, and a file.
    let rows = good(at, "convert meder.pgn --sort plies --format ndjson");
    let lengths = rows.lines().map(|row| row.matches(',').count());
    assert_eq!(lengths.count(), 70);
    good(at, "convert meder.pgn --sort date -o sorted.csv");
    let again = good(at, "convert sorted.csv --sort date");
    assert_eq!(texts(&again).len(), 70);
    good(at, "convert meder.pgn --sort date -o sorted.pgn");
    assert!(good(at, "convert sorted.pgn") == good(at, "convert sorted.pgn --sort date"));
}

#[test]
fn divided_games_are_all_there_in_files_with_safe_names() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let mut whole = collection(at);
    for event in ["cup", "Cup", "../../up", "a/b", "a:b"] {
        let game = format!(
            "[Event \"{event}\"]\n[Site \"?\"]\n[Date \"2001.??.??\"]\n[Round \"?\"]\n[White \"Ada\"]\n[Black \"Ada\"]\n[Result \"*\"]\n[Variant \"meder\"]\n[Notation \"meder\"]\n\n1. b4N *\n\n"
        );
        whole.push_str(&game);
    }
    fs::write(at.join("all.pgn"), &whole).unwrap();
    let games = texts(&whole);
    let files = |stem: &str| -> BTreeMap<String, String> {
        let entries = fs::read_dir(at)
            .unwrap()
            .map(|entry| entry.unwrap().file_name());
        let names = entries.map(|name| name.into_string().unwrap());
        let names = names.filter(|name| name.starts_with(stem));
        names
            .map(|name| {
                let text = fs::read_to_string(at.join(&name)).unwrap();
                (name, text)
            })
            .collect()
    };
    type Values = fn(&str) -> Vec<String>;
    let splits: [(&str, Values); 5] = [
        ("event", |game| {
            vec![tag(game, "Event").unwrap_or_else(|| "unknown".to_owned())]
        }),
        ("site", |game| {
            vec![tag(game, "Site").unwrap_or_else(|| "unknown".to_owned())]
        }),
        ("year", |game| {
            vec![
                tag(game, "Date").map_or_else(|| "unknown".to_owned(), |date| date[..4].to_owned()),
            ]
        }),
        ("system", |game| vec![tag(game, "Variant").unwrap()]),
        ("player", |game| {
            let mut names = ["White", "Black"]
                .map(|side| tag(game, side).unwrap_or_else(|| "unknown".to_owned()))
                .to_vec();
            names.dedup();
            names
        }),
    ];
    for (by, values) in splits {
        let mut expected = BTreeMap::<String, String>::new();
        for game in &games {
            for value in values(game) {
                expected.entry(value).or_default().push_str(game);
            }
        }
        good(
            at,
            &format!("convert all.pgn --split {by} --output by-{by}.pgn"),
        );
        let found = files(&format!("by-{by}-"));
        let mut texts: Vec<&String> = found.values().collect();
        let mut wanted: Vec<&String> = expected.values().collect();
        texts.sort();
        wanted.sort();
        assert!(texts == wanted, "{by}");
        let folded = found.keys().map(|name| name.to_lowercase());
        assert_eq!(
            folded.collect::<std::collections::BTreeSet<_>>().len(),
            expected.len()
        );
        for (value, text) in &expected {
            if value.chars().all(|c| c.is_alphanumeric()) && !value.eq_ignore_ascii_case("cup") {
                assert_eq!(&found[&format!("by-{by}-{value}.pgn")], text);
            }
        }
        assert!(!at.join(format!("by-{by}.pgn")).exists());
    }
    assert!(!at.parent().unwrap().join("up.pgn").exists());
    // Numbers of games, in order, with a sort and a compression.
    good(at, "convert all.pgn --split 50 --sort white -o part.pgn");
    let parts = files("part-");
    assert_eq!(
        parts.keys().map(String::as_str).collect::<Vec<_>>(),
        [
            "part-1.pgn",
            "part-2.pgn",
            "part-3.pgn",
            "part-4.pgn",
            "part-5.pgn"
        ]
    );
    let joined: String = parts.values().map(String::as_str).collect();
    assert!(joined == good(at, "convert all.pgn --sort white"));
    assert_eq!(texts(&parts["part-5.pgn"]).len(), 15);
    good(at, "convert all.pgn --split 100 -o packed.pgn.gz");
    assert!(
        ["1", "2", "3"]
            .iter()
            .all(|n| at.join(format!("packed-{n}.pgn.gz")).exists())
    );
    good(at, "convert all.pgn --split 100 -o sheet.csv");
    for (name, text) in files("sheet-") {
        assert!(text.starts_with("game,no,white,black,"), "{name}");
        good(at, &format!("validate {name} --quiet"));
    }
    // Existing files stay, and then no file is written.
    fs::write(at.join("part-3.pgn"), "mine").unwrap();
    fs::remove_file(at.join("part-1.pgn")).unwrap();
    let ask = ["convert", "all.pgn", "--split", "50", "-o", "part.pgn"];
    let (code, _, told) = run(at, &ask);
    assert_eq!(code, Some(2));
    assert!(
        told.contains("part-2.pgn") && told.contains("--force"),
        "{told}"
    );
    assert!(!at.join("part-1.pgn").exists());
    assert_eq!(fs::read_to_string(at.join("part-3.pgn")).unwrap(), "mine");
    let (code, ..) = run(at, &[&ask[..], &["--force"]].concat());
    assert_eq!(code, Some(0));
    assert_eq!(
        files("part-")
            .values()
            .map(String::as_str)
            .collect::<String>(),
        good(at, "convert all.pgn")
    );
    // What cannot work is refused.
    for (more, told) in [
        ("--split 5", "--output"),
        ("--split 0 -o x.pgn", "from 1"),
        ("--split event -o -", "standard output"),
        ("--split event -o x.html", "HTML"),
        ("--sort date -o x.html", "HTML"),
        ("--reverse", "--sort"),
    ] {
        let arguments: Vec<&str> = ["convert", "all.pgn"]
            .into_iter()
            .chain(more.split(' '))
            .collect();
        let (code, _, stderr) = run(at, &arguments);
        assert_eq!(code, Some(2), "{more}");
        assert!(stderr.contains(told), "{more}: {stderr}");
    }
    // A run that stops writes nothing.
    fs::write(at.join("bad.pgn"), "[Variant \"meder\"]\n\n1. b4N Qe9 *\n").unwrap();
    let (code, ..) = run(
        at,
        &[
            "convert",
            "all.pgn",
            "bad.pgn",
            "--invalid",
            "stop",
            "--split",
            "50",
            "-o",
            "stop.pgn",
        ],
    );
    assert_eq!(code, Some(1));
    assert!(files("stop").is_empty());
}

#[test]
fn a_merged_tree_has_the_counts_of_positions_and_splits_into_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let mut text = String::new();
    // Games that begin alike, one by another order of moves, one that is the beginning of another, and copies.
    for (moves, result) in [
        ("1. a4N a5N 2. b4N b5N", "1-0"),
        ("1. b4N b5N 2. a4N a5N 3. c3W", "0-1"),
        ("1. a4N a5N 2. b4N", "1/2-1/2"),
        ("1. a4N a5N 2. b4N", "*"),
        ("1. a4N a5N 2. b4N", "*"),
        ("", "1-0"),
    ] {
        text.push_str(&format!(
            "[Event \"A  \\\"b\\\" {{c}} [d] \\\\\"]\n[White \"Ö, É\"]\n[Opening \"{moves}\"]\n[Variant \"meder\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n"
        ));
    }
    let start = "4/4/4/4|4/1K2/4/4|4/4/3R/4|QL@Q2:2/2|KL@K1:2/2|ql@Q6:2/k1|kl@K6:2/2 w - - - 0 1";
    text.push_str(&format!(
        "[White \"X\"]\n[Variant \"meder\"]\n[SetUp \"1\"]\n[FEN \"{start}\"]\n\n*\n\n"
    ));
    for rules in ["meder", "chess3"] {
        text.push_str(&good(
            at,
            &format!("generate --rules {rules} --games 90 --seed 4"),
        ));
    }
    fs::write(at.join("all.pgn"), &text).unwrap();
    let sorted = |pgn: &str| {
        let mut games = texts(pgn);
        games.sort();
        games
    };
    good(at, "convert all.pgn --merge-tree -o tree.pgn --quiet");
    let trees = fs::read_to_string(at.join("tree.pgn")).unwrap();
    assert_eq!(texts(&trees).len(), 3);
    let restored = good(at, "convert tree.pgn --split-tree");
    let (restored, expected) = (sorted(&restored), sorted(&good(at, "convert all.pgn")));
    assert_eq!(restored.len(), expected.len());
    for (restored, expected) in restored.iter().zip(&expected) {
        assert!(restored == expected, "{restored}\n{expected}");
    }
    // Also in another notation.
    good(at, "convert tree.pgn -o again.ndjson");
    assert_eq!(
        sorted(&good(at, "convert again.ndjson --split-tree")),
        expected
    );

    let games = Games::of_text(text, Options::default()).unwrap();
    let mut reached = BTreeMap::<(String, u64), u64>::new();
    for game in games {
        let replay = game.unwrap().replay;
        let rules = replay.rules().name().to_owned();
        let mut position = replay.start().clone();
        let mut keys = std::collections::BTreeSet::from([position.key()]);
        for played in replay.moves() {
            position.play(*played).unwrap();
            keys.insert(position.key());
        }
        for key in keys {
            *reached.entry((rules.clone(), key)).or_default() += 1;
        }
    }
    let mut counted = 0;
    for tree in Games::of_text(trees, Options::default()).unwrap() {
        let tree = tree.unwrap();
        assert!(tree.replay.is_whole());
        let rules = tree.replay.rules().name().to_owned();
        let tree = tree.tree();
        let mut rest = vec![(tree.root(), None)];
        while let Some((id, before)) = rest.pop() {
            let node = tree.node(id).unwrap();
            let count = node.comments().find(|text| text.contains(" (+"));
            let count = count.map(|text| text.split(' ').next().unwrap().parse::<u64>().unwrap());
            let now = count.or(before);
            if id != tree.root() {
                let expected = reached[&(rules.clone(), node.position().key())];
                assert_eq!(now, Some(expected));
                counted += 1;
            }
            rest.extend(node.children().map(|child| (child, now)));
        }
    }
    assert!(counted > 5_000);
    // A tree that is too long for one game is divided, and so are many games that end at one position.
    let many = good(at, "generate --rules millennium --games 700 --seed 6");
    let names = (0..9_000)
        .map(|n| format!("[White \"Player {n:0>60}\"]\n[Variant \"meder\"]\n\n1. b4N *\n\n"));
    fs::write(at.join("many.pgn"), many + &names.collect::<String>()).unwrap();
    good(at, "convert many.pgn --merge-tree -o large.pgn --quiet");
    let large = fs::read_to_string(at.join("large.pgn")).unwrap();
    let parts = texts(&large);
    assert!(
        parts.len() > 3
            && parts
                .iter()
                .all(|part| part.len() < 1 << 20 && part.contains("[Part \""))
    );
    let restored = sorted(&good(at, "convert large.pgn --split-tree"));
    assert!(restored == sorted(&good(at, "convert many.pgn")));
    // A game with variations, which no merger has made: each line is a game.
    let played = "[White \"W\"]\n[Variant \"meder\"]\n\n1. b4N! {good} (1. c4N c5N) 1... b5N (1... c5N $2) 2. c3W 1-0\n";
    fs::write(at.join("lines.pgn"), played).unwrap();
    let split = good(at, "convert lines.pgn --split-tree");
    let ends: Vec<&str> = split
        .lines()
        .filter(|line| line.starts_with("1. "))
        .collect();
    assert_eq!(
        ends,
        [
            "1. b4N $1 {good} 1... b5N 2. c3W 1-0",
            "1. b4N $1 {good} 1... c5N $2 *",
            "1. c4N c5N *"
        ]
    );
    let (code, _, told) = run(at, &["convert", "lines.pgn", "--merge-tree"]);
    assert_eq!(code, Some(0));
    assert!(
        told.contains("omits the comments and variations of games (1)"),
        "{told}"
    );
    let (code, _, told) = run(
        at,
        &["convert", "lines.pgn", "--merge-tree", "-o", "tree.csv"],
    );
    assert_eq!(code, Some(2), "{told}");
}
