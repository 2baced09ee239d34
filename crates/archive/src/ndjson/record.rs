//! The JSON object of a game, as it is written and as it is read.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::document::offset;
use crate::lex::escape;

/// The fields of a game, in the order in which they are written. `V` is a text, `T` the tags and `M` the moves.
#[derive(Debug, Deserialize, Serialize)]
#[serde(bound(deserialize = "V: Deserialize<'de>, T: Deserialize<'de>, M: Deserialize<'de>"))]
pub(crate) struct Record<V, T, M> {
    #[serde(skip_deserializing)]
    pub(crate) source: Option<V>,
    #[serde(skip_deserializing)]
    pub(crate) game: Option<u64>,
    pub(crate) rules: Option<V>,
    pub(crate) notation: Option<V>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) locale: Option<V>,
    pub(crate) start: Option<V>,
    pub(crate) tags: Option<T>,
    pub(crate) moves: Option<M>,
    pub(crate) result: Option<V>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) movetext: Option<V>,
}

/// A record whose values are unparsed, so that the offset of each is known.
type Written<'t> = Record<&'t RawValue, &'t RawValue, &'t RawValue>;

/// A text of a record.
#[derive(Debug)]
pub(super) struct Text<'t> {
    /// The text, borrowed if it has no escapes.
    pub(super) text: Cow<'t, str>,
    /// The offset of its first character in the record.
    pub(super) at: usize,
}

impl Text<'_> {
    /// The raw value of a tag. A text that had no escapes has nothing to escape.
    pub(super) fn escaped(&self) -> Cow<'_, [u8]> {
        match &self.text {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => escape(text.as_bytes()),
        }
    }
}

/// The content of a record.
#[derive(Debug)]
pub(super) struct Read<'t> {
    /// The tags in their order, including repeated names. Numbers are read as they are written. Other values are
    /// ignored.
    pub(super) tags: Vec<(Text<'t>, Text<'t>)>,
    /// Values that become tags, with the names of the tags.
    pub(super) fields: [(&'static str, Option<Text<'t>>); 4],
    /// The moves: the texts of a list, or one text with all moves.
    pub(super) moves: Vec<Text<'t>>,
    /// The offset of a fault in the list of moves, such as a value that is not a string. The moves end there.
    pub(super) not_a_move: Option<usize>,
    pub(super) movetext: Option<Text<'t>>,
    pub(super) result: Option<Text<'t>>,
}

/// Reads a record. The error is the offset of a fault.
pub(super) fn read(record: &str) -> Result<Read<'_>, usize> {
    // An array of values would be read as a record too.
    if !record.starts_with('{') {
        return Err(0);
    }
    let written: Written<'_> =
        serde_json::from_str(record).map_err(|error| fault_of(&error, record))?;
    let at = |value: &RawValue| place(value.get(), record);
    let text = |value| text(value, record).ok_or_else(|| at(value));
    let texts = |value: Option<_>| value.map(text).transpose();
    let tags = written.tags;
    let tags = match tags.map(|tags| (tags, serde_json::from_str(tags.get()))) {
        None => Vec::new(),
        Some((_, Ok(Tags(tags)))) => tags,
        Some((tags, Err(_))) => return Err(at(tags)),
    };
    let tags = tags.into_iter().filter_map(|(name, value)| {
        let value = match value.get().as_bytes() {
            [b'"', ..] => text(value),
            [b'-' | b'0'..=b'9', ..] => Ok(Text {
                text: Cow::Borrowed(value.get()),
                at: at(value),
            }),
            _ => return None,
        };
        Some(text(name).and_then(|name| Ok((name, value?))))
    });
    let (moves, not_a_move) = match written.moves {
        Some(list) if list.get().starts_with('[') => {
            let values: Vec<&RawValue> = serde_json::from_str(list.get()).unwrap_or_default();
            let mut not_a_move = None;
            let moves = values.into_iter().map_while(|value| {
                let move_text = text(value);
                not_a_move = move_text.as_ref().err().copied();
                move_text.ok()
            });
            (moves.collect(), not_a_move)
        }
        moves => (texts(moves)?.into_iter().collect(), None),
    };
    Ok(Read {
        tags: tags.collect::<Result<_, _>>()?,
        fields: [
            ("Variant", texts(written.rules)?),
            ("Notation", texts(written.notation)?),
            ("Locale", texts(written.locale)?),
            ("FEN", texts(written.start)?),
        ],
        moves,
        not_a_move,
        movetext: texts(written.movetext)?,
        result: texts(written.result)?,
    })
}

/// Replaces a part of the list of moves with blanks, from the last complete text before a fault to the end of the list.
/// Offsets stay the same.
pub(super) fn without_rest_of_list(record: &str, fault: usize) -> Option<String> {
    let (before, after) = record.split_at_checked(fault)?;
    let last = before.rfind("\",")? + 1;
    let end = fault + after.find(']')?;
    let (before, after) = (record.get(..last)?, record.get(end + 1..)?);
    let (name, _) = before.rsplit_once('[')?;
    let name = name.trim_end().strip_suffix(':')?.trim_end();
    name.strip_suffix("\"moves\"")?;
    let blanks = " ".repeat(end - last);
    Some([before, "]", &blanks, after].concat())
}

/// Reads a value of a record as a string.
fn text<'t>(value: &'t RawValue, record: &str) -> Option<Text<'t>> {
    let inner = value.get().strip_prefix('"')?.strip_suffix('"')?;
    let text = match memchr::memchr(b'\\', inner.as_bytes()) {
        None => Cow::Borrowed(inner),
        Some(_) => Cow::Owned(serde_json::from_str(value.get()).ok()?),
    };
    let at = place(inner, record);
    Some(Text { text, at })
}

/// The offset of a part of a record.
fn place(part: &str, record: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(record.as_ptr() as usize)
}

/// The offset of the fault of a record.
fn fault_of(error: &serde_json::Error, record: &str) -> usize {
    if !error.is_data() {
        return offset(error, record.as_bytes());
    }
    // A repeated name is reported after it was read. The fault is its second value.
    let value = record.get(offset(error, record.as_bytes()) + 1..);
    let value = value.unwrap_or_default().trim_start();
    let value = value.strip_prefix(':').unwrap_or(value).trim_start();
    record.len() - value.len()
}

/// The members of an object in their order.
struct Tags<'t>(Vec<(&'t RawValue, &'t RawValue)>);

impl<'de> Deserialize<'de> for Tags<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;

        impl<'de> Visitor<'de> for Members {
            type Value = Tags<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Tags(members))
            }
        }

        deserializer.deserialize_map(Members)
    }
}
