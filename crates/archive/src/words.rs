//! Words that are not moves: results, marks, times, ends of games, prose.
//!
//! People write these in many ways; the ones listed here are read. The functions know no notation:
//! [`tridex_words::moves`] decides what may be a move.

use std::ops::RangeInclusive;

use tridex_words::{Context, Mark, is_dash, is_kind, mark, meaning, moves};

use crate::lex::{self, char_len, decode, dot_len, high_blank, is_blank, skip_blanks};
use crate::visit::{Ending, GameResult};

#[cfg(test)]
mod tests;

/// Reads a word of movetext as a result: `1-0`, `0-1`, `1/2-1/2`, `*`, also with a colon or any dash, with `½`, `0,5`
/// or `0.5` for a half, and `1/2` or `½` alone; `+:-`, `-:+` and `-:-` for games that were not played out; `0:0`, and
/// `1/2-0`, `0-1/2`, by decision of an arbiter. `0-0` is castling here.
///
/// ```
/// use tridex_archive::{GameResult, result_word};
///
/// assert_eq!(result_word("½".as_bytes()), Some(GameResult::Draw));
/// assert_eq!(result_word(b"+:-"), Some(GameResult::White));
/// assert_eq!(result_word(b"0-0"), None);
/// ```
pub fn result_word(word: &[u8]) -> Option<GameResult> {
    // Most words do not begin with a score; ½ has two bytes, or one in Latin-1.
    let is_score =
        |first: &u8| matches!(first, b'0' | b'1' | b'.' | b'*' | b'+' | b'-' | 0xc2 | 0xbd);
    // Nor do they have letters, or end with a full stop, as the number of the first move.
    let is_number = word.iter().all(u8::is_ascii_digit) || word.ends_with(b".");
    let is_other = word.len() > 24 || is_number || word.iter().any(u8::is_ascii_alphabetic);
    if is_other || !word.first().is_some_and(is_score) {
        return None;
    }
    Some(match word {
        // A dash between signs is an evaluation, between zeros it is castling.
        b"1-0" | b"+:-" => GameResult::White,
        b"0-1" | b"-:+" => GameResult::Black,
        b"1/2-1/2" => GameResult::Draw,
        b"0:0" | b"-:-" => GameResult::BothLost,
        b"*" => GameResult::Unknown,
        [b'+' | b'-', ..] => return None,
        _ => {
            let text = decode(word).replace(is_dash, ":");
            let halves = ["1/2", "0,5", "0.5", ".5"].into_iter();
            match &*halves.fold(text, |text, half| text.replace(half, "½")) {
                "1:0" => GameResult::White,
                "0:1" => GameResult::Black,
                "½" | "½:½" => GameResult::Draw,
                "½:0" => GameResult::WhiteHalf,
                "0:½" => GameResult::BlackHalf,
                _ => return None,
            }
        }
    })
}

/// Reads a result with blanks at the start of a text: `1 - 0`, `½ - ½`. Returns its end. `0 - 0` is castling, without a
/// result.
pub(crate) fn spaced_result(text: &[u8]) -> Option<(Option<GameResult>, usize)> {
    let first = text.first()?;
    if first.is_ascii_alphabetic() && !matches!(first, b'O' | b'o') {
        return None;
    }
    let mut end = 0;
    for count in 1..=3 {
        let next = lex::skip_spaces(text, end);
        end = lex::word_end(text, next);
        if end == next || end > next + 12 {
            return None;
        }
        let all = text.get(..end)?;
        if count == 1 {
            continue;
        }
        let whole: Vec<u8> = all.iter().copied().filter(|b| !is_blank(*b)).collect();
        if moves::is_castling(&whole) {
            return Some((None, end));
        }
        if let Some(result) = result_text(all).filter(|_| !first.is_ascii_alphabetic()) {
            return Some((Some(result), end));
        }
    }
    None
}

/// The length of the result at the start of a text, with or without blanks: `1-0`, `1 - 0`.
pub(crate) fn leading_result(text: &[u8]) -> Option<usize> {
    if let Some((Some(_), len)) = spaced_result(text) {
        return Some(len);
    }
    let len = lex::word_end(text, 0);
    result_word(bare(text.get(..len)?)).map(|_| len)
}

