//! Turns the slips that explain why a game breaks into corrections.
//!
//! If a game breaks, [`search`] searches for the slips that explain it. If only one explanation is likely,
//! [`repair_game`](crate::repair_game) can make that correction. If several are likely, they are only listed. An
//! explanation is one slip or, if no single slip explains the game, two or three slips.

use super::search::blanks::GLUED;
use super::search::{Edit, STEPS, search};
use crate::finding::wording::{first_half, number, ply_number, shown};
use crate::finding::{Change, Correction, Finding};
use crate::replay::Replay;
use crate::style::token::Token;
use tridex_archive::game::Numbering;

/// The maximum number of corrections that are listed.
const MOST_LISTED: usize = 24;

/// The maximum number of moves that are listed.
const MOST_MOVES: usize = 200;

/// Adds the corrections that would explain a break of the main line to the finding about it.
pub(super) fn add(
    finding: &mut Finding,
    replay: &Replay,
    tokens: &[Token<'_>],
    broken: Option<usize>,
    numbering: Numbering,
) {
    let (start, reading) = (&replay.start, replay.reading);
    let (found, _) = search(start, tokens, broken, reading, numbering, STEPS);
    let (hypotheses, at) = (found.hypotheses, finding.at);
    // There may be too many ways to fill a gap to list them all, so the moves that may be part of one are listed.
    let edits = hypotheses.iter().flat_map(|found| &found.edits);
    for edit in edits.filter(|edit| edit.is_new && edit.slip != GLUED) {
        if finding.missing.len() < MOST_MOVES && !finding.missing.contains(&edit.text) {
            finding.missing.push(edit.text.clone());
        }
    }
    // A move that is missing after the last token cannot be inserted, since there is no token before which it could be
    // put. Such a correction is not sure.
    let mut first = hypotheses.iter().take(1).flat_map(|first| &first.edits);
    finding.is_sure = found.is_sure && first.all(|edit| edit.token < tokens.len());
    let start = first_half(start);
    let corrections = hypotheses.iter().take(MOST_LISTED);
    let corrections = corrections.map(|found| Correction {
        slip: found.slip,
        cost: found.cost,
        changes: (0..)
            .zip(&found.edits)
            .map(|(place, edit)| {
                let before = found.edits.iter().take(place);
                let inserted = before.filter(|other| edit.is_new && other.is_new).count();
                change(edit, inserted, tokens, start, at)
            })
            .collect(),
    });
    finding.corrections = corrections.collect();
    finding.unlisted = hypotheses.len().saturating_sub(MOST_LISTED);
    if finding.is_sure
        && let Some(first) = finding.corrections.first()
        && let [only] = first.changes.as_slice()
        && only.replaces(at)
    {
        finding.suggestion = Some(only.text.clone());
    }
    if found.is_cut {
        let note = " (not every slip that would explain it could be tried)";
        finding.message.push_str(note);
    }
    // The corrections of this token come first among the alternatives.
    let corrections = finding.corrections.iter();
    let here = corrections.filter_map(|correction| match correction.changes.as_slice() {
        [change] if change.replaces(at) => Some(change.text.clone()),
        _ => None,
    });
    let here: Vec<String> = here.collect();
    let legal = std::mem::take(&mut finding.alternatives);
    let all = here.into_iter().chain(legal);
    finding.offer(all.filter(|text| !text.is_empty()), MOST_MOVES);
}

/// An edit as a change. `inserted` is the number of moves that are inserted before it. An edit after the last token gets the offset `end`.
fn change(edit: &Edit, inserted: usize, tokens: &[Token<'_>], start: usize, end: u64) -> Change {
    let token = tokens.get(edit.token);
    let written = token.filter(|_| !edit.is_new);
    Change {
        ply: ply_number(edit.token),
        number: number(start + edit.token + inserted),
        token: written.map_or_else(String::new, |token| shown(&token.text)),
        text: edit.text.clone(),
        slip: edit.slip,
        at: token.map_or(end, |token| token.at),
        line: 0,
        column: 0,
    }
}
