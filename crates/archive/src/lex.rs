//! Scanning: classes of bytes, the ends of words and comments, tags.
//!
//! The functions only read forward, so the text before a game does not change how it is read.

use std::borrow::Cow;
use std::ops::Range;

use tridex_words::byte_table;
use tridex_words::moves::looks_like_move;

use crate::visit::Damage;

/// The bytes that may be inside a word, control characters included.
const IN_WORD: [bool; 256] = byte_table!(1..=8 | 14..=25 | 27..=31 | b'!' | b'#' | b'%'..=b'\'' | b'*'..=b':' | b'<'..=b'Z' | b'\\' | b'^'..=b'z' | b'|' | b'~' | 0x7f);

/// The bytes that may be inside the name of a tag.
const IN_TAG_NAME: [bool; 256] = byte_table!(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'+' | b'#' | b'=' | b':' | b'-' | 0x80..);

/// Whether a byte separates words: a blank, a zero, or the end mark of old text files (Ctrl-Z).
pub(crate) const fn is_blank(byte: u8) -> bool {
    matches!(byte, 0 | b'\t'..=b'\r' | 0x1a | b' ')
}

pub(crate) const fn is_newline(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// The end of the word at `from`, or `from` if there is none.
#[inline]
pub(crate) fn word_end(bytes: &[u8], from: usize) -> usize {
    let mut i = from;
    while let Some(&byte) = bytes.get(i) {
        if IN_WORD[usize::from(byte)] {
            i += 1;
        } else if byte < 0x80 || high_blank(bytes, i) > 0 && !is_joiner(bytes, i) {
            break;
        } else {
            i += char_len(bytes, i);
        }
    }
    i
}

/// Length of the blank that is not ASCII at `at`, or 0: blanks of typesetters and web pages, a byte order mark, the
/// no-break space of Latin-1.
pub(crate) fn high_blank(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at..) {
        Some([0xc2, 0xa0, ..]) => 2,
        Some([0xe2, 0x80, 0x80..=0x8b | 0xa8 | 0xa9 | 0xaf, ..])
        | Some([0xe2, 0x81, 0x9f, ..])
        | Some([0xe3, 0x80, 0x80, ..])
        | Some([0xef, 0xbb, 0xbf, ..]) => 3,
        Some([0xa0, ..]) => 1,
        _ => 0,
    }
}

/// Whether a zero-width space or a byte order mark is at `at`. Inside a word they separate nothing: editors and web pages
/// leave them there.
fn is_joiner(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at..) {
        Some([0xe2, 0x80, 0x8b, next, ..] | [0xef, 0xbb, 0xbf, next, ..]) => {
            next.is_ascii_alphanumeric()
        }
        _ => false,
    }
}

/// Length of the character at `at`; 1 for a byte that is not part of a UTF-8 character.
pub(crate) fn char_len(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let mut near = rest.get(..4).unwrap_or(rest).utf8_chunks();
    let first = near.next().and_then(|chunk| chunk.valid().chars().next());
    first.map_or(1, char::len_utf8)
}

/// Length of the dot at `at`, the start of a character, or 0. `…` counts as a dot, also in Windows-1252.
pub(crate) fn dot_len(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at..) {
        Some([b'.' | 0x85, ..]) => 1,
        Some([0xc2, 0x85, ..]) => 2,
        Some([0xe2, 0x80, 0xa6, ..]) => 3,
        _ => 0,
    }
}

/// The end of the dots at `at`.
pub(crate) fn skip_dots(bytes: &[u8], mut at: usize) -> usize {
    while let len @ 1.. = dot_len(bytes, at) {
        at += len;
    }
    at
}

/// First byte at or after `from` that is not a blank, ASCII or not; or the end.
pub(crate) fn skip_blanks(bytes: &[u8], from: usize) -> usize {
    let mut i = from;
    while let Some(&byte) = bytes.get(i) {
        i += match byte {
            byte if is_blank(byte) => 1,
            0x80.. if high_blank(bytes, i) > 0 => high_blank(bytes, i),
            _ => break,
        };
    }
    i
}

/// The number of line ends in a text.
pub(crate) fn line_breaks(text: &[u8]) -> usize {
    let ends = text.iter().filter(|b| is_newline(**b)).count();
    ends - text.windows(2).filter(|pair| *pair == b"\r\n").count()
}

/// First byte at or after `from` that is neither space nor tab.
pub(crate) fn skip_spaces(bytes: &[u8], from: usize) -> usize {
    let mut i = from;
    while matches!(bytes.get(i), Some(b' ' | b'\t')) {
        i += 1;
    }
    i
}

