//! Text in any encoding, converted to UTF-8.
//!
//! Readers see UTF-8 only. A source whose encoding is known is decoded from its first byte on. The bytes of any other
//! source are not changed while they are UTF-8. At the first byte that is not, a bounded part of the following text
//! decides: if much of it is UTF-8, the text is UTF-8 with damage and the rest is not changed either
//! ([`decode`](crate::decode) reads such bytes as Windows-1252); if not, its encoding is guessed and the rest is
//! decoded.
//!
//! Without the feature `encodings` a text is UTF-8 or UTF-16, and reading ends where another encoding begins.
//!
//! Offsets in a decoded text are those of its UTF-8 form. Lines and columns are counted in characters, so they are the
//! same in both.

use std::fmt;
use std::io::{self, Read};

use tables::{Table, TableDecoder};
use utf_16::Utf16;

#[cfg(feature = "encodings")]
mod tables;
#[cfg(not(feature = "encodings"))]
#[path = "encoding/no_tables.rs"]
mod tables;
mod utf_16;

/// Text in an encoding for which there is no table; reading ends at it.
#[derive(Debug)]
pub(crate) struct NotUnicode;

impl NotUnicode {
    pub(crate) const WHAT: &str =
        "text in an encoding that is not supported here (save it as UTF-8 or UTF-16)";
}

impl fmt::Display for NotUnicode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::WHAT)
    }
}

impl std::error::Error for NotUnicode {}

/// The encoding of a text.
///
/// ```
/// use tridex_archive::encoding::Encoding;
/// use tridex_archive::source::{OpenOptions, Source};
///
/// let latin2 = Encoding::from_name("latin2").unwrap();
/// assert_eq!(latin2.name(), "ISO-8859-2");
///
/// let mut options = OpenOptions::default();
/// options.encoding = Some(latin2);
/// let input = Source::Stdin.open_reader(Box::new(&b"[White \"Luk\xe1\xb9\"]\n\n*\n"[..]), &options)?;
/// let batch = input.batches(Default::default()).next().unwrap()?;
/// assert_eq!(batch.all_games()[0].tag("White").as_deref(), Some("Lukáš"));
/// # Ok::<(), tridex_archive::source::SourceError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Encoding(Kind);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Utf8,
    Utf16 { is_big: bool },
    Table(Table),
}

impl Encoding {
    /// UTF-8; each byte that is not part of it is read as Windows-1252.
    pub const UTF_8: Self = Self(Kind::Utf8);

    const UTF_16LE: Self = Self(Kind::Utf16 { is_big: false });
    const UTF_16BE: Self = Self(Kind::Utf16 { is_big: true });

    /// Windows-1252, an extension of Latin-1.
    #[cfg(feature = "encodings")]
    pub const WINDOWS_1252: Self = Self(Kind::Table(Table::WINDOWS_1252));

    /// The names of all encodings that are read. [`Encoding::from_name`] accepts other names of them too.
    #[cfg(feature = "encodings")]
    pub const NAMES: [&'static str; 37] = [
        "utf-8",
        "utf-16le",
        "utf-16be",
        "windows-1250",
        "windows-1251",
        "windows-1252",
        "windows-1253",
        "windows-1254",
        "windows-1255",
        "windows-1256",
        "windows-1257",
        "windows-1258",
        "windows-874",
        "iso-8859-2",
        "iso-8859-3",
        "iso-8859-4",
        "iso-8859-5",
        "iso-8859-6",
        "iso-8859-7",
        "iso-8859-8",
        "iso-8859-10",
        "iso-8859-13",
        "iso-8859-14",
        "iso-8859-15",
        "iso-8859-16",
        "koi8-r",
        "koi8-u",
        "ibm866",
        "macintosh",
        "x-mac-cyrillic",
        "gbk",
        "gb18030",
        "big5",
        "shift_jis",
        "euc-jp",
        "iso-2022-jp",
        "euc-kr",
    ];

