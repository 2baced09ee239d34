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

use std::error::Error;
use std::ffi::OsStr;
use std::fmt;
#[cfg(feature = "files")]
use std::fs::{self, File};
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
#[cfg(feature = "threads")]
use std::sync::atomic::AtomicBool;
use std::sync::atomic::{AtomicU64, Ordering};

#[cfg(all(feature = "files", feature = "threads"))]
use self::interruptible::Interruptible;
#[cfg(feature = "files")]
pub use self::pieces::{FilePiece, Pieces, Unsplittable};
#[cfg(feature = "files")]
pub use self::walk::{ABOUT, EXTENSIONS, FolderNote, Notes, Walk, walk};
use crate::batch::Batch;
pub use crate::budget::Budget;
use crate::container::Container;
use crate::encoding::{Encoding, Manner, NotUnicode, Notice, Utf8};
use crate::lex::printable;
use crate::split::{Seam, Splitter};
use crate::visit::Limits;

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
    #[must_use]
    pub fn new(name: &OsStr) -> Self {
        if name == "-" {
            Self::Stdin
        } else {
            Self::File(PathBuf::from(name))
        }
    }

    /// The name as it was given, decoded; `-` for standard input. It may contain every character of a file name: use
    /// [`printable`] before it goes to a terminal.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Stdin => "-".to_owned(),
            Self::File(path) => path.to_string_lossy().into_owned(),
        }
    }

    /// The path of a file.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin => None,
            Self::File(path) => Some(path),
        }
    }

    /// The size of the file in bytes, still compressed, if it is a regular file.
    #[cfg(feature = "files")]
    #[must_use]
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
        let Some(path) = self.path() else {
            #[cfg(feature = "threads")]
            if let Some(stop) = options.stop {
                let interruptible = Interruptible::new(|| Ok(io::stdin()), stop);
                let read_fault = |error| self.fault(SourceErrorKind::Read(error));
                return self.open_reader(Box::new(interruptible.map_err(read_fault)?), options);
            }
            return self.open_reader(Box::new(io::stdin()), options);
        };
        let open_fault = |error| self.fault(SourceErrorKind::Open(error));
        let meta = fs::metadata(path).map_err(open_fault)?;
        // A folder can be opened but not read, and the system's message does not help.
        if meta.is_dir() {
            return Err(self.fault(SourceErrorKind::Folder));
        }
        // Opening a named pipe blocks until it has a writer.
        #[cfg(feature = "threads")]
        if let Some(stop) = options.stop.filter(|_| !meta.is_file()) {
            let path = path.to_owned();
            let interruptible =
                Interruptible::new(|| File::open(path), stop).map_err(open_fault)?;
            return self.open_reader(Box::new(interruptible), options);
        }
        self.open_reader(Box::new(File::open(path).map_err(open_fault)?), options)
    }

    /// Reads the content of this source from `raw`.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_reader(
        &self,
        raw: Box<dyn Read + Send>,
        options: &OpenOptions,
    ) -> Result<Input, SourceError> {
        self.open_as(raw, options, options.manner())
    }

    /// [`open_reader`](Self::open_reader) with the encoding that is already known.
    fn open_as(
        &self,
        raw: Box<dyn Read + Send>,
        options: &OpenOptions,
        manner: Manner,
    ) -> Result<Input, SourceError> {
        let counted = Counted {
            inner: raw,
            consumed: Arc::clone(&options.consumed),
        };
        let head = Head::read(counted, 16).map_err(|e| self.read_error(Compression::None, e))?;
        let compression = Compression::detect(head.peek());
        let read_error = |error| self.read_error(compression, error);
        if let Some(what) = foreign::known(head.peek()) {
            return Err(self.fault(SourceErrorKind::Foreign(what)));
        }
        let reader =
            unpack::unpack(compression, head, options.max_decompressed).map_err(read_error)?;
        let head = Head::read(reader, 4096).map_err(read_error)?;
        let what = match manner.encoding {
            // In UTF-16 nearly every second byte is zero, so only signatures are compared.
            Some(encoding) if encoding.is_utf_16() => foreign::known(head.peek()),
            _ => foreign::foreign(head.peek()),
        };
        if let Some(what) = what {
            return Err(self.fault(SourceErrorKind::Foreign(what)));
        }
        let beginning = head.peek().get(..4).unwrap_or(head.peek()).to_vec();
        let head = Head::read(Utf8::new(head, &beginning, manner), 4096).map_err(read_error)?;
        Ok(Input {
            container: options
                .container
                .unwrap_or_else(|| Container::detect(self.path(), head.peek())),
            source: self.clone(),
            compression,
            reader: head,
            budget: options.budget.clone(),
            goes_on: None,
            is_whole: true,
            has_end: true,
        })
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
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OpenOptions {
    /// The maximum of bytes that one compressed source may decompress to: 64 GiB by default.
    pub max_decompressed: u64,
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

impl Default for OpenOptions {
    fn default() -> Self {
        Self {
            max_decompressed: 64 << 30,
            container: None,
            encoding: None,
            language: None,
            consumed: Arc::default(),
            #[cfg(feature = "threads")]
            stop: None,
            budget: None,
        }
    }
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

/// The compression of a source. The first bytes decide, not the name.
///
/// ```
/// use tridex_archive::source::Compression;
///
/// assert_eq!(Compression::of_name("club.pgn.GZ"), ("club.pgn", Compression::Gzip));
/// assert_eq!(Compression::of_name("club.pgn"), ("club.pgn", Compression::None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compression {
    /// Not at all.
    None,
    /// gzip, all members.
    Gzip,
    /// Zstandard, all frames.
    Zstd,
    /// bzip2, all streams.
    Bzip2,
}

impl Compression {
    /// Its name: `plain`, `gzip`, `zstd`, `bzip2`.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::None => "plain",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Bzip2 => "bzip2",
        }
    }

    /// The compression of a file name by its extension - `.gz`, `.zst`, `.bz2`, in either case - and the name without
    /// it. This is for files to be written; for files to be read the first bytes decide.
    #[must_use]
    pub fn of_name(name: &str) -> (&str, Self) {
        let known = [
            (".gz", Self::Gzip),
            (".zst", Self::Zstd),
            (".bz2", Self::Bzip2),
        ];
        let ended = known.into_iter().find_map(|(end, compression)| {
            let (stem, last) = name.split_at_checked(name.len().checked_sub(end.len())?)?;
            last.eq_ignore_ascii_case(end)
                .then_some((stem, compression))
        });
        ended.unwrap_or((name, Self::None))
    }

    fn detect(head: &[u8]) -> Self {
        // A text may begin with the short signature of bzip2, but not with that of a block or of the end.
        let bzip2 = |head: &[u8]| {
            head.first().is_some_and(|b| (b'1'..=b'9').contains(b))
                && (head.get(1..7) == Some(b"\x31\x41\x59\x26\x53\x59")
                    || head.get(1..7) == Some(b"\x17\x72\x45\x38\x50\x90"))
        };
        match head {
            [0x1f, 0x8b, ..] => Self::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Self::Zstd,
            [b'B', b'Z', b'h', rest @ ..] if bzip2(rest) => Self::Bzip2,
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
pub struct Input {
    source: Source,
    container: Container,
    compression: Compression,
    reader: Head<Text>,
    budget: Option<Arc<Budget>>,
    /// The beginning of the source and the place where reading begins, if a piece of the source is read.
    goes_on: Option<(Vec<u8>, Seam)>,
    /// Whether this is the whole source, not a piece of it.
    is_whole: bool,
    /// Whether reading ends at the end of the source.
    has_end: bool,
}

/// The text of a source, decompressed and decoded.
type Text = Utf8<Head<Box<dyn Read + Send>>>;

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Input")
            .field("source", &self.source)
            .field("container", &self.container)
            .field("compression", &self.compression)
            .finish_non_exhaustive()
    }
}

impl Input {
    /// The container, as detected or as given.
    #[must_use]
    pub fn container(&self) -> Container {
        self.container
    }

    /// How it is compressed.
    #[must_use]
    pub fn compression(&self) -> Compression {
        self.compression
    }

    /// Reads the batches. An error is the last item, after every game before it. A whole source without games ends with
    /// [`SourceErrorKind::Empty`] or [`SourceErrorKind::NoGames`].
    #[must_use]
    pub fn batches(self, limits: Limits) -> Batches {
        let splitter = match self.goes_on {
            None => Splitter::new(self.reader, self.container, limits),
            Some((head, seam)) => {
                Splitter::resume(self.reader, self.container, limits, &head, seam)
            }
        };
        let splitter = match self.has_end {
            true => splitter,
            false => splitter.up_to_seam(),
        };
        Batches {
            splitter,
            source: self.source,
            compression: self.compression,
            budget: self.budget,
            lacks_games: self.is_whole,
        }
    }
}

/// The batches of a source.
pub struct Batches {
    source: Source,
    compression: Compression,
    splitter: Splitter<Head<Text>>,
    budget: Option<Arc<Budget>>,
    /// Whether the source must have games, and none was read so far.
    lacks_games: bool,
}

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
        self.splitter.reader().inner.notices(before)
    }

    /// The error of a source without games.
    fn without_games(&mut self) -> SourceError {
        SourceError {
            name: self.source.name(),
            kind: match self.splitter.reader().inner.is_empty() {
                true => SourceErrorKind::Empty,
                false => SourceErrorKind::NoGames,
            },
        }
    }
}

