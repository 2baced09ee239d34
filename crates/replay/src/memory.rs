//! Replays games that are stored in memory.

use crate::follow::Follower;
use crate::log::{Kind, Log};
use crate::sink::Silent;
use crate::{Options, Played, Report, Sink};
use tridex_archive::TokenId;
use tridex_archive::record::Game;

/// Replays a game.
#[must_use]
pub fn replay(game: &Game, options: &Options) -> Report {
    replay_with(game, options, |played| played.report())
}

/// Replays a game kept in memory, and hands what was played to a function.
pub fn replay_with<T>(game: &Game, options: &Options, take: impl FnOnce(&Played<'_>) -> T) -> T {
    replay_into(game, options, &mut Silent, |_, played| take(played))
}

/// Replays a game kept in memory: a sink is told of its steps, and what was played is handed to a function.
pub(crate) fn replay_into<S: Sink, T>(
    game: &Game,
    options: &Options,
    sink: &mut S,
    take: impl FnOnce(&mut S, &Played<'_>) -> T,
) -> T {
    let mut log = Log::new(&[], game.at);
    log.take(game);
    log.finish(game.at);
    let mut follower = Follower::new();
    follower.game(&log, options, sink);
    take(sink, &Played::new(&log, &follower.course))
}

impl Log<'_> {
    /// Takes the events of a game kept in memory.
    fn take(&mut self, game: &Game) {
        for (index, (name, value)) in game.tags.iter().enumerate() {
            let at = game.tags_at.get(index).copied().unwrap_or(game.at);
            self.push_tag(name.as_bytes(), value.as_bytes(), at, false);
        }
        for (item, at) in game.placed() {
            let mut text = "";
            let kind = item.map(|own| {
                text = own;
                false
            });
            match kind {
                Kind::Move(_) => self.push_move(text.as_bytes(), at, TokenId::NONE),
                Kind::VariationStart => self.open(game.at),
                Kind::VariationEnd => self.close(game.at),
                _ => self.push_remark(kind, text.as_bytes(), game.at, true),
            }
        }
        self.result = game.result.map(|result| (result, game.result_at));
        for (damage, at, len) in &game.damage {
            self.damage.push(*damage, *at, *len);
        }
    }
}
