//! Batches: consecutive whole games, which one thread reads.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::container::Container;
use crate::game::{Game, GameBuilder};
use crate::interner::Interner;
use crate::places::{LineColumn, Places};
use crate::visit::{Damage, Limits, Visitor};
use crate::{ndjson, pgn, sheet};

/// Consecutive whole games, with their place in the source.
///
/// ```
/// use tridex_archive::{Container, Limits};
/// use tridex_archive::split::Splitter;
///
/// let text = &b"1. b4N b5B 1-0\n\n1. c3W\n"[..];
/// let mut batches = Splitter::new(text, Container::Movetext, Limits::default());
/// let batch = batches.next().unwrap()?;
/// assert_eq!((batch.first_game(), batch.games()), (1, 2));
///
/// let games = batch.all_games();
/// let place = batch.places().place(games[1].at);
/// assert_eq!(place.to_string(), "3:1");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Batch {
    text: Arc<Text>,
    first_game: Ordinal,
}

/// The content of a batch. The number of the first game after it depends on it.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) bytes: Vec<u8>,
    pub(crate) base_offset: u64,
    pub(crate) first_place: LineColumn,
    pub(crate) container: Container,
    pub(crate) layout: Option<Arc<sheet::SheetLayout>>,
    pub(crate) limits: Arc<Limits>,
    /// The damage at the end of the last game.
    pub(crate) cut: Option<Damage>,
    pub(crate) is_last: bool,
    pub(crate) games: OnceLock<u32>,
}

impl Text {
    /// Reads at most `most` games, and returns their number.
    fn read<V: Visitor + ?Sized>(&self, words: &mut Interner, visitor: &mut V) -> u32 {
        let (bytes, base, limits) = (&*self.bytes, self.base_offset, &*self.limits);
        match (self.container, self.layout.as_deref()) {
            (_, Some(layout)) => {
                let games = sheet::Games::new(layout.part(bytes, base, limits));
                sheet::read_part(games, self.cut, words, visitor)
            }
            (Container::Ndjson, _) => {
                ndjson::read_part(bytes, base, limits, self.cut, words, visitor)
            }
            _ => pgn::read_part(bytes, base, limits, self.cut, words, visitor),
        }
    }

    fn games(&self) -> u32 {
        let count = || self.read::<dyn Visitor>(&mut Interner::default(), &mut pgn::Ignore);
        *self.games.get_or_init(count)
    }
}

/// The number of a game, which depends on the number of games in the batches before it.
///
/// Only a thread that requests it waits. It is known when the batches before were read; a batch that was not read is
/// counted.
///
/// ```
/// use tridex_archive::Ordinal;
///
/// assert_eq!(Ordinal::known(12).get(), 12);
/// ```
#[derive(Clone, Debug)]
pub struct Ordinal(Arc<Number>);

#[derive(Debug)]
struct Number {
    known: OnceLock<u64>,
    /// The number of the first game of the batch before, and the batch.
    before: Mutex<Option<(Ordinal, Arc<Text>)>>,
}

impl Ordinal {
    /// A number that is known.
    pub fn known(number: u64) -> Self {
        let (known, before) = (number.into(), Mutex::default());
        Self(Arc::new(Number { known, before }))
    }

    /// The number. Batches that have not been read yet are read and counted.
    pub fn get(&self) -> u64 {
        *self.0.known.get_or_init(|| {
            let before = self.0.before.lock();
            let before = before.unwrap_or_else(PoisonError::into_inner).take();
            before.map_or(0, |(number, text)| number.get() + u64::from(text.games()))
        })
    }

    /// Computes the number, unless another thread still reads a batch before it, and releases the batches before. False
    /// if the number is still unknown.
    fn settle(&self) -> bool {
        let is_open = |(number, text): &(Self, Arc<Text>)| {
            let is_free = text.games.get().is_some() || Arc::strong_count(text) == 1;
            !number.settle() || !is_free
        };
        let before = self.0.before.lock().unwrap_or_else(PoisonError::into_inner);
        let is_settled = !before.as_ref().is_some_and(is_open);
        drop(before);
        if is_settled {
            self.get();
        }
        is_settled
    }
}

impl Batch {
    pub(crate) fn new(text: Text, first_game: Ordinal) -> Self {
        Self {
            text: Arc::new(text),
            first_game,
        }
    }

    /// The text of the games.
    pub fn bytes(&self) -> &[u8] {
        &self.text.bytes
    }

