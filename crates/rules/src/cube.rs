//! What the rule systems of the cube share: pieces that move by steps in space, castling and pawns of ordinary chess.

use crate::explain::{self, Fault};
use crate::plain::Members;
use crate::state::{Arrival, CastlingFault, CastlingPlan, Rules, State, kind};
use crate::{CastlingSide, Color, Departure, Piece, Role, Setup, SetupError, Target};
use tridex_geometry::cube::{
    self, CubeSet, FLAT_DIRECTIONS, between, flat_reach, is_cut_off, level, offset, rank,
    try_square,
};
use tridex_geometry::stair::Layout;
use tridex_geometry::{Square, SquareSet};

pub(crate) type Cube = State<3, ()>;

/// A step: files, ranks and levels.
pub(crate) type Step = (i8, i8, i8);

/// How the pieces of a system move, as the rule text lists it. Steps of lines are given without signs: every
/// arrangement of signs belongs to the piece. Steps of pawns are White's.
pub(crate) struct Steps {
    pub(crate) bishop: &'static [Step],
    pub(crate) rook: &'static [Step],
    /// One step of an unobstructed pawn; an unmoved one may make two equal ones.
    pub(crate) pawn: &'static [Step],
    pub(crate) pawn_capture: &'static [Step],
}

/// Squares each piece sees on an empty board, computed from [`Steps`].
pub(crate) struct Tables {
    /// By [`kind`]: squares of captures for pawns, lines to the edge of the board for sliders.
    sees: [[CubeSet; cube::SQUARES]; 7],
    /// What any kind sees.
    seen_by_any: [CubeSet; cube::SQUARES],
    /// By colour: one step.
    pawn_steps_to: [[CubeSet; cube::SQUARES]; 2],
    /// By colour: two equal steps.
    pawn_doubles: [[CubeSet; cube::SQUARES]; 2],
    /// By colour: where a pawn can advance from to a square, by one step or two.
    pawn_origins: [[CubeSet; cube::SQUARES]; 2],
    bishop_steps: &'static [Step],
    rook_steps: &'static [Step],
    pub(crate) pawn_steps: &'static [Step],
}

/// All 26 neighbours: the queen's and the king's directions in both systems.
const ALL: &[Step] = &[
    (1, 0, 0),
    (0, 1, 0),
    (0, 0, 1),
    (1, 1, 0),
    (1, 0, 1),
    (0, 1, 1),
    (1, 1, 1),
];

/// All arrangements of two, one and none (seed 002, 2.2; seed 003, The Knight).
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

/// The squares `steps` lead to with all signs, `times` times at most.
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

/// The squares so many equal steps ahead.
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

const fn captures(steps: &[Step], forward: i8) -> [CubeSet; cube::SQUARES] {
    let mut table = [CubeSet::EMPTY; cube::SQUARES];
    let mut i = 0;
    while i < cube::SQUARES {
        let mut s = 0;
        while s < steps.len() {
            let (f, r, l) = steps[s];
            if let Some(to) = offset(Square::new(i as u8), f, r * forward, l) {
                table[i] = add(table[i], to);
            }
            s += 1;
        }
        i += 1;
    }
    table
}

/// The squares one or two equal steps behind each square.
const fn advance_origins(steps: &[Step], forward: i8) -> [CubeSet; cube::SQUARES] {
    let mut table = [CubeSet::EMPTY; cube::SQUARES];
    let mut i = 0;
    while i < cube::SQUARES {
        let mut s = 0;
        while s < steps.len() {
            let (f, r, l) = steps[s];
            let mut at = Square::new(i as u8);
            let mut n = 0;
            while n < 2 {
                match offset(at, -f, -r * forward, -l) {
                    Some(from) => at = from,
                    None => break,
                }
                table[i] = add(table[i], at);
                n += 1;
            }
            s += 1;
        }
        i += 1;
    }
    table
}

