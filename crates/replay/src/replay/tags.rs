//! The tags of a game in the form in which they are written again.

use tridex_archive::Game;
use tridex_archive::date::{Date, DateFault, DateOrder};
use tridex_archive::game::WrittenTag;
use tridex_archive::is_standard_result;
use tridex_notation::{Locale, Notation, Program};
use tridex_rules::RuleSystem;

/// The tag for the original text of a tag `Result` that is not in standard form. The tag `Result` itself gets the
/// standard form.
pub(crate) const AS_WRITTEN: &str = "ResultAsWritten";

/// The new name of an unusable tag of a start position, rule system, notation or language, such as `FENAsWritten`.
pub(crate) fn unused_name(tag: &WrittenTag<'_>, has_start: bool) -> Option<&'static str> {
    let is = |name: &str| tag.name.eq_ignore_ascii_case(name.as_bytes());
    let (is_used, name): (fn(&str) -> bool, _) = if is("Variant") {
        (
            |value| RuleSystem::from_name(value).is_some(),
            "VariantAsWritten",
        )
    } else if is("Notation") {
        (
            |value| Notation::from_name(value).is_some(),
            "NotationAsWritten",
        )
    } else if is("Locale") {
        (
            |value| Locale::from_code(value).is_some(),
            "LocaleAsWritten",
        )
    } else if is("FEN") && !has_start {
        (|_| false, "FENAsWritten")
    } else {
        return None;
    };
    let text = tag.text();
    let value = text.trim();
    let is_empty = matches!(value, "" | "?" | "-");
    let is_lost = !is_empty && !is_used(value) && Program::from_name(value).is_none();
    is_lost.then_some(name)
}

/// The tag for the original text of a date whose standard form is less precise.
pub(crate) const DATE_AS_WRITTEN: &str = "DateAsWritten";

/// Replaces an ambiguous date by its standard form, in the order that the user names. The original text stays in another
/// tag.
pub(crate) fn settle_date(game: &mut Game<'_>, order: DateOrder) {
    let Some(text) = game.tag("Date").map(|text| text.into_owned()) else {
        return;
    };
    if Date::parse(&text) == Err(DateFault::Unclear)
        && let Ok(date) = Date::parse_in(&text, order)
    {
        game.set_tag("Date", &date.to_string());
        if game.tag(DATE_AS_WRITTEN).is_none() {
            game.push_tag(DATE_AS_WRITTEN, &text);
        }
    }
}

/// The standard PGN form of a date tag that is not in it, and whether the original text must be stored too, because it
/// has words or because only its year is certain (`3/4/2019`).
pub(crate) fn standard_date(tag: &WrittenTag<'_>) -> Option<(String, bool)> {
    if !tag.name.eq_ignore_ascii_case(b"Date") {
        return None;
    }
    let is_standard = |value: &[u8]| {
        let parts = value.iter().enumerate();
        value.len() == 10
            && parts.into_iter().all(|(at, b)| match at {
                4 | 7 => *b == b'.',
                _ => b.is_ascii_digit() || *b == b'?',
            })
    };
    if is_standard(tag.value) {
        return None;
    }
    let text = tag.text();
    let is_digits = text
        .chars()
        .all(|c| c.is_ascii_digit() || ". -/?".contains(c));
    let (standard, has_all) = match Date::parse(&text) {
        Ok(date) => (date.to_string(), is_digits),
        Err(DateFault::Unclear) => {
            let mut groups = text.split(|c: char| !c.is_ascii_digit());
            let year = groups.find(|group| group.len() == 4)?;
            (format!("{year}.??.??"), false)
        }
        Err(_) => return None,
    };
    (standard != text).then_some((standard, !has_all))
}

/// A tag as it is written again; `None` if it is omitted.
pub(crate) fn again(tag: WrittenTag<'_>) -> Option<WrittenTag<'_>> {
    let is_result = tag.name.eq_ignore_ascii_case(b"Result");
    if !is_result || is_standard_result(tag.value) {
        return Some(tag);
    }
    let name = AS_WRITTEN.as_bytes();
    let says_something = !tag.text().trim().is_empty();
    says_something.then_some(WrittenTag { name, ..tag })
}
