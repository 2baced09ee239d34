//! Writes the tags of a game in the form of PGN.

use std::borrow::Cow;

use crate::game::{Game, WrittenTag, in_a_line};
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
    let tags: Vec<_> = game.written_tags().collect();
    let place = |name: &str| tags.iter().position(|tag| tag.name == name.as_bytes());
    let places = ROSTER.map(|(name, _)| place(name));
    for ((name, unknown), place) in ROSTER.into_iter().zip(places) {
        match place.and_then(|place| tags.get(place)) {
            Some(tag) => push_written(tag, out),
            None if name == "Result" => push_tag(name, result, out),
            None => push_tag(name, unknown, out),
        }
    }
    for (place, tag) in tags.iter().enumerate() {
        if !places.contains(&Some(place)) {
            push_written(tag, out);
        }
    }
}

/// Writes a tag of a game. Nearly all of them need no decoding.
fn push_written(tag: &WrittenTag<'_>, out: &mut Vec<u8>) {
    let is_name =
        tag.name.iter().all(u8::is_ascii_alphabetic) && (1..100).contains(&tag.name.len());
    let is_simple = |b: &u8| matches!(b, b' '..=b'~') && !matches!(b, b'\\' | b'"');
    if is_name && tag.value.iter().all(is_simple) {
        for part in [b"[", tag.name, b" \"", tag.value, b"\"]\n"] {
            out.extend_from_slice(part);
        }
    } else {
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
    for c in name.chars().take(100) {
        let is_right = !c.is_ascii() || c.is_ascii_alphanumeric() || "_+#=:-".contains(c);
        let c = if is_right { c } else { '_' };
        out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }
    out.extend_from_slice(b" \"");
    // A tag is one line.
    let value = fold(Cow::Borrowed(value));
    out.extend_from_slice(&escape(value.as_bytes()));
    out.extend_from_slice(b"\"]\n");
}
