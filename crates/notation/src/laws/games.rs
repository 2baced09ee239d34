//! Properties of whole games.

use super::moves::notations;
use super::{Broken, Held, Law, place};
use crate::text::{Notation, WriteOptions};
use crate::{parse, resolve, write_played};
use tridex_rules::{Move, Position};

/// For every two notations of its family: a game that is written in the first, read, written in the second, read, and
/// written in the first again has the same text and the same moves.
///
/// The moves must be legal, one after the other, from the start position.
///
/// # Errors
/// If the property does not hold.
pub fn crosses_notations(start: &Position, moves: &[Move], options: &WriteOptions) -> Held {
    let law = "a game that crosses notations and comes back is the same";
    for a in notations(start) {
        let there = spell(start, moves, a, options)?;
        for b in notations(start).filter(|b| *b != a) {
            let read = understand(start, &there, a, options)?;
            let across = spell(start, &read, b, options)?;
            let crossed = understand(start, &across, b, options)?;
            let back = spell(start, &crossed, a, options)?;
            Law(law, || place(start)).holds(crossed == moves && back == there, &(&there, &back))?;
        }
    }
    Ok(())
}

fn spell(
    start: &Position,
    moves: &[Move],
    notation: Notation,
    options: &WriteOptions,
) -> Result<Vec<String>, Broken> {
    let law = "a move can be written in the notations of its family";
    let mut before = start.clone();
    let mut tokens = Vec::with_capacity(moves.len());
    for m in moves {
        let mut after = before.clone();
        after.play_unchecked(*m);
        let mut token = String::new();
        let written = write_played(notation, &before, *m, &after, options, &mut token);
        Law(law, || place(&before)).holds(written.is_ok(), &written)?;
        tokens.push(token);
        before = after;
    }
    Ok(tokens)
}

fn understand(
    start: &Position,
    tokens: &[String],
    notation: Notation,
    options: &WriteOptions,
) -> Result<Vec<Move>, Broken> {
    let mut position = start.clone();
    let mut moves = Vec::with_capacity(tokens.len());
    for token in tokens {
        let law = "what was written is read in the course of a game";
        let at = || format!("{} `{token}`, {}", notation.name(), place(&position));
        let read = match parse(notation, token.as_bytes(), Some(options.locale)) {
            Ok(text) => resolve::resolve(&text, &position).map_err(|fault| fault.to_string()),
            Err(stop) => Err(format!("{stop:?}")),
        };
        match read {
            Ok(m) => {
                moves.push(m);
                position.play_unchecked(m);
            }
            Err(fault) => Law(law, at).holds(false, &fault)?,
        }
    }
    Ok(moves)
}
