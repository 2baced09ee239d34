//! Classifies words: the number of a move, a result, a move, a time, a mark, a word of a language.
//!
//! [`word_at`] classifies one word, and [`words`] all words of a text. All readers use them: those of moves, of
//! headings, of sentences, of brackets, and of the text after a semicolon. People write numbers, results and marks in
//! many ways; the ones listed here are read. The functions know no notation: [`tridex_words::moves`] decides what may
//! be a move.

use std::ops::{Range, RangeInclusive};

use tridex_words::{Context, Mark as CheckMark, is_dash, is_kind, mark, meaning, moves};

use crate::item::Item;
use crate::lex::{self, decode, is_blank, skip_blanks};
use crate::unread::is_unrecorded;
use crate::visit::{Ending, GameResult, Unusual};

#[cfg(test)]
mod tests;

/// The kind of a word by itself. Its neighbours may make it something else.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The number of a move in half moves, without a parenthesis after it, and whether a full stop, a colon or a slash
    /// ends it.
    Number(u32, bool),
    Result(GameResult),
    Move,
    /// A time of day or of a clock.
    Time,
    /// A word of a language.
    Prose,
    /// A mark, or a word that is nothing else.
    Other,
    /// A byte that no word contains: brackets, a quotation mark, a semicolon.
    Sign(u8),
}

/// Returns the kind of the word from `at` to `end`, and the end of the text of this kind. A number may end inside the
/// word, before a move. A result or castling may have blanks inside, and end after the word, up to `limit`.
pub(crate) fn word_at(bytes: &[u8], at: usize, end: usize, limit: usize) -> (Kind, usize) {
    let word = bytes.get(at..end).unwrap_or_default();
    let is_digit = |b: Option<&u8>| b.is_some_and(u8::is_ascii_digit);
    let number = half_moves(word);
    if let Some((number, len)) = number.filter(|(_, len)| !is_digit(word.get(len - 1))) {
        // `12.` cannot be anything but a number, except in a date: `2.1.2004`.
        let rest = word.get(len..).unwrap_or_default();
        let year = half_moves(rest).and_then(|(_, len)| rest.get(len..));
        let is_date = year.is_some_and(|y| !y.is_empty() && y.iter().all(u8::is_ascii_digit));
        if !word.starts_with(b"0") && !is_date {
            return (Kind::Number(number, true), at + len);
        }
    } else if is_digit(word.first()) && moves::is_castling(word) {
        return (Kind::Move, end);
    }
    if let Some(found) = result_at(bytes, (at, end), limit) {
        return found;
    }
    let kind = match number {
        Some((number, len)) if at + len == end => Kind::Number(number, !is_digit(word.last())),
        _ if is_key(word) => Kind::Prose,
        _ if may_be_move(word) => Kind::Move,
        _ if is_time(bare(word)) => Kind::Time,
        _ if is_text(word) || is_user(word) => Kind::Prose,
        _ => Kind::Other,
    };
    (kind, end)
}

/// Whether a word with a colon names a tag. Some such words have letters of pieces and files: `Fecha:`.
fn is_key(word: &[u8]) -> bool {
    word.strip_suffix(b":").is_some_and(|word| {
        (3..=24).contains(&word.len())
            && meaning(Context::Key, &decode(word).to_lowercase()).is_some()
    })
}

/// The words and signs of a text, with their ranges. A full stop before a word is not part of it. A number without a
/// full stop counts as one with it if a move follows.
pub(crate) fn words(text: &[u8]) -> impl Iterator<Item = (Range<usize>, Kind)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while let next @ 1.. = lex::skip_dots(text, skip_blanks(text, at)) - at {
            at += next;
        }
        let (start, sign) = (at, *text.get(at)?);
        let end = lex::word_end(text, start);
        let kind_of = |at, end| word_at(text, at, end, text.len());
        let (mut kind, to) = match end > start {
            true => kind_of(start, end),
            false => (Kind::Sign(sign), start + 1),
        };
        // A number of four digits before a move may be a year.
        if let Kind::Number(number @ ..2_000, false) = kind {
            let next = skip_blanks(text, to);
            let is_moves = kind_of(next, lex::word_end(text, next)).0 == Kind::Move;
            kind = Kind::Number(number, is_moves);
        }
        at = to;
        Some((start..at, kind))
    })
}