    /// The names of all encodings that are read. [`Encoding::from_name`] accepts other names of them too.
    #[cfg(not(feature = "encodings"))]
    pub const NAMES: [&'static str; 3] = ["utf-8", "utf-16le", "utf-16be"];

    /// The encoding of a name, in either case: one of [`Encoding::NAMES`], or another label of the Encoding Standard,
    /// such as `latin2` or `cp1250`.
    ///
    /// ```
    /// use tridex_archive::encoding::Encoding;
    ///
    /// assert_eq!(Encoding::from_name("utf8").map(Encoding::name), Some("UTF-8"));
    /// assert_eq!(Encoding::from_name("klingon"), None);
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name.trim_ascii().to_ascii_lowercase().as_str() {
            "utf-8" | "utf8" | "unicode-1-1-utf-8" | "unicode11utf8" | "unicode20utf8"
            | "x-unicode20utf8" => Some(Self::UTF_8),
            "utf-16" | "utf-16le" | "ucs-2" | "iso-10646-ucs-2" | "csunicode" | "unicode"
            | "unicodefeff" => Some(Self::UTF_16LE),
            "utf-16be" | "unicodefffe" => Some(Self::UTF_16BE),
            _ => Table::from_label(name).map(|table| Self(Kind::Table(table))),
        }
    }

    /// The name of the encoding, as the Encoding Standard spells it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Utf8 => "UTF-8",
            Kind::Utf16 { is_big: false } => "UTF-16LE",
            Kind::Utf16 { is_big: true } => "UTF-16BE",
            Kind::Table(table) => table.name(),
        }
    }

    /// Whether this is UTF-16 of either byte order.
    pub(crate) const fn is_utf_16(self) -> bool {
        matches!(self.0, Kind::Utf16 { .. })
    }

    /// Its decoder; none for UTF-8.
    fn decoder(self, removes_mark: bool) -> Option<Decoder> {
        match self.0 {
            Kind::Utf8 => None,
            Kind::Utf16 { is_big } => Some(Decoder::Utf16(Utf16::new(is_big, removes_mark))),
            Kind::Table(table) => table.decoder().map(Decoder::Table),
        }
    }
}

enum Decoder {
    Utf16(Utf16),
    Table(TableDecoder),
}

impl Decoder {
    fn encoding(&self) -> Encoding {
        match self {
            Self::Utf16(decoder) => Encoding(Kind::Utf16 {
                is_big: decoder.is_big(),
            }),
            Self::Table(decoder) => decoder.encoding(),
        }
    }

    /// Decodes bytes to UTF-8. Returns whether some of them are no character.
    fn decode(&mut self, bytes: &[u8], text: &mut Vec<u8>, is_last: bool) -> bool {
        match self {
            Self::Utf16(decoder) => decoder.decode(bytes, text, is_last),
            Self::Table(decoder) => decoder.decode(bytes, text, is_last),
        }
    }
}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A guessed encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The encoding of the bytes that are not UTF-8; [`Encoding::UTF_8`] if the text is UTF-8 with some damage.
    pub encoding: Encoding,
    /// Whether many letters support it.
    pub is_sure: bool,
}

/// A notice about the encoding of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Offset in the text (see [`Batch::base_offset`](crate::batch::Batch::base_offset)) of the first byte in question.
    pub at: u64,
    /// The kind of the notice.
    pub kind: NoticeKind,
}

/// The kind of a [`Notice`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoticeKind {
    /// From here on the text is not UTF-8, and its encoding was guessed.
    Guessed(Guess),
    /// These bytes are invalid in the encoding of the text; U+FFFD replaces them, here and later.
    Unmapped(Encoding),
    /// A run of NUL bytes, as after a crash or on a full disk. Readers treat them as blanks.
    Zeros,
}

/// Options for decoding a source.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Manner {
    /// The encoding that the user names.
    pub(crate) encoding: Option<Encoding>,
    /// The guess made when the source was split into pieces.
    pub(crate) guess: Option<Guess>,
    /// The language of the games: a code of two letters.
    pub(crate) language: Option<&'static str>,
}

