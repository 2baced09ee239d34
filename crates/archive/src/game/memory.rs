//! The memory of a game's text.

use std::borrow::Cow;

use crate::lex::{decode, fold};

/// Where a text stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    /// Its first byte in the bytes the game was read from, or with [`COPIED`] among those that were copied.
    from: u32,
    pub(super) len: u32,
}

/// Marks a text that was copied.
const COPIED: u32 = 1 << 31;

impl Span {
    /// Whether the text stands in the source as it is.
    #[inline]
    pub(super) const fn is_there(self) -> bool {
        self.from & COPIED == 0
    }
}

/// The bytes a game was read from, and what was copied.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory<'b> {
    pub(super) bytes: &'b [u8],
    pub(super) copied: Vec<u8>,
}

impl Memory<'_> {
    /// Keeps a text. One that lies within the memory of the bytes is theirs.
    #[inline(always)]
    pub(super) fn keep(&mut self, text: &[u8]) -> Span {
        let from = (text.as_ptr() as usize).wrapping_sub(self.bytes.as_ptr() as usize);
        let reach = self.bytes.len().min(COPIED as usize);
        if from <= reach && text.len() <= reach - from {
            return Span {
                from: from as u32,
                len: text.len() as u32,
            };
        }
        self.copy(text)
    }

    pub(super) fn copy(&mut self, text: &[u8]) -> Span {
        let from = self.copied.len();
        // A game's text is limited to less than that.
        if from + text.len() >= COPIED as usize {
            return Span::default();
        }
        self.copied.extend_from_slice(text);
        Span {
            from: from as u32 | COPIED,
            len: text.len() as u32,
        }
    }

    #[inline]
    pub(super) fn slice(&self, span: Span) -> &[u8] {
        let memory = if span.is_there() {
            self.bytes
        } else {
            &self.copied
        };
        let from = (span.from & !COPIED) as usize;
        memory
            .get(from..from + span.len as usize)
            .unwrap_or_default()
    }
}

/// A text that stands there as it is meant, as nearly every one does.
pub(super) fn plain(text: &[u8]) -> Option<&str> {
    let is_plain = |b: &u8| matches!(b, b' '..=b'~') && *b != b'\\';
    text.iter()
        .all(is_plain)
        .then(|| std::str::from_utf8(text).ok())?
}

/// A text decoded, and on one line.
pub(super) fn in_a_line(text: &[u8]) -> Cow<'_, str> {
    plain(text).map_or_else(|| fold(decode(text)), Cow::Borrowed)
}
