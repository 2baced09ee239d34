//! Moves as people write them in queries and lists of openings.

use tridex_rules::{Move, Position, RuleSystem};

/// Reads moves from the start position of a rule system: [`tridex_notation::read_moves`].
///
/// # Errors
/// The first token that is no move there, in the notation that came furthest.
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
