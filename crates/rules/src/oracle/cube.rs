//! The two systems of the cube board: Millennium and Chess3.

use super::{Castle, System, is_attacked, without_kings};
use crate::{Castling, CastlingSide, Color, Move, Piece, Role, Setup};
use tridex_geometry::Square;

/// A step in files, ranks and levels.
type Step = (i8, i8, i8);

/// One of the two systems, as the table of what differs.
pub(super) struct Cube {
    /// Whether a step is one of the rook's.
    is_rook_step: fn(Step) -> bool,
    /// Whether pawns also advance a rank and change level at once, and so cross squares on a slope.
    slopes: bool,
    /// Pawn captures, as White's.
    captures: &'static [Step],
    /// Whether pawns are promoted on the last rank of any level, or of the enemy's home level only.
    every_level: bool,
    /// Whether a pawn's change of level alone sets the count of moves back.
    vertical_resets: bool,
    /// Whether a rook alone never mates, not even a king whose own man is in his way.
    rooks_never_mate: bool,
}

/// Millennium.
pub(super) static MILLENNIUM: Cube = Cube {
    // 2.4, Figures 4 and A-3: along a file or a rank, with or without a change of level, or straight up and down.
    is_rook_step: |(f, r, _)| f == 0 || r == 0,
    // 2.7, Figures 7 and 8.
    slopes: true,
    // 2.7, Figure 9.
    captures: &[
        (-1, 1, -1),
        (-1, 1, 0),
        (-1, 1, 1),
        (1, 1, -1),
        (1, 1, 0),
        (1, 1, 1),
    ],
    // 3.3
    every_level: false,
    // 4.5, ruling counts-as-progress.
    vertical_resets: false,
    // Ruling dead-material.
    rooks_never_mate: false,
};

/// Chess3.
pub(super) static CHESS3: Cube = Cube {
    // "The Rook": the six straight directions.
    is_rook_step: |(f, r, l)| f.abs() + r.abs() + l.abs() == 1,
    // "The Pawn": a rank or a level, not both.
    slopes: false,
    // "The Pawn": as on a flat board, and one forward and one level up or down (ruling straight-pawn-captures).
    captures: &[(-1, 1, 0), (1, 1, 0), (0, 1, -1), (0, 1, 1)],
    // Ruling promotion-rank.
    every_level: true,
    // Ruling counts-as-progress.
    vertical_resets: true,
    // Ruling dead-material.
    rooks_never_mate: true,
};

fn coordinates(square: Square) -> Step {
    let index = square.index() as u8;
    ((index % 8) as i8, (index / 8 % 8) as i8, (index / 64) as i8)
}

fn square((f, r, l): Step) -> Option<Square> {
    if (0..8).contains(&f) && (0..8).contains(&r) && (0..3).contains(&l) {
        Square::try_new((64 * l as i16 + 8 * r as i16 + f as i16) as u8)
    } else {
        None
    }
}

fn add(at: Square, (f, r, l): Step) -> Option<Square> {
    let (file, rank, level) = coordinates(at);
    square((file + f, rank + r, level + l))
}

/// All 26 directions.
fn directions() -> Vec<Step> {
    let mut steps = Vec::new();
    for f in -1..=1 {
        for r in -1..=1 {
            for l in -1..=1 {
                if (f, r, l) != (0, 0, 0) {
                    steps.push((f, r, l));
                }
            }
        }
    }
    steps
}

/// The home level, home rank and pawns' rank of a side, from 0.
fn home(color: Color) -> (i8, i8, i8) {
    match color {
        Color::White => (0, 0, 1),
        Color::Black => (2, 7, 6),
    }
}

impl Cube {
    fn steps(&self, role: Role) -> Vec<Step> {
        let mut steps = directions();
        match role {
            Role::King | Role::Queen => {}
            Role::Rook => steps.retain(|step| (self.is_rook_step)(*step)),
            // Millennium 2.3; Chess3, The Bishop: a diagonal of the plan, level or one level a step.
            Role::Bishop => steps.retain(|(f, r, _)| *f != 0 && *r != 0),
            // Millennium 2.2; Chess3, The Knight: two in one dimension and one in another.
            Role::Knight => {
                steps.clear();
                for f in -2_i8..=2 {
                    for r in -2_i8..=2 {
                        for l in -2_i8..=2 {
                            let mut sizes = [f.abs(), r.abs(), l.abs()];
                            sizes.sort();
                            if sizes == [0, 1, 2] {
                                steps.push((f, r, l));
                            }
                        }
                    }
                }
            }
            Role::Pawn => steps.clear(),
        }
        steps
    }
}

impl System for Cube {
    fn start(&self) -> Setup {
        use Role::{Bishop, King, Knight, Pawn, Queen, Rook};
        let mut setup = Setup::empty(None);
        for color in Color::ALL {
            let (level, rank, pawns) = home(color);
            let row = [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook];
            for (file, role) in (0..).zip(row) {
                for (rank, role) in [(rank, role), (pawns, Pawn)] {
                    if let Some(square) = square((file, rank, level)) {
                        setup.set_piece(square, Some(Piece::new(color, role)));
                    }
                }
            }
        }
        setup.castling = Castling::ALL;
        setup
    }

