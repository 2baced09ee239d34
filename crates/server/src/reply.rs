//! What is answered: whole, or written while it is sent.

use crate::fault::{DAMAGED, Fault};
use crate::places::Place;
use crate::site::Request;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http_body_util::channel::{Channel, Sender};
use http_body_util::{Either, Full};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use serde::Serialize;
use serde_json::{Value, json};
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, BufWriter, Write};
use tokio::runtime::Handle;
use tridex_archive::json;

/// What a page or a table makes of a request.
pub(crate) struct Reply(pub(crate) Response<Body>);

/// An answer as it is sent.
pub(crate) type Answer = Response<Either<Full<Bytes>, Channel<Bytes, io::Error>>>;

pub(crate) const HTML: &str = "text/html; charset=utf-8";
pub(crate) const JSON: &str = "application/json";
pub(crate) const SVG: &str = "image/svg+xml";

/// Of what may change with the next commit: browsers have to ask again.
const NO_CACHE: &str = "no-cache";

/// Shorter answers are not compressed.
const COMPRESSED: usize = 1_000;

/// JSON with a note when something is missing in it.
#[derive(Serialize)]
struct Noted<'a, T> {
    #[serde(flatten)]
    value: &'a T,
    #[serde(flatten)]
    note: Value,
}

impl Reply {
    /// An answer that browsers show.
    pub(crate) fn new(content_type: &'static str, body: Body) -> Self {
        Self(Response::new(body))
            .with(header::CONTENT_TYPE, content_type)
            .with(header::CACHE_CONTROL, NO_CACHE)
    }

    /// A whole answer.
    pub(crate) fn whole(content_type: &'static str, body: impl Into<Bytes>) -> Self {
        Self::new(content_type, Body::Whole(body.into()))
    }

    /// JSON on one line, with a note when something is missing in it: made when all of it has been read.
    pub(crate) fn json(value: &impl Serialize, damaged: bool) -> Result<Self, Fault> {
        let note = match damaged {
            true => json!({ "damaged": true, "note": DAMAGED }),
            false => json!({}),
        };
        let mut body = Vec::new();
        json::write_line(&mut body, &Noted { value, note })?;
        Ok(Self::whole(JSON, body))
    }

    /// The same answer with a header, in place of one with this name. Its value is made here, never from a request.
    pub(crate) fn with(mut self, name: HeaderName, value: impl TryInto<HeaderValue>) -> Self {
        if let Ok(value) = value.try_into() {
            self.0.headers_mut().insert(name, value);
        }
        self
    }

    /// The same answer with a status.
    pub(crate) fn with_status(mut self, status: u16) -> Self {
        let status = StatusCode::from_u16(status);
        *self.0.status_mut() = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        self
    }

    /// An answer that browsers save, under a name that states when something is missing.
    pub(crate) fn saved_as(self, request: &Request, name: &str) -> Self {
        let partial = request.index.is_damaged().then_some("partial-");
        let partial = partial.unwrap_or_default();
        let saved = format!("attachment; filename=\"{partial}{name}\"");
        self.with(header::CONTENT_DISPOSITION, saved)
    }

    /// The answer as the client wants it: nothing of what it has already, or compressed; with the headers that go with it.
    pub(crate) fn formed(mut self, wanted: &HeaderMap) -> Self {
        let Body::Whole(bytes) = self.0.body_mut() else {
            return self;
        };
        let mut bytes = std::mem::take(bytes);
        if self.0.status() == StatusCode::OK {
            let mut hasher = DefaultHasher::new();
            hasher.write(&bytes);
            // Weak: the same answer in either form.
            let own = format!("W/\"{:016x}-{:x}\"", hasher.finish(), bytes.len());
            let known = wanted.get(header::IF_NONE_MATCH).map(HeaderValue::as_bytes);
            let mut known = known.unwrap_or_default().split(|byte| *byte == b',');
            if known.any(|known| known.trim_ascii() == own.as_bytes()) {
                *self.0.status_mut() = StatusCode::NOT_MODIFIED;
                bytes.clear();
            }
            self = self.with(header::ETAG, own);
        }
        if bytes.len() >= COMPRESSED {
            self = self.with(header::VARY, "accept-encoding");
            let mut packed = GzEncoder::new(Vec::new(), Compression::new(4));
            // Writing to memory does not fail.
            if reads_gzip(wanted)
                && let Ok(packed) = packed.write_all(&bytes).and_then(|()| packed.finish())
            {
                bytes = packed.into();
                self = self.with(header::CONTENT_ENCODING, "gzip");
            }
        }
        if bytes.len() <= PIECE * PIECES {
            *self.0.body_mut() = Body::Whole(bytes);
            return self;
        }
        // What is handed on in pieces would not have it otherwise.
        self = self.with(header::CONTENT_LENGTH, bytes.len());
        *self.0.body_mut() = Body::Written(Box::new(move |out| out.write_all(&bytes)));
        self
    }

    /// The answer as it is sent. The place is held until the last piece is taken.
    pub(crate) fn send(self, place: Option<Place>) -> Answer {
        let (head, body) = self.0.into_parts();
        let write = match body {
            Body::Whole(bytes) => return Response::from_parts(head, Either::Left(bytes.into())),
            Body::Written(write) => write,
        };
        let (sender, body) = Channel::new(PIECES);
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
        Response::from_parts(head, Either::Right(body))
    }
}

/// Whether a client reads gzip.
fn reads_gzip(headers: &HeaderMap) -> bool {
    let coding = headers.get_all(header::ACCEPT_ENCODING).iter();
    let mut codings = coding.filter_map(|value| value.to_str().ok());
    let is_gzip = |coding: &str| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = weight.trim().trim_start_matches("q=");
        name.trim() == "gzip" && weight.parse::<f32>() != Ok(0.0)
    };
    codings.any(|value| value.split(',').any(is_gzip))
}

/// A body.
pub(crate) enum Body {
    /// All of it.
    Whole(Bytes),
    /// Written while it is sent, which may take long.
    Written(Writer),
}

/// What writes a body. After an error the connection is closed before the end of the answer.
pub(crate) type Writer = Box<dyn FnOnce(&mut dyn Write) -> io::Result<()> + Send>;

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
