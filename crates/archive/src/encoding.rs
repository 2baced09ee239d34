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
use std::io::{self, BufRead, Read};
use std::ops::Range;

#[cfg(feature = "encodings")]
mod guess;

/// Text in an encoding for which there is no table; reading ends at it.
#[derive(Debug, thiserror::Error)]
#[error("{}", Self::WHAT)]
pub(crate) struct NotUnicode;

impl NotUnicode {
    pub(crate) const WHAT: &str =
        "text in an encoding that is not supported here (save it as UTF-8 or UTF-16)";
}

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
pub struct Encoding(&'static str);

impl Encoding {
    /// UTF-8; each byte that is not part of it is read as Windows-1252.
    pub const UTF_8: Self = Self("UTF-8");

    const UTF_16LE: Self = Self("UTF-16LE");
    const UTF_16BE: Self = Self("UTF-16BE");

    /// Windows-1252, an extension of Latin-1.
    pub const WINDOWS_1252: Self = Self("windows-1252");

    /// The names of all encodings that are read. [`Encoding::from_name`] accepts other names of them too.
    ///
    /// ```
    /// use tridex_archive::encoding::Encoding;
    ///
    /// assert!(Encoding::names().all(|name| Encoding::from_name(name).is_some()));
    /// ```
    pub fn names() -> impl Iterator<Item = &'static str> {
        let tables = if cfg!(feature = "encodings") {
            "windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 \
             windows-1257 windows-1258 windows-874 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 \
             iso-8859-7 iso-8859-8 iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u \
             ibm866 macintosh x-mac-cyrillic gbk gb18030 big5 shift_jis euc-jp iso-2022-jp euc-kr"
        } else {
            ""
        };
        let unicode = ["utf-8", "utf-16le", "utf-16be"];
        unicode.into_iter().chain(tables.split_whitespace())
    }

    /// The encoding of a name, in either case: one of [`Encoding::names`], or another label of the Encoding Standard,
    /// such as `latin2` or `cp1250`.
    ///
    /// ```
    /// use tridex_archive::encoding::Encoding;
    ///
    /// assert_eq!(Encoding::from_name("utf8").map(Encoding::name), Some("UTF-8"));
    /// assert_eq!(Encoding::from_name("klingon"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        match name.trim_ascii().to_ascii_lowercase().as_str() {
            "utf-8" | "utf8" | "unicode-1-1-utf-8" | "unicode11utf8" | "unicode20utf8"
            | "x-unicode20utf8" => Some(Self::UTF_8),
            "utf-16" | "utf-16le" | "ucs-2" | "iso-10646-ucs-2" | "csunicode" | "unicode"
            | "unicodefeff" => Some(Self::UTF_16LE),
            "utf-16be" | "unicodefffe" => Some(Self::UTF_16BE),
            #[cfg(feature = "encodings")]
            label => encoding_rs::Encoding::for_label_no_replacement(label.as_bytes())
                .map(|table| Self(table.name())),
            #[cfg(not(feature = "encodings"))]
            _ => None,
        }
    }

    /// The name of the encoding, as the Encoding Standard spells it.
    pub fn name(self) -> &'static str {
        self.0
    }

    /// Whether this is UTF-16 of either byte order.
    pub(crate) fn is_utf_16(self) -> bool {
        [Self::UTF_16LE, Self::UTF_16BE].contains(&self)
    }

    /// Its decoder; none for UTF-8.
    fn decoder(self) -> Option<Decoder> {
        match self {
            Self::UTF_8 => None,
            Self::UTF_16LE => Some(Decoder::Utf16(u16::from_le_bytes)),
            Self::UTF_16BE => Some(Decoder::Utf16(u16::from_be_bytes)),
            #[cfg(feature = "encodings")]
            Self(name) => encoding_rs::Encoding::for_label(name.as_bytes())
                .map(|table| Decoder::Table(table.new_decoder_without_bom_handling())),
            #[cfg(not(feature = "encodings"))]
            _ => None,
        }
    }
}

