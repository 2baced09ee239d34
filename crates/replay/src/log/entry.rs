//! Entries of transcripts that other programs write, part by part.

use super::{Event, Kind};

/// An entry of a transcript while its parts come.
pub(super) struct Entry {
    pub(super) first: Event,
    pub(super) text: Vec<u8>,
    /// How many there are, without brackets.
    pub(super) parts: usize,
}

impl Entry {
    pub(super) fn new(first: Event, side: &[u8]) -> Self {
        Self {
            first,
            text: side.to_vec(),
            parts: 1,
        }
    }

    pub(super) fn add(&mut self, kind: Kind, text: &[u8]) {
        match kind {
            Kind::VariationStart => self.text.extend_from_slice(b" ("),
            Kind::VariationEnd => self.text.push(b')'),
            _ => {
                if !self.text.ends_with(b"(") {
                    self.text.push(b' ');
                }
                self.text.extend_from_slice(text);
                self.parts += 1;
            }
        }
    }
}

/// Whether a token is the letter of a piece alone.
pub(super) fn is_piece(text: &[u8]) -> bool {
    matches!(text, b"K" | b"Q" | b"R" | b"B" | b"N" | b"P")
}
