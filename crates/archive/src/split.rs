//! Splits a stream into batches of whole games.
//!
//! For every batch size, the events of all batches together are those of the whole text. For every stream, memory is
//! bounded by [`Limits::max_game`], [`Limits::max_comment`] and one batch.

mod boundary;
mod pgn_boundary;

use std::fmt;
use std::io::{self, Read};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

pub use self::boundary::{GameBoundary, RESUME_HEAD};
use crate::batch::{Batch, Ordinal};
use crate::container::Container;
use crate::cut::Cut;
use crate::encoding::{CHUNK, Utf8};
use crate::interner::Interner;
use crate::lex;
use crate::line_index::{self, LineColumn};
use crate::pgn::{self, Ignore, Skipping, Stop};
use crate::visit::{BATCH_GAMES, Damage, Limits};
use crate::{ndjson, sheet};

/// The default size of a batch: 128 KiB, so that a batch, its games and the known words fit into a processor's cache.
pub const BATCH_BYTES: usize = 128 << 10;

/// A text of at most this many bytes is one batch, with any number of games.
const FEW_BYTES: usize = 16 << 10;

/// How many of the lines that seem to begin a game are tried, the last first. Nearly always the first try succeeds.
const TRIES: usize = 8;

/// Reads a stream and yields its batches in order.
///
/// If reading fails, the games read so far come first, and the last of them has [`Damage::CutOff`]. The error is the
/// last item.
///
/// ```
/// use tridex_archive::{Container, Limits};
/// use tridex_archive::split::Splitter;
///
/// let text = "[Event \"Club\"]\n\n1. b4N b5B 1-0\n\n".repeat(1_000);
/// let batches = Splitter::with_batch_bytes(text.as_bytes(), Container::Pgn, Limits::default(), 4_096);
/// let mut games = 0;
/// for batch in batches {
///     games += batch?.games();
/// }
/// assert_eq!(games, 1_000);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Splitter<R> {
    /// The text that was read and not yet yielded.
    pub(crate) reader: Utf8<R>,
    pub(crate) container: Container,
    limits: Arc<Limits>,
    target: usize,
    layout: Option<Arc<sheet::SheetLayout>>,
    /// Offset of the first byte of the text.
    base: u64,
    place: LineColumn,
    /// The number of the next game.
    pub(crate) game: Ordinal,
    started: bool,
    /// Whether the reader ends at a boundary before the end of the source.
    pub(crate) is_range: bool,
    /// The following text belongs to a game that is too long.
    dropping: bool,
    /// Whether the last batch ended with a carriage return before the following byte was read.
    ended_in_return: bool,
    /// Whether the source is an array of JSON.
    is_array: bool,
    /// Whether the last game returned was cut, so that the following text continues that game.
    was_cut: bool,
}

impl<R> fmt::Debug for Splitter<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Splitter");
        shown.field("base", &self.base).finish_non_exhaustive()
    }
}

impl<R: Read> Splitter<R> {
    /// Splits the decompressed text of `reader` into batches of [`BATCH_BYTES`].
    pub fn new(reader: R, container: Container, limits: Limits) -> Self {
        Self::with_batch_bytes(reader, container, limits, BATCH_BYTES)
    }

    /// [`new`](Self::new) with batches of about `batch_bytes` bytes, or of one game if that is longer.
    pub fn with_batch_bytes(
        reader: R,
        container: Container,
        limits: Limits,
        batch_bytes: usize,
    ) -> Self {
        // Bytes that are not UTF-8 are not changed.
        let reader = Utf8::new(reader, None, None, Some((0, None)));
        Self::of(reader, container, limits, batch_bytes)
    }

    pub(crate) fn of(
        reader: Utf8<R>,
        container: Container,
        limits: Limits,
        batch_bytes: usize,
    ) -> Self {
        Self {
            reader,
            container,
            limits: Arc::new(limits),
            target: batch_bytes.max(1),
            layout: None,
            base: 0,
            place: LineColumn { line: 1, column: 1 },
            game: Ordinal::known(1),
            started: false,
            is_range: false,
            dropping: false,
            ended_in_return: false,
            is_array: false,
            was_cut: false,
        }
    }

