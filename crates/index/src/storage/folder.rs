//! The folder of an index as tantivy sees it. Every byte that is read is compared with a checksum before it is used.
//!
//! tantivy stores a checksum of every file, but compares it only to validate a whole file. Here each block is compared
//! when it is first read. The checksums of the blocks are in the file `.sums` of each segment, which is written last
//! (see [`Sums`]). The two small files that tantivy replaces as a whole, `meta.json` and `.managed.json`, contain their
//! own checksum, in a form that other readers ignore.
//!
//! One kind of damage cannot be handled. Files are mapped into memory. If another program truncates a file while it is
//! mapped, Unix ends the process that reads beyond the new end (SIGBUS), and safe code cannot prevent that. A file that
//! was truncated before it was opened is reported as damaged.

use crate::codec::varint::{Bytes, put_bytes, put_varint};
use std::collections::HashMap;
use std::io::{Error, ErrorKind, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tantivy::HasLen;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, OwnedBytes, TerminatingWrite,
    WatchCallback, WatchHandle, WritePtr,
};
use tantivy::index::SegmentComponent;

/// The file with the state of the index at its last commit.
pub(crate) const META: &str = "meta.json";
/// The file that lists the files tantivy has created and not yet removed.
pub(crate) const MANAGED: &str = ".managed.json";
/// The extension of the file of moves.
pub(crate) const MOVES: &str = "moves";
/// The extension of the file of lists of positions.
pub(crate) const KEYS: &str = "keys";
/// The extension of the file of tables.
pub(crate) const TABLES: &str = "tables";
/// The extension of the file of checksums.
pub(crate) const SUMS: &str = "sums";
/// The content of a segment's files by extension. Not every segment has all of them. Files with other extensions are
/// checked too, see [`Folder::kinds`].
const PARTS: [(&str, &str); 9] = [
    ("term", "texts"),
    ("idx", "texts"),
    ("pos", "texts"),
    ("fieldnorm", "texts"),
    ("fast", "columns"),
    ("store", "texts"),
    (MOVES, "moves"),
    (KEYS, "positions"),
    (TABLES, "tables"),
];

/// The content of a segment's file, by extension.
pub(crate) fn part_of(kind: &str) -> &'static str {
    let found = PARTS.iter().find(|(known, _)| *known == kind);
    match found {
        Some((_, part)) => part,
        None if kind == SUMS => "checksums",
        None => "others",
    }
}

/// How a file is checked before it is used.
enum Guard<'p> {
    /// As a whole, by the checksum that tantivy puts at its end: the file of checksums when it is read, the file of
    /// deleted games when its segment is opened.
    Whole,
    /// Block by block, by the checksums of its segment. Has the segment and the extension. All other files of a segment
    /// are checked this way.
    Blocks(&'p str, &'p str),
}

/// How a file is checked; `None` if it is not a file of a segment.
fn guard(path: &Path) -> Option<Guard<'_>> {
    let (segment, kind) = path.to_str()?.split_once('.')?;
    match kind {
        _ if !is_segment(segment) => None,
        SUMS => Some(Guard::Whole),
        // Its name also contains the number of the commit.
        _ if kind.ends_with(".del") => Some(Guard::Whole),
        _ => Some(Guard::Blocks(segment, kind)),
    }
}

/// The extension of a file that tantivy removes before a segment is committed.
const TEMPORARY: &str = "store.temp";

/// The number of bytes that a checksum covers. Small, so that little more is read than requested.
const BLOCK: usize = 1 << 14;
const OPENING: &[u8; 8] = b"TRIDEXC1";

/// The folder of an index.
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    files: MmapDirectory,
    pub(crate) path: Arc<PathBuf>,
    /// Whether it is opened for reading only. Then nothing in it is changed, and no permission to write is needed.
    is_read_only: bool,
    sums: Arc<Mutex<HashMap<String, Arc<Sums>>>>,
}

impl Folder {
    /// Opens the folder, which must exist.
    pub(crate) fn open(path: &Path, is_read_only: bool) -> tantivy::Result<Self> {
        Ok(Self {
            files: MmapDirectory::open(path)?,
            path: Arc::new(path.to_owned()),
            is_read_only,
            sums: Arc::default(),
        })
    }

