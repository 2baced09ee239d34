//! The folder of an index as tantivy sees it. Every byte that is read is compared with a checksum before it is used.
//!
//! tantivy stores a checksum of every file, but compares it only to validate a whole file. Here each block is compared
//! when it is first read. The checksums of the blocks are in the file `.sums` of each segment, which is written last
//! (see [`Checksums`]). The two small files that tantivy replaces as a whole, `meta.json` and `.managed.json`, contain their
//! own checksum, in a form that other readers ignore.
//!
//! One kind of damage cannot be handled. Files are mapped into memory. If another program truncates a file while it is
//! mapped, Unix ends the process that reads beyond the new end (SIGBUS), and safe code cannot prevent that. A file that
//! was truncated before it was opened is reported as damaged.

use crate::storage::checksums::{Checked, Checksums, ChecksumsWriter, broken};
use crate::storage::file_names::{CHECKSUMS, HALF_WRITTEN, MANAGED, PARTS, TEMPORARY, is_segment};
use crate::storage::own_checksum::{with_checksum, without_checksum};
use std::collections::HashMap;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, OwnedBytes, TerminatingWrite,
    WatchCallback, WatchHandle, WritePtr,
};
use tantivy::index::SegmentComponent;

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
        CHECKSUMS => Some(Guard::Whole),
        // Its name also contains the number of the commit.
        _ if kind.ends_with(".del") => Some(Guard::Whole),
        _ => Some(Guard::Blocks(segment, kind)),
    }
}

/// The folder of an index.
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    files: MmapDirectory,
    pub(crate) path: Arc<PathBuf>,
    /// Whether it is opened for reading only. Then nothing in it is changed, and no permission to write is needed.
    is_read_only: bool,
    sums: Arc<Mutex<HashMap<String, Arc<Checksums>>>>,
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
    pub(crate) fn checksums(&self, segment: &str) -> Result<Arc<Checksums>, OpenReadError> {
        let known = || self.sums.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sums) = known().get(segment) {
            return Ok(Arc::clone(sums));
        }
        // Reads without holding the lock, because segments are opened in parallel.
        let name = PathBuf::from(format!("{segment}.{CHECKSUMS}"));
        let sums = Checksums::read(&self.read(&name)?)
            .ok_or_else(|| broken(&name, "the checksums in it cannot be read"))?;
        let sums = Arc::new(sums);
        known().insert(segment.to_owned(), Arc::clone(&sums));
        Ok(sums)
    }

    /// A file of a segment with its checksums. Fails if its length differs from the length when it was written.
    pub(crate) fn file(&self, segment: &str, kind: &str) -> Result<Checked, OpenReadError> {
        let name = PathBuf::from(format!("{segment}.{kind}"));
        let bytes = self.read(&name)?;
        let blocks = match self.checksums(segment) {
            Err(OpenReadError::FileDoesNotExist(_)) => None,
            sums => Some(sums?.of(&name, kind, bytes.len())?),
        };
        Ok(Checked::new(name, bytes, blocks))
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
    pub(crate) fn write_checksums(&self, segment: &tantivy::Segment) -> tantivy::Result<()> {
        let sums = self.make_checksums(&segment.id().uuid_string())?;
        write_file(segment, CHECKSUMS, &sums)
    }

    /// The content of the file of checksums for the files of a segment.
    pub(crate) fn make_checksums(&self, segment: &str) -> tantivy::Result<Vec<u8>> {
        let mut sums = ChecksumsWriter::default();
        for kind in self.kinds(segment)? {
            let bytes = self.read(Path::new(&format!("{segment}.{kind}")))?;
            sums.add(&kind, &bytes);
        }
        Ok(sums.finish())
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
        if let Some((segment, CHECKSUMS)) = path.to_str().and_then(|name| name.split_once('.')) {
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
        without_checksum(path, &bytes).ok_or_else(|| broken(path, "a checksum does not fit"))
    }

    fn atomic_write(&self, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
        replace(&self.path.join(path), &with_checksum(path, bytes))
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
                .filter(|kind| *kind != CHECKSUMS)
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
            "vectors", "store", "7.del", TEMPORARY, CHECKSUMS, "fast", "moves",
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
}
