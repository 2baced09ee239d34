//! What a ply costs in each notation: reading the token, finding the move, writing it.
//!
//! Games are random (there are no public archives of these games), made once for each rule system, and every bench
//! asserts that it did the whole work.

use divan::Bencher;
use tridex_notation::resolve::resolve;
use tridex_notation::{Notation, WriteOptions, parse, write};
use tridex_rules::random::Dice;
use tridex_rules::{Move, Position, RuleSystem};

fn main() {
    divan::main();
}

const GAMES: u64 = 200;
const PLIES: usize = 80;

/// Rule system and notation; the unmarked kind leaves check and mate marks away.
const CASES: [(RuleSystem, Notation); 7] = [
    (RuleSystem::Meder, Notation::Meder),
    (RuleSystem::Meder, Notation::Manual),
    (RuleSystem::Manual, Notation::Manual),
    (RuleSystem::Manual, Notation::Meder),
    (RuleSystem::Federation, Notation::Meder),
    (RuleSystem::Millennium, Notation::Millennium),
    (RuleSystem::Chess3, Notation::Chess3),
];

/// Games as moves, with their tokens in a notation.
fn games(rules: RuleSystem, notation: Notation) -> Vec<Vec<(Move, String)>> {
    let mut dice = Dice::new(0x5EED);
    (0..GAMES)
        .map(|_| {
            let mut position = Position::start(rules);
            let mut game = Vec::new();
            for _ in 0..PLIES {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mv = moves[dice.below(moves.len() as u32) as usize];
                let mut text = String::new();
                write(notation, &position, mv, &WriteOptions::default(), &mut text)
                    .expect("the notation fits the rules");
                game.push((mv, text));
                position.play_unchecked(mv);
            }
            game
        })
        .collect()
}

fn plies(games: &[Vec<(Move, String)>]) -> usize {
    games.iter().map(Vec::len).sum()
}

/// Tokens to words.
#[divan::bench(args = CASES)]
fn reads(bencher: Bencher<'_, '_>, (rules, notation): (RuleSystem, Notation)) {
    let games = games(rules, notation);
    let count = plies(&games);
    bencher
        .counter(divan::counter::ItemsCount::new(count))
        .bench(|| {
            let read = games
                .iter()
                .flatten()
                .filter(|(_, text)| parse(notation, text.as_bytes(), None).is_ok())
                .count();
            assert_eq!(read, count);
        });
}

/// Tokens to words to moves, and the moves played.
#[divan::bench(args = CASES)]
fn replays(bencher: Bencher<'_, '_>, (rules, notation): (RuleSystem, Notation)) {
    let games = games(rules, notation);
    let count = plies(&games);
    bencher
        .counter(divan::counter::ItemsCount::new(count))
        .bench_local(|| {
            let mut played = 0;
            for game in &games {
                let mut position = Position::start(rules);
                for (mv, text) in game {
                    let words = parse(notation, text.as_bytes(), None).expect("a word");
                    let found = resolve(&words, &position);
                    assert_eq!(found.as_ref(), Ok(mv));
                    position.play_unchecked(*mv);
                    played += 1;
                }
            }
            assert_eq!(played, count);
        });
}

/// Moves played and written, without marks.
#[divan::bench(args = CASES)]
fn writes(bencher: Bencher<'_, '_>, case: (RuleSystem, Notation)) {
    writes_with(bencher, case, false);
}

/// Moves played and written, with check and mate marks.
#[divan::bench(args = CASES)]
fn writes_marks(bencher: Bencher<'_, '_>, case: (RuleSystem, Notation)) {
    writes_with(bencher, case, true);
}

fn writes_with(bencher: Bencher<'_, '_>, (rules, notation): (RuleSystem, Notation), marks: bool) {
    let games = games(rules, notation);
    let count = plies(&games);
    let options = WriteOptions::default().marks(Some(marks));
    let mut text = String::new();
    bencher
        .counter(divan::counter::ItemsCount::new(count))
        .bench_local(|| {
            let mut written = 0;
            for game in &games {
                let mut position = Position::start(rules);
                for (mv, canonical) in game {
                    text.clear();
                    write(notation, &position, *mv, &options, &mut text).expect("fits");
                    assert!(canonical.starts_with(text.trim_end_matches(['+', '#'])));
                    position.play_unchecked(*mv);
                    written += 1;
                }
            }
            assert_eq!(written, count);
        });
}
