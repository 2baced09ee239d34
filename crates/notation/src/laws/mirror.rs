//! Mirrored positions: the rules treat both sides, and both wings, alike.

use super::{Held, Law, place};
use tridex_geometry::stair::{
    AttackBoard, Board, Layout, LayoutError, MainBoard, Pin, Surface, board,
};
use tridex_geometry::{Family, Square, SquareSet, cube};
use tridex_rules::{
    BoardPromotion, Castling, CastlingSide, Color, Move, Piece, Position, RuleSystem, Setup,
};

/// A reflection of a position under which the rules do not change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mirror {
    /// Exchanges White and Black: colours, ranks and heights are reversed. White's board becomes Black's and, if the
    /// rules use pins below the boards, pins above the boards become pins below them.
    Sides,
    /// Exchanges the queen's side and the king's side. Castling differs between them, so positions with castling rights
    /// have no such reflection.
    Wings,
}

impl Mirror {
    /// Both reflections.
    pub const ALL: [Self; 2] = [Self::Sides, Self::Wings];

    /// The reflection of a square.
    pub fn square(self, family: Family, square: Square) -> Square {
        match family {
            Family::Stair => self.stair_square(square),
            Family::Cube => {
                let (level, file, rank) =
                    (cube::level(square), cube::file(square), cube::rank(square));
                let seen = match self {
                    Self::Sides => cube::try_square(2 - level, file, 7 - rank),
                    Self::Wings => cube::try_square(level, 7 - file, rank),
                };
                seen.unwrap_or(square)
            }
        }
    }

    fn stair_square(self, square: Square) -> Square {
        let index = square.index();
        match board(square) {
            Board::Main(main) => {
                let (x, y, z) = (index % 4, index / 4 % 4, main as usize);
                let (x, y, z) = match self {
                    Self::Sides => (x, 3 - y, 2 - z),
                    Self::Wings => (3 - x, y, z),
                };
                let near = MainBoard::ALL.get(z).map_or(0, |main| 16 * *main as usize);
                u8::try_from(near + 4 * y + x)
                    .ok()
                    .and_then(Square::try_new)
                    .unwrap_or(square)
            }
            Board::Attack(attack) => {
                let (dx, dy) = ((index % 2) as u8, (index / 2 % 2) as u8);
                let attack = self.board(attack);
                match self {
                    Self::Sides => attack.square(dx, 1 - dy),
                    Self::Wings => attack.square(1 - dx, dy),
                }
            }
        }
    }

    /// The reflection of an attack board.
    pub const fn board(self, board: AttackBoard) -> AttackBoard {
        match self {
            Self::Sides => AttackBoard::of(!board.is_white(), board.wing()),
            Self::Wings => AttackBoard::of(board.is_white(), board.wing().other()),
        }
    }

    /// The reflection of a pin under a rule system.
    pub fn pin(self, rules: RuleSystem, pin: Pin) -> Pin {
        match self {
            Self::Sides if uses_both_surfaces(rules) => pin.mirrored().other_surface(),
            Self::Sides => pin.mirrored(),
            Self::Wings => Pin::new(pin.wing().other(), pin.corner(), pin.surface()),
        }
    }

    /// The reflection of a side.
    pub const fn color(self, color: Color) -> Color {
        match self {
            Self::Sides => color.other(),
            Self::Wings => color,
        }
    }

    /// The reflection of a move.
    pub fn mv(self, rules: RuleSystem, m: Move) -> Move {
        let at = |square| self.square(rules.family(), square);
        match m {
            Move::Piece {
                from,
                to,
                promotion,
            } => Move::Piece {
                from: at(from),
                to: at(to),
                promotion,
            },
            Move::EnPassant {
                from,
                to,
                promotion,
            } => Move::EnPassant {
                from: at(from),
                to: at(to),
                promotion,
            },
            Move::Castle(_) | Move::Pass => m,
            Move::Board {
                board,
                to,
                turned,
                promotion,
            } => Move::Board {
                board: self.board(board),
                to: self.pin(rules, to),
                turned,
                promotion: promotion.map(|BoardPromotion { square, role }| BoardPromotion {
                    square: at(square),
                    role,
                }),
            },
        }
    }

