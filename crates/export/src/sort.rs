//! An external sort: parts that fit into memory are sorted and written to disk, then merged.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A record that can be written to disk.
pub(crate) trait Record: Ord + Serialize + DeserializeOwned {}

impl<T: Ord + Serialize + DeserializeOwned> Record for T {}

/// Sorts records.
#[derive(Debug)]
pub(crate) struct Sorter<T> {
    /// Not yet sorted.
    held: Vec<T>,
    most: usize,
    /// Files without names, which the system removes when the process ends.
    runs: Vec<(File, u64)>,
    folder: PathBuf,
}

/// Bytes of a run that are read at once.
const CHUNK: usize = 1 << 16;

/// Runs that are merged at once: each takes an open file and [`CHUNK`] bytes.
const FAN_IN: usize = 200;

impl<T: Record> Sorter<T> {
    /// Sorts at most `most` records in memory, and the others in files of a folder.
    pub(crate) fn new(folder: PathBuf, most: usize) -> Self {
        Self {
            held: Vec::new(),
            most: most.max(1),
            runs: Vec::new(),
            folder,
        }
    }

    pub(crate) fn push(&mut self, record: T) -> io::Result<()> {
        if self.held.len() >= self.most {
            self.put_aside()?;
        }
        self.held.push(record);
        Ok(())
    }

    fn put_aside(&mut self) -> io::Result<()> {
        self.held.sort_unstable();
        let run = write_run(&self.folder, self.held.drain(..).map(Ok))?;
        self.runs.push(run);
        if self.runs.len() >= FAN_IN {
            let merged = Merge::<T>::new(std::mem::take(&mut self.runs), Vec::new())?;
            self.runs.push(write_run(&self.folder, merged)?);
        }
        Ok(())
    }

    /// All records in their order.
    pub(crate) fn sorted(mut self) -> io::Result<Merge<T>> {
        self.held.sort_unstable();
        Merge::new(self.runs, self.held)
    }
}

fn write_run<T: Record>(
    folder: &std::path::Path,
    records: impl Iterator<Item = io::Result<T>>,
) -> io::Result<(File, u64)> {
    let mut out = BufWriter::with_capacity(CHUNK, tempfile::tempfile_in(folder)?);
    let mut bytes = Vec::new();
    let mut count = 0;
    for record in records {
        bytes = postcard::to_extend(&record?, bytes).map_err(io::Error::other)?;
        out.write_all(&(bytes.len() as u32).to_le_bytes())?;
        out.write_all(&bytes)?;
        bytes.clear();
        count += 1;
    }
    let mut file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.rewind()?;
    Ok((file, count))
}

/// A run that is being read.
#[derive(Debug)]
enum Run<T> {
    /// A file, and the number of its remaining records.
    File(BufReader<File>, u64),
    Memory(std::vec::IntoIter<T>),
}

impl<T: Record> Run<T> {
    fn next(&mut self) -> io::Result<Option<T>> {
        match self {
            Self::Memory(records) => Ok(records.next()),
            Self::File(_, 0) => Ok(None),
            Self::File(reader, left) => {
                *left -= 1;
                let mut length = [0; 4];
                reader.read_exact(&mut length)?;
                let mut bytes = vec![0; u32::from_le_bytes(length) as usize];
                reader.read_exact(&mut bytes)?;
                let record = postcard::from_bytes(&bytes).map_err(io::Error::other)?;
                Ok(Some(record))
            }
        }
    }
}

/// A merge of runs.
#[derive(Debug)]
pub(crate) struct Merge<T> {
    runs: Vec<Run<T>>,
    /// The next record of each run, with the number of the run.
    next: BinaryHeap<Reverse<(T, usize)>>,
}

impl<T: Record> Merge<T> {
    fn new(files: Vec<(File, u64)>, held: Vec<T>) -> io::Result<Self> {
        let files = files.into_iter();
        let files =
            files.map(|(file, count)| Run::File(BufReader::with_capacity(CHUNK, file), count));
        let mut merge = Self {
            runs: files.chain([Run::Memory(held.into_iter())]).collect(),
            next: BinaryHeap::new(),
        };
        for number in 0..merge.runs.len() {
            merge.refill(number)?;
        }
        Ok(merge)
    }

    fn refill(&mut self, number: usize) -> io::Result<()> {
        if let Some(run) = self.runs.get_mut(number)
            && let Some(record) = run.next()?
        {
            self.next.push(Reverse((record, number)));
        }
        Ok(())
    }
}

impl<T: Record> Iterator for Merge<T> {
    type Item = io::Result<T>;

    fn next(&mut self) -> Option<io::Result<T>> {
        let Reverse((record, number)) = self.next.pop()?;
        Some(self.refill(number).map(|()| record))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_however_little_fits_into_memory() {
        let folder = tempfile::tempdir().unwrap();
        let records: Vec<u64> = (0..3_000_u64)
            .map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52)
            .collect();
        let mut expected = records.clone();
        expected.sort_unstable();
        // The last of them needs more runs than are merged at once.
        for most in [10_000, 3_000, 1_000, 999, 7] {
            let mut sorter = Sorter::new(folder.path().to_owned(), most);
            for record in &records {
                sorter.push(*record).unwrap();
            }
            let sorted: io::Result<Vec<u64>> = sorter.sorted().unwrap().collect();
            assert_eq!(sorted.unwrap(), expected, "{most}");
        }
        // Files of runs have no names.
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        let none = Sorter::<u64>::new(folder.path().to_owned(), 5)
            .sorted()
            .unwrap();
        assert_eq!(none.count(), 0);
    }
}
