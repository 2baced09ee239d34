//! Laws that hold the engine to the slow and obvious [`oracle`].

use super::moves::squares;
use super::{Broken, Held, hold, place};
use crate::position_string;
use tridex_geometry::SquareSet;
use tridex_rules::{Color, Move, Position, Setup, oracle};

/// See [`Position::halfmoves`].
const HIGHEST: u32 = 65_535;

/// The engine agrees with the [`oracle`]: the legal moves, the position after each of them, who is in check, whether the
/// game is over, and, of every piece and square, what is attacked.
///
/// # Errors
/// If it is broken.
pub fn fast_is_slow(position: &Position) -> Held {
    let rules = position.rules();
    let setup = position.to_setup();
    let at = || place(position);
    let fast = fast_list_is_slow_list_of(position, &setup)?;
    for m in &fast {
        let mut after = position.clone();
        after.play_unchecked(*m);
        let (fast, mut slow) = (after.to_setup(), oracle::play(rules, &setup, *m));
        // The engine's counters stay at their highest value.
        slow.halfmoves = slow.halfmoves.min(HIGHEST);
        slow.fullmoves = slow.fullmoves.min(HIGHEST);
        hold(
            fast == slow,
            "the engine's position after a move is the oracle's",
            at,
            || {
                let written = |setup| position_string::to_string(setup);
                format!("{m:?}: {}, the oracle: {}", written(&fast), written(&slow))
            },
        )?;
    }
    hold(
        position.is_check() == oracle::is_check(rules, &setup, setup.turn),
        "the engine sees the oracle's check",
        at,
        || format!("is_check is {}", position.is_check()),
    )?;
    hold(
        position.outcome() == oracle::outcome(rules, &setup),
        "the engine's outcome is the oracle's",
        at,
        || {
            let slow = oracle::outcome(rules, &setup);
            format!("{:?}, the oracle: {slow:?}", position.outcome())
        },
    )
}

/// The engine lists the moves of the [`oracle`]. Part of [`fast_is_slow`], for many positions.
///
/// # Errors
/// If it is broken.
pub fn fast_list_is_slow_list(position: &Position) -> Held {
    fast_list_is_slow_list_of(position, &position.to_setup()).map(|_| ())
}

fn fast_list_is_slow_list_of(position: &Position, setup: &Setup) -> Result<Vec<Move>, Broken> {
    let mut fast = position.legal_moves();
    fast.sort_unstable();
    let slow = oracle::legal_moves(position.rules(), setup);
    hold(
        fast == slow,
        "the engine lists the oracle's moves",
        || place(position),
        || {
            let more: Vec<&Move> = fast.iter().filter(|m| !slow.contains(m)).collect();
            let less: Vec<&Move> = slow.iter().filter(|m| !fast.contains(m)).collect();
            format!("only the engine: {more:?}, only the oracle: {less:?}")
        },
    )?;
    Ok(fast)
}

/// The squares the engine's pieces attack are the oracle's. Slow: asks for every piece and every square.
///
/// # Errors
/// If it is broken.
pub fn attacks_are_slow(position: &Position) -> Held {
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
            hold(
                fast == slow,
                "fast attacks are slow attacks",
                || place(position),
                || format!("{color} on {square:?}: {fast:?}, the oracle: {slow:?}"),
            )?;
        }
    }
    Ok(())
}