/// Reads the result in a tag or a cell: every result of [`result_word`], with or without blanks, `0-0` for a game lost
/// by both players, words such as `draw` and `remis`, and `?`, `-` or nothing for an unknown result.
///
/// ```
/// use tridex_archive::{GameResult, result_text};
///
/// assert_eq!(result_text(b"Remis"), Some(GameResult::Draw));
/// assert_eq!(result_text(b"1 - 0"), Some(GameResult::White));
/// assert_eq!(result_text(b"?"), Some(GameResult::Unknown));
/// assert_eq!(result_text(b"White was late"), None);
/// ```
pub fn result_text(text: &[u8]) -> Option<GameResult> {
    let text = text.trim_ascii();
    if let Some(result) = result_word(text) {
        return Some(result);
    }
    if text.len() > 32 {
        return None;
    }
    let word: String = decode(text)
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| if is_dash(c) { '-' } else { c })
        .flat_map(char::to_lowercase)
        .collect();
    match &*word {
        "" | "?" | "-" => Some(GameResult::Unknown),
        "0-0" => Some(GameResult::BothLost),
        word if is_draw(word) => Some(GameResult::Draw),
        word => result_word(word.as_bytes()),
    }
}

/// Whether the value of a tag is a result in standard form: one of PGN's four, or one that only an arbiter can decide.
/// [`result_text`] reads other forms too.
///
/// ```
/// use tridex_archive::is_standard_result;
///
/// assert!(is_standard_result(b"1/2-1/2") && !is_standard_result(b"remis"));
/// ```
pub fn is_standard_result(value: &[u8]) -> bool {
    let is_same = |result: GameResult| result.as_str().as_bytes() == value;
    value == b"0-0" || result_word(value).is_some_and(is_same)
}

impl GameResult {
    /// The result in a query or a form: every result of [`result_text`], and `=` for a draw. An unknown result is `*`;
    /// `?` is `None`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name.trim() {
            "*" => Some(Self::Unknown),
            "=" => Some(Self::Draw),
            name => result_text(name.as_bytes()).filter(|result| *result != Self::Unknown),
        }
    }
}

/// The NAG of a separate mark, if it has one.
pub(crate) fn nag_of_mark(word: &[u8]) -> Option<u8> {
    Some(match word {
        b"!" => 1,
        b"?" => 2,
        b"!!" => 3,
        b"??" => 4,
        b"!?" => 5,
        b"?!" => 6,
        _ => return whole_sign(word, moves::evaluation),
    })
}

/// Whether a word is a sign of check or mate that belongs to the move before it.
pub(crate) fn is_check_sign(word: &[u8]) -> bool {
    whole_sign(word, moves::check_sign).is_some()
}

/// The meaning of a sign, if it is all of a word.
fn whole_sign<T>(word: &[u8], sign: impl Fn(&[u8]) -> Option<(T, usize)>) -> Option<T> {
    // Longer words are not signs, and may be very long.
    if word.len() > 3 {
        return None;
    }
    let text = decode(word);
    let (meaning, len) = sign(text.as_bytes())?;
    (len == text.len()).then_some(meaning)
}

/// Whether a word is `etc.`.
pub(crate) fn is_etc(word: &[u8]) -> bool {
    word.strip_suffix(b".")
        .unwrap_or(word)
        .eq_ignore_ascii_case(b"etc")
}

/// A word in small letters, without the marks of sentences around it.
fn plain(word: &[u8]) -> String {
    decode(word)
        .trim_matches(|c: char| c.is_ascii_punctuation() && c != '+' && c != '#')
        .to_lowercase()
}

/// A mark in words after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkWord {
    /// Check, in the sign of most notations.
    Check,
    /// Mate.
    Mate,
    /// `dis`, `dbl`: the kind of the check in the next word.
    Kind,
    /// A draw offer.
    Offer,
}

