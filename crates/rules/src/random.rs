//! Random legal games, the same for ever from the same seed.
//!
//! Moves are weighted so that what is rare in play is not rare here: castling, en passant, promotion, boards that move
//! and turn. The numbers come from SplitMix64, so no library can change them.

use crate::moves::{Move, MoveList};
use crate::outcome::Outcome;
use crate::piece::Role;
use crate::position::{Position, RuleSystem};
use tridex_geometry::{Square, cube};

/// SplitMix64: a sequence of numbers from a seed.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The sequence of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The sequence of the `index`-th game of a seed, independent of all others, so that games can be made in any
    /// order.
    #[must_use]
    pub const fn nth(seed: u64, index: u64) -> Self {
        let mut first = Self(seed ^ index.wrapping_mul(0xD1B5_4A32_D192_ED03));
        Self(first.next_number())
    }

    /// The next 64 bits.
    pub const fn next_number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = self.0;
        let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number below `sides`, or 0 if `sides` is 0.
    pub const fn below(&mut self, sides: u32) -> u32 {
        (((self.next_number() >> 32) * sides as u64) >> 32) as u32
    }

    /// True once in `sides` times.
    pub const fn one_in(&mut self, sides: u32) -> bool {
        self.below(sides) == 0
    }
}

/// How likely a move is to be picked, beside the others.
fn weight(position: &Position, m: Move) -> u32 {
    match m {
        Move::EnPassant { .. } | Move::Castle(_) => 120,
        Move::Board {
            promotion: Some(_), ..
        } => 30,
        Move::Board { turned: true, .. } => 6,
        Move::Board { .. } => 2,
        Move::Piece {
            promotion: Some(role),
            ..
        } => {
            if role == Role::Queen {
                24
            } else {
                8
            }
        }
        Move::Piece { from, to, .. } => {
            let pawn = position
                .piece_at(from)
                .is_some_and(|piece| piece.role == Role::Pawn);
            match (pawn, position.is_capture(m)) {
                (true, true) => 16,
                // Pawns that go forward meet other pawns, and boards that carry them get somewhere.
                (true, false) => [2, 10, 16][ranks_gained(position, from, to).min(2)],
                (false, true) => 8,
                (false, false) => 4,
            }
        }
    }
}

fn ranks_gained(position: &Position, from: Square, to: Square) -> usize {
    let rank = |square| match position.layout() {
        Some(layout) => layout.column(square).rank(),
        None => cube::rank(square),
    };
    rank(from).abs_diff(rank(to)).into()
}

/// Picks one of the legal moves, or none if there is none. The list is scratch space.
pub fn pick(position: &Position, dice: &mut Dice, moves: &mut MoveList) -> Option<Move> {
    position.legal_moves_into(moves);
    // Listing order is the generator's own business, the order of moves is not.
    moves.sort_unstable();
    let total = moves.iter().map(|m| weight(position, *m)).sum();
    let mut left = dice.below(total);
    moves.iter().copied().find(|m| {
        let own = weight(position, *m);
        let here = left < own;
        left = left.saturating_sub(own);
        here
    })
}

/// A legal game: its moves from the start position, until it is over or has `plies` of them.
#[must_use]
pub fn game(rules: RuleSystem, dice: &mut Dice, plies: usize) -> Vec<Move> {
    let mut position = Position::start(rules);
    let mut moves = MoveList::new();
    let mut game = Vec::with_capacity(plies);
    let mut keys = vec![position.key()];
    while game.len() < plies && !position.is_dead() {
        let Some(m) = pick(&position, dice, &mut moves) else {
            break;
        };
        position.play_unchecked(m);
        game.push(m);
        let key = position.key();
        keys.push(key);
        if rules.repetition_ends() && keys.iter().filter(|other| **other == key).count() >= 3 {
            break;
        }
    }
    game
}

/// How a finished game ended by the rules, if it did.
#[must_use]
pub fn outcome(rules: RuleSystem, game: &[Move]) -> Option<Outcome> {
    let mut position = Position::start(rules);
    for m in game {
        position.play_unchecked(*m);
    }
    position.outcome()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_legal_and_the_special_moves_occur_in_them() {
        for rules in RuleSystem::ALL {
            let mut seen = [0; 4];
            for index in 0..200 {
                let mut dice = Dice::nth(1, index);
                let mut position = Position::start(*rules);
                for m in game(*rules, &mut dice, 120) {
                    assert!(position.is_legal(m), "{} {m:?}", rules.name());
                    seen[0] += usize::from(matches!(m, Move::Castle(_)));
                    seen[1] += usize::from(matches!(m, Move::EnPassant { .. }));
                    seen[2] += usize::from(m.promotion().is_some());
                    seen[3] += usize::from(matches!(m, Move::Board { .. }));
                    position.play_unchecked(m);
                }
            }
            let has_castling = *rules != RuleSystem::Manual;
            let has_boards = position_has_boards(*rules);
            assert_eq!(seen[0] > 0, has_castling, "{} castles", rules.name());
            assert!(seen[1] > 0, "{} takes en passant", rules.name());
            assert!(seen[2] > 0, "{} promotes", rules.name());
            assert_eq!(seen[3] > 0, has_boards, "{} moves boards", rules.name());
        }
    }

    fn position_has_boards(rules: RuleSystem) -> bool {
        rules.start().layout.is_some()
    }

    #[test]
    fn the_numbers_never_change() {
        let mut dice = Dice::nth(1, 2);
        assert_eq!(
            [dice.below(1000), dice.below(1000), dice.below(1000)],
            [964, 990, 908]
        );
    }
}