/// Bytes, from the first that is not UTF-8 on, that are used to guess the encoding.
const WINDOW: usize = 64 << 10;

/// Bytes decoded, or validated in their own buffer, at a time.
const CHUNK: usize = 16 << 10;

/// The smallest buffer that is read into directly.
const DIRECT: usize = 64;

/// Zero bytes in a row that count as damage. Fewer are blanks.
const ZEROS: usize = 8;

/// Bytes of context before a place.
const WORD: usize = 16;

/// Bytes beyond ASCII that make a guess sure.
const SURE: usize = 24;

/// A text as UTF-8.
#[derive(Debug)]
pub(crate) struct Utf8<R> {
    inner: R,
    state: State,
    /// Bytes read, but neither validated nor decoded.
    raw: Vec<u8>,
    /// The error of reading, after `raw`.
    failed: Option<io::Error>,
    eof: bool,
    /// Text, and how much of it was returned.
    text: Vec<u8>,
    given: usize,
    /// Offset of the next byte to return.
    at: u64,
    /// The last bytes returned.
    last: Vec<u8>,
    /// Characters beyond ASCII so far.
    letters: usize,
    /// Zero bytes directly before `at`.
    zeros: usize,
    is_unmapped: bool,
    /// Offset of the first byte that was decoded.
    decoded_from: Option<u64>,
    notices: Vec<Notice>,
}

enum State {
    /// Everything was UTF-8 so far.
    Checking(Manner),
    /// Bytes are not changed.
    Passing,
    Decoding(Decoder),
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Checking(manner) => write!(f, "Checking({manner:?})"),
            Self::Passing => f.write_str("Passing"),
            Self::Decoding(decoder) => write!(f, "Decoding({})", decoder.encoding().name()),
        }
    }
}

/// The encoding whose byte order mark a text begins with.
fn of_mark(head: &[u8]) -> Option<Encoding> {
    match head {
        [0xef, 0xbb, 0xbf, ..] => Some(Encoding::UTF_8),
        [0xff, 0xfe, ..] => Some(Encoding::UTF_16LE),
        [0xfe, 0xff, ..] => Some(Encoding::UTF_16BE),
        _ => None,
    }
}

/// Whether a text begins with the byte order mark of UTF-16.
pub(crate) fn is_marked_utf_16(head: &[u8]) -> bool {
    of_mark(head).is_some_and(Encoding::is_utf_16)
}

impl<R: Read> Utf8<R> {
    /// The text of `inner`, which begins with `head`.
    pub(crate) fn new(inner: R, head: &[u8], manner: Manner) -> Self {
        // A byte order mark is more reliable than a named encoding.
        let encoding = of_mark(head).or(manner.encoding);
        match encoding.and_then(|encoding| encoding.decoder(true)) {
            Some(decoder) => Self {
                decoded_from: Some(0),
                ..Self::in_state(inner, State::Decoding(decoder), 0)
            },
            None => Self::in_state(inner, State::Checking(Manner { encoding, ..manner }), 0),
        }
    }

    /// The text of a piece of a source, which begins at the offset `at`. The encoding of a piece is not guessed again.
    #[cfg(feature = "files")]
    pub(crate) fn of_piece(inner: R, at: u64, manner: Manner) -> Self {
        let named = manner.encoding.and_then(|named| named.decoder(false));
        let state = match (named, manner.guess) {
            (Some(decoder), _) => State::Decoding(decoder),
            (None, Some(_)) => State::Checking(manner),
            (None, None) => State::Passing,
        };
        Self::in_state(inner, state, at)
    }

    const fn in_state(inner: R, state: State, at: u64) -> Self {
        Self {
            inner,
            state,
            raw: Vec::new(),
            failed: None,
            eof: false,
            text: Vec::new(),
            given: 0,
            at,
            last: Vec::new(),
            letters: 0,
            zeros: 0,
            is_unmapped: false,
            decoded_from: None,
            notices: Vec::new(),
        }
    }