    fn quiet(&self, setup: &Setup, from: Square, piece: Piece) -> Vec<Square> {
        if piece.role != Role::Pawn {
            return self.strikes(setup, from, piece);
        }
        let forward = piece.color.forward();
        let mut steps = vec![(0, forward, 0), (0, 0, 1), (0, 0, -1)];
        if self.slopes {
            steps.extend([(0, forward, 1), (0, forward, -1)]);
        }
        let unmoved =
            self.pawn_homes(setup, piece.color).contains(&from) && !setup.moved.contains(from);
        let mut squares = Vec::new();
        for step in steps {
            let Some(first) = add(from, step) else {
                continue;
            };
            squares.push(first);
            // Ruling two-equal-steps: two equal steps, the square crossed vacant.
            if unmoved && setup.piece(first).is_none() {
                squares.extend(add(first, step));
            }
        }
        squares
    }

    fn strikes(&self, setup: &Setup, from: Square, piece: Piece) -> Vec<Square> {
        let mut squares = Vec::new();
        match piece.role {
            Role::Pawn => {
                for (f, r, l) in self.captures {
                    squares.extend(add(from, (*f, r * piece.color.forward(), *l)));
                }
            }
            Role::King | Role::Knight => {
                for step in self.steps(piece.role) {
                    squares.extend(add(from, step));
                }
            }
            Role::Bishop | Role::Rook | Role::Queen => {
                for step in self.steps(piece.role) {
                    let mut at = from;
                    while let Some(next) = add(at, step) {
                        squares.push(next);
                        // The first piece stops it.
                        if setup.piece(next).is_some() {
                            break;
                        }
                        at = next;
                    }
                }
            }
        }
        squares
    }

    fn en_passant(&self, setup: &Setup, from: Square, color: Color) -> Vec<Square> {
        // Ruling cube-en-passant: the square crossed lies midway between the start square and the pawn.
        let Some(passed) = setup.en_passant else {
            return Vec::new();
        };
        let (home_level, _, home_rank) = home(color.other());
        let (file, rank, level) = coordinates(passed);
        let crossed = square((file, (home_rank + rank) / 2, (home_level + level) / 2));
        self.strikes(setup, from, Piece::new(color, Role::Pawn))
            .into_iter()
            .filter(|to| Some(*to) == crossed)
            .collect()
    }

    fn choices(&self, _setup: &Setup, color: Color, to: Square) -> Vec<Option<Role>> {
        let (_, rank, level) = coordinates(to);
        let (last_level, last_rank, _) = home(color.other());
        if rank == last_rank && (self.every_level || level == last_level) {
            Role::PROMOTIONS.map(Some).to_vec()
        } else {
            vec![None]
        }
    }

    fn may_castle(&self, setup: &Setup, side: CastlingSide) -> bool {
        let color = setup.turn;
        let Some(squares) = self.castle(color, side) else {
            return false;
        };
        let (level, rank, _) = home(color);
        if setup.piece(squares.king_from) != Some(Piece::new(color, Role::King))
            || setup.piece(squares.rook_from) != Some(Piece::new(color, Role::Rook))
        {
            return false;
        }
        // Millennium 3.1 [b], [c] and [d]; ruling cube-castling.
        let (between, kings_way) = match side {
            CastlingSide::King => (5..=6, 4..=6),
            CastlingSide::Queen => (1..=3, 2..=4),
        };
        let on = |file| square((file, rank, level));
        between
            .filter_map(on)
            .all(|square| setup.piece(square).is_none())
            && kings_way
                .filter_map(on)
                .all(|square| !is_attacked(self, setup, square, color.other()))
    }

    fn castle(&self, color: Color, side: CastlingSide) -> Option<Castle> {
        let (level, rank, _) = home(color);
        let (king_to, rook_from, rook_to) = match side {
            CastlingSide::King => (6, 7, 5),
            CastlingSide::Queen => (2, 0, 3),
        };
        Some(Castle {
            king_from: square((4, rank, level))?,
            king_to: square((king_to, rank, level))?,
            rook_from: square((rook_from, rank, level))?,
            rook_to: square((rook_to, rank, level))?,
        })
    }

    fn boards(&self, _setup: &Setup) -> Vec<Move> {
        Vec::new()
    }

    fn pawn_homes(&self, _setup: &Setup, color: Color) -> Vec<Square> {
        let (level, _, rank) = home(color);
        (0..8)
            .filter_map(|file| square((file, rank, level)))
            .collect()
    }

    fn is_passing(&self, _setup: &Setup, from: Square, to: Square) -> bool {
        // Ruling vertical-double-step: two ranks gained, on any level.
        (coordinates(from).1 - coordinates(to).1).abs() == 2
    }

    fn resets_count(&self, _setup: &Setup, from: Square, to: Square) -> bool {
        // Millennium 4.5: a pawn that only changes level has not advanced.
        self.vertical_resets || coordinates(from).1 != coordinates(to).1
    }

    fn is_dead(&self, setup: &Setup) -> bool {
        // Millennium 4.7, ruling dead-material: with one piece each, no mate by knight or bishop; by a rook against a
        // bare king neither, and in chess3 never.
        let minor = |role| matches!(role, Role::Bishop | Role::Knight);
        match without_kings(setup).as_slice() {
            [] => true,
            [(_, one)] => minor(one.role) || one.role == Role::Rook,
            [(_, one), (_, two)] if one.color != two.color => [one.role, two.role]
                .into_iter()
                .all(|role| minor(role) || role == Role::Rook && self.rooks_never_mate),
            _ => false,
        }
    }
}
