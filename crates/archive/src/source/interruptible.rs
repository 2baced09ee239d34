//! A reader that waits for input and can be interrupted.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;

use crate::Cancel;
use crate::fault::SourceError;

/// How often a waiting reader checks whether it was interrupted.
const POLL: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 50_000_000,
};

/// Standard input, a pipe or a device. A blocking read cannot be cancelled, so it waits until there is input before it
/// reads.
struct Interruptible {
    file: File,
    cancel: Cancel,
}

/// A reader of the file at `path`, or of standard input. Opening a pipe does not wait for its writer.
pub(super) fn waiting(path: Option<&Path>, cancel: &Cancel) -> io::Result<super::Reader> {
    let cancel = cancel.clone();
    let file = match path {
        None => io::stdin().as_fd().try_clone_to_owned()?.into(),
        Some(path) => OpenOptions::new()
            .read(true)
            .custom_flags(OFlags::NONBLOCK.bits().cast_signed())
            .open(path)?,
    };
    Ok(Box::new(Interruptible { file, cancel }))
}

impl Read for Interruptible {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let mut waiting = [PollFd::new(&self.file, PollFlags::IN)];
            let is_ready = poll(&mut waiting, Some(&POLL)).is_ok_and(|ready| ready > 0);
            match is_ready.then(|| self.file.read(buffer)) {
                Some(Err(error)) if error.kind() == io::ErrorKind::WouldBlock => {}
                Some(read) => return read,
                None if self.cancel.is_cancelled() => {
                    let what = "interrupted while waiting for input";
                    return Err(SourceError::of_reader("stopped", what.to_owned()));
                }
                None => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::thread;
    use std::time::{Duration, Instant};

    fn reading(reader: io::PipeReader, cancel: &Cancel) -> Interruptible {
        let file = std::os::fd::OwnedFd::from(reader).into();
        let cancel = cancel.clone();
        Interruptible { file, cancel }
    }

    #[test]
    fn what_was_written_is_read_and_then_nobody_waits() {
        let cancel = Cancel::default();
        let (reader, mut writer) = io::pipe().unwrap();
        let mut interruptible = reading(reader, &cancel);
        writer.write_all(b"1. b4N b5B 2. c3W").unwrap();
        let mut text = [0; 17];
        interruptible.read_exact(&mut text).unwrap();
        assert_eq!(&text, b"1. b4N b5B 2. c3W");
        cancel.cancel();
        let since = Instant::now();
        let error = interruptible.read(&mut text).unwrap_err();
        assert!(matches!(error.downcast::<SourceError>(), Ok(error) if error.code == "stopped"));
        assert!(since.elapsed() < Duration::from_secs(1));
    }

    #[test]
    fn a_slow_writer_is_waited_for_to_its_end() {
        let (reader, mut writer) = io::pipe().unwrap();
        let writing = thread::spawn(move || {
            for _ in 0..3 {
                thread::sleep(Duration::from_millis(80));
                writer.write_all(&[b'x'; 70_000]).unwrap();
            }
        });
        let mut all = Vec::new();
        reading(reader, &Cancel::default())
            .read_to_end(&mut all)
            .unwrap();
        writing.join().unwrap();
        assert_eq!(all, [b'x'; 210_000]);
    }
}
