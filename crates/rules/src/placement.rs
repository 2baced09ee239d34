//! The placement of the pieces: a position without rights and counters, and the effect of a move on it.
//!
//! Most questions about recorded games need no more. Updating a placement is several times faster than playing the
//! moves on a [`Position`](crate::Position), because it ignores checks, rights and counters.

use crate::castling::CastlingSquares;
use crate::key::{self, KeyCell};
use crate::moves::Move;
use crate::piece::{Color, Piece, Role};
use crate::pieces::{Pieces, carry_out};
use crate::setup::Setup;
use tridex_geometry::stair::{AttackBoard, Layout, Pin};
use tridex_geometry::{Family, Square, SquareSet};

/// The squares of all castlings of a rule system, by colour and side.
pub(crate) type Castlings = [[Option<CastlingSquares>; 2]; 2];

/// The pieces, boards and turn of a position.
///
/// ```
/// use tridex_rules::{Position, RuleSystem};
/// let mut position = Position::start(RuleSystem::Meder);
/// let mut placement = position.placement();
/// for m in position.legal_moves().into_iter().take(1) {
///     let effect = placement.effect(m);
///     assert_eq!((effect.left.count(), effect.reached.count(), effect.captured), (1, 1, None));
///     placement.play(m);
///     position.play_unchecked(m);
///     assert_eq!(placement.key(), position.placement_key());
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Placement {
    /// The content of each square: 0 if it is empty, else the index of the piece plus one.
    cells: [u8; Square::CAPACITY],
    /// By index of the piece.
    pieces: [SquareSet<3>; 12],
    colors: [SquareSet<3>; 2],
    counts: [u32; 2],
    layout: Option<Layout>,
    turn: Color,
    key: u64,
    /// The square of arrival of the last move, which may be that of a pawn that can be captured en passant.
    last: Option<Square>,
    castlings: Castlings,
}

#[inline]
const fn number(piece: Piece) -> usize {
    piece.color as usize * 6 + piece.role as usize
}

const fn piece_of(number: usize) -> Piece {
    Piece {
        color: Color::ALL[number / 6 % 2],
        role: Role::ALL[number % 6],
    }
}

impl Placement {
    /// The placement of a setup, whether or not it can be played.
    pub(crate) fn of(setup: &Setup, castlings: Castlings) -> Self {
        let mut placement = Self {
            cells: [0; Square::CAPACITY],
            pieces: [SquareSet::EMPTY; 12],
            colors: [SquareSet::EMPTY; 2],
            counts: [0; 2],
            layout: setup.layout,
            turn: setup.turn,
            key: key::turn(setup.turn),
            // Before the first move, the setup determines which pawn can be captured en passant.
            last: setup.en_passant,
            castlings,
        };
        if let Some(layout) = &setup.layout {
            for board in AttackBoard::ALL {
                placement.key ^= key::pin(board, layout.pin(board));
            }
        }
        for (square, piece) in setup.pieces() {
            placement.put(square, piece);
        }
        placement
    }

    /// The key of pieces, boards and turn: [`Position::placement_key`](crate::Position::placement_key).
    #[must_use]
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// Whose turn it is.
    #[must_use]
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// Where the attack boards are; `None` on the cube.
    #[must_use]
    #[inline]
    pub const fn layout(&self) -> Option<&Layout> {
        self.layout.as_ref()
    }

    /// The board family.
    #[must_use]
    #[inline]
    pub const fn family(&self) -> Family {
        match self.layout {
            Some(_) => Family::Stair,
            None => Family::Cube,
        }
    }

    /// The squares of a side's pieces of a kind.
    #[must_use]
    #[inline]
    pub const fn pieces(&self, color: Color, role: Role) -> SquareSet<3> {
        self.pieces[number(Piece { color, role })]
    }

    /// The squares of a side's pieces.
    ///
    /// ```
    /// use tridex_rules::{Color, Position, RuleSystem};
    ///
    /// let board = Position::start(RuleSystem::Meder).placement();
    /// assert_eq!((board.count(Color::White), board.total()), (16, 32));
    /// assert_eq!(board.side(Color::Black).count(), 16);
    /// assert!(board.layout().is_some() && board.family() == tridex_geometry::Family::Stair);
    /// ```
    #[must_use]
    #[inline]
    pub const fn side(&self, color: Color) -> SquareSet<3> {
        self.colors[color as usize]
    }

    /// How many pieces a side has.
    #[must_use]
    #[inline]
    pub const fn count(&self, color: Color) -> u32 {
        self.counts[color as usize]
    }

    /// The squares that hold a piece.
    #[must_use]
    #[inline]
    pub fn occupied(&self) -> SquareSet<3> {
        self.colors[0] | self.colors[1]
    }

    /// How many pieces there are.
    #[must_use]
    #[inline]
    pub const fn total(&self) -> u32 {
        self.counts[0] + self.counts[1]
    }

