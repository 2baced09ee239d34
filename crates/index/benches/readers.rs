//! Asks an index in a loop while another process writes it. Run with
//!
//! ```text
//! cargo bench -p tridex-index --bench readers -- 200000
//! ```
//!
//! The number is the number of games, two thousand without it. The other process puts the games in, then drops
//! half of them, which makes it merge. Here the index is opened again and again meanwhile: it must hold the first games,
//! as many as some commit left, and every query must be answered from just these; what was opened before must still
//! to answer as it did. The answers are known from the games alone.

use rayon::prelude::*;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;
use tridex_index::{
    GameEntry, GameIndex, IndexError, IndexOptions, PositionMatch, PositionQuery, Query,
    SearchOptions, TextField, Writer, verify,
};
use tridex_rules::random::{self, Dice};
use tridex_rules::{Position, RuleSystem};

const RULES: RuleSystem = RuleSystem::Meder;
const SOURCE: &str = "games.pgn";
/// How many players there are, who play in turn.
const PLAYERS: u32 = 97;
/// How many positions are searched.
const WANTED: u32 = 40;

/// The game of a number: always the same.
fn game(number: u32) -> GameEntry {
    let moves = random::game(RULES, &mut Dice::nth(5, number.into()), 60);
    let mut entry = GameEntry::new(number, RULES, moves);
    let white = format!("Player {}", number % PLAYERS);
    entry.tags.push(("White".to_owned(), white));
    entry
}

/// Puts the games into an index, then drops the second half of them.
fn write(root: &Path, games: u32) -> Result<(), IndexError> {
    for last in [games, games / 2] {
        let options =
            IndexOptions::default().commit_positions((u64::from(games) * 5).min(3_000_000));
        let mut writer = Writer::open(root, options)?;
        writer.begin_source(SOURCE)?;
        let mut first = 1;
        while first <= last {
            let next = (first + 2_000).min(last + 1);
            let some: Vec<_> = (first..next).into_par_iter().map(game).collect();
            writer.add_all(&some)?;
            first = next;
        }
        writer.end_source(None);
        writer.finish()?;
    }
    Ok(())
}

/// A position, and the numbers of the games that reach it.
struct Known {
    query: Query,
    games: Vec<u32>,
}

/// Positions a few plies from the start, searched in all games.
fn known(games: u32) -> Vec<Known> {
    let wanted: Vec<Position> = (0..WANTED)
        .map(|i| {
            let moves = game(1 + i * (games / WANTED)).moves;
            let mut position = Position::start(RULES);
            let plies = i as usize % 6;
            for m in moves.iter().take(plies) {
                position.play_unchecked(*m);
            }
            position
        })
        .collect();
    let reach = |number: u32| {
        let mut position = Position::start(RULES);
        let mut reached = vec![false; wanted.len()];
        let moves = game(number).moves;
        for ply in 0..=moves.len() {
            for (reached, wanted) in reached.iter_mut().zip(&wanted) {
                *reached |= position.key() == wanted.key();
            }
            if let Some(m) = moves.get(ply) {
                position.play_unchecked(*m);
            }
        }
        reached
    };
    let reached: Vec<Vec<bool>> = (1..=games).into_par_iter().map(reach).collect();
    let known = |(i, position): (usize, &Position)| Known {
        query: PositionQuery::of_position(position, PositionMatch::Exact).into(),
        games: (1..)
            .zip(&reached)
            .filter(|(_, r)| r[i])
            .map(|(number, _)| number)
            .collect(),
    };
    wanted.iter().enumerate().map(known).collect()
}

/// Asks everything, and compares with what the first games say.
fn ask(index: &GameIndex, known: &[Known], dice: &mut Dice) -> u64 {
    let there = index.games();
    assert_eq!(index.damage(), [], "{there} games");
    let count = |query: &Query| {
        let hits = index
            .search(query, &SearchOptions::default())
            .expect("an answer");
        assert!(hits.is_whole && !hits.is_partial && hits.total == hits.hits.len() as u64);
        hits.total
    };
    assert_eq!(count(&Query::All), there);
    let table = index
        .openings(&Position::start(RULES), &Query::All)
        .expect("a table");
    assert_eq!(table.total.games, there);
    assert_eq!(
        table.moves.iter().map(|row| row.results.games).sum::<u64>(),
        there
    );
    for known in known {
        let expected = known
            .games
            .partition_point(|number| u64::from(*number) <= there);
        assert_eq!(count(&known.query), expected as u64, "of {there} games");
    }
    let player = dice.below(PLAYERS);
    let query = Query::text(TextField::White, &format!("=Player {player}"));
    let expected = (1..=there)
        .filter(|n| n % u64::from(PLAYERS) == u64::from(player))
        .count();
    assert_eq!(count(&query), expected as u64, "of {there} games");
    let ids: Vec<_> = index.ids().collect();
    assert_eq!(ids.len() as u64, there);
    for _ in 0..20.min(there) {
        let at = dice.below(ids.len() as u32);
        let found = index.game(ids[at as usize]).expect("a game");
        assert_eq!(found.entry, game(at + 1));
    }
    there
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [mode, root, games] = arguments.as_slice()
        && mode == "child"
    {
        write(Path::new(root), games.parse().expect("a number")).expect("an index");
        return;
    }
    let games = arguments.iter().find_map(|a| a.parse::<u32>().ok());
    let games = games.unwrap_or(2_000);
    let known = known(games);
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("index");
    let writer = Writer::open(&root, IndexOptions::default()).expect("an index");
    writer.finish().expect("an index");
    let started = Instant::now();
    let me = std::env::current_exe().expect("this program");
    let mut child = Command::new(me)
        .arg("child")
        .arg(&root)
        .arg(games.to_string())
        .stdin(Stdio::null())
        .spawn()
        .expect("a process");
    let mut dice = Dice::new(1);
    let mut seen: Vec<u64> = Vec::new();
    let mut before: Option<(GameIndex, u64)> = None;
    let mut rounds = 0;
    loop {
        let ended = child.try_wait().expect("a process");
        let index = GameIndex::open(&root).expect("an index");
        let there = ask(&index, &known, &mut dice);
        if seen.last() != Some(&there) {
            seen.push(there);
        }
        // What was opened some commits ago.
        if let Some((index, there)) = &before {
            assert_eq!(ask(index, &known, &mut dice), *there);
        }
        if rounds % 10 == 0 {
            before = Some((index, there));
        }
        rounds += 1;
        if let Some(status) = ended {
            assert!(status.success());
            break;
        }
    }
    let rise = seen
        .iter()
        .position(|n| *n == u64::from(games))
        .expect("all games at some time");
    assert!(seen[..=rise].is_sorted(), "{seen:?}");
    assert_eq!(seen[rise + 1..], [u64::from(games / 2)], "{seen:?}");
    assert_eq!(verify(&root, |_| {}).expect("an index").faults, []);
    println!(
        "{games} games written and half of them dropped in {:.1} s; searched {rounds} times meanwhile, at {} commits: every \
         answer was that of a commit",
        started.elapsed().as_secs_f64(),
        seen.len()
    );
}
