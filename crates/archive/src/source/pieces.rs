//! Splits a file between its games, so that another process or machine can read each piece alone.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::sync::atomic::Ordering;

use super::{
    Compression, Counted, Input, OpenOptions, Reader, Source, SourceError, SourceErrorKind, foreign,
};
use crate::encoding::{self, Encoding, Guess, Manner, NoticeKind, Utf8};
use crate::split::{BATCH_BYTES, SEAM_HEAD, Seam, Splitter};
use crate::visit::Limits;

/// A range of whole games of one file, or a whole file that cannot be split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePiece {
    /// Its beginning.
    pub start: Seam,
    /// Its length in bytes.
    pub length: u64,
    /// The number of its games, if they were counted.
    pub games: Option<u64>,
    /// Why the piece extends to the end of the file, one of [`UNCUT`]; `None` if the file may be split at its end.
    pub uncut: Option<&'static str>,
    /// The guessed encoding from the first byte of the piece that is not UTF-8. In a damaged text it does not depend on
    /// other pieces.
    pub guess: Option<Guess>,
    /// Bytes of the whole file.
    pub size: u64,
    /// A checksum (CRC-32) of the bytes of the piece and of all the numbers above. It shows that the file has not
    /// changed and that the piece was split from this file: a piece that begins in the middle of a game would give a
    /// wrong game.
    pub seal: u32,
}

/// Why a file is not split: compressed data can be decompressed from its beginning only; offsets in UTF-16 and in other
/// encodings are those of the same text in UTF-8, not of the file; what is not a game record is reported by the reader.
pub const UNCUT: [&str; 6] = ["gzip", "zstd", "bzip2", "utf-16", ENCODING, "foreign"];

const ENCODING: &str = "encoding";

impl FilePiece {
    /// Reads the piece and computes its checksum.
    fn seal(&self, file: &mut File) -> io::Result<u32> {
        let mut sum = crc32fast::Hasher::new();
        let numbers = [
            self.start.offset,
            self.start.place.line,
            self.start.place.column,
            self.start.next_game,
            self.length,
            // One more, so that zero games and an unknown number differ.
            self.games.map_or(0, |games| games.saturating_add(1)),
            self.size,
        ];
        numbers.iter().for_each(|n| sum.update(&n.to_le_bytes()));
        sum.update(self.uncut.unwrap_or_default().as_bytes());
        if let Some(guess) = self.guess {
            sum.update(guess.encoding.name().as_bytes());
            sum.update(&[u8::from(guess.is_sure)]);
        }
        file.seek(SeekFrom::Start(self.start.offset))?;
        let mut bytes = BufReader::with_capacity(1 << 16, file.take(self.length));
        while let part @ [_, ..] = bytes.fill_buf()? {
            sum.update(part);
            let length = part.len();
            bytes.consume(length);
        }
        if bytes.into_inner().limit() > 0 {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
        }
        Ok(sum.finalize())
    }
}

impl Source {
    /// Opens the regular file, and returns its size.
    fn plain_file(&self) -> Result<(File, u64), SourceError> {
        let path = self
            .path()
            .ok_or_else(|| self.fault(SourceErrorKind::NoFile))?;
        let meta = self.metadata(path)?;
        if !meta.is_file() {
            return Err(self.fault(SourceErrorKind::NoFile));
        }
        let open = |error| self.fault(SourceErrorKind::Open(error));
        Ok((File::open(path).map_err(open)?, meta.len()))
    }

    /// The first bytes of a file.
    fn head_of(&self, file: &mut File, len: usize) -> Result<Vec<u8>, SourceError> {
        let mut head = Vec::new();
        let read = file.take(len as u64).read_to_end(&mut head);
        read.map_err(|error| self.fault(SourceErrorKind::Read(error)))?;
        Ok(head)
    }

    /// Splits the source between games into pieces of `target` bytes or a little more, as [`Source::open`] with
    /// [`Input::batches`] splits it into batches. A compressed file, or one that is not a game record, is one piece; so
    /// is the part of a text from the first game that must be decoded. An empty file is one empty piece, whose reader
    /// reports it.
    ///
    /// ```
    /// use tridex_archive::Limits;
    /// use tridex_archive::source::{OpenOptions, Source};
    ///
    /// let path = std::env::temp_dir().join(format!("tridex-pieces-{}.pgn", std::process::id()));
    /// std::fs::write(&path, "[Event \"Club\"]\n\n1. b4N b5B 1-0\n\n".repeat(1_000))?;
    /// let (source, options) = (Source::File(path.clone()), OpenOptions::default());
    /// let (mut pieces, mut games) = (0, 0);
    /// for piece in source.pieces(&options, 8_192)? {
    ///     pieces += 1;
    ///     for batch in source.open_piece(&piece?, &options)?.batches(Limits::default()) {
    ///         games += batch?.games();
    ///     }
    /// }
    /// assert!(pieces > 1);
    /// assert_eq!(games, 1_000);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If it cannot be opened or read, or is not a regular file: other files cannot be read twice.
    pub fn pieces(&self, options: &OpenOptions, target: u64) -> Result<Pieces, SourceError> {
        let (mut file, size) = self.plain_file()?;
        let head = self.head_of(&mut file, 4096)?;
        let uncut = match Compression::detect(&head) {
            Compression::None if encoding::is_marked_utf_16(&head) => Some("utf-16"),
            Compression::None => match options.encoding {
                Some(encoding) if encoding != Encoding::UTF_8 => Some(ENCODING),
                _ => foreign::foreign(&head).map(|_| "foreign"),
            },
            compression => Some(compression.as_str()),
        };
        let splitter = match uncut {
            Some(_) => None,
            None => {
                // The checksum and the splitter read different places of the file, so each has its own handle.
                let reader = Utf8::new(self.plain_file()?.0, options.manner());
                // A piece ends where a batch ends.
                let batch = usize::try_from(target).map_or(BATCH_BYTES, |n| n.min(BATCH_BYTES));
                let container = self.container(options, &head);
                let limits = Limits::default();
                Some(Splitter::with_batch_bytes(reader, container, limits, batch))
            }
        };
        Ok(Pieces {
            source: self.clone(),
            options: options.clone(),
            file,
            size,
            target: target.max(1),
            uncut,
            splitter,
            start: Seam::START,
            done: false,
        })
    }

