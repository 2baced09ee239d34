//! What a record holds besides the moves of its main line, in its order.

use crate::bits::{Bytes, put_bytes, put_varint};
use tridex_archive::Item;

/// A step through a record. The moves are in [`GameEntry::moves`](crate::GameEntry::moves) and [`GameEntry::variations`](crate::GameEntry::variations).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Annotation {
    /// The number of moves of the line that follow, 1 at least. With its first move a variation is the next of
    /// [`GameEntry::variations`](crate::GameEntry::variations); one without moves is not among them.
    Moves(u32),
    /// Signs that are written at the move before them: `!?`
    Signs(String),
    /// An item between moves, or a move that was not recorded: `--`.
    Item(Item<String>),
}

impl Annotation {
    /// Its text, if it is a comment of any form.
    #[must_use]
    pub fn comment(&self) -> Option<&str> {
        match self {
            Self::Item(Item::Comment(text) | Item::LineComment(text) | Item::Escape(text)) => {
                Some(text)
            }
            _ => None,
        }
    }

    /// Appends it to a record: its number, and its text.
    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        let (code, text) = match self {
            Self::Moves(count) => {
                put_varint(out, 0);
                return put_varint(out, u64::from(*count));
            }
            Self::Item(Item::Nag(nag)) => {
                put_varint(out, 1);
                return put_varint(out, u64::from(*nag));
            }
            Self::Item(Item::VariationStart) => (2, None),
            Self::Item(Item::VariationEnd) => (3, None),
            Self::Item(Item::DrawOffer) => (4, None),
            Self::Signs(text) => (5, Some(text)),
            Self::Item(Item::Comment(text)) => (6, Some(text)),
            Self::Item(Item::LineComment(text)) => (7, Some(text)),
            Self::Item(Item::Escape(text)) => (8, Some(text)),
            Self::Item(Item::Word(text)) => (9, Some(text)),
            Self::Item(Item::Move(_)) => (10, None),
        };
        put_varint(out, code);
        if let Some(text) = text {
            put_bytes(out, text.as_bytes());
        }
    }

    /// The next note of a record; `None` if the bytes are damaged.
    pub(crate) fn read(bytes: &mut Bytes<'_>) -> Option<Self> {
        let text = |bytes: &mut Bytes<'_>| bytes.text().map(str::to_owned);
        Some(Self::Item(match bytes.varint()? {
            0 => return bytes.number().map(Self::Moves),
            1 => Item::Nag(bytes.number()?),
            2 => Item::VariationStart,
            3 => Item::VariationEnd,
            4 => Item::DrawOffer,
            5 => return text(bytes).map(Self::Signs),
            6 => Item::Comment(text(bytes)?),
            7 => Item::LineComment(text(bytes)?),
            8 => Item::Escape(text(bytes)?),
            9 => Item::Word(text(bytes)?),
            10 => Item::Move("--".to_owned()),
            _ => return None,
        }))
    }
}
