//! Other ways to read a token that is no word, or fits no legal move, as the sheet is written.

use crate::writing::Writing;
use tridex_notation::{Locale, MoveText, Notation, TokenNote};

/// The readings in the letters of other languages that are as likely as that of the sheet's own: where that has a `P` for a
/// pawn, which may be a knight, and where it has a capital for the file of a pawn, which may be a piece. In that case only
/// those that need no other case too.
/// And on the boards with numbers, those that take an `l` for a one, where it is a German bishop too. Of other languages
/// nothing is thought where one is declared (`bound`).
pub(crate) fn besides(
    token: &[u8],
    own: &MoveText,
    sheet: Writing,
    bound: bool,
) -> Vec<(MoveText, Writing)> {
    if own.notes.has(TokenNote::Case)
        && let Some(text) = typed_ones(token, sheet)
    {
        return vec![(text, sheet)];
    }
    let has_pawn_letter = own.notes.has(TokenNote::PawnLetter);
    let begins_with_capital =
        own.notes.has(TokenNote::Case) && token.first().is_some_and(u8::is_ascii_uppercase);
    if bound || !has_pawn_letter && !begins_with_capital {
        return Vec::new();
    }
    let others = Locale::ALL.into_iter();
    let others = others.filter(|locale| *locale != sheet.locale);
    let texts = others.filter_map(|locale| {
        let mut text = tridex_notation::parse(sheet.notation, token, Some(locale)).ok()?;
        text.notes = text.notes.with(TokenNote::ForeignLetter);
        let is_likely = has_pawn_letter || !text.notes.has(TokenNote::Case);
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
        if text.notes.has(TokenNote::Ocr) {
            misread.push((text, writing));
        } else if locale != sheet.locale {
            foreign.push((text, writing));
        }
    }
    // As likely as a small letter of another language.
    foreign.extend(typed_ones(token, sheet).map(|text| {
        (
            text,
            Writing {
                program: None,
                ..sheet
            },
        )
    }));
    let other = Notation::ALL
        .into_iter()
        .filter(|other| *other != sheet.notation && other.family() == sheet.notation.family())
        .filter_map(|notation| {
            let mut text = tridex_notation::parse(notation, token, Some(sheet.locale)).ok()?;
            text.notes = text.notes.with(TokenNote::OtherNotation);
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

/// The reading in which every `l` and `I` at the edge of a square is the one that typewriters do not have: `le4`, `Nlf3`.
fn typed_ones(token: &[u8], sheet: Writing) -> Option<MoveText> {
    if sheet.notation.family() != Notation::Millennium.family() {
        return None;
    }
    let token = tridex_notation::typed_ones(token)?;
    let mut text = tridex_notation::parse(sheet.notation, &token, Some(sheet.locale)).ok()?;
    text.notes = text.notes.with(TokenNote::Ocr);
    Some(text)
}

fn readings(token: &[u8], sheet: Writing) -> Vec<(Locale, MoveText)> {
    let all = tridex_notation::readings(sheet.notation, token, Some(sheet.locale));
    match sheet.notation {
        Notation::Meder => all.collect(),
        // What a scanner misreads in these is found by what is legal and not by what is a word.
        Notation::Manual | Notation::Millennium | Notation::Chess3 => all
            .filter(|(_, text)| !text.notes.has(TokenNote::Ocr))
            .collect(),
    }
}
