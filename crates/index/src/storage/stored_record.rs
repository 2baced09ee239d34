//! The data of a game that is stored to be shown.

use crate::codec::varint::{Bytes, put_bytes, put_varint};
use crate::model::annotation::Annotation;

/// The data of a game that is stored to be shown: tags, notes, and the name of its opening.
///
/// Format: 1 if there are no notes, else 3; the number of tags, and the name and value of each; the number of notes,
/// and each note (see [`Annotation::put`]); the name of the opening. Numbers are in groups of seven bits, and texts
/// follow their lengths. (Formats 1 and 2 once stored comments by their positions.)
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Record {
    pub(crate) tags: Vec<(String, String)>,
    pub(crate) notes: Vec<Annotation>,
    pub(crate) opening: String,
}

/// The format number of a record with these notes.
fn format(notes: &[Annotation]) -> u64 {
    match notes.is_empty() {
        true => 1,
        false => 3,
    }
}

/// Writes tags and notes. The name of the opening must be written after them.
pub(crate) fn put_record(out: &mut Vec<u8>, tags: &[(String, String)], notes: &[Annotation]) {
    put_varint(out, format(notes));
    put_varint(out, tags.len() as u64);
    for text in tags.iter().flat_map(|(name, value)| [name, value]) {
        put_bytes(out, text.as_bytes());
    }
    put_varint(out, notes.len() as u64);
    notes.iter().for_each(|note| note.put(out));
}

impl Record {
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let mut bytes = Bytes(bytes);
        let known = bytes.varint()?;
        let mut record = Self::default();
        for _ in 0..bytes.varint()? {
            let name = bytes.text()?.to_owned();
            record.tags.push((name, bytes.text()?.to_owned()));
        }
        for _ in 0..bytes.varint()? {
            record.notes.push(Annotation::read(&mut bytes)?);
        }
        bytes.text()?.clone_into(&mut record.opening);
        (known == format(&record.notes) && bytes.0.is_empty()).then_some(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tridex_archive::Item;

    #[test]
    fn records_come_back_and_cut_ones_are_refused() {
        let mut record = Record {
            tags: vec![
                ("White", "Davis"),
                ("Black", "D'Agostino"),
                ("Event", "Correspondence – 2006"),
            ]
            .into_iter()
            .map(|(a, b)| (a.to_owned(), b.to_owned()))
            .collect(),
            notes: Vec::new(),
            opening: "Column Four".into(),
        };
        let text = || "the sealed move".to_owned();
        let notes = vec![
            Annotation::Item(Item::Comment(text())),
            Annotation::Moves(12),
            Annotation::Signs("!?".to_owned()),
            Annotation::Item(Item::Nag(255)),
            Annotation::Item(Item::DrawOffer),
            Annotation::Item(Item::VariationStart),
            Annotation::Item(Item::LineComment(text())),
            Annotation::Item(Item::Escape(text())),
            Annotation::Item(Item::Word("etc.".to_owned())),
            Annotation::Item(Item::Move("--".to_owned())),
            Annotation::Item(Item::VariationEnd),
        ];
        for notes in [Vec::new(), notes] {
            record.notes = notes;
            let mut bytes = Vec::new();
            put_record(&mut bytes, &record.tags, &record.notes);
            put_bytes(&mut bytes, record.opening.as_bytes());
            assert_eq!(Record::read(&bytes).as_ref(), Some(&record));
            for cut in 0..bytes.len() {
                assert_eq!(Record::read(&bytes[..cut]), None);
            }
        }
    }
}
