//! Tokens that could not be read.

use crate::game::Item;

/// Whether a token is a move that was not recorded: `--`.
#[must_use]
pub fn is_unrecorded(token: &[u8]) -> bool {
    // Most words begin otherwise, and may be very long.
    matches!(token, [b'-' | 0xe2, _, ..])
        && std::str::from_utf8(token).is_ok_and(|text| {
            text.chars()
                .all(|c| matches!(c, '-' | '\u{2013}' | '\u{2014}'))
        })
}

/// Tokens that could not be read, gathered until the line ends in which they are: then one comment holds them, as they
/// were written.
#[derive(Clone, Debug, Default)]
pub struct Unread {
    /// Those of the lines that the current one branches off from.
    outer: Vec<String>,
    here: String,
}

impl Unread {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.outer.clear();
        self.here.clear();
    }

    /// Adds a token of the current line. The item is to be written at once: a move that was not recorded keeps its place
    /// unless something unread precedes it, since readers of every notation know it.
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

    /// The comment with the tokens of the current line, if there are any: before a variation, and at the end of the line.
    pub fn take(&mut self) -> Option<String> {
        if self.here.is_empty() {
            return None;
        }
        let comment = format!("not read: {}", self.here.replace('}', ")"));
        self.here.clear();
        Some(comment)
    }

    /// A variation begins.
    pub fn open(&mut self) {
        self.outer.push(std::mem::take(&mut self.here));
    }

    /// It ends.
    pub fn close(&mut self) {
        self.here = self.outer.pop().unwrap_or_default();
    }
}
