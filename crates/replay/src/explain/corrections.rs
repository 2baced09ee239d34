//! The slips that explain why a game breaks, as corrections.
//!
//! Where a game breaks, [`search`] looks for the slips that explain it. If one explanation alone is likely it is a
//! suggestion, and [`repair_game`](crate::repair_game) carries it out; several likely ones are undecidable, and are
//! listed. An explanation is one slip, or, where none alone explains the game, up to three of them.

use super::search::{Edit, STEPS, search};
use crate::finding::wording::{first_half, number, ply_number, shown};
use crate::finding::{Change, Correction, Finding};
use crate::replay::Replay;
use crate::style::token::Token;
use tridex_archive::game::Numbering;

/// How many corrections are listed at most.
const MOST_LISTED: usize = 24;

/// How many moves are, at most.
const MOST_MOVES: usize = 200;

/// Adds the slips that would explain a break of the main line to the finding about it.
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
    // There may be too many ways to fill a gap to list them all; what can be part of one is listed.
    let edits = hypotheses.iter().flat_map(|found| &found.edits);
    for edit in edits.filter(|edit| edit.is_new) {
        if finding.missing.len() < MOST_MOVES && !finding.missing.contains(&edit.text) {
            finding.missing.push(edit.text.clone());
        }
    }
    // What follows the last token read goes to the place of the break; no move is there before which it could
    // be put in.
    let mut first = hypotheses.iter().take(1).flat_map(|first| &first.edits);
    finding.is_sure = found.is_sure && first.all(|edit| edit.token < tokens.len());
    let start = first_half(start);
    let corrections = hypotheses.iter().take(MOST_LISTED);
    let corrections = corrections.map(|found| Correction {
        slip: found.slip,
        cost: found.cost,
        changes: (0..)
            .zip(&found.edits)
            .map(|(place, edit)| change(edit, place, tokens, start, at))
            .collect(),
    });
    finding.corrections = corrections.collect();
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
    // The corrections come first among what is legal.
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

/// A change in words; of a missing line both moves are put in before the same token. One after the last token has the
/// place `end`.
fn change(edit: &Edit, place: usize, tokens: &[Token<'_>], start: usize, end: u64) -> Change {
    let token = tokens.get(edit.token);
    let written = token.filter(|_| !edit.is_new);
    let moves = if edit.is_new { place } else { 0 };
    Change {
        ply: ply_number(edit.token),
        number: number(start + edit.token + moves),
        token: written.map_or_else(String::new, |token| shown(&token.text)),
        text: edit.text.clone(),
        slip: edit.slip,
        at: token.map_or(end, |token| token.at),
        line: 0,
        column: 0,
    }
}
