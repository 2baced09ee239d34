//! The last token of a source, which may be only the beginning of a move.
//!
//! If a source ends with a token and no line end or blank follows, the token may have been longer. A token that is a
//! whole move is played. If its level, its promotion or the rest of its square is missing, it is not completed, and the
//! game ends before it. A missing level does not count if other moves of the game have no level either, since then the
//! player omits levels.

use super::Follower;
use crate::finding::wording::in_full;
use crate::reading::Break;
use crate::style::Style;
use crate::style::token::token_of;
use tridex_archive::Game;
use tridex_archive::game::Event;
use tridex_notation::{MoveText, TokenNote};
use tridex_rules::{MoveList, Position};

impl Follower {
    /// Whether the source ends with the last byte of a token, so that the token may have been truncated.
    fn ends_source(&self, game: &Game<'_>, event: &Event) -> bool {
        self.source_end.is_some() && self.source_end == game.end_of(event)
    }

    /// Whether the source ends with a token that is not a whole move in the style of either player.
    pub(super) fn is_part(
        &self,
        game: &Game<'_>,
        index: usize,
        event: &Event,
        token: &[u8],
    ) -> bool {
        let hands = self.replay.reading.hands;
        let is_whole = |style: Style| {
            let text = style.parse(token);
            text.is_ok_and(|text| !lacks_level(&text, game, index, style))
        };
        self.ends_source(game, event) && !hands.into_iter().any(is_whole)
    }

    /// Why the last token of the source cannot be played. `None` if it is a whole move, if no legal move begins with
    /// it, or if the source does not end with it.
    pub(super) fn truncation(
        &self,
        game: &Game<'_>,
        index: usize,
        event: &Event,
        token: &[u8],
    ) -> Option<Break> {
        if !self.ends_source(game, event) {
            return None;
        }
        let now = &self.line.now;
        let style = self.replay.reading.hands[now.turn() as usize];
        let text = match style.parse(token) {
            Ok(text) => text,
            Err(fault) => return begins_move(now, style, token).then_some(Break::Syntax(fault)),
        };
        let found = style.candidates(&text, now);
        if !found.is_empty() && lacks_level(&text, game, index, style) {
            return Some(Break::Illegal(text));
        }
        lacks_promotion(&found).then_some(Break::Ambiguous(found))
    }
}

/// Whether a token has no level while all other moves of the main line have one.
fn lacks_level(text: &MoveText, game: &Game<'_>, index: usize, style: Style) -> bool {
    let has_none = |text: &MoveText| text.notes.has(TokenNote::MissingLevel);
    let mut others = game.main_events().filter(|(other, _)| *other != index);
    let omits = |event| {
        style
            .word(&token_of(game, event))
            .is_some_and(|text| has_none(&text))
    };
    has_none(text) && !others.any(|(_, event)| omits(event))
}

/// Whether some moves differ in the piece to which a pawn is promoted.
fn lacks_promotion(moves: &MoveList) -> bool {
    let first = moves.first().and_then(|mv| mv.promotion());
    first.is_some() && moves.iter().any(|mv| mv.promotion() != first)
}

/// Whether a token is the beginning of a legal move, in one of the forms in which that can be written.
fn begins_move(position: &Position, style: Style, token: &[u8]) -> bool {
    if !style.is_ours() {
        return false;
    }
    let begins = |text: &String| text.len() > token.len() && text.as_bytes().starts_with(token);
    position.legal_moves().into_iter().any(|mv| {
        let [full, short] = [true, false].map(|full| style.spelled(position, mv, full));
        let whole = Some(in_full(position, style.notation, mv));
        [full, short, whole].iter().flatten().any(begins)
    })
}
