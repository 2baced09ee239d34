//! Tokens that could not be read.

use crate::item::Item;
pub use tridex_words::moves::{is_pass, is_unrecorded};

/// Collects the tokens of a line from the first one that could not be read. One comment then contains them.
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
    /// Adds a token. If it returns an item, write that at once: a move that was not recorded stays in its place unless
    /// an unread token precedes it, since readers of every notation recognise it.
    pub fn add<'t>(&mut self, token: &'t str) -> Option<Item<&'t str>> {
        if self.0.is_empty() && is_unrecorded(token.as_bytes()) {
            // Dashes of any length have the same meaning.
            let is_dash = token.starts_with(|c: char| c != '?' && c != '_' && !c.is_alphabetic());
            return Some(Item::Move(if is_dash { "--" } else { token }));
        }
        if !self.0.is_empty() {
            self.0.push(' ');
        }
        self.0.push_str(token);
        None
    }

    /// Removes the tokens and returns them as a comment, if there are any. Call it before a variation and at the end of
    /// a line.
    pub fn take(&mut self) -> Option<String> {
        let tokens = std::mem::take(&mut self.0).replace('}', ")");
        (!tokens.is_empty()).then(|| format!("not read: {tokens}"))
    }
}
