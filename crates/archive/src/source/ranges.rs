//! Splits a file between its games, so that another process or machine can read each range alone.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use flate2::CrcReader;
use serde::{Deserialize, Serialize};

use super::{Compression, Counted, Input, OpenOptions, Reader, Source};
use crate::container::Container;
use crate::encoding::{Encoding, Guess, HEAD, NoticeKind, Utf8};
use crate::fault::SourceError;
use crate::file_name;
use crate::line_index::LineColumn;
use crate::split::{BATCH_BYTES, GameBoundary, RESUME_HEAD, Splitter};
use crate::visit::Limits;

/// A range of whole games of one file, or a whole file that cannot be split. It is a line of a plan. Later versions may
/// add fields, but never rename or remove one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRange {
    /// The file as it was named, as text without loss: see [`file_name`].
    pub path: String,
    /// Offset of the range in the file, in bytes.
    pub offset: u64,
    /// Its length in bytes.
    pub length: u64,
    /// The number of its first game in the file, from 1.
    pub first_game: u64,
    /// The number of its games, if they were counted.
    pub games: Option<u64>,
    /// The line of its first byte in the file, from 1.
    pub first_line: u64,
    /// The column of its first byte, from 1.
    pub first_column: u64,
    /// Why the range extends to the end of the file; `None` if the file may be split at its end. Compressed data
    /// (`gzip`, `zstd`, `bzip2`) can only be decompressed from its beginning. In `utf-16` and in another `encoding`,
    /// offsets are those of the same text in UTF-8, not of the file. A text with `markup` is converted as a whole. A file that is not a game record (`foreign`) is
    /// reported by the reader.
    pub uncut: Option<String>,
    /// The guessed encoding of the text from the first byte that is not UTF-8. In a damaged text the guess does not
    /// depend on other ranges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// Whether enough letters support the guess.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding_sure: Option<bool>,
    /// Size of the whole file in bytes.
    pub size: u64,
    /// A checksum (CRC-32) of the bytes of the range and of all fields but the path, in hexadecimal digits. It shows
    /// that the file has not changed and that the range was split from this file. Otherwise a range could begin in the
    /// middle of a game, which would be read wrongly.
    #[serde(rename = "seal")]
    pub checksum: String,
}

impl FileRange {
    /// Parses a line of a plan.
    ///
    /// # Errors
    ///
    /// If it is not JSON, or lacks a field.
    pub fn from_line(line: &[u8]) -> io::Result<Self> {
        Ok(serde_json::from_slice(line)?)
    }

    /// Reads the range and computes its checksum.
    fn sum(&self) -> io::Result<String> {
        let mut fields = self.clone();
        fields.path.clear();
        fields.checksum.clear();
        let fields = serde_json::to_vec(&fields)?;
        let mut file = File::open(file_name::to_path(&self.path))?;
        file.seek(SeekFrom::Start(self.offset))?;
        let bytes = BufReader::with_capacity(1 << 16, file.take(self.length));
        let mut all = CrcReader::new(fields.chain(bytes));
        if io::copy(&mut all, &mut io::sink())? < fields.len() as u64 + self.length {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
        }
        Ok(format!("{:08x}", all.crc().sum()))
    }

    /// Opens a range that [`Source::ranges`] split from its file. Its batches have the same places and numbers as in
    /// the whole file.
    ///
    /// # Errors
    ///
    /// `changed` if the file has changed since it was split, or if the range belongs to another file. Otherwise those
    /// of [`Source::open`].
    pub fn open(&self, options: &OpenOptions) -> Result<Input, SourceError> {
        let source = Source::File(file_name::to_path(&self.path));
        let read_error = |error| source.read_error(Compression::None, error);
        let (mut file, size) = source.plain_file()?;
        let end = self.offset.checked_add(self.length);
        let changed = |what| {
            let message = format!("has changed since it was split: {what}");
            Err(source.fault("changed", message))
        };
        if end.is_none_or(|end| end > self.size) {
            return changed("the range ends after the end of the file");
        } else if size != self.size {
            return changed("the size of the file differs");
        } else if self.sum().map_err(read_error)? != self.checksum {
            let what =
                "checksum mismatch; the file has changed, or the range belongs to another file";
            return changed(what);
        }
        if self.length == size {
            // A whole source of any kind.
            return source.open_reader(Box::new(file), options);
        }
        let mut head = Vec::new();
        let read = file
            .by_ref()
            .take(RESUME_HEAD as u64)
            .read_to_end(&mut head);
        read.and_then(|_| file.seek(SeekFrom::Start(self.offset)))
            .map_err(read_error)?;
        let encoding = self.encoding.as_deref().and_then(Encoding::from_name);
        let guess = encoding.map(|encoding| Guess {
            encoding,
            is_sure: self.encoding_sure == Some(true),
        });
        let reader: Reader = Box::new(Counted {
            inner: file.take(self.length),
            consumed: Arc::clone(&options.consumed),
        });
        let reader = Utf8::new(reader, options.encoding, None, Some((self.offset, guess)));
        let container = Container::detect(source.path(), head.get(..HEAD).unwrap_or(&head));
        let start = GameBoundary {
            offset: self.offset,
            place: LineColumn {
                line: self.first_line,
                column: self.first_column,
            },
            next_game: self.first_game,
        };
        let splitter = Splitter::of(reader, container, Limits::default(), BATCH_BYTES);
        let mut splitter = splitter.resume(&head, start);
        splitter.is_range = end != Some(size);
        Ok(Input {
            source,
            compression: Compression::None,
            splitter,
            needs_games: false,
        })
    }
}