impl Tables {
    pub(crate) const fn new(steps: &Steps) -> Self {
        Self {
            sees: [
                captures(steps.pawn_capture, 1),
                seen(KNIGHT, 1),
                seen(steps.bishop, 7),
                seen(steps.rook, 7),
                seen(ALL, 7),
                seen(ALL, 1),
                captures(steps.pawn_capture, -1),
            ],
            seen_by_any: both(&seen(KNIGHT, 1), &seen(ALL, 7)),
            pawn_steps_to: [multiples(steps.pawn, 1, 1), multiples(steps.pawn, -1, 1)],
            pawn_doubles: [multiples(steps.pawn, 1, 2), multiples(steps.pawn, -1, 2)],
            pawn_origins: [
                advance_origins(steps.pawn, 1),
                advance_origins(steps.pawn, -1),
            ],
            bishop_steps: steps.bishop,
            rook_steps: steps.rook,
            pawn_steps: steps.pawn,
        }
    }

    /// Squares a piece sees on an empty board.
    #[inline(always)]
    pub(crate) fn sees(&self, color: Color, role: Role, from: Square) -> &CubeSet {
        &self.sees[kind(color, role)][from.index()]
    }

    #[inline(always)]
    pub(crate) fn attacks(
        &self,
        state: &Cube,
        color: Color,
        role: Role,
        from: Square,
        to: Square,
    ) -> bool {
        self.sees(color, role, from).contains(to)
            && (!role.is_slider() || !is_cut_off(from, to, state.occupied()))
    }

    #[inline(always)]
    pub(crate) fn reaches(
        &self,
        state: &Cube,
        color: Color,
        role: Role,
        from: Square,
        to: Square,
    ) -> bool {
        if role == Role::Pawn && !state.occupied().contains(to) {
            return self.pawn_steps_to[color as usize][from.index()].contains(to)
                || state.unmoved.contains(from)
                    && self.pawn_doubles[color as usize][from.index()].contains(to)
                    && !is_cut_off(from, to, state.occupied());
        }
        self.attacks(state, color, role, from, to)
    }

    pub(crate) fn destinations(
        &self,
        state: &Cube,
        color: Color,
        role: Role,
        from: Square,
    ) -> CubeSet {
        let own = state.colors[color as usize];
        let steps = match role {
            Role::Pawn => {
                let enemies = state.colors[color.other() as usize];
                let captures = *self.sees(color, role, from) & enemies;
                return captures | self.advances(state, color, from);
            }
            Role::Knight | Role::King => return self.sees(color, role, from).minus(own),
            Role::Bishop => self.bishop_steps,
            Role::Rook => self.rook_steps,
            Role::Queen => ALL,
        };
        let occupied = state.occupied();
        let mut found = CubeSet::EMPTY;
        for step in steps {
            if step.2 == 0 {
                // Lines inside the level: every direction of this kind, orthogonal or diagonal.
                let diagonal = step.0 != 0 && step.1 != 0;
                for (d, (f, r)) in FLAT_DIRECTIONS.iter().enumerate() {
                    let of_kind = if diagonal {
                        *f != 0 && *r != 0
                    } else {
                        step.0 == f.abs() && step.1 == r.abs()
                    };
                    if of_kind {
                        found |= flat_reach(from, d, occupied);
                    }
                }
                continue;
            }
            for signs in 0..8 {
                // A sign on nothing repeats a direction that has been walked.
                let repeats = step.0 == 0 && signs & 1 != 0 || step.1 == 0 && signs & 2 != 0;
                let (f, r, l) = signed(*step, signs);
                let mut next = if repeats { None } else { offset(from, f, r, l) };
                while let Some(to) = next {
                    found.insert(to);
                    next = if occupied.contains(to) {
                        None
                    } else {
                        offset(to, f, r, l)
                    };
                }
            }
        }
        found.minus(own)
    }

    /// Pieces that see a square on an empty board; all pawns if it is empty.
    #[inline]
    fn origins(&self, state: &Cube, color: Color, role: Role, to: Square) -> CubeSet {
        let pieces = state.pieces(color, role);
        match role {
            // A pawn captures from where a pawn of the other colour would capture it.
            Role::Pawn if state.occupied().contains(to) => {
                pieces & *self.sees(color.other(), role, to)
            }
            Role::Pawn => pieces & self.pawn_origins[color as usize][to.index()],
            _ => pieces & *self.sees(color, role, to),
        }
    }

