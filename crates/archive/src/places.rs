//! Lines and columns.

use std::fmt;

/// A place in a text, as editors count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// From 1. A line ends with a line feed, a carriage return, or both.
    pub line: u64,
    /// From 1, in characters: a UTF-8 character is one, and so is a byte that is part of none.
    pub column: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Finds the places of offsets in a part of a text.
///
/// Asking in ascending order takes time linear in the text over all questions together.
#[derive(Clone, Debug)]
pub struct Places<'b> {
    bytes: &'b [u8],
    base: u64,
    first: Place,
    /// Where the last answer was.
    known: usize,
    place: Place,
}

impl<'b> Places<'b> {
    /// For a part of a text whose first byte has the offset `base` and stands at `first`.
    #[must_use]
    pub const fn new(bytes: &'b [u8], base: u64, first: Place) -> Self {
        Self {
            bytes,
            base,
            first,
            known: 0,
            place: first,
        }
    }

    /// The place of the byte at offset `at`. An offset outside of the part counts as its nearest
    /// end.
    pub fn place(&mut self, at: u64) -> Place {
        let pos = self.position(at);
        if pos < self.known {
            self.known = 0;
            self.place = self.first;
        }
        let place = advance(self.place, self.bytes, self.known, pos);
        // Counting may go on from the start of a character only.
        if self.bytes.get(pos).is_none_or(|b| b & 0xc0 != 0x80) {
            self.known = pos;
            self.place = place;
        }
        place
    }

    /// The line that holds offset `at`, as far as it is in this part, without its end; and the
    /// offset of its first byte.
    #[must_use]
    pub fn line(&self, at: u64) -> (&'b [u8], u64) {
        let pos = self.position(at);
        let (before, after) = self.bytes.split_at_checked(pos).unwrap_or_default();
        let from = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |n| n + 1);
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
pub(crate) fn advance(place: Place, bytes: &[u8], from: usize, to: usize) -> Place {
    let part = bytes.get(from..to).unwrap_or_default();
    let mut lines = memchr::memchr_iter(b'\n', part).count() as u64;
    let mut last = memchr::memrchr(b'\n', part);
    // Carriage returns alone, which hardly any text has.
    for n in memchr::memchr_iter(b'\r', part) {
        if bytes.get(from + n + 1) != Some(&b'\n') {
            lines += 1;
            last = last.max(Some(n));
        }
    }
    match last {
        Some(n) => Place {
            line: place.line + lines,
            column: 1 + characters(part.get(n + 1..).unwrap_or_default()),
        },
        None => Place {
            line: place.line,
            column: place.column + characters(part),
        },
    }
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

    const FIRST: Place = Place { line: 1, column: 1 };

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
        let mut up = Places::new(text, 0, FIRST);
        for (at, line, column) in expected {
            assert_eq!(up.place(at), Place { line, column }, "ascending, at {at}");
        }
        let mut down = Places::new(text, 0, FIRST);
        for (at, line, column) in expected.into_iter().rev() {
            assert_eq!(
                down.place(at),
                Place { line, column },
                "descending, at {at}"
            );
        }
    }

    #[test]
    fn a_byte_of_latin_1_is_one_column() {
        let text = b"Gr\xfc\xdfe x";
        let mut places = Places::new(text, 0, FIRST);
        assert_eq!(places.place(6), Place { line: 1, column: 7 });
    }

    #[test]
    fn asking_inside_a_character_does_not_spoil_the_next_answer() {
        let text = "é♘x".as_bytes();
        let mut places = Places::new(text, 0, FIRST);
        for at in 0..text.len() as u64 {
            let _ = places.place(at);
        }
        assert_eq!(places.place(5), Place { line: 1, column: 3 });
    }

    #[test]
    fn a_part_in_the_middle_of_a_line() {
        let first = Place {
            line: 7,
            column: 40,
        };
        let mut places = Places::new(b"e4\ne5", 1000, first);
        assert_eq!(
            places.place(1001),
            Place {
                line: 7,
                column: 41
            }
        );
        assert_eq!(places.place(1003), Place { line: 8, column: 1 });
        assert_eq!(places.place(5000), Place { line: 8, column: 3 });
        assert_eq!(places.place(0), first);
        assert_eq!(places.line(1004), (&b"e5"[..], 1003));
        assert_eq!(places.line(1000), (&b"e4"[..], 1000));
    }
}
