//! Replays games that are stored in memory.

use crate::follow::Follower;
use crate::joining::joined;
use crate::sink::Silent;
use crate::{Options, Played, Report, Sink};
use tridex_archive::Game;

/// Replays a game.
#[must_use]
pub fn replay(game: &Game<'_>, options: &Options) -> Report {
    replay_with(game, options, |played| played.report())
}

/// Replays a game in memory, and passes what was played to a function.
pub fn replay_with<T>(
    game: &Game<'_>,
    options: &Options,
    take: impl FnOnce(&Played<'_>) -> T,
) -> T {
    replay_into(game, options, &mut Silent, |_, played| take(played))
}

/// The same; a sink receives its steps.
pub(crate) fn replay_into<S: Sink, T>(
    game: &Game<'_>,
    options: &Options,
    sink: &mut S,
    take: impl FnOnce(&mut S, &Played<'_>) -> T,
) -> T {
    replay_by(&mut Follower::new(), game, options, sink, take)
}

/// The same with a follower that knows something already.
pub(crate) fn replay_by<S: Sink, T>(
    follower: &mut Follower,
    game: &Game<'_>,
    options: &Options,
    sink: &mut S,
    take: impl FnOnce(&mut S, &Played<'_>) -> T,
) -> T {
    let game = joined(game);
    follower.game(&game, options, sink);
    take(sink, &Played::new(1, &game, &follower.course))
}