/// Reads a word of movetext as a result: `1-0`, `0-1`, `1/2-1/2`, `*`, also with a colon or any dash, with `½`, `0,5`
/// or `0.5` for a half, and `1/2` or `½` alone; `+:-`, `-:+` and `-:-` for games that were not played out; `0:0`, and
/// `1/2-0`, `0-1/2`, by decision of an arbiter. `0-0` is castling here.
pub(crate) fn result_word(word: &[u8]) -> Option<GameResult> {
    // Most words begin otherwise, have letters, or are numbers.
    if !word
        .first()
        .is_some_and(|b| !b.is_ascii() || b"01.*+-lLIiOo".contains(b))
    {
        return None;
    }
    let is_number = word.iter().all(u8::is_ascii_digit) || word.ends_with(b".");
    if word.len() > 24 || is_number {
        return None;
    } else if let Some(standard) = standard_result(word) {
        return Some(standard);
    } else if word.iter().any(u8::is_ascii_alphabetic) || word.ends_with("\u{2153}".as_bytes()) {
        return misread_result(word);
    }
    let text = decode(word).replace(is_dash, "-");
    let halves = ["1/2", "0,5", "0.5", ".5"].into_iter();
    Some(
        match &*halves.fold(text, |text, half| text.replace(half, "½")) {
            "1-0" | "1:0" | "+:-" => GameResult::White,
            "0-1" | "0:1" | "-:+" => GameResult::Black,
            "½" | "½-½" | "½:½" => GameResult::Draw,
            // A dash between zeros is castling.
            "-:-" => GameResult::BothLost,
            "½-0" | "½:0" => GameResult::WhiteHalf,
            "0-½" | "0:½" => GameResult::BlackHalf,
            _ => return None,
        },
    )
}

/// A result with letters instead of digits, or with another fraction, as scanners read it: `l-0`, `1-O`, `½-⅓`.
pub(crate) fn misread_result(word: &[u8]) -> Option<GameResult> {
    let may_begin = |b: &u8| !b.is_ascii() || b"01lLIiOo".contains(b);
    if !(3..=12).contains(&word.len())
        || !word.first().is_some_and(may_begin)
        || moves::is_castling(word)
    {
        return None;
    }
    let plain: String = decode(word)
        .chars()
        .map(|c| match c {
            'l' | 'L' | 'I' | 'i' => '1',
            'O' | 'o' => '0',
            '\u{2153}' | '\u{bc}' | '\u{be}' => '½',
            c if is_dash(c) => '-',
            c => c,
        })
        .collect();
    match &*plain {
        "1-0" | "1:0" => Some(GameResult::White),
        "0-1" | "0:1" => Some(GameResult::Black),
        "½-½" | "1/2-1/2" | "½:½" => Some(GameResult::Draw),
        _ => None,
    }
}

fn standard_result(word: &[u8]) -> Option<GameResult> {
    let mut all = GameResult::ALL.into_iter();
    all.find(|result| result.as_str().as_bytes() == word)
}

