//! The moves of a line that take no more than to be found: nearly all, played in a loop that is compiled once for each rule
//! system.

use super::draws::Draws;
use crate::replay::Replay;
use crate::style::Style;
use crate::style::cache::ParseCache;
use tridex_archive::{Game, Item};
use tridex_notation::{CheckMark, San};
use tridex_rules::{Move, Playable, PlayedMove, Position, Task};

/// Where a run ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum Halt {
    /// Before an event, or after the last.
    Before(usize),
    /// After a move with a mark that is not true.
    Mark(usize, Move, San),
}

/// The parts of a [`Follower`](super::Follower) that a run changes.
pub(super) struct Run<'f> {
    pub(super) game: &'f Game<'f>,
    /// The first event.
    pub(super) from: usize,
    /// How each player writes.
    pub(super) hands: [(Style, u8); 2],
    pub(super) replay: &'f mut Replay,
    pub(super) cache: &'f mut ParseCache,
    /// The position before the last move, if a variation replaces that, or if its mark is not true.
    pub(super) before: &'f mut Position,
    pub(super) plies: &'f mut u32,
    pub(super) draws: &'f mut Draws,
    pub(super) is_main: bool,
    /// Whether it ends before every event that is not a move.
    pub(super) is_reported: bool,
}

impl Task for Run<'_> {
    type Output = Halt;

    fn run<P: Playable>(self, position: &mut P) -> Halt {
        self.go(position, |san, now, _| san.follow(now))
    }
}

impl Run<'_> {
    /// Plays as far as nothing takes more, by a function that plays the one legal move a token means, if there is one.
    #[inline(always)]
    pub(super) fn go<P: Playable>(
        self,
        now: &mut P,
        mut play: impl FnMut(&San, &mut P, &[u8]) -> Option<(Move, PlayedMove)>,
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
            let token = || self.game.text(event);
            let hand = self.hands[now.turn() as usize];
            let sans = &mut self.cache.sans;
            let Some(san) = sans.read(hand, event.word, token, Style::san) else {
                return Halt::Before(index);
            };
            let mark = san.mark();
            if is_replaced || mark != CheckMark::None {
                now.save_to(self.before);
            }
            let Some((mv, played)) = play(san, now, token()) else {
                return Halt::Before(index);
            };
            *self.plies += 1;
            if self.is_main {
                self.replay.moves.push(mv);
                self.draws.add(&played, now);
            } else {
                self.replay.side_moves.push(Some(mv));
            }
            if !san.mark_fits(&played, now) {
                return Halt::Mark(index, mv, *san);
            }
        }
        Halt::Before(self.game.events().len())
    }
}
