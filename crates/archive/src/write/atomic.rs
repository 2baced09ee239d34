//! Files that appear whole or not at all.
//!
//! `tempfile` creates the files. Written here are compression, files without names, and the lock that distinguishes an
//! unfinished file from an abandoned one: `atomic-write-file` has none of them.

use crate::container::Compression;
use crate::file_name;
use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempPath};
use tridex_text::printable;
use zstd::stream::write::Encoder;

/// The beginning of the names of unfinished files.
const PREFIX: &str = ".tridex-";

/// Bytes gathered before they are written.
const BUFFER: usize = 64 << 10;

/// A file that gets its name only when it is whole: [`commit`](Self::commit) puts it in its place. If it is dropped
/// before that, nothing of it remains, and an older file is not changed. The extension of its name decides its
/// compression: see [`Compression::of_name`].
///
/// A process that is killed while it writes leaves no file either: on Linux, if the file system supports it, the file
/// has no name until it is whole. On other systems, and for a moment if it replaces a file, it has a temporary name in
/// the same folder that begins with `.tridex-`. The next file that is created in that folder removes such a file of a
/// killed process.
///
/// ```
/// use std::io::Write;
/// use tridex_archive::write::AtomicFile;
///
/// let path = std::env::temp_dir().join(format!("tridex-{}.pgn.gz", std::process::id()));
/// let mut file = AtomicFile::create(&path, true)?;
/// file.write_all(b"1. b4N *\n")?;
/// assert!(!path.exists());
/// file.commit()?;
/// assert!(std::fs::read(&path)?.starts_with(b"\x1f\x8b"));
/// assert!(AtomicFile::create(&path, false).is_err());
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct AtomicFile {
    out: Out,
    /// The temporary name, if it has one.
    temporary: Option<TempPath>,
    /// The final path; `None` for a pipe or a device, which cannot be replaced and is written to directly.
    path: Option<PathBuf>,
    /// Whether an existing file is replaced.
    replaces: bool,
}

enum Out {
    Plain(BufWriter<File>),
    Gzip(GzEncoder<BufWriter<File>>),
    Zstd(Encoder<'static, BufWriter<File>>),
    Bzip2(BzEncoder<BufWriter<File>>),
}

impl Out {
    fn new(file: File, compression: Compression) -> io::Result<Self> {
        let file = BufWriter::with_capacity(BUFFER, file);
        Ok(match compression {
            Compression::None => Self::Plain(file),
            Compression::Gzip => Self::Gzip(GzEncoder::new(file, Default::default())),
            Compression::Zstd => Self::Zstd(Encoder::new(file, zstd::DEFAULT_COMPRESSION_LEVEL)?),
            Compression::Bzip2 => Self::Bzip2(BzEncoder::new(file, Default::default())),
        })
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Plain(file) => file,
            Self::Gzip(encoder) => encoder,
            Self::Zstd(encoder) => encoder,
            Self::Bzip2(encoder) => encoder,
        }
    }

    fn finish(self) -> io::Result<File> {
        let file = match self {
            Self::Plain(file) => file,
            Self::Gzip(encoder) => encoder.finish()?,
            Self::Zstd(encoder) => encoder.finish()?,
            Self::Bzip2(encoder) => encoder.finish()?,
        };
        file.into_inner().map_err(|error| error.into_error())
    }
}

impl AtomicFile {
    /// Begins a file at `path`. If `path` is a link, the target of the link is replaced. A new file gets the
    /// permissions of the one it replaces. Unless `replaces` is set, there must be no file at `path`, except a pipe or
    /// a device, which loses nothing.
    ///
    /// # Errors
    ///
    /// If no file can be created in that folder, or if the device there cannot be opened.
    /// [`io::ErrorKind::AlreadyExists`] if there is a file that may not be replaced.
    pub fn create(path: &Path, replaces: bool) -> io::Result<Self> {
        let (_, compression) = Compression::of_name(&path.to_string_lossy());
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let old = match fs::metadata(&path) {
            Ok(old) if old.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(old) if !old.is_file() => {
                let file = File::options().write(true).open(&path)?;
                return Ok(Self {
                    out: Out::new(file, compression)?,
                    temporary: None,
                    path: None,
                    replaces,
                });
            }
            Ok(_) if !replaces => return Err(taken()),
            old => old.ok(),
        };
        let folder = folder_of(&path);
        sweep(folder);
        Self::for_place(nameless(folder), path, compression, old, replaces)
    }

    /// Writes to a file without a name if possible, else to one with a temporary name.
    fn for_place(
        nameless: Option<File>,
        path: PathBuf,
        compression: Compression,
        old: Option<fs::Metadata>,
        replaces: bool,
    ) -> io::Result<Self> {
        // A lock shows that the file has a writer. On systems without locks no file is removed either.
        let (file, temporary) = match nameless {
            Some(file) => {
                let _ = file.lock();
                (file, None)
            }
            None => loop {
                let create = |path: &Path| File::options().write(true).create_new(true).open(path);
                let (file, temporary) = temporary(folder_of(&path), create)?.into_parts();
                let _ = file.lock();
                // Another process may have removed it before it had its lock.
                if temporary.exists() {
                    break (file, Some(temporary));
                }
            },
        };
        if let Some(old) = old {
            file.set_permissions(old.permissions())?;
        }
        Ok(Self {
            out: Out::new(file, compression)?,
            temporary,
            path: Some(path),
            replaces,
        })
    }

