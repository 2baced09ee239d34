//! Tokens that have been read before.
//!
//! What a token says hangs on its bytes and on how the sheet is written, on nothing else, and the games of a collection
//! are written with a few thousand tokens. So each is read once, and found again by its bytes, which costs a fifth.

use crate::line::Writing;
use tridex_notation::{MoveText, Notation, San};

/// The bytes of a token, how many there are, and how it is written.
type Key = [u64; 2];

/// Of no token: none is written so.
const NOBODY: Key = [u64::MAX; 2];

/// The longest token that is kept: two bytes of the key are for the rest.
const LONGEST: usize = 14;

/// What is kept of the letters of a token with so many.
const LETTERS: [Key; 16] = {
    let mut table = [[0; 2]; 16];
    let mut length = 1;
    while length < 16 {
        let all = u128::MAX >> (128 - 8 * length);
        table[length] = [all as u64, (all >> 64) as u64];
        length += 1;
    }
    table
};

/// Two tokens that have the same place: the last that came, and the one before it. They share a line of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Place([(Key, Option<San>); 2]);

/// What tokens of the usual shapes say, and those that have none, as far as they have been read and no others have taken
/// their place. The default has no room and keeps none.
#[derive(Debug, Default)]
pub(crate) struct Sans {
    places: Vec<Place>,
    /// The last that was not kept.
    last: Option<San>,
}

/// How a token is written, as part of its key; nothing where it is as soon read as found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hand(Option<u64>);

impl Hand {
    pub(crate) fn of(writing: Writing) -> Self {
        let is_kept = writing.notation != Notation::Chess3;
        Self(is_kept.then(|| u64::from(writing.number()) << 56))
    }
}

impl Sans {
    /// A power of two. More would not stay near the processor.
    const COUNT: usize = 1 << 11;

    pub(crate) fn new() -> Self {
        Self {
            places: vec![Place([(NOBODY, None); 2]); Self::COUNT],
            last: None,
        }
    }

    /// [`Writing::san`] of a token written by a hand. `behind` is the token with what stands behind it, as far as that is
    /// known. What is found is not copied: to read it from a copy that was just made takes longer.
    #[inline(always)]
    pub(crate) fn san(
        &mut self,
        (writing, hand): (Writing, Hand),
        token: &[u8],
        behind: &[u8],
    ) -> Option<&San> {
        if let (Some(hand), true) = (hand.0, token.len() <= LONGEST) {
            let key = key(hand, token.len(), behind);
            if let Some(place) = self.places.get_mut(place::<{ Self::COUNT }>(key)) {
                let is_other = place.0[1].0 == key;
                if !is_other && place.0[0].0 != key {
                    Self::read(place, key, writing, token);
                }
                let (_, san) = if is_other { &place.0[1] } else { &place.0[0] };
                return san.as_ref();
            }
        }
        self.last = writing.san(token);
        self.last.as_ref()
    }

    #[inline(never)]
    fn read(place: &mut Place, key: Key, writing: Writing, token: &[u8]) {
        place.0 = [(key, writing.san(token)), place.0[0]];
    }
}

/// What tokens say that took the grammar, likewise.
#[derive(Debug, Default)]
pub(crate) struct Texts(Vec<(Key, Option<MoveText>)>);

impl Texts {
    /// A power of two.
    const COUNT: usize = 1 << 10;

    pub(crate) fn new() -> Self {
        Self(vec![(NOBODY, None); Self::COUNT])
    }

    /// [`Writing::parse`] of a token, if it is a word.
    pub(crate) fn parse(&mut self, writing: Writing, token: &[u8]) -> Option<MoveText> {
        if token.len() > LONGEST {
            return writing.parse(token).ok();
        }
        let key = key(u64::from(writing.number()) << 56, token.len(), token);
        let Some(slot) = self.0.get_mut(place::<{ Self::COUNT }>(key)) else {
            return writing.parse(token).ok();
        };
        if slot.0 != key {
            *slot = (key, writing.parse(token).ok());
        }
        slot.1
    }
}

/// The key of a token with no more letters than the [`LONGEST`]. Behind it may stand anything.
#[inline(always)]
fn key(hand: u64, length: usize, behind: &[u8]) -> Key {
    let bytes = match behind.first_chunk::<16>() {
        Some(bytes) => *bytes,
        None => padded(behind),
    };
    let [low, high] = bytes.as_chunks::<8>().0 else {
        return NOBODY;
    };
    let [low, high] = [*low, *high].map(u64::from_le_bytes);
    let letters = LETTERS[length & 15];
    let high = high & letters[1];
    [low & letters[0], high | hand | (length as u64) << 48]
}

#[cold]
fn padded(behind: &[u8]) -> [u8; 16] {
    let mut bytes = [0; 16];
    for (byte, letter) in bytes.iter_mut().zip(behind) {
        *byte = *letter;
    }
    bytes
}

/// The place of a token among so many, a power of two.
#[inline(always)]
const fn place<const COUNT: usize>(key: Key) -> usize {
    // The product's high bits hang on all letters.
    let mixed = (key[0] ^ key[1].rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> (64 - COUNT.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use tridex_notation::Locale;

    #[test]
    fn what_is_found_again_is_what_was_read() {
        let (mut sans, mut texts) = (Sans::new(), Texts::new());
        let tokens = [
            "Nc2W",
            "Nc2N",
            "b4,WB-c5,NB",
            "b4",
            "",
            "0-0",
            "QL1-QL3",
            "1b3",
            "Sc2S",
            "Sc2W+",
            "c2W\0",
            "b8BQ",
            "b8B=Q",
        ];
        for round in 0..3 {
            for notation in Notation::ALL {
                for locale in Locale::ALL {
                    let writing = Writing::of(notation, locale);
                    for token in tokens {
                        // Whatever stands behind it, and if nothing does.
                        let text = [token, " 12. the next tokens"].concat();
                        let behind = if round == 1 { token } else { text.as_str() };
                        let hand = (writing, Hand::of(writing));
                        let (token, behind) = (token.as_bytes(), behind.as_bytes());
                        let found = sans.san(hand, token, behind).copied();
                        assert_eq!(found, writing.san(token), "{token:?} {writing:?}");
                        let found = texts.parse(writing, token);
                        assert_eq!(found, writing.parse(token).ok(), "{token:?} {writing:?}");
                    }
                }
            }
        }
    }
}
