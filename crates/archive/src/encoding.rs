//! Text in any encoding, given as UTF-8.
//!
//! Readers see UTF-8 only. A source whose encoding is known is decoded from its first byte on. Of any other source the
//! bytes pass through unchanged as long as they are UTF-8. At the first byte that is not, a bounded part of the text from
//! there on decides: if much of it is UTF-8, the text is UTF-8 with damage and the rest passes through too
//! ([`decode`](crate::decode) reads such bytes as Windows-1252); if not, its encoding is guessed and the rest is decoded.
//!
//! Offsets in a decoded text are those of its UTF-8 form. Lines and columns are counted in characters, so they are the
//! same in both.

use std::fmt;
use std::io::{self, Read};
use std::ops::Range;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Decoder, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// The encoding of a text.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Encoding(&'static encoding_rs::Encoding);

impl Encoding {
    /// UTF-8; where bytes are not, each of them is read as Windows-1252.
    pub const UTF_8: Self = Self(&encoding_rs::UTF_8_INIT);

    /// Windows-1252, of which Latin-1 is the greater part.
    pub const WINDOWS_1252: Self = Self(&encoding_rs::WINDOWS_1252_INIT);

    /// The names of all encodings that are read. [`Encoding::from_name`] knows more names of the same ones.
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

    /// The encoding of a name, without regard to case: one of [`Encoding::NAMES`], or another label of the Encoding
    /// Standard, such as `latin2` or `cp1250`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        encoding_rs::Encoding::for_label_no_replacement(name.as_bytes()).map(Self)
    }

    /// The name of the encoding, as the Encoding Standard spells it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Whether a character takes at least two bytes, as of UTF-16.
    pub(crate) fn is_utf_16(self) -> bool {
        self.0 == UTF_16LE || self.0 == UTF_16BE
    }
}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An encoding that nothing named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guess {
    /// What the bytes that are not UTF-8 are read as; [`Encoding::UTF_8`] if the text is UTF-8 with some damage.
    pub encoding: Encoding,
    /// Whether many letters agree with it.
    pub is_sure: bool,
}

/// Something about a whole source that its reader should know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Offset in the text (see [`Batch::base_offset`](crate::batch::Batch::base_offset)) of the first byte it is about.
    pub at: u64,
    /// What it is.
    pub kind: NoticeKind,
}

/// What a [`Notice`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoticeKind {
    /// From here on the text is not UTF-8, and its encoding was guessed.
    Guessed(Guess),
    /// These bytes mean nothing in the encoding of the text; U+FFFD takes their place, here and further on.
    Unmapped(Encoding),
    /// A run of zero bytes, as a crash or a full disk leaves them. Readers take them for blanks.
    Zeros,
}

/// How the bytes of a source become text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Manner {
    /// The encoding that the user names.
    pub(crate) encoding: Option<Encoding>,
    /// What was guessed when the source was cut into pieces.
    pub(crate) guess: Option<Guess>,
    /// The language of the games: a code of two letters.
    pub(crate) language: Option<&'static str>,
}

/// Bytes from the first that is not UTF-8 on by which an encoding is guessed.
const WINDOW: usize = 64 << 10;

/// Bytes that are decoded, or checked apart, at a time.
const CHUNK: usize = 16 << 10;

/// A buffer of fewer bytes is not read into directly.
const DIRECT: usize = 64;

/// Zero bytes in a row that are damage. Fewer are blanks.
const ZEROS: usize = 8;

/// Bytes before a place that may belong to the word there.
const WORD: usize = 16;

/// Bytes beyond ASCII after which a guess is sure.
const SURE: usize = 24;