    /// One step onto an empty square, or two equal ones over an empty square by an unmoved pawn.
    fn advances(&self, state: &Cube, color: Color, from: Square) -> CubeSet {
        let vacant = !state.occupied();
        let mut found = CubeSet::EMPTY;
        for (f, r, l) in self.pawn_steps {
            let r = r * color.forward();
            let Some(one) = offset(from, *f, r, *l).filter(|to| vacant.contains(*to)) else {
                continue;
            };
            found.insert(one);
            if state.unmoved.contains(from)
                && let Some(two) = offset(one, *f, r, *l).filter(|to| vacant.contains(*to))
            {
                found.insert(two);
            }
        }
        found
    }

    /// The square a pawn crossed in gaining two ranks: halfway, also in height (Q2). The pawn started on its home level.
    pub(crate) fn crossed(&self, state: &Cube, victim: Square, color: Color) -> CubeSet {
        let levels = level(victim) as i8 - home_level(color) as i8;
        let double = self
            .pawn_steps
            .iter()
            .any(|(f, r, l)| *f == 0 && *r == 1 && (2 * l).abs() == levels.abs());
        let back = -color.forward();
        let origin = offset(victim, 0, 2 * back, -levels);
        if !double || origin.is_none_or(|o| rank(o) != start_rank(color)) {
            return CubeSet::EMPTY;
        }
        offset(victim, 0, back, -levels / 2)
            .map_or(CubeSet::EMPTY, CubeSet::of)
            .minus(state.occupied())
    }

    /// Whether a slider of `by` has `from` between itself and `target`.
    #[inline(always)]
    pub(crate) fn may_uncover(
        &self,
        state: &Cube,
        from: Square,
        target: Square,
        by: Color,
    ) -> bool {
        // This answers nearly always.
        self.sees[Role::Queen as usize][from.index()].contains(target)
            && !is_cut_off(from, target, state.occupied())
            && self.has_slider_behind(state, from, target, by)
    }

    #[inline(never)]
    fn has_slider_behind(&self, state: &Cube, from: Square, target: Square, by: Color) -> bool {
        let of = |role: Role| state.roles[role as usize] & *self.sees(by, role, target);
        let sliders =
            state.colors[by as usize] & (of(Role::Bishop) | of(Role::Rook) | of(Role::Queen));
        sliders
            .into_iter()
            .any(|slider| between(slider, target).is_some_and(|passed| passed.contains(from)))
    }

    /// [`Tables::origins`] of the side to move that agree with what is written of the departure.
    #[inline(always)]
    fn plain_origins(
        &self,
        state: &Cube,
        role: Role,
        to: Square,
        captures: bool,
        from: Departure,
    ) -> CubeSet {
        let color = state.turn;
        let seen = if role == Role::Pawn && !captures {
            &self.pawn_origins[color as usize][to.index()]
        } else {
            self.sees(color.other(), role, to)
        };
        let mut found = *seen & state.pieces(color, role);
        let flat = FILES_OF.of(from.file) & RANKS_OF.of(from.rank);
        for (level, word) in (0..).zip(&mut found.0) {
            let named = from.level == Departure::ANY || from.level == level;
            *word &= if named { flat } else { 0 };
        }
        found
    }
}

static FILES_OF: Members = Members::new(8, 1, 8, 8);
static RANKS_OF: Members = Members::new(8, 8, 8, 1);

/// Whether an advance gained two ranks; a vertical double step is not answered en passant (Q2).
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

const fn home_rank(color: Color) -> u8 {
    match color {
        Color::White => 0,
        Color::Black => 7,
    }
}

const fn start_rank(color: Color) -> u8 {
    match color {
        Color::White => 1,
        Color::Black => 6,
    }
}