impl fmt::Debug for Batches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batches")
            .field("source", &self.source)
            .finish_non_exhaustive()
    }
}

impl Iterator for Batches {
    type Item = Result<Batch, SourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        let Some(batch) = self.splitter.next() else {
            let lacks_games = std::mem::take(&mut self.lacks_games);
            return lacks_games.then(|| Err(self.without_games()));
        };
        self.lacks_games &= matches!(&batch, Ok(batch) if !batch.has_games());
        let fault = |error| self.source.read_error(self.compression, error);
        Some(batch.map_err(fault).map(|mut batch| {
            if let Some(budget) = &self.budget {
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
#[derive(Debug)]
pub struct SourceError {
    name: String,
    kind: SourceErrorKind,
}

/// Why a source could not be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum SourceErrorKind {
    /// It cannot be opened.
    Open(io::Error),
    /// It is a folder where a file is expected.
    Folder,
    /// Reading fails.
    Read(io::Error),
    /// The compressed data is damaged, or ends too early.
    Corrupt(Compression, io::Error),
    /// It decompresses to more than this number of bytes.
    TooLarge(u64),
    /// It is a known kind of file that is not a game record.
    Foreign(&'static str),
    /// It is not a regular file, so it cannot be split.
    NoFile,
    /// The file has changed since it was split.
    Changed(&'static str),
    /// The files of this folder cannot be listed.
    List(io::Error),
    /// [`OpenOptions::stop`] was set while reading waited for input.
    Stopped,
    /// It has no bytes of text.
    Empty,
    /// It has text, or zeros, but no game.
    NoGames,
}

impl SourceErrorKind {
    /// A name for machines, which does not change.
    #[must_use]
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
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Why.
    #[must_use]
    pub fn kind(&self) -> &SourceErrorKind {
        &self.kind
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", printable(&self.name), self.kind)
    }
}

impl fmt::Display for SourceErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open(error) => write!(f, "cannot be opened: {error}"),
            Self::Folder => f.write_str("is a folder, not a file"),
            Self::Read(error) => write!(f, "cannot be read: {error}"),
            Self::Corrupt(compression, error) => {
                write!(
                    f,
                    "the {compression} data is damaged or incomplete: {error}"
                )
            }
            Self::TooLarge(cap) => write!(
                f,
                "decompresses to more than {cap} bytes; the rest is not read"
            ),
            Self::Foreign(what) => write!(f, "this is {what}, not a game record"),
            Self::NoFile => f.write_str("cannot be split: not a regular file"),
            Self::Changed(what) => {
                write!(f, "has changed since it was split: {what}")
            }
            Self::List(error) => write!(f, "the folder cannot be listed: {error}"),
            Self::Stopped => f.write_str("interrupted while waiting for input"),
            Self::Empty => f.write_str("the file is empty; expected games"),
            Self::NoGames => f.write_str("no games found in this file"),
        }
    }
}

impl Error for SourceErrorKind {}

impl Error for SourceError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.kind {
            SourceErrorKind::Open(error)
            | SourceErrorKind::Read(error)
            | SourceErrorKind::Corrupt(_, error)
            | SourceErrorKind::List(error) => Some(error),
            _ => None,
        }
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

/// A reader whose first bytes can be read ahead.
struct Head<R> {
    head: Cursor<Vec<u8>>,
    /// Reading failed after the head.
    failed: Option<io::Error>,
    inner: R,
}

impl<R: Read> Head<R> {
    /// Reads `len` bytes, or as many as there are.
    fn read(mut inner: R, len: u64) -> io::Result<Self> {
        let mut head = Vec::new();
        match inner.by_ref().take(len).read_to_end(&mut head) {
            Err(error) if head.is_empty() => Err(error),
            read => Ok(Self {
                head: Cursor::new(head),
                failed: read.err(),
                inner,
            }),
        }
    }

    fn peek(&self) -> &[u8] {
        self.head.get_ref()
    }
}

impl<R: Read> Read for Head<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.head.read(buffer)?;
        if read > 0 {
            return Ok(read);
        }
        match self.failed.take() {
            Some(error) => Err(error),
            None => self.inner.read(buffer),
        }
    }
}

#[cfg(all(
    test,
    feature = "compression",
    feature = "encodings",
    feature = "files",
    feature = "threads"
))]
mod tests;
