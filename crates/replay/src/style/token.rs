//! Tokens of the movetext, before they are parsed in a notation.

use crate::style::Style;
use crate::style::cache::ParseCache;
use std::borrow::Cow;
use tridex_archive::game::Event;
use tridex_archive::{Game, decode, fold, is_unrecorded};
use tridex_notation::{MoveText, split_end};

/// A token of a line, with its offset.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Token<'a> {
    /// The bytes as written, one line of UTF-8.
    pub(crate) text: Cow<'a, [u8]>,
    /// Offset in the decompressed source.
    pub(crate) at: u64,
    /// Its last meaning, and the number of the style in which it was parsed.
    pub(crate) known: Option<(u8, MoveText)>,
}

impl<'a> Token<'a> {
    /// The token of a move.
    pub(crate) fn of(game: &'a Game<'_>, event: &Event) -> Self {
        Self {
            text: token_of(game, event),
            at: game.place(event),
            known: None,
        }
    }

    /// The text and its offset.
    pub(crate) fn place(&self) -> (&[u8], u64) {
        (&self.text, self.at)
    }

    /// Its meaning in a style, if it parses.
    pub(crate) fn word(&self, style: Style) -> Option<MoveText> {
        let known = self.known.filter(|(number, _)| *number == style.number());
        known.map_or_else(|| style.word(&self.text), |(_, text)| Some(text))
    }
}

/// The tokens of a main line, up to the first move that was not recorded, with the meanings that are cached.
pub(crate) fn tokens<'g>(game: &'g Game<'_>, cache: &ParseCache) -> Vec<Token<'g>> {
    // The tokens after an unrecorded move have no position.
    let tokens = game.main_events().map(|(_, event)| Token {
        known: cache.parses.last(event.word),
        ..Token::of(game, event)
    });
    tokens
        .take_while(|token| !is_unrecorded(&token.text))
        .collect()
}

/// The text of a move as it is parsed: one line of UTF-8.
#[inline]
pub(crate) fn token_of<'g>(game: &'g Game<'_>, event: &Event) -> Cow<'g, [u8]> {
    let text = game.text(event);
    match text.iter().all(u8::is_ascii_graphic) {
        true => Cow::Borrowed(text),
        false => Cow::Owned(folded(text)),
    }
}

#[cold]
fn folded(text: &[u8]) -> Vec<u8> {
    without_blanks(&fold(decode(text))).into_bytes()
}

/// Whether a token is the move of an attack board and nothing else: `QL6`, `QL5-QL6`.
pub(crate) fn is_board_move(token: &[u8]) -> bool {
    let is_pin = |pin: &[u8]| matches!(pin, [b'A'..=b'Z', b'L' | b'P', b'1'..=b'6']);
    // Reject longer tokens at once, since they may be very long.
    if token.len() > "QL5-QL6".len() {
        return false;
    }
    match token.iter().position(|b| *b == b'-') {
        Some(dash) => {
            is_pin(token.get(..dash).unwrap_or_default())
                && is_pin(token.get(dash + 1..).unwrap_or_default())
        }
        None => is_pin(token),
    }
}

/// Whether a token is a square and a piece, with or without marks after them: `z9QL6Q`, `a8B=Q`.
pub(crate) fn is_promotion(token: &[u8]) -> bool {
    let (move_alone, _) = split_end(token, b"+#!?)");
    let level = move_alone.get(2..).unwrap_or_default();
    let level = match level {
        [pin, b'L' | b'P', b'1'..=b'6', rest @ ..] if pin.is_ascii_uppercase() => rest,
        [level, rest @ ..] if level.is_ascii_uppercase() => rest,
        _ => return false,
    };
    matches!(level, [piece] | [b'=' | b'(', piece] if piece.is_ascii_uppercase())
}

/// A token without the blanks that some players write around a dash and after a comma. A blank before `e.p.` stays. A
/// blank before a pawn that a board carries to its last rank becomes a stroke: `QL6 z9QL6Q` becomes `QL6/z9QL6Q`.
fn without_blanks(token: &str) -> String {
    let mut out = String::with_capacity(token.len());
    for part in token.split_ascii_whitespace() {
        let first = part.chars().next().unwrap_or(' ');
        if part.starts_with(['e', 'E'])
            && part.get(1..2).is_some_and(|b| [".", "p", "P"].contains(&b))
        {
            out.push(' ');
        } else if matches!(first, 'a'..='e' | 'z') && is_board_move(out.as_bytes()) {
            out.push('/');
        }
        out.push_str(part);
    }
    out
}
