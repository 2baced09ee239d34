//! Compares the engine with the slow and obvious [`oracle`].

use super::moves::squares;
use super::{Broken, Held, Law, place};
use tridex_geometry::SquareSet;
use tridex_rules::{Color, Move, Position, Setup, oracle};

/// See [`Position::halfmoves`].
const HIGHEST: u32 = 65_535;

/// The engine agrees with the [`oracle`] on the legal moves, the position after each of them, check and the outcome.
///
/// # Errors
/// If the property does not hold.
pub fn fast_is_slow(position: &Position) -> Held {
    let at = || place(position);
    let rules = position.rules();
    let setup = position.to_setup();
    let fast = fast_list_is_slow_list_of(position, &setup)?;
    for m in &fast {
        let mut after = position.clone();
        after.play_unchecked(*m);
        let (fast, mut slow) = (after.to_setup(), oracle::play(rules, &setup, *m));
        // The engine's counters stop at their maximum.
        slow.halfmoves = slow.halfmoves.min(HIGHEST);
        slow.fullmoves = slow.fullmoves.min(HIGHEST);
        Law("the engine's position after a move is the oracle's", at)
            .holds(fast == slow, &(m, &fast, &slow))?;
    }
    Law("the engine sees the oracle's check", at).holds(
        position.is_check() == oracle::is_check(rules, &setup, setup.turn),
        &position.is_check(),
    )?;
    let (fast, slow) = (position.outcome(), oracle::outcome(rules, &setup));
    Law("the engine's outcome is the oracle's", at).holds(fast == slow, &(&fast, &slow))
}

/// The engine lists the same moves as the [`oracle`]. This is the part of [`fast_is_slow`] that is fast enough for many
/// positions.
///
/// # Errors
/// If the property does not hold.
pub fn fast_list_is_slow_list(position: &Position) -> Held {
    fast_list_is_slow_list_of(position, &position.to_setup()).map(|_| ())
}

fn fast_list_is_slow_list_of(position: &Position, setup: &Setup) -> Result<Vec<Move>, Broken> {
    let at = || place(position);
    let mut fast = position.legal_moves();
    fast.sort_unstable();
    let slow = oracle::legal_moves(position.rules(), setup);
    Law("the engine lists the oracle's moves", at).holds(fast == slow, &(&fast, &slow))?;
    Ok(fast)
}

/// The engine and the oracle find the same attackers of every square. This is slow, because it checks every piece with
/// every square.
///
/// # Errors
/// If the property does not hold.
pub fn attacks_are_slow(position: &Position) -> Held {
    let at = || place(position);
    let rules = position.rules();
    let setup = position.to_setup();
    for square in squares(position) {
        for color in Color::ALL {
            let fast = position.attackers(square, color);
            let slow: SquareSet<3> = setup
                .pieces()
                .filter(|(from, piece)| {
                    piece.color == color && oracle::attacks(rules, &setup, *from, square)
                })
                .map(|(from, _)| from)
                .collect();
            Law("fast attacks are slow attacks", at)
                .holds(fast == slow, &(&color, &square, &fast, &slow))?;
        }
    }
    Ok(())
}