/// Reads the result that begins with the word from `at` to `end`, and returns its end. It may have blanks, up to
/// `limit`: `1 - 0`, `½ - ½`. `0 - 0` is not a result but castling.
fn result_at(bytes: &[u8], (at, mut end): (usize, usize), limit: usize) -> Option<(Kind, usize)> {
    let word = bytes.get(at..end)?;
    let found = result_word(bare(word)).map(|result| (Kind::Result(result), end));
    let may_go_on = match found {
        Some((Kind::Result(GameResult::Draw), _)) => word.len() <= 3,
        None => matches!(word, b"0" | b"1"),
        _ => false,
    };
    if !may_go_on {
        return found;
    }
    for _ in 0..2 {
        let next = lex::skip_spaces(bytes, end);
        end = lex::word_end(bytes, next);
        if end == next || end > next + 12 || end > limit {
            break;
        }
        let all = bytes.get(at..end)?;
        let whole: Vec<u8> = all.iter().copied().filter(|b| !is_blank(*b)).collect();
        if moves::is_castling(&whole) {
            return found.or(Some((Kind::Move, end)));
        }
        if let Some(result) = result_text(all) {
            return Some((Kind::Result(result), end));
        }
    }
    found
}

/// Reads the result in a tag or a cell: `1-0`, `0-1`, `1/2-1/2`, `*`, also with a colon, any dash or blanks, with `½`,
/// `0,5` or `0.5` for a half, and `1/2` or `½` alone; `+:-` for a game that was not played out; `1/2-0`, and `0-0` for
/// a game that both players lost; words such as `draw` and `remis`; and `?`, `-` or nothing for an unknown result.
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
    let word: String = decode(text).split_whitespace().collect();
    match &*word.replace(is_dash, "-").to_lowercase() {
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
    value == b"0-0" || standard_result(value).is_some()
}

impl GameResult {
    /// Reads the result in a query or a form: every result of [`result_text`], and `=` for a draw. An unknown result is
    /// `*`; `?` is `None`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name.trim() {
            "*" => Some(Self::Unknown),
            "=" => Some(Self::Draw),
            name => result_text(name.as_bytes()).filter(|result| *result != Self::Unknown),
        }
    }
}

/// A mark after a move, and whether it has an unusual form.
type Mark<'w> = (Item<&'w [u8]>, Option<Unusual>);

/// Reads the mark after a move at `at`, and returns its end. It may be one word, or two as in `dis ch`.
pub(crate) fn mark_at(bytes: &[u8], at: usize, limit: usize) -> Option<(Mark<'_>, usize)> {
    let end = lex::word_end(bytes, at);
    let word = bytes.get(at..end)?;
    if let Some(mark) = mark_of(word) {
        return Some((mark, end));
    }
    let next = lex::skip_spaces(bytes, end);
    let both = lex::word_end(bytes, next);
    if word.len() > 16 || both > limit || !is_kind(plain(word).as_bytes()) {
        return None;
    }
    let mark = match bytes.get(next..both)? {
        sign @ b"+" => (Item::Word(sign), Some(Unusual::Mark)),
        _ => mark_of(bytes.get(at..both)?)?,
    };
    Some((mark, both))
}

/// Reads a word as a mark.
fn mark_of(word: &[u8]) -> Option<Mark<'_>> {
    let judgements = [&b"!"[..], b"?", b"!!", b"??", b"!?", b"?!"];
    if let Some((nag, _)) = (1..).zip(judgements).find(|(_, sign)| *sign == word) {
        return Some((Item::Nag(nag), None));
    } else if moves::is_draw_offer(word) {
        return Some((Item::DrawOffer, Some(Unusual::Offer)));
    } else if word.len() > 32 {
        // Do not decode a very long word.
        return None;
    }
    let (text, in_words) = (decode(word), plain(word));
    if let Some((nag, len)) = moves::evaluation(text.as_bytes()) {
        (len == text.len()).then_some((Item::Nag(nag), None))
    } else if is_etc(word) || is_mark(word) {
        Some((Item::Word(word), None))
    } else if word.ends_with(b"?") && is_draw(&in_words) {
        Some((Item::DrawOffer, Some(Unusual::Offer)))
    } else {
        let (mark, len) = mark(in_words.as_bytes())?;
        let sign: &[u8] = match mark {
            CheckMark::Check => b"+",
            CheckMark::Mate => b"#",
        };
        (len == in_words.len()).then_some((Item::Word(sign), Some(Unusual::Mark)))
    }
}

