//! Finds the moves that a token can mean, without listing all moves: only pieces that can go from the written departure
//! to the written arrival are tested.

use super::Game;
use crate::facts::Arrival;
use crate::moves::{Move, PlayedMove};
use crate::pattern::{BoardPattern, Departure, MovePattern, PiecePattern, WrittenMove};
use crate::piece::Role;
use crate::rules::Rules;
use crate::state::origin_row;
use std::ops::ControlFlow::{self, Break, Continue};
use tridex_geometry::stair::{AttackBoard, Pin, Surface};
use tridex_geometry::{Square, SquareSet};

/// The result of looking up a written move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoundMove {
    /// No legal move.
    None,
    /// Exactly one.
    One(Move),
    /// More than one.
    Many,
}

impl FoundMove {
    /// The move, if exactly one was found.
    #[must_use]
    #[inline(always)]
    pub const fn one(self) -> Option<Move> {
        match self {
            Self::One(m) => Some(m),
            Self::None | Self::Many => None,
        }
    }
}

impl<const W: usize, R: Rules<W>> Game<W, R> {
    /// Finds the legal moves that a written move can mean.
    #[inline(always)]
    pub(crate) fn find(&self, written: &WrittenMove) -> FoundMove {
        if let Some((_, from, to)) = self.find_plain(written) {
            return FoundMove::One(Move::plain(from, to));
        }
        self.find_any(written)
    }

    /// Does the same as [`Game::find`], and plays the move if exactly one is found.
    #[inline(always)]
    pub(crate) fn follow(&mut self, written: &WrittenMove) -> Option<(Move, PlayedMove)> {
        if let Some((role, from, to)) = self.find_plain(written) {
            let played = self.play_found(role, from, to, written.captures);
            return Some((Move::plain(from, to), played));
        }
        self.follow_any(written)
    }

    #[inline(never)]
    fn follow_any(&mut self, written: &WrittenMove) -> Option<(Move, PlayedMove)> {
        let m = self.find_any(written).one()?;
        Some((m, self.play_unchecked(m)))
    }

    #[inline(never)]
    pub(crate) fn find_any(&self, written: &WrittenMove) -> FoundMove {
        let mut found = FoundMove::None;
        let _ = self.moves_like(&written.pattern, &mut |m| {
            if self.is_capture(m) != written.captures {
                return Continue(());
            }
            if found == FoundMove::None {
                found = FoundMove::One(m);
                return Continue(());
            }
            found = FoundMove::Many;
            Break(())
        });
        found
    }

    /// Finds the move of one piece in the common case: nine tokens of ten name the square of arrival, and perhaps a
    /// part of the square of departure. `None` is inconclusive: promotions, en passant, a level that is not written and
    /// several pieces that can go there are left to [`Game::find_any`].
    #[inline(always)]
    pub(crate) fn find_plain(&self, written: &WrittenMove) -> Option<(Role, Square, Square)> {
        let state = &self.state;
        let to = R::square(&state.boards, written.to)?;
        let (mover, captures) = (state.turn, written.captures);
        if state.colors[mover as usize].contains(to)
            || state.colors[mover.other() as usize].contains(to) != captures
        {
            return None;
        }
        // Few moves arrive on such a square, so this branch is predictable. A branch on the kind of piece is not.
        let must_promote = R::arrival(&state.boards, mover, to) == Arrival::MustPromote;
        let Some(role) = written.role else {
            let from = R::square(&state.boards, written.from)?;
            if !state.colors[mover as usize].contains(from) {
                return None;
            }
            let role = state.role_on(from);
            let can_go = !(must_promote && role == Role::Pawn)
                && R::goes(state, mover, role, from, to, captures)
                && (self.is_free(from) || self.keeps_safe(role, from, to));
            return can_go.then_some((role, from, to));
        };
        if must_promote && role == Role::Pawn {
            return None;
        }
        let row = usize::from(written.rows[mover as usize]);
        let mut origins = R::origins(state, row, to) & state.pieces(mover, role);
        if written.from != Departure::ANY {
            origins &= R::departures(&state.boards, written.from);
        }
        if let Some(from) = origins.single() {
            let can_go = self.can_go(role, from, to, captures);
            return can_go.then_some((role, from, to));
        }
        let mut able = origins
            .into_iter()
            .filter(|from| self.can_go(role, *from, to, captures));
        match (able.next(), able.next()) {
            (Some(from), None) => Some((role, from, to)),
            _ => None,
        }
    }

