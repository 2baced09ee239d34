//! Text in any encoding, converted to UTF-8.
//!
//! Readers see UTF-8 only. A source whose encoding is known is decoded from its first byte on. The bytes of any other
//! source are not changed while they are UTF-8. At the first byte that is not, a bounded part of the following text
//! decides: if much of it is UTF-8, the text is UTF-8 with damage and the rest is not changed either
//! ([`decode`](crate::decode) reads such bytes as Windows-1252); if not, its encoding is guessed and the rest is
//! decoded.
//!
//! Offsets in a decoded text are those of its UTF-8 form. Lines and columns are counted in characters, so they are the
//! same in both.

use std::fmt;
use std::io::{self, Read};
use std::ops::Range;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Decoder, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

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
pub struct Encoding(&'static encoding_rs::Encoding);

impl Encoding {
    /// UTF-8; each byte that is not part of it is read as Windows-1252.
    pub const UTF_8: Self = Self(&encoding_rs::UTF_8_INIT);

    /// Windows-1252, an extension of Latin-1.
    pub const WINDOWS_1252: Self = Self(&encoding_rs::WINDOWS_1252_INIT);

    /// The names of all encodings that are read. [`Encoding::from_name`] accepts other names of them too.
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

    /// The encoding of a name, in either case: one of [`Encoding::NAMES`], or another label of the Encoding Standard,
    /// such as `latin2` or `cp1250`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        encoding_rs::Encoding::for_label_no_replacement(name.as_bytes()).map(Self)
    }

    /// The name of the encoding, as the Encoding Standard spells it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Whether this is UTF-16 of either byte order.
    pub(crate) fn is_utf_16(self) -> bool {
        self.0 == UTF_16LE || self.0 == UTF_16BE
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
    /// A run of zero bytes, as after a crash or on a full disk. Readers treat them as blanks.
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
    encoding_rs::Encoding::for_bom(head).map(|(encoding, _)| Encoding(encoding))
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
        match encoding {
            Some(Encoding(named)) if named != UTF_8 => Self {
                decoded_from: Some(0),
                ..Self::in_state(
                    inner,
                    State::Decoding(named.new_decoder_with_bom_removal()),
                    0,
                )
            },
            _ => Self::in_state(inner, State::Checking(Manner { encoding, ..manner }), 0),
        }
    }

    /// The text of a piece of a source, which begins at the offset `at`. The encoding of a piece is not guessed again.
    #[cfg(feature = "files")]
    pub(crate) fn of_piece(inner: R, at: u64, manner: Manner) -> Self {
        let state = match (manner.encoding, manner.guess) {
            (Some(Encoding(named)), _) if named != UTF_8 => {
                State::Decoding(named.new_decoder_without_bom_handling())
            }
            (_, Some(_)) => State::Checking(manner),
            _ => State::Passing,
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
            (Some(encoding), _) => Guess {
                encoding,
                is_sure: true,
            },
            (None, Some(guess)) => guess,
            (None, None) => self.guess(manner.language),
        };
        let Encoding(encoding) = guess.encoding;
        self.notices.push(Notice {
            at: self.at,
            kind: NoticeKind::Guessed(guess),
        });
        // Readers decode each byte that is not UTF-8 as Windows-1252.
        self.state = if encoding == UTF_8 || encoding == WINDOWS_1252 {
            State::Passing
        } else {
            self.decoded_from = Some(self.at);
            State::Decoding(encoding.new_decoder_without_bom_handling())
        };
    }

    /// Guesses the encoding of `raw`.
    fn guess(&self, language: Option<&'static str>) -> Guess {
        let (mut letters, mut others) = (self.letters, 0);
        for chunk in self.raw.utf8_chunks() {
            letters += valid(chunk.valid().as_bytes()).1;
            others += chunk.invalid().len();
        }
        let is_sure = others >= SURE;
        // Letters of other encodings that happen to be valid UTF-8 are rare: one in seven at most, for Russian in
        // IBM866.
        if letters * 2 >= others {
            return Guess {
                encoding: Encoding::UTF_8,
                is_sure: letters >= others,
            };
        }
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        detector.feed(&self.last, false);
        detector.feed(&self.raw, self.eof);
        // The language outweighs many letters, so it is used only if there are few.
        let few = (!is_sure).then(|| {
            language
                .map(str::as_bytes)
                .or_else(|| language_tag(&self.raw))
        });
        let country = few.flatten().map(country);
        let guessed = detector.guess(country.as_deref(), Utf8Detection::Deny);
        // With few letters any text may look like an encoding with two bytes for each character, which swallows
        // brackets and quotes; and one damaged byte must not decide the encoding of a long text.
        let is_likely = is_sure || guessed.is_single_byte() && self.eof;
        let encoding = match is_likely && self.is_in_words(guessed) {
            true => guessed,
            false => WINDOWS_1252,
        };
        Guess {
            encoding: Encoding(encoding),
            is_sure,
        }
    }

    /// Whether `raw` is in a Latin alphabet, or has several letters beyond ASCII in a row, as words of other alphabets
    /// have.
    fn is_in_words(&self, guessed: &'static encoding_rs::Encoding) -> bool {
        /// Letters of other alphabets than Latin, up to the signs that all alphabets share.
        const OTHERS: Range<char> = '\u{370}'..'\u{1e00}';
        let (text, _) = guessed.decode_without_bom_handling(&self.raw);
        let has_others = text
            .chars()
            .any(|c| OTHERS.contains(&c) && c.is_alphabetic());
        !has_others
            || self
                .raw
                .windows(3)
                .any(|three| three.iter().all(|byte| *byte >= 0x80))
    }

    /// Decodes `raw`. False at the end of the text.
    fn decode(&mut self) -> bool {
        let State::Decoding(decoder) = &mut self.state else {
            return false;
        };
        let is_last = self.eof;
        // The buffer is large enough for all of it.
        let room = decoder.max_utf8_buffer_length(self.raw.len());
        self.text.resize(room.unwrap_or_default(), 0);
        let (_, _, written, has_faults) =
            decoder.decode_to_utf8(&self.raw, &mut self.text, is_last);
        self.text.truncate(written);
        self.raw.clear();
        if has_faults && !self.is_unmapped {
            self.is_unmapped = true;
            let first = memchr::memmem::find(&self.text, "\u{fffd}".as_bytes());
            self.notices.push(Notice {
                at: self.at + first.unwrap_or(0) as u64,
                kind: NoticeKind::Unmapped(Encoding(decoder.encoding())),
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
    let fine = encoding_rs::Encoding::utf8_valid_up_to(bytes);
    let text = bytes.get(..fine).unwrap_or_default();
    (fine, letters(text))
}

/// The number of characters of a text in UTF-8 that are not ASCII. A byte counts up to 255 of them, so the compiler can
/// add many at once.
fn letters(text: &[u8]) -> usize {
    let count = |some: &[u8]| -> u8 { some.iter().map(|byte| u8::from(*byte >= 0xc0)).sum() };
    text.chunks(255).map(|some| usize::from(count(some))).sum()
}

/// The language that the first tag `Locale` of a text names: two letters.
fn language_tag(text: &[u8]) -> Option<&[u8]> {
    const TAG: &[u8] = b"[Locale \"";
    let from = memchr::memmem::find(text, TAG)? + TAG.len();
    let code = text.get(from..from + 2)?;
    code.iter().all(u8::is_ascii_alphabetic).then_some(code)
}

/// The top-level domain of a country with this language: the detector takes languages in this form.
fn country(language: &[u8]) -> Vec<u8> {
    match language.to_ascii_lowercase().as_slice() {
        b"cs" => b"cz".to_vec(),
        b"en" => b"com".to_vec(),
        same => same.to_vec(),
    }
}

#[cfg(test)]
mod tests;
