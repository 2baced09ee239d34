//! What an index costs: to make, on the disk, and to ask.
//!
//! Games are generated (random legal moves, 80 plies at most), for no archive of these games is public. Run with
//!
//! ```text
//! cargo bench -p tridex-index --bench index -- 200000 meder
//! ```
//!
//! The first number is the number of games, the word names the rules, a second number is the seed. Answers are
//! compared with ones that were counted without the index. Without arguments a small index is made and searched, which
//! takes a second.

use rayon::prelude::*;
use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};
use tridex_index::{
    GameEntry, GameIndex, GameResult, IndexOptions, Material, OpeningBook, Pattern, PositionMatch,
    PositionQuery, Query, SearchOptions, TextField, Writer,
};
use tridex_rules::random::{self, Dice};
use tridex_rules::{Color, Outcome, Position, RuleSystem};

const FIRST: [&str; 20] = [
    "James",
    "Leonard",
    "Nyota",
    "Hikaru",
    "Pavel",
    "Montgomery",
    "Christine",
    "Janice",
    "Sarek",
    "Amanda",
    "Andreas",
    "Garry",
    "Charles",
    "Jacqueline",
    "Petra",
    "José",
    "Zoë",
    "Tomáš",
    "Émile",
    "Ingrid",
];
const LAST: [&str; 25] = [
    "Kirk",
    "McCoy",
    "Uhura",
    "Sulu",
    "Chekov",
    "Scott",
    "Chapel",
    "Rand",
    "Grayson",
    "Meder",
    "Bartmess",
    "D'Agostino",
    "Davis",
    "Müller",
    "Novák",
    "Dvořák",
    "Okafor",
    "Lindqvist",
    "Tanaka",
    "Moreau",
    "Rossi",
    "Schnaub",
    "Roth",
    "Franz",
    "Brown",
];

/// A game by chance: rules, seed and number decide everything.
fn generate(rules: RuleSystem, seed: u64, number: u32) -> GameEntry {
    let mut dice = Dice::nth(seed, number.into());
    let moves = random::game(rules, &mut dice, 80);
    let result = match random::outcome(rules, &moves) {
        Some(Outcome::Checkmate {
            winner: Color::White,
        }) => GameResult::White,
        Some(Outcome::Checkmate {
            winner: Color::Black,
        }) => GameResult::Black,
        Some(_) => GameResult::Draw,
        None => [
            GameResult::Unknown,
            GameResult::White,
            GameResult::Black,
            GameResult::Draw,
        ][roll(&mut dice, 4)],
    };
    let name = |dice: &mut Dice| {
        let (last, first) = (LAST[roll(dice, 25)], FIRST[roll(dice, 20)]);
        format!("{last}, {first} {}", roll(dice, 40))
    };
    let mut entry = GameEntry::new(number, rules, moves);
    let tags = [
        ("Event", format!("Generated Open {}", roll(&mut dice, 50))),
        ("Site", "nowhere".to_owned()),
        (
            "Date",
            format!(
                "{}.{:02}.{:02}",
                1990 + roll(&mut dice, 35),
                1 + roll(&mut dice, 12),
                1 + roll(&mut dice, 28)
            ),
        ),
        ("Round", (1 + roll(&mut dice, 11)).to_string()),
        ("White", name(&mut dice)),
        ("Black", name(&mut dice)),
        ("Result", result.as_str().to_owned()),
    ];
    entry.tags = tags.into_iter().map(|(a, b)| (a.to_owned(), b)).collect();
    entry.result = result;
    entry
}

fn roll(dice: &mut Dice, sides: usize) -> usize {
    dice.below(sides as u32) as usize
}