    /// Opens a piece that [`Source::pieces`] split from this source. Its batches have the places and numbers that they
    /// have in the whole source.
    ///
    /// # Errors
    ///
    /// [`SourceErrorKind::Changed`] if the file has changed since it was split, or the piece belongs to another file;
    /// else those of [`Source::open`].
    pub fn open_piece(
        &self,
        piece: &FilePiece,
        options: &OpenOptions,
    ) -> Result<Input, SourceError> {
        let read = |error| self.fault(SourceErrorKind::Read(error));
        let changed = |what| self.fault(SourceErrorKind::Changed(what));
        let (mut file, size) = self.plain_file()?;
        let start = piece.start;
        let end = start.offset.checked_add(piece.length);
        if end.is_none_or(|end| end > piece.size) {
            return Err(changed("the piece ends after the end of the file"));
        }
        if size != piece.size {
            return Err(changed("the size of the file differs"));
        }
        let seal = piece.seal(&mut file).map_err(read)?;
        if seal != piece.seal {
            return Err(changed(
                "checksum mismatch; the file has changed, or the piece belongs to another file",
            ));
        }
        file.rewind().map_err(read)?;
        let manner = Manner {
            guess: piece.guess,
            ..options.manner()
        };
        if piece.start == Seam::START && piece.length == size {
            // A whole source of any kind.
            return self.open_as(Box::new(file), options, manner);
        }
        let head = self.head_of(&mut file, SEAM_HEAD)?;
        file.seek(SeekFrom::Start(start.offset)).map_err(read)?;
        let counted = Counted {
            inner: file.take(piece.length),
            consumed: options.consumed.clone(),
        };
        let container = self.container(options, head.get(..4096).unwrap_or(&head));
        let reader = Utf8::of_piece(Box::new(counted) as Reader, start.offset, manner);
        let splitter = Splitter::resume(reader, container, Limits::default(), &head, start);
        Ok(Input {
            source: self.clone(),
            compression: Compression::None,
            splitter: match end == Some(size) {
                true => splitter,
                false => splitter.up_to_seam(),
            },
            budget: options.budget.clone(),
            lacks_games: false,
        })
    }
}

/// The pieces of a source, in order: see [`Source::pieces`].
#[derive(Debug)]
pub struct Pieces {
    source: Source,
    options: OpenOptions,
    /// The handle for checksums.
    file: File,
    size: u64,
    target: u64,
    uncut: Option<&'static str>,
    /// `None` if the source is one piece.
    splitter: Option<Splitter<Utf8<File>>>,
    /// The beginning of the next piece.
    start: Seam,
    done: bool,
}

impl Pieces {
    /// The end of the next piece, and the seam there if another follows.
    fn end(&mut self) -> io::Result<(u64, Option<Seam>)> {
        while let Some(splitter) = &mut self.splitter
            && let Some(batch) = splitter.next()
        {
            batch?;
            // A file without games is one piece, whose reader reports that.
            if let Some(seam) = splitter.seam()
                && seam.offset - self.start.offset >= self.target
                && seam.next_game > self.start.next_game
            {
                match splitter.reader().decoded_from() {
                    Some(from) if from < seam.offset => self.uncut = Some(ENCODING),
                    _ if seam.offset < self.size => return Ok((seam.offset, Some(seam))),
                    _ => {}
                }
            }
        }
        // The last bytes may be in no batch, but they belong to the piece.
        Ok((self.size, None))
    }

    fn piece(&mut self) -> io::Result<FilePiece> {
        let (end, seam) = self.end()?;
        let start = self.start;
        let (mut games, mut guess) = (None, None);
        if let Some(splitter) = &mut self.splitter {
            let so_far = splitter.games_so_far();
            games = Some(so_far.saturating_sub(start.next_game - 1));
            let notices = splitter.reader().notices(end);
            guess = notices.iter().find_map(|notice| match notice.kind {
                NoticeKind::Guessed(guess) => Some(guess),
                _ => None,
            });
        }
        let mut piece = FilePiece {
            start,
            length: end.saturating_sub(start.offset),
            games,
            uncut: self.uncut,
            guess,
            size: self.size,
            seal: 0,
        };
        piece.seal = piece.seal(&mut self.file)?;
        match seam {
            Some(seam) => self.start = seam,
            None => self.done = true,
        }
        self.options
            .consumed
            .fetch_add(piece.length, Ordering::Relaxed);
        Ok(piece)
    }
}

impl Iterator for Pieces {
    type Item = Result<FilePiece, SourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let piece = self.piece();
        self.done |= piece.is_err();
        Some(piece.map_err(|error| self.source.fault(SourceErrorKind::Read(error))))
    }
}
