//! What does not stay in memory: temporary files without a name, which are gone when the program is.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};

/// Bytes read or written in one go.
const BUFFER: usize = 64 << 10;

/// What was played in each game, one behind the other.
#[derive(Debug)]
pub(super) struct MoveSpool {
    out: BufWriter<File>,
    end: u64,
    /// What was read last, and where it stands.
    window: Vec<u8>,
    window_at: u64,
    flushed: bool,
}

impl MoveSpool {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self {
            out: BufWriter::with_capacity(BUFFER, tempfile::tempfile()?),
            end: 0,
            window: Vec::new(),
            window_at: 0,
            flushed: false,
        })
    }

    /// Adds a record, and says where it stands.
    pub(super) fn push(&mut self, record: &[u8]) -> io::Result<u64> {
        let at = self.end;
        self.out.write_all(record)?;
        self.end += record.len() as u64;
        self.flushed = false;
        Ok(at)
    }

    /// The file, from a place on.
    fn file_at(&mut self, at: u64) -> io::Result<&mut File> {
        if !self.flushed {
            self.out.flush()?;
            self.flushed = true;
        }
        let file = self.out.get_mut();
        file.seek(SeekFrom::Start(at))?;
        Ok(file)
    }

    /// Reads a single record again.
    pub(super) fn peek(&mut self, at: u64, len: u32, record: &mut Vec<u8>) -> io::Result<()> {
        record.clear();
        record.resize(len as usize, 0);
        self.file_at(at)?.read_exact(record)
    }

    /// Reads a record again; for many in the order in which they stand this costs less than [`peek`](Self::peek).
    pub(super) fn read(&mut self, at: u64, len: u32, record: &mut Vec<u8>) -> io::Result<()> {
        let len = len as usize;
        record.clear();
        if self.in_window(at, len).is_none() {
            let mut window = std::mem::take(&mut self.window);
            window.clear();
            let most = len.max(BUFFER) as u64;
            self.file_at(at)?.take(most).read_to_end(&mut window)?;
            (self.window, self.window_at) = (window, at);
        }
        let found = self.in_window(at, len).and_then(|from| {
            let bytes = self.window.get(from..from + len)?;
            record.extend_from_slice(bytes);
            Some(())
        });
        found.ok_or_else(|| io::Error::from(io::ErrorKind::UnexpectedEof))
    }

    /// Where a record stands in the window, if it does.
    fn in_window(&self, at: u64, len: usize) -> Option<usize> {
        let from = usize::try_from(at.checked_sub(self.window_at)?).ok()?;
        (from.checked_add(len)? <= self.window.len()).then_some(from)
    }
}

/// The text of each game: its length in eight bytes, least significant first, then the text.
#[derive(Debug)]
pub(super) struct TextSpool {
    out: BufWriter<File>,
}

impl TextSpool {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self {
            out: BufWriter::with_capacity(BUFFER, tempfile::tempfile()?),
        })
    }

    /// Adds a text.
    pub(super) fn push(&mut self, text: &[u8]) -> io::Result<()> {
        self.out.write_all(&(text.len() as u64).to_le_bytes())?;
        self.out.write_all(text)
    }

    /// Writes all texts but those with these numbers, counted from 0 and sorted.
    pub(super) fn copy_without(&mut self, without: &[u64], out: &mut dyn Write) -> io::Result<()> {
        self.out.flush()?;
        let file = self.out.get_mut();
        let mut left = file.seek(SeekFrom::End(0))?;
        file.seek(SeekFrom::Start(0))?;
        let mut file = BufReader::with_capacity(BUFFER, file);
        let mut without = without.iter().peekable();
        let mut number = 0;
        while left > 0 {
            let mut len = [0; 8];
            file.read_exact(&mut len)?;
            let len = u64::from_le_bytes(len);
            if without.next_if(|dropped| **dropped == number).is_some() {
                file.seek_relative(i64::try_from(len).map_err(io::Error::other)?)?;
            } else {
                io::copy(&mut (&mut file).take(len), out)?;
            }
            left = left.saturating_sub(8 + len);
            number += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_as_they_were_written_in_any_order() {
        let mut spool = MoveSpool::new().unwrap();
        let records: Vec<Vec<u8>> = (0..400_usize)
            .map(|n| vec![n as u8; n * 7 % 900 + usize::from(n == 9) * 200_000])
            .collect();
        let places: Vec<u64> = records.iter().map(|r| spool.push(r).unwrap()).collect();
        let mut found = Vec::new();
        for step in [1, 37, 399] {
            for i in (0..400).map(|i| i * step % 400) {
                let len = records[i].len() as u32;
                spool.read(places[i], len, &mut found).unwrap();
                assert_eq!(found, records[i]);
                spool.peek(places[i], len, &mut found).unwrap();
                assert_eq!(found, records[i]);
            }
        }
        let end = places[399] + records[399].len() as u64;
        assert!(spool.read(end, 1, &mut found).is_err());
        assert!(spool.peek(end, 1, &mut found).is_err());
    }

    #[test]
    fn texts_are_copied_without_those_dropped() {
        let mut spool = TextSpool::new().unwrap();
        let long = "x".repeat(100_000);
        for text in ["a", "", "bc", &long, "d"] {
            spool.push(text.as_bytes()).unwrap();
        }
        let mut copy = |without: &[u64]| {
            let mut out = Vec::new();
            spool.copy_without(without, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(copy(&[0, 3]), "bcd");
        assert_eq!(copy(&[]), format!("abc{long}d"));
        assert_eq!(copy(&[0, 1, 2, 3, 4]), "");
    }
}