    /// The piece on a square.
    #[must_use]
    #[inline]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        match self.cells[square.index()] {
            0 => None,
            n => Some(piece_of(n as usize - 1)),
        }
    }

    /// Whether the two agree in all that a placement includes (ruling same-position): the same pieces on the same
    /// places, boards of the same owner on the same pins, and the same side to move.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let pins = |at: &Self| {
            let layout = at.layout.as_ref()?;
            Some([true, false].map(|owner| layout.pins_of(owner)))
        };
        let boards = |at: &Self| at.layout.as_ref().map(Layout::pins);
        self.key == other.key
            && self.turn == other.turn
            && match boards(self) == boards(other) {
                // If each board is on the same pin, equal places are equal squares.
                true => self.pieces == other.pieces,
                false => {
                    pins(self) == pins(other) && (0..12).all(|n| self.cells(n) == other.cells(n))
                }
            }
    }

    /// The cells of the pieces with an index; see [`Layout::place`].
    fn cells(&self, number: usize) -> SquareSet<3> {
        let squares = self.pieces[number];
        match &self.layout {
            Some(layout) => {
                let cells = squares.into_iter().map(|square| layout.place(square));
                cells.filter_map(Square::try_new).collect()
            }
            None => squares,
        }
    }

    #[inline]
    fn key_cell(&self, square: Square) -> KeyCell {
        match &self.layout {
            Some(layout) => KeyCell::stair(layout, square),
            None => KeyCell::cube(square),
        }
    }

    fn castling(&self, m: Move) -> Option<CastlingSquares> {
        match m {
            Move::Castle(side) => self.castlings[self.turn as usize][side as usize],
            _ => None,
        }
    }

    /// Plays a legal move. A move that is not legal leads to a nonsensical placement, but is otherwise safe.
    #[inline]
    pub fn play(&mut self, m: Move) {
        let (passing, castling) = (self.last, self.castling(m));
        carry_out(self, m, passing, castling);
        self.last = match m {
            Move::Piece { to, .. } => Some(to),
            _ => None,
        };
        self.turn = self.turn.other();
        self.key ^= key::turn(Color::Black);
    }

    /// Returns the effect of a legal move without playing it.
    #[must_use]
    pub fn effect(&self, m: Move) -> MoveEffect {
        let mut after = self.clone();
        after.play(m);
        let mut effect = MoveEffect {
            left: SquareSet::EMPTY,
            reached: SquareSet::EMPTY,
            carried: SquareSet::EMPTY,
            captured: None,
            promoted: None,
        };
        let is_board = match m {
            Move::Board { board, .. } => {
                effect.carried = self.occupied() & board.squares().resized();
                true
            }
            _ => false,
        };
        let promoted = match m {
            Move::Piece { to, promotion, .. } | Move::EnPassant { to, promotion, .. } => {
                promotion.and(Some(to))
            }
            Move::Board { promotion, .. } => promotion.map(|promotion| promotion.square),
            Move::Castle(_) | Move::Pass => None,
        };
        effect.promoted = promoted.and_then(|square| Some((square, after.piece_at(square)?)));
        let pieces = self.pieces.into_iter().zip(after.pieces);
        let changed = pieces.fold(SquareSet::EMPTY, |all, (before, after)| {
            all | (before ^ after)
        });
        for square in changed {
            // A pawn that is promoted by the move of a board has not left its square.
            let became = effect.promoted.filter(|(at, _)| *at == square);
            match (self.piece_at(square), became) {
                (Some(before), Some((_, now))) if before == (Piece::new(now.color, Role::Pawn)) => {
                    continue;
                }
                (Some(before), _) if before.color != self.turn && !is_board => {
                    effect.captured = Some((square, before));
                }
                (Some(_), _) => effect.left.insert(square),
                (None, _) => {}
            }
            if after.piece_at(square).is_some() {
                effect.reached.insert(square);
            }
        }
        effect
    }
}

impl Pieces for Placement {
    #[inline]
    fn take(&mut self, square: Square) -> Option<Piece> {
        let cell = std::mem::take(&mut self.cells[square.index()]);
        let n = usize::from(cell).checked_sub(1)?.min(11);
        let bit = 1_u64 << (square.index() & 63);
        let word = square.index() >> 6;
        self.pieces[n].0[word] &= !bit;
        self.colors[n / 6].0[word] &= !bit;
        self.counts[n / 6] -= 1;
        self.key ^= key::numbered(n, self.key_cell(square));
        Some(piece_of(n))
    }

    #[inline]
    fn put(&mut self, square: Square, piece: Piece) {
        let n = number(piece);
        let bit = 1_u64 << (square.index() & 63);
        let word = square.index() >> 6;
        self.cells[square.index()] = n as u8 + 1;
        self.pieces[n].0[word] |= bit;
        self.colors[n / 6].0[word] |= bit;
        self.counts[n / 6] += 1;
        self.key ^= key::numbered(n, self.key_cell(square));
    }

