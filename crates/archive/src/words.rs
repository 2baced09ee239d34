//! Words that are no moves: results, marks, times, ends of games, prose.
//!
//! People write these in many ways; every one that is listed here is read. None of the functions knows a notation: a
//! word is taken for a move, or for what is left of one, as long as nothing here explains it better.

use crate::lex::decode;
use crate::visit::GameResult;

/// What one player got.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Score {
    Won,
    Half,
    Lost,
}

/// Reads a word of movetext as a result: `1-0`, `0-1`, `1/2-1/2`, `*`, also with a colon or any dash, with `½` or `0,5`
/// or `0.5` for a half, which may stand alone as `1/2` and `½`; `+:-`, `-:+` and `-:-` for games that were not played out;
/// `0:0`, and `1/2-0`, `0-1/2`, which an arbiter may give. `0-0` is castling here.
#[must_use]
pub fn result_word(word: &[u8]) -> Option<GameResult> {
    match word {
        b"1-0" | b"1:0" => return Some(GameResult::White),
        b"0-1" | b"0:1" => return Some(GameResult::Black),
        b"1/2-1/2" | b"1/2:1/2" | b"1/2" => return Some(GameResult::Draw),
        b"*" => return Some(GameResult::Unknown),
        _ => {}
    }
    if word.len() > 24 || word.is_empty() {
        return None;
    }
    let text = decode(word);
    let (white, rest) = score(&text)?;
    if rest.is_empty() {
        return (white == Score::Half).then_some(GameResult::Draw);
    }
    let mut chars = rest.chars();
    let separator = chars.next().filter(|c| *c == ':' || is_dash(*c))?;
    let (black, rest) = score(chars.as_str())?;
    // A dash between signs is a judgement, between noughts it is castling.
    let signs = text.starts_with(['+', '-']);
    if !rest.is_empty()
        || signs != chars.as_str().starts_with(['+', '-'])
        || signs && separator != ':'
        || (white, black) == (Score::Lost, Score::Lost) && separator != ':'
    {
        return None;
    }
    of_scores(white, black)
}

/// Reads a text that states nothing but a result, as a tag or a cell does: what [`result_word`] reads, with or without
/// blanks, `0-0` for a game that both have lost, words like `draw` and `remis`, and `?`, `-` or nothing for a result that
/// is not known.
#[must_use]
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
    match word.as_str() {
        "" | "?" | "-" => Some(GameResult::Unknown),
        "0-0" => of_scores(Score::Lost, Score::Lost),
        word if DRAWN.contains(&word) => Some(GameResult::Draw),
        word => result_word(word.as_bytes()),
    }
}

fn of_scores(white: Score, black: Score) -> Option<GameResult> {
    match (white, black) {
        (Score::Won, Score::Lost) => Some(GameResult::White),
        (Score::Lost, Score::Won) => Some(GameResult::Black),
        (Score::Half, Score::Half) => Some(GameResult::Draw),
        (Score::Lost, Score::Lost) => Some(GameResult::BothLost),
        (Score::Half, Score::Lost) => Some(GameResult::WhiteHalf),
        (Score::Lost, Score::Half) => Some(GameResult::BlackHalf),
        _ => None,
    }
}

/// The score that a text begins with, and the rest.
fn score(text: &str) -> Option<(Score, &str)> {
    const SCORES: [(&str, Score); 9] = [
        ("1/2", Score::Half),
        ("½", Score::Half),
        ("0,5", Score::Half),
        ("0.5", Score::Half),
        (".5", Score::Half),
        ("1", Score::Won),
        ("0", Score::Lost),
        ("+", Score::Won),
        ("-", Score::Lost),
    ];
    SCORES
        .iter()
        .find_map(|(word, score)| Some((*score, text.strip_prefix(word)?)))
}

/// Whether a character is one of the dashes that people's editors make.
pub(crate) fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// The number PGN gives to a mark that stands alone, if it has one.
pub(crate) fn nag_of_mark(word: &[u8]) -> Option<u8> {
    Some(match word {
        b"!" => 1,
        b"?" => 2,
        b"!!" => 3,
        b"??" => 4,
        b"!?" => 5,
        b"?!" => 6,
        b"=" => 10,
        b"+=" => 14,
        b"=+" => 15,
        b"+/-" | b"\xb1" => 16,
        b"-/+" => 17,
        b"+-" => 18,
        b"-+" => 19,
        _ if word.is_ascii() => return None,
        _ => match std::str::from_utf8(word).ok()? {
            "□" => 7,
            "∞" => 13,
            "⩲" => 14,
            "⩱" => 15,
            "±" => 16,
            "∓" => 17,
            _ => return None,
        },
    })
}

/// Whether a word is a mark that belongs to the move before it.
pub(crate) fn is_suffix_mark(word: &[u8]) -> bool {
    // The daggers of UTF-8, of Windows-1252, and of one taken for the other.
    const DAGGERS: [&[u8]; 6] = [
        b"\xe2\x80\xa0",
        b"\xe2\x80\xa1",
        b"\x86",
        b"\x87",
        b"\xc2\x86",
        b"\xc2\x87",
    ];
    matches!(word, b"+" | b"++" | b"#") || DAGGERS.contains(&word)
}

/// Whether a word is `e.p.`, with or without its dots and with marks after it.
pub(crate) fn is_en_passant(word: &[u8]) -> bool {
    let Some(rest) = word.strip_prefix(b"e").or_else(|| word.strip_prefix(b"E")) else {
        return false;
    };
    let rest = rest.strip_prefix(b".").unwrap_or(rest);
    let Some(rest) = rest.strip_prefix(b"p").or_else(|| rest.strip_prefix(b"P")) else {
        return false;
    };
    let rest = rest.strip_prefix(b".").unwrap_or(rest);
    rest.iter().all(|b| b"+#!?".contains(b))
}

const DRAWN: [&str; 9] = [
    "draw", "drawn", "remis", "remise", "nulle", "tablas", "patta", "remíza", "1/2",
];

/// Whether a word is a time of day or of a clock: `0:05`, `1:30:00`, `0:05:12.3`.
pub(crate) fn is_time(word: &[u8]) -> bool {
    let mut parts = word.split(|b| *b == b':');
    let digits = |part: &[u8], most: usize| {
        (1..=most).contains(&part.len()) && part.iter().all(u8::is_ascii_digit)
    };
    let first = parts.next().is_some_and(|part| digits(part, 3));
    let mut count = 0;
    let rest = parts.all(|part| {
        count += 1;
        let (whole, fraction) = match part.iter().position(|b| *b == b'.') {
            Some(dot) if count > 1 => part.split_at(dot),
            _ => (part, &[][..]),
        };
        whole.len() == 2
            && digits(whole, 2)
            && (fraction.is_empty() || digits(fraction.get(1..).unwrap_or_default(), 3))
    });
    first && rest && (1..=2).contains(&count)
}

/// A time as the comment that PGN keeps it in.
pub(crate) fn clock(time: &[u8]) -> Vec<u8> {
    [b"[%clk ", time, b"]"].concat()
}
