//! Moves as people write them in queries and lists of openings.

use tridex_notation::UnreadMove;
use tridex_rules::{Move, Position, RuleSystem};

/// Reads moves from the start position of a rule system: see [`tridex_notation::read_moves`].
///
/// # Errors
/// Returns the first token that is not a move there, in the notation that can read the most.
///
/// ```
/// use tridex_index::read_moves;
/// use tridex_rules::RuleSystem;
/// assert_eq!(read_moves(RuleSystem::Meder, "1. b4N b5B 2. c3W").map(|m| m.len()), Ok(3));
/// assert_eq!(read_moves(RuleSystem::Meder, "b4N b4N"), Err("b4N".into()));
/// ```
pub fn read_moves(rules: RuleSystem, text: &str) -> Result<Vec<Move>, String> {
    tridex_notation::read_moves(&Position::start(rules), text).map_err(|unread| unread.token)
}

/// Returns the position after some moves under each of the rule systems in which they can be played, with the number of
/// the moves.
///
/// # Errors
/// If the moves can be played in none of the systems, returns the first token that is not a move, in the system that
/// can read the most. If `systems` is empty, the result is empty.
pub(crate) fn positions_after(
    systems: &[RuleSystem],
    text: &str,
) -> Result<Vec<(Position, usize)>, UnreadMove> {
    let line = |rules: &RuleSystem| {
        let mut position = Position::start(*rules);
        let moves = tridex_notation::read_moves(&position, text)?;
        for m in &moves {
            position.play_unchecked(*m);
        }
        Ok((position, moves.len()))
    };
    let (read, unread): (Vec<_>, Vec<_>) = systems.iter().map(line).partition(Result::is_ok);
    let unread = unread.into_iter().filter_map(Result::err);
    match unread.max_by_key(|unread: &UnreadMove| unread.offset) {
        Some(furthest) if read.is_empty() => Err(furthest),
        _ => Ok(read.into_iter().flatten().collect()),
    }
}
