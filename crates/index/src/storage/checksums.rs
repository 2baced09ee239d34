//! Checksums of the files of a segment, and files that are compared with them.

use crate::codec::varint::{Bytes, put_bytes, put_varint};
use std::io::{Error, ErrorKind};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tantivy::HasLen;
use tantivy::directory::error::OpenReadError;
use tantivy::directory::{FileHandle, OwnedBytes};

/// The number of bytes that a checksum covers. Small, so that little more is read than requested.
const BLOCK: usize = 1 << 14;
const OPENING: &[u8; 8] = b"TRIDEXC1";

/// The content of a file of checksums during writing.
pub(crate) struct ChecksumsWriter(Vec<u8>);

impl Default for ChecksumsWriter {
    fn default() -> Self {
        Self(OPENING.to_vec())
    }
}

impl ChecksumsWriter {
    /// Appends the checksums of a file with this extension.
    pub(crate) fn add(&mut self, kind: &str, file: &[u8]) {
        put_bytes(&mut self.0, kind.as_bytes());
        put_varint(&mut self.0, file.len() as u64);
        for block in file.chunks(BLOCK) {
            self.0
                .extend_from_slice(&crc32fast::hash(block).to_le_bytes());
        }
    }

    /// The content, which ends with the checksum of all bytes before it.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let sum = crc32fast::hash(&self.0);
        self.0.extend_from_slice(&sum.to_le_bytes());
        self.0
    }
}

/// The error for a file that is not as it was written.
pub(crate) fn broken(name: &Path, what: &str) -> OpenReadError {
    OpenReadError::wrap_io_error(Error::new(ErrorKind::InvalidData, what), name.to_owned())
}

/// The checksums of the files of a segment.
///
/// Format 1: the magic word; for each file its extension, its length, and the checksum (CRC-32, little endian) of each
/// of its blocks of 16,384 bytes, including the footers that tantivy adds; the checksum of all bytes before it.
#[derive(Debug)]
pub(crate) struct Checksums(Vec<(String, Arc<Blocks>)>);

impl Checksums {
    /// Parses the whole file, including tantivy's footer at its end.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let (body, sum) = without_footer(bytes)?.split_last_chunk::<4>()?;
        if crc32fast::hash(body) != u32::from_le_bytes(*sum) {
            return None;
        }
        let mut rest = Bytes(body.strip_prefix(OPENING)?);
        let mut files = Vec::new();
        while !rest.0.is_empty() {
            let kind = rest.text()?.to_owned();
            let length: usize = rest.number()?;
            let sums = rest.exact(length.div_ceil(BLOCK).checked_mul(4)?)?;
            let (sums, _) = sums.as_chunks::<4>();
            let block = |sum: &[u8; 4]| (u32::from_le_bytes(*sum), AtomicBool::new(false));
            let blocks = sums.iter().map(block).collect();
            files.push((kind, Arc::new(Blocks { length, blocks })));
        }
        Some(Self(files))
    }

    /// The checksums of a file. Fails if the file's length differs from the length when it was written.
    pub(crate) fn of(
        &self,
        name: &Path,
        kind: &str,
        length: usize,
    ) -> Result<Arc<Blocks>, OpenReadError> {
        let blocks = self.0.iter().find(|(known, _)| known == kind);
        let (_, blocks) = blocks.ok_or_else(|| broken(name, "it has no checksums"))?;
        if blocks.length != length {
            let what = format!("it is {length} bytes long, {} were written", blocks.length);
            return Err(broken(name, &what));
        }
        Ok(Arc::clone(blocks))
    }

    /// The extensions of the files that have checksums.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(kind, _)| kind.as_str())
    }
}

/// A file without tantivy's footer. The length of the footer and a magic number are at the end of the file.
fn without_footer(bytes: &[u8]) -> Option<&[u8]> {
    let (rest, _magic) = bytes.split_last_chunk::<4>()?;
    let (rest, length) = rest.split_last_chunk::<4>()?;
    let end = rest
        .len()
        .checked_sub(u32::from_le_bytes(*length) as usize)?;
    rest.get(..end)
}

