//! Tokens that could not be read.

use crate::game::Item;

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

/// Collects the tokens that could not be read, up to the end of their line: then one comment contains them, as written.
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
pub struct Unread {
    /// The tokens of the outer lines.
    outer: Vec<String>,
    here: String,
}

impl Unread {
    /// Removes everything.
    pub fn clear(&mut self) {
        self.outer.clear();
        self.here.clear();
    }

    /// Adds a token of the current line. A returned item must be written at once: a move that was not recorded stays in
    /// its place unless an unread token precedes it, since readers of every notation know it.
    pub fn add(&mut self, token: &str) -> Option<Item<&'static str>> {
        if self.here.is_empty() && is_unrecorded(token.as_bytes()) {
            return Some(Item::Move("--"));
        }
        if !self.here.is_empty() {
            self.here.push(' ');
        }
        self.here.push_str(token);
        None
    }

    /// Removes the tokens of the current line and returns them as a comment, if there are any. Call it before a
    /// variation and at the end of the line.
    pub fn take(&mut self) -> Option<String> {
        if self.here.is_empty() {
            return None;
        }
        let comment = format!("not read: {}", self.here.replace('}', ")"));
        self.here.clear();
        Some(comment)
    }

    /// Begins a variation.
    pub fn open(&mut self) {
        self.outer.push(std::mem::take(&mut self.here));
    }

    /// Ends the variation.
    pub fn close(&mut self) {
        self.here = self.outer.pop().unwrap_or_default();
    }
}
