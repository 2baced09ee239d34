//! Position strings, and what the laws say of positions that no game has led to.

use crate::held;
use tridex_notation::laws::{self, Mirror};
use tridex_notation::{WriteOptions, position_string};
use tridex_rules::{Position, RuleSystem};

/// Positions with more legal moves than this are asked the cheap laws only.
const MOST_MOVES: usize = 400;

/// The text is refused at a place inside it, or written in a form that is read as the same.
///
/// # Panics
/// If a law is broken.
pub fn read(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data) {
        held(laws::position_string_is_stable(text));
    }
}

/// The text is refused at a place inside it, or written in a form that is read as the same. Under every rule system
/// under which it can be played, it is the setup of its position, and all laws of positions hold.
///
/// # Panics
/// If a law is broken.
pub fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    held(laws::position_string_is_stable(text));
    let Ok(setup) = position_string::parse(text) else {
        return;
    };
    for rules in RuleSystem::ALL {
        let Ok(position) = Position::from_setup(*rules, &setup) else {
            continue;
        };
        assert_eq!(
            position.to_setup(),
            setup,
            "{}: a position is the setup it was made of",
            rules.name()
        );
        held(laws::every_ply(&position));
        if position.legal_moves().len() <= MOST_MOVES {
            thorough(&position);
        }
    }
}

fn thorough(position: &Position) {
    held(laws::moves_to_are_listed(position));
    held(laws::written_is_read(position, &WriteOptions::default()));
    held(laws::fast_is_slow(position));
    for mirror in Mirror::ALL {
        held(laws::perft_is_mirrored(position, mirror, 1));
    }
    let moves = laws::every_move(position).step_by(911);
    for m in moves.chain(position.legal_moves()) {
        held(laws::illegal_is_refused(position, m));
        held(laws::explains_what_is_illegal(position, m));
    }
}
