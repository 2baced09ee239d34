//! Words that are one move and were read as several.
//!
//! A reader of archives takes every word between two blanks as a move. Two notations separate the parts of one: a board
//! and the pawn that it carries to its last rank, and the entries of a program's transcripts.

use crate::style::token::{is_board_move, is_promotion, token_of};
use std::borrow::Cow;
use tridex_archive::game::{Event, Numbers};
use tridex_archive::{Game, Item};
use tridex_notation::Program;

/// Whether a token is the promotion of a pawn that belongs to the move before it, since that is the board which carries
/// the pawn to its last rank: `QL6 z9QL6Q`.
///
/// White's pawns promote on the ranks 8 and 9, Black's on 0 and 1, so that the other side's next move is never read as one.
pub(crate) fn joins(game: &Game<'_>, token: &[u8]) -> bool {
    let is_far = match token {
        [b'a'..=b'e' | b'z', b'8' | b'9', ..] => true,
        [b'a'..=b'e' | b'z', b'0' | b'1', ..] => false,
        _ => return false,
    };
    let Some((board, plies)) = game.open_move().filter(|_| is_promotion(token)) else {
        return false;
    };
    let begins_black = || {
        game.written_tags().any(|tag| {
            tag.name.eq_ignore_ascii_case(b"FEN")
                && tag.value.split(u8::is_ascii_whitespace).nth(1) == Some(b"b")
        })
    };
    // The board's move has been counted.
    is_board_move(board) && ((plies & 1 == 1) != begins_black()) == is_far
}

/// A game as it is followed, with its moves in one piece. The numbers of one that is changed mean nothing any more.
pub(crate) fn joined<'g, 'b>(game: &'g Game<'b>) -> Cow<'g, Game<'b>> {
    let is_part = |event: &Event| match event.kind {
        Item::Move(_) => is_promotion(game.text(event)),
        _ => false,
    };
    let has_parts = game.events().iter().any(is_part);
    if !has_parts && !begins_with_side(game) {
        return Cow::Borrowed(game);
    }
    let mut game = game.clone();
    let count = game.events().len();
    game.rebuild(|game, event| {
        let token = game.text(&event).to_vec();
        if matches!(event.kind, Item::Move(_)) && joins(game, &token) {
            game.join(" ", &token);
        } else {
            game.put(event);
        }
    });
    join_entries(&mut game);
    if game.events().len() < count {
        game.numbers = Numbers::default();
    }
    Cow::Owned(game)
}

fn is_side(text: &[u8]) -> bool {
    matches!(text, b"W" | b"B")
}

fn begins_with_side(game: &Game<'_>) -> bool {
    let first = game.main_events().next();
    first.is_some_and(|(_, event)| is_side(game.text(event)))
}

/// Makes one token of each entry of a transcript that sets its parts apart: the side, `W` or `B`, perhaps a piece, two
/// squares, and what follows them in brackets. A game stays as it is that does not begin with a lone `W` or `B`, or
/// whose first entry means nothing.
pub(crate) fn join_entries(game: &mut Game<'_>) {
    if !begins_with_side(game) {
        return;
    }
    let mut joined = game.clone();
    // How many parts of an entry there are, and how many of its brackets are open.
    let (mut parts, mut depth) = (0, 0_usize);
    joined.rebuild(|joined, event| {
        let text = game.text(&event);
        let part = match event.kind {
            // `W B` is White's bishop.
            Item::Move(_) if depth == 0 && is_side(text) && !(parts == 1 && text == b"B") => {
                parts = 1;
                return joined.put(event);
            }
            Item::Move(_) => text,
            Item::VariationStart => {
                depth += 1;
                b"("
            }
            Item::VariationEnd => {
                depth = depth.saturating_sub(1);
                b")"
            }
            _ => {
                parts = 0;
                return joined.put(event);
            }
        };
        if parts == 0 {
            return joined.put(event);
        }
        parts += usize::from(matches!(event.kind, Item::Move(_)));
        joined.join(" ", part);
    });
    let first = joined.main_events().next();
    let is_entry = |event| Program::Commence.parse(&token_of(&joined, event)).is_ok();
    if first.is_some_and(|(_, event)| is_entry(event)) {
        *game = joined;
    }
}
