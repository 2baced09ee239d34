//! Recognizes moves of any notation by their shape, and the words that belong to a move.
//!
//! A reader of records must find the end of a move before a notation can parse it. This module does only that: it
//! separates moves from words of a language. The notation decides whether a move is valid.
//!
//! Words are bytes of a file: UTF-8, possibly with some bytes of Windows-1252.

use crate::vocabulary::{Context, words};
use crate::{Mark, is_dash, is_kind, mark};
use std::ops::RangeInclusive;

/// Whether a word may be a move: it has a digit directly after a letter, as the squares and pins of all notations do,
/// or it is castling. `3D`, `1st` and `5min` are not moves.
///
/// ```
/// use tridex_words::moves::looks_like_move;
///
/// assert!(looks_like_move(b"N1b1x2b3") && looks_like_move(b"0-0"));
/// assert!(!looks_like_move(b"1st") && !looks_like_move(b"resigns"));
/// ```
#[inline]
#[must_use]
pub fn looks_like_move(word: &[u8]) -> bool {
    let mut pairs = word.iter().zip(word.get(1..).unwrap_or_default());
    let has_place = pairs.any(|(a, b)| a.is_ascii_alphabetic() && b.is_ascii_digit());
    has_place || word.first().is_some_and(|b| is_zero(*b)) && is_castling(word)
}

/// Whether a word is a move regardless of the words around it, as nearly all moves are. It must begin with a letter and
/// contain a digit, begin with a digit, a letter and a digit, or be castling in its common form without marks.
#[inline]
#[must_use]
pub fn is_plain_move(word: &[u8]) -> bool {
    match word {
        b"O-O" | b"O-O-O" | b"0-0" | b"0-0-0" => true,
        [b'1'..=b'9', letter, third, ..] => letter.is_ascii_alphabetic() && third.is_ascii_digit(),
        [first, rest @ ..] => first.is_ascii_alphabetic() && rest.iter().any(u8::is_ascii_digit),
        [] => false,
    }
}

/// Whether a word is castling, possibly with marks after it: `0-0`, `O-O-O`, `o–o`, `00`.
///
/// ```
/// use tridex_words::moves::is_castling;
///
/// assert!(is_castling(b"0-0-0+") && !is_castling(b"0-1"));
/// ```
#[must_use]
pub fn is_castling(word: &[u8]) -> bool {
    let mut rest = word;
    while let [body @ .., last] = rest
        && last.is_ascii_punctuation()
    {
        rest = body;
    }
    let (mut zeros, mut dashes) = (0, 0);
    while let [first, tail @ ..] = rest {
        let dash = dash_len(rest);
        if is_zero(*first) {
            zeros += 1;
            rest = tail;
        } else if dash > 0 {
            dashes += 1;
            rest = rest.get(dash..).unwrap_or_default();
        } else {
            return false;
        }
    }
    (2..=3).contains(&zeros) && (dashes == zeros - 1 || dashes == 0)
}

/// Whether a word joins the two squares of a move: a dash, or the sign of a capture.
///
/// ```
/// use tridex_words::moves::is_joint;
///
/// assert!(is_joint(b"-") && is_joint(b"x") && !is_joint(b""));
/// ```
#[must_use]
pub fn is_joint(word: &[u8]) -> bool {
    matches!(word, b"x" | b":") || !word.is_empty() && dash_len(word) == word.len()
}

/// The castling that two words mean, by their meanings in [`Context::Castling`].
///
/// ```
/// use tridex_words::{Context, meaning, moves::castling_of};
///
/// let [petit, roque] = ["petit", "roque"].map(|word| meaning(Context::Castling, word).unwrap());
/// assert_eq!(castling_of(petit, roque), Some("0-0"));
/// ```
#[must_use]
pub fn castling_of(first: &str, second: &str) -> Option<&'static str> {
    match (first, second) {
        ("castling", "short") | ("short", "castling") => Some("0-0"),
        ("castling", "long") | ("long", "castling") => Some("0-0-0"),
        _ => None,
    }
}