    /// The reflection of a setup, or `None` if its castling rights would mean something else there. Between wings they
    /// always would. Between sides they would in move 1: a rule may forbid castling as a player's first move (ruling
    /// first-move-castling), and the first moves of both players have this number.
    pub fn setup(self, rules: RuleSystem, setup: &Setup) -> Option<Setup> {
        let keeps_castling = self == Self::Sides && setup.fullmoves > 1;
        if !setup.castling.is_empty() && !keeps_castling {
            return None;
        }
        let at = |square| self.square(setup.family(), square);
        let layout = match setup.layout {
            Some(layout) => Some(self.layout(rules, &layout).ok()?),
            None => None,
        };
        let mut seen = Setup::empty(layout);
        for (square, piece) in setup.pieces() {
            let piece = Piece::new(self.color(piece.color), piece.role);
            seen.set_piece(at(square), Some(piece));
        }
        seen.turn = self.color(setup.turn);
        seen.castling = Color::ALL
            .into_iter()
            .flat_map(|color| CastlingSide::ALL.map(|side| (color, side)))
            .filter(|(color, side)| setup.castling.has(*color, *side))
            .fold(Castling::NONE, |rights, (color, side)| {
                rights.with(self.color(color), side)
            });
        seen.en_passant = setup.en_passant.map(at);
        seen.moved = setup.moved.into_iter().map(at).collect::<SquareSet<3>>();
        (seen.halfmoves, seen.fullmoves) = (setup.halfmoves, setup.fullmoves);
        Some(seen)
    }

    fn layout(self, rules: RuleSystem, layout: &Layout) -> Result<Layout, LayoutError> {
        // Each board gets the reflected pin of the board of which it is the reflection.
        let pins = AttackBoard::ALL.map(|board| self.pin(rules, layout.pin(self.board(board))));
        Layout::try_new(pins)
    }
}

/// Whether the rules use pins below the boards: these are the systems that start with a board on such a pin.
fn uses_both_surfaces(rules: RuleSystem) -> bool {
    let start = rules.start().layout;
    start.is_some_and(|layout| {
        let pins = layout.pins();
        pins.iter().any(|pin| pin.surface() == Surface::Under)
    })
}

/// The reflected position has the reflected legal moves, the same check, checkmate and dead position, and the same
/// perft to a depth, and its reflection is the original position. If the position has no reflection, nothing is
/// checked.
///
/// # Errors
/// If the property does not hold.
pub fn perft_is_mirrored(position: &Position, mirror: Mirror, depth: u32) -> Held {
    let rules = position.rules();
    let setup = position.to_setup();
    let at = || format!("{mirror:?} {}", place(position));
    let Some(other) = mirror.setup(rules, &setup) else {
        return Ok(());
    };
    Law("a mirror of a mirror shows the thing itself", at)
        .holds(mirror.setup(rules, &other).as_ref() == Some(&setup), &other)?;
    let seen = match Position::from_setup(rules, &other) {
        Ok(seen) => seen,
        Err(fault) => {
            return Law("the mirrored position can be played", at).holds(false, &fault);
        }
    };
    let mut moves: Vec<Move> = position
        .legal_moves()
        .into_iter()
        .map(|m| mirror.mv(rules, m))
        .collect();
    let mut mirrored = seen.legal_moves();
    moves.sort_unstable();
    mirrored.sort_unstable();
    Law("legal moves are the same mirrored", at).holds(moves == mirrored, &(&moves, &mirrored))?;
    Law("check and outcome are the same mirrored", at).holds(
        position.is_check() == seen.is_check()
            && position.is_dead() == seen.is_dead()
            && position.is_checkmate() == seen.is_checkmate(),
        &other,
    )?;
    let (here, there) = (position.perft(depth), seen.perft(depth));
    Law("perft is the same mirrored", at).holds(here == there, &(&here, &there, &depth))
}
