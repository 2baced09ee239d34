//! Random legal games, the same for ever from the same seed.
//!
//! Moves are weighted so that what is rare in play is not rare here: castling, en passant, promotion, boards that move
//! and turn. The numbers come from SplitMix64, so no library can change them.

use crate::engine::Game;
use crate::moves::{Move, MoveList};
use crate::outcome::Outcome;
use crate::piece::Role;
use crate::position::{Position, RuleSystem};
use crate::rules::{Arrival, Rules};
use std::ops::ControlFlow;
use tridex_geometry::stair::Layout;
use tridex_geometry::{Square, SquareSet, cube};

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

/// How likely a move that is not a piece's from one square to another is to be picked, beside the others.
fn weight_of_special(m: Move) -> u32 {
    match m {
        Move::EnPassant { .. } | Move::Castle(_) => 120,
        Move::Board {
            promotion: Some(_), ..
        } => 30,
        Move::Board { turned: true, .. } => 6,
        Move::Board { .. } | Move::Piece { .. } => 2,
    }
}

/// How likely a pawn's move is to be picked if nothing is promoted.
fn weight_of_pawn(layout: Option<&Layout>, from: Square, to: Square, captures: bool) -> u32 {
    if captures {
        return 16;
    }
    let rank = |square| match layout {
        Some(layout) => layout.column(square).rank(),
        None => cube::rank(square),
    };
    let gained = usize::from(rank(from).abs_diff(rank(to)));
    // Pawns that go forward meet other pawns, and boards that carry them get somewhere.
    [2, 10, 16][gained.min(2)]
}

/// What a pawn becomes, in the order of moves, and how likely that is.
const PROMOTED: [(Role, u32); 4] = [
    (Role::Knight, 8),
    (Role::Bishop, 8),
    (Role::Rook, 8),
    (Role::Queen, 24),
];

/// What other pieces capture, and what they do else.
const CAPTURE: u32 = 8;
const QUIET: u32 = 4;

/// Picks moves.
///
/// Which move a number picks depends on the order of moves, but nothing is sorted for that and few moves are made: pieces are
/// asked in the order of their squares for all squares that they go to at once.
#[derive(Clone, Debug, Default)]
pub struct Picker {
    pieces: Vec<Goals>,
    specials: MoveList,
}

/// Where a piece goes.
#[derive(Clone, Copy, Debug)]
struct Goals {
    role: Role,
    from: Square,
    targets: SquareSet<3>,
    weight: u32,
}

