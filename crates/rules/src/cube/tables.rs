//! How the pieces of the cube move: tables computed from the steps in space that a rule text lists.

use crate::key::KeyCell;
use crate::piece::{Color, Role};
use crate::state::{BoardPart, State, kind};
use tridex_geometry::cube::{self, CubeSet, between, flat_reach, is_cut_off, level, offset, rank};
use tridex_geometry::stair::{AttackBoard, Pin};
use tridex_geometry::{Square, SquareSet};

impl BoardPart for () {
    #[inline(always)]
    fn key_cell(&self, square: Square) -> KeyCell {
        KeyCell::cube(square)
    }

    fn set_pin(&mut self, _board: AttackBoard, _to: Pin) -> u64 {
        0
    }
}

pub(crate) type Cube = State<3, ()>;

/// A step: files, ranks and levels.
pub(crate) type Step = (i8, i8, i8);

/// How the pieces of a system move, as the rule text lists it. Steps of bishop and rook are listed without signs: the
/// piece may take them with every combination of signs. Steps of pawns are White's.
pub(crate) struct Steps {
    pub(crate) bishop: &'static [Step],
    pub(crate) rook: &'static [Step],
    /// The single steps of a pawn. An unmoved pawn may make two equal ones.
    pub(crate) pawn: &'static [Step],
    pub(crate) pawn_capture: &'static [Step],
}

/// The squares that each piece sees on an empty board, computed from [`Steps`].
pub(crate) struct Tables {
    /// First by [`kind`]: for pawns, the squares they capture on; for sliders, lines to the edge of the board. Then two
    /// rows by colour: the squares from which a pawn can advance to a square, in one step or two.
    pub(crate) sees: [[CubeSet; cube::SQUARES]; 9],
    /// The squares that some kind of piece sees.
    pub(crate) seen_by_any: [CubeSet; cube::SQUARES],
    /// By colour: the squares one step ahead.
    pub(crate) pawn_steps_to: [[CubeSet; cube::SQUARES]; 2],
    /// By colour: the squares two equal steps ahead.
    pub(crate) pawn_doubles: [[CubeSet; cube::SQUARES]; 2],
    pub(crate) pawn_steps: &'static [Step],
}

/// All 26 neighbours, without signs. In both systems these are the directions of queen and king, including straight up
/// and down (ruling king-straight-up).
const ALL: &[Step] = &[
    (1, 0, 0),
    (0, 1, 0),
    (0, 0, 1),
    (1, 1, 0),
    (1, 0, 1),
    (0, 1, 1),
    (1, 1, 1),
];

/// All arrangements of two, one and none (Millennium 2.2; Chess3, The Knight).
const KNIGHT: &[Step] = &[
    (2, 1, 0),
    (1, 2, 0),
    (2, 0, 1),
    (1, 0, 2),
    (0, 2, 1),
    (0, 1, 2),
];

const fn add(set: CubeSet, square: Square) -> CubeSet {
    let mut words = set.0;
    words[square.index() >> 6] |= 1 << (square.index() & 63);
    SquareSet(words)
}

/// The squares reached by repeating one of `steps` up to `times` times, with all signs.
const fn seen(steps: &[Step], times: u8) -> [CubeSet; cube::SQUARES] {
    let mut table = [CubeSet::EMPTY; cube::SQUARES];
    let mut i = 0;
    while i < cube::SQUARES {
        let mut s = 0;
        while s < steps.len() {
            let mut signs = 0;
            while signs < 8 {
                let (f, r, l) = signed(steps[s], signs);
                let mut at = Square::new(i as u8);
                let mut n = 0;
                while n < times {
                    match offset(at, f, r, l) {
                        Some(next) => at = next,
                        None => break,
                    }
                    table[i] = add(table[i], at);
                    n += 1;
                }
                signs += 1;
            }
            s += 1;
        }
        i += 1;
    }
    table
}

const fn both(
    a: &[CubeSet; cube::SQUARES],
    b: &[CubeSet; cube::SQUARES],
) -> [CubeSet; cube::SQUARES] {
    let mut table = *a;
    let mut i = 0;
    while i < cube::SQUARES {
        let mut level = 0;
        while level < 3 {
            table[i].0[level] |= b[i].0[level];
            level += 1;
        }
        i += 1;
    }
    table
}

const fn signed(step: Step, signs: u8) -> Step {
    const fn sign(n: i8, minus: bool) -> i8 {
        if minus { -n } else { n }
    }
    (
        sign(step.0, signs & 1 != 0),
        sign(step.1, signs & 2 != 0),
        sign(step.2, signs & 4 != 0),
    )
}

/// The squares that `times` equal steps lead to.
const fn multiples(steps: &[Step], forward: i8, times: i8) -> [CubeSet; cube::SQUARES] {
    let mut table = [CubeSet::EMPTY; cube::SQUARES];
    let mut i = 0;
    while i < cube::SQUARES {
        let mut s = 0;
        while s < steps.len() {
            let (f, r, l) = steps[s];
            let from = Square::new(i as u8);
            if let Some(to) = offset(from, f * times, r * forward * times, l * times) {
                table[i] = add(table[i], to);
            }
            s += 1;
        }
        i += 1;
    }
    table
}

