//! Random legal games. A seed always gives the same games.
//!
//! Weights make moves that are rare in real games common here: castling, en passant, promotion, and moves and turns of
//! boards. The numbers come from SplitMix64, which this crate implements, so no library can change them.

use crate::moves::Move;
use crate::outcome::Outcome;
pub use crate::picker::{Dice, Picker};
use crate::position::Position;
use crate::system::RuleSystem;

impl Picker {
    /// Picks one of the legal moves, or returns `None` if there is none.
    ///
    /// ```
    /// use tridex_rules::{Position, RuleSystem, random::{Dice, Picker}};
    ///
    /// let start = Position::start(RuleSystem::Millennium);
    /// let picked = Picker::new().pick(&start, &mut Dice::new(1));
    /// assert!(picked.is_some_and(|mv| start.legal_moves().into_iter().any(|legal| legal == mv)));
    /// ```
    pub fn pick(&mut self, position: &Position, dice: &mut Dice) -> Option<Move> {
        position.pick(self, dice)
    }
}

/// Returns the moves of a random legal game from the start position. The game stops when it is over or after `plies`
/// moves.
///
/// ```
/// use tridex_rules::{Position, RuleSystem, random::{Dice, game}};
///
/// let moves = game(RuleSystem::Chess3, &mut Dice::new(7), 20);
/// let mut position = Position::start(RuleSystem::Chess3);
/// for mv in &moves {
///     position.play(*mv).expect("a legal move");
/// }
/// assert_eq!(moves.len(), 20);
/// ```
#[must_use]
pub fn game(rules: RuleSystem, dice: &mut Dice, plies: usize) -> Vec<Move> {
    let mut game = Vec::with_capacity(plies);
    walk(rules, dice, plies, |position, m| {
        position.play_unchecked(m);
        game.push(m);
    });
    game
}

/// Does the same as [`game`], but passes each move to a function that has to play it. Returns the last position, and
/// whether the game ended there by repetition.
pub fn walk(
    rules: RuleSystem,
    dice: &mut Dice,
    plies: usize,
    mut play: impl FnMut(&mut Position, Move),
) -> (Position, bool) {
    let mut position = Position::start(rules);
    let mut picker = Picker::new();
    let mut keys = vec![position.key()];
    for _ in 0..plies {
        if position.is_dead() {
            break;
        }
        let Some(m) = picker.pick(&position, dice) else {
            break;
        };
        play(&mut position, m);
        if !rules.repetition_ends() {
            continue;
        }
        let key = position.key();
        keys.push(key);
        if keys.iter().filter(|other| **other == key).count() >= 3 {
            return (position, true);
        }
    }
    (position, false)
}

/// How the last position of a game ends it, if it does. Repetition is not considered.
#[must_use]
pub fn outcome(rules: RuleSystem, game: &[Move]) -> Option<Outcome> {
    let mut position = Position::start(rules);
    for m in game {
        position.play_unchecked(*m);
    }
    position.outcome()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picker::{weight_of_pawn, weight_of_special};
    use crate::piece::Role;

    #[test]
    fn games_are_legal_and_the_special_moves_occur_in_them() {
        for rules in RuleSystem::ALL {
            let mut seen = [0; 4];
            for index in 0..200 {
                let mut dice = Dice::nth(1, index);
                let mut position = Position::start(*rules);
                for m in game(*rules, &mut dice, 120) {
                    assert!(position.is_legal(m), "{} {m:?}", rules.name());
                    seen[0] += usize::from(matches!(m, Move::Castle(_)));
                    seen[1] += usize::from(matches!(m, Move::EnPassant { .. }));
                    seen[2] += usize::from(m.promotion().is_some());
                    seen[3] += usize::from(matches!(m, Move::Board { .. }));
                    position.play_unchecked(m);
                }
            }
            let has_castling = *rules != RuleSystem::Manual;
            let has_boards = position_has_boards(*rules);
            assert_eq!(seen[0] > 0, has_castling, "{} castles", rules.name());
            assert!(seen[1] > 0, "{} takes en passant", rules.name());
            assert!(seen[2] > 0, "{} promotes", rules.name());
            assert_eq!(seen[3] > 0, has_boards, "{} moves boards", rules.name());
        }
    }

    /// The probability of each move to be picked.
    fn weight(position: &Position, m: Move) -> u32 {
        let Move::Piece {
            from,
            to,
            promotion,
        } = m
        else {
            return weight_of_special(m);
        };
        let captures = position.piece_at(to).is_some();
        let pawn = position
            .piece_at(from)
            .is_some_and(|p| p.role == Role::Pawn);
        match (promotion, pawn) {
            (Some(Role::Queen), _) => 24,
            (Some(_), _) => 8,
            (None, true) => weight_of_pawn(position.layout(), from, to, captures),
            (None, false) if captures => 8,
            (None, false) => 4,
        }
    }

    /// The same seed gives the same games for ever: moves are picked as they were at first, from a sorted list of all.
    #[test]
    fn what_is_picked_is_what_a_sorted_list_gives() {
        let mut picker = Picker::new();
        for rules in RuleSystem::ALL {
            for index in 0..60 {
                let mut dice = Dice::nth(3, index);
                let mut position = Position::start(*rules);
                for _ in 0..140 {
                    let mut slow = dice.clone();
                    let mut moves = position.legal_moves();
                    moves.sort_unstable();
                    let total = moves.iter().map(|m| weight(&position, *m)).sum();
                    let mut left = slow.below(total);
                    let expected = moves.iter().copied().find(|m| {
                        let own = weight(&position, *m);
                        let here = left < own;
                        left = left.saturating_sub(own);
                        here
                    });
                    let picked = picker.pick(&position, &mut dice);
                    assert_eq!(picked, expected, "{position:?}");
                    assert_eq!(dice.clone().next_number(), slow.next_number());
                    let Some(m) = picked else { break };
                    position.play_unchecked(m);
                }
            }
        }
    }

    fn position_has_boards(rules: RuleSystem) -> bool {
        rules.start().layout.is_some()
    }

    #[test]
    fn the_numbers_never_change() {
        let mut dice = Dice::nth(1, 2);
        assert_eq!(
            [dice.below(1000), dice.below(1000), dice.below(1000)],
            [964, 990, 908]
        );
    }
}
