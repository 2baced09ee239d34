//! What is answered.

use crate::download::Download;
use crate::texts;
use bytes::Bytes;
use maud::Markup;
use std::io;
use tridex_index::{AskError, IndexError};

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
    pub(crate) file: Option<&'static str>,
    /// Whether it is the same as long as the program is.
    pub(crate) lasting: bool,
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

pub(crate) const HTML: &str = "text/html; charset=utf-8";
pub(crate) const JSON: &str = "application/json";
pub(crate) const SVG: &str = "image/svg+xml";

impl Reply {
    /// A whole answer.
    pub(crate) fn whole(content_type: &'static str, body: impl Into<Bytes>) -> Self {
        Self {
            status: 200,
            content_type,
            file: None,
            lasting: false,
            body: Body::Whole(body.into()),
        }
    }

    /// A page.
    pub(crate) fn page(page: Markup) -> Self {
        Self::whole(HTML, page.into_string())
    }

    /// JSON on one line.
    pub(crate) fn json(value: &impl serde::Serialize) -> Result<Self, Fault> {
        let mut body = Vec::new();
        tridex_archive::json::to_writer(&mut body, value)?;
        body.push(b'\n');
        Ok(Self::whole(JSON, body))
    }

    /// The same answer, to be kept in a file.
    pub(crate) fn into_file(mut self, name: &'static str) -> Self {
        self.file = Some(name);
        self
    }
}

/// Why a request is not answered.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) status: u16,
    pub(crate) message: String,
}

impl Fault {
    pub(crate) fn new(status: u16, message: impl Into<String>) -> Self {
        Self {
            status,
            message: message.into(),
        }
    }

    /// The request cannot be understood.
    pub(crate) fn asked(message: impl Into<String>) -> Self {
        Self::new(400, message)
    }

    pub(crate) fn not_found() -> Self {
        Self::new(404, texts::NOT_FOUND)
    }
}

impl From<AskError> for Fault {
    fn from(fault: AskError) -> Self {
        match fault {
            AskError::Index(fault) => fault.into(),
            AskError::NoGame(_) => Self::new(404, fault.told("")),
            fault => Self::asked(fault.told("")),
        }
    }
}

impl From<IndexError> for Fault {
    fn from(fault: IndexError) -> Self {
        let status = match fault {
            IndexError::NoSuchGame(_) => 404,
            IndexError::TooMuch(_) | IndexError::Language(_) | IndexError::Setup(_) => 400,
            _ => 500,
        };
        Self::new(status, AskError::Index(fault).told(""))
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
