//! What is answered.

use crate::download::Download;
use crate::pages::layout;
use crate::places::Place;
use crate::site::Request;
use bytes::Bytes;
use hyper::body::{Frame, SizeHint};
use maud::Markup;
use serde::Serialize;
use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tridex_archive::printable;
use tridex_index::{IndexError, QueryError};

/// An answer, whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The status of HTTP.
    pub status: u16,
    /// The headers, names in small letters.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Answer {
    /// The body as text.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The value of a header, by its name in small letters.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// What a page or a table makes of a request.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// What the body is.
    pub(crate) content_type: &'static str,
    /// The name of the file it is to be kept in, for what is not to be looked at. Made here, never out of a request.
    pub(crate) file: Option<String>,
    /// How browsers may keep it.
    pub(crate) cache: &'static str,
    pub(crate) body: Body,
}

/// A body.
#[derive(Debug)]
pub(crate) enum Body {
    /// All of it.
    Whole(Bytes),
    /// Written while it is sent.
    Written(Download),
}

/// An answer that was stopped.
pub(crate) const TOO_LONG: &str =
    "The answer took too long and was stopped. Search for less, or with fewer patterns.";

/// How much of an answer is handed on at once.
pub(crate) const PIECE: usize = 1 << 16;

/// How many pieces may wait until they are taken.
pub(crate) const PIECES: usize = 4;

/// A whole answer that is handed on piece by piece, as fast as it is taken. Its place is held until the last.
pub(crate) struct Pieces {
    rest: Bytes,
    _place: Place,
}

impl Pieces {
    pub(crate) fn new(bytes: Bytes, place: Place) -> Self {
        Self {
            rest: bytes,
            _place: place,
        }
    }
}

impl hyper::body::Body for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let length = self.rest.len().min(PIECE);
        let piece = (length > 0).then(|| Frame::data(self.rest.split_to(length)));
        Poll::Ready(piece.map(Ok))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.rest.len() as u64)
    }
}

pub(crate) const HTML: &str = "text/html; charset=utf-8";
pub(crate) const JSON: &str = "application/json";
pub(crate) const SVG: &str = "image/svg+xml";

/// Of what may change with the next commit: browsers have to ask again.
pub(crate) const NO_CACHE: &str = "no-cache";

/// JSON that says when something is missing in it.
#[derive(Serialize)]
pub(crate) struct Noted<'a, T> {
    #[serde(flatten)]
    pub(crate) value: &'a T,
    /// Only where it is so.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    damaged: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
}

impl<'a, T> Noted<'a, T> {
    pub(crate) fn new(value: &'a T, is_damaged: bool) -> Self {
        Self {
            value,
            damaged: is_damaged,
            note: is_damaged.then_some(layout::DAMAGED),
        }
    }
}

impl Reply {
    /// An answer to be looked at, as it is now.
    pub(crate) fn new(content_type: &'static str, body: Body) -> Self {
        Self {
            status: 200,
            content_type,
            file: None,
            cache: NO_CACHE,
            body,
        }
    }

    /// A whole answer.
    pub(crate) fn whole(content_type: &'static str, body: impl Into<Bytes>) -> Self {
        Self::new(content_type, Body::Whole(body.into()))
    }

    /// A page: its title, which of the menu it is, and what is on it. Made when all of it has been read, since it says
    /// what was found damaged.
    pub(crate) fn page(request: &Request, title: &str, here: &str, content: &Markup) -> Self {
        let page = layout::page(title, here, request.is_damaged(), content);
        Self::whole(HTML, page.into_string())
    }

    /// JSON on one line. Made when all of it has been read, since it says what was found damaged.
    pub(crate) fn json(request: &Request, value: &impl Serialize) -> Result<Self, Fault> {
        let mut body = Vec::new();
        let noted = Noted::new(value, request.is_damaged());
        tridex_archive::json::to_writer(&mut body, &noted)?;
        body.push(b'\n');
        Ok(Self::whole(JSON, body))
    }

    /// The same answer, to be kept in a file.
    pub(crate) fn into_file(mut self, name: &str) -> Self {
        self.file = Some(name.to_owned());
        self
    }

    /// Games or counts of them, to be kept in a file: what is missing in it is seen by its name.
    pub(crate) fn into_file_of_games(self, request: &Request, name: &str) -> Self {
        match request.is_damaged() {
            true => self.into_file(&format!("partial-{name}")),
            false => self.into_file(name),
        }
    }
}

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

    /// The query that is not understood, with a marker below the place.
    pub(crate) fn drawn(&self) -> Option<String> {
        let query = self
            .query
            .as_ref()
            .filter(|query| query.goes_with.is_empty())?;
        let (before, rest) = query.parts();
        let indent = " ".repeat(before.chars().count());
        let expected = query.expectation();
        Some(format!(
            "{before}{rest}\n{indent}^ expected {}",
            printable(&expected)
        ))
    }

    /// As JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        let mut told = serde_json::json!({ "error": self.message });
        if let Some(query) = &self.query {
            let at = query.text.get(..query.span.start).unwrap_or_default();
            told["text"] = (*query.text).into();
            told["at"] = at.chars().count().into();
            told["expected"] = query.expected.as_str().into();
            told["did_you_mean"] = query.did_you_mean.as_slice().into();
        }
        told
    }

    /// The request cannot be understood.
    pub(crate) fn asked(message: impl Into<String>) -> Self {
        Self::new(400, message)
    }

    pub(crate) fn not_found() -> Self {
        Self::new(404, "There is no such page.")
    }
}

impl From<QueryError> for Fault {
    fn from(fault: QueryError) -> Self {
        Self {
            query: Some(Box::new(fault.clone())),
            ..Self::asked(fault.message(""))
        }
    }
}

impl From<IndexError> for Fault {
    fn from(fault: IndexError) -> Self {
        let status = match fault {
            IndexError::NoSuchGame(_) | IndexError::NoGameNamed(_) => 404,
            // No one waits for it any more, or not for long.
            IndexError::Stopped => return Self::new(503, TOO_LONG),
            IndexError::Query(fault) => return (*fault).into(),
            IndexError::TooMuch(_) => 400,
            _ => 500,
        };
        Self::new(status, printable(&fault.to_string()))
    }
}

impl From<io::Error> for Fault {
    fn from(fault: io::Error) -> Self {
        Self::new(500, fault.to_string())
    }
}

impl From<tridex_notation::WrongFamily> for Fault {
    fn from(fault: tridex_notation::WrongFamily) -> Self {
        Self::asked(fault.to_string())
    }
}
