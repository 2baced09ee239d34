//! Where a PGN text may be cut without being read: a tag that begins a game for sure.

use crate::lex;
use crate::pgn::{Engine, Nothing, Stop};
use crate::visit::{BATCH_GAMES, Limits};

/// How many places are tried, the last first. Nearly always the first of them serves.
const TRIES: usize = 8;

/// The lines of a text that seem to begin a game: tags after an empty line that is not preceded by a tag. No more than
/// a batch may have games, and none in the line that the text begins with.
pub(super) fn candidates(text: &[u8]) -> Vec<usize> {
    let after = |line_ends: &[u8]| -> Vec<usize> {
        let lines = memchr::memmem::find_iter(text, line_ends).map(|at| at + line_ends.len() - 1);
        let games = lines.filter(|&at| begins_game(text, at));
        games.take(BATCH_GAMES as usize).collect()
    };
    // A text has one kind of line ends.
    let found = after(b"\n\n[");
    if found.is_empty() {
        after(b"\r\n\r\n[")
    } else {
        found
    }
}

fn begins_game(text: &[u8], at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_ascii_end();
    before.last().is_some_and(|byte| *byte != b']') && lex::tag_shape(text, at).is_some()
}

/// The last of the candidates at which a game begins for sure, in a text that begins with a game.
///
/// Wherever a tag line is outside of comments, the reader gets there, whatever it has read before. So the games are read
/// from the candidate before on: if that one's moves end here, a game ends here, whichever game that is. A comment that is
/// open shows in the last brace. What is longer than a game may be is not decided here.
pub(super) fn last(candidates: &[usize], text: &[u8], limits: &Limits) -> Option<usize> {
    let tried = candidates.iter().enumerate().rev().take(TRIES);
    tried
        .filter(|(_, at)| **at <= limits.max_game && is_outside_comments(text, **at))
        .find(|(index, at)| {
            let mut before = candidates.iter().take(*index).rev();
            let from = before.find(|at| is_outside_comments(text, **at));
            ends_moves(text, from.copied().unwrap_or(0), **at, limits)
        })
        .map(|(_, at)| *at)
}

fn is_outside_comments(text: &[u8], at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let brace = memchr::memrchr2(b'{', b'}', before);
    brace.is_none_or(|brace| before.get(brace) == Some(&b'}'))
}

/// Whether a game with moves that is read from `from` on, or one after it, ends at `at`.
fn ends_moves(text: &[u8], from: usize, at: usize, limits: &Limits) -> bool {
    let mut engine = Engine::new(text, 0, limits);
    engine.begin(from);
    while engine.run(&mut Nothing) == Stop::Boundary {
        if engine.pos >= at {
            return engine.pos == at && engine.is_among_moves() && engine.game.lost.is_none();
        }
        engine.begin(engine.pos);
    }
    false
}