const fn is_zero(byte: u8) -> bool {
    matches!(byte, b'0' | b'O' | b'o')
}

/// The length in bytes of the dash at the start of a text, or 0.
#[must_use]
pub fn dash_len(text: &[u8]) -> usize {
    match text {
        // The hyphen and the dashes of Windows-1252. The next line has these dashes decoded as Latin-1.
        [b'-' | 0x96 | 0x97, ..] => 1,
        [0xc2, 0x96 | 0x97, ..] => 2,
        [0xe2, _, _, ..] => {
            let first = text.get(..3).and_then(|c| std::str::from_utf8(c).ok());
            let is_one = first.is_some_and(|c| c.chars().all(is_dash));
            if is_one { 3 } else { 0 }
        }
        _ => 0,
    }
}

/// The length of `e.p.`, with or without its dots, at the start of a text.
///
/// ```
/// assert_eq!(tridex_words::moves::en_passant(b"ep+"), Some(2));
/// ```
#[must_use]
pub fn en_passant(text: &[u8]) -> Option<usize> {
    let [b'e' | b'E', rest @ ..] = text else {
        return None;
    };
    let forms = [".p.", ".p", "p.", "p"].into_iter();
    let mut forms = forms.filter(|form| {
        let begin = rest.get(..form.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(form.as_bytes()))
    });
    forms.next().map(|form| 1 + form.len())
}

/// Whether a word is `e.p.`, possibly with marks after it.
#[must_use]
pub fn is_en_passant(word: &[u8]) -> bool {
    let rest = en_passant(word).and_then(|len| word.get(len..));
    rest.is_some_and(|rest| rest.iter().all(|b| b"+#!?".contains(b)))
}

/// The sign of check or mate at the start of a text, and its length. `+-` is an evaluation, not a check.
///
/// ```
/// use tridex_words::{Mark, moves::check_sign};
///
/// assert_eq!(check_sign(b"#"), Some((Mark::Mate, 1)));
/// assert_eq!(check_sign(b"+-"), None);
/// ```
#[must_use]
pub fn check_sign(text: &[u8]) -> Option<(Mark, usize)> {
    // Every evaluation has at least two bytes, so a single `+` or `#` at the end needs no search.
    if text.len() > 1 && evaluation(text).is_some() {
        return None;
    }
    first_of(
        text,
        &[
            ("++", Mark::Mate),
            ("#", Mark::Mate),
            ("\u{2021}", Mark::Mate),
            ("+", Mark::Check),
            ("\u{2020}", Mark::Check),
        ],
    )
}

/// Whether a word is the sign of a draw offer.
///
/// ```
/// use tridex_words::moves::{dash_len, is_draw_offer, is_en_passant};
///
/// assert!(is_draw_offer(b"(=)") && is_en_passant(b"e.p.+"));
/// assert_eq!(dash_len("\u{2013}x".as_bytes()), 3);
/// ```
#[must_use]
pub fn is_draw_offer(word: &[u8]) -> bool {
    matches!(word, b"=" | b"=?" | b"(=)")
}

/// The evaluation sign at the start of a text, as its NAG, and its length.
///
/// ```
/// assert_eq!(tridex_words::moves::evaluation(b"+/-"), Some((16, 3)));
/// ```
#[must_use]
pub fn evaluation(text: &[u8]) -> Option<(u8, usize)> {
    first_of(
        text,
        &[
            ("+-", 18),
            ("+\u{2212}", 18),
            ("+\u{2013}", 18),
            ("-+", 19),
            ("\u{2212}+", 19),
            ("\u{2013}+", 19),
            ("+/-", 16),
            ("+/\u{2212}", 16),
            ("-/+", 17),
            ("\u{2212}/+", 17),
            ("+/=", 14),
            ("=/+", 15),
            ("+=", 14),
            ("=+", 15),
            ("\u{b1}", 16),
            ("\u{2213}", 17),
            ("\u{2a72}", 14),
            ("\u{2a71}", 15),
            ("\u{221e}", 13),
            ("\u{25a1}", 7),
            ("\u{2313}", 142),
            ("\u{203c}", 3),
            ("\u{2047}", 4),
            ("\u{2049}", 5),
            ("\u{2048}", 6),
            ("\u{2a00}", 22),
            ("\u{2192}", 36),
            ("\u{2191}", 40),
            ("\u{21c6}", 132),
            ("\u{21c4}", 132),
            ("\u{2295}", 138),
        ],
    )
}