    /// Whether a piece on one of the possible squares of departure reaches the square of arrival and leaves its king
    /// unattacked.
    #[inline(always)]
    fn can_go(&self, role: Role, from: Square, to: Square, captures: bool) -> bool {
        R::arrives(&self.state, self.state.turn, role, from, to, captures)
            && (self.is_free(from) || self.keeps_safe(role, from, to))
    }

    /// Passes every legal move that fits a pattern to a function, until that returns a break. If no promotion is
    /// written, the pattern means the move without promotion if there is one, else every promotion.
    pub(crate) fn moves_like(
        &self,
        pattern: &MovePattern,
        sink: &mut impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match pattern {
            MovePattern::Piece(piece) => self.pieces_like(piece, sink),
            MovePattern::Castle(side) if self.can_castle(*side) => sink(Move::Castle(*side)),
            MovePattern::Castle(_) => Continue(()),
            MovePattern::Board(board) => self.boards_like(board, sink),
        }
    }

    fn pieces_like(
        &self,
        piece: &PiecePattern,
        sink: &mut impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let state = &self.state;
        let layout = R::layout(&state.boards);
        let origins = R::departures(&state.boards, piece.from.number()) & state.own();
        let targets: SquareSet<W> = piece.to.squares(layout).resized();
        for to in targets.minus(state.own()) {
            let captures = state.occupied().contains(to);
            let must = R::arrival(&state.boards, state.turn, to) == Arrival::MustPromote;
            let mut fitting = |m: Move| match (m.promotion(), piece.promotion) {
                (said, Some(wanted)) if said != Some(wanted) => Continue(()),
                (Some(_), None) if !must => Continue(()),
                _ => sink(m),
            };
            for role in Role::ALL {
                if piece.role.is_some_and(|named| named != role) {
                    continue;
                }
                let pieces = origins & state.roles[role as usize];
                for from in pieces & R::origins(state, origin_row(state.turn, role, captures), to) {
                    if R::arrives(state, state.turn, role, from, to, captures) {
                        let target = SquareSet::of(to);
                        self.piece_moves(role, from, target, self.is_free(from), &mut fitting)?;
                    }
                }
                if role == Role::Pawn {
                    self.en_passant_moves(origins, SquareSet::of(to), &mut fitting)?;
                }
            }
        }
        Continue(())
    }

