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
        let item = match self {
            Self::Moves(count) => return put_numbers(out, [0, u64::from(*count)]),
            Self::Signs(text) => return put_text(out, 5, text),
            Self::Item(item) => item,
        };
        match item {
            Item::Nag(nag) => put_numbers(out, [1, u64::from(*nag)]),
            Item::VariationStart => put_numbers(out, [2]),
            Item::VariationEnd => put_numbers(out, [3]),
            Item::DrawOffer => put_numbers(out, [4]),
            Item::Comment(text) => put_text(out, 6, text),
            Item::LineComment(text) => put_text(out, 7, text),
            Item::Escape(text) => put_text(out, 8, text),
            Item::Word(text) => put_text(out, 9, text),
            Item::Move(_) => put_numbers(out, [10]),
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

fn put_text(out: &mut Vec<u8>, code: u64, text: &str) {
    put_varint(out, code);
    put_bytes(out, text.as_bytes());
}

fn put_numbers<const N: usize>(out: &mut Vec<u8>, numbers: [u64; N]) {
    for number in numbers {
        put_varint(out, number);
    }
}
