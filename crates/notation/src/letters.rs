//! Short words of ASCII letters that need no memory of their own.

use tridex_rules::Position;

/// A word of up to 32 ASCII letters while it is written.
///
/// Its parts are stored whole, in fixed sizes, so that no copy of an unknown length is made: writing moves is little else
/// than copying letters.
#[derive(Clone, Copy, Debug)]
pub struct Letters {
    bytes: [u8; Self::ROOM],
    length: usize,
}

impl Default for Letters {
    fn default() -> Self {
        Self::new()
    }
}

impl Letters {
    /// How many letters there is room for.
    pub const ROOM: usize = 32;

    pub(crate) const fn new() -> Self {
        Self {
            bytes: [0; Self::ROOM],
            length: 0,
        }
    }

    /// Adds the first `count` of some ASCII letters; what goes beyond the room is dropped.
    #[inline(always)]
    pub(crate) fn push<const N: usize>(&mut self, letters: [u8; N], count: usize) {
        if let Some(room) = self.bytes.get_mut(self.length..self.length + N) {
            room.copy_from_slice(&letters);
            self.length += count.min(N);
        }
    }

    /// Adds the first `count` of eight ASCII letters, the first of them in the lowest byte; what goes beyond the room is
    /// dropped.
    #[inline(always)]
    pub(crate) fn push_eight(&mut self, letters: u64, count: usize) {
        self.push(letters.to_le_bytes(), count);
    }

    /// Removes all letters.
    #[inline(always)]
    pub(crate) const fn clear(&mut self) {
        self.length = 0;
    }

    /// Adds an ASCII letter; what goes beyond the room is dropped.
    #[inline(always)]
    pub(crate) fn push_letter(&mut self, letter: u8) {
        self.push([letter], 1);
    }

    /// Adds a short word of ASCII letters; what goes beyond the room is dropped.
    #[inline]
    pub(crate) fn push_str(&mut self, word: &str) {
        for letter in word.bytes() {
            self.push_letter(letter);
        }
    }

    /// Adds the mark of the check or mate that the move has given which led to a position: `+`, `#` or nothing.
    ///
    /// ```
    /// use tridex_notation::{Notation, WriteOptions, parse, resolve::resolve, write_unmarked};
    /// use tridex_rules::{Position, RuleSystem};
    ///
    /// let start = Position::start(RuleSystem::Meder);
    /// let mv = resolve(&parse(Notation::Meder, b"b4N", None)?, &start)?;
    /// let mut letters = write_unmarked(Notation::Meder, &start, mv, &WriteOptions::default())?;
    /// let mut after = start;
    /// after.play_unchecked(mv);
    /// letters.push_mark(&after); // no check: nothing is added
    /// assert_eq!(letters.as_str(), "b4N");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn push_mark(&mut self, after: &Position) {
        if after.is_check() {
            self.push_letter(if after.has_legal_move() { b'+' } else { b'#' });
        }
    }

    /// The letters, and the unused bytes after them.
    #[inline]
    pub const fn room(&self) -> &[u8; Self::ROOM] {
        &self.bytes
    }

    /// How many letters there are.
    #[inline]
    pub const fn len(&self) -> usize {
        self.length
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The letters.
    pub fn as_str(&self) -> &str {
        str::from_utf8(self.letters()).unwrap_or_default()
    }

    /// The letters, which are of ASCII.
    #[inline]
    pub fn letters(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }
}
