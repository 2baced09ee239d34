//! The rules of the manual (Starfleet manual). Ranks are Meder's, one less than the manual's.

use super::stair::{self, Plan};
use super::{Castle, System, without_kings};
use crate::{CastlingSide, Color, Move, Piece, Role, Setup};
use tridex_geometry::Square;
use tridex_geometry::stair::{AttackBoard, Pin, Surface};

pub(super) struct Manual;

/// Squares of one line: every square of each next column, as long as there is a square and, to continue, a vacant one
/// (5.3, 6, rulings vacant-square-opens-column and gap-ends-line).
fn line(plan: &Plan, setup: &Setup, from: Square, (files, ranks): (i8, i8)) -> Vec<Square> {
    let at = plan.place(from);
    let (mut file, mut rank) = (at.file + files, at.rank + ranks);
    let mut squares = Vec::new();
    loop {
        let column = plan.column(file, rank);
        let passable = column.iter().any(|square| setup.piece(*square).is_none());
        squares.extend(column);
        if !passable {
            return squares;
        }
        file += files;
        rank += ranks;
    }
}

/// The pins next to a pin, both in the manual's numbers (7.1): of the same board along and on the other surface, then
/// the facing pins of the next board.
fn next_pins(pin: Pin) -> Vec<Pin> {
    let along: &[u8] = match pin.manual_number() {
        1 => &[3, 2],
        2 => &[4, 1, 5, 7],
        3 => &[1, 4],
        4 => &[2, 3, 5, 7],
        5 => &[7, 6, 2, 4],
        6 => &[8, 5, 9, 11],
        7 => &[5, 8, 2, 4],
        8 => &[6, 7, 9, 11],
        9 => &[11, 10, 6, 8],
        10 => &[12, 9],
        11 => &[9, 12, 6, 8],
        _ => &[10, 11],
    };
    let mut pins: Vec<Pin> = along
        .iter()
        .filter_map(|number| Pin::from_manual(pin.wing(), *number))
        .collect();
    // 7.1(a): across.
    pins.extend(Pin::from_manual(pin.wing().other(), pin.manual_number()));
    pins
}

impl System for Manual {
    fn start(&self) -> Setup {
        // Figure 3.
        use Role::{Bishop, King, Knight, Pawn, Queen, Rook};
        stair::start(
            Surface::Under,
            [Bishop, Queen, King, Bishop],
            [(0, 0, Rook), (1, 0, Pawn), (0, 1, Knight), (1, 1, Pawn)],
            [(0, 0, Pawn), (1, 0, Rook), (0, 1, Pawn), (1, 1, Knight)],
        )
    }

    fn quiet(&self, setup: &Setup, from: Square, piece: Piece) -> Vec<Square> {
        if piece.role != Role::Pawn {
            return self.strikes(setup, from, piece);
        }
        // 6.6(b)
        let plan = Plan::of(setup);
        let at = plan.place(from);
        let forward = piece.color.forward();
        let crossed = plan.column(at.file, at.rank + forward);
        let mut squares = crossed.clone();
        let unmoved =
            self.pawn_homes(setup, piece.color).contains(&from) && !setup.moved.contains(from);
        // Ruling crossed-column: one vacant square in the crossed column is enough.
        if unmoved && crossed.iter().any(|square| setup.piece(*square).is_none()) {
            squares.extend(plan.column(at.file, at.rank + 2 * forward));
        }
        squares
    }

    fn strikes(&self, setup: &Setup, from: Square, piece: Piece) -> Vec<Square> {
        let plan = Plan::of(setup);
        let at = plan.place(from);
        let mut squares = Vec::new();
        match piece.role {
            // 6.6(b)
            Role::Pawn => squares = stair::pawn_strikes(&plan, from, piece.color),
            // 6.1
            Role::King => {
                for (files, ranks) in stair::steps(Role::King) {
                    squares.extend(plan.column(at.file + files, at.rank + ranks));
                }
            }
            // 6.5, ruling knight-needs-first-step: a step along file or rank to a square that exists, held or not, then
            // one step on a diagonal away from the start.
            Role::Knight => {
                for (files, ranks) in stair::STRAIGHT {
                    if plan.column(at.file + files, at.rank + ranks).is_empty() {
                        continue;
                    }
                    for side in [-1, 1] {
                        let (file, rank) = if files == 0 {
                            (at.file + side, at.rank + 2 * ranks)
                        } else {
                            (at.file + 2 * files, at.rank + side)
                        };
                        squares.extend(plan.column(file, rank));
                    }
                }
            }
            // 6.2 to 6.4
            Role::Bishop | Role::Rook | Role::Queen => {
                for step in stair::steps(piece.role) {
                    squares.extend(line(&plan, setup, from, step));
                }
            }
        }
        squares
    }

    fn en_passant(&self, setup: &Setup, from: Square, color: Color) -> Vec<Square> {
        // 6.6(c), ruling en-passant-landing
        stair::en_passant(setup, from, color)
    }

    fn choices(&self, setup: &Setup, color: Color, to: Square) -> Vec<Option<Role>> {
        // 6.6(d), ruling furthest-rank: the last rank of the last fixed board, on any board.
        let last = match color {
            Color::White => 8,
            Color::Black => 1,
        };
        if Plan::of(setup).place(to).rank == last {
            Role::PROMOTIONS.map(Some).to_vec()
        } else {
            vec![None]
        }
    }

    fn may_castle(&self, _setup: &Setup, _side: CastlingSide) -> bool {
        false
    }

    fn castle(&self, _color: Color, _side: CastlingSide) -> Option<Castle> {
        // Ruling no-castling.
        None
    }

    fn boards(&self, setup: &Setup) -> Vec<Move> {
        let mut moves = Vec::new();
        let Some(layout) = setup.layout else {
            return moves;
        };
        for board in AttackBoard::ALL {
            // 5.1(b), (c): a player's own boards.
            if stair::owner(board) != setup.turn {
                continue;
            }
            let from = layout.pin(board);
            if stair::on_board(setup, board).is_empty() {
                // 7.1
                for to in next_pins(from) {
                    if stair::is_vacant(&layout, to) {
                        moves.push(Move::Board {
                            board,
                            to,
                            turned: false,
                            promotion: None,
                        });
                    }
                }
            } else {
                // 7.2
                moves.push(Move::Board {
                    board,
                    to: from,
                    turned: true,
                    promotion: None,
                });
            }
        }
        moves
    }

    fn pawn_homes(&self, setup: &Setup, color: Color) -> Vec<Square> {
        stair::pawn_homes(
            setup,
            color,
            Surface::Under,
            [(1, 0), (1, 1)],
            [(0, 0), (0, 1)],
        )
    }

    fn is_passing(&self, setup: &Setup, from: Square, to: Square) -> bool {
        stair::is_double_step(setup, from, to)
    }

    fn resets_count(&self, _setup: &Setup, _from: Square, _to: Square) -> bool {
        true
    }

    fn is_dead(&self, setup: &Setup) -> bool {
        // 11.4
        let pieces = without_kings(setup);
        match pieces.as_slice() {
            [] => true,
            [(_, one)] => matches!(one.role, Role::Bishop | Role::Knight),
            [(a, one), (b, two)] => {
                let plan = Plan::of(setup);
                let shade = |square: &Square| {
                    let at = plan.place(*square);
                    (at.file + at.rank) % 2
                };
                one.role == Role::Bishop
                    && two.role == Role::Bishop
                    && one.color != two.color
                    && shade(a) == shade(b)
            }
            _ => false,
        }
    }
}
