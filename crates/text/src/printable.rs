//! Characters that a terminal would interpret.

use std::borrow::Cow;

/// Whether a terminal interprets this character instead of displaying it: control characters, marks of the writing
/// direction, and the line ends beyond ASCII.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

/// Escapes the characters that a terminal would interpret: those for which [`is_hidden`] is true.
///
/// ```
/// use tridex_text::printable;
///
/// assert_eq!(printable("a\u{1b}[2J.pgn"), r"a\u{1b}[2J.pgn");
/// ```
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let shown = text.chars().map(|c| match is_hidden(c) {
        true => c.escape_unicode().to_string(),
        false => c.to_string(),
    });
    Cow::Owned(shown.collect())
}