/// A text as UTF-8.
#[derive(Debug)]
pub(crate) struct Utf8<R> {
    inner: R,
    state: State,
    /// Read, and neither checked nor decoded.
    raw: Vec<u8>,
    /// What reading failed with, after `raw`.
    failed: Option<io::Error>,
    eof: bool,
    /// Text, and how much of it was given.
    text: Vec<u8>,
    given: usize,
    /// Offset of what is given next.
    at: u64,
    /// The last bytes that were given.
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
    /// All was UTF-8 so far.
    Checking(Manner),
    /// Bytes are given as they are.
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
    /// The text that `inner` gives, of which `head` is the beginning.
    pub(crate) fn new(inner: R, head: &[u8], manner: Manner) -> Self {
        // A byte order mark is more certain than what anyone says.
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

    /// The text of a piece of a source, which begins at the offset `at`. A piece that was cut off a damaged text is not
    /// judged again by itself.
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

    /// Offset of the first byte that was decoded, if any was: from there on offsets are not those of the source.
    #[cfg(feature = "files")]
    pub(crate) const fn decoded_from(&self) -> Option<u64> {
        self.decoded_from
    }

    /// Whether no text has been given.
    pub(crate) const fn is_empty(&self) -> bool {
        self.at == 0
    }

    /// What there is to know about the text before an offset, and has not been taken before.
    pub(crate) fn notices(&mut self, before: u64) -> Vec<Notice> {
        self.notices.sort_by_key(|notice| notice.at);
        let due = self.notices.partition_point(|notice| notice.at < before);
        self.notices.drain(..due).collect()
    }

    /// Adds to `raw` until it has `want` bytes, if there are so many.
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

    /// Makes text of what is read next. False at the end.
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
                // What is left is more than the beginning of a character, or the end of the text.
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

    /// Decides what the text is whose next byte is not UTF-8.
    fn decide(&mut self, manner: Manner) {
        self.read_raw(WINDOW);
        let guess = match (manner.encoding, manner.guess) {
            // Of other encodings than UTF-8 nothing is checked.
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
        // Each byte that is not UTF-8 is read as Windows-1252 in any case.
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
        // Letters of another encoding that happen to be one of UTF-8 are rare: one in seven at most, in Russian of IBM866.
        if letters * 2 >= others {
            return Guess {
                encoding: Encoding::UTF_8,
                is_sure: letters >= others,
            };
        }
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        detector.feed(&self.last, false);
        detector.feed(&self.raw, self.eof);
        // A language outweighs many letters, so it is asked for only where there are few.
        let few = (!is_sure).then(|| {
            language
                .map(str::as_bytes)
                .or_else(|| language_tag(&self.raw))
        });
        let country = few.flatten().map(country);
        let guessed = detector.guess(country.as_deref(), Utf8Detection::Deny);
        // With few letters anything may look like two bytes to a character, which swallow brackets and quotes; and one
        // damaged byte must not decide what a long text is.
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

    /// Whether `raw` is of an alphabet like that of ASCII, or has several letters beyond ASCII in a row, as words of
    /// other alphabets have.
    fn is_in_words(&self, guessed: &'static encoding_rs::Encoding) -> bool {
        /// Letters after those of Latin, up to the signs that all alphabets share.
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
        // There is room for all of it, so all of it is decoded.
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
            // A decoder that has seen the end cannot be used again.
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
            // Nearly every text is UTF-8, and goes through without being copied.
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

    /// Notes runs of zeros in what is given.
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
                // The run may go on.
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

/// How many bytes of a text are UTF-8 up to the first that is not, and how many characters among them are not ASCII.
fn valid(bytes: &[u8]) -> (usize, usize) {
    if bytes.is_ascii() {
        return (bytes.len(), 0);
    }
    let fine = encoding_rs::Encoding::utf8_valid_up_to(bytes);
    let text = bytes.get(..fine).unwrap_or_default();
    (fine, letters(text))
}

/// How many characters of a text in UTF-8 are not ASCII. A byte can count 255 of them, and many bytes are added at once.
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

/// The domain of a country in which a language is spoken: by such names guesses are made.
fn country(language: &[u8]) -> Vec<u8> {
    match language.to_ascii_lowercase().as_slice() {
        b"cs" => b"cz".to_vec(),
        b"en" => b"com".to_vec(),
        same => same.to_vec(),
    }
}

#[cfg(test)]
mod tests;
