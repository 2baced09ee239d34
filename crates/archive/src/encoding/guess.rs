//! Guesses the encoding of a text that is not UTF-8.

use super::Encoding;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

/// Guesses the encoding of `raw`, which is not UTF-8. `last` is the text before it.
pub(super) fn guess(
    last: &[u8],
    raw: &[u8],
    is_end: bool,
    is_sure: bool,
    language: Option<&'static str>,
) -> Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(last, false);
    detector.feed(raw, is_end);
    // The language outweighs many letters, so it is used only if there are few.
    let few = (!is_sure).then(|| language.map(str::as_bytes).or_else(|| language_tag(raw)));
    let country = few.flatten().map(country);
    let guessed = detector.guess(country.as_deref(), Utf8Detection::Deny);
    if (guessed.is_single_byte() || !is_sure) && super::pages::is_likely(last, raw) {
        return super::pages::LATIN;
    }
    // With few letters any text may look like an encoding with two bytes for each character, which swallows
    // brackets and quotes; and one damaged byte must not decide the encoding of a long text.
    let is_likely = is_sure || guessed.is_single_byte() && is_end;
    match is_likely && is_in_words(raw, guessed) {
        true => Encoding(guessed.name()),
        false => Encoding::WINDOWS_1252,
    }
}

/// Whether `raw` is in a Latin alphabet, or has three bytes beyond ASCII in a row, as words of other alphabets have.
fn is_in_words(raw: &[u8], guessed: &'static encoding_rs::Encoding) -> bool {
    // Letters of alphabets other than Latin. More Latin letters, and the symbols that all alphabets share, follow this
    // range.
    let is_other = |c: char| ('\u{370}'..'\u{1e00}').contains(&c) && c.is_alphabetic();
    let (text, _) = guessed.decode_without_bom_handling(raw);
    let in_a_row = |three: &[u8]| !three.iter().any(u8::is_ascii);
    !text.contains(is_other) || raw.windows(3).any(in_a_row)
}

/// The two letters of the language that the first `Locale` tag of a text names.
fn language_tag(text: &[u8]) -> Option<&[u8]> {
    const TAG: &[u8] = b"[Locale \"";
    let from = memchr::memmem::find(text, TAG)? + TAG.len();
    let code = text.get(from..from + 2)?;
    code.iter().all(u8::is_ascii_alphabetic).then_some(code)
}

/// The top-level domain of a country with this language: the detector expects a language in this form.
fn country(language: &[u8]) -> Vec<u8> {
    match language.to_ascii_lowercase().as_slice() {
        b"cs" => b"cz".to_vec(),
        b"en" => b"com".to_vec(),
        same => same.to_vec(),
    }
}