    /// Offset of its first byte in the text of the source: decompressed, and as UTF-8 if it was decoded (see
    /// [`encoding`](crate::encoding)).
    pub fn base_offset(&self) -> u64 {
        self.text.base_offset
    }

    /// Offset after its last byte.
    pub fn end_offset(&self) -> u64 {
        self.text.base_offset + self.text.bytes.len() as u64
    }

    /// Line and column of its first byte in the source.
    pub fn first_place(&self) -> LineColumn {
        self.text.first_place
    }

    /// Number of its first game in the source, from 1. Batches before this one that have not been read yet are counted
    /// now.
    pub fn first_game(&self) -> u64 {
        self.first_game.get()
    }

    /// The number of its games; the first call reads the batch. A text with nothing but damage has none.
    pub fn games(&self) -> u32 {
        self.text.games()
    }

    /// The number of the game after this batch, if its first game has the number `first`.
    ///
    /// ```
    /// use tridex_archive::source::{OpenOptions, Source};
    ///
    /// let bytes = &b"1. b4N *\n\n1. c3W *\n"[..];
    /// let input = Source::Stdin.open_reader(Box::new(bytes), &OpenOptions::default())?;
    /// for batch in input {
    ///     let batch = batch?;
    ///     assert!(batch.games() == 2 && batch.is_last());
    ///     assert_eq!((batch.base_offset(), batch.first_place().line), (0, 1));
    ///     assert_eq!(batch.end_offset(), batch.base_offset() + batch.bytes().len() as u64);
    /// }
    /// # Ok::<(), tridex_archive::source::SourceError>(())
    /// ```
    pub fn number_after(&self, first: Ordinal) -> Ordinal {
        first.settle();
        Ordinal(Arc::new(Number {
            known: OnceLock::new(),
            before: Mutex::new(Some((first, Arc::clone(&self.text)))),
        }))
    }

    /// Reports the games of the batch to `visitor`: [`Visitor::begin_game`] is called [`games`](Self::games) times.
    /// Reading again reports the same events.
    pub fn read<V: Visitor + ?Sized>(&self, visitor: &mut V) {
        self.read_knowing(&mut Interner::default(), visitor);
    }

    /// [`read`](Self::read) with the words known from earlier batches, which have the same numbers here.
    pub fn read_knowing<V: Visitor + ?Sized>(&self, words: &mut Interner, visitor: &mut V) {
        let games = self.text.read(words, visitor);
        // They may have been counted before.
        let _ = self.text.games.set(games);
    }

    /// All games, in order.
    pub fn all_games(&self) -> Vec<Game<'_>> {
        let mut builder = GameBuilder::new(self.bytes(), self.base_offset(), |_, _, _| false);
        self.read::<dyn Visitor>(&mut builder);
        builder.finish().0
    }

    /// Converts offsets to lines and columns of the source.
    pub fn places(&self) -> Places<'_> {
        let text = &self.text;
        Places::new(&text.bytes, text.base_offset, text.first_place)
    }

    /// Whether the batch ends at the end of the source.
    pub fn is_last(&self) -> bool {
        self.text.is_last
    }

    /// The container of the source.
    pub fn container(&self) -> Container {
        self.text.container
    }
}

#[cfg(test)]
mod tests {
    use crate::container::Container;
    use crate::split::Splitter;
    use crate::visit::Limits;

    use super::*;

    /// Three batches with a game each.
    fn batches() -> Vec<Batch> {
        let text = &b"1. b4N *\n\n1. c3W *\n\n1. b4N *\n"[..];
        let splitter = Splitter::with_batch_bytes(text, Container::Pgn, Limits::default(), 1);
        splitter.map(Result::unwrap).collect()
    }

    #[test]
    fn a_number_is_settled_when_all_before_it_is_read_or_gone() {
        let mut batches = batches();
        let third = batches[2].first_game.clone();
        assert!(!third.settle() && batches[0].text.games.get().is_none());
        batches[0].games();
        assert!(!third.settle());
        batches.remove(1);
        assert!(third.settle());
        assert_eq!((batches[0].first_game(), third.get()), (1, 3));
    }

    #[test]
    fn asked_out_of_order_a_number_counts_what_is_before() {
        let batches = batches();
        assert_eq!(batches[2].first_game(), 3);
        assert!(batches[0].text.games.get().is_some() && batches[2].text.games.get().is_none());
    }
}
