//! The storage of a game's text.

use std::borrow::Cow;

use crate::lex::{decode, fold, paragraphs};

/// The range of a text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    /// Its first byte in the bytes of the game or, with [`COPIED`], in the copied bytes.
    from: u32,
    pub(super) len: u32,
}

/// Marks a copied text.
const COPIED: u32 = 1 << 31;

impl Span {
    #[inline(always)]
    const fn of(from: u32, text: &[u8]) -> Self {
        let len = text.len() as u32;
        Self { from, len }
    }

    /// Whether the text was not copied.
    #[inline]
    pub(super) const fn is_there(self) -> bool {
        self.from & COPIED == 0
    }
}

/// The bytes of a game, and the copied texts.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory<'b> {
    pub(super) bytes: &'b [u8],
    pub(super) copied: Vec<u8>,
}

impl Memory<'_> {
    /// Stores a text. It is only copied if it is not a part of the bytes.
    #[inline(always)]
    pub(super) fn store(&mut self, text: &[u8]) -> Span {
        let from = (text.as_ptr() as usize).wrapping_sub(self.bytes.as_ptr() as usize);
        let reach = self.bytes.len().min(COPIED as usize);
        if from <= reach && text.len() <= reach - from {
            return Span::of(from as u32, text);
        }
        self.copy(text)
    }

    pub(super) fn copy(&mut self, text: &[u8]) -> Span {
        let from = self.copied.len();
        // Not reached, because the limit of a game is lower.
        if from + text.len() >= COPIED as usize {
            return Span::default();
        }
        self.copied.extend_from_slice(text);
        Span::of(from as u32 | COPIED, text)
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

/// Returns the text if it needs no decoding. Nearly every text needs none.
pub(super) fn plain(text: &[u8]) -> Option<&str> {
    let is_plain = |b: &u8| matches!(b, b' '..=b'~') && *b != b'\\';
    text.iter()
        .all(is_plain)
        .then(|| std::str::from_utf8(text).ok())?
}

/// Decodes a text, on one line.
pub(crate) fn in_a_line(text: &[u8]) -> Cow<'_, str> {
    plain(text).map_or_else(|| fold(decode(text)), Cow::Borrowed)
}

/// Decodes a text, each paragraph on one line.
pub(super) fn in_paragraphs(text: &[u8]) -> Cow<'_, str> {
    plain(text).map_or_else(|| paragraphs(decode(text)), Cow::Borrowed)
}
