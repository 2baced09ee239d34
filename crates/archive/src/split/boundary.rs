//! Boundaries: offsets from which a source can be read without the text before.

use std::io::Read;

use super::Splitter;
use crate::batch::Ordinal;
use crate::line_index::LineColumn;
use crate::pgn::BYTE_ORDER_MARK;
use crate::sheet;

/// A boundary between two games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameBoundary {
    /// Offset in the source.
    pub offset: u64,
    /// Line and column in the source.
    pub place: LineColumn,
    /// Number of the next game in the source, from 1.
    pub next_game: u64,
}

impl GameBoundary {
    /// The beginning of every source.
    pub const START: Self = Self {
        offset: 0,
        place: LineColumn { line: 1, column: 1 },
        next_game: 1,
    };
}

/// The number of bytes at the beginning of a source that a reader needs to resume at a boundary: see [`Splitter::resume`].
pub const RESUME_HEAD: usize = sheet::LAYOUT_HEAD + BYTE_ORDER_MARK.len();

impl<R: Read> Splitter<R> {
    /// Returns the end of the last batch, if a reader that begins there reads the following text in the same way. There
    /// is no boundary inside a game that is too long and whose rest is skipped, nor between the two characters of a line
    /// end.
    ///
    /// ```
    /// use tridex_archive::{Container, Limits};
    /// use tridex_archive::split::{RESUME_HEAD, Splitter};
    ///
    /// let text = b"[Event \"a\"]\n\n1. b4N *\n\n[Event \"b\"]\n\n1. c3W *\n";
    /// let limits = Limits::default();
    /// let mut splitter = Splitter::with_batch_bytes(&text[..], Container::Pgn, limits.clone(), 16);
    /// splitter.next();
    /// let boundary = splitter.boundary().unwrap();
    ///
    /// let head = &text[..text.len().min(RESUME_HEAD)];
    /// let rest = &text[boundary.offset as usize..];
    /// let mut resumed = Splitter::new(rest, Container::Pgn, limits).resume(head, boundary);
    /// let batch = resumed.next().unwrap()?;
    /// assert_eq!(batch.all_games()[0].tag("Event").as_deref(), Some("b"));
    /// assert_eq!(batch.first_game.get(), 2);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn boundary(&self) -> Option<GameBoundary> {
        let is_open = self.dropping || self.ended_in_return || self.was_cut;
        (self.started && !is_open).then_some(GameBoundary {
            offset: self.base,
            place: self.place,
            next_game: self.game.get(),
        })
    }

    /// Resumes at a boundary that another splitter returned for the same source. The reader of this one must begin at the
    /// boundary. `head` is the beginning of the source, which has the header of a score sheet: [`RESUME_HEAD`] bytes, or all
    /// if there are fewer.
    #[must_use]
    pub fn resume(self, head: &[u8], boundary: GameBoundary) -> Self {
        if boundary.offset == 0 {
            return self;
        }
        Self {
            started: true,
            base: boundary.offset,
            place: boundary.place,
            game: Ordinal::known(boundary.next_game),
            layout: super::layout(self.container, head),
            ..self
        }
    }
}
