//! Values of fields of words, and the queries they mean.

use crate::query::expression::Query;
use crate::text::text_field::TextField;
use crate::text::words::Words;

/// The value of a field of words.
#[derive(Clone, Debug)]
pub(crate) enum Wanted {
    Words(Words),
    /// `*`: any known value.
    Any,
    /// `?`: the value is unknown.
    Unknown,
}

impl Wanted {
    /// The query for the value, given that for words and that for any value.
    pub(crate) fn query(self, words: impl FnOnce(Words) -> Query, any: Query) -> Query {
        match self {
            Self::Words(wanted) => words(wanted),
            Self::Any => any,
            Self::Unknown => Query::Not(Box::new(any)),
        }
    }

    /// The query for the value of a text. A player is unknown if one of the two is.
    pub(crate) fn in_text(self, field: TextField) -> Query {
        match (self, field) {
            (Self::Unknown, TextField::Player) => {
                let players = [TextField::White, TextField::Black];
                Query::Or(players.map(|field| Self::Unknown.in_text(field)).into())
            }
            (wanted, field) => wanted.query(|words| Query::Text(field, words), Query::Known(field)),
        }
    }
}
