//! Joins tokens that are parts of one move.
//!
//! The archive reader makes a move of every word between two blanks. But in two cases a move is written with blanks:
//! the move of a board with the promotion of the pawn that it carries to the last rank, and the entries of a program's
//! transcripts.

use crate::style::token::{is_board_move, is_promotion, token_of};
use std::borrow::Cow;
use tridex_archive::game::{Event, Numbers};
use tridex_archive::{Game, Item};
use tridex_notation::Program;

/// Whether a token is a promotion that belongs to the move before it, because that is the move of the board which
/// carries the pawn to its last rank: `QL6 z9QL6Q`.
///
/// White's pawns promote on ranks 8 and 9, and Black's on ranks 0 and 1. So the next move of the other side is never
/// read as such a promotion.
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
    // `plies` already counts the move of the board.
    is_board_move(board) && ((plies & 1 == 1) != begins_black()) == is_far
}

/// A game with the parts of its moves joined. If it is changed, its move numbers are discarded, since they no longer
/// match.
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

/// Joins the parts of each entry of a transcript to one token. The parts are the side (`W` or `B`), an optional piece,
/// two squares, and brackets after them. A game is not changed unless it begins with a lone `W` or `B` and its first
/// entry parses.
pub(crate) fn join_entries(game: &mut Game<'_>) {
    if !begins_with_side(game) {
        return;
    }
    let mut joined = game.clone();
    // The number of parts of the current entry, and of its open brackets.
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
