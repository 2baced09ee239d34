//! A reader that waits for input and can be interrupted.

use std::io::{self, Cursor, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
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
    piece: Cursor<Vec<u8>>,
}

impl Interruptible {
    /// Reads what `open` opens, until `stop` is set. The first call of `read` returns an error of `open`.
    pub(super) fn new<R: Read>(
        open: impl FnOnce() -> io::Result<R> + Send + 'static,
        stop: &'static AtomicBool,
    ) -> io::Result<Self> {
        let (sender, pieces) = sync_channel(AHEAD);
        let read = move || {
            let failed = send(open, &sender).err();
            // After the last reader of the channel is gone, no one needs the error.
            failed.map(|error| sender.send(Err(error)))
        };
        let thread = thread::Builder::new().name("reader".to_owned());
        thread.spawn(read)?;
        Ok(Self {
            pieces,
            stop,
            piece: Cursor::default(),
        })
    }
}

/// Reads to the end, and sends each piece that is read.
fn send<R: Read>(
    open: impl FnOnce() -> io::Result<R>,
    pieces: &SyncSender<io::Result<Vec<u8>>>,
) -> io::Result<()> {
    let mut reader = open()?;
    let mut buffer = vec![0; CHUNK];
    loop {
        let read = match reader.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        let piece = buffer.get(..read).unwrap_or_default();
        if piece.is_empty() || pieces.send(Ok(piece.to_vec())).is_err() {
            return Ok(());
        }
    }
}

impl Read for Interruptible {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.piece.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            match self.pieces.recv_timeout(POLL) {
                Ok(piece) => self.piece = Cursor::new(piece?),
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
                Err(RecvTimeoutError::Timeout) if self.stop.load(Ordering::Relaxed) => {
                    return Err(io::Error::other(SourceErrorKind::Stopped));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
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
