//! Dice and random games for tests.

use tridex_rules::{Move, MoveList, Position, RuleSystem};

/// SplitMix64.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        (self.next() % sides as u64) as usize
    }
}

/// A random game of `plies` moves at most.
pub(crate) fn random_game(rules: RuleSystem, plies: usize, dice: &mut Dice) -> Vec<Move> {
    let mut position = Position::start(rules);
    let (mut game, mut moves) = (Vec::new(), MoveList::new());
    for _ in 0..plies {
        position.legal_moves_into(&mut moves);
        if moves.is_empty() {
            break;
        }
        // So that the games do not depend on the order in which moves are listed.
        moves.sort_unstable();
        let m = moves[dice.roll(moves.len())];
        position.play_unchecked(m);
        game.push(m);
    }
    game
}
