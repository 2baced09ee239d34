//! Plays the plain moves of a line, which are nearly all of them.

use super::draws::Draws;
use crate::replay::Replay;
use crate::style::Style;
use crate::style::cache::ParseCache;
use crate::style::token::token_of;
use tridex_archive::game::Event;
use tridex_archive::{Game, Item};
use tridex_notation::{CheckMark, MoveText};
use tridex_rules::{Move, PlayedMove, Position};

/// Where a run ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum Halt {
    /// Before an event, or after the last.
    Before(usize),
    /// After a move with a false mark of check or mate.
    Mark(usize, Move, MoveText),
}

/// The parts of a [`Follower`](super::Follower) that a run changes.
pub(super) struct Run<'f> {
    pub(super) game: &'f Game<'f>,
    /// The first event.
    pub(super) from: usize,
    /// The style of each player, with its number.
    pub(super) hands: [(Style, u8); 2],
    pub(super) replay: &'f mut Replay,
    pub(super) cache: &'f mut ParseCache,
    /// The position before the last move, if a variation replaces that move or if it has a mark of check or mate.
    pub(super) before: &'f mut Position,
    pub(super) plies: &'f mut u32,
    pub(super) draws: &'f mut Draws,
    pub(super) is_main: bool,
    /// Whether every event that is not a move ends the run, because a sink must receive it.
    pub(super) is_reported: bool,
}

impl Run<'_> {
    /// Plays plain tokens. `play` plays the legal move that a token means, if there is exactly one.
    #[inline]
    pub(super) fn go(
        self,
        now: &mut Position,
        mut play: impl FnMut(&MoveText, &mut Position, &Event) -> Option<(Move, PlayedMove)>,
    ) -> Halt {
        let events = self.game.events().get(self.from..).unwrap_or_default();
        for (index, event) in (self.from..).zip(events) {
            let Item::Move(is_replaced) = event.kind else {
                let is_variation = matches!(event.kind, Item::VariationStart | Item::VariationEnd);
                if is_variation || self.is_reported {
                    return Halt::Before(index);
                }
                continue;
            };
            let hand = self.hands[now.turn() as usize];
            let token = || token_of(self.game, event);
            let Some(text) = self.cache.parses.read_plain(hand, event.word, token) else {
                return Halt::Before(index);
            };
            if is_replaced || text.mark != CheckMark::None {
                self.before.clone_from(now);
            }
            let Some((mv, played)) = play(text, now, event) else {
                return Halt::Before(index);
            };
            *self.plies += 1;
            if self.is_main {
                self.replay.moves.push(mv);
                self.draws.add(&played, now);
            } else {
                self.replay.side_moves.push(Some(mv));
            }
            if !text.mark.is_true(&played, now) {
                return Halt::Mark(index, mv, *text);
            }
        }
        Halt::Before(self.game.events().len())
    }
}