    /// Reads a file without checking it.
    fn read(&self, name: &Path) -> Result<OwnedBytes, OpenReadError> {
        let file = self
            .files
            .get_file_handle(name)
            .map_err(|error| match error {
                OpenReadError::FileDoesNotExist(_) => {
                    OpenReadError::FileDoesNotExist(name.to_owned())
                }
                other => other,
            })?;
        let bytes = file.read_bytes(0..file.len());
        bytes.map_err(|error| OpenReadError::wrap_io_error(error, name.to_owned()))
    }

    /// The checksums of a segment. While the segment is being written, it has no file of checksums.
    pub(crate) fn sums(&self, segment: &str) -> Result<Arc<Sums>, OpenReadError> {
        let known = || self.sums.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sums) = known().get(segment) {
            return Ok(Arc::clone(sums));
        }
        // Reads without holding the lock, because segments are opened in parallel.
        let name = PathBuf::from(format!("{segment}.{SUMS}"));
        let sums = Sums::read(&self.read(&name)?)
            .ok_or_else(|| broken(&name, "the checksums in it cannot be read"))?;
        let sums = Arc::new(sums);
        known().insert(segment.to_owned(), Arc::clone(&sums));
        Ok(sums)
    }

    /// A file of a segment with its checksums. Fails if its length differs from the length when it was written.
    pub(crate) fn file(&self, segment: &str, kind: &str) -> Result<Checked, OpenReadError> {
        let name = PathBuf::from(format!("{segment}.{kind}"));
        let bytes = self.read(&name)?;
        let blocks = match self.sums(segment) {
            Err(OpenReadError::FileDoesNotExist(_)) => None,
            sums => Some(sums?.of(&name, kind, bytes.len())?),
        };
        Ok(Checked {
            name,
            bytes,
            blocks,
        })
    }

    /// The extensions of a segment's files in the folder that are checked block by block. Their order depends only on
    /// the extensions.
    pub(crate) fn kinds(&self, segment: &str) -> std::io::Result<Vec<String>> {
        let mut kinds = Vec::new();
        for entry in std::fs::read_dir(&*self.path)? {
            let name = entry?.file_name();
            match guard(Path::new(&name)) {
                Some(Guard::Blocks(of, kind)) if of == segment && kind != TEMPORARY => {
                    kinds.push(kind.to_owned());
                }
                _ => {}
            }
        }
        let place = |kind: &String| PARTS.iter().position(|(known, _)| known == kind);
        kinds.sort_by_cached_key(|kind| (place(kind).unwrap_or(PARTS.len()), kind.clone()));
        Ok(kinds)
    }

    /// Writes the checksums of a segment. All its other files must be complete.
    pub(crate) fn write_sums(&self, segment: &tantivy::Segment) -> tantivy::Result<()> {
        let sums = self.make_sums(&segment.id().uuid_string())?;
        write_file(segment, SUMS, &sums)
    }

    /// The content of the file of checksums for the files of a segment.
    pub(crate) fn make_sums(&self, segment: &str) -> tantivy::Result<Vec<u8>> {
        let mut out = OPENING.to_vec();
        for kind in self.kinds(segment)? {
            let bytes = self.read(Path::new(&format!("{segment}.{kind}")))?;
            put_bytes(&mut out, kind.as_bytes());
            put_varint(&mut out, bytes.len() as u64);
            for block in bytes.chunks(BLOCK) {
                out.extend_from_slice(&crc32fast::hash(block).to_le_bytes());
            }
        }
        let sum = crc32fast::hash(&out);
        out.extend_from_slice(&sum.to_le_bytes());
        Ok(out)
    }
}

/// Writes a whole file of a segment.
pub(crate) fn write_file(
    segment: &tantivy::Segment,
    kind: &str,
    bytes: &[u8],
) -> tantivy::Result<()> {
    let mut file = segment.open_write(SegmentComponent::Custom(kind.to_owned()))?;
    file.write_all(bytes)?;
    Ok(file.terminate()?)
}

/// The bytes at the very end of every tantivy file: the length of the footer, and a magic number.
const FOOTER_END: usize = 8;

fn broken(name: &Path, what: &str) -> OpenReadError {
    OpenReadError::wrap_io_error(Error::new(ErrorKind::InvalidData, what), name.to_owned())
}

/// The checksums of the files of a segment.
///
/// Format 1: the magic word; for each file its extension, its length, and the checksum (CRC-32, little endian) of each
/// of its blocks of 16,384 bytes, including the footers that tantivy adds; the checksum of all bytes before it.
#[derive(Debug)]
pub(crate) struct Sums(Vec<(String, Arc<Blocks>)>);

