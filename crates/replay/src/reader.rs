//! The way from the bytes of a batch to games that were replayed.

use crate::convert::{Converter, Once};
use crate::follow::Follower;
use crate::joining::{join_entries, joins};
use crate::memo::ParseCache;
use crate::sink::Sink;
use crate::{Options, Played};
use tridex_archive::batch::Batch;
use tridex_archive::game::{Damages, GameBuilder, GameReceiver};
use tridex_archive::{Container, Game};

/// Replays every game of a batch and hands it to a sink, in order. Returns the damage after the last game, which belongs
/// to none.
pub fn read<S: Sink>(batch: &Batch, options: &Options, sink: &mut S) -> Damages {
    follow(batch, &mut |follower, number, game| {
        if S::STEPS {
            follower.game(game, options, sink);
        } else {
            follower.game_silently(game, options);
        }
        sink.game(&Played::new(number, game, &follower.course));
    })
}

/// Converts games one after another.
pub trait Converts {
    /// Writes the game that is being followed.
    fn converter(&mut self) -> &mut Converter;

    /// A game is over, and the converter has its moves.
    fn game(&mut self, played: &Played<'_>);
}

/// [`read`] for who converts: the same as a [`Sink`] that hands all steps to a converter, compiled here and not where it is
/// used.
pub fn read_converting(batch: &Batch, options: &Options, with: &mut dyn Converts) -> Damages {
    follow(batch, &mut |follower, number, game| {
        follower.game(game, options, &mut Once(with.converter()));
        with.game(&Played::new(number, game, &follower.course));
    })
}

/// Hands over every game of a batch, its number, and who follows it. It knows nothing of sinks: the readers of all
/// containers are compiled once, and not for each of those again. The whole batch is read first, so that the batches after
/// it soon know their numbers.
fn follow(batch: &Batch, take: &mut dyn FnMut(&mut Follower, u64, &Game<'_>)) -> Damages {
    let mut cache = ParseCache::take();
    let games = Games(Vec::new());
    let mut builder = GameBuilder::new(batch.bytes(), batch.base_offset(), games);
    batch.read_knowing(&mut cache.words, &mut builder);
    let (games, damage) = builder.finish();
    let mut follower = Follower::of_many(cache);
    // The end of a cell or of a string shows that it is whole.
    let is_movetext = matches!(batch.container(), Container::Pgn | Container::Movetext);
    follower.source_end = (is_movetext && batch.is_last()).then(|| batch.end_offset());
    for (number, game) in (batch.first_game()..).zip(&games.0) {
        take(&mut follower, number, game);
    }
    follower.cache.keep();
    damage
}

/// [`read`] for who only wants to know what was played.
pub fn each(batch: &Batch, options: &Options, take: impl FnMut(&Played<'_>)) -> Damages {
    struct Each<F>(F);
    impl<F: FnMut(&Played<'_>)> Sink for Each<F> {
        fn game(&mut self, game: &Played<'_>) {
            (self.0)(game);
        }
    }
    read(batch, options, &mut Each(take))
}

/// The games of a batch, their moves in one piece.
struct Games<'b>(Vec<Game<'b>>);

impl<'b> GameReceiver<'b> for Games<'b> {
    #[inline(always)]
    fn joins(&self, game: &Game<'b>, token: &[u8]) -> bool {
        joins(game, token)
    }

    fn keep(&mut self, game: &mut Game<'b>) {
        join_entries(game);
        self.0.keep(game);
    }
}
