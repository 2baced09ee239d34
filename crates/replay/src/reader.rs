//! The way from the bytes of a batch to games that were replayed.

use crate::convert::{Converter, Once};
use crate::follow::Follower;
use crate::log::{Damages, Kind, Log};
use crate::memo::ParseCache;
use crate::sink::Sink;
use crate::{Options, Played};
use tridex_archive::batch::Batch;
use tridex_archive::{Container, Damage, Ending, Flow, GameResult, TokenId, Unusual, Visitor};

/// Replays every game of a batch and hands it to a sink, in order. Returns the damage after the last game, which belongs
/// to none.
pub fn read<S: Sink>(batch: &Batch, options: &Options, sink: &mut S) -> Damages {
    follow(batch, S::REMARKS, &mut |follower, log| {
        if S::STEPS {
            follower.game(log, options, sink);
        } else {
            follower.game_silently(log, options);
        }
        sink.game(&Played::new(log, &follower.course));
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
    follow(batch, true, &mut |follower, log| {
        follower.game(log, options, &mut Once(with.converter()));
        with.game(&Played::new(log, &follower.course));
    })
}

/// Hands over the log of every game of a batch, numbered, and who follows it. It knows nothing of sinks: the readers of all
/// containers are compiled once, and not for each of those again. The whole batch is read first, so that the batches after
/// it soon know their numbers.
fn follow(
    batch: &Batch,
    keeps_remarks: bool,
    take: &mut dyn FnMut(&mut Follower, &Log<'_>),
) -> Damages {
    let mut cache = ParseCache::take();
    let mut log = Log::new(batch.bytes(), batch.base_offset());
    // The end of a cell or of a string shows that it is whole.
    let is_movetext = matches!(batch.container(), Container::Pgn | Container::Movetext);
    log.source_end = (is_movetext && batch.is_last()).then(|| batch.end_offset());
    let mut reader = Reader {
        log,
        keeps_remarks,
        games: Vec::new(),
    };
    batch.read_knowing(&mut cache.words, &mut reader);
    let mut follower = Follower::of_many(cache);
    for (number, game) in (batch.first_game()..).zip(&mut reader.games) {
        game.number = number;
        take(&mut follower, game);
    }
    follower.cache.keep();
    reader.log.damage
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

struct Reader<'b> {
    /// The game that is being read.
    log: Log<'b>,
    /// Comments and the like are kept.
    keeps_remarks: bool,
    games: Vec<Log<'b>>,
}

impl Visitor for Reader<'_> {
    fn begin_game(&mut self, at: u64) {
        // Comments that came before it are there already.
        self.log.at = at;
    }

    fn tag(&mut self, name: &[u8], raw_value: &[u8], at: u64) {
        self.log.push_tag(name, raw_value, at, true);
    }

    #[inline]
    fn move_number(&mut self, text: &[u8], at: u64) {
        self.log.push_number(text, at);
    }

    #[inline(always)]
    fn known_number(&mut self, text: &[u8], at: u64, half_moves: u32) {
        self.log.push_known_number(text, at, half_moves);
    }

    fn move_token(&mut self, token: &[u8], at: u64) -> Flow {
        self.known_move(token, at, TokenId::NONE)
    }

    #[inline(always)]
    fn known_move(&mut self, token: &[u8], at: u64, id: TokenId) -> Flow {
        self.log.push_move(token, at, id);
        Flow::Go
    }

    fn comment(&mut self, text: &[u8], at: u64) {
        self.log
            .push_remark(Kind::Comment(false), text, at, self.keeps_remarks);
    }

    fn line_comment(&mut self, text: &[u8], at: u64) {
        self.log
            .push_remark(Kind::LineComment(false), text, at, self.keeps_remarks);
    }

    fn escape_line(&mut self, text: &[u8], at: u64) {
        self.log
            .push_remark(Kind::Escape(false), text, at, self.keeps_remarks);
    }

    fn nag(&mut self, nag: u8, at: u64) {
        self.log
            .push_remark(Kind::Nag(nag), &[], at, self.keeps_remarks);
    }

    fn suffix_mark(&mut self, text: &[u8], at: u64) {
        self.log.push_mark(text, at, self.keeps_remarks);
    }

    fn draw_offer(&mut self, at: u64) {
        self.log
            .push_remark(Kind::DrawOffer, &[], at, self.keeps_remarks);
    }

    fn begin_variation(&mut self, at: u64) -> Flow {
        self.log.open(at);
        Flow::Go
    }

    fn end_variation(&mut self, at: u64) {
        self.log.close(at);
    }

    fn trailing_word(&mut self, text: &[u8], at: u64) {
        self.log
            .push_remark(Kind::Word(false), text, at, self.keeps_remarks);
    }

    fn result(&mut self, result: GameResult, at: u64) {
        self.log.result = Some((result, at));
    }

    fn damage(&mut self, damage: Damage, at: u64, len: usize) {
        self.log.damage.push(damage, at, len);
    }

    fn unusual(&mut self, what: Unusual, text: &[u8], at: u64) {
        self.log.push_unusual(what, text, at);
    }

    fn ending(&mut self, text: &[u8], ending: Ending, at: u64) {
        self.log.push_ending(text, ending, at);
    }

    fn end_game(&mut self, at: u64) {
        self.log.finish(at);
        // A copy has no more room than it needs.
        self.games.push(self.log.clone());
        self.log.clear(at);
    }
}
