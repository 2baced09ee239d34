//! Picks a legal move by a random number, with weights, without listing all moves.

use crate::engine::Game;
use crate::facts::Arrival;
use crate::moves::{Move, MoveList};
use crate::piece::Role;
use crate::rules::Rules;
use std::ops::ControlFlow;
use tridex_geometry::stair::Layout;
use tridex_geometry::{Square, SquareSet, cube};

/// SplitMix64: a sequence of numbers determined by a seed.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The sequence for a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The sequence for game number `index` of a seed. It does not depend on the other games, so games can be made in
    /// any order.
    ///
    /// ```
    /// use tridex_rules::random::Dice;
    ///
    /// let (mut dice, mut same) = (Dice::nth(7, 3), Dice::nth(7, 3));
    /// assert_eq!(dice.next_number(), same.next_number());
    /// assert!(dice.below(6) < 6);
    /// let _ = dice.one_in(6);
    /// ```
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

    /// True with a probability of 1 in `sides`.
    pub const fn one_in(&mut self, sides: u32) -> bool {
        self.below(sides) == 0
    }
}

/// The weight of a move that [`weight_of_pawn`] and the constants below do not cover.
pub(crate) fn weight_of_special(m: Move) -> u32 {
    match m {
        Move::EnPassant { .. } | Move::Castle(_) => 120,
        Move::Board {
            promotion: Some(_), ..
        } => 30,
        Move::Board { turned: true, .. } => 6,
        Move::Board { .. } | Move::Piece { .. } => 2,
        Move::Pass => 0,
    }
}

/// The weight of a pawn's move without promotion.
pub(crate) fn weight_of_pawn(
    layout: Option<&Layout>,
    from: Square,
    to: Square,
    captures: bool,
) -> u32 {
    if captures {
        return 16;
    }
    let rank = |square| match layout {
        Some(layout) => layout.column(square).rank(),
        None => cube::rank(square),
    };
    let gained = usize::from(rank(from).abs_diff(rank(to)));
    // Pawns that advance meet other pawns, and bring the boards that carry them forward.
    [2, 10, 16][gained.min(2)]
}

/// What a pawn can become, in the order of moves, with the weights.
const PROMOTED: [(Role, u32); 4] = [
    (Role::Knight, 8),
    (Role::Bishop, 8),
    (Role::Rook, 8),
    (Role::Queen, 24),
];

/// The weights of other moves of pieces: captures and quiet moves.
const CAPTURE: u32 = 8;
const QUIET: u32 = 4;

/// Picks random legal moves.
///
/// Which move a number picks depends on the order of moves. Nothing is sorted for that, and few moves are made: for
/// each piece, in the order of squares, all squares of arrival are found at once.
#[derive(Clone, Debug, Default)]
pub struct Picker {
    pieces: Vec<Goals>,
    specials: MoveList,
}

/// The squares that a piece can go to, and the weight of all its moves.
#[derive(Clone, Copy, Debug)]
struct Goals {
    role: Role,
    from: Square,
    targets: SquareSet<3>,
    weight: u32,
}

impl<const W: usize, R: Rules<W>> Game<W, R> {
    /// Passes every move of a piece with its weight to a function, in order, until that returns a break.
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

    /// The sum of the weights of all moves of a piece.
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
    /// A new picker. It can be used for any number of positions.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
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
