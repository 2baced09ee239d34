//! Fast code: if the end of a word is searched byte by byte, validating PGN takes 23 % longer. Known words of movetext:
//! moves and numbers whose meaning does not depend on their neighbours, found by their bytes.
//!
//! The games of a collection use a few thousand different words. Each word is classified once, and a reader of moves
//! can use its number as the key of a parse cache.
//!
//! Written here because a word stores its classification with its number, and because it is compared eight bytes at a
//! time. Crates that intern strings return only a number.

/// Eight bytes, each of them 1.
pub(crate) const ONES: u64 = u64::from_le_bytes([1; 8]);

/// The number of a known word that is a move: see [`Visitor::move_token`](crate::Visitor::move_token).
///
/// ```
/// use tridex_archive::TokenId;
///
/// assert_eq!(TokenId::of(7).index(), 7);
/// assert_eq!(TokenId::of(TokenId::MAX_WORDS), TokenId::NONE);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenId(u16);

impl TokenId {
    /// The number of a word that is not known.
    pub const NONE: Self = Self(u16::MAX);

    /// The word with this number, or `NONE` if the number is too large.
    #[must_use]
    pub const fn of(index: usize) -> Self {
        if index < Self::MAX_WORDS {
            Self(index as u16)
        } else {
            Self::NONE
        }
    }

    /// The number, below [`MAX_WORDS`](Self::MAX_WORDS). That of `NONE` is larger.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The maximum number of known words. Games on the cube use nearly twenty thousand.
    pub const MAX_WORDS: usize = 1 << 15;
}

/// The bytes of a short word, padded with zeros. No word contains a zero.
pub(crate) type Key = [u64; 2];

/// Bytes of a key.
pub(crate) const KEY_BYTES: usize = 16;

/// The meaning of a known word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    Move(TokenId),
    /// A number, in half moves: two for each move, and one more for Black's.
    Number(u32),
    /// The meaning depends on its neighbours. The number is used if they make it a move.
    Other(TokenId),
}

/// The known words: see [`Batch::read`](crate::batch::Batch::read).
#[derive(Debug, Default)]
pub struct Interner {
    /// The index of a word, or [`EMPTY`], by hash. The length is a power of two, and at least four times the number of
    /// words, so that probes are short.
    slots: Vec<u16>,
    /// The number of low bits of a hash that are not part of the slot.
    shift: u32,
    words: Vec<(Key, Known)>,
}

const EMPTY: u16 = u16::MAX;

/// The initial number of slots: many readers see only a few words.
const FEW: usize = 256;

