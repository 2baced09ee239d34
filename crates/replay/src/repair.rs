//! Slips corrected.
//!
//! Where a game breaks, [`search`] looks for the slips that explain it. If one explanation alone is likely it is a
//! suggestion, and [`repair_game`](crate::repair_game) carries it out; several likely ones are undecidable, and are
//! listed. An explanation is one slip, or, where none alone explains the game, up to three of them.

mod search;
mod sheet;
#[cfg(test)]
mod tests;

use crate::course::Course;
use crate::diagnostic::{Change, Correction, Diagnostic};
use crate::findings::{first_half, number, ply_number, shown};
use crate::token::Token;
use search::Effort;
use tridex_archive::game::Numbering;
use tridex_rules::Position;

/// How many corrections are listed at most.
const MOST_LISTED: usize = 24;

/// How many moves are, at most.
const MOST_MOVES: usize = 200;

/// Adds the slips that would explain a break of the main line to the finding about it.
pub(crate) fn explain(
    finding: &mut Diagnostic,
    course: &Course,
    tokens: &[Token<'_>],
    broken: Option<usize>,
    numbering: Numbering,
) {
    let (found, _) = search::search(
        &course.start,
        tokens,
        broken,
        course.reading,
        numbering,
        Effort::USUAL,
    );
    let (hypotheses, is_cut) = (found.hypotheses, found.is_cut);
    let insert = hypotheses.iter().flat_map(|found| &found.edits);
    let insert = insert.filter(|edit| edit.is_new);
    let insert: Vec<String> = insert.map(|edit| edit.text.clone()).collect();
    // What follows the last token read goes to the place of the break; no move is there before which it could
    // be put in.
    let at = finding.at;
    let is_sure = found.is_sure
        && hypotheses.first().is_some_and(|first| {
            let mut edits = first.edits.iter();
            edits.all(|edit| edit.token < tokens.len())
        });
    let corrections = hypotheses.into_iter().take(MOST_LISTED);
    let corrections = corrections.map(|found| Correction {
        slip: found.slip,
        cost: found.cost,
        changes: (0..found.edits.len())
            .map(|place| change(&found.edits, place, tokens, &course.start, at))
            .collect(),
    });
    finding.corrections = corrections.collect();
    finding.is_sure = is_sure;
    if is_sure
        && let Some(first) = finding.corrections.first()
        && let [only] = first.changes.as_slice()
    {
        finding.suggestion = Some(only.text.clone());
    }
    if is_cut {
        let note = " (not every slip that would explain it could be tried)";
        finding.message.push_str(note);
    }
    // The corrections come first among what is legal.
    let here = |change: &Change| {
        change.at == finding.at && !change.token.is_empty() && !change.text.is_empty()
    };
    let corrections = finding.corrections.iter();
    let here = corrections.filter_map(|correction| match correction.changes.as_slice() {
        [change] if here(change) => Some(change.text.clone()),
        _ => None,
    });
    let here: Vec<String> = here.collect();
    let legal = std::mem::take(&mut finding.alternatives);
    // There may be too many ways to fill a gap to list them all; what can be part of one is listed.
    let all = here.into_iter().chain(legal).chain(insert);
    finding.offer(all.filter(|text| !text.is_empty()), MOST_MOVES);
}

/// A change of some in words. One after the last token has the place `end`.
fn change(
    edits: &[search::Edit],
    place: usize,
    tokens: &[Token<'_>],
    start: &Position,
    end: u64,
) -> Change {
    let (before, edit) = (&edits[..place], &edits[place]);
    let token = tokens.get(edit.token);
    let written = token.filter(|_| !edit.is_new);
    // A move that is inserted before the same token comes first.
    let inserted = before
        .iter()
        .filter(|before| before.is_new && before.token == edit.token);
    let halves = first_half(start) + edit.token + inserted.count();
    Change {
        ply: ply_number(edit.token),
        number: number(halves),
        token: written.map_or_else(String::new, |token| shown(&token.text)),
        text: edit.text.clone(),
        slip: edit.slip,
        at: token.map_or(end, |token| token.at),
        line: 0,
        column: 0,
    }
}