    /// Reads the header of a sheet and removes the byte order mark. Called once, before the first batch.
    fn start(&mut self) {
        self.started = true;
        let head = self.reader.fill(match self.container {
            Container::Csv => RESUME_HEAD,
            Container::Json => ARRAY_HEAD,
            _ => pgn::BYTE_ORDER_MARK.len(),
        });
        self.layout = layout(self.container, head);
        self.is_array = is_array(self.container, head);
        if head.starts_with(pgn::BYTE_ORDER_MARK) {
            self.reader.text.drain(..pgn::BYTE_ORDER_MARK.len());
            self.base = pgn::BYTE_ORDER_MARK.len() as u64;
        }
    }

    /// Drops the rest of a game or a line that is too long. False if the stream ends in it.
    fn drop_rest(&mut self) -> bool {
        loop {
            let (text, eof) = (&*self.reader.text, self.reader.is_over());
            let found = match self.container {
                Container::Ndjson => memchr::memchr(b'\n', text).map(|n| n + 1),
                Container::Json => ndjson::next_object(text, 0),
                _ => lex::tag_line(text, 0, text.len(), self.place.column == 1),
            };
            if let Some(end) = found.or(eof.then_some(text.len())) {
                self.advance(end);
                self.dropping = found.is_none();
                return !self.dropping;
            }
            // A tag line or a record may begin here and continue in text that is not read yet.
            let reach = match self.container {
                Container::Json => ndjson::REACH,
                _ => lex::TAG_LINE_REACH,
            };
            let mut drop = text.len().saturating_sub(reach);
            if drop > 0 && text.get(drop - 1) == Some(&b'\r') {
                drop -= 1;
            }
            self.advance(drop);
            self.reader.fill(self.reader.text.len() + self.target);
        }
    }

    /// Removes the first `len` bytes, and returns them.
    fn advance(&mut self, len: usize) -> Vec<u8> {
        let text = &mut self.reader.text;
        let rest = text.get(len..).unwrap_or_default();
        let mut next = Vec::with_capacity(rest.len().max(self.target) + CHUNK);
        next.extend_from_slice(rest);
        // The two characters of one line end may be in two batches.
        let second_half = self.ended_in_return && text.first() == Some(&b'\n');
        let from = usize::from(second_half).min(len);
        self.place = line_index::advance(self.place, text, from, len);
        self.base += len as u64;
        let mut gone = std::mem::replace(text, next);
        gone.truncate(len);
        if let Some(&last) = gone.last() {
            self.ended_in_return = last == b'\r' && text.is_empty();
        }
        gone
    }

    /// Finds an offset before which all games are whole: the last line that certainly begins a game, or the end of a
    /// short rest, or else an offset found by reading. The decision depends only on the first `want` bytes of the text.
    fn cut(&self, want: usize) -> Option<Cut> {
        let (text, limits) = (&*self.reader.text, &*self.limits);
        let (target, eof) = (self.target, self.reader.is_over() && text.len() < want);
        let text = text.get(..want).unwrap_or(text);
        let end = text.len();
        match self.container {
            Container::Ndjson => return ndjson::cut(text, limits, target, eof),
            Container::Json => return ndjson::cut_document(text, limits, target, eof),
            _ => {}
        }
        let part = self.layout.as_deref();
        let part = part.map(|layout| layout.part(text, self.base, limits));
        let near = text.get(..limits.max_game.min(2 * target)).unwrap_or(text);
        let candidates = match part {
            Some(part) => sheet::candidates(near, part.layout),
            None => pgn_boundary::candidates(near),
        };
        let are_few = match candidates.len() {
            0 => end <= FEW_BYTES.min(target),
            games => games < BATCH_GAMES as usize,
        };
        if eof && near.len() == end && are_few {
            return Some(Cut::at(end));
        }
        let tries = (1..=candidates.len()).rev().take(TRIES);
        let mut tries = tries.filter_map(|count| candidates.get(..count));
        let boundary = tries.find(|lines| match part {
            Some(part) => sheet::is_boundary(part, lines),
            None => pgn_boundary::is_boundary(text, lines, limits),
        });
        match (boundary, part) {
            (Some([.., boundary]), _) => Some(Cut::at(*boundary)),
            (_, Some(part)) => sheet::cut_by_reading(part, target, eof),
            _ => cut_by_reading(text, limits, target, eof),
        }
    }
}

/// The number of bytes at the beginning of a document that show whether it is an array.
const ARRAY_HEAD: usize = 256;

/// Whether a source is an array of JSON, by its beginning.
fn is_array(container: Container, head: &[u8]) -> bool {
    let head = head.strip_prefix(pgn::BYTE_ORDER_MARK).unwrap_or(head);
    container == Container::Json && head.trim_ascii_start().starts_with(b"[")
}