    /// Puts the file in its place, after all of it has been written to disk.
    ///
    /// # Errors
    ///
    /// If writing the rest or renaming fails, or if a file that may not be replaced has appeared meanwhile. The path
    /// then has its old content. Also if the disk fails after the file has its name.
    pub fn commit(self) -> io::Result<()> {
        let file = self.out.finish()?;
        let Some(path) = self.path else {
            return Ok(());
        };
        let folder = folder_of(&path);
        // This takes longest, so the file has no name yet: a process that is killed meanwhile leaves nothing.
        file.sync_all()?;
        let rename = |temporary: TempPath| {
            let put = match self.replaces {
                true => temporary.persist(&path),
                false => temporary.persist_noclobber(&path),
            };
            put.map_err(|fault| fault.error)
        };
        let put = match self.temporary {
            Some(temporary) => rename(temporary),
            None => link(&file, &path).or_else(|fault| match fault.kind() {
                // Only renaming can replace an existing file.
                io::ErrorKind::AlreadyExists if self.replaces => {
                    let link = |to: &Path| link(&file, to);
                    rename(temporary(folder, link)?.into_temp_path())
                }
                _ => Err(fault),
            }),
        };
        put.map_err(|fault| match fault.kind() {
            io::ErrorKind::AlreadyExists => taken(),
            _ => fault,
        })?;
        // Some file systems do not sync a file without a name.
        file.sync_all()?;
        // The new name must be written to disk too. Not every system can open a folder.
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.writer().flush()
    }
}

/// The error for a file that may not be replaced.
fn taken() -> io::Error {
    let message = "the file exists and is not overwritten";
    io::Error::new(io::ErrorKind::AlreadyExists, message)
}

fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    folder.unwrap_or(Path::new("."))
}

/// Creates a file without a name in a folder, if the file system supports that and a name can be given to it later.
#[cfg(target_os = "linux")]
fn nameless(folder: &Path) -> Option<File> {
    use rustix::fs::{Mode, OFlags, open};
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    let file = File::from(open(folder, flags, Mode::from_raw_mode(0o666)).ok()?);
    // Without `/proc` it could not get its name.
    fs::symlink_metadata(link_to(&file)).ok().map(|_| file)
}

#[cfg(not(target_os = "linux"))]
fn nameless(_: &Path) -> Option<File> {
    None
}

/// Gives a name to a file without one. Fails if another file has that name.
#[cfg(target_os = "linux")]
fn link(file: &File, to: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    let flags = AtFlags::SYMLINK_FOLLOW;
    Ok(linkat(CWD, link_to(file), CWD, to, flags)?)
}

#[cfg(not(target_os = "linux"))]
fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(target_os = "linux")]
fn link_to(file: &File) -> String {
    format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(file))
}

/// Creates something with a temporary name in a folder. Errors do not mention that name, since it would not help the
/// user.
fn temporary<T>(
    folder: &Path,
    make: impl FnMut(&Path) -> io::Result<T>,
) -> io::Result<NamedTempFile<T>> {
    let made = tempfile::Builder::new()
        .prefix(PREFIX)
        .make_in(folder, make);
    made.map_err(|fault| {
        let folder = file_name::to_text(folder);
        let folder = printable(&folder);
        let message = match fault.kind() {
            io::ErrorKind::NotFound => format!("folder {folder} does not exist"),
            io::ErrorKind::NotADirectory => format!("{folder} is a file, not a folder"),
            kind if fault.get_ref().is_some() => return io::Error::from(kind),
            _ => return fault,
        };
        io::Error::new(fault.kind(), message)
    })
}

