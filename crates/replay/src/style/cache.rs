//! Tokens that were parsed before.
//!
//! What a token means depends on its bytes and on the style of the sheet, on nothing else, and the games of an archive are
//! written with a few thousand tokens. So each is parsed once for each style, and found again by the number that its archive
//! gives it.

use crate::style::Style;
use std::cell::Cell;
use tridex_archive::{Interner, TokenId};
use tridex_notation::{MoveText, San};

/// What a thread has learned from the batches it has read: words, and what they say.
#[derive(Debug, Default)]
pub(crate) struct ParseCache {
    pub(crate) words: Interner,
    /// By the numbers of words, whether one is known not to be a part of the move before it.
    pub(crate) alone: Vec<bool>,
    /// What plain tokens mean.
    pub(crate) sans: Memo<San>,
    /// What other tokens mean.
    pub(crate) texts: Memo<MoveText>,
}

thread_local! {
    static LEARNED: Cell<Option<ParseCache>> = const { Cell::new(None) };
}

impl ParseCache {
    /// What this thread knows; it starts again when there is room for no more words.
    pub(crate) fn take() -> Self {
        let learned = LEARNED.try_with(Cell::take).ok().flatten();
        let learned = learned.filter(|cache| !cache.words.is_full());
        learned.unwrap_or_default()
    }

    /// Keeps it for the next batch of this thread.
    pub(crate) fn keep(self) {
        // A thread that ends keeps none.
        let _ = LEARNED.try_with(|learned| learned.set(Some(self)));
    }
}

/// What tokens say, with the number of the style in which each was read, or [`UNREAD`]: first the last one that has no
/// number, then by the numbers of their words.
#[derive(Debug)]
pub(crate) struct Memo<T>(Vec<(u16, Option<T>)>);

const UNREAD: u16 = u16::MAX;

impl<T> Default for Memo<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Copy> Memo<T> {
    /// What a token with a number meant when it was last read, and the number of the style.
    pub(crate) fn last(&self, id: TokenId) -> Option<(u8, T)> {
        let (number, known) = self.0.get(id.index() + 1)?;
        u8::try_from(*number).ok().zip(*known)
    }

    /// What a token with a number means, in a style with its own. What is found is not copied: to read it from a copy that
    /// was just made takes longer.
    #[inline(always)]
    pub(crate) fn read<'t>(
        &mut self,
        hand @ (_, number): (Style, u8),
        id: TokenId,
        token: impl FnOnce() -> &'t [u8],
        read: impl FnOnce(Style, &[u8]) -> Option<T>,
    ) -> Option<&T> {
        let index = id.index() + 1;
        let known = self.0.get(index);
        if known.is_none_or(|(of, _)| *of != u16::from(number)) {
            return self.learn(hand, id, token(), read);
        }
        self.0.get(index)?.1.as_ref()
    }

    #[inline(never)]
    fn learn(
        &mut self,
        (style, number): (Style, u8),
        id: TokenId,
        token: &[u8],
        read: impl FnOnce(Style, &[u8]) -> Option<T>,
    ) -> Option<&T> {
        let index = id.index();
        let index = if index < TokenId::MAX_WORDS {
            index + 1
        } else {
            0
        };
        if self.0.len() <= index {
            self.0.resize(index + 1, (UNREAD, None));
        }
        let known = &mut self.0[index];
        *known = (number.into(), read(style, token));
        known.1.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tridex_notation::{Locale, Notation};

    #[test]
    fn what_is_found_again_is_what_was_read() {
        let (mut sans, mut texts) = (Memo::default(), Memo::default());
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
                    let style = Style::of(notation, locale);
                    for (index, token) in tokens.iter().enumerate() {
                        let token = token.as_bytes();
                        let id = if round == 1 {
                            TokenId::NONE
                        } else {
                            TokenId::of(index)
                        };
                        let hand = (style, style.number());
                        let found = sans.read(hand, id, || token, Style::san).copied();
                        assert_eq!(found, style.san(token), "{token:?} {style:?}");
                        let found = texts.read(hand, id, || token, Style::word).copied();
                        assert_eq!(found, style.parse(token).ok(), "{token:?} {style:?}");
                    }
                }
            }
        }
    }
}