/// Whether a word is a sign of check or mate, or `e.p.`.
pub(crate) fn is_mark(word: &[u8]) -> bool {
    let text = decode(word);
    let sign = moves::check_sign(text.as_bytes());
    moves::is_en_passant(word) || sign.is_some_and(|(_, len)| len == text.len())
}

/// Whether a word has neither letters nor digits, and is not the sign of a move that was not recorded.
pub(crate) fn is_sign(word: &[u8]) -> bool {
    !decode(word).chars().any(char::is_alphanumeric)
        && !word.contains(&b'?')
        && !is_unrecorded(word)
}

/// The side that a word at the head of a column names: `White`, `W`, `schwarz`.
pub(crate) fn side(word: &[u8]) -> Option<&'static str> {
    if word.len() > 16 {
        return None;
    }
    let side = meaning(Context::Column, &decode(word).to_lowercase())?;
    matches!(side, "White" | "Black").then_some(side)
}

/// The side that the label of a row of moves names, and the name of its player, or nothing: `White`, `White (Ann)`,
/// `W - Ann`, `White: Ann`, `Ann (White)`.
pub(crate) fn labelled_side(label: &str) -> Option<(&'static str, &str)> {
    let is_loose = |c: char| c.is_whitespace() || is_dash(c) || matches!(c, ':' | ',' | '|' | '=');
    let label = label.trim_matches(is_loose);
    if let Some((name, side)) = label
        .strip_suffix(')')
        .and_then(|text| text.rsplit_once('('))
        && let Some(side) = self::side(side.trim().as_bytes())
    {
        return Some((side, name.trim_end_matches(is_loose)));
    }
    let end = label.find(|c: char| !c.is_alphanumeric());
    let (word, rest) = label.split_at(end.unwrap_or(label.len()));
    let name = rest.trim_start_matches(is_loose);
    let inside = name
        .strip_prefix('(')
        .and_then(|name| name.strip_suffix(')'));
    Some((
        side(word.as_bytes())?,
        inside.unwrap_or(name).trim_matches(is_loose),
    ))
}

/// Whether a word is `etc.`.
pub(crate) fn is_etc(word: &[u8]) -> bool {
    let word = word.strip_suffix(b".").unwrap_or(word);
    word.eq_ignore_ascii_case(b"etc")
}

/// A word in lower case, without the punctuation around it.
fn plain(word: &[u8]) -> String {
    decode(word)
        .trim_matches(|c: char| c.is_ascii_punctuation() && c != '+' && c != '#')
        .to_lowercase()
}

/// Whether a word in lower case states a draw.
fn is_draw(word: &str) -> bool {
    meaning(Context::Ending, word) == Some("draw")
}

/// Reads a comment as the end of a game: `remis`, `draw agreed`, `Black resigns`, `resigns`. The side to move is not
/// known here. A comment on what did not happen, or might have, is not one: `White should have resigned`.
pub(crate) fn ending(remark: &[u8]) -> Option<Ending> {
    if remark.len() > 96 || remark.contains(&b'?') {
        return None;
    }
    let text = decode(remark).to_lowercase();
    let words: Vec<Option<&str>> = text
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .map(|word| word.trim_end_matches("'s").trim_end_matches("\u{2019}s"))
        // `draw after 3h 20m`, `after move 37`
        .filter(|word| {
            !word.is_empty() && (*word == "1/2" || !word.starts_with(|c: char| c.is_ascii_digit()))
        })
        .take(12)
        .map(|word| meaning(Context::Ending, word))
        .filter(|meaning| *meaning != Some("filler"))
        .collect();
    let has = |meaning| words.contains(&Some(meaning));
    if has("not") {
        return None;
    }
    let ending = |result, is_unnamed, is_resignation| {
        Some(Ending {
            result,
            is_unnamed,
            is_resignation,
        })
    };
    let (first, rest) = words.split_first()?;
    let is_drawn = match first {
        Some("draw") => rest.first().is_none_or(|word| *word == Some("agreed")),
        // `agreed drawn`
        Some("agreed") => {
            rest.iter()
                .all(|word| matches!(word, Some("agreed" | "draw")))
                && has("draw")
        }
        _ => false,
    };
    // `White wins on time`, `Black lost`, `White's flag fell`: every word is known.
    let wins = has("wins");
    let loses = has("loses") || has("flag") && (has("fell") || has("loses"));
    let decided = words.iter().all(Option::is_some) && (wins || loses);
    if decided && has("White") != has("Black") {
        let is_white = has("White") == wins;
        let result = [GameResult::Black, GameResult::White][usize::from(is_white)];
        return ending(Some(result), false, false);
    }
    let is_bare = |word: &Option<&str>| matches!(word, Some("resigns" | "gives" | "up"));
    if let Some(result) = resignation(&words) {
        ending(Some(result), false, true)
    } else if (has("resigns") || has("gives") && has("up")) && words.iter().all(is_bare) {
        ending(None, true, true)
    } else if is_drawn {
        ending(Some(GameResult::Draw), false, false)
    } else {
        None
    }
}