/// The time queries take. Each is run three times and the best counts: what other programs do at the same time is
/// not to be measured.
fn time<T>(name: &str, questions: &[T], mut ask: impl FnMut(&T)) {
    let before = busy();
    let mut times: Vec<Duration> = questions
        .iter()
        .map(|question| {
            let once = |_| {
                let start = Instant::now();
                ask(question);
                start.elapsed()
            };
            (0..ROUNDS).map(once).min().unwrap_or_default()
        })
        .collect();
    let asked = (questions.len() * ROUNDS) as f64;
    let busy = match (before, busy()) {
        // The system counts in hundredths of a second.
        (Some(before), Some(now)) if now - before >= 0.05 => {
            format!("{:.3} ms", (now - before) * 1e3 / asked)
        }
        _ => "-".to_owned(),
    };
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "| {name} | {} | {:.3} ms | {:.3} ms | {:.3} ms | {busy} |",
        times.len(),
        ms(at(0.5)),
        ms(at(0.99)),
        ms(at(1.0))
    );
}

/// How often each query is run.
const ROUNDS: usize = 3;

/// The processor time of this process, where the system reports it: other work on the machine does not count.
fn busy() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |i: usize| fields.get(i)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

/// The seconds of processor time since then, as a remark.
fn since(before: Option<f64>) -> String {
    match (before, busy()) {
        (Some(before), Some(now)) => format!(" ({:.2} s of processor time)", now - before),
        _ => String::new(),
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn folder_size(path: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(path) else {
        return 0;
    };
    entries
        .flatten()
        .map(|entry| match entry.metadata() {
            Ok(meta) if meta.is_dir() => folder_size(&entry.path()),
            Ok(meta) => meta.len(),
            Err(_) => 0,
        })
        .sum()
}

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect();
    let number = |i: usize| {
        arguments
            .iter()
            .filter_map(|a| a.parse::<u64>().ok())
            .nth(i)
    };
    let count = number(0).unwrap_or(500) as u32;
    let seed = number(1).unwrap_or(1);
    let rules = arguments
        .iter()
        .find_map(|a| RuleSystem::from_name(a))
        .unwrap_or(RuleSystem::Meder);

    let started = Instant::now();
    let entries: Vec<GameEntry> = (1..=count)
        .into_par_iter()
        .map(|number| generate(rules, seed, number))
        .collect();
    let plies: usize = entries.iter().map(|e| e.moves.len()).sum();
    println!(
        "{count} generated games of {}, {plies} plies, {} threads ({:.1} s to generate)\n",
        rules.name(),
        rayon::current_num_threads(),
        started.elapsed().as_secs_f64()
    );

    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("index");
    let options = IndexOptions::default().book(Some(std::sync::Arc::new(OpeningBook::bundled())));
    let (started, before) = (Instant::now(), busy());
    let mut writer = Writer::open(&root, options.clone()).expect("an index");
    writer.begin_source("generated.pgn").expect("a source");
    for change in writer.add_all(&entries).expect("games") {
        change.expect("a game");
    }
    writer.end_source(None);
    let summary = writer.finish().expect("a commit");
    let seconds = started.elapsed().as_secs_f64();
    assert_eq!(summary.games, u64::from(count));
    assert_eq!(summary.positions, (plies + entries.len()) as u64);
    let positions = summary.positions as f64;
    println!(
        "built in {seconds:.2} s{}: {:.2} M positions/s, {:.0} games/s",
        since(before),
        positions / seconds / 1e6,
        f64::from(count) / seconds
    );
    let size = folder_size(&root);
    println!(
        "size {:.1} MB: {:.2} bytes a position all in",
        size as f64 / 1e6,
        size as f64 / positions
    );

    let started = Instant::now();
    let mut writer = Writer::open(&root, options).expect("an index");
    writer.begin_source("generated.pgn").expect("a source");
    writer.add_all(&entries).expect("games");
    writer.end_source(None);
    let again = writer.finish().expect("nothing to commit");
    assert_eq!((again.added, again.unchanged), (0, u64::from(count)));
    println!("the same again: {:.2} s", started.elapsed().as_secs_f64());
    one_game(&root, &entries);

    let started = Instant::now();
    let index = GameIndex::open(&root).expect("an index");
    println!("opened in {:.2} ms", ms(started.elapsed()));
    for (name, bytes) in index.sizes() {
        println!("- {name}: {:.2} bytes a position", bytes as f64 / positions);
    }
    ask(&index, &entries, rules, seed);
}

/// What it takes to open an index, add one game and commit.
fn one_game(root: &Path, entries: &[GameEntry]) {
    // In a copy: the index that is searched has to hold what was counted.
    let copy = root.with_extension("copy");
    std::fs::create_dir(&copy).expect("a folder");
    for file in std::fs::read_dir(root).expect("files").flatten() {
        std::fs::copy(file.path(), copy.join(file.file_name())).expect("a copy");
    }
    let mut times: Vec<Duration> = (0..5)
        .map(|i| {
            let started = Instant::now();
            let mut writer = Writer::open(&copy, IndexOptions::default()).expect("an index");
            writer.begin_source(&format!("{i}.pgn")).expect("a source");
            writer.add_all(&entries[i..=i]).expect("a game");
            writer.end_source(None);
            writer.finish().expect("a commit");
            started.elapsed()
        })
        .collect();
    times.sort_unstable();
    println!(
        "one game added: {:.1} ms, at most {:.1} ms\n",
        ms(times[2]),
        ms(times[4])
    );
    std::fs::remove_dir_all(&copy).expect("a folder");
}

fn ask(index: &GameIndex, entries: &[GameEntry], rules: RuleSystem, seed: u64) {
    println!("\n| query | runs | p50 | p99 | worst | processor time |\n|---|---|---|---|---|---|");
    let mut dice = Dice::new(seed ^ 0xA5A5);
    let all = SearchOptions::default().limit(100);
    let total = |query: &Query| index.search(query, &all).expect("an answer").total;

    // Positions from anywhere in a random game, and how often each occurs.
    let mut wanted: Vec<Position> = Vec::new();
    for _ in 0..1_000.min(entries.len()) {
        let game = &entries[roll(&mut dice, entries.len())];
        let mut position = Position::start(rules);
        for m in &game.moves[..roll(&mut dice, game.moves.len() + 1)] {
            position.play_unchecked(*m);
        }
        wanted.push(position);
    }
    let counts = count_positions(entries, rules, &wanted);
    let questions: Vec<(Query, u64)> = wanted
        .iter()
        .map(|p| {
            let query = PositionQuery::of_position(p, PositionMatch::Exact);
            (query.into(), counts[&p.key()])
        })
        .collect();
    let started = Instant::now();
    assert_eq!(total(&questions[0].0), questions[0].1);
    let first = ms(started.elapsed());
    println!("| exact position, the very first | 1 | {first:.3} ms | | | |");
    time("exact position", &questions, |(q, n)| {
        assert_eq!(total(q), *n)
    });
    let loose: Vec<Query> = wanted
        .iter()
        .map(|p| Query::from(PositionQuery::of_position(p, PositionMatch::Loose)))
        .collect();
    time("position, placement only", &loose, |q| {
        assert!(total(q) > 0)
    });
    let plan: Vec<Query> = wanted
        .iter()
        .take(5)
        .map(|p| Query::from(PositionQuery::of_position(p, PositionMatch::FromTop)))
        .collect();
    time("position from the top", &plan, |q| assert!(total(q) > 0));

    let names: Vec<(Query, u64)> = (0..100)
        .map(|_| {
            let name = entries[roll(&mut dice, entries.len())]
                .tag("White")
                .unwrap_or_default()
                .to_owned();
            let n = entries
                .iter()
                .filter(|e| [e.tag("White"), e.tag("Black")].contains(&Some(&name)))
                .count();
            (
                Query::text(TextField::Player, &format!("={name}")),
                n as u64,
            )
        })
        .collect();
    time("player", &names, |(q, n)| assert_eq!(total(q), *n));
    let fuzzy: Vec<Query> = ["spok~", "dagostino~2", "mul*", "novak jose", "tanaka ing*"]
        .map(|w| Query::text(TextField::Player, w))
        .to_vec();
    time("player, fuzzy or beginning", &fuzzy, |q| {
        total(q);
    });
    let both: Vec<Query> = names
        .iter()
        .zip(&questions)
        .map(|((name, _), (position, _))| name.clone().and(position.clone()))
        .collect();
    time("player and position", &both, |q| {
        total(q);
    });
    let dates = ["2001..2003.06", "1999", "..1991"]
        .map(|d| Query::parse(&format!("date:{d}")).expect("a date"));
    time("date", &dates, |q| {
        total(q);
    });

    let (selective, broad) = match rules.family() {
        tridex_geometry::Family::Stair => (
            ["ql@Q1 and KL@K6", "Q>=3", "k@QL2 and q=0"],
            [
                "N@c6",
                "check and ply 10..40",
                "N@c6 and p@b4 and not check",
            ],
        ),
        tridex_geometry::Family::Cube => (
            ["K@3e8 and Q=0", "Q>=3", "k@1e1 and q=0"],
            [
                "N@c6",
                "check and ply 10..40",
                "N@c6 and p@2b4 and not check",
            ],
        ),
    };
    for (name, patterns) in [("selective", selective), ("broad", broad)] {
        for text in patterns {
            let query = [Query::pattern(
                Pattern::parse(text).expect("a pattern"),
                false,
                false,
            )];
            let games = total(&query[0]);
            let name = format!("{name} pattern `{text}`, {games} games");
            time(&name, &query, |q| assert_eq!(total(q), games));
        }
    }
    let material = [
        Query::material(Material::parse("KQR:KRB").expect("a balance"), true),
        Query::material(
            Material::parse("KR*P*:KB*P* for 6").expect("a balance"),
            true,
        ),
    ];
    time("material", &material, |q| {
        total(q);
    });

    let start = [Position::start(rules)];
    time("openings of the start position", &[&start[0]; 10], |p| {
        let table = index.openings(p, &Query::All).expect("a table");
        assert_eq!(table.total.games, entries.len() as u64);
    });
    let deep: Vec<Position> = (0..100)
        .map(|_| {
            let game = &entries[roll(&mut dice, entries.len())];
            let mut position = Position::start(rules);
            for m in game.moves.iter().take(12) {
                position.play_unchecked(*m);
            }
            position
        })
        .collect();
    time("openings at ply 12", &deep, |p| {
        assert!(index.openings(p, &Query::All).expect("a table").total.games > 0);
    });
    let second: Vec<Position> = start[0]
        .legal_moves()
        .into_iter()
        .map(|m| {
            let mut position = start[0].clone();
            position.play_unchecked(m);
            position
        })
        .collect();
    time("openings at ply 1", &second, |p| {
        index.openings(p, &Query::All).expect("a table");
    });
    time(
        "first moves and layouts of the boards",
        &[Query::All],
        |q| {
            index.boards(q).expect("a table");
        },
    );
}

/// In how many games each position occurs, counted by replaying all of them.
fn count_positions(
    entries: &[GameEntry],
    rules: RuleSystem,
    wanted: &[Position],
) -> HashMap<u64, u64> {
    let keys: HashMap<u64, u64> = wanted.iter().map(|p| (p.key(), 0)).collect();
    entries
        .par_chunks(1_000)
        .map(|entries| {
            let mut counts = keys.clone();
            for entry in entries {
                let mut position = Position::start(rules);
                let mut seen = vec![position.key()];
                for m in &entry.moves {
                    position.play_unchecked(*m);
                    seen.push(position.key());
                }
                seen.sort_unstable();
                seen.dedup();
                for key in seen {
                    if let Some(n) = counts.get_mut(&key) {
                        *n += 1;
                    }
                }
            }
            counts
        })
        .reduce(
            || keys.clone(),
            |mut a, b| {
                for (key, n) in b {
                    *a.entry(key).or_default() += n;
                }
                a
            },
        )
}
