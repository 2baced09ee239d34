//! The parts of a record besides the moves of its main line.

use crate::codec::varint::{Bytes, put_bytes, put_varint};
use tridex_archive::Item;

/// One element of a record. The moves themselves are in [`GameEntry::moves`](crate::GameEntry::moves) and
/// [`GameEntry::variations`](crate::GameEntry::variations).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Annotation {
    /// This number of moves of the current line, 1 at least. The first move of a variation makes it the next entry of
    /// [`GameEntry::variations`](crate::GameEntry::variations); a variation without moves has no entry.
    Moves(u32),
    /// Signs written after the preceding move, such as `!?`.
    Signs(String),
    /// An item between moves, or `--` for a move that was not recorded.
    Item(Item<String>),
}

impl Annotation {
    /// Returns its text, if it is a comment of any form.
    #[must_use]
    pub fn comment(&self) -> Option<&str> {
        match self {
            Self::Item(Item::Comment(text) | Item::LineComment(text) | Item::Escape(text)) => {
                Some(text)
            }
            _ => None,
        }
    }

    /// Appends the note to a stored record: the number of its kind, then its content.
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

    /// Reads the next note of a stored record; `None` if the bytes are damaged.
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