/// The end of the line with `from`: its line feed or carriage return, or the end of the text.
pub(crate) fn line_end(bytes: &[u8], from: usize) -> usize {
    match memchr::memchr2(b'\n', b'\r', bytes.get(from..).unwrap_or_default()) {
        Some(n) => from + n,
        None => bytes.len().max(from),
    }
}

/// Whether only spaces, tabs and zeros, and not too many, are between the start of a line and `at`. Nothing before
/// `start` is read. `from_start`: whether a line begins at `start`.
pub(crate) fn at_line_start(bytes: &[u8], start: usize, at: usize, from_start: bool) -> bool {
    let near = at.saturating_sub(TAG_REACH);
    let from_start = from_start && near <= start;
    let before = bytes.get(near.max(start)..at).unwrap_or_default();
    match before.iter().rfind(|b| !matches!(b, b' ' | b'\t' | 0)) {
        None => from_start,
        Some(&byte) => is_newline(byte),
    }
}

/// Whether an empty line is directly before `at`. Nothing before `start` is read.
pub(crate) fn after_empty_line(bytes: &[u8], start: usize, at: usize) -> bool {
    let before = bytes.get(start..at).unwrap_or_default();
    let blanks = before.iter().rev().take_while(|b| is_blank(**b)).count();
    blanks > 1 && line_breaks(before.get(before.len() - blanks..).unwrap_or_default()) > 1
}

/// The maximum length of a tag's name with its bracket, and of the blanks before them.
const TAG_REACH: usize = 512;

/// The number of bytes at the end of a text that must be preserved, since a tag line may begin there and continue after
/// it.
pub(crate) const TAG_LINE_REACH: usize = 4 * TAG_REACH;

/// Returns the range of the name of the tag at `at` and the start of its value, if the text there has the form
/// `[Name "`. This form begins a tag everywhere outside of comments.
pub(crate) fn tag_shape(bytes: &[u8], at: usize) -> Option<(Range<usize>, usize)> {
    if bytes.get(at) != Some(&b'[') {
        return None;
    }
    let reach = bytes.get(..at + TAG_REACH).unwrap_or(bytes);
    let from = skip_spaces(reach, at + 1);
    if !reach.get(from).is_some_and(u8::is_ascii_alphabetic) {
        return None;
    }
    let mut i = from;
    while reach.get(i).is_some_and(|&b| IN_TAG_NAME[usize::from(b)]) {
        i += 1;
    }
    let quote = skip_spaces(reach, i);
    (reach.get(quote) == Some(&b'"')).then_some((from..i, quote + 1))
}

/// A tag, perhaps damaged.
pub(crate) struct Tag {
    /// Its name and its value, if they can be read.
    pub(crate) text: Option<[Range<usize>; 2]>,
    pub(crate) end: usize,
    pub(crate) damage: Option<Damage>,
}

/// The maximum length of a value with line breaks.
const VALUE_OVER_LINES: usize = 1024;

/// Reads the tag at `at`. If `loose`, a `[` and a letter at the start of a line begin a broken tag, even without the
/// form of one.
pub(crate) fn tag(bytes: &[u8], at: usize, loose: impl FnOnce() -> bool) -> Option<Tag> {
    let Some((name, from)) = tag_shape(bytes, at) else {
        let first = bytes.get(skip_spaces(bytes, at + 1));
        let is_tag = first.is_some_and(u8::is_ascii_alphabetic) && loose();
        return is_tag.then(|| loose_tag(bytes, at));
    };
    let quote = closing_quote(bytes, from);
    let next = quote.map_or(from, |quote| skip_spaces(bytes, quote + 1));
    let line_end = || line_end(bytes, next);
    let (found, damage) = match (quote, bytes.get(next)) {
        (Some(quote), Some(b']')) => (Some((quote, next + 1)), None),
        (Some(quote), None | Some(b'\n' | b'\r' | b'[')) => {
            (Some((quote, next)), Some(Damage::TagBracket))
        }
        // A later quote ends the value, or none does on this line, or all quotes are escaped: `"C:\"]`.
        _ => match quote_and_bracket(bytes, from, line_end()) {
            found @ Some(_) => (found, Some(Damage::TagQuotes)),
            None if quote.is_some() => return Some(loose_tag(bytes, at)),
            None => match value_over_lines(bytes, from) {
                found @ Some(_) => (found, Some(Damage::TagLineBreak)),
                None => {
                    return Some(Tag {
                        damage: Some(Damage::TagUnclosed),
                        ..loose_tag(bytes, at)
                    });
                }
            },
        },
    };
    Some(Tag {
        text: found.map(|(quote, _)| [name, from..quote]),
        end: found.map_or_else(line_end, |(_, end)| end),
        damage,
    })
}

