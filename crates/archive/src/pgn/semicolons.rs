//! Decides the meaning of a semicolon: it begins a line comment, as in PGN, or separates moves, as people type it:
//! `1. b4N b5B; 2. c3W a6N`.
//!
//! After a separator there are moves, their numbers or a result, and no prose, up to the next semicolon, comment,
//! variation or line end. A semicolon at the start of a line is never a separator. One directly after a word always is,
//! if such words follow or the line ends. If a blank is before it, as before PGN comments, the words must also continue
//! the game: their number is higher than the last one (or the same, for Black), or they begin with Black's move. In
//! both cases the next line must not repeat the number. If it does, the words were a comment on the game.
//!
//! The next line can only turn a separator into a comment, and only if it belongs to the same game. So the decision
//! does not depend on the text after the end of a game.

use tridex_words::moves::looks_like_move;

use crate::lex;
use crate::words::{self, Kind, half_moves};

/// The number of bytes before a semicolon that are searched for the last number.
const NEAR: usize = 128;

/// Whether the semicolon at `at` separates moves. The game begins at `start`, and nothing from `limit` on is examined.
#[inline(never)]
pub(crate) fn separates_moves(bytes: &[u8], [start, at, limit]: [usize; 3]) -> bool {
    if lex::at_line_start(bytes, start, at, true) {
        return false;
    }
    let within = bytes.get(..limit).unwrap_or(bytes);
    let near = within.get(at + 1..).unwrap_or_default();
    let text = part_of_line(near);
    let after = near.get(text.len()..).unwrap_or_default();
    let ends_line = after.first().is_none_or(|b| lex::is_newline(*b));
    let is_glued = is_glued(bytes, at);
    let Some(part) = Part::of(text) else {
        let ends_part = ends_line || after.starts_with(b";");
        return is_glued && ends_part && text.trim_ascii().is_empty();
    };
    let near = bytes.get(at.saturating_sub(NEAR).max(start)..at);
    let before = before(near.unwrap_or_default());
    if !is_glued && !part.continues(before) {
        return false;
    }
    // The first word of the next line; none if that line is empty.
    let line = after.strip_prefix(b"\r").unwrap_or(after);
    let line = line.strip_prefix(b"\n").unwrap_or(line);
    let from = lex::skip_spaces(line, 0);
    let next = line.get(from..lex::word_end(line, from));
    !part.is_taken_back(
        before,
        is_glued,
        next.filter(|_| ends_line).unwrap_or_default(),
    )
}

/// Whether a line comment with this text might be read as moves unless it is at the start of a line.
pub(crate) fn may_be_moves(text: &[u8]) -> bool {
    Part::of(part_of_line(text)).is_some()
}

/// The words after a semicolon, up to a line end, another semicolon, a comment or brackets. The parenthesis of a
/// number, `2)`, is part of them.
fn part_of_line(text: &[u8]) -> &[u8] {
    let (mut is_at_word, mut is_number) = (true, false);
    let end = text.iter().position(|b| {
        let was_number = is_number;
        is_number = b.is_ascii_digit() && (is_number || is_at_word);
        is_at_word = lex::is_blank(*b);
        b"\n\r{}[]($;\"".contains(b) || *b == b')' && !was_number
    });
    text.get(..end.unwrap_or(text.len())).unwrap_or_default()
}

/// Whether a semicolon follows a word without a blank, as in a sentence.
pub(crate) fn is_glued(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| bytes.get(before));
    before.is_some_and(|b| !lex::is_blank(*b))
}

/// The last number before a semicolon, and how many words follow it.
type Before = (Option<u32>, usize);

fn before(text: &[u8]) -> Before {
    let mut words = 0;
    // Numbers in comments and variations are not those of the game.
    let mut depth = 0_usize;
    for word in text.rsplit(|b| lex::is_blank(*b)) {
        let count = |bytes: &[u8; 2]| word.iter().filter(|b| bytes.contains(b)).count();
        let (opened, closed) = (count(b"({"), count(b")}"));
        if depth == 0 && opened == 0 && closed == 0 && !word.is_empty() {
            if let Some((number, len)) = half_moves(word) {
                let is_joined = len < word.trim_ascii_end().len();
                return (Some(number), words + usize::from(is_joined));
            }
            words += 1;
        }
        depth = (depth + closed).saturating_sub(opened);
    }
    (None, words)
}

/// The words after a semicolon, none of which is prose.
#[derive(Default)]
struct Part {
    /// The number they begin with.
    first: Option<u32>,
    /// The highest of their numbers.
    last: Option<u32>,
    begins_with_move: bool,
    /// There are moves, or numbers with a full stop.
    has_moves: bool,
    has_result: bool,
}

impl Part {
    /// `None` if there is a word of a language, or neither a move nor a result.
    fn of(text: &[u8]) -> Option<Self> {
        let mut part = Self::default();
        for (i, (word, kind)) in words::words(text).enumerate() {
            let rest = text.get(word.start..)?;
            if part.has_moves && words::ending(rest).is_some() {
                // `2. c3W resigns`
                break;
            } else if part.has_result && !matches!(kind, Kind::Result(_)) {
                return None;
            }
            match kind {
                Kind::Number(number, has_stop) => {
                    part.last = part.last.max(Some(number));
                    part.has_moves |= has_stop || text.get(word.end) == Some(&b')');
                    if i == 0 {
                        part.first = Some(number);
                    }
                }
                Kind::Move => {
                    part.has_moves = true;
                    part.begins_with_move |= i == 0 || i == 1 && part.first.is_some();
                }
                Kind::Result(_) => part.has_result = true,
                Kind::Prose => return None,
                _ => {}
            }
        }
        (part.has_moves || part.has_result).then_some(part)
    }

    /// Whether the words may continue the game.
    fn continues(&self, (number, words): Before) -> bool {
        match (number, self.first) {
            (Some(before), Some(first)) => first > before,
            _ if !self.has_moves => true,
            (Some(last), None) => self.begins_with_move && words == 1 && last & 1 == 0,
            (None, first) => first.is_some() || self.begins_with_move,
        }
    }

    /// Whether the first word of the next line shows that the game continues from before the semicolon.
    fn is_taken_back(&self, (number, _): Before, is_glued: bool, next: &[u8]) -> bool {
        let next_number = half_moves(next).map(|(number, _)| number);
        match (next_number, self.last) {
            (Some(next), _) if self.has_result => next / 2 != 1,
            (Some(next), Some(last)) => next <= last,
            // Black has moved.
            (Some(next), None) => number.is_some_and(|last| next / 2 <= last / 2),
            (None, _) if !looks_like_move(next) => false,
            (None, last) => self.has_result || last.is_none() && !is_glued,
        }
    }
}
