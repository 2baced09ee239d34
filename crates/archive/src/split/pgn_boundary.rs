//! Finds boundaries of a PGN text without reading all of it: tags that certainly begin a game.

use crate::interner::Interner;
use crate::lex;
use crate::pgn::{Ignore, Skipping, Stop};
use crate::visit::{BATCH_GAMES, Limits};

/// The lines of a text that seem to begin a game: tags after an empty line that does not follow a tag. There are at
/// most as many as a batch may have games. The first line of the text is not among them.
pub(super) fn candidates(text: &[u8]) -> Vec<usize> {
    let begins_game = |at: &usize| {
        let before = text.get(..*at).unwrap_or_default().trim_ascii_end();
        before.last().is_some_and(|byte| *byte != b']') && lex::tag_shape(text, *at).is_some()
    };
    // A text is expected to use one kind of line end. A search for a single one before the bracket would find nearly
    // every tag.
    let mut found = Vec::new();
    for ends in [&b"\n\n["[..], b"\r\n\r\n["] {
        let lines = memchr::memmem::find_iter(text, ends).map(|at| at + ends.len() - 1);
        if found.is_empty() {
            found = lines
                .filter(begins_game)
                .take(BATCH_GAMES as usize)
                .collect();
        }
    }
    found
}

/// Whether a game certainly begins at the last of the candidates, in a text that begins with a game.
///
/// The reader reaches every tag line outside of comments. So the games are read from the previous candidate on. If the
/// moves of one of them end here, a game ends here. The last brace before a line shows whether a comment is open there.
/// Text longer than the limit of a game is not decided here.
pub(super) fn is_boundary(text: &[u8], candidates: &[usize], limits: &Limits) -> bool {
    let [before @ .., at] = candidates else {
        return false;
    };
    if *at > limits.max_game || !is_outside_comments(text, *at) {
        return false;
    }
    let mut before = before.iter().rev();
    let from = before.find(|at| is_outside_comments(text, **at));
    let (mut words, mut ignore) = (Interner::default(), Ignore);
    let mut engine = Skipping::new(text, 0, limits, &mut words, &mut ignore);
    engine.begin(from.copied().unwrap_or(0));
    while engine.run() == Stop::Boundary && engine.pos < *at {
        engine.begin(engine.pos);
    }
    engine.pos == *at && engine.is_among_moves() && engine.game.lost.is_none()
}

fn is_outside_comments(text: &[u8], at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let brace = memchr::memrchr2(b'{', b'}', before);
    brace.is_none_or(|brace| before.get(brace) == Some(&b'}'))
}
