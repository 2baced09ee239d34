//! What is answered.

use crate::body::Body;
use crate::fault::{DAMAGED, Fault};
use crate::site::Request;
use bytes::Bytes;
use serde::Serialize;

/// What a page or a table makes of a request.
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// What the body is.
    pub(crate) content_type: &'static str,
    /// For downloads: the name of the file that browsers save it in, as a header. Made here, never from a request.
    pub(crate) file: Option<String>,
    /// How browsers may keep it.
    pub(crate) cache: &'static str,
    pub(crate) body: Body,
}

pub(crate) const HTML: &str = "text/html; charset=utf-8";
pub(crate) const JSON: &str = "application/json";
pub(crate) const SVG: &str = "image/svg+xml";

/// Of what may change with the next commit: browsers have to ask again.
pub(crate) const NO_CACHE: &str = "no-cache";

/// JSON with a note when something is missing in it.
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
            note: is_damaged.then_some(DAMAGED),
        }
    }
}

impl Reply {
    /// An answer that browsers show.
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

    /// JSON on one line. Made when all of it has been read, since it reports what was found damaged.
    pub(crate) fn json(request: &Request, value: &impl Serialize) -> Result<Self, Fault> {
        let mut body = Vec::new();
        let noted = Noted::new(value, request.is_damaged());
        tridex_archive::json::to_writer(&mut body, &noted)?;
        body.push(b'\n');
        Ok(Self::whole(JSON, body))
    }

    /// Games or counts of them as a download: the name of the file shows that games may be missing in it.
    pub(crate) fn file(
        request: &Request,
        name: &str,
        content_type: &'static str,
        body: Body,
    ) -> Self {
        let partial = if request.is_damaged() { "partial-" } else { "" };
        Self {
            file: Some(format!("attachment; filename=\"{partial}{name}\"")),
            ..Self::new(content_type, body)
        }
    }
}