/// Reads a line that begins with `[` and a letter as a tag. Its quotation marks or its bracket are missing or of
/// another kind: `[Round 3]`, `[White Kirk"]`, `[White “Kirk”]`.
#[cold]
fn loose_tag(bytes: &[u8], at: usize) -> Tag {
    let line_end = line_end(bytes, at);
    let line = bytes.get(..line_end).unwrap_or_default();
    let name = skip_spaces(line, at + 1);
    let mut name_end = name;
    while line
        .get(name_end)
        .is_some_and(|&b| b < 0x80 && IN_TAG_NAME[usize::from(b)])
    {
        name_end += 1;
    }
    // The tag ends at the bracket that closes the first one, or else at the end of the line.
    let mut depth = 1_usize;
    let close = (name_end..line_end).find(|at| {
        depth = match line.get(*at) {
            Some(b'[') => depth + 1,
            Some(b']') => depth - 1,
            _ => depth,
        };
        depth == 0
    });
    let value = unquoted(line, name_end, close.unwrap_or(line_end));
    let separated = value.start > name_end && !value.is_empty();
    Tag {
        text: separated.then_some([name..name_end, value]),
        end: close.map_or(line_end, |close| close + 1),
        damage: Some(Damage::TagMalformed),
    }
}

/// Removes the blanks and quotation marks of any kind around a part of a line.
fn unquoted(line: &[u8], mut from: usize, mut to: usize) -> Range<usize> {
    const QUOTES: [&str; 12] = [
        "\"", "'", "`", "\u{b4}", "\u{ab}", "\u{bb}", "\u{2018}", "\u{2019}", "\u{201c}",
        "\u{201d}", "\u{201e}", "\u{201f}",
    ];
    let quote = |text: &[u8], is_start: bool| {
        let mut quotes = QUOTES.iter().map(|quote| quote.as_bytes());
        let found = quotes.find(|quote| match is_start {
            true => text.starts_with(quote),
            false => text.ends_with(quote),
        });
        found.map_or(0, <[u8]>::len)
    };
    loop {
        let text = line.get(from..to).unwrap_or_default();
        match text {
            [first, ..] if is_blank(*first) => from += 1,
            [.., last] if is_blank(*last) => to -= 1,
            [] => break,
            _ => match (quote(text, true), quote(text, false)) {
                (0, 0) => break,
                // A single apostrophe may belong to a name: `Players'`.
                (1, 0) if text.starts_with(b"'") => break,
                (0, 1) if text.ends_with(b"'") => break,
                (start, end) if start + end <= text.len() => {
                    from += start;
                    to -= end;
                }
                _ => {
                    to = from;
                    break;
                }
            },
        }
    }
    from..to
}

/// The first quote on this line from `from` on that is not escaped.
#[inline]
fn closing_quote(bytes: &[u8], from: usize) -> Option<usize> {
    let mut ends = memchr::memchr3_iter(b'"', b'\n', b'\r', bytes.get(from..)?);
    let quote = ends.find(|n| {
        let before = bytes.get(from..from + n).unwrap_or_default();
        let slashes = before.iter().rev().take_while(|b| **b == b'\\').count();
        slashes % 2 == 0 || bytes.get(from + n) != Some(&b'"')
    })?;
    (bytes.get(from + quote) == Some(&b'"')).then_some(from + quote)
}

/// The first quote in `from..to` with a `]` after it, and the offset after the bracket.
fn quote_and_bracket(bytes: &[u8], from: usize, to: usize) -> Option<(usize, usize)> {
    let text = bytes.get(..to)?;
    memchr::memchr_iter(b'"', text.get(from..)?)
        .map(|n| from + n)
        .find_map(|quote| {
            let bracket = skip_spaces(text, quote + 1);
            (text.get(bracket) == Some(&b']')).then_some((quote, bracket + 1))
        })
}

/// The end of a value with line breaks: a quote and a bracket, with no empty line before them and no line that begins
/// with a bracket.
fn value_over_lines(bytes: &[u8], from: usize) -> Option<(usize, usize)> {
    let window = bytes.get(..from + VALUE_OVER_LINES).unwrap_or(bytes);
    // The text after the bracket may belong to the next game, so this game must not depend on it.
    let (quote, end) = quote_and_bracket(window, from, window.len())?;
    let mut lines = (from..=quote).filter(|at| {
        !bytes.get(*at).is_some_and(|b| is_blank(*b)) && at_line_start(bytes, from, *at, false)
    });
    let is_part = |at| bytes.get(at) != Some(&b'[') && !after_empty_line(bytes, from, at);
    lines.all(is_part).then_some((quote, end))
}

