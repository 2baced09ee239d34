//! The checksums of a file that this crate wrote. They are in its footer, because its pages have none.
//!
//! The footer's metadata has two values. `tridex.groups` lists the row groups, separated by blanks: the length of each
//! group in bytes, a colon, and its CRC-32 as eight hexadecimal digits. The groups follow each other from the fifth
//! byte of the file. `tridex.seal` ends with the CRC-32 of the footer itself. It is computed while these eight digits
//! are still zeros.
//!
//! A file that a query engine wrote has no such checksums. If its pages have checksums, the `parquet` crate verifies them.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use parquet::file::metadata::{FileMetaData, KeyValue};

const GROUPS: &str = "tridex.groups";
const FOOTER_CHECKSUM: &str = "tridex.seal";
/// The beginning of the checksum's value, used to find it in the bytes of a footer.
const MARK: &str = "crc32 of this footer: ";
/// The digits of a checksum before it is computed.
const OPEN: &[u8; 8] = b"00000000";
/// The magic word at both ends of a Parquet file.
const MAGIC: &[u8; 4] = b"PAR1";
/// The prefix of our program's name in a file, and of our metadata keys.
const MAKER: &str = "tridex";

/// A writer that records the length and the checksum of the bytes written.
pub(crate) struct Summed<W> {
    out: W,
    length: u64,
    sum: crc32fast::Hasher,
}

impl<W> Summed<W> {
    pub(crate) fn new(out: W) -> Self {
        Self {
            out,
            length: 0,
            sum: crc32fast::Hasher::new(),
        }
    }

    /// Returns the length and checksum of the bytes written since the last call.
    pub(crate) fn take(&mut self) -> (u64, u32) {
        let length = std::mem::take(&mut self.length);
        (length, std::mem::take(&mut self.sum).finalize())
    }

    pub(crate) fn into_inner(self) -> W {
        self.out
    }
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.length += count as u64;
        self.sum.update(bytes.get(..count).unwrap_or_default());
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The metadata of the footer: the checksums of the row groups, and an empty checksum of the footer for [`close`] to fill in.
pub(crate) fn values(groups: &[(u64, u32)]) -> [KeyValue; 2] {
    let summed = |(length, sum): &(u64, u32)| format!("{length}:{sum:08x}");
    let groups: Vec<String> = groups.iter().map(summed).collect();
    let open = format!("{MARK}{}", String::from_utf8_lossy(OPEN));
    [
        KeyValue::new(GROUPS.to_owned(), groups.join(" ")),
        KeyValue::new(FOOTER_CHECKSUM.to_owned(), open),
    ]
}

/// Fills in the checksum once the rest of the file is written.
pub(crate) fn close(file: &mut File) -> io::Result<()> {
    let Some((start, bytes)) = footer(file)? else {
        return Err(io::ErrorKind::InvalidData.into());
    };
    let at = digits(&bytes).ok_or(io::ErrorKind::InvalidData)?;
    file.seek(SeekFrom::Start(start + at as u64))?;
    file.write_all(format!("{:08x}", crc32fast::hash(&bytes)).as_bytes())
}

/// The offset of the checksum's digits in a footer.
fn digits(footer: &[u8]) -> Option<usize> {
    let mut places = footer.windows(MARK.len());
    let at = places.rposition(|bytes| bytes == MARK.as_bytes())? + MARK.len();
    (at + OPEN.len() <= footer.len()).then_some(at)
}

/// Returns the footer of a file and its offset, or `None` if the file has no footer.
fn footer(file: &mut File) -> io::Result<Option<(u64, Vec<u8>)>> {
    let end = file.seek(SeekFrom::End(0))?;
    let Some(tail) = end.checked_sub(8) else {
        return Ok(None);
    };
    file.seek(SeekFrom::Start(tail))?;
    let (mut length, mut magic) = ([0; 4], [0; 4]);
    file.read_exact(&mut length)?;
    file.read_exact(&mut magic)?;
    let length = u32::from_le_bytes(length);
    let Some(start) = tail.checked_sub(length.into()).filter(|_| magic == *MAGIC) else {
        return Ok(None);
    };
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(length.into()).read_to_end(&mut bytes)?;
    Ok(Some((start, bytes)))
}

/// Whether the checksum of the footer matches; `None` if the file has none.
pub(crate) fn is_whole(file: &mut File) -> io::Result<Option<bool>> {
    let Some((_, mut bytes)) = footer(file)? else {
        return Ok(None);
    };
    let Some(at) = digits(&bytes) else {
        return Ok(None);
    };
    let mut written = *OPEN;
    bytes[at..at + OPEN.len()].swap_with_slice(&mut written);
    let sum = format!("{:08x}", crc32fast::hash(&bytes));
    Ok(Some(sum.as_bytes() == written))
}

/// The offset of each row group in a file, its length and its checksum.
pub(crate) struct Groups(Vec<(u64, (u64, u32))>);

impl Groups {
    /// Reads the checksums in a footer. Returns `None` if this program wrote the file and its checksums are missing.
    /// For a file of another program the list is empty.
    pub(crate) fn of(footer: &FileMetaData, has_checksum: bool) -> Option<Self> {
        let values = footer.key_value_metadata().into_iter().flatten();
        let maker = footer.created_by().into_iter();
        let mut makers = maker.chain(values.clone().map(|value| value.key.as_str()));
        let is_ours = has_checksum || makers.any(|maker| maker.starts_with(MAKER));
        let mut own = values.filter(|value| value.key == GROUPS);
        let groups = own.next_back().and_then(|value| value.value.as_deref());
        match groups.filter(|_| has_checksum) {
            Some(groups) => Self::read(groups),
            None => (!is_ours).then(|| Self(Vec::new())),
        }
    }

    fn read(text: &str) -> Option<Self> {
        let mut start = MAGIC.len() as u64;
        let mut groups = Vec::new();
        for group in text.split_ascii_whitespace() {
            let (length, sum) = group.split_once(':')?;
            let length = length.parse().ok()?;
            let sum = u32::from_str_radix(sum, 16).ok()?;
            groups.push((start, (length, sum)));
            start = start.checked_add(length)?;
        }
        Some(Self(groups))
    }

    /// Whether the checksum of a row group matches, if it has one.
    pub(crate) fn is_whole(&self, file: &mut File, group: usize) -> io::Result<bool> {
        let Some((start, summed)) = self.0.get(group).copied() else {
            return Ok(self.0.is_empty());
        };
        file.seek(SeekFrom::Start(start))?;
        let mut read = Summed::new(io::sink());
        io::copy(&mut file.take(summed.0), &mut read)?;
        Ok(read.take() == summed)
    }
}