impl<const W: usize, R: Rules<W>> Game<W, R> {
    /// Hands every move of a piece to a function with its weight, in order, until that breaks off.
    #[inline(always)]
    fn each_weighed(
        &self,
        (role, from, targets): (Role, Square, SquareSet<W>),
        take: &mut impl FnMut(Move, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let occupied = self.state.occupied();
        for to in targets {
            let to_become = |promotion| Move::Piece {
                from,
                to,
                promotion,
            };
            let captures = occupied.contains(to);
            if role != Role::Pawn {
                take(to_become(None), if captures { CAPTURE } else { QUIET })?;
                continue;
            }
            let arrival = R::arrival(&self.state.boards, self.state.turn, to);
            if arrival != Arrival::MustPromote {
                let layout = R::layout(&self.state.boards);
                take(to_become(None), weight_of_pawn(layout, from, to, captures))?;
            }
            if arrival != Arrival::Stays {
                for (role, weight) in PROMOTED {
                    take(to_become(Some(role)), weight)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The weights of all moves of a piece.
    #[inline(always)]
    fn weigh(&self, role: Role, from: Square, targets: SquareSet<W>) -> u32 {
        if role != Role::Pawn {
            let captures = (targets & self.state.occupied()).count();
            return CAPTURE * captures + QUIET * (targets.count() - captures);
        }
        let mut sum = 0;
        let _ = self.each_weighed((role, from, targets), &mut |_, weight| {
            sum += weight;
            ControlFlow::Continue(())
        });
        sum
    }
}

impl Picker {
    /// One that has nothing to pick from yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Picks one of the legal moves, or none if there is none.
    pub fn pick(&mut self, position: &Position, dice: &mut Dice) -> Option<Move> {
        position.pick(self, dice)
    }

    pub(crate) fn pick_of<const W: usize, R: Rules<W>>(
        &mut self,
        game: &Game<W, R>,
        dice: &mut Dice,
    ) -> Option<Move> {
        let (pieces, specials) = (&mut self.pieces, &mut self.specials);
        pieces.clear();
        specials.clear();
        let mut total = 0;
        game.each_piece(|role, from, targets| {
            let weight = game.weigh(role, from, targets);
            total += weight;
            pieces.push(Goals {
                role,
                from,
                targets: targets.resized(),
                weight,
            });
        });
        let _ = game.special_moves(&mut |m| {
            specials.push(m);
            ControlFlow::Continue(())
        });
        specials.sort_unstable();
        total += specials.iter().map(|m| weight_of_special(*m)).sum::<u32>();
        let mut left = dice.below(total);
        for goals in pieces {
            if left >= goals.weight {
                left -= goals.weight;
                continue;
            }
            let mut picked = None;
            let goals = (goals.role, goals.from, goals.targets.resized());
            let _ = game.each_weighed(goals, &mut |m, weight| {
                if left < weight {
                    picked = Some(m);
                    return ControlFlow::Break(());
                }
                left -= weight;
                ControlFlow::Continue(())
            });
            return picked;
        }
        specials.iter().copied().find(|m| {
            let own = weight_of_special(*m);
            let here = left < own;
            left = left.saturating_sub(own);
            here
        })
    }
}

/// A legal game: its moves from the start position, until it is over or has `plies` of them.
#[must_use]
pub fn game(rules: RuleSystem, dice: &mut Dice, plies: usize) -> Vec<Move> {
    let mut game = Vec::with_capacity(plies);
    walk(rules, dice, plies, |position, m| {
        position.play_unchecked(m);
        game.push(m);
    });
    game
}

/// [`game`], with each move handed to a function that plays it. Returns the last position, and whether repetition has ended
/// the game there.
pub fn walk(
    rules: RuleSystem,
    dice: &mut Dice,
    plies: usize,
    mut play: impl FnMut(&mut Position, Move),
) -> (Position, bool) {
    let mut position = Position::start(rules);
    let mut picker = Picker::new();
    let mut keys = vec![position.key()];
    for _ in 0..plies {
        if position.is_dead() {
            break;
        }
        let Some(m) = picker.pick(&position, dice) else {
            break;
        };
        play(&mut position, m);
        if !rules.repetition_ends() {
            continue;
        }
        let key = position.key();
        keys.push(key);
        if keys.iter().filter(|other| **other == key).count() >= 3 {
            return (position, true);
        }
    }
    (position, false)
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

    /// How likely a move is to be picked, told move by move.
    fn weight(position: &Position, m: Move) -> u32 {
        let Move::Piece {
            from,
            to,
            promotion,
        } = m
        else {
            return weight_of_special(m);
        };
        let captures = position.piece_at(to).is_some();
        let pawn = position
            .piece_at(from)
            .is_some_and(|p| p.role == Role::Pawn);
        match (promotion, pawn) {
            (Some(Role::Queen), _) => 24,
            (Some(_), _) => 8,
            (None, true) => weight_of_pawn(position.layout(), from, to, captures),
            (None, false) if captures => 8,
            (None, false) => 4,
        }
    }

    /// The same seed gives the same games for ever: moves are picked as they were at first, from a sorted list of all.
    #[test]
    fn what_is_picked_is_what_a_sorted_list_gives() {
        let mut picker = Picker::new();
        for rules in RuleSystem::ALL {
            for index in 0..60 {
                let mut dice = Dice::nth(3, index);
                let mut position = Position::start(*rules);
                for _ in 0..140 {
                    let mut slow = dice.clone();
                    let mut moves = position.legal_moves();
                    moves.sort_unstable();
                    let total = moves.iter().map(|m| weight(&position, *m)).sum();
                    let mut left = slow.below(total);
                    let expected = moves.iter().copied().find(|m| {
                        let own = weight(&position, *m);
                        let here = left < own;
                        left = left.saturating_sub(own);
                        here
                    });
                    let picked = picker.pick(&position, &mut dice);
                    assert_eq!(picked, expected, "{position:?}");
                    assert_eq!(dice.0, slow.0);
                    let Some(m) = picked else { break };
                    position.play_unchecked(m);
                }
            }
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
