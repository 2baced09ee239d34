//! Replies, either complete or written while they are sent.

use crate::answers::{Note, Noted};
use crate::fault::{DAMAGED, Fault, LACKS};
use crate::limits::Permit;
use crate::site::Damage;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http_body_util::channel::{Channel, Sender};
use http_body_util::{Either, Full};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Response, StatusCode, Version};
use serde::Serialize;
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, BufWriter, Write};
use tokio::runtime::Handle;
use tridex_text::json;

/// The reply of a handler.
pub(crate) struct Reply(pub(crate) Response<Body>);

/// An answer as it is sent.
pub(crate) type Answer = Response<Either<Full<Bytes>, Channel<Bytes, io::Error>>>;

pub(crate) const HTML: &str = "text/html; charset=utf-8";
pub(crate) const JSON: &str = "application/json";
pub(crate) const SVG: &str = "image/svg+xml";

/// The `Cache-Control` value for answers that may change with the next commit: browsers must revalidate them.
const NO_CACHE: &str = "no-cache";

/// Answers with fewer bytes than this are not compressed.
const COMPRESSED: usize = 1_000;

/// Answers with at most this many bytes, such as pages and the data of a game, are compressed tightly.
const TIGHT: usize = 256 << 10;

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

    /// JSON on one line, with a note if the index is damaged. Call it after all reading, since only reading finds
    /// damage.
    pub(crate) fn json(value: &impl Serialize, damage: Damage) -> Result<Self, Fault> {
        let is_damaged = damage != Damage::None;
        let note = Note {
            damaged: is_damaged,
            error: (damage == Damage::Here).then_some(LACKS),
            note: is_damaged.then_some(DAMAGED),
        };
        Self::json_without_note(&Noted { value, note })
    }

    /// JSON on one line.
    pub(crate) fn json_without_note(value: &impl Serialize) -> Result<Self, Fault> {
        let mut body = Vec::new();
        json::write_line(&mut body, value)?;
        Ok(Self::whole(JSON, body))
    }

    /// The same answer with a header, which replaces one of the same name. A value that is not allowed in a header is
    /// ignored.
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

    /// An answer that browsers save under a name.
    pub(crate) fn saved_as(self, name: &str) -> Self {
        let saved = format!("attachment; filename=\"{name}\"");
        self.with(header::CONTENT_DISPOSITION, saved)
    }

    /// The answer in the form the client needs: empty if the client already has it, and compressed if it reads gzip,
    /// with the headers for that.
    ///
    /// # Errors
    /// If the answer cannot be written to its end for a client of HTTP/1.0, which would read a part of it as the whole.
    pub(crate) fn formed(mut self, wanted: &HeaderMap, version: Version) -> Result<Self, Fault> {
        let bytes = match self.0.body_mut() {
            Body::Whole(bytes) => bytes,
            // In HTTP/1.0 an answer ends with the connection, so only a length sent first shows whether it is complete.
            Body::Written(write) if version < Version::HTTP_11 => {
                let mut length = Length(0);
                write(&mut length).map_err(|_| Fault::new(500, LACKS))?;
                return Ok(self.with(header::CONTENT_LENGTH, length.0));
            }
            Body::Written(_) => return Ok(self),
        };
        let mut bytes = std::mem::take(bytes);
        if self.0.status() == StatusCode::OK {
            let mut hasher = DefaultHasher::new();
            hasher.write(&bytes);
            // A weak tag, since the compressed and the plain answer share it.
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
            // Pages are small answers. They are packed more tightly: 160 kB take 2.4 ms instead of 1.1 ms.
            let level = if bytes.len() <= TIGHT { 8 } else { 4 };
            let mut packed = GzEncoder::new(Vec::new(), Compression::new(level));
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
            return Ok(self);
        }
        // An answer that is sent in pieces gets no length otherwise.
        self = self.with(header::CONTENT_LENGTH, bytes.len());
        *self.0.body_mut() = Body::Written(Box::new(move |out| out.write_all(&bytes)));
        Ok(self)
    }

    /// Starts to send the answer. The permit is held until the last piece is in the channel.
    pub(crate) fn send(self, permit: Option<Permit>) -> Answer {
        let (head, body) = self.0.into_parts();
        let write = match body {
            Body::Whole(bytes) => return Response::from_parts(head, Either::Left(bytes.into())),
            Body::Written(write) => write,
        };
        let (sender, body) = Channel::new(PIECES);
        let handle = Handle::current();
        // A separate thread, which waits if the client reads slowly.
        tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let sender = Some(sender);
            let mut out = BufWriter::with_capacity(PIECE, Sent { sender, handle });
            let written = write(&mut out).and_then(|()| out.flush());
            let mut sent = out.into_parts().0;
            match written {
                // The body is complete when its sender is dropped.
                Ok(()) => sent.sender = None,
                Err(fault) => sent.abort(fault),
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

/// The body of an answer.
pub(crate) enum Body {
    /// All of it.
    Whole(Bytes),
    /// Written while it is sent, which may take long.
    Written(Writer),
}

/// Writes a body, with the same bytes each time. After an error the connection is closed before the end of the answer.
pub(crate) type Writer = Box<dyn Fn(&mut dyn Write) -> io::Result<()> + Send>;

/// The size of the pieces in which an answer is sent, in bytes.
const PIECE: usize = 1 << 16;

/// How many pieces may wait to be sent.
const PIECES: usize = 4;

/// Sends bytes to the client. Unless its sender is removed first, dropping it aborts the answer. A writer that panics
/// therefore aborts it too.
struct Sent {
    sender: Option<Sender<Bytes, io::Error>>,
    handle: Handle,
}

impl Sent {
    /// Ends the connection early, which every client reads as a failure.
    fn abort(&mut self, fault: io::Error) {
        if let Some(sender) = self.sender.take() {
            sender.abort(fault);
        }
    }
}

impl Drop for Sent {
    fn drop(&mut self) {
        self.abort(io::Error::other("the answer was not written to its end"));
    }
}

/// Counts bytes.
struct Length(u64);

impl Write for Length {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Write for Sent {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let piece = bytes.chunks(PIECE).next().unwrap_or_default();
        let sender = self.sender.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        let sent = sender.send_data(Bytes::copy_from_slice(piece));
        let sent = self.handle.block_on(sent);
        sent.map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::BodyExt;

    /// What a client gets of a body.
    fn sent(write: Writer) -> Result<Bytes, io::Error> {
        let runtime = tokio::runtime::Builder::new_current_thread().build()?;
        runtime.block_on(async {
            let answer = Reply::new(JSON, Body::Written(write)).send(None);
            let body = answer.into_body().collect().await;
            body.map(|body| body.to_bytes()).map_err(io::Error::other)
        })
    }

    #[test]
    fn only_an_answer_that_was_written_to_its_end_ends_as_one() {
        assert_eq!(sent(Box::new(|out| out.write_all(b"all"))).unwrap(), "all");
        let faults: [Writer; 3] = [
            Box::new(|out| {
                out.write_all(b"a part")
                    .and_then(|()| Err(io::Error::other("gone")))
            }),
            Box::new(|_| Err(io::Error::other("gone"))),
            Box::new(|out| {
                out.write_all(&[b' '; 3 * PIECE])?;
                panic!("a fault of the program")
            }),
        ];
        for write in faults {
            assert!(sent(write).is_err());
        }
    }

    #[test]
    fn an_answer_of_http_1_0_has_its_length_before_its_first_byte() {
        let formed = |write: Writer, version| {
            let reply = Reply::new(JSON, Body::Written(write));
            reply.formed(&HeaderMap::new(), version)
        };
        let whole = || -> Writer { Box::new(|out| out.write_all(b"all of it")) };
        let old = formed(whole(), Version::HTTP_10).unwrap();
        assert_eq!(old.0.headers()[header::CONTENT_LENGTH], "9");
        let new = formed(whole(), Version::HTTP_11).unwrap();
        assert!(!new.0.headers().contains_key(header::CONTENT_LENGTH));
        let broken = || -> Writer { Box::new(|_| Err(io::Error::other("gone"))) };
        assert_eq!(
            formed(broken(), Version::HTTP_10)
                .err()
                .map(|fault| fault.status),
            Some(500)
        );
        assert!(formed(broken(), Version::HTTP_11).is_ok());
    }
}
