//! Other ways to read a token that is no word, or fits no legal move, as the sheet is written.

use crate::line::Writing;
use tridex_notation::{Locale, MoveText, Notation, Note};

/// The readings in the letters of other languages that are as likely as that of the sheet's own: where that has a `P` for a
/// pawn, which may be a knight, and where it has a capital for the file of a pawn, which may be a piece. In that case only
/// those that need no other case too.
pub(crate) fn besides(token: &[u8], own: &MoveText, sheet: Writing) -> Vec<(MoveText, Writing)> {
    let has_pawn_letter = own.notes.has(Note::PawnLetter);
    let begins_with_capital =
        own.notes.has(Note::Case) && token.first().is_some_and(u8::is_ascii_uppercase);
    if !has_pawn_letter && !begins_with_capital {
        return Vec::new();
    }
    let others = Locale::ALL.into_iter();
    let others = others.filter(|locale| *locale != sheet.locale);
    let texts = others.filter_map(|locale| {
        let mut text = tridex_notation::parse(sheet.notation, token, Some(locale)).ok()?;
        text.notes = text.notes.with(Note::ForeignLetter);
        let is_likely = has_pawn_letter || !text.notes.has(Note::Case);
        is_likely.then_some((text, Writing { locale, ..sheet }))
    });
    texts.collect()
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
