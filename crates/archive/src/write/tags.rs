//! Writes the tags of a game in the form of PGN.

use std::borrow::Cow;

use crate::game::{Game, in_a_line};
use crate::lex::{escape, fold};

/// The seven-tag roster in order, with the values of unknown tags.
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", ""),
];

/// Writes the tags of a game: the whole seven-tag roster first, then the others in order. `result` is used if there is
/// no tag `Result`.
///
/// ```
/// use tridex_archive::{Game, write};
///
/// let mut game = Game::new();
/// game.push_tag("Locale", "de");
/// game.push_tag("White", "Anna");
/// let mut out = Vec::new();
/// write::tags(&game, "1-0", &mut out);
/// let text = String::from_utf8_lossy(&out);
/// assert!(text.starts_with("[Event \"?\"]\n"));
/// assert!(text.ends_with("[Result \"1-0\"]\n[Locale \"de\"]\n"));
/// ```
pub fn tags(game: &Game<'_>, result: &str, out: &mut Vec<u8>) {
    let mut tags: Vec<_> = game.written_tags().collect();
    for (name, unknown) in ROSTER {
        let place = tags.iter().position(|tag| tag.name == name.as_bytes());
        let value = place.map(|place| tags.remove(place).text());
        let missing = if name == "Result" { result } else { unknown };
        push_tag(name, value.as_deref().unwrap_or(missing), out);
    }
    for tag in tags {
        push_tag(&in_a_line(tag.name), &tag.text(), out);
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
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        out.push(b'X');
    }
    let is_right = |c: char| !c.is_ascii() || c.is_ascii_alphanumeric() || "_+#=:-".contains(c);
    // Nearly all names are right.
    if name.len() <= 100 && name.chars().all(is_right) {
        out.extend_from_slice(name.as_bytes());
    } else {
        let letters = name.chars().take(100);
        let letters = letters.map(|c| if is_right(c) { c } else { '_' });
        out.extend_from_slice(letters.collect::<String>().as_bytes());
    }
    out.extend_from_slice(b" \"");
    // A tag is one line.
    let value = fold(Cow::Borrowed(value));
    out.extend_from_slice(&escape(value.as_bytes()));
    out.extend_from_slice(b"\"]\n");
}
