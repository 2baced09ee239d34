//! Text in any encoding, converted to UTF-8.
//!
//! Readers see UTF-8 only. If the encoding of a source is known, the source is decoded from its first byte. Otherwise
//! its bytes are passed on unchanged as long as they are UTF-8. At the first byte that is not, a bounded part of the
//! following text is examined. If much of it is UTF-8, the text counts as UTF-8 with damage, and the rest is passed on
//! unchanged too ([`decode`](crate::decode) reads such bytes as Windows-1252). If not, the encoding is guessed and the
//! rest is decoded.
//!
//! Without the feature `encodings` only UTF-8 is read, and reading fails where another encoding begins.
//!
//! Offsets in a decoded text are those of its UTF-8 form. Lines and columns are counted in characters, so they are the
//! same in both.
#![cfg_attr(not(feature = "encodings"), allow(dead_code, unused_assignments))]

use std::io::{self, Read};
use std::ops::Range;

use crate::fault::SourceError;

#[cfg(feature = "encodings")]
mod guess;
#[cfg(feature = "encodings")]
mod pages;

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
/// let batch = input.into_iter().next().unwrap()?;
/// assert_eq!(batch.all_games()[0].tag("White").as_deref(), Some("Lukáš"));
/// # Ok::<(), tridex_archive::source::SourceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Encoding(&'static str);

impl Encoding {
    /// UTF-8. Each byte that is not part of a valid character is read as Windows-1252.
    pub const UTF_8: Self = Self("UTF-8");

    /// Windows-1252, an extension of Latin-1.
    pub const WINDOWS_1252: Self = Self("windows-1252");

    /// The names of all encodings that can be read. [`Encoding::from_name`] accepts other names for them too.
    ///
    /// ```
    /// use tridex_archive::encoding::Encoding;
    ///
    /// assert!(Encoding::names().all(|name| Encoding::from_name(name).is_some()));
    /// ```
    pub fn names() -> impl Iterator<Item = &'static str> {
        let tables = if cfg!(feature = "encodings") {
            "utf-16le utf-16be windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 \
             windows-1256 windows-1257 windows-1258 windows-874 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 \
             iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r \
             koi8-u ibm437 ibm850 ibm866 macintosh x-mac-cyrillic gbk gb18030 big5 shift_jis euc-jp iso-2022-jp euc-kr"
        } else {
            ""
        };
        ["utf-8"].into_iter().chain(tables.split_whitespace())
    }

    /// Finds an encoding by its name, in either case: one of [`Encoding::names`], or another label of the Encoding
    /// Standard, such as `latin2` or `cp1250`. Two code pages of DOS, which that standard omits, have names such as
    /// `cp437` and `cp850`.
    ///
    /// ```
    /// use tridex_archive::encoding::Encoding;
    ///
    /// assert_eq!(Encoding::from_name("utf8").map(Encoding::name), Some("UTF-8"));
    /// assert_eq!(Encoding::from_name("klingon"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        #[cfg(feature = "encodings")]
        return pages::from_name(name).or_else(|| {
            encoding_rs::Encoding::for_label_no_replacement(name.as_bytes())
                .map(|table| Self(table.name()))
        });
        #[cfg(not(feature = "encodings"))]
        ["utf-8", "utf8"]
            .contains(&&*name.trim_ascii().to_ascii_lowercase())
            .then_some(Self::UTF_8)
    }

    /// The name of the encoding, as the Encoding Standard spells it.
    pub fn name(self) -> &'static str {
        self.0
    }
}

/// A guessed encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The encoding of the bytes that are not UTF-8; [`Encoding::UTF_8`] if the text is UTF-8 with some damage.
    pub encoding: Encoding,
    /// Whether enough letters support it.
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
    /// Here is the first byte that is not UTF-8. The encoding of the rest was guessed, unless it was named as UTF-8.
    Guessed(Guess),
    /// From here on U+FFFD replaces bytes that are invalid in the encoding of the text. Reported once for each source.
    Unmapped(Encoding),
    /// A run of NUL bytes, as after a crash or on a full disk. Readers treat them as blanks.
    Zeros,
    /// The source has markup, such as HTML. Lines and columns are those of its text, with a line for each row of a table.
    Markup,
}

