//! What the rule systems of the cube share: pieces that move by steps in space, castling and pawns of ordinary chess.

mod explain;
mod tables;

pub(crate) use tables::{Steps, Tables, gains_rank};

use crate::articles::Subject;
use crate::castling::{Castling, CastlingSquares};
use crate::fault::MoveFault;
use crate::material::Helpless;
use crate::pattern::Departure;
use crate::piece::{Color, Piece, Role};
use crate::rules::{Arrival, CastlingRule, Rules};
use crate::setup::{Setup, SetupError};
use tables::{Cube, gains_two_ranks, home, home_level, home_rank, start_rank};
use tridex_geometry::cube::{CubeSet, between, is_cut_off, level, offset, rank};
use tridex_geometry::stair::Layout;
use tridex_geometry::{Square, SquareSet};

/// `R N B Q K B N R` from file a on the home level, pawns before them (Millennium, Figure 1; Chess3: ruling
/// black-starts-on-top).
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
    setup.castling = Castling::ALL;
    setup
}

/// Squares of a rank of a side's home level, one bit for each file.
const fn on_home_level(color: Color, rank: u8, files: u64) -> CubeSet {
    let mut words = [0; 3];
    words[home_level(color) as usize] = files << (8 * rank);
    SquareSet(words)
}

const fn pawn_starts(color: Color) -> CubeSet {
    on_home_level(color, start_rank(color), 0xFF)
}

/// Castling of ordinary chess on the home level (Millennium 3.1, ruling cube-castling): no piece is between king and
/// rook, and the king passes no square that is attacked.
const fn castlings(color: Color) -> [CastlingRule<3>; 2] {
    const fn rule(color: Color, files: [u8; 3], path: u64, safe: u64) -> CastlingRule<3> {
        let [king, rook, rook_to] = files;
        CastlingRule {
            squares: CastlingSquares {
                king: (home(color, 4), home(color, king)),
                rook: (home(color, rook), home(color, rook_to)),
            },
            path: on_home_level(color, home_rank(color), path),
            safe: on_home_level(color, home_rank(color), safe),
        }
    }
    [
        rule(color, [6, 7, 5], 0b0110_0000, 0b0110_0000),
        rule(color, [2, 0, 3], 0b0000_1110, 0b0000_1100),
    ]
}

/// What differs between the systems of the cube.
pub(crate) trait CubeRules: Clone + PartialEq + 'static {
    /// How the pieces move.
    const TABLES: &'static Tables;
    /// The article about a subject, with the name of the rule text: `Meder 3.1(c)`.
    fn article(subject: Subject) -> &'static str;
    /// The pieces that never mate alone (ruling dead-material).
    const HELPLESS: Helpless;
    /// The squares on which White's pawns are promoted, and Black's.
    const PROMOTION: [CubeSet; 2];
    /// Whether a pawn's move resets the count of moves without progress.
    fn is_progress(from: Square, to: Square) -> bool;
}

impl<R: CubeRules> Rules<3> for R {
    type Boards = ();

    const CASTLINGS: Option<[[CastlingRule<3>; 2]; 2]> =
        Some([castlings(Color::White), castlings(Color::Black)]);
    const CASTLES_FIRST: bool = true;
    const REPETITION_ENDS: bool = false; // Millennium 4.6, ruling claims-are-reported
    const CLAIM_AFTER: Option<u32> = Some(100);
    const HOME: Option<Layout> = None;
    const ARTICLE: fn(Subject) -> &'static str = R::article;
    const HELPLESS: Helpless = R::HELPLESS;
    const PAWN_STARTS: [CubeSet; 2] = [pawn_starts(Color::White), pawn_starts(Color::Black)];
    const PROMOTION_SQUARES: [CubeSet; 2] = R::PROMOTION;

    fn start() -> Setup {
        start()
    }

    fn boards(_setup: &Setup) -> Result<(), SetupError> {
        Ok(())
    }

    fn layout(_boards: &()) -> Option<&Layout> {
        None
    }

    #[inline]
    fn refresh(_state: &mut Cube) {}

    #[inline]
    fn refresh_step(_state: &mut Cube, _from: Square, _to: Square) {}