/// A square of a side's home level and home rank.
///
/// # Panics
/// At compile time, if there is no such file.
const fn home(color: Color, file: u8) -> Square {
    match try_square(home_level(color), file, home_rank(color)) {
        Some(square) => square,
        None => panic!("not a file"),
    }
}

/// Homes of king and rook for `K Q k q`.
pub(crate) const HOMES: [(Square, Square); 4] = [
    (home(Color::White, 4), home(Color::White, 7)),
    (home(Color::White, 4), home(Color::White, 0)),
    (home(Color::Black, 4), home(Color::Black, 7)),
    (home(Color::Black, 4), home(Color::Black, 0)),
];

/// `R N B Q K B N R` from file a on the home level, pawns before them (seed 002, Figure 1).
pub(crate) fn start() -> Setup {
    const ROW: [Role; 8] = [
        Role::Rook,
        Role::Knight,
        Role::Bishop,
        Role::Queen,
        Role::King,
        Role::Bishop,
        Role::Knight,
        Role::Rook,
    ];
    let mut setup = Setup::empty(None);
    for color in Color::ALL {
        for (file, role) in (0..).zip(ROW) {
            setup.set_piece(home(color, file), Some(Piece::new(color, role)));
        }
        for pawn in pawn_starts(color) {
            setup.set_piece(pawn, Some(Piece::new(color, Role::Pawn)));
        }
    }
    setup.castling = crate::Castling::ALL;
    setup
}

pub(crate) const fn pawn_starts(color: Color) -> CubeSet {
    let mut words = [0; 3];
    words[home_level(color) as usize] = 0xFF << (8 * start_rank(color));
    SquareSet(words)
}

pub(crate) const fn castling_plan(color: Color, side: CastlingSide) -> CastlingPlan {
    let (king_to, rook, rook_to) = match side {
        CastlingSide::King => (6, 7, 5),
        CastlingSide::Queen => (2, 0, 3),
    };
    CastlingPlan {
        king: (home(color, 4), home(color, king_to)),
        rook: (home(color, rook), home(color, rook_to)),
    }
}

/// Castling of ordinary chess on the home level (seed 002, 3.1; ruling Q4).
pub(crate) fn castle<R: Rules<3, Ground = ()>>(
    state: &Cube,
    side: CastlingSide,
) -> Result<(), CastlingFault> {
    let color = state.turn;
    if !state.castling.has(color, side) {
        return Err(CastlingFault::Lost); // [a]
    }
    let plan = castling_plan(color, side);
    let passed = between(plan.king.0, plan.rook.0).unwrap_or(CubeSet::EMPTY);
    if let Some(blocker) = (passed & state.occupied()).first() {
        return Err(CastlingFault::Occupied(blocker)); // [b]
    }
    if state.check {
        return Err(CastlingFault::Attacked(plan.king.0)); // [c]
    }
    let walk = between(plan.king.0, plan.king.1).unwrap_or(CubeSet::EMPTY);
    for square in walk.with(plan.king.1) {
        let attacked = Role::ALL.into_iter().any(|role| {
            let mut pieces = state.pieces(color.other(), role).into_iter();
            pieces.any(|from| R::attacks(state, color.other(), role, from, square))
        });
        if attacked {
            return Err(CastlingFault::Attacked(square)); // [d]
        }
    }
    Ok(())
}

/// Bare kings, or one knight, bishop or rook more: no mate is possible (Q6).
pub(crate) fn is_dead(state: &Cube) -> bool {
    let others = state.occupied().minus(state.roles[Role::King as usize]);
    let helpless = state.roles[Role::Knight as usize]
        | state.roles[Role::Bishop as usize]
        | state.roles[Role::Rook as usize];
    match others.count() {
        0 => true,
        1 => others.meets(helpless),
        _ => false,
    }
}

/// Whether a pawn's move gained a rank.
pub(crate) const fn gains_rank(from: Square, to: Square) -> bool {
    rank(from) != rank(to)
}