/// The number of bytes that are read at a time, and then validated or decoded. A guess of the encoding uses as many,
/// from the first one that is not UTF-8.
pub(crate) const CHUNK: usize = 64 << 10;

/// The first bytes of a source, which show what it is.
pub(crate) const HEAD: usize = 4096;

/// A text in an encoding for which there is no decoder.
pub(crate) const UNSUPPORTED: &str =
    "text in an encoding that is not supported here (save it as UTF-8)";

/// A run of this many zero bytes is reported. Shorter runs are read as blanks without a notice.
const ZEROS: u64 = 8;

/// The maximum length of a text with markup, in bytes. It is read as a whole.
#[cfg(feature = "encodings")]
const MOST_MARKUP: usize = 32 << 20;

/// A guess uses this many bytes as context, directly before the first one that is not UTF-8.
const WORD: usize = 16;

/// With this many bytes that are not UTF-8 a guess is sure.
const SURE: usize = 24;

/// The maximum number of notices that wait to be returned.
const NOTICES: usize = 1 << 20;

/// A text as UTF-8.
pub(crate) struct Utf8<R> {
    inner: R,
    /// The encoding if it is named, by the user or by a byte order mark, or if it was guessed when the source was split
    /// into pieces.
    known: Option<Guess>,
    /// The language of the games: a code of two letters.
    language: Option<&'static str>,
    state: State,
    /// Bytes that were read, but neither validated nor decoded yet.
    raw: Vec<u8>,
    /// The error of reading, after `raw`.
    pub(crate) failed: Option<io::Error>,
    eof: bool,
    /// Text that was read and not taken yet. Its last bytes are the context of a guess.
    pub(crate) text: Vec<u8>,
    /// Offset after `text`.
    pub(crate) end: u64,
    /// Characters beyond ASCII so far.
    letters: usize,
    /// The range of the last run of zero bytes.
    zeros: Range<u64>,
    is_unmapped: bool,
    /// The text was converted from one with markup.
    pub(crate) has_markup: bool,
    /// Offset of the first byte that was decoded: from there on offsets differ from those of the source.
    pub(crate) decoded_from: Option<u64>,
    notices: Vec<Notice>,
}

enum State {
    /// Everything was UTF-8 so far.
    Checking,
    /// Bytes are passed on unchanged.
    Passing,
    #[cfg(feature = "encodings")]
    Decoding(encoding_rs::Decoder),
    /// Each byte is a character of a code page.
    #[cfg(feature = "encodings")]
    Paging(pages::Page),
}

/// The encoding whose byte order mark a text begins with.
fn of_mark(head: &[u8]) -> Option<Encoding> {
    match head {
        [0xef, 0xbb, 0xbf, ..] => Some(Encoding::UTF_8),
        [0xff, 0xfe, ..] => Encoding::from_name("utf-16le"),
        [0xfe, 0xff, ..] => Encoding::from_name("utf-16be"),
        _ => None,
    }
}

impl<R: Read> Utf8<R> {
    /// Reads the text of `inner`. If `inner` is a piece of a source, `piece` is its offset, and the encoding guessed
    /// when the source was split; it is not guessed again.
    pub(crate) fn new(
        inner: R,
        encoding: Option<Encoding>,
        language: Option<&'static str>,
        piece: Option<(u64, Option<Guess>)>,
    ) -> Self {
        let (at, known) = piece.unwrap_or_default();
        let mut text = Self {
            inner,
            known,
            language,
            state: match piece {
                Some((_, None)) => State::Passing,
                _ => State::Checking,
            },
            raw: Vec::new(),
            failed: None,
            eof: false,
            text: Vec::new(),
            end: at,
            letters: 0,
            zeros: 0..0,
            is_unmapped: false,
            has_markup: false,
            decoded_from: None,
            notices: Vec::new(),
        };
        text.raw = text.read_on(Vec::new(), CHUNK);
        // A byte order mark is more reliable than a named encoding.
        let mark = of_mark(&text.raw).filter(|_| piece.is_none());
        if let Some(encoding) = mark.or(encoding) {
            let is_sure = true;
            text.known = Some(Guess { encoding, is_sure });
            text.decode_as(encoding);
        }
        text
    }

