//! Errors of requests, and notes on answers when the index is damaged.

use crate::answers::Refusal;
use std::io;
use tridex_index::{IndexError, QueryError};
use tridex_notation::WrongFamily;
use tridex_rules::SetupError;
use tridex_text::printable;

/// The note that games may be missing, on pages and in other answers.
pub(crate) const DAMAGED: &str = "Files of the index are damaged: games may be missing here. `tridex index --verify \
                                  --index DIR` lists the files.";

/// The error of an answer in which games may be missing.
pub(crate) const LACKS: &str = "Files of the index are damaged, and this answer may lack games. `tridex search --index \
                                DIR --format pgn` writes the games that can be read.";

/// The error of an answer that was stopped.
pub(crate) const TOO_LONG: &str =
    "The answer took too long and was stopped. Search for less, or with fewer patterns.";

/// Why a request is not answered.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) status: u16,
    pub(crate) message: String,
    /// The query that is not understood.
    pub(crate) query: Option<Box<QueryError>>,
}

impl Fault {
    pub(crate) fn new(status: u16, message: impl Into<String>) -> Self {
        Self {
            status,
            message: message.into(),
            query: None,
        }
    }

    /// The query that is not understood, with a marker below the error.
    pub(crate) fn drawn(&self) -> Option<String> {
        let query = self.query.as_ref()?;
        let (before, rest) = query.parts();
        let (before, rest) = excerpt(&before, &rest);
        let indent = " ".repeat(before.chars().count());
        let expected = query.expectation();
        let expected = printable(&expected);
        let drawn = || format!("{before}{rest}\n{indent}^ expected {expected}");
        query.goes_with.is_empty().then(drawn)
    }

    /// The place in a query from which it is not understood, counted in characters; `None` if the fault is not of this query.
    pub(crate) fn place_in(&self, text: &str) -> Option<usize> {
        let query = self.query.as_ref().filter(|query| *query.text == *text)?;
        let understood = text.get(..query.span.start)?;
        Some(understood.chars().count())
    }

    /// As an answer of the API.
    pub(crate) fn answer(&self, is_damaged: bool) -> Refusal {
        let query = self.query.as_deref();
        Refusal {
            at: query.map(|query| {
                let understood = query.text.get(..query.span.start).unwrap_or_default();
                understood.chars().count()
            }),
            did_you_mean: query
                .map(|query| query.did_you_mean.iter().map(ToString::to_string).collect()),
            error: self.message.clone(),
            expected: query.map(|query| query.expected.to_string()),
            text: query.map(|query| query.text.to_string()),
            damaged: is_damaged,
            note: is_damaged.then_some(DAMAGED),
        }
    }

    /// The request cannot be understood.
    pub(crate) fn asked(message: impl Into<String>) -> Self {
        Self::new(400, message)
    }

    pub(crate) fn not_found() -> Self {
        Self::new(404, "There is no such page.")
    }
}

/// Shortens the text before and after an error so that a phone shows it with the marker.
fn excerpt(before: &str, rest: &str) -> (String, String) {
    const WHOLE: usize = 60;
    const BEFORE: usize = 18;
    const AFTER: usize = 18;
    if before.chars().count() + rest.chars().count() <= WHOLE {
        return (before.to_owned(), rest.to_owned());
    }
    let skipped = before.chars().count().saturating_sub(BEFORE);
    let before: String = match skipped {
        0 => before.to_owned(),
        skipped => "\u{2026}"
            .chars()
            .chain(before.chars().skip(skipped + 1))
            .collect(),
    };
    let rest: String = match rest.chars().count() > AFTER {
        true => rest
            .chars()
            .take(AFTER - 1)
            .chain("\u{2026}".chars())
            .collect(),
        false => rest.to_owned(),
    };
    (before, rest)
}

/// A query that is not understood: 400.
impl From<QueryError> for Fault {
    fn from(query: QueryError) -> Self {
        let message = query.message("");
        Self {
            query: Some(Box::new(query)),
            ..Self::asked(message)
        }
    }
}

/// The status depends on the error: 404 if a game does not exist, 400 for other mistakes in the request, 503 for a
/// search that was stopped, and 500 for the rest.
impl From<IndexError> for Fault {
    fn from(fault: IndexError) -> Self {
        let status = match fault {
            IndexError::Query(query) => return (*query).into(),
            // The client has disconnected, or the answer took too long.
            IndexError::Stopped => return Self::new(503, TOO_LONG),
            IndexError::NoSuchGame(_) | IndexError::NoGameNamed(_) => 404,
            IndexError::TooMuch(_) => 400,
            _ => 500,
        };
        Self::new(status, printable(&fault.to_string()))
    }
}

/// A notation of the other board: 400.
impl From<WrongFamily> for Fault {
    fn from(fault: WrongFamily) -> Self {
        Self::asked(printable(&fault.to_string()))
    }
}

/// A start position of the index that its rules do not allow: 500.
impl From<SetupError> for Fault {
    fn from(fault: SetupError) -> Self {
        Self::new(500, printable(&fault.to_string()))
    }
}

/// A game of the index that cannot be written or read: 500.
impl From<io::Error> for Fault {
    fn from(fault: io::Error) -> Self {
        Self::new(500, printable(&fault.to_string()))
    }
}

/// JSON that cannot be written or read: 500.
impl From<serde_json::Error> for Fault {
    fn from(fault: serde_json::Error) -> Self {
        Self::new(500, printable(&fault.to_string()))
    }
}