enum Decoder {
    /// Two bytes in their order are a number.
    Utf16(fn([u8; 2]) -> u16),
    #[cfg(feature = "encodings")]
    Table(encoding_rs::Decoder),
}

impl Decoder {
    /// Decodes bytes to UTF-8 and removes them, except the beginning of a character that may follow. Returns whether
    /// some of them are no character.
    fn decode(&mut self, raw: &mut Vec<u8>, text: &mut Vec<u8>, is_last: bool) -> bool {
        match self {
            Self::Utf16(unit) => decode_utf_16(*unit, raw, text, is_last),
            #[cfg(feature = "encodings")]
            Self::Table(decoder) => {
                let before = text.len();
                // The buffer is large enough for all of it.
                let room = decoder.max_utf8_buffer_length(raw.len());
                text.resize(before + room.unwrap_or_default(), 0);
                let free = text.get_mut(before..).unwrap_or_default();
                let (_, _, written, has_faults) = decoder.decode_to_utf8(raw, free, is_last);
                text.truncate(before + written);
                raw.clear();
                has_faults
            }
        }
    }
}

fn decode_utf_16(
    unit: fn([u8; 2]) -> u16,
    raw: &mut Vec<u8>,
    text: &mut Vec<u8>,
    is_last: bool,
) -> bool {
    let (pairs, _) = raw.as_chunks::<2>();
    // The first half of a character of two units waits for the other one.
    let waits = |pair: &[u8; 2]| (0xd800..0xdc00).contains(&unit(*pair));
    let whole = pairs.len() - usize::from(pairs.last().is_some_and(waits));
    let mut has_faults = false;
    let mut put = |c: Option<char>| {
        has_faults |= c.is_none();
        let c = c.unwrap_or(char::REPLACEMENT_CHARACTER);
        text.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
    };
    let units = pairs.iter().take(whole).map(|pair| unit(*pair));
    char::decode_utf16(units).for_each(|c| put(c.ok()));
    raw.drain(..whole * 2);
    // The end of the text is one fault, in the middle of a unit, of a character, or of both.
    if is_last && !raw.is_empty() {
        put(None);
        raw.clear();
    }
    has_faults
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

/// Bytes read, and then validated or decoded, at a time; and those, from the first that is not UTF-8 on, that are used to
/// guess the encoding.
const CHUNK: usize = 64 << 10;

/// Zero bytes in a row that count as damage. Fewer are blanks.
const ZEROS: u64 = 8;

/// Bytes of context before a place.
const WORD: usize = 16;

/// Bytes beyond ASCII that make a guess sure.
const SURE: usize = 24;

/// A text as UTF-8.
pub(crate) struct Utf8<R> {
    inner: R,
    manner: Manner,
    state: State,
    /// Bytes read, but neither validated nor decoded.
    raw: Vec<u8>,
    /// The error of reading, after `raw`.
    failed: Option<io::Error>,
    eof: bool,
    /// Text, and how much of it was returned.
    text: Vec<u8>,
    given: usize,
    /// Offset after `text`.
    end: u64,
    /// Characters beyond ASCII so far.
    letters: usize,
    /// The range of the last run of zero bytes.
    zeros: Range<u64>,
    is_unmapped: bool,
    /// Offset of the first byte that was decoded.
    decoded_from: Option<u64>,
    notices: Vec<Notice>,
}

enum State {
    /// Everything was UTF-8 so far.
    Checking,
    /// Bytes are not changed.
    Passing,
    Decoding(Encoding, Decoder),
}

impl<R> fmt::Debug for Utf8<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Utf8");
        shown.field("end", &self.end).finish_non_exhaustive()
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
    /// The text of `inner`.
    pub(crate) fn new(inner: R, manner: Manner) -> Self {
        let mut text = Self::at(inner, 0, State::Checking, manner);
        text.read_raw();
        // A byte order mark is more reliable than a named encoding.
        let mark = of_mark(&text.raw);
        if mark.is_some_and(Encoding::is_utf_16) {
            text.raw.drain(..2);
        }
        text.manner.encoding = mark.or(manner.encoding);
        text.decode_as(text.manner.encoding);
        text
    }

    /// The text of a piece of a source, which begins at the offset `at`. The encoding of a piece is not guessed again.
    #[cfg(feature = "files")]
    pub(crate) fn of_piece(inner: R, at: u64, manner: Manner) -> Self {
        let state = manner.guess.map_or(State::Passing, |_| State::Checking);
        let mut text = Self::at(inner, at, state, manner);
        text.decode_as(manner.encoding);
        text
    }

    const fn at(inner: R, at: u64, state: State, manner: Manner) -> Self {
        Self {
            inner,
            manner,
            state,
            raw: Vec::new(),
            failed: None,
            eof: false,
            text: Vec::new(),
            given: 0,
            end: at,
            letters: 0,
            zeros: 0..0,
            is_unmapped: false,
            decoded_from: None,
            notices: Vec::new(),
        }
    }

    /// The next bytes of the text that were not returned: `len` of them, or as many as there are.
    pub(crate) fn peek(&mut self, len: usize) -> &[u8] {
        while self.text.len() - self.given < len && self.advance() {}
        let ready = self.text.get(self.given..).unwrap_or_default();
        ready.get(..len).unwrap_or(ready)
    }

    /// Offset of the first decoded byte, if there is one: from there on offsets differ from those of the source.
    #[cfg(feature = "files")]
    pub(crate) const fn decoded_from(&self) -> Option<u64> {
        self.decoded_from
    }

    /// Whether there is no text.
    pub(crate) const fn is_empty(&self) -> bool {
        self.end == 0
    }

    /// Removes and returns the notices about the text before an offset.
    pub(crate) fn notices(&mut self, before: u64) -> Vec<Notice> {
        self.notices.sort_by_key(|notice| notice.at);
        let due = self.notices.partition_point(|notice| notice.at < before);
        self.notices.drain(..due).collect()
    }

    /// Reads until `raw` has the length of a chunk, or to the end.
    fn read_raw(&mut self) {
        if self.raw.len() < CHUNK && !self.eof {
            let more = (CHUNK - self.raw.len()) as u64;
            let read = (&mut self.inner).take(more).read_to_end(&mut self.raw);
            self.eof = self.raw.len() < CHUNK;
            self.failed = read.err();
        }
    }

    /// Adds the next part of the text. False at the end.
    fn advance(&mut self) -> bool {
        self.read_raw();
        let mut from = self.text.len();
        match &mut self.state {
            State::Checking => {
                let fine = valid(&self.raw);
                if fine.is_empty() && !self.raw.is_empty() {
                    // The rest is not the beginning of a valid character.
                    self.decide();
                    return true;
                }
                self.letters += letters(fine);
                from = self.pass(fine.len());
            }
            State::Passing => from = self.pass(self.raw.len()),
            State::Decoding(encoding, decoder) => {
                let has_faults = decoder.decode(&mut self.raw, &mut self.text, self.eof);
                if has_faults && !self.is_unmapped {
                    self.is_unmapped = true;
                    let added = self.text.get(from..).unwrap_or_default();
                    let first = memchr::memmem::find(added, "\u{fffd}".as_bytes());
                    let at = self.end + first.unwrap_or(0) as u64;
                    let kind = NoticeKind::Unmapped(*encoding);
                    self.notices.push(Notice { at, kind });
                }
                if self.eof {
                    // A decoder cannot be used again after the end.
                    self.state = State::Passing;
                }
            }
        }
        let added = self.text.get(from..).unwrap_or_default();
        for zero in memchr::memchr_iter(0, added) {
            let at = self.end + zero as u64;
            if self.zeros.end != at {
                self.zeros = at..at;
            }
            self.zeros.end = at + 1;
            if self.zeros.end - self.zeros.start == ZEROS {
                let (at, kind) = (self.zeros.start, NoticeKind::Zeros);
                self.notices.push(Notice { at, kind });
            }
        }
        self.end += added.len() as u64;
        !(added.is_empty() && self.eof)
    }

    /// Adds the first bytes of `raw` to the text, and returns where they are: mostly all of them, and no other text is
    /// left, so that nothing is copied.
    fn pass(&mut self, len: usize) -> usize {
        let is_all = len == self.raw.len() && self.given == self.text.len();
        // Shorter text would be too little context for the next guess.
        if is_all && len >= WORD {
            std::mem::swap(&mut self.text, &mut self.raw);
            self.raw.clear();
            self.given = 0;
        } else {
            self.text.extend(self.raw.drain(..len));
        }
        self.text.len() - len
    }

    /// Decides the encoding of the text, whose next byte is not UTF-8.
    fn decide(&mut self) {
        let is_sure = true;
        let named = self.manner.encoding;
        let named = named.map(|encoding| Guess { encoding, is_sure });
        // Of named encodings only UTF-8 is validated.
        let known = named.or(self.manner.guess);
        self.state = State::Passing;
        let Some(guess) = known.or_else(|| self.guess()) else {
            self.raw.clear();
            self.eof = true;
            self.failed = Some(io::Error::other(NotUnicode));
            return;
        };
        let (at, kind) = (self.end, NoticeKind::Guessed(guess));
        self.notices.push(Notice { at, kind });
        // Readers decode each byte that is not UTF-8 as Windows-1252.
        self.decode_as(Some(guess.encoding).filter(|known| *known != Encoding::WINDOWS_1252));
    }

    /// Decodes the rest of the text, unless it is UTF-8.
    fn decode_as(&mut self, encoding: Option<Encoding>) {
        let decoder = encoding.and_then(|encoding| Some((encoding, encoding.decoder()?)));
        if let Some((encoding, decoder)) = decoder {
            self.decoded_from = Some(self.end);
            self.state = State::Decoding(encoding, decoder);
        }
    }

    /// Guesses the encoding of `raw`. None if it is one that is not read.
    fn guess(&self) -> Option<Guess> {
        let (mut letters, mut others) = (self.letters, 0);
        for chunk in self.raw.utf8_chunks() {
            letters += self::letters(chunk.valid().as_bytes());
            others += chunk.invalid().len();
        }
        // Letters of other encodings that happen to be valid UTF-8 are rare: one in seven at most, for Russian in
        // IBM866.
        if letters * 2 >= others {
            let (encoding, is_sure) = (Encoding::UTF_8, letters >= others);
            return Some(Guess { encoding, is_sure });
        }
        let (is_sure, language) = (others >= SURE, self.manner.language);
        let before = self.text.len().saturating_sub(WORD);
        let before = self.text.get(before..).unwrap_or_default();
        #[cfg(feature = "encodings")]
        let encoding = Some(guess::guess(before, &self.raw, self.eof, is_sure, language));
        #[cfg(not(feature = "encodings"))]
        let encoding = {
            let _ = (before, language);
            None
        };
        encoding.map(|encoding| Guess { encoding, is_sure })
    }
}

impl<R: Read> Read for Utf8<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: Read> BufRead for Utf8<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.given == self.text.len() {
            // The last bytes are the context of a guess.
            self.text.drain(..self.text.len().saturating_sub(WORD));
            self.given = self.text.len();
            if !self.advance() {
                return self.failed.take().map_or(Ok(&[]), Err);
            }
        }
        Ok(self.text.get(self.given..).unwrap_or_default())
    }

    fn consume(&mut self, read: usize) {
        self.given += read;
    }
}

/// The bytes before the first that is not UTF-8.
fn valid(bytes: &[u8]) -> &[u8] {
    let fault = std::str::from_utf8(bytes).err();
    let valid = fault.and_then(|fault| bytes.get(..fault.valid_up_to()));
    valid.unwrap_or(bytes)
}

/// The number of characters of a text in UTF-8 that are not ASCII. A byte counts up to 255 of them, so the compiler can
/// add many at once.
fn letters(text: &[u8]) -> usize {
    let count = |some: &[u8]| -> u8 { some.iter().map(|byte| u8::from(*byte >= 0xc0)).sum() };
    text.chunks(255).map(|some| usize::from(count(some))).sum()
}

#[cfg(all(test, feature = "encodings"))]
mod tests;
