//! Dice and random games for tests.

use tridex_rules::random;
use tridex_rules::{Move, RuleSystem};

/// Pseudorandom numbers, always the same for the same seed.
pub(crate) struct Dice(random::Dice);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(random::Dice::new(seed))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.next_number()
    }

    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0.below(sides as u32) as usize
    }
}

/// A random game of at most `plies` plies, in which rare kinds of moves are frequent.
pub(crate) fn random_game(rules: RuleSystem, plies: usize, dice: &mut Dice) -> Vec<Move> {
    random::game(rules, &mut dice.0, plies)
}
