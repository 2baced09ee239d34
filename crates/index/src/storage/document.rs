//! A game in the form in which tantivy adds it to a segment.

use crate::model::annotation::Annotation;
use crate::model::board_trail::BoardTrail;
use crate::model::contents::{Content, Contents};
use crate::model::entry::{GameEntry, find_tag};
use crate::storage::columns::{Column, Row};
use crate::storage::schema::{SCHEMA_FIELDS, TextSource, is_other_tag, tag_key};
use crate::text::words::wholes;
use std::collections::BTreeMap;
use tantivy::TantivyDocument;
use tantivy::schema::{Document, OwnedValue};

/// A game: the fields that tantivy stores, and the data for the plugin.
#[derive(Debug)]
pub(crate) struct GameDoc {
    /// Texts, record and columns.
    pub(crate) fields: TantivyDocument,
    pub(crate) row: Row,
    /// The packed game, see [`GameBytes`](crate::model::game_bytes::GameBytes).
    pub(crate) game: Vec<u8>,
    /// The first 32 bits of the keys of the positions to be indexed.
    pub(crate) keys: Vec<u32>,
    pub(crate) boards: BoardTrail,
    /// The memory it takes until its segment is written, measured in positions: the number of its positions, unless it
    /// has very few of them or much text.
    pub(crate) weight: u64,
}

/// The smallest weight of a game in a growing segment, in positions. Even a game without moves takes 180 bytes.
pub(crate) const LEAST_WEIGHT: u64 = 8;
/// The number of bytes of a record that weigh as much as one position.
pub(crate) const BYTES_A_POSITION: usize = 40;

impl GameDoc {
    /// Adds what is only known when the game is added to the index: its number there, and its source.
    pub(crate) fn place(&mut self, game: u32, source: &str) {
        self.row.set(Column::Game, game.into());
        for column in Column::ALL {
            let field = *SCHEMA_FIELDS.columns.get(column);
            self.fields.add_u64(field, *self.row.get(column));
        }
        self.fields.add_text(SCHEMA_FIELDS.source, source);
    }
}

impl Document for GameDoc {
    type Value<'a> = <TantivyDocument as Document>::Value<'a>;
    type FieldsValuesIter<'a> = <TantivyDocument as Document>::FieldsValuesIter<'a>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        self.fields.iter_fields_and_values()
    }
}

/// The label of a NAG.
pub(crate) fn nag_label(nag: u8) -> String {
    format!("nag {nag}")
}

/// The label of a content.
pub(crate) fn content_label(content: Content) -> String {
    format!("has {}", content.name())
}

/// The texts, labels and the record of a game as a tantivy document.
pub(crate) fn document(
    entry: &GameEntry,
    contents: &Contents,
    opening: &str,
    record: &[u8],
) -> TantivyDocument {
    let (tags, notes) = (&entry.tags, &entry.notes);
    let mut document = TantivyDocument::default();
    for content in contents.all() {
        document.add_text(SCHEMA_FIELDS.labels, content_label(content));
    }
    for nag in &contents.nags {
        document.add_text(SCHEMA_FIELDS.labels, nag_label(*nag));
    }
    for text in &SCHEMA_FIELDS.texts {
        let values: Vec<&str> = match text.spec.from {
            TextSource::Tag(name) => find_tag(tags, name).into_iter().collect(),
            TextSource::Comments => notes.iter().filter_map(Annotation::comment).collect(),
            TextSource::Opening => Some(opening)
                .filter(|name| !name.is_empty())
                .into_iter()
                .collect(),
        };
        let (label, is_of_known) = text.spec.label();
        if values.is_empty() != is_of_known {
            document.add_text(SCHEMA_FIELDS.labels, label);
        }
        for value in values {
            document.add_text(text.words, value);
            if let Some(whole) = text.whole {
                wholes(value).for_each(|name| document.add_text(whole, name));
            }
        }
    }
    let mut others = BTreeMap::new();
    for (name, _) in tags {
        if is_other_tag(name)
            && let Some(value) = find_tag(tags, name)
        {
            others.insert(tag_key(name), OwnedValue::Str(value.to_owned()));
        }
    }
    if !others.is_empty() {
        document.add_object(SCHEMA_FIELDS.tags, others);
    }
    document.add_bytes(SCHEMA_FIELDS.record, record);
    document
}
