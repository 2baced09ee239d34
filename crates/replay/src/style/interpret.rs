//! Other ways to read a token that is no word, or fits no legal move, as the sheet is written.

use crate::style::Style;
use tridex_notation::{Locale, MoveText, Notation, TokenNote, parse, readings};

/// The readings in the letters of other languages that are as likely as that of the sheet's own: where that has a `P` for a
/// pawn, which may be a knight, and where it has a capital for the file of a pawn, which may be a piece. In that case only
/// those that need no other case too.
/// And on the boards with numbers, those that take an `l` for a one, where it is a German bishop too. Of other languages
/// nothing is thought where one is declared (`bound`).
pub(crate) fn besides(
    token: &[u8],
    own: &MoveText,
    sheet: Style,
    bound: bool,
) -> Vec<(MoveText, Style)> {
    if own.notes.has(TokenNote::Case)
        && let Some(typed) = typed_ones(token, sheet)
    {
        return vec![typed];
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
        let other = read_in(token, Style { locale, ..sheet }, TokenNote::ForeignLetter)?;
        let is_likely = has_pawn_letter || !other.0.notes.has(TokenNote::Case);
        is_likely.then_some(other)
    });
    texts.collect()
}

/// A token in another style, and that it is.
fn read_in(token: &[u8], style: Style, note: TokenNote) -> Option<(MoveText, Style)> {
    let mut text = parse(style.notation, token, Some(style.locale)).ok()?;
    text.notes = text.notes.with(note);
    Some((text, style))
}

/// Groups of readings, likeliest first: other languages' letters, the family's other notation, misread characters.
/// Readings of one group are equally likely.
/// Where the language is declared (`bound`), no other is thought of.
pub(crate) fn alternatives(token: &[u8], sheet: Style, bound: bool) -> Vec<Vec<(MoveText, Style)>> {
    let sheet = Style {
        program: None,
        ..sheet
    };
    let (mut foreign, mut misread) = (Vec::new(), Vec::new());
    for (locale, text) in readings(sheet.notation, token, Some(sheet.locale)) {
        let reading = (text, Style { locale, ..sheet });
        let is_own = locale == sheet.locale;
        if bound && !is_own {
            continue;
        }
        if !text.notes.has(TokenNote::Ocr) {
            foreign.extend((!is_own).then_some(reading));
        } else if sheet.notation == Notation::Meder {
            // What a scanner misreads in the others is found by what is legal and not by what is a word.
            misread.push(reading);
        }
    }
    // As likely as a small letter of another language.
    foreign.extend(typed_ones(token, sheet));
    let others = Notation::ALL
        .into_iter()
        .filter(|other| *other != sheet.notation && other.family() == sheet.notation.family());
    let others = others.filter_map(|notation| {
        let style = Style { notation, ..sheet };
        read_in(token, style, TokenNote::OtherNotation)
    });
    vec![foreign, others.collect(), misread]
}

/// The reading in which every `l` and `I` at the edge of a square is the one that typewriters do not have: `le4`, `Nlf3`.
fn typed_ones(token: &[u8], sheet: Style) -> Option<(MoveText, Style)> {
    if sheet.notation.family() != Notation::Millennium.family() {
        return None;
    }
    let token = tridex_notation::typed_ones(token)?;
    read_in(&token, sheet, TokenNote::Ocr)
}
