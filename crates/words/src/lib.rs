//! Words for check and mate that people write after a move.
//!
//! A word may be attached to its move, where the notation reads it, or apart from it, where the record's reader does.
//! Neither of the two sees the other, and both read the same words: those of this list.
#![forbid(unsafe_code)]

/// What a word says of the move before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// Check.
    Check,
    /// Mate.
    Mate,
}

/// Words for check, in small letters, in English, German, French, Dutch, Spanish, Italian and Czech.
const CHECK: [&str; 9] = [
    "ch", "check", "chk", "schach", "échec", "schaak", "jaque", "scacco", "šach",
];

/// Words for mate.
const MATE: [&str; 9] = [
    "mate",
    "checkmate",
    "matt",
    "schachmatt",
    "mat",
    "schaakmat",
    "matto",
    "jaquemate",
    "mt",
];

/// Words that say which kind of check, and nothing alone.
const KIND: [&str; 5] = ["dis", "disc", "discovered", "dbl", "double"];

/// The mark that a text begins with, in letters of either case, and how many bytes its words take: the longest one of the
/// list. The kind of check may come first, with a full stop and blanks: `dis. ch`.
#[must_use]
pub fn mark(text: &[u8]) -> Option<(Mark, usize)> {
    let kinds = KIND.iter().filter_map(|kind| {
        let rest = text.get(starts_with(text, kind)?..)?;
        let rest = rest.strip_prefix(b".").unwrap_or(rest).trim_ascii_start();
        let (mark, len) = alone(rest)?;
        Some((mark, text.len() - rest.len() + len))
    });
    let all = alone(text).into_iter().chain(kinds);
    all.max_by_key(|(_, len)| *len)
}

/// Whether a text is a word for the kind of a check: `dis`, `double`.
#[must_use]
pub fn is_kind(text: &[u8]) -> bool {
    KIND.iter()
        .any(|kind| starts_with(text, kind) == Some(text.len()))
}

/// [`mark`] without the kind.
fn alone(text: &[u8]) -> Option<(Mark, usize)> {
    let of = |list: &'static [&str], mark| list.iter().map(move |word| (*word, mark));
    let all = of(&CHECK, Mark::Check).chain(of(&MATE, Mark::Mate));
    all.filter_map(|(word, mark)| Some((mark, starts_with(text, word)?)))
        .max_by_key(|(_, len)| *len)
}

/// The length of a word, if a text begins with it. Small and capital letters take as many bytes in all of the list.
fn starts_with(text: &[u8], word: &str) -> Option<usize> {
    let begin = std::str::from_utf8(text.get(..word.len())?).ok()?;
    let is_same = begin.eq_ignore_ascii_case(word) || begin.to_lowercase() == word;
    is_same.then_some(word.len())
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod read_me {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_read_in_small_letters_and_in_capitals() {
        let lists = [(&CHECK[..], Mark::Check), (&MATE[..], Mark::Mate)];
        for (list, meant) in lists {
            for word in list {
                let said = Some((meant, word.len()));
                assert_eq!(mark(word.as_bytes()), said, "{word}");
                let capitals = word.to_uppercase();
                assert_eq!(mark(capitals.as_bytes()), said, "{capitals}");
            }
        }
        for kind in KIND {
            assert!(is_kind(kind.as_bytes()), "{kind}");
            assert_eq!(mark(kind.as_bytes()), None, "{kind}");
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