/// Reads a word without digits as a mark in words: `ch`, `mate`, `dis`, `draw?`.
pub(crate) fn mark_word(word: &[u8]) -> Option<MarkWord> {
    if word.len() > 16 {
        return None;
    }
    let text = plain(word);
    if word.ends_with(b"?") && is_draw(&text) {
        return Some(MarkWord::Offer);
    }
    if is_kind(text.as_bytes()) {
        return Some(MarkWord::Kind);
    }
    let (mark, len) = mark(text.as_bytes())?;
    let mark = match mark {
        Mark::Check => MarkWord::Check,
        Mark::Mate => MarkWord::Mate,
    };
    (len == text.len()).then_some(mark)
}

/// Whether a word in small letters states a draw.
fn is_draw(word: &str) -> bool {
    meaning(Context::Ending, word) == Some("draw")
}

/// Reads a comment as the end of a game: `remis`, `draw agreed`, `Black resigns`, `resigns`. The side to move is not
/// known here.
pub(crate) fn ending(remark: &[u8]) -> Option<Ending> {
    if remark.len() > 64 || remark.contains(&b'?') {
        return None;
    }
    let text = decode(remark).to_lowercase();
    let words: Vec<Option<&str>> = text
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| c.is_ascii_punctuation()))
        .filter(|word| !word.is_empty())
        .take(8)
        .map(|word| meaning(Context::Ending, word))
        .collect();
    let has = |meaning| words.contains(&Some(meaning));
    let resigned = has("resigns") || has("gives") && has("up");
    let is_bare = || {
        words
            .iter()
            .all(|word| matches!(word, Some("resigns" | "gives" | "up")))
    };
    let (first, rest) = words.split_first()?;
    let is_drawn = *first == Some("draw") && rest.iter().all(|word| *word == Some("agreed"));
    match (resigned, has("White"), has("Black")) {
        (true, true, false) => Some(Ending::Resigned(GameResult::Black)),
        (true, false, true) => Some(Ending::Resigned(GameResult::White)),
        (true, false, false) if is_bare() => Some(Ending::ResignedUnnamed(None)),
        _ => is_drawn.then_some(Ending::Drawn),
    }
}

/// Whether a word is a known comment among moves: `sealed`.
pub(crate) fn is_remark(word: &[u8]) -> bool {
    let word = bare(word).to_ascii_lowercase();
    std::str::from_utf8(&word).is_ok_and(|word| meaning(Context::Ending, word) == Some("remark"))
}

/// Whether a word is a move number with letters instead of digits, as from scanners and from typewriters without a one:
/// `l.`, `1l...`. No move has a full stop so early.
pub(crate) fn is_misread_number(word: &[u8]) -> bool {
    let is_one = |b: &u8| matches!(b, b'l' | b'I');
    let stops = word.iter().rev().take_while(|b| **b == b'.').count();
    let digits = word.get(..word.len() - stops).unwrap_or_default();
    matches!((stops, digits.len()), (1 | 3, 1..=3))
        && digits.iter().all(|b| b.is_ascii_digit() || is_one(b))
        && digits.iter().any(is_one)
}

/// Whether a word is a time of day or of a clock: `0:05`, `1:30:00`, `0:05:12.3`.
pub(crate) fn is_time(word: &[u8]) -> bool {
    let digits = |part: &[u8], len: RangeInclusive<usize>| {
        len.contains(&part.len()) && part.iter().all(u8::is_ascii_digit)
    };
    let is_seconds = |part: &[u8]| match part.split_at_checked(2) {
        Some((whole, [b'.', fraction @ ..])) => digits(whole, 2..=2) && digits(fraction, 1..=3),
        _ => digits(part, 2..=2),
    };
    let mut parts = word.splitn(3, |b| *b == b':');
    parts.next().is_some_and(|hours| digits(hours, 1..=3))
        && parts.next().is_some_and(|minutes| digits(minutes, 2..=2))
        && parts.next().is_none_or(is_seconds)
}

