//! A cache of parsed tokens.
//!
//! The result of parsing a token depends only on its bytes and on the style, and the games of an archive consist of a
//! few thousand different tokens. So each token is parsed once and stored under the number that the interner gives it.
//! It is parsed again only if the style changes.

use crate::style::Style;
use std::borrow::Cow;
use std::cell::Cell;
use tridex_archive::{Interner, TokenId};
use tridex_notation::MoveText;

/// The tokens of the batches that a thread has read, and their meanings.
#[derive(Debug, Default)]
pub(crate) struct ParseCache {
    pub(crate) words: Interner,
    /// For each token number, whether the token is known never to be a part of the move before it.
    pub(crate) alone: Vec<bool>,
    pub(crate) parses: Parses,
}

thread_local! {
    static LEARNED: Cell<Option<ParseCache>> = const { Cell::new(None) };
}

impl ParseCache {
    /// Takes the cache of this thread, or an empty one if the interner is full.
    pub(crate) fn take() -> Self {
        let learned = LEARNED.try_with(Cell::take).ok().flatten();
        let learned = learned.filter(|cache| !cache.words.is_full());
        learned.unwrap_or_default()
    }

    /// Stores the cache for the next batch of this thread.
    pub(crate) fn keep(self) {
        // This fails in a thread that is ending, which needs no cache.
        let _ = LEARNED.try_with(|learned| learned.set(Some(self)));
    }
}

/// The meanings of tokens, by number plus one. The first is that of the last token without a number.
#[derive(Debug, Default)]
pub(crate) struct Parses(Vec<Parse>);

/// The last result of parsing a token.
#[derive(Clone, Copy, Debug)]
struct Parse {
    /// The number of the style in which it was parsed, or [`UNREAD`].
    style: u16,
    /// Whether the token is plain and its bytes were parsed unchanged.
    is_plain: bool,
    text: Option<MoveText>,
}

const UNREAD: u16 = u16::MAX;

impl Parses {
    /// The last meaning of a token with a number, and the number of the style in which it was parsed.
    pub(crate) fn last(&self, id: TokenId) -> Option<(u8, MoveText)> {
        let known = self.0.get(id.index() + 1)?;
        u8::try_from(known.style).ok().zip(known.text)
    }

    /// The meaning of a token. `id` is the number of the token, and `hand` the style with its number.
    pub(crate) fn read<'t>(
        &mut self,
        hand: (Style, u8),
        id: TokenId,
        token: impl FnOnce() -> Cow<'t, [u8]>,
    ) -> Option<MoveText> {
        self.parse(hand, id, token)?.text
    }

    /// The meaning of a token that is plain ([`MoveText::is_plain`]) and was parsed without a change of its bytes.
    /// Returns a reference, since reading from a fresh copy takes longer.
    #[inline]
    pub(crate) fn read_plain<'t>(
        &mut self,
        hand: (Style, u8),
        id: TokenId,
        token: impl FnOnce() -> Cow<'t, [u8]>,
    ) -> Option<&MoveText> {
        let parse = self.parse(hand, id, token)?;
        parse.text.as_ref().filter(|_| parse.is_plain)
    }

    #[inline]
    fn parse<'t>(
        &mut self,
        hand @ (_, number): (Style, u8),
        id: TokenId,
        token: impl FnOnce() -> Cow<'t, [u8]>,
    ) -> Option<&Parse> {
        let index = id.index() + 1;
        let known = self.0.get(index);
        if known.is_none_or(|known| known.style != u16::from(number)) {
            return Some(self.learn(hand, id, token()));
        }
        self.0.get(index)
    }
    fn learn(&mut self, (style, number): (Style, u8), id: TokenId, token: Cow<'_, [u8]>) -> &Parse {
        let index = id.index();
        let index = if index < TokenId::MAX_WORDS {
            index + 1
        } else {
            0
        };
        if self.0.len() <= index {
            let unread = Parse {
                style: UNREAD,
                is_plain: false,
                text: None,
            };
            self.0.resize(index + 1, unread);
        }
        let text = style.word(&token);
        let is_unchanged = matches!(token, Cow::Borrowed(_));
        self.0[index] = Parse {
            style: number.into(),
            is_plain: is_unchanged && text.is_some_and(|text| text.is_plain()),
            text,
        };
        &self.0[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tridex_notation::{Locale, Notation};

    #[test]
    fn what_is_found_again_is_what_was_read() {
        let mut parses = Parses::default();
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
                        let found = parses.read(hand, id, || token.into());
                        assert_eq!(found, style.parse(token).ok(), "{token:?} {style:?}");
                    }
                }
            }
        }
    }
}