/// What a system of the cube says; everything else is common to them.
pub(crate) trait CubeRules: Sized + 'static {
    /// The system's name in the facade.
    const SYSTEM: crate::RuleSystem;
    /// How the pieces move.
    const TABLES: &'static Tables;
    /// Whether a pawn is promoted on a square.
    fn promotes(color: Color, square: Square) -> bool;
    /// Whether a pawn's move starts the count of moves without progress anew.
    fn is_progress(from: Square, to: Square) -> bool;
    /// The article of the system's text that a fault offends against.
    fn article(fault: &Fault) -> &'static str;
}

impl<R: CubeRules> Rules<3> for R {
    type Ground = ();

    const SYSTEM: crate::RuleSystem = R::SYSTEM;
    const CASTLING_HOMES: Option<[(Square, Square); 4]> = Some(HOMES);

    fn start() -> Setup {
        start()
    }

    fn ground(_setup: &Setup) -> Result<(), SetupError> {
        Ok(())
    }

    fn layout(_ground: &()) -> Option<&Layout> {
        None
    }

    fn refresh(_state: &mut Cube) {}

    fn pawn_starts(color: Color) -> CubeSet {
        pawn_starts(color)
    }

    #[inline(always)]
    fn attacks(state: &Cube, color: Color, role: Role, from: Square, to: Square) -> bool {
        R::TABLES.attacks(state, color, role, from, to)
    }

    #[inline(always)]
    fn reaches(state: &Cube, color: Color, role: Role, from: Square, to: Square) -> bool {
        R::TABLES.reaches(state, color, role, from, to)
    }

    fn destinations(state: &Cube, color: Color, role: Role, from: Square) -> CubeSet {
        R::TABLES.destinations(state, color, role, from)
    }

    #[inline(always)]
    fn may_uncover(state: &Cube, from: Square, target: Square, by: Color) -> bool {
        R::TABLES.may_uncover(state, from, target, by)
    }

    #[inline]
    fn near(_state: &Cube, to: Square) -> CubeSet {
        R::TABLES.seen_by_any[to.index()]
    }

    #[inline]
    fn origins(state: &Cube, color: Color, role: Role, to: Square) -> CubeSet {
        R::TABLES.origins(state, color, role, to)
    }

    #[inline(always)]
    fn target(_ground: &(), target: Target) -> Option<Square> {
        match target {
            Target::Square(square) => Some(square),
            Target::OnPin(..) => None,
        }
    }

    #[inline(always)]
    fn plain_origins(
        state: &Cube,
        role: Role,
        to: Square,
        captures: bool,
        from: Departure,
    ) -> CubeSet {
        R::TABLES.plain_origins(state, role, to, captures, from)
    }

    #[inline(always)]
    fn plain_reaches(state: &Cube, role: Role, from: Square, to: Square, captures: bool) -> bool {
        match role {
            Role::Pawn => captures || Self::reaches(state, state.turn, role, from, to),
            _ => !role.is_slider() || !is_cut_off(from, to, state.occupied()),
        }
    }

    fn crossed(state: &Cube, victim: Square, color: Color) -> CubeSet {
        R::TABLES.crossed(state, victim, color)
    }

    fn is_double_step(_state: &Cube, _color: Color, from: Square, to: Square) -> bool {
        gains_two_ranks(from, to)
    }

    fn arrival(_ground: &(), color: Color, square: Square) -> Arrival {
        if R::promotes(color, square) {
            Arrival::MustPromote
        } else {
            Arrival::Stays
        }
    }

    fn castling_plan(color: Color, side: CastlingSide) -> Option<CastlingPlan> {
        Some(castling_plan(color, side))
    }

    fn castle(state: &Cube, side: CastlingSide) -> Result<(), CastlingFault> {
        castle::<R>(state, side)
    }

    fn is_dead(state: &Cube) -> bool {
        is_dead(state)
    }

    fn is_progress(from: Square, to: Square) -> bool {
        R::is_progress(from, to)
    }

    fn why_not(state: &Cube, color: Color, role: Role, from: Square, to: Square) -> Fault {
        explain::cube::way(R::TABLES, state, color, role, from, to)
    }

    fn article(fault: &Fault) -> &'static str {
        R::article(fault)
    }
}
