//! A game in the form in which tantivy adds it to a segment.

use crate::model::annotation::Annotation;
use crate::model::board_trail::BoardTrail;
use crate::model::entry::find_tag;
use crate::storage::columns::{Column, Row};
use crate::storage::schema::{COMMENTS, FIELDS, OPENING, TEXTS};
use crate::text::words::wholes;
use tantivy::TantivyDocument;
use tantivy::schema::Document;

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
        self.row[Column::Game as usize] = game.into();
        for (field, value) in FIELDS.columns.iter().zip(self.row) {
            self.fields.add_u64(*field, value);
        }
        self.fields.add_text(FIELDS.source, source);
    }
}

impl Document for GameDoc {
    type Value<'a> = <TantivyDocument as Document>::Value<'a>;
    type FieldsValuesIter<'a> = <TantivyDocument as Document>::FieldsValuesIter<'a>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        self.fields.iter_fields_and_values()
    }
}

/// The texts and the record of a game as a tantivy document.
pub(crate) fn texts(
    tags: &[(String, String)],
    notes: &[Annotation],
    opening: &str,
    record: &[u8],
) -> TantivyDocument {
    let mut document = TantivyDocument::default();
    for (place, (_, tag)) in TEXTS.iter().enumerate() {
        let Some(value) = find_tag(tags, tag) else {
            continue;
        };
        document.add_text(FIELDS.texts[place], value);
        if let Some(whole) = FIELDS.whole.get(place) {
            wholes(value).for_each(|name| document.add_text(*whole, name));
        }
    }
    for text in notes.iter().filter_map(Annotation::comment) {
        document.add_text(FIELDS.texts[COMMENTS], text);
    }
    if !opening.is_empty() {
        document.add_text(FIELDS.texts[OPENING], opening);
    }
    document.add_bytes(FIELDS.record, record);
    document
}
