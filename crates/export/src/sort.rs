//! An external sort: it sorts as many records as fit into memory, writes them to disk as a run, and merges the runs.
//!
//! Written here because its runs are files without names: nothing is left on the disk when the process is killed.
//! `extsort` keeps its runs as named files in a temporary folder.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A record that can be written to disk.
pub(crate) trait Record: Ord + Serialize + DeserializeOwned + 'static {}

impl<T: Ord + Serialize + DeserializeOwned + 'static> Record for T {}

/// Sorts records.
#[derive(Debug)]
pub(crate) struct Sorter<T> {
    /// The records in memory, not yet sorted.
    held: Vec<T>,
    most: usize,
    /// Files without names, which the operating system removes when the process ends.
    runs: Vec<(File, u64)>,
    folder: PathBuf,
}

/// Bytes that are read from a run at once.
const CHUNK: usize = 1 << 16;

/// Runs that are merged at once. Each takes an open file and [`CHUNK`] bytes.
const FAN_IN: usize = 200;

impl<T: Record> Sorter<T> {
    /// Creates a sorter that keeps at most `most` records in memory and writes the others to files in `folder`.
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

    /// Returns all records in order.
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

/// Records in ascending order.
type Run<T> = Box<dyn Iterator<Item = io::Result<T>>>;

fn read_run<T: Record>((file, count): (File, u64)) -> Run<T> {
    let mut reader = BufReader::with_capacity(CHUNK, file);
    Box::new((0..count).map(move |_| {
        let mut length = [0; 4];
        reader.read_exact(&mut length)?;
        let mut bytes = vec![0; u32::from_le_bytes(length) as usize];
        reader.read_exact(&mut bytes)?;
        postcard::from_bytes(&bytes).map_err(io::Error::other)
    }))
}

/// A merge of runs.
pub(crate) struct Merge<T> {
    runs: Vec<Run<T>>,
    /// The next record of each run, with the number of the run.
    next: BinaryHeap<Reverse<(T, usize)>>,
}

impl<T: Record> Merge<T> {
    fn new(files: Vec<(File, u64)>, held: Vec<T>) -> io::Result<Self> {
        let held: Run<T> = Box::new(held.into_iter().map(Ok));
        let mut merge = Self {
            runs: files.into_iter().map(read_run).chain([held]).collect(),
            next: BinaryHeap::new(),
        };
        for number in 0..merge.runs.len() {
            merge.refill(number)?;
        }
        Ok(merge)
    }

    fn refill(&mut self, number: usize) -> io::Result<()> {
        if let Some(record) = self.runs[number].next() {
            self.next.push(Reverse((record?, number)));
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
        // The last value makes more runs than are merged at once.
        for most in [10_000, 3_000, 1_000, 999, 7] {
            let mut sorter = Sorter::new(folder.path().to_owned(), most);
            for record in &records {
                sorter.push(*record).unwrap();
            }
            let sorted: io::Result<Vec<u64>> = sorter.sorted().unwrap().collect();
            assert_eq!(sorted.unwrap(), expected, "{most}");
        }
        // The runs have no names, so the folder looks empty.
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        let none = Sorter::<u64>::new(folder.path().to_owned(), 5)
            .sorted()
            .unwrap();
        assert_eq!(none.count(), 0);
    }
}