    /// Whether the text is in UTF-16 of either byte order.
    pub(crate) fn is_utf_16(&self) -> bool {
        let name = self.known.map(|known| known.encoding.name());
        name.is_some_and(|name| name.starts_with("UTF-16"))
    }

    /// The first bytes of the source, before any text is requested.
    pub(crate) fn head(&self) -> &[u8] {
        self.raw.get(..HEAD).unwrap_or(&self.raw)
    }

    /// Reads until the text has `want` bytes, or to its end, and returns the first `want`.
    pub(crate) fn fill(&mut self, want: usize) -> &[u8] {
        let missing = want.saturating_sub(self.text.len());
        if missing > 0 && !self.is_over() {
            self.text.reserve_exact(missing + CHUNK);
        }
        while self.text.len() < want && self.advance() {}
        self.text.get(..want).unwrap_or(&self.text)
    }

    /// Whether all of the text was read.
    pub(crate) fn is_over(&self) -> bool {
        self.eof && self.raw.is_empty()
    }

    /// Reads the whole text, which has markup, and replaces it by the text without. Fails if it is longer than
    /// [`MOST_MARKUP`].
    #[cfg(feature = "encodings")]
    pub(crate) fn without_markup(&mut self, convert: crate::html::Convert) -> io::Result<()> {
        while self.text.len() <= MOST_MARKUP && self.advance() {}
        if self.text.len() > MOST_MARKUP {
            let message = "this text with markup is longer than 32 MiB; save it as plain text";
            return Err(SourceError::foreign("too-large", message));
        }
        self.text = convert(&self.text);
        self.end = self.text.len() as u64;
        self.has_markup = true;
        // The offsets of earlier notices are those of the page.
        let kinds = self.notices.drain(..).map(|notice| notice.kind);
        let kinds = [NoticeKind::Markup].into_iter().chain(kinds);
        self.notices = kinds.map(|kind| Notice { at: 0, kind }).collect();
        Ok(())
    }

    /// Removes and returns the notices about the text before an offset.
    pub(crate) fn notices(&mut self, before: u64) -> Vec<Notice> {
        self.notices.sort_by_key(|notice| notice.at);
        let due = self.notices.partition_point(|notice| notice.at < before);
        self.notices.drain(..due).collect()
    }

    /// Reads until some bytes have this length, or to the end.
    fn read_on(&mut self, mut bytes: Vec<u8>, length: usize) -> Vec<u8> {
        if bytes.len() < length && !self.eof {
            let more = (length - bytes.len()) as u64;
            let read = (&mut self.inner).take(more).read_to_end(&mut bytes);
            self.eof = bytes.len() < length;
            self.failed = read.err();
        }
        bytes
    }

