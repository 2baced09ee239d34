//! Where a move ends: what belongs to it behind its first word.

use super::Engine;
use crate::lex;
use crate::words;

/// What a byte after a blank may begin.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    Other,
    /// `e.p.`, or another word.
    E,
    /// A second part of the move before the blank: a dash or `x` that stands alone, a piece in brackets, a further blank,
    /// or a character that has to be looked at.
    SecondPart,
}

pub(super) const NEXT: [Next; 256] = {
    let mut table = [Next::Other; 256];
    let mut i = 0;
    while i < 256 {
        table[i] = match i as u8 {
            0..=b' ' | b'-' | b':' | b'x' | b'X' | b'(' | 0x80.. => Next::SecondPart,
            b'e' | b'E' => Next::E,
            _ => Next::Other,
        };
        i += 1;
    }
    table
};

impl Engine<'_> {
    /// Whether a word that ends at `end` may go on after that.
    #[inline(always)]
    pub(super) fn goes_on(&self, end: usize) -> bool {
        if end >= 1 && matches!(self.bytes.get(end - 1), Some(b',' | b'.')) {
            return true;
        }
        match self.bytes.get(end..) {
            Some([b'(', ..]) => true,
            Some([_, next, ..]) => NEXT[usize::from(*next)] != Next::Other,
            _ => false,
        }
    }

    /// Where a move that seems to end at `end` does end, with what belongs to it: `(Q)`, `e.p.`,
    /// the rest of `b4, WB-b5, NB`.
    #[inline(never)]
    pub(super) fn extend(&self, mut end: usize) -> usize {
        loop {
            if self.bytes.get(end) == Some(&b'(') {
                match self.piece_or_level(end) {
                    Some(close) => {
                        end = lex::word_end(self.bytes, close);
                        continue;
                    }
                    None => return end,
                }
            }
            let Some(next) = self.next_word(end) else {
                return end;
            };
            let next_end = lex::word_end(self.bytes, next + 1);
            let first = self.bytes.get(next).copied().unwrap_or(0);
            if first == b'(' {
                // `d8B (Q)`: a piece stands alone in capitals.
                match self.bytes.get(next + 1..next + 3) {
                    Some([b'A'..=b'Z', b')']) => {
                        end = lex::word_end(self.bytes, next + 3);
                        continue;
                    }
                    _ => return end,
                }
            }
            if let Some(to) = self.over_dash(end, next, next_end) {
                end = to;
                continue;
            }
            if self.is_open_square(end) && first.is_ascii_alphabetic()
                || words::is_en_passant(self.slice(next, next_end))
            {
                end = next_end;
                continue;
            }
            return end;
        }
    }

    /// Where the brackets at `open` end that touch a move, if they hold a piece or a level: `d8B(Q)`, `d8B(♕)`, `b4(N)`,
    /// `a3(QL1)`. `(s)` and `(=)` are something else.
    fn piece_or_level(&self, open: usize) -> Option<usize> {
        let inside = open + 1;
        let len = match self.bytes.get(inside)? {
            0x80.. => lex::char_len(self.bytes, inside),
            _ => {
                let near = self.bytes.get(inside..).unwrap_or_default();
                near.iter()
                    .take(4)
                    .take_while(|b| b.is_ascii_alphanumeric())
                    .count()
            }
        };
        if self.bytes.get(inside + len) != Some(&b')') {
            return None;
        }
        let text = self.slice(inside, inside + len);
        let capitals = text.iter().any(u8::is_ascii_uppercase) || text.len() == 1;
        let known = !matches!(text, b"s" | [b'0'..=b'9']) && words::said(text).is_none();
        let read = capitals && known || matches!(text, [b'q' | b'k', b'l', ..] | [0x80..=0xff, ..]);
        (len > 0 && read).then_some(inside + len + 1)
    }

    /// Where a move ends that goes on over a dash, or an `x`, which stands alone from `next` to `next_end`.
    fn over_dash(&self, end: usize, next: usize, next_end: usize) -> Option<usize> {
        let sign = self.slice(next, next_end);
        if !matches!(
            sign,
            b"-" | b":" | b"x" | b"X" | b"\x96" | b"\x97" | b"\xc3\x97"
        ) && !matches!(sign, [0xe2, 0x80, 0x90..=0x95] | b"\xe2\x88\x92")
        {
            return None;
        }
        let from = lex::skip_spaces(self.bytes, next_end);
        let to = lex::word_end(self.bytes, from);
        // What lies behind the limit has no say in what stands before it.
        if to > self.limit {
            return None;
        }
        let (before, after) = (self.slice(self.pos, end), self.slice(from, to));
        // One such sign makes a move, a second is none of it; what follows is a square or a pin.
        let is_castling =
            |part: &[u8]| !part.is_empty() && part.iter().all(|b| matches!(b, b'O' | b'o'));
        if is_castling(before.get(before.len().saturating_sub(1)..)?) && before.len() < 6 {
            return after
                .first()
                .is_some_and(|b| matches!(b, b'O' | b'o'))
                .then_some(to);
        }
        let whole = before
            .iter()
            .skip(1)
            .any(|b| matches!(b, b'-' | b'x' | b':'))
            || !before.iter().any(u8::is_ascii_digit);
        let is_place = after.first().is_some_and(u8::is_ascii_alphanumeric)
            && words::is_movelike(after)
            && !words::is_castling(after);
        // A number is one with its full stop.
        let is_number = after.iter().take_while(|b| b.is_ascii_digit()).count();
        let is_number = is_number > 0 && matches!(after.get(is_number), Some(b'.' | b')'));
        (!whole && is_place && !is_number).then_some(to)
    }

    /// Whether the word before `end` ends like `b4,`, a square without its level.
    fn is_open_square(&self, end: usize) -> bool {
        let Some(word) = self.bytes.get(self.pos..end) else {
            return false;
        };
        let Some(square) = word.strip_suffix(b",") else {
            return false;
        };
        let digits = square
            .iter()
            .rev()
            .take_while(|b| b.is_ascii_digit())
            .count();
        let file = square
            .len()
            .checked_sub(digits + 1)
            .and_then(|i| square.get(i));
        digits > 0 && file.is_some_and(|b| matches!(b, b'a'..=b'f' | b'A'..=b'F'))
    }

    /// The first byte of the word that follows `end`, if no more than one line end lies between.
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

    /// Where a move ends without the commas and full stops behind it; those of `e.p.` are its own.
    pub(super) fn without_stops(&self, start: usize, end: usize) -> usize {
        let token = self.slice(start, end);
        let stops = token
            .iter()
            .rev()
            .take_while(|b| matches!(b, b',' | b'.'))
            .count();
        let len = token.len() - stops;
        let is_own = matches!(token.get(len.wrapping_sub(1)), None | Some(b'p' | b'P'));
        // What is no move is left as it stands, lest it become another word.
        if is_own || !words::is_movelike(token.get(..len).unwrap_or_default()) {
            return end;
        }
        start + len
    }
}
