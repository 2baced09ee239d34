//! Replays single games that are in memory.

use crate::follow::Follower;
use crate::sink::Silent;
use crate::style::joining::joined;
use crate::{Options, Played, Replay, Sink};
use tridex_archive::Game;

/// Replays a game in memory.
///
/// ```
/// use tridex_archive::{Limits, game, pgn};
/// use tridex_replay::{Options, finding::Code, replay};
///
/// let text = b"[Variant \"meder\"]\n\n1. b4N b5B 2. Nc4W *\n";
/// let games = game::collect(|reader| pgn::read_games(text, 0, &Limits::default(), reader));
/// let report = replay(&games[0], &Options::default());
/// assert_eq!(report.moves().len(), 2);
/// assert_eq!(report.findings()[0].code, Code::Illegal);
/// assert_eq!(report.findings()[0].token, "Nc4W");
/// ```
#[must_use]
pub fn replay(game: &Game<'_>, options: &Options) -> Replay {
    replay_with(game, options, |played| played.to_replay())
}

/// Replays a game in memory and passes the result to a function.
///
/// ```
/// use tridex_archive::{Limits, game, pgn};
/// use tridex_replay::{Options, replay_with};
///
/// let text = b"[Variant \"meder\"]\n\n1. b4N b5B *\n";
/// let games = game::collect(|reader| pgn::read_games(text, 0, &Limits::default(), reader));
/// let legal = replay_with(&games[0], &Options::default(), |played| played.last().legal_moves().len());
/// assert!(legal > 20);
/// ```
pub fn replay_with<T>(
    game: &Game<'_>,
    options: &Options,
    take: impl FnOnce(&Played<'_>) -> T,
) -> T {
    let follower = &mut Follower::new(options);
    replay_by(follower, game, &mut Silent, |_, played| take(played))
}

/// Like [`replay_with`], but with a given follower, and a sink that receives the steps.
pub(crate) fn replay_by<S: Sink, T>(
    follower: &mut Follower,
    game: &Game<'_>,
    sink: &mut S,
    take: impl FnOnce(&mut S, &Played<'_>) -> T,
) -> T {
    let game = joined(game);
    follower.game(&game, sink);
    take(sink, &follower.played(1, &game))
}