/// The result if the meanings of words state that a named player resigned. The player is named before the verb, with known
/// words between them, or else directly after it, at the end.
fn resignation(words: &[Option<&str>]) -> Option<GameResult> {
    let is_verb = |word: &Option<&str>| matches!(word, Some("resigns" | "gives"));
    let verb = words.iter().position(is_verb)?;
    let (before, after) = words.split_at_checked(verb)?;
    let after = match after {
        [Some("resigns"), after @ ..] => after,
        [Some("gives"), after @ ..] if after.contains(&Some("up")) => after,
        _ => return None,
    };
    let known = before.iter().rev().map_while(|word| *word);
    let mut named = known.filter(|word| matches!(*word, "White" | "Black"));
    let side = match (named.next(), after) {
        (Some(side), _) => side,
        (None, [Some(side)] | [Some("up"), Some(side)]) => side,
        _ => return None,
    };
    match side {
        "White" => Some(GameResult::Black),
        "Black" => Some(GameResult::White),
        _ => None,
    }
}

/// Reads castling in words, in either order, and returns it as a move with the end of the words: `castles short`, `lange
/// Rochade`.
pub(crate) fn castling_in_words(bytes: &[u8], at: usize) -> Option<(&'static [u8], usize)> {
    let end = lex::word_end(bytes, at);
    let known = |from: usize, to: usize| {
        let word = bytes.get(from..to).filter(|word| word.len() <= 16)?;
        meaning(Context::Castling, &plain(word))
    };
    let first = known(at, end)?;
    let next = lex::skip_spaces(bytes, end);
    let to = lex::word_end(bytes, next);
    let castling = moves::castling_of(first, known(next, to)?)?;
    Some((castling.as_bytes(), to))
}

/// Whether a word is a known comment among moves: `sealed`.
pub(crate) fn is_remark(word: &[u8]) -> bool {
    word.len() <= 32 && meaning(Context::Ending, &plain(word)) == Some("remark")
}

/// Whether a word is a move number with letters instead of digits, as from scanners and from typewriters without a one:
/// `l.`, `1l...`. No move has a full stop after so few letters.
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

