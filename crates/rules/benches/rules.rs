//! What replaying costs, with answers asserted: finding a move by its square of arrival, playing it, keying it.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use tridex_rules::random::Dice;
use tridex_rules::{
    BoardPattern, Coordinates, Departure, Move, MovePattern, PiecePattern, Position, RuleSystem,
};

fn main() {
    divan::main();
}

/// A hundred random games of 80 plies at most.
fn games(rules: RuleSystem) -> Vec<Vec<Move>> {
    let mut dice = Dice::new(7);
    (0..100)
        .map(|_| {
            let mut position = Position::start(rules);
            let mut game = Vec::new();
            for _ in 0..80 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let m = moves[dice.below(moves.len() as u32) as usize];
                position.play_unchecked(m);
                game.push(m);
            }
            game
        })
        .collect()
}

const SYSTEMS: [&str; 5] = ["meder", "manual", "federation", "millennium", "chess3"];

fn plies(games: &[Vec<Move>]) -> usize {
    games.iter().map(Vec::len).sum()
}

#[divan::bench(args = SYSTEMS)]
fn play(bencher: Bencher<'_, '_>, name: &str) {
    let rules = RuleSystem::from_name(name).unwrap();
    let games = games(rules);
    bencher.counter(ItemsCount::new(plies(&games))).bench(|| {
        for game in &games {
            let mut position = Position::start(rules);
            for m in game {
                position.play_unchecked(*m);
            }
            black_box(&position);
        }
    });
}

#[divan::bench(args = SYSTEMS)]
fn find_and_play(bencher: Bencher<'_, '_>, name: &str) {
    let rules = RuleSystem::from_name(name).unwrap();
    let games = games(rules);
    bencher.counter(ItemsCount::new(plies(&games))).bench(|| {
        for game in &games {
            let mut position = Position::start(rules);
            for m in game {
                let pattern = match *m {
                    Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. } => {
                        MovePattern::Piece(PiecePattern {
                            role: position.piece_at(from).map(|p| p.role),
                            from: Departure::default(),
                            to: Coordinates::of(to, position.layout()),
                            promotion: m.promotion(),
                        })
                    }
                    Move::Board {
                        to,
                        turned,
                        promotion,
                        ..
                    } => MovePattern::Board(BoardPattern {
                        from: None,
                        to,
                        either_surface: false,
                        turned,
                        promotion: promotion.map(|promotion| (None, promotion.role)),
                    }),
                    Move::Castle(side) => MovePattern::Castle(side),
                    Move::Pass => continue,
                };
                assert!(position.moves_like(&pattern).contains(m));
                position.play_unchecked(*m);
            }
        }
    });
}

#[divan::bench(args = SYSTEMS)]
fn play_and_key(bencher: Bencher<'_, '_>, name: &str) {
    let rules = RuleSystem::from_name(name).unwrap();
    let games = games(rules);
    bencher.counter(ItemsCount::new(plies(&games))).bench(|| {
        let mut keys = 0;
        for game in &games {
            let mut position = Position::start(rules);
            for m in game {
                position.play_unchecked(*m);
                keys ^= position.key();
            }
        }
        black_box(keys)
    });
}

#[divan::bench(args = [("meder", 3, 9_128), ("millennium", 2, 9_992)])]
fn perft(bencher: Bencher<'_, '_>, (name, depth, count): (&str, u32, u64)) {
    let start = Position::start(RuleSystem::from_name(name).unwrap());
    bencher
        .counter(ItemsCount::new(count))
        .bench(|| assert_eq!(black_box(&start).perft(depth), count));
}
