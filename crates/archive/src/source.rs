//! Files, folders and standard input, opened and decompressed.

mod foreign;
#[cfg(feature = "compression")]
mod gzip;
#[cfg(all(feature = "files", feature = "threads"))]
mod interruptible;
#[cfg(feature = "files")]
mod pieces;
mod unpack;
#[cfg(feature = "files")]
mod walk;

use std::ffi::OsStr;
use std::fmt;
#[cfg(feature = "files")]
use std::fs::{self, File, Metadata};
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
#[cfg(feature = "threads")]
use std::sync::atomic::AtomicBool;
use std::sync::atomic::{AtomicU64, Ordering};

#[cfg(feature = "files")]
pub use self::pieces::{FilePiece, Pieces, UNCUT};
#[cfg(feature = "files")]
pub use self::walk::{ABOUT, EXTENSIONS, FolderNote, Notes, Walk, walk};
use crate::batch::Batch;
pub use crate::budget::Budget;
use crate::container::Container;
use crate::encoding::{Encoding, Manner, NotUnicode, Notice, Utf8};
use crate::lex::printable;
use crate::split::Splitter;
use crate::visit::Limits;

type Reader = Box<dyn Read + Send>;

/// A file with games, or standard input.
///
/// ```
/// use std::ffi::OsStr;
/// use tridex_archive::Limits;
/// use tridex_archive::source::{OpenOptions, Source};
///
/// let source = Source::new(OsStr::new("club.pgn"));
/// assert_eq!(source.name(), "club.pgn");
/// // `Source::open` reads the file; here its bytes are in memory.
/// let bytes = &b"[White \"Anna\"]\n\n1. b4N b5B 1-0\n"[..];
/// let input = source.open_reader(Box::new(bytes), &OpenOptions::default())?;
/// for batch in input.batches(Limits::default()) {
///     for game in batch?.all_games() {
///         assert_eq!(game.tag("White").as_deref(), Some("Anna"));
///     }
/// }
/// # Ok::<(), tridex_archive::source::SourceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// Standard input, written `-`.
    Stdin,
    /// A file.
    File(PathBuf),
}

impl Source {
    /// `-` is standard input, everything else a path.
    pub fn new(name: &OsStr) -> Self {
        if name == "-" {
            Self::Stdin
        } else {
            Self::File(PathBuf::from(name))
        }
    }

    /// The name as it was given, decoded; `-` for standard input. It may contain every character of a file name: use
    /// [`printable`] before it goes to a terminal.
    pub fn name(&self) -> String {
        match self {
            Self::Stdin => "-".to_owned(),
            Self::File(path) => path.to_string_lossy().into_owned(),
        }
    }

