//! Converts offsets to lines and columns.

use std::fmt;

/// A place in a text, counted as in editors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineColumn {
    /// From 1. A line ends with a line feed, a carriage return, or both.
    pub line: u64,
    /// From 1, in characters: a UTF-8 character counts as one, and so does a byte that is not part of one.
    pub column: u64,
}

impl fmt::Display for LineColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The maximum number of bytes of a line that are shown before an offset, and from the offset on.
const BEFORE: usize = 256;
const AFTER: usize = 512;

/// The start of the first character that does not begin before `pos`.
fn character_from(bytes: &[u8], pos: usize) -> usize {
    // A character has at most three bytes after its first.
    let rest = bytes.get(pos..).unwrap_or_default();
    let inside = rest.iter().take(3).take_while(|b| **b & 0xc0 == 0x80);
    pos + inside.count()
}

/// Converts offsets in a part of a text to lines and columns.
///
/// Requests in ascending order take linear time together. A request before the last one reads all the text before it
/// again.
///
/// ```
/// use tridex_archive::line_index::{LineColumn, LineIndex};
///
/// let mut line_index = LineIndex::new("é♘\nb4N".as_bytes(), 0, LineColumn { line: 1, column: 1 });
/// assert_eq!(line_index.place(2).to_string(), "1:2");
/// assert_eq!(line_index.place(7).to_string(), "2:2");
/// assert_eq!(line_index.line(7), (&b"b4N"[..], 6));
/// ```
#[derive(Clone, Debug)]
pub struct LineIndex<'b> {
    bytes: &'b [u8],
    base: u64,
    first: LineColumn,
    /// The last request.
    known: usize,
    place: LineColumn,
}

impl<'b> LineIndex<'b> {
    /// The places of a part of a text whose first byte has the offset `base` and the place `first`.
    pub const fn new(bytes: &'b [u8], base: u64, first: LineColumn) -> Self {
        Self {
            bytes,
            base,
            first,
            known: 0,
            place: first,
        }
    }

    /// The place of the byte at offset `at`. An offset outside of the part has the place of its nearest end.
    pub fn place(&mut self, at: u64) -> LineColumn {
        let pos = self.position(at);
        // The findings of a game are in order, so this happens once a game at most.
        if pos < self.known {
            (self.known, self.place) = (0, self.first);
        }
        let place = advance(self.place, self.bytes, self.known, pos);
        // Counting can continue only from the start of a character.
        if self.bytes.get(pos).is_none_or(|b| b & 0xc0 != 0x80) {
            self.known = pos;
            self.place = place;
        }
        place
    }

    /// The line with the offset `at`, without its line end, and the offset of the first byte returned. Of a long line
    /// at most 256 bytes before the offset are returned, and 512 from it on with the rest of the last character.
    pub fn line(&self, at: u64) -> (&'b [u8], u64) {
        let pos = self.position(at);
        let start = pos.checked_sub(BEFORE);
        let start = start.map_or(0, |start| character_from(self.bytes, start).min(pos));
        let end = character_from(self.bytes, pos + AFTER).min(self.bytes.len());
        let before = self.bytes.get(start..pos).unwrap_or_default();
        let after = self.bytes.get(pos..end).unwrap_or_default();
        let from = memchr::memrchr2(b'\n', b'\r', before).map_or(start, |n| start + n + 1);
        let to = pos + memchr::memchr2(b'\n', b'\r', after).unwrap_or(after.len());
        (
            self.bytes.get(from..to).unwrap_or_default(),
            self.base + from as u64,
        )
    }

    fn position(&self, at: u64) -> usize {
        usize::try_from(at.saturating_sub(self.base))
            .unwrap_or(usize::MAX)
            .min(self.bytes.len())
    }
}

/// The place of `to`, if `from` is at `place`.
pub(crate) fn advance(place: LineColumn, bytes: &[u8], from: usize, to: usize) -> LineColumn {
    let part = bytes.get(from..to).unwrap_or_default();
    let mut lines = memchr::memchr_iter(b'\n', part).count() as u64;
    let mut last = memchr::memrchr(b'\n', part);
    // Lone carriage returns, which are rare.
    for n in memchr::memchr_iter(b'\r', part) {
        if bytes.get(from + n + 1) != Some(&b'\n') {
            lines += 1;
            last = last.max(Some(n));
        }
    }
    let (column, rest) = match last {
        Some(n) => (1, part.get(n + 1..).unwrap_or_default()),
        None => (place.column, part),
    };
    let (line, column) = (place.line + lines, column + characters(rest));
    LineColumn { line, column }
}

