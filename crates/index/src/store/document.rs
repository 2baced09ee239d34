//! A game on its way into the index.

use super::columns::Row;
use super::schema::Fields;
use crate::game::boards::BoardTrail;
use crate::game::entry::find_tag;
use crate::game::line::GameBytes;
use crate::game::notes::Annotation;
use crate::texts::words::wholes;
use tantivy::TantivyDocument;
use tantivy::schema::Document;

/// A game: what tantivy's own parts keep of it, and what the plugin does.
#[derive(Debug)]
pub(crate) struct GameDoc {
    /// Texts, record and columns.
    fields: TantivyDocument,
    pub(crate) row: Row,
    /// The lines of the game, see [`GameBytes`].
    pub(crate) lines: Vec<u8>,
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
const BYTES_A_POSITION: usize = 40;

impl GameDoc {
    /// A game with the given texts and record size in bytes; columns and source are to follow.
    pub(crate) fn new(
        fields: TantivyDocument,
        row: Row,
        lines: Vec<u8>,
        keys: Vec<u32>,
        boards: BoardTrail,
        record: usize,
    ) -> Self {
        let weight = keys.len().max(record / BYTES_A_POSITION) as u64;
        Self {
            weight: weight.max(LEAST_WEIGHT),
            fields,
            row,
            lines,
            keys,
            boards,
        }
    }

    /// Adds what is known when the game is put into the index: its number there, and where it is from.
    pub(crate) fn place(&mut self, fields: &Fields, game: u32, number: u32, source: &str) {
        let values = self.row.values(game, number);
        for (field, value) in fields.columns.iter().zip(values) {
            self.fields.add_u64(*field, value);
        }
        self.fields.add_text(fields.source, source);
    }

    /// The game on the board.
    pub(crate) fn game(&self) -> GameBytes<'_> {
        GameBytes {
            code: self.row.rules,
            plies: self.row.plies.into(),
            own_start: self.row.flags.own_start,
            has_variations: self.row.flags.has_variations,
            bytes: &self.lines,
        }
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
    fields: &Fields,
    tags: &[(String, String)],
    notes: &[Annotation],
    opening: &str,
    record: &[u8],
) -> TantivyDocument {
    let mut document = TantivyDocument::default();
    let named = [
        (fields.white, "White", Some(fields.whole[0])),
        (fields.black, "Black", Some(fields.whole[1])),
        (fields.event, "Event", Some(fields.whole[2])),
        (fields.site, "Site", Some(fields.whole[3])),
        (fields.round, "Round", None),
    ];
    for (field, name, whole) in named {
        let Some(value) = find_tag(tags, name) else {
            continue;
        };
        document.add_text(field, value);
        if let Some(whole) = whole {
            wholes(value).for_each(|name| document.add_text(whole, name));
        }
    }
    for text in notes.iter().filter_map(Annotation::comment) {
        document.add_text(fields.comments, text);
    }
    if !opening.is_empty() {
        document.add_text(fields.opening, opening);
    }
    document.add_bytes(fields.record, record);
    document
}
