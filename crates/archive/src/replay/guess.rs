//! What the tags leave open: notation, language and rule system, found out from the moves.

use super::line::{Line, Reading, Token, Writing, read_line};
use tridex_geometry::Family;
use tridex_notation::{Locale, MoveText, Notation, Note};
use tridex_rules::{Position, RuleSystem};

/// As many tokens as are looked at to find out how a sheet is written.
const SAMPLE: usize = 400;

/// How many of the tokens are words as written: a count, and the same without those that only a lenient reader takes.
fn words(tokens: &[Token<'_>], writing: Writing) -> (usize, usize) {
    let (mut read, mut plain) = (0, 0);
    for token in tokens.iter().take(SAMPLE) {
        if let Ok(text) = tridex_notation::parse(writing.notation, token.text, Some(writing.locale))
        {
            read += 1;
            plain += usize::from(is_plain(&text));
        }
    }
    (plain, read)
}

fn is_plain(text: &MoveText) -> bool {
    !text.notes.has(Note::Ocr)
        && !text.notes.has(Note::ForeignLetter)
        && !text.notes.has(Note::OtherNotation)
        && !text.notes.has(Note::MissingLevel)
        && !text.notes.has(Note::Case)
}

/// How most of the tokens are written, where `notation`, `locale` and `family` are what is known: the likeliest first,
/// then others that explain as many tokens. A language other than English needs more than one token that speaks for
/// it: a lone one is read as the slip it is.
pub(super) fn writings(
    tokens: &[Token<'_>],
    notation: Option<Notation>,
    locale: Option<Locale>,
    family: Option<Family>,
) -> Vec<Writing> {
    let mut counted = Vec::new();
    for candidate in Notation::ALL {
        if notation.is_some_and(|known| known != candidate)
            || notation.is_none() && family.is_some_and(|known| known != candidate.family())
        {
            continue;
        }
        for letters in Locale::ALL {
            let languages = candidate == Notation::Meder;
            if locale.is_some_and(|known| known != letters)
                || !languages && locale.is_none() && letters != Locale::English
            {
                continue;
            }
            let writing = Writing {
                notation: candidate,
                locale: letters,
            };
            counted.push((words(tokens, writing), writing));
        }
    }
    // A stable sort: English before other languages, and in the order of notations.
    counted.sort_by_key(|((plain, read), _)| std::cmp::Reverse((*plain, *read)));
    let Some(((most, read), first)) = counted.first().copied() else {
        return vec![Writing {
            notation: notation.unwrap_or(Notation::Meder),
            locale: locale.unwrap_or(Locale::English),
        }];
    };
    let english = counted.iter().find(|(_, writing)| {
        writing.notation == first.notation && writing.locale == Locale::English
    });
    if let Some(((plain, _), writing)) = english
        && locale.is_none()
        && most <= plain + 1
    {
        return vec![*writing];
    }
    counted
        .into_iter()
        .filter(|(count, writing)| *count == (most, read) && writing.notation == first.notation)
        .map(|(_, writing)| writing)
        .collect()
}

/// The tokens that are words in this writing and none in English letters: what decided for a language.
pub(super) fn deciding<'a>(tokens: &[Token<'a>], writing: Writing) -> Vec<&'a [u8]> {
    let reads = |token: &Token<'_>, locale| {
        tridex_notation::parse(writing.notation, token.text, Some(locale))
            .is_ok_and(|t| is_plain(&t))
    };
    tokens
        .iter()
        .filter(|token| reads(token, writing.locale) && !reads(token, Locale::English))
        .map(|token| token.text)
        .take(5)
        .collect()
}

/// The systems of a board family, the one whose text uses the notation first.
pub(super) fn systems(notation: Notation) -> Vec<RuleSystem> {
    let mut systems: Vec<RuleSystem> = RuleSystem::ALL
        .iter()
        .copied()
        .filter(|rules| rules.family() == notation.family())
        .collect();
    let own = systems
        .iter()
        .copied()
        .find(|rules| Notation::of(*rules) == notation);
    systems.sort_by_key(|rules| Some(*rules) != own);
    systems
}

/// The line under each system of the notation's family, the likeliest first.
pub(super) fn under_each(
    start: impl Fn(RuleSystem) -> Option<Position>,
    tokens: &[Token<'_>],
    reading: Reading,
) -> Vec<(RuleSystem, Line)> {
    systems(reading.writing.notation)
        .into_iter()
        .filter_map(|rules| Some((rules, read_line(&start(rules)?, tokens, reading))))
        .collect()
}
