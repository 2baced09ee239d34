//! Stores records in a temporary file without a name, which disappears when the program ends. Without the feature
//! `files`, records are stored in memory.

#[cfg(feature = "files")]
use std::fs::File as Store;
#[cfg(not(feature = "files"))]
use std::io::Cursor;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};

#[cfg(not(feature = "files"))]
type Store = Cursor<Vec<u8>>;

/// The number of bytes that are read or written at a time.
const BUFFER: usize = 64 << 10;

/// A sequence of records: the length of each in eight bytes, least significant first, then its bytes.
#[derive(Debug)]
pub(super) struct Spool {
    out: BufWriter<Store>,
    records: usize,
}

impl Spool {
    pub(super) fn new() -> io::Result<Self> {
        #[cfg(feature = "files")]
        let store = tempfile::tempfile()?;
        #[cfg(not(feature = "files"))]
        let store = Store::default();
        Ok(Self {
            out: BufWriter::with_capacity(BUFFER, store),
            records: 0,
        })
    }

    /// Adds a record.
    pub(super) fn push(&mut self, record: &[u8]) -> io::Result<()> {
        self.records += 1;
        self.out.write_all(&(record.len() as u64).to_le_bytes())?;
        self.out.write_all(record)
    }

    /// Reads the records whose numbers, counted from 0, are wanted, in order.
    pub(super) fn read(
        &mut self,
        is_wanted: impl Fn(usize) -> bool,
        mut take: impl FnMut(usize, &mut dyn Read) -> io::Result<()>,
    ) -> io::Result<()> {
        self.out.flush()?;
        let file = self.out.get_mut();
        file.rewind()?;
        let mut file = BufReader::with_capacity(BUFFER, file);
        for number in 0..self.records {
            let mut len = [0; 8];
            file.read_exact(&mut len)?;
            let len = u64::from_le_bytes(len);
            if is_wanted(number) {
                take(number, &mut (&mut file).take(len))?;
            } else {
                file.seek_relative(i64::try_from(len).map_err(io::Error::other)?)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_again_without_those_not_wanted() {
        let mut spool = Spool::new().unwrap();
        let long = "x".repeat(100_000);
        for record in ["a", "", "bc", &long, "d"] {
            spool.push(record.as_bytes()).unwrap();
        }
        let mut without = |dropped: &[usize]| {
            let mut all = String::new();
            let is_wanted = |number| !dropped.contains(&number);
            spool
                .read(is_wanted, |_, record| {
                    record.read_to_string(&mut all).map(drop)
                })
                .unwrap();
            all
        };
        assert_eq!(without(&[0, 3]), "bcd");
        assert_eq!(without(&[]), format!("abc{long}d"));
        assert_eq!(without(&[0, 1, 2, 3, 4]), "");
    }
}
