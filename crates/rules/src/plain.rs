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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{self, Dice};
    use crate::{MoveList, Position, RuleSystem};
    use tridex_geometry::stair::{Board, board};
    use tridex_geometry::{Family, cube};

    fn target(position: &Position, square: Square) -> Target {
        match position.layout() {
            Some(layout) => match board(square) {
                Board::Main(_) => Target::Square(square),
                Board::Attack(attack) => Target::OnPin(layout.pin(attack), layout.column(square)),
            },
            None => Target::Square(square),
        }
    }

    /// File, rank and level of a square; no level on an attack board, which no plain token names.
    fn parts(position: &Position, square: Square) -> [Option<u8>; 3] {
        match position.layout() {
            Some(layout) => {
                let column = layout.column(square);
                let level = match board(square) {
                    Board::Main(main) => Some(main as u8),
                    Board::Attack(_) => None,
                };
                [Some(column.file()), Some(column.rank()), level]
            }
            None => [
                Some(cube::file(square)),
                Some(cube::rank(square)),
                Some(cube::level(square)),
            ],
        }
    }

    /// What is said of a departure, one part at most.
    fn departures(position: &Position, from: Square) -> Vec<Departure> {
        let [file, rank, level] = parts(position, from);
        let mut all = vec![Departure::UNSAID];
        for i in 0..3 {
            let mut said = Departure::UNSAID;
            let (place, part) = match i {
                0 => (&mut said.file, file),
                1 => (&mut said.rank, rank),
                _ => (&mut said.level, level),
            };
            if let Some(part) = part {
                *place = part;
                all.push(said);
            }
        }
        all
    }

    fn agrees(position: &Position, said: Departure, from: Square) -> bool {
        [said.file, said.rank, said.level]
            .into_iter()
            .zip(parts(position, from))
            .all(|(said, part)| said == Departure::ANY || part == Some(said))
    }

    /// Every role to every square, taking and not: the plain way finds a move exactly where one legal move is meant, it is
    /// that move, and playing it the plain way leads to the same position.
    fn compare(position: &Position) -> usize {
        let mut legal = MoveList::new();
        let mut found = 0;
        let squares = match position.family() {
            Family::Stair => 64,
            Family::Cube => 192,
        };
        for role in Role::ALL {
            for to in (0..squares).map(Square::new) {
                legal.clear();
                position.moves_to(role, to, SquareSet::FULL, &mut legal);
                for captures in [false, true] {
                    let meant: Vec<(Square, Move)> = legal
                        .iter()
                        .filter(|m| position.is_capture(**m) == captures)
                        .filter_map(|m| match *m {
                            Move::Piece {
                                from,
                                promotion: None,
                                ..
                            } => Some((from, *m)),
                            _ => None,
                        })
                        .collect();
                    let mut said = vec![Departure::UNSAID];
                    said.extend(
                        meant
                            .iter()
                            .flat_map(|(from, _)| departures(position, *from)),
                    );
                    for from in said {
                        let plain = PlainMove {
                            role,
                            captures,
                            to: target(position, to),
                            from,
                        };
                        let expected: Vec<Move> = meant
                            .iter()
                            .filter(|(square, _)| agrees(position, from, *square))
                            .map(|(_, m)| *m)
                            .collect();
                        let one = match expected.as_slice() {
                            [only] => Some(*only),
                            _ => None,
                        };
                        assert_eq!(position.find_plain(&plain), one, "{plain:?} {position:?}");
                        let (mut swift, mut plainly) = (position.clone(), position.clone());
                        let followed = swift.follow_plain(&plain);
                        assert_eq!(followed.map(|(m, _)| m), one);
                        let Some((m, advance)) = followed else {
                            assert!(swift == *position);
                            continue;
                        };
                        assert_eq!(plainly.advance_unchecked(m), advance);
                        assert!(swift == plainly, "{m:?} {position:?}");
                        found += 1;
                    }
                }
            }
        }
        found
    }

    #[test]
    fn plain_moves_are_those_of_the_list() {
        for rules in RuleSystem::ALL {
            let mut found = 0;
            for number in 0..40 {
                let game = random::game(*rules, &mut Dice::nth(17, number), 80);
                let mut position = Position::start(*rules);
                for (ply, m) in game.into_iter().enumerate() {
                    if ply % 4 == number as usize % 4 {
                        found += compare(&position);
                    }
                    position.play_unchecked(m);
                }
            }
            assert!(found > 20_000, "{rules:?}: {found}");
        }
    }
}