/// The name, the value and the end of a tag without its `[` that begins with the word at `at`: `Event "x"]`.
pub(crate) fn tag_without_bracket(bytes: &[u8], at: usize) -> Option<([Range<usize>; 2], usize)> {
    let end = line_end(bytes, at);
    let line = bytes.get(..end)?;
    if !line.get(at)?.is_ascii_alphabetic() {
        return None;
    }
    let name = line
        .get(at..)?
        .iter()
        .position(|&b| !IN_TAG_NAME[usize::from(b)]);
    let name = at..at + name.filter(|len| *len > 0)?;
    let quote = skip_spaces(line, name.end);
    if line.get(quote) != Some(&b'"') || looks_like_move(line.get(name.clone())?) {
        return None;
    }
    let (close, end) = quote_and_bracket(line, quote + 1, end)?;
    Some(([name, quote + 1..close], end))
}

/// The first line in `from..to` that begins with a tag. `from_start`: a line begins at `from`.
pub(crate) fn tag_line(bytes: &[u8], from: usize, to: usize, from_start: bool) -> Option<usize> {
    let mut found = memchr::memchr_iter(b'[', bytes.get(from..to)?).map(|n| from + n);
    found.find(|&at| is_tag_line(bytes, from, at, from_start))
}

/// Whether a line begins with a tag at `at`. No line before `from` is read.
fn is_tag_line(bytes: &[u8], from: usize, at: usize, from_start: bool) -> bool {
    // The shape first: the byte after the bracket nearly always rules it out.
    tag_shape(bytes, at).is_some() && at_line_start(bytes, from, at, from_start)
}

/// Finds the `}` of the comment that begins at `open`. If the comment is not closed, the error is the next tag line
/// within reach.
///
/// A comment ends at the first `}`, and tags inside it are text. There is one exception: if a line inside begins with a
/// tag, and another `{` is between that line and the `}`, the `}` belongs to that other comment, and this one is not
/// closed. So unclosed comments do not cause the same text to be searched again and again.
pub(crate) fn comment_end(
    bytes: &[u8],
    open: usize,
    max_comment: usize,
) -> Result<usize, Option<usize>> {
    let from = open + 1;
    let window = bytes
        .get(..from.saturating_add(max_comment))
        .unwrap_or(bytes);
    let after = window.get(from..).unwrap_or_default();
    // Without a quotation mark there is no tag.
    let first = memchr::memchr2(b'}', b'"', after).ok_or(None)?;
    if after.get(first) == Some(&b'}') {
        return Ok(from + first);
    }
    end_among_tags(window, from)
}

/// Continues [`comment_end`] for a comment that may have tags inside. Its text begins at `from`.
#[cold]
fn end_among_tags(window: &[u8], from: usize) -> Result<usize, Option<usize>> {
    let is_close = |at: &usize| window.get(*at) == Some(&b'}');
    let ends = |at: &usize| is_close(at) || is_tag_line(window, from, *at, false);
    let at = (from..window.len()).find(ends).ok_or(None)?;
    if is_close(&at) {
        return Ok(at);
    }
    let brace = memchr::memchr2(b'{', b'}', window.get(at..).unwrap_or_default());
    let close = brace.map(|n| at + n).filter(is_close);
    close.ok_or(Some(at))
}

/// Decodes text of a file: UTF-8; each byte that is not is read as Windows-1252, an extension of Latin-1.
///
/// A control character from U+0080 to U+009F comes from Windows-1252 text that was decoded as Latin-1, so it is
/// replaced by the intended character. The five bytes without a meaning in Windows-1252 become U+FFFD. No decoded text
/// therefore has such a control character.
///
/// ```
/// use tridex_archive::decode;
///
/// assert_eq!(decode("Anna ♘".as_bytes()), "Anna ♘");
/// assert_eq!(decode(b"M\xfcller \x96 Anna"), "Müller – Anna");
/// ```
#[must_use]
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) if c1_control(bytes).is_none() => Cow::Borrowed(text),
        _ => {
            let mut text = String::with_capacity(bytes.len() + 8);
            for chunk in bytes.utf8_chunks() {
                let invalid = chunk.invalid().iter().map(|b| char::from(*b));
                text.extend(chunk.valid().chars().chain(invalid).map(windows_1252));
            }
            Cow::Owned(text)
        }
    }
}

