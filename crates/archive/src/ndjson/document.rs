//! Finds the records of a JSON document: an array of objects, or objects one after another, on any lines.
//!
//! Everything between records is skipped: blanks, commas, brackets, lines that begin with `%`. A damaged record ends
//! before the next object that is not the value of a member. So damage costs one record, and records begin at the same
//! offsets wherever a text is cut.

use std::ops::Range;

use serde::de::IgnoredAny;

use crate::cut::Cut;
use crate::lex;
use crate::visit::{BATCH_GAMES, Limits};

/// The maximum number of blanks on each side of the brace at which reading continues after damage.
const MOST_BLANKS: usize = 256;

/// The number of bytes that show whether a record begins.
pub(crate) const REACH: usize = 2 * MOST_BLANKS + 4;

/// The number of bytes that show whether a text is a document.
const MOST_HEAD: usize = 4 << 10;

/// A record of a document.
struct Found {
    place: Range<usize>,
    /// More text might belong to it.
    is_open: bool,
}

/// Finds the first record at or after an offset.
fn next(bytes: &[u8], from: usize, limits: &Limits) -> Option<Found> {
    let is_between = |b: &u8| b.is_ascii_whitespace() || matches!(b, b',' | b'[' | b']');
    let after = |from: usize| bytes.get(from..).unwrap_or_default();
    let begins = |from: usize| Some(from + after(from).iter().position(|b| !is_between(b))?);
    let mut start = begins(from)?;
    // Files of rejects have escape lines between the records.
    while after(start).starts_with(b"%") {
        let end = lex::line_end(bytes, start);
        if end >= bytes.len() {
            return Some(Found {
                place: start..start,
                is_open: true,
            });
        }
        start = begins(end)?;
    }
    let rest = after(start);
    let reach = rest.get(..=limits.max_game).unwrap_or(rest);
    let mut values = serde_json::Deserializer::from_slice(reach).into_iter::<IgnoredAny>();
    let fault = match values.next().filter(|_| rest.starts_with(b"{")) {
        Some(Ok(_)) if values.byte_offset() <= limits.max_game => {
            return Some(Found {
                place: start..start + values.byte_offset(),
                is_open: false,
            });
        }
        Some(Err(error)) if error.is_syntax() => offset(&error, reach),
        Some(_) => reach.len(),
        None => 1,
    };
    let end = next_object(bytes, start + fault.max(1));
    Some(Found {
        place: start..end.unwrap_or(bytes.len()),
        is_open: end.is_none(),
    })
}

/// The offset of the last byte that was read before an error.
pub(super) fn offset(error: &serde_json::Error, text: &[u8]) -> usize {
    let mut ends = memchr::memchr_iter(b'\n', text);
    let line = error
        .line()
        .checked_sub(2)
        .and_then(|lines| ends.nth(lines));
    line.map_or(0, |end| end + 1) + error.column().saturating_sub(1)
}

/// Finds the first object from an offset on that may be a record: its first member has a name, and a comma or another
/// value is before it.
pub(crate) fn next_object(bytes: &[u8], from: usize) -> Option<usize> {
    let is_record = |at: &usize| {
        let (before, after) = bytes.split_at_checked(*at).unwrap_or_default();
        let before = before
            .get(at.saturating_sub(MOST_BLANKS)..)
            .unwrap_or_default();
        let after = after.get(1..).unwrap_or_default();
        let after = after.get(..MOST_BLANKS).unwrap_or(after).trim_ascii_start();
        let follows = before.trim_ascii_end().last();
        after.starts_with(b"\"") && matches!(follows, Some(b',' | b'}' | b']'))
    };
    let rest = bytes.get(from..)?;
    let mut braces = memchr::memchr_iter(b'{', rest).map(|at| from + at);
    braces.find(is_record)
}

/// The records of a document, each with its range. The text is `None` if the record is too long.
pub(super) fn records<'b>(
    bytes: &'b [u8],
    limits: &Limits,
) -> impl Iterator<Item = (Range<usize>, Option<&'b [u8]>)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let found = next(bytes, from, limits)?;
        let place = Some(found.place).filter(|place| !place.is_empty())?;
        from = place.end;
        let text = bytes.get(place.clone()).unwrap_or_default();
        let is_between = |b: &u8| b.is_ascii_whitespace() || *b == b',';
        let length = text
            .iter()
            .rposition(|b| !is_between(b))
            .map_or(0, |last| last + 1);
        let text = text.get(..length).filter(|_| text.len() <= limits.max_game);
        Some((place, text))
    })
}

/// Finds the end of the first record that ends after `target` bytes or, if no record does, of the last one. `eof`: no
/// text follows.
pub(crate) fn cut(bytes: &[u8], limits: &Limits, target: usize, eof: bool) -> Option<Cut> {
    let mut end = 0;
    for _ in 0..BATCH_GAMES {
        match next(bytes, end, limits) {
            Some(found) if !found.is_open => end = found.place.end,
            Some(found) if !eof => {
                let most = limits.max_game + REACH;
                let is_too_long = end == 0 && bytes.len() - found.place.start > most;
                return match is_too_long {
                    true => Some(Cut {
                        dropping: true,
                        ..Cut::at(bytes.len() - REACH)
                    }),
                    false => (end > 0).then_some(Cut::at(end)),
                };
            }
            None if !eof && end == 0 && bytes.len() < target => return None,
            _ => return Some(Cut::at(bytes.len())),
        }
        if end >= target {
            break;
        }
    }
    Some(Cut::at(end))
}

/// Whether a text that begins with a bracket or a brace is a document: an array of objects, or an object that does not
/// end on its first line.
pub(crate) fn is_document(head: &[u8]) -> bool {
    let head = head.get(..MOST_HEAD).unwrap_or(head);
    let mut values = serde_json::Deserializer::from_slice(head).into_iter::<IgnoredAny>();
    match head {
        [b'[', rest @ ..] => match rest.trim_ascii_start() {
            // Nothing follows an empty array. `[]` before the tags of a PGN file is damage.
            [b']', rest @ ..] => rest.trim_ascii_start().is_empty(),
            rest => matches!(rest, [] | [b'{', ..]),
        },
        [b'{', rest @ ..] => {
            let first = rest.iter().find(|b| !matches!(b, b' ' | b'\t'));
            let is_whole = values.next().is_some_and(|value| value.is_ok());
            let object = head.get(..values.byte_offset()).unwrap_or_default();
            first.is_some_and(|b| lex::is_newline(*b)) || is_whole && object.contains(&b'\n')
        }
        _ => false,
    }
}