/// The length of a word without the evaluation signs at its end: 4 for `a4W!` followed by a sign for a clear advantage.
/// Marks such as `!` belong to the move.
///
/// ```
/// use tridex_words::moves::without_evaluations;
///
/// assert_eq!(without_evaluations("a4W!\u{b1}".as_bytes()), 4);
/// assert_eq!(without_evaluations(b"0-0+-"), 3);
/// assert_eq!(without_evaluations(b"d8B=Q+"), 6);
/// ```
#[must_use]
pub fn without_evaluations(word: &[u8]) -> usize {
    let is_sign = |b: &u8| *b >= 0x80 || b"+-=/".contains(b);
    if !word.last().is_some_and(is_sign) {
        return word.len();
    }
    let signs = |mut rest: &[u8]| {
        while let Some((_, length)) = evaluation(rest) {
            rest = rest.get(length..).unwrap_or_default();
        }
        rest.is_empty()
    };
    // Find the first offset after a letter, a digit or a mark such as `!` from which only evaluations follow.
    let starts =
        (1..word.len()).filter(|at| word.get(at - 1).is_some_and(|b| *b < 0x80 && !is_sign(b)));
    let mut starts = starts.filter(|at| word.get(*at).is_some_and(is_sign));
    starts
        .find(|at| signs(word.get(*at..).unwrap_or_default()))
        .unwrap_or(word.len())
}

/// Whether a token replaces a move that was not recorded or cannot be read: `--`, `____`, `???`, `xxx`, `illegible`.
///
/// ```
/// use tridex_words::moves::is_unrecorded;
///
/// assert!(is_unrecorded(b"--") && is_unrecorded(b"???") && is_unrecorded(b"illegible"));
/// assert!(!is_unrecorded(b"b4N") && !is_unrecorded(b"??"));
/// ```
pub fn is_unrecorded(token: &[u8]) -> bool {
    /// The lengths in bytes of the words that are looked up.
    const LENGTHS: RangeInclusive<usize> = 8..=24;
    let consists_of = |signs: &[char]| {
        let text = std::str::from_utf8(token);
        text.is_ok_and(|text| text.chars().all(|c| signs.contains(&c)))
    };
    match token {
        [b'-' | 0xe2, _, ..] => consists_of(&['-', '\u{2013}', '\u{2014}']),
        [b'_', _, ..] => consists_of(&['_']),
        [b'?', _, _, ..] => consists_of(&['?']),
        [b'x' | b'X', _, _, ..] => consists_of(&['x', 'X']),
        // A word with a digit may be a move.
        _ if LENGTHS.contains(&token.len()) && !token.iter().any(u8::is_ascii_digit) => {
            let word = String::from_utf8_lossy(token).to_lowercase();
            let mut known = words(Context::Illegible).iter();
            known.any(|known| known.spelling == word)
        }
        _ => false,
    }
}

/// Whether a token in a variation means that a player passes: `Z0`, `--`, `<>`, `@@@@`, `null`, `pass`. Other
/// chess programs write these in PGN, to show what the other side threatens.
///
/// ```
/// use tridex_words::moves::is_pass;
///
/// assert!(is_pass(b"Z0") && is_pass(b"--") && is_pass(b"Pass"));
/// assert!(!is_pass(b"0-0") && !is_pass(b"z0QL1"));
/// ```
#[must_use]
pub fn is_pass(token: &[u8]) -> bool {
    matches!(token, b"Z0" | b"--" | b"<>" | b"@@@@")
        || [&b"null"[..], b"pass"]
            .iter()
            .any(|word| word.eq_ignore_ascii_case(token))
}