/// Whether a line is a rule, or the border of a table: `=====`, `----- -----`, `|---|---|`, a fence of Markdown.
pub(crate) fn is_ruled(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    // The borders of tables made of characters are not longer.
    if line.len() < 3 || line.len() > 512 {
        return false;
    }
    if let Some(fence) = line.strip_prefix(b"```") {
        return fence.iter().all(u8::is_ascii_alphabetic);
    }
    // `- - -`
    let is_dashed = line.len() >= 5
        && line.iter().step_by(2).all(|b| Some(b) == line.first())
        && line.iter().skip(1).step_by(2).all(|b| *b == b' ');
    if is_dashed && matches!(line.first(), Some(b'-' | b'=' | b'_')) && line.len() % 2 == 1 {
        return true;
    }
    let is_stroke = |c: char| "-=*_~#`".contains(c) || ('\u{2500}'..='\u{257f}').contains(&c);
    let text = decode(line);
    let mut last = (' ', 0);
    let mut longest = 0;
    for c in text.chars() {
        if !is_stroke(c) && !"+|:".contains(c) && !c.is_whitespace() {
            return false;
        }
        last = (c, if c == last.0 { last.1 + 1 } else { 1 });
        if is_stroke(c) {
            longest = longest.max(last.1);
        }
    }
    longest >= 3
}

/// Finds moves at `at` that are crossed out, and their end with the signs around them: `~~a5N~~`, `~~a5N b6B~~`,
/// `-a5N-`.
pub(crate) fn crossed_out(bytes: &[u8], at: usize, limit: usize) -> Option<(Range<usize>, usize)> {
    /// The maximum length of the text that is crossed out, with its signs.
    const REACH: usize = 64;
    let near = bytes.get(at..bytes.len().min(at + REACH).min(limit))?;
    let line = near.get(..lex::line_end(near, 0))?;
    let word = line.get(..lex::word_end(line, 0))?;
    let signs = [&b"~~"[..], b"--", b"-", b"~"].into_iter();
    let found = signs
        .filter(|sign| word.starts_with(sign))
        .find_map(|sign| {
            // Only `~~` may be around several words.
            let text = if sign == b"~~" { line } else { word };
            let close = memchr::memmem::find(text.get(sign.len()..)?, sign)?;
            let end = close + 2 * sign.len();
            let is_whole = sign == b"~~" || end == word.len();
            is_whole.then_some((sign.len()..sign.len() + close, end))
        });
    let (inside, end) = found?;
    let text = line.get(inside.clone())?;
    let has_move = words(text).any(|(_, kind)| kind == Kind::Move);
    has_move.then_some((at + inside.start..at + inside.end, at + end))
}

/// Whether a word may be a move, and is short enough for one.
fn may_be_move(word: &[u8]) -> bool {
    word.len() < 24 && moves::looks_like_move(word) && !is_user(word)
}

/// Whether a word is the name of a user or a game, with digits or `_` after at least four small letters: `trekker77`,
/// `Tactic3`.
fn is_user(word: &[u8]) -> bool {
    let tail = match word {
        [first, tail @ ..] if first.is_ascii_uppercase() => tail,
        _ => word,
    };
    let small = tail.iter().take_while(|b| b.is_ascii_lowercase()).count();
    small >= 4 && word.iter().any(|b| b.is_ascii_digit() || *b == b'_')
}

/// Reads the move number at the start of a word. Returns it in half moves - two for each move, and one more for
/// Black's, `12...` - with its length, including full stops, a colon or a slash. A letter may be typed for a one.
pub(crate) fn half_moves(word: &[u8]) -> Option<(u32, usize)> {
    let mut digits = word.iter().take_while(|b| b.is_ascii_digit()).count();
    if matches!(word.get(digits), Some(b'l' | b'I')) && is_misread_number(word) {
        digits = word.iter().take_while(|b| **b != b'.').count();
    }
    let digit = |b: &u8| if b.is_ascii_digit() { b - b'0' } else { 1 };
    let mut all = word.get(..digits).filter(|_| digits > 0)?.iter().map(digit);
    let number = all.try_fold(0_u32, |number, digit| {
        number.checked_mul(10)?.checked_add(digit.into())
    })?;
    let end = match word.get(digits..)? {
        // A result or a time.
        [b':' | b'/', b'0'..=b'9' | b'-' | b':' | b'/', ..] => return None,
        [b':' | b'/', ..] => digits + 1,
        rest => digits + lex::skip_dots(rest, 0),
    };
    let half = 2 * number.min(1 << 30) + u32::from(end - digits > 1);
    (end > digits || end == word.len()).then_some((half, end))
}

