//! Fast code: if only the letters that are there are copied, converting takes 3 % longer. Short ASCII texts that need no
//! allocation.

use tridex_rules::Position;

/// A buffer for a text of up to 32 ASCII characters.
///
/// Parts are copied in fixed sizes, never in a length known only at run time, because writing moves is mostly copying
/// letters.
#[derive(Clone, Copy, Debug)]
pub struct Letters {
    bytes: [u8; Self::CAPACITY],
    length: usize,
}

impl Default for Letters {
    fn default() -> Self {
        Self::new()
    }
}

impl Letters {
    /// The capacity in letters.
    pub const CAPACITY: usize = 32;

    pub(crate) const fn new() -> Self {
        Self {
            bytes: [0; Self::CAPACITY],
            length: 0,
        }
    }

    /// Adds the first `count` of `N` ASCII letters. If fewer than `N` bytes are free, nothing is added.
    #[inline]
    pub(crate) fn push<const N: usize>(&mut self, letters: [u8; N], count: usize) {
        if let Some(rest) = self.bytes.get_mut(self.length..self.length + N) {
            rest.copy_from_slice(&letters);
            self.length += count.min(N);
        }
    }

    /// Adds the first `count` of eight ASCII letters; the lowest byte is the first. If fewer than eight bytes are free,
    /// nothing is added.
    #[inline]
    pub(crate) fn push_eight(&mut self, letters: u64, count: usize) {
        self.push(letters.to_le_bytes(), count);
    }

    /// Removes all letters.
    #[inline]
    pub(crate) const fn clear(&mut self) {
        self.length = 0;
    }

    /// Adds an ASCII letter, unless the buffer is full.
    #[inline]
    pub(crate) fn push_letter(&mut self, letter: u8) {
        self.push([letter], 1);
    }

    /// Adds ASCII letters until the buffer is full.
    #[inline]
    pub(crate) fn push_str(&mut self, word: &str) {
        for letter in word.bytes() {
            self.push_letter(letter);
        }
    }

    /// Adds `+` if the side to move in the position `after` is in check, `#` if it is checkmated, otherwise nothing.
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

    /// The whole buffer: the letters, then the unused bytes.
    #[inline]
    pub const fn buffer(&self) -> &[u8; Self::CAPACITY] {
        &self.bytes
    }

    /// How many letters there are.
    #[inline]
    pub const fn len(&self) -> usize {
        self.length
    }

    /// Whether there are no letters.
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The letters.
    pub fn as_str(&self) -> &str {
        str::from_utf8(self.letters()).unwrap_or_default()
    }

    /// The letters as bytes of ASCII.
    #[inline]
    pub fn letters(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }
}