impl Sums {
    /// Parses the whole file, including tantivy's footer at its end.
    fn read(bytes: &[u8]) -> Option<Self> {
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
    fn of(&self, name: &Path, kind: &str, length: usize) -> Result<Arc<Blocks>, OpenReadError> {
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

/// Whether a name is the id of a segment: 32 hexadecimal digits.
pub(crate) fn is_segment(name: &str) -> bool {
    name.len() == 32 && name.bytes().all(|b| b.is_ascii_hexdigit())
}

/// For a file that is replaced as a whole: how it begins, and how it begins once its checksum is inserted. The checksum
/// is an additional member of `meta.json` and an additional name in `.managed.json`. Programs that do not know it
/// ignore it.
fn seal(name: &Path) -> Option<(&'static str, &'static str)> {
    match name.to_str() {
        Some(META) => Some(("{", "{\n  \"checksum\": \"")),
        Some(MANAGED) => Some(("[", "[\".checksum-")),
        _ => None,
    }
}

/// Inserts the checksum, if the file is one that contains its own.
pub(crate) fn sealed(name: &Path, bytes: &[u8]) -> Vec<u8> {
    let sealed = seal(name).and_then(|(open, start)| {
        let rest = bytes.strip_prefix(open.as_bytes())?;
        let is_last = rest.trim_ascii_start().starts_with(b"]");
        let joint = if is_last { "" } else { "," };
        // Lower case only, so that exactly one text is valid for each checksum.
        let mark = format!("{start}{:08x}\"{joint}", crc32fast::hash(rest));
        Some([mark.as_bytes(), rest].concat())
    });
    sealed.unwrap_or_else(|| bytes.to_vec())
}

/// Removes the checksum; `None` if it does not match.
pub(crate) fn unsealed(name: &Path, bytes: &[u8]) -> Option<Vec<u8>> {
    let Some((open, start)) = seal(name) else {
        return Some(bytes.to_vec());
    };
    let rest = bytes.get(start.len() + 9..)?;
    let rest = rest.strip_prefix(b",").unwrap_or(rest);
    let file = [open.as_bytes(), rest].concat();
    (sealed(name, &file) == bytes).then_some(file)
}

impl Directory for Folder {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        match guard(path) {
            Some(Guard::Blocks(segment, kind)) => Ok(Arc::new(self.file(segment, kind)?)),
            None => Err(broken(path, "it has no checksums")),
            Some(Guard::Whole) => {
                let file = self.files.get_file_handle(path)?;
                // tantivy reads the last bytes of a file without checking that the file is long enough.
                match file.len() < FOOTER_END {
                    true => Err(broken(path, "the file is cut off")),
                    false => Ok(file),
                }
            }
        }
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        if let Some((segment, SUMS)) = path.to_str().and_then(|name| name.split_once('.')) {
            let mut known = self.sums.lock().unwrap_or_else(PoisonError::into_inner);
            known.remove(segment);
        }
        self.files.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.files.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        self.files.open_write(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        // A reader removes nothing, so it does not need the list of files that may be removed.
        if self.is_read_only && path == Path::new(MANAGED) {
            return Ok(b"[]".to_vec());
        }
        let bytes = self.files.atomic_read(path)?;
        unsealed(path, &bytes).ok_or_else(|| broken(path, "a checksum does not fit"))
    }

    fn atomic_write(&self, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
        replace(&self.path.join(path), &sealed(path, bytes))
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        match self.files.acquire_lock(lock) {
            // In a folder that is not writable there can be no writer to exclude.
            Err(LockError::IoError(error))
                if self.is_read_only
                    && matches!(
                        error.kind(),
                        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem
                    ) =>
            {
                Ok(DirectoryLock::from(Box::new(())))
            }
            other => other,
        }
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.files.watch(callback)
    }

    fn sync_directory(&self) -> std::io::Result<()> {
        self.files.sync_directory()
    }
}

/// Replaces a file in one step. The new file has the permissions that the user gives to new files. With tantivy's own
/// way only the owner could read these files, and so the index.
fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    // Only one process at a time writes or creates an index, but each uses a name of its own here all the same.
    let mut name = std::ffi::OsString::from(format!("{HALF_WRITTEN}{}-", std::process::id()));
    name.push(path.file_name().unwrap_or_default());
    let half = path.with_file_name(name);
    let written = std::fs::File::create(&half).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_data()?;
        std::fs::rename(&half, path)
    });
    if written.is_err() {
        // If this fails, the next writer removes the file.
        let _ = std::fs::remove_file(&half);
    }
    written
}

