//! The encodings of the Encoding Standard besides UTF-8 and UTF-16, and how one is guessed.

use super::{Encoding, Guess, Kind};
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::WINDOWS_1252;
use std::ops::Range;

/// An encoding.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Table(&'static encoding_rs::Encoding);

impl Table {
    pub(super) const WINDOWS_1252: Self = Self(&encoding_rs::WINDOWS_1252_INIT);

    /// That of a label of the Encoding Standard.
    pub(super) fn from_label(label: &str) -> Option<Self> {
        encoding_rs::Encoding::for_label_no_replacement(label.as_bytes()).map(Self)
    }

    pub(super) fn name(self) -> &'static str {
        self.0.name()
    }

    pub(super) fn is_windows_1252(self) -> bool {
        self.0 == WINDOWS_1252
    }

    pub(super) fn decoder(self) -> Option<TableDecoder> {
        Some(TableDecoder(self.0.new_decoder_without_bom_handling()))
    }
}

/// Decodes part after part.
pub(super) struct TableDecoder(encoding_rs::Decoder);

impl TableDecoder {
    pub(super) fn encoding(&self) -> Encoding {
        Encoding(Kind::Table(Table(self.0.encoding())))
    }

    /// Appends the text of some bytes, the last ones or not. Returns whether some of them are no character.
    pub(super) fn decode(&mut self, bytes: &[u8], text: &mut Vec<u8>, is_last: bool) -> bool {
        let before = text.len();
        // The buffer is large enough for all of it.
        let room = self.0.max_utf8_buffer_length(bytes.len());
        text.resize(before + room.unwrap_or_default(), 0);
        let free = text.get_mut(before..).unwrap_or_default();
        let (_, _, written, has_faults) = self.0.decode_to_utf8(bytes, free, is_last);
        text.truncate(before + written);
        has_faults
    }
}

/// Guesses the encoding of a text, which is not UTF-8, after its last bytes before.
pub(super) fn guess(
    last: &[u8],
    raw: &[u8],
    is_end: bool,
    is_sure: bool,
    language: Option<&'static str>,
) -> Option<Guess> {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(last, false);
    detector.feed(raw, is_end);
    // The language outweighs many letters, so it is used only if there are few.
    let few = (!is_sure).then(|| language.map(str::as_bytes).or_else(|| language_tag(raw)));
    let country = few.flatten().map(country);
    let guessed = detector.guess(country.as_deref(), Utf8Detection::Deny);
    // With few letters any text may look like an encoding with two bytes for each character, which swallows
    // brackets and quotes; and one damaged byte must not decide the encoding of a long text.
    let is_likely = is_sure || guessed.is_single_byte() && is_end;
    let encoding = match is_likely && is_in_words(raw, guessed) {
        true => guessed,
        false => WINDOWS_1252,
    };
    Some(Guess {
        encoding: Encoding(Kind::Table(Table(encoding))),
        is_sure,
    })
}

/// Whether `raw` is in a Latin alphabet, or has several letters beyond ASCII in a row, as words of other alphabets
/// have.
fn is_in_words(raw: &[u8], guessed: &'static encoding_rs::Encoding) -> bool {
    /// Letters of other alphabets than Latin, up to the signs that all alphabets share.
    const OTHERS: Range<char> = '\u{370}'..'\u{1e00}';
    let (text, _) = guessed.decode_without_bom_handling(raw);
    let has_others = text
        .chars()
        .any(|c| OTHERS.contains(&c) && c.is_alphabetic());
    !has_others
        || raw
            .windows(3)
            .any(|three| three.iter().all(|byte| *byte >= 0x80))
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
