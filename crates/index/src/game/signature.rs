//! What is known of a whole game without replaying it: enough to leave most games out of most queries about patterns
//! and material.

use tridex_geometry::stair::AttackBoard;
use tridex_rules::{Color, Placement, Role};

/// The kinds of pieces that are counted; kings never change.
pub(crate) const COUNTED: [Role; 5] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
];

/// How many numbers a signature is in an index.
pub(crate) const SIGNATURE_WORDS: usize = 3;

/// Which pins each attack board has stood on, and how many pieces of each kind were on the board at least.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Signature {
    pins: [u32; 4],
    /// By colour and kind; 15 means 15 or more.
    least: [[u8; 5]; 2],
    most: [[u8; 5]; 2],
    /// How many plies were played.
    pub(crate) plies: u32,
}

/// How many pieces of each kind are on a board, by colour.
pub(crate) fn counts(at: &Placement) -> [[u8; 5]; 2] {
    let count = |color, role| at.pieces(color, role).count().min(255) as u8;
    Color::ALL.map(|color| COUNTED.map(|role| count(color, role)))
}

/// A signature that grows with the game.
#[derive(Clone, Debug)]
pub(crate) struct Observer {
    signature: Signature,
    pieces: u32,
}

impl Observer {
    pub(crate) fn new(at: &Placement) -> Self {
        let mut observer = Self {
            signature: Signature {
                pins: [0; 4],
                least: counts(at),
                most: counts(at),
                plies: 0,
            },
            pieces: at.total(),
        };
        observer.see_pins(at);
        observer
    }

    /// Takes note of the position after a move.
    #[inline]
    pub(crate) fn see(&mut self, at: &Placement, kind_changed: bool, board_moved: bool) {
        self.signature.plies += 1;
        // Counts change with a capture or a promotion only.
        if kind_changed || at.total() != self.pieces {
            self.see_pieces(at);
        }
        if board_moved {
            self.see_pins(at);
        }
    }

    fn see_pieces(&mut self, at: &Placement) {
        self.pieces = at.total();
        let Signature { least, most, .. } = &mut self.signature;
        let bounds = least.as_flattened_mut().iter_mut();
        let bounds = bounds.zip(most.as_flattened_mut());
        for ((least, most), count) in bounds.zip(counts(at).as_flattened()) {
            (*least, *most) = (*count.min(least), *count.max(most));
        }
    }

    fn see_pins(&mut self, at: &Placement) {
        if let Some(layout) = at.layout() {
            for board in AttackBoard::ALL {
                self.signature.pins[board as usize] |= 1 << layout.pin(board).index();
            }
        }
    }

    pub(crate) fn finish(self) -> Signature {
        self.signature
    }
}

impl Signature {
    /// The pins a board has stood on, one bit each.
    pub(crate) fn pins(&self, board: AttackBoard) -> u32 {
        self.pins[board as usize]
    }

    /// The least and the greatest number of pieces of a kind; never too narrow.
    pub(crate) fn counts(&self, color: Color, role: Role) -> (u32, u32) {
        let Some(i) = COUNTED.iter().position(|r| *r == role) else {
            return (1, 1);
        };
        let most = self.most[color as usize][i];
        (
            self.least[color as usize][i].into(),
            if most >= 15 { u32::MAX } else { most.into() },
        )
    }

    /// The words of the index: pins, 24 bits a board, of White's boards and of Black's; least counts, four bits each,
    /// White's first.
    pub(crate) fn to_words(self) -> [u64; SIGNATURE_WORDS] {
        let pins = |boards: &[u32]| {
            let words = boards.iter().rev().map(|pins| u64::from(*pins));
            words.fold(0, |word, pins| word << 24 | pins)
        };
        let least = self.least.as_flattened().iter().rev();
        let least = least.fold(0, |word, least| word << 4 | u64::from(*least.min(&15)));
        [pins(&self.pins[..2]), pins(&self.pins[2..]), least]
    }

    /// The signature of its words. The greatest counts are not stored: without a promotion they are those of the start; `most`
    /// has them for the colours of which that is true.
    pub(crate) fn from_words(
        words: &[u64; SIGNATURE_WORDS],
        plies: u32,
        most: [Option<&[u8; 5]>; 2],
    ) -> Self {
        let [white, black, least] = *words;
        let pins = |word: u64, board: u32| (word >> (24 * board)) as u32 & 0xFF_FFFF;
        let count = |i: usize| (least >> (4 * i)) as u8 & 15;
        Self {
            pins: [
                pins(white, 0),
                pins(white, 1),
                pins(black, 0),
                pins(black, 1),
            ],
            least: [0, 5].map(|first| std::array::from_fn(|i| count(first + i))),
            most: most.map(|known| known.copied().unwrap_or([u8::MAX; 5])),
            plies,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::systems;
    use crate::testing::{Dice, random_game};
    use tridex_rules::{Move, RuleSystem};

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
                    observer.see(
                        &at,
                        m.promotion().is_some(),
                        matches!(m, Move::Board { .. }),
                    );
                    note(&at);
                }
                let signature = observer.finish();
                let most = signature.most;
                let kept = Signature::from_words(
                    &signature.to_words(),
                    game.len() as u32,
                    [Some(&most[0]), Some(&most[1])],
                );
                assert_eq!(kept, signature);
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