impl Source {
    /// Opens the source and returns its size, if it is a regular file.
    fn plain_file(&self) -> Result<(File, u64), SourceError> {
        let regular = self.regular()?;
        regular.ok_or_else(|| self.fault("no-file", "cannot be split: not a regular file"))
    }

    /// Splits the source between games into ranges of `target` bytes or a little more, as [`Source::open`] splits it
    /// into batches. A compressed file, or one that is not a game record, is one range. If a part of the text must be
    /// decoded, the file is not split from the game with that part on. An empty file is one empty range, which its
    /// reader reports.
    ///
    /// ```
    /// use tridex_archive::source::{OpenOptions, Source};
    ///
    /// let path = std::env::temp_dir().join(format!("tridex-ranges-{}.pgn", std::process::id()));
    /// std::fs::write(&path, "[Event \"Club\"]\n\n1. b4N b5B 1-0\n\n".repeat(1_000))?;
    /// let (source, options) = (Source::File(path.clone()), OpenOptions::default());
    /// let (mut ranges, mut games) = (0, 0);
    /// for range in source.ranges(&options, 8_192)? {
    ///     ranges += 1;
    ///     for batch in range?.open(&options)? {
    ///         games += batch?.games();
    ///     }
    /// }
    /// assert!(ranges > 1);
    /// assert_eq!(games, 1_000);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If it cannot be opened or read, or is not a regular file: other files cannot be read twice.
    pub fn ranges(
        &self,
        options: &OpenOptions,
        target: u64,
    ) -> Result<impl Iterator<Item = Result<FileRange, SourceError>> + use<>, SourceError> {
        let (file, size) = self.plain_file()?;
        let mut reader = Utf8::new(file, options.encoding, options.language, None);
        let compression = Compression::detect(reader.head());
        let is_decoded = reader.decoded_from.is_some();
        let container = self.examine(&mut reader);
        let mut uncut = match compression {
            Compression::None if reader.is_utf_16() => Some("utf-16"),
            Compression::None if is_decoded => Some(ENCODING),
            Compression::None if container.is_err() => Some("foreign"),
            // A text with markup is converted as a whole.
            Compression::None => reader.has_markup.then_some("markup"),
            packed => Some(packed.as_str()),
        };
        // A range ends where a batch ends.
        let batch = usize::try_from(target).map_or(BATCH_BYTES, |n| n.min(BATCH_BYTES));
        // A file that is not split is not read.
        let mut splitter = container
            .ok()
            .filter(|_| uncut.is_none())
            .map(|kind| Splitter::of(reader, kind, Limits::default(), batch));
        let (source, path) = (self.clone(), self.name());
        let consumed = Arc::clone(&options.consumed);
        let mut next = Some(GameBoundary::START);
        Ok(std::iter::from_fn(move || {
            let start = next.take()?;
            let mut range = || -> io::Result<FileRange> {
                let (mut games, mut guess) = (None, None);
                if let Some(splitter) = &mut splitter {
                    (next, uncut) = range_end(splitter, start, target.max(1), size)?;
                    games = Some(splitter.game.get().saturating_sub(start.next_game));
                    let end = next.map_or(size, |boundary| boundary.offset);
                    let notices = splitter.reader.notices(end);
                    guess = notices.iter().find_map(|notice| match notice.kind {
                        NoticeKind::Guessed(guess) => Some(guess),
                        _ => None,
                    });
                }
                let mut range = FileRange {
                    path: path.clone(),
                    offset: start.offset,
                    length: next.map_or(size, |boundary| boundary.offset) - start.offset,
                    first_game: start.next_game,
                    games,
                    first_line: start.place.line,
                    first_column: start.place.column,
                    uncut: uncut.map(str::to_owned),
                    encoding: guess.map(|guess| guess.encoding.name().to_owned()),
                    encoding_sure: guess.map(|guess| guess.is_sure),
                    size,
                    checksum: String::new(),
                };
                range.checksum = range.sum()?;
                consumed.fetch_add(range.length, Ordering::Relaxed);
                Ok(range)
            };
            let range = range();
            if range.is_err() {
                next = None;
            }
            Some(range.map_err(|error| source.read_error(Compression::None, error)))
        }))
    }
}

const ENCODING: &str = "encoding";

/// The end of the range from `start` on if another range follows. Otherwise the reason why the rest of the file is one
/// range.
fn range_end(
    splitter: &mut Splitter<File>,
    start: GameBoundary,
    target: u64,
    size: u64,
) -> io::Result<(Option<GameBoundary>, Option<&'static str>)> {
    let mut uncut = None;
    while let Some(batch) = splitter.next() {
        batch?;
        // A file without games is one range, whose reader reports that.
        if let Some(boundary) = splitter.boundary()
            && boundary.offset - start.offset >= target
            && boundary.next_game > start.next_game
        {
            match splitter.reader.decoded_from {
                Some(from) if from < boundary.offset => uncut = Some(ENCODING),
                _ if boundary.offset < size => return Ok((Some(boundary), None)),
                _ => {}
            }
        }
    }
    // The last bytes may not be in any batch, but they belong to the range.
    Ok((None, uncut))
}
