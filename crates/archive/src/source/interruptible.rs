//! A reader that waits for input and can be interrupted.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use super::SourceErrorKind;

/// Bytes read at once: the capacity of a pipe.
const CHUNK: usize = 64 << 10;

/// Chunks read ahead.
const AHEAD: usize = 2;

/// How often a waiting reader checks whether it was interrupted.
const POLL: Duration = Duration::from_millis(50);

/// Reads in a separate thread. A blocking system call cannot be cancelled, but waiting for the thread can.
pub(super) struct Interruptible {
    pieces: Receiver<io::Result<Vec<u8>>>,
    stop: &'static AtomicBool,
    piece: Vec<u8>,
    /// Bytes of the chunk that were already returned.
    given: usize,
}

impl Interruptible {
    /// Reads what `open` opens, until `stop` is set. The first call of `read` returns an error of `open`.
    pub(super) fn new<R: Read>(
        open: impl FnOnce() -> io::Result<R> + Send + 'static,
        stop: &'static AtomicBool,
    ) -> io::Result<Self> {
        let (sender, pieces) = sync_channel(AHEAD);
        thread::Builder::new()
            .name("reader".to_owned())
            .spawn(move || {
                let mut reader = match open() {
                    Ok(reader) => reader,
                    Err(error) => {
                        drop(sender.send(Err(error)));
                        return;
                    }
                };
                loop {
                    let mut piece = vec![0; CHUNK];
                    let read = match reader.read(&mut piece) {
                        Ok(0) => return,
                        Ok(read) => read,
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                        Err(error) => {
                            drop(sender.send(Err(error)));
                            return;
                        }
                    };
                    piece.truncate(read);
                    if sender.send(Ok(piece)).is_err() {
                        return;
                    }
                }
            })?;
        Ok(Self {
            pieces,
            stop,
            piece: Vec::new(),
            given: 0,
        })
    }
}

impl Read for Interruptible {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.given == self.piece.len() {
            match self.pieces.recv_timeout(POLL) {
                Ok(piece) => (self.piece, self.given) = (piece?, 0),
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
                Err(RecvTimeoutError::Timeout) if self.stop.load(Ordering::Relaxed) => {
                    return Err(io::Error::other(SourceErrorKind::Stopped));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        let mut rest = self.piece.get(self.given..).unwrap_or_default();
        let read = rest.read(buffer)?;
        self.given += read;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    /// Returns some bytes, then blocks forever.
    struct Silent(&'static [u8]);

    impl Read for Silent {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                thread::sleep(Duration::from_secs(3600));
            }
            let len = self.0.len().min(buffer.len()).min(7);
            self.0.read(&mut buffer[..len])
        }
    }

    #[test]
    fn what_was_written_is_read_and_then_nobody_waits() {
        static STOP: AtomicBool = AtomicBool::new(false);
        let mut interruptible =
            Interruptible::new(|| Ok(Silent(b"1. b4N b5B 2. c3W")), &STOP).unwrap();
        let mut text = [0; 17];
        interruptible.read_exact(&mut text).unwrap();
        assert_eq!(&text, b"1. b4N b5B 2. c3W");
        STOP.store(true, Ordering::Relaxed);
        let since = Instant::now();
        let error = interruptible.read(&mut text).unwrap_err();
        assert!(matches!(error.downcast(), Ok(SourceErrorKind::Stopped)));
        assert!(since.elapsed() < Duration::from_secs(1));
    }

    #[test]
    fn the_end_and_faults_come_through() {
        static GO: AtomicBool = AtomicBool::new(false);
        let long: &[u8] = &[b'x'; 3 * CHUNK + 5];
        let mut all = Vec::new();
        let mut interruptible = Interruptible::new(move || Ok(long), &GO).unwrap();
        interruptible.read_to_end(&mut all).unwrap();
        assert_eq!(all, long);
        let refused = || Err::<&[u8], _>(io::Error::from(io::ErrorKind::PermissionDenied));
        let fault = Interruptible::new(refused, &GO)
            .unwrap()
            .read(&mut [0])
            .unwrap_err();
        assert_eq!(fault.kind(), io::ErrorKind::PermissionDenied);
    }
}