/// Replaces every line end, with the blanks around it, by one space, so that the text is on one line.
///
/// ```
/// use tridex_archive::fold;
///
/// assert_eq!(fold("a good \n  move".into()), "a good move");
/// ```
#[must_use]
pub fn fold(text: Cow<'_, str>) -> Cow<'_, str> {
    if memchr::memchr2(b'\n', b'\r', text.as_bytes()).is_none() {
        return text;
    }
    let blank = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r');
    let mut out = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some(at) = rest.find(['\n', '\r']) {
        let (before, after) = rest.split_at(at);
        out.push_str(before.trim_end_matches(blank));
        out.push(' ');
        rest = after.trim_start_matches(blank);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Like [`fold`], but an empty line separates paragraphs and becomes two line feeds. Empty lines at the ends of the text and
/// before `[` and `%` become a space.
///
/// ```
/// use tridex_archive::paragraphs;
///
/// assert_eq!(paragraphs("a good\n  move\r\n\r\nOr is it?\n\n".into()), "a good move\n\nOr is it? ");
/// ```
#[must_use]
pub fn paragraphs(text: Cow<'_, str>) -> Cow<'_, str> {
    if memchr::memchr2(b'\n', b'\r', text.as_bytes()).is_none() {
        return text;
    }
    let blank = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r');
    let mut out = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some(at) = rest.find(['\n', '\r']) {
        let (before, after) = rest.split_at(at);
        out.push_str(before.trim_end_matches(blank));
        rest = after.trim_start_matches(blank);
        let gap = after.get(..after.len() - rest.len()).unwrap_or_default();
        // Text that looks like a tag or an escape line must not be at the start of a line when it is written.
        let is_end = out.is_empty() || rest.is_empty() || rest.starts_with(['[', '%']);
        out.push_str(match line_breaks(gap.as_bytes()) {
            2.. if !is_end => PARAGRAPH,
            _ => " ",
        });
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The line ends between two paragraphs.
pub(crate) const PARAGRAPH: &str = "\n\n";

/// The first control character from U+0080 to U+009F in UTF-8 text, and its offset. [`decode`] replaces such
/// characters.
///
/// ```
/// use tridex_archive::c1_control;
///
/// assert_eq!(c1_control("a\u{96}".as_bytes()), Some((1, '\u{96}')));
/// assert_eq!(c1_control("a–".as_bytes()), None);
/// ```
#[must_use]
pub fn c1_control(bytes: &[u8]) -> Option<(usize, char)> {
    // In UTF-8 such a character is the byte C2 and the byte with its number.
    memchr::memchr_iter(0xc2, bytes).find_map(|at| match bytes.get(at + 1) {
        Some(byte @ 0x80..=0x9f) => Some((at, char::from(*byte))),
        _ => None,
    })
}

/// Converts a character decoded as Latin-1 to Windows-1252.
pub(crate) fn windows_1252(c: char) -> char {
    /// The characters of the bytes from 0x80 on. Five bytes have none.
    const SIGNS: &str = "€\u{fffd}‚ƒ„…†‡ˆ‰Š‹Œ\u{fffd}Ž\u{fffd}\u{fffd}‘’“”•–—˜™š›œ\u{fffd}žŸ";
    match c {
        '\u{80}'..='\u{9f}' => SIGNS.chars().nth(c as usize - 0x80).unwrap_or(c),
        _ => c,
    }
}

/// Decodes the raw value of a tag: `\"` and `\\` are unescaped, and the bytes decoded by [`decode`]. A backslash before
/// any other character is text.
///
/// ```
/// use tridex_archive::unescape;
///
/// assert_eq!(unescape(br#"the \"cube\" \ 3"#), r#"the "cube" \ 3"#);
/// ```
#[must_use]
pub fn unescape(raw: &[u8]) -> Cow<'_, str> {
    if memchr::memchr(b'\\', raw).is_none() {
        return decode(raw);
    }
    let mut rest = raw.iter().peekable();
    let unescaped = std::iter::from_fn(|| match rest.next()? {
        b'\\' => rest.next_if(|b| matches!(b, b'"' | b'\\')).or(Some(&b'\\')),
        byte => Some(byte),
    });
    let bytes: Vec<u8> = unescaped.copied().collect();
    Cow::Owned(decode(&bytes).into_owned())
}

/// Escapes a value for a tag.
pub(crate) fn escape(value: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr2(b'"', b'\\', value).is_none() {
        return Cow::Borrowed(value);
    }
    let escaped = value.iter().flat_map(|byte| {
        let slash = matches!(byte, b'"' | b'\\').then_some(b'\\');
        slash.into_iter().chain([*byte])
    });
    Cow::Owned(escaped.collect())
}
