//! The folder of an index as tantivy sees it: every byte that is read is held against a checksum before it is believed.
//!
//! tantivy keeps a checksum of every file, but compares it only when the whole file is to be validated. Here the bytes of
//! a block are compared when the block is first read: the checksums are in the file `.sums` of each segment, written
//! last (see [`Sums`]). The two small files that tantivy replaces as a whole, `meta.json` and `.managed.json`, carry
//! their checksum inside, in a form that leaves them valid for any other reader.
//!
//! What this cannot do: files are mapped into memory. If another program cuts a file off while it is mapped, Unix ends
//! the process that reads after the new end (SIGBUS), and nothing in safe code can prevent that. A file that was cut
//! off before it was opened is reported as damaged.

use crate::bits::{Bytes, put_bytes, put_varint};
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

/// The state of an index at its last commit.
pub(crate) const META: &str = "meta.json";
/// The files tantivy has made and not yet removed.
pub(crate) const MANAGED: &str = ".managed.json";
/// The extension of the file of moves.
pub(crate) const MOVES: &str = "moves";
/// Of the lists of positions.
pub(crate) const KEYS: &str = "keys";
/// Of the tables of what many games share.
pub(crate) const TABLES: &str = "tables";
/// The extension of the file of checksums.
pub(crate) const SUMS: &str = "sums";
/// What the files of a segment hold, by extension: not every segment has all of them. Files of other extensions are checked as
/// well, see [`Folder::kinds`].
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

/// What a file of a segment holds, by its extension.
pub(crate) fn part_of(kind: &str) -> &'static str {
    let found = PARTS.iter().find(|(known, _)| *known == kind);
    match found {
        Some((_, part)) => part,
        None if kind == SUMS => "checksums",
        None => "others",
    }
}

/// How a file is checked before it is believed.
enum Guard<'p> {
    /// As a whole, by the checksum that tantivy puts at its end: that of checksums when it is read, that of deleted games when its
    /// segment is opened.
    Whole,
    /// Block by block, as the checksums of its segment say: all other files of a segment, by segment and extension.
    Blocks(&'p str, &'p str),
}

/// How a file is checked; `None` if it is no file of a segment.
fn guard(path: &Path) -> Option<Guard<'_>> {
    let (segment, kind) = path.to_str()?.split_once('.')?;
    match kind {
        _ if !is_segment(segment) => None,
        SUMS => Some(Guard::Whole),
        // Its name has the number of the commit too.
        _ if kind.ends_with(".del") => Some(Guard::Whole),
        _ => Some(Guard::Blocks(segment, kind)),
    }
}

/// The extension of a file that tantivy removes before a segment is committed.
const TEMPORARY: &str = "store.temp";

/// How many bytes a checksum covers: few, so that little more is read than requested.
const BLOCK: usize = 1 << 14;
const OPENING: &[u8; 8] = b"TRIDEXC1";

/// The folder of an index.
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    files: MmapDirectory,
    pub(crate) path: Arc<PathBuf>,
    /// Whether it is only read. Then nothing of it is changed, and it need not be allowed to.
    is_read_only: bool,
    sums: Arc<Mutex<HashMap<String, Arc<Sums>>>>,
}

impl Folder {
    /// The folder, which must be there.
    pub(crate) fn open(path: &Path, is_read_only: bool) -> tantivy::Result<Self> {
        Ok(Self {
            files: MmapDirectory::open(path)?,
            path: Arc::new(path.to_owned()),
            is_read_only,
            sums: Arc::default(),
        })
    }

    /// The bytes of a file, whether they fit or not.
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

