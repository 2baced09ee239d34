//! Seams: places where a source may be cut so that what follows is read without what is before.

use std::io::Read;
use std::sync::Arc;

use super::Splitter;
use crate::container::Container;
use crate::ordinal::Ordinal;
use crate::pgn::BYTE_ORDER_MARK;
use crate::places::Place;
use crate::sheet;
use crate::visit::Limits;

/// A place between two games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seam {
    /// Bytes before it in the source.
    pub offset: u64,
    /// Where it is in the text of the source.
    pub place: Place,
    /// Number of the next game in the source, from 1.
    pub next_game: u64,
}

impl Seam {
    /// The beginning of every source.
    pub const START: Self = Self {
        offset: 0,
        place: Place { line: 1, column: 1 },
        next_game: 1,
    };
}

/// Bytes at the beginning of a source that whoever goes on at a seam has to know: see [`Splitter::resume`].
pub const SEAM_HEAD: usize = sheet::LAYOUT_HEAD + BYTE_ORDER_MARK.len();

impl<R: Read> Splitter<R> {
    /// Where the last batch ended, if the source may be cut there: that is, if what follows says the same to a reader
    /// that begins there. None is in the middle of a game that is too long and of which the rest is left out, or between
    /// the two characters of a line end.
    #[must_use]
    pub fn seam(&self) -> Option<Seam> {
        let is_open = self.dropping || self.ended_in_return || self.broke_off;
        (self.started && !is_open).then_some(Seam {
            offset: self.base,
            place: self.place,
            next_game: self.game.get(),
        })
    }

    /// How many games were given away so far, with those before the seam it went on at.
    #[cfg(feature = "files")]
    pub(crate) fn games_so_far(&self) -> u64 {
        self.game.get().saturating_sub(1)
    }

    /// Goes on at a seam that another splitter told of the same source. `reader` gives what follows the seam. `head` is
    /// the source's beginning, [`SEAM_HEAD`] bytes of it or all there are: there stands how a scoresheet is laid out.
    pub fn resume(
        reader: R,
        container: Container,
        limits: Limits,
        head: &[u8],
        seam: Seam,
    ) -> Self {
        let mut splitter = Self::new(reader, container, limits);
        if seam.offset == 0 {
            return splitter;
        }
        splitter.started = true;
        splitter.base = seam.offset;
        splitter.place = seam.place;
        splitter.game = Ordinal::known(seam.next_game);
        if container == Container::Csv {
            let (head, base) = match head.strip_prefix(BYTE_ORDER_MARK) {
                Some(rest) => (rest, BYTE_ORDER_MARK.len() as u64),
                None => (head, 0),
            };
            let head = head.get(..sheet::LAYOUT_HEAD).unwrap_or(head);
            splitter.layout = Some(Arc::new(sheet::Layout::detect(head, base)));
        }
        splitter
    }

    /// The same splitter of a reader that ends before its source does, at a seam.
    #[must_use]
    pub(crate) fn up_to_seam(mut self) -> Self {
        self.is_piece = true;
        self
    }
}