/// The squares from which one or two equal steps lead to each square.
const fn advance_origins(steps: &[Step], forward: i8) -> [CubeSet; cube::SQUARES] {
    both(
        &multiples(steps, forward, -1),
        &multiples(steps, forward, -2),
    )
}

impl Tables {
    pub(crate) const fn new(steps: &Steps) -> Self {
        Self {
            sees: [
                multiples(steps.pawn_capture, 1, 1),
                seen(KNIGHT, 1),
                seen(steps.bishop, 7),
                seen(steps.rook, 7),
                seen(ALL, 7),
                seen(ALL, 1),
                multiples(steps.pawn_capture, -1, 1),
                advance_origins(steps.pawn, 1),
                advance_origins(steps.pawn, -1),
            ],
            seen_by_any: both(&seen(KNIGHT, 1), &seen(ALL, 7)),
            pawn_steps_to: [multiples(steps.pawn, 1, 1), multiples(steps.pawn, -1, 1)],
            pawn_doubles: [multiples(steps.pawn, 1, 2), multiples(steps.pawn, -1, 2)],
            pawn_steps: steps.pawn,
        }
    }

    /// Squares a piece sees on an empty board.
    #[inline(always)]
    pub(crate) fn sees(&self, color: Color, role: Role, from: Square) -> &CubeSet {
        &self.sees[kind(color, role)][from.index()]
    }

    /// The pieces of one side, of the given kinds, that see a square on an empty board.
    #[inline(always)]
    pub(crate) fn near<const N: usize>(
        &self,
        state: &Cube,
        roles: [Role; N],
        square: Square,
        by: Color,
    ) -> CubeSet {
        let near = roles.into_iter().fold(CubeSet::EMPTY, |near, role| {
            near | *self.sees(by.other(), role, square) & state.roles[role as usize]
        });
        near & state.colors[by as usize]
    }

    /// Reduces the squares that a queen, rook or bishop sees on an empty board to those that it sees on this one. The
    /// first piece on each line is still seen.
    #[inline]
    pub(crate) fn unblocked(
        &self,
        role: Role,
        from: Square,
        seen: CubeSet,
        occupied: CubeSet,
    ) -> CubeSet {
        let home = usize::from(level(from)) % 3;
        let mut found = seen;
        let flat = match role {
            Role::Rook => FLAT_DIRECTIONS_OF[0],
            Role::Bishop => FLAT_DIRECTIONS_OF[1],
            _ => FLAT_DIRECTIONS_OF[2],
        };
        let flat = flat
            .iter()
            .fold(0, |all, d| all | flat_reach(from, *d, occupied).0[home]);
        // Some pieces do not have all of these directions.
        found.0[home] = flat & seen.0[home];
        // Nothing hides a square one level away. A piece on the middle level, halfway, hides a square two levels away.
        if home != 1 {
            let far = 2 - home;
            let at = from.index() as i32 & 63;
            let mut halfway = seen.0[1] & occupied.0[1];
            while halfway != 0 {
                let hidden = 2 * halfway.trailing_zeros() as i32 - at;
                // Past the edge of a level the number is that of a square near the opposite edge, which is never seen
                // from here.
                if (0..64).contains(&hidden) {
                    found.0[far] &= !(1 << hidden);
                }
                halfway &= halfway - 1;
            }
        }
        found
    }

    /// The empty squares that a pawn can advance to: by one step or, if it is unmoved, by two equal steps over an empty
    /// square (ruling two-equal-steps).
    #[inline]
    pub(crate) fn advances(&self, state: &Cube, color: Color, from: Square) -> CubeSet {
        let occupied = state.occupied();
        let mut found = self.pawn_steps_to[color as usize][from.index()].minus(occupied);
        if state.unmoved.contains(from) {
            let doubles = self.pawn_doubles[color as usize][from.index()].minus(occupied);
            for to in doubles {
                if !is_cut_off(from, to, &state.colors) {
                    found.insert(to);
                }
            }
        }
        found
    }

    #[inline(never)]
    pub(crate) fn has_slider_behind(
        &self,
        state: &Cube,
        from: Square,
        target: Square,
        by: Color,
    ) -> bool {
        self.near(state, [Role::Bishop, Role::Rook, Role::Queen], target, by)
            .into_iter()
            .any(|slider| between(slider, target).is_some_and(|passed| passed.contains(from)))
    }
}

/// The indices of the flat directions of a rook, a bishop and a queen.
static FLAT_DIRECTIONS_OF: [&[usize]; 3] =
    [&[0, 1, 4, 5], &[2, 3, 6, 7], &[0, 1, 2, 3, 4, 5, 6, 7]];

/// Whether a pawn's move gained a rank.
pub(crate) const fn gains_rank(from: Square, to: Square) -> bool {
    rank(from) != rank(to)
}

/// Whether an advance gained two ranks. No other advance can be captured en passant (ruling vertical-double-step).
pub(crate) const fn gains_two_ranks(from: Square, to: Square) -> bool {
    rank(from).abs_diff(rank(to)) == 2
}

/// The level a side starts on, `0` for White and `2` for Black.
pub(crate) const fn home_level(color: Color) -> u8 {
    match color {
        Color::White => 0,
        Color::Black => 2,
    }
}

pub(crate) const fn start_rank(color: Color) -> u8 {
    match color {
        Color::White => 1,
        Color::Black => 6,
    }
}