/// The meaning and the length of the first sign in the list with which the text begins.
fn first_of<T: Copy>(text: &[u8], signs: &[(&str, T)]) -> Option<(T, usize)> {
    let first = text.first()?;
    let mut signs = signs
        .iter()
        .filter(|(sign, _)| sign.as_bytes().first() == Some(first));
    let found = signs.find(|(sign, _)| text.starts_with(sign.as_bytes()));
    found.map(|(sign, meaning)| (*meaning, sign.len()))
}

/// Whether a move may continue, after a blank, with a word that begins with these two bytes: a separate dash or `x`, a
/// piece in brackets, `e.p.`, another blank, or a character beyond ASCII.
#[inline]
#[must_use]
pub const fn may_go_on(first: u8, second: u8) -> bool {
    const MAY: [bool; 256] =
        crate::byte_table!(0..=b' ' | b'-' | b':' | b'x' | b'X' | b'(' | b'e' | b'E' | 0x80..);
    MAY[first as usize] && (first | 0x20 != b'e' || matches!(second, b'.' | b'p' | b'P'))
}

/// How many of the two words after a move belong to it: one if the first is the level in `b4, WB` or `e.p.`, two in
/// `b4N - b5B`.
///
/// ```
/// use tridex_words::moves::words_joined;
///
/// assert_eq!(words_joined(b"b4N", b"-", b"b5B"), 2);
/// assert_eq!(words_joined(b"b4,", b"WB", b"b5B"), 1);
/// assert_eq!(words_joined(b"b4N", b"b5B", b""), 0);
/// ```
#[must_use]
pub fn words_joined(before: &[u8], next: &[u8], after: &[u8]) -> usize {
    if is_sign(next) && is_joined(before, after) {
        return 2;
    }
    // `e5` and `ax3b4` are other moves.
    let letters = next.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let is_move = letters <= 2 && next.get(letters).is_some_and(u8::is_ascii_digit);
    let is_level = is_open_square(before) && letters > 0 && !is_move;
    usize::from(is_level || is_en_passant(next))
}

/// Whether a move that ends like this may continue with the next word: it ends with a square without its level, as
/// `b4,`, or with a separate dash or `x`.
///
/// ```
/// use tridex_words::moves::is_unfinished;
///
/// assert!(is_unfinished(b"b4,") && is_unfinished(b"b4N -"));
/// assert!(!is_unfinished(b"b4, WB"));
/// ```
#[must_use]
pub fn is_unfinished(text: &[u8]) -> bool {
    let last = text.rsplit(|byte| *byte == b' ').next();
    last.is_some_and(|word| is_open_square(word) || is_sign(word))
}

/// Whether a word is a dash or an `x`.
fn is_sign(word: &[u8]) -> bool {
    dash_len(word) == word.len() || matches!(word, b":" | b"x" | b"X" | b"\xc3\x97")
}

/// Whether two words with a dash or an `x` between them are the two halves of a move.
fn is_joined(before: &[u8], after: &[u8]) -> bool {
    let is_letter = |byte: Option<&u8>| matches!(byte, Some(b'O' | b'o'));
    if is_letter(before.last()) && before.len() < 6 {
        return is_letter(after.first());
    }
    // A move has only one such sign, followed by a square or a pin.
    let is_whole =
        before.iter().skip(1).any(|b| b"-x:".contains(b)) || !before.iter().any(u8::is_ascii_digit);
    let is_place = after.first().is_some_and(u8::is_ascii_alphanumeric)
        && looks_like_move(after)
        && !is_castling(after);
    // A word with a full stop is a move number.
    let digits = after.iter().take_while(|b| b.is_ascii_digit()).count();
    let is_number = digits > 0 && matches!(after.get(digits), Some(b'.' | b')'));
    !is_whole && is_place && !is_number
}

/// Whether a word ends with a square that lacks its level, as `b4,`.
fn is_open_square(word: &[u8]) -> bool {
    let Some(square) = word.strip_suffix(b",") else {
        return false;
    };
    let file = square.iter().rposition(|b| !b.is_ascii_digit());
    let is_file = |at: usize| matches!(square.get(at), Some(b'a'..=b'f' | b'A'..=b'F'));
    file.is_some_and(|at| at + 1 < square.len() && is_file(at))
}

