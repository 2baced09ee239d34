//! Meder's tournament rules.

use super::stair::{self, Plan};
use super::{Castle, System, after, in_check, is_attacked, without_kings};
use crate::{BoardPromotion, Castling, CastlingSide, Color, Move, Piece, Role, Setup};
use tridex_geometry::stair::{AttackBoard, Pin, Surface};
use tridex_geometry::{Square, Wing};

pub(super) struct Meder;

const ONTO: [Option<Role>; 4] = [
    Some(Role::Queen),
    Some(Role::Rook),
    Some(Role::Bishop),
    Some(Role::Knight),
];

/// Squares in the columns of one line up to and with the first column that holds a piece on any level (3.1(c), ruling
/// column-blocks-line). Columns without squares are passed (2.8, 3.1(e), ruling lines-cross-gaps).
fn line(plan: &Plan, setup: &Setup, from: Square, (files, ranks): (i8, i8)) -> Vec<Square> {
    let at = plan.place(from);
    let (mut file, mut rank) = (at.file + files, at.rank + ranks);
    let mut squares = Vec::new();
    while stair::on_plan(file, rank) {
        let column = plan.column(file, rank);
        let held = column.iter().any(|square| setup.piece(*square).is_some());
        squares.extend(column);
        if held {
            break;
        }
        file += files;
        rank += ranks;
    }
    squares
}

/// Whether a column is furthest for a pawn (3.4(e)(ii), ruling furthest-rank).
fn is_furthest(setup: &Setup, color: Color, file: i8, rank: i8) -> bool {
    let (outer, inner, corner) = match color {
        Color::White => (9, 8, 6),
        Color::Black => (0, 1, 1),
    };
    match file {
        2 | 3 => rank == inner,
        0 | 5 => rank == outer,
        _ => {
            let wing = if file == 1 { Wing::Queen } else { Wing::King };
            if stair::is_board_on(setup, wing, corner) {
                rank == outer
            } else {
                rank == inner
            }
        }
    }
}

/// The rank of the corner square a pin projects from (ruling board-goes-backward).
fn corner_rank(pin: Pin) -> i8 {
    match pin.corner().number() {
        1 => 1,
        2 => 4,
        3 => 3,
        4 => 6,
        5 => 5,
        _ => 8,
    }
}

impl System for Meder {
    fn start(&self) -> Setup {
        // 2.7, and 3.5 with the sample game.
        use Role::{Bishop, King, Knight, Pawn, Queen, Rook};
        let mut setup = stair::start(
            Surface::Over,
            [Knight, Bishop, Bishop, Knight],
            [(0, 0, Rook), (1, 0, Queen), (0, 1, Pawn), (1, 1, Pawn)],
            [(0, 0, King), (1, 0, Rook), (0, 1, Pawn), (1, 1, Pawn)],
        );
        setup.castling = Castling::ALL;
        setup
    }

    fn quiet(&self, setup: &Setup, from: Square, piece: Piece) -> Vec<Square> {
        if piece.role != Role::Pawn {
            return self.strikes(setup, from, piece);
        }
        let plan = Plan::of(setup);
        let at = plan.place(from);
        let forward = piece.color.forward();
        // 3.4(a): the next column, any level (3.1(a)).
        let crossed = plan.column(at.file, at.rank + forward);
        let mut squares = crossed.clone();
        // 3.4(b), ruling crossed-column: two columns, the crossed one without any piece (3.1(c)); it may be a gap.
        let unmoved =
            self.pawn_homes(setup, piece.color).contains(&from) && !setup.moved.contains(from);
        if unmoved && crossed.iter().all(|square| setup.piece(*square).is_none()) {
            squares.extend(plan.column(at.file, at.rank + 2 * forward));
        }
        squares
    }

    fn strikes(&self, setup: &Setup, from: Square, piece: Piece) -> Vec<Square> {
        let plan = Plan::of(setup);
        let at = plan.place(from);
        let mut squares = Vec::new();
        match piece.role {
            // 3.4(c)
            Role::Pawn => squares = stair::pawn_strikes(&plan, from, piece.color),
            // 3.3, 3.5(a)(i), ruling any-level-of-arrival: any level of the column.
            Role::Knight | Role::King => {
                for (files, ranks) in stair::steps(piece.role) {
                    squares.extend(plan.column(at.file + files, at.rank + ranks));
                }
            }
            // 3.2
            Role::Bishop | Role::Rook | Role::Queen => {
                for step in stair::steps(piece.role) {
                    squares.extend(line(&plan, setup, from, step));
                }
            }
        }
        squares
    }

    fn en_passant(&self, setup: &Setup, from: Square, color: Color) -> Vec<Square> {
        // 3.4(d), ruling en-passant-landing
        stair::en_passant(setup, from, color)
    }

    fn choices(&self, setup: &Setup, color: Color, to: Square) -> Vec<Option<Role>> {
        let at = Plan::of(setup).place(to);
        if is_furthest(setup, color, at.file, at.rank) {
            // 3.4(e)(i): it must be exchanged.
            ONTO.to_vec()
        } else {
            vec![None]
        }
    }

