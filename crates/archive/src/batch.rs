//! Whole games in a row, as one thread reads them.

use std::sync::{Arc, OnceLock};

use crate::budget::{Budget, Share};
use crate::container::Container;
use crate::game::{Game, GameBuilder};
use crate::interner::Interner;
use crate::ordinal::{Counted, Ordinal};
use crate::places::{Place, Places, Steps};
use crate::visit::{Damage, Limits, Visitor};
use crate::{ndjson, pgn, sheet};

/// Whole games in a row, with their place in the source.
#[derive(Clone, Debug)]
pub struct Batch {
    text: Arc<Text>,
    first_game: Ordinal,
    steps: Steps,
    /// Its part of what may be in memory.
    share: Option<Arc<Share>>,
}

/// What a batch is made of. The number of the first game after it depends on it.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) bytes: Vec<u8>,
    pub(crate) base_offset: u64,
    pub(crate) first_place: Place,
    pub(crate) container: Container,
    pub(crate) layout: Option<Arc<sheet::Layout>>,
    pub(crate) limits: Arc<Limits>,
    /// What is wrong with the end of the last game.
    pub(crate) cut: Option<Damage>,
    pub(crate) is_last: bool,
    pub(crate) games: OnceLock<u32>,
}

impl Text {
    fn read<V: Visitor + ?Sized>(&self, words: &mut Interner, visitor: &mut V) -> u32 {
        let (bytes, base) = (&self.bytes, self.base_offset);
        match (self.container, &self.layout) {
            (Container::Csv, Some(layout)) => {
                sheet::read_part(bytes, base, layout, &self.limits, self.cut, words, visitor)
            }
            (Container::Ndjson, _) => {
                ndjson::read_part(bytes, base, &self.limits, self.cut, words, visitor)
            }
            _ => pgn::read_part(bytes, base, &self.limits, self.cut, words, visitor),
        }
    }
}

impl Counted for Text {
    fn games(&self) -> u32 {
        *self
            .games
            .get_or_init(|| self.read(&mut Interner::default(), &mut pgn::Nothing))
    }

    fn is_counted(&self) -> bool {
        self.games.get().is_some()
    }
}

impl Batch {
    pub(crate) fn new(text: Text, first_game: Ordinal) -> Self {
        Self {
            text: Arc::new(text),
            first_game,
            steps: Steps::default(),
            share: None,
        }
    }

    /// The text of the games.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.text.bytes
    }

    /// Offset of its first byte in the text of the source: decompressed, and as UTF-8 if it was decoded (see
    /// [`encoding`](crate::encoding)).
    #[must_use]
    pub fn base_offset(&self) -> u64 {
        self.text.base_offset
    }

    /// Offset after its last byte.
    #[must_use]
    pub fn end_offset(&self) -> u64 {
        self.text.base_offset + self.text.bytes.len() as u64
    }

    /// Place of its first byte in the source.
    #[must_use]
    pub fn first_place(&self) -> Place {
        self.text.first_place
    }

    /// Number of its first game in the source, from 1. It is known once the batches before this one were read; those that
    /// were not read are counted now.
    #[must_use]
    pub fn first_game(&self) -> u64 {
        self.first_game.get()
    }

    /// How many games it holds, which takes reading it, once. There may be none, where a text holds nothing but damage.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.text.games()
    }

    /// Whether it holds a game. This takes reading its first one.
    #[must_use]
    pub fn has_games(&self) -> bool {
        let text = &self.text;
        match (text.container, &text.layout) {
            (Container::Csv, Some(layout)) => {
                sheet::holds_game(&text.bytes, text.base_offset, layout)
            }
            (Container::Ndjson, _) => ndjson::holds_game(&text.bytes, &text.limits),
            _ => pgn::holds_game(&text.bytes, &text.limits),
        }
    }

    /// The number of the game after this batch, if its first has the number `first`.
    #[must_use]
    pub fn number_after(&self, first: Ordinal) -> Ordinal {
        first.settle();
        first.after(Arc::clone(&self.text) as Arc<dyn Counted>)
    }

    /// Reports what is in the batch to `visitor`: [`Visitor::begin_game`] is called
    /// [`games`](Self::games) times. Reading again reports the same.
    pub fn read<V: Visitor + ?Sized>(&self, visitor: &mut V) {
        self.read_knowing(&mut Interner::default(), visitor);
    }

    /// The same with the words that are known already, and keep their numbers: those of the batches before.
    pub fn read_knowing<V: Visitor + ?Sized>(&self, words: &mut Interner, visitor: &mut V) {
        let games = self.text.read(words, visitor);
        // Known already if somebody has counted them.
        let _ = self.text.games.set(games);
    }

    /// Every game, in order.
    #[must_use]
    pub fn all_games(&self) -> Vec<Game<'_>> {
        let mut builder = GameBuilder::new(self.bytes(), self.base_offset(), Vec::new());
        self.read(&mut builder);
        builder.finish().0
    }

    /// Finds lines and columns in the source.
    #[must_use]
    pub fn places(&self) -> Places<'_> {
        let text = &self.text;
        Places::with_steps(&text.bytes, text.base_offset, text.first_place, &self.steps)
    }

    /// Whether nothing of the source follows: it was read to its end, and that is the end of the batch.
    #[must_use]
    pub fn is_last(&self) -> bool {
        self.text.is_last
    }

    /// Waits until its bytes fit into a budget, and holds that part of it until it is dropped.
    pub(crate) fn charge(&mut self, budget: &Arc<Budget>) {
        self.share = Some(Arc::new(budget.take(self.text.bytes.len())));
    }

    /// How much is accepted.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.text.limits
    }

    /// What kind of file the batch comes from.
    #[must_use]
    pub fn container(&self) -> Container {
        self.text.container
    }
}
