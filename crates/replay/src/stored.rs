//! Replays single games that are in memory.

use crate::follow::Follower;
use crate::sink::Silent;
use crate::style::joining::joined;
use crate::{Options, Played, Replay, Sink};
use tridex_archive::Game;
use tridex_rules::Move;

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

/// Replays games in memory one after another. It parses each distinct token once.
///
/// ```
/// use tridex_archive::Game;
/// use tridex_replay::{Options, Replayer};
/// use tridex_rules::{Position, RuleSystem};
///
/// let mut heading = Game::new();
/// heading.set_tag("Variant", "meder");
/// let moves = [Position::start(RuleSystem::Meder).legal_moves()[0]];
/// let mut replayer = Replayer::new(&Options::default());
/// let plies = replayer.replay_moves(&heading, &moves, |played| played.plies());
/// assert_eq!((plies, replayer.replay(&heading, |played| played.plies())), (1, 0));
/// ```
#[derive(Debug)]
pub struct Replayer(Follower);

impl Replayer {
    /// Creates a replayer.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        Self(Follower::new(options))
    }

    /// Replays a game and passes the result to a function.
    pub fn replay<T>(&mut self, game: &Game<'_>, take: impl FnOnce(&Played<'_>) -> T) -> T {
        replay_by(&mut self.0, game, &mut Silent, |_, played| take(played))
    }

    /// Replays a game whose moves are known, and passes the result to a function. `heading` is its record without
    /// moves. All moves must be legal; otherwise the result is meaningless, but nothing worse happens.
    pub fn replay_moves<T>(
        &mut self,
        heading: &Game<'_>,
        moves: &[Move],
        take: impl FnOnce(&Played<'_>) -> T,
    ) -> T {
        self.0.legal_moves(heading, moves);
        take(&self.0.played(1, heading))
    }
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
