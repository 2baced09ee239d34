//! Corrects the slips of a game.

use crate::finding::trace::{Cause, Trace};
use crate::finding::{Change, Finding, Status};
use crate::follow::Follower;
use crate::sink::Silent;
use crate::stored::replay_by;
use crate::{Options, Replay};
use tridex_archive::{Game, Item};

/// Returns the game with the one likely correction that its findings name, and its replay, which lists the changes
/// among its findings. Each change has a [trace](Trace) in the game. Returns `None` if no correction is sure, or if the
/// corrected game cannot be replayed after all.
///
/// ```
/// use tridex_archive::{Limits, game, pgn};
/// use tridex_replay::{Options, repair_game, replay};
///
/// let text = b"[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6N 3. Nc22W Nc6N *\n";
/// let games = game::collect(|reader| pgn::read_games(text, 0, &Limits::default(), reader));
/// let report = replay(&games[0], &Options::default());
/// let (_, after) = repair_game(&games[0], report.findings(), &Options::default()).unwrap();
/// assert_eq!(after.findings()[0].message, "`Nc22W` is corrected to Nc2W (a doubled character)");
/// ```
#[must_use]
pub fn repair_game(
    game: &Game<'_>,
    found: &[Finding],
    options: &Options,
) -> Option<(Game<'static>, Replay)> {
    let found = found.iter().find(|found| found.is_sure)?;
    let changes = found.corrections.first()?.changes.as_slice();
    let mut made = game.to_owned_game();
    if !changes.iter().rev().all(|change| apply(&mut made, change)) {
        return None;
    }
    let mut follower = Follower::new(options);
    // The changes are reported below, at their offsets in the source.
    follower.known_traces = changes.iter().map(trace).collect();
    let (repaired, mut after) = replay_by(&mut follower, &made, &mut Silent, |_, played| {
        let is_whole = played.is_whole();
        is_whole.then(|| (played.game().to_owned_game(), played.to_replay()))
    })?;
    let notes = changes.iter().map(|change| Finding {
        ply: change.ply,
        number: change.number.clone(),
        len: match change.at == found.at {
            true => found.len,
            false => change.token.len(),
        },
        line: found.line,
        column: found.column,
        ..trace(change).finding(change.at)
    });
    after.findings.extend(notes);
    after.findings.sort_by_key(|found| (found.at, found.code));
    after.status = Status::of(&after.findings);
    Some((repaired, after))
}

/// The trace of a change.
fn trace(change: &Change) -> Trace {
    Trace {
        token: change.token.clone(),
        text: change.text.clone(),
        cause: Cause::Repair(change.slip.to_owned()),
    }
}

/// Makes a change and adds its trace after the new move, or in place of the removed one. Returns false if the game has
/// no token at its offset.
fn apply(game: &mut Game<'_>, change: &Change) -> bool {
    let note = trace(change).to_string();
    let items = [Item::Move(change.text.as_str()), Item::Comment(&note)];
    let removed = usize::from(change.text.is_empty());
    game.change_move(change.at, &items[removed..], change.token.is_empty())
}