    /// The path of a file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin => None,
            Self::File(path) => Some(path),
        }
    }

    /// The size of the file in bytes, still compressed, if it is a regular file.
    #[cfg(feature = "files")]
    pub fn size(&self) -> Option<u64> {
        let meta = fs::metadata(self.path()?).ok()?;
        meta.is_file().then_some(meta.len())
    }

    fn fault(&self, kind: SourceErrorKind) -> SourceError {
        SourceError {
            name: self.name(),
            kind,
        }
    }

    /// Opens the source and detects its compression, encoding and container.
    ///
    /// # Errors
    ///
    /// If it cannot be opened or read, or is not a game record.
    #[cfg(feature = "files")]
    pub fn open(&self, options: &OpenOptions) -> Result<Input, SourceError> {
        let open_fault = |error| self.fault(SourceErrorKind::Open(error));
        let raw = match self.path() {
            None => waiting(|| Ok(io::stdin()), options),
            Some(path) if self.metadata(path)?.is_file() => {
                File::open(path).map(|file| Box::new(file) as Reader)
            }
            // Opening a named pipe blocks until it has a writer.
            Some(path) => {
                let path = path.to_owned();
                waiting(|| File::open(path), options)
            }
        };
        self.open_reader(raw.map_err(open_fault)?, options)
    }

    /// The metadata of a path that is not a folder. A folder can be opened but not read, and the system's message does
    /// not help.
    #[cfg(feature = "files")]
    fn metadata(&self, path: &Path) -> Result<Metadata, SourceError> {
        match fs::metadata(path) {
            Ok(meta) if meta.is_dir() => Err(self.fault(SourceErrorKind::Folder)),
            found => found.map_err(|error| self.fault(SourceErrorKind::Open(error))),
        }
    }

    /// Reads the content of this source from `raw`.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_reader(&self, raw: Reader, options: &OpenOptions) -> Result<Input, SourceError> {
        self.open_as(raw, options, options.manner())
    }

    /// [`open_reader`](Self::open_reader) with the encoding that is already known.
    fn open_as(
        &self,
        raw: Reader,
        options: &OpenOptions,
        manner: Manner,
    ) -> Result<Input, SourceError> {
        let counted = Counted {
            inner: raw,
            consumed: Arc::clone(&options.consumed),
        };
        let (head, reader) =
            peek(Box::new(counted), 16).map_err(|e| self.read_error(Compression::None, e))?;
        let compression = Compression::detect(&head);
        let read_error = |error| self.read_error(compression, error);
        let foreign = |what| Err(self.fault(SourceErrorKind::Foreign(what)));
        if let Some(what) = foreign::known(&head) {
            return foreign(what);
        }
        let cap = options.max_decompressed.unwrap_or(64 << 30);
        let reader = unpack::unpack(compression, reader, cap).map_err(read_error)?;
        let (head, reader) = peek(reader, 4096).map_err(read_error)?;
        let what = match manner.encoding {
            // In UTF-16 nearly every second byte is zero, so only signatures are compared.
            Some(encoding) if encoding.is_utf_16() => foreign::known(&head),
            _ => foreign::foreign(&head),
        };
        if let Some(what) = what {
            return foreign(what);
        }
        let mut reader = Utf8::new(reader, manner);
        let container = self.container(options, reader.peek(4096));
        Ok(Input {
            source: self.clone(),
            compression,
            splitter: Splitter::new(reader, container, Limits::default()),
            budget: options.budget.clone(),
            lacks_games: true,
        })
    }

    /// The container that is given, or detected by the name and the first bytes.
    fn container(&self, options: &OpenOptions, head: &[u8]) -> Container {
        let given = options.container;
        given.unwrap_or_else(|| Container::detect(self.path(), head))
    }

    fn read_error(&self, compression: Compression, error: io::Error) -> SourceError {
        // Our own readers wrap their kind of error.
        let kind = match error.downcast::<SourceErrorKind>() {
            Ok(kind) => kind,
            Err(error)
                if error
                    .get_ref()
                    .is_some_and(|inner| inner.is::<NotUnicode>()) =>
            {
                SourceErrorKind::Foreign(NotUnicode::WHAT)
            }
            Err(error) if compression == Compression::None => SourceErrorKind::Read(error),
            Err(error) => SourceErrorKind::Corrupt(compression, error),
        };
        self.fault(kind)
    }
}

/// Options for opening a source.
///
/// ```
/// use tridex_archive::Container;
/// use tridex_archive::source::{OpenOptions, Source};
///
/// let mut options = OpenOptions::default();
/// options.container = Some(Container::Csv);
/// options.language = Some("cs");
/// let input = Source::Stdin.open_reader(Box::new(&b"b4N,b5B\n"[..]), &options)?;
/// assert_eq!(input.container(), Container::Csv);
/// # Ok::<(), tridex_archive::source::SourceError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct OpenOptions {
    /// The maximum of bytes that one compressed source may decompress to. Without it that is 64 GiB.
    pub max_decompressed: Option<u64>,
    /// The container. Without it the name and the first bytes decide.
    pub container: Option<Container>,
    /// The encoding of the text, unless a byte order mark states another one. Without it the encoding of text that is
    /// not UTF-8 is guessed: see [`NoticeKind::Guessed`](crate::encoding::NoticeKind::Guessed).
    pub encoding: Option<Encoding>,
    /// The language of the games, a code of two letters such as `cs`, which helps to guess the encoding. Without it the
    /// first tag `Locale` near the letters in question is used.
    pub language: Option<&'static str>,
    /// Counts the bytes read, before decompression. Another thread may watch it, and many sources may share it.
    pub consumed: Arc<AtomicU64>,
    /// When this becomes true while reading waits for standard input or a pipe, reading ends with
    /// [`SourceErrorKind::Stopped`] within a tenth of a second. A separate thread reads these sources then. Without it
    /// reading waits forever.
    #[cfg(feature = "threads")]
    pub stop: Option<&'static AtomicBool>,
    /// The memory limit for all batches in use, of this source and of all others with the same budget. Without it there
    /// is no limit.
    pub budget: Option<Arc<Budget>>,
}

impl OpenOptions {
    fn manner(&self) -> Manner {
        Manner {
            encoding: self.encoding,
            guess: None,
            language: self.language,
        }
    }
}

