//! Batches: consecutive whole games, which one thread reads.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::container::Container;
use crate::game::{Game, GameBuilder};
use crate::interner::Interner;
use crate::line_index::{LineColumn, LineIndex};
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
/// assert_eq!((batch.first_game.get(), batch.games()), (1, 2));
/// assert!(batch.is_last && batch.first_place.line == 1 && batch.base_offset == 0);
/// assert_eq!(batch.end_offset(), batch.bytes.len() as u64);
///
/// let games = batch.all_games();
/// let place = batch.line_index().place(games[1].at);
/// assert_eq!(place.to_string(), "3:1");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Batch {
    /// The text of the games.
    pub bytes: Vec<u8>,
    /// Offset of its first byte in the text of the source: decompressed, and as UTF-8 if it was decoded (see
    /// [`encoding`](crate::encoding)).
    pub base_offset: u64,
    /// Line and column of its first byte in the source.
    pub first_place: LineColumn,
    /// Number of its first game in the source, from 1.
    pub first_game: Ordinal,
    /// The container of the source.
    pub container: Container,
    /// Whether the batch ends at the end of the source.
    pub is_last: bool,
    pub(crate) layout: Option<Arc<sheet::SheetLayout>>,
    pub(crate) limits: Arc<Limits>,
    /// Damage to report at the end of the last game, if the game continues after the batch.
    pub(crate) cut: Option<Damage>,
    pub(crate) games: OnceLock<u32>,
}

/// The number of a game, which depends on the number of games in the batches before it.
///
/// Only a thread that calls [`get`](Self::get) waits for it. The number is known as soon as the batches before have
/// been read; `get` reads those that nothing else has read.
///
/// ```
/// use tridex_archive::Ordinal;
///
/// assert_eq!(Ordinal::known(12).get(), 12);
/// ```
#[derive(Clone, Debug)]
pub struct Ordinal(Arc<Mutex<Number>>);

#[derive(Debug)]
enum Number {
    Known(u64),
    /// The number of the first game of the batch before, and the batch.
    After(Ordinal, Arc<Batch>),
}

impl Ordinal {
    /// A number that is known.
    pub fn known(number: u64) -> Self {
        Self::of(Number::Known(number))
    }

    fn of(number: Number) -> Self {
        Self(Arc::new(Mutex::new(number)))
    }

    fn lock(&self) -> MutexGuard<'_, Number> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number. Batches that have not been read yet are read and counted.
    pub fn get(&self) -> u64 {
        let mut number = self.lock();
        let known = match &*number {
            Number::Known(number) => *number,
            Number::After(first, batch) => first.get() + u64::from(batch.games()),
        };
        *number = Number::Known(known);
        known
    }

    /// Computes the number and releases the batches before it. Returns false if another thread is still reading one of
    /// them, so that the number is unknown.
    fn settle(&self) -> bool {
        if let Number::After(first, batch) = &*self.lock() {
            let is_free = batch.games.get().is_some() || Arc::strong_count(batch) == 1;
            if !first.settle() || !is_free {
                return false;
            }
        }
        self.get();
        true
    }
}

impl Batch {
    /// Offset after its last byte.
    pub fn end_offset(&self) -> u64 {
        self.base_offset + self.bytes.len() as u64
    }

    /// The number of its games. The first call reads the batch. A batch with nothing but damage has no games.
    pub fn games(&self) -> u32 {
        let count = || self.read::<dyn Visitor>(&mut Interner::default(), &mut pgn::Ignore);
        self.games.get().copied().unwrap_or_else(count)
    }

    /// The number of the game after this batch, if its first game has the number `first`.
    pub fn number_after(self: &Arc<Self>, first: Ordinal) -> Ordinal {
        first.settle();
        Ordinal::of(Number::After(first, Arc::clone(self)))
    }

    /// Reports the games of the batch to `visitor` and returns how many there are. Words known from earlier batches
    /// have the same numbers here. Reading again reports the same events.
    pub fn read<V: Visitor + ?Sized>(&self, words: &mut Interner, visitor: &mut V) -> u32 {
        let (bytes, base, limits) = (&*self.bytes, self.base_offset, &*self.limits);
        let games = match (self.container, self.layout.as_deref()) {
            (_, Some(layout)) => {
                let games = sheet::Games::new(layout.part(bytes, base, limits));
                sheet::read_part(games, self.cut, words, visitor)
            }
            (Container::Ndjson, _) => {
                ndjson::read_part(bytes, base, limits, self.cut, words, visitor)
            }
            (Container::Json, _) => {
                ndjson::read_document(bytes, base, limits, self.cut, words, visitor)
            }
            _ => pgn::read_part(bytes, base, limits, self.cut, words, visitor),
        };
        // The games may have been counted before.
        let _ = self.games.set(games);
        games
    }

    /// All games, in order.
    pub fn all_games(&self) -> Vec<Game<'_>> {
        let mut builder = GameBuilder::new(&self.bytes, self.base_offset, |_, _, _| false);
        self.read::<dyn Visitor>(&mut Interner::default(), &mut builder);
        builder.finish().0
    }

    /// Converts offsets to lines and columns of the source.
    pub fn line_index(&self) -> LineIndex<'_> {
        LineIndex::new(&self.bytes, self.base_offset, self.first_place)
    }
}

#[cfg(test)]
mod tests {
    use crate::container::Container;
    use crate::split::Splitter;
    use crate::visit::Limits;

    use super::*;

    /// Three batches with a game each.
    fn batches() -> Vec<Arc<Batch>> {
        let text = &b"1. b4N *\n\n1. c3W *\n\n1. b4N *\n"[..];
        let splitter = Splitter::with_batch_bytes(text, Container::Pgn, Limits::default(), 1);
        splitter.map(Result::unwrap).collect()
    }

    #[test]
    fn a_number_is_settled_when_all_before_it_is_read_or_gone() {
        let mut batches = batches();
        let third = batches[2].first_game.clone();
        assert!(!third.settle() && batches[0].games.get().is_none());
        batches[0].games();
        assert!(!third.settle());
        batches.remove(1);
        assert!(third.settle());
        assert_eq!((batches[0].first_game.get(), third.get()), (1, 3));
    }

    #[test]
    fn asked_out_of_order_a_number_counts_what_is_before() {
        let batches = batches();
        assert_eq!(batches[2].first_game.get(), 3);
        assert!(batches[0].games.get().is_some() && batches[2].games.get().is_none());
    }
}