    /// Offset of the first decoded byte, if there is one: from there on offsets differ from those of the source.
    #[cfg(feature = "files")]
    pub(crate) const fn decoded_from(&self) -> Option<u64> {
        self.decoded_from
    }

    /// Whether no text has been returned.
    pub(crate) const fn is_empty(&self) -> bool {
        self.at == 0
    }

    /// Removes and returns the notices about the text before an offset.
    pub(crate) fn notices(&mut self, before: u64) -> Vec<Notice> {
        self.notices.sort_by_key(|notice| notice.at);
        let due = self.notices.partition_point(|notice| notice.at < before);
        self.notices.drain(..due).collect()
    }

    /// Reads until `raw` has `want` bytes, or to the end.
    fn read_raw(&mut self, want: usize) {
        let Some(more) = want.checked_sub(self.raw.len()).filter(|_| !self.eof) else {
            return;
        };
        let read = (&mut self.inner)
            .take(more as u64)
            .read_to_end(&mut self.raw);
        self.eof = self.raw.len() < want;
        self.failed = read.err();
    }

    /// Reads the next part of the text. False at the end.
    fn advance(&mut self) -> bool {
        self.text.clear();
        self.given = 0;
        match &mut self.state {
            State::Checking(manner) => {
                let manner = *manner;
                self.read_raw(CHUNK);
                let (fine, letters) = valid(&self.raw);
                self.letters += letters;
                if fine > 0 {
                    self.text.extend(self.raw.drain(..fine));
                    return true;
                }
                if self.raw.is_empty() {
                    return false;
                }
                // The rest is not the beginning of a valid character.
                self.decide(manner);
            }
            State::Passing => {
                if self.raw.is_empty() {
                    self.read_raw(CHUNK);
                }
                std::mem::swap(&mut self.raw, &mut self.text);
                return !self.text.is_empty();
            }
            State::Decoding(_) => {
                if self.raw.is_empty() {
                    self.read_raw(CHUNK);
                }
                return self.decode();
            }
        }
        true
    }

    /// Decides the encoding of the text, whose next byte is not UTF-8.
    fn decide(&mut self, manner: Manner) {
        self.read_raw(WINDOW);
        let guess = match (manner.encoding, manner.guess) {
            // Only UTF-8 is validated.
            (Some(encoding), _) => Some(Guess {
                encoding,
                is_sure: true,
            }),
            (None, Some(guess)) => Some(guess),
            (None, None) => self.guess(manner.language),
        };
        let Some(guess) = guess else {
            self.raw.clear();
            self.eof = true;
            self.failed = Some(io::Error::other(NotUnicode));
            self.state = State::Passing;
            return;
        };
        self.notices.push(Notice {
            at: self.at,
            kind: NoticeKind::Guessed(guess),
        });
        // Readers decode each byte that is not UTF-8 as Windows-1252.
        let is_passed = matches!(guess.encoding.0, Kind::Table(table) if table.is_windows_1252());
        self.state = match guess.encoding.decoder(false).filter(|_| !is_passed) {
            None => State::Passing,
            Some(decoder) => {
                self.decoded_from = Some(self.at);
                State::Decoding(decoder)
            }
        };
    }

    /// Guesses the encoding of `raw`. None if it is one that is not read.
    fn guess(&self, language: Option<&'static str>) -> Option<Guess> {
        let (mut letters, mut others) = (self.letters, 0);
        for chunk in self.raw.utf8_chunks() {
            letters += valid(chunk.valid().as_bytes()).1;
            others += chunk.invalid().len();
        }
        let is_sure = others >= SURE;
        // Letters of other encodings that happen to be valid UTF-8 are rare: one in seven at most, for Russian in
        // IBM866.
        if letters * 2 >= others {
            return Some(Guess {
                encoding: Encoding::UTF_8,
                is_sure: letters >= others,
            });
        }
        tables::guess(&self.last, &self.raw, self.eof, is_sure, language)
    }

