//! Other ways to read a token that is no word, or fits no legal move, as the sheet is written.

use crate::line::Writing;
use tridex_notation::{Locale, MoveText, Notation, Note, moves};

/// Groups of readings, likeliest first: other languages' letters, the family's other notation, misread characters.
/// Readings of one group are equally likely.
pub(crate) fn alternatives(token: &[u8], sheet: Writing) -> Vec<Vec<(MoveText, Writing)>> {
    let mut foreign = Vec::new();
    let mut misread = Vec::new();
    for (locale, text) in readings(token, sheet) {
        let writing = Writing {
            locale,
            program: None,
            ..sheet
        };
        if text.notes.has(Note::Ocr) {
            misread.push((text, writing));
        } else if locale != sheet.locale {
            foreign.push((text, writing));
        }
    }
    let other = Notation::ALL
        .into_iter()
        .filter(|other| *other != sheet.notation && other.family() == sheet.notation.family())
        .filter_map(|notation| {
            let mut text = tridex_notation::parse(notation, token, Some(sheet.locale)).ok()?;
            text.notes = text.notes.with(Note::OtherNotation);
            let writing = Writing {
                notation,
                program: None,
                ..sheet
            };
            Some((text, writing))
        })
        .collect();
    vec![foreign, other, misread]
}

fn readings(token: &[u8], sheet: Writing) -> Vec<(Locale, MoveText)> {
    match sheet.notation {
        Notation::Meder => moves::meder::readings(token, Some(sheet.locale)).collect(),
        // The other notations have no languages; what their readers forgive they note themselves.
        Notation::Manual | Notation::Millennium | Notation::Chess3 => Vec::new(),
    }
}
