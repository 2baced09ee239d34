//! The end of a move: the words that belong to it after its first one.

use tridex_words::moves;

use super::Engine;
use crate::lex;

impl Engine<'_> {
    /// Whether a move may continue after the word that ends at `end`.
    #[inline(always)]
    pub(super) fn goes_on(&self, end: usize) -> bool {
        if end >= 1 && matches!(self.bytes.get(end - 1), Some(b',' | b'.')) {
            return true;
        }
        match self.bytes.get(end..) {
            Some([b'(', ..]) => true,
            Some([_, next, third, ..]) => moves::may_go_on(*next, *third),
            _ => false,
        }
    }

    /// The end of a move whose first word ends at `end`, with all its parts.
    #[inline(never)]
    pub(super) fn extend(&self, mut end: usize) -> usize {
        while let Some(to) = self.part_after(end) {
            end = to;
        }
        end
    }

    /// The end of the part of a move after `end`, if there is one.
    fn part_after(&self, end: usize) -> Option<usize> {
        /// The maximum of bytes inside the brackets of a part, with the closing one.
        const BRACKETS: usize = 5;
        let next = match self.bytes.get(end)? {
            b'(' => end,
            _ => self.next_word(end)?,
        };
        if self.bytes.get(next) == Some(&b'(') {
            let inside = next + 1;
            let near = self.slice(inside, self.bytes.len().min(inside + BRACKETS));
            let close = near.iter().position(|b| *b == b')')?;
            let is_part = moves::is_bracketed_part(near.get(..close)?, next == end);
            return is_part.then(|| lex::word_end(self.bytes, inside + close + 1));
        }
        let next_end = lex::word_end(self.bytes, next + 1);
        let from = lex::skip_spaces(self.bytes, next_end);
        let to = lex::word_end(self.bytes, from);
        // Bytes after the limit must not affect earlier decisions.
        let after = if to > self.game.limit {
            &[]
        } else {
            self.slice(from, to)
        };
        let before = self.slice(self.pos, end);
        match moves::words_joined(before, self.slice(next, next_end), after) {
            0 => None,
            1 => Some(next_end),
            _ => Some(to),
        }
    }

    /// The first byte of the word after `end`, if at most one line end is between them.
    pub(super) fn next_word(&self, end: usize) -> Option<usize> {
        let mut breaks = 0;
        let mut i = end;
        while i < end + 64 {
            match self.bytes.get(i)? {
                b'\n' => {
                    breaks += usize::from(i == end || self.bytes.get(i - 1) != Some(&b'\r'));
                    i += 1;
                }
                b'\r' => {
                    breaks += 1;
                    i += 1;
                }
                byte if lex::is_blank(*byte) => i += 1,
                _ => match lex::high_blank(self.bytes, i) {
                    0 => return (i > end && breaks <= 1).then_some(i),
                    n => i += n,
                },
            }
        }
        None
    }
}
