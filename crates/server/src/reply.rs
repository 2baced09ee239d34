//! What is answered: whole, or written while it is sent.

use crate::fault::{DAMAGED, Fault};
use crate::places::Place;
use crate::site::Request;
use axum::body::Body as AxumBody;
use axum::http::StatusCode;
use axum::http::header::{self, HeaderName};
use axum::response::{AppendHeaders, IntoResponse, Response};
use bytes::Bytes;
use http_body_util::channel::{Channel, Sender};
use serde::Serialize;
use std::io::{self, BufWriter, Write};
use tokio::runtime::Handle;

/// What a page or a table makes of a request.
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// What the body is.
    pub(crate) content_type: &'static str,
    /// How browsers may keep it.
    pub(crate) cache: &'static str,
    /// Other headers. Made here, never from a request.
    pub(crate) more: Vec<(HeaderName, String)>,
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
            cache: NO_CACHE,
            more: Vec::new(),
            body,
        }
    }

    /// The same answer with another header.
    pub(crate) fn with(mut self, name: HeaderName, value: impl Into<String>) -> Self {
        self.more.push((name, value.into()));
        self
    }

    /// A whole answer.
    pub(crate) fn whole(content_type: &'static str, body: impl Into<Bytes>) -> Self {
        Self::new(content_type, Body::Whole(body.into()))
    }

    /// JSON on one line. Made when all of it has been read, since it reports what was found damaged.
    pub(crate) fn json(request: &Request, value: &impl Serialize) -> Result<Self, Fault> {
        let mut body = Vec::new();
        let noted = Noted::new(value, request.index.is_damaged());
        tridex_archive::json::to_writer(&mut body, &noted)?;
        body.push(b'\n');
        Ok(Self::whole(JSON, body))
    }

    /// A download, and the name of the file that browsers save it in: it shows that games may be missing in it.
    pub(crate) fn saved_as(self, request: &Request, name: &str) -> Self {
        let partial = if request.index.is_damaged() {
            "partial-"
        } else {
            ""
        };
        let saved = format!("attachment; filename=\"{partial}{name}\"");
        self.with(header::CONTENT_DISPOSITION, saved)
    }

    /// The answer as it is sent.
    pub(crate) fn send(self, place: Option<Place>) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let head = [
            (header::CONTENT_TYPE, self.content_type),
            (header::CACHE_CONTROL, self.cache),
        ];
        let more = AppendHeaders(self.more);
        (status, head, more, self.body.send(place)).into_response()
    }
}

/// A body.
pub(crate) enum Body {
    /// All of it.
    Whole(Bytes),
    /// Written while it is sent.
    Written(Writer),
}

/// What writes a body. After an error the connection is closed before the end of the answer.
pub(crate) type Writer = Box<dyn FnOnce(&mut dyn Write) -> io::Result<()> + Send>;

impl Body {
    /// Whether it is sent in more pieces than may wait, so that sending it may take long.
    pub(crate) fn is_big(&self) -> bool {
        match self {
            Self::Whole(bytes) => bytes.len() > PIECE * PIECES,
            Self::Written(_) => true,
        }
    }

    /// The body as it is sent. The place is held until the last piece is taken: without one it is handed on at once.
    pub(crate) fn send(self, place: Option<Place>) -> AxumBody {
        let write = match self {
            Self::Whole(bytes) if place.is_none() => return bytes.into(),
            Self::Whole(bytes) => Box::new(move |out: &mut dyn Write| out.write_all(&bytes)),
            Self::Written(write) => write,
        };
        let (sender, body) = Channel::<Bytes, io::Error>::new(PIECES);
        let handle = Handle::current();
        // A thread of its own, which waits while the client reads slowly.
        tokio::task::spawn_blocking(move || {
            let _place = place;
            let mut out = BufWriter::with_capacity(PIECE, Sent { sender, handle });
            let written = write(&mut out).and_then(|()| out.flush());
            if let Err(fault) = written {
                // The connection ends early, which every client reads as a failure.
                out.into_parts().0.sender.abort(fault);
            }
        });
        AxumBody::new(body)
    }
}

/// How much of an answer is handed on at once.
const PIECE: usize = 1 << 16;

/// How many pieces may wait until they are taken.
const PIECES: usize = 4;

/// Where bytes are sent to the client.
struct Sent {
    sender: Sender<Bytes, io::Error>,
    handle: Handle,
}

impl Write for Sent {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let piece = bytes.chunks(PIECE).next().unwrap_or_default();
        let sent = self.sender.send_data(Bytes::copy_from_slice(piece));
        let sent = self.handle.block_on(sent);
        sent.map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