    /// Decodes `raw`. False at the end of the text.
    fn decode(&mut self) -> bool {
        let State::Decoding(decoder) = &mut self.state else {
            return false;
        };
        let is_last = self.eof;
        let has_faults = decoder.decode(&self.raw, &mut self.text, is_last);
        self.raw.clear();
        if has_faults && !self.is_unmapped {
            self.is_unmapped = true;
            let first = memchr::memmem::find(&self.text, "\u{fffd}".as_bytes());
            self.notices.push(Notice {
                at: self.at + first.unwrap_or(0) as u64,
                kind: NoticeKind::Unmapped(decoder.encoding()),
            });
        }
        if is_last {
            // A decoder cannot be used again after the end.
            self.state = State::Passing;
        }
        !(is_last && self.text.is_empty())
    }

    /// The next bytes of the text.
    fn give(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let mut ready = self.text.get(self.given..).unwrap_or_default();
            if !ready.is_empty() {
                let read = ready.read(buffer)?;
                self.given += read;
                return Ok(read);
            }
            // Nearly every text is UTF-8 and is not copied.
            let is_direct = self.raw.is_empty() && !self.eof && buffer.len() >= DIRECT;
            match &self.state {
                State::Passing if is_direct => return self.inner.read(buffer),
                State::Checking(_) if is_direct => {
                    let read = self.inner.read(buffer)?;
                    let part = buffer.get(..read).unwrap_or_default();
                    let (fine, letters) = valid(part);
                    self.letters += letters;
                    self.raw.extend(part.get(fine..).unwrap_or_default());
                    if fine > 0 || read == 0 {
                        return Ok(fine);
                    }
                }
                _ => {
                    if !self.advance() {
                        return self.failed.take().map_or(Ok(0), Err);
                    }
                }
            }
        }
    }

    /// Notes runs of zeros in the text returned.
    fn watch(&mut self, part: &[u8]) {
        let mut pos = 0;
        loop {
            let rest = part.get(pos..).unwrap_or_default();
            if self.zeros == 0 {
                match memchr::memchr(0, rest) {
                    Some(before) => pos += before,
                    None => return,
                }
            }
            let before = self.zeros;
            let rest = part.get(pos..).unwrap_or_default();
            self.zeros += rest.iter().take_while(|byte| **byte == 0).count();
            if before < ZEROS && self.zeros >= ZEROS {
                self.notices.push(Notice {
                    at: (self.at + pos as u64).saturating_sub(before as u64),
                    kind: NoticeKind::Zeros,
                });
            }
            pos += self.zeros - before;
            if pos == part.len() {
                // The run may continue.
                return;
            }
            self.zeros = 0;
        }
    }
}

impl<R: Read> Read for Utf8<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.give(buffer)?;
        let part = buffer.get(..read).unwrap_or_default();
        self.watch(part);
        self.at += read as u64;
        if let State::Checking(_) = self.state {
            self.last
                .extend(part.get(read.saturating_sub(WORD)..).unwrap_or_default());
            self.last.drain(..self.last.len().saturating_sub(WORD));
        }
        Ok(read)
    }
}

/// The number of bytes before the first that is not UTF-8, and the number of characters among them that are not ASCII.
fn valid(bytes: &[u8]) -> (usize, usize) {
    if bytes.is_ascii() {
        return (bytes.len(), 0);
    }
    let fine = std::str::from_utf8(bytes).map_or_else(|fault| fault.valid_up_to(), str::len);
    let text = bytes.get(..fine).unwrap_or_default();
    (fine, letters(text))
}

/// The number of characters of a text in UTF-8 that are not ASCII. A byte counts up to 255 of them, so the compiler can
/// add many at once.
fn letters(text: &[u8]) -> usize {
    let count = |some: &[u8]| -> u8 { some.iter().map(|byte| u8::from(*byte >= 0xc0)).sum() };
    text.chunks(255).map(|some| usize::from(count(some))).sum()
}

#[cfg(all(test, feature = "encodings"))]
mod tests;