fn characters(bytes: &[u8]) -> u64 {
    if bytes.is_ascii() {
        return bytes.len() as u64;
    }
    bytes
        .utf8_chunks()
        .map(|chunk| chunk.valid().chars().count() + chunk.invalid().len())
        .sum::<usize>() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: LineColumn = LineColumn { line: 1, column: 1 };

    #[test]
    fn every_offset_of_a_text_with_all_line_ends() {
        let text = "a\nbé♘\r\n\rx\r\r\n\n".as_bytes();
        let expected = [
            (0, 1, 1), // a
            (1, 1, 2),
            (2, 2, 1), // b
            (3, 2, 2), // é
            (5, 2, 3), // knight
            (8, 2, 4), // CR LF
            (10, 3, 1),
            (11, 4, 1), // x
            (12, 4, 2),
            (13, 5, 1),
            (15, 6, 1),
            (16, 7, 1),
        ];
        let mut up = LineIndex::new(text, 0, FIRST);
        for (at, line, column) in expected {
            assert_eq!(
                up.place(at),
                LineColumn { line, column },
                "ascending, at {at}"
            );
        }
        let mut down = LineIndex::new(text, 0, FIRST);
        for (at, line, column) in expected.into_iter().rev() {
            assert_eq!(
                down.place(at),
                LineColumn { line, column },
                "descending, at {at}"
            );
        }
    }

    #[test]
    fn a_byte_of_latin_1_is_one_column() {
        let text = b"Gr\xfc\xdfe x";
        let mut line_index = LineIndex::new(text, 0, FIRST);
        assert_eq!(line_index.place(6), LineColumn { line: 1, column: 7 });
    }

    #[test]
    fn asking_inside_a_character_does_not_spoil_the_next_answer() {
        let text = "é♘x".as_bytes();
        let mut line_index = LineIndex::new(text, 0, FIRST);
        for at in 0..text.len() as u64 {
            let _ = line_index.place(at);
        }
        assert_eq!(line_index.place(5), LineColumn { line: 1, column: 3 });
    }

    #[test]
    fn a_part_in_the_middle_of_a_line() {
        let first = LineColumn {
            line: 7,
            column: 40,
        };
        let mut line_index = LineIndex::new(b"e4\ne5", 1000, first);
        assert_eq!(
            line_index.place(1001),
            LineColumn {
                line: 7,
                column: 41
            }
        );
        assert_eq!(line_index.place(1003), LineColumn { line: 8, column: 1 });
        assert_eq!(line_index.place(5000), LineColumn { line: 8, column: 3 });
        assert_eq!(line_index.place(0), first);
        assert_eq!(line_index.line(1004), (&b"e5"[..], 1003));
        assert_eq!(line_index.line(1000), (&b"e4"[..], 1000));
    }

    /// Every kind of line end and of character, over some thousands of bytes.
    fn long() -> Vec<u8> {
        let pieces: [&[u8]; 9] = [
            b"b4N ",
            "é".as_bytes(),
            "♘".as_bytes(),
            b"\n",
            b"\r",
            b"\r\n",
            b"\xfc",
            b"\x80\x80\x80\x80",
            "🙂".as_bytes(),
        ];
        let mut text = Vec::new();
        let mut state = 7_u32;
        while text.len() < 9 << 10 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            text.extend_from_slice(pieces[(state >> 20) as usize % pieces.len()]);
        }
        text
    }

    #[test]
    fn places_in_any_order_are_the_same() {
        let text = long();
        let mut counted = LineIndex::new(&text, 0, FIRST);
        let starts: Vec<(u64, LineColumn)> = (0..text.len() as u64)
            .map(|at| (at, counted.place(at)))
            .collect();
        let mut line_index = LineIndex::new(&text, 0, FIRST);
        for (at, place) in starts.iter().rev().chain(starts.iter().step_by(701)) {
            assert_eq!(line_index.place(*at), *place, "at {at}");
            let far = &starts[(*at as usize * 701) % starts.len()];
            assert_eq!(line_index.place(far.0), far.1, "at {}", far.0);
        }
    }

    #[test]
    fn of_a_line_without_end_only_what_is_near_is_given_and_no_half_characters() {
        for shift in 0..4 {
            let text = format!("{}{}", "x".repeat(shift), "♘".repeat(1000));
            let line_index = LineIndex::new(text.as_bytes(), 0, FIRST);
            let at = (shift + 3 * 400) as u64;
            let (line, from) = line_index.line(at);
            assert!(from <= at && at - from <= BEFORE as u64 && line.len() <= BEFORE + AFTER + 3);
            assert!(line.len() > BEFORE + AFTER - 8);
            let shown = std::str::from_utf8(line).unwrap();
            assert!(shown.chars().all(|c| c == '♘'), "{shown}");
        }
    }
}