/// Whether brackets after a move contain a part of it, a piece or a level: `d8B(Q)`, `d8B(♕)`, `b4(N)`, `a3(QL1)`. If a
/// blank precedes the brackets, only a single capital letter is a part: `d8B (Q)`. `(s)` and `(=)` never are.
///
/// ```
/// use tridex_words::moves::is_bracketed_part;
///
/// assert!(is_bracketed_part(b"QL1", true) && !is_bracketed_part(b"QL1", false));
/// ```
#[must_use]
pub fn is_bracketed_part(text: &[u8], touches: bool) -> bool {
    match text {
        [b'A'..=b'Z'] => true,
        _ if !touches => false,
        b"s" | [b'0'..=b'9'] => false,
        [0x80..=0xff] => true,
        [0x80..=0xff, ..] => {
            std::str::from_utf8(text).is_ok_and(|text| text.chars().nth(1).is_none())
        }
        _ if text.len() > 4 || !text.iter().all(u8::is_ascii_alphanumeric) => false,
        [_] | [b'q' | b'k', b'l', ..] => true,
        _ => {
            let is_check = is_kind(text) || mark(text).is_some_and(|(_, len)| len == text.len());
            !is_check && text.iter().any(u8::is_ascii_uppercase)
        }
    }
}

/// Removes commas and full stops from the end of a move, except those of `e.p.`. A token that is not a move is returned
/// unchanged, because stripping could turn it into another word.
///
/// ```
/// use tridex_words::moves::without_stops;
///
/// assert_eq!(without_stops(b"b4N,"), b"b4N");
/// assert_eq!(without_stops(b"e.p."), b"e.p.");
/// ```
#[inline]
#[must_use]
pub fn without_stops(token: &[u8]) -> &[u8] {
    let mut rest = token;
    while let [body @ .., b',' | b'.'] = rest {
        rest = body;
    }
    let is_own = matches!(rest.last(), None | Some(b'p' | b'P'));
    if is_own || !looks_like_move(rest) {
        token
    } else {
        rest
    }
}

