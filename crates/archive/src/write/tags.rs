//! Writes the tags of a game in the form of PGN.

use super::ROSTER;
use crate::lex::escape;

/// The tags of one game after another: added in any order, written with the seven-tag roster first.
///
/// ```
/// use tridex_archive::write::Tags;
///
/// let mut tags = Tags::default();
/// tags.push("Locale", "de");
/// tags.push("White", "Anna");
/// let mut out = Vec::new();
/// tags.write("1-0", &mut out);
/// let text = String::from_utf8_lossy(&out);
/// assert!(text.starts_with("[Event \"?\"]\n"));
/// assert!(text.ends_with("[Result \"1-0\"]\n[Locale \"de\"]\n"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tags {
    text: Vec<u8>,
    /// The range of each in the text, and its index in the roster.
    tags: Vec<(usize, usize, Option<usize>)>,
}

impl Tags {
    /// Removes all tags.
    pub fn clear(&mut self) {
        self.text.clear();
        self.tags.clear();
    }

    /// Adds a tag. Characters that a name or a value cannot have are replaced.
    pub fn push(&mut self, name: &str, value: &str) {
        let from = self.text.len();
        push_tag(name, value, &mut self.text);
        self.add(name.as_bytes(), from);
    }

    /// Adds a tag with its raw value, as between the quotes of a tag. It is written unchanged if possible.
    pub fn push_raw(&mut self, name: &[u8], value: &[u8]) {
        let plain_name = name.first().is_some_and(u8::is_ascii_alphabetic)
            && name.len() <= 100
            && name.iter().all(u8::is_ascii_alphanumeric);
        let odd = |b: &u8| matches!(b, b'\\' | b'"' | b'\n' | b'\r');
        let plain_value =
            !value.iter().any(odd) && (value.is_ascii() || str::from_utf8(value).is_ok());
        if !(plain_name && plain_value) {
            let value = crate::fold(crate::unescape(value));
            return self.push(&crate::decode(name), &value);
        }
        let from = self.text.len();
        self.text.push(b'[');
        self.text.extend_from_slice(name);
        self.text.extend_from_slice(b" \"");
        self.text.extend_from_slice(value);
        self.text.extend_from_slice(b"\"]\n");
        self.add(name, from);
    }

    fn add(&mut self, name: &[u8], from: usize) {
        let known = ROSTER
            .iter()
            .position(|(known, _)| known.as_bytes() == name);
        // The first value is in the roster.
        let place = known.filter(|known| self.of_roster(*known).is_none());
        self.tags.push((from, self.text.len(), place));
    }

    /// The first tag of a name of the roster.
    fn of_roster(&self, known: usize) -> Option<&[u8]> {
        let mut tags = self.tags.iter();
        let (from, to, _) = tags.find(|(_, _, place)| *place == Some(known))?;
        self.text.get(*from..*to)
    }

    /// Writes the whole roster, then the other tags in order. `result` is used if there is no tag `Result`.
    pub fn write(&self, result: &str, out: &mut Vec<u8>) {
        for (known, (name, default)) in ROSTER.iter().enumerate() {
            match self.of_roster(known) {
                Some(text) => out.extend_from_slice(text),
                None if *name == "Result" => push_tag(name, result, out),
                None => push_tag(name, default, out),
            }
        }
        for (from, to, place) in &self.tags {
            if place.is_none() {
                out.extend_from_slice(self.text.get(*from..*to).unwrap_or_default());
            }
        }
    }
}

/// Writes a tag on its own line. Characters that a name or a value cannot have are replaced.
///
/// ```
/// let mut out = Vec::new();
/// tridex_archive::write::push_tag("White elo", "the \"cube\"\n", &mut out);
/// assert_eq!(out, b"[White_elo \"the \\\"cube\\\" \"]\n");
/// ```
pub fn push_tag(name: &str, value: &str, out: &mut Vec<u8>) {
    out.push(b'[');
    out.extend_from_slice(tag_name(name).as_bytes());
    out.extend_from_slice(b" \"");
    // A tag is one line.
    let value = value.replace(['\n', '\r'], " ");
    out.extend_from_slice(&escape(value.as_bytes()));
    out.extend_from_slice(b"\"]\n");
}

/// A valid name for a tag.
fn tag_name(name: &str) -> String {
    let is_wrong = |c: char| c.is_ascii() && !c.is_ascii_alphanumeric() && !"_+#=:-".contains(c);
    let mut out: String = name.replace(is_wrong, "_").chars().take(100).collect();
    if !out.starts_with(|c: char| c.is_ascii_alphabetic()) {
        out.insert(0, 'X');
    }
    out
}