/// The numbers of words of each kind in a line, or a part of one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mix {
    /// All words.
    pub(crate) words: usize,
    /// Words that may be moves.
    pub(crate) moves: usize,
    /// Words of a language.
    pub(crate) prose: usize,
    /// It begins with a move, numbered or not.
    pub(crate) begins_with_move: bool,
}

/// Counts the words of a line by kind.
pub(crate) fn mix(line: &[u8]) -> Mix {
    let mut mix = Mix::default();
    for (_, word) in words_of(line) {
        let is_move = may_be_move(numbered(word).1);
        mix.begins_with_move |= is_move && mix.words == 0;
        mix.words += 1;
        mix.moves += usize::from(is_move);
        mix.prose += usize::from(!is_move && is_text(word));
    }
    mix
}

/// The length of the text in a line among moves, up to the next move or number with a full stop. A whole line is text
/// if one of its words is of a language, or if it is a ruled line. A part of a line needs two such words, and they must
/// be half of its words, because one may be a damaged move.
pub(crate) fn text_len(line: &[u8], is_whole: bool) -> Option<usize> {
    let before = before_moves(line);
    let part = line.get(..before)?;
    let end = words_of(part).find(|(_, word)| {
        let (digits, rest) = numbered(word);
        may_be_move(rest) || rest.is_empty() && word.len() > digits
    });
    let len = end.map_or(before, |(at, _)| at);
    let mix = mix(line.get(..len)?);
    let is_text = if is_whole && len == line.len() {
        mix.prose > 0 || is_ruled(line)
    } else {
        mix.prose >= 2 && 2 * mix.prose >= mix.words
    };
    is_text.then_some(len)
}

/// Whether a line is a rule: `=====`, `-----`.
pub(crate) fn is_ruled(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let first = line.first().filter(|b| b"-=*_~#".contains(b));
    line.len() >= 3 && line.iter().all(|b| Some(b) == first)
}

/// Whether a word may be a move, and is short enough for one.
fn may_be_move(word: &[u8]) -> bool {
    word.len() < 24 && moves::looks_like_move(word)
}

/// The words of a line between blanks, and where they begin.
pub(crate) fn words_of(line: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at = skip_blanks(line, at);
        let rest = line.get(at..)?;
        // A blank of several bytes separates words too.
        let mut end = 0;
        while rest.get(end).is_some_and(|b| !is_blank(*b)) && high_blank(rest, end) == 0 {
            end += char_len(rest, end);
        }
        let word = rest.get(..end).filter(|word| !word.is_empty())?;
        at += end;
        Some((at - end, word))
    })
}

/// The number of digits of a move number at the start of a word, or 0, and the text after it.
pub(crate) fn numbered(word: &[u8]) -> (usize, &[u8]) {
    let digits = word.iter().take_while(|b| b.is_ascii_digit()).count();
    let mut after = word.get(digits..).unwrap_or_default();
    let stop = |text: &[u8]| match text.first() {
        Some(b':' | b')' | b'/') => 1,
        _ => dot_len(text, 0),
    };
    let is_number = (1..=4).contains(&digits) && (after.is_empty() || stop(after) > 0);
    if !is_number {
        return (0, word);
    }
    while let len @ 1.. = stop(after) {
        after = after.get(len..).unwrap_or_default();
    }
    (digits, after)
}

/// The number of a move, and whether it is written as Black's: `12...`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Number {
    pub(crate) number: u32,
    pub(crate) is_black: bool,
}

impl Number {
    /// The number at the start of a word, and the rest of the word.
    pub(crate) fn of(word: &[u8]) -> Option<(Self, &[u8])> {
        let (digits, rest) = numbered(word);
        let number = std::str::from_utf8(word.get(..digits)?).ok()?;
        let number = number.parse().ok()?;
        let is_black = word.len() - digits - rest.len() > 2;
        Some((Self { number, is_black }, rest))
    }

    /// A word that is only a number.
    pub(crate) fn whole(word: &[u8]) -> Option<Self> {
        let (number, rest) = Self::of(word)?;
        rest.is_empty().then_some(number)
    }
}