    /// Adds the next part of the text. False at the end.
    fn advance(&mut self) -> bool {
        let from = self.text.len();
        let mut raw = std::mem::take(&mut self.raw);
        match self.state {
            // Text that needs no decoding is read directly into its buffer.
            State::Checking | State::Passing => {
                let mut text = std::mem::take(&mut self.text);
                text.append(&mut raw);
                self.text = self.read_on(text, from + CHUNK);
            }
            #[cfg(feature = "encodings")]
            State::Decoding(_) | State::Paging(_) => self.raw = self.read_on(raw, CHUNK),
        }
        match &mut self.state {
            State::Checking => {
                let read = self.text.get(from..).unwrap_or_default();
                let fine = valid(read);
                // No valid character begins here, so this is not UTF-8.
                let is_foreign = fine.is_empty() && !read.is_empty();
                self.letters += letters(fine);
                self.raw = self.text.split_off(from + fine.len());
                if is_foreign {
                    self.decide();
                    return true;
                }
            }
            State::Passing => {}
            #[cfg(feature = "encodings")]
            State::Paging(page) => {
                pages::decode(page, &self.raw, &mut self.text);
                self.raw.clear();
            }
            #[cfg(feature = "encodings")]
            State::Decoding(decoder) => {
                // The buffer is large enough for all of it.
                let room = decoder.max_utf8_buffer_length(self.raw.len());
                self.text.resize(from + room.unwrap_or_default(), 0);
                let free = self.text.get_mut(from..).unwrap_or_default();
                let (_, _, written, has_faults) = decoder.decode_to_utf8(&self.raw, free, self.eof);
                self.text.truncate(from + written);
                self.raw.clear();
                if has_faults && !self.is_unmapped {
                    self.is_unmapped = true;
                    let added = self.text.get(from..).unwrap_or_default();
                    let first = memchr::memmem::find(added, "\u{fffd}".as_bytes());
                    let at = self.end + first.unwrap_or(0) as u64;
                    let kind = NoticeKind::Unmapped(Encoding(decoder.encoding().name()));
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
            if self.zeros.end - self.zeros.start == ZEROS && self.notices.len() < NOTICES {
                let (at, kind) = (self.zeros.start, NoticeKind::Zeros);
                self.notices.push(Notice { at, kind });
            }
        }
        self.end += added.len() as u64;
        !(added.is_empty() && self.eof)
    }

    /// Decides the encoding of the text, whose next byte is not UTF-8. Of the encodings that can be named, only UTF-8
    /// gets here: text in any other is decoded from the start.
    fn decide(&mut self) {
        self.state = State::Passing;
        let Some(guess) = self.known.or_else(|| self.guess()) else {
            self.raw.clear();
            self.eof = true;
            self.failed = Some(SourceError::foreign("unknown-encoding", UNSUPPORTED));
            return;
        };
        let (at, kind) = (self.end, NoticeKind::Guessed(guess));
        self.notices.push(Notice { at, kind });
        // Windows-1252 needs no decoding: readers decode each byte that is not UTF-8 that way.
        if guess.encoding != Encoding::WINDOWS_1252 {
            self.decode_as(guess.encoding);
        }
    }

    /// Decodes the rest of the text, unless it is UTF-8.
    fn decode_as(&mut self, encoding: Encoding) {
        #[cfg(feature = "encodings")]
        if let Some(page) = pages::of(encoding) {
            self.decoded_from = Some(self.end);
            self.state = State::Paging(page);
            return;
        }
        #[cfg(feature = "encodings")]
        if let Some(table) = encoding_rs::Encoding::for_label(encoding.0.as_bytes())
            && encoding != Encoding::UTF_8
        {
            self.decoded_from = Some(self.end);
            self.state = State::Decoding(table.new_decoder_with_bom_removal());
        }
        #[cfg(not(feature = "encodings"))]
        let _ = encoding;
    }

    /// Guesses the encoding of `raw`. `None` if it is not supported.
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
        #[cfg(not(feature = "encodings"))]
        return None;
        #[cfg(feature = "encodings")]
        {
            let before = self.text.len().saturating_sub(WORD);
            let before = self.text.get(before..).unwrap_or_default();
            let is_sure = others >= SURE;
            let encoding = guess::guess(before, &self.raw, self.eof, is_sure, self.language);
            Some(Guess { encoding, is_sure })
        }
    }
}

/// The bytes before the first that is not UTF-8.
fn valid(bytes: &[u8]) -> &[u8] {
    let fault = std::str::from_utf8(bytes).err();
    let valid = fault.and_then(|fault| bytes.get(..fault.valid_up_to()));
    valid.unwrap_or(bytes)
}

/// Counts the characters that are not ASCII in UTF-8 text. A chunk has at most 255 bytes, so one byte can hold its
/// count and the compiler adds many at once. Its length is a multiple of the vector length, so only the last chunk may
/// have a rest that is added one by one.
fn letters(text: &[u8]) -> usize {
    let count = |some: &[u8]| -> u8 { some.iter().map(|byte| u8::from(*byte >= 0xc0)).sum() };
    text.chunks(192).map(|some| usize::from(count(some))).sum()
}

#[cfg(all(test, feature = "encodings"))]
mod tests;