/// The prefix of the names of files that are not complete yet.
pub(crate) const HALF_WRITTEN: &str = ".tmp";

#[cfg(test)]
mod tests {
    use super::*;

    /// A future tantivy may write files with other extensions: they must be checked or not read.
    #[test]
    fn no_file_is_read_without_a_checksum() {
        let folder = tempfile::tempdir().unwrap();
        let games = [crate::GameEntry::new(
            1,
            tridex_rules::RuleSystem::Meder,
            Vec::new(),
        )];
        let root = folder.path();
        let options = crate::IndexOptions::default();
        let mut writer = crate::Writer::open(root, options).unwrap();
        writer.begin_source("a").unwrap();
        writer.add_all(&games).unwrap();
        writer.finish().unwrap();
        let files = Folder::open(root, true).unwrap();
        let names = || {
            let files = std::fs::read_dir(root).unwrap();
            files.map(|file| file.unwrap().file_name().into_string().unwrap())
        };
        let id = names().find_map(|name| Some(name.strip_suffix(".store")?.to_owned()));
        let id = id.unwrap();
        for name in names().filter(|name| name.starts_with(&id)) {
            assert!(files.get_file_handle(Path::new(&name)).is_ok(), "{name}");
            if let Some(kind) = name
                .strip_prefix(&format!("{id}."))
                .filter(|kind| *kind != SUMS)
            {
                assert!(files.file(&id, kind).unwrap().is_whole(), "{name}");
            }
        }
        for name in [
            format!("{id}.vectors"),
            format!("{id}.store.zst"),
            "a.txt".to_owned(),
        ] {
            std::fs::copy(root.join(format!("{id}.store")), root.join(&name)).unwrap();
            let read = files.get_file_handle(Path::new(&name));
            assert!(
                read.unwrap_err()
                    .to_string()
                    .contains("it has no checksums"),
                "{name}"
            );
        }
        // Files that no reader opens and that have no checksum are reported.
        let faults = crate::verify(root, |_| {}).unwrap().faults;
        let faults: Vec<_> = faults
            .iter()
            .map(|(path, what)| (path.clone(), what.as_str()))
            .collect();
        let strange = ["store.zst", "vectors"].map(|kind| root.join(format!("{id}.{kind}")));
        assert_eq!(faults, strange.map(|path| (path, "it has no checksums")));
    }

    /// The checksums of a segment include all other files that tantivy writes.
    #[test]
    fn files_of_unknown_extensions_get_checksums() {
        let folder = tempfile::tempdir().unwrap();
        let files = Folder::open(folder.path(), false).unwrap();
        let id = "0123456789abcdef0123456789abcdef";
        for kind in [
            "vectors", "store", "7.del", TEMPORARY, SUMS, "fast", "moves",
        ] {
            std::fs::write(folder.path().join(format!("{id}.{kind}")), kind).unwrap();
        }
        std::fs::write(
            folder.path().join("00000000000000000000000000000000.idx"),
            b"",
        )
        .unwrap();
        assert_eq!(
            files.kinds(id).unwrap(),
            ["fast", "store", "moves", "vectors"]
        );
    }

    #[test]
    fn no_byte_of_a_sealed_file_can_be_turned() {
        for (name, text) in [
            (META, "{\n  \"segments\": [],\n  \"opstamp\": 0\n}\n"),
            (MANAGED, "[\"a.idx\",\"b.idx\"]\n"),
            (MANAGED, "[]\n"),
        ] {
            let name = Path::new(name);
            let bytes = sealed(name, text.as_bytes());
            assert_eq!(unsealed(name, &bytes).as_deref(), Some(text.as_bytes()));
            let json: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
            assert!(json.is_object() || json.is_array());
            for at in 0..bytes.len() {
                for bit in 0..8 {
                    let mut turned = bytes.clone();
                    turned[at] ^= 1 << bit;
                    assert_eq!(unsealed(name, &turned), None, "byte {at}");
                }
                assert_eq!(unsealed(name, &bytes[..at]), None, "cut at {at}");
            }
        }
    }
}