/// The first result of a line: where it begins, and its length.
pub(crate) fn first_result(line: &[u8]) -> Option<(usize, usize)> {
    let mut at = 0;
    while at < line.len() {
        let rest = line.get(at..)?;
        let to = lex::word_end(rest, 0);
        let skipped = high_blank(rest, 0).max(dot_len(rest, 0));
        if skipped > 0 || to == 0 {
            at += skipped.max(1);
            continue;
        }
        if let Some(len) = leading_result(rest) {
            return Some((at, len));
        }
        // A result may be directly after a number.
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        at += match rest.get(digits) {
            Some(b'.' | b':' | b'/') if digits > 0 => digits + 1,
            Some(0x80..) if dot_len(rest, digits) > 0 => digits,
            _ => to,
        };
    }
    None
}

/// The parenthesis that closes the one at `start`, if no move, move number or result is between them.
pub(crate) fn closing_parenthesis(bytes: &[u8], start: usize) -> Option<usize> {
    /// The maximum length of a comment in parentheses.
    const REACH: usize = 512;
    let rest = bytes.get(start + 1..)?;
    let near = rest.get(..REACH - 1).unwrap_or(rest);
    let mut at = start + 1;
    for word in near.split(|b| is_blank(*b)) {
        let is_stop = |b: &u8| {
            matches!(
                b,
                b'(' | b')' | b'{' | b'}' | b'[' | b']' | b'$' | b';' | b'"'
            )
        };
        let stop = word.iter().position(is_stop);
        let text = word.get(..stop.unwrap_or(word.len()))?;
        let is_number = text.first().is_some_and(u8::is_ascii_digit) && text.ends_with(b".");
        if is_number
            || moves::looks_like_move(text)
            || text.starts_with(b"%")
            || result_word(bare(text)).is_some()
        {
            return None;
        }
        if let Some(stop) = stop {
            return (word.get(stop) == Some(&b')')).then_some(at + stop);
        }
        at += word.len() + 1;
    }
    None
}

/// Whether a word is of a language, and not one that may be between moves, such as `etc.`, `e.p.`, `check`.
pub(crate) fn is_text(word: &[u8]) -> bool {
    !word.iter().any(u8::is_ascii_digit)
        && moves::is_prose(&decode(word))
        && !is_etc(word)
        && !moves::is_en_passant(word)
        && mark_word(word).is_none()
}

/// Whether a text has a word of a language, which may be `min` of `5min`.
pub(crate) fn has_prose(text: &[u8]) -> bool {
    words_of(text).any(|(_, word)| {
        let digits = word.iter().take_while(|b| b.is_ascii_digit()).count();
        word.get(digits..).is_some_and(is_text)
    })
}

/// The length of a line before the first number with a move: `12. b4N`, `12 b4N`.
pub(crate) fn before_moves(line: &[u8]) -> usize {
    let mut all = words_of(line).peekable();
    while let Some((at, word)) = all.next() {
        let (digits, after) = numbered(word);
        let next = all.peek().map_or(&[][..], |(_, next)| next);
        // Without a full stop four digits are a year.
        let is_number = digits > 0 && (digits < 4 || word.len() > digits);
        if is_number && may_be_move(if after.is_empty() { next } else { after }) {
            let head = line.get(..at).unwrap_or_default();
            let loose = |b: &u8| is_blank(*b) || matches!(b, b'/' | b'|');
            return head.iter().rposition(|b| !loose(b)).map_or(0, |n| n + 1);
        }
    }
    line.len()
}

/// A word without trailing commas and full stops.
pub(crate) fn bare(word: &[u8]) -> &[u8] {
    let stops = word.iter().rev().take_while(|b| matches!(b, b',' | b'.'));
    word.get(..word.len() - stops.count()).unwrap_or_default()
}

/// A time as a PGN comment.
pub(crate) fn clock(time: &[u8]) -> Vec<u8> {
    [b"[%clk ", time, b"]"].concat()
}

/// Text without the blanks at its ends.
pub(crate) fn trimmed(text: &[u8]) -> &[u8] {
    let from = skip_blanks(text, 0).min(text.len());
    text.get(from..).unwrap_or_default().trim_ascii_end()
}