    fn destinations(state: &Cube, color: Color, role: Role, from: Square) -> CubeSet {
        let seen = *R::TABLES.sees(color, role, from);
        match role {
            Role::Pawn => {
                let enemies = state.colors[color.other() as usize];
                return seen & enemies | R::TABLES.advances(state, color, from);
            }
            Role::Knight | Role::King => {}
            Role::Bishop | Role::Rook | Role::Queen => {
                return R::TABLES
                    .unblocked(role, from, seen, state.occupied())
                    .minus(state.colors[color as usize]);
            }
        }
        seen.minus(state.colors[color as usize])
    }

    #[inline(always)]
    fn may_uncover(state: &Cube, from: Square, target: Square, by: Color) -> bool {
        // This answers nearly always.
        R::TABLES.sees[Role::Queen as usize][target.index()].contains(from)
            && !is_cut_off(from, target, &state.colors)
            && R::TABLES.has_slider_behind(state, from, target, by)
    }

    #[inline]
    fn seen(_state: &Cube, color: Color, role: Role, from: Square) -> CubeSet {
        *R::TABLES.sees(color, role, from)
    }

    #[inline]
    fn is_attacked(state: &Cube, square: Square, by: Color) -> bool {
        R::TABLES.seen_by_any[square.index()].meets(state.colors[by as usize])
            && (!R::TABLES
                .near(state, [Role::Pawn, Role::Knight, Role::King], square, by)
                .is_empty()
                || Self::is_line_attacked(state, square, by))
    }

    #[inline(never)]
    fn is_line_attacked(state: &Cube, square: Square, by: Color) -> bool {
        let near = R::TABLES.near(state, [Role::Bishop, Role::Rook, Role::Queen], square, by);
        near.into_iter()
            .any(|from| !is_cut_off(from, square, &state.colors))
    }

    #[inline]
    fn pinned(state: &Cube, king: Square, by: Color) -> CubeSet {
        let occupied = state.occupied();
        let sliders = R::TABLES.near(state, [Role::Bishop, Role::Rook, Role::Queen], king, by);
        let mut pinned = CubeSet::EMPTY;
        for slider in sliders {
            let held = between(slider, king).unwrap_or(CubeSet::EMPTY) & occupied;
            if !held.more_than_one() {
                pinned |= held;
            }
        }
        pinned
    }

    #[inline]
    fn shields(_state: &Cube, role: Role, from: Square, to: Square) -> CubeSet {
        if role.is_slider() {
            between(from, to).unwrap_or(CubeSet::EMPTY)
        } else {
            CubeSet::EMPTY
        }
    }

    #[inline(always)]
    fn origins(_state: &Cube, row: usize, to: Square) -> CubeSet {
        R::TABLES.sees[row.min(8)][to.index()]
    }

    #[inline(always)]
    fn square(_boards: &(), place: u16) -> Option<Square> {
        Square::try_new(u8::try_from(place).ok()?)
    }

    #[inline(always)]
    fn departures(_boards: &(), from: u16) -> CubeSet {
        Departure::on_cube(from)
    }

    #[inline(always)]
    fn arrives(
        state: &Cube,
        color: Color,
        role: Role,
        from: Square,
        to: Square,
        captures: bool,
    ) -> bool {
        // The kind of piece cannot be predicted: no branch asks for it.
        let is_open = !is_cut_off(from, to, &state.colors);
        let doubles = &R::TABLES.pawn_doubles[color as usize][from.index()];
        let is_double = (role == Role::Pawn) & !captures & doubles.contains(to);
        (!role.is_slider() | is_open) & (!is_double | state.unmoved.contains(from) & is_open)
    }

    /// Millennium 3.2, ruling cube-en-passant: the square in the middle of an advance by two ranks.
    fn crossed(state: &Cube, victim: Square, color: Color) -> CubeSet {
        let levels = level(victim) as i8 - home_level(color) as i8;
        let double = R::TABLES
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

    #[inline(always)]
    fn is_double_step(_state: &Cube, role: Role, from: Square, to: Square) -> bool {
        (role == Role::Pawn) & gains_two_ranks(from, to)
    }

    const ON_LAST: Arrival = Arrival::MustPromote;

    #[inline(always)]
    fn is_last(_boards: &(), color: Color, square: Square) -> bool {
        R::PROMOTION[color as usize].contains(square)
    }

    fn is_progress(from: Square, to: Square) -> bool {
        R::is_progress(from, to)
    }

    fn why_not_reached(
        state: &Cube,
        color: Color,
        role: Role,
        from: Square,
        to: Square,
    ) -> MoveFault {
        explain::way(R::TABLES, state, color, role, from, to)
    }
}
