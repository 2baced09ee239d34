//! What stands in movetext.

use std::ops::Deref;

/// A move, or something that stands between moves, with its text as a `T`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item<T> {
    /// A move as it is written, marks and all.
    Move(T),
    /// `{text}`
    Comment(T),
    /// `;text`, to the end of the line.
    LineComment(T),
    /// `%text`, a line of its own.
    Escape(T),
    /// A word that is no move: `etc.`
    Word(T),
    /// `$n`
    Nag(u8),
    /// `(=)`
    DrawOffer,
    /// `(`: what follows replaces the move before it.
    VariationStart,
    /// `)`
    VariationEnd,
}

impl<T: Deref> Item<T> {
    /// The same with its text borrowed.
    #[must_use]
    pub fn as_deref(&self) -> Item<&T::Target> {
        match self {
            Self::Move(text) => Item::Move(text),
            Self::Comment(text) => Item::Comment(text),
            Self::LineComment(text) => Item::LineComment(text),
            Self::Escape(text) => Item::Escape(text),
            Self::Word(text) => Item::Word(text),
            Self::Nag(nag) => Item::Nag(*nag),
            Self::DrawOffer => Item::DrawOffer,
            Self::VariationStart => Item::VariationStart,
            Self::VariationEnd => Item::VariationEnd,
        }
    }
}

impl<T> Item<T> {
    /// The same with another text, if it has one.
    #[inline]
    pub fn map<U>(self, text: impl FnOnce(T) -> U) -> Item<U> {
        match self {
            Self::Move(old) => Item::Move(text(old)),
            Self::Comment(old) => Item::Comment(text(old)),
            Self::LineComment(old) => Item::LineComment(text(old)),
            Self::Escape(old) => Item::Escape(text(old)),
            Self::Word(old) => Item::Word(text(old)),
            Self::Nag(nag) => Item::Nag(nag),
            Self::DrawOffer => Item::DrawOffer,
            Self::VariationStart => Item::VariationStart,
            Self::VariationEnd => Item::VariationEnd,
        }
    }
}