/// Removes the unfinished files in a folder whose writers were killed.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_unfinished = name.as_encoded_bytes().starts_with(PREFIX.as_bytes())
            && entry.file_type().is_ok_and(|kind| kind.is_file());
        // The lock is held until the file is gone, so that no writer takes it in between.
        if is_unfinished
            && let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            // A failure to remove it does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::source::{OpenOptions, Source};
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_compressed_as_its_name_says() {
        let folder = tempfile::tempdir().unwrap();
        let game = b"[Event \"x\"]\n\n1. b4N *\n\n".repeat(500);
        for (name, head) in [
            ("a.pgn", &b"["[..]),
            ("a.pgn.gz", &b"\x1f\x8b"[..]),
            ("A.PGN.GZ", &b"\x1f\x8b"[..]),
            ("a.zst", &b"\x28\xb5\x2f\xfd"[..]),
            ("a.pgn.bz2", &b"BZh"[..]),
            ("gz", &b"["[..]),
        ] {
            let path = folder.path().join(name);
            let mut file = AtomicFile::create(&path, true).unwrap();
            file.write_all(&game).unwrap();
            assert!(!path.exists(), "{name}");
            file.commit().unwrap();
            let written = fs::read(&path).unwrap();
            assert!(written.starts_with(head), "{name}");
            let is_plain = head == b"[";
            assert_eq!(written == game, is_plain, "{name}");
            assert!(is_plain || written.len() < game.len() / 10, "{name}");
            let input = Source::File(path.clone()).open(&OpenOptions::default());
            let games: u32 = input.unwrap().map(|batch| batch.unwrap().games()).sum();
            assert_eq!(games, 500, "{name}");
            assert!(AtomicFile::create(&path, false).is_err(), "{name}");
        }
    }

    #[test]
    fn a_file_takes_its_name_when_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.pgn");
        let files = || fs::read_dir(folder.path()).unwrap().count();

        let mut file = AtomicFile::create(&path, true).unwrap();
        file.write_all(b"half").unwrap();
        file.flush().unwrap();
        assert!(!path.exists());
        drop(file);
        assert_eq!(files(), 0);

        let mut file = AtomicFile::create(&path, true).unwrap();
        file.write_all(b"whole").unwrap();
        file.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        assert_eq!(files(), 1);

        // The old file stays until the new one is whole.
        let mut file = AtomicFile::create(&path, true).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        file.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");

        assert!(AtomicFile::create(folder.path(), true).is_err());
        assert!(AtomicFile::create(&folder.path().join("no/such/x"), true).is_err());
    }

    #[test]
    fn a_file_that_is_there_stays_where_none_may_be_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.pgn");
        let file = AtomicFile::create(&path, false).unwrap();
        // Somebody else is faster.
        fs::write(&path, "theirs").unwrap();
        let temporary =
            AtomicFile::for_place(None, path.clone(), Compression::None, None, false).unwrap();
        for fault in [
            file.commit().unwrap_err(),
            temporary.commit().unwrap_err(),
            AtomicFile::create(&path, false).map(drop).unwrap_err(),
        ] {
            assert_eq!(fault.kind(), io::ErrorKind::AlreadyExists);
            assert!(!fault.to_string().contains(PREFIX), "{fault}");
        }
        assert_eq!(fs::read(&path).unwrap(), b"theirs");
        assert_eq!(names(folder.path()), ["out.pgn"]);
    }

    #[test]
    fn a_fault_does_not_name_the_unfinished_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.pgn");
        fs::write(&path, "").unwrap();
        for wrong in [path.join("x"), folder.path().join("no/x")] {
            let fault = AtomicFile::create(&wrong, true)
                .map(drop)
                .unwrap_err()
                .to_string();
            assert!(!fault.contains(PREFIX), "{fault}");
        }
        let nowhere = folder.path().join("no/x");
        let fault = AtomicFile::for_place(None, nowhere, Compression::None, None, true)
            .map(drop)
            .unwrap_err();
        assert_eq!(fault.kind(), io::ErrorKind::NotFound);
        assert!(!fault.to_string().contains(PREFIX), "{fault}");
    }

    #[test]
    fn permissions_and_links_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        let mut file = AtomicFile::create(&link, true).unwrap();
        file.write_all(b"new").unwrap();
        file.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o640
        );
    }

    #[test]
    fn what_a_killed_writer_left_goes_and_what_has_a_writer_stays() {
        let folder = tempfile::tempdir().unwrap();
        let left = folder.path().join(".tridex-abcdef");
        let other = folder.path().join(".other-abcdef");
        fs::write(&left, "half a game").unwrap();
        fs::write(&other, "not ours").unwrap();
        let written = AtomicFile::for_place(
            None,
            folder.path().join("a.pgn"),
            Compression::None,
            None,
            true,
        )
        .unwrap();
        let ours = |name: &String| name.starts_with(PREFIX) && name != ".tridex-abcdef";
        let temporary = names(folder.path()).into_iter().find(ours).unwrap();
        AtomicFile::create(&folder.path().join("b.pgn"), true)
            .unwrap()
            .commit()
            .unwrap();
        assert_eq!(names(folder.path()), [".other-abcdef", &temporary, "b.pgn"]);
        written.commit().unwrap();
        assert_eq!(names(folder.path()), [".other-abcdef", "a.pgn", "b.pgn"]);
    }

    #[test]
    fn no_other_process_removes_a_file_that_has_just_begun() {
        let folder = tempfile::tempdir().unwrap();
        let over = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    sweep(folder.path());
                }
            });
            let path = folder.path().join("a.pgn");
            let written = (0..300).try_for_each(|_| {
                AtomicFile::for_place(None, path.clone(), Compression::None, None, true)?.commit()
            });
            over.store(true, Ordering::Relaxed);
            written.unwrap();
        });
    }
}
