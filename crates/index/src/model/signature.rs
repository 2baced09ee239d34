//! Signatures: facts of a whole game that are known without a replay. They rule out most games for most queries about
//! patterns and material.

use tridex_geometry::stair::AttackBoard;
use tridex_rules::{Color, Placement, Role};

/// The kinds of pieces that are counted. Kings are not: each side always has one.
pub(crate) const COUNTED: [Role; 5] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
];

/// The number of pieces of each kind on a board, by colour.
pub(crate) fn counts(at: &Placement) -> [[u8; 5]; 2] {
    let count = |color, role| at.pieces(color, role).count().min(255) as u8;
    Color::ALL.map(|color| COUNTED.map(|role| count(color, role)))
}

/// Facts of a whole game that are known without a replay.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signature {
    /// See [`Observer::words`](crate::model::board_trail::Observer::words).
    pub(crate) words: [u64; 3],
    /// The greatest counts by colour. They are not stored: without a promotion, they are the counts of the start
    /// position.
    pub(crate) most: [Option<[u8; 5]>; 2],
    /// The number of plies.
    pub(crate) plies: u32,
}

impl Signature {
    /// The pins that a board was on, one bit each.
    pub(crate) fn pins(&self, board: AttackBoard) -> u32 {
        let word = self.words[board as usize / 2];
        (word >> (24 * (board as u32 % 2))) as u32 & 0xFF_FFFF
    }

    /// Bounds for the number of pieces of a kind in all positions of the game: least and greatest. They may be wider
    /// than the truth, never narrower.
    pub(crate) fn counts(&self, color: Color, role: Role) -> (u32, u32) {
        let Some(i) = COUNTED.iter().position(|r| *r == role) else {
            return (1, 1);
        };
        let least = self.words[2] >> (4 * (5 * color as usize + i)) & 15;
        let most = self.most[color as usize].map_or(u8::MAX, |most| most[i]);
        let most = if most >= 15 { u32::MAX } else { most.into() };
        (least as u32, most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::board_trail::Observer;
    use crate::model::systems;
    use crate::testing::{Dice, random_game};
    use tridex_rules::RuleSystem;

    #[test]
    fn a_signature_knows_the_bounds_of_the_whole_game() {
        for rules in RuleSystem::ALL {
            let mut dice = Dice::new(31);
            for _ in 0..20 {
                let mut at = systems::start(systems::code(*rules)).unwrap().board.clone();
                let mut observer = Observer::new(&at);
                let mut pins = [0_u32; 4];
                let mut bounds = [[(u32::MAX, 0_u32); 6]; 2];
                let mut note = |at: &Placement| {
                    for color in Color::ALL {
                        for role in Role::ALL {
                            let n = at.pieces(color, role).count();
                            let bound = &mut bounds[color as usize][role as usize];
                            *bound = (n.min(bound.0), n.max(bound.1));
                        }
                    }
                    for board in AttackBoard::ALL {
                        if let Some(layout) = at.layout() {
                            pins[board as usize] |= 1 << layout.pin(board).index();
                        }
                    }
                };
                note(&at);
                let game = random_game(*rules, 200, &mut dice);
                for m in &game {
                    at.play(*m);
                    observer.see(&at, *m);
                    note(&at);
                }
                let most = bounds.map(|of| {
                    let most = COUNTED.map(|role| of[role as usize].1 as u8);
                    Some(most)
                });
                let kept = Signature {
                    words: observer.words(),
                    most,
                    plies: game.len() as u32,
                };
                assert_eq!(AttackBoard::ALL.map(|board| kept.pins(board)), pins);
                for color in Color::ALL {
                    for role in Role::ALL {
                        let bound = bounds[color as usize][role as usize];
                        assert_eq!(kept.counts(color, role), bound);
                    }
                }
            }
        }
    }
}
