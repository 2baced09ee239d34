//! Tokens that could not be read.

use crate::item::Item;

/// Whether a token is a move that was not recorded: `--`.
///
/// ```
/// use tridex_archive::is_unrecorded;
///
/// assert!(is_unrecorded(b"--") && !is_unrecorded(b"b4N"));
/// ```
pub fn is_unrecorded(token: &[u8]) -> bool {
    // The first byte rules out most words, which may be very long.
    matches!(token, [b'-' | 0xe2, _, ..])
        && std::str::from_utf8(token).is_ok_and(|text| {
            text.chars()
                .all(|c| matches!(c, '-' | '\u{2013}' | '\u{2014}'))
        })
}

/// The tokens of a line that could not be read, up to its end: then one comment contains them, as written.
///
/// ```
/// use tridex_archive::Unread;
///
/// let mut unread = Unread::default();
/// unread.add("Nx?");
/// unread.add("b9");
/// assert_eq!(unread.take().as_deref(), Some("not read: Nx? b9"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Unread(String);

impl Unread {
    /// Adds a token. A returned item must be written at once: a move that was not recorded stays in its place unless an
    /// unread token precedes it, since readers of every notation know it.
    pub fn add(&mut self, token: &str) -> Option<Item<&'static str>> {
        if self.0.is_empty() && is_unrecorded(token.as_bytes()) {
            return Some(Item::Move("--"));
        }
        if !self.0.is_empty() {
            self.0.push(' ');
        }
        self.0.push_str(token);
        None
    }

    /// Removes the tokens and returns them as a comment, if there are any. Call it before a variation and at the end of a
    /// line.
    pub fn take(&mut self) -> Option<String> {
        let tokens = std::mem::take(&mut self.0).replace('}', ")");
        (!tokens.is_empty()).then(|| format!("not read: {tokens}"))
    }
}
