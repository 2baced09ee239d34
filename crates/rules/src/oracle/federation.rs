//! The laws of the Tri Dimensional Chess Federation.

use super::stair::{self, Plan};
use super::{Castle, System, after, is_attacked};
use crate::{BoardPromotion, Castling, CastlingSide, Color, Move, Piece, Role, Setup};
use tridex_geometry::stair::{AttackBoard, Pin, Surface};
use tridex_geometry::{Square, Wing};

pub(super) struct Federation;

/// What a walk along a line finds.
#[derive(Default)]
struct FoundMove {
    /// Squares a path leads to.
    quiet: Vec<Square>,
    /// Those whose last step stays on its tier.
    strikes: Vec<Square>,
}

/// Follows every path of squares from `at` in one direction (ruling tiers-never-turn). `sense` is 0 while the path is
/// level, else 1 or -1 for rising or falling: once it has begun to rise it may not fall (4.3). At most nine steps deep.
fn walk(plan: &Plan, setup: &Setup, at: Square, step: (i8, i8), sense: i8, found: &mut FoundMove) {
    let here = plan.place(at);
    for next in plan.column(here.file + step.0, here.rank + step.1) {
        let change = (plan.place(next).tier - here.tier).signum();
        if change * sense < 0 {
            continue;
        }
        found.quiet.push(next);
        if change == 0 {
            // 1.3, 4.2: only on the level it comes from.
            found.strikes.push(next);
        }
        if setup.piece(next).is_none() {
            let sense = if change == 0 { sense } else { change };
            walk(plan, setup, next, step, sense, found);
        }
    }
}

/// Where a piece other than a pawn can go.
fn reach(setup: &Setup, from: Square, role: Role) -> FoundMove {
    let plan = Plan::of(setup);
    let at = plan.place(from);
    let mut found = FoundMove::default();
    for step in stair::steps(role) {
        if role.is_slider() {
            walk(&plan, setup, from, step, 0, &mut found);
        } else {
            // Ruling knight-over-gaps: one step; nothing in between matters to the knight.
            for next in plan.column(at.file + step.0, at.rank + step.1) {
                found.quiet.push(next);
                if plan.place(next).tier == at.tier {
                    found.strikes.push(next);
                }
            }
        }
    }
    found
}

/// Whether a column is furthest for a pawn (3.7, ruling furthest-rank).
fn is_furthest(setup: &Setup, color: Color, file: i8, rank: i8) -> bool {
    let (outer, inner, corner) = match color {
        Color::White => (9, 8, 6),
        Color::Black => (0, 1, 1),
    };
    let board = match file {
        0 | 1 => stair::is_board_on(setup, Wing::Queen, corner),
        4 | 5 => stair::is_board_on(setup, Wing::King, corner),
        _ => false,
    };
    rank == if board { outer } else { inner }
}

/// Whether a pawn under the corner holds a board on pin 6 or 1 in its place (3.7, ruling corner-held-by-pawn).
fn is_held(setup: &Setup, pin: Pin) -> bool {
    let file = match pin.wing() {
        Wing::Queen => 1,
        Wing::King => 4,
    };
    let (square, color) = match pin.corner().number() {
        6 => (stair::main(2, file, 8), Color::White),
        1 => (stair::main(0, file, 1), Color::Black),
        _ => return false,
    };
    setup.piece(square) == Some(Piece::new(color, Role::Pawn))
}

/// "May": the pawn stays or becomes any of four pieces.
fn free_choice() -> Vec<Option<Role>> {
    let mut choices = vec![None];
    choices.extend(Role::PROMOTIONS.map(Some));
    choices
}

impl System for Federation {
    fn start(&self) -> Setup {
        use Role::{Bishop, King, Knight, Pawn, Queen, Rook};
        let mut setup = stair::start(
            Surface::Over,
            [Bishop, Queen, King, Bishop],
            [(0, 0, Rook), (1, 0, Pawn), (0, 1, Knight), (1, 1, Pawn)],
            [(0, 0, Pawn), (1, 0, Rook), (0, 1, Pawn), (1, 1, Knight)],
        );
        setup.castling = Castling::ALL;
        setup
    }

    fn quiet(&self, setup: &Setup, from: Square, piece: Piece) -> Vec<Square> {
        if piece.role != Role::Pawn {
            return reach(setup, from, piece.role).quiet;
        }
        let plan = Plan::of(setup);
        let at = plan.place(from);
        let forward = piece.color.forward();
        let crossed = plan.column(at.file, at.rank + forward);
        let mut squares = crossed.clone();
        let unmoved =
            self.pawn_homes(setup, piece.color).contains(&from) && !setup.moved.contains(from);
        if unmoved {
            // 3.7.2, ruling crossed-column: two steps by a path over a vacant square, never up and down (4.3).
            for first in crossed {
                if setup.piece(first).is_some() {
                    continue;
                }
                let rise = plan.place(first).tier - at.tier;
                for second in plan.column(at.file, at.rank + 2 * forward) {
                    if (plan.place(second).tier - plan.place(first).tier) * rise >= 0 {
                        squares.push(second);
                    }
                }
            }
        }
        squares
    }

