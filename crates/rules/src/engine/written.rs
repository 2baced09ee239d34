//! Finding and playing what a token says, without a list and with few questions on the way.
//!
//! Nine tokens of ten say no more than a kind of piece, where it goes, whether it takes, and perhaps a file, a rank or
//! a level it comes from. [`Game::find_written`] finds that move where nothing is out of
//! the ordinary, and leaves everything else - a promotion, en passant, two pieces that can go there - to
//! [`Game::moves_to`].

use super::Game;
use crate::moves::{Move, Played};
use crate::piece::Role;
use crate::rules::{Arrival, Rules};
use crate::written::{Target, WrittenMove};
use tridex_geometry::{Square, SquareSet};

impl<const W: usize, R: Rules<W>> Game<W, R> {
    /// From where to where the one legal move goes that is meant, or `None` where that is for [`Game::moves_to`] to
    /// settle.
    #[inline(always)]
    pub(crate) fn find_written(&self, written: &WrittenMove) -> Option<(Square, Square)> {
        let state = &self.state;
        let to = R::target(&state.boards, written.to)?;
        let (mover, role) = (state.turn, written.role);
        if state.colors[mover as usize].contains(to)
            || state.colors[mover.other() as usize].contains(to) != written.captures
            // Hardly any move goes that far; which piece moves nobody foresees.
            || R::arrival(&state.boards, mover, to) == Arrival::MustPromote && role == Role::Pawn
        {
            return None;
        }
        self.origin_of(written, to).map(|from| (from, to))
    }

    /// The promotion to a kind of piece that is meant, with captures as they are written. `None` also where that is for
    /// [`Game::moves_to`] to settle.
    pub(crate) fn find_promotion(&self, written: &WrittenMove, promotion: Role) -> Option<Move> {
        let state = &self.state;
        let to = R::target(&state.boards, written.to)?;
        let mover = state.turn;
        if written.role != Role::Pawn
            || !Role::PROMOTIONS.contains(&promotion)
            || state.en_passant.is_some()
            || state.colors[mover as usize].contains(to)
            || state.colors[mover.other() as usize].contains(to) != written.captures
            || R::arrival(&state.boards, mover, to) == Arrival::Stays
        {
            return None;
        }
        Some(Move::Piece {
            from: self.origin_of(written, to)?,
            to,
            promotion: Some(promotion),
        })
    }

    /// Where the one piece comes from that can go to a square as written.
    #[inline(always)]
    fn origin_of(&self, written: &WrittenMove, to: Square) -> Option<Square> {
        let (state, role) = (&self.state, written.role);
        let origins = R::written_origins(state, role, to, written.captures, written.from);
        let first = origins.first()?;
        if origins == SquareSet::of(first) {
            return self.can_go(written, first, to).then_some(first);
        }
        let mut able = origins
            .into_iter()
            .filter(|from| self.can_go(written, *from, to));
        match (able.next(), able.next()) {
            (Some(from), None) => Some(from),
            _ => None,
        }
    }

    /// Whether a piece that may come from a square does reach the other, and leaves its king unattacked.
    #[inline(always)]
    fn can_go(&self, written: &WrittenMove, from: Square, to: Square) -> bool {
        R::written_reaches(&self.state, written.role, from, to, written.captures)
            && (self.is_free(from) || self.keeps_safe(written.role, from, to))
    }

    /// The piece that goes from one square to another by a legal move that takes what is written, promoting nothing; with the
    /// two squares. `None` where that is for [`Game::moves_to`] to settle.
    #[inline(always)]
    pub(crate) fn find_between(
        &self,
        from: Target,
        to: Target,
        captures: bool,
    ) -> Option<(Role, Square, Square)> {
        let state = &self.state;
        let (from, to) = (
            R::target(&state.boards, from)?,
            R::target(&state.boards, to)?,
        );
        let (mover, other) = (state.turn, state.turn.other());
        let own = state.colors[mover as usize];
        if !own.contains(from)
            || own.contains(to)
            || state.colors[other as usize].contains(to) != captures
        {
            return None;
        }
        let role = state.role_on(from);
        if role == Role::Pawn && R::arrival(&state.boards, mover, to) == Arrival::MustPromote {
            return None;
        }
        let is_legal = R::reaches(state, mover, role, from, to)
            && (self.is_free(from) || self.keeps_safe(role, from, to));
        is_legal.then_some((role, from, to))
    }

    /// [`Game::find_between`], and plays what it finds.
    #[inline(always)]
    pub(crate) fn play_between(
        &mut self,
        from: Target,
        to: Target,
        captures: bool,
        played: &mut Played,
    ) -> Option<Move> {
        let (role, from, to) = self.find_between(from, to, captures)?;
        *played = self.play_found(role, from, to, captures);
        Some(Move::Piece {
            from,
            to,
            promotion: None,
        })
    }

    /// [`Game::find_written`], and plays what it finds.
    #[inline(always)]
    pub(crate) fn play_written(
        &mut self,
        written: &WrittenMove,
        played: &mut Played,
    ) -> Option<Move> {
        let (from, to) = self.find_written(written)?;
        *played = self.play_found(written.role, from, to, written.captures);
        Some(Move::Piece {
            from,
            to,
            promotion: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{self, Dice};
    use crate::{Departure, MoveList, Position, RuleSystem, Target};
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

    /// File, rank and level of a square; no level on an attack board, which no short token names.
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

    /// Every role to every square, taking and not: `find_written` finds a move exactly where one legal move is meant, it is
    /// that move, and playing it so leads to the same position.
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
                        let written = WrittenMove {
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
                        assert_eq!(
                            position.find_written(&written),
                            one,
                            "{written:?} {position:?}"
                        );
                        let (mut found_way, mut plainly) = (position.clone(), position.clone());
                        let mut played = Played::default();
                        let followed = found_way.play_written(&written, &mut played);
                        assert_eq!(followed, one);
                        let Some(m) = followed else {
                            assert!(found_way == *position);
                            continue;
                        };
                        assert_eq!(plainly.play_reporting(m), played);
                        assert!(found_way == plainly, "{m:?} {position:?}");
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
