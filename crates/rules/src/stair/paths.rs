//! Lines as paths of squares whose tiers never turn back (WTDCF 4.1 to 4.5, ruling tiers-never-turn).

use super::arrangement::{ahead, seen_columns};
use super::board::Stair;
use crate::piece::{Color, Role};
use tridex_geometry::stair::{Column, ColumnSet, Direction, StairSet, between, king_steps, reach};
use tridex_geometry::{Square, SquareSet};

/// The tiers that paths can be on in a column, one bit each: separately for paths that have not gone down and for paths
/// that have not gone up (4.3).
#[derive(Clone, Copy)]
struct Tiers {
    rising: u8,
    falling: u8,
}

impl Tiers {
    const fn starting(tier: u8) -> Self {
        Self {
            rising: 1 << tier,
            falling: 1 << tier,
        }
    }

    const fn all(self) -> u8 {
        self.rising | self.falling
    }

    /// Whether a path can continue to a vacant square of a tier in the next column.
    const fn arrives(self, tier: u8) -> bool {
        let below_or_same = (2 << tier) - 1;
        let above_or_same = 0b111 << tier;
        self.rising & below_or_same != 0 || self.falling & above_or_same != 0
    }

    /// The tiers on which a path can enter the next column: the same or higher ones if it has not gone down, the same
    /// or lower ones if it has not gone up (4.3).
    const fn onward(self) -> u8 {
        let (rising, falling) = (self.rising, self.falling);
        let up = rising | rising << 1 | rising << 2;
        let down = falling | falling >> 1 | falling >> 2;
        up | down
    }

    /// The tiers of paths that enter a column with vacant squares on the tiers `vacant`: only such squares can be
    /// passed (4.2, 4.5).
    const fn entering(self, vacant: u8) -> Self {
        let (rising, falling) = (self.rising, self.falling);
        Self {
            rising: (rising | rising << 1 | rising << 2) & vacant,
            falling: (falling | falling >> 1 | falling >> 2) & vacant,
        }
    }
}

/// The squares of each tier, in the current layout.
#[derive(Clone, Copy)]
struct TierSets([StairSet; 3]);

impl TierSets {
    const fn of(state: &Stair) -> Self {
        Self(state.boards.at.layout.tiers())
    }

    /// The squares of a tier.
    fn of_tier(&self, tier: u8) -> StairSet {
        self.of_tiers(1 << tier)
    }

    /// The squares of several tiers, one bit each.
    #[inline]
    fn of_tiers(&self, tiers: u8) -> StairSet {
        // All bits or none, without a branch.
        let mask = |tier: u8| SquareSet([u64::from(tiers >> tier & 1).wrapping_neg()]);
        let [low, middle, high] = self.0;
        low & mask(0) | middle & mask(1) | high & mask(2)
    }

    /// The tiers on which a set has a square, one bit each.
    #[inline]
    fn tiers_of(&self, squares: StairSet) -> u8 {
        let [low, middle, high] = self.0.map(|tier| u8::from(tier.meets(squares)));
        low | middle << 1 | high << 2
    }

    /// The squares beyond a neighbouring column that a slider reaches by lines over that column. The result is the same
    /// as that of [`is_path`] for each square, but handles all squares of a column at once.
    #[inline]
    fn seen_behind(
        &self,
        state: &Stair,
        from: Column,
        tier: u8,
        neighbour: Column,
        vacant: StairSet,
        enemies: StairSet,
    ) -> StairSet {
        let boards = &state.boards;
        let Some(direction) = Direction::to_neighbour(from, neighbour) else {
            return StairSet::EMPTY;
        };
        // `reach` stops at the first blocker, which is included.
        let mut left = reach(neighbour, direction, boards.blockers);
        let mut tiers = Tiers::starting(tier);
        let mut open = boards.at.stack(neighbour) & vacant;
        let mut seen = StairSet::EMPTY;
        while let Some(column) = if direction.grows() {
            left.first()
        } else {
            left.last()
        } {
            tiers = tiers.entering(self.tiers_of(open));
            if tiers.all() == 0 {
                break;
            }
            let stack = boards.at.stack(column);
            open = stack & vacant;
            // A piece captures only on the tier of the square before (1.3).
            seen |=
                stack & enemies & self.of_tiers(tiers.all()) | open & self.of_tiers(tiers.onward());
            left = left.minus(ColumnSet::of(column));
        }
        seen
    }
}

