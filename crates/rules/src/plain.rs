//! Moves as scoresheets mostly say them, found and played without a list and with few questions on the way.
//!
//! Nine tokens of ten say no more than a kind of piece, where it goes, whether it takes, and perhaps a file, a rank or
//! a level it comes from. [`Position::find_plain`](crate::Position::find_plain) finds that move where nothing is out of
//! the ordinary, and leaves everything else - a promotion, en passant, two pieces that can go there - to
//! [`Position::moves_to`](crate::Position::moves_to).

use crate::engine::Game;
use crate::state::{Arrival, Rules};
use crate::{Advance, Move, Role};
use tridex_geometry::stair::{Column, ColumnSet, Pin, main_squares_of};
use tridex_geometry::{Square, SquareSet};

/// Where a piece goes, as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A square that has its place for good: one of a main board, or of the cube.
    Square(Square),
    /// The square that lies in a column on the attack board of a pin.
    OnPin(Pin, Column),
}

/// What is written of the square a piece comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Departure {
    /// The file, `0..6` on the stair board and `0..8` on the cube, or [`Departure::ANY`].
    pub file: u8,
    /// The rank, `0..10` on the stair board and `0..8` on the cube, or [`Departure::ANY`].
    pub rank: u8,
    /// The main board or the level of the cube, `0..3` from the lowest, or [`Departure::ANY`].
    pub level: u8,
}

impl Departure {
    /// Nothing is written of it.
    pub const ANY: u8 = 15;
    /// Nothing is written at all.
    pub const UNSAID: Self = Self {
        file: Self::ANY,
        rank: Self::ANY,
        level: Self::ANY,
    };
}

/// A move of a piece that promotes nothing, as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlainMove {
    /// The kind of piece.
    pub role: Role,
    /// Whether a capture is written.
    pub captures: bool,
    /// Where it goes.
    pub to: Target,
    /// Where it comes from.
    pub from: Departure,
}

impl<const W: usize, R: Rules<W>> Game<W, R> {
    /// From where to where the one legal move goes that is meant, or `None` where that is for [`Game::moves_to`] to
    /// settle.
    #[inline(always)]
    pub(crate) fn find_plain(&self, plain: &PlainMove) -> Option<(Square, Square)> {
        let state = &self.state;
        let to = R::target(&state.ground, plain.to)?;
        let (mover, role) = (state.turn, plain.role);
        if state.colors[mover as usize].contains(to)
            || state.colors[mover.other() as usize].contains(to) != plain.captures
            || role == Role::Pawn && R::arrival(&state.ground, mover, to) == Arrival::MustPromote
        {
            return None;
        }
        let origins = R::plain_origins(state, role, to, plain.captures, plain.from);
        let first = origins.first()?;
        if origins == SquareSet::of(first) {
            return self.can_go(plain, first, to).then_some((first, to));
        }
        let mut able = origins
            .into_iter()
            .filter(|from| self.can_go(plain, *from, to));
        match (able.next(), able.next()) {
            (Some(from), None) => Some((from, to)),
            _ => None,
        }
    }

    /// Whether a piece that may come from a square does reach the other, and leaves its king unattacked.
    #[inline(always)]
    fn can_go(&self, plain: &PlainMove, from: Square, to: Square) -> bool {
        let m = Move::Piece {
            from,
            to,
            promotion: None,
        };
        R::plain_reaches(&self.state, plain.role, from, to, plain.captures)
            && (self.is_free(from) || self.keeps_king_safe(m))
    }

    /// [`Game::find_plain`], and plays what it finds.
    #[inline(always)]
    pub(crate) fn follow_plain(&mut self, plain: &PlainMove) -> Option<(Move, Advance)> {
        let (from, to) = self.find_plain(plain)?;
        let m = Move::Piece {
            from,
            to,
            promotion: None,
        };
        Some((m, self.advance_plain(plain.role, from, to, plain.captures)))
    }
}

/// Words to be met by what is written of a departure: the members of a file or rank, every bit for
/// [`Departure::ANY`], none for what does not exist.
pub(crate) struct Members([u64; 16]);

impl Members {
    /// `count` files (or ranks) of `length` members each; file `n` begins at bit `n * start`, and `step` bits lead from
    /// one member to the next.
    pub(crate) const fn new(count: usize, start: usize, length: usize, step: usize) -> Self {
        let mut words = [0; 16];
        let mut n = 0;
        while n < count {
            let mut i = 0;
            while i < length {
                words[n] |= 1 << (n * start + i * step);
                i += 1;
            }
            n += 1;
        }
        words[Departure::ANY as usize] = u64::MAX;
        Self(words)
    }

    /// Words of the main boards' squares for words of columns.
    pub(crate) const fn on_main_boards(&self) -> Self {
        let mut words = [0; 16];
        let mut n = 0;
        while n < 16 {
            words[n] = main_squares_of(ColumnSet(self.0[n])).0[0];
            n += 1;
        }
        Self(words)
    }

    #[inline]
    pub(crate) fn of(&self, n: u8) -> u64 {
        self.0[n as usize & 15]
    }
}