enum_table! {
    /// The compression of a source. The first bytes decide, not the name.
    ///
    /// ```
    /// use tridex_archive::source::Compression;
    ///
    /// assert_eq!(Compression::of_name("club.pgn.GZ"), ("club.pgn", Compression::Gzip));
    /// assert_eq!(Compression::of_name("club.pgn"), ("club.pgn", Compression::None));
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Compression(
        /// Its name: `plain`, `gzip`, `zstd`, `bzip2`.
        as_str: &'static str,
        /// The extension of a file name; empty for files that are not compressed.
        extension: &'static str
    ) {
        /// gzip, all members.
        Gzip("gzip", ".gz"),
        /// Zstandard, all frames.
        Zstd("zstd", ".zst"),
        /// bzip2, all streams.
        Bzip2("bzip2", ".bz2"),
        /// Not at all.
        None("plain", ""),
    }
}

impl Compression {
    /// The compression of a file name by its extension - `.gz`, `.zst`, `.bz2`, in either case - and the name without
    /// it. This is for files to be written; for files to be read the first bytes decide.
    pub fn of_name(name: &str) -> (&str, Self) {
        let ended = Self::ALL.into_iter().find_map(|compression| {
            let end = compression.extension();
            let (stem, last) = name.split_at_checked(name.len().checked_sub(end.len())?)?;
            last.eq_ignore_ascii_case(end)
                .then_some((stem, compression))
        });
        ended.unwrap_or((name, Self::None))
    }

    fn detect(head: &[u8]) -> Self {
        // A text may begin with the short signature of bzip2, but not with that of a block or of the end.
        let bzip2 = [b"\x31\x41\x59\x26\x53\x59", b"\x17\x72\x45\x38\x50\x90"];
        match head {
            [0x1f, 0x8b, ..] => Self::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Self::Zstd,
            [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..]
                if bzip2.iter().any(|block| rest.starts_with(*block)) =>
            {
                Self::Bzip2
            }
            _ => Self::None,
        }
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A source that is open.
#[derive(Debug)]
pub struct Input {
    source: Source,
    compression: Compression,
    /// Splits the text, decompressed and decoded.
    splitter: Splitter<Utf8<Reader>>,
    budget: Option<Arc<Budget>>,
    /// Whether the source must have games, and none was read so far.
    lacks_games: bool,
}

impl Input {
    /// The container, as detected or as given.
    pub fn container(&self) -> Container {
        self.splitter.container()
    }

    /// How it is compressed.
    pub fn compression(&self) -> Compression {
        self.compression
    }

    /// Reads the batches. An error is the last item, after every game before it. A whole source without games ends with
    /// [`SourceErrorKind::Empty`] or [`SourceErrorKind::NoGames`].
    pub fn batches(mut self, limits: Limits) -> Batches {
        self.splitter.limit(limits);
        Batches(self)
    }
}

/// The batches of a source.
#[derive(Debug)]
pub struct Batches(Input);

impl Batches {
    /// The notices about the text before an offset, in order, each only once. Those about a batch are complete when the
    /// batch has been returned; after the last batch `u64::MAX` gives the rest.
    ///
    /// ```
    /// use tridex_archive::Limits;
    /// use tridex_archive::encoding::NoticeKind;
    /// use tridex_archive::source::{OpenOptions, Source};
    ///
    /// let text = &b"[White \"M\xfcller\"]\n\n1. b4N *\n"[..];
    /// let input = Source::Stdin.open_reader(Box::new(text), &OpenOptions::default())?;
    /// let mut batches = input.batches(Limits::default());
    /// while let Some(batch) = batches.next() {
    ///     batch?;
    /// }
    /// let notices = batches.notices(u64::MAX);
    /// let NoticeKind::Guessed(guess) = notices[0].kind else { panic!() };
    /// assert_eq!(guess.encoding.name(), "windows-1252");
    /// # Ok::<(), tridex_archive::source::SourceError>(())
    /// ```
    pub fn notices(&mut self, before: u64) -> Vec<Notice> {
        self.0.splitter.reader().notices(before)
    }
}

impl Iterator for Batches {
    type Item = Result<Batch, SourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        let input = &mut self.0;
        let Some(batch) = input.splitter.next() else {
            let kind = match input.splitter.reader().is_empty() {
                true => SourceErrorKind::Empty,
                false => SourceErrorKind::NoGames,
            };
            let lacks_games = std::mem::take(&mut input.lacks_games);
            return lacks_games.then(|| Err(input.source.fault(kind)));
        };
        input.lacks_games &= matches!(&batch, Ok(batch) if !batch.has_games());
        let fault = |error| input.source.read_error(input.compression, error);
        Some(batch.map_err(fault).map(|mut batch| {
            if let Some(budget) = &input.budget {
                batch.charge(budget);
            }
            batch
        }))
    }
}

/// A source could not be read, or not to its end.
///
/// ```
/// use tridex_archive::source::{OpenOptions, Source};
///
/// let pdf = Box::new(&b"%PDF-1.7 ..."[..]);
/// let error = Source::Stdin.open_reader(pdf, &OpenOptions::default()).unwrap_err();
/// assert_eq!(error.kind().code(), "no-record");
/// assert_eq!(error.to_string(), "-: this is a PDF document, not a game record");
/// ```
#[derive(Debug, thiserror::Error)]
#[error("{}: {kind}", printable(.name))]
pub struct SourceError {
    name: String,
    kind: SourceErrorKind,
}

/// Why a source could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceErrorKind {
    /// It cannot be opened.
    #[error("cannot be opened: {0}")]
    Open(io::Error),
    /// It is a folder where a file is expected.
    #[error("is a folder, not a file")]
    Folder,
    /// Reading fails.
    #[error("cannot be read: {0}")]
    Read(io::Error),
    /// The compressed data is damaged, or ends too early.
    #[error("the {0} data is damaged or incomplete: {1}")]
    Corrupt(Compression, io::Error),
    /// It decompresses to more than this number of bytes.
    #[error("decompresses to more than {0} bytes; the rest is not read")]
    TooLarge(u64),
    /// It is a known kind of file that is not a game record.
    #[error("this is {0}, not a game record")]
    Foreign(&'static str),
    /// It is not a regular file, so it cannot be split.
    #[error("cannot be split: not a regular file")]
    NoFile,
    /// The file has changed since it was split.
    #[error("has changed since it was split: {0}")]
    Changed(&'static str),
    /// The files of this folder cannot be listed.
    #[error("the folder cannot be listed: {0}")]
    List(io::Error),
    /// [`OpenOptions::stop`] was set while reading waited for input.
    #[error("interrupted while waiting for input")]
    Stopped,
    /// It has no bytes of text.
    #[error("the file is empty; expected games")]
    Empty,
    /// It has text, or zeros, but no game.
    #[error("no games found in this file")]
    NoGames,
}

impl SourceErrorKind {
    /// A name for machines, which does not change.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Open(_) => "cannot-open",
            Self::Folder => "folder",
            Self::Read(_) => "cannot-read",
            Self::Corrupt(..) => "corrupt",
            Self::TooLarge(_) => "too-large",
            Self::Foreign(what) if foreign::UNKNOWN_ENCODING.contains(what) => "unknown-encoding",
            Self::Foreign(_) => "no-record",
            Self::NoFile => "no-file",
            Self::Changed(_) => "changed",
            Self::List(_) => "cannot-list",
            Self::Stopped => "stopped",
            Self::Empty => "empty",
            Self::NoGames => "no-games",
        }
    }
}