    #[inline]
    fn shift(&mut self, from: Square, to: Square) {
        let cell = std::mem::take(&mut self.cells[from.index()]);
        let Some(n) = usize::from(cell).checked_sub(1) else {
            return;
        };
        let (n, color) = (n.min(11), n.min(11) / 6);
        self.cells[to.index()] = cell;
        for (square, is_there) in [(from, false), (to, true)] {
            let (word, bit) = (square.index() >> 6, square.index() & 63);
            for set in [&mut self.pieces[n], &mut self.colors[color]] {
                set.0[word] = set.0[word] & !(1 << bit) | u64::from(is_there) << bit;
            }
        }
        self.key ^= key::numbered(n, self.key_cell(from)) ^ key::numbered(n, self.key_cell(to));
    }

    fn set_pin(&mut self, board: AttackBoard, to: Pin) {
        if let Some(layout) = &mut self.layout {
            self.key ^= key::pin(board, layout.pin(board)) ^ key::pin(board, to);
            *layout = layout.moved_unchecked(board, to);
        }
    }
}

/// The effect of a move on the board. Squares of attack boards stay the same when the board moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveEffect {
    /// Squares that a piece of the mover leaves; when a board turns, squares that any piece on it leaves.
    pub left: SquareSet<3>,
    /// Squares that a piece reaches. When castling or turning a board, a square can be both left and reached.
    pub reached: SquareSet<3>,
    /// Squares of the pieces that an attack board carries or turns.
    pub carried: SquareSet<3>,
    /// The captured piece and its square.
    pub captured: Option<(Square, Piece)>,
    /// The piece that a pawn becomes, and its square.
    pub promoted: Option<(Square, Piece)>,
}

#[cfg(test)]
mod tests {
    use crate::random::{self, Dice};
    use crate::{Move, Placement, Position, RuleSystem};
    use tridex_geometry::SquareSet;

    fn agrees(placement: &Placement, position: &Position) {
        let fresh = position.placement();
        assert_eq!(placement.key(), position.placement_key());
        assert!(placement.is_same(&fresh));
        assert_eq!(placement.cells, fresh.cells);
        assert_eq!(placement.pieces, fresh.pieces);
        assert_eq!(placement.colors, fresh.colors);
        assert_eq!(placement.counts, fresh.counts);
        assert_eq!(placement.layout, fresh.layout);
    }

    /// Compares the effect with the boards before and after.
    fn effect_is_true(before: &Position, m: Move, after: &Position) {
        let effect = before.placement().effect(m);
        let at = |p: &Position, s| p.piece_at(s);
        let squares = || before.occupied() | after.occupied();
        let changed: SquareSet<3> = squares()
            .into_iter()
            .filter(|s| at(before, *s) != at(after, *s))
            .collect();
        let mut told = effect.left | effect.reached;
        told |= effect
            .captured
            .map_or(SquareSet::EMPTY, |(s, _)| SquareSet::of(s));
        told |= effect
            .promoted
            .map_or(SquareSet::EMPTY, |(s, _)| SquareSet::of(s));
        assert_eq!(told & changed, changed, "{m:?}");
        assert_eq!(effect.captured.is_some(), before.is_capture(m), "{m:?}");
        for reached in effect.reached {
            assert!(at(after, reached).is_some(), "{m:?}");
        }
        if let Some((square, piece)) = effect.captured {
            assert_eq!(at(before, square), Some(piece));
            assert_ne!(at(after, square), Some(piece));
        }
        if let Some((square, piece)) = effect.promoted {
            assert_eq!(at(after, square), Some(piece));
        }
        assert_eq!(effect.promoted.is_some(), m.promotion().is_some());
        let men = |p: &Position| p.occupied().count();
        let taken = u32::from(effect.captured.is_some());
        assert_eq!(men(before), men(after) + taken);
        if !matches!(m, Move::Board { .. } | Move::Castle(_)) {
            assert_eq!((effect.left.count(), effect.reached.count()), (1, 1));
        }
    }

    #[test]
    fn every_legal_move_does_to_the_placement_what_it_does_to_the_position() {
        for rules in RuleSystem::ALL {
            let mut kinds = [0; 3];
            for index in 0..25 {
                let mut position = Position::start(*rules);
                let mut placement = position.placement();
                for m in random::game(*rules, &mut Dice::nth(41, index), 120) {
                    for legal in position.legal_moves() {
                        kinds[0] += usize::from(matches!(legal, Move::Castle(_)));
                        kinds[1] += usize::from(matches!(legal, Move::EnPassant { .. }));
                        kinds[2] += usize::from(matches!(legal, Move::Board { .. }));
                        let (mut after, mut moved) = (position.clone(), placement.clone());
                        after.play_unchecked(legal);
                        moved.play(legal);
                        agrees(&moved, &after);
                        effect_is_true(&position, legal, &after);
                    }
                    position.play_unchecked(m);
                    placement.play(m);
                }
            }
            assert_eq!(
                kinds[0] > 0,
                *rules != RuleSystem::Manual,
                "{rules:?} castles"
            );
            assert!(kinds[1] > 0, "{rules:?} captures en passant");
            assert_eq!(
                kinds[2] > 0,
                rules.start().layout.is_some(),
                "{rules:?} moves boards"
            );
        }
    }
}
