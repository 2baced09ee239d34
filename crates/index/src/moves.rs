//! Moves as people write them in questions and lists of openings.

use tridex_notation::{Notation, parse, resolve};
use tridex_rules::{Move, MoveList, Position, RuleSystem};

/// Reads moves from the start position of a rule system, in any notation of its board family; the whole line has to be
/// in one. Move numbers (`1.`, `1...`) are passed over.
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
    let tokens = || {
        text.split_whitespace()
            .map(without_number)
            .filter(|token| !token.is_empty())
    };
    let mut failed: Option<(usize, String)> = None;
    for notation in Notation::ALL {
        if notation.family() != rules.family() {
            continue;
        }
        let mut position = Position::start(rules);
        let (mut moves, mut scratch) = (Vec::new(), MoveList::new());
        let stopped = tokens().find(|token| {
            let found = parse(notation, token.as_bytes(), None)
                .ok()
                .and_then(|words| resolve::resolve_with(&words, &position, &mut scratch).ok());
            match found {
                Some(m) => {
                    position.play_unchecked(m);
                    moves.push(m);
                    false
                }
                None => true,
            }
        });
        match stopped {
            None => return Ok(moves),
            Some(token) if failed.as_ref().is_none_or(|(n, _)| moves.len() > *n) => {
                failed = Some((moves.len(), token.to_owned()));
            }
            Some(_) => {}
        }
    }
    Err(failed.map(|(_, token)| token).unwrap_or_default())
}

/// What is left of a token without a move number in front.
fn without_number(token: &str) -> &str {
    let rest = token.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.strip_prefix('.') {
        Some(rest) => rest.trim_start_matches('.'),
        None => token,
    }
}