/// The layout of a score sheet, detected from the beginning of its source.
fn layout(container: Container, head: &[u8]) -> Option<Arc<sheet::SheetLayout>> {
    let (base, head) = match head.strip_prefix(pgn::BYTE_ORDER_MARK) {
        Some(rest) => (pgn::BYTE_ORDER_MARK.len(), rest),
        None => (0, head),
    };
    let head = head.get(..sheet::LAYOUT_HEAD).unwrap_or(head);
    let detect = || Arc::new(sheet::SheetLayout::detect(head, base as u64));
    (container == Container::Csv).then(detect)
}

impl<R: Read> Iterator for Splitter<R> {
    type Item = io::Result<Arc<Batch>>;

    fn next(&mut self) -> Option<Self::Item> {
        if !self.started {
            self.start();
        }
        if self.dropping && !self.drop_rest() {
            return self.reader.failed.take().map(Err);
        }
        let mut want = self.target;
        loop {
            if self.reader.fill(want).is_empty() {
                return self.reader.failed.take().map(Err);
            }
            if let Some(cut) = self.cut(want) {
                let (base_offset, first_place) = (self.base, self.place);
                let bytes = self.advance(cut.end);
                self.dropping = cut.dropping;
                self.was_cut = cut.damage.is_some();
                let at_end = self.reader.is_over() && self.reader.text.is_empty();
                let broken_off = at_end && self.reader.failed.is_some();
                let is_unclosed = at_end
                    && self.is_array
                    && !self.is_range
                    && !bytes.trim_ascii_end().ends_with(b"]");
                let batch = Arc::new(Batch {
                    bytes,
                    base_offset,
                    first_place,
                    first_game: self.game.clone(),
                    container: self.container,
                    is_last: at_end && !broken_off && !self.is_range,
                    layout: self.layout.clone(),
                    limits: Arc::clone(&self.limits),
                    cut: cut
                        .damage
                        .or(broken_off.then_some(Damage::CutOff))
                        .or(is_unclosed.then_some(Damage::UnclosedArray)),
                    games: OnceLock::new(),
                });
                self.game = batch.number_after(self.game.clone());
                return Some(Ok(batch));
            }
            // Because `want` doubles, a long game is examined only a few times. PGN never needs more than the reach of
            // one game.
            let most = match self.container {
                Container::Pgn | Container::Movetext => pgn::reach(&self.limits) + self.target,
                _ => usize::MAX,
            };
            want = want.saturating_mul(2).min(most).max(want + 1);
        }
    }
}

/// Finds the first offset after `target` bytes before which all games of a PGN text are whole, by reading the games.
/// Each game needs its whole reach in the text. `eof`: no text follows.
fn cut_by_reading(text: &[u8], limits: &Limits, target: usize, eof: bool) -> Option<Cut> {
    let (mut words, mut ignore) = (Interner::default(), Ignore);
    let mut engine = Skipping::new(text, 0, limits, &mut words, &mut ignore);
    let (mut count, mut games) = (0, Vec::<Range<usize>>::new());
    let ends_alone = |game: &Range<usize>| {
        let game = text.get(game.clone()).unwrap_or_default();
        ends_with_text(game, limits)
    };
    while eof || engine.has_its_reach() {
        match (engine.run(), engine.game.lost) {
            (Stop::Boundary, _) => {}
            (Stop::End, Some(lost)) if !eof => {
                return Some(Cut {
                    dropping: true,
                    ..Cut::at(lost)
                });
            }
            (Stop::End, _) if eof => return Some(Cut::at(text.len())),
            (Stop::End, _) => break,
        }
        count += u32::from(engine.game.begun);
        let game = games.last().map_or(0, |game| game.end)..engine.pos;
        engine.begin(game.end);
        let is_last = game.end >= target && ends_alone(&game) || count >= BATCH_GAMES;
        games.push(game);
        if is_last {
            break;
        }
    }
    let last = games.iter().rev().find(|game| ends_alone(game));
    let last = last.or(games.last()).filter(|game| game.end > 0);
    last.map(|game| Cut::at(game.end))
}

/// Whether a game also ends with its text when nothing follows. If not, its last line may be read as the title of
/// another game there.
fn ends_with_text(game: &[u8], limits: &Limits) -> bool {
    let (mut words, mut ignore) = (Interner::default(), Ignore);
    Skipping::new(game, 0, limits, &mut words, &mut ignore).run() == Stop::End
}

#[cfg(test)]
mod tests;
