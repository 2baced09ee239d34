//! A game on its way into the index.

use super::columns::{Column, Row};
use super::schema::{COMMENTS, FIELDS, OPENING, TEXTS};
use crate::game::boards::BoardTrail;
use crate::game::entry::find_tag;
use crate::game::notes::Annotation;
use crate::texts::words::wholes;
use tantivy::TantivyDocument;
use tantivy::schema::Document;

/// A game: what tantivy's own parts keep of it, and what the plugin does.
#[derive(Debug)]
pub(crate) struct GameDoc {
    /// Texts, record and columns.
    pub(crate) fields: TantivyDocument,
    pub(crate) row: Row,
    /// The game on the board, see [`GameBytes`](crate::game::line::GameBytes).
    pub(crate) game: Vec<u8>,
    /// The first 32 bits of the keys of the positions that shall be found.
    pub(crate) keys: Vec<u32>,
    pub(crate) boards: BoardTrail,
    /// What it takes in memory until its segment is written, in positions: as many as it has, unless it has few of them or
    /// much text.
    pub(crate) weight: u64,
}

/// The least that a game weighs in a segment that grows, in positions: without any moves it takes 180 bytes.
pub(crate) const LEAST_WEIGHT: u64 = 8;
/// How many bytes of a record weigh as much as a position.
pub(crate) const BYTES_A_POSITION: usize = 40;

impl GameDoc {
    /// Adds what is known when the game is put into the index: its number there, and where it is from.
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

/// The texts and the record of a game, as tantivy takes them.
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
