//! Files that are compressed by the extension of their name.

use super::AtomicFile;
use crate::source::Compression;
use std::io::{self, Write};
use std::path::Path;

use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;
use zstd::stream::write::Encoder;

/// An [`AtomicFile`] that is compressed by the extension of its name: see [`Compression::of_name`].
///
/// ```
/// use std::io::Write;
/// use tridex_archive::write::CompressedFile;
///
/// let path = std::env::temp_dir().join(format!("tridex-{}.pgn.gz", std::process::id()));
/// let mut file = CompressedFile::create(&path, true)?;
/// file.write_all(b"1. b4N *\n")?;
/// file.commit()?;
/// assert!(std::fs::read(&path)?.starts_with(b"\x1f\x8b"));
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct CompressedFile(Out);

enum Out {
    Plain(AtomicFile),
    Gzip(GzEncoder<AtomicFile>),
    Zstd(Encoder<'static, AtomicFile>),
    Bzip2(BzEncoder<AtomicFile>),
}

impl CompressedFile {
    /// Begins a file at `path`, as [`AtomicFile::create`].
    ///
    /// # Errors
    ///
    /// Those of [`AtomicFile::create`].
    pub fn create(path: &Path, replaces: bool) -> io::Result<Self> {
        let file = AtomicFile::create(path, replaces)?;
        let (_, compression) = Compression::of_name(&path.to_string_lossy());
        let out = match compression {
            Compression::None => Out::Plain(file),
            Compression::Gzip => Out::Gzip(GzEncoder::new(file, Default::default())),
            Compression::Zstd => Out::Zstd(Encoder::new(file, zstd::DEFAULT_COMPRESSION_LEVEL)?),
            Compression::Bzip2 => Out::Bzip2(BzEncoder::new(file, Default::default())),
        };
        Ok(Self(out))
    }

    /// Ends the compression and puts the file in its place, as [`AtomicFile::commit`].
    ///
    /// # Errors
    ///
    /// Those of [`AtomicFile::commit`].
    pub fn commit(self) -> io::Result<()> {
        match self.0 {
            Out::Plain(file) => file,
            Out::Gzip(encoder) => encoder.finish()?,
            Out::Zstd(encoder) => encoder.finish()?,
            Out::Bzip2(encoder) => encoder.finish()?,
        }
        .commit()
    }

    fn writer(&mut self) -> &mut dyn Write {
        match &mut self.0 {
            Out::Plain(file) => file,
            Out::Gzip(encoder) => encoder,
            Out::Zstd(encoder) => encoder,
            Out::Bzip2(encoder) => encoder,
        }
    }
}

impl Write for CompressedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{OpenOptions, Source};

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
            let mut file = CompressedFile::create(&path, true).unwrap();
            file.write_all(&game).unwrap();
            assert!(!path.exists(), "{name}");
            file.commit().unwrap();
            let written = std::fs::read(&path).unwrap();
            assert!(written.starts_with(head), "{name}");
            let is_plain = head == b"[";
            assert_eq!(written == game, is_plain, "{name}");
            assert!(is_plain || written.len() < game.len() / 10, "{name}");
            let input = Source::File(path.clone()).open(&OpenOptions::default());
            let games: u32 = input.unwrap().map(|batch| batch.unwrap().games()).sum();
            assert_eq!(games, 500, "{name}");
            assert!(CompressedFile::create(&path, false).is_err(), "{name}");
        }
    }
}
