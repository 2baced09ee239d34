//! Other readings of a token that does not parse, or fits no legal move, in the player's own style.

use crate::style::Style;
use tridex_notation::{Locale, MoveText, Notation, TokenNote, parse, readings};

/// The readings that are as likely as the one in the player's own style. There are three cases. A `P` for a pawn may be
/// a knight in another language. A capital letter for the file of a pawn may be a piece in another language, if the
/// rest of the token needs no change of case. On the cube boards, an `l` that could be a bishop in German may be a
/// typed one. If the language is declared (`bound`), no other languages are tried.
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

/// Parses a token in another style and adds a note which states that.
fn read_in(token: &[u8], style: Style, note: TokenNote) -> Option<(MoveText, Style)> {
    let mut text = parse(style.notation, token, Some(style.locale)).ok()?;
    text.notes = text.notes.with(note);
    Some((text, style))
}

/// Groups of readings, the likeliest first: the letters of other languages, the other notation of the family, misread
/// characters. The readings of one group are equally likely. If the language is declared (`bound`), no other is tried.
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
            // In the other notations, misread characters are found by searching for similar legal moves.
            misread.push(reading);
        }
    }
    foreign.extend(with_capital(token, sheet));
    // These are as likely as a small letter of another language.
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

/// The reading in which the first letter, which is also that of a file, is the small letter of a piece: `bc7b` for a
/// bishop. It counts only if the pawn on that file has no such move.
fn with_capital(token: &[u8], sheet: Style) -> Option<(MoveText, Style)> {
    let (first, rest) = token.split_first()?;
    if !first.is_ascii_lowercase() || !rest.first()?.is_ascii_alphabetic() {
        return None;
    }
    let token = [&[first.to_ascii_uppercase()], rest].concat();
    read_in(&token, sheet, TokenNote::Case)
}

/// The reading in which every `l` and `I` at the edge of a square is the digit one, which typewriters did not have:
/// `le4`, `Nlf3`.
fn typed_ones(token: &[u8], sheet: Style) -> Option<(MoveText, Style)> {
    if sheet.notation.family() != Notation::Millennium.family() {
        return None;
    }
    let token = tridex_notation::typed_ones(token)?;
    read_in(&token, sheet, TokenNote::Ocr)
}
