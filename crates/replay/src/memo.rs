//! Tokens that have been read before.
//!
//! What a token means depends on its bytes and on how the sheet is written, on nothing else, and the games of an archive
//! are written with a few thousand tokens. So each is read once, and found again by the number that its archive gives it,
//! or by its bytes.

use crate::writing::Writing;
use std::cell::Cell;
use tridex_archive::{Interner, TokenId};
use tridex_notation::{MoveText, San};

/// What a thread has learned from the batches it has read: words, and what they say.
#[derive(Debug, Default)]
pub(crate) struct ParseCache {
    pub(crate) words: Interner,
    pub(crate) sans: Sans,
    pub(crate) texts: Texts,
}

thread_local! {
    static LEARNED: Cell<Option<ParseCache>> = const { Cell::new(None) };
}

impl ParseCache {
    /// What this thread knows; it starts again when there is room for no more words.
    pub(crate) fn take() -> Self {
        let learned = LEARNED.try_with(Cell::take).ok().flatten();
        learned
            .filter(|cache| !cache.words.is_full())
            .unwrap_or_else(|| Self {
                texts: Texts::new(),
                ..Self::default()
            })
    }

    /// Keeps it for the next batch of this thread.
    pub(crate) fn keep(self) {
        // A thread that ends keeps none.
        let _ = LEARNED.try_with(|learned| learned.set(Some(self)));
    }
}

/// What tokens of the usual shapes say, by the numbers of their words, and those that have none.
#[derive(Debug, Default)]
pub(crate) struct Sans {
    /// What each means, and the number of the writing in which it was read.
    known: Vec<(Option<u8>, Option<San>)>,
    /// The last that has no number.
    last: Option<San>,
}

impl Sans {
    /// [`Writing::san`] of a token with a number, in a writing with its own. What is found is not copied: to read it from a copy that was just made
    /// takes longer.
    #[inline(always)]
    pub(crate) fn san<'t>(
        &mut self,
        (writing, number): (Writing, u8),
        id: TokenId,
        token: impl FnOnce() -> &'t [u8],
    ) -> Option<&San> {
        let index = id.index();
        let is_known = self
            .known
            .get(index)
            .is_some_and(|(of, _)| *of == Some(number));
        if !is_known {
            return self.read(writing, id, token());
        }
        self.known.get(index)?.1.as_ref()
    }

    #[inline(never)]
    fn read(&mut self, writing: Writing, id: TokenId, token: &[u8]) -> Option<&San> {
        let index = id.index();
        if index >= TokenId::MAX_WORDS {
            self.last = writing.san(token);
            return self.last.as_ref();
        }
        if self.known.len() <= index {
            self.known.resize(index + 1, (None, None));
        }
        let known = self.known.get_mut(index)?;
        *known = (Some(writing.number()), writing.san(token));
        known.1.as_ref()
    }
}

/// The bytes of a token, how many there are, and how it is written.
type Key = [u64; 2];

/// Of no token: none is written so.
const NOBODY: Key = [u64::MAX; 2];

/// The longest token that is stored: two bytes of the key are for the rest.
const LONGEST: usize = 14;

/// What tokens say that took the grammar, as far as no others have taken their place. The default keeps none.
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
        let key = key(writing, token);
        let Some(slot) = self.0.get_mut(place::<{ Self::COUNT }>(key)) else {
            return writing.parse(token).ok();
        };
        if slot.0 != key {
            *slot = (key, writing.parse(token).ok());
        }
        slot.1
    }
}

/// The key of a token with no more letters than the [`LONGEST`].
fn key(writing: Writing, token: &[u8]) -> Key {
    let mut bytes = [0; 16];
    for (byte, letter) in bytes.iter_mut().zip(token) {
        *byte = *letter;
    }
    let key = u128::from_le_bytes(bytes)
        | (token.len() as u128) << 112
        | u128::from(writing.number()) << 120;
    [key as u64, (key >> 64) as u64]
}

/// The place of a token in a table of this size, a power of two.
const fn place<const COUNT: usize>(key: Key) -> usize {
    // The product's high bits depend on all letters.
    let mixed = (key[0] ^ key[1].rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> (64 - COUNT.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use tridex_notation::{Locale, Notation};

    #[test]
    fn what_is_found_again_is_what_was_read() {
        let (mut sans, mut texts) = (Sans::default(), Texts::new());
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
                    for (index, token) in tokens.iter().enumerate() {
                        let token = token.as_bytes();
                        let id = if round == 1 {
                            TokenId::NONE
                        } else {
                            TokenId::of(index)
                        };
                        let found = sans.san((writing, writing.number()), id, || token).copied();
                        assert_eq!(found, writing.san(token), "{token:?} {writing:?}");
                        let found = texts.parse(writing, token);
                        assert_eq!(found, writing.parse(token).ok(), "{token:?} {writing:?}");
                    }
                }
            }
        }
    }
}