    fn strikes(&self, setup: &Setup, from: Square, piece: Piece) -> Vec<Square> {
        if piece.role != Role::Pawn {
            return reach(setup, from, piece.role).strikes;
        }
        // 3.7.1, ruling captures-on-own-tier: on its own tier.
        let plan = Plan::of(setup);
        let tier = plan.place(from).tier;
        stair::pawn_strikes(&plan, from, piece.color)
            .into_iter()
            .filter(|square| plan.place(*square).tier == tier)
            .collect()
    }

    fn en_passant(&self, setup: &Setup, from: Square, color: Color) -> Vec<Square> {
        // 3.7.3: on any level.
        stair::en_passant(setup, from, color)
    }

    fn choices(&self, setup: &Setup, color: Color, to: Square) -> Vec<Option<Role>> {
        let at = Plan::of(setup).place(to);
        if is_furthest(setup, color, at.file, at.rank) {
            free_choice()
        } else {
            vec![None]
        }
    }

    fn may_castle(&self, setup: &Setup, side: CastlingSide) -> bool {
        let color = setup.turn;
        let Some(squares) = self.castle(color, side) else {
            return false;
        };
        let board = stair::board_of(color, side.wing());
        let home = stair::home_pin(color, side.wing(), Surface::Over);
        // 3.2.1: king, rook and board in their places.
        if setup.piece(squares.king_from) != Some(Piece::new(color, Role::King))
            || setup.piece(squares.rook_from) != Some(Piece::new(color, Role::Rook))
            || setup.layout.is_none_or(|layout| layout.pin(board) != home)
        {
            return false;
        }
        // 3.2.4: the start squares of knight, bishop and, on her side, queen are vacant.
        let mut vacant = match side {
            CastlingSide::King => vec![
                stair::mirrored(color, board, 1, 1),
                stair::home_rank(color, 4),
            ],
            CastlingSide::Queen => vec![
                stair::mirrored(color, board, 0, 1),
                stair::home_rank(color, 1),
                stair::home_rank(color, 2),
            ],
        };
        // Ruling federation-castling: squares of arrival are vacant or being left.
        for to in [squares.king_to, squares.rook_to] {
            if to != squares.king_from && to != squares.rook_from {
                vacant.push(to);
            }
        }
        if vacant.iter().any(|square| setup.piece(*square).is_some()) {
            return false;
        }
        // 3.2.2, 3.2.3: neither king nor rook is attacked. 3.2.5 is examined when the move has been played.
        !is_attacked(self, setup, squares.king_from, color.other())
            && !is_attacked(self, setup, squares.rook_from, color.other())
    }

    fn castle(&self, color: Color, side: CastlingSide) -> Option<Castle> {
        let board = stair::board_of(color, side.wing());
        let king_from = stair::home_rank(color, 3);
        Some(match side {
            // 3.2: the king takes the rook's place, the rook goes to the corner of the king's level.
            CastlingSide::King => Castle {
                king_from,
                king_to: stair::mirrored(color, board, 1, 0),
                rook_from: stair::mirrored(color, board, 1, 0),
                rook_to: stair::home_rank(color, 4),
            },
            // 3.2: the king goes to the inside rear corner of the board, the rook to the queen's place.
            CastlingSide::Queen => Castle {
                king_from,
                king_to: stair::mirrored(color, board, 1, 0),
                rook_from: stair::mirrored(color, board, 0, 0),
                rook_to: stair::home_rank(color, 2),
            },
        })
    }

    fn boards(&self, setup: &Setup) -> Vec<Move> {
        let mut moves = Vec::new();
        let Some(layout) = setup.layout else {
            return moves;
        };
        for board in AttackBoard::ALL {
            // 3.7: a pawn that is alone on the board, as its own move.
            let pieces = stair::on_board(setup, board);
            let &[(square, pawn)] = pieces.as_slice() else {
                continue;
            };
            if pawn != Piece::new(setup.turn, Role::Pawn) {
                continue;
            }
            let from = layout.pin(board);
            if is_held(setup, from) {
                continue;
            }
            let rank_before = Plan::of(setup).place(square).rank;
            for to in stair::next_pins_over(from) {
                if !stair::is_vacant(&layout, to) {
                    continue;
                }
                for turned in [false, true] {
                    let mv = |promotion| Move::Board {
                        board,
                        to,
                        turned,
                        promotion,
                    };
                    let arrival = if turned {
                        stair::turned(board, square)
                    } else {
                        square
                    };
                    let bare = after(self, setup, mv(None));
                    let at = Plan::of(&bare).place(arrival);
                    // 3.7: never backwards.
                    if (at.rank - rank_before) * pawn.color.forward() < 0 {
                        continue;
                    }
                    let choices = if is_furthest(&bare, pawn.color, at.file, at.rank) {
                        free_choice()
                    } else {
                        vec![None]
                    };
                    for choice in choices {
                        moves.push(mv(choice.map(|role| BoardPromotion {
                            square: arrival,
                            role,
                        })));
                    }
                }
            }
        }
        moves
    }

    fn pawn_homes(&self, setup: &Setup, color: Color) -> Vec<Square> {
        stair::pawn_homes(
            setup,
            color,
            Surface::Over,
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

    fn is_dead(&self, _setup: &Setup) -> bool {
        // Ruling only-stalemate-draws: nothing is declared.
        false
    }
}
