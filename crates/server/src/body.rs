//! Bodies of answers: whole, or written while they are sent.

use crate::places::Place;
use axum::body::Body as AxumBody;
use bytes::Bytes;
use http_body_util::channel::{Channel, Sender};
use std::io::{self, BufWriter, Write};
use tokio::runtime::Handle;

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
