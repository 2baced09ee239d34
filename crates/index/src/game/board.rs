//! What stands where: a position reduced to its pieces, boards and turn.
//!
//! Most questions about old games need no more, and keeping only this is several times faster than playing the moves of
//! a [`Position`]: nothing has to be known of checks, rights and counters. What a move does to the pieces follows from
//! the move alone; only the squares of castling belong to the rules, and they are found out by asking the rules.

use super::placement;
use tridex_geometry::stair::{AttackBoard, Layout};
use tridex_geometry::{Family, Square, SquareSet};
use tridex_rules::{
    BoardPromotion, Castling, CastlingSide, Color, Move, Piece, Position, Role, RuleSystem, Setup,
};

type Set = SquareSet<3>;

/// The pieces, boards and turn of a position.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    /// What each square holds: 0 for nothing, else the number of the piece plus one.
    cells: [u8; Square::CAPACITY],
    /// By number of the piece.
    pieces: [Set; 12],
    sides: [Set; 2],
    counts: [u32; 2],
    layout: Option<Layout>,
    turn: Color,
    key: u64,
    /// The square of arrival of the last move, where a pawn stands that may be taken in passing.
    last: Option<Square>,
    castlings: &'static Castlings,
}

/// Where king and rook come from and go to.
type Squares = [(Square, Square); 2];

/// The squares of castling, by colour and side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Castlings([[Option<Squares>; 2]; 2]);

impl Castlings {
    pub(crate) const NONE: Self = Self([[None; 2]; 2]);

    /// Finds out what castling does under some rules: by castling on a board where nothing is in the way.
    pub(crate) fn of(rules: RuleSystem) -> Self {
        let mut castlings = Self::NONE;
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                castlings.0[color as usize][side as usize] = castle_alone(rules, color, side);
            }
        }
        castlings
    }
}

fn castle_alone(rules: RuleSystem, color: Color, side: CastlingSide) -> Option<Squares> {
    let start = rules.start();
    let mut setup = Setup::empty(start.layout);
    for (square, piece) in start.pieces() {
        let kept = piece.role == Role::King || piece == Piece::new(color, Role::Rook);
        setup.set_piece(square, Some(piece).filter(|_| kept));
    }
    setup.turn = color;
    // Meder's players may not castle on their first move.
    setup.fullmoves = 2;
    setup.castling = Castling::NONE.with(color, side);
    let before = Position::from_setup(rules, &setup).ok()?;
    let mut after = before.clone();
    after.play(Move::Castle(side)).ok()?;
    let king = (before.king(color), after.king(color));
    let rooks = |position: &Position| position.pieces(color, Role::Rook);
    let rook = (
        rooks(&before).minus(rooks(&after)).first()?,
        rooks(&after).minus(rooks(&before)).first()?,
    );
    Some([king, rook])
}

#[inline]
fn number(color: Color, role: Role) -> usize {
    color as usize * 6 + role as usize
}

impl Board {
    pub(crate) fn of(setup: &Setup, castlings: &'static Castlings) -> Self {
        let mut board = Self {
            cells: [0; Square::CAPACITY],
            pieces: [Set::EMPTY; 12],
            sides: [Set::EMPTY; 2],
            counts: [0; 2],
            layout: setup.layout,
            turn: setup.turn,
            key: placement::turn(setup.turn),
            // What was taken in passing is where the setup says, before any move was made.
            last: setup.en_passant,
            castlings,
        };
        if let Some(layout) = &setup.layout {
            for b in AttackBoard::ALL {
                board.key ^= placement::pin(b, layout.pin(b));
            }
        }
        for (square, piece) in setup.pieces() {
            board.put(square, number(piece.color, piece.role));
        }
        board
    }

    /// The key of the placement; see [`placement`].
    #[inline]
    pub(crate) fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    pub(crate) fn turn(&self) -> Color {
        self.turn
    }

    #[inline]
    pub(crate) fn layout(&self) -> Option<&Layout> {
        self.layout.as_ref()
    }

    #[inline]
    pub(crate) fn family(&self) -> Family {
        match self.layout {
            Some(_) => Family::Stair,
            None => Family::Cube,
        }
    }

    /// The squares of a side's pieces of a kind.
    #[inline]
    pub(crate) fn pieces(&self, color: Color, role: Role) -> Set {
        self.pieces[number(color, role)]
    }

    /// The squares of a side.
    #[inline]
    pub(crate) fn side(&self, color: Color) -> Set {
        self.sides[color as usize]
    }

    /// How many pieces a side has.
    #[inline]
    pub(crate) fn count(&self, color: Color) -> u32 {
        self.counts[color as usize]
    }

    /// The squares that hold a piece.
    #[inline]
    pub(crate) fn occupied(&self) -> Set {
        self.sides[0] | self.sides[1]
    }

    /// How many pieces there are.
    #[inline]
    pub(crate) fn total(&self) -> u32 {
        self.counts[0] + self.counts[1]
    }

    /// The piece on a square.
    pub(crate) fn piece_at(&self, square: Square) -> Option<Piece> {
        let n = usize::from(self.cells[square.index()]).checked_sub(1)?;
        let role = *Role::ALL.get(n % 6)?;
        let color = *Color::ALL.get(n / 6)?;
        Some(Piece::new(color, role))
    }

