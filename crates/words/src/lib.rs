//! The words of game records in seven languages: English, German, French, Dutch, Czech, Spanish and Italian.
//!
//! All of them are in one table, `vocabulary.tsv`. If a word for check or mate is attached to its move, the parser of
//! the notation reads it; if it is separate, the reader of records does. Both use this table, so neither depends on the
//! other.
#![forbid(unsafe_code)]

mod letters;
pub mod moves;
mod vocabulary;

pub use letters::{plain_letter, plain_letters};
pub use vocabulary::{Context, VocabularyWord, meaning, words};

use std::sync::LazyLock;

/// A table of 256 flags: whether each byte matches a pattern.
#[doc(hidden)]
#[macro_export]
macro_rules! byte_table {
    ($($pattern:pat_param)|+) => {{
        let mut table = [false; 256];
        let mut i = 0;
        while i < 256 {
            table[i] = matches!(i as u8, $($pattern)|+);
            i += 1;
        }
        table
    }};
}

/// The meaning of a word after a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// Check.
    Check,
    /// Mate.
    Mate,
}

/// Returns the mark at the start of a text, in upper or lower case, and the length of its words in bytes. The longest
/// match counts. The kind of check may come first, with a full stop and blanks after it: `dis. ch`.
///
/// ```
/// use tridex_words::{Mark, mark};
///
/// assert_eq!(mark(b"schachmatt"), Some((Mark::Mate, 10)));
/// assert_eq!(mark(b"dis. ch"), Some((Mark::Check, 7)));
/// assert_eq!(mark(b"b4N"), None);
/// ```
#[must_use]
pub fn mark(text: &[u8]) -> Option<(Mark, usize)> {
    if !text
        .first()
        .is_some_and(|byte| FIRST_BYTES[usize::from(*byte)])
    {
        return None;
    }
    let kinds = begun("kind", text).filter_map(|kind| {
        let rest = text.get(kind..)?;
        let rest = rest.strip_prefix(b".").unwrap_or(rest).trim_ascii_start();
        let (mark, len) = alone(rest)?;
        Some((mark, text.len() - rest.len() + len))
    });
    let all = alone(text).into_iter().chain(kinds);
    all.max_by_key(|(_, len)| *len)
}

/// The first bytes of the words for check, mate and kinds of check, in upper and lower case.
static FIRST_BYTES: LazyLock<[bool; 256]> = LazyLock::new(|| {
    let mut bytes = [false; 256];
    for first in words(Context::Check)
        .iter()
        .filter_map(|word| word.spelling.bytes().next())
    {
        // The two cases of a letter beyond ASCII have the same first byte.
        for byte in [first, first.to_ascii_uppercase()] {
            bytes[usize::from(byte)] = true;
        }
    }
    bytes
});

/// Whether a text is a word for the kind of a check: `dis`, `double`.
///
/// ```
/// assert!(tridex_words::is_kind(b"double") && !tridex_words::is_kind(b"check"));
/// ```
#[must_use]
pub fn is_kind(text: &[u8]) -> bool {
    begun("kind", text).any(|len| len == text.len())
}

/// [`mark`] without the kind.
fn alone(text: &[u8]) -> Option<(Mark, usize)> {
    let of = |meaning, mark| begun(meaning, text).map(move |len| (mark, len));
    let all = of("check", Mark::Check).chain(of("mate", Mark::Mate));
    all.max_by_key(|(_, len)| *len)
}

/// The lengths of all words of a meaning at the start of a text.
fn begun(meaning: &str, text: &[u8]) -> impl Iterator<Item = usize> {
    let all = words(Context::Check).iter();
    let all = all.filter(move |word| word.meaning == meaning);
    all.filter_map(|word| starts_with(text, word.spelling))
}

/// The length of a word, if a text begins with it in upper or lower case. For all words of the table, both cases have
/// the same length in bytes.
fn starts_with(text: &[u8], word: &str) -> Option<usize> {
    let begin = text.get(..word.len())?;
    // The two cases of a letter beyond ASCII have the same first byte.
    if !begin
        .first()?
        .eq_ignore_ascii_case(word.as_bytes().first()?)
    {
        return None;
    }
    let is_same = if begin.is_ascii() {
        begin.eq_ignore_ascii_case(word.as_bytes())
    } else {
        std::str::from_utf8(begin).ok()?.to_lowercase() == word
    };
    is_same.then_some(word.len())
}

/// Whether a character is a hyphen, or a dash or minus sign that editors and typesetters use instead.
///
/// ```
/// assert!(['-', '–', '−'].into_iter().all(tridex_words::is_dash));
/// ```
#[must_use]
pub const fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod read_me {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_read_in_small_letters_and_in_capitals() {
        for VocabularyWord {
            spelling, meaning, ..
        } in words(Context::Check)
        {
            let capitals = spelling.to_uppercase();
            let expected = match *meaning {
                "check" => Some((Mark::Check, spelling.len())),
                "mate" => Some((Mark::Mate, spelling.len())),
                _ => None,
            };
            for word in [spelling.as_bytes(), capitals.as_bytes()] {
                assert_eq!(mark(word), expected, "{spelling}");
                assert_eq!(is_kind(word), *meaning == "kind", "{spelling}");
            }
        }
    }

    #[test]
    fn the_longest_words_count() {
        for (text, expected) in [
            ("matto!", Some((Mark::Mate, 5))),
            ("schachmatt", Some((Mark::Mate, 10))),
            ("Schach matt", Some((Mark::Check, 6))),
            ("disch", Some((Mark::Check, 5))),
            ("dis.ch.", Some((Mark::Check, 6))),
            ("DBL.  CHK", Some((Mark::Check, 9))),
            ("discovered mate", Some((Mark::Mate, 15))),
            ("dis", None),
            ("dis.", None),
            ("c", None),
            ("", None),
            ("x mate", None),
            ("\u{e9}chec", Some((Mark::Check, 6))),
        ] {
            assert_eq!(mark(text.as_bytes()), expected, "{text}");
        }
        assert_eq!(mark(b"\xe9chec"), None, "bytes that are not UTF-8");
        assert!(!is_kind(b"disch") && !is_kind(b""));
    }
}