impl SourceError {
    /// Name of the source, raw.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Why.
    pub fn kind(&self) -> &SourceErrorKind {
        &self.kind
    }
}

// ---- Readers ----

/// Counts the bytes read.
struct Counted<R> {
    inner: R,
    consumed: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.consumed.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// Reads the first bytes of a reader, and returns them with a reader of everything.
fn peek(mut inner: Reader, len: u64) -> io::Result<(Vec<u8>, Reader)> {
    let mut head = Vec::new();
    let read = inner.by_ref().take(len).read_to_end(&mut head);
    let rest: Reader = match read {
        Ok(_) => inner,
        Err(error) if head.is_empty() => return Err(error),
        Err(error) => Box::new(Failed(Some(error))),
    };
    Ok((head.clone(), Box::new(Cursor::new(head).chain(rest))))
}

/// The end of a reader that failed.
struct Failed(Option<io::Error>);

impl Read for Failed {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// A reader that may wait for ever, for standard input, a pipe or a device: interruptible, if the options ask for that.
#[cfg(feature = "files")]
fn waiting<R: Read + Send + 'static>(
    open: impl FnOnce() -> io::Result<R> + Send + 'static,
    options: &OpenOptions,
) -> io::Result<Reader> {
    #[cfg(feature = "threads")]
    if let Some(stop) = options.stop {
        return Ok(Box::new(interruptible::Interruptible::new(open, stop)?));
    }
    let _ = options;
    Ok(Box::new(open()?))
}

#[cfg(all(
    test,
    feature = "compression",
    feature = "encodings",
    feature = "files",
    feature = "threads"
))]
mod tests;