    /// Whether pieces, boards and turn are those of a setup.
    pub(crate) fn is_placed_as(&self, other: &Self) -> bool {
        self.key == other.key
            && self.turn == other.turn
            && self.pieces == other.pieces
            && self.layout == other.layout
    }

    #[inline]
    fn put(&mut self, square: Square, n: usize) {
        let n = n.min(11);
        let bit = 1_u64 << (square.index() & 63);
        let word = square.index() >> 6;
        self.cells[square.index()] = n as u8 + 1;
        self.pieces[n].0[word] |= bit;
        self.sides[n / 6].0[word] |= bit;
        self.counts[n / 6] += 1;
        self.key ^= placement::piece(self.family(), n, square);
    }

    /// Empties a square; the number of the piece that stood there.
    #[inline]
    fn take(&mut self, square: Square) -> Option<usize> {
        let n = usize::from(std::mem::take(&mut self.cells[square.index()]))
            .checked_sub(1)?
            .min(11);
        let bit = 1_u64 << (square.index() & 63);
        let word = square.index() >> 6;
        self.pieces[n].0[word] &= !bit;
        self.sides[n / 6].0[word] &= !bit;
        self.counts[n / 6] -= 1;
        self.key ^= placement::piece(self.family(), n, square);
        Some(n)
    }

    #[inline]
    fn go(&mut self, from: Square, to: Square, promotion: Option<Role>) {
        self.take(to);
        if let Some(n) = self.take(from) {
            let n = promotion.map_or(n, |role| n / 6 * 6 + role as usize);
            self.put(to, n);
        }
    }

    /// Makes a legal move. Another move makes nonsense, and nothing worse.
    #[inline]
    pub(crate) fn play(&mut self, m: Move) {
        let mut last = None;
        match m {
            Move::Piece {
                from,
                to,
                promotion,
            } => {
                self.go(from, to, promotion);
                last = Some(to);
            }
            Move::EnPassant {
                from,
                to,
                promotion,
            } => {
                if let Some(victim) = self.last {
                    self.take(victim);
                }
                self.go(from, to, promotion);
            }
            Move::Castle(side) => {
                let plan = self.castlings.0[self.turn as usize][side as usize];
                if let Some([king, rook]) = plan {
                    // Both leave before either arrives: they may change places.
                    let (k, r) = (self.take(king.0), self.take(rook.0));
                    if let (Some(k), Some(r)) = (k, r) {
                        self.put(king.1, k);
                        self.put(rook.1, r);
                    }
                }
            }
            Move::Board {
                board,
                to,
                turned,
                promotion,
            } => self.move_board(board, to, turned, promotion),
        }
        self.last = last;
        self.turn = self.turn.other();
        self.key ^= placement::turn(Color::Black);
    }

    fn move_board(
        &mut self,
        board: AttackBoard,
        to: tridex_geometry::stair::Pin,
        turned: bool,
        promotion: Option<BoardPromotion>,
    ) {
        let Some(layout) = &mut self.layout else {
            return;
        };
        let from = layout.pin(board);
        if from != to {
            self.key ^= placement::pin(board, from) ^ placement::pin(board, to);
            *layout = layout.moved_unchecked(board, to);
        }
        if turned {
            let near = [board.square(0, 0), board.square(1, 0)];
            for square in near {
                let opposite = board.turned(square);
                let (a, b) = (self.take(square), self.take(opposite));
                if let Some(a) = a {
                    self.put(opposite, a);
                }
                if let Some(b) = b {
                    self.put(square, b);
                }
            }
        }
        if let Some(BoardPromotion { square, role }) = promotion
            && let Some(n) = self.take(square)
        {
            self.put(square, n / 6 * 6 + role as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::systems;
    use super::*;
    use crate::testing::{Dice, random_game};

    fn fresh(position: &Position) -> Board {
        Board::of(&position.to_setup(), &Castlings::NONE)
    }

    #[test]
    fn every_legal_move_does_to_the_board_what_it_does_to_the_position() {
        for rules in RuleSystem::ALL {
            let start = systems::start(systems::code(*rules)).unwrap();
            let mut dice = Dice::new(41);
            let mut castled = 0;
            for _ in 0..30 {
                let mut position = Position::start(*rules);
                let mut board = start.board.clone();
                for m in random_game(*rules, 120, &mut dice) {
                    for legal in position.legal_moves() {
                        castled += usize::from(matches!(legal, Move::Castle(_)));
                        let (mut after, mut moved) = (position.clone(), board.clone());
                        after.play_unchecked(legal);
                        moved.play(legal);
                        let fresh = fresh(&after);
                        assert!(moved.is_placed_as(&fresh), "{} {legal:?}", rules.name());
                        assert_eq!(moved.cells, fresh.cells);
                        assert_eq!(moved.sides, fresh.sides);
                        assert_eq!(moved.counts, fresh.counts);
                    }
                    position.play_unchecked(m);
                    board.play(m);
                }
            }
            let castles = *rules != RuleSystem::Manual;
            assert_eq!(start.castlings != &Castlings::NONE, castles);
            assert!(castled > 0 || !castles || *rules != RuleSystem::Meder);
        }
    }

    #[test]
    fn castling_moves_what_the_rules_say() {
        for rules in RuleSystem::ALL {
            for color in Color::ALL {
                for side in CastlingSide::ALL {
                    let found = castle_alone(*rules, color, side).is_some();
                    assert_eq!(found, *rules != RuleSystem::Manual, "{}", rules.name());
                }
            }
        }
    }
}
