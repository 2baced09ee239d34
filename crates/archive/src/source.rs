//! Files, folders and standard input, opened and decompressed.

mod foreign;
#[cfg(feature = "compression")]
mod gzip;
#[cfg(all(feature = "files", unix))]
mod interruptible;
#[cfg(feature = "files")]
mod ranges;
mod unpack;
#[cfg(feature = "files")]
mod walk;

use std::ffi::OsStr;
#[cfg(feature = "files")]
use std::fs::{self, File};
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

#[cfg(all(feature = "files", unix))]
use self::interruptible::waiting;
#[cfg(feature = "files")]
pub use self::ranges::FileRange;
#[cfg(feature = "files")]
pub use self::walk::{ABOUT, EXTENSIONS, FolderNote, Walk, walk};
use crate::Cancel;
use crate::batch::Batch;
pub use crate::container::Compression;
use crate::container::Container;
use crate::encoding::{Encoding, HEAD, Notice, Utf8};
pub use crate::fault::SourceError;
use crate::file_name;
#[cfg(feature = "encodings")]
use crate::html;
use crate::sheet;
use crate::split::{BATCH_BYTES, Splitter};
use crate::visit::Limits;

type Reader = Box<dyn Read + Send>;

/// A file with games, or standard input.
///
/// ```
/// use std::ffi::OsStr;
/// use tridex_archive::source::{OpenOptions, Source};
///
/// let source = Source::new(OsStr::new("club.pgn"));
/// assert_eq!(source.name(), "club.pgn");
/// // `Source::open` reads the file; here its bytes are in memory.
/// let bytes = &b"[White \"Anna\"]\n\n1. b4N b5B 1-0\n"[..];
/// let input = source.open_reader(Box::new(bytes), &OpenOptions::default())?;
/// for batch in input {
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

    /// The name as it was given, as text without loss (see [`file_name`]), or `-` for standard input. It may contain
    /// every character of a file name, so pass it through [`printable`](tridex_text::printable) before writing it to a
    /// terminal.
    pub fn name(&self) -> String {
        match self {
            Self::Stdin => "-".to_owned(),
            Self::File(path) => file_name::to_text(path),
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

    fn fault(&self, code: &'static str, message: impl Into<String>) -> SourceError {
        SourceError::new(self.name(), code, message.into())
    }

    /// Opens the source and detects its compression, encoding and container.
    ///
    /// # Errors
    ///
    /// If it cannot be opened or read, or is not a game record.
    #[cfg(feature = "files")]
    pub fn open(&self, options: &OpenOptions) -> Result<Input, SourceError> {
        let raw = match self.regular()? {
            Some((file, _)) => Box::new(file),
            None => {
                waiting(self.path(), &options.cancel).map_err(|error| self.open_error(&error))?
            }
        };
        self.open_reader(raw, options)
    }

    /// Opens a regular file and returns its size. `None` for standard input, pipes and devices. A folder is an error
    /// here, since it can be opened but not read, and the message of the system would not help.
    #[cfg(feature = "files")]
    fn regular(&self) -> Result<Option<(File, u64)>, SourceError> {
        let Some(path) = self.path() else {
            return Ok(None);
        };
        let open_error = |error| self.open_error(&error);
        let meta = fs::metadata(path).map_err(open_error)?;
        if meta.is_dir() {
            return Err(self.fault("folder", "is a folder, not a file"));
        }
        let open = || Ok((File::open(path).map_err(open_error)?, meta.len()));
        meta.is_file().then(open).transpose()
    }

    #[cfg(feature = "files")]
    fn open_error(&self, error: &io::Error) -> SourceError {
        self.fault("cannot-open", format!("cannot be opened: {error}"))
    }

    /// Reads the content of this source from `raw`.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_reader(
        &self,
        mut raw: Reader,
        options: &OpenOptions,
    ) -> Result<Input, SourceError> {
        let mut head = Vec::new();
        let read = raw.by_ref().take(16).read_to_end(&mut head);
        read.map_err(|error| self.read_error(Compression::None, error))?;
        let compression = Compression::detect(&head);
        let read_error = |error| self.read_error(compression, error);
        let raw = Counted {
            inner: Cursor::new(head).chain(raw),
            consumed: Arc::clone(&options.consumed),
        };
        let cap = options.max_decompressed.unwrap_or(64 << 30);
        let reader = unpack::unpack(compression, Box::new(raw), cap).map_err(read_error)?;
        let mut reader = Utf8::new(reader, options.encoding, options.language, None);
        let container = self.examine(&mut reader)?;
        Ok(Input {
            source: self.clone(),
            compression,
            splitter: Splitter::of(reader, container, Limits::default(), BATCH_BYTES),
            needs_games: true,
        })
    }

    /// Detects the container of a text. Fails if the text is not a game record.
    fn examine<R: Read>(&self, reader: &mut Utf8<R>) -> Result<Container, SourceError> {
        if let Some((code, what)) = foreign::foreign(reader.head(), reader.is_utf_16()) {
            return Err(self.fault(code, format!("this is {what}, not a game record")));
        }
        #[cfg(feature = "encodings")]
        {
            let extension = self.path().and_then(crate::container::extension);
            let convert = html::conversion(extension.as_deref(), reader.fill(HEAD));
            if let Some(convert) = convert {
                let read = reader.without_markup(convert);
                read.map_err(|error| self.read_error(Compression::None, error))?;
            }
        }
        let head = reader.fill(HEAD);
        let container = Container::detect(self.path(), head);
        if container == Container::Csv && sheet::lacks_moves(head) {
            let message = "the header of this score sheet does not name the moves: expected columns `white` and \
                           `black`, or `moves`, or `ply` and `move`; others are `game`, `no`, `result`, `comment`, `tags`, clock times and tags";
            return Err(self.fault("no-columns", message));
        }
        Ok(container)
    }

    fn read_error(&self, compression: Compression, error: io::Error) -> SourceError {
        // The readers of this crate wrap their faults.
        match (error.downcast::<SourceError>(), compression) {
            (Ok(known), _) => self.fault(known.code, known.message),
            (Err(error), Compression::None) => {
                self.fault("cannot-read", format!("cannot be read: {error}"))
            }
            (Err(error), packed) => {
                let kind = packed.as_str();
                let message = format!("the {kind} data is damaged or incomplete: {error}");
                self.fault("corrupt", message)
            }
        }
    }
}