/// The half moves of a word that is only a number, perhaps with a parenthesis after it.
pub(crate) fn number_alone(word: &[u8]) -> Option<u32> {
    let word = word.strip_suffix(b")").unwrap_or(word);
    let (half, len) = half_moves(word)?;
    (len == word.len()).then_some(half)
}

/// The parenthesis that closes the one at `start`, if there is only a move number between them, or text without moves
/// (but for one after several words), move numbers, results, brackets, quotation marks and semicolons that begin a comment.
pub(crate) fn closing_parenthesis(bytes: &[u8], start: usize) -> Option<usize> {
    /// The maximum length of a comment in parentheses.
    const REACH: usize = 512;
    let rest = bytes.get(start + 1..)?;
    let near = rest.get(..REACH - 1).unwrap_or(rest);
    // `(3.)`
    let close = memchr::memchr(b')', near.get(..12).unwrap_or(near));
    if let Some(close) = close
        && number_alone(near.get(..close)?.trim_ascii()).is_some()
    {
        return Some(start + 1 + close);
    }
    let is_word_end = |before: &[u8]| before.last().is_some_and(|b| !is_blank(*b));
    let (mut moves, mut prose) = (0, 0);
    let end = words(near).find_map(|(word, kind)| match kind {
        Kind::Sign(b')') => Some(Some(start + 1 + word.start)),
        // A semicolon in a sentence follows a word.
        Kind::Sign(b';') if near.get(..word.start).is_some_and(is_word_end) => None,
        // `(first wrote a7B)`: no line of moves begins with several words.
        Kind::Move if moves == 0 && prose >= 2 => {
            moves += 1;
            None
        }
        Kind::Sign(_) | Kind::Move | Kind::Result(_) | Kind::Number(_, true) => Some(None),
        kind => {
            prose += usize::from(kind == Kind::Prose);
            None
        }
    });
    end.flatten()
}

/// Whether a word is of a language, and not one that may be between moves, such as `etc.`, `e.p.`, `check`. It may
/// begin with digits: `5min`.
pub(crate) fn is_text(word: &[u8]) -> bool {
    let digits = word.iter().take_while(|b| b.is_ascii_digit()).count();
    let word = word.get(digits..).unwrap_or_default();
    !word.iter().any(u8::is_ascii_digit)
        && (moves::is_prose(&decode(word)) || is_remark(word) || is_address(word))
        && mark_of(word).is_none()
        && !is_kind(plain(word).as_bytes())
}

/// Whether a word is the address of a person or a page: `anna@club.example`, `https://club.example`.
fn is_address(word: &[u8]) -> bool {
    let at = memchr::memchr(b'@', word);
    let is_mail = at.is_some_and(|at| {
        let (name, host) = word.split_at(at);
        !name.is_empty() && memchr::memchr(b'.', host).is_some_and(|dot| dot > 1)
    });
    is_mail
        || word.starts_with(b"http://")
        || word.starts_with(b"https://")
        || word.starts_with(b"www.")
}

/// Whether a text has a word of a language.
pub(crate) fn has_prose(text: &[u8]) -> bool {
    words(text).any(|(_, kind)| kind == Kind::Prose)
}

/// A word without trailing commas and full stops.
pub(crate) fn bare(word: &[u8]) -> &[u8] {
    let stops = word.iter().rev().take_while(|b| matches!(b, b',' | b'.'));
    word.get(..word.len() - stops.count()).unwrap_or_default()
}

/// Returns a time as the text of a PGN comment.
pub(crate) fn clock(time: &[u8]) -> Vec<u8> {
    [b"[%clk ", time, b"]"].concat()
}

/// Text without the blanks at its ends.
pub(crate) fn trimmed(text: &[u8]) -> &[u8] {
    let from = skip_blanks(text, 0).min(text.len());
    text.get(from..).unwrap_or_default().trim_ascii_end()
}
