//! Reads the games of a batch and replays them.

pub(crate) mod parts;

use crate::convert::Converter;
use crate::follow::Follower;
use crate::replay::tags::settle_date;
use crate::sink::Sink;
use crate::style::cache::ParseCache;
use crate::style::joining::{join_entries, joins};
use crate::style::token::is_promotion;
use crate::{Cause, Options, Played, Trace};
use tridex_archive::batch::Batch;
use tridex_archive::game::{Damages, GameBuilder};
use tridex_archive::{Container, Game, TokenId};

/// Replays every game of a batch, in order, and passes it to a sink. Returns the damage that belongs to no game.
///
/// ```
/// use tridex_archive::source::{OpenOptions, Source};
/// use tridex_replay::{Options, Played, Sink, read};
/// use tridex_rules::{Move, Position};
///
/// /// Counts the checks of all games.
/// struct Checks(usize);
///
/// impl Sink for Checks {
///     const STEPS: bool = true;
///
///     fn after(&mut self, position: &Position, _token: &[u8], _is_main: bool) {
///         self.0 += usize::from(position.is_check());
///     }
///
///     fn game(&mut self, _game: &Played<'_>) {}
/// }
///
/// let text = &b"[Variant \"meder\"]\n\n1. b4N b5B 1-0\n\n[Variant \"meder\"]\n\n1. c3W *\n"[..];
/// let input = Source::Stdin.open_reader(Box::new(text), &OpenOptions::default())?;
/// let mut checks = Checks(0);
/// for batch in input {
///     let batch = batch?;
///     read(&batch, &Options::default(), &mut checks);
/// }
/// assert_eq!(checks.0, 0);
/// # Ok::<(), tridex_archive::source::SourceError>(())
/// ```
pub fn read<S: Sink>(batch: &Batch, options: &Options, sink: &mut S) -> Damages {
    follow(batch, options, &mut |follower, number, game| {
        if S::STEPS {
            follower.game(game, sink);
        } else {
            follower.game_silently(game);
        }
        sink.game(&follower.played(number, game));
    })
}

/// Converts games one after another.
pub trait Converts {
    /// Changes the record of a game before it is followed.
    fn edit(&mut self, _game: &mut Game<'_>) {}

    /// Returns the converter for the next game.
    fn converter(&mut self) -> &mut Converter;

    /// Receives a game that was followed to its end. The converter has its moves.
    fn game(&mut self, played: &Played<'_>);
}

/// Like [`read`] with a [`Sink`] that passes all steps to a converter, but compiled only once, in this crate.
pub fn read_converting(batch: &Batch, options: &Options, with: &mut dyn Converts) -> Damages {
    follow(batch, options, &mut |follower, number, game| {
        with.edit(game);
        follower.game(game, with.converter());
        with.game(&follower.played(number, game));
    })
}

/// Passes every game of a batch to a function, with its number and the follower. This function is not generic over
/// sinks, so that the readers of all containers are compiled only once. It reads the whole batch first, so that the
/// game numbers of later batches are known early.
fn follow(
    batch: &Batch,
    options: &Options,
    take: &mut dyn FnMut(&mut Follower, u64, &mut Game<'_>),
) -> Damages {
    let mut cache = ParseCache::take();
    let mut alone = std::mem::take(&mut cache.alone);
    let joins = |game: &Game<'_>, token: &[u8], id: TokenId| {
        // The cache is checked first, since comparing letters causes branch mispredictions and nearly all tokens are
        // whole moves.
        alone.get(id.index()) != Some(&true) && may_join(&mut alone, game, token, id)
    };
    let mut builder = GameBuilder::new(&batch.bytes, batch.base_offset, joins);
    batch.read(&mut cache.words, &mut builder);
    let (mut games, damage) = builder.finish();
    games.iter_mut().for_each(join_entries);
    if options.mends_text {
        games.iter_mut().for_each(mend);
    }
    if let Some(order) = options.dates {
        games.iter_mut().for_each(|game| settle_date(game, order));
    }
    cache.alone = alone;
    let mut follower = Follower::new(options);
    follower.cache = cache;
    // Other containers delimit the movetext, so its last token is whole.
    let is_movetext = matches!(batch.container, Container::Pgn | Container::Movetext);
    follower.source_end = (is_movetext && batch.is_last).then(|| batch.end_offset());
    for (number, game) in (batch.first_game.get()..).zip(&mut games) {
        take(&mut follower, number, game);
    }
    follower.cache.keep();
    damage
}

/// [`read`] with a function that receives only the games.
///
/// ```
/// use tridex_archive::source::{OpenOptions, Source};
/// use tridex_replay::{Options, each};
///
/// let text = &b"[Variant \"meder\"]\n\n1. b4N b5B 1-0\n\n[Variant \"meder\"]\n\n1. c3W *\n"[..];
/// let input = Source::Stdin.open_reader(Box::new(text), &OpenOptions::default())?;
/// let mut plies = 0;
/// for batch in input {
///     let batch = batch?;
///     each(&batch, &Options::default(), |played| plies += played.plies());
/// }
/// assert_eq!(plies, 3);
/// # Ok::<(), tridex_archive::source::SourceError>(())
/// ```
pub fn each(batch: &Batch, options: &Options, take: impl FnMut(&Played<'_>)) -> Damages {
    struct Each<F>(F);
    impl<F: FnMut(&Played<'_>)> Sink for Each<F> {
        fn game(&mut self, game: &Played<'_>) {
            (self.0)(game);
        }
    }
    read(batch, options, &mut Each(take))
}

/// Corrects the texts of a game that were read in the wrong encoding, and leaves a trace of each.
fn mend(game: &mut Game<'_>) {
    let mended = game.mend_mojibake();
    let traces = mended.into_iter().map(|[token, text]| Trace {
        token,
        text,
        cause: Cause::Repair("UTF-8 that was read as Windows-1252".to_owned()),
    });
    let traces: Vec<String> = traces.map(|trace| trace.to_string()).collect();
    if !traces.is_empty() {
        game.insert_first_comment(&traces.join(" "));
    }
}

/// Whether a token is a part of the move before it. If it never is, [`ParseCache::alone`] records that.
fn may_join(alone: &mut Vec<bool>, game: &Game<'_>, token: &[u8], id: TokenId) -> bool {
    if is_promotion(token) {
        return joins(game, token);
    }
    if id != TokenId::NONE {
        alone.resize(alone.len().max(id.index() + 1), false);
        alone[id.index()] = true;
    }
    false
}
