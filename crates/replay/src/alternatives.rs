//! Other ways to read a token that is no word, or fits no legal move, as the sheet is written.

use crate::line::Writing;
use tridex_notation::{Locale, MoveText, Notation, Note};

/// The readings of a token in the letters of other languages.
pub(crate) fn foreign(token: &[u8], sheet: Writing) -> Vec<(MoveText, Writing)> {
    let all = readings(token, sheet).into_iter();
    all.filter(|(locale, text)| *locale != sheet.locale && !text.notes.has(Note::Ocr))
        .map(|(locale, text)| (text, Writing { locale, ..sheet }))
        .collect()
}

/// Groups of readings, likeliest first: other languages' letters, the family's other notation, misread characters.
/// Readings of one group are equally likely.
/// Where the language is declared (`bound`), no other is thought of.
pub(crate) fn alternatives(
    token: &[u8],
    sheet: Writing,
    bound: bool,
) -> Vec<Vec<(MoveText, Writing)>> {
    let mut foreign = Vec::new();
    let mut misread = Vec::new();
    for (locale, text) in readings(token, sheet) {
        if bound && locale != sheet.locale {
            continue;
        }
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
    let all = tridex_notation::readings(sheet.notation, token, Some(sheet.locale));
    match sheet.notation {
        Notation::Meder => all.collect(),
        // What a scanner misreads in these is found by what is legal and not by what is a word.
        Notation::Manual | Notation::Millennium | Notation::Chess3 => {
            all.filter(|(_, text)| !text.notes.has(Note::Ocr)).collect()
        }
    }
}
