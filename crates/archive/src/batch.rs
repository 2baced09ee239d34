//! Batches: consecutive whole games, which one thread reads.

use std::sync::{Arc, OnceLock};

use crate::container::Container;
use crate::game::{Game, GameBuilder};
use crate::interner::Interner;
use crate::ordinal::{Counted, Ordinal};
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
    fn read<V: Visitor + ?Sized>(&self, words: &mut Interner, visitor: &mut V) -> u32 {
        let (bytes, base, limits) = (&*self.bytes, self.base_offset, &*self.limits);
        match (self.container, self.sheet()) {
            (_, Some(sheet)) => sheet::read_part(sheet, self.cut, words, visitor),
            (Container::Ndjson, _) => {
                ndjson::read_part(bytes, base, limits, self.cut, words, visitor)
            }
            _ => pgn::read_part(bytes, base, limits, self.cut, words, visitor),
        }
    }

    /// The text of a score sheet.
    fn sheet(&self) -> Option<sheet::Part<'_>> {
        Some(sheet::Part {
            bytes: &self.bytes,
            base: self.base_offset,
            layout: self.layout.as_deref()?,
            limits: &self.limits,
        })
    }
}

impl Counted for Text {
    fn games(&self) -> u32 {
        let count = || self.read::<dyn Visitor>(&mut Interner::default(), &mut pgn::Ignore);
        *self.games.get_or_init(count)
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
    /// use tridex_archive::Limits;
    /// use tridex_archive::source::{OpenOptions, Source};
    ///
    /// let bytes = &b"1. b4N *\n\n1. c3W *\n"[..];
    /// let input = Source::Stdin.open_reader(Box::new(bytes), &OpenOptions::default())?;
    /// for batch in input {
    ///     let batch = batch?;
    ///     assert!(batch.games() == 2 && batch.is_last());
    ///     assert_eq!((batch.base_offset(), batch.first_place().line), (0, 1));
    ///     assert_eq!(batch.end_offset(), batch.base_offset() + batch.bytes().len() as u64);
    ///     assert_eq!(*batch.limits(), Limits::default());
    /// }
    /// # Ok::<(), tridex_archive::source::SourceError>(())
    /// ```
    pub fn number_after(&self, first: Ordinal) -> Ordinal {
        first.settle();
        first.after(Arc::clone(&self.text) as Arc<dyn Counted>)
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

    /// The limits of its reader.
    pub fn limits(&self) -> &Limits {
        &self.text.limits
    }

    /// The container of the source.
    pub fn container(&self) -> Container {
        self.text.container
    }
}