    fn boards_like(
        &self,
        text: &BoardPattern,
        sink: &mut impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(layout) = R::layout(&self.state.boards) else {
            return Continue(());
        };
        let meant = |pin: Pin| {
            let is_under = text.either_surface && pin.surface() == Surface::Under;
            if is_under && !R::FACTS.under_pins {
                pin.other_surface()
            } else {
                pin
            }
        };
        let (from, to) = (text.from.map(meant), meant(text.to));
        for board in AttackBoard::ALL {
            if from.is_some_and(|from| layout.pin(board) != from) {
                continue;
            }
            // If a board need not promote its pawn, its move without promotion comes first.
            let mut is_settled = false;
            R::board_moves(&self.state, board, &mut |m| {
                let Move::Board {
                    to: pin,
                    turned,
                    promotion,
                    ..
                } = m
                else {
                    return Continue(());
                };
                if (pin, turned) != (to, text.turned) {
                    return Continue(());
                }
                let fits = match (text.promotion, promotion) {
                    (None, brought) => !is_settled || brought.is_none(),
                    (Some(_), None) => false,
                    (Some((place, role)), Some(brought)) => {
                        brought.role == role
                            && place.is_none_or(|place| {
                                let after = layout.moved_unchecked(board, to);
                                place.squares(Some(&after)).contains(brought.square)
                            })
                    }
                };
                is_settled |= promotion.is_none();
                if fits && self.is_safe(m) {
                    sink(m)
                } else {
                    Continue(())
                }
            })?;
        }
        Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves::MoveList;
    use crate::pattern::{Coordinates, Departure, Level};
    use crate::random::{self, Dice};
    use crate::{Position, RuleSystem};
    use tridex_geometry::stair::{Board, board};

    /// The ways to say where a piece comes from, one part at most; of the boards only those that stay.
    fn departures(position: &Position, from: Square) -> Vec<Departure> {
        let Coordinates { file, rank, level } = Coordinates::of(from, position.layout());
        let level = match (position.layout(), board(from)) {
            (Some(_), Board::Attack(_)) => None,
            _ => level,
        };
        let nothing = Departure::default();
        let file = Departure {
            file: Some(file),
            ..nothing
        };
        let rank = Departure {
            rank: Some(rank),
            ..nothing
        };
        vec![nothing, file, rank, Departure { level, ..nothing }]
    }

    /// The place of a square, with an attack board by its pin.
    fn place(position: &Position, square: Square) -> Coordinates {
        let place = Coordinates::of(square, position.layout());
        match (place.level, position.layout()) {
            (Some(Level::Attack(attack)), Some(layout)) => Coordinates {
                level: Some(Level::Pin(layout.pin(attack))),
                ..place
            },
            _ => place,
        }
    }

    /// For every role and every square, capturing and not: `find` and `moves_like` agree with a filter of all legal
    /// moves, and `follow` leads to the same position as playing the move.
    fn compare(position: &Position) -> usize {
        let legal = position.legal_moves();
        let mut found = 0;
        for to in (0..position.family().squares()).map(|i| Square::new(i as u8)) {
            for role in Role::ALL {
                let mut meant: Vec<(Square, Move)> = legal
                    .iter()
                    .filter_map(|m| match *m {
                        Move::Piece { from, to: t, .. } | Move::EnPassant { from, to: t, .. } => {
                            (t == to).then_some((from, *m))
                        }
                        _ => None,
                    })
                    .filter(|(from, _)| position.piece_at(*from).is_some_and(|p| p.role == role))
                    .collect();
                if meant.iter().any(|(_, m)| m.promotion().is_none()) {
                    meant.retain(|(_, m)| m.promotion().is_none());
                }
                let mut said = vec![Departure::default()];
                said.extend(
                    meant
                        .iter()
                        .flat_map(|(from, _)| departures(position, *from)),
                );
                for from in said {
                    let pattern = MovePattern::Piece(PiecePattern {
                        role: Some(role),
                        from,
                        to: place(position, to),
                        promotion: None,
                    });
                    let origins = from.squares(position.layout());
                    let mut fits: MoveList = meant
                        .iter()
                        .filter(|(square, _)| origins.contains(*square))
                        .map(|(_, m)| *m)
                        .collect();
                    let mut like = position.moves_like(&pattern);
                    like.sort_unstable();
                    fits.sort_unstable();
                    assert_eq!(like, fits, "{pattern:?} {position:?}");
                    for captures in [false, true] {
                        let written = WrittenMove::new(pattern, captures);
                        fits.clone_from(&like);
                        fits.retain(|m| position.is_capture(*m) == captures);
                        let expected = match fits.as_slice() {
                            [] => FoundMove::None,
                            [only] => FoundMove::One(*only),
                            _ => FoundMove::Many,
                        };
                        let is = position.find(&written);
                        assert_eq!(is, expected, "{pattern:?} {position:?}");
                        let (mut followed, mut plainly) = (position.clone(), position.clone());
                        let m = followed.follow(&written);
                        assert_eq!(m.map_or(is, |(m, _)| FoundMove::One(m)), is);
                        if let Some((m, played)) = m {
                            assert_eq!(plainly.play_unchecked(m), played);
                            found += 1;
                        }
                        assert!(followed == plainly, "{m:?} {position:?}");
                    }
                }
            }
        }
        found
    }

    #[test]
    fn what_is_found_is_what_a_filter_of_the_list_gives() {
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