/// Options for opening a source.
///
/// ```
/// use tridex_archive::Container;
/// use tridex_archive::source::{OpenOptions, Source};
///
/// let mut options = OpenOptions::default();
/// options.language = Some("cs");
/// let input = Source::Stdin.open_reader(Box::new(&b"1,b4N,b5B\n"[..]), &options)?;
/// let batch = input.into_iter().next().unwrap()?;
/// assert_eq!(batch.container, Container::Csv);
/// # Ok::<(), tridex_archive::source::SourceError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct OpenOptions {
    /// The maximum number of bytes that one compressed source may decompress to. The default is 64 GiB.
    pub max_decompressed: Option<u64>,
    /// The encoding of the text, unless a byte order mark states another one. By default, the encoding of text that is
    /// not UTF-8 is guessed: see [`NoticeKind::Guessed`](crate::encoding::NoticeKind::Guessed).
    pub encoding: Option<Encoding>,
    /// The language of the games, a code of two letters such as `cs`. It helps to guess the encoding. By default, the
    /// first tag `Locale` near the letters in question is used.
    pub language: Option<&'static str>,
    /// Counts the bytes read, before decompression. Another thread may watch it, and many sources may share it.
    pub consumed: Arc<AtomicU64>,
    /// If this is cancelled while reading waits for standard input or a pipe, reading fails with the error `stopped`
    /// within a tenth of a second. On systems other than Unix, reading waits forever.
    pub cancel: Cancel,
}

/// An open source, which yields its batches. If an error occurs, it is the last item, after all games before it. A
/// whole source without games ends with the error `empty` or `no-games`.
#[derive(Debug)]
pub struct Input {
    source: Source,
    compression: Compression,
    /// Splits the text, decompressed and decoded.
    splitter: Splitter<Reader>,
    /// Whether it is an error if the source ends without games.
    needs_games: bool,
}

impl Input {
    /// Returns the notices about the text before an offset, in order, each only once. The notices about a batch are
    /// complete once the batch has been returned. After the last batch, `u64::MAX` returns the rest.
    ///
    /// ```
    /// use tridex_archive::encoding::NoticeKind;
    /// use tridex_archive::source::{OpenOptions, Source};
    ///
    /// let text = &b"[White \"M\xfcller\"]\n\n1. b4N *\n"[..];
    /// let mut input = Source::Stdin.open_reader(Box::new(text), &OpenOptions::default())?;
    /// while let Some(batch) = input.next() {
    ///     batch?;
    /// }
    /// let notices = input.notices(u64::MAX);
    /// let NoticeKind::Guessed(guess) = notices[0].kind else { panic!() };
    /// assert_eq!(guess.encoding.name(), "windows-1252");
    /// # Ok::<(), tridex_archive::source::SourceError>(())
    /// ```
    pub fn notices(&mut self, before: u64) -> Vec<Notice> {
        self.splitter.reader.notices(before)
    }
}

impl Iterator for Input {
    type Item = Result<Arc<Batch>, SourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(read) = self.splitter.next() {
            self.needs_games &= read.is_ok();
            return Some(read.map_err(|error| self.source.read_error(self.compression, error)));
        }
        if !std::mem::take(&mut self.needs_games) || self.splitter.game.get() > 1 {
            return None;
        }
        let (code, what) = match self.splitter.reader.end {
            0 => ("empty", "the file is empty; expected games"),
            _ => ("no-games", "no games found in this file"),
        };
        Some(Err(self.source.fault(code, what)))
    }
}

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

/// A reader of standard input, a pipe or a device.
#[cfg(all(feature = "files", not(unix)))]
fn waiting(path: Option<&Path>, _: &Cancel) -> io::Result<Reader> {
    Ok(match path {
        None => Box::new(io::stdin()),
        Some(path) => Box::new(File::open(path)?),
    })
}

#[cfg(all(
    test,
    feature = "compression",
    feature = "encodings",
    feature = "files",
    feature = "threads"
))]
mod tests;