    /// The checksums of a segment. While it is written there is no file of them.
    pub(crate) fn sums(&self, segment: &str) -> Result<Arc<Sums>, OpenReadError> {
        let known = || self.sums.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sums) = known().get(segment) {
            return Ok(Arc::clone(sums));
        }
        // Read without the lock: segments are opened side by side.
        let name = PathBuf::from(format!("{segment}.{SUMS}"));
        let sums = Sums::read(&self.read(&name)?)
            .ok_or_else(|| broken(&name, "the checksums in it cannot be read"))?;
        let sums = Arc::new(sums);
        known().insert(segment.to_owned(), Arc::clone(&sums));
        Ok(sums)
    }

    /// A file of a segment with its checksums, as long as it was written.
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

    /// The extensions of the files of a segment that are checked block by block, as they are in the folder. Their order depends on
    /// nothing else.
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

    /// Writes the checksums of a segment whose other files are all written.
    pub(crate) fn write_sums(&self, segment: &tantivy::Segment) -> tantivy::Result<()> {
        let sums = self.make_sums(&segment.id().uuid_string())?;
        write_file(segment, SUMS, &sums)
    }

    /// The checksums of the files of a segment, as they are written.
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

/// Writes a file of a segment as a whole.
pub(crate) fn write_file(
    segment: &tantivy::Segment,
    kind: &str,
    bytes: &[u8],
) -> tantivy::Result<()> {
    let mut file = segment.open_write(SegmentComponent::Custom(kind.to_owned()))?;
    file.write_all(bytes)?;
    Ok(file.terminate()?)
}

/// What every file of tantivy's ends with: the length of its footer, and a number.
const FOOTER_END: usize = 8;

fn broken(name: &Path, what: &str) -> OpenReadError {
    OpenReadError::wrap_io_error(Error::new(ErrorKind::InvalidData, what), name.to_owned())
}

/// The checksums of the files of a segment.
///
/// Format 1: the magic word; for each file its extension, its length and the checksum (CRC-32, little endian) of each of
/// its blocks of 16,384 bytes, the footers that tantivy adds included; the checksum of all before it.
#[derive(Debug)]
pub(crate) struct Sums(Vec<(String, Arc<Blocks>)>);

impl Sums {
    /// `bytes` is the whole file, with tantivy's footer after it.
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

    /// Those of a file, if it is as long as it was written.
    fn of(&self, name: &Path, kind: &str, length: usize) -> Result<Arc<Blocks>, OpenReadError> {
        let blocks = self.0.iter().find(|(known, _)| known == kind);
        let (_, blocks) = blocks.ok_or_else(|| broken(name, "it has no checksums"))?;
        if blocks.length != length {
            let what = format!("it is {length} bytes long, {} were written", blocks.length);
            return Err(broken(name, &what));
        }
        Ok(Arc::clone(blocks))
    }

    /// The extensions of the files.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(kind, _)| kind.as_str())
    }
}

/// What tantivy has put before its footer: the length of the footer and a magic word end the file.
fn without_footer(bytes: &[u8]) -> Option<&[u8]> {
    let (rest, _magic) = bytes.split_last_chunk::<4>()?;
    let (rest, length) = rest.split_last_chunk::<4>()?;
    let end = rest
        .len()
        .checked_sub(u32::from_le_bytes(*length) as usize)?;
    rest.get(..end)
}

/// The length of a file, the checksums of its blocks, and which were compared already.
#[derive(Debug)]
pub(crate) struct Blocks {
    length: usize,
    blocks: Vec<(u32, AtomicBool)>,
}

