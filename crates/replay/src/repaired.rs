//! A game with its slips corrected.

use crate::diagnostic::{Change, Code, Diagnostic, Severity, Status};
use crate::memory::replay;
use crate::trace::{Cause, Trace};
use crate::{Options, Report};
use tridex_archive::Game;

/// A game with the one likely correction made that its findings name, a [trace](Trace) at each change, and the report on
/// it, in which the changes are listed. `None` if there is none, or the game cannot be replayed with it after all.
#[must_use]
pub fn repair_game(
    game: &Game<'_>,
    found: &[Diagnostic],
    options: &Options,
) -> Option<(Game<'static>, Report)> {
    let found = found.iter().find(|found| found.is_sure)?;
    let changes = found.corrections.first()?.changes.as_slice();
    let made = |is_traced: bool| {
        let mut made = game.to_kept();
        let mut changes = changes.iter().rev();
        changes
            .all(|change| apply(&mut made, change, is_traced))
            .then_some(made)
    };
    // Replayed without the traces: the places of the findings are those in the source.
    let mut after = replay(&made(false)?, options);
    if !after.is_whole {
        return None;
    }
    let notes = changes.iter().map(|change| Diagnostic {
        severity: Severity::Warning,
        code: Code::Repaired,
        ply: change.ply,
        number: change.number.clone(),
        token: change.token.clone(),
        at: change.at,
        len: if change.at == found.at {
            found.len
        } else {
            change.token.len()
        },
        message: trace(change).message(),
        alternatives: Vec::new(),
        is_sure: false,
        suggestion: None,
        corrections: Vec::new(),
        ..found.clone()
    });
    after.diagnostics.extend(notes);
    after
        .diagnostics
        .sort_by_key(|found| (found.at, found.code));
    after.status = Status::of(&after.diagnostics);
    Some((made(true)?, after))
}

/// What is noted of a change.
fn trace(change: &Change) -> Trace {
    Trace {
        token: change.token.clone(),
        text: change.text.clone(),
        cause: Cause::Repair(change.slip.to_owned()),
    }
}

/// Makes a change, and notes it behind the move or in the place of the one that is left out; false if there is no such
/// place.
fn apply(game: &mut Game<'_>, change: &Change, is_traced: bool) -> bool {
    let at = change.at;
    let note =
        |game: &mut Game<'_>| !is_traced || game.insert_comment(at, &trace(change).to_string());
    match (change.token.as_str(), change.text.as_str()) {
        ("", text) => game.insert_move(at, text) && note(game),
        (_, "") => note(game) && game.remove_move(at),
        (_, text) => game.replace_move(at, text) && note(game),
    }
}