/// Whether a word belongs to a language and not to a move. It may contain only letters, apostrophes, hyphens and full
/// stops. It must have at least two small letters in a row, among them a vowel and a letter that is neither a file nor
/// an `x`; or consist of at least four capital letters, among them a vowel.
///
/// ```
/// use tridex_words::moves::is_prose;
///
/// assert!(is_prose("White") && is_prose("WHITE") && !is_prose("bxc"));
/// ```
#[must_use]
pub fn is_prose(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphabetic());
    // A word in capitals, such as `WHITE`: no move has four letters in a row.
    let is_capital = |c: char| c.is_alphabetic() && c.is_uppercase();
    let is_vowel = |c: char| "AEIOUY".contains(c) || !c.is_ascii();
    if word.chars().count() >= 4 && word.chars().all(is_capital) {
        return word.contains(is_vowel) && word.chars().any(|c| c != 'O');
    }
    let mut run = (0_usize, false, false);
    let mut found = false;
    for c in word.chars() {
        if c.is_alphabetic() && c.is_lowercase() {
            let vowel = matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'y') || !c.is_ascii();
            let no_file = !matches!(c, 'a'..='h' | 'x' | 'z');
            run = (run.0 + 1, run.1 | vowel, run.2 | no_file);
            found |= run.0 >= 2 && run.1 && run.2;
        } else if c.is_alphabetic() || matches!(c, '\'' | '’' | '-' | '.') {
            run = (0, false, false);
        } else {
            return false;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moves of all notations, and words that are read as moves.
    const MOVES: [&str; 14] = [
        "b4N",
        "N1b1x2b3",
        "QL1-QL6",
        "3D4",
        "Kg6",
        "1B2-1B4",
        "a3(QL1)",
        "0-0",
        "O-O-O",
        "o\u{2013}o",
        "00",
        "0-0+",
        "e2",
        "\u{2655}d8B",
    ];

    const OTHERS: [&str; 10] = [
        "3D", "1st", "5min", "0-0-0-0", "0", "O", "0--0", "ch", "Remis", "",
    ];

    #[test]
    fn what_looks_like_a_move() {
        for word in MOVES {
            assert!(looks_like_move(word.as_bytes()), "{word}");
        }
        for word in OTHERS {
            assert!(!looks_like_move(word.as_bytes()), "{word}");
            assert!(!is_plain_move(word.as_bytes()), "{word}");
        }
        assert!(is_castling(b"0\x960") && !is_castling(b"0\x950"));
    }

    #[test]
    fn a_plain_move_looks_like_one_and_is_no_prose() {
        for word in MOVES {
            let is_one = looks_like_move(word.as_bytes());
            assert!(is_one || !is_plain_move(word.as_bytes()), "{word}");
            assert!(!is_prose(word), "{word}");
        }
        let prose = ["White", "van", "j\u{e4}h", "o'clock"].map(|word| (word, true));
        let others = ["bxc", "ab", "B", "Kt", "3rd", "ef"].map(|word| (word, false));
        for (word, expected) in prose.into_iter().chain(others) {
            assert_eq!(is_prose(word), expected, "{word}");
        }
    }

    #[test]
    fn what_belongs_to_a_move() {
        for (before, next, after, expected) in [
            ("b4N", "-", "b5B", 2),
            ("b4N", "x", "b5B", 2),
            ("b4N", "\u{2212}", "b5B", 2),
            ("b4N", "x", "5.", 0),
            ("b4N-b5B", "-", "b6B", 0),
            ("O", "-", "O", 2),
            ("O-O", "-", "O", 2),
            ("O-O", "-", "0-1", 0),
            ("b4,", "WB", "", 1),
            ("b4", "WB", "", 0),
            ("h4,", "WB", "", 0),
            ("b4N", "e.p.+", "", 1),
            ("b4N", "e4B", "", 0),
        ] {
            let joined = words_joined(before.as_bytes(), next.as_bytes(), after.as_bytes());
            assert_eq!(joined, expected, "{before} {next} {after}");
            if let [first, second, ..] = *next.as_bytes()
                && joined > 0
                && !before.ends_with(',')
            {
                assert!(may_go_on(first, second), "{next}");
            }
        }
        assert!(!may_go_on(b'e', b'4') && !may_go_on(b'N', b'b') && may_go_on(b'-', b' '));
    }

    #[test]
    fn what_brackets_hold() {
        for (text, touching, apart) in [
            ("Q", true, true),
            ("q", true, false),
            ("QL1", true, false),
            ("ql1", true, false),
            ("\u{2655}", true, false),
            ("\u{2655}\u{2655}", false, false),
            ("s", false, false),
            ("7", false, false),
            ("=", false, false),
            ("CH", false, false),
            ("bad", false, false),
            ("", false, false),
        ] {
            let is_part = |touches| is_bracketed_part(text.as_bytes(), touches);
            assert_eq!((is_part(true), is_part(false)), (touching, apart), "{text}");
        }
    }

    #[test]
    fn signs_and_stops() {
        assert_eq!(check_sign(b"++"), Some((Mark::Mate, 2)));
        assert_eq!(check_sign("\u{2020}!".as_bytes()), Some((Mark::Check, 3)));
        assert_eq!((check_sign(b"+-"), check_sign(b"x")), (None, None));
        assert_eq!(
            (evaluation(b"+/-"), evaluation(b"+")),
            (Some((16, 3)), None)
        );
        assert_eq!((en_passant(b"E.P.+"), en_passant(b"exd")), (Some(4), None));
        assert!(is_draw_offer(b"=?") && !is_draw_offer(b"=Q"));
        assert_eq!(without_stops(b"b4N.,"), b"b4N");
        assert_eq!(
            (without_stops(b"e.p."), without_stops(b"no.")),
            (&b"e.p."[..], &b"no."[..])
        );
    }
}