impl Blocks {
    /// Whether the blocks that hold a part of a file are as they were written.
    #[inline]
    fn fit(&self, file: &[u8], part: Range<usize>) -> bool {
        let last = part.end.saturating_sub(1).max(part.start) / BLOCK;
        (part.start / BLOCK..=last).all(|block| match self.blocks.get(block) {
            Some((_, seen)) if seen.load(Ordering::Relaxed) => true,
            Some((sum, seen)) => compare(file, block, *sum, seen),
            // An empty part at the very end.
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

/// A file whose blocks are compared when they are first read.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    /// The name of the file in its folder.
    pub(crate) name: PathBuf,
    bytes: OwnedBytes,
    blocks: Option<Arc<Blocks>>,
}

impl Checked {
    /// A file of these bytes that has no checksums.
    #[cfg(test)]
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let footer = [0; 8];
        Self {
            name: PathBuf::new(),
            bytes: OwnedBytes::new([bytes, &footer].concat()),
            blocks: None,
        }
    }

    /// How many bytes there are before the footer; `None` if the footer is damaged.
    pub(crate) fn body(&self) -> Option<usize> {
        let end = self.bytes.len();
        self.get(end.saturating_sub(8)..end)?;
        without_footer(&self.bytes).map(<[u8]>::len)
    }

    /// Where the last bytes before the footer begin, and these, if a magic word ends them; `None` if they are damaged.
    pub(crate) fn trailer(&self, length: usize, magic: &[u8]) -> Option<(usize, &[u8])> {
        let start = self.body()?.checked_sub(length)?;
        let trailer = self.get(start..start + length)?;
        trailer.ends_with(magic).then_some((start, trailer))
    }

    /// A part of the file; `None` if it is not there or not as it was written.
    #[inline]
    pub(crate) fn get(&self, part: Range<usize>) -> Option<&[u8]> {
        let fits = |blocks: &Arc<Blocks>| blocks.fit(&self.bytes, part.clone());
        if !self.blocks.as_ref().is_none_or(fits) {
            return None;
        }
        self.bytes.get(part)
    }

    /// Whether the whole file is as it was written.
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

/// Whether a name is one of a segment: 32 hexadecimal digits.
pub(crate) fn is_segment(name: &str) -> bool {
    name.len() == 32 && name.bytes().all(|b| b.is_ascii_hexdigit())
}

/// How one of the files begins that are replaced as a whole, and how it does with its checksum. In `meta.json` that is one
/// member more, in `.managed.json` one name more; a program that knows nothing of it passes over either.
fn seal(name: &Path) -> Option<(&'static str, &'static str)> {
    match name.to_str() {
        Some(META) => Some(("{", "{\n  \"checksum\": \"")),
        Some(MANAGED) => Some(("[", "[\".checksum-")),
        _ => None,
    }
}

/// Puts the checksum into a file that has one inside.
pub(crate) fn sealed(name: &Path, bytes: &[u8]) -> Vec<u8> {
    let sealed = seal(name).and_then(|(open, start)| {
        let rest = bytes.strip_prefix(open.as_bytes())?;
        let is_last = rest.trim_ascii_start().starts_with(b"]");
        let joint = if is_last { "" } else { "," };
        // Written with small letters only, so that no other byte means the same.
        let mark = format!("{start}{:08x}\"{joint}", crc32fast::hash(rest));
        Some([mark.as_bytes(), rest].concat())
    });
    sealed.unwrap_or_else(|| bytes.to_vec())
}

/// Takes the checksum out again; `None` if it does not fit.
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
                // tantivy reads the end of a file without asking whether there is so much of it.
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
        // A reader removes nothing, and needs no list of what may be removed.
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
            // Where nothing may be written, there is no writer to be excluded either.
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

/// Puts a file into the place of another in one step. It may be read by whom the user lets read new files; tantivy's own
/// way would keep the files that say what an index is from everybody else, and so all of it.
fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    // One process at a time writes an index, or makes one; each has a name of its own here all the same.
    let mut name = std::ffi::OsString::from(format!("{HALF_WRITTEN}{}-", std::process::id()));
    name.push(path.file_name().unwrap_or_default());
    let half = path.with_file_name(name);
    let written = std::fs::File::create(&half).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_data()?;
        std::fs::rename(&half, path)
    });
    if written.is_err() {
        // What is left is swept away by the next writer too.
        let _ = std::fs::remove_file(&half);
    }
    written
}

/// How the names of files begin that are not yet what they shall be.
pub(crate) const HALF_WRITTEN: &str = ".tmp";

#[cfg(test)]
mod tests {
    use super::*;

    /// tantivy may get files of other extensions: they are checked, or not read.
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
        // A file that no reader opens and that has no checksum is reported.
        let faults = crate::verify(root, |_| {}).unwrap().faults;
        let faults: Vec<_> = faults
            .iter()
            .map(|(path, what)| (path.clone(), what.as_str()))
            .collect();
        let strange = ["store.zst", "vectors"].map(|kind| root.join(format!("{id}.{kind}")));
        assert_eq!(faults, strange.map(|path| (path, "it has no checksums")));
    }

    /// What tantivy writes besides is among the checksums of the segment too.
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