impl Interner {
    /// Whether the maximum number of words is reached.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.words.len() >= TokenId::MAX_WORDS
    }

    #[inline(always)]
    pub(crate) fn find(&self, key: Key) -> Option<Known> {
        let mut slot = self.slot(key);
        loop {
            let index = *self.slots.get(slot)?;
            let (found, known) = self.words.get(usize::from(index))?;
            if *found == key {
                return Some(*known);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// The slot where the search for a key begins.
    #[inline(always)]
    const fn slot(&self, key: Key) -> usize {
        // The high bits of the product depend on all letters.
        let mixed = (key[0] ^ key[1].rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> self.shift) as usize
    }

    /// The number of a word that is a known move.
    #[inline]
    pub(crate) fn known_move(&self, key: Key) -> Option<TokenId> {
        match self.find(key)? {
            Known::Move(id) => Some(id),
            Known::Number(_) | Known::Other(_) => None,
        }
    }

    /// Adds a word that was not found, unless the interner is full. `known` gets the number of the word, or
    /// [`TokenId::NONE`] if the interner is full.
    #[cold]
    pub(crate) fn insert(&mut self, key: Key, known: impl FnOnce(TokenId) -> Known) -> Known {
        let index = self.words.len();
        let known = known(TokenId::of(index));
        if self.is_full() {
            return known;
        }
        self.words.push((key, known));
        if 4 * index >= self.slots.len() {
            self.slots = vec![EMPTY; (8 * index).max(FEW)];
            self.shift = u64::BITS - self.slots.len().ilog2();
            for index in 0..index {
                self.take_slot(index);
            }
        }
        self.take_slot(index);
        known
    }

    fn take_slot(&mut self, index: usize) {
        let mut slot = self.slot(self.words[index].0);
        while self.slots[slot] != EMPTY {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = index as u16;
    }
}

/// The key of a word. `None` if it is longer than [`KEY_BYTES`] or ends with a zero.
pub(crate) fn key_of(word: &[u8]) -> Option<Key> {
    let mut bytes = [0; KEY_BYTES];
    bytes.get_mut(..word.len())?.copy_from_slice(word);
    (!word.ends_with(b"\0")).then(|| key(&bytes))
}

#[inline(always)]
fn key(bytes: &[u8; KEY_BYTES]) -> Key {
    let both = u128::from_le_bytes(*bytes);
    [both as u64, (both >> 64) as u64]
}

/// The key and the length of the word at the start of some bytes, up to a blank or a control character. `None` if the
/// word is longer.
#[inline(always)]
pub(crate) fn first_word(bytes: &[u8; KEY_BYTES]) -> Option<(Key, usize)> {
    word_before(bytes, |word| below(word, 0x21))
}

/// Sets the highest bit of each byte that is less than a limit. The lowest mark is reliable; those above it may be
/// wrong.
#[inline(always)]
const fn below(word: u64, limit: u8) -> u64 {
    word.wrapping_sub(ONES * limit as u64) & !word & (ONES << 7)
}

/// The key and the length of the text before the first byte that `marks` marks.
#[inline(always)]
fn word_before(bytes: &[u8; KEY_BYTES], marks: impl Fn(u64) -> u64) -> Option<(Key, usize)> {
    let [low, high] = key(bytes);
    let first = marks(low);
    if first != 0 {
        // All bits below the mark's byte.
        let before = (first & first.wrapping_neg()) >> 7;
        let length = (first.trailing_zeros() / 8) as usize;
        return Some(([low & before.wrapping_sub(1), 0], length));
    }
    let second = marks(high);
    if second == 0 {
        return None;
    }
    let before = (second & second.wrapping_neg()) >> 7;
    let length = (second.trailing_zeros() / 8) as usize;
    Some(([low, high & before.wrapping_sub(1)], 8 + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_holds_the_bytes_of_its_word() {
        let text = b"b4,WB-b5,NB+x!?z";
        for len in 0..=KEY_BYTES {
            let mut bytes = [0; KEY_BYTES];
            bytes[..len].copy_from_slice(&text[..len]);
            assert_eq!(key_of(&text[..len]), Some(key(&bytes)), "{len}");
        }
        for word in [&b"b4N\0"[..], b"\0", b"b4,WB-b5,NB+x!?z1"] {
            assert_eq!(key_of(word), None);
        }
    }

    #[test]
    fn a_word_is_found_by_its_bytes_whatever_follows() {
        for word in [
            "",
            "b",
            "b4",
            "Nc2W",
            "b4,WB-b",
            "b4,WB-b5",
            "b4,WB-b5,NB",
            "b4,WB-b5,NB+x!?",
        ] {
            for blank in [" ", "\n", "\0", "\u{1f}"] {
                let text = format!("{word}{blank}\u{80}12. the rest of it");
                let bytes = text.as_bytes().first_chunk().unwrap();
                let expected = key_of(word.as_bytes()).unwrap();
                assert_eq!(first_word(bytes), Some((expected, word.len())), "{word:?}");
            }
        }
        assert_eq!(first_word(b"0123456789abcdef"), None);
        assert_eq!(key_of(b"0123456789abcdefg"), None);
    }

    #[test]
    fn more_words_than_there_is_room_for_have_no_number() {
        let mut words = Interner::default();
        let key = |n: usize| key_of(format!("w{n}").as_bytes()).unwrap();
        assert_eq!(words.find(key(0)), None);
        for n in 0..TokenId::MAX_WORDS {
            assert_eq!(words.find(key(n)), None);
            assert_eq!(
                words.insert(key(n), Known::Move),
                Known::Move(TokenId::of(n))
            );
        }
        for n in 0..TokenId::MAX_WORDS {
            assert_eq!(words.find(key(n)), Some(Known::Move(TokenId::of(n))));
        }
        let more = key(TokenId::MAX_WORDS);
        assert_eq!(words.insert(more, Known::Move), Known::Move(TokenId::NONE));
        assert_eq!(words.insert(more, |_| Known::Number(7)), Known::Number(7));
        assert_eq!(words.find(more), None);
    }
}