/// The length of a file, and the checksum of each block with whether the block was already compared.
#[derive(Debug)]
pub(crate) struct Blocks {
    length: usize,
    blocks: Vec<(u32, AtomicBool)>,
}

impl Blocks {
    /// Whether the blocks that contain a part of a file match their checksums.
    #[inline]
    fn fit(&self, file: &[u8], part: Range<usize>) -> bool {
        let last = part.end.saturating_sub(1).max(part.start) / BLOCK;
        (part.start / BLOCK..=last).all(|block| match self.blocks.get(block) {
            Some((_, seen)) if seen.load(Ordering::Relaxed) => true,
            Some((sum, seen)) => compare(file, block, *sum, seen),
            // There is no such block. That is fine for an empty part at the very end.
            None => part.is_empty(),
        })
    }
}

#[cold]
fn compare(file: &[u8], block: usize, sum: u32, seen: &AtomicBool) -> bool {
    let start = block * BLOCK;
    let bytes = file.get(start..file.len().min(start + BLOCK));
    let fits = bytes.map(crc32fast::hash) == Some(sum);
    seen.store(fits, Ordering::Relaxed);
    fits
}

/// A file whose blocks are checked when they are first read.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    /// The name of the file in its folder.
    pub(crate) name: PathBuf,
    bytes: OwnedBytes,
    blocks: Option<Arc<Blocks>>,
}

impl Checked {
    /// A file with the checksums of its blocks, if it has any.
    pub(crate) const fn new(name: PathBuf, bytes: OwnedBytes, blocks: Option<Arc<Blocks>>) -> Self {
        Self {
            name,
            bytes,
            blocks,
        }
    }

    /// A file with these bytes and without checksums.
    #[cfg(test)]
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let footer = [0; 8];
        Self {
            name: PathBuf::new(),
            bytes: OwnedBytes::new([bytes, &footer].concat()),
            blocks: None,
        }
    }

    /// The number of bytes before the footer; `None` if the footer is damaged.
    pub(crate) fn body(&self) -> Option<usize> {
        let end = self.bytes.len();
        self.get(end.saturating_sub(8)..end)?;
        without_footer(&self.bytes).map(<[u8]>::len)
    }

    /// The last `length` bytes before the footer and their offset; `None` if they are damaged or do not end with
    /// `magic`.
    pub(crate) fn trailer(&self, length: usize, magic: &[u8]) -> Option<(usize, &[u8])> {
        let start = self.body()?.checked_sub(length)?;
        let trailer = self.get(start..start + length)?;
        trailer.ends_with(magic).then_some((start, trailer))
    }

    /// A part of the file; `None` if it does not exist or does not match its checksums.
    #[inline]
    pub(crate) fn get(&self, part: Range<usize>) -> Option<&[u8]> {
        let fits = |blocks: &Arc<Blocks>| blocks.fit(&self.bytes, part.clone());
        if !self.blocks.as_ref().is_none_or(fits) {
            return None;
        }
        self.bytes.get(part)
    }

    /// Whether the whole file matches its checksums.
    pub(crate) fn is_whole(&self) -> bool {
        self.blocks.is_some() && self.get(0..self.bytes.len()).is_some()
    }
}

impl HasLen for Checked {
    fn len(&self) -> usize {
        self.bytes.len()
    }
}

impl FileHandle for Checked {
    fn read_bytes(&self, part: Range<usize>) -> std::io::Result<OwnedBytes> {
        let what = if part.start > part.end || part.end > self.bytes.len() {
            "a part of the file is missing".to_owned()
        } else if self.get(part.clone()).is_none() {
            format!("{}: a checksum does not fit", self.name.display())
        } else {
            return Ok(self.bytes.slice(part));
        };
        Err(Error::new(ErrorKind::InvalidData, what))
    }
}