    fn may_castle(&self, setup: &Setup, side: CastlingSide) -> bool {
        let color = setup.turn;
        let Some(squares) = self.castle(color, side) else {
            return false;
        };
        // 3.5(a)(1)[a]: not as the player's first move of a game from the start position (ruling
        // first-move-castling).
        let start = self.start();
        let is_first = if color == Color::White {
            *setup == start
        } else {
            setup.fullmoves == 1
                && super::legal_moves(crate::RuleSystem::Meder, &start)
                    .into_iter()
                    .any(|mv| after(self, &start, mv) == *setup)
        };
        if is_first {
            return false;
        }
        // King and rook at home, on boards at home.
        if setup.piece(squares.king_from) != Some(Piece::new(color, Role::King))
            || setup.piece(squares.rook_from) != Some(Piece::new(color, Role::Rook))
        {
            return false;
        }
        for wing in [Wing::King, side.wing()] {
            let board = stair::board_of(color, wing);
            let home = stair::home_pin(color, wing, Surface::Over);
            if setup.layout.is_none_or(|layout| layout.pin(board) != home) {
                return false;
            }
        }
        // 3.5(a)(2)[b]: no piece in between. King's side: nothing is. Queen's side: columns a, b, c.
        if side == CastlingSide::Queen {
            let plan = Plan::of(setup);
            let rank = plan.place(squares.king_from).rank;
            for file in 1..=3 {
                for square in plan.column(file, rank) {
                    if setup.piece(square).is_some() {
                        return false;
                    }
                }
            }
        }
        // 3.5(a)(2)[a]: neither the king's square nor the one it is to occupy is attacked.
        !is_attacked(self, setup, squares.king_from, color.other())
            && !is_attacked(self, setup, squares.king_to, color.other())
    }

    fn castle(&self, color: Color, side: CastlingSide) -> Option<Castle> {
        let king = stair::mirrored(color, stair::board_of(color, Wing::King), 0, 0);
        Some(match side {
            // 3.5(a)(ii): king and rook change places.
            CastlingSide::King => {
                let rook = stair::mirrored(color, stair::board_of(color, Wing::King), 1, 0);
                Castle {
                    king_from: king,
                    king_to: rook,
                    rook_from: rook,
                    rook_to: king,
                }
            }
            // The king goes next to the rook, the rook to the king's square.
            CastlingSide::Queen => {
                let board = stair::board_of(color, Wing::Queen);
                Castle {
                    king_from: king,
                    king_to: stair::mirrored(color, board, 1, 0),
                    rook_from: stair::mirrored(color, board, 0, 0),
                    rook_to: king,
                }
            }
        })
    }

    fn boards(&self, setup: &Setup) -> Vec<Move> {
        let mut moves = Vec::new();
        let Some(layout) = setup.layout else {
            return moves;
        };
        for board in AttackBoard::ALL {
            let pieces = stair::on_board(setup, board);
            // 3.6: no more than one piece; its owner controls the board, an empty one is its own side's.
            if pieces.len() > 1 {
                continue;
            }
            let passenger = pieces.first().copied();
            let controller = passenger.map_or(stair::owner(board), |(_, piece)| piece.color);
            if controller != setup.turn {
                continue;
            }
            let from = layout.pin(board);
            for to in stair::next_pins_over(from) {
                if !stair::is_vacant(&layout, to) {
                    continue;
                }
                // 3.6: occupied boards go forward or to the side.
                let gain = (corner_rank(to) - corner_rank(from)) * controller.forward();
                if passenger.is_some() && gain < 0 {
                    continue;
                }
                let mv = |promotion| Move::Board {
                    board,
                    to,
                    turned: false,
                    promotion,
                };
                let bare = after(self, setup, mv(None));

                // Ruling carried-pawn-promotes: a pawn carried to a furthest rank.
                if let Some((square, pawn)) = passenger
                    && pawn.role == Role::Pawn
                {
                    let at = Plan::of(&bare).place(square);
                    if is_furthest(&bare, pawn.color, at.file, at.rank) {
                        for role in ONTO.into_iter().flatten() {
                            moves.push(mv(Some(BoardPromotion { square, role })));
                        }
                        continue;
                    }
                }

                // 3.4(e)(iii), ruling owner-chooses-promotion: a pawn that waited under the board.
                if let Some((square, color)) = waiting_pawn(setup, from) {
                    let choices: Vec<Move> = ONTO
                        .into_iter()
                        .flatten()
                        .map(|role| mv(Some(BoardPromotion { square, role })))
                        .collect();
                    // If it is the other side's, that side chooses, and no choice may attack the mover's king.
                    let harmful = color != setup.turn
                        && choices
                            .iter()
                            .any(|mv| in_check(self, &after(self, setup, *mv), setup.turn));
                    if !harmful {
                        moves.extend(choices);
                    }
                    continue;
                }
                moves.push(mv(None));
            }
        }
        moves
    }

    fn pawn_homes(&self, setup: &Setup, color: Color) -> Vec<Square> {
        stair::pawn_homes(
            setup,
            color,
            Surface::Over,
            [(0, 1), (1, 1)],
            [(0, 1), (1, 1)],
        )
    }

    fn is_passing(&self, setup: &Setup, from: Square, to: Square) -> bool {
        stair::is_double_step(setup, from, to)
    }

    fn resets_count(&self, _setup: &Setup, _from: Square, _to: Square) -> bool {
        true
    }

    fn is_dead(&self, setup: &Setup) -> bool {
        // 9.6, ruling dead-material: a knight or bishop mates a bare king that the other king is above or below.
        without_kings(setup).is_empty()
    }
}

/// The pawn that is on the corner square of pin 6 (White's pawn) or 1 (Black's) and is promoted when the board
/// leaves (3.4(e)(iii)).
fn waiting_pawn(setup: &Setup, pin: Pin) -> Option<(Square, Color)> {
    let file = match pin.wing() {
        Wing::Queen => 1,
        Wing::King => 4,
    };
    let (square, color) = match pin.corner().number() {
        6 => (stair::main(2, file, 8), Color::White),
        1 => (stair::main(0, file, 1), Color::Black),
        _ => return None,
    };
    (setup.piece(square) == Some(Piece::new(color, Role::Pawn))).then_some((square, color))
}