/// Whether a path joins two squares through the columns in between, none of which blocks: vacant squares whose tiers
/// never turn back (4.3). A capture must be on the tier of the square before (1.3).
#[inline(always)]
pub(crate) fn is_path(state: &Stair, from: Square, to: Square, captures: bool) -> bool {
    let layout = &state.boards.at.layout;
    let (start, end) = (layout.column(from), layout.column(to));
    // Leaps and single steps pass no column.
    let passed = between(start, end).unwrap_or(ColumnSet::EMPTY);
    if passed.is_empty() {
        // The code does not branch on `captures`.
        let differ = layout.tier(from) ^ layout.tier(to);
        return differ & u8::from(captures).wrapping_neg() == 0;
    }
    passes(state, from, to, passed, captures)
}

/// Does the same as [`is_path`] if there are columns between the squares.
#[inline(never)]
fn passes(state: &Stair, from: Square, to: Square, passed: ColumnSet, captures: bool) -> bool {
    let layout = &state.boards.at.layout;
    let sets = TierSets::of(state);
    let open = |column| state.boards.at.stack(column).minus(state.occupied());
    // A path is the same in both directions, so it is followed from the lower column: the branch predictor cannot guess
    // the direction.
    let grows = layout.column(from).index() < layout.column(to).index();
    let (low, high) = if grows { (from, to) } else { (to, from) };
    let mut tiers = Tiers::starting(layout.tier(low));
    for column in passed {
        tiers = tiers.entering(sets.tiers_of(open(column)));
    }
    if !captures {
        return tiers.arrives(layout.tier(high));
    }
    let last = if grows { passed.last() } else { passed.first() };
    let before = last.map_or(SquareSet::EMPTY, open);
    tiers.arrives(layout.tier(high)) && sets.tiers_of(before) & 1 << layout.tier(to) != 0
}

/// WTDCF 3.7.2, ruling crossed-column: one rank ahead to any vacant square; two ranks ahead, if the pawn is unmoved, by
/// a path of two steps.
fn advances(state: &Stair, color: Color, from: Square) -> StairSet {
    let layout = &state.boards.at.layout;
    let Some(first) = ahead(layout.column(from), color, 1) else {
        return StairSet::EMPTY;
    };
    let squares = state.boards.at.stack(first).minus(state.occupied());
    if state.unmoved.contains(from) {
        squares | double_step(state, color, from)
    } else {
        squares
    }
}

/// The squares that an unmoved pawn reaches by a path of two steps.
fn double_step(state: &Stair, color: Color, from: Square) -> StairSet {
    let layout = &state.boards.at.layout;
    let at = layout.column(from);
    let (Some(first), Some(second)) = (ahead(at, color, 1), ahead(at, color, 2)) else {
        return StairSet::EMPTY;
    };
    let sets = TierSets::of(state);
    let vacant = !state.occupied();
    let entered = sets.tiers_of(state.boards.at.stack(first) & vacant);
    let tiers = Tiers::starting(layout.tier(from)).entering(entered);
    state.boards.at.stack(second) & vacant & sets.of_tiers(tiers.onward())
}

/// All squares for which [`Rules::reaches`](crate::rules::Rules::reaches) is true.
pub(crate) fn destinations(state: &Stair, color: Color, role: Role, from: Square) -> StairSet {
    let boards = &state.boards;
    let (at, tier) = (boards.column(from), boards.at.layout.tier(from));
    let enemies = state.colors[color.other() as usize];
    let vacant = !state.occupied();
    let tiers = TierSets::of(state);
    let taken = enemies & tiers.of_tier(tier);
    let seen = boards.at.seen(color, role, at);
    if role == Role::Pawn {
        return advances(state, color, from) | seen & taken;
    }
    if !role.is_slider() {
        return seen & (vacant | taken);
    }
    // A slider moves to adjacent columns as a king does. Its lines continue beyond those that have a vacant square.
    let near = seen & boards.at.seen(color, Role::King, at);
    let open = king_steps(at)
        .and(seen_columns(color, role, at))
        .minus(boards.blockers);
    open.into_iter()
        .fold(near & (vacant | taken), |found, neighbour| {
            found | tiers.seen_behind(state, at, tier, neighbour, vacant, enemies)
        })
}
