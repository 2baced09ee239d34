//! Writes the tags of a game in the form of PGN.

use std::borrow::Cow;

use crate::game::{Game, WrittenTag, in_a_line};
use crate::lex::{escape, fold};

/// The seven-tag roster in order, with the values that mean unknown.
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", ""),
];

/// Returns new names for the tags whose names earlier tags already have, each with its index among all tags: `Event_2`
/// for the second `Event`, `Event_3` for the third, or the next number that is free.
///
/// Tags are written under these names in every container. Otherwise, a second `Event` would begin another game in a PGN
/// archive, and other readers of JSON would keep only one member of an object.
///
/// ```
/// use tridex_archive::write::second_names;
///
/// let names = ["Event", "White", "Event", "Event", "Event_3"].map(str::as_bytes);
/// let renamed = [(2, "Event_2".to_owned()), (3, "Event_4".to_owned())];
/// assert_eq!(second_names(names.into_iter()), renamed);
/// ```
pub fn second_names<'n>(names: impl Iterator<Item = &'n [u8]> + Clone) -> Vec<(usize, String)> {
    // Nearly no game has a name twice. One bit for each hash of a name shows whether one may.
    let mut seen = 0_u64;
    let may_repeat = names.clone().fold(false, |may_repeat, name| {
        let ends = [name.first(), name.last()].map(|byte| byte.map_or(0, |b| usize::from(*b)));
        let bit = 1 << ((ends[0] * 31 + ends[1] * 7 + name.len()) & 63);
        let is_seen = seen & bit != 0;
        seen |= bit;
        may_repeat | is_seen
    });
    if !may_repeat {
        return Vec::new();
    }
    let all: Vec<Cow<'_, str>> = names.map(in_a_line).collect();
    let mut renamed: Vec<(usize, String)> = Vec::new();
    for (place, name) in all.iter().enumerate() {
        let before = all
            .iter()
            .take(place)
            .filter(|other| *other == name)
            .count();
        if before == 0 {
            continue;
        }
        let mut number = before + 1;
        let free = loop {
            let new = format!("{name}_{number}");
            let is_taken = |(_, other): &(usize, String)| *other == new;
            if !all.contains(&Cow::Borrowed(new.as_str())) && !renamed.iter().any(is_taken) {
                break new;
            }
            number += 1;
        };
        renamed.push((place, free));
    }
    renamed
}

/// Writes the tags of a game: the whole seven-tag roster first, then the others in order, each under its own name (see
/// [`second_names`]). `result` is used if there is no tag `Result`.
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
    let renamed = second_names(game.written_tags().map(|tag| tag.name));
    for (place, name) in &renamed {
        if let Some(tag) = tags.get_mut(*place) {
            tag.name = name.as_bytes();
        }
    }
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

/// Returns a name that PGN allows: other characters are replaced, and a long name is shortened.
pub(super) fn written_name(name: &str) -> String {
    let is_begun = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let right = name.chars().take(100).map(|c| {
        let is_right = !c.is_ascii() || c.is_ascii_alphanumeric() || "_+#=:-".contains(c);
        if is_right { c } else { '_' }
    });
    (!is_begun)
        .then_some('X')
        .into_iter()
        .chain(right)
        .collect()
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
    out.extend_from_slice(written_name(name).as_bytes());
    out.extend_from_slice(b" \"");
    // A tag is one line.
    let value = fold(Cow::Borrowed(value));
    out.extend_from_slice(&escape(value.as_bytes()));
    out.extend_from_slice(b"\"]\n");
}
