//! The items of movetext.

use std::ops::Deref;

/// A move, or an item between moves, with its text as a `T`.
///
/// ```
/// use tridex_archive::Item;
///
/// let item = Item::Comment("why".to_owned());
/// assert_eq!(item.as_deref(), Item::Comment("why"));
/// assert_eq!(item.map(|text| text.len()), Item::Comment(3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item<T> {
    /// A move as written, with its marks.
    Move(T),
    /// `{text}`
    Comment(T),
    /// `;text`, to the end of the line.
    LineComment(T),
    /// `%text`, a separate line.
    Escape(T),
    /// A word that is not a move: `etc.`
    Word(T),
    /// `$n`
    Nag(u8),
    /// `(=)`
    DrawOffer,
    /// `(`: the following moves replace the move before it.
    VariationStart,
    /// `)`
    VariationEnd,
}

impl<T: Deref> Item<T> {
    /// The same with its text borrowed.
    pub fn as_deref(&self) -> Item<&T::Target> {
        self.map(|text| &**text)
    }
}

impl<T> Item<T> {
    /// Converts the text, if there is one.
    #[inline]
    pub fn map<'i, U>(&'i self, text: impl FnOnce(&'i T) -> U) -> Item<U> {
        match self {
            Self::Move(old) => Item::Move(text(old)),
            Self::Comment(old) => Item::Comment(text(old)),
            Self::LineComment(old) => Item::LineComment(text(old)),
            Self::Escape(old) => Item::Escape(text(old)),
            Self::Word(old) => Item::Word(text(old)),
            Self::Nag(nag) => Item::Nag(*nag),
            Self::DrawOffer => Item::DrawOffer,
            Self::VariationStart => Item::VariationStart,
            Self::VariationEnd => Item::VariationEnd,
        }
    }
}
